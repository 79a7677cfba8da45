// What the place of a router in a running network makes of what a router says there, and when: which of its words are
// an answer, until when in a cycle it may speak, and whether it keeps the rules of links. One case a process.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <utility>

#include "tb/tests/support/cut_mesh.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::answers_at_a_cut_test {
namespace {

using models::Experiment;
using models::hybrid::ControlKind;

std::string report_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), models::pins::kReportType);
    return report.get_msg();
  }
  return "nothing";
}
void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
constexpr std::uint32_t kEast = 0, kWest = 1, kLocal = 4;

/// A seat of which a testbench plays the router: its pins are set by hand a quarter of a cycle after an edge.
struct Played {
  Played(const Experiment& e, const std::string& at)
      : simulation(cut_at(e, at)), cut("cut", simulation.engine()), out("out", 5) {
    auto& seat = cut.at(at);
    in.drive_from(seat);
    for (std::size_t p = 0; p < 5; ++p) out.link.lead_to(seat, p, p);
    seat.control_valid_i(out.control_valid);
    seat.control_kind_i(out.control_kind);
    seat.control_search_i(out.control_search);
    seat.control_destination_i(out.control_destination);
    seat.outcome_valid_i(out.outcome_valid);
    seat.outcome_success_i(out.outcome_success);
    begin();
  }
  /// To a quarter of cycle 0.
  void begin() { sc_core::sc_start(period() / 4); }
  void run(int cycles) { sc_core::sc_start(cycles * period()); }
  sc_core::sc_time period() { return simulation.engine().period(); }
  /// Runs until it is so, at most 300 cycles; returns whether.
  bool until(const std::function<bool()>& is_so) {
    for (int cycle = 0; cycle < 300; ++cycle) {
      if (is_so()) return true;
      run(1);
    }
    return false;
  }
  std::size_t port_of_flit() const {
    std::size_t port = 0;
    while (port < 5 && !in.port.link.valid[port].read()) ++port;
    return port;
  }
  void say(std::uint32_t port, ControlKind kind, std::uint32_t search, std::uint32_t destination) {
    out.control_valid[port].write(true);
    out.control_kind.write(static_cast<unsigned>(kind));
    out.control_search.write(search);
    out.control_destination.write(destination);
    run(1);
    out.control_valid[port].write(false);
  }
  void end_search(bool success) {
    out.outcome_valid.write(true);
    out.outcome_success.write(success);
    run(1);
    out.outcome_valid.write(false);
  }
  models::Simulation simulation;
  models::pins::NetworkCut<64> cut;
  models::pins::SeatSignals<64> in{"in", 5};
  models::pins::RouterSignals<64> out;
};
Experiment small(double load) { return uniform_mesh(load, 3, 3); }
/// A search from node 0 to node 2 of three in a row: over router 1,0. Its actors work for a million cycles before they
/// send.
Experiment row_of_three() { return tile_streams(3, 1, 1, {{0, 2}}, 1'000'000); }
std::string silent(const std::string& report) {
  std::smatch cycles;
  const std::regex line("cycle ([0-9]+): router ([0-9],[0-9]) has been sent something in cycle ([0-9]+), and nothing");
  if (!std::regex_search(report, cycles, line)) return report;
  EXPECT_EQ(std::stoull(cycles[1]), std::stoull(cycles[3]) + 1000);
  return "router " + cycles[2].str() + " is silent";
}

// ---------------------------------------------------------------- who has to answer

