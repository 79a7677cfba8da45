// The stages of a cycle in planes, in the order of Slice::commit().
#pragma once

#include <algorithm>

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

template <class B>
void Pipeline<B>::run_cycle(std::uint64_t cycle) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) run_routers(b, cycle);
  if (extent_.several_locals) sort_deliveries(cycle);
  for (const Delivery& delivery : deliveries(cycle)) r_.sink().deliver(cycle, delivery.packet);
  deliveries(cycle).clear();
  take_sends();
  for (std::size_t b = 0; b < blocks_.size(); ++b) inject(b, cycle);
  now_ = cycle + 1;
  if (now_ - counted_to_ > kCountedAtOnce) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) count_sent(b);
    counted_to_ += kCountedAtOnce;
    if (++unflushed_ >= (1U << kSentBits) / kCountedAtOnce - 2) flush_counters();
  }
}

template <class B>
void Pipeline<B>::run_routers(std::size_t b, std::uint64_t cycle) {
  B& block = blocks_[b];
  SwitchGrants<B> grants;
  allocate_switch(block, extent_, orders_.empty() ? nullptr : &orders_[b], grants);
  allocate_output_vcs(b);
  const std::size_t word = b * Shape::kWords;
  const int ports = ports_of<B>(extent_);
  for (int p = 0; p < ports; ++p) {
    crossed_.put(cycle, p, word, grants.out[p]);
    left_.put(cycle, p, word, grants.in[p]);
  }
  deliver_tails(b, cycle, grants);
  write_all_buffers(b, cycle, grants);
  take_all_credits(b, cycle, grants);
  for (int p = 0; p < ports; ++p) block.out.free[p] |= grants.freed[p];  // for VA in the next cycle
  count_delivered(b, cycle);
  if (scatters_) scatter(b, cycle, grants.in);
}

constexpr unsigned kAhead = 3;

/// Only words that are not zero are looked into.
template <class B>
void Pipeline<B>::name_vcs(std::size_t b, const Vcs* planes, int first, int ports, WorkList<VcIndex>& names) const {
  using Quad = typename VectorOf<4>::type;
  constexpr unsigned kPortWords = Shape::kVcs * Shape::kWords;
  const auto* const words = reinterpret_cast<const WordOfVector*>(planes);
  const VcIndex base = first_vc(b, first);
  const unsigned router_shift = kUsual ? 5 : router_shift_, port_shift = kUsual ? 2 : port_shift_;
  VcIndex* name = names.begin();
  const unsigned all = static_cast<unsigned>(ports) * kPortWords;
  for (unsigned from = 0; from < all; from += kWordBits) {
    Quad filled{};
    for (unsigned i = 0; i < std::min(all - from, kWordBits); i += 4) {
      const Quad four = loaded<Quad>(reinterpret_cast<const Word*>(planes) + from + i);
      filled |= static_cast<Quad>(four != Quad{}) & (Quad{1, 2, 4, 8} << Word{i});
    }
    for (Word some = filled[0] | filled[1] | filled[2] | filled[3]; some != 0; some &= some - 1) {
      const unsigned i = from + static_cast<unsigned>(__builtin_ctzll(some));
      const unsigned router = kWordBits * (i % Shape::kWords), vc = i % kPortWords / Shape::kWords;
      const VcIndex zero = base + (router << router_shift) + (i / kPortWords << port_shift) + vc;
      // Few bits are the rule, and how many nobody could guess: the first ones without a branch.
      Word bits = words[i];
      for (unsigned ahead = 0; ahead < kAhead; ++ahead, bits &= bits - 1) {
        *name = zero + (static_cast<VcIndex>(__builtin_ctzll(bits | Word{1} << 63)) << router_shift);
        name += bits != 0 ? 1 : 0;
      }
      for (; bits != 0; bits &= bits - 1) {
        *name++ = zero + (static_cast<VcIndex>(__builtin_ctzll(bits)) << router_shift);
      }
    }
  }
  names.resize_to(name);
}

