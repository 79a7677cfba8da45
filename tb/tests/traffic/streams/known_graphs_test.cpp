// Stream graphs made by hand: steady states, every field of the reader, and layouts whose best cost is plain to see.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::known_graphs_test {
namespace {

using namespace traffic;

using Counts = std::vector<std::uint64_t>;

/// Actors a, b, c, ... with edges {from, to, push, pop}.
StreamGraph graph(std::size_t actors, const std::vector<std::array<std::uint32_t, 4>>& edges) {
  StreamGraph g;
  g.file = "g.toml";
  for (std::size_t a = 0; a < actors; ++a) g.actors.push_back({std::string(1, static_cast<char>('a' + a)), 1, {}});
  for (const auto& [from, to, push, pop] : edges) g.edges.push_back({from, to, push, pop, pop, {}});
  return g;
}

TEST(Repetitions, AreTheSmallestThatBalanceOneEdge) {
  EXPECT_EQ(graph(2, {{0, 1, 3, 2}}).repetitions(), (Counts{2, 3}));
  EXPECT_EQ(graph(2, {{0, 1, 6, 4}}).repetitions(), (Counts{2, 3}));
  EXPECT_EQ(graph(2, {{0, 1, 5, 5}}).repetitions(), (Counts{1, 1}));
  EXPECT_EQ(graph(2, {{0, 1, 1, 7}}).repetitions(), (Counts{7, 1}));
}

/// a 3 -> 2 b 5 -> 4 c: a : b = 2 : 3 and b : c = 4 : 5, so 8 : 12 : 15.
TEST(Repetitions, OfAChainMultiply) {
  EXPECT_EQ(graph(3, {{0, 1, 3, 2}, {1, 2, 5, 4}}).repetitions(), (Counts{8, 12, 15}));
}

/// Known from the consumer's side too: b is the first that the second edge is joined to.
TEST(Repetitions, WalkEdgesBackwards) {
  EXPECT_EQ(graph(3, {{0, 2, 2, 1}, {1, 2, 3, 1}}).repetitions(), (Counts{3, 2, 6}));
}

/// Split 1 : 2 and 1 : 3, joined again at 6 : 1 and 9 : 1 ... a fires 6 times, b 3, c 2, d 18.
TEST(Repetitions, OfASplitAndJoinAgree) {
  EXPECT_EQ(graph(4, {{0, 1, 1, 2}, {0, 2, 1, 3}, {1, 3, 6, 1}, {2, 3, 9, 1}}).repetitions(), (Counts{6, 3, 2, 18}));
}

/// The first part balances at 2 and 1 firings; the second has nothing to do with it.
TEST(Repetitions, OfPartsThatAreNotConnectedAreTheLeastOfEach) {
  EXPECT_EQ(graph(4, {{0, 1, 1, 2}, {2, 3, 1, 1}}).repetitions(), (Counts{2, 1, 1, 1}));
  EXPECT_EQ(graph(5, {{4, 1, 1, 2}, {2, 3, 3, 5}}).repetitions(), (Counts{1, 1, 5, 3, 2}));
}

TEST(Repetitions, InconsistentRatesNameTheEdge) {
  EXPECT_EQ(complaint([] { (void)graph(3, {{0, 1, 1, 1}, {1, 2, 1, 1}, {0, 2, 2, 1}}).repetitions(); }),
            "g.toml: rates are inconsistent: edge b -> c cannot balance");
}

/// 2^15 firings more with each edge: the sixth power of it is 0 modulo 2^64. 7 x 11 x 13 ... of several parents.
TEST(Repetitions, ThatNobodyCanCountAreRefused) {
  const auto chain = [](std::size_t edges, bool up) {
    std::vector<std::array<std::uint32_t, 4>> all;
    for (std::uint32_t e = 0; e < edges; ++e) all.push_back({e, e + 1, up ? 32768U : 1U, up ? 1U : 32768U});
    return graph(edges + 1, all);
  };
  EXPECT_EQ(chain(2, true).repetitions(), (Counts{1, 32768, 1U << 30U}));
  const std::string says = ": expected at most 10^12 firings of each actor in a steady state";
  for (const std::size_t edges : {3, 5, 20}) {
    EXPECT_EQ(complaint([&] { (void)chain(edges, true).repetitions(); }),
              "g.toml: rates are too far apart: actor d" + says);
    EXPECT_EQ(complaint([&] { (void)chain(edges, false).repetitions(); }),
              "g.toml: rates are too far apart: actor d" + says);
  }
  const StreamGraph primes = graph(5, {{0, 1, 1, 65521}, {0, 2, 1, 65519}, {0, 3, 1, 65497}, {0, 4, 1, 65479}});
  EXPECT_EQ(complaint([&] { (void)primes.repetitions(); }), "g.toml: rates are too far apart: actor d" + says);
}

/// ... and exactly so many are not.
TEST(Repetitions, AreAMillionMillionAtMost) {
  constexpr std::uint32_t kMillion = 1'000'000;
  constexpr std::uint64_t kMost = std::uint64_t{kMillion} * kMillion;
  EXPECT_EQ(graph(3, {{0, 1, 1, kMillion}, {1, 2, 1, kMillion}}).repetitions(), (Counts{kMost, kMillion, 1}));
  EXPECT_EQ(graph(3, {{0, 1, kMillion, 1}, {1, 2, kMillion, 1}}).repetitions(), (Counts{1, kMillion, kMost}));
  const StreamGraph down = graph(3, {{0, 1, 1, kMillion}, {1, 2, 1, kMillion + 1}});
  const StreamGraph up = graph(3, {{0, 1, kMillion, 1}, {1, 2, kMillion + 1, 1}});
  for (const StreamGraph& more : {down, up}) {
    EXPECT_EQ(complaint([&] { (void)more.repetitions(); }),
              "g.toml: rates are too far apart: actor c: expected at most 10^12 firings of each actor in a steady "
              "state");
  }
}

std::string answer(const std::string& text) {
  const std::string file = temporary_file("known_graph.toml");
  std::ofstream(file) << text;
  const std::string what = complaint([&] { (void)read_stream_graph(file); });
  return what.rfind(file, 0) == 0 ? what.substr(file.size()) : what;
}

TEST(GraphReader, PutsEveryKeyInItsField) {
  const std::string file = temporary_file("all_keys.toml");
  std::ofstream(file) << "name = \"all\"\n[[actor]]\nname = \"p\"\nwork = 11\ntile = 7\n[[actor]]\nname = \"q\"\n"
                         "work = 0\n[[edge]]\nfrom = \"p\"\nto = \"q\"\npush = 6\npop = 3\npeek = 5\n"
                         "[[edge]]\nfrom = \"p\"\nto = \"q\"\npush = 4\npop = 2\n"
                         "[[edge]]\nfrom = \"p\"\nto = \"q\"\npush = 2\n";
  const StreamGraph g = read_stream_graph(file);
  EXPECT_EQ(g.name + " " + g.file, "all " + file);
  EXPECT_EQ(g.actors[0].name + g.actors[1].name, "pq");
  EXPECT_EQ(g.actors[0].work_cycles, 11U);
  EXPECT_EQ(g.actors[1].work_cycles, 0U);
  EXPECT_EQ(g.actors[0].placement, RouterId{7});
  EXPECT_EQ(g.actors[1].placement, std::nullopt);
  const auto rates = [](const StreamEdge& e) {
    return std::vector<std::uint32_t>{e.from, e.to, e.push, e.pop, e.peek};
  };
  EXPECT_EQ(rates(g.edges[0]), (std::vector<std::uint32_t>{0, 1, 6, 3, 5}));
  EXPECT_EQ(rates(g.edges[1]), (std::vector<std::uint32_t>{0, 1, 4, 2, 2})) << "peek is pop if not given";
  EXPECT_EQ(rates(g.edges[2]), (std::vector<std::uint32_t>{0, 1, 2, 1, 1})) << "pop is 1 if not given";
  EXPECT_EQ(g.repetitions(), (Counts{1, 2}));
}

struct Limit {
  const char* name;
  const char* good;
  const char* bad;
  const char* message;  // of the bad one, after the file's name
};
class GraphLimit : public testing::TestWithParam<Limit> {};

/// `good` and `bad` replace a line of an otherwise good graph, whose place is in the message.
TEST_P(GraphLimit, IsRefusedOneBeyond) {
  const std::string name = GetParam().name;
  const auto text = [&](const std::string& value) {
    const auto line = [&](const std::string& key, const std::string& otherwise) {
      return key + " = " + (name == key ? value : otherwise) + "\n";
    };
    return "name = \"g\"\n[[actor]]\nname = \"a\"\n" + line("work", "1") + line("tile", "3") +
           "[[actor]]\nname = \"b\"\nwork = 1\n[[edge]]\nfrom = \"a\"\n" + line("to", "\"b\"") + line("push", "4") +
           line("pop", "4") + line("peek", "65535");
  };
  EXPECT_EQ(answer(text(GetParam().good)), "");
  EXPECT_EQ(answer(text(GetParam().bad)), GetParam().message);
}
INSTANTIATE_TEST_SUITE_P(
    Keys, GraphLimit,
    testing::Values(Limit{"work", "1000000000000", "1000000000001",
                          ":4:8: \"work\": expected an integer from 0 to 1000000000000"},
                    Limit{"tile", "65535", "65536", ":5:8: \"tile\": expected an integer from 0 to 65535"},
                    Limit{"push", "65535", "65536", ":12:8: \"push\": expected an integer from 1 to 65535"},
                    Limit{"pop", "65535", "0", ":13:7: \"pop\": expected an integer from 1 to 65535"},
                    Limit{"peek", "4", "3", ":14:8: \"peek\": expected an integer from 4 to 1000000"},
                    Limit{"peek", "1000000", "1000001", ":14:8: \"peek\": expected an integer from 4 to 1000000"},
                    Limit{"to", "\"b\"", "\"\"", ":11:6: \"to\": expected a text that is not empty"}),
    [](const auto& c) { return c.param.name + std::to_string(c.index); });

TEST(GraphReader, MissingEndsAndFilesAreNamed) {
  const std::string actors = "name=\"g\"\n[[actor]]\nname=\"a\"\nwork=1\n[[actor]]\nname=\"b\"\nwork=1\n";
  EXPECT_EQ(answer(actors + "[[edge]]\nto=\"b\"\n"), ":8:1: \"from\" is missing");
  EXPECT_EQ(answer(actors + "[[edge]]\nfrom=\"a\"\n"), ":8:1: \"to\" is missing");
  EXPECT_EQ(answer(actors + "[[edge]]\nfrom=\"a\"\nto=\"b\"\npusch=2\n"),
            ":11:1: unknown key in [[edge]] \"pusch\" (did you mean \"push\"?); known: from, to, push, pop, peek, "
            "initial, group");
  EXPECT_EQ(complaint([] { (void)read_stream_graph("/nowhere.toml"); }),
            "/nowhere.toml: cannot be read: expected a stream graph");
}

PlacementOptions weights(double distance, double sharing, double disjoint, std::uint32_t moves = 3000) {
  PlacementOptions o;
  o.distance_weight = distance;
  o.sharing_weight = sharing;
  o.disjoint_weight = disjoint;
  o.moves = moves;
  return o;
}
std::vector<std::uint32_t> nodes(const std::vector<NodeId>& places) {
  std::vector<std::uint32_t> all;
  for (const NodeId n : places) all.push_back(n.value);
  return all;
}
using Nodes = std::vector<std::uint32_t>;

TEST(KnownPlacement, InOrderTakesTheFreeNodesFromTheLowest) {
  StreamGraph g = graph(4, {{0, 1, 1, 1}});
  PlacementOptions in_order;
  in_order.anneal = false;
  EXPECT_EQ(nodes(place(g, grid_of("mesh", 3, 2), in_order, 1)), (Nodes{0, 1, 2, 3}));
  g.actors[1].placement = RouterId{0};
  g.actors[3].placement = RouterId{2};
  EXPECT_EQ(nodes(place(g, grid_of("mesh", 3, 2), in_order, 1)), (Nodes{1, 0, 3, 2}));
}

/// a fires 8 times for one firing of b and c, so its edges carry 8 items, b -> c one. On a row of three: a in the
/// middle costs 8 + 8 + 2 = 18, b or c there 8 + 1 + 16 = 25. In order b would be.
TEST(KnownPlacement, DistanceCountsTheItemsOfASteadyState) {
  const StreamGraph g = graph(3, {{0, 1, 1, 8}, {0, 2, 1, 8}, {1, 2, 1, 1}});
  ASSERT_EQ(g.repetitions(), (Counts{8, 1, 1}));
  EXPECT_EQ(place(g, grid_of("mesh", 3, 1), weights(1, 0, 0), 1)[0], NodeId{1});
}

/// With a fixed at the end, its heavy neighbour b (4 items) is beside it, c (1 item) at the other end.
TEST(KnownPlacement, MovesAroundWhatIsFixed) {
  StreamGraph g = graph(3, {{0, 1, 4, 4}, {0, 2, 1, 1}});
  g.actors[0].placement = RouterId{2};
  EXPECT_EQ(nodes(place(g, grid_of("mesh", 3, 1), weights(1, 0, 0), 1)), (Nodes{2, 1, 0}));
}

/// Where no layout is better than the first, the first it stays: a row with all weights 0, however it wandered.
TEST(KnownPlacement, KeepsTheBestThatItSawNotTheLast) {
  const StreamGraph g = graph(3, {{0, 1, 1, 1}, {1, 2, 1, 1}});
  EXPECT_EQ(nodes(place(g, grid_of("mesh", 4, 1), weights(0, 0, 0), 1)), (Nodes{0, 1, 2}));
  EXPECT_EQ(nodes(place(g, grid_of("mesh", 4, 1), weights(1, 0, 0, 0), 1)), (Nodes{0, 1, 2})) << "without a move";
}

/// Three streams out of (or into) one actor need three links: no corner of a mesh, where it would start.
TEST(KnownPlacement, AnActorGetsATileWithALinkForEachStream) {
  const routing::Topology mesh = grid_of("mesh", 3, 3);
  const std::set<std::uint32_t> corners{0, 2, 6, 8};
  const StreamGraph fan_out = graph(4, {{0, 1, 1, 1}, {0, 2, 1, 1}, {0, 3, 1, 1}});
  const StreamGraph fan_in = graph(4, {{1, 0, 1, 1}, {2, 0, 1, 1}, {3, 0, 1, 1}});
  for (const StreamGraph& g : {fan_out, fan_in}) {
    EXPECT_EQ(corners.count(place(g, mesh, weights(0, 0, 0), 1)[0].value), 0U);
  }
}

/// On a row, how often a link is taken that another stream has: a -> c and b -> d in order share the middle one.
int shared(const std::vector<NodeId>& p, const StreamGraph& g) {
  std::set<std::pair<std::uint32_t, bool>> taken;
  int twice = 0;
  for (const StreamEdge& e : g.edges) {
    const std::uint32_t from = p[e.from].value, to = p[e.to].value;
    for (std::uint32_t x = std::min(from, to); x < std::max(from, to); ++x) {
      twice += taken.insert({x, from < to}).second ? 0 : 1;
    }
  }
  return twice;
}

TEST(KnownPlacement, SharingAndDisjointnessEachDriveStreamsApart) {
  const routing::Topology row = grid_of("mesh", 4, 1);
  const StreamGraph g = graph(4, {{0, 2, 1, 1}, {1, 3, 1, 1}});
  EXPECT_EQ(shared({NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}}, g), 1);
  EXPECT_EQ(shared(place(g, row, weights(0, 0, 0), 1), g), 1) << "nothing to gain";
  EXPECT_EQ(shared(place(g, row, weights(0, 1, 0), 1), g), 0);
  EXPECT_EQ(shared(place(g, row, weights(0, 0, 1), 1), g), 0);
}

