// VA: heads that wait ask for output VCs, by the allocator that the lists have.
#pragma once

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

/// VCs that got an output VC in the last cycle own it, and wait no longer. (To write that for each by itself would be
/// two words more a grant.)
template <class B>
BRAID_PLANES_INLINE void activate_granted(B& block, int ports) {
  typename B::Inputs& in = block.in;
  for (int p = 0; p < ports; ++p) {
    typename B::Vcs owner = in.out_vc[0][p];
    for (int w = 1; w < B::kVcs; ++w) owner |= in.out_vc[w][p];
    in.active[p] = owner;
    in.waiting[p] &= ~owner;
  }
}

/// VA. Heads that were routed in the last cycle all ask. Those that wait for longer do not ask where they would find no
/// free output VC at any port that they may take. What is granted is in asked_, or the slice's list.
template <class B>
void Pipeline<B>::allocate_output_vcs(std::size_t b) {
  B& block = blocks_[b];
  WorkList<VcIndex>& asking = heads_[b];
  const int ports = ports_of<B>(extent_);
  Vcs again[B::kPorts], some{};
  for (int p = 0; p < ports; ++p) {
    again[p] = block.in.waiting[p] & ~block.in.fresh[p];
    some |= again[p];
  }
  if (Shape::some(some)) {
    Vcs free[B::kPorts];
    for (int o = 0; o < ports; ++o) free[o] = Shape::any_for_all(block.out.free[o]);
    for (int p = 0; p < ports; ++p) {
      Vcs ways{};
      for (int o = 0; o < ports; ++o) {
        if (is_pair<B>(extent_, p, o)) ways |= block.in.out_port[o][p] & free[o];
      }
      again[p] &= ways;
    }
    name_vcs(b, again, 0, ports, asking);
  }
  asked_.clear();
  r_.no_vc_grants();
  if (asking.empty()) return;
  repeat_last(asking);
  if (vc_arbitration_ != nullptr) return ask_for_output_vcs(block, asking);
  show_ways_to_heads(block, asking);
  r_.allocate_vcs(asking);
}

/// The registers of VA's round-robin arbiters, while planes have them.
struct VcArbiters {
  RingsView rings;
  std::uint32_t turn_mask, place_mask;
  BestOffer<std::uint16_t>& offer(VcIndex out_vc) const { return rings.record(out_vc).offer; }
  std::uint32_t rank(VcIndex out_vc, VcIndex, std::uint32_t place) const {
    return (place - rings.record(out_vc).output_turn) & place_mask;
  }
  /// Which of the free VCs of its port a head asks for: the first from its turn on.
  unsigned pick(VcIndex in_vc, VcMask free) const {
    const VcMask later = free & (~VcMask{0} << rings.record(in_vc).input_turn);
    return static_cast<unsigned>(__builtin_ctz(later != 0 ? later : free));
  }
  void use(VcIndex winner, VcIndex out_vc, std::uint32_t place, std::uint32_t lane) const {
    rings.record(out_vc).output_turn = static_cast<std::uint8_t>((place + 1) & place_mask);
    rings.record(winner).input_turn = static_cast<std::uint8_t>((lane + 1) & turn_mask);
  }
};

/// Of an output port that is soon asked for: its VCs, and those behind the link.
template <class B>
void Pipeline<B>::look_ahead_for_request(VcIndex in_vc) const {
  const PortIndex others = r_.bank.port_stride() - 1;
  const PortIndex out = (index_of(in_vc) & ~others) | (rings_.record(in_vc).way & others);
  __builtin_prefetch(&rings_.record(r_.bank.vc_index(out, 0)), 1);
  rings_.prefetch(ring_behind_[out]);
}

