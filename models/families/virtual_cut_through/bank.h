// The registers of virtual cut-through routers (paper: sat-fairness, section III.A): at every input port a queue of a
// few packet buffers, at every output port a count of the free buffers downstream. No virtual channels.
// Ports are numbered as models/fabric/wiring.h says.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/flit.h"
#include "models/fabric/wiring.h"
#include "routing/base/checkpoint.h"
#include "routing/base/random.h"

namespace braid::models::virtual_cut_through {

/// A set of ports of one router.
using PortMask = std::uint64_t;

/// A packet in a queue: what the router needs of it, so that a hop leaves the packet store alone.
struct QueuedPacket {
  PacketSlot slot = 0;
  NodeId source;
  NodeId destination;
  std::uint16_t length_flits = 0;
  std::uint16_t routers = 0;  ///< routers it has come to, this one included
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
/// (Over faster links that is no more than a guess.)
struct Occupancy {
  std::uint32_t granted_flits = 0;  ///< of packets whose buffer has not come back
  std::uint16_t leaving_flits = 0;  ///< length of the packet whose credits come back
  std::uint64_t sent_at = 0;        ///< cycle from which the last packet has been sent whole
  std::uint64_t free_at = 0;        ///< cycle from which the last credit of the leaving packet counts

  std::uint64_t flits(std::uint64_t cycle) const {
    std::uint64_t gone = 0;
    if (sent_at > cycle) gone += sent_at - cycle;
    if (free_at > cycle && free_at - cycle < leaving_flits) gone += leaving_flits - (free_at - cycle);
    return gone < granted_flits ? granted_flits - gone : 0;
  }
};

class Bank : public Wiring {
 public:
  static constexpr std::uint8_t kNoLimit = 255;  ///< credits of a link to a node

  Bank(const routing::Topology& topology, std::uint32_t queue_packets, std::uint64_t seed);
  /// What it will take.
  static std::uint64_t bytes(const routing::Topology& topology, std::uint32_t queue_packets);

  std::size_t input_port_count() const { return queues.size(); }
  std::uint32_t depth() const { return depth_mask_ + 1; }

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
  /// Are any links faster than a flit a cycle?
  bool has_fast_links() const { return !speeds_.empty(); }
  /// Flits that a link takes in a cycle. Kept where some links are fast.
  std::uint32_t speed(std::uint32_t out) const { return is_injection_port(out) ? 1 : speeds_[out]; }
  /// For which a packet has an output port. Known where some links are fast.
  std::uint32_t cycles_on(std::uint32_t out, std::uint32_t flits) const {
    return (flits + speed(out) - 1) / speed(out);
  }
  /// Cycle from which the tail of a queued packet may leave. Kept where some links are fast.
  std::uint64_t& whole_at(std::uint32_t in, std::uint32_t i) {
    return whole_at_[(std::size_t{in} << depth_bits_) + ((queues[in].first + i) & depth_mask_)];
  }
  void pop(std::uint32_t in) {
    Queue& q = queues[in];
    q.first = static_cast<std::uint8_t>((q.first + 1) & depth_mask_);
    --q.count;
  }
  void checkpoint(Checkpoint& c) {
    c.each(routers);
    c.each(queues);
    c.each(ways);
    c.each(credits);
    c.each(downstream);
    c.each(through);
    c.each(entering);
    c.each(next_turn);
    c.each(flits_sent);
    c.each(buffers_);
    c.each(whole_at_);
  }

  std::vector<Router> routers;
  // Indexed by input port:
  std::vector<Queue> queues;
  std::vector<PortMask> ways;  ///< of a head that may choose
  // Indexed by output port, injection links behind the routers':
  std::vector<std::uint8_t> credits;
  // Indexed by output port of a router:
  std::vector<Occupancy> downstream;
  std::vector<PortMask> through;        ///< inputs whose head asks for it
  std::vector<PortMask> entering;       ///< the same of heads that would enter a ring: they need a bubble
  std::vector<std::uint8_t> next_turn;  ///< round robin: the input that comes first
  std::vector<std::uint64_t> flits_sent;

 private:
  unsigned depth_bits_ = 0;
  std::uint32_t depth_mask_ = 0;
  std::vector<QueuedPacket> buffers_;
  std::vector<std::uint32_t> speeds_;    // [output port of a router] flits/cycle; empty: one everywhere
  std::vector<std::uint64_t> whole_at_;  // as buffers_, where there are speeds
};

}  // namespace braid::models::virtual_cut_through
