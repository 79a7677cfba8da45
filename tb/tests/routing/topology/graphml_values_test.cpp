// Each value of a GraphML file in its own place, and what stands just inside its bounds (docs/graphml.md). What is
// refused: graphml_test.cpp.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "routing/topology/graphml.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::graphml_values_test {
namespace {

using namespace routing;

GraphMl read(const std::string& text) {
  const std::string file = temporary_file("values.graphml");
  std::ofstream(file) << text;
  return read_graphml(file);
}
/// Without the file's name.
std::string answer(const std::string& text) {
  const std::string what = complaint([&] { (void)read(text); });
  const std::size_t name = what.find("values.graphml");
  return name == std::string::npos ? what : what.substr(name + 14);
}

/// Lines 1 to 3 declare everything that is read; the body begins in line 4.
std::string graph(const std::string& body) {
  return R"(<graphml><key id="n" for="node" attr.name="name"/><key id="k" for="node" attr.name="nodes"/>
<key id="x" for="node" attr.name="x"/><key id="y" for="node" attr.name="y"/>
<key id="e" for="edge" attr.name="name"/><key id="l" for="edge" attr.name="latency"/><key id="s" for="edge" attr.name="flits_per_cycle"/><graph>
)" + body +
         "</graph></graphml>\n";
}
std::string data(const char* key, const std::string& value) {
  return std::string("<data key=\"") + key + "\">" + value + "</data>";
}

/// All different, so that none stands in another's place; lines are those of the tags.
TEST(GraphMlValues, EachIsInItsOwnPlace) {
  const GraphMl g = read(graph("<node id=\"a\">" + data("n", "spine") + data("k", "3") + data("x", "1.5") +
                               data("y", "-2.5") + "</node>\n<node id=\"b\"/>\n<node id=\"c\"/>\n" +
                               "<edge source=\"c\" target=\"a\" id=\"7\" directed=\"false\">" + data("e", "trunk") +
                               data("l", "5") + data("s", "6") + "</edge>\n\n<edge source=\"b\" target=\"c\"/>\n"));
  ASSERT_EQ(g.nodes.size(), 3U);
  EXPECT_EQ(g.nodes[0].name, "spine");
  EXPECT_EQ(g.nodes[0].nodes, 3U);
  EXPECT_EQ(g.nodes[0].line, 4U);
  ASSERT_TRUE(g.nodes[0].position);
  EXPECT_EQ(g.nodes[0].position->x, 1.5);
  EXPECT_EQ(g.nodes[0].position->y, -2.5) << "y grows upwards here";
  EXPECT_EQ(g.nodes[1].name, "b");
  EXPECT_EQ(g.nodes[1].nodes, 1U);
  EXPECT_EQ(g.nodes[1].line, 5U);
  EXPECT_FALSE(g.nodes[1].position);
  ASSERT_EQ(g.edges.size(), 2U);
  EXPECT_EQ(g.edges[0].from, 2U);
  EXPECT_EQ(g.edges[0].to, 0U);
  EXPECT_EQ(g.edges[0].name, "trunk");
  EXPECT_EQ(g.edges[0].latency_cycles, 5U);
  EXPECT_EQ(g.edges[0].flits_per_cycle, 6U);
  EXPECT_EQ(g.edges[0].line, 7U);
  EXPECT_EQ(g.edges[1].from, 1U);
  EXPECT_EQ(g.edges[1].to, 2U);
  EXPECT_EQ(g.edges[1].name, "");
  EXPECT_EQ(g.edges[1].latency_cycles, 0U);
  EXPECT_EQ(g.edges[1].flits_per_cycle, 0U);
  EXPECT_EQ(g.edges[1].line, 9U);
}

TEST(GraphMlValues, AnEmptyNameIsNone) {
  const GraphMl g = read(graph("<node id=\"a\">" + data("n", " ") + "</node><node id=\"b\"/>"));
  EXPECT_EQ(g.nodes[0].name, "a");
  EXPECT_EQ(answer(graph("<node id=\"\"/>")), ":4: node without a name: expected an id or a name that is not empty");
  EXPECT_EQ(read(graph("<node id=\"\">" + data("n", "c") + "</node>")).nodes[0].name, "c");
}

