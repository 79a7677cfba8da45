// A workload's way from a slice's nodes into the network.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/packet_log.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/workload/statistics.h"
#include "routing/base/random.h"

namespace braid::models {

/// What all outlets of a slice share.
struct OutletContext {
  PacketStore& store;
  PacketStore::Pool& pool;
  PacketTransport& transport;
  Statistics& statistics;
  PacketLog::Page* log;  ///< null if packets are not logged
  const LocalPortMap& ports;
  std::vector<std::uint32_t>& next_sequence;  ///< [node]
  Random draws;                               ///< of Packet::draw, by source and sequence: no order can change it
};

class Outlet {
 public:
  /// `classes`: of the workload's traffic, as Statistics numbers them.
  Outlet(const OutletContext& context, std::uint8_t workload, const std::vector<std::uint8_t>& classes)
      : context_(context), workload_(workload), classes_(classes) {}

  /// A packet of the workload's kind and class, created in `cycle`; nothing is sent yet.
  PacketSlot make(std::uint64_t cycle, std::uint8_t kind, std::uint8_t traffic_class, NodeId from, NodeId to,
                  std::uint32_t flits);
  /// Makes one and sends it by the node's next local port.
  void send(std::uint64_t cycle, std::uint8_t kind, NodeId from, NodeId to, std::uint32_t flits,
            std::uint32_t tag = kNoTag, std::uint8_t traffic_class = 0);
  /// One to several nodes, which routers copy (Fabric::copy_packets()).
  void send_copies(std::uint64_t cycle, std::uint8_t kind, NodeId from, const std::vector<NodeId>& to,
                   std::uint32_t flits, std::uint32_t tag = kNoTag);
  Packet& operator[](PacketSlot slot) const { return context_.store[slot]; }

  /// The local port for a node's next packet: they take turns.
  std::size_t next_port(NodeId node) const {
    return context_.ports.first[node.value] + next_sequence(node) % context_.ports.count[node.value];
  }
  /// ... and for one that has been made.
  std::size_t port_of(const Packet& packet) const {
    const std::size_t node = packet.source.value;
    return context_.ports.first[node] + packet.sequence % context_.ports.count[node];
  }
  /// The number of a node's next packet.
  std::uint32_t next_sequence(NodeId node) const { return context_.next_sequence[node.value]; }
  /// Local ports of a node by which a packet sent now would leave in the next cycle.
  std::uint32_t free_ports(NodeId node) const;
  PacketTransport& transport() const { return context_.transport; }

 private:
  OutletContext context_;
  std::uint8_t workload_;
  std::vector<std::uint8_t> classes_;
};

}  // namespace braid::models
