// What a set-up would come to, told without a cycle of it (setup_twin.h), and in which order streams search
// (token_order.h): by hand.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "models/families/hybrid/setup_twin.h"
#include "models/families/hybrid/token_order.h"
#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/disjoint.h"

namespace braid::test::setup_forecast_test {
namespace {

using models::CircuitRequest;
using models::hybrid::least_lanes;

Configuration mesh(std::uint32_t width, std::uint32_t height, std::uint32_t local_ports) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", height);
  c.set("topology.local_ports", local_ports);
  return c;
}
CircuitRequest request(std::size_t from, std::size_t to, std::optional<std::uint32_t> copies = {}) {
  return {std::to_string(from) + " -> " + std::to_string(to), NodeId{from}, NodeId{to}, copies};
}
std::vector<CircuitRequest> times(std::size_t count, std::size_t from, std::size_t to) {
  return std::vector<CircuitRequest>(count, request(from, to));
}

// ---------------------------------------------------------------- lanes

/// Those that start, or those that end, at the node with most of them, over its ports, rounded up.
TEST(LeastLanes, AreThoseOfTheNodeWithMost) {
  for (const std::uint32_t ports : {1U, 2U, 3U}) {
    const routing::Topology topology = routing::make_topology(mesh(3, 1, ports));
    EXPECT_EQ(least_lanes(topology, {}), 1U) << "there is one, if nobody wants it";
    for (std::uint32_t count = 1; count <= 7; ++count) {
      const std::uint32_t lanes = (count + ports - 1) / ports;
      EXPECT_EQ(least_lanes(topology, times(count, 0, 1)), lanes) << count << " over " << ports;
      std::vector<CircuitRequest> apart, together;
      for (std::uint32_t i = 0; i < count; ++i) {
        apart.push_back(request(1, i % 2 == 0 ? 0 : 2));
        together.push_back(request(i % 2 == 0 ? 0 : 2, 1));
      }
      EXPECT_EQ(least_lanes(topology, apart), lanes) << count << " that start at one node";
      EXPECT_EQ(least_lanes(topology, together), lanes) << count << " that end at one node";
    }
  }
}

/// A tree starts once; each of its streams ends by itself. Trees are of a source and a number.
TEST(LeastLanes, CountATreeOnceWhereItStarts) {
  const routing::Topology topology = routing::make_topology(mesh(4, 1, 1));
  EXPECT_EQ(least_lanes(topology, {request(0, 1, 5), request(0, 2, 5), request(0, 3, 5)}), 1U);
  EXPECT_EQ(least_lanes(topology, {request(0, 1, 5), request(0, 2, 5), request(0, 3, 6)}), 2U);
  EXPECT_EQ(least_lanes(topology, {request(0, 1, 5), request(0, 2, 5), request(0, 3)}), 2U);
  EXPECT_EQ(least_lanes(topology, {request(0, 1, 0), request(0, 2), request(0, 3)}), 3U);
  EXPECT_EQ(least_lanes(topology, {request(0, 1, 5), request(2, 3, 5)}), 1U) << "two nodes'";
  EXPECT_EQ(least_lanes(topology, {request(0, 3, 5), request(0, 3, 5), request(1, 3, 5)}), 3U) << "three ends";
}

/// Of several branches that end at one router the first goes with its tree where circuits share ports.
TEST(TreesAtSharedPorts, EndOnceAtARouter) {
  Configuration c;
  c.set("topology.kind", "flattened_butterfly");
  c.set("topology.sizes", std::vector<std::uint32_t>{2});
  c.set("topology.concentration", 2);
  const routing::Topology topology = routing::make_topology(c);
  ASSERT_EQ(topology.router_of(NodeId{2}), topology.router_of(NodeId{3}));
  const std::vector<CircuitRequest> asked{request(0, 2, 7), request(0, 3, 7), request(0, 2, 8), request(0, 1, 7),
                                          request(0, 3)};
  const auto copies = [&](std::uint32_t lanes) {
    std::string text;
    for (const CircuitRequest& r : models::hybrid::apart_at_shared_ports(topology, lanes, asked)) {
      text += r.copies ? std::to_string(*r.copies) : "-";
    }
    return text;
  };
  EXPECT_EQ(copies(1), "7787-") << "nobody shares a port";
  EXPECT_EQ(copies(2), "7-87-");
  EXPECT_EQ(copies(16), "7-87-");
}

/// Circuits between two nodes of one router take no link, so nothing but lanes can be missing: up to 16 a port.
TEST(FallBackLanes, AreAtMost16) {
  models::Experiment e;
  e.set("topology.kind", "flattened_butterfly");
  e.set("topology.sizes", std::vector<std::uint32_t>{1});
  e.set("topology.concentration", 2);
  e.set("routing.algorithm", "dimension_order");
  e.open("stream");
  e.set("stream.graph", source_file("traffic/graphs/fm_radio_4x4.toml"));
  e.set("interface.switching", "circuit");
  e.set("router.circuit_lanes", 2);
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  models::PacketStore store;
  const models::Slicing slicing(topology.router_count(), 1);
  const models::hybrid::Fabric fabric(models::FabricContext{e, topology, *routing, store, slicing});
  for (const auto& [circuits, lanes] :
       std::vector<std::pair<std::size_t, std::uint32_t>>{{1, 0}, {2, 0}, {3, 3}, {15, 15}, {16, 16}, {17, 0}}) {
    EXPECT_EQ(fabric.lanes_that_would_do(times(circuits, 0, 1)), lanes) << circuits;
    EXPECT_EQ(fabric.circuits_would_stand(times(circuits, 0, 1)), circuits <= 2) << circuits;
  }
  EXPECT_TRUE(fabric.circuits_would_stand({}));
}

/// Whoever finds the paths: with nobody to find one for they stand.
TEST(Forecast, OfNoCircuitIsThatTheyStand) {
  for (const char* key : {"setup.searches", "setup.paths"}) {
    models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
    e.set(key, std::string(key) == "setup.paths" ? "sequential" : "parallel");
    const models::hybrid::Options options = models::hybrid::read_options(e);
    const routing::Topology topology = routing::make_topology(e);
    EXPECT_TRUE(models::hybrid::circuits_would_stand(topology, options, e, {})) << key;
    EXPECT_TRUE(models::hybrid::circuits_would_stand(topology, options, e, {request(0, 1)})) << key;
    EXPECT_TRUE(models::hybrid::circuits_would_stand(topology, options, e, times(2, 5, 6))) << key;
    EXPECT_FALSE(models::hybrid::circuits_would_stand(topology, options, e, times(5, 5, 6))) << key << ": four ports";
  }
}

/// Three streams into node 2 at the end of a row: one link leads there, whoever looks for paths.
TEST(Forecast, IsThatTheyDoNotStandWhereALinkIsMissing) {
  for (const char* paths : {"routers", "sequential", "exact"}) {
    models::Experiment e = stream_mesh("fm_radio_4x4.toml", 3, 1);
    e.set("setup.paths", paths);
    const models::hybrid::Options options = models::hybrid::read_options(e);
    const routing::Topology topology = routing::make_topology(e);
    EXPECT_TRUE(models::hybrid::circuits_would_stand(topology, options, e, {request(0, 2)})) << paths;
    EXPECT_FALSE(models::hybrid::circuits_would_stand(topology, options, e, {request(0, 2), request(1, 2)})) << paths;
  }
}

/// As many orders as the routers try, setup.retries and one: with one fewer than it takes they do not stand.
TEST(Forecast, TriesAsManyOrdersAsTheRouters) {
  const routing::Topology topology = routing::make_topology(mesh(3, 3, 4));
  Random random(11);
  std::uint32_t told = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    std::vector<CircuitRequest> requests;
    while (requests.size() < 5 + seed % 8) {
      const std::size_t from = random.below(9), to = random.below(9);
      if (from != to) requests.push_back(request(from, to));
    }
    models::Experiment e = stream_mesh("fm_radio_4x4.toml", 3, 3);
    e.set("topology.local_ports", 4);
    e.set("router.circuit_lanes", 4);
    e.set("experiment.seed", seed);
    std::vector<routing::Demand> demands;
    for (const std::uint32_t circuit : models::hybrid::in_token_order(requests)) {
      const CircuitRequest& r = requests[circuit];
      demands.push_back({topology.router_of(r.source), topology.router_of(r.destination), {}});
    }
    Configuration keys = e;
    keys.set("disjoint.tentacle_orders", 20);
    const routing::DisjointPaths found = found_by("tentacle", topology, demands, keys);
    if (found.answer != routing::DisjointAnswer::kFound || found.tries < 2) continue;
    ++told;
    models::hybrid::Options options = models::hybrid::read_options(e);
    options.setup_retries = static_cast<std::uint32_t>(found.tries) - 1;
    EXPECT_TRUE(models::hybrid::circuits_would_stand(topology, options, e, requests)) << found.tries;
    --options.setup_retries;
    EXPECT_FALSE(models::hybrid::circuits_would_stand(topology, options, e, requests)) << found.tries;
  }
  EXPECT_GE(told, 3U) << "the sample says too little";
}

