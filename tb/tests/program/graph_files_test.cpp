// A flat graph as JSON, GraphML and dot, by hand: a filter, a splitter that copies, one that takes turns, a joiner.
#include "tb/braid/graph_files.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace braid::test::graph_files_test {
namespace {

namespace json = boost::json;
using tb::GraphCounts;
using traffic::FlatEdge;
using traffic::FlatGraph;
using traffic::FlatNode;
using Kind = FlatNode::Kind;

FlatNode node(Kind kind, const std::string& name, std::vector<std::uint64_t> weights = {}) {
  FlatNode n;
  n.kind = kind;
  n.name = name;
  n.declaration = "of_" + name;
  n.where = {"a.str", 3, 7};
  n.weights = std::move(weights);
  return n;
}

/// Nodes 0 to 4: a filter with state, one without that begins with a first firing of its own, two splitters, a joiner.
FlatGraph graph() {
  FlatGraph g;
  g.name = "g<1>";
  g.nodes = {node(Kind::kFilter, "a\"b"), node(Kind::kFilter, "c\\d"), node(Kind::kSplitter, "copies", {1, 1}),
             node(Kind::kSplitter, "turns", {2, 3}), node(Kind::kJoiner, "joins", {4, 5, 6})};
  g.nodes[0].filter.work = {5, 2, 4, 90};
  g.nodes[0].filter.stateful = true;
  g.nodes[0].filter.input_type = "int";
  g.nodes[0].filter.output_type = "float";
  g.nodes[1].filter.work = {1, 1, 1, 30};
  g.nodes[1].filter.prework = traffic::WorkFunction{7, 8, 9, 10};
  g.nodes[1].filter.calls = 2;
  g.nodes[2].split = traffic::Split::kDuplicate;
  g.nodes[3].split = traffic::Split::kRoundRobin;
  g.nodes[4].split = traffic::Split::kDuplicate;  // of a joiner nobody looks at it
  g.edges = {FlatEdge{0, 1, 5, 2, 4, 11, 2}, FlatEdge{1, 2, 1, 1, 1, 0, 1}, FlatEdge{2, 4, 0, 0, 0, 0, 1},
             FlatEdge{3, 4, 0, 6, 6, 0, 1}, FlatEdge{4, 0, 3, 0, 0, 0, 1}};
  return g;
}

const std::vector<std::uint64_t> kFirings = {10, 20, 30, 40, 50};

TEST(GraphCounts, AreOfEachKind) {
  const GraphCounts c = tb::counts_of(graph());
  EXPECT_EQ(c.filters, 2U);
  EXPECT_EQ(c.splitters, 2U);
  EXPECT_EQ(c.joiners, 1U);
  EXPECT_EQ(c.edges, 5U);
}

TEST(GraphNodes, OfEachKindHaveTheirNameAndFiltersAloneHaveWork) {
  FlatGraph g = graph();
  EXPECT_STREQ(tb::kind_of(g.nodes[0]), "filter");
  EXPECT_STREQ(tb::kind_of(g.nodes[2]), "splitter");
  EXPECT_STREQ(tb::kind_of(g.nodes[4]), "joiner");
  EXPECT_EQ(tb::work_of(g.nodes[0]), 90U);
  g.nodes[2].filter.work.work_cycles = g.nodes[4].filter.work.work_cycles = 8;
  EXPECT_EQ(tb::work_of(g.nodes[2]), 0U);
  EXPECT_EQ(tb::work_of(g.nodes[4]), 0U);
}

TEST(GraphJson, HasEveryFieldOfAFilter) {
  const json::object all = tb::graph_json(graph(), kFirings, {}, {});
  EXPECT_EQ(all.at("nodes").at(0), json::parse(R"({"kind": "filter", "name": "a\"b", "declaration": "of_a\"b",
      "file": "a.str", "line": 3, "column": 7, "repetitions": 10, "push": 5, "pop": 2, "peek": 4, "work": 90,
      "stateful": true, "input_type": "int", "output_type": "float"})"));
  EXPECT_EQ(all.at("nodes").at(1), json::parse(R"({"kind": "filter", "name": "c\\d", "declaration": "of_c\\d",
      "file": "a.str", "line": 3, "column": 7, "repetitions": 20, "push": 1, "pop": 1, "peek": 1, "work": 30,
      "prework": {"push": 7, "pop": 8, "peek": 9, "work": 10}, "calls": 2,
      "stateful": false, "input_type": "void", "output_type": "void"})"));
}

TEST(GraphJson, SaysOfASplitterHowItSplitsAndOfBothTheirWeights) {
  const json::object all = tb::graph_json(graph(), kFirings, {}, {});
  EXPECT_EQ(all.at("nodes").at(2).at("split"), "duplicate");
  EXPECT_EQ(all.at("nodes").at(3).at("split"), "roundrobin");
  EXPECT_EQ(all.at("nodes").at(3).at("weights"), json::parse("[2, 3]"));
  EXPECT_EQ(all.at("nodes").at(4), json::parse(R"({"kind": "joiner", "name": "joins", "declaration": "of_joins",
      "file": "a.str", "line": 3, "column": 7, "repetitions": 50, "weights": [4, 5, 6]})"));
}

TEST(GraphJson, HasEdgesAndTheThreeCounts) {
  const json::object all = tb::graph_json(graph(), kFirings, {1, 2, 3, 4}, {5, 6, 7, 8});
  EXPECT_EQ(all.at("name"), "g<1>");
  EXPECT_EQ(all.at("edges").as_array().size(), 5U);
  EXPECT_EQ(all.at("edges").at(0),
            json::parse(R"({"from": 0, "to": 1, "push": 5, "pop": 2, "peek": 4, "initial": 11, "words": 2})"));
  EXPECT_EQ(all.at("counts"), json::parse(R"({"filters": 2, "splitters": 2, "joiners": 1, "edges": 5})"));
  EXPECT_EQ(all.at("counts_as_written"), json::parse(R"({"filters": 1, "splitters": 2, "joiners": 3, "edges": 4})"));
  EXPECT_EQ(all.at("counts_lifted"), json::parse(R"({"filters": 5, "splitters": 6, "joiners": 7, "edges": 8})"));
}

/// A box, a triangle, one upside down; of copies no weights; an edge without items dashed, one with a look ahead says
/// so.
TEST(GraphDot, IsThis) {
  EXPECT_EQ(tb::graph_dot(graph(), kFirings), R"(digraph "g<1>" {
  node [fontname="sans-serif"];
  n0 [shape=box, label="a\"b\n10 x 90 cycles, stateful"];
  n1 [shape=box, label="c\\d\n20 x 30 cycles"];
  n2 [shape=triangle, label="copies\nduplicate"];
  n3 [shape=triangle, label="turns\n2,3"];
  n4 [shape=invtriangle, label="joins\n4,5,6"];
  n0 -> n1 [taillabel="5", headlabel="2 of 4"];
  n1 -> n2 [taillabel="1", headlabel="1"];
  n2 -> n4 [taillabel="0", headlabel="0", style=dashed];
  n3 -> n4 [taillabel="0", headlabel="6"];
  n4 -> n0 [taillabel="3", headlabel="0"];
}
)");
}

