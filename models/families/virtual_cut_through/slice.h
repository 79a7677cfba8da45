// Virtual cut-through (paper: sat-fairness, section III.A): some routers of the network with their nodes' interfaces.
//
// A packet moves as a whole. In the cycle in which its head is granted an output port the first flit crosses switch and
// link; the others follow one a cycle, so ports and buffers are taken and given back at cycles that are known then. The
// head can go on in the next cycle. Hence only packets are moved here, never flits:
//
//   cycle             t            t + 1                       t + length
//   router            head granted head in the next router's   output and input port free;
//                     and sent     queue: may be granted there  tail in the next queue (or at the node)
//
// Over a link of w flits a cycle a packet of L flits takes L / w cycles, rounded up (routing/topology/topology.h).
// Its head then waits until the tail, by the link that it comes over, cannot be late: it asks for the port from `tail
// is here` - L / w + 1 on. With several ways it waits for the fastest. A queue is read as fast as its link fills it:
// what a slower link does not take so soon waits in a register behind the output port, and the next packet may go.
//
// A grant needs a free packet buffer downstream. A buffer is free `router.credit_delay_cycles` after its tail left.
// Heads with several ways on choose by credits, in flits: those of a flit are back that many cycles after it left.
//
// In the first half of a cycle (arbitrate) a slice grants and writes what it sends into channels; in the second
// (commit) every slice takes in what was sent to it and ends the transfers that are over.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/mailbox.h"
#include "models/fabric/packet_log.h"
#include "models/fabric/packet_queue.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/fabric/router_range.h"
#include "models/fabric/timing_wheel.h"
#include "models/fabric/work_list.h"
#include "models/families/virtual_cut_through/bank.h"
#include "routing/algorithm/routing_algorithm.h"

namespace braid::models::virtual_cut_through {

/// What one slice sends to another for one cycle, at whose end it is taken in.
struct ChannelSlot {
  struct Arrival {
    std::uint32_t in_port = 0;
    QueuedPacket packet;
  };
  struct Credit {
    std::uint32_t out_port = 0;
    std::uint16_t length_flits = 0;
    std::uint64_t free_at = 0;  ///< cycle from which the last flit's credit counts
  };
  std::vector<Arrival> arrivals;
  std::vector<Credit> credits;
  void checkpoint(Checkpoint& c) { c(arrivals, credits); }
};
using Channel = Mailbox<ChannelSlot>;

class Slice final : public PacketTransport {
 public:
  struct Shared {
    Bank& bank;
    PacketStore& store;
    const routing::RoutingAlgorithm& routing;
    std::uint32_t credit_delay_cycles;
    const std::vector<std::uint32_t>& slice_of_router;
    bool logged;                    ///< packets have records: else a hop leaves the packet store alone
    bool shared_mailboxes = false;  ///< what others send to a slice lies in one (Mailboxes)
  };
  Slice(const Shared& shared, RouterRange range);

  /// Makes the channel from this slice to another (or itself).
  void connect(Slice& to);
  void set_sink(PacketSink* sink) { sink_ = sink; }

  void arbitrate(std::uint64_t cycle) {
    arbitrate_heads(cycle);
    inject(cycle);
  }
  void commit(std::uint64_t cycle) { fast_ ? commit_over<true>(cycle) : commit_over<false>(cycle); }

  // The parts of a cycle, as the modules of the hardware view take them (models/stages/virtual_cut_through). First
  // half:
  /// Each output port that can take a packet serves the heads that ask for it in turn.
  void arbitrate_heads(std::uint64_t cycle) { fast_ ? arbitrate_over<true>(cycle) : arbitrate_over<false>(cycle); }
  /// Heads of packets leave their sources.
  void inject(std::uint64_t cycle);
  // Second half:
  /// Credits come in; what ends with this cycle is known from now on.
  void take_credits(std::uint64_t cycle);
  /// Output ports that a packet has crossed are free, buffers downstream are back.
  void end_at_outputs();
  /// Tails that are at their node, or have left their source.
  void end_at_nodes(std::uint64_t cycle);
  /// Packets come in, others have left; a head that is first is routed.
  void take_arrivals(std::uint64_t cycle);
  void end_at_queues(std::uint64_t cycle);

