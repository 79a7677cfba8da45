#include "models/workload/streams/stream_signals.h"

#include <set>

namespace braid::models {
namespace {

const Question kWhatActorsAwait{"actors", "what does this actor wait for"};
const SignalValues kStates{"actor_state", {"not begun", "waits", "computes", "emits"}};
constexpr unsigned kItemBits = 32, kFiringBits = 32, kEdgeBits = 16;

/// `name`, or with the edge's number behind it where the scope has that name already.
std::string unlike(std::set<std::string>& names, const std::string& name, std::uint32_t edge) {
  const std::string free = names.count(identifier(name)) == 0 ? name : name + "_" + std::to_string(edge);
  names.insert(identifier(free));
  return free;
}

}  // namespace

StreamSignals::StreamSignals(const StreamProgram& program, SignalTable& table) : program_(program) {
  const traffic::StreamGraph& graph = program.graph();
  for (std::size_t e = 0; e < program.edges().size(); ++e) edges_.values.push_back(program.edge_name(e));
  std::set<std::string> actors;
  for (std::uint32_t a = 0; a < program.actors().size(); ++a) {
    const StreamProgram::Actor& actor = program.actors()[a];
    const std::string scope = "actors." + identifier(unlike(actors, graph.actors[a].name, a));
    Row row;
    row.state = table.add_shown(scope, "state", 2, &kStates)->answers(kWhatActorsAwait);
    row.waits_for = table.add_shown(scope, "waits_for", kEdgeBits, &edges_)->answers(kWhatActorsAwait);
    std::set<std::string> names;
    const auto queue = [&](const char* side, std::uint32_t edge, std::uint32_t other) {
      const std::string name = unlike(names, side + graph.actors[other].name, edge);
      return table.add(scope, name, kItemBits)->answers(kWhatActorsAwait);
    };
    for (const std::uint32_t e : actor.inputs) row.in.push_back(queue("from_", e, graph.edges[e].from));
    for (const std::uint32_t e : actor.outputs) row.out.push_back(queue("to_", e, graph.edges[e].to));
    row.firings = table.add(scope, "firings", kFiringBits)->answers(kWhatActorsAwait);
    rows_.push_back(row);
  }
}

/// The number of the first edge that lacks items, or room; 0: none.
std::uint64_t StreamSignals::waited_for(const StreamProgram::Actor& actor) const {
  using State = StreamProgram::Actor::State;
  if (actor.state == State::kWaiting) {
    for (const std::uint32_t e : actor.inputs) {
      if (!program_.has_items(e)) return e + 1;
    }
  }
  if (actor.state == State::kEmitting) {
    for (const std::uint32_t e : actor.outputs) {
      if (!program_.has_room(e)) return e + 1;
    }
  }
  return 0;
}

void StreamSignals::sample(std::uint64_t) {
  for (std::size_t a = 0; a < rows_.size(); ++a) {
    const StreamProgram::Actor& actor = program_.actors()[a];
    Row& row = rows_[a];
    row.state->value = program_.started() ? static_cast<std::uint64_t>(actor.state) + 1 : 0;
    row.waits_for->value = program_.started() ? waited_for(actor) : 0;
    row.firings->value = actor.firings & 0xffffffff;
    // A filter that is added takes the place of a producer; its own input has no signal.
    for (std::size_t i = 0; i < row.in.size(); ++i) {
      row.in[i]->value = program_.edges()[actor.inputs[i]].received.items();
    }
    for (std::size_t i = 0; i < row.out.size(); ++i) {
      row.out[i]->value = program_.edges()[actor.outputs[i]].queued_items;
    }
  }
}

}  // namespace braid::models
