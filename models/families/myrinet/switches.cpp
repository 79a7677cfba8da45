// The switch: headers, output ports, stop and go.
#include "models/families/myrinet/slice.h"

namespace braid::models::myrinet {

void Slice::take_header(PortIndex c) {
  if (!has_header(c)) return;
  Channel& channel = channels_[c];
  Input& input = inputs_[c];
  const Passing& packet = channel.passing.front();
  channel.left.add(1);
  input.taken = now_;
  if (packet.only_end_sign()) {  // of a packet cut within its header
    const PacketSlot slot = packet.slot;
    channel.passing.pop_front();
    gone(slot);
    file(now_ + 1, c, Event::Kind::kOccupancy);
    return;
  }
  const PortIndex in = channel.target;
  const RouterId router = wiring_.router_of(in);
  Packet& record = context_.store[packet.slot];
  ++record.routers;
  log_visit(record, now_, router, PortId{wiring_.port_of(in)});
  input.state = Input::State::kWaits;
  input.output = wiring_.port_index(router, named_port(c));
  outputs_[input.output].asked |= std::uint64_t{1} << wiring_.port_of(in);
  outputs_to_do_.add(input.output);
}

PortId Slice::named_port(PortIndex c) const {
  const Passing& packet = front(c);
  if (packet.hop < routes_.links(packet.route)) return routes_.port(packet.route, packet.hop);
  const Packet& record = context_.store[packet.slot];
  const NodeId end = routes_.end(packet.route, record.source, record.destination);
  return context_.topology.nodes[end.value].front().port;
}

void Slice::arbitrate(PortIndex o) {
  Output& output = outputs_[o];
  if (output.input != kNone || output.asked == 0) return;
  const std::uint32_t port = output.grant();
  output.input = channel_into(wiring_.port_index(wiring_.router_of(o), PortId{port}));
  inputs_[output.input].state = Input::State::kRouting;
  file(now_ + timing_.routing_cycles, o, Event::Kind::kRouted);
}

void Slice::begin_behind_router(PortIndex o) {
  const PortIndex in = outputs_[o].input;
  Channel& channel = channels_[o];
  const Passing& packet = front(in);
  inputs_[in].state = Input::State::kOpen;
  channel.begin({packet.slot, packet.route, static_cast<std::uint16_t>(packet.hop + 1), packet.cut, packet.header - 1,
                 packet.flits - 1, channel.sent.at(now_)},
                in);
  senders_.add(o);
}

/// Stop and go, and the cycle in which either could be due next if nothing changes.
void Slice::signal(PortIndex c) {
  Channel& channel = channels_[c];
  if (channel.dead) return;
  const std::uint64_t flits = channel.occupancy(now_);
  if (options_.stops(channel.stopping, flits) != channel.stopping) {
    channel.stopping = !channel.stopping;
    file(now_ + channel.latency_cycles, c, channel.stopping ? Event::Kind::kStop : Event::Kind::kGo);
  }
  if (channel.arrived.running() == channel.left.running()) return;
  if (channel.arrived.running() && !channel.stopping) {
    file(now_ + options_.stop_flits - flits, c, Event::Kind::kOccupancy);
  } else if (channel.left.running() && channel.stopping) {
    file(now_ + flits - options_.go_flits, c, Event::Kind::kOccupancy);
  }
}

}  // namespace braid::models::myrinet
