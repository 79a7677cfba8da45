// Links of several flits a cycle (docs/graphml.md): latencies, how long ports are held, and packets between their queue
// and their node, each to the cycle.
#include <gtest/gtest.h>

#include <string>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/program.h"

namespace braid::test::fast_links_test {
namespace {

using models::Experiment;

/// Eight nodes, four switches next to them, two above, the root; links of so many flits a cycle.
Experiment fat_tree(const std::vector<std::uint32_t>& speeds) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.kind", "fat_tree");
  e.unset("topology.width");
  e.unset("topology.height");
  e.unset("routing.bubble");
  e.set("topology.arity", 2);
  e.set("topology.levels", 3);
  e.set("topology.trunk_links", std::vector<std::uint32_t>{1, 1});
  e.set("topology.trunk_flits_per_cycle", speeds);
  e.set("routing.algorithm", "table");
  e.set("interface.source_queue_packets", 0);
  return e;
}
constexpr std::size_t kLeaf = 3, kUp = 2, kNode = 0;  // the switch of nodes 0 and 1; its ports

/// Cycles from a packet's creation to its delivery.
std::uint64_t latency(const Experiment& e, std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{from}, NodeId{to}, flits);
  std::uint64_t cycles = 0;
  for (; bench.delivered() == 0 && cycles < 1000; ++cycles) bench.run(1);
  return cycles;
}

std::uint64_t latency(const std::vector<std::uint32_t>& speeds, std::uint32_t from, std::uint32_t to,
                      std::uint32_t flits) {
  return latency(fat_tree(speeds), from, to, flits);
}

/// R + L where no link is faster. Over links of 2 and 4 a packet of 16 flits waits 8 cycles before the first, until 8
/// flits are here, and 4 before the second; on the way down for nothing.
TEST(FastLinks, KeepAPacketUntilItsTailCannotBeLate) {
  EXPECT_EQ(latency({1, 1}, 0, 7, 16), 5U + 16);
  EXPECT_EQ(latency({2, 4}, 0, 7, 16), 5U + 16 + 12);
  EXPECT_EQ(latency({2, 4}, 0, 2, 16), 3U + 16 + 8);
  EXPECT_EQ(latency({2, 4}, 0, 1, 16), 1U + 16) << "no faster link on the way";
  EXPECT_EQ(latency({4, 2}, 0, 7, 16), 5U + 16 + 16) << "12 before the first, 4 before the last, which 2 feed";
  EXPECT_EQ(latency({64, 64}, 0, 7, 16), 5U + 16 + 15) << "a cycle is enough when all is here";
}

/// Of 5 flits two a cycle: 3 cycles, so 2 to wait.
TEST(FastLinks, RoundUpTheirCycles) { EXPECT_EQ(latency({2, 2}, 0, 2, 5), 3U + 5 + 2); }
TEST(FastLinks, CarrySingleFlitsAsOthersDo) { EXPECT_EQ(latency({8, 8}, 0, 7, 1), latency({1, 1}, 0, 7, 1)); }

/// Two nodes send to two others over one link of two flits a cycle. Both heads are in their queue in 1 and ask from 10
/// on; the one is granted in 10 and has the port for 8 cycles, the other in 18. Without it the second waits for 16
/// cycles.
TEST(FastLinks, HoldAPortForFewerCycles) {
  Bench bench(fat_tree({2, 1}));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 16);
  bench.network->send_packet(NodeId{1}, NodeId{3}, 16);
  while (bench.network->now() <= 9) bench.run(1);
  EXPECT_EQ(sent(bench, kLeaf, kUp), 0U);
  bench.run(1);
  EXPECT_EQ(sent(bench, kLeaf, kUp), 16U) << "granted in 10";
  bench.run(7);
  EXPECT_EQ(sent(bench, kLeaf, kUp), 16U) << "in 17";
  bench.run(1);
  EXPECT_EQ(sent(bench, kLeaf, kUp), 32U) << "granted in 18";
}

