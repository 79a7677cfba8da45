// The ideal network of tentacle-routing, section 3: every pair of nodes joined by a link of its own, one flit a cycle
// and one cycle long; what a node sends and receives in a cycle is kept at the number of its local ports.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/network_interface.h"
#include "models/packet_store.h"
#include "models/packet_transport.h"

namespace braid::models {

class IdealNetwork final : public PacketTransport {
 public:
  /// `ports[node]`: local ports of each node; local ports are numbered node by node.
  IdealNetwork(PacketStore& store, const std::vector<std::size_t>& ports);

  void set_sink(PacketSink* sink) { sink_ = sink; }

  void send(std::size_t local_port, PacketSlot packet) override;
  void send_on_circuit(std::size_t local_port, PacketSlot message) override { send(local_port, message); }
  std::size_t queued(std::size_t local_port) const override { return queued_by_port_[local_port]; }

  /// Flits that left in the cycle before arrive; then each link whose two nodes have bandwidth left sends one flit.
  /// Links take turns at being first.
  void commit(std::uint64_t cycle);

  std::uint64_t flits_injected() const { return flits_injected_; }
  std::uint64_t flits_delivered() const { return flits_delivered_; }
  std::uint64_t flits_on_links() const { return on_links_.size(); }
  std::uint64_t packets_in_flight() const;

 private:
  struct Link {
    NodeId from, to;
    PacketQueue packets;
    std::vector<std::size_t> ports;  // of the queued packets, in order
    std::uint32_t next_flit = 0;
  };
  struct Crossing {
    PacketSlot packet = 0;
    bool tail = false;
  };
  std::uint32_t link_between(NodeId from, NodeId to);
  void send_flit(std::uint64_t cycle, Link& link);

  PacketStore& store_;
  std::vector<std::size_t> ports_;
  std::vector<Link> links_;
  std::unordered_map<std::uint64_t, std::uint32_t> link_of_pair_;
  std::vector<std::uint32_t> active_;  // links with packets
  std::vector<std::size_t> queued_by_port_;
  std::vector<std::size_t> send_left_, receive_left_;
  std::vector<Crossing> on_links_;
  PacketSink* sink_ = nullptr;
  std::uint64_t flits_injected_ = 0;
  std::uint64_t flits_delivered_ = 0;
};

}  // namespace braid::models