/// VA. Heads that would find no free output VC at any port that they may take do not ask.
template <class B>
void Pipeline<B>::allocate_output_vcs(std::size_t b) {
  B& block = blocks_[b];
  const int ports = ports_of<B>(extent_);
  Vcs asking[B::kPorts], free[B::kPorts];
  for (int o = 0; o < ports; ++o) free[o] = Shape::any_for_all(block.out.free[o]);
  for (int p = 0; p < ports; ++p) {
    Vcs ways{};
    for (int o = 0; o < ports; ++o) {
      if (is_pair<B>(extent_, p, o)) ways |= block.in.out_port[o][p] & free[o];
    }
    asking[p] = ways & block.in.waiting[p];
  }
  name_vcs(b, asking, 0, ports, asking_);
  if (asking_.empty()) return;
  if (vc_arbitration_ != nullptr) {
    commit_vc_grants(block, arbitrate_vcs(block));
  } else {
    show_ways_to_heads(block);
    commit_vc_grants(block, r_.allocate_vcs(asking_));
  }
  r_.no_vc_grants();
}

/// Heads with one way on, of which round-robin arbiters choose the VCs: the slice's arbitration, but what is free is
/// asked of the planes.
template <class B>
const WorkList<VcGrant>& Pipeline<B>::arbitrate_vcs(const B& block) {
  BankView bank = r_.bank;
  if (kUsual) bank.set_numbering(3, 2);
  auto& arbitration = *vc_arbitration_;
  WorkList<VcGrant>& grants = r_.no_vc_grants();
  const auto ask = [&](VcIndex in_vc, unsigned port, VcMask vcs) BRAID_PLANES_LAMBDA {
    const VcMask free = vcs & Shape::at(block.out.free[port], place_of(router_of(in_vc)));
    if (free == 0) return VcIndex{kNone};
    return bank.vc_index((index_of(in_vc) & ~(bank.port_stride() - 1)) | port, arbitration.pick(in_vc, free));
  };
  if (keeps_ways()) {
    const std::uint8_t* const way_taken = way_taken_.data();
    const VcMask all = all_vcs_;
    arbitration.run(bank, asking_, grants,
                    [&](VcIndex in_vc) BRAID_PLANES_LAMBDA { return ask(in_vc, way_taken[in_vc], all); });
  } else {
    arbitration.run(bank, asking_, grants, [&](VcIndex in_vc) BRAID_PLANES_LAMBDA {
      const routing::Candidate way = *bank.candidates(in_vc);
      return ask(in_vc, way.port.value, way.vcs);
    });
  }
  return grants;
}

/// Any other allocator asks the bank which VCs are free and, to choose among several ways on, how many credits they
/// have.
template <class B>
void Pipeline<B>::show_ways_to_heads(B& block) {
  const BankView& bank = r_.bank;
  for (const VcIndex in_vc : asking_) {
    const std::uint32_t ways = adaptive_ ? bank.input_vcs[in_vc].candidates : 1U;
    for (std::uint32_t i = 0; i < ways; ++i) {
      const routing::Candidate& way = bank.candidates(in_vc)[i];
      const PortIndex out = (bank.port_of_vc(in_vc) & ~(bank.port_stride() - 1)) | way.port.value;
      bank.free_vcs[out] = Shape::at(block.out.free[way.port.value], place_of(router_of(in_vc)));
      if (!adaptive_) continue;
      for (VcMask vcs = way.vcs; vcs != 0; vcs &= vcs - 1)
        show_credits(block, out, static_cast<unsigned>(__builtin_ctz(vcs)));
    }
  }
}

template <class B>
void Pipeline<B>::show_credits(B& block, PortIndex out, unsigned vc) {
  const unsigned place = place_of(r_.bank.router_of(out).value);
  r_.bank.output_vcs[r_.bank.vc_index(out, vc)].credits = static_cast<std::uint16_t>(
      counter_of<Shape, B::kPorts>(&block.out.credits[0][r_.bank.port_of(out)], extent_.depth_bits, vc, place));
}

