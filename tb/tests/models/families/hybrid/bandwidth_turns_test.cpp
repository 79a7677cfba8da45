// Nodes that keep to a bound (interface.*_flits) beside circuits that let packets have turns
// (router.circuit_burst_flits): a bound that no port can come to changes nothing, packet for packet; a lower one is
// kept to, and each link has one flit a cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"

namespace braid::test::bandwidth_turns_test {
namespace {

using models::Experiment;

/// Two circuits of node 0, one to each neighbour of a 2x2 mesh, never without a flit, beside packets.
Experiment full_circuits(std::uint32_t ports, std::uint32_t lanes, std::uint32_t burst) {
  const std::string file = temporary_file("full.toml");
  std::ofstream graph(file);
  graph << "name = \"full\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n";
  for (const int tile : {1, 2}) {
    graph << "[[actor]]\nname = \"b" << tile << "\"\nwork = 1\ntile = " << tile << "\n[[edge]]\nfrom = \"a\"\nto = \"b"
          << tile << "\"\npush = 16\npop = 16\n";
  }
  graph.close();
  Experiment e = stream_mesh("", 2, 2);
  e.set("stream.graph", file);
  e.set("topology.local_ports", ports);
  e.set("router.circuit_lanes", lanes);
  e.set("router.circuit_burst_flits", burst);
  add_traffic(e, 0.35);
  return e;
}
void bound(Experiment& e, std::uint32_t flits) {
  for (const char* key : {"packet_injection", "packet_ejection", "circuit_injection", "circuit_ejection"}) {
    e.set("interface." + std::string(key) + "_flits", flits);
  }
}

struct Ran {
  std::uint64_t hash, delivered, circuit_flits, packet_flits;
};
Ran ran(const Experiment& e, std::size_t slices = 1) {
  Bench bench(e, slices);
  bench.run(3000);
  EXPECT_TRUE(bench.network->setup_done());
  EXPECT_FALSE(bench.network->setup_results().fell_back_to_packets);
  EXPECT_TRUE(bench.network->conservation().holds());
  Ran all{bench.network->merged_statistics().packet_hash(), bench.delivered(), 0, 0};
  for (std::size_t r = 0; r < 4; ++r) {
    for (const PortId p : {routing::kEast, routing::kWest, routing::kNorth, routing::kSouth}) {
      const auto use = bench.network->fabric().link_use(RouterId{r}, p);
      all.circuit_flits += use.circuit_flits;
      all.packet_flits += use.packet_flits;
    }
  }
  return all;
}

TEST(NodeBandwidth, OfAllPortsIsNoneBesideTurns) {
  for (const auto& [ports, lanes] : {std::pair(1U, 2U), std::pair(2U, 1U), std::pair(2U, 2U)}) {
    for (const std::uint32_t burst : {0U, 1U, 3U}) {
      Experiment e = full_circuits(ports, lanes, burst);
      const Ran free = ran(e);
      for (const std::uint32_t flits : {ports, ports + 1}) {
        bound(e, flits);
        const Ran bounded = ran(e);
        EXPECT_EQ(bounded.hash, free.hash) << ports << " ports, bursts of " << burst << ", bound " << flits;
        EXPECT_EQ(bounded.delivered, free.delivered);
        EXPECT_EQ(bounded.circuit_flits, free.circuit_flits);
        EXPECT_EQ(bounded.packet_flits, free.packet_flits);
        EXPECT_EQ(ran(e, 4).hash, free.hash) << "in four slices";
      }
      EXPECT_GT(free.delivered, 100U);
    }
  }
}

/// Bound to a flit a cycle of each kind, two ports.
TEST(NodeBandwidth, IsKeptToBesideTurns) {
  for (const std::uint32_t burst : {1U, 3U}) {
    Experiment e = full_circuits(2, 1, burst);
    const Ran free = ran(e);
    bound(e, 1);
    Bench bench(e);
    std::uint64_t before = 0;
    for (int cycle = 0; cycle < 2000; ++cycle) {
      bench.run(1);
      const std::uint64_t injected = models::hybrid::of(bench.network->fabric()).slice(0).interfaces().flits_injected();
      ASSERT_LE(injected - before, 2U * 4) << "a packet's and a circuit's of each of four nodes, cycle " << cycle;
      before = injected;
    }
    const Ran kept = ran(e), cut = ran(e, 4);
    EXPECT_LT(kept.circuit_flits, free.circuit_flits);
    EXPECT_EQ(kept.hash, cut.hash) << "in four slices";
  }
}

}  // namespace
}  // namespace braid::test::bandwidth_turns_test
