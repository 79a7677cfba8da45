// Stream graphs: rates, placement, and the reader's answers to bad files.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tb/tests/support/bench.h"

namespace braid::test::stream_graph_test {
namespace {

using namespace traffic;

TEST(StreamGraph, FmRadioHasTheWorkAndItemsOfItsSource) {
  const StreamGraph g = read_stream_graph(source_file("traffic/graphs/fm_radio_4x4.toml"));
  EXPECT_EQ(g.actors.size(), 14U);
  EXPECT_EQ(g.edges.size(), 18U);
  std::uint64_t bands = 0;
  for (const Actor& a : g.actors) {
    if (a.name.rfind("band", 0) == 0) bands += a.work_cycles;
  }
  EXPECT_EQ(bands, 9U * 1547 + 2 * 710);
  for (const std::uint64_t r : g.repetitions()) EXPECT_EQ(r, 1U);
  std::uint32_t into_sink = 0;
  std::vector<int> in(g.actors.size()), out(g.actors.size());
  for (const StreamEdge& e : g.edges) {
    ++out[e.from];
    ++in[e.to];
    if (g.actors[e.to].name == "sink") into_sink += e.pop;
  }
  EXPECT_EQ(into_sink, 20U);
  for (std::size_t a = 0; a < g.actors.size(); ++a) {
    EXPECT_LE(in[a], 3);
    EXPECT_LE(out[a], 3);
  }
}

TEST(StreamGraph, RepetitionsBalanceEveryEdge) {
  const StreamGraph g = read_stream_graph(source_file("traffic/graphs/pipeline.toml"));
  EXPECT_EQ(g.repetitions(), (std::vector<std::uint64_t>{2, 2, 1, 1}));
}

TEST(StreamGraph, EdgesThatCarryCopiesHaveAGroup) {
  const std::string file = temporary_file("copies.toml");
  std::ofstream(file) << "name = \"copies\"\nactor = [{name = \"a\", work = 1}, {name = \"b\", work = 1}]\n"
                         "edge = [{from = \"a\", to = \"b\", group = 7}, {from = \"a\", to = \"b\"}]\n";
  const StreamGraph g = read_stream_graph(file);
  EXPECT_EQ(g.edges[0].group, std::optional<std::uint32_t>(7));
  EXPECT_EQ(g.edges[1].group, std::nullopt);
}

/// What another actor sends, or goes by another number, is no copy, whatever its rate.
TEST(StreamGraph, CopiesAreOfOneActorAndOneGroup) {
  const std::string file = temporary_file("groups.toml");
  std::ofstream(file)
      << "name = \"g\"\nactor = [{name = \"a\", work = 1}, {name = \"b\", work = 1}, "
         "{name = \"c\", work = 1}]\n"
         "edge = [{from = \"a\", to = \"b\", group = 7}, {from = \"a\", to = \"c\", push = 2, group = 8}, "
         "{from = \"b\", to = \"c\", push = 2, group = 7}, {from = \"a\", to = \"c\", push = 2}, "
         "{from = \"a\", to = \"b\", group = 7}]\n";
  const StreamGraph g = read_stream_graph(file);
  EXPECT_EQ(g.edges[4].group, g.edges[0].group);
  EXPECT_EQ(g.edges[2].group, std::optional<std::uint32_t>(7));
  EXPECT_EQ(g.repetitions(), (std::vector<std::uint64_t>{1, 1, 2}));
}

/// Written as short as can be: what is usual goes without saying.
TEST(StreamGraph, IsWrittenWithoutWhatIsUsual) {
  StreamGraph g;
  g.name = "a \"b\" \\c";
  g.actors = {{"p", 3, {}}, {"q", 4, RouterId{5}}};
  g.edges = {{0, 1}, {1, 0, 2, 3, 4, 7, 5}, {0, 1, 1, 3, 3}, {0, 1, 65535, 1, 2}};
  EXPECT_EQ(to_toml(g),
            "name = \"a \\\"b\\\" \\\\c\"\n"
            "\n[[actor]]\nname = \"p\"\nwork = 3\n"
            "\n[[actor]]\nname = \"q\"\nwork = 4\ntile = 5\n"
            "\n[[edge]]\nfrom = \"p\"\nto = \"q\"\n"
            "\n[[edge]]\nfrom = \"q\"\nto = \"p\"\npush = 2\npop = 3\npeek = 4\ninitial = 5\ngroup = 7\n"
            "\n[[edge]]\nfrom = \"p\"\nto = \"q\"\npop = 3\n"
            "\n[[edge]]\nfrom = \"p\"\nto = \"q\"\npush = 65535\npeek = 2\n");
}

TEST(StreamGraph, KeepsThePlanThatASearchHasFound) {
  StreamGraph g = read_stream_graph(source_file("traffic/graphs/pipeline.toml"));
  for (std::size_t a = 0; a < g.actors.size(); ++a) g.actors[a].placement = RouterId{static_cast<std::uint32_t>(3 * a)};
  g.plan = StreamGraphPlan{0.25, true, {"packets", "5 streams leave \"a\"", 3, 12, 2, 7, 30, 1.0 / 3, 20.5}};
  const std::string file = temporary_file("planned.toml");
  std::ofstream(file) << to_toml(g);
  const StreamGraph again = read_stream_graph(file);
  EXPECT_EQ(to_toml(again), to_toml(g));
  ASSERT_TRUE(again.plan);
  EXPECT_EQ(again.plan->steady_states, std::optional<double>(0.25));
  EXPECT_TRUE(again.plan->packets);
  EXPECT_EQ(again.plan->remedy.taken, "packets");
  EXPECT_EQ(again.plan->remedy.why, "5 streams leave \"a\"");
  EXPECT_EQ(again.plan->remedy.degree, 3U);
  EXPECT_EQ(again.plan->remedy.tiles, 12U);
  EXPECT_EQ(again.plan->remedy.layout, 2U);
  EXPECT_EQ(again.plan->remedy.tried, 7U);
  EXPECT_EQ(again.plan->remedy.least_cycles, 30.0);
  EXPECT_EQ(again.plan->remedy.least_cycles_asked, 1.0 / 3);
  EXPECT_EQ(again.plan->remedy.packets_least_cycles, std::optional<double>(20.5));
  EXPECT_EQ(again.actors[2].placement, std::optional<RouterId>(RouterId{6}));
}

TEST(Placement, IsRepeatableDisjointAndBetterThanNone) {
  const StreamGraph g = read_stream_graph(source_file("traffic/graphs/fm_radio_4x4.toml"));
  Configuration options;
  options.set("topology.width", 4);
  options.set("topology.height", 4);
  const routing::Topology mesh = routing::make_topology(options);
  PlacementOptions annealed, in_order;
  in_order.anneal = false;
  const auto one = place(g, mesh, annealed, 1);
  EXPECT_EQ(one, place(g, mesh, annealed, 1));
  EXPECT_EQ(std::set<NodeId>(one.begin(), one.end()).size(), g.actors.size());
  const auto distance = [&](const std::vector<NodeId>& p) {
    std::uint32_t links = 0;
    for (const StreamEdge& e : g.edges) links += mesh.distances_to(mesh.router_of(p[e.to]))[p[e.from].value];
    return links;
  };
  EXPECT_LT(distance(one), distance(place(g, mesh, in_order, 1)));
}

TEST(Placement, KeepsFixedTilesAndNeedsRoom) {
  StreamGraph g = read_stream_graph(source_file("traffic/graphs/pipeline.toml"));
  Configuration options;
  options.set("topology.width", 2);
  options.set("topology.height", 2);
  const routing::Topology mesh = routing::make_topology(options);
  g.actors[2].placement = RouterId{3};
  EXPECT_EQ(place(g, mesh, {}, 1)[2], NodeId{3});
  g.actors[2].placement = RouterId{4};
  EXPECT_THROW(place(g, mesh, {}, 1), InputError);
  g.actors.resize(5);
  EXPECT_THROW(place(g, mesh, {}, 1), InputError);
}

struct BadGraph {
  const char* name;
  const char* text;
  const char* message;  // after the file's name
};
#define ACTORS "name=\"g\"\n[[actor]]\nname=\"a\"\nwork=1\n[[actor]]\nname=\"b\"\nwork=1\n"

#define PLANNED                                                                                \
  "name=\"g\"\n[[actor]]\nname=\"a\"\nwork=1\ntile=0\n[[actor]]\nname=\"b\"\nwork=1\ntile=1\n" \
  "[[edge]]\nfrom=\"a\"\nto=\"b\"\n"

class BadStreamGraph : public testing::TestWithParam<BadGraph> {};

TEST_P(BadStreamGraph, GivesOneLineWithItsPlace) {
  const std::string file = temporary_file(GetParam().name + std::string("_graph.toml"));
  std::ofstream(file) << GetParam().text;
  try {
    (void)read_stream_graph(file);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).rfind(file + GetParam().message, 0), 0U) << e.what();
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
  }
}
INSTANTIATE_TEST_SUITE_P(
    Corpus, BadStreamGraph,
    testing::Values(
        BadGraph{"toml", "name = ", ":1:"},
        BadGraph{"escape", "name=\"a\\u001b[31m\"", ":1:6: \"name\": expected no control characters"},
        BadGraph{"deep", "\na.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q=1", ":2: a key of more than 16 parts"},
        BadGraph{"empty", "", ":"}, BadGraph{"no_name", "[[actor]]\nname=\"a\"\nwork=1", ":1:1: \"name\" is missing"},
        BadGraph{"no_actor", "name=\"g\"", ":1:1: expected at least one [[actor]]"},
        BadGraph{"top_key", "nam=\"g\"", ":1:1: unknown key in the top level \"nam\" (did you mean \"name\"?)"},
        BadGraph{"actor_key", "name=\"g\"\n[[actor]]\nname=\"a\"\nwrok=1",
                 ":4:1: unknown key in [[actor]] \"wrok\" (did you mean \"work\"?)"},
        BadGraph{"no_work", "name=\"g\"\n[[actor]]\nname=\"a\"", ":2:1: \"work\" is missing"},
        BadGraph{"work_text", "name=\"g\"\n[[actor]]\nname=\"a\"\nwork=\"much\"",
                 ":4:6: \"work\": expected an integer"},
        BadGraph{"negative", "name=\"g\"\n[[actor]]\nname=\"a\"\nwork=-1", ":4:6: \"work\": expected an integer"},
        BadGraph{"twice", "name=\"g\"\n[[actor]]\nname=\"a\"\nwork=1\n[[actor]]\nname=\"a\"\nwork=1",
                 ":6:6: actor \"a\" is there twice"},
        BadGraph{"actor_no_array", "name=\"g\"\nactor=1", ":2:7: expected [[actor]] tables"},
        BadGraph{"no_edge", ACTORS, ":1:1: expected at least one [[edge]]"},
        BadGraph{"unknown", ACTORS "[[edge]]\nfrom=\"a\"\nto=\"c\"", ":10:4: unknown actor \"c\""},
        BadGraph{"loop", ACTORS "[[edge]]\nfrom=\"a\"\nto=\"a\"", ":8:1: an edge joins actor \"a\" to itself"},
        BadGraph{"push", ACTORS "[[edge]]\nfrom=\"a\"\nto=\"b\"\npush=0",
                 ":11:6: \"push\": expected an integer from 1"},
        BadGraph{"peek", ACTORS "[[edge]]\nfrom=\"a\"\nto=\"b\"\npop=4\npeek=3",
                 ":12:6: \"peek\": expected an integer from 4"},
        BadGraph{"real", ACTORS "[[edge]]\nfrom=\"a\"\nto=\"b\"\npop=1.5", ":11:5: \"pop\": expected an integer"},
        BadGraph{"cycle_behind_a_source",
                 ACTORS "[[actor]]\nname=\"s\"\nwork=1\n[[edge]]\nfrom=\"s\"\nto=\"a\"\n"
                        "[[edge]]\nfrom=\"a\"\nto=\"b\"\n[[edge]]\nfrom=\"b\"\nto=\"a\"",
                 ":1:1: the edges form a cycle through actor \"a\""},
        BadGraph{"cycle", ACTORS "[[edge]]\nfrom=\"a\"\nto=\"b\"\n[[edge]]\nfrom=\"b\"\nto=\"a\"",
                 ":1:1: the edges form a cycle"},
        BadGraph{"lonely", ACTORS "[[actor]]\nname=\"c\"\nwork=1\n[[edge]]\nfrom=\"a\"\nto=\"b\"",
                 ":1:1: actor \"c\" has no edge"},
        BadGraph{"plan_value", "plan=1\n" PLANNED, ":1:6: expected a table [plan]"},
        BadGraph{"plan_key", PLANNED "[plan]\ntakn=\"packets\"",
                 ":14:1: unknown key in [plan] \"takn\" (did you mean \"taken\"?)"},
        BadGraph{"plan_empty", PLANNED "[plan]\n", ":13:1: \"taken\" is missing"},
        BadGraph{"plan_cycles", PLANNED "[plan]\ntaken=\"x\"\nleast_cycles=0",
                 ":15:14: \"least_cycles\": expected a number above 0"},
        BadGraph{"plan_states", PLANNED "[plan]\ntaken=\"x\"\nsteady_states=\"1\"",
                 ":15:15: \"steady_states\": expected a number above 0"},
        BadGraph{"plan_infinite", PLANNED "[plan]\ntaken=\"x\"\nleast_cycles=inf",
                 ":15:14: \"least_cycles\": expected a number above 0"},
        BadGraph{"plan_packets", PLANNED "[plan]\ntaken=\"x\"\npackets=1",
                 ":15:9: \"packets\": expected true or false"},
        BadGraph{"plan_degree", PLANNED "[plan]\ntaken=\"x\"\ndegree=-1", ":15:8: \"degree\": expected an integer"},
        BadGraph{"plan_without_tiles",
                 ACTORS "[[edge]]\nfrom=\"a\"\nto=\"b\"\n[plan]\ntaken=\"x\"\nleast_cycles=1\nleast_cycles_as_asked=1",
                 ":11:1: [plan]: expected a tile for each actor; \"a\" has none"},
        BadGraph{"rates", ACTORS "[[edge]]\nfrom=\"a\"\nto=\"b\"\n[[edge]]\nfrom=\"a\"\nto=\"b\"\npush=2",
                 ": rates are inconsistent"},
        BadGraph{"copies",
                 ACTORS "[[edge]]\nfrom=\"a\"\nto=\"b\"\ngroup=7\n"
                        "[[edge]]\nfrom=\"a\"\nto=\"b\"\npush=2\npop=2\ngroup=7",
                 ":17:7: \"group\": edges of group 7 carry copies of the same items: expected push = 1"},
        BadGraph{"empty_name", "name=\"\"", ":1:6: \"name\": expected a text that is not empty"},
        BadGraph{"actor_no_table", "name=\"g\"\nactor=[1]", ":2:8: expected a table"},
        BadGraph{"tile", "name=\"g\"\n[[actor]]\nname=\"a\"\nwork=1\ntile=1\n[[actor]]\nname=\"b\"\nwork=1\ntile=1",
                 ":9:6: actor \"a\" is on this tile already"}),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::stream_graph_test
