// A link that goes down (docs/in-transit-buffers.md, "A link that goes down"): its sending ends send into the void, its
// receiving ends close what has come of a packet with an end sign.
//
// The front of a packet that is cut goes by a slot of its own from then on, so that whoever has the back of it knows
// nothing of the cut. All channels over which the front is stretched learn how much shorter it is: the end sign is
// still before them.
#include "routing/topology/failure.h"

#include <algorithm>
#include <cstddef>

#include "models/families/myrinet/slice.h"

namespace braid::models::myrinet {

void Slice::find_link(const FabricContext& context) {
  if (!routing::has_failure(context.configuration)) return;
  const routing::Attachment end = routing::failed_end(context.topology, context.configuration);
  const PortIndex out = wiring_.port_index(end.router, end.port);
  failing_[0] = out;
  failing_[1] = channel_into(out);
  failure_cycle_ = routing::failure_options().read(context.configuration).cycle;
}

/// What was sent a link's latency ago has just come, tails that left in the cycle before have.
void Slice::cut_link() {
  for (const PortIndex c : failing_) cut_channel(c);
}

void Slice::cut_channel(PortIndex c) {
  Channel& channel = channels_[c];
  const std::uint64_t came = channel.arrived.at(now_);
  channel.dead = true;
  channel.go = true;
  channel.stopping = false;
  channel.sent_before = channel.sent.at(now_);
  channel.arrived.stop(now_);
  std::deque<Passing> cut_off;  // packets of which something has not come
  while (!channel.passing.empty() && channel.passing.back().end() > came) {
    cut_off.push_front(channel.passing.back());
    channel.passing.pop_back();
  }
  for (Passing& packet : cut_off) {
    channel.payload_lost += packet.payload_before(channel.sent_before) - packet.payload_before(came);
    const bool back = channel.open && packet.first == channel.sending.first;
    if (packet.first < came) {
      cut_packet(c, packet, came);
    } else if (!back) {  // all of it was on the link
      gone(packet.slot);
    }
  }
  buffers_.add(c);
  senders_.add(c);
}

/// Some of the packet has come, and more does not.
void Slice::cut_packet(PortIndex c, Passing& packet, std::uint64_t came) {
  Channel& channel = channels_[c];
  const bool back = channel.open && packet.first == channel.sending.first;
  Cut cut{packet.slot, packet.slot, static_cast<std::uint32_t>(packet.end() - came - 1), false, !back};
  if (back) {
    cut.front = pieces_.take();
    context_.store[cut.front] = context_.store[cut.whole];
  }
  cuts_.push_back(cut);
  channel.passing.push_back(packet);
  file(now_ + 1, c, Event::Kind::kEndSign);
  channel.passing.back().slot = cut.front;
  channel.passing.back().shorten(cut.missing);
  for (PortIndex next = onward(c, cut); next != kNone; next = onward(next, cut)) shorten(next, cut);
}

/// A channel on which the front of a packet leaves.
void Slice::shorten(PortIndex c, const Cut& cut) {
  Channel& channel = channels_[c];
  for (Passing* packet : {&channel.sending, &channel.passing.back()}) {
    packet->slot = cut.front;
    packet->shorten(cut.missing);
  }
  senders_.add(c);
}

/// The channel onto which the front of a packet leaves from behind one that it is on; kNone: its first flit is here.
PortIndex Slice::onward(PortIndex c, const Cut& cut) {
  const Channel& channel = channels_[c];
  const Passing& packet = channel.passing.back();
  if (!channel.to_node) {
    const bool leaves = channel.passing.size() == 1 && inputs_[c].state == Input::State::kOpen;
    return leaves ? inputs_[c].output : kNone;
  }
  if (routes_.is_last(packet.route)) return kNone;
  const std::size_t host = channel.target;
  sink_->cut(host, cut.whole, cut.front);
  interfaces_[host].packets.rename(cut.whole, cut.front);
  const PortIndex injection = wiring_.injection_port(host);
  const Channel& next = channels_[injection];
  return next.open && next.source == c && next.sending.slot == cut.whole ? injection : kNone;
}

const Slice::Cut* Slice::front_of(PacketSlot slot) const {
  const auto found =
      std::find_if(cuts_.begin(), cuts_.end(), [slot](const Cut& cut) { return cut.front == slot && !cut.front_gone; });
  return found == cuts_.end() ? nullptr : &*found;
}

/// A packet, or a piece of one, is nowhere any more. With its last piece the packet is lost.
void Slice::gone(PacketSlot slot) {
  for (auto cut = cuts_.begin(); cut != cuts_.end(); ++cut) {
    const bool front = cut->front == slot && !cut->front_gone;
    if (!front && (cut->whole != slot || cut->back_gone)) continue;
    (front ? cut->front_gone : cut->back_gone) = true;
    if (front && cut->front != cut->whole) pieces_.give_back(cut->front);
    if (!cut->front_gone || !cut->back_gone) return;
    slot = cut->whole;
    cuts_.erase(cut);
    break;
  }
  sink_->lost(now_, slot);
}

std::uint64_t Slice::in_two_pieces() const {
  return static_cast<std::uint64_t>(
      std::count_if(cuts_.begin(), cuts_.end(), [](const Cut& cut) { return !cut.front_gone && !cut.back_gone; }));
}

}  // namespace braid::models::myrinet
