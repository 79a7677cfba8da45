// Who sends onto a channel: an output port, or a host's interface.
#include <algorithm>

#include "models/families/myrinet/slice.h"

namespace braid::models::myrinet {

void Slice::send(std::size_t local_port, PacketSlot packet) {
  interfaces_[local_port].packets.push(packet);
  file(now_ + 1, wiring_.injection_port(local_port), Event::Kind::kBegin);
}

PortIndex Slice::incoming(std::size_t local_port, PacketSlot packet) const {
  const PortIndex channel = wiring_.local_ports[local_port].router_port;
  const auto& passing = channels_[channel].passing;
  const bool same = !passing.empty() && passing.front().slot == packet;
  // A packet to its own source comes back on the leg on which it left.
  return same && passing.front().route != context_.store[packet].route ? channel : kNone;
}

std::uint64_t Slice::here_of(std::size_t local_port, PacketSlot packet) const {
  const PortIndex c = wiring_.local_ports[local_port].router_port;
  Checkpoint::expect(front(c).slot == packet, "a packet that does not come in");
  return channels_[c].arrived.at(now_) - front(c).first;
}

std::uint64_t Slice::missing(std::size_t local_port, PacketSlot packet, std::uint64_t flits) const {
  const std::uint64_t here = here_of(local_port, packet);
  const Passing& coming = front(wiring_.local_ports[local_port].router_port);
  const std::uint64_t wanted = std::min<std::uint64_t>(flits, coming.flits);
  return wanted > here ? wanted - here : 0;
}

void Slice::begin_at_host(std::size_t i) {
  const PortIndex c = wiring_.injection_port(i);
  Channel& channel = channels_[c];
  if (channel.open || interfaces_[i].packets.empty() || now_ == 0) return;  // what is made in cycle 0 begins in 1
  const Passing leaving = first_of(i);
  channel.begin(leaving, incoming(i, leaving.slot));
  if (channel.source != kNone) channel.source_base = front(channel.source).first + 1;  // the mark
  senders_.add(c);
}

Passing Slice::first_of(std::size_t i) const {
  const PacketSlot slot = interfaces_[i].packets.front();
  const Packet& packet = context_.store[slot];
  const auto header =
      static_cast<std::uint32_t>(routes_.routers_ahead(packet.route) + routes_.in_transit_ahead(packet.route));
  const std::uint64_t first = channels_[wiring_.injection_port(i)].sent.at(now_);
  Passing leaving{slot, packet.route, 0, false, header, header + packet.length_flits, first};
  if (const Cut* cut = front_of(slot)) leaving.shorten(cut->missing);
  return leaving;
}

/// Flits that are there to be sent.
std::uint64_t Slice::available(const Channel& channel) const {
  if (channel.source == kNone) return UINT64_MAX;
  const Channel& source = channels_[channel.source];
  if (!channel.from_node) return source.occupancy(now_);
  const std::uint64_t sent = channel.sent.at(now_) - channel.sending.first;
  const std::uint64_t here = source.arrived.at(now_);
  return here > channel.source_base + sent ? here - channel.source_base - sent : 0;
}

/// A packet whose tail left in the cycle before: port, buffer or host are free now.
void Slice::end_if_sent(PortIndex c) {
  Channel& channel = channels_[c];
  if (!channel.has_sent_all(now_)) return;
  pause(c);
  if (channel.dead) channel.payload_lost += channel.payload_into_void(now_);
  channel.open = false;
  if (channel.from_node) {
    hosts_.add(static_cast<std::uint32_t>(wiring_.local_port_of_injection(c)));
    return;
  }
  const PortIndex in = channel.source;
  Checkpoint::expect(in != kNone, "a switch that sends nothing");
  Channel& source = channels_[in];
  source.payload_of_gone += front(in).payload();
  source.passing.pop_front();
  inputs_[in] = {};
  outputs_[c].input = kNone;
  buffers_.add(in);
  outputs_to_do_.add(c);
}

/// Does a flit leave in this cycle, and in those that follow if nothing changes?
void Slice::decide(PortIndex c) {
  Channel& channel = channels_[c];
  if (!channel.open) return;
  const bool sends = channel.sends(available(channel));
  if (sends && !channel.sent.running()) start(c);
  if (!sends && channel.sent.running()) pause(c);
  if (!channel.go && !channel.stopped.running()) channel.stopped.start(now_);
  if (channel.go && channel.stopped.running()) channel.stopped.stop(now_);
  if (sends) look_ahead(c);
}

void Slice::start(PortIndex c) {
  Channel& channel = channels_[c];
  const Passing& packet = channel.sending;
  const bool first = channel.sent.at(now_) == packet.first;
  channel.sent.start(now_);
  file(now_ + channel.latency_cycles, c, Event::Kind::kArrivalsBegin);
  if (first && channel.to_node) file(now_ + channel.latency_cycles, c, Event::Kind::kHead);
  if (first && channel.from_node) {
    Packet& record = context_.store[packet.slot];
    if (record.injected == 0) record.injected = now_;
  }
  if (channel.from_node) return;
  channels_[channel.source].left.start(now_);
  buffers_.add(channel.source);
}

void Slice::pause(PortIndex c) {
  Channel& channel = channels_[c];
  if (!channel.sent.running()) return;
  channel.sent.stop(now_);
  file(now_ + channel.latency_cycles, c, Event::Kind::kArrivalsEnd);
  if (channel.from_node) return;
  channels_[channel.source].left.stop(now_);
  buffers_.add(channel.source);
}

/// Files the cycle in which the next thing happens that the sender knows of.
void Slice::look_ahead(PortIndex c) {
  Channel& channel = channels_[c];
  const std::uint64_t unsent = channel.unsent(now_);
  const bool tail_matters = channel.to_node || channel.from_node || channel.dead;
  if (tail_matters && unsent == 1) note_tail(c);
  std::uint64_t next = tail_matters && unsent > 1 ? unsent - 1 : unsent;
  if (channel.source != kNone && !channels_[channel.source].arrived.running()) {
    next = std::min(next, available(channel));
  }
  if (channel.look_at == now_ + next) return;
  channel.look_at = now_ + next;
  file(channel.look_at, c, Event::Kind::kLook);
}

/// The last flit leaves in this cycle.
void Slice::note_tail(PortIndex c) {
  Channel& channel = channels_[c];
  if (channel.tail_noted) return;
  channel.tail_noted = true;
  if (channel.dead) gone(channel.sending.slot);
  if (channel.to_node) file(now_ + channel.latency_cycles, c, Event::Kind::kTail);
  if (!channel.from_node) return;
  const std::size_t i = wiring_.local_port_of_injection(c);
  sink_->sent(now_, channel.sending.slot);
  Checkpoint::expect(!interfaces_[i].packets.empty(), "a host that sends nothing");
  interfaces_[i].packets.pop();
  if (interfaces_[i].packets.empty() && listener_) listener_(i);
}

/// A packet's tail is at a node. What the host sends on of it comes from its memory from now on.
void Slice::deliver(PortIndex c) {
  Channel& channel = channels_[c];
  const Passing packet = front(c);
  const PacketSlot slot = packet.slot;
  channel.payload_of_gone += packet.payload();
  channel.passing.pop_front();
  const PortIndex injection = wiring_.injection_port(channel.target);
  Channel& onward = channels_[injection];
  if (onward.open && onward.source == c && onward.sending.slot == slot) {
    onward.source = kNone;
    senders_.add(injection);
  }
  if (packet.cut && (packet.only_end_sign() || routes_.is_last(packet.route))) {
    gone(slot);
  } else {
    sink_->deliver(now_, slot);
  }
}

}  // namespace braid::models::myrinet
