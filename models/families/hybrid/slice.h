// A slice: some routers of the network with their nodes, and the pipeline stages that work on them, written once.
// One slice is the whole network under the static schedule, a share of it for each thread, or a single router when
// every stage is a process of its own (models/engine/engine.h).
//
// A cycle has two halves. In the first the stages compute from registers: traverse_switch (ST), allocate_switch (SA)
// and allocate_vcs (VA), in any order. In the second, commit() is the clock edge: it takes in what the links brought
// (BW and RC), applies the grants and lets the network interfaces work. Between halves all slices meet.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/fabric/work_list.h"
#include "models/families/hybrid/channel.h"
#include "models/families/hybrid/circuit_allocator.h"
#include "models/families/hybrid/circuit_forks.h"
#include "models/families/hybrid/fork_allocation.h"
#include "models/families/hybrid/network_interface.h"
#include "models/families/hybrid/output_buffers.h"
#include "models/families/hybrid/packet_turns.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/speculation.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"

namespace braid::models::stages::hybrid {
class AloneRouter;
}

namespace braid::models::hybrid {

namespace planes {
class Registers;
}

class Slice {
 public:
  /// What all slices share.
  struct Shared {
    RouterBank& bank;
    PacketStore& store;
    const routing::RoutingAlgorithm& routing;
    const Options& router;
    SetupUnits& setup;
    const std::vector<std::uint32_t>& slice_of_router;
    const Configuration* configuration = nullptr;  ///< for policies' own options; null: defaults
    bool shared_mailboxes = false;                 ///< what others send to a slice lies in one (Mailboxes)
    bool packets_have_ages = true;                 ///< the store knows when each was created; pins do not tell
    CircuitForks* forks = nullptr;                 ///< null: circuits do not fork
  };

  Slice(const Shared& shared, RouterRange range);

  /// Makes the channel from this slice to another (or itself). All channels first, then build_wires().
  void connect(Slice& to);
  void build_wires();
  /// From now on packets may fork, of the slice that all routers are. Before the first cycle. Not empty: why they
  /// cannot.
  std::string copy_packets(PacketForks& forks);

  // First half of a cycle.
  void traverse_switch(std::uint64_t cycle);
  void allocate_switch(std::uint64_t cycle);
  void allocate_vcs(std::uint64_t cycle);
  /// After both: heads that take the switch on the chance of a VC (router.speculative).
  void speculate() {
    if (speculation_) speculation_->allocate(waiting_for_vc_, switch_grants_, vc_grants_);
  }
  // Second half.
  void commit(std::uint64_t cycle);

  // What the halves are made of, for units that are modules by themselves (models/stages/hybrid), in steps: those of
  // one step in any order. First traverse_switch(), allocate_vcs() and
  void allocate_circuits(std::uint64_t cycle);
  // then SA for packets,
  void allocate_packets(std::uint64_t cycle);
  // then the input units: BW, and flits that were granted the switch go into its register; and the output units,
  void write_buffers(std::uint64_t cycle);
  void commit_switch_grants();
  void commit_vc_grants();
  void commit_speculation();
  void take_credits(std::uint64_t cycle);
  /// Before them, where VCs share buffers: what the same credits are to other VCs of their ports.
  void share_credits(std::uint64_t cycle);
  // then RC and the set-up unit,
  void compute_routes(std::uint64_t cycle);
  void take_control(std::uint64_t cycle);
  // and the network interfaces.
  void run_interfaces(std::uint64_t cycle);
  /// ... of which this is the first part.
  void arrive_at_nodes(std::uint64_t cycle);
  /// The input units' part of a cycle, and the output units', of slices of one router each that have anything to do:
  /// what they share is looked up once.
  static void latch_inputs(const std::vector<Slice*>& slices, std::uint64_t cycle);
  static void latch_outputs(const std::vector<Slice*>& slices, std::uint64_t cycle);
  // Has a unit anything to do in its step? A glance that saves a call of it.
  bool any_traversal() const { return !traversals_.empty(); }
  bool any_waiting() const { return !waiting_for_vc_.empty(); }
  bool any_circuit(std::uint64_t cycle) { return !requesting_.empty() || !nothing_in(&Channel::Slot::circuits, cycle); }
  bool any_request(std::uint64_t cycle) {
    return !requesting_.empty() || (shared_.router.buffer_bypass && !nothing_in(&Channel::Slot::packets, cycle));
  }
  bool any_input(std::uint64_t cycle) {
    return !switch_grants_.empty() || !heads_.empty() || !nothing_in(&Channel::Slot::packets, cycle);
  }
  bool any_output(std::uint64_t cycle) { return !vc_grants_.empty() || !nothing_in(&Channel::Slot::credits, cycle); }
  bool any_head() const { return !heads_.empty(); }
  bool any_control(std::uint64_t cycle) { return !nothing_in(&Channel::Slot::control, cycle); }
  bool any_at_interfaces(std::uint64_t cycle) {
    return interfaces_.at_work() || !nothing_in(&Channel::Slot::ejections, cycle);
  }

