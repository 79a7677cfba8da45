#include "models/families/hybrid/slice.h"

#include <algorithm>

#include "models/fabric/packet_log.h"
#include "models/fabric/route_query.h"
#include "models/families/hybrid/crossbar_ports.h"

namespace braid::models::hybrid {
namespace {

AllocatorOptions allocator_options(const Slice::Shared& shared, RouterRange range) {
  return {&shared.bank,          range,
          shared.router.arbiter, shared.router.islip_iterations,
          shared.configuration,  shared.packets_have_ages ? &shared.store : nullptr};
}

NodeBandwidth bandwidth_of(const Slice::Shared& shared) {
  return shared.configuration == nullptr ? NodeBandwidth{} : read_node_bandwidth(*shared.configuration);
}

std::unique_ptr<OutputBuffers> make_output_buffers(const Slice::Shared& shared, RouterRange range) {
  const Options& o = shared.router;
  if (o.output_speedup == 1 && o.internal_speedup == 1) return nullptr;
  return std::make_unique<OutputBuffers>(shared.bank, range, o.output_buffer, o.vcs * o.buffer_depth);
}

}  // namespace

Slice::Slice(const Shared& shared, RouterRange range)
    : shared_(shared),
      range_(range),
      output_buffers_(make_output_buffers(shared, range)),
      switch_allocator_(make_switch_allocator(allocator_options(shared, range), shared.router,
                                              shared.router.output_buffer == 0 ? nullptr : output_buffers_.get())),
      vc_allocator_(VcAllocatorRegistry::instance().make(shared.router.vc_allocator, allocator_options(shared, range))),
      interfaces_(*this, shared.bank, shared.store, shared.routing, bandwidth_of(shared),
                  shared.bank.wiring().local_ports_of(range).first, shared.bank.wiring().local_ports_of(range).second),
      channels_(shared.shared_mailboxes),
      circuit_allocator_(shared.bank, range, shared.forks),
      turns_(shared.bank, first_port(shared.bank), range.size() * shared.bank.port_stride(),
             shared.bank.has_circuits() ? shared.router.circuit_burst_flits : 0) {
  const std::size_t ports = range.size() * shared.bank.port_stride();
  const std::size_t vcs = ports * shared.bank.lane_stride();
  requesting_.resize(ports);
  taken_inputs_ = std::make_unique<bool[]>(ports);
  taken_outputs_ = std::make_unique<bool[]>(ports);
  waiting_for_vc_.reserve(vcs);
  heads_.reserve(vcs + 1);  // one more than can be: every flit is stored there, and only heads count
  const std::size_t crossing = ports * crossing_of_a_port();
  switch_grants_.reserve(crossing);
  vc_grants_.reserve(vcs);
  traversals_.reserve(crossing);
  if (shared.router.speculative) speculation_ = std::make_unique<Speculation>(shared.bank, range);
  if (shared.forks != nullptr) copies_.reserve(ports);
  more_to_commit_ = notes_injections_ = shared.bank.shared_buffers() != nullptr;
  more_to_grants_ = shared.forks != nullptr || more_to_commit_;
  connect(*this);
}

// ---------------------------------------------------------------- first half: stages compute from registers

void Slice::traverse_switch(std::uint64_t cycle) {
  if (output_buffers_) return traverse_to_buffers(cycle, 0);
  if (!traversals_.empty()) {
    switch_traversals_ += traversals_.size();
    if (range_.size() == 1) {
      traverse_one_switch(cycle);
    } else {
      traverse_switches(cycle);
    }
    traversals_.clear();
  }
  if (!copies_.empty()) traverse_copies(cycle);
}

/// The credit for the buffer goes back once, with the traversal that is no copy.
void Slice::traverse_copies(std::uint64_t cycle) {
  const BankView& bank = shared_.bank;
  switch_traversals_ += copies_.size();
  for (const Traversal& t : copies_) {
    const bool on_circuit = bank.is_circuit_lane(t.flit.vc());
    ++bank.flits_sent[t.out_port][on_circuit];
    const Wire& wire = wires_[t.out_port - first_port(bank)];
    flit_outlets_[wire.outlet[on_circuit]].slot(cycle).push({t.flit, wire.target});
  }
  copies_.clear();
}

/// Few flits: the lists that they go to cost more to look up all than one by one.
void Slice::traverse_one_switch(std::uint64_t cycle) {
  const BankView& bank = shared_.bank;
  const PortIndex first = first_port(bank);
  for (const Traversal& t : traversals_) {
    const bool on_circuit = bank.is_circuit_lane(t.flit.vc());
    ++bank.flits_sent[t.out_port][on_circuit];
    const NearWire& wire = near_wires_[t.out_port - first];
    Channel::Slot& there = wire.slots[(cycle + wire.delay_cycles[on_circuit]) & slot_mask_];
    (there.*wire.list[on_circuit]).push({t.flit, wire.target});
    const NearCredit& back = near_credits_[bank.port_of_vc(t.in_vc) - first];
    back.slots[(cycle + back.delay_cycles) & slot_mask_].credits.push(back.first_vc + bank.lane_of(t.in_vc));
  }
}

void Slice::traverse_switches(std::uint64_t cycle) {
  for (auto& outlet : flit_outlets_) outlet.end = outlet.slot(cycle).end();
  for (auto& outlet : credit_outlets_) outlet.end = outlet.slot(cycle).end();
  with_numbering(shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    const PortIndex first = first_port(bank);
    const Wire* const wires = wires_.data();
    const CreditWire* const credit_wires = credit_wires_.data();
    Outlet<FlitArrival>* const flit_outlets = flit_outlets_.data();
    Outlet<VcIndex>* const credit_outlets = credit_outlets_.data();
    for (const Traversal& t : traversals_) {
      const bool on_circuit = bank.is_circuit_lane(t.flit.vc());
      ++bank.flits_sent[t.out_port][on_circuit];
      const Wire& wire = wires[t.out_port - first];
      *flit_outlets[wire.outlet[on_circuit]].end++ = {t.flit, wire.target};
      const CreditWire& back = credit_wires[bank.port_of_vc(t.in_vc) - first];
      *credit_outlets[back.outlet].end++ = back.first_vc + bank.lane_of(t.in_vc);
    }
  });
  for (const auto& outlet : flit_outlets_) outlet.slot(cycle).resize_to(outlet.end);
  for (const auto& outlet : credit_outlets_) outlet.slot(cycle).resize_to(outlet.end);
}

