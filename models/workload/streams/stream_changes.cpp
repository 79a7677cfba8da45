#include "models/workload/streams/stream_changes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace braid::models {

bool StreamChanges::end_cycle(std::uint64_t cycle) {
  bool moved = false;
  look(cycle);
  if (phase_ == Phase::kResting && program_.started() && next_ < changes_.size() && cycle >= changes_[next_].due) {
    begin(cycle);
  }
  if (phase_ == Phase::kEmptyingInputs && emptied(cycle)) {
    program_.actors()[changes_[next_].actor].held = true;
    phase_ = Phase::kFinishing;
  }
  if (phase_ == Phase::kFinishing) finish_or_wait(cycle);
  if (phase_ == Phase::kEmptyingOutputs && emptied(cycle)) send_state(cycle);
  if (phase_ == Phase::kMovingState && transfer_.arrived == transfer_.flits) {
    change_places(cycle);
    moved = true;
  }
  if (phase_ == Phase::kSearching && found_ways(cycle)) {
    results_.back().resumed_cycle = cycle;
    phase_ = Phase::kResting;
    ++next_;
  }
  return moved;
}

/// Stops the streams that lead to the actor, or the one that the filter is put into.
void StreamChanges::begin(std::uint64_t cycle) {
  const Change& change = changes_[next_];
  const StreamProgram::Actor& actor = program_.actors()[change.actor];
  StreamChangeResult result;
  result.kind = change.adds ? "filter added" : "migration";
  result.actor = program_.graph().actors[change.actor].name;
  result.from = actor.node;
  result.to = change.to;
  result.stopped_cycle = cycle;
  results_.push_back(result);
  watch_.begin(cycle);
  stop(change.adds ? std::vector<std::uint32_t>{added_to_} : actor.inputs);
  phase_ = Phase::kEmptyingInputs;
}

void StreamChanges::stop(const std::vector<std::uint32_t>& streams) {
  for (const std::uint32_t e : streams) program_.edges()[e].stopped = true;
  streams_ = streams;
  position_ = 0;
}

bool StreamChanges::on_circuit(std::uint32_t stream) const {
  return program_.switching() == Switching::kCircuit && !program_.edges()[stream].on_packets;
}

/// One stream after the other: nothing of it is under way, and its circuit is torn down.
bool StreamChanges::emptied(std::uint64_t cycle) {
  for (; position_ < streams_.size(); ++position_) {
    const std::uint32_t e = streams_[position_];
    const StreamProgram::Edge& edge = program_.edges()[e];
    if (on_circuit(e) ? !torn_down(cycle, e) : !edge.received.complete(edge.next_sequence)) return false;
  }
  return true;
}

bool StreamChanges::torn_down(std::uint64_t cycle, std::uint32_t stream) {
  if (!asked_) {
    if (cycle < token_free_ || !circuits_->all_sent(stream)) return false;
    circuits_->tear_down(cycle, stream);
    asked_ = true;
    return false;
  }
  if (!circuits_->torn_down(cycle)) return false;
  asked_ = false;
  token_free_ = cycle + circuits_->token_cycles();
  return true;
}

/// Its inputs are down, and it begins no firing. One that it has begun ends while what it puts out flows on.
void StreamChanges::finish_or_wait(std::uint64_t cycle) {
  const StreamProgram::Actor& actor = program_.actors()[changes_[next_].actor];
  if (actor.state != StreamProgram::Actor::State::kWaiting) return;
  results_.back().idle_cycle = cycle;
  stop(changes_[next_].adds ? std::vector<std::uint32_t>{} : actor.outputs);
  phase_ = Phase::kEmptyingOutputs;
}

/// What waits for the actor and what it has put out, an item a flit, and its own words. A filter that is added has
/// none.
void StreamChanges::send_state(std::uint64_t cycle) {
  const Change& change = changes_[next_];
  const StreamProgram::Actor& actor = program_.actors()[change.actor];
  results_.back().empty_cycle = cycle;
  transfer_ = {actor.node, change.to};
  phase_ = Phase::kMovingState;
  if (change.adds) return;
  transfer_.flits = program_.options().state_words;
  for (const std::uint32_t e : actor.inputs) transfer_.flits += program_.edges()[e].received.items();
  for (const std::uint32_t e : actor.outputs) transfer_.flits += program_.edges()[e].queued_items;
  results_.back().state_flits = transfer_.flits;
}

void StreamChanges::change_places(std::uint64_t cycle) {
  const Change& change = changes_[next_];
  StreamProgram::Actor& actor = program_.actors()[change.actor];
  change.adds ? add_filter() : move_actor();
  actor.held = false;
  results_.back().moved_cycle = cycle;
  streams_ = actor.inputs;
  streams_.insert(streams_.end(), actor.outputs.begin(), actor.outputs.end());
  for (const std::uint32_t e : streams_) {
    const StreamProgram::Edge& edge = program_.edges()[e];
    if (circuits_ != nullptr) circuits_->change_ends(e, {program_.edge_name(e), edge.source, edge.destination});
  }
  position_ = 0;
  phase_ = Phase::kSearching;
}