  /// Is there more to a packet's flit that its network interface sends than the usual?
  bool notes_injections() const { return notes_injections_; }
  template <class Visit>
  void for_each_input_port(Visit visit) const {
    const PortIndex last = range_.last * shared_.bank.port_stride();
    for (PortIndex port = first_port(shared_.bank); port < last; ++port) visit(port);
  }

  NetworkInterfaces& interfaces() { return interfaces_; }
  const NetworkInterfaces& interfaces() const { return interfaces_; }
  std::uint64_t switch_traversals() const { return switch_traversals_; }
  std::uint64_t flits_copied() const { return flits_copied_; }
  CircuitForks* forks() const { return shared_.forks; }
  /// Null: packets do not fork.
  PacketForks* packet_forks() const { return packet_forks_; }

  /// A flit in the ST register: it crosses the switch in this cycle.
  struct Traversal {
    Flit flit;
    VcIndex in_vc = 0;
    PortIndex out_port = 0;
  };
  const WorkList<Traversal>& switch_register() const { return traversals_; }
  /// ... and where circuits or packets fork, to a further output: its input's buffer counts it once, in the other
  /// register.
  const WorkList<Traversal>& copies() const { return copies_; }
  const WorkList<VcIndex>& switch_grants() const { return switch_grants_; }
  /// Flits behind the switch that wait for their links; null: each goes on in the cycle of its ST.
  const OutputBuffers* output_buffers() const { return output_buffers_.get(); }
  const WorkList<VcGrant>& vc_grants() const { return vc_grants_; }
  /// For an allocator that stands in for the slice's own: grants of this cycle.
  void grant_switch(VcIndex in_vc) { switch_grants_.push(in_vc); }
  void grant_vc(const VcGrant& grant) { vc_grants_.push(grant); }
  /// ... when it has granted: ports that circuits' flits take are open to packets again. `circuit_grants`: circuits',
  /// the first of switch_grants().
  void open_ports(std::size_t circuit_grants) { take_ports(circuit_grants, false); }
  /// For a circuit unit that stands in: ports of its grants, all that there are yet, are shut to packets.
  void close_ports() { take_ports(switch_grants_.size(), true); }
  /// ... flits of circuits come from the links into their buffers.
  void arrive_on_circuits(std::uint64_t cycle) { look_ahead_for_circuits(cycle); }
  bool buffer_bypass() const { return shared_.router.buffer_bypass; }
  SetupUnits& setup() const { return shared_.setup; }
  const std::vector<std::unique_ptr<Channel>>& outgoing() const { return channels_.outgoing(); }
  const std::vector<Channel*>& incoming() const { return channels_.incoming(); }
  /// To be routed in the next cycle, or in this one once BW has been.
  const WorkList<VcIndex>& heads() const { return heads_; }
  /// The first of them, between BW and RC: RC is in this cycle.
  std::size_t heads_to_route() const { return routed_; }
  const RouterBank& bank() const { return shared_.bank; }
  const Options& options() const { return shared_.router; }
  const PacketStore& store() const { return shared_.store; }
  const routing::RoutingAlgorithm& routing() const { return shared_.routing; }
  /// Does a circuit's flit leave an input port, or cross to an output port, next?
  bool circuit_takes_input(PortIndex port) const { return taken_inputs_[port - first_port(shared_.bank)]; }
  bool circuit_takes_output(PortIndex port) const { return taken_outputs_[port - first_port(shared_.bank)]; }
  /// The channel to the slice of another router, for a testbench that plays one of the two.
  Channel& channel_for(RouterId router) { return channel_to(router); }

