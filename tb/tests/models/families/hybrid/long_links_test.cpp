// Links of tens and hundreds of cycles and the deep buffers that keep them busy, as in BookSim 2's dragonflies: latency
// and rate exact to the cycle, a buffer of 256 flits to the brim, and the same packets however the network is cut and
// from whatever checkpoint it goes on.
#include <gtest/gtest.h>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::long_links_test {
namespace {

using models::Experiment;
using models::hybrid::InputVc;

/// k nodes and k links to other groups a router, 2k routers a group; links of 10 and 100 cycles.
Experiment dragonfly(std::uint32_t k, double rate) {
  Experiment e;
  e.set("topology.kind", "dragonfly");
  e.set("topology.routers_per_group", 2 * k);
  e.set("topology.global_ports", k);
  e.set("topology.nodes_per_router", k);
  e.set("topology.global_links", "absolute");
  e.set("topology.link_latency_cycles", 10);
  e.set("topology.global_latency_cycles", 100);
  e.set("routing.algorithm", "dragonfly_minimal");
  e.set("routing.phase_vcs", "one_each");
  e.set("router.vcs", 3);
  e.set("router.buffer_depth", 256);
  add_traffic(e, rate);
  return e;
}

/// Of a group's links to the others in their order each router has k; so the one to group `to` is the router's ...
std::uint32_t owner(std::uint32_t k, std::uint32_t group, std::uint32_t to) { return (to < group ? to : to - 1) / k; }

/// 5 cycles a router and 3 at the interfaces, 9 further cycles a link within a group, 99 one between groups.
TEST(LongLinks, OfADragonflyTakeTheirCycles) {
  for (const std::uint32_t k : {1U, 2U}) {
    Bench bench(dragonfly(k, 0.0));
    bench.run(10);
    const std::uint32_t a = 2 * k, nodes = static_cast<std::uint32_t>(bench.topology.node_count());
    ASSERT_EQ(nodes, k * a * (a * k + 1));
    std::uint64_t arrived = 0;
    for (std::uint32_t from = 0; from < nodes; from += k) {  // one node a router
      for (std::uint32_t to = 0; to < nodes; to += 3) {
        const std::uint32_t here = from / k % a, there = to / k % a, out = from / k / a, in = to / k / a;
        std::uint32_t near = here == there ? 0 : 1, far = 0;
        if (out != in) {
          far = 1;
          near = (here == owner(k, out, in) ? 0 : 1) + (there == owner(k, in, out) ? 0 : 1);
        }
        const std::uint32_t latency = 3 + 5 * (1 + near + far) + 9 * near + 99 * far;
        bench.network->send_packet(NodeId{from}, NodeId{to}, 1);
        bench.run(latency - 1);
        ASSERT_EQ(bench.delivered(), arrived) << from << " to " << to << ", cycle N - 1";
        bench.run(1);
        ASSERT_EQ(bench.delivered(), ++arrived) << from << " to " << to << ", cycle N = " << latency;
        bench.run(300);  // until all credits are back
      }
    }
  }
}

/// A packet of 60,000 flits on one VC: buffers over the credit loop, 3 + 2 LT + the credit's delay, or one flit a
/// cycle.
TEST(LongLinks, CarryBuffersOverTheirCreditLoop) {
  for (const auto& [latency, depth] : {std::pair{256U, 256U}, {256U, 40U}, {128U, 256U}, {100U, 255U}, {65U, 65U}}) {
    Experiment e = uniform_mesh(0.0, 4, 1);
    e.set("topology.link_latency_cycles", latency);
    e.set("router.buffer_depth", depth);
    e.set("router.vcs", 1);
    Bench bench(e);
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{3}, 60000);
    const std::uint64_t loop = 3 + 2 * latency + 2;
    bench.run(6 * loop);
    const auto carried = [&] { return bench.network->fabric().link_use(RouterId{1}, PortId{0}).packet_flits; };
    const std::uint64_t before = carried();
    bench.run(5 * loop);
    EXPECT_EQ(carried() - before, 5 * std::min<std::uint64_t>(depth, loop)) << latency << " cycles, " << depth;
  }
}

