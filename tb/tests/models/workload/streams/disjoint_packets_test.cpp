// routing.algorithm = "disjoint_paths": the packets of a stream take that stream's path and no other, on every router
// that stream packets run on.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "routing/algorithm/disjoint_paths.h"
#include "routing/analysis/link_loads.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/disjoint.h"
#include "tb/tests/support/refusal.h"

namespace braid::test::disjoint_packets_test {
namespace {

using Load = std::map<std::string, std::uint64_t>;  // flits, by "router.port"

std::string file_of(const std::string& name, const std::string& text) {
  const std::string file = temporary_file(name);
  std::ofstream(file) << text;
  return file;
}

/// a sends two streams to b, which is its neighbour to the east: 3 and 5 items a firing, on detours of their own.
models::Experiment twins(const std::string& paths = "0,0 0,1 1,1 1,0\n0,0 1,0\n") {
  models::Experiment e;
  e.set("topology.width", 3);
  e.set("topology.height", 3);
  e.set("topology.local_ports", 4);
  e.set("routing.algorithm", "disjoint_paths");
  e.set("routing.finder", "listed");
  e.set("disjoint.file", file_of("twin_paths.txt", paths));
  e.open("stream");
  e.set("stream.graph",
        file_of(
            "twins.toml",
            "name = \"twins\"\nactor = [{name = \"a\", work = 1, tile = 0}, {name = \"b\", work = 1, tile = 1}]\n"
            "edge = [{from = \"a\", to = \"b\", push = 3, pop = 3}, {from = \"a\", to = \"b\", push = 5, pop = 5}]\n"));
  e.set("interface.switching", "packet");
  e.set("stream.computation_scaling", 20.0);
  return e;
}

Load load_of(const Bench& bench) {
  Load all;
  for (std::size_t r = 0; r < bench.topology.router_count(); ++r) {
    for (std::size_t p = 0; p < bench.topology.port_count(RouterId{r}); ++p) {
      if (bench.topology.port(RouterId{r}, PortId{p}).kind != routing::PortKind::kNetwork) continue;
      const auto use = bench.network->fabric().link_use(RouterId{r}, PortId{p});
      if (use.packet_flits + use.circuit_flits == 0) continue;
      all[bench.topology.router_names[r] + "." + bench.topology.port(RouterId{r}, PortId{p}).name] =
          use.packet_flits + use.circuit_flits;
    }
  }
  return all;
}

/// Streams of the same two actors are told apart: 3 of 8 flits go round, 5 straight on.
TEST(DisjointPackets, OfAStreamTakeItsPath) {
  for (const char* architecture : {"hybrid", "virtual_cut_through"}) {
    models::Experiment e = twins();
    e.set("router.architecture", architecture);
    if (std::string(architecture) != "hybrid") e.set("router.vcs", 1);
    Bench bench(e);
    bench.run(2000);
    const auto& edges = program_of(bench).edges();
    ASSERT_GT(edges[0].delivered_items, 100U) << architecture;
    const Load load = load_of(bench);
    ASSERT_EQ(load.size(), 4U) << architecture;
    const auto near = [&](const char* link, std::uint64_t items) {
      ASSERT_EQ(load.count(link), 1U) << architecture << ", " << link;
      EXPECT_GE(load.at(link), items) << architecture << ", " << link;
      EXPECT_LE(load.at(link), items + 16) << architecture << ", " << link;  // under way
    };
    near("0,0.north", edges[0].delivered_items);
    near("0,1.east", edges[0].delivered_items);
    near("1,1.south", edges[0].delivered_items);
    near("0,0.east", edges[1].delivered_items);
    EXPECT_NEAR(static_cast<double>(edges[0].delivered_items) / 3, static_cast<double>(edges[1].delivered_items) / 5,
                3);
  }
}

/// What is asked without a packet: by stream where it is named, else the first between two nodes; elsewhere nearer.
TEST(DisjointPackets, AreFollowedByWhoAsksForLoads) {
  const Bench bench(twins());
  using routing::path_between;
  const auto links = [&](std::size_t from, std::size_t to, routing::RouteId stream) {
    return path_between(bench.topology, *bench.routing, NodeId{from}, NodeId{to}, 0, stream).size() - 1;
  };
  EXPECT_EQ(links(0, 1, 0), 3U);
  EXPECT_EQ(links(0, 1, 1), 1U);
  EXPECT_EQ(links(0, 1, routing::kNoRoute), 3U);
  EXPECT_EQ(links(8, 0, routing::kNoRoute), 4U);
}

/// What has been told of its streams is taken at its word; what has not is walked like any other: on a ring it waits
/// for itself.
TEST(DisjointPackets, CannotDeadlock) {
  const Bench bench(twins());
  EXPECT_TRUE(bench.routing->acyclic_by_construction());
  EXPECT_NO_THROW(bench.network->check_deadlock_free());
  const routing::Topology ring = ring_of(6);
  routing::RoutingContext context;
  context.configuration.set("routing.finder", "sequential");
  const auto unasked = routing::RoutingRegistry::instance().make("disjoint_paths", ring, context);
  EXPECT_FALSE(unasked->acyclic_by_construction());
  EXPECT_THROW(routing::check_deadlock_free(ring, *unasked, 4), InputError);
}

TEST(DisjointPackets, AreRefusedWhereAPacketWouldHaveNoPath) {
  const std::string alone =
      "routing.algorithm: this one has paths for the streams of a program alone; expected one section [stream] with "
      "interface.transfer = \"push\" and interface.switching = \"packet\", and nobody else who sends";
  models::Experiment pulled = twins();
  pulled.set("interface.transfer", "pull");
  EXPECT_EQ(refusal(pulled), alone);
  models::Experiment circuits = twins();
  circuits.set("interface.switching", "circuit");
  EXPECT_EQ(refusal(circuits), alone);
  models::Experiment beside = twins();
  beside.open("traffic");
  EXPECT_EQ(refusal(beside), alone);
  models::Experiment none = twins();
  none.set("routing.finder", "exact");
  none.set("topology.width", 2);
  none.set("topology.height", 1);
  EXPECT_EQ(refusal(none),
            "routing.finder = \"exact\": there are no disjoint paths for 2 streams; expected fewer, or another layout");
  none.set("routing.finder", "sequential");
  EXPECT_EQ(refusal(none),
            "routing.finder = \"sequential\": it has found no disjoint paths for 2 streams; expected fewer, another "
            "layout or another finder");
}

}  // namespace
}  // namespace braid::test::disjoint_packets_test