TEST(SeatsWaitForAnswers, NotOfARouterThatWasSentNothing) {
  Played p(small(0.0), "1,1");
  EXPECT_EQ(report_of([&] { p.run(1500); }), "nothing");
}
/// A node's request is something that was sent; no flit is.
TEST(SeatsWaitForAnswers, ToARequest) {
  Played p(row_of_three(), "0,0");
  EXPECT_EQ(silent(report_of([&] { p.run(1500); })), "router 0,0 is silent");
  EXPECT_EQ(p.in.request.request_search.read(), 1U) << "the first search";
}
TEST(SeatsWaitForAnswers, ToAMessageOfANeighbour) {
  Played p(row_of_three(), "1,0");
  EXPECT_EQ(silent(report_of([&] { p.run(1500); })), "router 1,0 is silent");
  EXPECT_EQ(p.in.port.control_search[kWest].read(), 1U);
}
/// A message alone is an answer, and so is the end of a search.
TEST(SeatsWaitForAnswers, WhichMessagesAre) {
  Played p(row_of_three(), "1,0");
  ASSERT_TRUE(p.until([&] { return p.in.port.control_valid[kWest].read(); }));
  p.run(1);
  p.say(kWest, ControlKind::kBacktrack, 1, 2);
  EXPECT_EQ(report_of([&] { p.run(1500); }), "nothing");
}
TEST(SeatsWaitForAnswers, WhichTheEndOfASearchIs) {
  Played p(row_of_three(), "0,0");
  ASSERT_TRUE(p.until([&] { return p.in.request.request_valid.read(); }));
  p.run(1);
  p.end_search(false);
  EXPECT_EQ(report_of([&] { p.run(1500); }), "nothing");
  EXPECT_GT(p.in.request.request_search.read(), 1U) << "the first has failed: there is another one";
}

// ---------------------------------------------------------------- what it says of circuits

TEST(SeatsHear, OneMessageACycle) {
  Played p(row_of_three(), "1,0");
  ASSERT_TRUE(p.until([&] { return p.in.port.control_valid[kWest].read(); }));
  p.out.control_valid[kEast].write(true);
  p.out.control_valid[kWest].write(true);
  expect_in(report_of([&] { p.run(2); }),
            "control_valid_i[0] and [1] are up: a router sends one control message a cycle");
}
/// The search goes on to where it is for, whatever place the router writes there if the network has none of it.
TEST(SeatsHear, ASearchGoesOnToItsOwnDestination) {
  Played p(row_of_three(), "1,0");
  ASSERT_TRUE(p.until([&] { return p.in.port.control_valid[kWest].read(); }));
  EXPECT_EQ(p.in.port.control_destination[kWest].read(), 2U) << "(2, 0)";
  p.run(1);
  EXPECT_EQ(report_of([&] { p.say(kEast, ControlKind::kProbe, 1, 0x0707); }), "nothing");
  ASSERT_TRUE(p.until([&] { return p.in.port.control_valid[kEast].read(); }));
  EXPECT_EQ(p.in.port.control_kind[kEast].read(), static_cast<unsigned>(ControlKind::kAcknowledge))
      << "router 2,0 is the search's end";
  p.run(1);
  EXPECT_EQ(report_of([&] { p.say(kWest, ControlKind::kAcknowledge, 1, 0); }), "nothing");
  EXPECT_TRUE(p.until([&] { return p.simulation.engine().settled().setup_done(); }));
  EXPECT_FALSE(p.simulation.engine().settled().setup_results().fell_back_to_packets);
}
/// Node 0 is there, and not what the search is for: it is neither sent on nor sent back to there.
void expect_refused(std::uint32_t port, ControlKind kind) {
  Played p(row_of_three(), "1,0");
  ASSERT_TRUE(p.until([&] { return p.in.port.control_valid[kWest].read(); }));
  p.run(1);
  expect_in(report_of([&] { p.say(port, kind, 1, 0); }), "expected the destination of the search");
}
TEST(SeatsHear, NoSearchThatGoesOnToAnotherNode) { expect_refused(kEast, ControlKind::kProbe); }
TEST(SeatsHear, NoSearchThatGoesBackForAnotherNode) { expect_refused(kWest, ControlKind::kBacktrack); }
/// A flit that came in for a node leaves on the lane of a circuit that does not stand.
TEST(SeatsHear, NoFlitsOnCircuitsThatDoNotStand) {
  Experiment e = row_of_three();
  add_traffic(e, 0.3);
  Played p(e, "1,0");
  ASSERT_TRUE(p.until([&] { return p.port_of_flit() < 5; }));
  const std::size_t port = p.port_of_flit();
  const auto& link = p.in.port.link;
  const std::uint32_t circuits = p.cut.at("1,0").place().options.vcs;
  p.out.link.valid[kEast].write(true);
  p.out.link.head[kEast].write(link.head[port].read());
  p.out.link.tail[kEast].write(link.tail[port].read());
  p.out.link.data[kEast].write(link.data[port].read());
  p.out.link.lane[kEast].write(circuits);
  expect_in(report_of([&] { p.run(2); }),
            "link_lane_i[0] = " + std::to_string(circuits) + ": no circuit goes out on that lane");
}

