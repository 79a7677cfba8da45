// A node's network interface with its flits' data: packets in, wires of its router's local ports out. The interface is
// the model's (models/families/hybrid/network_interface.h); the router is whoever drives the wires.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/pins/link_rules.h"
#include "models/pins/lone_router.h"
#include "models/rtl/wires.h"

namespace braid::models::pins {

/// A packet's flits, head first. The lowest 16 bits of a head's data are its destination, put there by send(); on a
/// circuit all bits are the user's.
using FlitList = std::vector<hybrid::FlitData>;

/// A circuit lane of a node's local port, on which a circuit starts.
struct CircuitStart {
  std::uint32_t port = 0;     ///< of the router
  std::uint32_t circuit = 0;  ///< which of that port's circuits
};

class NetworkNode final : public PacketSink {
 public:
  struct Arrival {
    std::uint64_t cycle = 0;  ///< in which the tail came
    bool on_circuit = false;
    FlitList flits;
  };
  struct Callbacks {
    std::function<void(const Arrival&)> arrived;
    /// The tail of a packet leaves; the cycle in which its head was on the link.
    std::function<void(std::uint64_t packet, std::uint64_t injected)> sent;
    /// The head of a packet has come on a circuit: is there room for all of it? Asked again each cycle until there is.
    std::function<bool(const hybrid::FlitData& head)> room;
    /// The search that this node asked for has ended.
    std::function<void(bool success)> outcome;
    /// A circuit that ended at this node's router is gone, all the way from its source.
    std::function<void()> torn_down;
  };

  NetworkNode(const RouterPlace& place, NodeId node);

  Callbacks callbacks;

  void reset();
  /// One cycle: the router's outputs during it; `to_router` becomes what its inputs are after the edge. Throws
  /// WireError.
  void clock(const hybrid::WireOutputs& router, hybrid::WireInputs& to_router);
  /// Cycles since reset; the first is 1.
  std::uint64_t cycle() const { return cycle_; }

  /// Throw std::invalid_argument: no flits, more than 65535, no such node; no circuits, a number out of range.
  void check(NodeId to, const FlitList& flits) const;
  void check_search(std::uint32_t search) const;

  /// Queues a packet, numbered `packet` by its sender. Local ports take turns. It has been checked.
  void send(std::uint64_t packet, NodeId to, FlitList flits);
  std::size_t queued() const { return sending_.size(); }  ///< packets of which the tail has not left

  /// Starts a search; nothing if no lane is free or one is under way. `search`: 1 to 65535, a new number in the
  /// network.
  std::optional<CircuitStart> request_circuit(NodeId to, std::uint32_t search);
  void send_on_circuit(std::uint64_t packet, CircuitStart circuit, FlitList flits);
  /// Once it is gone, the node at its end hears of it (`torn_down`); until then nobody may ask for another.
  void tear_down(CircuitStart circuit, std::uint32_t search);

  // The interface's side.
  bool admit(PacketSlot packet) override;
  void deliver(std::uint64_t cycle, PacketSlot packet) override;
  void sent(std::uint64_t cycle, PacketSlot packet) override;

  const std::vector<std::uint32_t>& ports() const { return ports_; }  ///< of the router, in order

 private:
  struct Sending {
    std::uint64_t packet = 0;
    FlitList flits;
  };
  struct Receiving {
    PacketSlot slot = 0;
    std::uint32_t flits = 0;  // come so far; 0: no packet is under way
  };
  PacketSlot prepare(std::uint64_t packet, NodeId to, FlitList flits);
  Flit receive(std::uint32_t port, const hybrid::FlitWires& wires);
  void end_request(bool success);
  void write(hybrid::WireInputs& to_router);
  hybrid::NetworkInterfaces& interfaces() { return router_->slice().interfaces(); }
  std::size_t local_port(std::uint32_t port) const;

  const RouterPlace& place_;
  NodeId node_;
  std::vector<std::uint32_t> ports_;
  LinkRules rules_;
  std::shared_ptr<PacketStore> store_ = shared_packets();
  PacketStore::Pool pool_{*store_};
  hybrid::FlitCodec codec_;
  std::unique_ptr<LoneRouter> router_;
  hybrid::RouterInputs inputs_;
  std::map<PacketSlot, Sending> sending_;
  std::map<PacketSlot, FlitList> arriving_;
  std::array<std::vector<Receiving>, hybrid::kMaxPinPorts> receiving_;  // [port][lane]
  std::array<std::uint32_t, hybrid::kMaxPinPorts> circuits_ = {};       // [port] lanes on which circuits start
  std::optional<CircuitStart> asked_;                                   // a search under way
  std::size_t next_port_ = 0;
  std::uint64_t cycle_ = 1;
};

}  // namespace braid::models::pins
