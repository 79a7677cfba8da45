// VA: which waiting head gets which output VC.
#pragma once

#include "models/fabric/work_list.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/switch_allocator.h"
#include "routing/base/registry.h"

namespace braid::models::hybrid {

struct VcGrant {
  VcIndex in_vc = 0;
  VcIndex out_vc = 0;
};

struct VcRequests {
  const RouterBank& bank;
  const WorkList<VcIndex>& waiting;  ///< routed heads without output VC, in any order; their candidates are in the bank
  std::uint64_t cycle = 0;           ///< now
};

class RoundRobinArbiters;
template <class Arbiters>
class SeparableVcArbitration;

class VcAllocator {
 public:
  static const char* axis() { return "VC allocator"; }
  virtual ~VcAllocator() = default;
  /// Appends grants: at most one for each waiting input VC and one for each free output VC. Reads only registers of the
  /// bank; updates only its own. The result does not depend on the order of `waiting`.
  virtual void allocate(const VcRequests& requests, WorkList<VcGrant>& grants) = 0;
  /// For an engine that chooses for the heads in another way and arbitrates as this does; null: nobody else can.
  virtual SeparableVcArbitration<RoundRobinArbiters>* round_robin() { return nullptr; }
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this allocator has no checkpoint()"); }
};

using VcAllocatorRegistry = Registry<VcAllocator, AllocatorOptions>;

/// Free packet VCs of `candidate` at the router of `in_vc`.
inline VcMask free_candidate_vcs(const RouterBank& bank, VcIndex in_vc, const routing::Candidate& candidate) {
  const RouterId router = bank.router_of(bank.port_of_vc(in_vc));
  return candidate.vcs & bank.free_vcs[bank.port_index(router, candidate.port)];
}

}  // namespace braid::models::hybrid
