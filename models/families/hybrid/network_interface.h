// NI: source queues, injection and ejection of the nodes of one slice. A local port has one link each way, a flit a
// cycle: packets and all circuits of the port share it. A packet waits for a VC of the injection link, a circuit's
// packet for a credit of its lane; circuits go first, in turn, but for router.circuit_burst_flits. Of what has come on
// circuits the node takes a flit a cycle, again in turn; one that has no room for its next packet holds up its own
// circuit only. A node may serve fewer ports in a cycle than it has (node_turns.h).
#pragma once

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/packet_queue.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/fabric/work_list.h"
#include "models/families/hybrid/channel.h"
#include "models/families/hybrid/node_turns.h"
#include "models/families/hybrid/packet_turns.h"
#include "models/families/hybrid/router_bank.h"
#include "routing/algorithm/routing_algorithm.h"

namespace braid::models::hybrid {

class Slice;
class CycleEngine;
namespace planes {
class Registers;
}

class NetworkInterfaces final : public PacketTransport {
 public:
  /// Serves the local ports [first, last) of the bank's numbering.
  NetworkInterfaces(Slice& slice, RouterBank& bank, PacketStore& store, const routing::RoutingAlgorithm& routing,
                    const NodeBandwidth& bandwidth, std::size_t first, std::size_t last);

  void set_sink(PacketSink* sink) { sink_ = sink; }
  std::size_t first_local_port() const { return first_; }
  std::size_t last_local_port() const { return last_; }

  void send(std::size_t local_port, PacketSlot packet) override;
  void send_copies(std::size_t local_port, const std::vector<PacketSlot>& packets) override;
  void send_on_circuit(std::size_t local_port, std::uint32_t lane, PacketSlot packet) override;
  void send_on_tree(std::size_t local_port, std::uint32_t lane, const std::vector<Copy>& copies) override;
  std::size_t queued(std::size_t local_port) const override { return port(local_port).packets.size(); }
  bool ready(std::size_t local_port) const override;
  bool ready_for(std::size_t local_port, PacketSlot packet) const override;

  /// Another engine has the credits; null: they are in the bank.
  void ask_for_credits(CycleEngine* engine) { planes_ = engine; }

  /// One cycle of injection: at most one flit for each local port.
  void inject(std::uint64_t cycle);
  /// Of circuits' flits alone, where another engine has the packets. Calls visit(local port) for each one that goes:
  /// its link is taken.
  template <class Visit>
  void inject_circuits(std::uint64_t cycle, Visit visit) {
    busy_.for_each([&](std::size_t i) {
      if (ports_[i].sending == 0) return;
      if (inject_circuit_flit(cycle, first_ + i)) visit(first_ + i);
      if (ports_[i].sending == 0) busy_.erase(i);
    });
  }
  /// The end of a cycle, for at_work().
  void end_cycle() { at_work_ = !busy_.empty() || !holding_.empty() || held_packet_flits() != 0; }
  /// What has come over the ejection links.
  void arrive(std::uint64_t cycle, const WorkList<FlitArrival>& flits);
  /// The nodes take what has come and waited: circuits' flits, and packets' where a node takes fewer than come.
  void drain(std::uint64_t cycle);

  /// Something is to be sent, or to be taken by a node.
  bool at_work() const { return at_work_; }
  /// May a node leave at its ports what has come, or send less than they carry?
  bool bounded() const { return turns_ != nullptr; }

  std::uint64_t flits_injected() const { return flits_injected_; }
  std::uint64_t flits_delivered() const { return flits_delivered_; }
  /// Calls visit(flit) for flits that have come and wait.
  template <class Visit>
  void for_each_held(Visit visit) const {
    if (turns_ != nullptr) turns_->for_each_held(visit);
    for (const LocalPort& p : ports_) {
      for (const Circuit& c : p.circuits) {
        for (const Flit& flit : c.held) visit(flit);
      }
    }
  }
  /// Nothing is left to send on the circuit that starts on a lane of a local port ...
  bool all_sent(std::size_t local_port, std::uint32_t lane) const {
    return port(local_port).circuits[lane].packets.empty();
  }
  /// ... nothing held of the one that ends there.
  bool all_taken(std::size_t local_port, std::uint32_t lane) const {
    return port(local_port).circuits[lane].held.empty();
  }
  std::uint64_t packets_queued() const;  ///< of which the tail has not been injected
  void checkpoint(Checkpoint& c) {
    c.each(ports_);
    c(busy_, holding_, flits_injected_, flits_delivered_);
    if (turns_ != nullptr) c(*turns_);
    at_work_ = true;  // or not: the next cycle looks
  }
  void check_restored(const Checkpoint& c) const;

 private:
  friend class planes::Registers;  // its registers, for another engine