/// "7.0" is what networkx makes of a column in which others have fractions.
TEST(GraphMlValues, WholeNumbersMayHaveAPoint) {
  const auto nodes = [](const std::string& text) {
    const GraphMl g = read(graph("<node id=\"a\">" + data("k", text) + "</node>"));
    return g.nodes[0].nodes;
  };
  EXPECT_EQ(nodes("0"), 0U);
  EXPECT_EQ(nodes("64"), 64U);
  EXPECT_EQ(nodes("64.0"), 64U);
  EXPECT_EQ(nodes("6.4e1"), 64U);
  EXPECT_EQ(nodes("-0.0"), 0U);
  for (const char* wrong : {"64.5", "65.0", "-1.0", "1e15", "1e16", "inf", "7 ", "7x", "x", "0x7", "7.0.0", ""}) {
    const std::string said = answer(graph("<node id=\"a\">" + data("k", wrong) + "</node>"));
    const bool trimmed = std::string(wrong) == "7 ";
    EXPECT_EQ(said.empty(), trimmed) << wrong;
    EXPECT_EQ(said.find(": expected integer, 0 to 64") == std::string::npos, trimmed) << wrong;
  }
}

TEST(GraphMlValues, LatenciesAndSpeedsReachTheirBounds) {
  const auto said = [](const char* key, const char* value) {
    return answer(
        graph("<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\">" + data(key, value) + "</edge>"));
  };
  for (const char* good : {"1", "256"}) EXPECT_EQ(said("l", good), "") << good;
  for (const char* good : {"1", "64"}) EXPECT_EQ(said("s", good), "") << good;
  EXPECT_EQ(said("l", "257"), ":4: edge \"a\" - \"b\": latency = 257: expected integer, 1 to 256");
  EXPECT_EQ(said("s", "65"), ":4: edge \"a\" - \"b\": flits_per_cycle = 65: expected integer, 1 to 64");
}

/// yEd's, in its own <y:Geometry>: there y grows downwards.
TEST(GraphMlValues, PositionsStandInTwoAttributesOrInTheGeometry) {
  const auto place = [](const std::string& inside) {
    return read(graph("<node id=\"a\">" + inside + "</node>")).nodes[0].position;
  };
  const std::string geometry =
      "<y:ShapeNode xmlns:y=\"y\"><y:Fill/><y:Geometry height=\"3\" x=\"4\" y=\"5.5\"/></y:ShapeNode>";
  const std::string drawn = "<data key=\"d\">" + geometry + "</data>";
  const auto of_yed = [&](const std::string& inside) {
    const std::string text = graph("<node id=\"a\">" + inside + "</node>");
    return read("<graphml><key id=\"d\" for=\"node\" yfiles.type=\"nodegraphics\"/>" + text.substr(9))
        .nodes[0]
        .position;
  };
  EXPECT_EQ(place(data("x", "1e9") + data("y", "-1e9"))->x, 1e9);
  EXPECT_EQ(place(data("x", "1e9") + data("y", "-1e9"))->y, -1e9);
  EXPECT_EQ(of_yed(drawn)->x, 4.0);
  EXPECT_EQ(of_yed(drawn)->y, -5.5);
  EXPECT_EQ(of_yed(drawn + data("x", "7") + data("y", "8"))->x, 7.0) << "attributes go before what is drawn";
  EXPECT_EQ(of_yed(drawn + data("x", "7") + data("y", "8"))->y, 8.0);
  const auto said = [](const std::string& inside) { return answer(graph("<node id=\"a\">" + inside + "</node>")); };
  EXPECT_EQ(said(data("x", "1")), ":4: node \"a\" has x and no y: expected both or none");
  EXPECT_EQ(said(data("y", "1")), ":4: node \"a\" has y and no x: expected both or none");
  EXPECT_EQ(said(data("x", "1") + data("y", "1.01e9")), ":4: node \"a\": y = 1.01e9: expected number, -1e9 to 1e9");
  EXPECT_EQ(said(data("x", "-1.01e9") + data("y", "1")), ":4: node \"a\": x = -1.01e9: expected number, -1e9 to 1e9");
  EXPECT_EQ(said(data("x", "1;") + data("y", "1")), ":4: node \"a\": x = 1;: expected number, -1e9 to 1e9");
}

