// The other side of the devices: what comes from the last router goes through an ejection buffer, a flit a channel and
// cycle, into a boundary buffer, from which complete packets are popped. A flit that has gone on is retired, one a node
// and cycle, and its credit goes back to the router then.
#pragma once

#include <cstdint>
#include <vector>

#include "models/icnt/configuration.h"
#include "models/icnt/port_sets.h"
#include "models/icnt/wires.h"

namespace braid::models::icnt {

class Ejection {
 public:
  /// `channels`: the first output channel of the router that ejects to a node.
  Ejection(const Configuration& configuration, PacketPool& packets, Wires& wires, std::vector<std::uint32_t> channels);

  /// From the wires into the ejection buffers.
  void take_flits();
  /// Calls `complete(packet)` for each that can be popped from now on.
  template <class Complete>
  void transfer(Complete complete) {
    active_.each([&](std::size_t node) {
      to_boundary(static_cast<unsigned>(node), complete);
      retire(static_cast<unsigned>(node));
    });
  }
  bool can_pop(unsigned node) const { return nodes_[node].complete != 0; }
  PacketId top(unsigned node) const;
  /// Only where can_pop().
  PacketId pop(unsigned node);
  std::uint64_t flits_retired() const { return retired_; }

 private:
  struct Channel {
    PacketList packets;                        ///< the head has come, and it has not been popped
    PacketId moving = 0;                       ///< whose flits go on next
    std::uint32_t coming = 0;                  ///< flits of the last packet that have not come
    std::uint32_t left = 0;                    ///< flits of the moving packet that have not gone on
    std::uint32_t ejection = 0, boundary = 0;  ///< flits in either buffer
    std::uint32_t complete = 0;                ///< packets that can be popped
  };
  struct Node {
    std::uint64_t ejection = 0;                      ///< channels with flits to go on
    std::uint64_t complete = 0;                      ///< channels with packets to pop
    std::uint32_t retiring_first = 0, retiring = 0;  ///< ring of channels whose flits have gone on
    std::uint32_t turn = 0;                          ///< channel that is asked first
  };

  unsigned turn_of(const Node& at) const;
  void retire(unsigned node);
  template <class Complete>
  void to_boundary(unsigned node, Complete& complete) {
    Node& at = nodes_[node];
    for (std::uint64_t left = at.ejection; left != 0; left &= left - 1) {
      const unsigned vc = lowest(left);
      Channel& channel = state_[(node << shift_) + vc];
      if (channel.boundary == boundary_) continue;
      ++channel.boundary;
      if (--channel.ejection == 0) at.ejection &= ~(std::uint64_t{1} << vc);
      unsigned last = at.retiring_first + at.retiring++;
      if (last >= ring_size_) last -= ring_size_;
      ring_[node * ring_size_ + last] = static_cast<std::uint8_t>(vc);
      if (--channel.left != 0) continue;
      complete(channel.moving);
      ++channel.complete;
      at.complete |= std::uint64_t{1} << vc;
      if (channel.packets.last == channel.moving) continue;  // the next has not come
      channel.moving = packets_[channel.moving].next;
      channel.left = packets_[channel.moving].flits;
    }
  }

  PacketPool& packets_;
  Wires& wires_;
  unsigned vcs_, shift_, boundary_, ring_size_;
  std::vector<std::uint32_t> channels_;
  std::vector<Node> nodes_;
  std::vector<Channel> state_;      ///< [node << shift | vc]
  std::vector<std::uint8_t> ring_;  ///< [node * ring_size_ + place]
  WorkSet active_;
  std::uint64_t retired_ = 0;
};

}  // namespace braid::models::icnt