void Slice::allocate_switch(std::uint64_t cycle) {
  if (shared_.bank.has_circuits()) allocate_circuits(cycle);
  allocate_packets(cycle);
}

void Slice::allocate_circuits(std::uint64_t cycle) {
  look_ahead_for_circuits(cycle);
  if (turns_.bounded()) {
    allocate_turns(cycle);
    circuit_allocator_.allocate(requesting_, {taken_inputs_.get(), taken_outputs_.get()}, switch_grants_);
  } else {
    circuit_allocator_.allocate(requesting_, {}, switch_grants_);
  }
  take_ports(switch_grants_.size(), true);
}

void Slice::allocate_turns(std::uint64_t cycle) {
  if (!turns_.find(requesting_)) return;
  switch_allocator_->allocate(
      {shared_.bank, requesting_, taken_inputs_.get(), taken_outputs_.get(), turns_.lanes(), cycle}, switch_grants_);
  take_ports(switch_grants_.size(), true);
}

void Slice::allocate_packets(std::uint64_t cycle) {
  const bool circuits = shared_.bank.has_circuits();
  if (packet_forks_ != nullptr) return fork_allocation_->allocate_switch(requesting_, switch_grants_);
  if (shared_.router.buffer_bypass) look_ahead_for_packets(cycle);
  if (requesting_.empty()) return;  // (a request is up while it is granted)
  const std::size_t first_grants = switch_grants_.size();
  switch_allocator_->allocate({shared_.bank, requesting_, circuits ? taken_inputs_.get() : nullptr,
                               circuits ? taken_outputs_.get() : nullptr, nullptr, cycle},
                              switch_grants_);
  if (first_grants != 0) take_ports(first_grants, false);
  if (turns_.bounded()) turns_.count(switch_grants_);
}

