// The registers of virtual cut-through routers (paper: sat-fairness, section III.A): at every input port a queue of a
// few packet buffers, at every output port a count of the free buffers downstream. No virtual channels.
//
// Numbering: a port is `router << port_bits | port`; the injection links of network interfaces follow the routers'.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/flit.h"
#include "routing/base/random.h"
#include "routing/topology/topology.h"

namespace braid::models::virtual_cut_through {

/// A set of ports of one router.
using PortMask = std::uint64_t;

/// A packet in a queue: what the router needs of it, so that a hop leaves the packet store alone.
struct QueuedPacket {
  PacketSlot slot = 0;
  NodeId source;
  NodeId destination;
  std::uint16_t length_flits = 0;
  std::uint16_t hops = 0;  ///< routers it has come to, this one included
};

struct Router {
  PortMask free_outputs = ~PortMask{0};  ///< no packet crosses
  PortMask credited = 0;                 ///< outputs with a free buffer downstream
  PortMask roomy = 0;                    ///< outputs with two of them (bubble condition)
  PortMask asked = 0;                    ///< outputs that some head asks for that has no choice
  PortMask choosing = 0;                 ///< inputs whose head has several ways on
  Random random;                         ///< breaks ties
};

struct Queue {
  std::uint8_t first = 0;
  std::uint8_t count = 0;  ///< packets of which the head is here and the tail has not left
  bool leaving = false;    ///< the first one is on its way out
  bool to_node = false;    ///< … to its node
};

/// What an output port knows of the queue downstream, in flits, from what it has sent and the credits that came back. A
/// packet's flits leave one a cycle, so two cycles say how far the one that is being sent and the one that leaves are.
struct Occupancy {
  std::uint32_t granted_flits = 0;  ///< of packets whose buffer has not come back
  std::uint16_t leaving_flits = 0;  ///< length of the packet whose credits come back
  std::uint64_t sent_at = 0;        ///< cycle from which the last packet has been sent whole
  std::uint64_t free_at = 0;        ///< cycle from which the last credit of the leaving packet counts

  std::uint64_t flits(std::uint64_t cycle) const {
    std::uint64_t flits = granted_flits;
    if (sent_at > cycle) flits -= sent_at - cycle;
    if (free_at > cycle && free_at - cycle < leaving_flits) flits -= leaving_flits - (free_at - cycle);
    return flits;
  }
};

class Bank {
 public:
  /// The far end of an output port, and the way back from an input port.
  struct Link {
    std::uint32_t target = kNowhere;  ///< input port, or local port of a node
    std::uint32_t latency_cycles = 1;
    bool to_node = false;
  };
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  static constexpr std::uint8_t kNoLimit = 255;  ///< credits of a link to a node

  Bank(const routing::Topology& topology, std::uint32_t queue_packets, std::uint64_t seed);

  std::uint32_t port_index(RouterId r, std::uint32_t port) const { return (r.value << port_bits_) | port; }
  std::uint32_t router_of(std::uint32_t port) const { return port >> port_bits_; }
  std::uint32_t port_of(std::uint32_t port) const { return port & ((1U << port_bits_) - 1); }
  std::uint32_t port_stride() const { return 1U << port_bits_; }
  /// The injection link of a local port: an output port of the network interface.
  std::uint32_t injection_port(std::size_t local_port) const {
    return static_cast<std::uint32_t>((routers.size() << port_bits_) + local_port);
  }
  bool is_injection_port(std::uint32_t port) const { return port >= (routers.size() << port_bits_); }
  std::size_t local_port_of_injection(std::uint32_t port) const { return port - (routers.size() << port_bits_); }
  std::size_t input_port_count() const { return queues.size(); }

  QueuedPacket& front(std::uint32_t in) { return buffers_[(std::size_t{in} << depth_bits_) + queues[in].first]; }
  const QueuedPacket& front(std::uint32_t in) const { return queued(in, 0); }
  const QueuedPacket& queued(std::uint32_t in, std::uint32_t i) const {
    return buffers_[(std::size_t{in} << depth_bits_) + ((queues[in].first + i) & depth_mask_)];
  }
  void push(std::uint32_t in, const QueuedPacket& packet) {
    Queue& q = queues[in];
    buffers_[(std::size_t{in} << depth_bits_) + ((q.first + q.count) & depth_mask_)] = packet;
    ++q.count;
  }
  void pop(std::uint32_t in) {
    Queue& q = queues[in];
    q.first = static_cast<std::uint8_t>((q.first + 1) & depth_mask_);
    --q.count;
  }

  std::vector<Router> routers;
  // Indexed by input port:
  std::vector<Queue> queues;
  std::vector<PortMask> ways;           ///< of a head that may choose
  std::vector<std::uint32_t> upstream;  ///< the output port that feeds it, kNowhere at a mesh's edge
  // Indexed by output port; injection links after the routers':
  std::vector<std::uint8_t> credits;
  std::vector<Link> links;
  // Indexed by output port of a router:
  std::vector<Occupancy> downstream;
  std::vector<PortMask> through;        ///< inputs whose head asks for it
  std::vector<PortMask> entering;       ///< the same of heads that would enter a ring: they need a bubble
  std::vector<std::uint8_t> next_turn;  ///< round robin: the input that comes first
  std::vector<std::uint64_t> flits_sent;

  /// A node's local port and the router port it is wired to.
  struct LocalPort {
    NodeId node;
    std::uint32_t router_port = 0;
  };
  std::vector<LocalPort> local_ports;
  std::uint32_t max_link_latency_cycles = 1;

 private:
  void wire(const routing::Topology& topology);

  unsigned port_bits_ = 0;
  unsigned depth_bits_ = 0;
  std::uint32_t depth_mask_ = 0;
  std::vector<QueuedPacket> buffers_;
};

}  // namespace braid::models::virtual_cut_through
