// Whatever is asked of a network is told as it is in that cycle, whichever engine runs it (Fabric::show_registers):
// each question by itself, of a network over planes and of its twin over lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tb/tests/support/continued.h"

namespace braid::test::observed_engine_test {
namespace {

using models::Experiment;
using models::hybrid::Fabric;
using Answer = std::vector<std::uint64_t>;
using Question = std::function<Answer(Bench&)>;

Fabric& fabric_of(const Bench& bench) { return models::hybrid::of(bench.network->fabric()); }
Bench made(const char* engine) {
  Experiment e = uniform_mesh(0.55, 8, 8);
  e.set("simulation.engine", engine);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 4);
  return Bench(e);
}

Answer of_text(const std::string& text) { return {text.begin(), text.end()}; }
/// A number of each input VC.
Answer of_vcs(Bench& bench, const std::function<std::uint64_t(RouterId, PortId, std::uint32_t)>& value) {
  Answer all;
  for (std::size_t r = 0; r < bench.topology.router_count(); ++r) {
    for (std::size_t p = 0; p < bench.topology.port_count(RouterId{r}); ++p) {
      if (bench.topology.port(RouterId{r}, PortId{p}).kind == routing::PortKind::kUnconnected) continue;
      for (std::uint32_t v = 0; v < 2; ++v) all.push_back(value(RouterId{r}, PortId{p}, v));
    }
  }
  return all;
}

const std::map<std::string, Question>& questions() {
  static const std::map<std::string, Question> all{
      {"what waits", [](Bench& b) { return of_text(fabric_of(b).describe_waiting()); }},
      {"fronts",
       [](Bench& b) {
         Answer packets;
         fabric_of(b).for_each_front([&](models::PacketSlot slot) {
           const models::Packet& p = fabric_of(b).store()[slot];
           packets.push_back(std::uint64_t{p.source.value} << 32 | p.sequence);
         });
         std::sort(packets.begin(), packets.end());
         return packets;
       }},
      {"buffered",
       [](Bench& b) {
         return of_vcs(b, [&](RouterId r, PortId p, std::uint32_t v) { return fabric_of(b).buffered(r, p, v); });
       }},
      {"credits",
       [](Bench& b) {
         return of_vcs(b, [&](RouterId r, PortId p, std::uint32_t v) { return fabric_of(b).credits(r, p, v); });
       }},
      {"links",
       [](Bench& b) {
         return of_vcs(b,
                       [&](RouterId r, PortId p, std::uint32_t) { return fabric_of(b).link_use(r, p).packet_flits; });
       }},
      {"census",
       [](Bench& b) {
         const auto census = fabric_of(b).census();
         return Answer{census.packets, census.flits};
       }},
      {"counters",
       [](Bench& b) {
         const auto c = fabric_of(b).counters();
         return Answer{c.flit_hops, c.flits_injected, c.flits_delivered, c.flits_copied};
       }},
      {"slice", [](Bench& b) {
         const Fabric& fabric = fabric_of(b);
         const models::hybrid::Slice& slice = fabric.slice(0);
         return Answer{slice.switch_traversals(), slice.switch_register().size(), slice.heads().size()};
       }}};
  return all;
}

TEST(ObservedEngine, TellsWhatIsInThatCycle) {
  for (const auto& [name, question] : questions()) {
    Bench planes = made("planes"), lists = made("lists");
    for (int look = 0; look < 6; ++look) {
      const std::uint64_t cycles = 60 + static_cast<std::uint64_t>(look);
      planes.run(cycles);
      lists.run(cycles);
      const Answer over_planes = question(planes), over_lists = question(lists);
      EXPECT_EQ(over_planes, over_lists) << name << ", look " << look;
      EXPECT_FALSE(over_lists.empty()) << name;
    }
    EXPECT_EQ(planes.network->merged_statistics().packet_hash(), lists.network->merged_statistics().packet_hash());
    EXPECT_EQ(fabric_of(planes).plane_cycles(), planes.network->now()) << name << ": every cycle";
    EXPECT_EQ(fabric_of(lists).plane_cycles(), 0U) << name;
    EXPECT_FALSE(fabric_of(lists).engines()) << "nobody left it open";
    EXPECT_EQ(fabric_of(planes).engines()->lists_because, "");
  }
}

/// Whoever takes a slice's registers to change them has lists run the next cycle.
TEST(ObservedEngine, LeavesPlanesToWhoeverChangesRegisters) {
  Bench bench = made("auto");
  fabric_of(bench).use_planes(true);
  bench.run(50);
  EXPECT_EQ(fabric_of(bench).plane_cycles(), 50U);
  (void)fabric_of(bench).slice(0);
  fabric_of(bench).use_planes(false);
  bench.run(50);
  EXPECT_EQ(fabric_of(bench).plane_cycles(), 50U);
  fabric_of(bench).use_planes(true);
  bench.run(25);
  EXPECT_EQ(fabric_of(bench).plane_cycles(), 75U);
  EXPECT_EQ(fabric_of(bench).engines()->cycles_in_planes, 75U);
  Bench twin = made("lists");
  twin.run(125);
  EXPECT_EQ(bench.network->merged_statistics().packet_hash(), twin.network->merged_statistics().packet_hash());
}

/// Much moves, then nothing: over planes when it was saved, and over lists again in the same cycle as its twin.
TEST(ObservedEngine, ChangesAfterACheckpointAsWithoutIt) {
  Experiment e = uniform_mesh(0.0, 8, 8);
  const auto busy = [](Bench& bench) {
    for (std::size_t from = 0; from < 64; ++from) {
      for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{from}, NodeId{63 - from}, 64);
    }
    bench.run(400);
  };
  Bench twin(e), before(e);
  EXPECT_EQ(fabric_of(twin).plane_cycles(), 0U);
  twin.run(20);
  before.run(20);
  EXPECT_EQ(fabric_of(twin).plane_cycles(), 0U) << "lists come first";
  busy(twin);
  busy(before);
  const std::uint64_t cycles = fabric_of(twin).plane_cycles();
  EXPECT_GT(cycles, 200U);
  Bench after(e);
  restore(*after.network, saved(*before.network));
  EXPECT_EQ(fabric_of(after).plane_cycles(), cycles);
  std::uint64_t lists = 0;
  for (int cycle = 0; cycle < 6000; ++cycle) {
    const std::uint64_t had = fabric_of(twin).plane_cycles();
    twin.run(1);
    after.run(1);
    ASSERT_EQ(fabric_of(after).plane_cycles(), fabric_of(twin).plane_cycles()) << cycle;
    lists += fabric_of(twin).plane_cycles() == had ? 1 : 0;
  }
  EXPECT_GT(lists, 1000U) << "nothing moves any more";
  EXPECT_EQ(after.network->merged_statistics().packet_hash(), twin.network->merged_statistics().packet_hash());
}