// ---------------------------------------------------------------- orders

TEST(TokenOrder, IsNodeByNodeThenAsAsked) {
  using Order = std::vector<std::uint32_t>;
  EXPECT_EQ(models::hybrid::in_token_order({}), Order{});
  EXPECT_EQ(models::hybrid::in_token_order({request(3, 0), request(1, 9), request(3, 1), request(0, 2), request(1, 0)}),
            (Order{3, 1, 4, 0, 2}));
}

/// Each order as likely: of three, each of six in 6,000 draws a thousand times, with a standard deviation of 29.
TEST(TokenOrder, IsShuffledIntoEachOtherAsOften) {
  std::map<std::vector<std::uint32_t>, int> seen;
  Random random(5, "setup_forecast_test");
  for (int i = 0; i < 6000; ++i) {
    std::vector<std::uint32_t> order{0, 1, 2};
    models::hybrid::shuffle(order, random);
    ++seen[order];
  }
  EXPECT_EQ(seen.size(), 6U);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 1000, 150) << order[0] << order[1] << order[2];
}

/// n - 1 numbers are drawn, below n, n - 1, ..., 2: what comes next from the same source is the next number.
TEST(TokenOrder, DrawsANumberLessThanStreams) {
  for (std::size_t n = 0; n < 9; ++n) {
    std::vector<std::uint32_t> order(n, 0);
    Random shuffled(7, "draws"), counted(7, "draws");
    models::hybrid::shuffle(order, shuffled);
    for (std::size_t i = n; i > 1; --i) (void)counted.below(i);
    EXPECT_EQ(shuffled(), counted()) << n;
  }
}

}  // namespace
}  // namespace braid::test::setup_forecast_test
