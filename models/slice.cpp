#include "models/slice.h"

#include <algorithm>

namespace braid::models {
namespace {

/// Lists name registers in no order: each loop asks for the memory of the item this many places ahead.
constexpr std::size_t kPrefetch = 6;

/// The furthest ahead that anything is filed: a packet's flit over the longest link, or a credit back over it.
std::size_t horizon(const Slice::Shared& shared) {
  return shared.bank.max_link_latency + shared.router.credit_delay_cycles + 3;
}

std::pair<std::size_t, std::size_t> local_ports_of(const RouterBank& bank, RouterRange range) {
  std::size_t first = bank.local_port_count();
  std::size_t last = 0;
  for (std::size_t i = 0; i < bank.local_port_count(); ++i) {
    const std::uint32_t router = bank.router_of(bank.local_ports[i].router_port).value;
    if (router < range.first || router >= range.last) continue;
    first = std::min(first, i);
    last = i + 1;
  }
  return {std::min(first, last), last};
}

}  // namespace

Slice::Slice(const Shared& shared, RouterRange range)
    : shared_(shared),
      range_(range),
      switch_allocator_(SwitchAllocatorRegistry::instance().make(
          shared.router.switch_allocator, AllocatorOptions{&shared.bank, range, shared.router.arbiter})),
      vc_allocator_(VcAllocatorRegistry::instance().make(shared.router.vc_allocator,
                                                         AllocatorOptions{&shared.bank, range, shared.router.arbiter})),
      interfaces_(*this, shared.bank, shared.store, shared.routing.injection_vcs(),
                  local_ports_of(shared.bank, range).first, local_ports_of(shared.bank, range).second),
      channel_of_slice_(shared.bank.router_count(), kNone),
      taken_inputs_(range.size()),
      taken_outputs_(range.size()) {
  const std::size_t ports = range.size() * shared.bank.port_stride();
  const std::size_t vcs = ports * shared.bank.lane_stride();
  awake_.resize(range.size());
  requesting_.reserve(range.size());
  waiting_for_vc_.reserve(vcs);
  switch_grants_.reserve(ports);
  vc_grants_.reserve(vcs);
  traversals_.reserve(ports);
  connect(*this);
}

void Slice::connect(Slice& to) {
  const std::uint32_t slice = shared_.slice_of_router[to.range_.first];
  if (channel_of_slice_[slice] != kNone) return;
  channel_of_slice_[slice] = static_cast<std::uint32_t>(outgoing_.size());
  const std::size_t ports = to.range_.size() * shared_.bank.port_stride() +
                            (to.interfaces_.last_local_port() - to.interfaces_.first_local_port());
  outgoing_.push_back(std::make_unique<Channel>(ports, horizon(shared_)));
  to.incoming_.push_back(outgoing_.back().get());
}

void Slice::build_wires() {
  const BankView& bank = shared_.bank;
  const PortIndex first = range_.first * bank.port_stride();
  const PortIndex last = range_.last * bank.port_stride();
  wires_.resize(last - first);
  credit_wires_.resize(last - first);
  for (PortIndex p = first; p < last; ++p) {
    const Link& link = bank.links[p];
    if (link.target == kNone) continue;
    // A packet's flit is written (BW) the cycle after it was on the link; a node takes it in the same way.
    Channel& forward = link.to_node ? self() : channel_to(bank.router_of(link.target));
    wires_[p - first] = {&forward, link.target, 1U + link.latency_cycles, link.to_node};
    const PortIndex feeder = bank.upstream[p];
    Channel& back = bank.is_injection_port(feeder) ? self() : channel_to(bank.router_of(feeder));
    const std::uint32_t delay = shared_.router.credit_delay_cycles + bank.links[feeder].latency_cycles - 2;
    credit_wires_[p - first] = {&back, bank.vc_index(feeder, 0), delay};
  }
}

// ---------------------------------------------------------------- first half: stages compute from registers

void Slice::traverse_switch(std::uint64_t cycle) {
  with_numbering(shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    const PortIndex first = range_.first * bank.port_stride();
    const Wire* const wires = wires_.data();
    const CreditWire* const credit_wires = credit_wires_.data();
    // Most wires lead to the same slot: it is looked up anew only where channel or delay differ from the last flit's.
    const Channel* slot_channel = nullptr;
    const Channel* credit_channel = nullptr;
    std::uint32_t slot_delay = 0, credit_delay = 0;
    Channel::Slot* slot = nullptr;
    WorkList<VcIndex>* credits = nullptr;
    for (const Traversal& t : traversals_) {
      const Wire& wire = wires[t.out_port - first];
      const bool on_circuit = t.flit.vc() == bank.circuit_lane();
      ++(on_circuit ? bank.circuit_flits_sent : bank.packet_flits_sent)[t.out_port];
      const std::uint32_t delay = wire.delay_cycles - (on_circuit && !wire.to_node ? 1 : 0);
      if (wire.channel != slot_channel || delay != slot_delay) {
        slot_channel = wire.channel;
        slot_delay = delay;
        slot = &wire.channel->at(cycle + delay);
      }
      WorkList<FlitArrival>& list = wire.to_node ? slot->ejections : on_circuit ? slot->circuits : slot->packets;
      list.push({t.flit, wire.target});
      const CreditWire& back = credit_wires[bank.port_of_vc(t.in_vc) - first];
      if (back.channel != credit_channel || back.delay_cycles != credit_delay) {
        credit_channel = back.channel;
        credit_delay = back.delay_cycles;
        credits = &back.channel->at(cycle + credit_delay).credits;
      }
      credits->push(back.first_vc + bank.lane_of(t.in_vc));
    }
    switch_traversals_ += traversals_.size();
    traversals_.clear();
  });
}

