#include "models/workload/streams/stream_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "traffic/streams/queue_room.h"
#include "traffic/streams/variants.h"

namespace braid::models {
namespace {

constexpr double kLongestFiring = 1e12;  // cycles: sums of them fit 64 bits

}  // namespace

void ReceiveQueue::arrive(std::uint32_t edge_sequence, std::uint32_t items) {
  coming_.erase(edge_sequence);
  early_[edge_sequence] = items;
  for (auto next = early_.begin(); next != early_.end() && next->first == expected_; next = early_.erase(next)) {
    items_ += next->second;
    ++expected_;
  }
  most_items_ = std::max(most_items_, items_);
}

std::uint64_t ReceiveQueue::early_items() const {
  std::uint64_t items = 0;
  for (const auto& [sequence, of_packet] : early_) items += of_packet;
  return items;
}

StreamProgram::StreamProgram(const traffic::StreamGraph& graph, const std::vector<NodeId>& placement,
                             const StreamOptions& options)
    : graph_(graph), options_(options), actors_(graph.actors.size()), edges_(graph.edges.size()) {
  const std::vector<std::uint64_t> repetitions = graph.repetitions();
  for (std::size_t a = 0; a < actors_.size(); ++a) {
    actors_[a].node = placement[a];
    actors_[a].repetitions = repetitions[a];
    const double cycles = static_cast<double>(graph.actors[a].work_cycles) * options.computation_scaling;
    if (cycles > kLongestFiring) {
      throw InputError(
          fmt::format("stream.computation_scaling = {}: a firing of actor {} would take {:.3g} cycles; "
                      "expected at most {:.0e}",
                      options.computation_scaling, graph.actors[a].name, cycles, kLongestFiring));
    }
    actors_[a].firing_cycles =
        static_cast<std::uint64_t>(traffic::firing_cycles(graph.actors[a].work_cycles, options.computation_scaling));
  }
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    const traffic::StreamEdge& rates = graph.edges[e];
    edges_[e].rates = rates;
    edges_[e].source = placement[rates.from];
    edges_[e].destination = placement[rates.to];
    edges_[e].received = ReceiveQueue(rates.initial);
    actors_[rates.from].outputs.push_back(e);
    actors_[rates.to].inputs.push_back(e);
  }
  check_rooms();
  if (options.ejection_queue_items != 0) check_ejection_queues();
  for (const RatedSource& source : read_rates(options.rates, graph)) {
    actors_[source.actor].rate = rates_.size();
    rates_.emplace_back(source);
  }
  if (options.latency) latency_.emplace(graph);
}

/// Each queue for a firing of its own actor, then all of them for a program that goes on for ever.
void StreamProgram::check_rooms() {
  const auto check_room = [&](const char* queue, std::uint32_t room, std::uint32_t needed, const std::string& why,
                              const std::string& edge) {
    if (room >= needed) return;
    throw InputError(
        fmt::format("interface.{} = {} is too small for edge {}: at least {} ({})", queue, room, edge, needed, why));
  };
  const bool pull = options_.transfer == Transfer::kPull;
  const std::uint32_t block = options_.pull_block_items, grain = pull ? block : options_.packet_items;
  if (options_.stream_queue_items == 0) {
    options_.stream_queue_items = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(kUsualQueue, traffic::least_source_room(graph_, pull ? block : 1)));
  }
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    const traffic::StreamEdge& rates = edges_[e].rates;
    const std::string name = edge_name(e);
    // Items that are left over when only whole blocks leave: at most a block less the greatest common divisor.
    check_room("stream_queue_items", options_.stream_queue_items,
               pull ? rates.push + block - std::gcd(rates.push, block) : rates.push,
               pull
                   ? fmt::format("one firing beside a block of interface.pull_block_items = {} that is not full", block)
                   : "one firing",
               name);
    if (options_.receive_queue_items != 0) {
      check_room("receive_queue_items", options_.receive_queue_items, std::max(rates.peek, rates.pop) + grain - 1,
                 "what one firing must see, and one packet in excess", name);
      check_room("receive_queue_items", options_.receive_queue_items, rates.initial, "its initial items", name);
    }
  }
  const bool trees = options_.multicast == Multicast::kInRouters;
  const traffic::QueueRoom room{
      options_.stream_queue_items, options_.receive_queue_items, grain, pull ? block : 1, 0, trees};
  const auto stuck = traffic::deadlock(graph_, room);
  if (!stuck) return;
  const auto needed = traffic::least_destination_room(graph_, room);
  throw InputError(
      fmt::format("interface.receive_queue_items = {}: actor {} would wait for ever for {} on edge {}; expected {} "
                  "beside interface.stream_queue_items = {}{}",
                  options_.receive_queue_items, graph_.actors[stuck->actor].name, stuck->for_room ? "room" : "items",
                  edge_name(stuck->edge), needed ? fmt::format("at least {}", *needed) : "more initial items",
                  options_.stream_queue_items,
                  trees ? ", where copies of an item leave together (stream.multicast = \"routers\")" : ""));
}

std::string StreamProgram::edge_name(std::size_t edge) const {
  const traffic::StreamEdge& rates = edges_[edge].rates;
  return graph_.actors[rates.from].name + " -> " + graph_.actors[rates.to].name;
}

std::vector<CircuitRequest> StreamProgram::circuits() const {
  std::vector<CircuitRequest> requests;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (edges_[e].absent) continue;  // the last one
    requests.push_back({edge_name(e), edges_[e].source, edges_[e].destination});
    if (options_.multicast != Multicast::kInRouters) continue;
    const std::vector<std::size_t> copies = traffic::copies_of(graph_, e);
    if (copies.size() > 1) requests.back().copies = static_cast<std::uint32_t>(copies.front());
  }
  return requests;
}

