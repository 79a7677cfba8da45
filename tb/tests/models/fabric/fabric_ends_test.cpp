// Parts of fabrics at the ends of what they may be: no router and one, links of a cycle, wheels that have turned, one
// subnet of several that knows planes.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/fabric/subnets.h"
#include "models/fabric/timing_wheel.h"
#include "models/fabric/wiring.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/saved.h"

namespace braid::test::fabric_ends_test {
namespace {

using namespace models;

routing::Topology mesh(std::uint32_t width, std::uint32_t latency) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", 1);
  c.set("topology.link_latency_cycles", latency);
  return routing::make_topology(c);
}

/// The longest of its links, and a cycle where there is none.
TEST(WiringEnds, HaveLinksOfACycleAtLeast) {
  for (const auto& [width, latency, longest] : {std::tuple(1U, 1U, 1U), std::tuple(1U, 7U, 1U), std::tuple(2U, 1U, 1U),
                                                std::tuple(2U, 2U, 2U), std::tuple(3U, 7U, 7U)}) {
    EXPECT_EQ(Wiring(mesh(width, latency)).max_link_latency_cycles, longest) << width << " " << latency;
  }
}

/// Of no router there are none, counted from the first; of the last one its own.
TEST(WiringEnds, HaveNoLocalPortsWhereThereIsNoRouter) {
  const Wiring wiring(mesh(3, 1));
  using Range = std::pair<std::size_t, std::size_t>;
  for (const std::uint32_t r : {0U, 1U, 3U}) EXPECT_EQ(wiring.local_ports_of({r, r}), Range(0, 0)) << r;
  EXPECT_EQ(wiring.local_ports_of({2, 3}), Range(2, 3));
  EXPECT_EQ(wiring.local_ports_of({0, 2}), Range(0, 2));
}

struct Due {
  std::uint64_t due, name;
};

/// What has been taken is nowhere in the wheel any more, though another slot's events are taken after it.
TEST(WheelEnds, KeepNothingThatWasTaken) {
  TimingWheel<Due> wheel(8);
  const std::string empty = saved(wheel);
  EXPECT_EQ(empty.size(), 8U + 8U * 8U) << "the number of slots, and of events in each";
  for (const std::uint64_t due : {3, 5, 6}) wheel.add({due, 100 + due});
  EXPECT_EQ(saved(wheel).size(), empty.size() + 3U * 16U);
  for (std::uint64_t cycle = 0; cycle < 20; ++cycle) {
    std::size_t taken = 0;
    wheel.take(cycle, [&](const Due&) { ++taken; });
    EXPECT_EQ(taken, cycle == 3 || cycle == 5 || cycle == 6 ? 1U : 0U) << cycle;
    if (cycle == 3) {
      EXPECT_EQ(saved(wheel).size(), empty.size() + 2U * 16U);
    }
    if (cycle == 6) {
      EXPECT_EQ(saved(wheel), empty);
      EXPECT_TRUE(wheel.empty());
    }
  }
}

/// As many slots as most events are cycles ahead, where nobody says how many: 1024.
TEST(WheelEnds, HaveAThousandAndTwentyFourSlots) {
  TimingWheel<Due> wheel;
  EXPECT_EQ(wheel.next_after(7), 7U + 1024U);
  for (std::uint64_t cycle = 0; cycle < 3; ++cycle) {
    wheel.add({cycle + 1, 0});
    for (std::uint64_t other = 0; other < 1024; ++other) EXPECT_EQ(wheel.any_at(other), other == cycle + 1);
    EXPECT_TRUE(wheel.any_at(cycle + 1 + 1024)) << "may be";
    wheel.take(cycle + 1, [](const Due&) {});
  }
  EXPECT_EQ(saved(wheel).size(), 8U + 8U * 1024U);
}

/// An event of a later turn stays in its slot as often as the wheel comes by, behind those that are due then.
TEST(WheelEnds, KeepAnEventOfALaterTurnInItsPlace) {
  TimingWheel<Due> wheel(4);
  wheel.add({2 + 12, 1});
  wheel.add({2, 2});
  wheel.add({2 + 12, 3});
  std::string text;
  for (std::uint64_t cycle = 0; cycle < 20; ++cycle) {
    wheel.take(cycle, [&](const Due& e) { text += std::to_string(cycle) + ":" + std::to_string(e.name) + " "; });
    EXPECT_EQ(wheel.empty(), cycle >= 14);
  }
  EXPECT_EQ(text, "2:2 14:1 14:3 ");
}

/// A network that knows planes, or does not.
struct Known final : Fabric {
  explicit Known(std::optional<std::uint64_t> cycles) : in_planes(cycles) {}
  PacketTransport& transport(std::size_t) override { return below; }
  void set_sink(std::size_t, PacketSink*) override {}
  void compute(std::size_t, std::uint64_t) override {}
  void commit(std::size_t, std::uint64_t) override {}
  Counters counters() const override { return {}; }
  Census census() const override { return {}; }
  LinkUse link_use(RouterId, PortId) const override { return {}; }
  std::optional<Engines> engines() const override {
    if (!in_planes) return std::nullopt;
    return Engines{*in_planes, "its own"};
  }
  std::string describe_waiting() const override { return ""; }
  void for_each_front(const std::function<void(PacketSlot)>&) const override {}

  struct None final : PacketTransport {
    void send(std::size_t, PacketSlot) override {}
    std::size_t queued(std::size_t) const override { return 0; }
  };
  None below;
  std::optional<std::uint64_t> in_planes;
};

/// Of networks side by side the first says whether planes are known; of those that know them the fewest count.
TEST(SubnetEnds, HaveTheEngineOfThoseThatKnowPlanes) {
  using Cycles = std::optional<std::uint64_t>;
  const Cycles none;
  for (const auto& [first, second, expected] :
       {std::tuple(Cycles(9), none, Cycles(9)), std::tuple(none, Cycles(4), none), std::tuple(none, none, none),
        std::tuple(Cycles(9), Cycles(4), Cycles(4)), std::tuple(Cycles(4), Cycles(9), Cycles(4)),
        std::tuple(Cycles(0), Cycles(0), Cycles(0))}) {
    std::vector<std::unique_ptr<Fabric>> both;
    both.push_back(std::make_unique<Known>(first));
    both.push_back(std::make_unique<Known>(second));
    const Subnets subnets(std::move(both), 1, 1);
    const auto found = subnets.engines();
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (found) {
      EXPECT_EQ(found->cycles_in_planes, *expected);
    }
  }
}

/// What none of several networks counts is not there.
TEST(SubnetEnds, CountNothingThatNoneOfThemHas) {
  std::vector<std::unique_ptr<Fabric>> both;
  for (int i = 0; i < 2; ++i) both.push_back(std::make_unique<Known>(std::nullopt));
  const Subnets subnets(std::move(both), 1, 1);
  EXPECT_FALSE(subnets.link_use(RouterId{0}, PortId{0}).stopped_cycles);
  EXPECT_EQ(subnets.counters().flit_hops + subnets.counters().flits_lost + subnets.census().packets, 0U);
  EXPECT_EQ(subnets.shown_vcs(), 2U);
  EXPECT_EQ(subnets.describe_waiting(), "");
  EXPECT_FALSE(subnets.transfers_under_way());
  SignalTable table;
  EXPECT_EQ(subnets.signals(table, {}), nullptr);
}

}  // namespace
}  // namespace braid::test::fabric_ends_test
