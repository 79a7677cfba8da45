// What comes from a checkpoint is looked at before anything of it is an index: registers and events name what there is.
#include "models/families/myrinet/slice.h"

namespace braid::models::myrinet {
namespace {

/// Is what is sent there gone, but for the end of this cycle?
bool goes_into_void(const Channel& channel) { return channel.open && channel.dead && channel.tail_noted; }

}  // namespace

/// `gone`: its last flit leaves into the void of a dead link in this cycle, and its slot is nobody's.
void Slice::check_passing(const Checkpoint& c, const Passing& packet, bool gone) const {
  c.packet(packet.slot);
  c.index(packet.route, routes_.size(), "route");
  if (!gone) c.index(context_.store[packet.slot].route, routes_.size(), "route of a packet");
  c.index(packet.hop, routes_.links(packet.route) + 2, "router of a route");
  c.expect(packet.flits > packet.header, "a packet without a flit");
}

void Slice::check_restored(const Checkpoint& c) const {
  const auto channel_or_none = [&](PortIndex channel) {
    if (channel != kNone) c.index(channel, channels_.size(), "channel");
  };
  for (PortIndex i = 0; i < channels_.size(); ++i) {
    const Channel& channel = channels_[i];
    channel_or_none(channel.source);
    if (channel.open) {
      check_passing(c, channel.sending, goes_into_void(channel));
      c.expect(channel.target != kNone && (channel.from_node || channel.source != kNone),
               "a channel that leads nowhere");
    }
    const Input& input = inputs_[i];
    c.index(static_cast<unsigned>(input.state), 4, "state of an input");
    c.expect(input.state == Input::State::kIdle || input.output != kNone, "a packet that asks for no port");
    c.expect(input.state == Input::State::kIdle || !channel.passing.empty(), "a header of no packet");
    if (input.output != kNone) c.index(input.output, outputs_.size(), "port");
    const bool goes = input.state == Input::State::kOpen && goes_into_void(channels_[input.output]);
    for (const Passing& packet : channel.passing) check_passing(c, packet, goes && &packet == &channel.passing.front());
  }
  for (const Interface& interface : interfaces_) {
    interface.packets.for_each(
        [&](PacketSlot slot) { c.index(context_.store[slot].route, routes_.size(), "route of a packet"); });
  }
  for (PortIndex o = 0; o < outputs_.size(); ++o) {
    const Output& output = outputs_[o];
    channel_or_none(output.input);
    c.index(output.last, 65, "turn of a port");
    for (std::uint64_t asked = output.asked; asked != 0; asked &= asked - 1) {
      const auto port = static_cast<std::uint32_t>(__builtin_ctzll(asked));
      c.index(port, wiring_.port_stride(), "port");
      c.expect(channel_into(wiring_.port_index(wiring_.router_of(o), PortId{port})) != kNone,
               "a port that is not there");
    }
  }
  events_.for_each([&](const Event& event) {
    c.index(event.channel, channels_.size(), "channel");
    c.index(static_cast<unsigned>(event.kind), 11, "kind of event");
    const Channel& channel = channels_[event.channel];
    c.expect(channel.target != kNone, "an event of a channel that is not there");
    if (event.kind == Event::Kind::kBegin) c.expect(channel.from_node, "a packet that begins at a router");
    if (event.kind == Event::Kind::kRouted) {
      c.index(event.channel, outputs_.size(), "port");
      c.expect(outputs_[event.channel].input != kNone, "a header of no packet");
    }
    if (event.kind == Event::Kind::kTail) c.expect(channel.to_node, "a tail that comes to a router");
  });
  pieces_.check_restored(c);
  for (const Cut& cut : cuts_) {
    c.packet(cut.whole);
    c.packet(cut.front);
  }
}

}  // namespace braid::models::myrinet
