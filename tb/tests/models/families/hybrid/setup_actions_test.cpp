// What a set-up unit did with its last message (SetupUnits::last_action), as its ports show it: for who compares it
// with hardware, or stands in for it. The cycles: docs/setup.md.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/families/hybrid/setup_unit.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::setup_actions_test {
namespace {

using models::hybrid::ControlKind;
using models::hybrid::kNone;
using models::hybrid::RouterBank;
using models::hybrid::SetupAction;
using models::hybrid::VcIndex;

/// Actions of a network's units, one a line: "CYCLE at ROUTER", what was released and reserved, what was sent, the end.
struct Actions {
  explicit Actions(const models::Experiment& e) : bench(e) {}
  std::string until(std::uint64_t cycles) {
    const auto& fabric = models::hybrid::of(bench.network->fabric());
    std::string text;
    for (std::uint64_t i = 0; i < cycles; ++i) {
      bench.run(1);
      const SetupAction& a = fabric.setup_units().last_action();
      if (a.cycle == bench.network->now() - 1) text += told(a);
    }
    return text;
  }
  std::string told(const SetupAction& a) const {
    constexpr const char* kKinds[] = {"PROBE", "BACKTRACK", "ACKNOWLEDGE", "TEAR_DOWN"};
    std::string text = std::to_string(a.cycle) + " at " + std::to_string(a.router.value);
    if (a.release_in != kNone) text += ", -" + lane(a.release_in) + ">" + lane(a.release_out);
    if (a.reserve_in != kNone) text += ", +" + lane(a.reserve_in) + ">" + lane(a.reserve_out);
    if (a.send != kNone) {
      text += ", " + std::string(kKinds[static_cast<std::size_t>(a.sent.kind)]) + " " + std::to_string(a.sent.search) +
              " by " + port(a.send);
    }
    if (a.done) text += a.success ? ", found" : ", failed";
    return text + "\n";
  }
  /// Port and circuit.
  std::string lane(VcIndex v) const {
    const RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
    return port(bank.port_of_vc(v)) + std::to_string(bank.circuit_of(v));
  }
  std::string port(models::PortIndex p) const {
    const RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
    return bench.topology.port(bank.router_of(p), PortId{bank.port_of(p)}).name;
  }
  Bench bench;
};

/// A unit has a message in every second cycle, there and back.
TEST(SetupActions, OfASearchReserveALinkEach) {
  Actions row(tile_streams(3, 1, 1, {{0, 2}}));
  EXPECT_EQ(row.until(20),
            "1 at 0, +local00>east0, PROBE 1 by east\n"
            "3 at 1, +west0>east0, PROBE 1 by east\n"
            "5 at 2, +west0>local00, ACKNOWLEDGE 1 by west\n"
            "7 at 1, ACKNOWLEDGE 1 by west\n"
            "9 at 0, found\n");
}

/// Streams 0 -> 2 and 1 -> 2: the second finds the link east taken, goes west, where no port is left, and comes back.
/// Then the first is torn down, and nothing stands.
TEST(SetupActions, OfASearchThatFailsGiveItAllBack) {
  models::Experiment e = tile_streams(3, 1, 1, {{0, 2}, {1, 2}});
  e.set("setup.retries", 0);
  Actions row(e);
  row.until(10);
  EXPECT_EQ(row.until(30),
            "11 at 1, +local00>west0, PROBE 2 by west\n"
            "13 at 0, BACKTRACK 2 by east\n"
            "15 at 1, -local00>west0, failed\n"
            "16 at 0, -local00>east0, TEAR_DOWN 2 by east\n"
            "18 at 1, -west0>east0, TEAR_DOWN 2 by east\n"
            "20 at 2, -west0>local00, found\n");
}

/// On the second circuit of a node's port; the routers' links have one.
TEST(SetupActions, NameTheCircuitOfALocalPort) {
  models::Experiment e = tile_streams(3, 1, 1, {{1, 2}, {1, 0}});
  e.set("router.circuit_lanes", 2);
  Actions row(e);
  row.until(6);
  EXPECT_EQ(row.until(20),
            "7 at 1, +local01>west0, PROBE 2 by west\n"
            "9 at 0, +east0>local00, ACKNOWLEDGE 2 by east\n"
            "11 at 1, found\n");
}

/// Searches that avoid links have the highest bit in their number.
TEST(SetupActions, OfASearchThatAvoidsLinksSaySo) {
  models::Experiment e = tile_streams(2, 2, 1, {{0, 1}});
  e.set("setup.reroute", "each");
  e.set("setup.reroute_at_cycle", 30);
  e.set("setup.avoid_links", "0,0.east");
  Actions square(e);
  square.until(30);
  const std::string moved = square.until(30);
  EXPECT_NE(moved.find("PROBE 32770 by north"), std::string::npos) << moved;
  EXPECT_EQ(moved.find("PROBE 2 "), std::string::npos) << moved;
  EXPECT_EQ(moved.find("PROBE 32770 by east\n"), moved.rfind("PROBE 32770 by east\n")) << moved;
}

/// A flit in the buffer holds a tear-down up: the unit looks again in every cycle, and does nothing.
TEST(SetupActions, OfATearDownThatWaitsAreNone) {
  models::Experiment e = slow_consumer(1, 1000000);
  e.set("router.circuit_buffer_depth", 1);
  Actions row(e);
  row.until(200);
  auto& fabric = models::hybrid::of(row.bench.network->fabric());
  const models::PortIndex in = fabric.bank().port_index(RouterId{0}, routing::kFirstGridLocalPort);
  fabric.slice(0).send_local_control(199, {in, ControlKind::kTearDown, 1, NodeId{0}});
  EXPECT_EQ(row.until(3), "200 at 0\n201 at 0\n202 at 0\n");
}

}  // namespace
}  // namespace braid::test::setup_actions_test
