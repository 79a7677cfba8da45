// A slice: some routers of the network with their nodes, and the pipeline stages that work on them, written once.
// One slice is the whole network under the static schedule, a share of it for each thread, or a single router when
// every stage is a process of its own (models/schedule.h).
//
// A cycle has two halves. In the first the stages compute from registers: traverse_switch (ST), allocate_switch (SA)
// and allocate_vcs (VA), in any order. In the second, commit() is the clock edge: it takes in what the links brought
// (BW and RC), applies the grants and lets the network interfaces work. Between halves all slices meet.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/channel.h"
#include "models/network_interface.h"
#include "models/packet_store.h"
#include "models/router_bank.h"
#include "models/setup_unit.h"
#include "models/switch_allocator.h"
#include "models/vc_allocator.h"
#include "models/work_list.h"

namespace braid::models {

class Slice {
 public:
  /// What all slices share.
  struct Shared {
    RouterBank& bank;
    PacketStore& store;
    const routing::RoutingAlgorithm& routing;
    const RouterOptions& router;
    SetupUnits& setup;
    const std::vector<std::uint32_t>& slice_of_router;
  };

  Slice(const Shared& shared, RouterRange range);

  /// Makes the channel from this slice to another (or itself). All channels first, then build_wires().
  void connect(Slice& to);
  void build_wires();

  // First half of a cycle.
  void traverse_switch(std::uint64_t cycle);
  void allocate_switch(std::uint64_t cycle);
  void allocate_vcs();
  // Second half.
  void commit(std::uint64_t cycle);

  NetworkInterfaces& interfaces() { return interfaces_; }
  const NetworkInterfaces& interfaces() const { return interfaces_; }
  std::uint64_t switch_traversals() const { return switch_traversals_; }

  /// A flit in the ST register: it crosses the switch in this cycle.
  struct Traversal {
    Flit flit;
    VcIndex in_vc = 0;
    PortIndex out_port = 0;
  };
  const WorkList<Traversal>& switch_register() const { return traversals_; }
  const WorkList<VcIndex>& switch_grants() const { return switch_grants_; }
  const WorkList<VcGrant>& vc_grants() const { return vc_grants_; }
  const std::vector<std::unique_ptr<Channel>>& outgoing() const { return outgoing_; }

  /// Puts a flit on the injection link of a local port: on the link in cycle + 1.
  void inject(std::uint64_t cycle, std::size_t local_port, const Flit& flit);
  /// The network interface has emptied a buffer of its ejection link.
  void return_ejection_credit(std::uint64_t cycle, std::size_t local_port, std::uint32_t lane);
  void send_control(std::uint64_t cycle, PortIndex out_port, ControlMessage message);
  /// A control message from the node itself, at the router in cycle + 1.
  void send_local_control(std::uint64_t cycle, const ControlMessage& message);

 private:
  friend class RouterPins;  // a router's wires, for its RTL

  void look_ahead_for_circuits(std::uint64_t cycle);
  void grant_circuits();
  void write_buffers(std::uint64_t cycle);
  void compute_route(VcIndex in_vc);
  void compute_late_routes();
  void commit_switch_grants();
  void commit_vc_grants();
  void take_credits(std::uint64_t cycle);
  void take_control(std::uint64_t cycle);
  /// Inlined, so that the caller's copy of the view stays in registers.
  [[gnu::always_inline]] void raise_request(const BankView& bank, VcIndex in_vc) {
    bank.raise_request(in_vc);
    awake_.insert(bank.router_of(bank.port_of_vc(in_vc)).value - range_.first);
  }
  Channel& channel_to(RouterId router) { return *outgoing_[channel_of_slice_[shared_.slice_of_router[router.value]]]; }
  Channel& self() { return *outgoing_.front(); }

  Shared shared_;
  RouterRange range_;
  std::unique_ptr<SwitchAllocator> switch_allocator_;
  std::unique_ptr<VcAllocator> vc_allocator_;
  NetworkInterfaces interfaces_;

  std::vector<std::unique_ptr<Channel>> outgoing_;  // the first leads back to this slice
  std::vector<std::uint32_t> channel_of_slice_;     // [slice], index into outgoing_
  std::vector<Channel*> incoming_;

  /// What ST needs to know of an output port, and of the way back for the credits of an input port.
  struct Wire {
    Channel* channel = nullptr;
    std::uint32_t target = kNone;
    std::uint32_t delay_cycles = 0;  ///< from ST to the slot of a packet's flit
    bool to_node = false;
  };
  struct CreditWire {
    Channel* channel = nullptr;
    VcIndex first_vc = 0;            ///< of the output port that feeds the input port
    std::uint32_t delay_cycles = 0;  ///< from ST to the slot of the credit
  };
  std::vector<Wire> wires_;               // [port - first port of the slice]
  std::vector<CreditWire> credit_wires_;  // [port - first port of the slice]

  WakeSet awake_;                            // routers of the slice with a switch request up
  WorkList<std::uint32_t> requesting_;       // the same as a list, for this cycle
  std::vector<std::uint64_t> taken_inputs_;  // [router of the slice] input ports that a circuit's flit crosses next
  std::vector<std::uint64_t> taken_outputs_;
  WorkList<VcIndex> waiting_for_vc_;
  std::vector<VcIndex> late_heads_;  // heads behind a tail that left in the last cycle: RC now
  std::vector<VcIndex> next_late_heads_;
  WorkList<VcIndex> switch_grants_;
  WorkList<VcGrant> vc_grants_;
  WorkList<Traversal> traversals_;
  std::uint64_t switch_traversals_ = 0;
};

}  // namespace braid::models
