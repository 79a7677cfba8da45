// The software twin of the set-up units finds the paths that the routers find: same links, same backtracks, same
// orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/disjoint.h"

namespace braid::test::tentacle_twin_test {
namespace {

using routing::Demand;

/// A stream between any two tiles of an edge list, an actor on each tile.
std::string graph_file(const std::string& name, std::size_t tiles, std::size_t streams, Random& random) {
  const std::string file = temporary_file(name);
  std::ofstream out(file);
  std::set<std::pair<std::size_t, std::size_t>> edges;
  std::set<std::size_t> used;
  while (edges.size() < streams) {
    const std::size_t a = random.below(tiles), b = random.below(tiles);
    if (a >= b || !edges.emplace(a, b).second) continue;  // no cycles: only upwards
    used.insert({a, b});
  }
  // Numbers of tiles are drawn, so that streams go everywhere.
  std::vector<std::size_t> tile(tiles);
  for (std::size_t i = 0; i < tiles; ++i) tile[i] = i;
  for (std::size_t i = tiles; i > 1; --i) std::swap(tile[i - 1], tile[random.below(i)]);
  out << "name = \"" << name << "\"\n";
  for (const std::size_t a : used) {
    out << "[[actor]]\nname = \"a" << a << "\"\nwork = 1\ntile = " << tile[a] << "\n";
  }
  for (const auto& [a, b] : edges) out << "[[edge]]\nfrom = \"a" << a << "\"\nto = \"a" << b << "\"\n";
  return file;
}

/// What the routers and their twin found in one experiment: is it the same, and did they find anything?
bool expect_the_same(models::Experiment e, std::uint32_t retries, const std::string& where) {
  e.set("setup.retries", retries);
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  const models::SetupResults setup = bench.network->setup_results();
  const models::StreamProgram& program = program_of(bench);
  std::vector<std::uint32_t> streams;  // node by node
  for (std::uint32_t i = 0; i < program.edges().size(); ++i) streams.push_back(i);
  std::stable_sort(streams.begin(), streams.end(),
                   [&](auto a, auto b) { return program.edges()[a].source < program.edges()[b].source; });
  std::vector<Demand> demands;
  for (const std::uint32_t i : streams) {
    const auto& edge = program.edges()[i];
    demands.push_back({bench.topology.router_of(edge.source), bench.topology.router_of(edge.destination)});
  }
  Configuration c = e;
  c.set("disjoint.tentacle_orders", retries + 1);
  const routing::DisjointPaths twin = found_by("tentacle", bench.topology, demands, c);
  const bool found = twin.answer == routing::DisjointAnswer::kFound;
  EXPECT_EQ(found, !setup.fell_back_to_packets) << where;
  EXPECT_EQ(twin.tries, setup.orders_tried) << where;
  EXPECT_EQ(bench.network->fabric().circuits_would_stand(program.circuits()), found) << where;
  if (!found || setup.fell_back_to_packets) return false;
  const routing::Channels channels(bench.topology);
  std::uint32_t backtracks = 0;
  for (const models::CircuitResult& circuit : setup.circuits) {
    std::vector<std::uint32_t> links;
    for (const auto& step : circuit.path) {
      if (bench.topology.port(step.router, step.port).kind == routing::PortKind::kNetwork) {
        links.push_back(channels.at(step.router, step.port));
      }
    }
    const auto same = std::find_if(streams.begin(), streams.end(),
                                   [&](std::uint32_t i) { return program.edge_name(i) == circuit.stream; });
    EXPECT_EQ(twin.paths[static_cast<std::size_t>(same - streams.begin())], links) << where << ", " << circuit.stream;
    backtracks += circuit.backtracks;
  }
  EXPECT_EQ(twin.backtracks, backtracks) << where;
  return true;
}

struct Network {
  const char* kind;
  std::uint32_t width, height;
  std::size_t fewest, most;  // streams
};

class TentacleTwin : public testing::TestWithParam<Network> {};

TEST_P(TentacleTwin, FindsWhatTheRoutersFind) {
  const Network n = GetParam();
  Random random(7, "graphs");
  std::uint32_t found = 0, lost = 0;
  for (std::uint32_t i = 0; i < 24; ++i) {
    const std::size_t streams = n.fewest + random.below(n.most - n.fewest + 1);
    const std::string name = std::string(n.kind) + std::to_string(i) + ".toml";
    models::Experiment e;
    e.set("topology.kind", n.kind);
    e.set("topology.width", n.width);
    e.set("topology.height", n.height);
    e.set("topology.local_ports", 12);  // never what is missing
    e.set("experiment.seed", i);
    e.open("stream");
    e.set("stream.graph", graph_file(name, std::size_t{n.width} * n.height, streams, random));
    e.set("interface.switching", "circuit");
    ++(expect_the_same(e, i % 5, name) ? found : lost);
  }
  EXPECT_GE(found, 4U) << "the sample says too little";
  EXPECT_GE(lost, 2U) << "the sample says too little";
}
INSTANTIATE_TEST_SUITE_P(Grids, TentacleTwin,
                         testing::Values(Network{"mesh", 4, 4, 3, 11}, Network{"mesh", 5, 3, 6, 13},
                                         Network{"torus", 4, 4, 12, 26}));

/// Four streams from one node over two local ports: with two lanes each they start, with one they cannot.
TEST(Forecast, CountsLanesOfLocalPortsAtBothEnds) {
  for (const bool out : {true, false}) {
    const std::string file = temporary_file(out ? "star_out.toml" : "star_in.toml");
    std::ofstream graph(file);
    graph << "name = \"star\"\n[[actor]]\nname = \"m\"\nwork = 1\ntile = 5\n";
    for (const int tile : {4, 6, 1, 9}) {
      graph << "[[actor]]\nname = \"e" << tile << "\"\nwork = 1\ntile = " << tile << "\n[[edge]]\n"
            << (out ? "from = \"m\"\nto = \"e" : "to = \"m\"\nfrom = \"e") << tile << "\"\n";
    }
    graph.close();
    for (const std::uint32_t lanes : {1U, 2U}) {
      models::Experiment e;
      e.set("topology.width", 4);
      e.set("topology.height", 4);
      e.set("topology.local_ports", 2);
      e.open("stream");
      e.set("stream.graph", file);
      e.set("interface.switching", "circuit");
      e.set("router.circuit_lanes", lanes);
      Bench bench(e);
      const bool forecast = bench.network->fabric().circuits_would_stand(program_of(bench).circuits());
      while (!bench.network->setup_done()) bench.run(1);
      EXPECT_EQ(forecast, lanes == 2) << out;
      EXPECT_EQ(!bench.network->setup_results().fell_back_to_packets, lanes == 2) << out;
    }
  }
}

}  // namespace
}  // namespace braid::test::tentacle_twin_test