  enum class EventKind : std::uint8_t {
    kInjected,     // the packet's tail has left its source over the injection link out_port
    kTransferred,  // ... in_port over out_port
    kCredited,     // a buffer of the packet's behind out_port is free
    kRipe,         // the head of in_port may ask: its tail cannot be late any more
    kLeft,         // the packet's tail has left the queue of in_port, for the register behind out_port
    kSentOff,      // ... that register; the packet is in the place of in_port
  };
  struct Event {
    std::uint64_t due = 0;
    EventKind kind = EventKind::kInjected;
    std::uint16_t length_flits = 0;  // kCredited: of the packet
    std::uint32_t out_port = 0;
    std::uint32_t in_port = 0;  // kTransferred, kRipe, kLeft; kSentOff: the packet's slot
  };
  // Has a part anything to do in its step? A glance that saves a call of it.
  bool any_head() const { return !awake_.empty(); }
  bool any_sendable() const { return !sendable_.empty(); }
  bool any_credit(std::uint64_t cycle);
  bool any_end() const { return !ending_.empty(); }
  bool any_arrival(std::uint64_t cycle);

  /// What ends with the cycle, by parts.
  std::vector<Event>& ending() { return ending_; }
  /// Grants from now on are added to a list.
  struct Grant {
    std::uint32_t in_port = 0, out_port = 0;
  };
  void note_grants(std::vector<Grant>* grants) { grants_ = grants; }
  /// A head has come that may ask, or its registers have been written.
  void wake(RouterId router) { awake_.insert(router.value - range_.first); }
  void grant(std::uint32_t in, std::uint32_t out, std::uint64_t cycle) {
    fast_ ? grant_over<true>(in, out, cycle) : grant_over<false>(in, out, cycle);
  }
  const std::vector<Channel*>& incoming() const { return channels_.incoming(); }
  Channel& own_channel() { return channels_.self(); }
  const Bank& bank() const { return shared_.bank; }
  Bank& bank() { return shared_.bank; }

  void send(std::size_t local_port, PacketSlot packet) override;
  std::size_t queued(std::size_t local_port) const override { return source(local_port).packets.size(); }
  bool ready(std::size_t local_port) const override;

  std::uint64_t flit_hops() const { return flit_hops_; }
  std::uint64_t flits_injected() const { return flits_injected_; }
  std::uint64_t flits_delivered() const { return flits_delivered_; }
  /// Packets whose head has not left its source.
  std::uint64_t packets_waiting_at_sources() const;
  const std::vector<std::unique_ptr<Channel>>& outgoing() const { return channels_.outgoing(); }
  /// Packets for a node that have left their last queue and are not with the node.
  const std::vector<PacketSlot>& in_registers() const { return in_registers_; }
  /// Transfers that have begun end in cycles to come, or buffers come back.
  bool transfers_under_way() const { return !wheel_.empty(); }
  void checkpoint(Checkpoint& c) {
    c.part("slice");
    c.each(sources_);
    c(sendable_, awake_, channels_, wheel_, in_registers_, flit_hops_, flits_injected_, flits_delivered_);
  }
  /// When all slices have been restored: that registers name what there is. Throws CheckpointError.
  void check_restored(const Checkpoint& c) const;

 private:
  /// A network interface's side of a local port.
  struct Source {
    PacketQueue packets;  // the first is on the link while `sending`
    bool sending = false;
    void checkpoint(Checkpoint& c) { c(packets, sending); }
  };
  bool mine(std::uint32_t port) const;
  void check_router(const Checkpoint& c, std::uint32_t router) const;
  void check_events(const Checkpoint& c) const;

