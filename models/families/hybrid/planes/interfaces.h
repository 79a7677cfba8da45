// The nodes' interfaces: packets come out of source queues and enter the network, flit by flit.
#pragma once

#include <algorithm>

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

/// Packets that have come into source queues since the last cycle.
template <class B>
void Pipeline<B>::take_sends() {
  const LocalPort* const local_ports = r_.bank.wiring().local_ports.data() + r_.first_local_port();
  r_.sends.for_each([&](std::size_t i) {
    const PortIndex port = local_ports[i].router_port;
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
      Vcs begun{};
      for (const VcIndex local_vc : named(b, &first_vc, p, 1)) begin_packet(local, cycle, local_vc, credit, begun);
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
    for (const VcIndex local_vc : named(b, &tails, p, 1)) end_injection(local, cycle, local_vc);
  }
}

/// The first packet of the source queue takes a VC of the injection link, which is set in `begun`.
template <class B>
void Pipeline<B>::begin_packet(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc, const Vcs& credit,
                               Vcs& begun) {
  const BankView& bank = r_.bank;
  const PortIndex port = index_of(local_vc);
  const unsigned place = place_of(router_of(local_vc));
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
  push(rings_, bank.vc_index(port, vc), slot);
}

template <class B>
void Pipeline<B>::end_injection(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc) {
  const BankView& bank = r_.bank;
  const PortIndex port = index_of(local_vc);
  const unsigned place = place_of(router_of(local_vc)), vc = lane_of(local_vc);
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