  /// Where network interfaces put packets' flits in `cycle`: on the injection links in cycle + 1.
  WorkList<FlitArrival>& injection_links(std::uint64_t cycle) { return own_slot(cycle + 2).packets; }
  void inject_on_circuit(std::uint64_t cycle, const FlitArrival& flit) { own_slot(cycle + 1).circuits.push(flit); }
  /// Where they return credits for buffers of their ejection links emptied in `cycle`.
  WorkList<VcIndex>& ejection_credits(std::uint64_t cycle) {
    return own_slot(cycle + shared_.router.credit_delay_cycles - 1).credits;
  }
  /// ... where the ejection link comes from another router.
  WorkList<VcIndex>& ejection_credits(std::uint64_t cycle, RouterId router) {
    return channel_to(router).at(cycle + shared_.router.credit_delay_cycles - 1).credits;
  }
  void send_control(std::uint64_t cycle, PortIndex out_port, ControlMessage message);
  /// A control message from the node itself, at the router in cycle + 1.
  void send_local_control(std::uint64_t cycle, const ControlMessage& message);

  void checkpoint(Checkpoint& c) {
    c.part("slice");
    c(*switch_allocator_, *vc_allocator_, circuit_allocator_, interfaces_, channels_);
    c(requesting_, waiting_for_vc_, heads_, traversals_, switch_traversals_);
    if (turns_.bounded()) c(turns_);
    if (speculation_) c(*speculation_);
    if (shared_.forks != nullptr || packet_forks_ != nullptr) c(copies_, flits_copied_);
    if (output_buffers_) c(*output_buffers_);
  }
  /// When all slices have been restored. Throws CheckpointError.
  void check_restored(const Checkpoint& c) const;

 private:
  friend class RouterPins;                   // a router's wires, for its RTL
  friend class stages::hybrid::AloneRouter;  // its registers, for a stage that stands alone
  friend class planes::Registers;            // ... for another engine

  void check_arrivals(const Checkpoint& c, const WorkList<FlitArrival>& flits) const;
  void check_slot(const Checkpoint& c, const Channel::Slot& slot) const;

