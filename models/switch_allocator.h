// SA: which input VC crosses each router's switch next cycle.
#pragma once

#include "models/router_bank.h"
#include "models/router_range.h"
#include "models/work_list.h"
#include "routing/registry.h"

namespace braid::models {
/// Circuits come first: their flits hold the input and output ports of `taken_*` in the next cycle, and the allocator
/// shares out what is left.
struct SwitchRequests {
  const RouterBank& bank;
  const WorkList<std::uint32_t>& routers;  ///< with at least one request up
  const std::uint64_t* taken_inputs;       ///< [router - range.first]
  const std::uint64_t* taken_outputs;      ///< [router - range.first]
};

class SwitchAllocator {
 public:
  static const char* axis() { return "switch allocator"; }
  virtual ~SwitchAllocator() = default;
  /// Appends the granted input VCs: at most one for each input port and one for each output port. Reads only registers
  /// of the bank; updates only its own.
  virtual void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) = 0;
};

/// What an allocator is made for, and the arbiter it is made of ("round_robin", "matrix").
struct AllocatorOptions {
  const RouterBank* bank = nullptr;
  RouterRange range;
  std::string arbiter;
};
using SwitchAllocatorRegistry = Registry<SwitchAllocator, AllocatorOptions>;

/// Names that AllocatorOptions::arbiter may have.
std::vector<std::string> arbiter_names();

}  // namespace braid::models
