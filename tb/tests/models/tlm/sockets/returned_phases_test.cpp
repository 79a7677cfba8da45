// Phases that come as what a call returns, with a delay: from then on, and not before, the next request may be handed
// over, the response is on its way, the next response may begin. In every style of phases; one case a process.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tb/tests/support/style_platform.h"
#include "tb/tests/support/tlm_stubs.h"

namespace braid::test::returned_phases_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using Times = std::vector<double>;  // ns

double now() { return sc_core::sc_time_stamp() / sc_time(1, SC_NS); }

/// Two reads of 4 bytes from node 0 at node 5, the second 10 ns after the first. docs/router.md, 3 + 5 R + L - 1: four
/// flits there, three back, over four routers.
constexpr double kThere = 3 + 5 * 4 + 3, kBack = 3 + 5 * 4 + 2, kLater = 10;

struct TwoReads {
  /// What the first call of its kind returns, all else as it is; delays in ns.
  struct Returns {
    tlm::tlm_sync_enum status = tlm::TLM_COMPLETED;
    tlm::tlm_phase_enum phase = tlm::UNINITIALIZED_PHASE;
    double delay = 0;
  };
  explicit TwoReads(const char* style)
      : net([=] {
          models::Experiment e = styled(tlm_network("hybrid"), style);
          e.set("tlm.map", "5: 0x1000 +4K");
          return e;
        }()) {
    net.enter(client.socket, 0);
    net.leave(5, target.socket);
    client.non_blocking = [this](Payload&, tlm::tlm_phase& phase, sc_time& delay) {
      if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
      answered.push_back(now());
      return answered.size() == 1 ? give(of_client, phase, delay) : tlm::TLM_COMPLETED;
    };
    target.non_blocking = [this](Payload& p, tlm::tlm_phase& phase, sc_time& delay) {
      if (phase == tlm::END_RESP) {
        ended.push_back(now() + delay / sc_time(1, SC_NS));
        return tlm::TLM_COMPLETED;
      }
      handed.push_back(now());
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      if (handed.size() > 1) return tlm::TLM_COMPLETED;
      first = &p;
      return give(of_target, phase, delay);
    };
    client.thread = [this] {
      for (Payload* p : {&pool.take(), &pool.take()}) {
        TestClient<>::fill(*p, tlm::TLM_READ_COMMAND, 0x1010, word, 4);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay;
        client.socket->nb_transport_fw(*p, phase, delay);
        sc_core::wait(sc_time(kLater, SC_NS));
      }
      if (later) later();
    };
  }
  void run() {
    sc_core::sc_start(sc_time(1000, SC_NS));
    EXPECT_EQ(net.in_use(), 0U);
  }
  static tlm::tlm_sync_enum give(const Returns& returned, tlm::tlm_phase& phase, sc_time& delay) {
    if (returned.status == tlm::TLM_UPDATED) phase = returned.phase;
    delay += sc_time(returned.delay, SC_NS);
    return returned.status;
  }
  StyleNet net;
  models::PayloadPool<> pool;
  StubInitiator<32> client{"client"};
  StubTarget<32> target{"target"};
  Returns of_target, of_client;
  std::function<void()> later;  // in the client's thread
  Payload* first = nullptr;     // at the target
  Times handed, ended, answered;
  unsigned char word[4] = {};
};

class ReturnedPhases : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, ReturnedPhases, testing::Values("cycle_accurate", "approximately_timed"),
                         [](const auto& c) { return std::string(c.param); });

TEST_P(ReturnedPhases, WithoutADelayHoldNobodyUp) {
  TwoReads t(GetParam());
  t.run();
  EXPECT_EQ(t.handed, (Times{kThere, kThere + kLater}));
  EXPECT_EQ(t.answered, (Times{kThere + kBack, kThere + kLater + kBack}));
  EXPECT_EQ(t.ended, Times{}) << "TLM_COMPLETED is the end";
}