/// Flits of circuits that are on the links in this cycle: their valid wire runs ahead of the input latch, so that the
/// switch is theirs in the cycle in which they reach it (two cycles a hop).
void Slice::look_ahead_for_circuits(std::uint64_t cycle) {
  const BankView bank = shared_.bank;
  const SwitchRequestLines requests(*this, bank);
  for_each_source(cycle, [&](Channel::Slot& slot) {
    for (const FlitArrival& arrival : slot.circuits) {
      const VcIndex in_vc = arrival.target + arrival.flit.vc();
      bank.push(in_vc, arrival.flit);
      requests.raise(bank, in_vc,
                     shared_.forks != nullptr ? shared_.forks->has_credits(in_vc)
                                              : bank.output_vcs[bank.input_vcs[in_vc].out_vc].credits > 0);
    }
    slot.circuits.clear();
  });
}

/// The write bypass: a flit whose BW is in this cycle asks for the switch in it, where an output VC and a credit are
/// there. So a head never does, it has no output VC yet; behind other flits the request is up already. commit() writes
/// a flit before it takes it out again.
void Slice::look_ahead_for_packets(std::uint64_t cycle) {
  const BankView bank = shared_.bank;
  const SwitchRequestLines requests(*this, bank);
  for_each_source(cycle, [&](const Channel::Slot& slot) {
    for (const FlitArrival& arrival : slot.packets) {
      requests.raise_if_active(bank, arrival.target + arrival.flit.vc());
    }
  });
}

void Slice::take_ports(std::size_t first_grants, bool taken) {
  const BankView bank = shared_.bank;
  for (std::size_t i = 0; i < first_grants; ++i) {
    const VcIndex in_vc = switch_grants_[i];
    taken_inputs_[bank.port_of_vc(in_vc) - first_port(bank)] = taken;
    taken_outputs_[bank.port_of_vc(bank.input_vcs[in_vc].out_vc) - first_port(bank)] = taken;
    if (shared_.forks == nullptr) continue;
    shared_.forks->for_each_further(
        in_vc, [&](VcIndex out) { taken_outputs_[bank.port_of_vc(out) - first_port(bank)] = taken; });
  }
}

/// With look-ahead routing heads ask in the cycle in which they come, or come to the front: BW and RC do not wait for
/// the clock edge, at which they will find nothing left to do.
void Slice::allocate_vcs(std::uint64_t cycle) {
  if (shared_.router.lookahead) {
    write_buffers(cycle);
    compute_routes(cycle);
  }
  if (packet_forks_ != nullptr) return allocate_vcs_of_forks(cycle);
  if (!waiting_for_vc_.empty()) vc_allocator_->allocate({shared_.bank, waiting_for_vc_, cycle}, vc_grants_);
}

// ---------------------------------------------------------------- second half: the clock edge

void Slice::commit(std::uint64_t cycle) {
  write_buffers(cycle);
  compute_routes(cycle);
  commit_switch_grants();
  commit_vc_grants();
  if (more_to_commit_) commit_extras(cycle);
  commit_speculation();
  if (output_buffers_) run_further_steps(cycle);
  take_credits(cycle);
  take_control(cycle);
  run_interfaces(cycle);
}

/// Their VCs are theirs now, so that they are grants of the switch like any other.
void Slice::commit_speculation() {
  if (!speculation_) return;
  for (const VcIndex in_vc : speculation_->grants()) switch_grants_.push(in_vc);
  speculation_->grants().clear();
  commit_switch_grants();
}