void Slice::allocate_switch(std::uint64_t cycle) {
  if (shared_.bank.has_circuits()) look_ahead_for_circuits(cycle);
  requesting_.clear();
  awake_.for_each([&](std::size_t i) {
    const std::uint32_t router = range_.first + static_cast<std::uint32_t>(i);
    if (shared_.bank.has_requests(router)) {
      requesting_.push(router);
    } else {
      awake_.erase(i);
    }
  });
  if (shared_.bank.has_circuits()) grant_circuits();
  switch_allocator_->allocate({shared_.bank, requesting_, taken_inputs_.data(), taken_outputs_.data()}, switch_grants_);
}

/// Flits of circuits that are on the links in this cycle: their valid wire runs ahead of the input latch, so that the
/// switch is theirs in the cycle in which they reach it (two cycles a hop).
void Slice::look_ahead_for_circuits(std::uint64_t cycle) {
  const BankView bank = shared_.bank;
  for (Channel* channel : incoming_) {
    Channel::Slot& slot = channel->at(cycle);
    for (const FlitArrival& arrival : slot.circuits) {
      const VcIndex in_vc = bank.vc_index(arrival.target, bank.circuit_lane());
      bank.push(in_vc, arrival.flit);
      if (bank.output_vcs[bank.input_vcs[in_vc].out_vc].credits > 0) raise_request(bank, in_vc);
    }
    slot.circuits.clear();
  }
}

/// A circuit owns its input and output port, so it needs no arbitration: it takes both for the next cycle.
void Slice::grant_circuits() {
  const BankView bank = shared_.bank;
  for (const std::uint32_t router : requesting_) {
    const std::uint32_t local = router - range_.first;
    taken_inputs_[local] = bank.circuit_requests[router];
    taken_outputs_[local] = 0;
    for (std::uint64_t ports = bank.circuit_requests[router]; ports != 0; ports &= ports - 1) {
      const PortIndex in_port = router * bank.port_stride() + static_cast<unsigned>(__builtin_ctzll(ports));
      const VcIndex in_vc = bank.vc_index(in_port, bank.circuit_lane());
      taken_outputs_[local] |= std::uint64_t{1} << bank.out_port(in_vc);
      switch_grants_.push(in_vc);
    }
  }
}

void Slice::allocate_vcs() {
  if (!waiting_for_vc_.empty()) vc_allocator_->allocate({shared_.bank, waiting_for_vc_}, vc_grants_);
}

// ---------------------------------------------------------------- second half: the clock edge

void Slice::commit(std::uint64_t cycle) {
  write_buffers(cycle);
  compute_late_routes();
  commit_switch_grants();
  commit_vc_grants();
  take_credits(cycle);
  take_control(cycle);
  interfaces_.drain_circuits(cycle);
  interfaces_.inject(cycle);
}

void Slice::write_buffers(std::uint64_t cycle) {
  with_numbering(shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    for (Channel* channel : incoming_) {
      Channel::Slot& slot = channel->at(cycle);
      for (std::size_t i = 0; i < slot.packets.size(); ++i) {
        const FlitArrival& arrival = slot.packets[i];
        if (i + kPrefetch < slot.packets.size()) {
          const FlitArrival& later = slot.packets[i + kPrefetch];
          bank.prefetch(bank.vc_index(later.target, later.flit.vc()));
          if (later.flit.head()) __builtin_prefetch(&shared_.store[later.flit.packet()]);
        }
        const VcIndex in_vc = bank.vc_index(arrival.target, arrival.flit.vc());
        bank.push(in_vc, arrival.flit);
        const InputVc& vc = bank.input_vcs[in_vc];
        if (vc.state == VcState::kActive) {
          if (bank.output_vcs[vc.out_vc].credits > 0) raise_request(bank, in_vc);
        } else if (vc.state == VcState::kIdle) {
          compute_route(in_vc);
        }
      }
      slot.packets.clear();
      for (const FlitArrival& arrival : slot.ejections) interfaces_.arrive(cycle, arrival.target, arrival.flit);
      slot.ejections.clear();
    }
  });
}

void Slice::compute_route(VcIndex in_vc) {
  const BankView bank = shared_.bank;
  const PortIndex port = bank.port_of_vc(in_vc);
  Packet& packet = shared_.store[bank.front(in_vc).packet()];
  ++packet.hops;
  routing::CandidateList list(bank.candidates(in_vc));
  shared_.routing.route(
      {bank.router_of(port), PortId{bank.port_of(port)}, VcId{bank.lane_of(in_vc)}, packet.source, packet.destination},
      list);
  InputVc& vc = bank.input_vcs[in_vc];
  vc.candidates = static_cast<std::uint8_t>(list.size());
  vc.state = VcState::kWaitsForVc;
  waiting_for_vc_.push(in_vc);
}

