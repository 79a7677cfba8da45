#include "models/workload/endpoints.h"

#include <fmt/format.h>

#include <algorithm>

namespace braid::models {

Endpoints::Endpoints(const Shared& shared, PacketStore::Pool& pool, PacketTransport& transport, Statistics& statistics,
                     MessageBook* messages, PacketLog::Page* log, const std::vector<NodeId>& nodes)
    : shared_(shared), pool_(pool), transport_(transport), statistics_(statistics), messages_(messages), log_(log) {
  if (shared_.synthetic != nullptr) {
    const SyntheticOptions& options = shared_.synthetic->options;
    const double packet_flits = messages_ != nullptr ? options.packet_flits : 1.0;
    const double rate = options.rate_flits_per_node_cycle / (shared_.synthetic->length->mean_flits() * packet_flits);
    priority_bits_ = Random::probability_bits(options.priority_fraction);
    wheel_.resize(kWheelSlots);
    const auto process = traffic::InjectionRegistry::instance().make(options.process, {rate, shared_.configuration});
    const std::uint64_t seed = read_seed(shared_.configuration);
    for (const NodeId node : nodes) {
      Random random(seed, fmt::format("node[{}].source", node.value));
      sources_.push_back({node, random, process->clone(), 0});
    }
    for (std::uint32_t s = 0; s < sources_.size(); ++s) {
      const std::uint64_t gap = sources_[s].process->next_gap(sources_[s].random);
      if (gap != traffic::InjectionProcess::kNever) schedule(s, gap - 1);
    }
  }
  if (shared_.program == nullptr) return;
  const auto mine = [&](NodeId node) { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); };
  for (std::uint32_t a = 0; a < shared_.program->actors().size(); ++a) {
    if (mine(shared_.program->actors()[a].node)) actors_.push_back(a);
  }
  for (std::uint32_t e = 0; e < shared_.program->edges().size(); ++e) {
    if (mine(shared_.program->edges()[e].source)) outgoing_.push_back(e);
    if (mine(shared_.program->edges()[e].destination)) incoming_.push_back(e);
  }
}

void Endpoints::generate(std::uint64_t cycle) {
  if (!replies_.empty()) send_replies(cycle);
  if (!sources_.empty() && !sources_stopped_) fire_sources(cycle);
  if (shared_.program != nullptr && shared_.program->started()) step_streams(cycle);
}

// ---------------------------------------------------------------- synthetic sources

/// Answers to what arrived in this cycle: like every other packet, they leave in a later one.
void Endpoints::send_replies(std::uint64_t cycle) {
  for (const auto& [from, to] : replies_) {
    const std::size_t port = local_port(from, shared_.next_sequence[from.value]);
    transport_.send(port, make_packet(cycle, PacketKind::kReply, from, to, shared_.synthetic->options.reply_flits));
  }
  replies_.clear();
}

/// Puts the source's next packet on the wheel.
void Endpoints::schedule(std::uint32_t source, std::uint64_t due) {
  sources_[source].due = due;
  wheel_[due % kWheelSlots].push_back(source);
}

void Endpoints::fire_sources(std::uint64_t cycle) {
  due_.swap(stalled_);
  stalled_.clear();
  for (const std::uint32_t s : due_) fire_or_stall(s, cycle);
  due_.swap(wheel_[cycle % kWheelSlots]);
  wheel_[cycle % kWheelSlots].clear();
  for (const std::uint32_t s : due_) {
    if (sources_[s].due == cycle) {
      fire_or_stall(s, cycle);
    } else {
      schedule(s, sources_[s].due);  // in another turn of the wheel
    }
  }
}

void Endpoints::fire_or_stall(std::uint32_t s, std::uint64_t cycle) {
  Source& source = sources_[s];
  if (!fire(source, cycle)) {
    stalled_.push_back(s);
    return;
  }
  const std::uint64_t gap = source.process->next_gap(source.random);
  if (gap != traffic::InjectionProcess::kNever) schedule(s, cycle + gap);
}

/// Makes one packet or message; false if the source queue has no room.
bool Endpoints::fire(Source& source, std::uint64_t cycle) {
  const std::uint32_t limit = shared_.synthetic->options.source_queue_packets;
  const std::size_t port = local_port(source.node, shared_.next_sequence[source.node.value]);
  if (limit != 0 && transport_.queued(port) >= limit) return false;
  const std::optional<NodeId> destination = shared_.synthetic->pattern->destination(source.node, source.random);
  if (!destination) return true;
  const std::uint32_t length = shared_.synthetic->length->sample_flits(source.random);
  if (messages_ == nullptr) {
    send(cycle, source.node, *destination, length);
  } else {
    send_message(cycle, source.node, *destination, length, priority_bits_ != 0 && source.random.chance(priority_bits_));
  }
  return true;
}

/// Segmentation: all packets of a message go to one local port, one after the other.
void Endpoints::send_message(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t packets, bool priority) {
  const std::size_t port = local_port(from, shared_.next_sequence[from.value]);
  const std::uint32_t message = messages_->open(cycle, packets, priority);
  const std::uint32_t first = shared_.next_sequence[from.value];
  for (std::uint32_t p = 0; p < packets; ++p) {
    const PacketSlot slot =
        make_packet(cycle, PacketKind::kSynthetic, from, to, shared_.synthetic->options.packet_flits);
    Packet& packet = shared_.store[slot];
    packet.message = message;
    packet.priority = priority;
    if (packet.record != nullptr) {
      packet.record->first_of_message = first;
      packet.record->message_packets = packets;
    }
    transport_.send(port, slot);
  }
}