void Slice::arrive_at_nodes(std::uint64_t cycle) {
  for_each_source(cycle, [&](Channel::Slot& slot) {
    if (slot.ejections.empty()) return;
    interfaces_.arrive(cycle, slot.ejections);
    slot.ejections.clear();
  });
}

void Slice::run_interfaces(std::uint64_t cycle) {
  arrive_at_nodes(cycle);
  interfaces_.drain(cycle);
  interfaces_.inject(cycle);
  interfaces_.end_cycle();
}

/// RC of few heads comes to a packet before it could ask for the next one's memory: BW asks for it.
[[gnu::always_inline]] inline void Slice::fetch_packets(const BankView& bank, const VcIndex* head, const VcIndex* end) {
  for (; head != end; ++head) __builtin_prefetch(&shared_.store[bank.front(*head).packet()]);
}

/// BW. Without a branch on what the flit is: heads and body flits come in no order that a processor could guess.
template <bool kLong>
[[gnu::always_inline]] inline void Slice::write_buffers(const BankView& bank, std::uint64_t cycle) {
  const SwitchRequestLines requests(*this, bank);
  for_each_source(cycle, [&](Channel::Slot& slot) __attribute__((always_inline)) {
    const FlitArrival* const end = slot.packets.end();
    VcIndex* head = heads_.end();
    for (const FlitArrival* arrival = slot.packets.begin(); arrival != end; ++arrival) {
      if (kLong) bank.prefetch(arrival[kPrefetch].target + arrival[kPrefetch].flit.vc());
      const VcIndex in_vc = arrival->target + arrival->flit.vc();
      InputVc& vc = bank.input_vcs[in_vc];
      bank.buffer(in_vc)[(vc.first + vc.count) & bank.depth_mask()] = arrival->flit;
      ++vc.count;
      requests.raise_if_active(bank, in_vc);
      *head = in_vc;
      head += vc.state == VcState::kIdle;
    }
    if (!kLong) fetch_packets(bank, heads_.end(), head);
    heads_.resize_to(head);
    slot.packets.clear();
  });
  routed_ = heads_.size();
}

void Slice::write_buffers(std::uint64_t cycle) {
  routed_ = heads_.size();
  if (nothing_in(&Channel::Slot::packets, cycle)) return;
  with_numbering(shared_.bank,
                 [&](const BankView& bank) __attribute__((always_inline)) { write_buffers<true>(bank, cycle); });
}

template <bool kLong>
[[gnu::always_inline]] inline void Slice::commit_switch_grants(const BankView& bank) {
  if (more_to_grants_) share_switch_grants();
  const SwitchRequestLines requests(*this, bank);
  const VcIndex* const end = switch_grants_.end();
  Traversal* traversal = traversals_.end();
  VcIndex* head = heads_.end();
  for (const VcIndex* grant = switch_grants_.begin(); grant != end; ++grant) {
    if (kLong) {
      __builtin_prefetch(bank.buffer(grant[kPrefetch]));
      __builtin_prefetch(&bank.output_vcs[bank.input_vcs[grant[kPrefetch]].out_vc]);
    }
    const VcIndex in_vc = *grant;
    InputVc& vc = bank.input_vcs[in_vc];
    const VcIndex out_vc = vc.out_vc;
    const std::uint32_t out_lane = bank.lane_of(out_vc);
    const PortIndex out_port = bank.port_of_vc(out_vc);
    OutputVc& out = bank.output_vcs[out_vc];
    const Flit flit = bank.pop(in_vc).on(out_lane);
    *traversal++ = {flit, in_vc, out_port};
    --out.credits;
    const std::uint32_t packet_ends = std::uint32_t{flit.tail()} & std::uint32_t{!bank.is_circuit_lane(out_lane)};
    const std::uint32_t empty = vc.count == 0;
    requests.drop(bank, in_vc, packet_ends | empty | std::uint32_t{out.credits == 0});
    bank.free_vcs[out_port] |= packet_ends << out_lane;
    const std::uint32_t all_if_ended = 0U - packet_ends;  // kNone or 0
    out.owner |= all_if_ended;
    vc.out_vc = out_vc | all_if_ended;
    constexpr auto kStays = static_cast<unsigned>(VcState::kActive);
    vc.state = static_cast<VcState>((kStays & ~all_if_ended) | ((1U - empty) & all_if_ended));
    *head = in_vc;
    head += packet_ends & (1U - empty);
  }
  traversals_.resize_to(traversal);
  heads_.resize_to(head);
  switch_grants_.clear();
}