template <class B>
void Pipeline<B>::commit_vc_grants(B& block, const WorkList<VcGrant>& grants) {
  const BankView bank = r_.bank;
  if constexpr (kLooksAhead) look_ahead_for_grants(grants);
  RingsView rings = rings_;
  const std::uint32_t* const ring_behind = ring_behind_.data();
  std::uint8_t* const out_vc_at = out_vc_at_.data();
  typename B::Inputs& in = block.in;
  for (const auto& [in_vc, out_vc] : grants) {
    const unsigned vc = at(in_vc), place = place_of(router_of(in_vc));
    const Word bit = bit_of(place);
    word_of<Shape>(in.waiting, vc, place) &= ~bit;
    word_of<Shape>(in.active, vc, place) |= bit;
    word_of<Shape>(in.out_vc[lane_of(out_vc)], vc, place) |= bit;
    word_of<Shape>(block.out.free, at(out_vc), place) &= ~bit;
    if (adaptive_) keep_one_way(block, bank, in_vc, port_of(out_vc));
    out_vc_at[in_vc] = static_cast<std::uint8_t>(at(out_vc));
    if (__builtin_expect(rings.full(ring_behind[out_vc]), 0)) {
      rings_.grow();
      rings = rings_;
    }
    rings.push(ring_behind[out_vc], rings.current(in_vc));
  }
}

/// Of those that the head might have taken.
template <class B>
void Pipeline<B>::keep_one_way(B& block, const BankView& bank, VcIndex in_vc, unsigned out_port) {
  const unsigned vc = at(in_vc), place = place_of(router_of(in_vc));
  bank.last_ports[in_vc] = static_cast<std::uint8_t>(out_port);
  for (std::uint32_t i = 0; i < bank.input_vcs[in_vc].candidates; ++i) {
    word_of<Shape>(block.in.out_port[bank.candidates(in_vc)[i].port.value], vc, place) &= ~bit_of(place);
  }
  word_of<Shape>(block.in.out_port[out_port], vc, place) |= bit_of(place);
}

/// What is on its way to a node is there after ST and its link.
template <class B>
void Pipeline<B>::deliver_tails(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  const std::size_t word = b * Shape::kWords;
  for (std::uint32_t ports = extent_.local_ports; ports != 0; ports &= ports - 1) {
    const int o = __builtin_ctz(ports);
    const Vcs tails = grants.freed[o] & Shape::all(loaded<One>(&local_routers_[o][word]));
    if (!Shape::some(tails)) continue;
    name_vcs(b, &tails, o, 1, asking_);
    std::vector<Delivery>& packets = deliveries(cycle + kEjectionCycles);
    for (const VcIndex out_vc : asking_) {
      const std::uint32_t order = extent_.several_locals ? place_in_lists(grants, r_.bank.port_of_vc(out_vc)) : 0;
      packets.push_back({order, rings_.route_next(ejection_ring_of(out_vc))});
    }
  }
}

/// Lists have the grants of a cycle in the order in which input ports made the first offer to each output port.
template <class B>
std::uint32_t Pipeline<B>::place_in_lists(const SwitchGrants<B>& grants, PortIndex out) const {
  const RouterId router = r_.bank.router_of(out);
  const unsigned place = place_of(router.value);
  std::uint32_t first = 0;
  const unsigned port = r_.bank.port_of(out);
  while (!is_set_of_port<Shape>(grants.offers[port / B::kTogether][first], port, place)) ++first;
  return r_.bank.port_index(router, PortId{first});
}

/// Flits that the links bring to an input port.
template <class B>
auto Pipeline<B>::arrivals(std::size_t b, std::uint64_t cycle, int port) -> Vcs {
  const std::size_t word = b * Shape::kWords;
  Vcs all{};
  if ((extent_.local_ports >> port & 1) != 0) {
    all = injected_.at(cycle - kInjectionCycles, port, word);
  }
  if (scatters_) {
    all |= arriving_.at(cycle, port, word);
    arriving_.put(cycle, port, word, Vcs{});
    return all;
  }
  for (const Shift* s : into_[port]) {
    const Word* const sent = crossed_.planes(cycle - 2 - s->latency_cycles, s->from_port, word);
    Vcs come = Shape::shifted(sent, crossed_.stride(), s->shift);
    if (!s->to.empty()) come &= Shape::all(loaded<One>(s->to.data() + word));
    all |= come;
  }
  return all;
}

