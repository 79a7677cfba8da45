// Speculative switch allocation (router.speculative; Peh and Dally, "A delay model and speculative architecture for
// pipelined routers", HPCA 2001): a head asks for the switch in the cycle in which it asks for an output VC, on the
// chance that it gets one. It costs the others nothing: it takes only ports that no flit with an output VC was granted,
// and where VA fails it the switch stays idle.
//
// A head does not know which way VA will take; it asks for the first that routing offers. Two stages of round-robin
// arbiters, as in SA: an input port offers one of its heads, an output port takes one of the offers. What they choose
// is chosen blindly, so a head that gets no VC can take the switch from one that does.
#pragma once

#include <memory>
#include <vector>

#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/vc_allocator.h"

namespace braid::models::hybrid {

class Speculation {
 public:
  Speculation(const RouterBank& bank, RouterRange range);

  /// After SA and VA of a cycle: appends to grants() the heads that have won the switch and a VC with a credit there.
  void allocate(const WorkList<VcIndex>& waiting, const WorkList<VcIndex>& switch_grants,
                const WorkList<VcGrant>& vc_grants);
  /// To be committed when their VCs are theirs.
  WorkList<VcIndex>& grants() { return grants_; }

  void checkpoint(Checkpoint& c) { c(input_arbiters_, output_arbiters_); }

 private:
  void offer(const WorkList<VcIndex>& waiting);
  void take(const WorkList<VcGrant>& vc_grants);
  /// Of a head: the output port that it asks for.
  PortIndex wanted(VcIndex in_vc) const {
    const PortIndex port = bank_.port_of_vc(in_vc);
    return bank_.port_index(bank_.router_of(port), bank_.candidates(in_vc)->port);
  }
  std::size_t at(PortIndex port) const { return port - first_port_; }

  const RouterBank& bank_;
  PortIndex first_port_;
  RoundRobinArbiters input_arbiters_;   // [input port - first] of its VCs
  RoundRobinArbiters output_arbiters_;  // [output port - first] of its router's input ports
  WorkList<VcIndex> grants_;
  // Empty, zero or false between calls:
  std::unique_ptr<bool[]> taken_inputs_, taken_outputs_;  // [port - first] by a flit that has its VC
  std::vector<VcMask> heads_;                             // [input port - first] lanes of heads that ask
  std::vector<std::uint64_t> offers_;                     // [output port - first] input ports of the router that offer
  WorkList<PortIndex> asking_, asked_;                    // input ports with such heads, output ports with offers
};

}  // namespace braid::models::hybrid