// ---------------------------------------------------------------- when it says it

/// Pins are read in the middle of a cycle: what is there a picosecond before is of this cycle.
TEST(SeatsRead, InTheMiddleOfACycle) {
  Played p(small(0.2), "1,1");
  p.run(10);
  sc_core::sc_start(p.period() / 4 - sc_core::sc_time(1, sc_core::SC_PS));
  p.out.link.credit[kWest].write(1);
  expect_in(report_of([&] { sc_core::sc_start(p.period() / 4); }),
            "cut.seat_1_1: cycle 10: credit_i[1]: a credit for lane 0, on which no flit is out");
}
class SeatsReadLate : public testing::TestWithParam<const char*> {};
TEST_P(SeatsReadLate, NothingThatChangesThen) {
  Played p(tile_streams(3, 3, 1, {{0, 2}}), "1,1");
  p.run(10);
  sc_core::sc_start(p.period() / 2);
  const std::string pin = GetParam();
  if (pin == "credit") p.out.link.credit[kWest].write(1);
  if (pin == "link") p.out.link.valid[kWest].write(true);
  if (pin == "control") p.out.control_valid[kWest].write(true);
  if (pin == "outcome") p.out.outcome_valid.write(true);
  expect_in(report_of([&] { sc_core::sc_start(p.period() / 8); }),
            "cut.seat_1_1: cycle 10: an input changed in the second half of a cycle, or at the falling edge of the "
            "cut's clk; drive it by the rising edge");
}
INSTANTIATE_TEST_SUITE_P(Pins, SeatsReadLate, testing::Values("credit", "link", "control", "outcome"),
                         [](const auto& c) { return std::string(c.param); });

// ---------------------------------------------------------------- the rules of its links

struct Wrong {
  const char* name;
  std::uint32_t port, lane;
  bool head;
  const char* report;
};
class SeatsKeepTheRulesOfLinks : public testing::TestWithParam<Wrong> {};
TEST_P(SeatsKeepTheRulesOfLinks, BeforeTheyLookWhoseTheFlitIs) {
  const Wrong& wrong = GetParam();
  Played p(small(0.0), "0,0");
  p.run(10);
  p.out.link.valid[wrong.port].write(true);
  p.out.link.head[wrong.port].write(wrong.head);
  p.out.link.tail[wrong.port].write(true);
  p.out.link.lane[wrong.port].write(wrong.lane);
  expect_in(report_of([&] { p.run(1); }), "cut.seat_0_0: cycle 10: " + std::string(wrong.report));
}
INSTANTIATE_TEST_SUITE_P(
    Rules, SeatsKeepTheRulesOfLinks,
    testing::Values(Wrong{"link", kWest, 0, true,
                          "link_valid_i[1] is up, but router 0,0 has no link there: leave the pin at 0"},
                    Wrong{"lane", kLocal, 4, true, "link_lane_i[4] = 4: expected 0 to 3"},
                    Wrong{"head", kEast, 3, false, "link_head_i[0] = 0 on lane 3: a packet begins with its head"}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace braid::test::answers_at_a_cut_test
