// One hybrid router by itself, as after reset: the registers and stage functions for a stage that stands alone and
// works on its ports. It loads into these registers what its input ports carry, calls the family's stage function, and
// reads from them what its output ports show.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/slice.h"
#include "models/stages/hybrid/router_shape.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::models::stages::hybrid {

using models::hybrid::Channel;
using models::hybrid::Options;
using models::hybrid::RouterBank;
using models::hybrid::SetupUnits;
using models::hybrid::Slice;
using models::hybrid::VcGrant;
using models::hybrid::VcIndex;

/// Where a router stands: its network, of which nobody else has registers.
struct AlonePlace {
  /// A router of an experiment's network, by its name there ("1,2"). Throws InputError.
  AlonePlace(const Configuration& experiment, const std::string& router);
  /// The middle of a star: each of its ports leads to a router of its own. It knows no routes. `options` says what a
  /// shape leaves open: allocators, arbiter, write bypass.
  explicit AlonePlace(const RouterShape& shape, Options options = {});
  AlonePlace(const AlonePlace&) = delete;
  AlonePlace& operator=(const AlonePlace&) = delete;

  RouterShape shape() const;

  const Configuration configuration;
  const Options options;
  const routing::Topology topology;
  const std::unique_ptr<const routing::RoutingAlgorithm> routing;
  const RouterId router;
};

class AloneRouter {
 public:
  explicit AloneRouter(std::shared_ptr<const AlonePlace> place);
  AloneRouter(const AloneRouter&) = delete;
  AloneRouter& operator=(const AloneRouter&) = delete;

  const AlonePlace& place() const { return *place_; }
  const RouterShape& shape() const { return shape_; }
  Slice& slice() { return *slices_[place_->router.value]; }
  RouterBank& bank() { return bank_; }
  SetupUnits& setup() { return setup_; }
  PacketStore& packets() { return *packets_; }

  PortIndex port(unsigned p) const { return bank_.port_index(place_->router, PortId{p}); }
  /// `i` is a place among [P x V]: packet VCs of input or of output ports.
  VcIndex vc(unsigned i) const { return bank_.vc_index(port(i / shape_.vcs), i % shape_.vcs); }
  unsigned place_of(VcIndex v) const { return bank_.port_of(bank_.port_of_vc(v)) * shape_.vcs + bank_.lane_of(v); }

  /// Rows of the circuit table: circuit lanes of all ports.
  VcIndex row(unsigned i) const { return bank_.circuit_vc(port(i / shape_.circuit_lanes), i % shape_.circuit_lanes); }
  unsigned row_of(VcIndex v) const {
    return bank_.port_of(bank_.port_of_vc(v)) * shape_.circuit_lanes + bank_.circuit_of(v);
  }

  /// What the links bring in `cycle` is filed here, as stages take from all channels alike.
  Channel::Slot& wires(std::uint64_t cycle) { return slice().self().at(cycle); }
  /// Calls visit(channel) for what the router sends to others and to itself.
  template <class Visit>
  void for_each_outgoing(Visit visit) {
    for (const auto& channel : slice().outgoing()) visit(*channel);
  }

  // Registers of the slice that no other stage may touch.
  WorkList<VcIndex>& waiting() { return slice().waiting_for_vc_; }
  WorkList<VcIndex>& switch_grants() { return slice().switch_grants_; }
  WorkList<VcGrant>& vc_grants() { return slice().vc_grants_; }
  WorkList<Slice::Traversal>& traversals() { return slice().traversals_; }
  WorkList<VcIndex>& heads() { return slice().heads_; }
  /// All of heads() are to be routed in this cycle ...
  void route_heads() { slice().routed_ = slice().heads_.size(); }
  /// ... or those that are, are by somebody else.
  void pass_heads_on();
  /// The switch requests of an input port, one bit a lane.
  void request(unsigned p, VcMask lanes);

 private:
  std::size_t index(unsigned p) const { return p; }  // the slice holds one router

  const std::shared_ptr<const AlonePlace> place_;
  const RouterShape shape_;
  const std::shared_ptr<PacketStore> packets_;
  RouterBank bank_;
  SetupUnits setup_;
  std::vector<std::uint32_t> slice_of_router_;
  std::vector<std::unique_ptr<Slice>> slices_;  // [router]: this one and its neighbours, whose wires it needs
};

}  // namespace braid::models::stages::hybrid