/// Credits that come back to an output port.
template <class B>
auto Pipeline<B>::returns(std::size_t b, std::uint64_t cycle, int port) -> Vcs {
  const std::size_t word = b * Shape::kWords;
  Vcs all{};
  if ((extent_.local_ports >> port & 1) != 0) {  // a node takes a flit when it comes
    all = crossed_.at(cycle - kEjectionCycles - credit_delay_ + 1, port, word) &
          Shape::all(loaded<One>(&local_routers_[port][word]));
  }
  if (scatters_) {
    all |= returning_.at(cycle, port, word);
    returning_.put(cycle, port, word, Vcs{});
    return all;
  }
  for (const Shift* s : out_of_[port]) {
    const Word* const freed = left_.planes(cycle - credit_delay_ - s->latency_cycles + 1, s->to_port, word);
    Vcs come = Shape::shifted(freed, left_.stride(), -s->shift);
    if (!s->from.empty()) come &= Shape::all(loaded<One>(s->from.data() + word));
    all |= come;
  }
  return all;
}

/// Where links are no shifts: each flit by itself to the far end, and its credit back.
template <class B>
void Pipeline<B>::scatter(std::size_t b, std::uint64_t cycle, const Vcs* granted) {
  const BankView& bank = r_.bank;
  name_vcs(b, granted, 0, ports_of<B>(extent_), asking_);
  for (const VcIndex in_vc : asking_)
    scatter_one(cycle, in_vc, bank.port_of_vc(out_vc_of(in_vc)), lane_of(out_vc_of(in_vc)));
}

template <class B>
void Pipeline<B>::scatter_one(std::uint64_t cycle, VcIndex in_vc, PortIndex out, unsigned out_vc) {
  const BankView& bank = r_.bank;
  const Link& link = bank.links[out];
  if (!link.to_node) {
    arriving_.set(cycle + 2 + link.latency_cycles, bank.port_of(link.target), out_vc,
                  bank.router_of(link.target).value);
  }
  const PortIndex feeder = bank.upstream[bank.port_of_vc(in_vc)];
  if (bank.is_injection_port(feeder)) return;
  returning_.set(cycle + credit_delay_ + bank.links[feeder].latency_cycles - 1, bank.port_of(feeder), lane_of(in_vc),
                 bank.router_of(feeder).value);
}

/// BW and RC.
template <class B>
void Pipeline<B>::write_all_buffers(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  B& block = blocks_[b];
  const int ports = ports_of<B>(extent_);
  Vcs arrived[B::kPorts], heads[B::kPorts];
  for (int p = 0; p < ports; ++p) arrived[p] = arrivals(b, cycle, p);
  write_buffers(block, extent_, arrived, grants, usual_length_, heads);
  name_vcs(b, heads, 0, ports, heads_);
  route_heads(block, cycle);
}

template <class B>
void Pipeline<B>::look_ahead_for_heads() {
  const BankView bank = r_.bank;
  const RingsView rings = rings_;
  for (const VcIndex in_vc : heads_) rings.prefetch(in_vc);
  for (const VcIndex in_vc : heads_) {
    __builtin_prefetch(&r_.store[rings.coming(in_vc, 0)], 1);
    if (!keeps_ways()) __builtin_prefetch(bank.candidates(in_vc), 1);
    if (way_of_.empty()) __builtin_prefetch(&bank.input_vcs[in_vc], 1);
  }
}

template <class B>
void Pipeline<B>::look_ahead_for_grants(const WorkList<VcGrant>& grants) {
  const std::uint32_t* const ring_behind = ring_behind_.data();
  for (const VcGrant& grant : grants) {
    __builtin_prefetch(&ring_behind[grant.out_vc]);
    __builtin_prefetch(&out_vc_at_[grant.in_vc], 1);
    rings_.prefetch(grant.in_vc);
  }
  for (const VcGrant& grant : grants) rings_.prefetch(ring_behind[grant.out_vc]);
}

template <class B>
void Pipeline<B>::route_heads(B& block, std::uint64_t cycle) {
  if constexpr (kLooksAhead) look_ahead_for_heads();
  const BankView bank = r_.bank;
  const RingsView rings = rings_;
  const bool by_table = !way_of_.empty(), keeps_ways = this->keeps_ways();
  const std::uint32_t usual = usual_length_;
  for (const VcIndex in_vc : heads_) {
    const PacketSlot slot = rings.route_next(in_vc);
    const Packet& packet = r_.store[slot];
    if (by_table && packet.record == nullptr) {
      route_by_table(block, bank, in_vc, slot, keeps_ways);
    } else {
      route_by_algorithm(block, cycle, in_vc, slot);
    }
    if (packet.length_flits != usual) begin_unusual(block, in_vc, packet.length_flits);
  }
}

