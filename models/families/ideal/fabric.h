// The ideal network of tentacle-routing, section 3: every pair of nodes joined by a link of its own, one flit a cycle
// and one cycle long; what a node sends and receives in a cycle is kept at the number of its local ports, or at fewer
// (models/fabric/node_bandwidth.h). Either a flit leaves when both ends have some of it left in that cycle, or
// (router.queue_at_receiver) when the sender has, and waits at the receiver for its turn: only so does no node lose a
// cycle to the choice of who sends to whom.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/node_bandwidth.h"
#include "models/fabric/packet_queue.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/families/ideal/link_turns.h"

namespace braid::models::ideal {

struct Options {
  bool queue_at_receiver = false;  ///< flits wait at a node that takes as many already, and not at their source
};
const OptionTable<Options>& option_table();

class Fabric final : public models::Fabric, public PacketTransport {
 public:
  /// `ports[node]`: local ports of each node; local ports are numbered node by node. One slice is the whole network.
  Fabric(PacketStore& store, const std::vector<std::size_t>& ports, Options options = {},
         const NodeBandwidth& bandwidth = {});
  explicit Fabric(const FabricContext& context)
      : Fabric(context.store, LocalPortMap(context.topology).count, option_table().read(context.configuration),
               read_node_bandwidth(context.configuration)) {
    topology_ = &context.topology;
  }

  /// What it will take before a packet is sent: an empty queue of flits takes memory, too.
  static std::uint64_t bytes(std::size_t nodes) {
    constexpr std::uint64_t kEmptyQueue = 512;  // of std::deque
    return nodes * (6 * sizeof(std::size_t) + sizeof(Receiver) + kEmptyQueue);
  }

  PacketTransport& transport(std::size_t) override { return *this; }
  void set_sink(std::size_t, PacketSink* sink) override { sink_ = sink; }

  void send(std::size_t local_port, PacketSlot packet) override;
  void send_on_circuit(std::size_t local_port, std::uint32_t, PacketSlot packet) override { send(local_port, packet); }
  std::size_t queued(std::size_t local_port) const override { return queued_by_port_[local_port]; }

  /// Flits that left in the cycle before arrive; then each link whose nodes have bandwidth left sends one flit.
  /// Links take turns at being first.
  void commit(std::size_t, std::uint64_t cycle) override;

  // The parts of commit(), for modules (models/stages/ideal), in this order:
  /// What left in the cycle before is at its receivers.
  void bring();
  /// How much of it a node takes. For each node, in any order.
  void receive(NodeId node);
  /// Hands over what nodes take.
  void deliver(std::uint64_t cycle);
  /// Links send.
  void send_flits(std::uint64_t cycle);

  /// Of so many flits that are at a node, which takes `most` in a cycle, it takes these.
  static std::size_t taken_at_once(std::size_t here, std::size_t most, bool queue_at_receiver) {
    return queue_at_receiver ? std::min(here, most) : here;
  }
  const std::vector<std::size_t>& ports() const { return ports_; }
  /// Flits that each node sends, and takes, in a cycle.
  const std::vector<std::size_t>& sends() const { return sends_; }
  const std::vector<std::size_t>& receives() const { return receives_; }
  const Options& options() const { return options_; }
  /// Between bring() and receive(): flits that come; between receive() and deliver(): that it takes.
  std::size_t coming(NodeId node) const { return at_receiver_[node.value].coming; }
  std::size_t taking(NodeId node) const { return at_receiver_[node.value].taking; }
  /// Flits that wait at the node.
  std::size_t held(NodeId node) const { return at_receiver_[node.value].waiting.size(); }
  /// visit(from, to) for each link with packets; for each flit that is on a link.
  template <class Visit>
  void for_each_waiting_link(Visit visit) const {
    for (const std::uint32_t link : turns_.active()) visit(links_[link].from, links_[link].to);
  }
  template <class Visit>
  void for_each_flit_on_links(Visit visit) const {
    for (const Crossing& c : on_links_) visit(store_[c.packet].source, store_[c.packet].destination);
  }

  // No routers, so no stages, no links between routers and no channels that could wait for each other.
  void compute(std::size_t, std::uint64_t) override {}
  Counters counters() const override { return {0, flits_injected_, flits_delivered_}; }
  Census census() const override;
  LinkUse link_use(RouterId, PortId) const override { return {}; }
  void check_deadlock_free(const routing::Topology&, const routing::RoutingAlgorithm&, std::uint32_t,
                           const routing::OnProgress&) const override {}
  std::string describe_waiting() const override;
  void for_each_front(const std::function<void(PacketSlot)>& visit) const override;
  /// Of the nodes of these routers.
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::vector<RouterId>& routers) const override;
  /// What is left of a cycle's bandwidth is not kept from one to the next.
  void checkpoint(Checkpoint& c) override {
    c(links_, link_of_pair_, turns_.active());
    c.each(queued_by_port_);
    c(on_links_);
    c.each(at_receiver_);
    c(flits_injected_, flits_delivered_);
    if (c.restoring()) check_restored(c);
  }

 private:
  class Signals;
  struct Link {
    NodeId from, to;
    PacketQueue packets;
    std::vector<std::size_t> ports;  // of the queued packets, in order
    std::uint32_t next_flit = 0;
    void checkpoint(Checkpoint& c) { c(from, to, packets, ports, next_flit); }
  };
  struct Crossing {
    PacketSlot packet = 0;
    bool tail = false;
  };
  /// At a node: flits that come in this cycle, that it takes of those here, and that wait (queue_at_receiver).
  struct Receiver {
    std::size_t coming = 0, taking = 0;
    std::deque<Crossing> waiting;
    void checkpoint(Checkpoint& c) { c(waiting); }
  };
  void check_restored(const Checkpoint& c) const;
  std::uint32_t link_between(NodeId from, NodeId to);
  void send_flit(std::uint64_t cycle, Link& link);
  void take(std::uint64_t cycle, const Crossing& crossing);

  const routing::Topology* topology_ = nullptr;  // for whoever names nodes by routers
  PacketStore& store_;
  std::vector<std::size_t> ports_, sends_, receives_;  // [node]
  std::vector<Link> links_;
  std::unordered_map<std::uint64_t, std::uint32_t> link_of_pair_;
  std::vector<std::size_t> queued_by_port_;
  Options options_;
  LinkTurns turns_;  // of links with packets
  std::vector<Crossing> on_links_;
  std::vector<Crossing> arriving_;     // in this cycle
  std::vector<Receiver> at_receiver_;  // [node]
  PacketSink* sink_ = nullptr;
  std::uint64_t flits_injected_ = 0;
  std::uint64_t flits_delivered_ = 0;
};

}  // namespace braid::models::ideal
