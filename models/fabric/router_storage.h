// What a family's routers keep flits in: what estimates of energy and area need to know of a family
// (models/experiment/energy.h). Each family states its own, beside its registration.
#pragma once

#include <cstdint>

#include "routing/base/registry.h"

namespace braid::models {

struct RouterStorage {
  static const char* axis() { return "router architecture with buffers of known size"; }
  std::uint32_t vcs = 1;                   ///< a port
  std::uint32_t flits_a_port = 0;          ///< of all its VCs
  std::uint32_t packets_a_port = 0;        ///< whole ones, in a family whose buffers count packets ...
  std::uint32_t packets_a_router = 0;      ///< ... or in a pool of all ports
  std::uint32_t circuit_flits_a_port = 0;  ///< of the circuits' own lane
  bool fitted = true;                      ///< false: of such routers no estimate is known
};
/// By the names of `router.architecture`; a family without one has none.
using RouterStorageRegistry = Registry<RouterStorage, Configuration>;

}  // namespace braid::models
