// A transaction whose every phase a test says, on both sides of a network in a style of phases.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tb/tests/support/style_platform.h"
#include "tb/tests/support/tlm_stubs.h"

namespace braid::test {

/// A read of an initiator at node 0, by phases, at a target at node 5 whose every phase a test says.
struct PhasesPlatform {
  explicit PhasesPlatform(const std::string& style)
      : net([&] {
          models::Experiment e = styled(tlm_network("hybrid"), style);
          e.set("tlm.map", "5: 0x1000 +4K");
          return e;
        }()) {
    net.enter(client.socket, 0);
    net.leave(5, target.socket);
    client.non_blocking = [this](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
      const bool answers = phase == tlm::BEGIN_RESP;
      if (answers) ++answered;
      return answers && completes ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    };
    target.non_blocking = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      if (phase == tlm::BEGIN_REQ) request = &p;
      return tlm::TLM_ACCEPTED;
    };
  }
  std::string fw(tlm::tlm_phase phase) {
    return wrong_use([&] {
      sc_core::sc_time delay;
      EXPECT_NE(client.socket->nb_transport_fw(payload(), phase, delay), tlm::TLM_COMPLETED);
    });
  }
  std::string bw(tlm::tlm_phase phase) { return bw(*request, phase); }
  std::string bw(Payload& p, tlm::tlm_phase phase) {
    return wrong_use([&] {
      sc_core::sc_time delay;
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      target.socket->nb_transport_bw(p, phase, delay);
    });
  }
  void run(const std::function<void()>& act) {
    bool done = false;
    client.thread = [&] {
      EXPECT_EQ(fw(tlm::BEGIN_REQ), "");
      sc_core::wait(sc_core::sc_time(200, sc_core::SC_NS));
      ASSERT_NE(request, nullptr);
      act();
      done = true;
    };
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
    EXPECT_TRUE(done);
  }
  void expect_one_answer() {
    EXPECT_EQ(answered, 1U);
    EXPECT_EQ(net.in_use(), 0U);
  }
  Payload& payload() {
    if (payload_ == nullptr) {
      payload_ = &pool.take();
      TestClient<>::fill(*payload_, tlm::TLM_READ_COMMAND, 0x1010, word_, 4);
    }
    return *payload_;
  }

  StyleNet net;
  models::PayloadPool<> pool;
  StubInitiator<32> client{"client"};
  StubTarget<32> target{"target"};
  Payload* request = nullptr;
  unsigned answered = 0;
  bool completes = true;

 private:
  unsigned char word_[4] = {};
  Payload* payload_ = nullptr;
};

}  // namespace braid::test
