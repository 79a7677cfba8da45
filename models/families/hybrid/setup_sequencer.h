// The token of tentacle routing (section 2.3): streams are set up one after the other, node by node. A search that ends
// without a path ends the order: all circuits are torn down and another order is tried, a configured number of times;
// then every stream falls back to packet routing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/slice.h"
#include "routing/base/random.h"

namespace braid::models::hybrid {

class SetupSequencer {
 public:
  /// `slice_of(router)` finds the slice that holds a router's set-up unit.
  SetupSequencer(const routing::Topology& topology, RouterBank& bank, SetupUnits& units, CircuitUser& user,
                 const Options& options, std::uint64_t seed, std::function<Slice&(RouterId)> slice_of);

  /// One cycle; between the clock edges of the slices.
  void step(std::uint64_t cycle);

  bool done() const { return state_ == State::kDone; }
  const SetupResults& results() const { return results_; }

 private:
  enum class State : std::uint8_t { kPassToken, kSearching, kTearingDown, kDone };
  void pass_token(std::uint64_t cycle);
  void start_search(std::uint64_t cycle);
  void end_search(std::uint64_t cycle);
  void start_tear_down(std::uint64_t cycle);
  void send_request(std::uint64_t cycle, VcIndex in_vc, ControlKind kind, NodeId destination);
  void give_up_order(std::uint64_t cycle);
  void end_order(std::uint64_t cycle, bool success);
  CircuitResult path_of_circuit(std::uint32_t edge, VcIndex in_vc) const;

  const routing::Topology& topology_;
  RouterBank& bank_;
  SetupUnits& units_;
  CircuitUser& user_;
  std::vector<CircuitRequest> requests_;
  Options options_;
  Random random_;
  std::function<Slice&(RouterId)> slice_of_;

  State state_ = State::kPassToken;
  std::vector<std::uint32_t> order_;  // edges
  std::size_t position_ = 0;          // in order_
  std::vector<VcIndex> established_;  // lanes on which circuits come in from their nodes, in order of set-up
  std::uint64_t wait_until_ = 0;
  std::uint64_t started_ = 0;  // cycle of the request
  std::uint32_t search_ = 0;
  VcIndex in_vc_ = kNone;  // lane on which the present search starts
  SetupResults results_;
};

}  // namespace braid::models::hybrid
