// Whose turn it is among the local ports of a node that serves fewer of them in a cycle than it has
// (models/fabric/node_bandwidth.h), and the packets' flits that have come and wait until the node takes them. Such a
// flit keeps its buffer, and so its credit, as a circuit's does: what a node does not take holds up the network. Where
// queues behind the interface are finite (interface.ejection_queue_items) the VCs of a port wait apart, and are asked
// in turn: a packet without room holds up its VC, not its port.
#pragma once

#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/fabric/flit.h"
#include "models/fabric/node_bandwidth.h"
#include "models/fabric/wiring.h"
#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

class NodeTurns {
 public:
  /// A node's ports in turn, for one kind of flits one way: first the one behind that served last.
  struct Turn {
    std::uint32_t next = 0;
    /// Asks ports until `budget` of them had something. serve(port): a flit went.
    template <class Serve>
    void serve(std::uint32_t ports, std::size_t& budget, Serve flit_went) {
      const std::uint32_t from = next;
      for (std::uint32_t k = 0; k < ports && budget != 0; ++k) {
        const std::uint32_t port = from + k < ports ? from + k : from + k - ports;
        if (!flit_went(port)) continue;
        --budget;
        next = port + 1 == ports ? 0 : port + 1;
      }
    }
    void checkpoint(Checkpoint& c) { c(next); }
  };
  struct Node {
    std::size_t first = 0;    // of its local ports, among those that an interface serves
    std::uint32_t ports = 0;  // how many
    Turn packets_out, packets_in, circuits_out, circuits_in;
    void checkpoint(Checkpoint& c) { c(packets_out, packets_in, circuits_out, circuits_in); }
  };

  /// Of the local ports [first, last), whose ejection links have so many VCs with buffers of so many flits.
  NodeTurns(const NodeBandwidth& bandwidth, const Wiring& wiring, std::size_t first, std::size_t last,
            std::uint32_t vcs, std::size_t buffer_depth);

  const NodeBandwidth& bandwidth() const { return bandwidth_; }
  std::vector<Node>& nodes() { return nodes_; }
  bool holds_packets() const { return bandwidth_.packet_ejection != 0 || asks_for_room(); }
  /// Does a packet wait until its receiver has room?
  bool asks_for_room() const { return bandwidth_.ejection_queue_items != 0; }

  void hold(std::size_t port, const Flit& flit) {
    held_[port * queues_ + (queues_ == 1 ? 0 : flit.vc())].push_back(flit);
    ++held_flits_;
  }
  /// Flits that wait in one order: those of a VC, or all of a port.
  std::uint32_t queues() const { return queues_; }
  const boost::circular_buffer<Flit>& held(std::size_t port, std::uint32_t queue) const {
    return held_[port * queues_ + queue];
  }
  Flit take(std::size_t port, std::uint32_t queue) {
    boost::circular_buffer<Flit>& held = held_[port * queues_ + queue];
    const Flit flit = held.front();
    held.pop_front();
    --held_flits_;
    return flit;
  }
  /// Whose turn it is among the queues of a port.
  Turn& queue_turn(std::size_t port) { return queue_turns_[port]; }
  std::size_t held_flits() const { return held_flits_; }
  template <class Visit>
  void for_each_held(Visit visit) const {
    for (const boost::circular_buffer<Flit>& held : held_) {
      for (const Flit& flit : held) visit(flit);
    }
  }

  void checkpoint(Checkpoint& c);
  void check_restored(const Checkpoint& c) const;

 private:
  NodeBandwidth bandwidth_;
  std::uint32_t queues_;  // of a port
  std::vector<Node> nodes_;
  std::vector<boost::circular_buffer<Flit>> held_;  // [port][queue]
  std::vector<Turn> queue_turns_;                   // [port]
  std::size_t held_flits_ = 0;
};

}  // namespace braid::models::hybrid