/// Links of all streams, weighted by items: FM radio fires every actor once.
double distance(const StreamGraph& g, const routing::Topology& t, const std::vector<NodeId>& p) {
  double cost = 0;
  for (const StreamEdge& e : g.edges) cost += e.push * t.distances_to(t.router_of(p[e.to]))[p[e.from].value];
  return cost;
}

TEST(KnownPlacement, IsNeverWorseThanTheStartAndDependsOnTheSeed) {
  const StreamGraph g = read_stream_graph(source_file("traffic/graphs/fm_radio_4x4.toml"));
  const routing::Topology mesh = grid_of("mesh", 4, 4);
  PlacementOptions in_order;
  in_order.anneal = false;
  const double start = distance(g, mesh, place(g, mesh, in_order, 1));
  std::set<Nodes> different;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto p = place(g, mesh, weights(1, 0, 0, 40), seed);
    EXPECT_LE(distance(g, mesh, p), start + 1e-9) << seed;
    EXPECT_EQ(std::set<NodeId>(p.begin(), p.end()).size(), g.actors.size());
    different.insert(nodes(p));
  }
  EXPECT_GT(different.size(), 1U);
}

/// 4x2 mesh, everything but nodes 1 and 3 pinned. b sends to nodes 0 and 2: from 3 over one link both, from 1 west and
/// east over two. The actor before it has node 1 at first.
TEST(KnownPlacement, SharesNoLinkInOppositeDirections) {
  StreamGraph g = graph(8, {{1, 2, 1, 1}, {1, 3, 1, 1}});
  g.actors[2].placement = RouterId{0};
  g.actors[3].placement = RouterId{2};
  for (std::size_t a = 4; a < 8; ++a) g.actors[a].placement = RouterId{a};
  EXPECT_EQ(place(g, grid_of("mesh", 4, 2), weights(0, 1, 0), 1)[1], NodeId{1});
}

TEST(KnownPlacement, SaysWhatDoesNotFit) {
  StreamGraph g = graph(5, {{0, 1, 1, 1}});
  const routing::Topology four = grid_of("mesh", 2, 2);
  EXPECT_EQ(complaint([&] { place(g, four, {}, 1); }), "g.toml: the graph has 5 actors, the network only 4 nodes");
  g.actors.resize(4);
  EXPECT_EQ(complaint([&] { place(g, four, weights(1, 0, 0), 1); }), "");
  g.actors[1].placement = RouterId{4};
  EXPECT_EQ(complaint([&] { place(g, four, {}, 1); }), "g.toml: actor b: tile 4 is out of range: expected 0 to 3");
}

}  // namespace
}  // namespace braid::test::known_graphs_test
