#include "tb/braid/graph_files.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "tb/braid/markup.h"

namespace braid::tb {
namespace {

namespace json = boost::json;
using traffic::FlatEdge;
using traffic::FlatGraph;
using traffic::FlatNode;
using NodeKind = FlatNode::Kind;

json::object rates_json(const traffic::WorkFunction& f) {
  return {{"push", f.push}, {"pop", f.pop}, {"peek", f.peek}, {"work", f.work_cycles}};
}

json::object node_json(const FlatNode& node, std::uint64_t repetitions) {
  json::object all{{"kind", kind_of(node)},     {"name", node.name},       {"declaration", node.declaration},
                   {"file", node.where.file},   {"line", node.where.line}, {"column", node.where.column},
                   {"repetitions", repetitions}};
  if (node.kind != NodeKind::kFilter) {
    all["weights"] = json::value_from(node.weights);
    if (node.kind == NodeKind::kSplitter)
      all["split"] = node.split == traffic::Split::kDuplicate ? "duplicate" : "roundrobin";
    return all;
  }
  for (const auto& member : rates_json(node.filter.work)) all[member.key()] = member.value();
  if (node.filter.prework) all["prework"] = rates_json(*node.filter.prework);
  if (node.filter.calls != 1) all["calls"] = node.filter.calls;
  all["stateful"] = node.filter.stateful;
  all["input_type"] = node.filter.input_type;
  all["output_type"] = node.filter.output_type;
  return all;
}

json::object counts_json(const GraphCounts& counts) {
  return {{"filters", counts.filters},
          {"splitters", counts.splitters},
          {"joiners", counts.joiners},
          {"edges", counts.edges}};
}

/// Between the quotes of a dot label, where \\n stays what it is.
std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}

std::string weights_text(const FlatNode& node) {
  std::string all;
  for (const std::uint64_t w : node.weights) all += (all.empty() ? "" : ",") + std::to_string(w);
  return all;
}

std::string data(const char* key, const std::string& value) {
  return fmt::format("      <data key=\"{}\">{}</data>\n", key, xml_text(value));
}

std::string label(const FlatNode& node, std::uint64_t repetitions) {
  if (node.kind == NodeKind::kFilter) {
    return fmt::format("{}\\n{} x {} cycles{}", escaped(node.name), repetitions, work_of(node),
                       node.filter.stateful ? ", stateful" : "");
  }
  const bool copies = node.kind == NodeKind::kSplitter && node.split == traffic::Split::kDuplicate;
  return fmt::format("{}\\n{}", escaped(node.name), copies ? "duplicate" : weights_text(node));
}

}  // namespace

GraphCounts counts_of(const FlatGraph& graph) {
  return {graph.count(NodeKind::kFilter), graph.count(NodeKind::kSplitter), graph.count(NodeKind::kJoiner),
          graph.edges.size()};
}

void warn_of_messages(const traffic::Structure& program) {
  constexpr std::size_t kLongestName = 4096;
  const SourcePosition& at = program.portal;
  if (at.line == 0) return;
  fmt::print(stderr, "braid: {}:{}:{}: portals: their messages are read, but take no time and come when they may\n",
             one_line(at.file, kLongestName), at.line, at.column);
}

std::uint64_t work_of(const FlatNode& node) {
  return node.kind == NodeKind::kFilter ? node.filter.work.work_cycles : 0;
}

const char* kind_of(const FlatNode& node) {
  return node.kind == NodeKind::kFilter ? "filter" : node.kind == NodeKind::kSplitter ? "splitter" : "joiner";
}

json::object graph_json(const FlatGraph& graph, const std::vector<std::uint64_t>& repetitions,
                        const GraphCounts& as_written, const GraphCounts& as_lifted) {
  json::array nodes, edges;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) nodes.push_back(node_json(graph.nodes[n], repetitions[n]));
  for (const FlatEdge& e : graph.edges) {
    edges.push_back(json::object{{"from", e.from},
                                 {"to", e.to},
                                 {"push", e.push},
                                 {"pop", e.pop},
                                 {"peek", e.peek},
                                 {"initial", e.initial},
                                 {"words", e.words}});
  }
  return {{"program", "braid"},
          {"version", BRAID_VERSION},
          {"name", graph.name},
          {"counts", counts_json(counts_of(graph))},
          {"counts_as_written", counts_json(as_written)},
          {"counts_lifted", counts_json(as_lifted)},
          {"nodes", nodes},
          {"edges", edges}};
}

std::string graph_graphml(const FlatGraph& graph, const std::vector<std::uint64_t>& repetitions) {
  std::string all =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  const auto key = [&](const char* name, const char* of, const char* type) {
    all += fmt::format("  <key id=\"{0}\" for=\"{1}\" attr.name=\"{0}\" attr.type=\"{2}\"/>\n", name, of, type);
  };
  for (const char* name : {"name", "kind", "declaration", "weights"}) key(name, "node", "string");
  for (const char* name : {"repetitions", "work"}) key(name, "node", "long");
  key("stateful", "node", "boolean");
  for (const char* name : {"push", "pop", "peek", "initial"}) key(name, "edge", "long");
  all += fmt::format("  <graph id=\"{}\" edgedefault=\"directed\">\n", xml_text(graph.name));
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const FlatNode& node = graph.nodes[n];
    all += fmt::format("    <node id=\"n{}\">\n", n) + data("name", node.name) + data("kind", kind_of(node)) +
           data("declaration", node.declaration);
    if (node.kind != NodeKind::kFilter) all += data("weights", weights_text(node));
    all += data("repetitions", std::to_string(repetitions[n])) + data("work", std::to_string(work_of(node))) +
           data("stateful", node.filter.stateful ? "true" : "false") + "    </node>\n";
  }
  for (const FlatEdge& e : graph.edges) {
    all += fmt::format("    <edge source=\"n{}\" target=\"n{}\">\n", e.from, e.to) +
           data("push", std::to_string(e.push)) + data("pop", std::to_string(e.pop)) +
           data("peek", std::to_string(e.peek)) + data("initial", std::to_string(e.initial)) + "    </edge>\n";
  }
  return all + "  </graph>\n</graphml>\n";
}

std::string graph_dot(const FlatGraph& graph, const std::vector<std::uint64_t>& repetitions) {
  std::string all = fmt::format("digraph \"{}\" {{\n  node [fontname=\"sans-serif\"];\n", escaped(graph.name));
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const FlatNode& node = graph.nodes[n];
    const char* shape = node.kind == NodeKind::kFilter     ? "box"
                        : node.kind == NodeKind::kSplitter ? "triangle"
                                                           : "invtriangle";
    all += fmt::format("  n{} [shape={}, label=\"{}\"];\n", n, shape, label(node, repetitions[n]));
  }
  for (const FlatEdge& e : graph.edges) {
    const bool nothing = e.push == 0 && e.pop == 0;
    all += fmt::format("  n{} -> n{} [taillabel=\"{}\", headlabel=\"{}\"{}];\n", e.from, e.to, e.push,
                       e.peek > e.pop ? fmt::format("{} of {}", e.pop, e.peek) : std::to_string(e.pop),
                       nothing ? ", style=dashed" : "");
  }
  return all + "}\n";
}

}  // namespace braid::tb