  /// A circuit lane of a local port, both ways.
  struct Circuit {
    PacketQueue packets;                // for the circuit that starts here
    std::uint16_t next_flit = 0;        // of packets.front()
    boost::circular_buffer<Flit> held;  // flits of the circuit that ends here, without room at the receiver
    void checkpoint(Checkpoint& c) {
      std::vector<Flit> flits(held.begin(), held.end());
      c(packets, next_flit, flits);
      c.index(flits.size(), held.capacity() + 1, "number of held flits");
      held.assign(held.capacity(), flits.begin(), flits.end());
    }
  };
  struct alignas(64) LocalPort {  // what packets need is one cache line
    PacketQueue packets;
    VcIndex out_vc = kNone;       // held while a packet is on its way out
    VcIndex first_vc = 0;         // of the router's input port
    std::uint16_t next_flit = 0;  // of packets.front()
    std::uint8_t vc_pointer = 0;  // round robin over the VCs of the injection link
    std::uint8_t send_turn = 0;   // round robin over the circuits: out to the link ...
    std::uint8_t take_turn = 0;   // ... and in to the node
    CircuitBurst burst;           // on the injection link
    std::uint32_t sending = 0;    // circuits with a packet to send, a bit each
    std::uint32_t holding = 0;    // circuits with held flits
    std::vector<Circuit> circuits;
    void checkpoint(Checkpoint& c) {
      c(packets, out_vc, next_flit, vc_pointer, send_turn, take_turn, burst, sending, holding);
      c.each(circuits);
    }
  };
  LocalPort& port(std::size_t i) { return ports_[i - first_]; }
  const LocalPort& port(std::size_t i) const { return ports_[i - first_]; }
  /// A flit of a circuit or of a packet, whose turn it is.
  void inject_in_turn(std::uint64_t cycle, std::size_t i, WorkList<FlitArrival>& link);
  bool inject_circuit_flit(std::uint64_t cycle, std::size_t i);
  void send_circuit_flit(std::uint64_t cycle, std::size_t i, std::uint32_t lane);
  /// Does the node take a flit of the circuits that end at a port ([port - first])? Of those whose turn it is ...
  bool take_in_turn(std::uint64_t cycle, std::size_t i);
  /// ... the next one held on this.
  bool take_circuit_flit(std::uint64_t cycle, LocalPort& port, std::uint32_t lane);
  // The same where nodes serve fewer ports than they have.
  void inject_bounded(std::uint64_t cycle);
  void drain_bounded(std::uint64_t cycle);
  bool take_packet_flit(std::uint64_t cycle, std::size_t i);
  void arrive_from_afar(std::uint64_t cycle, const WorkList<FlitArrival>& flits);
  bool take_held_flit(std::uint64_t cycle, std::size_t i, std::uint32_t queue);
  std::size_t held_packet_flits() const { return turns_ == nullptr ? 0 : turns_->held_flits(); }
  bool inject_packet_flit(std::uint64_t cycle, std::size_t i, WorkList<FlitArrival>& link);
  /// What is noted of a packet whose flit leaves, of those that travel with it.
  void note_destinations(std::uint64_t cycle, const Flit& flit);
  /// ... and of the room behind the injection link's other VCs.
  void note_injection(std::uint64_t cycle, VcIndex out_vc, const Flit& flit);
  void deliver_to_all(std::uint64_t cycle, PacketSlot packet);
  /// VCs of the injection link that are free and have a credit. (A VC taken without a credit would bind the packet to a
  /// full buffer while another one may drain.)
  VcMask usable_vcs(std::size_t i, VcMask allowed) const;
  /// No packet waits, and there is such a VC, whichever engine has the credits.
  bool has_room(std::size_t i, VcMask allowed) const;
  /// The VCs of the injection link that a packet may take.
  VcMask vcs_of(PacketSlot packet) const {
    return by_class_ == nullptr ? injection_vcs_ : by_class_->injection_vcs_of(store_[packet].traffic_class);
  }
  /// Takes the one of these that is next in turn, if there is any.
  bool take_vc(std::size_t i, VcMask usable);

  Slice& slice_;
  RouterBank& bank_;
  PacketStore& store_;
  VcMask injection_vcs_;
  const routing::RoutingAlgorithm* by_class_;  // null: all classes may take the same
  std::size_t first_;
  std::size_t last_;
  std::vector<LocalPort> ports_;
  WakeSet busy_;                // local ports with something to send
  WakeSet holding_;             // local ports with held flits of circuits
  bool at_work_ = false;        // there are some of either, beside what is looked at before each cycle
  WorkList<PacketSlot> tails_;  // arrived in this cycle
  PacketSink* sink_ = nullptr;
  CycleEngine* planes_ = nullptr;
  std::unique_ptr<NodeTurns> turns_;  // null: every local port is served in every cycle, and nothing waits there
  std::vector<bool> link_taken_;      // [port of a node] while it sends
  std::uint64_t flits_injected_ = 0;
  std::uint64_t flits_delivered_ = 0;
};

}  // namespace braid::models::hybrid
