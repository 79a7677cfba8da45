// What an algorithm may say of itself besides RoutingAlgorithm: its answers are a table.
#pragma once

namespace braid::routing {

class PortTable {
 public:
  virtual ~PortTable() = default;
  /// Is the way on from a router the same for all packets to a destination, one port with any VC, whatever else the
  /// query says? Then whoever asks often may keep the answers.
  virtual bool is_table_of_ports() const = 0;
};

}  // namespace braid::routing
