// Requests that wait for room, requests in service, replies on their way back.
#include <algorithm>

#include "models/workload/synthetic/synthetic_sources.h"

namespace braid::models {

/// What comes to an end in this cycle: services, and the want of room. Like every other packet, what is sent leaves in
/// a later one.
void SyntheticSources::exchange(Slice& slice, std::uint64_t cycle) const {
  Exchanges& x = *slice.exchanges;
  for (const Answer& one : x.answers) answer(slice, cycle, one);
  x.answers.clear();
  x.in_service.take(cycle, [&](const Answer& one) { answer(slice, cycle, one); });
  for (const std::uint32_t source : x.released) {
    ExchangeEnds& ends = x.ends[source];
    if (ends.holds() && ends.room(options_.outstanding)) go(slice, ends, ends.take_held());
  }
  x.released.clear();
}

/// Makes a request. It counts from now on, whether it may leave or is held until there is room.
void SyntheticSources::ask(const Slice& slice, std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits) const {
  ExchangeEnds& ends = slice.exchanges->ends[source_of_node_[from.value]];
  const PacketSlot request = slice.outlet->make(cycle, kRequest, 0, from, to, flits);
  if (ends.holds() || !ends.room(options_.outstanding)) {
    ends.hold(request);
  } else {
    go(slice, ends, request);
  }
}

void SyntheticSources::go(const Slice& slice, ExchangeEnds& ends, PacketSlot request) const {
  const Packet& packet = (*slice.outlet)[request];
  ends.sent({packet.sequence, packet.created, packet.measured});
  slice.outlet->transport().send(slice.outlet->port_of(packet), request);
}

/// A request has come to the node that answers it: in turn, `servers` at once, each for service_cycles.
void SyntheticSources::serve(Slice& slice, std::uint64_t cycle, const Packet& request) const {
  Exchanges& x = *slice.exchanges;
  ExchangeEnds& ends = x.ends[source_of_node_[request.destination.value]];
  const std::uint64_t service = options_.service_cycles;
  const std::uint64_t begins = service == 0 ? cycle : ends.serve(cycle, options_.servers, service);
  if (window_.open) {
    ++x.counts.served;
    x.counts.wait_sum += begins - cycle;
    x.counts.busy_sum += service;
  }
  const Answer later{begins + service, request.destination, request.source, request.sequence};
  if (later.due == cycle) {
    x.answers.push_back(later);
  } else {
    x.in_service.add(later);
  }
}

void SyntheticSources::answer(const Slice& slice, std::uint64_t cycle, const Answer& answer) const {
  const std::uint8_t own_class = options_.name.empty() ? 0 : 1;
  Outlet& outlet = *slice.outlet;
  const PacketSlot slot = outlet.make(cycle, kReply, own_class, answer.from, answer.to, options_.reply_flits);
  outlet[slot].tag_sequence = answer.sequence;
  outlet.transport().send(outlet.port_of(outlet[slot]), slot);
}

void SyntheticSources::answered(Slice& slice, std::uint64_t cycle, const Packet& reply) const {
  Exchanges& x = *slice.exchanges;
  const std::uint32_t source = source_of_node_[reply.destination.value];
  const ExchangeEnds::Open request = x.ends[source].answered(reply.tag_sequence);
  if (window_.measures(request)) x.counts.round_trips.add(cycle - request.created);
  if (x.ends[source].holds()) x.released.push_back(source);
}

std::uint64_t SyntheticSources::held_packets() const {
  std::uint64_t packets = 0;
  for (const Slice& slice : slices_) {
    if (!slice.exchanges) continue;
    for (const ExchangeEnds& ends : slice.exchanges->ends) packets += ends.held();
  }
  return packets;
}

void SyntheticSources::checkpoint_exchanges(Checkpoint& c, Slice& slice) const {
  Exchanges& x = *slice.exchanges;
  c.each(x.ends);
  c(x.in_service, x.answers, x.released, x.counts);
  for (const std::uint32_t source : x.released) c.index(source, x.ends.size(), "source");
}

}  // namespace braid::models
