// What comes from a checkpoint is looked at before anything of it is an index: registers and events name what there is,
// and each packet that is on its way has one event that ends it.
#include <algorithm>

#include "models/families/virtual_cut_through/slice.h"

namespace braid::models::virtual_cut_through {

/// Is it a port of the slice's routers, or an injection link of its nodes?
bool Slice::mine(std::uint32_t port) const {
  const Bank& bank = shared_.bank;
  if (bank.is_injection_port(port)) {
    const std::size_t local = bank.local_port_of_injection(port);
    return local >= first_local_ && local - first_local_ < sources_.size();
  }
  const std::uint32_t router = bank.router_of(port).value;
  return router >= range_.first && router < range_.last;
}

/// Heads ask from ports where packets wait for ports that lead somewhere.
void Slice::check_router(const Checkpoint& c, std::uint32_t router) const {
  const Bank& bank = shared_.bank;
  const std::uint32_t first = bank.port_index(RouterId{router}, PortId{0});
  PortMask wired = 0, waiting = 0;
  for (std::uint32_t p = 0; p < bank.port_stride(); ++p) {
    const Queue& queue = bank.queues[first + p];
    c.index(queue.first, bank.depth(), "place in a queue");
    c.index(queue.count, bank.depth() + 1, "number of packets in a queue");
    c.expect(queue.count > 0 || !queue.leaving, "a packet that leaves an empty queue");
    if (bank.links[first + p].target != kNone) wired |= PortMask{1} << p;
    if (queue.count > 0 && !queue.leaving) waiting |= PortMask{1} << p;
    for (std::uint32_t i = 0; i < queue.count; ++i) {
      const QueuedPacket& packet = bank.queued(first + p, i);
      c.packet(packet.slot);
      c.expect(packet.length_flits > 0 && packet.length_flits == shared_.store[packet.slot].length_flits,
               "a packet of another length");
    }
  }
  const Router& state = bank.routers[router];
  PortMask asking = state.choosing;
  for (std::uint32_t p = 0; p < bank.port_stride(); ++p) {
    c.index(bank.next_turn[first + p], routing::kMaxPorts, "turn of a port");
    asking |= bank.through[first + p] | bank.entering[first + p];
    const bool chooses = (state.choosing >> p & 1) != 0;
    c.expect(!chooses || (bank.ways[first + p] != 0 && (bank.ways[first + p] & ~wired) == 0),
             "a way that leads nowhere");
  }
  c.expect((asking & ~waiting) == 0, "a head that asks and is not there");
  c.expect(((state.asked | state.credited) & ~wired) == 0, "an output port that is not there");
}

/// A packet on a link or out of a queue is ended once.
void Slice::check_events(const Checkpoint& c) const {
  const Bank& bank = shared_.bank;
  std::vector<bool> sending(sources_.size()), leaving(bank.input_port_count());
  std::vector<PacketSlot> sent_off;
  wheel_.for_each([&](const Event& event) {
    c.index(event.out_port, bank.links.size(), "port");
    c.index(static_cast<unsigned>(event.kind), 6, "kind of event");
    c.expect(mine(event.out_port), "an event of another router");
    if (event.kind == EventKind::kInjected) {
      c.expect(bank.is_injection_port(event.out_port), "an injection by a router");
      const std::size_t i = bank.local_port_of_injection(event.out_port) - first_local_;
      c.expect(sources_[i].sending && !sending[i], "an injection that is not under way");
      sending[i] = true;
    } else if (event.kind == EventKind::kSentOff) {
      c.packet(event.in_port);
      c.expect(!bank.is_injection_port(event.out_port) && bank.links[event.out_port].target != kNone,
               "a packet that is sent nowhere");
      sent_off.push_back(event.in_port);
    } else if (event.kind == EventKind::kTransferred || event.kind == EventKind::kLeft) {
      c.index(event.in_port, bank.input_port_count(), "port");
      c.expect(
          !bank.is_injection_port(event.out_port) && bank.router_of(event.in_port) == bank.router_of(event.out_port),
          "a transfer between two routers");
      c.expect(bank.queues[event.in_port].leaving && !leaving[event.in_port], "a transfer that is not under way");
      c.expect(bank.links[event.out_port].target != kNone, "a transfer that leads nowhere");
      leaving[event.in_port] = true;
    } else if (event.kind == EventKind::kRipe) {
      c.index(event.in_port, bank.input_port_count(), "port");
      c.expect(event.in_port == event.out_port && bank.queues[event.in_port].count > 0 &&
                   !bank.queues[event.in_port].leaving && bank.ways[event.in_port] != 0,
               "a head that waits for a tail and is not there");
    }
  });
  for (const PacketSlot slot : in_registers_) {
    c.packet(slot);
    c.expect(std::find(sent_off.begin(), sent_off.end(), slot) != sent_off.end(), "a register that sends nothing");
  }
}

void Slice::check_restored(const Checkpoint& c) const {
  const Bank& bank = shared_.bank;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& s = sources_[i];
    c.expect(!s.packets.empty() || !(s.sending || sendable_.contains(i)), "a node that sends nothing");
    c.expect(!s.sending || !sendable_.contains(i), "a node that sends two packets");
  }
  for (std::uint32_t router = range_.first; router < range_.last; ++router) check_router(c, router);
  check_events(c);
  for (const Channel* channel : channels_.incoming()) {
    for (const Channel::Slot& slot : channel->slots()) {
      for (const Channel::Slot::Arrival& arrival : slot.arrivals) {
        c.index(arrival.in_port, bank.input_port_count(), "port");
        c.packet(arrival.packet.slot);
        c.expect(mine(arrival.in_port) && bank.upstream[arrival.in_port] != kNone && arrival.packet.length_flits > 0,
                 "a packet on the way to no router");
      }
      for (const Channel::Slot::Credit& credit : slot.credits) {
        c.index(credit.out_port, bank.links.size(), "port");
        c.expect(mine(credit.out_port), "a credit for another router");
      }
    }
  }
}

}  // namespace braid::models::virtual_cut_through