  // Stages, by a view of the bank that the caller has at hand. kLong: lists of many items, of which those to come are
  // asked for.
  void fetch_packets(const BankView& bank, const VcIndex* head, const VcIndex* end);
  template <bool kLong>
  void write_buffers(const BankView& bank, std::uint64_t cycle);
  template <bool kLong>
  void commit_switch_grants(const BankView& bank);
  void commit_vc_grants(const BankView& bank);
  template <bool kLong>
  void take_credits(const BankView& bank, std::uint64_t cycle);
  void traverse_one_switch(std::uint64_t cycle);
  void traverse_switches(std::uint64_t cycle);
  void traverse_copies(std::uint64_t cycle);
  // Where the crossbar is faster than the links (slice_speedup.cpp):
  void traverse_to_buffers(std::uint64_t cycle, std::uint32_t step);
  void send_buffered(std::uint64_t cycle);
  void run_further_steps(std::uint64_t cycle);
  /// RC, VA, SA and ST in this cycle.
  std::uint32_t steps_of(std::uint64_t cycle) const;
  /// Flits of a port that may cross in one of them.
  std::size_t crossing_of_a_port() const;
  /// Credits for an output port that may come in a cycle, and one of a node.
  std::size_t credits_of_a_port() const;
  void check_crossing(const Checkpoint& c) const;
  // Where packets fork (slice_forks.cpp):
  void allocate_vcs_of_forks(std::uint64_t cycle);
  bool route_copies(std::uint64_t cycle, VcIndex in_vc, PacketSlot slot);
  void commit_forks();
  bool is_forked(VcIndex in_vc) const {
    return packet_forks_ != nullptr && shared_.bank.input_vcs[in_vc].state == VcState::kForked;
  }
  // Where VCs share buffers (slice_shares.cpp):
  void share_switch_grants();
  void commit_extras(std::uint64_t cycle);
  /// A granted flit of a circuit that forks goes into the ST register once for each further output.
  void copy_at_forks();
  void look_ahead_for_circuits(std::uint64_t cycle);
  void look_ahead_for_packets(std::uint64_t cycle);
  /// Packets whose turn it is have the switch before circuits (router.circuit_burst_flits).
  void allocate_turns(std::uint64_t cycle);
  /// The ports of the first grants, those of switch_grants_ that came before packets were asked, are shut to others, or
  /// open again.
  void take_ports(std::size_t first_grants, bool taken);
  /// RC of the head at the front of an input VC: its candidates go into the bank. Gives its packet.
  Packet& route_head(std::uint64_t cycle, const BankView& bank, VcIndex in_vc, PacketSlot slot) const;
  Packet& route_outside(std::uint64_t cycle, VcIndex in_vc, PacketSlot slot) const;
  /// Notes in the packet's record, which it must have, that its head has come to `in_vc`.
  void log_head(const Packet& packet, std::uint64_t cycle, VcIndex in_vc) const;
  /// `condition` is 0 or 1. The switch request of an input VC is up while it has a flit, an output VC and a credit
  /// there. Loops make one of these, so that what it points to stays in registers.
  class SwitchRequestLines {
   public:
    SwitchRequestLines(Slice& slice, const BankView& bank)
        : first_port_(slice.first_port(bank)), ports_(slice.requesting_.words()), lanes_(bank.switch_requests) {}
    [[gnu::always_inline]] void raise(const BankView& bank, VcIndex in_vc, std::uint32_t condition) const {
      const PortIndex port = bank.port_of_vc(in_vc);
      const PortIndex i = port - first_port_;
      lanes_[port] |= condition << bank.lane_of(in_vc);
      ports_[i / 64] |= std::uint64_t{condition} << (i % 64);
    }
    /// For a flit that comes in: the request is up if its packet has an output VC and a credit there.
    [[gnu::always_inline]] void raise_if_active(const BankView& bank, VcIndex in_vc) const {
      const InputVc& vc = bank.input_vcs[in_vc];
      const std::uint32_t all_if_active = 0U - (vc.state == VcState::kActive);
      const OutputVc& out = bank.output_vcs[vc.out_vc & all_if_active];  // any, and of no use, if not active
      raise(bank, in_vc, (all_if_active & out.credits) != 0);
    }
    [[gnu::always_inline]] void drop(const BankView& bank, VcIndex in_vc, std::uint32_t condition) const {
      const PortIndex port = bank.port_of_vc(in_vc);
      const PortIndex i = port - first_port_;
      const VcMask left = lanes_[port] & ~(condition << bank.lane_of(in_vc));
      lanes_[port] = left;
      ports_[i / 64] &= ~(std::uint64_t{left == 0} << (i % 64));
    }

   private:
    PortIndex first_port_;
    std::uint64_t* ports_;
    VcMask* lanes_;
  };
  /// A glance before a stage begins to work.
  template <class List>
  bool nothing_in(List Channel::Slot::* list, std::uint64_t cycle) {
    for (Channel::Slot* const* source = first_source_; source != last_source_; ++source) {
      if (!((*source)[cycle & slot_mask_].*list).empty()) return false;
    }
    return true;
  }
  /// Calls visit(slot) for what each of those who send here has for the cycle.
  template <class Visit>
  [[gnu::always_inline]] void for_each_source(std::uint64_t cycle, Visit visit) {
    for (Channel::Slot* const* source = first_source_; source != last_source_; ++source) {
      visit((*source)[cycle & slot_mask_]);
    }
  }
  void build_wire(PortIndex out_port);
  void find_sources();
  void build_near_wires();
  PortIndex first_port(const BankView& bank) const { return range_.first * bank.port_stride(); }
  Channel& channel_to(RouterId router) { return channels_.to(shared_.slice_of_router[router.value]); }
  Channel& self() { return channels_.self(); }
  Channel::Slot& own_slot(std::uint64_t cycle) { return own_slots_[cycle & slot_mask_]; }

  Shared shared_;
  RouterRange range_;
  std::unique_ptr<OutputBuffers> output_buffers_;  // null: no more than one flit comes to an output in a cycle
  std::unique_ptr<SwitchAllocator> switch_allocator_;
  std::unique_ptr<VcAllocator> vc_allocator_;
  NetworkInterfaces interfaces_;

