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

/// Of each class of traffic the subnets that carry it; of several, each packet takes one by chance.
using ClassSubnets = std::vector<std::vector<std::uint32_t>>;

/// What all outlets of a slice share.
struct OutletContext {
  PacketStore& store;
  PacketStore::Pool& pool;
  PacketTransport& transport;
  Statistics& statistics;
  PacketLog::Page* log;  ///< null if packets are not logged
  const LocalPortMap& ports;
  std::vector<std::uint32_t>& next_sequence;  ///< [node]; with subnets [node * subnets + subnet], of that subnet
  Random draws;                               ///< of Packet::draw, by source and sequence: no order can change it
  std::uint32_t subnets = 1;                  ///< models/fabric/subnets.h
  std::size_t ports_of_subnet = 0;            ///< local ports, where there are several
  Random subnet_draws = Random();             ///< which one, of a class that takes several
};

class Outlet {
 public:
  /// `classes`: of the workload's traffic, as Statistics numbers them; `subnets`: theirs, where there are several.
  Outlet(const OutletContext& context, std::uint8_t workload, const std::vector<std::uint8_t>& classes,
         const ClassSubnets& subnets = {})
      : context_(context), workload_(workload), classes_(classes), subnets_(subnets) {}

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

  /// The local port for a node's next packet of a class: they take turns.
  std::size_t next_port(NodeId node, std::uint8_t traffic_class = 0) const {
    return port_of(node, next_sequence(node, traffic_class));
  }
  /// ... and for one that has been made.
  std::size_t port_of(const Packet& packet) const { return port_of(packet.source, packet.sequence); }
  /// The number of a node's next packet of a class. Where there are subnets, packet i of a node in subnet s has number
  /// i * subnets + s: no two have one number, and in its subnet a packet draws, and takes a port, as if it were alone.
  std::uint32_t next_sequence(NodeId node, std::uint8_t traffic_class = 0) const {
    return context_.subnets == 1 ? context_.next_sequence[node.value] : next_in_subnets(node, traffic_class);
  }
  /// Local ports of a node by which a packet sent now would leave in the next cycle.
  std::uint32_t free_ports(NodeId node) const;
  PacketTransport& transport() const { return context_.transport; }

 private:
  std::size_t port_of(NodeId node, std::uint32_t sequence) const {
    if (context_.subnets != 1) return port_in_subnet(node, sequence);
    return context_.ports.first[node.value] + sequence % context_.ports.count[node.value];
  }
  std::size_t port_in_subnet(NodeId node, std::uint32_t sequence) const;
  std::uint32_t next_in_subnets(NodeId node, std::uint8_t traffic_class) const;
  std::uint32_t next_subnet(NodeId node, std::uint8_t traffic_class) const;
  std::uint32_t take_in_subnets(NodeId node, std::uint8_t traffic_class);

  OutletContext context_;
  std::uint8_t workload_;
  std::vector<std::uint8_t> classes_;
  ClassSubnets subnets_;  // [the workload's own class], where there are several
};

}  // namespace braid::models