/// Two packets come over one link of two flits a cycle for the two nodes of a switch. The first has left the queue 8
/// cycles after its grant, and is with its node after 16; the second is granted meanwhile.
TEST(FastLinks, ReadAQueueAsFastAsTheyFillIt) {
  Bench bench(fat_tree({2, 1}));
  bench.run(1);
  bench.network->send_packet(NodeId{2}, NodeId{0}, 16);
  bench.network->send_packet(NodeId{3}, NodeId{1}, 16);
  const std::uint32_t in = bank(bench).port_index(RouterId{kLeaf}, PortId{kUp});
  while (sent(bench, kLeaf, kNode) + sent(bench, kLeaf, kNode + 1) == 0) bench.run(1);
  const std::uint64_t granted = bench.network->now() - 1;
  bench.run(7);
  EXPECT_EQ(sent(bench, kLeaf, kNode) + sent(bench, kLeaf, kNode + 1), 16U);
  EXPECT_EQ(bank(bench).queues[in].count, 1U) << "the first has left at the end of this cycle";
  bench.run(1);
  EXPECT_EQ(sent(bench, kLeaf, kNode) + sent(bench, kLeaf, kNode + 1), 32U);
  EXPECT_EQ(bench.network->conservation().packets_in_flight, 2U);
  while (bench.delivered() == 0) bench.run(1);
  EXPECT_EQ(bench.network->now() - 1, granted + 15);
  bench.run(8);
  EXPECT_EQ(bench.delivered(), 2U);
}

Experiment mesh(std::uint32_t speed) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.link_flits_per_cycle", speed);
  e.set("interface.source_queue_packets", 0);
  return e;
}

/// On a mesh whose links are all alike a packet waits at its first router alone, until L / w flits from the end.
TEST(FastLinks, OfAMeshCostOneWait) {
  EXPECT_EQ(latency(mesh(1), 0, 63, 16), 15U + 16);
  EXPECT_EQ(latency(mesh(2), 0, 63, 16), 15U + 16 + 8);
  EXPECT_EQ(latency(mesh(4), 0, 3, 16), 4U + 16 + 12);
  EXPECT_EQ(latency(mesh(4), 0, 63, 16), 15U + 16 + 12);
  Experiment far = mesh(4);
  far.set("topology.link_latency_cycles", 3);
  EXPECT_EQ(latency(far, 0, 63, 16), 15U + 14 * 2 + 16 + 12) << "links of three cycles";
}

TEST(FastLinks, OfAMeshBringAPacketInThatCycleAndNotBefore) {
  Bench bench(mesh(4));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{63}, 16);
  bench.run(15 + 16 + 12 - 1);
  EXPECT_EQ(bench.delivered(), 0U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U);
}

/// Each turn into a faster dimension costs what the link lacks; a turn into a slower one nothing.
TEST(FastLinks, OfACubeCostAWaitAtEachTurnIntoAFasterDimension) {
  const auto cube = [](const std::vector<std::uint32_t>& speeds) {
    Experiment e = fat_tree({1, 1});
    e.set("topology.kind", "cube");
    for (const char* key : {"arity", "levels", "trunk_links", "trunk_flits_per_cycle"}) {
      e.unset(std::string("topology.") + key);
    }
    e.set("routing.algorithm", "dimension_order");
    e.set("topology.link_speeds", speeds);
    return e;
  };
  EXPECT_EQ(latency(cube({1, 1, 1}), 0, 63, 16), 10U + 16);
  EXPECT_EQ(latency(cube({1, 2, 1}), 0, 63, 16), 10U + 16 + 8);
  EXPECT_EQ(latency(cube({1, 2, 4}), 0, 63, 16), 10U + 16 + 8 + 4);
  EXPECT_EQ(latency(cube({4, 2, 1}), 0, 63, 16), 10U + 16 + 12);
  EXPECT_EQ(latency(cube({4, 1, 4}), 0, 63, 16), 10U + 16 + 12 + 12);
  EXPECT_EQ(latency(cube({1, 2, 4}), 0, 3, 16), 4U + 16) << "along x, where no link is faster";
}

/// Of the ways of three links the lowest ports': to router 1 of the group, to router 2 of group 3, to router 1 of group
/// 8. One link within a group, then two between groups.
TEST(FastLinks, BetweenGroupsOfADragonflyCostAWaitBeforeThem) {
  const auto dragonfly = [](std::uint32_t within, std::uint32_t between) {
    Experiment e = fat_tree({1, 1});
    e.set("topology.kind", "dragonfly");
    for (const char* key : {"arity", "levels", "trunk_links", "trunk_flits_per_cycle"}) {
      e.unset(std::string("topology.") + key);
    }
    e.set("routing.algorithm", "deterministic");
    e.set("topology.link_flits_per_cycle", within);
    e.set("topology.global_flits_per_cycle", between);
    return e;
  };
  EXPECT_EQ(latency(dragonfly(1, 1), 0, 66, 16), 4U + 16);
  EXPECT_EQ(latency(dragonfly(1, 4), 0, 66, 16), 4U + 16 + 12);
  EXPECT_EQ(latency(dragonfly(2, 4), 0, 66, 16), 4U + 16 + 8 + 4);
  EXPECT_EQ(latency(dragonfly(4, 1), 0, 66, 16), 4U + 16 + 12) << "before the first, and none before slower ones";
  EXPECT_EQ(latency(dragonfly(4, 16), 0, 66, 16), 4U + 16 + 12 + 3);
}