  Mailboxes<Channel> channels_;
  CircuitAllocator circuit_allocator_;
  PacketTurns turns_;
  std::unique_ptr<Speculation> speculation_;  // null: heads ask for the switch when they have a VC
  std::unique_ptr<bool[]> taken_inputs_;      // [port - first port of the slice] a flit that came first leaves it next
  std::unique_ptr<bool[]> taken_outputs_;     // [port - first port of the slice] such a flit crosses to it next

  /// A list that ST appends to: of one channel, and so many cycles ahead. Ports with a way in common share it.
  template <class Item>
  struct Outlet {
    Channel* channel;
    WorkList<Item> Channel::Slot::* list;
    std::uint32_t delay_cycles;
    Item* end = nullptr;  // while ST runs
    WorkList<Item>& slot(std::uint64_t cycle) const { return channel->at(cycle + delay_cycles).*list; }
    bool same(const Outlet& o) const {
      return channel == o.channel && list == o.list && delay_cycles == o.delay_cycles;
    }
  };
  template <class Item>
  static std::uint16_t share(std::vector<Outlet<Item>>& outlets, const Outlet<Item>& wanted);

  /// What ST needs to know of an output port, and of the way back for the credits of an input port.
  struct Wire {
    std::uint32_t target = kNone;              // FlitArrival::target
    std::array<std::uint16_t, 2> outlet = {};  // in flit_outlets_: of packets' flits, of circuits'
  };
  struct CreditWire {
    VcIndex first_vc = 0;      // of the output port that feeds the input port
    std::uint16_t outlet = 0;  // in credit_outlets_
  };
  std::vector<Wire> wires_;               // [port - first port of the slice]
  std::vector<CreditWire> credit_wires_;  // [port - first port of the slice]
  std::vector<Outlet<FlitArrival>> flit_outlets_;
  std::vector<Outlet<VcIndex>> credit_outlets_;
  /// The same for the slice of one router, whose ports have few ways in common: all of a port in one place.
  struct NearWire {
    Channel::Slot* slots = nullptr;
    std::array<WorkList<FlitArrival> Channel::Slot::*, 2> list = {};  // of packets' flits, of circuits'
    std::uint32_t target = kNone;
    std::array<std::uint16_t, 2> delay_cycles = {};
  };
  struct NearCredit {
    Channel::Slot* slots = nullptr;
    VcIndex first_vc = 0;
    std::uint32_t delay_cycles = 0;
  };
  std::vector<NearWire> near_wires_;
  std::vector<NearCredit> near_credits_;
  std::vector<Channel::Slot*> sources_;  // of several who send here

  // What every stage looks at in every cycle, in as few cache lines as a slice of one router can have it.

  // Slots of those who send here, as the channels have them. Mostly there is one channel, its own.
  alignas(64) Channel::Slot* own_slots_ = nullptr;
  Channel::Slot* const* first_source_ = nullptr;
  Channel::Slot* const* last_source_ = nullptr;
  std::size_t slot_mask_ = 0;

  WakeSet requesting_;  // [port - first port of the slice] with a switch request up
  WorkList<VcIndex> waiting_for_vc_;
  WorkList<VcIndex> heads_;  // to be routed: just written, or behind a tail that left in the last cycle ...
  std::size_t routed_ = 0;   // ... of which RC is in this cycle, and not in the next
  WorkList<VcIndex> switch_grants_;
  WorkList<VcGrant> vc_grants_;
  WorkList<Traversal> traversals_;
  WorkList<Traversal> copies_;                       // beside them: empty unless circuits or packets fork
  PacketForks* packet_forks_ = nullptr;              // null: packets do not fork
  std::unique_ptr<ForkAllocation> fork_allocation_;  // with it
  std::uint64_t switch_traversals_ = 0;
  std::uint64_t flits_copied_ = 0;
  // One glance for all that is not usual: at granted flits, at a cycle's commit, at a flit of a network interface.
  bool more_to_grants_ = false, more_to_commit_ = false, notes_injections_ = false;
};

}  // namespace braid::models::hybrid