TEST(GraphGraphml, OfAFilterHasNoWeights) {
  const std::string all = tb::graph_graphml(graph(), kFirings);
  EXPECT_NE(all.find(R"(    <node id="n0">
      <data key="name">a&quot;b</data>
      <data key="kind">filter</data>
      <data key="declaration">of_a&quot;b</data>
      <data key="repetitions">10</data>
      <data key="work">90</data>
      <data key="stateful">true</data>
    </node>
)"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find(R"(    <node id="n4">
      <data key="name">joins</data>
      <data key="kind">joiner</data>
      <data key="declaration">of_joins</data>
      <data key="weights">4,5,6</data>
      <data key="repetitions">50</data>
      <data key="work">0</data>
      <data key="stateful">false</data>
    </node>
)"),
            std::string::npos)
      << all;
}

TEST(GraphGraphml, HasItsKeysAndEdges) {
  const std::string all = tb::graph_graphml(graph(), kFirings);
  EXPECT_EQ(all.rfind(R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="declaration" for="node" attr.name="declaration" attr.type="string"/>
  <key id="weights" for="node" attr.name="weights" attr.type="string"/>
  <key id="repetitions" for="node" attr.name="repetitions" attr.type="long"/>
  <key id="work" for="node" attr.name="work" attr.type="long"/>
  <key id="stateful" for="node" attr.name="stateful" attr.type="boolean"/>
  <key id="push" for="edge" attr.name="push" attr.type="long"/>
  <key id="pop" for="edge" attr.name="pop" attr.type="long"/>
  <key id="peek" for="edge" attr.name="peek" attr.type="long"/>
  <key id="initial" for="edge" attr.name="initial" attr.type="long"/>
  <graph id="g&lt;1&gt;" edgedefault="directed">
)",
                      0),
            0U)
      << all;
  EXPECT_NE(all.find(R"(    <edge source="n0" target="n1">
      <data key="push">5</data>
      <data key="pop">2</data>
      <data key="peek">4</data>
      <data key="initial">11</data>
    </edge>
)"),
            std::string::npos)
      << all;
  EXPECT_EQ(all.substr(all.size() - 22), "  </graph>\n</graphml>\n");
}

TEST(Portals, AreWarnedOfWithTheirPlaceAndOnlyWhereThereAreAny) {
  traffic::Structure program;
  testing::internal::CaptureStderr();
  tb::warn_of_messages(program);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  program.portal = {"a.str", 1, 9};
  testing::internal::CaptureStderr();
  tb::warn_of_messages(program);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "braid: a.str:1:9: portals: their messages are read, but take no time and come when they may\n");
}

}  // namespace
}  // namespace braid::test::graph_files_test
