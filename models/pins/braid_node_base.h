// All of BraidNode (models/pins/braid_node.h) that does not depend on the width of a flit.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "models/pins/network_node.h"
#include "models/pins/request_ends.h"

namespace braid::models::pins {

/// An end of a link for each local port of the node, in order.
class BraidNodeBase : public RequestEnds {
 public:
  using Arrival = NetworkNode::Arrival;

  // All of these may be called from any process, and from callbacks. What is asked at the time of a clock edge, before
  // or after this module has seen it, counts as asked after it: its first effect is at the next edge.
  /// Queues a packet; returns its number, from 0. Throws std::invalid_argument (NetworkNode::send).
  std::uint64_t send(NodeId to, FlitList flits);
  /// Packets that wait or are on their way out.
  std::size_t queued() const { return node_.queued() + asked_.size(); }
  /// Starts a search for a circuit, one at a time in a network, under a new number from 1 to 65535. on_outcome() tells
  /// how it ends, circuit() then where the circuit starts.
  void request_circuit(NodeId to, std::uint32_t search);
  std::optional<CircuitStart> circuit() const { return circuit_; }
  std::uint64_t send_on_circuit(CircuitStart circuit, FlitList flits);
  /// After the circuit's last flit has left this node. Its other end hears of it when it is gone, on_torn_down(); until
  /// then nobody may ask for another.
  void tear_down(CircuitStart circuit, std::uint32_t search);

  void on_arrival(std::function<void(const Arrival&)> f) { node_.callbacks.arrived = std::move(f); }
  /// The tail of a packet leaves: its number, and the cycle in which its head was on the link.
  void on_sent(std::function<void(std::uint64_t, std::uint64_t)> f) { node_.callbacks.sent = std::move(f); }
  void on_outcome(std::function<void(bool success)> f) { node_.callbacks.outcome = std::move(f); }
  void on_torn_down(std::function<void()> f) { node_.callbacks.torn_down = std::move(f); }
  /// Is there room for the packet on a circuit that begins with this head? Without it there always is.
  void room_for(std::function<bool(const hybrid::FlitData&)> f) { node_.callbacks.room = std::move(f); }

  const RouterPlace& place() const { return *place_; }
  NodeId node() const { return id_; }
  /// Of the router: to which of its ports each vector's pins belong.
  const std::vector<std::uint32_t>& ports() const { return node_.ports(); }

 protected:
  BraidNodeBase(const sc_core::sc_module_name& name, const Configuration& experiment, NodeId node);
  void enter_reset() override;
  void clock_edge() override;
  void check_pins() override;

 private:
  void ask(std::function<void()> what);
  void write_pins(bool all);

  std::unique_ptr<const RouterPlace> place_;
  NodeId id_;
  NetworkNode node_;
  struct Asked {
    sc_core::sc_time at;
    std::function<void()> what;
  };
  std::deque<Asked> asked_;
  std::optional<CircuitStart> circuit_;
  std::uint64_t next_packet_ = 0;
  hybrid::WireOutputs router_;
  hybrid::WireInputs outputs_;
};

}  // namespace braid::models::pins
