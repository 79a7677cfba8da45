// The first half of a PO2 slice's cycle: which packet each idle port asks for, and who is refused.
#include <algorithm>
#include <tuple>

#include "models/families/po2/slice.h"

namespace braid::models::po2 {

using routing::PortKind;

bool Slice::any_offer() const {
  if (any_awake_ || !offering_.empty() || !held_back_.empty()) return true;
  return std::any_of(neighbours_.begin(), neighbours_.end(),
                     [](const Neighbour& neighbour) { return !neighbour.wakes.empty(); });
}

void Slice::compute(std::uint64_t cycle) {
  if (!offering_.empty()) {
    for (auto& list : offered_to_) list.clear();
    offering_.clear();
  }
  held_back_.clear();
  for (const Neighbour& neighbour : neighbours_) {
    for (const std::uint32_t r : neighbour.wakes) wake(r);
  }
  if (!any_awake_) return;
  awake_.for_each([&](std::size_t i) {
    awake_.erase(i);
    make_offers(range_.first + static_cast<std::uint32_t>(i), cycle);
  });
  any_awake_ = false;
}

void Slice::make_offers(std::uint32_t r, std::uint64_t cycle) {
  Router& here = router(r);
  here.use_when_offered = here.use;
  here.coming_when_offered = static_cast<std::uint8_t>(here.coming());
  const std::uint32_t most_out = shared_.options.crossbar_out_ports;
  std::size_t going = most_out == 0 ? 0 : here.going();
  OpenPorts open{here.idle, here.idle};
  bool any = false;
  for (const std::uint8_t buffer : here.waiting) {
    if (most_out != 0 && going == most_out) break;
    if (here.buffers[buffer].trying || (here.buffers[buffer].wants & open.without_offer) == 0) continue;
    if (!offer_packet(r, buffer, cycle, open)) continue;
    any = true;
    ++going;
  }
  for (std::uint64_t locals = open.without_offer & here.local; locals != 0; locals &= locals - 1) {
    const auto p = static_cast<std::size_t>(__builtin_ctzll(locals));
    if (!would_inject(r, p)) continue;
    offer_injection(r, p, cycle);
    any = true;
  }
  if (any) offering_.push_back(r);
}

/// Offers a waiting packet to the first of its ports that is idle, not asked for by an older packet, and at whose far
/// end there is room. False if there is none. Ports that are first in, first out stay closed behind a packet that is
/// refused; escapes have a queue of their own, for nobody may wait for a regular buffer on the way out (docs/po2.md).
bool Slice::offer_packet(std::uint32_t r, std::uint8_t buffer, std::uint64_t cycle, OpenPorts& open) {
  Router& here = router(r);
  const Buffer& packet = here.buffers[buffer];
  const routing::Candidate* const ways = candidates(r, buffer);
  for (std::size_t i = 0; i < packet.candidates; ++i) {
    const routing::Candidate& way = ways[i];
    const std::size_t p = way.port.value;
    const bool escapes = packet.escaping && i + 1 == packet.candidates;
    if ((((escapes ? open.without_offer : open.to_regular()) >> p) & 1) == 0) continue;
    const PoolClass pool_class = escapes ? packet.escape_class : kRegular;
    const routing::Port& link = wiring(r, p);
    bool refused = false;
    if (link.kind == PortKind::kLocal) {
      if (injection_is_older(r, p, packet.since)) continue;
    } else {
      // An escape must not wait for another packet of its message: docs/po2.md.
      refused = refuses(router(link.peer_router.value), pool_class, escapes ? kNoMessage : packet.message);
      if (refused && !tries(link.kind)) {
        if (strict_fifo() && !escapes) open.unblocked &= ~(std::uint64_t{1} << p);
        continue;
      }
      if (escapes && !is_eldest_asker(r, buffer)) {
        held_back_.push_back(r);
        continue;
      }
      offered_to_[place_of(shared_.slicing.slice_of_router[link.peer_router.value])].push_back(link.peer_router.value);
    }
    open.without_offer &= ~(std::uint64_t{1} << p);
    Offer& offer = here.offers[p];
    offer.cycle = cycle;
    offer.since = packet.since;
    offer.packet = packet.packet;
    offer.message = packet.message;
    offer.buffer = buffer;
    offer.vc = static_cast<std::uint8_t>(__builtin_ctz(way.vcs));
    offer.pool_class = pool_class;
    offer.inject = false;
    offer.sent_last = here.ports[p].sent_last;
    offer.refused = refused;
    return true;
  }
  return false;
}

/// A free escape buffer is kept for the packet that has been in the network longest of all that ask for it, even while
/// its link is busy: without this others can take the buffer each time it becomes free, and one packet waits for ever.
bool Slice::is_eldest_asker(std::uint32_t r, std::uint8_t buffer) const {
  const auto escape = [this](std::uint32_t from, std::uint8_t b) {
    return candidates(from, b)[shared_.routers[from].buffers[b].candidates - 1].port;
  };
  const auto age = [this](std::uint32_t from, std::uint8_t b) {
    const Buffer& asking = shared_.routers[from].buffers[b];
    return std::tuple(shared_.store[asking.packet].injected, asking.since, from, b);
  };
  const PoolClass wanted = shared_.routers[r].buffers[buffer].escape_class;
  for (const routing::Port& port : shared_.topology.routers[wiring(r, escape(r, buffer).value).peer_router.value]) {
    if (port.kind != PortKind::kNetwork) continue;
    const std::uint32_t from = port.peer_router.value;
    for (const std::uint8_t b : shared_.routers[from].waiting) {
      const Buffer& other = shared_.routers[from].buffers[b];
      const bool asks = other.escaping && other.escape_class == wanted && escape(from, b) == port.peer_port;
      if (asks && age(from, b) < age(r, buffer)) return false;
    }
  }
  return true;
}

void Slice::offer_injection(std::uint32_t r, std::size_t p, std::uint64_t cycle) {
  const Source& from = source_of(r, p);
  Offer offer;
  offer.cycle = cycle;
  offer.since = from.since;
  offer.packet = from.packets.front();
  offer.message = shared_.store[offer.packet].message;
  offer.vc = static_cast<std::uint8_t>(__builtin_ctz(shared_.routing.injection_vcs()));
  offer.inject = true;
  offer.refused = refuses(router(r), kRegular, offer.message);
  router(r).offers[p] = offer;
  offered_to_.front().push_back(r);
}

bool Slice::would_inject(std::uint32_t r, std::size_t p) {
  const Source& from = source_of(r, p);
  if (from.packets.empty()) return false;
  return tries(PortKind::kLocal) || !refuses(router(r), kRegular, shared_.store[from.packets.front()].message);
}

/// A node's port serves the oldest request, be it to inject or to eject.
bool Slice::injection_is_older(std::uint32_t r, std::size_t p, std::uint64_t since) {
  return source_of(r, p).since < since && would_inject(r, p);
}

/// Section 2: a router refuses a packet when it has no buffer for it, or holds a waiting packet of its message; or when
/// every port of its crossbar into the pool is in use.
bool Slice::refuses(const Router& to, PoolClass pool_class, std::uint32_t message) const {
  if (!shared_.policy.admits(to.use, pool_class)) return true;
  const std::uint32_t most_in = shared_.options.crossbar_in_ports;
  if (most_in != 0 && to.coming() >= most_in) return true;
  return shared_.options.reject_same_message && message != kNoMessage && to.holds_waiting(message);
}

}  // namespace braid::models::po2
