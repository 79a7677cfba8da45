// Circuits as a family with circuits sees them: who wants which, and what becomes of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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
  /// A circuit, by its place in circuits(), starts at this local port of its source.
  virtual void circuit_found(std::size_t circuit, std::size_t local_port) = 0;
  /// Every circuit stands, or none does: then packets carry everything.
  virtual void set_up(bool success) = 0;
};

}  // namespace braid::models
