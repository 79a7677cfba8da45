// setup.paths: circuits on paths that a program has found, installed by probes that carry them. They are that program's
// paths, ready after 4 cycles a link and one; where it finds none every stream falls back to packets.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/disjoint.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::planned_paths_test {
namespace {

using Links = std::vector<std::uint32_t>;

/// So many streams between tiles of a 4x4 mesh drawn at random, no more than two into or out of any.
std::string graph_file(std::uint64_t number, std::size_t streams) {
  Random random(number, "planned_paths_test");
  const std::string file = temporary_file("planned_" + std::to_string(number) + ".toml");
  std::set<std::pair<std::size_t, std::size_t>> edges;
  std::vector<std::size_t> in(16), out(16);
  while (edges.size() < streams) {
    const std::size_t a = random.below(16), b = random.below(16);
    if (a >= b || in[b] == 2 || out[a] == 2 || !edges.emplace(a, b).second) continue;
    ++in[b];
    ++out[a];
  }
  std::ofstream text(file);
  text << "name = \"drawn\"\n";
  for (std::size_t a = 0; a < 16; ++a) {
    const std::size_t tile = (a * 7 + 3) % 16;
    if (in[a] + out[a] != 0) text << "[[actor]]\nname = \"a" << a << "\"\nwork = 1\ntile = " << tile << "\n";
  }
  for (const auto& [a, b] : edges) text << "[[edge]]\nfrom = \"a" << a << "\"\nto = \"a" << b << "\"\n";
  return file;
}

models::Experiment drawn(std::uint64_t number, const std::string& paths, std::size_t streams = 11) {
  models::Experiment e;
  e.set("topology.width", 4);
  e.set("topology.height", 4);
  e.set("topology.local_ports", 4);
  e.open("stream");
  e.set("stream.graph", graph_file(number, streams));
  e.set("interface.switching", "circuit");
  e.set("setup.paths", paths);
  e.set("setup.retries", 0);
  return e;
}

struct Outcome {
  models::SetupResults setup;
  std::vector<Links> links;  // [circuit of setup]
};

Outcome outcome(const models::Experiment& e) {
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  const routing::Channels channels(bench.topology);
  Outcome all{bench.network->setup_results(), {}};
  for (const models::CircuitResult& circuit : all.setup.circuits) {
    all.links.emplace_back();
    for (const auto& step : circuit.path) {
      if (bench.topology.port(step.router, step.port).kind != routing::PortKind::kNetwork) continue;
      all.links.back().push_back(channels.at(step.router, step.port));
    }
  }
  return all;
}

void expect_installed(const Outcome& o) {
  EXPECT_EQ(o.setup.orders_tried, 1U);
  std::set<std::uint32_t> used;
  for (std::size_t c = 0; c < o.links.size(); ++c) {
    EXPECT_EQ(o.setup.circuits[c].setup_cycles, 4 * o.links[c].size() + 1) << o.setup.circuits[c].stream;
    EXPECT_EQ(o.setup.circuits[c].backtracks, 0U);
    for (const std::uint32_t link : o.links[c]) EXPECT_TRUE(used.insert(link).second) << "a link twice";
  }
}

TEST(PlannedPaths, AreThoseOfTheProgramThatFoundThem) {
  for (const char* finder : {"exact", "negotiated", "sequential"}) {
    const models::Experiment e = drawn(2, finder, 6);
    const Outcome installed = outcome(e);
    ASSERT_FALSE(installed.setup.fell_back_to_packets) << finder;
    ASSERT_EQ(installed.links.size(), 6U);
    expect_installed(installed);
    const routing::Topology topology = routing::make_topology(e);
    std::vector<routing::Demand> demands;
    for (const auto& c : installed.setup.circuits) {
      demands.push_back({topology.router_of(c.source), topology.router_of(c.destination)});
    }
    EXPECT_EQ(found_by(finder, topology, demands, e).paths, installed.links) << finder;
  }
}

/// One a line: those of a file, whoever wrote it, here with a detour that no finder would take.
TEST(PlannedPaths, OfAFileAreThoseThatStandThere) {
  const std::string graph = temporary_file("pair.toml"), paths = temporary_file("pair_paths.txt");
  std::ofstream(graph) << "name = \"pair\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n"
                       << "[[actor]]\nname = \"b\"\nwork = 1\ntile = 1\n[[actor]]\nname = \"c\"\nwork = 1\ntile = 5\n"
                       << "[[edge]]\nfrom = \"b\"\nto = \"c\"\n[[edge]]\nfrom = \"a\"\nto = \"b\"\n";
  std::ofstream(paths) << "1,0 1,1\n0,0 0,1 1,1 2,1 2,0 1,0\n";
  models::Experiment e = drawn(2, "listed");
  e.set("stream.graph", graph);
  EXPECT_EQ(refusal(e), "disjoint.file is missing: expected a file of paths");
  e.set("disjoint.file", paths);
  const Outcome installed = outcome(e);
  ASSERT_FALSE(installed.setup.fell_back_to_packets);
  expect_installed(installed);
  ASSERT_EQ(installed.setup.circuits.size(), 2U);  // in the token's order: a's node is before b's
  EXPECT_EQ(installed.setup.circuits[0].stream, "a -> b");
  EXPECT_EQ(installed.setup.circuits[0].setup_cycles, 21U);
  EXPECT_EQ(installed.setup.circuits[1].setup_cycles, 5U);
  EXPECT_EQ(installed.setup.total_cycles, 21U + 1 + 5 + 1);
  std::ofstream(paths) << "1,0 1,1\n0,0 0,1 1,1 1,0\n0,0 1,0\n";
  EXPECT_EQ(refusal(e), paths +
                            ":3:1: no further stream leads from router 0,0 to router 1,0: line 2 has the path of "
                            "the last one");
}

/// The routers' twin in software finds what they find; installed, it costs no backtracks.
TEST(PlannedPaths, OfTheTwinAreThoseThatRoutersFind) {
  const Outcome searched = outcome(drawn(2, "routers", 6)), installed = outcome(drawn(2, "tentacle", 6));
  ASSERT_FALSE(searched.setup.fell_back_to_packets);
  EXPECT_EQ(installed.links, searched.links);
  expect_installed(installed);
}

/// The exact program finds paths wherever there are any: wherever routers do in one order, and elsewhere, too.
TEST(PlannedPaths, StandWhereOneOrderOfTheRoutersFails) {
  std::size_t both = 0, only_planned = 0, neither = 0;
  for (std::uint64_t number = 1; number <= 40; ++number) {
    const Outcome routers = outcome(drawn(number, "routers")), exact = outcome(drawn(number, "exact"));
    const bool searched = !routers.setup.fell_back_to_packets, planned = !exact.setup.fell_back_to_packets;
    EXPECT_TRUE(planned || !searched) << "graph " << number;
    if (planned) expect_installed(exact);
    if (!planned) {
      EXPECT_TRUE(exact.setup.circuits.empty());
    }
    both += searched && planned ? 1 : 0;
    only_planned += planned && !searched ? 1 : 0;
    neither += planned ? 0 : 1;
  }
  EXPECT_GT(both, 0U);
  EXPECT_GT(only_planned, 0U);
  EXPECT_GT(neither, 0U);
}

/// A program that sees the whole network has tried all orders: where it finds none, or knows no way for one, nothing is
/// searched, and nothing is tried again.
TEST(PlannedPaths, AreNotLookedForTwice) {
  models::Experiment e = tile_streams(3, 1, 2, {{0, 2}, {1, 2}});
  e.set("setup.paths", "exact");
  e.set("setup.retries", 5);
  Bench bench(e);
  bench.run(1);
  EXPECT_TRUE(bench.network->setup_done());
  const models::SetupResults setup = bench.network->setup_results();
  EXPECT_TRUE(setup.fell_back_to_packets);
  EXPECT_EQ(setup.orders_tried, 1U);
  EXPECT_EQ(setup.total_cycles, 0U);
  EXPECT_EQ(setup.failed_stream, "t0 -> t2") << "the first that asks";
  EXPECT_TRUE(setup.circuits.empty());
  EXPECT_EQ(models::hybrid::of(bench.network->fabric()).setup_requests().searches(), 0U);
}

/// What runs on them: every item arrives.
TEST(PlannedPaths, CarryTheStreams) {
  Bench bench(drawn(2, "exact", 6));
  bench.run(3000);
  EXPECT_EQ(program_of(bench).switching(), models::Switching::kCircuit);
  for (const auto& edge : program_of(bench).edges()) EXPECT_GT(edge.delivered_items, 500U);
}

TEST(PlannedPaths, AreRefusedWhereRoutersWouldHaveToSearch) {
  models::Experiment moves = drawn(2, "exact", 6);
  moves.set("setup.reroute", "each");
  EXPECT_EQ(refusal(moves),
            "setup.paths = \"exact\" installs circuits once, and setup.reroute has the routers search: expected "
            "\"routers\"");
  models::Experiment staged = drawn(2, "exact", 6);
  staged.set("stage.setup_unit", "lockstep");
  EXPECT_EQ(refusal(staged),
            "setup.paths = \"exact\": probes that carry their path are of routers that are the model's; expected "
            "\"routers\"");
}

}  // namespace
}  // namespace braid::test::planned_paths_test
