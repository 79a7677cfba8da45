// What an event line stops at: a station in each node's interface. The line's carriers know no more of it.
#pragma once

#include <cstdint>

#include "routing/base/ids.h"

namespace braid::models {

class Stops {
 public:
  virtual ~Stops() = default;
  /// The signal is at the node's station from `cycle` on.
  virtual void receive(NodeId node, std::uint64_t cycle) = 0;
  /// The signal has been at the station in `cycle`: may it leave? If so it is on its way in the next cycle.
  virtual bool try_release(NodeId node, std::uint64_t cycle) = 0;
};

}  // namespace braid::models
