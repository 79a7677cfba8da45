// The nodes' interfaces: packets come out of source queues and enter the network, flit by flit.
#pragma once

#include <utility>

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

/// Packets that have come into source queues since the last cycle. A port that sends on circuits stays among those that
/// lists look at.
template <class B>
void Pipeline<B>::take_sends() {
  const BankView bank = numbered_bank();
  const LocalPort* const local_ports = r_.bank.wiring().local_ports.data() + r_.first_local_port();
  r_.sends.for_each([&](std::size_t i) {
    const PortIndex port = local_ports[i].router_port;
    const std::uint32_t router = bank.router_of(port).value;
    const bool circuits = beside_circuits() && r_.sends_on_circuits(i);
    if (!circuits) r_.sends.erase(i);
    if (circuits && !r_.sends_packets(i)) return;
    word_of<Shape>(block_of(router).local[bank.port_of(port)].queued, place_of(router)) |= bit_of(place_of(router));
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
    const Vcs credit = local.some | back;
    One open = ~One{};  // no circuit's flit is on the link next
    if (beside_circuits()) open = ~taken(b)->links[p];
    const Vcs begins = Shape::round_robin(local.turn, local.free & credit) &
                       Shape::all(local.queued & ~Shape::any(local.sending) & open);
    if (Shape::some(begins)) {
      local.turn = (local.turn & ~Shape::any_for_all(begins)) | Shape::next(begins);
      local.sending |= begins;
      local.free &= ~begins;
      const One begun = Shape::any(begins);
      for (unsigned k = 0; usual_length_ >> k != 0; ++k) {
        if ((usual_length_ >> k & 1) != 0) local.left[k] |= begun;
      }
      for (const VcIndex local_vc : named(b, &begins, p, 1)) begin_packet(local, cycle, local_vc);
    }
    const Vcs sent = local.sending & credit & Shape::all(open);
    const One any = Shape::any(sent);
    local.some = count(local.credits, extent_.depth_bits, back, sent);
    const One one_left = is_one(local.left, extent_.length_bits);
    count_down(local.left, extent_.length_bits, any);
    injected_.put(cycle, p, word, sent);
    r_.flits_injected += ones<Shape>(any);
    const Vcs tails = sent & Shape::all(one_left);
    if (!Shape::some(tails)) continue;
    local.sending &= ~tails;
    local.free |= tails;
    for (const VcIndex local_vc : named(b, &tails, p, 1)) end_injection(local, cycle, local_vc);
  }
}

/// The first packet of the source queue has got this VC of the injection link.
template <class B>
void Pipeline<B>::begin_packet(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc) {
  const PortIndex port = index_of(local_vc);
  const unsigned place = place_of(router_of(local_vc));
  const PacketSlot slot = r_.local_port(r_.bank.links[port].target).packets.front();
  Packet& packet = r_.store[slot];
  if (packet.injected == 0) packet.injected = cycle + 1;  // else it was in an in-transit buffer
  if (__builtin_expect(packet.length_flits != usual_length_, 0)) begin_unusual(local, place, packet.length_flits);
  const VoyageId voyage = free_voyages_.ids.back();
  free_voyages_.ids.pop_back();
  voyages()[voyage] = voyage_of(packet, slot);
  push(rings_, local_vc, voyage);
}

/// Puts right what inject() has taken for granted.
template <class B>
void Pipeline<B>::begin_unusual(typename B::Local& local, unsigned place, std::uint32_t length) {
  expect_length(length);
  for (unsigned k = 0; k < extent_.length_bits; ++k) {
    auto& word = word_of<Shape>(local.left[k], place);
    word = (length >> k & 1) != 0 ? word | bit_of(place) : word & ~bit_of(place);
  }
}

/// The packet's tail has come to its node.
template <class B>
void Pipeline<B>::deliver(std::uint64_t cycle, VoyageId voyage) {
  const PacketSlot packet = voyages()[voyage].packet;
  r_.store[packet].routers += std::exchange(voyages()[voyage].routers, std::uint16_t{0});
  free_voyages_.ids.push_back(voyage);
  r_.sink().deliver(cycle, packet);
}

template <class B>
void Pipeline<B>::end_injection(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc) {
  const unsigned place = place_of(router_of(local_vc));
  Registers::LocalPort& interface = r_.local_port(r_.bank.links[index_of(local_vc)].target);
  r_.sink().sent(cycle, interface.packets.front());
  interface.packets.pop();
  if (interface.packets.empty()) {
    word_of<Shape>(local.queued, place) &= ~bit_of(place);
  } else {
    __builtin_prefetch(&r_.store[interface.packets.front()]);  // it may have waited for long
  }
}

}  // namespace braid::models::hybrid::planes
