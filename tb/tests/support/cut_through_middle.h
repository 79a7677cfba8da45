// A virtual cut-through router in the middle of nine whose queues are filled by hand.
#pragma once

#include <cstdint>

#include "models/fabric/wiring.h"
#include "tb/tests/support/cut_through.h"

namespace braid::test {

/// Router 4; all outputs are free and have room for four packets. Packets 8.0, 8.1, ... of 4 flits are in slots 0, 1,
/// ..., and no cycle runs by itself.
struct CutThroughMiddle {
  static constexpr std::uint32_t kEast = 0, kWest = 1, kNorth = 2, kSouth = 3, kLocal = 4;
  using PortMask = models::virtual_cut_through::PortMask;
  static constexpr PortMask bit(std::uint32_t port) { return PortMask{1} << port; }

  Bench bench;
  models::virtual_cut_through::Slice& slice;
  models::virtual_cut_through::Bank& bank = slice.bank();
  models::virtual_cut_through::Router& router = bank.routers[4];

  explicit CutThroughMiddle(const models::Experiment& e = nine())
      : bench(e), slice(dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).slice(0)) {
    for (int i = 0; i < 6; ++i) bench.network->send_packet(NodeId{8}, NodeId{0}, 4);
  }
  static models::Experiment nine() {
    models::Experiment e = vct_grid("mesh", 0.0);
    e.set("topology.width", 3).set("topology.height", 3);
    return e;
  }
  models::PortIndex at(std::uint32_t port) const { return bank.port_index(RouterId{std::size_t{4}}, PortId{port}); }
  /// Packet 8.`sequence` comes into the queue of an input port, and asks for nothing.
  void comes(std::uint32_t in, std::uint32_t sequence) {
    bank.push(at(in), {sequence, NodeId{std::size_t{8}}, NodeId{std::size_t{0}}, 4, 1});
  }
  void asks(std::uint32_t in, std::uint32_t out) {
    router.asked |= bit(out);
    bank.through[at(out)] |= bit(in);
  }
  /// It crosses the switch.
  void leaves(std::uint32_t in, std::uint32_t out) {
    bank.queues[at(in)].leaving = true;
    bank.through[at(out)] &= ~bit(in);
    router.free_outputs &= ~bit(out);
    bank.next_turn[at(out)] = static_cast<std::uint8_t>(in + 1);
  }
};

}  // namespace braid::test