/// Of an attribute that the element has none of its own of, and none of other elements.
TEST(GraphMlValues, DefaultsAreThoseOfTheirKey) {
  const GraphMl g = read(R"(<graphml><key id="k" for="node" attr.name="nodes"><default>5</default></key>
<key id="l" for="edge" attr.name="latency"><desc>of links</desc><default> 7 </default></key>
<key id="q" for="node" attr.name="description"><default>nobody</default></key>
<graph><data key="g">mine</data><node id="a"><data key="q">reads</data></node><node id="b"><data key="k">6</data></node>
<edge source="a" target="b"/><edge source="a" target="b"><data key="l">8</data></edge></graph>
<key id="g" for="graph" attr.name="name"/></graphml>)");
  EXPECT_EQ(g.nodes[0].nodes, 5U);
  EXPECT_EQ(g.nodes[1].nodes, 6U);
  EXPECT_EQ(g.edges[0].latency_cycles, 7U);
  EXPECT_EQ(g.edges[1].latency_cycles, 8U);
}

/// A router has up to 64 ports, those of its links among them.
TEST(GraphMlValues, ARouterMayHave64PortsInAll) {
  const std::string file = temporary_file("ports.graphml");
  for (const std::uint32_t nodes : {63U, 64U}) {
    std::ofstream(file) << graph("<node id=\"a\">" + data("k", std::to_string(nodes)) +
                                 "</node><node id=\"b\"/><edge source=\"a\" target=\"b\"/>");
    Configuration options;
    options.set("topology.kind", "graph");
    options.set("topology.file", file);
    EXPECT_EQ(complaint([&] { EXPECT_EQ(make_topology(options).routers[0].size(), 64U); }),
              nodes == 63 ? "" : file + ":4: router a has more than 64 ports with its nodes");
  }
}

/// Of all routers or of none.
TEST(GraphMlValues, PositionsAreThoseOfAllRouters) {
  const std::string file = temporary_file("places.graphml");
  const std::string at = data("x", "1") + data("y", "2");
  for (const bool all : {true, false}) {
    std::ofstream(file) << graph("<node id=\"a\">" + at + "</node><node id=\"b\">" + (all ? at : "") +
                                 "</node><edge source=\"a\" target=\"b\"/>");
    Configuration options;
    options.set("topology.kind", "graph");
    options.set("topology.file", file);
    EXPECT_EQ(make_topology(options).positions.size(), all ? 2U : 0U);
  }
}

/// White space of all kinds around a value, and attributes of other namespaces, are nobody's.
TEST(GraphMlValues, StandAloneWhateverIsAroundThem) {
  const GraphMl g = read(graph("<node xmlns=\"x\" xmlns:y=\"z\" y:nodes=\"9\" id=\"a\">" +
                               data("k", "&#13;&#9; 3 &#10;") + data("n", "\t&#13;a b&#13;\n") + "</node>"));
  ASSERT_EQ(g.nodes.size(), 1U);
  EXPECT_EQ(g.nodes[0].nodes, 3U);
  EXPECT_EQ(g.nodes[0].name, "a b");
}

TEST(GraphMlValues, ElementsMayStandInSixtyThreeOthers) {
  const auto nested = [](std::size_t deep) {
    std::string begin, end;
    for (std::size_t i = 0; i < deep; ++i) {
      begin += "<a>";
      end += "</a>";
    }
    return answer(begin + end);
  };
  EXPECT_EQ(nested(64), ":1: not a GraphML network: expected <graphml>, not <a>");
  EXPECT_EQ(nested(65), ":1:193: XML: elements are nested more than 64 deep");
}

/// Those of XML itself need no file that declares them.
TEST(GraphMlValues, EntitiesOfXmlAreKnownBesideADoctype) {
  const std::string all = "&lt;&gt;&amp;&quot;&apos;&#65;&#x42;";
  const GraphMl g = read("<!DOCTYPE g SYSTEM \"g.dtd\">\n<graphml><graph><node id=\"" + all + "\"/></graph></graphml>");
  EXPECT_EQ(g.nodes[0].name, "<>&\"'AB");
  EXPECT_EQ(answer("<!DOCTYPE g SYSTEM \"g.dtd\">\n<graphml><graph id=\"&lt;&gtt;\"/></graphml>"),
            ":2:10: XML: undefined entity");
}

}  // namespace
}  // namespace braid::test::graphml_values_test
