#include "tb/braid/stream_graph_files.h"

#include <fmt/format.h>

#include <array>

#include "tb/braid/markup.h"

namespace braid::tb {
namespace {

namespace json = boost::json;

json::object edge_json(const traffic::StreamGraph& graph, const traffic::StreamEdge& e, std::uint64_t items) {
  json::object edge{{"from", graph.actors[e.from].name},
                    {"to", graph.actors[e.to].name},
                    {"push", e.push},
                    {"pop", e.pop},
                    {"peek", e.peek},
                    {"initial", e.initial},
                    {"items", items}};
  if (e.group) edge["group"] = *e.group;
  return edge;
}

}  // namespace

json::object partition_json(const traffic::Partitioned& p, std::size_t tiles, const std::string& partitioner) {
  const std::vector<std::uint64_t> firings = p.graph.repetitions();
  json::array actors, edges;
  for (std::size_t a = 0; a < p.graph.actors.size(); ++a) {
    const traffic::Actor& actor = p.graph.actors[a];
    actors.push_back(json::object{{"name", actor.name}, {"work", actor.work_cycles}, {"firings", firings[a]}});
  }
  for (const traffic::StreamEdge& e : p.graph.edges) edges.push_back(edge_json(p.graph, e, firings[e.from] * e.push));
  return {{"program", "braid"},
          {"version", BRAID_VERSION},
          {"name", p.graph.name},
          {"partition", partitioner},
          {"tiles", tiles},
          {"steady_states", p.steady_states},
          {"program_work", p.program_work},
          {"total_work", p.total_work},
          {"bottleneck_work", p.bottleneck_work},
          {"items", p.items},
          {"actors", actors},
          {"edges", edges}};
}

std::string partition_dot(const traffic::StreamGraph& graph) {
  constexpr std::array kColours{"blue", "red", "darkgreen", "orange", "purple", "brown", "deeppink", "cyan4"};
  const std::vector<std::uint64_t> firings = graph.repetitions();
  std::string text = "digraph " + dot_text(graph.name) + " {\n  node [shape=box];\n";
  for (std::size_t a = 0; a < graph.actors.size(); ++a) {
    const traffic::Actor& actor = graph.actors[a];
    std::string label = fmt::format("{}\n{} x {}", actor.name, firings[a], actor.work_cycles);
    if (actor.placement) label += fmt::format("\ntile {}", actor.placement->value);
    text += fmt::format("  a{} [label={}];\n", a, dot_text(label));
  }
  for (const traffic::StreamEdge& e : graph.edges) {
    const char* colour = e.group ? kColours[*e.group % kColours.size()] : "black";
    text += fmt::format("  a{} -> a{} [label=\"{}\", color={}];\n", e.from, e.to, firings[e.from] * e.push, colour);
  }
  return text + "}\n";
}

}  // namespace braid::tb
