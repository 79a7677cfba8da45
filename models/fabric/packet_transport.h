// What endpoints (sources, actors) see of whatever carries their packets: the routers' network interfaces or the ideal
// network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "models/fabric/flit.h"

namespace braid::models {

class PacketTransport {
 public:
  virtual ~PacketTransport() = default;
  /// Appends a packet to the source queue of a local port. The head can leave in a later cycle only.
  virtual void send(std::size_t local_port, PacketSlot packet) = 0;
  /// Appends one packet to several destinations, to each the same flits: `packets`, of the same length and source, are
  /// what each of them will have. Routers copy it where their ways part (Fabric::copy_packets()).
  virtual void send_copies(std::size_t /*local_port*/, const std::vector<PacketSlot>&) {
    throw std::logic_error("this network copies no packets");
  }
  /// Appends a packet to the queue of the circuit that starts on a lane of a local port (CircuitUser::circuit_found()).
  virtual void send_on_circuit(std::size_t /*local_port*/, std::uint32_t /*lane*/, PacketSlot) {
    throw std::logic_error("this network has no circuits");
  }
  /// A packet of a circuit, by the circuit's request's place.
  struct Copy {
    std::uint32_t circuit;
    PacketSlot packet;
  };
  /// The same of one item for all circuits of a tree, its first one's before the others
  /// (CircuitUser::circuit_joined()). The item leaves the node once.
  virtual void send_on_tree(std::size_t /*local_port*/, std::uint32_t /*lane*/, const std::vector<Copy>&) {
    throw std::logic_error("this network has no circuits that fork");
  }
  /// Packets of which no flit, or not every flit, has left.
  virtual std::size_t queued(std::size_t local_port) const = 0;
  /// Would the head of a packet sent now leave in the next cycle? Asked between two cycles; the default knows only that
  /// no other packet is before it.
  virtual bool ready(std::size_t local_port) const { return queued(local_port) == 0; }
  /// The same of a certain packet, where its class has virtual channels of its own.
  virtual bool ready_for(std::size_t local_port, PacketSlot) const { return ready(local_port); }
  /// Takes the packet at the front of a source queue back if no flit of it has left (a message scheduler preempts).
  virtual std::optional<PacketSlot> recall(std::size_t) { return std::nullopt; }
  /// Has `listener` called with a local port when its source queue becomes empty, if the interface can do that; false:
  /// whoever waits for ready() has to ask every cycle.
  virtual bool notify_when_empty(const std::function<void(std::size_t)>&) { return false; }
  /// May a packet be sent whose head has arrived at the same local port, and whose tail has not? Its flits go on as
  /// they come.
  virtual bool cuts_through() const { return false; }
  /// Where that may be: how many cycles it takes at least until as many flits are here, at the start of a cycle, of a
  /// packet that still comes in at a local port, or the whole packet is; 0: they are.
  virtual std::uint64_t missing(std::size_t /*local_port*/, PacketSlot, std::uint64_t /*flits*/) const {
    throw std::logic_error("this network does not tell how much of a packet has come");
  }
};

/// Takes what arrives.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  /// The head of a packet on a circuit, or for a queue of finite depth, is here: is there room for all of it? If so the
  /// room is taken.
  virtual bool admit(PacketSlot packet) = 0;
  /// The head of a packet has arrived in `cycle`. Families that pass no flits, or on circuits, do not say so.
  virtual void head(std::uint64_t, PacketSlot) {}
  /// The tail has arrived in `cycle`. The sink gives the slot back.
  virtual void deliver(std::uint64_t cycle, PacketSlot packet) = 0;
  /// The tail leaves its source queue at the end of `cycle`.
  virtual void sent(std::uint64_t cycle, PacketSlot packet) = 0;
  /// The last of a packet that a link has lost is gone in `cycle`. The sink gives the slot back. Families whose links
  /// stay up never say so.
  virtual void lost(std::uint64_t, PacketSlot) { throw std::logic_error("this network loses no packets"); }
  /// A packet was cut in two: what of it has come, or still comes, to the node of a local port goes by the slot `front`
  /// from now on.
  virtual void cut(std::size_t, PacketSlot /*whole*/, PacketSlot /*front*/) {}
};

}  // namespace braid::models
