// GraphML line by line: what is read, and the one line that answers what is not (docs/graphml.md).
#include "routing/topology/graphml.h"

#include <gtest/gtest.h>

#include <fstream>

#include "routing/topology/topology.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::graphml_test {
namespace {

using namespace routing;

/// What a network of that text answers, from the line number on; "" if it is good.
std::string answer(const std::string& text) {
  const std::string file = temporary_file("answer.graphml");
  std::ofstream(file) << text;
  Configuration options;
  options.set("topology.kind", "graph");
  options.set("topology.file", file);
  const std::string what = complaint([&] { make_topology(options); });
  EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  return what.rfind(file, 0) == 0 ? what.substr(file.size()) : what;
}

/// Lines 1 to 4 and the last are always the same; `body` begins in line 5.
std::string graph(const std::string& body) {
  return "<graphml><key id=\"l\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"/>\n"
         "<key id=\"n\" for=\"node\" attr.name=\"nodes\" attr.type=\"long\"/>\n"
         "<key id=\"w\" for=\"all\" attr.name=\"name\" attr.type=\"string\"/>\n"
         "<graph edgedefault=\"undirected\">\n" +
         body + "</graph></graphml>\n";
}
std::string nodes_with(const std::string& data) {
  return graph("<node id=\"a\"/>\n<node id=\"b\">" + data + "</node>\n<edge source=\"a\" target=\"b\"/>\n");
}
std::string edge_with(const std::string& data) {
  return graph("<node id=\"a\"/>\n<node id=\"b\"/>\n<edge source=\"a\" target=\"b\">" + data + "</edge>\n");
}

struct Case {
  const char* name;
  std::string text;
  const char* message;
};
class GraphMlFault : public testing::TestWithParam<Case> {};
TEST_P(GraphMlFault, GivesOneLine) { EXPECT_EQ(answer(GetParam().text), GetParam().message); }

const std::string kPair = "<node id=\"a\"/>\n<node id=\"b\"/>\n";

INSTANTIATE_TEST_SUITE_P(
    Xml, GraphMlFault,
    testing::Values(
        Case{"empty", "", ":1:1: XML: no element found"}, Case{"text", "hello", ":1:1: XML: syntax error"},
        Case{"unclosed", "<graphml>\n<graph>", ":2:8: XML: no element found, in <graph> of line 2"},
        Case{"half_a_tag", "<graphml>\n<graph ", ":2:1: XML: unclosed token, in <graphml> of line 1"},
        Case{"crossed", "<graphml>\n<graph>\n</graphml></graph>", ":3:3: XML: mismatched tag, in <graph> of line 2"},
        Case{"comment", "<graphml>\n<!-- ", ":2:1: XML: unclosed token, in <graphml> of line 1"},
        Case{"no_value", "<graphml>\n<graph id>",
             ":2:10: XML: not well-formed (invalid token), in <graphml> of line 1"},
        Case{"no_quotes", "<graphml>\n<graph id=1>",
             ":2:11: XML: not well-formed (invalid token), in <graphml> of line 1"},
        Case{"twice", "<graphml>\n<graph id='1' id='2'>", ":2:15: XML: duplicate attribute, in <graphml> of line 1"},
        Case{"entity", "<graphml>\n&nbsp;</graphml>", ":2:1: XML: undefined entity, in <graphml> of line 1"},
        Case{"escape", "<graphml>\n&#27;</graphml>",
             ":2:1: XML: reference to invalid character number, in <graphml> of line 1"},
        Case{"control", "<graphml>\n\x1b</graphml>",
             ":2:1: XML: not well-formed (invalid token), in <graphml> of line 1"},
        Case{"not_utf8", "<?xml version='1.0' encoding='latin1'?>\n<graphml>\xe9</graphml>",
             ":2:10: XML: not well-formed (invalid token), in <graphml> of line 2"},
        Case{"utf_16", std::string("<\0g\0", 4), ":1:1: XML: not UTF-8: expected UTF-8"},
        Case{"two_roots", "<graphml/>\n<graphml/>\n", ":2:1: XML: junk after document element"}),
    [](const auto& c) { return c.param.name; });

/// What a DOCTYPE declares could grow without bound, or be read from anywhere.
INSTANTIATE_TEST_SUITE_P(
    Doctype, GraphMlFault,
    testing::Values(Case{"entity", "<!DOCTYPE g [\n<!ENTITY a \"b\">]><graphml/>",
                         ":1:13: XML: declarations in a DOCTYPE are not read"},
                    Case{"bomb", "<!DOCTYPE g [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><graphml>&b;</graphml>",
                         ":1:13: XML: declarations in a DOCTYPE are not read"},
                    Case{"file", "<!DOCTYPE g [<!ENTITY a SYSTEM \"/etc/passwd\">]><graphml>&a;</graphml>",
                         ":1:13: XML: declarations in a DOCTYPE are not read"},
                    Case{"of_another_file", "<!DOCTYPE g SYSTEM \"g.dtd\">\n<graphml>&a;</graphml>",
                         ":2:10: XML: undefined entity"},
                    Case{"in_an_attribute",
                         "<!DOCTYPE g SYSTEM \"g.dtd\">\n<graphml>\n<graph id=\"&lt;&a;\"/></graphml>",
                         ":3:1: XML: undefined entity"},
                    Case{"that_says_nothing", "<!DOCTYPE g SYSTEM \"g.dtd\">\n<graph id=\"&lt;\"/>",
                         ":2: not a GraphML network: expected <graphml>, not <graph>"}),
    [](const auto& c) { return c.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Structure, GraphMlFault,
    testing::Values(
        Case{"other_root", "\n<other/>", ":2: not a GraphML network: expected <graphml>, not <other>"},
        Case{"no_graph", "<graphml/>", ":1: not a GraphML network: expected <graph> in <graphml>"},
        Case{"two_graphs", "<graphml><graph/>\n<graph/></graphml>", ":2: a second <graph>: expected one, as in line 1"},
        Case{"directed", "<graphml>\n<graph edgedefault=\"directed\"/></graphml>",
             ":2: edgedefault = \"directed\": expected \"undirected\", for every link leads both ways (networkx: "
             "to_undirected())"},
        Case{"directed_edge", graph(kPair + "<edge source=\"a\" target=\"b\" directed=\"true\"/>"),
             ":7: edge \"a\" - \"b\": directed = \"true\": expected \"false\", for every link leads both ways"},
        Case{"hyperedge", graph("<hyperedge/>"),
             ":5: <hyperedge> in <graph> is not read; known: node, edge, data, desc"},
        Case{"child_of_graphml", "<graphml>\n<grahp/></graphml>",
             ":2: <grahp> in <graphml> is not read (did you mean \"graph\"?); known: key, graph, data, desc"},
        Case{"child_of_key", "<graphml>\n<key id=\"k\" attr.name=\"name\"><x/></key></graphml>",
             ":2: <x> in <key> is not read; known: default, desc"},
        Case{"child_of_data", nodes_with("<data key=\"n\">1<x/></data>"), ":6: <x> in <data> is not read; known:"},
        Case{"child_of_edge", edge_with("<x/>"), ":7: <x> in <edge> is not read; known: data, desc"},
        Case{"in_the_tag_of_an_edge", graph(kPair + "<edge source=\"a\" target=\"b\" weight=\"2\"/>"),
             ":7: <edge> has weight = \"...\" in its tag; known there: id, source, target, directed; attributes of a "
             "network stand in <data>"},
        Case{"key_without_id", "<graphml>\n<key attr.name=\"name\"/></graphml>", ":2: <key> without id = \"...\""},
        Case{"no_source", graph(kPair + "<edge target=\"a\"/>"), ":7: <edge> without source = \"...\""},
        Case{"data_without_key", nodes_with("<data>1</data>"), ":6: <data> without key = \"...\""},
        Case{"data_not_for_a_graph", graph("<data key=\"l\">1</data>"),
             ":5: key \"l\" is for edge, attribute \"latency\": not for a graph"},
        Case{"data_not_for_all",
             "<graphml><key id=\"l\" for=\"edge\" attr.name=\"latency\"/><graph/>\n<data "
             "key=\"l\">1</data></graphml>",
             ":2: key \"l\" is for edge, attribute \"latency\": not for a graphml"},
        Case{"graph_in_node", graph("<node id=\"a\">\n<graph/></node>"),
             ":6: <graph> in <node> is not read; known: data, desc"},
        Case{"no_vertex", graph(""), ": the network has no node: expected at least one vertex with nodes > 0"},
        Case{"no_id", graph("<node/>"), ":5: <node> without id = \"...\""},
        Case{"id_twice", graph("<node id=\"a\"/>\n\n<node id=\"a\"/>"),
             ":7: node id \"a\" is taken by the node in line 5"},
        Case{"in_the_tag", graph("<node id=\"a\" nodes=\"2\"/>"),
             ":5: <node> has nodes = \"...\" in its tag; known there: id; attributes of a network stand in <data>"},
        Case{"no_target", graph(kPair + "<edge source=\"a\"/>"), ":7: <edge> without target = \"...\""},
        Case{"unknown_vertex", graph(kPair + "<edge source=\"a\" target=\"c\"/>"),
             ":7: edge \"a\" - \"c\": \"c\" is an id that no <node> declares (did you mean \"a\"?)"},
        Case{"self_loop", graph(kPair + "<edge source=\"a\" target=\"a\"/>"),
             ":7: edge \"a\" - \"a\" joins a router to itself"}),
    [](const auto& c) { return c.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Attributes, GraphMlFault,
    testing::Values(
        Case{"unknown", "<graphml>\n<key id=\"x\" for=\"node\" attr.name=\"node\" attr.type=\"int\"/></graphml>",
             ":2: unknown attribute for node \"node\" (did you mean \"nodes\"?); known: name, nodes, x, y"},
        Case{"of_the_other", "<graphml>\n<key id=\"x\" for=\"node\" attr.name=\"latency\"/></graphml>",
             ":2: unknown attribute for node \"latency\"; known: name, nodes, x, y"},
        Case{"for_whom", "<graphml>\n<key id=\"x\" for=\"port\" attr.name=\"name\"/></graphml>",
             ":2: unknown for \"port\"; known: all, edge, graph, graphml, node"},
        Case{"type", "<graphml>\n<key id=\"x\" for=\"node\" attr.name=\"name\" attr.type=\"text\"/></graphml>",
             ":2: unknown attr.type \"text\"; known: boolean, int, long, float, double, string"},
        Case{"of_nobody", "<graphml>\n<key id=\"x\" attr.name=\"speed\"/></graphml>",
             ":2: unknown attribute for all \"speed\"; known: flits_per_cycle, latency, name, nodes, x, y"},
        Case{"of_all_and_not_of_nodes",
             "<graphml><key id=\"l\" attr.name=\"latency\"/><graph>\n<node id=\"a\"><data "
             "key=\"l\">1</data></node></graph></graphml>",
             ":2: key \"l\" is for all, attribute \"latency\": not for a node"},
        Case{"name_of_edges_in_a_node",
             "<graphml><key id=\"e\" for=\"edge\" attr.name=\"name\"/><graph>\n<node id=\"a\"><data "
             "key=\"e\">x</data></node></graph></graphml>",
             ":2: key \"e\" is for edge, attribute \"name\": not for a node"},
        Case{"no_name", "<graphml>\n<key id=\"x\" for=\"node\"/></graphml>", ":2: <key> without attr.name = \"...\""},
        Case{"key_twice", "<graphml><key id=\"x\" attr.name=\"name\"/>\n<key id=\"x\" attr.name=\"nodes\"/></graphml>",
             ":2: key \"x\" is declared in line 1 already"},
        Case{"undeclared", nodes_with("\n<data key=\"z\">1</data>"), ":7: data of key \"z\", which no <key> declares"},
        Case{"not_for_nodes", nodes_with("<data key=\"l\">1</data>"),
             ":6: key \"l\" is for edge, attribute \"latency\": not for a node"},
        Case{"value_twice", edge_with("<data key=\"l\">1</data>\n<data key=\"l\">2</data>"),
             ":8: attribute \"latency\" is given twice"},
        Case{"nodes_word", nodes_with("<data key=\"n\">many</data>"),
             ":6: node \"b\": nodes = many: expected integer, 0 to 64"},
        Case{"nodes_negative", nodes_with("<data key=\"n\">-1</data>"),
             ":6: node \"b\": nodes = -1: expected integer, 0 to 64"},
        Case{"nodes_65", nodes_with("<data key=\"n\">65</data>"),
             ":6: node \"b\": nodes = 65: expected integer, 0 to 64"},
        Case{"nodes_and_link", nodes_with("<data key=\"n\">64</data>"),
             ":6: router b has more than 64 ports with its nodes"},
        Case{"nodes_huge", nodes_with("<data key=\"n\">99999999999999999999</data>"),
             ":6: node \"b\": nodes = 99999999999999999999: expected integer, 0 to 64"},
        Case{"latency_0", edge_with("<data key=\"l\">0</data>"),
             ":7: edge \"a\" - \"b\": latency = 0: expected integer, 1 to 256"},
        Case{"latency_257", edge_with("<data key=\"l\">257</data>"),
             ":7: edge \"a\" - \"b\": latency = 257: expected integer, 1 to 256"},
        Case{"latency_fraction", edge_with("<data key=\"l\">2.5</data>"),
             ":7: edge \"a\" - \"b\": latency = 2.5: expected integer, 1 to 256"},
        Case{"latency_nan", edge_with("<data key=\"l\">nan</data>"),
             ":7: edge \"a\" - \"b\": latency = nan: expected integer, 1 to 256"},
        Case{"name_twice", graph("<node id=\"a\"><data key=\"w\">b</data></node>\n<node id=\"b\"/>"),
             ":6: router name \"b\" is taken by the node in line 5"},
        Case{"parallel", graph(kPair + "<edge source=\"a\" target=\"b\"/>\n<edge source=\"b\" target=\"a\"/>"),
             ":8: router b has a link \"to_a\" already: expected edges with names of their own"},
        Case{"name_of_two_links",
             graph("<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>\n<edge source=\"a\" target=\"b\"><data "
                   "key=\"w\">x</data></edge>\n<edge source=\"c\" target=\"b\"><data key=\"w\">x</data></edge>"),
             ":7: router b has a link \"x\" already: expected edges with names of their own"}),
    [](const auto& c) { return c.param.name; });

TEST(GraphMlFault, ElementsWithinElementsEndAtSixtyFour) {
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  EXPECT_EQ(answer(deep), ":1:193: XML: elements are nested more than 64 deep");
}

TEST(GraphMlFault, DirectoriesAndDevicesAreRefused) {
  EXPECT_EQ(complaint([] { read_graphml("/tmp"); }),
            "/tmp: cannot be read, as it is a directory: expected a GraphML file");
  EXPECT_EQ(complaint([] { read_graphml("/dev/zero"); }),
            "/dev/zero: cannot be read, as it is a device: expected a GraphML file");
  EXPECT_EQ(complaint([] { read_graphml("/nowhere"); }), "/nowhere: cannot be read: expected a GraphML file");
}

TEST(GraphMlFault, RoutersThatNobodyReachesAreNamed) {
  EXPECT_NE(answer(graph(kPair)).find("router b cannot be reached from router a"), std::string::npos);
}

GraphMl read(const std::string& text) {
  const std::string file = temporary_file("read.graphml");
  std::ofstream(file) << text;
  return read_graphml(file);
}

/// As networkx 3 writes it: keys d0, d1, ..., long and double, defaults, namespaces; and what XML allows beside.
TEST(GraphMl, ReadsWhatNetworkxWrites) {
  const GraphMl g = read(R"xml(<?xml version='1.0' encoding='utf-8'?>
<!DOCTYPE graphml>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d3" for="graph" attr.name="name" attr.type="string" />
  <key id="d2" for="edge" attr.name="latency" attr.type="double" />
  <key id="d1" for="node" attr.name="nodes" attr.type="long"><default>3</default></key>
  <key id="d0" for="all" attr.name="name" attr.type="string" />
  <graph edgedefault="undirected"><data key="d3">a network</data>
    <edge id="0" source="(0, 1)" target="&#x3b1;&amp;&lt;"><data key="d2">7.0</data></edge>
    <node id="(0, 1)"><data key="d0"> <![CDATA[x & y]]> </data></node>
    <!-- a comment -->
    <node id="&#945;&amp;&lt;"><data key="d1">0</data><desc>nothing</desc></node>
    <g:node xmlns:g="x" id='z'/>
    <edge source="z" target="(0, 1)" directed="false"/>
  </graph>
</graphml>)xml");
  ASSERT_EQ(g.nodes.size(), 3U);
  EXPECT_EQ(g.nodes[0].name, "x & y");
  EXPECT_EQ(g.nodes[1].name, "α&<");
  EXPECT_EQ(g.nodes[2].name, "z");
  EXPECT_EQ(g.nodes[0].nodes, 3U);
  EXPECT_EQ(g.nodes[1].nodes, 0U);
  EXPECT_EQ(g.nodes[2].line, 14U);
  ASSERT_EQ(g.edges.size(), 2U);
  EXPECT_EQ(g.edges[0].from, 0U);
  EXPECT_EQ(g.edges[0].to, 1U);
  EXPECT_EQ(g.edges[0].latency_cycles, 7U);
  EXPECT_EQ(g.edges[1].latency_cycles, 0U);
}

TEST(GraphMl, ParallelLinksWithNamesAreGood) {
  EXPECT_EQ(answer(graph(kPair + "<edge source=\"a\" target=\"b\"><data key=\"w\">x</data></edge>\n"
                                 "<edge source=\"a\" target=\"b\"><data key=\"w\">y</data></edge>\n")),
            "");
}

/// Links that are faster by themselves, at both of their ends; ports of nodes take a flit a cycle.
std::string with_speed(const std::string& speed) {
  return "<graphml><key id=\"s\" for=\"edge\" attr.name=\"flits_per_cycle\" attr.type=\"int\"/>\n<graph>" + kPair +
         "<node id=\"c\"/><edge source=\"a\" target=\"b\"/>\n<edge source=\"b\" target=\"c\"><data key=\"s\">" + speed +
         "</data></edge></graph></graphml>";
}

TEST(GraphMl, HasLinksOfTheSpeedOfTheirEdge) {
  const std::string file = temporary_file("speeds.graphml");
  std::ofstream(file) << with_speed("64");
  Configuration options;
  options.set("topology.kind", "graph");
  options.set("topology.file", file);
  EXPECT_EQ(speeds_of(make_topology(options)), (std::vector<std::vector<std::uint32_t>>{{1, 1}, {1, 64, 1}, {64, 1}}));
  std::ofstream(file) << with_speed("1");
  EXPECT_FALSE(make_topology(options).has_faster_links());
}

TEST(GraphMl, RefusesSpeedsThatNoLinkHas) {
  for (const char* speed : {"0", "65", "1.5"}) {
    EXPECT_NE(answer(with_speed(speed)).find(std::string("flits_per_cycle = ") + speed + ": expected integer, 1 to 64"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace braid::test::graphml_test
