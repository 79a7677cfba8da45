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
  if (++unflushed_ == (1U << kSentBits) - 1) count_flits();
}

template <class B>
void Pipeline<B>::run_routers(std::size_t b, std::uint64_t cycle) {
  SwitchGrants<B> grants;
  allocate_switch(blocks_[b], extent_, grants);
  allocate_output_vcs(b);
  end_packets(b, cycle, grants);
  write_all_buffers(b, cycle, grants);
  take_all_credits(b, cycle, grants);
  count_sent(b, cycle);
  const std::size_t word = b * Shape::kWords;
  const int ports = ports_of<B>(extent_);
  for (int p = 0; p < ports; ++p) {
    store_planes<Shape>(crossed_.planes(cycle, p, word), crossed_.stride(), grants.out[p]);
    store_planes<Shape>(left_.planes(cycle, p, word), left_.stride(), grants.in[p]);
  }
  if (scatters_) scatter(b, cycle, grants.in);
}

/// Only words that are not zero are looked into.
template <class B>
void Pipeline<B>::name_vcs(std::size_t b, const Vcs* planes, int first, int ports, WorkList<VcIndex>& names) const {
  constexpr int kPortWords = Shape::kVcs * Shape::kWords;
  const auto* const words = reinterpret_cast<const WordOfVector*>(planes);
  const VcIndex base = first_vc(b, first);
  const unsigned router_shift = kUsual ? 5 : router_shift_, port_shift = kUsual ? 2 : port_shift_;
  VcIndex* name = names.begin();
  for (int from = 0; from < ports * kPortWords; from += static_cast<int>(kWordBits)) {
    const int count = std::min(ports * kPortWords - from, static_cast<int>(kWordBits));
    Word some = 0;
    for (int i = 0; i < count; ++i) some |= Word{words[from + i] != 0} << i;
    for (; some != 0; some &= some - 1) {
      const unsigned i = static_cast<unsigned>(from) + static_cast<unsigned>(__builtin_ctzll(some));
      const unsigned router = kWordBits * (i % Shape::kWords), vc = i % kPortWords / Shape::kWords;
      const VcIndex zero = base + (router << router_shift) + (i / kPortWords << port_shift) + vc;
      for (Word bits = words[i]; bits != 0; bits &= bits - 1) {
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
  for (int o = 0; o < ports; ++o) free[o] = Shape::all(block.out[o].free);
  for (int p = 0; p < ports; ++p) {
    Vcs ways{};
    for (int o = 0; o < ports; ++o) {
      if ((extent_.pairs[p] >> o & 1) != 0) ways |= block.in[p].out_port[o] & free[o];
    }
    asking[p] = ways & block.in[p].waiting;
  }
  name_vcs(b, asking, 0, ports, asking_);
  if (asking_.empty()) return;
  if (adaptive_) show_credits_to_heads(block);
  commit_vc_grants(block, r_.allocate_vcs(asking_));
  r_.clear_vc_grants();
}

template <class B>
void Pipeline<B>::commit_vc_grants(B& block, const WorkList<VcGrant>& grants) {
  const BankView bank = r_.bank;
  const RingsView rings = rings_;
  const std::uint32_t* const ring_behind = ring_behind_.data();
  VcIndex* const out_vc_of = out_vc_of_.data();
  for (const auto& [in_vc, out_vc] : grants) {
    const unsigned out_port = port_of(out_vc), vc = lane_of(in_vc), place = place_of(router_of(in_vc));
    const Word bit = bit_of(place);
    typename B::Input& in = block.in[port_of(in_vc)];
    word_of<Shape>(in.waiting, vc, place) &= ~bit;
    word_of<Shape>(in.active, vc, place) |= bit;
    word_of<Shape>(in.out_vc[lane_of(out_vc)], vc, place) |= bit;
    const std::uint32_t candidates = adaptive_ ? bank.input_vcs[in_vc].candidates : 1U;
    for (std::uint32_t i = 0; i < candidates && candidates > 1; ++i) {
      word_of<Shape>(in.out_port[bank.candidates(in_vc)[i].port.value], vc, place) &= ~bit;
    }
    if (candidates > 1) word_of<Shape>(in.out_port[out_port], vc, place) |= bit;
    bank.last_ports[in_vc] = static_cast<std::uint8_t>(out_port);
    const VcMask free = bank.free_vcs[index_of(out_vc)] &= ~(VcMask{1} << lane_of(out_vc));
    if (free == 0) word_of<Shape>(block.out[out_port].free, place) &= ~bit;
    out_vc_of[in_vc] = out_vc;
    rings.push(ring_behind[out_vc], rings.current(in_vc));
  }
}

/// Among several ways on VA takes the one of most credits: they are counters of the bank's for it.
template <class B>
void Pipeline<B>::show_credits_to_heads(B& block) {
  const BankView& bank = r_.bank;
  for (const VcIndex in_vc : asking_) {
    const std::uint32_t candidates = bank.input_vcs[in_vc].candidates;
    if (candidates == 1) continue;
    for (std::uint32_t i = 0; i < candidates; ++i) {
      const routing::Candidate& way = bank.candidates(in_vc)[i];
      const PortIndex out = (bank.port_of_vc(in_vc) & ~(bank.port_stride() - 1)) | way.port.value;
      for (VcMask vcs = way.vcs; vcs != 0; vcs &= vcs - 1)
        show_credits(block, out, static_cast<unsigned>(__builtin_ctz(vcs)));
    }
  }
}

template <class B>
void Pipeline<B>::show_credits(B& block, PortIndex out, unsigned vc) {
  const unsigned place = place_of(r_.bank.router_of(out).value);
  r_.bank.output_vcs[r_.bank.vc_index(out, vc)].credits = static_cast<std::uint16_t>(
      counter_of<Shape>(block.out[r_.bank.port_of(out)].credits, extent_.depth_bits, vc, place));
}

/// SA's last flit of a packet frees the output VC. What goes to a node is there after ST and its link.
template <class B>
void Pipeline<B>::end_packets(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  B& block = blocks_[b];
  name_vcs(b, grants.tails, 0, ports_of<B>(extent_), ending_);
  const BankView bank = r_.bank;
  const RingsView rings = rings_;
  const VcIndex* const out_vc_of = out_vc_of_.data();
  for (const VcIndex in_vc : ending_) {
    const VcIndex out_vc = out_vc_of[in_vc];
    const PortIndex out = index_of(out_vc);
    const unsigned out_port = port_of(out_vc), vc = lane_of(in_vc), place = place_of(router_of(in_vc));
    const Word bit = bit_of(place);
    typename B::Input& in = block.in[port_of(in_vc)];
    word_of<Shape>(in.out_port[out_port], vc, place) &= ~bit;
    word_of<Shape>(in.out_vc[lane_of(out_vc)], vc, place) &= ~bit;
    word_of<Shape>(block.out[out_port].free, place) |= bit;
    bank.free_vcs[out] |= VcMask{1} << lane_of(out_vc);
    if (!bank.links[out].to_node) continue;
    const std::uint32_t order = extent_.several_locals ? place_in_lists(grants, out) : 0;
    deliveries(cycle + kEjectionCycles).push_back({order, rings.current(in_vc)});
  }
}

/// Lists have the grants of a cycle in the order in which input ports made the first offer to each output port.
template <class B>
std::uint32_t Pipeline<B>::place_in_lists(const SwitchGrants<B>& grants, PortIndex out) const {
  const RouterId router = r_.bank.router_of(out);
  const unsigned place = place_of(router.value);
  std::uint32_t first = 0;
  while (!test<Shape>(grants.offers[r_.bank.port_of(out)][first], place)) ++first;
  return r_.bank.port_index(router, PortId{first});
}

/// Flits that the links bring to an input port.
template <class B>
auto Pipeline<B>::arrivals(std::size_t b, std::uint64_t cycle, int port) -> Vcs {
  const std::size_t word = b * Shape::kWords;
  Vcs all{};
  if ((extent_.local_ports >> port & 1) != 0) {
    all = loaded_planes<Shape>(injected_.planes(cycle - kInjectionCycles, port, word), injected_.stride());
  }
  if (scatters_) {
    Word* const come = arriving_.planes(cycle, port, word);
    all |= loaded_planes<Shape>(come, arriving_.stride());
    store_planes<Shape>(come, arriving_.stride(), Vcs{});
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
    all = loaded_planes<Shape>(crossed_.planes(cycle - kEjectionCycles - credit_delay_ + 1, port, word),
                               crossed_.stride());
    all &= Shape::all(loaded<One>(&local_routers_[port][word]));
  }
  if (scatters_) {
    Word* const come = returning_.planes(cycle, port, word);
    all |= loaded_planes<Shape>(come, returning_.stride());
    store_planes<Shape>(come, returning_.stride(), Vcs{});
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
    scatter_one(cycle, in_vc, bank.port_of_vc(out_vc_of_[in_vc]), lane_of(out_vc_of_[in_vc]));
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
  Vcs heads[B::kPorts];
  for (int p = 0; p < ports; ++p) {
    heads[p] = write_buffers<B>(block.in[p], extent_, arrivals(b, cycle, p), grants.in[p], grants.tails[p]);
  }
  name_vcs(b, heads, 0, ports, heads_);
  route_heads(block, cycle);
}

template <class B>
void Pipeline<B>::route_heads(B& block, std::uint64_t cycle) {
  const BankView bank = r_.bank;
  const RingsView rings = rings_;
  unsigned length_bits = extent_.length_bits;
  for (const VcIndex in_vc : heads_) {
    const Packet& packet = r_.route(cycle, in_vc, rings.route_next(in_vc));
    const unsigned port = port_of(in_vc), vc = lane_of(in_vc), place = place_of(router_of(in_vc));
    const Word bit = bit_of(place);
    typename B::Input& in = block.in[port];
    const routing::Candidate* way = bank.candidates(in_vc);
    for (std::uint32_t more = bank.input_vcs[in_vc].candidates; more != 0; --more, ++way) {
      word_of<Shape>(in.out_port[way->port.value], vc, place) |= bit;
      extent_.pairs[port] |= 1U << way->port.value;
    }
    std::uint32_t length = packet.length_flits;
    if (length == 1) word_of<Shape>(in.last, vc, place) |= bit;
    for (unsigned k = 0; length != 0; length >>= 1, ++k) {
      if ((length & 1) != 0) word_of<Shape>(in.left[k], vc, place) |= bit;
      length_bits = std::max(length_bits, k + 1);
    }
  }
  extent_.length_bits = length_bits;
}

template <class B>
void Pipeline<B>::take_all_credits(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  B& block = blocks_[b];
  const int ports = ports_of<B>(extent_);
  std::uint32_t without = 0;
  for (int o = 0; o < ports; ++o) {
    without |= std::uint32_t{take_credits<B>(block.out[o], extent_, returns(b, cycle, o), grants.out[o])} << o;
  }
  for (int p = 0; p < ports; ++p) block.in[p].blocked = blocked(block, p, without & extent_.pairs[p]);
}

/// Of flits that are in ST in this cycle, and of those that reach a node.
template <class B>
void Pipeline<B>::count_sent(std::size_t b, std::uint64_t cycle) {
  const std::size_t word = b * Shape::kWords;
  const int ports = ports_of<B>(extent_);
  for (int o = 0; o < ports; ++o) {
    One more = Shape::any(loaded_planes<Shape>(crossed_.planes(cycle - 1, o, word), crossed_.stride()));
    for (unsigned k = 0; k < kSentBits && Shape::some(more); ++k) {
      One& bits = blocks_[b].out[o].sent[k];
      const One was = bits;
      bits ^= more;
      more &= was;
    }
    if ((extent_.local_ports >> o & 1) == 0) continue;
    const Vcs come = loaded_planes<Shape>(crossed_.planes(cycle - kEjectionCycles, o, word), crossed_.stride());
    r_.flits_delivered += ones<Shape>(Shape::any(come) & loaded<One>(&local_routers_[o][word]));
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
    const Vcs back = loaded_planes<Shape>(left_.planes(cycle - credit_delay_, p, word), left_.stride()) &
                     Shape::all(loaded<One>(&local_routers_[p][word]));
    const Vcs credit = count(local.credits, extent_.depth_bits, back, Vcs{});
    const Vcs begins = Shape::all(local.queued & ~Shape::any(local.sending) & Shape::any(local.free & credit));
    if (Shape::some(begins)) {
      const Vcs first_vc = Shape::only_first(begins);
      name_vcs(b, &first_vc, p, 1, asking_);
      for (const VcIndex local_vc : asking_) begin_packet(local, cycle, local_vc, credit);
    }
    const Vcs sent = local.sending & credit;
    const One any = Shape::any(sent);
    count(local.credits, extent_.depth_bits, Vcs{}, sent);
    const One one_left = is_one(local.left, extent_.length_bits);
    count_down(local.left, extent_.length_bits, any);
    store_planes<Shape>(injected_.planes(cycle, p, word), injected_.stride(), sent);
    r_.flits_injected += ones<Shape>(any);
    const Vcs tails = sent & Shape::all(one_left);
    if (!Shape::some(tails)) continue;
    local.sending &= ~tails;
    name_vcs(b, &tails, p, 1, asking_);
    for (const VcIndex local_vc : asking_) end_injection(local, cycle, local_vc);
  }
}

/// The first packet of the source queue takes a VC of the injection link.
template <class B>
void Pipeline<B>::begin_packet(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc, Vcs credit) {
  const BankView& bank = r_.bank;
  const PortIndex port = bank.port_of_vc(local_vc);
  const unsigned place = place_of(bank.router_of(port).value);
  const std::uint32_t i = bank.links[port].target;
  const PortIndex link = bank.injection_port(i);
  for (std::uint32_t v = 0; v < bank.vcs(); ++v) {  // whether there is one is all that is asked
    bank.output_vcs[bank.vc_index(link, v)].credits = (word_of<Shape>(credit, v, place) >> (place % kWordBits)) & 1;
  }
  (void)r_.take_injection_vc(i);
  const Registers::LocalPort& interface = r_.local_port(i);
  const unsigned vc = lane_of(interface.out_vc);
  const PacketSlot slot = interface.packets.front();
  Packet& packet = r_.store[slot];
  if (packet.injected == 0) packet.injected = cycle + 1;  // else it was in an in-transit buffer
  const Word bit = bit_of(place);
  word_of<Shape>(local.sending, vc, place) |= bit;
  word_of<Shape>(local.free, vc, place) &= ~bit;
  for (std::uint32_t length = packet.length_flits; length != 0; length &= length - 1) {
    const auto k = static_cast<unsigned>(__builtin_ctz(length));
    word_of<Shape>(local.left[k], place) |= bit;
    extent_.length_bits = std::max(extent_.length_bits, k + 1);
  }
  rings_.push(bank.vc_index(port, vc), slot);
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
  word_of<Shape>(local.free, vc, place) |= bit_of(place);
  if (interface.packets.empty()) word_of<Shape>(local.queued, place) &= ~bit_of(place);
}

}  // namespace braid::models::hybrid::planes
