// Circuits as a family with circuits sees them: who wants which, and what becomes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/fabric/on_topology.h"
#include "routing/base/figures.h"
#include "routing/base/ids.h"

namespace braid::models {

struct CircuitRequest {
  std::string name;  ///< "from -> to"
  NodeId source, destination;
};

/// Whoever wants circuits (a stream program). Called while they are set up, by one thread.
class CircuitUser {
 public:
  virtual ~CircuitUser() = default;
  virtual std::vector<CircuitRequest> circuits() const = 0;
  /// A circuit, by its place in circuits(), starts on this lane of a local port of its source.
  virtual void circuit_found(std::size_t circuit, std::size_t local_port, std::uint32_t lane) = 0;
  /// Every circuit stands, or none does: then packets carry everything.
  virtual void set_up(bool success) = 0;
};

struct CircuitResult {
  std::string stream;  ///< its request's name
  NodeId source, destination;
  /// An output port taken, at a router of the path.
  struct Step {
    RouterId router;
    PortId port;
  };
  std::vector<Step> path;  ///< from source to destination
  std::uint64_t setup_cycles = 0;
  std::uint32_t backtracks = 0;
};

struct SetupResults {
  bool attempted = false;
  bool fell_back_to_packets = false;
  std::uint32_t orders_tried = 0;
  std::string failed_stream;
  std::uint64_t total_cycles = 0;
  std::vector<CircuitResult> circuits;
};
const FigureTable<OnTopology<SetupResults>>& setup_figures();

}  // namespace braid::models
