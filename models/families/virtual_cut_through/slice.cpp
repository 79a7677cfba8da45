#include "models/families/virtual_cut_through/slice.h"

#include <algorithm>

#include "models/fabric/route_query.h"

namespace braid::models::virtual_cut_through {
namespace {

constexpr PortMask bit(std::uint32_t port) { return PortMask{1} << port; }
std::uint32_t lowest(PortMask ports) { return static_cast<std::uint32_t>(__builtin_ctzll(ports)); }

}  // namespace

Slice::Slice(const Shared& shared, RouterRange range)
    : shared_(shared),
      range_(range),
      bubble_(shared.routing.relies_on_bubble()),
      fast_(shared.bank.has_fast_links()),
      asks_for_packet_(shared.routing.routes() != nullptr || shared.routing.draws() > 1 ||
                       shared.routing.routes_streams() != nullptr),
      channels_(shared.shared_mailboxes),
      chosen_(routing::kMaxPorts),
      candidates_(std::make_unique<routing::Candidate[]>(shared.routing.max_candidates())) {
  const auto [first_local, last_local] = shared.bank.local_ports_of(range);
  first_local_ = first_local;
  sources_.resize(last_local - first_local);
  sendable_.resize(sources_.size());
  awake_.resize(range.size());
  connect(*this);
}

void Slice::connect(Slice& to) {
  channels_.connect(shared_.slice_of_router[to.range_.first], to.channels_, shared_.bank.max_link_latency_cycles - 1);
}

// ---------------------------------------------------------------- sources

void Slice::send(std::size_t local_port, PacketSlot packet) {
  source(local_port).packets.push(packet);
  wake_source(local_port);
}

void Slice::wake_source(std::size_t local_port) {
  const Source& s = source(local_port);
  if (!s.packets.empty() && !s.sending && shared_.bank.credits[shared_.bank.injection_port(local_port)] > 0) {
    sendable_.insert(local_port - first_local_);
  }
}

bool Slice::ready(std::size_t local_port) const {
  return source(local_port).packets.empty() && shared_.bank.credits[shared_.bank.injection_port(local_port)] > 0;
}

void Slice::inject(std::uint64_t cycle) {
  sendable_.for_each([&](std::size_t i) {
    Source& s = sources_[i];
    const std::uint32_t link = shared_.bank.injection_port(first_local_ + i);
    const PacketSlot slot = s.packets.front();
    Packet& packet = shared_.store[slot];
    if (packet.injected == 0) packet.injected = cycle;
    s.sending = true;
    sendable_.erase(i);
    --shared_.bank.credits[link];
    channels_.self().at(cycle).arrivals.push_back(
        {shared_.bank.links[link].target,
         {slot, packet.source, packet.destination, packet.length_flits, packet.routers}});
    wheel_.add({cycle + packet.length_flits, EventKind::kInjected, 0, link, 0});
    flits_injected_ += packet.length_flits;
  });
}

void Slice::end_injection(std::size_t local_port, std::uint64_t cycle) {
  Source& s = source(local_port);
  sink_->sent(cycle, s.packets.front());
  s.packets.pop();
  s.sending = false;
  wake_source(local_port);
}

std::uint64_t Slice::packets_waiting_at_sources() const {
  std::uint64_t packets = 0;
  for (const Source& s : sources_) packets += s.packets.size() - (s.sending ? 1 : 0);
  return packets;
}

// ---------------------------------------------------------------- first half: grants

template <bool kFast>
void Slice::arbitrate_over(std::uint64_t cycle) {
  awake_.for_each([&](std::size_t i) {
    const std::uint32_t router = range_.first + static_cast<std::uint32_t>(i);
    const Router& state = shared_.bank.routers[router];
    if ((state.asked | state.choosing) == 0) {
      awake_.erase(i);
    } else if ((state.free_outputs & state.credited) != 0) {
      arbitrate_router<kFast>(router, cycle);
    }
  });
}

template <bool kFast>
void Slice::arbitrate_router(std::uint32_t router, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  Router& state = bank.routers[router];
  const std::uint32_t first_port = bank.port_index(RouterId{router}, PortId{0});
  const PortMask open = state.free_outputs & state.credited;
  const PortMask chosen = state.choosing != 0 ? choose(state, first_port, open, cycle) : 0;
  for (PortMask outputs = (state.asked & open) | chosen; outputs != 0; outputs &= outputs - 1) {
    const std::uint32_t port = lowest(outputs);
    const std::uint32_t out = first_port + port;
    PortMask heads = bank.through[out];
    if ((state.roomy & bit(port)) != 0) heads |= bank.entering[out];
    if ((chosen & bit(port)) != 0) {
      heads |= chosen_[port];
      chosen_[port] = 0;
    }
    if (heads == 0) continue;  // only heads without a bubble
    const PortMask later = heads & (~PortMask{0} << bank.next_turn[out]);
    const std::uint32_t winner = lowest(later != 0 ? later : heads);
    bank.next_turn[out] = static_cast<std::uint8_t>((winner + 1) & (routing::kMaxPorts - 1));
    grant_over<kFast>(first_port + winner, out, cycle);
  }
}

/// Heads with several ways on choose anew in every cycle: the output port with the fewest packets behind it, busy or
/// not, ties at random. Gives the open ports that were chosen, with the choosers in chosen_.
PortMask Slice::choose(Router& router, std::uint32_t first_port, PortMask open, std::uint64_t cycle) {
  PortMask chosen = 0, ways = 0, best = 0;
  for (PortMask heads = router.choosing; heads != 0; heads &= heads - 1) {
    const std::uint32_t in = lowest(heads);
    if (shared_.bank.ways[first_port + in] != ways) {
      ways = shared_.bank.ways[first_port + in];
      best = (ways & open) == 0 ? 0 : least_occupied(first_port, ways, cycle);
    }
    if ((best & open) == 0) continue;
    PortMask rest = best;
    for (std::uint64_t skip =
             (rest & (rest - 1)) == 0 ? 0 : router.random.below(static_cast<std::uint64_t>(__builtin_popcountll(rest)));
         skip > 0; --skip) {
      rest &= rest - 1;
    }
    const std::uint32_t port = lowest(rest);
    if ((open & bit(port)) == 0) continue;
    chosen_[port] |= bit(in);
    chosen |= bit(port);
  }
  return chosen;
}

PortMask Slice::least_occupied(std::uint32_t first_port, PortMask ways, std::uint64_t cycle) const {
  PortMask best = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (; ways != 0; ways &= ways - 1) {
    const std::uint32_t port = lowest(ways);
    const std::uint64_t flits = shared_.bank.downstream[first_port + port].flits(cycle);
    if (flits > least) continue;
    best = (flits == least ? best : 0) | bit(port);
    least = flits;
  }
  return best;
}

template <bool kFast>
void Slice::grant_over(std::uint32_t in, std::uint32_t out, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  Router& router = bank.routers[bank.router_of(out).value];
  const QueuedPacket& packet = bank.front(in);
  const PortMask head = bit(bank.port_of(in));
  bank.queues[in].leaving = true;
  bank.queues[in].to_node = bank.links[out].to_node;
  router.choosing &= ~head;
  bank.through[out] &= ~head;
  bank.entering[out] &= ~head;
  if ((bank.through[out] | bank.entering[out]) == 0) router.asked &= ~bit(bank.port_of(out));
  router.free_outputs &= ~bit(bank.port_of(out));
  const Link& link = bank.links[out];
  std::uint64_t end = cycle + packet.length_flits, left = end;  // from which the port is free, and the queue
  if constexpr (kFast) {
    end = cycle + bank.cycles_on(out, packet.length_flits);
    left = std::min(end, cycle + bank.cycles_on(bank.upstream[in], packet.length_flits));
  }
  if (!link.to_node) {
    take_buffer(out, packet.length_flits, end);
    channel_to(bank.router_of(link.target))
        .at(cycle + link.latency_cycles - 1)
        .arrivals.push_back({link.target, packet});
  }
  send_credit(in, packet.length_flits, cycle, left);
  if (!kFast || left == end) {
    wheel_.add({end, EventKind::kTransferred, 0, out, in});
  } else {
    wheel_.add({left, EventKind::kLeft, 0, out, in});
    wheel_.add({end, EventKind::kSentOff, 0, out, packet.slot});
  }
  bank.flits_sent[out] += packet.length_flits;
  flit_hops_ += packet.length_flits;
  if (grants_ != nullptr) grants_->push_back({in, out});
}

/// The buffer that a packet leaves is free when its tail has gone and the credit has come back.
void Slice::send_credit(std::uint32_t in, std::uint32_t length_flits, std::uint64_t cycle, std::uint64_t end) {
  const std::uint32_t feeder = shared_.bank.upstream[in];
  const std::uint64_t wire = shared_.bank.links[feeder].latency_cycles - 1;
  const std::uint64_t free_at = end - 1 + shared_.credit_delay_cycles + wire;
  channel_of(feeder).at(cycle + wire).credits.push_back({feeder, static_cast<std::uint16_t>(length_flits), free_at});
}

void Slice::take_buffer(std::uint32_t out_port, std::uint32_t length_flits, std::uint64_t end) {
  Router& router = shared_.bank.routers[shared_.bank.router_of(out_port).value];
  Occupancy& downstream = shared_.bank.downstream[out_port];
  downstream.granted_flits += length_flits;
  downstream.sent_at = end;
  const std::uint8_t left = --shared_.bank.credits[out_port];
  if (left < 2) router.roomy &= ~bit(shared_.bank.port_of(out_port));
  if (left < 1) router.credited &= ~bit(shared_.bank.port_of(out_port));
}

// ---------------------------------------------------------------- second half: the clock edge

template <bool kFast>
void Slice::commit_over(std::uint64_t cycle) {
  for (Channel* channel : channels_.incoming()) {
    Channel::Slot& slot = channel->at(cycle);
    for (const Channel::Slot::Arrival& arrival : slot.arrivals) arrive<kFast>(arrival, cycle);
    for (const Channel::Slot::Credit& credit : slot.credits) begin_credit(credit);
    slot.arrivals.clear();
    slot.credits.clear();
  }
  run_events<kFast>(cycle);
}

template <bool kFast>
void Slice::arrive(const Channel::Slot::Arrival& arrival, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  const std::uint32_t in = arrival.in_port;
  const bool is_first = bank.queues[in].count == 0;
  bank.push(in, arrival.packet);
  if constexpr (kFast) note_tail(in, cycle);
  if (is_first) route<kFast>(in, cycle);
}

/// For the only way on.
inline void Slice::ask_for(std::uint32_t in, std::uint32_t port) {
  Bank& bank = shared_.bank;
  const std::uint32_t router = bank.router_of(in).value, out = bank.port_index(RouterId{router}, PortId{port});
  awake_.insert(router - range_.first);
  bank.routers[router].asked |= bit(port);
  // A packet stays in its ring if it goes on by the port number by which it came.
  const std::uint32_t feeder = bank.upstream[in];
  const bool in_ring = !bank.is_injection_port(feeder) && bank.port_of(feeder) == port;
  const bool enters = bubble_ && !bank.links[out].to_node && !in_ring;
  (enters ? bank.entering : bank.through)[out] |= bit(bank.port_of(in));
}

/// For one of these ways.
void Slice::ask(std::uint32_t in, PortMask ways) {
  if ((ways & (ways - 1)) == 0) {
    ask_for(in, lowest(ways));
    return;
  }
  Bank& bank = shared_.bank;
  const std::uint32_t router = bank.router_of(in).value;
  awake_.insert(router - range_.first);
  bank.ways[in] = ways;
  bank.routers[router].choosing |= bit(bank.port_of(in));
}

template <bool kFast>
void Slice::route(std::uint32_t in, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  QueuedPacket& packet = bank.front(in);
  ++packet.routers;
  const std::uint32_t router = bank.router_of(in).value;
  if (shared_.logged) log_visit(shared_.store[packet.slot], cycle, RouterId{router}, PortId{bank.port_of(in)});
  routing::CandidateList list(candidates_.get());
  shared_.routing.route(
      asks_for_packet_
          ? query_of(shared_.store[packet.slot], RouterId{router}, PortId{bank.port_of(in)}, VcId{0})
          : routing::RouteQuery{RouterId{router}, PortId{bank.port_of(in)}, VcId{0}, packet.source, packet.destination},
      list);
  if (!kFast && list.size() == 1) {
    ask_for(in, list[0].port.value);
    return;
  }
  PortMask ways = 0;
  for (const routing::Candidate& c : list) ways |= bit(c.port.value);
  if (!kFast || !waits_for_tail(in, ways, cycle)) ask(in, ways);
}

/// Events of the next cycle take effect at this one's end.
template <bool kFast>
void Slice::run_events(std::uint64_t cycle) {
  wheel_.take(cycle + 1, [&](const Event& event) {
    switch (event.kind) {
      case EventKind::kInjected:
        end_injection(shared_.bank.local_port_of_injection(event.out_port), cycle);
        break;
      case EventKind::kTransferred:
        end_transfer<kFast>(event.in_port, event.out_port, cycle);
        break;
      case EventKind::kCredited:
        give_buffer(event.out_port, event.length_flits);
        break;
      default:
        if constexpr (kFast) run_fast_event(event, cycle);
    }
  });
}

/// The flits of a packet have begun to leave the queue downstream.
void Slice::begin_credit(const Channel::Slot::Credit& credit) {
  wheel_.add({credit.free_at, EventKind::kCredited, credit.length_flits, credit.out_port, 0});
  if (shared_.bank.is_injection_port(credit.out_port)) return;
  Occupancy& downstream = shared_.bank.downstream[credit.out_port];
  downstream.leaving_flits = credit.length_flits;
  downstream.free_at = credit.free_at;
}

void Slice::give_buffer(std::uint32_t out_port, std::uint32_t length_flits) {
  Bank& bank = shared_.bank;
  const std::uint8_t now = ++bank.credits[out_port];
  if (bank.is_injection_port(out_port)) {
    wake_source(bank.local_port_of_injection(out_port));
    return;
  }
  bank.downstream[out_port].granted_flits -= length_flits;
  Router& router = bank.routers[bank.router_of(out_port).value];
  router.credited |= bit(bank.port_of(out_port));
  if (now > 1) router.roomy |= bit(bank.port_of(out_port));
}

template <bool kFast>
void Slice::end_transfer(std::uint32_t in, std::uint32_t out, std::uint64_t cycle) {
  release_output(out);
  deliver(in, out, cycle);
  leave_queue<kFast>(in, cycle);
}

void Slice::release_output(std::uint32_t out) {
  shared_.bank.routers[shared_.bank.router_of(out).value].free_outputs |= bit(shared_.bank.port_of(out));
}

/// Where its way ends.
void Slice::deliver(std::uint32_t in, std::uint32_t out, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  if (!bank.links[out].to_node) return;
  const QueuedPacket& packet = bank.front(in);
  flits_delivered_ += packet.length_flits;
  shared_.store[packet.slot].routers = packet.routers;
  sink_->deliver(cycle, packet.slot);
}

template <bool kFast>
void Slice::leave_queue(std::uint32_t in, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  bank.pop(in);
  bank.queues[in].leaving = false;
  if (bank.queues[in].count > 0) route<kFast>(in, cycle);
}

template void Slice::arbitrate_over<false>(std::uint64_t);
template void Slice::arbitrate_over<true>(std::uint64_t);
template void Slice::grant_over<false>(std::uint32_t, std::uint32_t, std::uint64_t);
template void Slice::grant_over<true>(std::uint32_t, std::uint32_t, std::uint64_t);
template void Slice::leave_queue<true>(std::uint32_t, std::uint64_t);
template void Slice::commit_over<false>(std::uint64_t);
template void Slice::commit_over<true>(std::uint64_t);

// ---------------------------------------------------------------- the same by parts, for modules

/// What ended with the cycle before is to be forgotten, too.
bool Slice::any_credit(std::uint64_t cycle) {
  if (!ending_.empty() || wheel_.any_at(cycle + 1)) return true;
  const auto& in = channels_.incoming();
  return std::any_of(in.begin(), in.end(), [&](Channel* channel) { return !channel->at(cycle).credits.empty(); });
}

bool Slice::any_arrival(std::uint64_t cycle) {
  const auto& in = channels_.incoming();
  return !ending_.empty() ||
         std::any_of(in.begin(), in.end(), [&](Channel* channel) { return !channel->at(cycle).arrivals.empty(); });
}

void Slice::take_credits(std::uint64_t cycle) {
  for (Channel* channel : channels_.incoming()) {
    Channel::Slot& slot = channel->at(cycle);
    for (const Channel::Slot::Credit& credit : slot.credits) begin_credit(credit);
    slot.credits.clear();
  }
  ending_.clear();
  wheel_.take(cycle + 1, [&](const Event& event) { ending_.push_back(event); });
}

void Slice::end_at_outputs() {
  for (const Event& event : ending_) {
    if (event.kind == EventKind::kTransferred || event.kind == EventKind::kSentOff) release_output(event.out_port);
    if (event.kind == EventKind::kCredited && !shared_.bank.is_injection_port(event.out_port)) {
      give_buffer(event.out_port, event.length_flits);
    }
  }
}

void Slice::end_at_nodes(std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  for (const Event& event : ending_) {
    if (event.kind == EventKind::kTransferred) deliver(event.in_port, event.out_port, cycle);
    if (event.kind == EventKind::kSentOff) deliver_from_register(event.out_port, event.in_port, cycle);
    if (event.kind == EventKind::kInjected) end_injection(bank.local_port_of_injection(event.out_port), cycle);
    if (event.kind == EventKind::kCredited && bank.is_injection_port(event.out_port)) give_buffer(event.out_port, 0);
  }
}

void Slice::take_arrivals(std::uint64_t cycle) {
  for (Channel* channel : channels_.incoming()) {
    Channel::Slot& slot = channel->at(cycle);
    for (const Channel::Slot::Arrival& arrival : slot.arrivals) {
      fast_ ? arrive<true>(arrival, cycle) : arrive<false>(arrival, cycle);
    }
    slot.arrivals.clear();
  }
}

void Slice::end_at_queues(std::uint64_t cycle) {
  for (const Event& event : ending_) {
    if (event.kind == EventKind::kTransferred) {
      fast_ ? leave_queue<true>(event.in_port, cycle) : leave_queue<false>(event.in_port, cycle);
    }
    if (event.kind == EventKind::kRipe) ask(event.in_port, shared_.bank.ways[event.in_port]);
    if (event.kind == EventKind::kLeft) leave_for_register(event.in_port, event.out_port, cycle);
  }
}

}  // namespace braid::models::virtual_cut_through
