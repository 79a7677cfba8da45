// Circuits that fork (stream.multicast): the streams of one group carry the same items, so they are one tree of links.
// A row of the circuit table then names several output lanes for one input lane. A flit of the input crosses to all of
// them in one cycle, when each has a credit: the circuit owns its outputs, so nothing but credits can keep them apart,
// and a fork is an AND of credits and no register more. docs/router.md has the cycles, docs/setup.md the set-up.
//
// Beside the hardware's registers: which packet each copy of an item is. Every destination gets a packet of its own, so
// that all accounts are those of streams with circuits of their own; a flit names the packet of the stream whose search
// reserved the link that it is on, and takes the name of another one's where it forks off.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/packet_transport.h"
#include "models/families/hybrid/router_bank.h"
#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

/// Of all routers of a network that one thread runs.
class CircuitForks {
 public:
  using Copy = PacketTransport::Copy;

  explicit CircuitForks(const RouterBank& bank);

  // The circuit table, beyond the first output of an input (BankView::circuit_out()).
  bool forks(VcIndex in_vc) const {
    const VcIndex first = bank_.circuit_out(in_vc);
    return first != kNone && next_[first] != kNone;
  }
  /// Calls visit(out_vc) for each output lane of a circuit's input lane but the first.
  template <class Visit>
  void for_each_further(VcIndex in_vc, Visit visit) const {
    for (VcIndex out = next_[bank_.circuit_out(in_vc)]; out != kNone; out = next_[out]) visit(out);
  }
  /// ... for each.
  template <class Visit>
  void for_each_output(VcIndex in_vc, Visit visit) const {
    for (VcIndex out = bank_.circuit_out(in_vc); out != kNone; out = next_[out]) visit(out);
  }
  /// Can a flit go on, to all of them?
  bool has_credits(VcIndex in_vc) const;
  bool holds(VcIndex in_vc, VcIndex out_vc) const;
  /// Destinations behind an input lane, behind an output lane.
  std::uint64_t leaves(VcIndex in_vc) const;
  std::uint64_t leaves_behind(VcIndex out_vc) const;

  // Set-up.
  /// The circuit, by its request's place, that is searched from now on.
  void begin_search(std::uint32_t circuit) { searched_ = circuit; }
  /// `tree`: its number, which stays with the input lane as long as it has an output; 0: of no tree.
  void reserve(VcIndex in_vc, VcIndex out_vc, std::uint32_t tree);
  void release(VcIndex in_vc, VcIndex out_vc);
  std::uint32_t tree(VcIndex in_vc) const { return tree_[in_vc]; }
  /// Does the tree pass the router?
  bool passes(RouterId router, std::uint32_t tree) const;
  /// The lane of the ejection link on which a circuit ends that stands, and whose search reserved an output lane.
  VcIndex end_of(std::uint32_t circuit) const { return circuit < ends_.size() ? ends_[circuit] : kNone; }
  std::uint32_t circuit_of(VcIndex out_vc) const { return circuit_[out_vc]; }

  // Items.
  /// The packets of one item, that of the tree's first circuit first.
  void send(const std::vector<Copy>& copies);
  /// The packet of the same item for another circuit of the tree.
  PacketSlot copy_of(PacketSlot packet, std::uint32_t circuit) const;
  bool copied(PacketSlot packet) const { return packet < item_of_.size() && item_of_[packet] != kNone; }
  /// Calls visit(packet) for each packet of its item, or for itself.
  template <class Visit>
  void for_each_copy(PacketSlot packet, Visit visit) const {
    if (!copied(packet)) return visit(packet);
    for (const Copy& copy : items_[item_of_[packet]].copies) visit(copy.packet);
  }
  /// It is its destination's: its slot may be another packet's from now on.
  void delivered(PacketSlot packet);

  void checkpoint(Checkpoint& c);
  /// Throws CheckpointError.
  void check_restored(const Checkpoint& c) const;

 private:
  /// With a packet on its way.
  struct Item {
    std::vector<Copy> copies;
    std::uint32_t left = 0;  // copies that are not delivered; 0: the row is free
    void checkpoint(Checkpoint& c) { c(copies, left); }
  };

  const RouterBank& bank_;
  std::vector<VcIndex> next_;           // [output lane] the next one of the same input lane, kNone: no more
  std::vector<std::uint32_t> tree_;     // [input lane]
  std::vector<std::uint32_t> circuit_;  // [output lane] whose search reserved it
  std::vector<VcIndex> ends_;           // [circuit]
  std::uint32_t searched_ = 0;
  std::vector<Item> items_;
  std::vector<std::uint32_t> free_items_;
  std::vector<std::uint32_t> item_of_;  // [packet]
};

}  // namespace braid::models::hybrid