template <class B>
void Pipeline<B>::route_by_table(B& block, const BankView& bank, VcIndex in_vc, PacketSlot slot, bool keeps_ways) {
  Packet& packet = r_.store[slot];
  ++packet.routers;
  const std::uint32_t router = router_of(in_vc);
  const unsigned way = way_of_[router * nodes_ + packet.destination.value];
  if (keeps_ways) {
    way_taken_[in_vc] = static_cast<std::uint8_t>(way);
  } else {
    *bank.candidates(in_vc) = {PortId{way}, 0, all_vcs_};
  }
  word_of<Shape>(block.in.out_port[way], at(in_vc), place_of(router)) |= bit_of(place_of(router));
  note_pair<B>(extent_, port_of(in_vc), way);
}

template <class B>
void Pipeline<B>::route_by_algorithm(B& block, std::uint64_t cycle, VcIndex in_vc, PacketSlot slot) {
  r_.route(cycle, in_vc, slot);
  const BankView& bank = r_.bank;
  const unsigned vc = at(in_vc), place = place_of(router_of(in_vc));
  const routing::Candidate* way = bank.candidates(in_vc);
  if (keeps_ways()) way_taken_[in_vc] = static_cast<std::uint8_t>(way->port.value);
  for (std::uint32_t more = adaptive_ ? bank.input_vcs[in_vc].candidates : 1U; more != 0; --more, ++way) {
    word_of<Shape>(block.in.out_port[way->port.value], vc, place) |= bit_of(place);
    note_pair<B>(extent_, port_of(in_vc), way->port.value);
  }
}

/// Puts right what write_buffers() has taken for granted; the next packets are taken to be of this length.
template <class B>
void Pipeline<B>::begin_unusual(B& block, VcIndex in_vc, std::uint32_t length) {
  const unsigned vc = at(in_vc), place = place_of(router_of(in_vc));
  expect_length(length);
  for (unsigned k = 0; k < extent_.length_bits; ++k) put<Shape>(block.in.left[k], vc, place, (length >> k & 1) != 0);
  put<Shape>(block.in.last, vc, place, length == 1);
  usual_length_ = length;
}

template <class B>
void Pipeline<B>::take_all_credits(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  B& block = blocks_[b];
  const int ports = ports_of<B>(extent_);
  Vcs back[B::kPorts];
  for (int o = 0; o < ports; ++o) back[o] = returns(b, cycle, o);
  take_credits(block, extent_, back, grants.out);
  find_blocked(block, extent_, ports_without_credit(block, ports));
}

/// Flits that reach a node in this cycle.
template <class B>
void Pipeline<B>::count_delivered(std::size_t b, std::uint64_t cycle) {
  const std::size_t word = b * Shape::kWords;
  for (std::uint32_t ports = extent_.local_ports; ports != 0; ports &= ports - 1) {
    const int o = __builtin_ctz(ports);
    const One come = Shape::any(crossed_.at(cycle - kEjectionCycles, o, word));
    r_.flits_delivered += ones<Shape>(come & loaded<One>(&local_routers_[o][word]));
  }
}

/// Flits over the links, of the next cycles that are not counted yet: four planes are added up, and their sum to the
/// counter.
template <class B>
void Pipeline<B>::count_sent(std::size_t b) {
  const std::size_t word = b * Shape::kWords;
  const int ports = ports_of<B>(extent_);
  for (int o = 0; o < ports; ++o) {
    One sent[kCountedAtOnce];
    for (unsigned i = 0; i < kCountedAtOnce; ++i) {
      sent[i] = counted_to_ + i + 1 < now_ ? Shape::any(crossed_.at(counted_to_ + i, o, word)) : One{};
    }
    add_four(blocks_[b].out.sent[o], kSentBits, sent);
    for (const One& plane : sent) r_.flit_hops += ones<Shape>(plane);
  }
}

// ---------------------------------------------------------------- the interfaces