[[gnu::always_inline]] inline void Slice::commit_vc_grants(const BankView& bank) {
  const SwitchRequestLines requests(*this, bank);
  for (const VcGrant& grant : vc_grants_) {
    InputVc& vc = bank.input_vcs[grant.in_vc];
    OutputVc& out = bank.output_vcs[grant.out_vc];
    vc.state = VcState::kActive;
    vc.out_vc = grant.out_vc;
    out.owner = grant.in_vc;
    bank.last_ports[grant.in_vc] = static_cast<std::uint8_t>(bank.port_of(bank.port_of_vc(grant.out_vc)));
    bank.free_vcs[bank.port_of_vc(grant.out_vc)] &= ~(1U << bank.lane_of(grant.out_vc));
    requests.raise(bank, grant.in_vc, out.credits > 0);
  }
  vc_grants_.clear();
  VcIndex* kept = waiting_for_vc_.begin();
  for (const VcIndex in_vc : waiting_for_vc_) {
    *kept = in_vc;
    kept += bank.input_vcs[in_vc].state == VcState::kWaitsForVc ? 1 : 0;
  }
  waiting_for_vc_.resize_to(kept);
}

template <bool kLong>
[[gnu::always_inline]] inline void Slice::take_credits(const BankView& bank, std::uint64_t cycle) {
  const SwitchRequestLines requests(*this, bank);
  for_each_source(cycle, [&](Channel::Slot& slot) __attribute__((always_inline)) {
    for (const VcIndex* credit = slot.credits.begin(); credit != slot.credits.end(); ++credit) {
      if (kLong) __builtin_prefetch(&bank.output_vcs[credit[kPrefetch]]);
      OutputVc& out = bank.output_vcs[*credit];
      if (++out.credits == 1 && out.owner != kNone && !is_forked(out.owner)) {
        const bool all = shared_.forks == nullptr || !bank.is_circuit_lane(bank.lane_of(*credit)) ||
                         shared_.forks->has_credits(out.owner);
        requests.raise(bank, out.owner, bank.input_vcs[out.owner].count > 0 && all);
      }
    }
    slot.credits.clear();
  });
}

void Slice::latch_inputs(const std::vector<Slice*>& slices, std::uint64_t cycle) {
  with_numbering(slices.front()->shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    for (Slice* const slice : slices) {
      if (!slice->any_input(cycle)) continue;
      slice->write_buffers<false>(bank, cycle);
      slice->commit_switch_grants<false>(bank);
    }
  });
}

void Slice::latch_outputs(const std::vector<Slice*>& slices, std::uint64_t cycle) {
  with_numbering(slices.front()->shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) {
    for (Slice* const slice : slices) {
      if (!slice->any_output(cycle)) continue;
      if (!slice->vc_grants_.empty()) slice->commit_vc_grants(bank);
      slice->share_credits(cycle);
      slice->take_credits<false>(bank, cycle);
    }
  });
}

[[gnu::always_inline]] inline Packet& Slice::route_head(std::uint64_t cycle, const BankView& bank, VcIndex in_vc,
                                                        PacketSlot slot) const {
  const PortIndex port = bank.port_of_vc(in_vc);
  Packet& packet = shared_.store[slot];
  ++packet.routers;
  if (packet.record != nullptr) log_head(packet, cycle, in_vc);
  routing::CandidateList list(bank.candidates(in_vc));
  shared_.routing.route(query_of(packet, bank.router_of(port), PortId{bank.port_of(port)}, VcId{bank.lane_of(in_vc)}),
                        list);
  bank.ways[in_vc] = static_cast<std::uint8_t>(list.size());
  return packet;
}