/// The second request waits for END_REQ; the first response is the target's to begin.
TEST_P(ReturnedPhases, AnEndOfARequestHoldsTheNextOneUp) {
  TwoReads t(GetParam());
  t.of_target = {tlm::TLM_UPDATED, tlm::END_REQ, 15};
  t.later = [&] {
    sc_core::wait(sc_time(200 - now(), SC_NS));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay;
    t.target.socket->nb_transport_bw(*t.first, phase, delay);
  };
  t.run();
  EXPECT_EQ(t.handed, (Times{kThere, kThere + 15}));
  EXPECT_EQ(t.answered, (Times{kThere + 15 + kBack, 200 + kBack}));
}

/// Both responses are made in one cycle then: the second's three flits follow the first's.
TEST_P(ReturnedPhases, ACompletionLaterEndsTheRequestThen) {
  TwoReads t(GetParam());
  t.of_target = {tlm::TLM_COMPLETED, tlm::UNINITIALIZED_PHASE, 15};
  t.run();
  EXPECT_EQ(t.handed, (Times{kThere, kThere + 15}));
  EXPECT_EQ(t.answered, (Times{kThere + 15 + kBack, kThere + 15 + kBack + 3}));
  EXPECT_EQ(t.ended, Times{});
}

/// The target waits for END_RESP, which does not come before its response has begun.
TEST_P(ReturnedPhases, AResponseLaterEndsTheRequestThenAndIsEnded) {
  TwoReads t(GetParam());
  t.of_target = {tlm::TLM_UPDATED, tlm::BEGIN_RESP, 15};
  t.run();
  EXPECT_EQ(t.handed, (Times{kThere, kThere + 15}));
  EXPECT_EQ(t.answered, (Times{kThere + 15 + kBack, kThere + 15 + kBack + 3}));
  ASSERT_EQ(t.ended.size(), 1U);
  EXPECT_GE(t.ended[0], kThere + 15);
  EXPECT_LT(t.ended[0], kThere + 15 + kBack);
}
TEST_P(ReturnedPhases, AResponseAtOnceHoldsNobodyUp) {
  TwoReads t(GetParam());
  t.of_target = {tlm::TLM_UPDATED, tlm::BEGIN_RESP, 0};
  t.run();
  EXPECT_EQ(t.handed, (Times{kThere, kThere + kLater}));
  EXPECT_EQ(t.answered, (Times{kThere + kBack, kThere + kLater + kBack}));
  EXPECT_EQ(t.ended.size(), 1U);
}

/// The initiator ends the first response later than the second one comes.
TEST_P(ReturnedPhases, AnEndOfAResponseHoldsTheNextOneUp) {
  TwoReads t(GetParam());
  t.of_client = {tlm::TLM_UPDATED, tlm::END_RESP, 20};
  t.run();
  EXPECT_EQ(t.answered, (Times{kThere + kBack, kThere + kBack + 20}));
}
TEST_P(ReturnedPhases, ACompletionOfAResponseLaterHoldsTheNextOneUp) {
  TwoReads t(GetParam());
  t.of_client = {tlm::TLM_COMPLETED, tlm::UNINITIALIZED_PHASE, 20};
  t.run();
  EXPECT_EQ(t.answered, (Times{kThere + kBack, kThere + kBack + 20}));
}

/// Within a cycle what is annotated counts as made in it.
TEST_P(ReturnedPhases, APartOfACycleLaterIsTheSameCycle) {
  if (std::string(GetParam()) == "cycle_accurate") GTEST_SKIP() << "the next edge of the engine's clock takes it";
  TwoReads t(GetParam());
  t.of_target = {tlm::TLM_COMPLETED, tlm::UNINITIALIZED_PHASE, 4.5};
  t.run();
  EXPECT_EQ(t.answered[0], kThere + 4 + kBack);
}

}  // namespace
}  // namespace braid::test::returned_phases_test