  // What hops do, once for networks with links that take more than a flit a cycle, and once for those without, which
  // ask nothing about them. Such links alone wait for tails and have registers behind ports.
  template <bool kFast>
  void arbitrate_over(std::uint64_t cycle);
  template <bool kFast>
  void arbitrate_router(std::uint32_t router, std::uint64_t cycle);
  template <bool kFast>
  void grant_over(std::uint32_t in, std::uint32_t out, std::uint64_t cycle);
  template <bool kFast>
  void commit_over(std::uint64_t cycle);
  template <bool kFast>
  void arrive(const Channel::Slot::Arrival& arrival, std::uint64_t cycle);
  template <bool kFast>
  void route(std::uint32_t in, std::uint64_t cycle);
  template <bool kFast>
  void end_transfer(std::uint32_t in, std::uint32_t out, std::uint64_t cycle);
  template <bool kFast>
  void leave_queue(std::uint32_t in, std::uint64_t cycle);
  template <bool kFast>
  void run_events(std::uint64_t cycle);

  PortMask choose(Router& router, std::uint32_t first_port, PortMask open, std::uint64_t cycle);
  PortMask least_occupied(std::uint32_t first_port, PortMask ways, std::uint64_t cycle) const;
  void send_credit(std::uint32_t in, std::uint32_t length_flits, std::uint64_t cycle, std::uint64_t end);
  void take_buffer(std::uint32_t out_port, std::uint32_t length_flits, std::uint64_t end);
  void begin_credit(const Channel::Slot::Credit& credit);
  void give_buffer(std::uint32_t out_port, std::uint32_t length_flits);
  void note_tail(std::uint32_t in, std::uint64_t cycle);
  bool waits_for_tail(std::uint32_t in, PortMask ways, std::uint64_t cycle);
  void ask(std::uint32_t in, PortMask ways);
  void ask_for(std::uint32_t in, std::uint32_t port);
  void release_output(std::uint32_t out);
  void deliver(std::uint32_t in, std::uint32_t out, std::uint64_t cycle);
  void run_fast_event(const Event& event, std::uint64_t cycle);
  void leave_for_register(std::uint32_t in, std::uint32_t out, std::uint64_t cycle);
  void deliver_from_register(std::uint32_t out, PacketSlot slot, std::uint64_t cycle);
  void end_injection(std::size_t local_port, std::uint64_t cycle);
  Channel& channel_to(RouterId router) { return channels_.to(shared_.slice_of_router[router.value]); }
  Channel& channel_of(std::uint32_t out_port) {
    return shared_.bank.is_injection_port(out_port) ? channels_.self() : channel_to(shared_.bank.router_of(out_port));
  }
  Source& source(std::size_t local_port) { return sources_[local_port - first_local_]; }
  const Source& source(std::size_t local_port) const { return sources_[local_port - first_local_]; }
  void wake_source(std::size_t local_port);

  Shared shared_;
  RouterRange range_;
  bool bubble_;
  bool fast_;             // some links take more than a flit a cycle
  bool asks_for_packet_;  // RC needs more of it than QueuedPacket has
  std::size_t first_local_ = 0;
  std::vector<Source> sources_;  // [local port - first_local_]
  WakeSet sendable_;             // sources with a packet, a free link and a credit
  WakeSet awake_;                // routers of the slice with a head that waits
  Mailboxes<Channel> channels_;
  TimingWheel<Event, 256> wheel_;
  std::vector<PacketSlot> in_registers_;  // on the way to nodes; where links are fast
  std::vector<Event> ending_;             // of the modules' cycle; the static schedule takes events one by one
  std::vector<Grant>* grants_ = nullptr;  // null: nobody asks
  std::vector<PortMask> chosen_;          // scratch: [output port of the router] inputs that chose it in this cycle
  std::unique_ptr<routing::Candidate[]> candidates_;
  PacketSink* sink_ = nullptr;
  std::uint64_t flit_hops_ = 0;
  std::uint64_t flits_injected_ = 0;
  std::uint64_t flits_delivered_ = 0;
};

}  // namespace braid::models::virtual_cut_through
