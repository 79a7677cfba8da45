// Stream graphs in Braid's own format (docs/stream-graphs.md).
#include <fmt/format.h>

#include "traffic/streams/stream_graph.h"

namespace braid::traffic {
namespace {

/// Names are printable: what is quoted needs no other escapes.
std::string toml_text(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

std::string edge_table(const StreamGraph& graph, const StreamEdge& e) {
  std::string text = fmt::format("\n[[edge]]\nfrom = {}\nto = {}\n", toml_text(graph.actors[e.from].name),
                                 toml_text(graph.actors[e.to].name));
  const auto unless = [&](const char* key, std::uint32_t value, std::uint32_t usual) {
    if (value != usual) text += fmt::format("{} = {}\n", key, value);
  };
  unless("push", e.push, 1);
  unless("pop", e.pop, 1);
  unless("peek", e.peek, e.pop);
  unless("initial", e.initial, 0);
  if (e.group) text += fmt::format("group = {}\n", *e.group);
  return text;
}

}  // namespace

std::string to_toml(const StreamGraph& graph) {
  std::string text = fmt::format("name = {}\n", toml_text(graph.name));
  for (const Actor& a : graph.actors) {
    text += fmt::format("\n[[actor]]\nname = {}\nwork = {}\n", toml_text(a.name), a.work_cycles);
    if (a.placement) text += fmt::format("tile = {}\n", a.placement->value);
  }
  for (const StreamEdge& e : graph.edges) text += edge_table(graph, e);
  return text;
}

}  // namespace braid::traffic
