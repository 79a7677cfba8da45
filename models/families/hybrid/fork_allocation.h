// VA and SA of routers whose packets fork: separable, input first, with round robin, as router.vc_allocator and
// router.switch_allocator "separable_input_first", and with their registers, so that packets with one destination are
// granted what they would be granted there. What is more: a packet that forks asks for an output VC for each branch
// that has none, and an input VC offers its flit to every output whose branch is ready for it, in one cycle; each
// output decides by itself.
#pragma once

#include <vector>

#include "models/fabric/work_list.h"
#include "models/families/hybrid/packet_forks.h"
#include "models/families/hybrid/separable_vc_arbitration.h"
#include "models/families/hybrid/switch_allocator.h"

namespace braid::models::hybrid {

class ForkAllocation {
 public:
  using Grants = std::vector<PacketForks::Grant>;
  struct VcGranted {
    PacketForks::Grant to;
    VcIndex out_vc = kNone;
  };

  /// `pointers`, `arbitration`: those of the slice's allocators. Of all routers.
  ForkAllocation(const RouterBank& bank, const PacketForks& forks, const RoundRobinPointers& pointers,
                 SeparableVcArbitration<RoundRobinArbiters>& arbitration);

  /// As VcAllocator::allocate(); what branches are granted goes to branch_vcs().
  void allocate_vcs(const VcRequests& requests, WorkList<VcGrant>& grants);
  /// As SwitchAllocator::allocate(); what branches are granted goes to branch_flits().
  void allocate_switch(const WakeSet& requesting, WorkList<VcIndex>& grants);

  std::vector<VcGranted>& branch_vcs() { return branch_vcs_; }
  Grants& branch_flits() { return branch_flits_; }

 private:
  /// What was granted to branches goes from the heads' grants to branch_vcs().
  void take_out_branches(WorkList<VcGrant>& grants);
  void find_forked_lanes();
  void offer(PortIndex in_port);
  void offer_to(PortIndex out_port, VcIndex in_vc);

  const RouterBank& bank_;
  const PacketForks& forks_;
  RoundRobinPointers pointers_;
  SeparableVcArbitration<RoundRobinArbiters>& arbitration_;
  std::uint32_t lane_mask_, port_mask_;  // that pointers go round in
  WorkList<VcIndex> asking_;             // heads, and forked VCs once for each branch without an output VC
  std::vector<VcGranted> asked_;         // what each branch asks for
  std::vector<VcMask> forked_lanes_;     // [input port] with a branch that is ready
  std::vector<PortIndex> forked_ports_;  // that have such
  std::vector<Offer> offers_;            // [output port], empty between calls
  std::vector<PortIndex> wanted_;        // output ports with an offer
  std::vector<VcGranted> branch_vcs_;
  Grants branch_flits_;
};

}  // namespace braid::models::hybrid
