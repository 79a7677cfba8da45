// The pins of a network's cut, at which a testbench plays the router: changes at the wrong time, and what a router must
// not say of circuits or send over links. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/cut_mesh.h"
#include "tb/tests/support/pin_report.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::cut_pins_test {
namespace {

using models::hybrid::ControlKind;

/// The place of router 2,2, past which no search goes: a testbench plays the router, and its outputs are set by hand.
struct Played {
  Played() : simulation(cut_at(tile_streams(4, 4, 1, {{0, 1}}), "2,2")), cut("cut", simulation.engine()) {
    auto& seat = cut.at("2,2");
    in.drive_from(seat);
    for (std::size_t p = 0; p < 5; ++p) out.link.lead_to(seat, p, p);
    seat.control_valid_i(out.control_valid);
    seat.control_kind_i(out.control_kind);
    seat.control_search_i(out.control_search);
    seat.control_destination_i(out.control_destination);
    seat.outcome_valid_i(out.outcome_valid);
    seat.outcome_success_i(out.outcome_success);
  }
  double period() { return simulation.engine().period() / sc_core::sc_time(1, sc_core::SC_NS); }
  /// What is said of a change in cycle 10, by default in its first half.
  std::string after(const std::function<void(Played&)>& change, double at = 0.25) {
    EXPECT_EQ(pin_report((10 + at) * period()), "nothing");
    change(*this);
    return pin_report(period());
  }
  std::string says(std::size_t port, ControlKind kind, unsigned search) {
    return after([=](Played& p) {
      p.out.control_valid[port].write(true);
      p.out.control_kind.write(static_cast<unsigned>(kind));
      p.out.control_search.write(search);
    });
  }
  models::Simulation simulation;
  models::pins::NetworkCut<64> cut;
  models::pins::SeatSignals<64> in{"in", 5};
  models::pins::RouterSignals<64> out{"out", 5};
};
const std::string kSeat = "cut.seat_2_2: cycle 10: ";

class CutPinsAreWatched : public testing::TestWithParam<const char*> {};
TEST_P(CutPinsAreWatched, ForChangesInTheSecondHalfOfACycle) {
  Played played;
  const std::string report = played.after(
      [](Played& p) {
        const std::string pin = GetParam();
        if (pin == "link") p.out.link.valid[3].write(true);
        if (pin == "credit") p.out.link.credit[4].write(1);
        if (pin == "control") p.out.control_valid[3].write(true);
        if (pin == "outcome") p.out.outcome_valid.write(true);
      },
      0.75);
  expect_in_report(report, kSeat + "an input changed in the second half of a cycle");
}
INSTANTIATE_TEST_SUITE_P(Pins, CutPinsAreWatched, testing::Values("link", "credit", "control", "outcome"),
                         [](const auto& c) { return c.param; });

/// The cut's clock falls in the middle of a cycle, and there pins are read.
TEST(CutPins, MayNotChangeAtTheFallingEdge) {
  Played played;
  expect_in_report(played.after([](Played& p) { p.out.outcome_valid.write(true); }, 0.5),
                   kSeat + "an input changed in the second half of a cycle, or at the falling edge of the cut's clk");
}
TEST(CutPins, MayChangeJustBeforeTheFallingEdge) {
  Played played;
  const double just_before = 0.5 - sc_core::sc_time(1, sc_core::SC_PS) / played.simulation.engine().period();
  expect_in_report(played.after([](Played& p) { p.out.outcome_valid.write(true); }, just_before),
                   kSeat + "outcome_valid_i: no search, no tear-down has come here");  // it is read in this cycle
}
TEST(CutPins, MayChangeInTheFirstHalfOfACycle) {
  Played played;
  EXPECT_EQ(played.after([](Played& p) { p.out.outcome_success.write(true); }), "nothing");
}

TEST(CutPins, AreThoseOfHybridRouters) {
  models::Experiment e = uniform_mesh(0.1, 3, 3);
  e.set("router.architecture", "virtual_cut_through").set("router.vcs", 1);
  models::Simulation simulation(e);
  const std::string said = complaint([&] { const models::pins::NetworkCut<64> cut("cut", simulation.engine()); });
  EXPECT_EQ(said.rfind("router.implementation: nothing is cut out of this network; expected \"pins\"", 0), 0U) << said;
}

/// Who plays the router says what no search and no tear-down has led to.
TEST(CutCircuits, AProbeIsOfTheSearchThatCameLast) {
  Played played;
  expect_in_report(
      played.says(1, ControlKind::kProbe, 5),
      kSeat +
          "control_valid_i[1]: a message of kind 0, search 5; expected a probe of the search that came here "
          "last, over a link that no circuit holds");
}
TEST(CutCircuits, ABacktrackAnswersASearch) {
  Played played;
  expect_in_report(played.says(2, ControlKind::kBacktrack, 6),
                   kSeat + "control_valid_i[2]: a message of kind 1, search 6; expected an answer to a search");
}
TEST(CutCircuits, AnAcknowledgementAnswersASearch) {
  Played played;
  expect_in_report(
      played.says(2, ControlKind::kAcknowledge, 7),
      kSeat + "control_valid_i[2]: a message of kind 2, search 7; expected an answer to where the search is from");
}
TEST(CutCircuits, ATearDownIsOfACircuit) {
  Played played;
  expect_in_report(
      played.says(3, ControlKind::kTearDown, 8),
      kSeat +
          "control_valid_i[3]: a message of kind 3, search 8; expected a tear-down of the circuit, on the way "
          "that it takes");
}
TEST(CutCircuits, GoOnOverLinksToRouters) {
  Played played;
  expect_in_report(played.says(4, ControlKind::kBacktrack, 9),
                   kSeat + "control_valid_i[4]: a message of kind 1, search 9; expected a port to another router");
}
TEST(CutCircuits, SendOneMessageACycle) {
  Played played;
  expect_in_report(played.after([](Played& p) {
    for (const std::size_t port : {1U, 3U}) p.out.control_valid[port].write(true);
  }),
                   kSeat + "control_valid_i[1] and [3] are up: ");
}
TEST(CutCircuits, EndWhereOneHasCome) {
  Played played;
  expect_in_report(played.after([](Played& p) { p.out.outcome_valid.write(true); }),
                   kSeat + "outcome_valid_i: no search, no tear-down has come here");
}

/// Its flits keep the rules of links.
TEST(CutLinks, BringPacketsThatBeginWithAHead) {
  Played played;
  expect_in_report(played.after([](Played& p) {
    p.out.link.valid[0].write(true);
    p.out.link.tail[0].write(true);
  }),
                   kSeat + "link_head_i[0] = 0 on lane 0: a packet begins with its head");
}
TEST(CutLinks, HaveTheirLanesAndNoOthers) {
  Played played;
  expect_in_report(played.after([](Played& p) {
    p.out.link.valid[1].write(true);
    p.out.link.head[1].write(true);
    p.out.link.lane[1].write(5);
  }),
                   kSeat + "link_lane_i[1] = 5: expected 0 to 4");
}

}  // namespace
}  // namespace braid::test::cut_pins_test
