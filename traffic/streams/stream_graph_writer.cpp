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

std::string plan_table(const StreamGraphPlan& plan) {
  const StreamRemedy& r = plan.remedy;
  std::string text =
      fmt::format("\n[plan]\ntaken = {}\nwhy = {}\npackets = {}\n", toml_text(r.taken), toml_text(r.why), plan.packets);
  if (plan.steady_states) text += fmt::format("steady_states = {}\n", *plan.steady_states);
  text += fmt::format("degree = {}\ntiles = {}\nlayout = {}\ntried = {}\n", r.degree, r.tiles, r.layout, r.tried);
  text += fmt::format("least_cycles = {}\nleast_cycles_as_asked = {}\n", r.least_cycles, r.least_cycles_asked);
  if (r.packets_least_cycles) text += fmt::format("packets_least_cycles = {}\n", *r.packets_least_cycles);
  return text;
}

}  // namespace

std::string to_toml(const StreamGraph& graph) {
  std::string text = fmt::format("name = {}\n", toml_text(graph.name));
  if (graph.plan) text += plan_table(*graph.plan);
  for (const Actor& a : graph.actors) {
    text += fmt::format("\n[[actor]]\nname = {}\nwork = {}\n", toml_text(a.name), a.work_cycles);
    if (a.placement) text += fmt::format("tile = {}\n", a.placement->value);
  }
  for (const StreamEdge& e : graph.edges) text += edge_table(graph, e);
  return text;
}

}  // namespace braid::traffic