Packet& Slice::route_outside(std::uint64_t cycle, VcIndex in_vc, PacketSlot slot) const {
  return route_head(cycle, shared_.bank, in_vc, slot);
}

/// RC.
void Slice::compute_routes(std::uint64_t cycle) {
  if (heads_.empty()) return;
  const BankView bank = shared_.bank;
  const VcIndex* const end = heads_.begin() + routed_;
  for (const VcIndex* head = heads_.begin(); head != end; ++head) {
    shared_.store.prefetch(bank.front(head[kPrefetch]).packet());
    const VcIndex in_vc = *head;
    if (packet_forks_ != nullptr && route_copies(cycle, in_vc, bank.front(in_vc).packet())) continue;
    route_head(cycle, bank, in_vc, bank.front(in_vc).packet());
    bank.input_vcs[in_vc].state = VcState::kWaitsForVc;
    waiting_for_vc_.push(in_vc);
  }
  const std::size_t later = heads_.size() - routed_;  // none, unless grants were committed before
  std::copy(heads_.begin() + routed_, heads_.end(), heads_.begin());
  heads_.resize(later);
  routed_ = 0;
}

void Slice::log_head(const Packet& packet, std::uint64_t cycle, VcIndex in_vc) const {
  const BankView& bank = shared_.bank;
  const PortIndex port = bank.port_of_vc(in_vc);
  log_visit(packet, cycle, bank.router_of(port), PortId{bank.port_of(port)});
  const bool escapes = (shared_.routing.escape_vcs() >> bank.lane_of(in_vc) & 1) != 0;
  packet.record->escapes += escapes && !bank.is_injection_port(bank.upstream[port]) ? 1 : 0;
}

void Slice::copy_at_forks() {
  const BankView& bank = shared_.bank;
  const SwitchRequestLines requests(*this, bank);
  for (const VcIndex in_vc : switch_grants_) {
    if (!bank.is_circuit_lane(bank.lane_of(in_vc))) continue;
    const Flit flit = bank.front(in_vc);
    shared_.forks->for_each_further(in_vc, [&](VcIndex out) {
      const PacketSlot copy = shared_.forks->copy_of(flit.packet(), shared_.forks->circuit_of(out));
      copies_.push({flit.on(bank.lane_of(out)).of(copy), in_vc, bank.port_of_vc(out)});
      requests.drop(bank, in_vc, --bank.output_vcs[out].credits == 0);
      ++flits_copied_;
    });
  }
}

/// Without a branch on whether the flit is a tail, as in write_buffers(). kIdle and kNeedsRoute are 0 and 1.
void Slice::commit_switch_grants() {
  if (switch_grants_.empty()) return;
  with_numbering(shared_.bank,
                 [&](const BankView& bank) __attribute__((always_inline)) { commit_switch_grants<true>(bank); });
}

void Slice::commit_vc_grants() {
  if (vc_grants_.empty()) return;
  with_numbering(shared_.bank, [&](const BankView& bank) __attribute__((always_inline)) { commit_vc_grants(bank); });
}

void Slice::take_credits(std::uint64_t cycle) {
  if (nothing_in(&Channel::Slot::credits, cycle)) return;
  with_numbering(shared_.bank,
                 [&](const BankView& bank) __attribute__((always_inline)) { take_credits<true>(bank, cycle); });
}

void Slice::take_control(std::uint64_t cycle) {
  if (!shared_.bank.has_circuits()) return;
  for_each_source(cycle, [&](Channel::Slot& slot) {
    for (const ControlMessage& message : slot.control) shared_.setup.receive(*this, cycle, message);
    slot.control.clear();
  });
}

}  // namespace braid::models::hybrid
