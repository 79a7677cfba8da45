// What an algorithm may say of itself besides RoutingAlgorithm: its answers are a table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "routing/base/ids.h"

namespace braid::routing {

struct GridPlace {
  std::int16_t x = 0, y = 0;
};

/// Ways on that follow from where the destination lies as seen from the router.
struct WaysByPlace {
  std::vector<GridPlace> routers;  ///< [router]
  std::vector<GridPlace> nodes;    ///< [node] of its router
  /// [3 * x + y], each 0: at lower coordinates than the router, 1: at the same, 2: at higher. Of the destination's own
  /// router, in the middle, none: there it is the node's port.
  std::array<PortId, 9> ports;
};

class PortTable {
 public:
  virtual ~PortTable() = default;
  /// Is the way on from a router the same for all packets to a destination, one port with any VC, whatever else the
  /// query says? Then whoever asks often may keep the answers.
  virtual bool is_table_of_ports() const = 0;
  /// The whole table in few words, if there are such.
  virtual std::optional<WaysByPlace> by_place() const { return std::nullopt; }
};

}  // namespace braid::routing