/// Packets that have come into source queues since the last cycle.
template <class B>
void Pipeline<B>::take_sends() {
  r_.sends.for_each([&](std::size_t i) {
    const PortIndex port = r_.bank.wiring().local_ports[i].router_port;
    const std::uint32_t router = r_.bank.router_of(port).value;
    word_of<Shape>(block_of(router).local[r_.bank.port_of(port)].queued, place_of(router)) |= bit_of(place_of(router));
    r_.sends.erase(i);
  });
}

template <class B>
void Pipeline<B>::inject(std::size_t b, std::uint64_t cycle) {
  B& block = blocks_[b];
  const std::size_t word = b * Shape::kWords;
  for (std::uint32_t ports = extent_.local_ports; ports != 0; ports &= ports - 1) {
    const int p = __builtin_ctz(ports);
    typename B::Local& local = block.local[p];
    const Vcs back = left_.at(cycle - credit_delay_, p, word) & Shape::all(loaded<One>(&local_routers_[p][word]));
    const Vcs credit = count(local.credits, extent_.depth_bits, back, Vcs{});
    const Vcs begins = Shape::all(local.queued & ~Shape::any(local.sending) & Shape::any(local.free & credit));
    if (Shape::some(begins)) {
      const Vcs first_vc = Shape::only_first(begins);
      name_vcs(b, &first_vc, p, 1, asking_);
      Vcs begun{};
      for (const VcIndex local_vc : asking_) begin_packet(local, cycle, local_vc, credit, begun);
      local.sending |= begun;
    }
    const Vcs sent = local.sending & credit;
    const One any = Shape::any(sent);
    count(local.credits, extent_.depth_bits, Vcs{}, sent);
    const One one_left = is_one(local.left, extent_.length_bits);
    count_down(local.left, extent_.length_bits, any);
    injected_.put(cycle, p, word, sent);
    r_.flits_injected += ones<Shape>(any);
    const Vcs tails = sent & Shape::all(one_left);
    if (!Shape::some(tails)) continue;
    local.sending &= ~tails;
    name_vcs(b, &tails, p, 1, asking_);
    for (const VcIndex local_vc : asking_) end_injection(local, cycle, local_vc);
  }
}

/// The first packet of the source queue takes a VC of the injection link, which is set in `begun`.
template <class B>
void Pipeline<B>::begin_packet(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc, const Vcs& credit,
                               Vcs& begun) {
  const BankView& bank = r_.bank;
  const PortIndex port = bank.port_of_vc(local_vc);
  const unsigned place = place_of(bank.router_of(port).value);
  const std::uint32_t i = bank.links[port].target;
  r_.take_injection_vc(i, Shape::at(local.free & credit, place));
  const Registers::LocalPort& interface = r_.local_port(i);
  const unsigned vc = lane_of(interface.out_vc);
  const PacketSlot slot = interface.packets.front();
  Packet& packet = r_.store[slot];
  if (packet.injected == 0) packet.injected = cycle + 1;  // else it was in an in-transit buffer
  const Word bit = bit_of(place);
  Shape::set(begun, vc, place);
  word_of<Shape>(&local.free, vc, place) &= ~bit;
  for (std::uint32_t length = packet.length_flits; length != 0; length &= length - 1) {
    const auto k = static_cast<unsigned>(__builtin_ctz(length));
    word_of<Shape>(local.left[k], place) |= bit;
    extent_.length_bits = std::max(extent_.length_bits, k + 1);
  }
  rings_.push_one(bank.vc_index(port, vc), slot);
}

template <class B>
void Pipeline<B>::end_injection(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc) {
  const BankView& bank = r_.bank;
  const PortIndex port = bank.port_of_vc(local_vc);
  const unsigned place = place_of(bank.router_of(port).value), vc = lane_of(local_vc);
  const std::uint32_t i = bank.links[port].target;
  Registers::LocalPort& interface = r_.local_port(i);
  r_.sink().sent(cycle, interface.packets.front());
  interface.packets.pop();
  interface.out_vc = kNone;
  bank.free_vcs[bank.injection_port(i)] |= VcMask{1} << vc;
  word_of<Shape>(&local.free, vc, place) |= bit_of(place);
  if (interface.packets.empty()) word_of<Shape>(local.queued, place) &= ~bit_of(place);
}

}  // namespace braid::models::hybrid::planes
