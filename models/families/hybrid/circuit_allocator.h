// Which circuits' flits cross each router's switch next cycle, before packets ask (SA). A circuit between routers owns
// the ports that it takes; at a local port several share one crossbar input, or one output, and go in turn.
#pragma once

#include <vector>

#include "models/fabric/router_range.h"
#include "models/fabric/work_list.h"
#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid {

class CircuitForks;

/// Separable, input first, round robin: each input port offers one of its circuits, each output port takes one offer.
/// A circuit that has no credit has its request down, so it keeps no other one of its port from going.
class CircuitAllocator {
 public:
  /// `forks`: null: circuits do not fork. Of one that does, all its output ports have to take the offer.
  CircuitAllocator(const RouterBank& bank, RouterRange range, const CircuitForks* forks = nullptr);
  /// Ports that packets' flits have taken before, counted from the first of the range; null: none has.
  struct Taken {
    const bool *inputs = nullptr, *outputs = nullptr;
  };
  /// Appends the granted circuit lanes: at most one for each input port and one for each output port. `requesting`:
  /// input ports, counted from the first of the range, with a request up.
  void allocate(const WakeSet& requesting, const Taken& taken, WorkList<VcIndex>& grants);

  void checkpoint(Checkpoint& c) { c(lane_arbiters_, output_arbiters_); }

 private:
  /// With one circuit a port nobody shares: all that ask are granted.
  void grant_all(const WakeSet& requesting, const Taken& taken, WorkList<VcIndex>& grants);
  /// Circuits of an input port, counted from the first, that ask for ports that nobody has taken.
  VcMask asking(const BankView& bank, std::size_t i, const Taken& taken) const;

  void offer(VcIndex in_vc, VcIndex out_vc);
  /// Do all output ports of a circuit take it?
  bool wins(VcIndex in_vc) const;
  void grant(VcIndex in_vc, WorkList<VcIndex>& grants);

  const RouterBank& bank_;
  const CircuitForks* forks_;
  PortIndex first_port_;
  RoundRobinArbiters lane_arbiters_;    // [input port - first], among its circuits
  RoundRobinArbiters output_arbiters_;  // [output port - first], among input ports
  std::vector<Offer> offers_;           // [output port - first], empty between calls
  WorkList<PortIndex> wanted_;          // output ports with an offer
};

}  // namespace braid::models::hybrid
