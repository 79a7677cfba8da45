// A payload that is another one's: of one target's request another target says nothing that counts, and of one
// initiator's response another initiator. Each is told so by its own name, and the transaction goes on. One case a
// process.
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/phases_platform.h"

namespace braid::test::others_payloads_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// Initiators at nodes 0 and 1, targets at nodes 5 and 2.
struct TwoOfEach {
  explicit TwoOfEach(const std::string& style)
      : net([&] {
          models::Experiment e = styled(tlm_network("hybrid"), style);
          e.set("tlm.map", "5: 0x1000 +4K, 2: 0x2000 +4K");
          return e;
        }()) {
    net.enter(client.socket, 0);
    net.enter(other_client.socket, 1);
    net.leave(5, target.socket);
    net.leave(2, other_target.socket);
    client.non_blocking = [this](Payload& p, tlm::tlm_phase& phase, sc_time&) {
      if (phase == tlm::BEGIN_RESP) response = &p;
      return tlm::TLM_ACCEPTED;
    };
    target.non_blocking = [this](Payload& p, tlm::tlm_phase& phase, sc_time&) {
      if (phase == tlm::BEGIN_REQ) request = &p;
      return tlm::TLM_ACCEPTED;
    };
  }
  template <class Initiator>
  static std::string fw(Initiator& from, Payload& p, tlm::tlm_phase phase) {
    return wrong_use([&] {
      sc_time delay;
      from.socket->nb_transport_fw(p, phase, delay);
    });
  }
  template <class Target>
  static std::string bw(Target& from, Payload& p, tlm::tlm_phase phase) {
    return wrong_use([&] {
      sc_time delay;
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      from.socket->nb_transport_bw(p, phase, delay);
    });
  }
  StyleNet net;
  models::PayloadPool<> pool;
  StubInitiator<32> client{"client"}, other_client{"other_client"};
  StubTarget<32> target{"target"}, other_target{"other_target"};
  Payload* request = nullptr;
  Payload* response = nullptr;
};

class OthersPayloads : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, OthersPayloads, testing::Values("cycle_accurate", "approximately_timed"),
                         [](const auto& c) { return std::string(c.param); });

TEST_P(OthersPayloads, AreNobodyElsesToAnswer) {
  TwoOfEach p(GetParam());
  const std::string held = " of a payload that this target does not hold, or has ";
  bool done = false;
  p.client.thread = [&] {
    unsigned char word[4] = {};
    Payload& t = p.pool.take();
    TestClient<>::fill(t, tlm::TLM_READ_COMMAND, 0x1010, word, 4);
    EXPECT_EQ(TwoOfEach::fw(p.client, t, tlm::BEGIN_REQ), "");
    sc_core::wait(sc_time(200, SC_NS));
    ASSERT_NE(p.request, nullptr);
    const auto others = [&] {
      EXPECT_EQ(TwoOfEach::bw(p.other_target, *p.request, tlm::END_REQ),
                "net.initiator_2: END_REQ" + held + "ended or answered");
      EXPECT_EQ(TwoOfEach::bw(p.other_target, *p.request, tlm::BEGIN_RESP),
                "net.initiator_2: BEGIN_RESP" + held + "answered");
      EXPECT_EQ(TwoOfEach::fw(p.other_client, t, tlm::END_RESP),
                "net.target_1: END_RESP for a payload of which no BEGIN_RESP is open");
    };
    others();
    EXPECT_EQ(TwoOfEach::bw(p.target, *p.request, tlm::END_REQ), "") << "its own target's still";
    sc_core::wait(sc_time(20, SC_NS));
    others();
    EXPECT_EQ(p.response, nullptr);
    EXPECT_EQ(TwoOfEach::bw(p.target, *p.request, tlm::BEGIN_RESP), "");
    sc_core::wait(sc_time(200, SC_NS));
    EXPECT_EQ(p.response, &t);
    EXPECT_EQ(TwoOfEach::fw(p.other_client, t, tlm::END_RESP),
              "net.target_1: END_RESP for a payload of which no BEGIN_RESP is open");
    EXPECT_EQ(p.net.in_use(), 1U) << "it is open still";
    EXPECT_EQ(TwoOfEach::fw(p.client, t, tlm::END_RESP), "");
    sc_core::wait(sc_time(20, SC_NS));
    EXPECT_EQ(p.net.in_use(), 0U);
    done = true;
  };
  sc_core::sc_start(sc_time(2, sc_core::SC_US));
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace braid::test::others_payloads_test
