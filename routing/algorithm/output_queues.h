// What a router knows of how full the ways out of it are: for algorithms that choose a packet's way by that.
#pragma once

#include <cstdint>

#include "routing/base/ids.h"

namespace braid::routing {

class OutputQueues {
 public:
  virtual ~OutputQueues() = default;
  /// Flits for which the router has no credit back yet, on all VCs of an output port: they are on the link or wait in
  /// the buffers behind it. At the end of a cycle.
  virtual std::uint32_t waiting_flits(RouterId router, PortId port) const = 0;
  /// The same of any router of the network, as it was at the end of the last cycle. No router could know it.
  virtual std::uint32_t waited_flits(RouterId router, PortId port) const = 0;
};

/// An algorithm that looks at queues of the router it is asked at, when a packet comes from its node. Routers that know
/// it have RC last in a cycle, when credits and grants are in.
class ReadsOutputQueues {
 public:
  virtual ~ReadsOutputQueues() = default;
  /// Who asks others may have none that does.
  virtual bool reads_queues() const { return true; }
  /// Does it ask for waited_flits()? They are counted in every cycle then.
  virtual bool reads_all_queues() const { return false; }
  /// Before the first cycle, by whoever has the queues; who is never told takes all to be empty.
  virtual void read_queues(const OutputQueues& queues) const = 0;
};

}  // namespace braid::routing
