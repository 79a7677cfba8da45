// One of the networks that intersim2 calls subnets: injection, routers, ejection and the wires between them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/icnt/configuration.h"
#include "models/icnt/ejection.h"
#include "models/icnt/icnt.h"
#include "models/icnt/injection.h"
#include "models/icnt/routers.h"
#include "models/icnt/topology.h"
#include "models/icnt/wires.h"

namespace braid::models::icnt {

class Subnet {
 public:
  Subnet(const Configuration& configuration, const Wiring& wiring);

  /// Flits that wait to be injected.
  unsigned waiting(unsigned node) const { return injection_.waiting(node); }
  void push(unsigned from, unsigned to, void* payload, unsigned flits, unsigned range);
  bool can_pop(unsigned node) const { return ejection_.can_pop(node); }
  void* pop(unsigned node);
  void* top(unsigned node) const { return packets_[ejection_.top(node)].payload; }
  void transfer();
  bool busy() const { return flits_pushed_ != ejection_.flits_retired() || to_pop_ != 0; }

  Totals totals() const;
  void init();

 private:
  const Configuration& configuration_;
  PacketPool packets_;
  Wires wires_;
  Injection injection_;
  Ejection ejection_;
  Routers routers_;
  double steps_due_ = 0;  ///< internal_speedup a cycle
  std::uint64_t flits_pushed_ = 0;
  std::uint64_t to_pop_ = 0;  ///< complete packets
  std::uint64_t began_ = 0;   ///< cycle of the last init()
  Totals totals_;
};

}  // namespace braid::models::icnt
