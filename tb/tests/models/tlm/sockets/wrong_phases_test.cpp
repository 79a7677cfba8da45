// Phases that the base protocol does not know at that place, without a checker: each is said, in every style of phases,
// and the transaction goes on as if it had not come. One case a process.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/phases_platform.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::wrong_phases_test {
namespace {

using sc_core::sc_time;

class WrongPhases : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, WrongPhases, testing::Values("cycle_accurate", "approximately_timed"),
                         [](const auto& c) { return std::string(c.param); });

const char* const kAnswered =
    "net.initiator_5: BEGIN_RESP of a payload that this target does not hold, or has answered";
const char* const kEnded =
    "net.initiator_5: END_REQ of a payload that this target does not hold, or has ended or answered";

TEST_P(WrongPhases, ASecondResponse) {
  PhasesPlatform p(GetParam());
  p.run([&] {
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), kAnswered);
    sc_core::wait(sc_time(5, sc_core::SC_NS));
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), kAnswered);
    EXPECT_EQ(p.bw(tlm::END_REQ), kEnded);
    sc_core::wait(sc_time(300, sc_core::SC_NS));
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), kAnswered);
  });
  p.expect_one_answer();
}

TEST_P(WrongPhases, ASecondEndOfARequest) {
  PhasesPlatform p(GetParam());
  p.run([&] {
    EXPECT_EQ(p.bw(tlm::END_REQ), "");
    EXPECT_EQ(p.bw(tlm::END_REQ), kEnded);
    sc_core::wait(sc_time(5, sc_core::SC_NS));
    EXPECT_EQ(p.bw(tlm::END_REQ), kEnded);
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    EXPECT_EQ(p.bw(tlm::END_REQ), kEnded);
  });
  p.expect_one_answer();
}

TEST_P(WrongPhases, OfATargetInTheWrongDirection) {
  PhasesPlatform p(GetParam());
  p.run([&] {
    EXPECT_EQ(p.bw(tlm::BEGIN_REQ), "net.initiator_5: BEGIN_REQ from a target; expected END_REQ or BEGIN_RESP");
    EXPECT_EQ(p.bw(tlm::END_RESP), "net.initiator_5: END_RESP from a target; expected END_REQ or BEGIN_RESP");
    EXPECT_NE(p.bw(tlm::UNINITIALIZED_PHASE).find("from a target; expected END_REQ"), std::string::npos);
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
  });
  p.expect_one_answer();
}

TEST_P(WrongPhases, OfAnInitiatorInTheWrongDirection) {
  PhasesPlatform p(GetParam());
  p.run([&] {
    EXPECT_EQ(p.fw(tlm::END_REQ), "net.target_0: END_REQ from an initiator; expected BEGIN_REQ or END_RESP");
    EXPECT_EQ(p.fw(tlm::BEGIN_RESP), "net.target_0: BEGIN_RESP from an initiator; expected BEGIN_REQ or END_RESP");
    EXPECT_NE(p.fw(tlm::UNINITIALIZED_PHASE).find("from an initiator; expected"), std::string::npos);
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
  });
  p.expect_one_answer();
}

DECLARE_EXTENDED_PHASE(a_phase_of_others);  // NOLINT(readability-identifier-naming)

TEST_P(WrongPhases, ThatAreExtendedAreIgnored) {
  PhasesPlatform p(GetParam());
  p.run([&] {
    EXPECT_EQ(p.fw(a_phase_of_others), "");
    EXPECT_EQ(p.bw(a_phase_of_others), "");
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
  });
  p.expect_one_answer();
}

/// A payload that no interconnect has made, with whatever behind it in memory.
TEST_P(WrongPhases, OfAPayloadOfTheTargetsOwn) {
  PhasesPlatform p(GetParam());
  p.run([&] {
    Payload own;
    EXPECT_EQ(p.bw(own, tlm::BEGIN_RESP), kAnswered);
    EXPECT_EQ(p.bw(p.payload(), tlm::BEGIN_RESP), p.request == &p.payload() ? "" : kAnswered);
    if (p.request != &p.payload()) {
      EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    }
  });
  p.expect_one_answer();
}

/// A target may keep a payload beyond its transaction, whose place in the network's store is another one's by then.
TEST(WrongPhasesOfATarget, OfAPayloadThatItHasKept) {
  PhasesPlatform p("cycle_accurate");
  p.run([&] {
    Payload& kept = *p.request;
    kept.acquire();
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    sc_core::wait(sc_time(300, sc_core::SC_NS));
    EXPECT_EQ(p.answered, 1U);
    EXPECT_EQ(p.fw(tlm::BEGIN_REQ), "");
    sc_core::wait(sc_time(200, sc_core::SC_NS));
    ASSERT_NE(p.request, &kept);
    EXPECT_EQ(p.bw(kept, tlm::BEGIN_RESP), kAnswered);
    EXPECT_EQ(p.bw(kept, tlm::END_REQ), kEnded);
    sc_core::wait(sc_time(300, sc_core::SC_NS));
    EXPECT_EQ(p.answered, 1U);
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    kept.release();
  });
  EXPECT_EQ(p.answered, 2U);
  EXPECT_EQ(p.net.in_use(), 0U);
}

/// What nb_transport_fw returns to the network counts as a phase, too.
TEST_P(WrongPhases, InWhatATargetReturns) {
  if (kSanitized) GTEST_SKIP() << kThrownOnCoroutine;
  PhasesPlatform p(GetParam());
  p.target.non_blocking = [&](Payload& request, tlm::tlm_phase&, sc_time&) {
    p.request = &request;
    return tlm::TLM_UPDATED;  // with BEGIN_REQ, as it came
  };
  p.client.thread = [&] { EXPECT_EQ(p.fw(tlm::BEGIN_REQ), ""); };
  EXPECT_EQ(wrong_use([] { sc_core::sc_start(sc_time(1, sc_core::SC_US)); }),
            "net.initiator_5: BEGIN_REQ from a target; expected END_REQ or BEGIN_RESP");
}

TEST_P(WrongPhases, InWhatAnInitiatorReturns) {
  if (kSanitized) GTEST_SKIP() << kThrownOnCoroutine;
  PhasesPlatform p(GetParam());
  p.client.non_blocking = [&](Payload&, tlm::tlm_phase& phase, sc_time&) {
    return phase == tlm::BEGIN_RESP ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED;
  };
  EXPECT_EQ(wrong_use([&] { p.run([&] { EXPECT_EQ(p.bw(tlm::BEGIN_RESP), ""); }); }),
            "net.target_0: BEGIN_RESP was answered with TLM_UPDATED and BEGIN_RESP; expected END_RESP");
}

}  // namespace
}  // namespace braid::test::wrong_phases_test
