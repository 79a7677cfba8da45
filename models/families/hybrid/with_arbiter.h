// Chooses an allocator's arbiter at elaboration, so that no arbiter is called through a pointer while the clock runs.
#pragma once

#include <memory>

#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/switch_allocator.h"

namespace braid::models::hybrid {

/// Allocator<RoundRobinArbiters> or Allocator<MatrixArbiters>. Throws InputError for an unknown arbiter.
template <class Policy, template <class> class Allocator>
std::unique_ptr<Policy> with_arbiter(const AllocatorOptions& options) {
  if (options.arbiter == "round_robin") return std::make_unique<Allocator<RoundRobinArbiters>>(options);
  if (options.arbiter == "matrix") return std::make_unique<Allocator<MatrixArbiters>>(options);
  throw InputError(unknown_name("arbiter", options.arbiter, ArbiterRegistry::instance().names()));
}

}  // namespace braid::models::hybrid