void StreamProgram::set_up(bool success) {
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    if (!success) edges_[e].tree.reset();
    // In each order another stream of a tree is its first, on the node's first port: all of them would send from there.
    if (!success && options_.multicast == Multicast::kInRouters && edges_[e].packet_port) {
      edges_[e].source_port = *edges_[e].packet_port;
    }
    if (edges_[e].tree) edges_[*edges_[e].tree].branches.push_back(e);
  }
  start(success ? Switching::kCircuit : Switching::kPacket);
}

bool StreamProgram::join_packets() {
  bool any = false;
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    const auto first = static_cast<std::uint32_t>(traffic::copies_of(graph_, e).front());
    if (first == e) continue;
    edges_[e].tree = first;
    edges_[first].branches.push_back(e);
    any = true;
  }
  return any;
}

void StreamProgram::checkpoint_trees(Checkpoint& c) {
  for (Edge& edge : edges_) {
    c(edge.packet_port, edge.tree, edge.branches);
    if (edge.tree) c.index(*edge.tree, edges_.size(), "edge of the graph");
    for (const std::uint32_t branch : edge.branches) c.index(branch, edges_.size(), "edge of the graph");
  }
}

void StreamProgram::step(Actor& actor, std::uint64_t cycle) {
  using State = Actor::State;
  if (actor.state == State::kComputing && cycle >= actor.ready_cycle) actor.state = State::kEmitting;
  SourceRate* const rate = actor.rate ? &rates_[*actor.rate] : nullptr;
  if (rate != nullptr) rate->begin_cycle(actor.state == State::kEmitting);
  if (actor.state == State::kEmitting && (rate == nullptr || rate->due()) && outputs_free(actor)) {
    for (const std::uint32_t e : actor.outputs) {
      Edge& edge = edges_[e];
      edge.queued_items += edge.rates.push;
      edge.most_queued = std::max(edge.most_queued, edge.queued_items);
    }
    ++actor.firings;
    actor.state = State::kWaiting;
    if (rate != nullptr) rate->put_out(cycle);
    if (latency_ && actor.inputs.empty()) latency_->put_out(index_of(actor), cycle);
  }
  if (actor.state == State::kWaiting && !actor.held && inputs_ready(actor)) {
    for (const std::uint32_t e : actor.inputs) {
      edges_[e].received.consume(edges_[e].rates.pop);
      edges_[e].refused = false;
    }
    if (latency_ && actor.outputs.empty()) latency_->taken(index_of(actor), cycle);
    actor.state = State::kComputing;
    actor.ready_cycle = cycle + actor.firing_cycles;
  }
  if (rate != nullptr) rate->end_cycle(cycle, fullest_queue(actor));
}

bool StreamProgram::has_items(std::uint32_t edge) const {
  const traffic::StreamEdge& rates = edges_[edge].rates;
  return edges_[edge].received.items() >= std::max(rates.peek, rates.pop);
}

bool StreamProgram::has_room(std::uint32_t edge) const {
  return edges_[edge].queued_items + edges_[edge].rates.push <= options_.stream_queue_items;
}

bool StreamProgram::inputs_ready(const Actor& actor) const {
  return std::all_of(actor.inputs.begin(), actor.inputs.end(), [&](std::uint32_t e) { return has_items(e); });
}

bool StreamProgram::outputs_free(const Actor& actor) const {
  return std::all_of(actor.outputs.begin(), actor.outputs.end(), [&](std::uint32_t e) { return has_room(e); });
}

std::uint64_t StreamProgram::fullest_queue(const Actor& actor) const {
  std::uint64_t most = 0;
  for (const std::uint32_t e : actor.outputs) most = std::max(most, edges_[e].queued_items);
  return most;
}

bool StreamProgram::admit(Edge& edge, std::uint32_t items) {
  const std::uint32_t room = options_.receive_queue_items;
  if (room != 0 && edge.received.items() + edge.promised_items + items > room) return false;
  edge.promised_items += items;
  return true;
}

bool StreamProgram::computing() const {
  return std::any_of(actors_.begin(), actors_.end(),
                     [](const Actor& a) { return a.state == Actor::State::kComputing; }) ||
         std::any_of(rates_.begin(), rates_.end(), [](const SourceRate& r) { return r.waits_for_clock(); });
}

std::uint64_t StreamProgram::milli_iterations() const {
  std::uint64_t sum = 0;
  std::uint64_t sinks = 0;
  for (const Actor& a : actors_) {
    if (!a.outputs.empty()) continue;
    sum += a.firings * 1000 / a.repetitions;
    ++sinks;
  }
  return sum / sinks;
}

double StreamProgram::sink_progress() const {
  double sum = 0, sinks = 0;
  for (const Actor& a : actors_) {
    if (!a.outputs.empty()) continue;
    ++sinks;
    const auto begun = static_cast<double>(a.firings + (a.state == Actor::State::kWaiting ? 0 : 1));
    double here = a.inputs.empty() ? begun : 0;
    for (const std::uint32_t e : a.inputs) {
      const std::uint64_t pop = edges_[e].rates.pop, waiting = std::min(edges_[e].received.items(), pop);
      here += (begun + static_cast<double>(waiting) / static_cast<double>(pop)) / static_cast<double>(a.inputs.size());
    }
    sum += here / static_cast<double>(a.repetitions);
  }
  return sum / sinks;
}

}  // namespace braid::models
