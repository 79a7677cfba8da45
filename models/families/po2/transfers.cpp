// The second half of a PO2 slice's cycle: clashes of offers settled, transfers begun, and what ends by the next cycle.
#include <algorithm>
#include <cassert>

#include "models/fabric/route_query.h"
#include "models/families/po2/slice.h"

namespace braid::models::po2 {

using routing::PortKind;

// ---------------------------------------------------------------- grants

bool Slice::any_grant() const {
  if (any_wakes_ || !held_back_.empty() || !offered_to_.front().empty()) return true;
  return std::any_of(neighbours_.begin(), neighbours_.end(),
                     [](const Neighbour& neighbour) { return !neighbour.offered.empty(); });
}

void Slice::grant_buffers(std::uint64_t cycle) {
  if (any_wakes_) {
    for (auto& list : wakes_) list.clear();
    any_wakes_ = false;
  }
  for (const std::uint32_t r : held_back_) wake(r);
  receiving_ = offered_to_.front();
  for (const Neighbour& neighbour : neighbours_) {
    receiving_.insert(receiving_.end(), neighbour.offered.begin(), neighbour.offered.end());
  }
  std::sort(receiving_.begin(), receiving_.end());
  receiving_.erase(std::unique(receiving_.begin(), receiving_.end()), receiving_.end());
  for (const std::uint32_t r : receiving_) take_buffers(r, cycle);
}

void Slice::begin_transfers(std::uint64_t cycle) {
  for (const std::uint32_t r : offering_) apply_own_offers(r, cycle);
  for (const Grant& grant : taken_) {
    begin_receiving(grant.router, grant.port, grant.buffer, cycle);
    if (!damaged(grant.router, grant.port, cycle)) await_header(grant.router, grant.port, grant.buffer, cycle);
  }
  taken_.clear();
  for (const Grant& grant : in_vain_) begin_rejecting(grant.router, grant.port, cycle);
  in_vain_.clear();
}

const Offer* Slice::offer_into(std::uint32_t r, std::size_t p, std::uint64_t cycle) const {
  const routing::Port& link = wiring(r, p);
  const Offer& own = shared_.routers[r].offers[p];
  if (link.kind == PortKind::kLocal) return own.cycle == cycle && own.inject ? &own : nullptr;
  if (link.kind != PortKind::kNetwork) return nullptr;
  const Offer& theirs = shared_.routers[link.peer_router.value].offers[link.peer_port.value];
  if (theirs.cycle != cycle) return nullptr;
  if (own.cycle != cycle) return &theirs;
  // Both ends ask: they alternate. Before the first transfer the router of lower number begins.
  const bool they_go = own.sent_last || (!theirs.sent_last && link.peer_router < RouterId{r});
  return they_go ? &theirs : nullptr;
}

/// Oldest packet first. Both ends come to the same answer, for
/// they look only at what no commit writes.
std::uint64_t Slice::granted_ports(std::uint32_t r, std::uint64_t cycle) const {
  const Router& here = shared_.routers[r];
  std::array<std::pair<const Offer*, std::size_t>, routing::kMaxPorts> asking;
  std::size_t count = 0;
  for (std::size_t p = 0; p < here.ports.size(); ++p) {
    const Offer* offer = offer_into(r, p, cycle);
    if (offer != nullptr) asking[count++] = {offer, p};
  }
  std::sort(asking.begin(), asking.begin() + static_cast<std::ptrdiff_t>(count), [](const auto& a, const auto& b) {
    return a.first->since != b.first->since ? a.first->since < b.first->since : a.second < b.second;
  });
  PoolUse use = here.use_when_offered;
  const std::uint32_t most_in = shared_.options.crossbar_in_ports;
  std::uint32_t coming = here.coming_when_offered;
  std::uint64_t granted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Offer& offer = *asking[i].first;
    bool same_message = false;
    for (std::size_t j = 0; j < i && offer.message != kNoMessage && offer.pool_class == kRegular; ++j) {
      same_message |= ((granted >> asking[j].second) & 1) != 0 && asking[j].first->message == offer.message;
    }
    if (offer.refused || !shared_.policy.admits(use, offer.pool_class)) continue;
    if (most_in != 0 && coming == most_in) continue;
    if (same_message && shared_.options.reject_same_message) continue;
    ++use[offer.pool_class];
    ++coming;
    granted |= std::uint64_t{1} << asking[i].second;
  }
  return granted;
}

