// The devices' side of a subnet: each node's injection queue, counted in flits, and the credits of the first router's
// input channels. One packet at a time, one flit a node and cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "models/icnt/configuration.h"
#include "models/icnt/port_sets.h"
#include "models/icnt/wires.h"

namespace braid::models::icnt {

class Injection {
 public:
  /// `channels`: the first input channel of the router that a node injects into.
  Injection(const Configuration& configuration, PacketPool& packets, Wires& wires, std::vector<std::uint32_t> channels);

  unsigned waiting(unsigned node) const { return nodes_[node].flits; }
  void push(unsigned node, PacketId packet);
  /// Credits that have come.
  void take_credits();
  /// Each node that can sends a flit.
  void inject();

 private:
  struct Node {
    PacketList queue;
    std::uint32_t flits = 0;  ///< of all packets
    std::uint32_t left = 0;   ///< of the first
    int vc = -1;              ///< of the first, once its head has left
    int last_vc = -1;
    std::uint64_t free = 0;  ///< channels that no packet holds
  };

  bool choose_channel(unsigned node);
  void send(unsigned node);

  const Configuration& configuration_;
  PacketPool& packets_;
  Wires& wires_;
  std::vector<std::uint32_t> channels_;
  std::vector<Node> nodes_;
  unsigned shift_;                      ///< Configuration::channel_shift()
  std::vector<std::uint32_t> credits_;  ///< [node << shift | vc]
  WorkSet active_;
};

}  // namespace braid::models::icnt
