#include "models/stages/po2/route_unit.h"

#include <algorithm>

namespace braid::models::stages::po2 {

void RouteUnit::bind(RouterChannels& router) {
  grant_i(router.grant);
  buffer_i(router.grant_buffer);
  class_i(router.in_class);
  vc_i(router.in_vc);
  source_i(router.in_source);
  destination_i(router.in_destination);
  leaving_i(router.leaving);
  waiting_o(router.waiting);
  since_o(router.since);
  in_port_o(router.in_port);
  ways_o(router.ways);
  ways_vc_o(router.ways_vc);
  escape_o(router.escape);
  escape_class_o(router.escape_class);
}

void RouteUnit::on_bank(Slice& slice, std::uint64_t) { slice.route_headers(); }

void RouteUnit::on_ports(LoneRouter& lone, std::uint64_t cycle) {
  let_leave(lone);
  take_headers(lone, cycle);
  lone.slice().end_transfers(cycle);  // the wheel's cycle: none but headers are on it here
  lone.slice().route_headers();
  write_ways(lone);
}

void RouteUnit::let_leave(LoneRouter& lone) const {
  Registers& here = lone.registers();
  for (unsigned b = 0; b < shape_.buffers; ++b) {
    if (here.buffers[b].state != Buffer::State::kWaiting || !leaving_i->read()[b]) continue;
    here.buffers[b].state = Buffer::State::kLeaving;
    here.waiting.erase(std::find(here.waiting.begin(), here.waiting.end(), b));
  }
}

void RouteUnit::take_headers(LoneRouter& lone, std::uint64_t cycle) const {
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!grant_i->read()[p]) continue;
    const auto b = static_cast<std::uint8_t>(buffer_i->read().field(p * shape_.buffer_bits(), shape_.buffer_bits()));
    Buffer header;
    header.state = Buffer::State::kArriving;
    header.in_port = PortId{p};
    header.pool_class = static_cast<models::po2::PoolClass>(class_i->read().field(p * kClassBits, kClassBits));
    header.vc = static_cast<std::uint8_t>(vc_i->read().field(p * kVcBits, kVcBits));
    header.packet = lone.of_buffer(b);
    Packet& packet = lone.store()[header.packet];
    packet.source = NodeId{source_i->read().field(p * kNodeBits, kNodeBits)};
    packet.destination = NodeId{destination_i->read().field(p * kNodeBits, kNodeBits)};
    lone.hold(b, header);
    lone.slice().await_header(lone.number(), p, b, cycle);
  }
}

void RouteUnit::write_ways(LoneRouter& lone) {
  const Registers& here = lone.registers();
  Bits waiting(shape_.buffers), since(shape_.buffers * kCycleBits), in_port(shape_.buffers * shape_.way_bits());
  Bits ways(shape_.buffers * shape_.ways * shape_.way_bits()), vcs(shape_.buffers * shape_.ways * kVcBits);
  Bits escape(shape_.buffers), escape_class(shape_.buffers * kClassBits);
  for (const std::uint8_t b : here.waiting) {
    const Buffer& packet = here.buffers[b];
    waiting.set(b);
    since.set(b * kCycleBits, kCycleBits, packet.since);
    in_port.set(b * shape_.way_bits(), shape_.way_bits(), packet.in_port.value + std::uint64_t{1});
    for (unsigned i = 0; i < packet.candidates; ++i) {
      const routing::Candidate& way = lone.slice().candidates(lone.number(), b)[i];
      const unsigned place = b * shape_.ways + i;
      ways.set(place * shape_.way_bits(), shape_.way_bits(), way.port.value + std::uint64_t{1});
      vcs.set(place * kVcBits, kVcBits, static_cast<unsigned>(__builtin_ctz(way.vcs)));
    }
    escape.set(b, packet.escaping);
    if (packet.escaping) escape_class.set(b * kClassBits, kClassBits, packet.escape_class);
  }
  waiting_o->write(waiting);
  since_o->write(since);
  in_port_o->write(in_port);
  ways_o->write(ways);
  ways_vc_o->write(vcs);
  escape_o->write(escape);
  escape_class_o->write(escape_class);
}

}  // namespace braid::models::stages::po2
