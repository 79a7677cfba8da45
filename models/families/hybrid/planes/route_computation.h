// RC: each head at the front of a buffer, one by one.
#pragma once

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

/// Where VA asks for more than a head's way: all of it, for all heads.
template <class B>
void Pipeline<B>::look_ahead_for_heads(const WorkList<VcIndex>& heads) const {
  const BankView bank = r_.bank;
  const RingsView rings = rings_;
  for (const VcIndex in_vc : heads) rings.prefetch(in_vc);
  for (const VcIndex in_vc : heads) {
    __builtin_prefetch(&voyages()[rings.coming(in_vc, 0)], 1);
    __builtin_prefetch(bank.candidates(in_vc), 1);
    if (!ways_.known()) __builtin_prefetch(&bank.input_vcs[in_vc], 1);
  }
}

/// Of a block those that are fresh.
template <class B>
void Pipeline<B>::route_heads(std::size_t b, std::uint64_t cycle) {
  B& block = blocks_[b];
  WorkList<VcIndex>& heads = heads_[b];
  if (heads.empty()) return;
  repeat_last(heads);
  const bool keeps_ways = this->keeps_ways();
  if (kLooksAhead && !keeps_ways) look_ahead_for_heads(heads);
  const std::uint32_t usual = usual_length_;
  if (!ways_.known()) {
    for (const VcIndex in_vc : heads) {
      rings_.route_next(in_vc);
      route_unusual(block, cycle, in_vc, usual);
    }
    return;
  }
  const VoyagesView voyages = this->voyages();
  const Ways::View ways = ways_.view();
  rings_.with_places([&](const RingsView& rings) BRAID_PLANES_LAMBDA {
    const VcIndex* const end = heads.end();
    for (const VcIndex* head = heads.begin(); head != end; ++head) {
      if (kLooksAhead) {  // first for a record, then for the voyage that it names
        rings.prefetch(head[kPrefetch]);
        __builtin_prefetch(&voyages[rings.coming(head[kPrefetch / 2], 0)], 1);
      }
      const VcIndex in_vc = *head;
      Voyage& voyage = voyages[rings.route_next(in_vc)];
      if (__builtin_expect(voyage.length_flits == usual, 1)) {
        rings.record(in_vc).way = static_cast<std::uint8_t>(route_by_table(block, ways, in_vc, voyage));
      } else {
        route_unusual(block, cycle, in_vc, usual);
      }
    }
  });
  if (keeps_ways) return;
  for (const VcIndex in_vc : heads) *r_.bank.candidates(in_vc) = {PortId{rings_.record(in_vc).way}, 0, all_vcs_};
}

template <class B>
unsigned Pipeline<B>::route_by_table(B& block, const Ways::View& ways, VcIndex in_vc, Voyage& voyage) {
  ++voyage.routers;
  const std::uint32_t router = router_of(in_vc);
  const unsigned way = ways.of<kPairs>(router, voyage.destination);
  word_of<Shape>(block.in.out_port[way], at(in_vc), place_of(router)) |= bit_of(place_of(router));
  note_pair<B>(extent_, port_of(in_vc), way);
  return way;
}

/// A packet of another length than `usual`, or which no table routes.
template <class B>
void Pipeline<B>::route_unusual(B& block, std::uint64_t cycle, VcIndex in_vc, std::uint32_t usual) {
  const VoyageId id = rings_.current(in_vc);
  const PacketSlot slot = voyages()[id].packet;
  const Packet& packet = r_.store[slot];
  if (ways_.known() && packet.record == nullptr) {
    rings_.record(in_vc).way = static_cast<std::uint8_t>(route_by_table(block, ways_.view(), in_vc, voyages()[id]));
  } else {
    route_by_algorithm(block, cycle, in_vc, slot);
  }
  if (packet.length_flits != usual) begin_unusual(block, in_vc, packet.length_flits);
}

template <class B>
void Pipeline<B>::route_by_algorithm(B& block, std::uint64_t cycle, VcIndex in_vc, PacketSlot slot) {
  r_.route(cycle, in_vc, slot);
  const BankView& bank = r_.bank;
  const unsigned vc = at(in_vc), place = place_of(router_of(in_vc));
  const routing::Candidate* way = bank.candidates(in_vc);
  if (ways_.known()) rings_.record(in_vc).way = static_cast<std::uint8_t>(way->port.value);
  for (std::uint32_t more = adaptive_ ? bank.ways[in_vc] : 1U; more != 0; --more, ++way) {
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

}  // namespace braid::models::hybrid::planes
