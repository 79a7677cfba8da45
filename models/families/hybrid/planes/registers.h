// The registers of a slice and its interfaces, for its planes: the one place that reaches into both.
#pragma once

#include <algorithm>

#include "models/families/hybrid/separable_vc_arbitration.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid::planes {

class Registers {
 public:
  Registers(Slice& the_slice, RouterBank& the_bank, PacketStore& the_store, const Options& the_options)
      : slice(the_slice),
        bank(the_bank),
        store(the_store),
        options(the_options),
        interfaces(slice.interfaces_),
        waiting(slice.waiting_for_vc_),
        heads(slice.heads_),
        traversals(slice.traversals_),
        requesting(slice.requesting_),
        flit_hops(slice.switch_traversals_),
        flits_injected(interfaces.flits_injected_),
        flits_delivered(interfaces.flits_delivered_),
        sends(interfaces.busy_) {}

  using LocalPort = NetworkInterfaces::LocalPort;
  LocalPort& local_port(std::size_t i) { return interfaces.port(i); }
  /// Of `sends`.
  std::size_t first_local_port() const { return interfaces.first_; }
  bool sends_on_circuits(std::size_t i) const { return interfaces.ports_[i].sending != 0; }
  bool sends_packets(std::size_t i) const { return !interfaces.ports_[i].packets.empty(); }
  /// Takes packets out of the slice's lists: circuits stay.
  void leave_circuits() {
    waiting.clear();
    heads.clear();
    keep(traversals, [this](const Slice::Traversal& t) { return bank.is_circuit_lane(t.flit.vc()); });
    for (Channel* channel : incoming()) {
      for (Channel::Slot& slot : channel->slots()) {
        slot.packets.clear();
        keep(slot.ejections, [this](const FlitArrival& a) { return bank.is_circuit_lane(a.flit.vc()); });
        keep(slot.credits, [this](VcIndex v) { return bank.is_circuit_lane(bank.lane_of(v)); });
      }
    }
    const PortIndex first = range().first * bank.port_stride();
    for (PortIndex port = first; port < range().last * bank.port_stride(); ++port) {
      bank.switch_requests[port] &= ~((VcMask{1} << bank.vcs()) - 1);
      if (bank.switch_requests[port] == 0) requesting.erase(port - first);
    }
  }
  static RouterRange range(const Slice& slice) { return slice.range_; }
  RouterRange range() const { return slice.range_; }
  /// What is on the way from these routers: to another's, and to their own and their nodes.
  Channel& channel_to(RouterId router) { return slice.channel_to(router); }
  Channel& own_channel() { return slice.self(); }
  const std::vector<Channel*>& incoming() const { return slice.incoming(); }
  PacketSink& sink() { return *interfaces.sink_; }
  VcMask injection_vcs() const { return interfaces.injection_vcs_; }
  /// RC of the head at the front of an input VC; its candidates are in the bank then.
  Packet& route(std::uint64_t cycle, VcIndex in_vc, PacketSlot packet) {
    return slice.route_outside(cycle, in_vc, packet);
  }
  static void log_head(const Slice& slice, const Packet& packet, std::uint64_t cycle, VcIndex in_vc) {
    slice.log_head(packet, cycle, in_vc);
  }
  /// VA by the slice's own allocator, and what it has granted.
  void allocate_vcs(const WorkList<VcIndex>& requests) {
    no_vc_grants();
    slice.vc_allocator_->allocate({bank, requests}, slice.vc_grants_);
  }
  const WorkList<VcGrant>& vc_grants() const { return slice.vc_grants_; }
  void no_vc_grants() { slice.vc_grants_.clear(); }
  SeparableVcArbitration<RoundRobinArbiters>* vc_arbitration() { return slice.vc_allocator_->round_robin(); }
  /// None: SA is not done by arbiters in turn.
  static std::optional<RoundRobinPointers> turns(const Slice& slice) { return slice.switch_allocator_->round_robin(); }
  static std::optional<MatrixRanks> ranks(const Slice& slice) { return slice.switch_allocator_->matrix(); }

  template <class Item, class Kept>
  static void keep(WorkList<Item>& items, Kept kept) {
    items.resize_to(std::stable_partition(items.begin(), items.end(), kept));
  }

  Slice& slice;
  RouterBank& bank;
  PacketStore& store;
  const Options& options;
  NetworkInterfaces& interfaces;
  WorkList<VcIndex>& waiting;
  WorkList<VcIndex>& heads;
  WorkList<Slice::Traversal>& traversals;
  WakeSet& requesting;
  std::uint64_t& flit_hops;
  std::uint64_t& flits_injected;
  std::uint64_t& flits_delivered;
  WakeSet& sends;  ///< local ports with something to send
};

}  // namespace braid::models::hybrid::planes