/// As at the start, its streams take the local ports of its node in turn.
void StreamChanges::move_actor() {
  StreamProgram::Actor& actor = program_.actors()[changes_[next_].actor];
  actor.node = changes_[next_].to;
  const std::size_t first = ports_.first[actor.node.value], count = ports_.count[actor.node.value];
  for (std::size_t i = 0; i < actor.inputs.size(); ++i) {
    StreamProgram::Edge& edge = program_.edges()[actor.inputs[i]];
    edge.destination = actor.node;
    edge.destination_port = first + i % count;
  }
  for (std::size_t i = 0; i < actor.outputs.size(); ++i) {
    StreamProgram::Edge& edge = program_.edges()[actor.outputs[i]];
    edge.source = actor.node;
    edge.source_port = first + i % count;
  }
}

/// The consumer keeps what has come to it; from now on more comes by way of the filter.
void StreamChanges::add_filter() {
  const std::uint32_t filter = changes_[next_].actor;
  const std::uint32_t behind = program_.actors()[filter].outputs.front();
  StreamProgram::Edge& in = program_.edges()[added_to_];
  StreamProgram::Edge& out = program_.edges()[behind];
  StreamProgram::Actor& consumer = program_.actors()[in.rates.to];
  std::replace(consumer.inputs.begin(), consumer.inputs.end(), added_to_, behind);
  program_.actors()[filter].inputs = {added_to_};
  out.received = ReceiveQueue(in.received.take_all());
  out.handed_over = static_cast<std::int64_t>(in.rates.initial + in.delivered_items);
  in.handed_over = -static_cast<std::int64_t>(in.delivered_items);
  in.rates = program_.graph().edges[added_to_];
  in.destination = program_.actors()[filter].node;
  out.absent = false;
  out.stopped = true;  // until its circuit stands
}

/// The streams of the change go on one after the other, each as soon as it has a circuit, or none is left for it.
bool StreamChanges::found_ways(std::uint64_t cycle) {
  for (; position_ < streams_.size(); ++position_) {
    const std::uint32_t e = streams_[position_];
    if (program_.switching() == Switching::kPacket) {
      go_on(cycle, e, false);
      continue;
    }
    const auto found = search(cycle, e);
    if (!found || *found == CircuitChanges::Search::kUnderWay) return false;
    asked_ = false;
    token_free_ = cycle + circuits_->token_cycles();
    go_on(cycle, e, *found == CircuitChanges::Search::kFound);
  }
  return true;
}

/// Nothing: the token is not there yet.
std::optional<CircuitChanges::Search> StreamChanges::search(std::uint64_t cycle, std::uint32_t stream) {
  if (asked_) return circuits_->step(cycle);
  if (cycle < token_free_) return std::nullopt;
  asked_ = true;
  circuits_->search(cycle, stream);
  return CircuitChanges::Search::kUnderWay;
}

void StreamChanges::go_on(std::uint64_t cycle, std::uint32_t stream, bool on_circuit) {
  StreamProgram::Edge& edge = program_.edges()[stream];
  edge.on_packets = !on_circuit;
  edge.stopped = false;
  StreamChangeResult::Stream result;
  result.name = program_.edge_name(stream);
  result.number = stream;
  result.on_circuit = on_circuit;
  result.resumed_cycle = cycle;
  result.waiting_items = edge.queued_items;
  if (on_circuit) {
    result.links = circuits_->found().path.size() - 1;
    result.search_cycles = circuits_->found().setup_cycles;
  }
  results_.back().streams.push_back(result);
}

std::uint64_t StreamChanges::begun_firings(std::uint32_t actor) const {
  const StreamProgram::Actor& a = program_.actors()[actor];
  return a.firings + (a.state == StreamProgram::Actor::State::kWaiting ? 0 : 1);
}

/// What the sinks have taken, and what waits there in the order of its stream.
std::uint64_t StreamChanges::sink_items() const {
  std::uint64_t items = 0;
  for (std::uint32_t a = 0; a < program_.actors().size(); ++a) {
    if (!program_.actors()[a].outputs.empty()) continue;
    for (const std::uint32_t e : program_.actors()[a].inputs) {
      const StreamProgram::Edge& edge = program_.edges()[e];
      items += begun_firings(a) * edge.rates.pop + edge.received.items();
    }
  }
  return items;
}

void StreamChanges::look(std::uint64_t cycle) {
  watch_.look(cycle, sink_items());
  if (!results_.empty()) results_.back().rate = watch_.rate();
}

/// Of each stream, by firings: what was put out is in the producer's queue or in packets; what has come, or was there
/// at first, was taken or waits.
std::uint64_t StreamChanges::lost_items() const {
  std::int64_t lost = 0;
  for (const StreamProgram::Edge& edge : program_.edges()) {
    const auto put_out = static_cast<std::int64_t>(program_.actors()[edge.rates.from].firings * edge.rates.push);
    const auto left = static_cast<std::int64_t>(edge.queued_items + edge.packed_items);
    const auto came = static_cast<std::int64_t>(edge.rates.initial + edge.delivered_items) + edge.handed_over;
    const auto taken = static_cast<std::int64_t>((edge.absent ? 0 : begun_firings(edge.rates.to)) * edge.rates.pop +
                                                 edge.received.items() + edge.received.early_items());
    lost += std::abs(put_out - left) + std::abs(came - taken);
  }
  return static_cast<std::uint64_t>(lost);
}

}  // namespace braid::models