/// Heads with one way on, of which round-robin arbiters choose the VCs: the slice's arbitration, but what is free is
/// asked of the planes.
template <class B>
void Pipeline<B>::ask_for_output_vcs(const B& block, const WorkList<VcIndex>& asking) {
  const BankView bank = numbered_bank();
  const VcArbiters arbiters{rings_, turn_mask_, bank.port_stride() * bank.lane_stride() - 1};
  const auto ask = [&](VcIndex in_vc, unsigned port, VcMask vcs) BRAID_PLANES_LAMBDA {
    const VcMask free = vcs & Shape::at(block.out.free[port], place_of(router_of(in_vc)));
    if (free == 0) return VcIndex{kNone};
    return bank.vc_index((index_of(in_vc) & ~(bank.port_stride() - 1)) | port, arbiters.pick(in_vc, free));
  };
  if (keeps_ways()) {
    const VcMask all = all_vcs_;
    asked_.resize_to(ask_for_vcs(
        bank, arbiters, asking, asked_.begin(),
        [&](VcIndex in_vc) BRAID_PLANES_LAMBDA { return ask(in_vc, arbiters.rings.record(in_vc).way, all); },
        [&](VcIndex in_vc) BRAID_PLANES_LAMBDA {
          if (kLooksAhead) look_ahead_for_request(in_vc);
        }));
  } else {
    asked_.resize_to(ask_for_vcs(
        bank, arbiters, asking, asked_.begin(),
        [&](VcIndex in_vc) BRAID_PLANES_LAMBDA {
          const routing::Candidate way = *bank.candidates(in_vc);
          return ask(in_vc, way.port.value, way.vcs);
        },
        [&](VcIndex in_vc) BRAID_PLANES_LAMBDA { __builtin_prefetch(bank.candidates(in_vc)); }));
  }
}

/// Any other allocator asks the bank which VCs are free and, to choose among several ways on, how many credits they
/// have.
template <class B>
void Pipeline<B>::show_ways_to_heads(B& block, const WorkList<VcIndex>& asking) {
  const BankView& bank = r_.bank;
  for (const VcIndex in_vc : asking) {
    const std::uint32_t ways = adaptive_ ? bank.ways[in_vc] : 1U;
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
void Pipeline<B>::commit_vc_grants(B& block) {
  rings_.with_places([&](const RingsView& rings) BRAID_PLANES_LAMBDA {
    const BankView bank = numbered_bank();
    const std::uint32_t* const ring_behind = ring_behind_;
    const auto take = [&](VcIndex in_vc, VcIndex out_vc) BRAID_PLANES_LAMBDA {
      push(rings, ring_behind[index_of(out_vc)] + lane_of(out_vc), rings.current(in_vc));
      rings.record(in_vc).out_vc = static_cast<std::uint8_t>(at(out_vc));
      const unsigned place = place_of(router_of(in_vc));
      word_of<Shape>(block.in.out_vc[lane_of(out_vc)], at(in_vc), place) |= bit_of(place);
      word_of<Shape>(block.out.free, at(out_vc), place) &= ~bit_of(place);
    };
    const VcArbiters arbiters{rings, turn_mask_, bank.port_stride() * bank.lane_stride() - 1};
    grant_vcs(bank, arbiters, asked_.begin(), asked_.end(), take);
    for (const auto& [in_vc, out_vc] : r_.vc_grants()) {
      take(in_vc, out_vc);
      if (adaptive_) keep_one_way(block, in_vc, port_of(out_vc));
    }
  });
  r_.no_vc_grants();
}

/// Of those that the head might have taken.
template <class B>
void Pipeline<B>::keep_one_way(B& block, VcIndex in_vc, unsigned out_port) {
  const BankView& bank = r_.bank;
  const unsigned vc = at(in_vc), place = place_of(router_of(in_vc));
  bank.last_ports[in_vc] = static_cast<std::uint8_t>(out_port);
  for (std::uint32_t i = 0; i < bank.ways[in_vc]; ++i) {
    word_of<Shape>(block.in.out_port[bank.candidates(in_vc)[i].port.value], vc, place) &= ~bit_of(place);
  }
  word_of<Shape>(block.in.out_port[out_port], vc, place) |= bit_of(place);
}

}  // namespace braid::models::hybrid::planes