void Endpoints::send(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits) {
  const std::size_t port = local_port(from, shared_.next_sequence[from.value]);
  transport_.send(port, make_packet(cycle, PacketKind::kSynthetic, from, to, flits));
}

PacketSlot Endpoints::make_packet(std::uint64_t cycle, PacketKind kind, NodeId from, NodeId to, std::uint32_t flits) {
  const PacketSlot slot = pool_.take();
  Packet& packet = shared_.store[slot];
  packet = Packet{};
  packet.created = cycle;
  packet.source = from;
  packet.destination = to;
  packet.sequence = shared_.next_sequence[from.value]++;
  packet.length_flits = static_cast<std::uint16_t>(flits);
  packet.kind = kind;
  statistics_.created(packet);
  if (log_ != nullptr) log_->open(packet, slot);
  return slot;
}

// ---------------------------------------------------------------- streams

void Endpoints::step_streams(std::uint64_t cycle) {
  StreamProgram& program = *shared_.program;
  for (const std::uint32_t a : actors_) program.step(program.actors()[a], cycle);
  for (const std::uint32_t e : outgoing_) send_items(cycle, e);
  if (program.options().transfer == Transfer::kPull) {
    for (const std::uint32_t e : incoming_) request_blocks(cycle, e);
  }
}

/// Packs queued items into the edge's next packet, at most two packets ahead of the injection link.
void Endpoints::send_items(std::uint64_t cycle, std::uint32_t e) {
  StreamProgram& program = *shared_.program;
  StreamProgram::Edge& edge = program.edges()[e];
  const StreamOptions& options = program.options();
  if (edge.unsent_packets >= 2 || edge.queued_items == 0) return;
  if (options.transfer == Transfer::kPull) {
    if (edge.requested_blocks == 0 || edge.queued_items < options.pull_block_items) return;
    --edge.requested_blocks;
    transport_.send(edge.source_port,
                    make_stream_packet(cycle, PacketKind::kPullResponse, e, options.pull_block_items));
    return;
  }
  const auto items = static_cast<std::uint32_t>(std::min<std::uint64_t>(edge.queued_items, options.packet_items));
  if (program.switching() == Switching::kCircuit) {
    transport_.send_on_circuit(edge.source_port, make_stream_packet(cycle, PacketKind::kCircuit, e, items));
  } else {
    transport_.send(edge.source_port, make_stream_packet(cycle, PacketKind::kStream, e, items));
  }
}

void Endpoints::request_blocks(std::uint64_t cycle, std::uint32_t e) {
  StreamProgram::Edge& edge = shared_.program->edges()[e];
  const StreamOptions& options = shared_.program->options();
  if (edge.outstanding_requests >= options.pull_outstanding) return;
  if (!shared_.program->admit(edge, options.pull_block_items)) return;
  ++edge.outstanding_requests;
  const PacketSlot request = make_packet(cycle, PacketKind::kPullRequest, edge.destination, edge.source, 1);
  shared_.store[request].edge = e;
  transport_.send(edge.destination_port, request);
}

PacketSlot Endpoints::make_stream_packet(std::uint64_t cycle, PacketKind kind, std::uint32_t e, std::uint32_t items) {
  StreamProgram::Edge& edge = shared_.program->edges()[e];
  const PacketSlot slot = make_packet(cycle, kind, edge.source, edge.destination, items);
  shared_.store[slot].edge = e;
  shared_.store[slot].edge_sequence = edge.next_sequence++;
  edge.queued_items -= items;
  ++edge.unsent_packets;
  return slot;
}

// ---------------------------------------------------------------- arrivals

bool Endpoints::admit(PacketSlot message) {
  const Packet& packet = shared_.store[message];
  return shared_.program->admit(shared_.program->edges()[packet.edge], packet.length_flits);
}

void Endpoints::sent(std::uint64_t cycle, PacketSlot slot) {
  const Packet& packet = shared_.store[slot];
  if (packet.record != nullptr) packet.record->left_queue = cycle;
  statistics_.sent(packet);
  const bool carries_items = packet.kind == PacketKind::kStream || packet.kind == PacketKind::kPullResponse ||
                             packet.kind == PacketKind::kCircuit;
  if (carries_items) --shared_.program->edges()[packet.edge].unsent_packets;
}

void Endpoints::deliver(std::uint64_t cycle, PacketSlot slot) {
  const Packet packet = shared_.store[slot];
  if (packet.record != nullptr) {
    packet.record->packet = packet;
    packet.record->delivered = cycle;
  }
  pool_.give_back(slot);
  statistics_.delivered(cycle, packet);
  if (packet.message != kNoMessage) messages_->deliver(cycle, packet);
  if (packet.kind == PacketKind::kSynthetic) {
    if (shared_.synthetic != nullptr && shared_.synthetic->options.request_reply)
      replies_.emplace_back(packet.destination, packet.source);
  } else if (packet.kind != PacketKind::kReply) {
    deliver_stream_packet(packet);
  }
}

void Endpoints::deliver_stream_packet(const Packet& packet) {
  StreamProgram::Edge& edge = shared_.program->edges()[packet.edge];
  if (packet.kind == PacketKind::kPullRequest) {
    ++edge.requested_blocks;
    return;
  }
  edge.received.arrive(packet.edge_sequence, packet.length_flits);
  edge.delivered_items += packet.length_flits;
  if (packet.kind == PacketKind::kPullResponse) --edge.outstanding_requests;
  if (packet.kind != PacketKind::kStream) edge.promised_items -= packet.length_flits;
}

}  // namespace braid::models