/// Which engine runs the next cycle is part of what is saved: saved again, it is the same.
TEST(ObservedEngine, IsSavedAsItWasRestored) {
  for (const char* engine : {"planes", "lists", "auto"}) {
    Bench before = made(engine), after = made(engine);
    before.run(100);
    const std::string bytes = saved(*before.network);
    restore(*after.network, bytes);
    EXPECT_TRUE(saved(*after.network) == bytes) << engine;
    const std::uint64_t had = fabric_of(after).plane_cycles();
    EXPECT_EQ(had, fabric_of(before).plane_cycles());
    before.run(1);
    after.run(1);
    EXPECT_EQ(fabric_of(after).plane_cycles(), fabric_of(before).plane_cycles()) << engine;
    EXPECT_TRUE(saved(*after.network) == saved(*before.network)) << engine;
  }
}

/// What planes have saved lists go on with, where nothing else is wanted; where it is left open, lists go on that ran.
TEST(ObservedEngine, GoesOnFromWhatAnotherHasSaved) {
  Bench planes = made("planes"), over_lists = made("lists");
  planes.run(100);
  restore(*over_lists.network, saved(*planes.network));
  EXPECT_EQ(fabric_of(over_lists).plane_cycles(), 100U) << "so far";
  planes.run(50);
  over_lists.run(50);
  EXPECT_EQ(fabric_of(over_lists).plane_cycles(), 100U);
  EXPECT_EQ(over_lists.network->merged_statistics().packet_hash(), planes.network->merged_statistics().packet_hash());
  const Experiment idle = uniform_mesh(0.01, 8, 8);
  Bench before(idle), after(idle);
  before.run(40);
  restore(*after.network, saved(*before.network));
  after.run(5);
  EXPECT_EQ(fabric_of(after).plane_cycles(), 0U);
}

/// Lists begin, and go on for the 32 cycles until the first look, however much moves.
TEST(ObservedEngine, BeginsWithLists) {
  Bench busy(uniform_mesh(0.4, 16, 16)), idle(uniform_mesh(0.001, 8, 8));
  busy.run(32);
  EXPECT_EQ(fabric_of(busy).plane_cycles(), 0U);
  busy.run(600);
  EXPECT_GT(fabric_of(busy).plane_cycles(), 0U);
  idle.run(664);
  EXPECT_EQ(fabric_of(idle).plane_cycles(), 0U);
}

/// Routes by the queues of all routers: what was in them in the last cycle is known in the cycle after a checkpoint.
TEST(ObservedQueues, AreKnownAfterACheckpoint) {
  for (const char* algorithm : {"ugal", "ugal_g"}) {
    Experiment e;
    e.set("topology.kind", "dragonfly");
    e.set("routing.algorithm", algorithm);
    e.set("router.vcs", 6);
    add_traffic(e, 0.4);
    e.set("traffic.pattern", "next_group");
    for (const std::uint64_t cycle : {150U, 151U, 152U, 153U, 154U, 155U}) expect_continues(e, cycle, 40);
  }
}

}  // namespace
}  // namespace braid::test::observed_engine_test