void Slice::apply_own_offers(std::uint32_t r, std::uint64_t cycle) {
  const std::vector<Offer>& offers = router(r).offers;
  for (std::size_t p = 0; p < offers.size(); ++p) {
    const Offer& offer = offers[p];
    if (offer.cycle != cycle || offer.inject) continue;
    const routing::Port& link = wiring(r, p);
    const bool granted = link.kind == PortKind::kLocal ||
                         ((granted_ports(link.peer_router.value, cycle) >> link.peer_port.value) & 1) != 0;
    if (granted) {
      begin_leaving(r, p, offer, cycle);
    } else if (tries(link.kind) && offer_into(link.peer_router.value, link.peer_port.value, cycle) == &offer) {
      begin_trying(r, p, offer, cycle);
    } else {
      wake(r);
    }
  }
}

void Slice::take_buffers(std::uint32_t r, std::uint64_t cycle) {
  const std::uint64_t granted = granted_ports(r, cycle);
  const std::uint64_t in_vain = rejected_ports(r, cycle, granted);
  const std::vector<Offer>& offers = router(r).offers;
  for (std::size_t p = 0; p < offers.size(); ++p) {
    if (((in_vain >> p) & 1) != 0) {
      in_vain_.push_back({r, static_cast<std::uint8_t>(p), 0});
    } else if (((granted >> p) & 1) != 0) {
      taken_.push_back({r, static_cast<std::uint8_t>(p), take_buffer(r, p, *offer_into(r, p, cycle))});
      wake(r);
    } else if (offers[p].inject && offers[p].cycle == cycle) {
      wake(r);
    }
  }
}

void Slice::begin_leaving(std::uint32_t r, std::size_t p, const Offer& offer, std::uint64_t cycle) {
  Router& here = router(r);
  Buffer& buffer = here.buffers[offer.buffer];
  buffer.state = Buffer::State::kLeaving;
  here.waiting.erase(std::find(here.waiting.begin(), here.waiting.end(), offer.buffer));
  want_ports(r, offer.buffer, -1, cycle);
  set_use(r, p, Port::Use::kSending, cycle);
  here.ports[p].buffer = offer.buffer;
  here.ports[p].sent_last = true;
  const std::uint32_t flits = shared_.store[offer.packet].length_flits;
  const routing::Port& link = wiring(r, p);
  const bool ejects = link.kind == PortKind::kLocal;
  const bool lost = !ejects && damaged(link.peer_router.value, link.peer_port.value, cycle);
  const std::uint32_t extra = ejects ? shared_.options.eject_overhead_cycles : shared_.options.acknowledge_cycles;
  here.ports[p].flits_sent += flits;
  counters_.flit_hops += flits;
  counters_.deroutes += offer.vc > buffer.vc && !ejects && !lost ? 1 : 0;
  counters_.retransmissions += lost ? 1 : 0;
  const bool escapes = offer.pool_class != kRegular && buffer.pool_class == kRegular;
  counters_.escapes += escapes ? 1 : 0;
  if (PacketRecord* record = shared_.store[offer.packet].record; record != nullptr) record->escapes += escapes ? 1 : 0;
  const EventKind end = ejects ? EventKind::kEjected : lost ? EventKind::kResend : EventKind::kSent;
  wheel_.add({cycle + flits + extra, r, end, static_cast<std::uint8_t>(p), offer.buffer});
  wake_around(r);  // a packet fewer waits here
}

std::uint8_t Slice::take_buffer(std::uint32_t r, std::size_t p, const Offer& offer) {
  Router& here = router(r);
  assert(here.free != 0);
  const auto b = static_cast<std::uint8_t>(__builtin_ctzll(here.free));
  here.free &= here.free - 1;
  ++here.use[offer.pool_class];
  Buffer taken;
  taken.state = Buffer::State::kArriving;
  taken.pool_class = offer.pool_class;
  taken.vc = offer.vc;
  taken.in_port = PortId{p};
  taken.packet = offer.packet;
  taken.message = offer.message;
  here.buffers[b] = taken;
  return b;
}

