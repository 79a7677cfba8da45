// Which changes a section [change] asks for: names of actors, tiles and streams, and the graph with a filter more.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "models/workload/streams/stream_changes.h"

namespace braid::models {
namespace {

struct Placed {
  std::string name, tile;
};

/// NAME@TILE; a name may have an @ of its own.
Placed split(const std::string& key, const std::string& word, const char* form) {
  const std::size_t at = word.rfind('@');
  if (at == std::string::npos || at == 0 || at + 1 == word.size()) {
    throw InputError(key + ": \"" + one_line(word) + "\"; expected " + form);
  }
  return {word.substr(0, at), word.substr(at + 1)};
}

/// The node of a router of that name, if it has one alone; or the node of that number.
NodeId node_of(const std::string& key, const std::string& tile, const routing::Topology& topology) {
  const auto& names = topology.router_names;
  std::optional<NodeId> found;
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    if (names[topology.router_of(NodeId{n}).value] != tile) continue;
    if (found) {
      throw InputError(
          fmt::format("{} = \"{}\": that router has several nodes; expected the number of one", key, one_line(tile)));
    }
    found = NodeId{n};
  }
  if (found) return *found;
  const bool digits = std::all_of(tile.begin(), tile.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits && tile.size() < 10 && std::stoul(tile) < topology.node_count()) return NodeId{std::stoul(tile)};
  throw InputError(fmt::format("{}: unknown tile \"{}\"{}; expected the name of a router with a node, or 0 to {}", key,
                               one_line(tile), did_you_mean(tile, names), topology.node_count() - 1));
}

std::vector<std::string> names_of(const traffic::StreamGraph& graph) {
  std::vector<std::string> names;
  for (const traffic::Actor& actor : graph.actors) names.push_back(actor.name);
  return names;
}

/// The place of a name; throws InputError.
std::uint32_t find(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError(what + " \"" + one_line(name) + "\"" + did_you_mean(name, names) + "; expected the name of one");
  }
  return static_cast<std::uint32_t>(found - names.begin());
}

void check_free(const std::string& key, const std::string& actor, const std::string& tile, std::size_t node,
                const std::vector<NodeId>& place, const std::vector<std::string>& names) {
  for (std::size_t a = 0; a < place.size(); ++a) {
    if (place[a].value != node) continue;
    throw InputError(fmt::format("{}: tile {} of {} is that of {}; expected a free one", key, one_line(tile),
                                 one_line(actor), one_line(names[a])));
  }
}

}  // namespace

StreamPlan with_added_filter(StreamPlan plan, const StreamOptions& options, const routing::Topology& topology) {
  if (options.add_filter.empty()) return plan;
  traffic::StreamGraph& graph = plan.program.graph;
  const std::vector<std::string> names = names_of(graph);
  const Placed filter = split("change.add_filter", options.add_filter, "NAME@TILE");
  if (std::find(names.begin(), names.end(), filter.name) != names.end()) {
    throw InputError("change.add_filter: there is an actor \"" + one_line(filter.name) + "\"; expected another name");
  }
  const NodeId node = node_of("change.add_filter", filter.tile, topology);
  check_free("change.add_filter", filter.name, filter.tile, node.value, plan.place, names);
  std::vector<std::string> streams;
  for (const traffic::StreamEdge& e : graph.edges) streams.push_back(names[e.from] + " -> " + names[e.to]);
  const std::uint32_t into = find("change.add_between: unknown stream", options.add_between, streams);
  if (std::count(streams.begin(), streams.end(), options.add_between) > 1) {
    throw InputError("change.add_between: there are several streams \"" + one_line(options.add_between) +
                     "\"; expected one of its own name");
  }
  const auto actor = static_cast<std::uint32_t>(graph.actors.size());
  graph.actors.push_back({filter.name, options.add_work, {}});
  traffic::StreamEdge behind = graph.edges[into];
  behind.from = actor;
  behind.push = 1;
  behind.group.reset();
  graph.edges.push_back(behind);
  traffic::StreamEdge& before = graph.edges[into];
  before.to = actor;
  before.pop = before.peek = 1;
  before.initial = 0;
  before.group.reset();
  plan.place.push_back(node);
  return plan;
}

StreamChanges::StreamChanges(StreamProgram& program, const routing::Topology& topology, const LocalPortMap& ports)
    : program_(program), ports_(ports), watch_(program.options().rate_window_cycles) {
  const StreamOptions& options = program.options();
  if (!options.add_filter.empty()) lead_past_filter();
  plan_migrations(topology);
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.due < b.due; });
}

/// Where each actor is when its turn comes: those before it have moved.
void StreamChanges::plan_migrations(const routing::Topology& topology) {
  const std::string key = "change.migrate";
  const StreamOptions& options = program_.options();
  std::vector<std::string> names = names_of(program_.graph());
  std::vector<NodeId> place;
  for (const StreamProgram::Actor& actor : program_.actors()) place.push_back(actor.node);
  std::vector<std::string> movable = names;  // not what is not there yet
  if (!options.add_filter.empty()) movable.pop_back();
  std::istringstream words(options.migrate);
  std::string text;
  for (std::string word; words >> word;) {  // names may have blanks: only the last word has the tile
    text += (text.empty() ? "" : " ") + word;
    if (word.find('@') == std::string::npos && !words.eof()) continue;
    const Placed wanted = split(key, std::exchange(text, ""), "ACTOR@TILE, with blanks between several");
    const std::uint32_t actor = find(key + ": unknown actor", wanted.name, movable);
    const NodeId node = node_of(key, wanted.tile, topology);
    check_free(key, wanted.name, wanted.tile, node.value, place, names);
    for (const std::uint32_t e : program_.actors()[actor].outputs) {
      if (program_.edges()[e].rates.to != actor) continue;
      throw InputError(key + ": actor \"" + one_line(wanted.name) + "\" has a stream to itself; expected another one");
    }
    place[actor] = node;
    changes_.push_back({false, actor, node, options.migrate_at_cycle});
  }
}

/// The program as it is before: the filter begins no firing, and what will lead to it leads to its consumer.
void StreamChanges::lead_past_filter() {
  const auto filter = static_cast<std::uint32_t>(program_.actors().size() - 1);
  StreamProgram::Actor& actor = program_.actors()[filter];
  added_to_ = actor.inputs.front();
  const std::uint32_t behind = actor.outputs.front();
  StreamProgram::Edge& in = program_.edges()[added_to_];
  StreamProgram::Edge& out = program_.edges()[behind];
  StreamProgram::Actor& consumer = program_.actors()[out.rates.to];
  std::replace(consumer.inputs.begin(), consumer.inputs.end(), behind, added_to_);
  actor.inputs.clear();
  actor.held = true;
  in.rates.to = out.rates.to;
  in.rates.pop = out.rates.pop;
  in.rates.peek = out.rates.peek;
  in.rates.initial = std::exchange(out.rates.initial, 0);
  in.destination = out.destination;
  std::swap(in.received, out.received);
  out.absent = true;
  changes_.push_back({true, filter, actor.node, program_.options().add_at_cycle});
}

}  // namespace braid::models
