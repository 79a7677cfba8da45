// Approximately timed, a packet with two ways takes the one that is free when its head is there, not before: so one
// that finds its first way held goes the other, and is as early as alone, whenever it is made.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"

namespace braid::test::first_free_ways_test {
namespace {

/// 3x3 routers. Node 4, in the middle, sends to node 8, (2, 2): first over the link to the east or over that to the
/// north. A packet of 24 flits holds one of them, from node 3 to 5 or from node 1 to 7.
struct Ways {
  explicit Ways(const std::string& family = "hybrid") {
    experiment.set("topology.width", 3).set("topology.height", 3).set("router.architecture", family);
    experiment.set("routing.algorithm", "minimal_adaptive").set("tlm.style", "approximately_timed");
    if (family == "po2") experiment.set("routing.algorithm", "best_paths").set("routing.allow_deadlock", true);
    if (family == "virtual_cut_through") experiment.set("routing.algorithm", "west_first").set("router.vcs", 1);
    bench = std::make_unique<Bench>(experiment);
  }
  std::unique_ptr<models::PacketTiming> timing() const {
    return models::make_packet_timing(experiment, bench->topology, *bench->routing);
  }
  /// Of one flit from node 4 to `to`, made in `cycle`, when others have been made: what it takes.
  std::uint64_t take(std::size_t to, std::uint64_t cycle,
                     const std::vector<std::pair<std::size_t, std::size_t>>& others) const {
    const auto estimate = timing();
    for (const auto& [from, there] : others) (void)estimate->deliver(NodeId{from}, NodeId{there}, 24, 100, 100);
    return estimate->deliver(NodeId{4}, NodeId{to}, 1, cycle, cycle) - cycle;
  }
  models::Experiment experiment;
  std::unique_ptr<Bench> bench;
};

TEST(FirstFreeWays, AreFreeWhenTheHeadIsThere) {
  const Ways ways;
  // docs/router.md: 3 + 5 R + L - 1, over three routers.
  constexpr std::uint64_t kAlone = 3 + 5 * 3;
  unsigned held = 0;
  for (std::uint64_t cycle = 90; cycle < 160; ++cycle) {
    EXPECT_EQ(ways.take(8, cycle, {}), kAlone);
    EXPECT_EQ(ways.take(8, cycle, {{3, 5}}), kAlone) << "the east is held, made in " << cycle;
    EXPECT_EQ(ways.take(8, cycle, {{1, 7}}), kAlone) << "the north is held, made in " << cycle;
    const std::uint64_t both = ways.take(8, cycle, {{3, 5}, {1, 7}});
    held += both > kAlone ? 1 : 0;
  }
  EXPECT_EQ(held, 24U) << "as long as both are held there is no free way";
}

/// Packets that move as a whole: whoever asks in the cycle in which another one has asked before, or later, goes the
/// other way. From node 3 it takes a hop longer to the middle's links than from the middle.
class FirstFreeWaysOfPackets : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Families, FirstFreeWaysOfPackets, testing::Values("virtual_cut_through", "po2"),
                         [](const auto& c) { return std::string(c.param); });
TEST_P(FirstFreeWaysOfPackets, AreFreeWhenTheHeadIsThere) {
  const Ways ways(GetParam());
  const std::uint64_t alone = ways.take(8, 1000, {});
  const std::uint64_t hop =
      ways.timing()->deliver(NodeId{3}, NodeId{5}, 24, 0, 0) - ways.timing()->deliver(NodeId{4}, NodeId{5}, 24, 0, 0);
  EXPECT_GT(hop, 0U);
  for (std::uint64_t cycle = 100 + hop; cycle < 200; ++cycle) {
    EXPECT_EQ(ways.take(8, cycle, {{3, 5}}), alone) << "the east is held, made in " << cycle;
    EXPECT_EQ(ways.take(8, cycle, {{1, 7}}), alone) << "the north is held, made in " << cycle;
  }
  EXPECT_GT(ways.take(8, 100 + hop, {{3, 5}, {1, 7}}), alone) << "both are";
}

/// Who has one way waits for it; the wait ends with the flits that hold it.
TEST(FirstFreeWays, AreNoneForWhoHasOne) {
  const Ways ways;
  constexpr std::uint64_t kAlone = 3 + 5 * 2;
  std::uint64_t last = kAlone;
  unsigned held = 0;
  for (std::uint64_t cycle = 90; cycle < 160; ++cycle) {
    const std::uint64_t takes = ways.take(5, cycle, {{3, 5}});
    EXPECT_GE(takes, kAlone);
    if (takes > kAlone) {
      ++held;
      EXPECT_EQ(takes, last > kAlone ? last - 1 : takes) << "made a cycle later it comes in the same cycle";
    }
    last = takes;
  }
  EXPECT_GE(held, 24U);
}

}  // namespace
}  // namespace braid::test::first_free_ways_test
