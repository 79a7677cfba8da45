// Lists and planes take over from each other at any cycle and leave no trace.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/inner_registers.h"

namespace braid::test::plane_changes_test {
namespace {

using models::Experiment;

Experiment with_arbiter(Experiment e, const char* arbiter) {
  e.set("router.arbiter", std::string(arbiter));
  return e;
}

TEST(PlaneChanges, LeaveNoTraceInAnyRegister) {
  for (const char* arbiter : {"round_robin", "matrix"}) {
    SCOPED_TRACE(arbiter);
    const Experiment e = with_arbiter(uniform_mesh(0.5, 4, 3), arbiter);
    for (const std::uint64_t change : {0U, 1U, 7U}) expect_same(e, 90, change);
  }
}

/// One VC, whose arbiter has nobody to choose among; three, which are a power of two's rest; and two ways on.
TEST(PlaneChanges, LeaveNoTraceWithOtherVcsAndRoutes) {
  for (const std::uint32_t vcs : {1U, 2U, 3U}) {
    Experiment e = uniform_mesh(0.3, 4, 4);
    e.set("router.vcs", vcs);
    expect_same(e, 60, 5);
    expect_same(with_arbiter(e, "matrix"), 60, 5);
  }
  Experiment two_ways = uniform_mesh(0.5, 4, 4);
  two_ways.set("routing.algorithm", std::string("west_first"));
  for (const std::uint64_t change : {0U, 3U}) expect_same(two_ways, 80, change);
}

/// As many ports and VCs as planes have, and a few less: routers of up to 64, with 4 VCs and with more.
TEST(PlaneChanges, LeaveNoTraceInRoutersOfManyPorts) {
  for (const auto& [local_ports, vcs] :
       {std::pair(2U, 4U), std::pair(12U, 4U), std::pair(4U, 5U), std::pair(12U, 8U)}) {
    SCOPED_TRACE(std::to_string(4 + local_ports) + " ports of " + std::to_string(vcs) + " VCs");
    Experiment e = uniform_mesh(0.8, 3, 3);
    e.set("topology.local_ports", local_ports);
    e.set("router.vcs", vcs);
    expect_same(e, 40, 4);
    expect_same(with_arbiter(e, "matrix"), 40, 9);
  }
}

/// Beyond 256 routers, on two threads.
TEST(PlaneChanges, LeaveNoTraceOnThreads) { expect_same(uniform_mesh(0.3, 17, 16), 40, 6, 2); }

TEST(PlaneChanges, LeaveNoTraceInMatrixArbitersOnThreads) {
  expect_same(with_arbiter(uniform_mesh(0.3, 17, 16), "matrix"), 40, 6, 2);
}

/// With a node a router its links are 28 shifts, more than four for each of 6 ports: each flit and credit is put where
/// it goes by itself. With two they are no more than four for each of 7.
TEST(PlaneChanges, LeaveNoTraceInADragonfly) {
  for (const std::uint32_t nodes : {1U, 2U}) {
    SCOPED_TRACE(std::to_string(nodes) + " nodes a router");
    Experiment e;
    e.set("topology.kind", std::string("dragonfly"));
    e.set("topology.nodes_per_router", nodes);
    e.set("routing.algorithm", std::string("dragonfly_minimal"));
    add_traffic(e, 0.3);
    for (const std::uint64_t change : {0U, 5U}) expect_same(e, 70, change);
  }
}

/// How far back planes remember what was sent follows from both.
TEST(PlaneChanges, LeaveNoTraceWithAnyLatencyAndCreditDelay) {
  for (const std::uint32_t latency : {1U, 2U, 3U, 6U}) {
    for (const std::uint32_t delay : {2U, 3U, 4U, 7U}) {
      SCOPED_TRACE(std::to_string(latency) + " and " + std::to_string(delay));
      Experiment e = uniform_mesh(0.6, 3, 2);
      e.set("topology.link_latency_cycles", latency);
      e.set("router.credit_delay_cycles", delay);
      expect_same(e, 72, 9);
    }
  }
}

/// One packet over two links, wherever it is when planes begin.
TEST(PlaneChanges, FindALonePacketWhereverItIs) {
  const Experiment e = uniform_mesh(0.0, 3, 1);
  for (const std::uint32_t flits : {1U, 5U, 16U}) {
    for (std::uint64_t begin = 1; begin < 24; ++begin) {
      SCOPED_TRACE(std::to_string(flits) + " flits, planes from cycle " + std::to_string(begin) + " on");
      Side lists(e, false), planes(e, false);
      for (std::uint64_t cycle = 0; cycle < 40; ++cycle) {
        for (Side* side : {&lists, &planes}) {
          if (cycle == 1) side->bench.network->send_packet(NodeId{0}, NodeId{2}, flits);
          if (cycle == begin) planes.fabric.use_planes(true);
          side->bench.network->cycle();
        }
        ASSERT_EQ(Difference(lists, planes).first(), "") << "cycle " << cycle;
        ASSERT_NO_FATAL_FAILURE(expect_same_inside(lists, planes)) << "cycle " << cycle;
      }
      EXPECT_EQ(planes.bench.delivered(), 1U);
    }
  }
}

/// One behind the other, each of another length than the one before: counters of flits get their bits as they need
/// them.
TEST(PlaneChanges, CountThePacketsOfAnyLength) {
  const Experiment e = uniform_mesh(0.0, 2, 1);
  const std::vector<std::uint32_t> lengths{1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 64, 127, 128, 1, 255, 1};
  for (const std::uint64_t change : {0U, 40U}) {
    SCOPED_TRACE("changed after " + std::to_string(change));
    Side lists(e, false), planes(e, true);
    for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
      if (change != 0) planes.fabric.use_planes(cycle / change % 2 == 0);
      for (Side* side : {&lists, &planes}) {
        if (cycle == 1) {
          for (const std::uint32_t flits : lengths) side->bench.network->send_packet(NodeId{0}, NodeId{1}, flits);
        }
        side->bench.network->cycle();
      }
      ASSERT_EQ(Difference(lists, planes).first(), "") << "cycle " << cycle;
    }
    EXPECT_EQ(planes.bench.delivered(), lengths.size());
  }
}

/// A flit a cycle for longer than the planes' own counters of a link have room for: nobody looks before the end.
TEST(PlaneChanges, LoseNoFlitOfALinkThatIsNeverIdle) {
  constexpr std::uint32_t kFlits = 9000;
  Side planes(uniform_mesh(0.0, 2, 1), true);
  planes.bench.run(1);
  planes.bench.network->send_packet(NodeId{0}, NodeId{1}, kFlits);
  planes.bench.run(kFlits + 100);
  EXPECT_EQ(planes.fabric.plane_cycles(), kFlits + 101U);
  EXPECT_EQ(planes.bench.delivered(), 1U) << "eight places, credits that are away for seven cycles";
  EXPECT_EQ(planes.fabric.link_use(RouterId{0}, routing::kEast).packet_flits, kFlits);
  EXPECT_EQ(planes.fabric.link_use(RouterId{1}, routing::kFirstGridLocalPort).packet_flits, kFlits);
  EXPECT_EQ(planes.fabric.link_use(RouterId{1}, routing::kWest).packet_flits, 0U);
  EXPECT_EQ(planes.bench.network->flit_hops(), 2U * kFlits);
}

}  // namespace
}  // namespace braid::test::plane_changes_test
