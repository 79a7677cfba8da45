// The registers of one router for a module that stands alone, and the family's own functions to work on them. Around
// it lies the network that its site names, in which nothing happens: what neighbours show is put there by the module.
#pragma once

#include <memory>
#include <vector>

#include "models/families/po2/fabric.h"
#include "models/stages/base/bits.h"
#include "models/stages/po2/site.h"

namespace braid::models::stages::po2 {

using models::po2::Buffer;
using models::po2::Offer;
using Registers = models::po2::Router;

class LoneRouter final : private PacketSink {
 public:
  explicit LoneRouter(const Site& site);

  models::po2::Slice& slice() { return fabric_.slice(0); }
  std::uint32_t number() const { return site_.router.value; }
  Registers& registers() { return slice().router(number()); }
  /// The router at the far end of a port, which leads to one.
  Registers& far(std::size_t p) { return slice().router(wiring(p).peer_router.value); }
  Offer& far_offer(std::size_t p) { return far(p).offers[wiring(p).peer_port.value]; }
  bool leads_to_router(std::size_t p) const { return wiring(p).kind == routing::PortKind::kNetwork; }
  bool leads_to_node(std::size_t p) const { return wiring(p).kind == routing::PortKind::kLocal; }
  /// As the transport numbers it.
  std::size_t local_port(std::size_t p) const;
  const LocalPortMap& local_ports() const { return local_ports_; }

  PacketStore& store() { return store_; }
  /// A packet as it is made.
  PacketSlot make_packet();
  /// One of a packet for each buffer and two for each port, as the registers name packets.
  PacketSlot of_buffer(std::size_t b) const { return of_buffers_[b]; }
  PacketSlot sent_by(std::size_t p) const { return sent_by_[p]; }
  PacketSlot received_by(std::size_t p) const { return received_by_[p]; }

  /// The buffer holds a packet in that state; one that waits does so behind the others.
  void hold(std::size_t b, Buffer buffer);
  /// A use of a pool in which it has room for another packet of those classes and of no other.
  models::po2::PoolUse use_with_room(std::uint64_t classes) const;
  /// A pool holds packets of these messages that have not begun to leave, and no others.
  static void show_messages(Registers& pool, const Bits& blocking, const Bits& message, unsigned first);

 private:
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t, PacketSlot) override {}
  void sent(std::uint64_t, PacketSlot) override {}
  const routing::Port& wiring(std::size_t p) const { return site_.topology.port(site_.router, PortId{p}); }

  const Site site_;
  LocalPortMap local_ports_;
  PacketStore store_;
  PacketStore::Pool slots_{store_};
  Slicing slicing_;
  models::po2::Fabric fabric_;
  std::vector<PacketSlot> of_buffers_, sent_by_, received_by_;
};

}  // namespace braid::models::stages::po2