void Slice::compute_late_routes() {
  std::swap(late_heads_, next_late_heads_);
  for (const VcIndex in_vc : late_heads_) compute_route(in_vc);
  late_heads_.clear();
}

void Slice::commit_switch_grants() {
  with_numbering(shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    for (std::size_t i = 0; i < switch_grants_.size(); ++i) {
      if (i + kPrefetch < switch_grants_.size()) {
        const VcIndex later = switch_grants_[i + kPrefetch];
        bank.prefetch(later);
        __builtin_prefetch(&bank.output_vcs[bank.input_vcs[later].out_vc]);
      }
      const VcIndex in_vc = switch_grants_[i];
      InputVc& vc = bank.input_vcs[in_vc];
      OutputVc& out = bank.output_vcs[vc.out_vc];
      const Flit flit = bank.pop(in_vc).on(bank.lane_of(vc.out_vc));
      traversals_.push({flit, in_vc, bank.port_of_vc(vc.out_vc)});
      --out.credits;
      const bool packet_ends = flit.tail() && flit.vc() != bank.circuit_lane();
      if (packet_ends || vc.count == 0 || out.credits == 0) bank.drop_request(in_vc);
      if (!packet_ends) continue;
      bank.free_vcs[bank.port_of_vc(vc.out_vc)] |= 1U << flit.vc();
      out.owner = kNone;
      vc.out_vc = kNone;
      vc.state = vc.count == 0 ? VcState::kIdle : VcState::kNeedsRoute;
      if (vc.count > 0) next_late_heads_.push_back(in_vc);
    }
    switch_grants_.clear();
  });
}

void Slice::commit_vc_grants() {
  if (vc_grants_.empty()) return;
  with_numbering(shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    for (const VcGrant& grant : vc_grants_) {
      InputVc& vc = bank.input_vcs[grant.in_vc];
      OutputVc& out = bank.output_vcs[grant.out_vc];
      vc.state = VcState::kActive;
      vc.out_vc = grant.out_vc;
      out.owner = grant.in_vc;
      bank.free_vcs[bank.port_of_vc(grant.out_vc)] &= ~(1U << bank.lane_of(grant.out_vc));
      if (out.credits > 0) raise_request(bank, grant.in_vc);
    }
    vc_grants_.clear();
    std::size_t kept = 0;
    for (const VcIndex in_vc : waiting_for_vc_) {
      if (bank.input_vcs[in_vc].state == VcState::kWaitsForVc) waiting_for_vc_[kept++] = in_vc;
    }
    waiting_for_vc_.shrink(kept);
  });
}

void Slice::take_credits(std::uint64_t cycle) {
  with_numbering(shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    for (Channel* channel : incoming_) {
      Channel::Slot& slot = channel->at(cycle);
      for (std::size_t i = 0; i < slot.credits.size(); ++i) {
        if (i + kPrefetch < slot.credits.size()) __builtin_prefetch(&bank.output_vcs[slot.credits[i + kPrefetch]]);
        const VcIndex out_vc = slot.credits[i];
        OutputVc& out = bank.output_vcs[out_vc];
        if (++out.credits == 1 && out.owner != kNone && bank.input_vcs[out.owner].count > 0)
          raise_request(bank, out.owner);
      }
      slot.credits.clear();
    }
  });
}

void Slice::take_control(std::uint64_t cycle) {
  if (!shared_.bank.has_circuits()) return;
  for (Channel* channel : incoming_) {
    std::vector<ControlMessage>& messages = channel->at(cycle).control;
    for (const ControlMessage& message : messages) shared_.setup.receive(*this, cycle, message);
    messages.clear();
  }
}

// ---------------------------------------------------------------- wires of the network interfaces

void Slice::inject(std::uint64_t cycle, std::size_t local_port, const Flit& flit) {
  const std::uint32_t target = shared_.bank.local_ports[local_port].router_port;
  if (flit.vc() == shared_.bank.circuit_lane()) {
    self().at(cycle + 1).circuits.push({flit, target});
  } else {
    self().at(cycle + 2).packets.push({flit, target});
  }
}

void Slice::return_ejection_credit(std::uint64_t cycle, std::size_t local_port, std::uint32_t lane) {
  const PortIndex port = shared_.bank.local_ports[local_port].router_port;
  self().at(cycle + shared_.router.credit_delay_cycles - 1).credits.push(shared_.bank.vc_index(port, lane));
}

void Slice::send_control(std::uint64_t cycle, PortIndex out_port, ControlMessage message) {
  const Link& link = shared_.bank.links[out_port];
  message.port = link.target;
  channel_to(shared_.bank.router_of(link.target)).at(cycle + 1 + link.latency_cycles).control.push_back(message);
}

void Slice::send_local_control(std::uint64_t cycle, const ControlMessage& message) {
  self().at(cycle + 1).control.push_back(message);
}

}  // namespace braid::models