std::uint8_t Slice::granted_buffer(std::uint32_t r, std::size_t p) const {
  const auto grant =
      std::find_if(taken_.begin(), taken_.end(), [&](const Grant& g) { return g.router == r && g.port == p; });
  return grant != taken_.end() ? grant->buffer : shared_.routers[r].ports[p].buffer;
}

void Slice::await_header(std::uint32_t r, std::size_t p, std::uint8_t buffer, std::uint64_t cycle) {
  const Options& o = shared_.options;
  const bool injects = wiring(r, p).kind == PortKind::kLocal;
  const std::uint64_t first_flit = cycle + (injects ? o.inject_overhead_cycles + source_of(r, p).overhead : 0);
  wheel_.add({first_flit + o.header_cycles, r, EventKind::kRouted, static_cast<std::uint8_t>(p), buffer});
}

void Slice::begin_receiving(std::uint32_t r, std::size_t p, std::uint8_t buffer, std::uint64_t cycle) {
  Router& here = router(r);
  set_use(r, p, Port::Use::kReceiving, cycle);
  here.ports[p].buffer = buffer;
  here.ports[p].sent_last = false;
  Packet& packet = shared_.store[here.buffers[buffer].packet];
  const Options& o = shared_.options;
  const auto port = static_cast<std::uint8_t>(p);
  if (wiring(r, p).kind == PortKind::kLocal) {
    begin_injection(r, p);
    const std::uint32_t overhead = o.inject_overhead_cycles + turn_to(source_of(r, p), packet);
    if (packet.injected == 0) packet.injected = cycle;
    counters_.flits_injected += packet.length_flits;
    wheel_.add({cycle + overhead + packet.length_flits, r, EventKind::kInjected, port, buffer});
  } else {
    const EventKind end = damaged(r, p, cycle) ? EventKind::kDamaged : EventKind::kReceived;
    wheel_.add({cycle + packet.length_flits + o.acknowledge_cycles, r, end, port, buffer});
  }
}

// ---------------------------------------------------------------- what ends by the next cycle

void Slice::end_transfers(std::uint64_t cycle) {
  next_cycle_ = cycle + 1;
  wheel_.take(next_cycle_, [this](const Event& event) {
    if (event.kind == EventKind::kRouted || event.kind == EventKind::kPatience) {
      headers_.push_back(event);
    } else {
      end_transfer(event);
    }
  });
}

void Slice::route_headers() {
  for (const Event& event : headers_) {
    if (event.kind == EventKind::kRouted) {
      route_packet(event);
    } else {
      add_escape(event);
    }
  }
  headers_.clear();
}

void Slice::end_transfer(const Event& event) {
  const std::uint32_t r = event.router;
  switch (event.kind) {
    case EventKind::kSent:
    case EventKind::kDamaged:
      release_buffer(r, event.buffer);
      set_use(r, event.port, Port::Use::kIdle, event.due);
      wake_around(r);
      break;
    case EventKind::kReceived:
      set_use(r, event.port, Port::Use::kIdle, event.due);
      wake_if_judged(r);
      break;
    case EventKind::kResend:
      take_back(event);
      break;
    case EventKind::kRejected:
    case EventKind::kRejecting:
      end_trying(event);
      break;
    case EventKind::kEjected: {
      const PacketSlot packet = router(r).buffers[event.buffer].packet;
      counters_.flits_delivered += shared_.store[packet].length_flits;
      release_buffer(r, event.buffer);
      set_use(r, event.port, Port::Use::kIdle, event.due);
      wake_around(r);
      sink_->deliver(event.due - 1, packet);  // at the end of the cycle before
      break;
    }
    case EventKind::kInjected:
      end_injection(r, event.port, event.due);
      break;
    default:
      break;
  }
}

