// Routers as wide as the keys allow: 16 VCs and 16 circuits a local port, so that lanes fill a word of 32 bits; and
// with one of each. Every lane carries what the others do.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tb/tests/support/continued.h"

namespace braid::test::widest_router_test {
namespace {

using models::Experiment;

/// Two nodes at one router; so many streams from the first to the second, each of which never rests.
Experiment two_nodes(std::uint32_t streams, std::uint32_t lanes, std::uint32_t vcs, double rate) {
  const std::string file = temporary_file("streams.toml");
  std::ofstream graph(file);
  graph << "name = \"streams\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n"
           "[[actor]]\nname = \"b\"\nwork = 1\ntile = 1\n";
  for (std::uint32_t s = 0; s < streams; ++s) graph << "[[edge]]\nfrom = \"a\"\nto = \"b\"\n";
  graph.close();
  Experiment e;
  e.set("topology.kind", "flattened_butterfly");
  e.set("topology.sizes", std::vector<std::uint32_t>{1});
  e.set("topology.concentration", 2);
  e.set("routing.algorithm", "dimension_order");
  e.open("stream");
  e.set("stream.graph", file);
  e.set("interface.switching", "circuit");
  e.set("router.circuit_lanes", lanes);
  e.set("router.vcs", vcs);
  e.set("router.circuit_burst_flits", 15);
  add_traffic(e, rate);
  return e;
}

/// They take turns on the link: none has more than another, and packets have theirs.
TEST(WidestRouter, HasSixteenCircuitsThatTakeTurns) {
  for (const std::uint32_t streams : {15U, 16U}) {
    Bench bench(two_nodes(streams, 16, 16, 0.05));
    while (!bench.network->setup_done()) bench.run(1);
    ASSERT_FALSE(bench.network->setup_results().fell_back_to_packets);
    const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
    EXPECT_EQ(bank.lanes(), 32U);
    std::set<std::uint32_t> lanes;
    for (std::uint32_t c = 0; c < 16; ++c) {
      if (bank.circuit_out(bank.circuit_vc(bank.port_index(RouterId{0}, PortId{0U}), c)) != models::hybrid::kNone) {
        lanes.insert(c);
      }
    }
    EXPECT_EQ(lanes.size(), streams);
    bench.run(4000);
    std::uint64_t least = UINT64_MAX, most = 0;
    for (const auto& edge : program_of(bench).edges()) {
      least = std::min(least, edge.delivered_items);
      most = std::max(most, edge.delivered_items);
    }
    EXPECT_GT(least, 50U) << streams;
    EXPECT_LE(most - least, most / 10) << streams;
    EXPECT_TRUE(bench.network->conservation().holds());
    EXPECT_GT(bench.delivered(), 100U);
  }
}

TEST(WidestRouter, HasNoSeventeenth) {
  Bench bench(two_nodes(17, 16, 16, 0.0));
  while (!bench.network->setup_done()) bench.run(1);
  EXPECT_TRUE(bench.network->setup_results().fell_back_to_packets);
  EXPECT_EQ(bench.network->setup_results().lanes_that_would_do, 0U);
}

/// Saved in the midst, with every lane in use.
TEST(WidestRouter, GoesOnFromACheckpoint) {
  for (const std::uint64_t cycle : {60U, 90U, 301U}) expect_continues(two_nodes(16, 16, 16, 0.3), cycle, 60);
}

/// Under much load each of the VCs is used, and has all of its credits back when the network has come to rest.
TEST(WidestRouter, HasSixteenVcs) {
  Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("router.vcs", 16);
  Bench bench(e);
  bench.run(10);
  for (int i = 0; i < 60; ++i) {
    for (const auto& [from, to] : {std::pair(0, 2), std::pair(1, 2), std::pair(2, 0), std::pair(1, 0)}) {
      bench.network->send_packet(NodeId{static_cast<std::size_t>(from)}, NodeId{static_cast<std::size_t>(to)}, 9);
    }
  }
  std::set<std::uint32_t> used;
  for (int cycle = 0; cycle < 3000; ++cycle) {
    bench.run(1);
    for (std::uint32_t v = 0; v < 16; ++v) {
      if (bench.network->fabric().buffered(RouterId{1}, routing::kWest, v) > 0) used.insert(v);
    }
  }
  EXPECT_EQ(used.size(), 16U);
  EXPECT_EQ(bench.delivered(), 240U);
  for (std::uint32_t v = 0; v < 16; ++v) {
    EXPECT_EQ(bench.network->fabric().credits(RouterId{0}, routing::kEast, v), 8U) << v;
  }
}

}  // namespace
}  // namespace braid::test::widest_router_test