/// A packet of 600 flits waits for the output VC that one of 2000 flits holds: as many flits wait before the router as
/// the buffer has places, and the node upstream has no credit left.
TEST(DeepBuffers, AreFilledToTheBrim) {
  for (const std::uint32_t depth : {64U, 128U, 255U, 256U}) {
    Experiment e = uniform_mesh(0.0, 3, 1);
    e.set("router.buffer_depth", depth);
    e.set("router.vcs", 1);
    Bench bench(e);
    bench.run(10);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 2000);
    bench.run(20);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 600);
    bench.run(1500);
    const auto& bank = models::hybrid::of(bench.network->fabric()).bank();
    const auto west = bank.port_index(RouterId{1}, routing::kWest), east = bank.port_index(RouterId{0}, routing::kEast);
    EXPECT_EQ(bank.input_vcs[bank.vc_index(west, 0)].count, depth);
    EXPECT_EQ(bank.output_vcs[bank.vc_index(east, 0)].credits, 0U);
    EXPECT_EQ(bench.delivered(), 0U);
    bench.run(2000);
    EXPECT_EQ(bench.delivered(), 2U);
    EXPECT_TRUE(bench.network->conservation().holds());
    EXPECT_EQ(bank.output_vcs[bank.vc_index(east, 0)].credits, depth);
  }
  EXPECT_EQ(sizeof(InputVc), 8U);  // an array of them is the most that a router keeps in the processor's cache
}

/// BookSim 2's router of its dragonflies, beyond saturation.
Experiment full(std::uint32_t k) {
  Experiment e = dragonfly(k, 0.9);
  e.set("router.buffer_bypass", true);
  e.set("router.internal_speedup", 1.7);
  e.set("router.credit_delay_cycles", 3);
  e.set("router.vc_allocator", "islip");
  e.set("router.switch_allocator", "islip");
  return e;
}

TEST(LongLinks, GiveTheSameHashHoweverTheNetworkIsCut) {
  for (const Experiment& e : {full(1), full(2), dragonfly(2, 0.5)}) {
    Bench whole(e);
    whole.run(1500);
    EXPECT_GT(whole.delivered(), 500U);
    EXPECT_TRUE(whole.network->conservation().holds());
    for (const std::size_t slices : {std::size_t{2}, std::size_t{3}, whole.topology.router_count()}) {
      Bench cut(e, slices);
      cut.run(1500);
      EXPECT_EQ(cut.network->merged_statistics().packet_hash(), whole.network->merged_statistics().packet_hash())
          << slices << " slices";
      EXPECT_TRUE(cut.network->conservation().holds());
    }
  }
}

TEST(LongLinks, ContinueFromACheckpoint) {
  for (const std::size_t slices : {1U, 3U}) {
    for (const std::uint64_t cycle : {37U, 640U, 1201U}) expect_continues(full(1), cycle, 400, slices);
    expect_continues(full(2), 731, 300, slices);
    expect_continues(dragonfly(1, 0.6), 555, 400, slices);
  }
}

/// Planes count flits in 7 bits and remember 64 cycles of a link; beyond them lists run the routers, and say why.
TEST(LongLinks, AreRunOverListsBeyond64Cycles) {
  const auto because = [](const char* key, std::uint32_t value) {
    Experiment e = uniform_mesh(0.2, 8, 8);
    e.set(key, value);
    Bench bench(with_either(e));
    bench.run(500);
    EXPECT_EQ(bench.network->fabric().engines()->lists_because.empty(),
              models::hybrid::of(bench.network->fabric()).plane_cycles() > 0);
    return bench.network->fabric().engines()->lists_because;
  };
  EXPECT_EQ(because("topology.link_latency_cycles", 64), "");
  EXPECT_EQ(because("topology.link_latency_cycles", 65), "links of 65 cycles; expected at most 64");
  EXPECT_EQ(because("router.buffer_depth", 127), "");
  EXPECT_EQ(because("router.buffer_depth", 128), "router.buffer_depth = 128; expected at most 127");
  Experiment e = uniform_mesh(0.2, 8, 8);
  e.set("topology.link_latency_cycles", 65);
  e.set("simulation.engine", std::string("planes"));
  EXPECT_THROW(Bench refused(e), InputError);
}

}  // namespace
}  // namespace braid::test::long_links_test