/// The header is in and the packet's ports are known: from now on it waits for them.
void Slice::route_packet(const Event& event) {
  Router& here = router(event.router);
  Buffer& buffer = here.buffers[event.buffer];
  Packet& packet = shared_.store[buffer.packet];
  ++packet.routers;
  log_visit(packet, event.due, RouterId{event.router}, buffer.in_port);
  buffer.state = Buffer::State::kWaiting;
  buffer.since = event.due;
  const RouterId at{event.router};
  if (buffer.pool_class == kRegular || shared_.topology.router_of(packet.destination) == at) {
    shared_.routing.route(query_of(packet, at, buffer.in_port, VcId{buffer.vc}), route_);
    std::copy(route_.begin(), route_.end(), candidates(event.router, event.buffer));
    buffer.candidates = static_cast<std::uint8_t>(route_.size());
    const std::uint64_t patience = shared_.policy.patience_cycles();
    const bool arrived = shared_.topology.port(at, route_[0].port).kind == PortKind::kLocal;
    if (patience > 0 && !arrived) {
      wheel_.add({event.due + patience, event.router, EventKind::kPatience, event.port, event.buffer, event.due});
    }
  } else {
    add_escape(event);
  }
  wait_in_turn(event.router, event.buffer);
  want_ports(event.router, event.buffer, +1, event.due);
  wake(event.router);
}

/// Puts a packet among those that wait, by its age; of equals the lower port of arrival goes first.
void Slice::wait_in_turn(std::uint32_t r, std::uint8_t buffer) {
  Router& here = router(r);
  const auto older = [&](std::uint8_t a, std::uint8_t b) {
    const Buffer &x = here.buffers[a], &y = here.buffers[b];
    return x.since != y.since ? x.since < y.since : x.in_port < y.in_port;
  };
  here.waiting.insert(std::upper_bound(here.waiting.begin(), here.waiting.end(), buffer, older), buffer);
}

/// Adds the policy's escape to the packet's ways on: at once for a packet that escapes already, else when its patience
/// ends, if it still waits.
void Slice::add_escape(const Event& event) {
  Buffer& buffer = router(event.router).buffers[event.buffer];
  const bool ran_out = event.kind == EventKind::kPatience;
  if (ran_out && (buffer.state != Buffer::State::kWaiting || buffer.since != event.since)) return;
  const NodeId to = shared_.store[buffer.packet].destination;
  const auto escape = shared_.policy.escape(RouterId{event.router}, buffer.pool_class, to);
  if (ran_out) want_ports(event.router, event.buffer, -1, event.due);
  candidates(event.router, event.buffer)[buffer.candidates++] = {escape->port, 0, VcMask{1} << buffer.vc};
  buffer.escaping = true;
  buffer.escape_class = escape->pool_class;
  if (!ran_out) return;
  want_ports(event.router, event.buffer, +1, event.due);
  wake(event.router);
}

void Slice::end_injection(std::uint32_t r, std::size_t p, std::uint64_t due) {
  Source& from = source_of(r, p);
  const PacketSlot packet = from.packets.front();
  set_use(r, p, Port::Use::kIdle, due);
  from.injecting = false;
  from.packets.pop();
  from.since = due;
  if (from.packets.empty()) --router(r).ports[p].wanted;
  wake_if_judged(r);
  sink_->sent(due - 1, packet);
  if (from.packets.empty() && when_empty_)
    when_empty_(first_source_ + static_cast<std::size_t>(&from - sources_.data()));
}

void Slice::release_buffer(std::uint32_t r, std::size_t buffer) {
  Router& here = router(r);
  here.buffers[buffer].state = Buffer::State::kFree;
  --here.use[here.buffers[buffer].pool_class];
  here.free |= std::uint64_t{1} << buffer;
}

void Slice::want_ports(std::uint32_t r, std::size_t buffer, int change, std::uint64_t cycle) {
  Router& here = router(r);
  Buffer& packet = here.buffers[buffer];
  const routing::Candidate* const ways = candidates(r, buffer);
  std::uint64_t wants = 0;
  for (std::size_t i = 0; i < packet.candidates; ++i) {
    wants |= std::uint64_t{1} << ways[i].port.value;
    Port& port = here.ports[ways[i].port.value];
    port.count_to(cycle);
    port.wanted = static_cast<std::uint16_t>(port.wanted + change);
  }
  packet.wants = wants;
}

void Slice::set_use(std::uint32_t r, std::size_t p, Port::Use use, std::uint64_t cycle) {
  Port& port = router(r).ports[p];
  port.count_to(cycle);
  port.use = use;
  const std::uint64_t bit = std::uint64_t{1} << p;
  router(r).idle = use == Port::Use::kIdle ? router(r).idle | bit : router(r).idle & ~bit;
}

}  // namespace braid::models::po2
