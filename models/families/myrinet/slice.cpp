#include "models/families/myrinet/slice.h"

namespace braid::models::myrinet {

std::uint64_t Slice::bytes(const routing::Topology& topology) {
  constexpr std::uint64_t kEmptyQueue = 512;  // of std::deque
  const std::uint64_t ports = PortNumbering(topology).router_port_count();
  return Wiring::bytes(topology) + ports * sizeof(Output) +
         (ports + topology.node_count()) * (sizeof(Channel) + kEmptyQueue + sizeof(Input));
}

Slice::Slice(const FabricContext& context, const Options& options)
    : context_(context),
      options_(options),
      timing_(timing_of(options)),
      routes_(*context.routing.routes()),
      wiring_(context.topology),
      channels_(wiring_.links.size()),
      inputs_(wiring_.links.size()),
      outputs_(wiring_.router_port_count()),
      interfaces_(wiring_.local_ports.size()),
      pieces_(context.store) {
  for (PortIndex c = 0; c < channels_.size(); ++c) {
    const Link& link = wiring_.links[c];
    Channel& channel = channels_[c];
    channel.target = link.target;
    channel.to_node = link.to_node;
    channel.from_node = wiring_.is_injection_port(c);
    if (link.target == kNone) continue;
    // A host's cable is as long as the topology says of its port.
    const PortIndex at = channel.from_node ? link.target : c;
    channel.latency_cycles = context.topology.port(wiring_.router_of(at), PortId{wiring_.port_of(at)}).latency_cycles;
  }
  senders_.resize(channels_.size());
  buffers_.resize(channels_.size());
  outputs_to_do_.resize(outputs_.size());
  hosts_.resize(interfaces_.size());
  find_link(context);
}

void Slice::cycle(std::uint64_t cycle) {
  take_events(cycle);
  if (!anything_to_do() && now_ != failure_cycle_) return;
  senders_.for_each([this](PortIndex c) { end_if_sent(c); });
  cut_link_if_due();
  buffers_.for_each([this](PortIndex c) { take_header(c); });
  outputs_to_do_.for_each([this](PortIndex o) { arbitrate(o); });
  hosts_.for_each([this](std::uint32_t i) { begin_at_host(i); });
  senders_.for_each([this](PortIndex c) { decide(c); });
  buffers_.for_each([this](PortIndex c) { signal(c); });
  forget_what_to_do();
}

/// What begins or ends to arrive in that cycle is filed by now, and not counted yet.
std::uint64_t Slice::buffered(PortIndex channel) const {
  const Channel& c = channels_[channel];
  std::uint64_t flits = c.occupancy(now_ + 1);
  events_.for_each_at(now_ + 1, [&](const Event& event) {
    if (event.channel != channel || c.dead) return;
    flits += event.kind == Event::Kind::kArrivalsBegin ? 1 : 0;
    flits -= event.kind == Event::Kind::kArrivalsEnd ? 1 : 0;
  });
  return flits;
}

void Slice::apply(const Event& event) {
  Channel& channel = channels_[event.channel];
  switch (event.kind) {
    case Event::Kind::kArrivalsBegin:
      if (channel.dead) break;
      channel.arrived.start(now_ - 1);  // the first flit is here at the start of this cycle
      look_at_buffer(event.channel);
      break;
    case Event::Kind::kArrivalsEnd:
      if (channel.dead) break;
      channel.arrived.stop(now_ - 1);
      look_at_buffer(event.channel);
      break;
    case Event::Kind::kStop:
    case Event::Kind::kGo:
      channel.go = event.kind == Event::Kind::kGo || channel.dead;
      senders_.add(event.channel);
      break;
    case Event::Kind::kLook:
      senders_.add(event.channel);
      break;
    case Event::Kind::kOccupancy:
      buffers_.add(event.channel);
      break;
    case Event::Kind::kRouted:
      begin_behind_router(event.channel);
      break;
    case Event::Kind::kHead:
      if (!front(event.channel).only_end_sign()) sink_->head(now_, front(event.channel).slot);
      break;
    case Event::Kind::kTail:
      deliver(event.channel);
      break;
    case Event::Kind::kBegin:
      hosts_.add(static_cast<std::uint32_t>(wiring_.local_port_of_injection(event.channel)));
      break;
    case Event::Kind::kEndSign:
      channel.arrived.add(1);
      look_at_buffer(event.channel);
      break;
  }
}

/// The buffer behind a channel, and whoever sends from it.
void Slice::look_at_buffer(PortIndex channel) {
  if (channels_[channel].to_node) {
    senders_.add(wiring_.injection_port(channels_[channel].target));
    return;
  }
  buffers_.add(channel);
  if (inputs_[channel].state == Input::State::kOpen) senders_.add(inputs_[channel].output);
}

}  // namespace braid::models::myrinet
