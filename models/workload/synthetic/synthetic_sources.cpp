#include <fmt/format.h>

#include <algorithm>

#include "models/workload/synthetic/class_options.h"

namespace braid::models {
namespace {

constexpr std::uint64_t kMostPackets = 65535;  // of a message: its length is one of traffic.length

const bool synthetic_sources_registered = WorkloadRegistry::instance().add(
    "traffic", "synthetic packets or messages", synthetic_options().list(), SyntheticSources::figures().list(),
    [](const WorkloadContext& context) { return std::make_unique<SyntheticSources>(context); });

}  // namespace

void SyntheticSources::open(std::size_t, const std::vector<NodeId>& nodes, Outlet& outlet) {
  slices_.emplace_back(&outlet);
  quiet_until_.push_back(0);
  slices_.back().wheel = TimingWheel<Firing>(wheel_slots(nodes.size()));
  Slice& slice = slices_.back();
  if (messages_) slice.messages = std::make_unique<MessageBook>(*messages_, window_);
  const std::string of_class = number_ == 0 ? "" : fmt::format("[{}]", number_);
  for (const NodeId node : nodes) {
    if (slice_of_node_.size() <= node.value) {
      slice_of_node_.resize(node.value + 1);
      source_of_node_.resize(node.value + 1);
    }
    slice_of_node_[node.value] = static_cast<std::uint32_t>(slices_.size() - 1);
    source_of_node_[node.value] = static_cast<std::uint32_t>(slice.sources.size());
    Random random(seed_, fmt::format("node[{}].source{}", node.value, of_class));
    slice.sources.push_back({node, random, process_of(node)});
  }
  if (has_exchanges(options_)) {
    slice.exchanges = std::make_unique<Exchanges>();
    slice.exchanges->ends.resize(nodes.size());
  }
  for (std::uint32_t s = 0; s < slice.sources.size(); ++s) {
    const std::uint64_t gap = slice.sources[s].process->next_gap(slice.sources[s].random);
    if (gap != traffic::InjectionProcess::kNever) slice.wheel.add({options_.start_cycle + gap - 1, s});
  }
}

/// About two mean gaps between a source's packets: then few firings are met before they are due, and the wheel stays in
/// the processor's cache.
std::size_t SyntheticSources::wheel_slots(std::size_t nodes) const {
  constexpr std::size_t kShortest = 16, kLongest = 1024, kFewNodes = 16, kLongestOfFewNodes = 64;
  const double gap = mean_packet_flits() / options_.rate_flits_per_node_cycle;
  std::size_t slots = kShortest;
  while (slots < (nodes < kFewNodes ? kLongestOfFewNodes : kLongest) && static_cast<double>(slots) < 2.0 * gap)
    slots *= 2;
  return slots;
}

/// Its own where the pattern gives each node a rate; none where others send.
std::unique_ptr<traffic::InjectionProcess> SyntheticSources::process_of(NodeId node) const {
  const auto& senders = options_.senders;
  const bool silent = !senders.empty() && std::find(senders.begin(), senders.end(), node.value) == senders.end();
  std::optional<double> rate = pattern_->rate_flits_per_cycle(node);
  if (!rate && !silent) return process_->clone();
  const double packets = silent ? 0.0 : *rate / mean_packet_flits();
  const std::string process = silent || packets == 0.0 ? "bernoulli" : options_.process;
  return traffic::InjectionRegistry::instance().make(process, {packets, configuration_});
}

double SyntheticSources::mean_packet_flits() const {
  return length_->mean_flits() * (options_.packet_flits > 0 ? options_.packet_flits : 1.0);
}

/// Answers to what arrived in this cycle: like every other packet, they leave in a later one.
void SyntheticSources::send_replies(Slice& slice, std::uint64_t cycle) const {
  Outlet& outlet = *slice.outlet;
  for (const Answer& answer : slice.replies) {
    const PacketSlot slot = outlet.make(cycle, kReply, 0, answer.from, answer.to, options_.reply_flits);
    outlet[slot].tag_sequence = answer.sequence;
    outlet.transport().send(outlet.port_of(outlet[slot]), slot);
  }
  slice.replies.clear();
}

void SyntheticSources::fire_sources(Slice& slice, std::uint64_t cycle) const {
  slice.retried.swap(slice.stalled);
  slice.stalled.clear();
  for (const std::uint32_t s : slice.retried) fire_or_stall(slice, s, cycle);
  slice.wheel.take(cycle, [&](const Firing& firing) { fire_or_stall(slice, firing.source, cycle); });
  if (slice.stalled.empty() || !window_.open) return;
  const std::size_t batch = (cycle - window_.first_cycle) / window_.batch_cycles;
  if (batch >= slice.stalled_cycles.size()) slice.stalled_cycles.resize(batch + 1);
  slice.stalled_cycles[batch] += slice.stalled.size();
}

void SyntheticSources::fire_or_stall(Slice& slice, std::uint32_t s, std::uint64_t cycle) const {
  if (options_.stop_cycle != 0 && cycle >= options_.stop_cycle) return;
  Source& source = slice.sources[s];
  if (!fire(slice, source, cycle)) {
    slice.stalled.push_back(s);
    return;
  }
  const std::uint64_t gap = source.process->next_gap(source.random);
  if (gap != traffic::InjectionProcess::kNever) slice.wheel.add({cycle + gap, s});
}

/// Makes one packet or message; false if the source queue has no room.
bool SyntheticSources::fire(Slice& slice, Source& source, std::uint64_t cycle) const {
  if (closed_) {
    const ExchangeEnds& ends = slice.exchanges->ends[source_of_node_[source.node.value]];
    if (ends.holds() || !ends.room(options_.outstanding)) return false;
  }
  const std::uint32_t limit = options_.source_queue_packets;
  if (limit != 0 && slice.outlet->transport().queued(slice.outlet->next_port(source.node)) >= limit) return false;
  const traffic::Destination destination = pattern_->destination(source.node, source.random);
  if (!destination) return true;
  const std::uint32_t length = length_->sample_flits(source.random);
  if (slice.messages == nullptr) {
    send(slice, cycle, source.node, *destination, length);
  } else {
    const bool priority = priority_bits_ != 0 && source.random.chance(priority_bits_);
    send_message(slice, cycle, source.node, *destination, length, priority);
  }
  return true;
}

void SyntheticSources::send(const Slice& slice, std::uint64_t cycle, NodeId from, NodeId to,
                            std::uint32_t flits) const {
  if (slice.exchanges) {
    ask(slice, cycle, from, to, flits);
  } else {
    slice.outlet->send(cycle, kRequest, from, to, flits);
  }
}

/// Segmentation: all packets of a message go to one local port, one after the other.
void SyntheticSources::send_message(Slice& slice, std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t packets,
                                    bool priority) const {
  Outlet& outlet = *slice.outlet;
  const std::size_t port = outlet.next_port(from);
  const std::uint32_t message = slice.messages->open(cycle, packets, priority);
  const std::uint32_t first = outlet.next_sequence(from);  // its class has one subnet: next_port()'s
  for (std::uint32_t p = 0; p < packets; ++p) {
    const PacketSlot slot = outlet.make(cycle, kRequest, 0, from, to, options_.packet_flits);
    Packet& packet = outlet[slot];
    packet.message = message;
    packet.priority = priority;
    if (packet.record != nullptr) {
      packet.record->first_of_message = first;
      packet.record->message_packets = packets;
    }
    outlet.transport().send(port, slot);
  }
}

void SyntheticSources::deliver(std::size_t s, std::uint64_t cycle, const Packet& packet) {
  Slice& slice = slices_[s];
  if (packet.message != kNoMessage) slice.messages->deliver(cycle, packet);
  if (slice.exchanges) {
    packet.kind == kRequest ? serve(slice, cycle, packet) : answered(slice, cycle, packet);
  } else if (options_.request_reply && packet.kind == kRequest) {
    slice.replies.push_back({cycle, packet.destination, packet.source, packet.sequence});
    quiet_until_[s] = 0;
  }
}

void SyntheticSources::lost(std::size_t s, const Packet& packet) {
  if (packet.message != kNoMessage) slices_[s].messages->lost(packet);
}

void SyntheticSources::begin_window() {
  for (Slice& slice : slices_) {
    slice.stalled_cycles.clear();
    if (slice.messages) slice.messages->begin_window();
    if (slice.exchanges) slice.exchanges->counts = {};
  }
}

void SyntheticSources::checkpoint(Checkpoint& c) {
  c.part("synthetic sources");
  std::vector<const MessageStore::Pool*> pools;
  for (Slice& slice : slices_) {
    if (slice.messages) {
      c(*slice.messages);
      pools.push_back(&slice.messages->pool());
    }
    c.each(slice.sources);
    c(slice.wheel, slice.stalled, slice.stalled_cycles, slice.replies);
    if (slice.exchanges) checkpoint_exchanges(c, slice);
    slice.wheel.for_each([&](const Firing& firing) { c.index(firing.source, slice.sources.size(), "source"); });
    for (const std::uint32_t source : slice.stalled) c.index(source, slice.sources.size(), "source");
  }
  if (messages_) messages_->checkpoint(c, pools);
  for (PacketSlot slot = 0; messages_ && slot < messages_->slots(); ++slot) {
    c.index((*messages_)[slot].packets, kMostPackets + 1, "number of packets");
  }
  c(stopped_);
  std::fill(quiet_until_.begin(), quiet_until_.end(), 0);  // or until later: the next cycle looks
}

SyntheticSources::Slice& SyntheticSources::slice_of(NodeId node) { return slices_[slice_of_node_[node.value]]; }

void SyntheticSources::send(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits) {
  send(slice_of(from), cycle, from, to, flits);
}

void SyntheticSources::send_message(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t packets, bool priority) {
  send_message(slice_of(from), cycle, from, to, packets, priority);
}

/// Of requests: nobody holds back a reply.
std::vector<std::uint64_t> SyntheticSources::stalled_source_cycles(std::size_t traffic_class) const {
  std::vector<std::uint64_t> all;
  if (traffic_class > 0) return all;
  for (const Slice& slice : slices_) {
    if (all.size() < slice.stalled_cycles.size()) all.resize(slice.stalled_cycles.size());
    for (std::size_t b = 0; b < slice.stalled_cycles.size(); ++b) all[b] += slice.stalled_cycles[b];
  }
  return all;
}

}  // namespace braid::models