/// Three chiplets of 2x1: links, of which the second and the fourth are joints. A packet waits before each that is
/// faster than the one before it; slow joints cost their latency, and a wait before the links behind them.
TEST(FastLinks, BetweenChipletsCostAWaitBeforeThemOrBehindThem) {
  const auto chain = [](std::uint32_t within, std::uint32_t between, std::uint32_t joint) {
    Experiment e = fat_tree({1, 1});
    e.set("topology.kind", "chiplet_chain");
    for (const char* key : {"arity", "levels", "trunk_links", "trunk_flits_per_cycle"}) {
      e.unset(std::string("topology.") + key);
    }
    e.set("topology.chiplets", 3);
    e.set("topology.width", 2);
    e.set("topology.height", 1);
    e.set("topology.link_flits_per_cycle", within);
    e.set("topology.joint_flits_per_cycle", between);
    e.set("topology.joint_latency_cycles", joint);
    e.set("routing.algorithm", "chiplet_order");
    return e;
  };
  EXPECT_EQ(latency(chain(1, 1, 1), 0, 5, 16), 6U + 16);
  EXPECT_EQ(latency(chain(1, 1, 5), 0, 5, 16), 6U + 16 + 2 * 4);
  EXPECT_EQ(latency(chain(1, 2, 5), 0, 5, 16), 6U + 16 + 2 * 4 + 2 * 8);
  EXPECT_EQ(latency(chain(4, 1, 5), 0, 5, 16), 6U + 16 + 2 * 4 + 3 * 12);
  EXPECT_EQ(latency(chain(4, 1, 5), 0, 1, 16), 2U + 16 + 12) << "within a chiplet";
}

TEST(FastLinks, AreTheSameInEveryScheduleAndWithAnyThreads) {
  const std::string run = experiment("tree_sat") +
                          " --set topology.kind=fat_tree --set topology.arity=2 --set topology.levels=4 "
                          "--set topology.trunk_links=[1,1,2] --set topology.trunk_flits_per_cycle=[2,4,3] "
                          "--set routing.algorithm=best_paths --set traffic.pattern=uniform "
                          "--set traffic.rate_flits_per_node_cycle=0.7 --set simulation.min_warmup_cycles=2000 "
                          "--set simulation.max_warmup_cycles=2000 "
                          "--set simulation.measure_cycles=10000 ";
  const auto first = results(run);
  EXPECT_GT(first.at("conservation").at("packets_delivered").to_number<int>(), 4000);
  for (const char* how : {"--set simulation.schedule=process_per_stage", "--threads 2", "--threads 4"}) {
    EXPECT_EQ(results(run + how).at("packet_hash"), first.at("packet_hash")) << how;
  }
}

TEST(FastLinks, AreRefusedByFamiliesThatMoveAFlitACycle) {
  for (const std::string& family : models::FabricRegistry::instance().names()) {
    const bool refuses =
        models::FabricRegistry::instance().make(family)->faster_links() == models::FasterLinks::kRefused;
    EXPECT_EQ(refuses, family != "virtual_cut_through" && family != "ideal") << family;
  }
  Experiment e = uniform_mesh(0.0, 4, 4);
  e.set("topology.link_flits_per_cycle", 2);
  EXPECT_EQ(complaint([&] { Bench bench(e); }),
            "router.architecture = \"hybrid\" moves a flit a cycle over a link, and mesh 4x4 has links of more; "
            "expected \"virtual_cut_through\", or links of one");
  e.set("topology.link_flits_per_cycle", 1);
  EXPECT_EQ(complaint([&] { Bench bench(e); }), "");
}

TEST(FastLinks, AreNoneOfTlmStyles) {
  Bench bench(fat_tree({2, 4}));
  Experiment e = fat_tree({2, 4});
  e.open("tlm");
  e.set("tlm.style", "approximately_timed");
  const std::string refusal = complaint([&] { (void)models::make_packet_timing(e, bench.topology, *bench.routing); });
  EXPECT_NE(refusal.find("takes every link for one of a flit a cycle"), std::string::npos) << refusal;
  e.set("router.architecture", "ideal");
  e.unset("router.credit_delay_cycles");
  e.unset("router.queue_packets");
  EXPECT_NE(models::make_packet_timing(e, bench.topology, *bench.routing), nullptr) << "no packet goes over a link";
}

}  // namespace
}  // namespace braid::test::fast_links_test
