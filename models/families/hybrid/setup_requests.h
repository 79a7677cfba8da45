// What the holder of the set-up token asks of the set-up units, one search or tear-down at a time: the requests of the
// nodes' interfaces, and where each circuit stands.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

class SetupRequests {
 public:
  /// `slice_of(router)` finds the slice that holds a router's set-up unit. Circuits go by their place in `circuits`.
  SetupRequests(const routing::Topology& topology, RouterBank& bank, SetupUnits& units,
                std::vector<CircuitRequest> circuits, std::function<Slice&(RouterId)> slice_of);

  const std::vector<CircuitRequest>& circuits() const { return circuits_; }
  /// Sends a probe from the first lane of the source's injection links where no circuit starts. False: there is none.
  /// `avoids`: the search leaves the links of setup.avoid_links alone.
  bool search(std::uint64_t cycle, std::size_t circuit, bool avoids = false);
  /// Follows the circuit, which stands, and releases it.
  void tear_down(std::uint64_t cycle, std::size_t circuit);
  const SearchOutcome& outcome() const { return units_.outcome(); }
  /// What the search that has just succeeded found. The circuit stands.
  CircuitResult take_found(std::size_t circuit);

  /// Of a circuit's end: a local port, by the numbering of the transport, and which of its circuits.
  struct End {
    std::size_t local_port = 0;
    std::uint32_t lane = 0;
    std::uint32_t link_latency_cycles = 1;  ///< of the injection or ejection link
  };
  End source(std::size_t circuit) const;
  End destination(std::size_t circuit) const;
  /// Of the tear-down of a circuit over so many routers, and its last flit, if no flit waits: at most so many cycles.
  std::uint64_t tear_down_cycles(std::size_t routers) const {
    const std::uint64_t link = bank_.wiring().max_link_latency_cycles;
    return (1 + link) * (routers + 1) + 1;
  }
  /// Has the source sent all that it was given for the circuit?
  bool all_sent(std::size_t circuit) const;
  /// Has the node at such an end taken all that came there?
  bool all_taken(std::size_t circuit, const End& end) const;
  /// Does the last search leave links alone?
  bool last_avoids() const { return last_avoids_; }
  /// Searches so far; each has the next number.
  std::uint32_t searches() const { return searches_; }
  /// Is it an end of circuits, and are these steps over links? Throws CheckpointError.
  void check_end(const End& end) const;
  void check_path(const std::vector<CircuitResult::Step>& path) const;
  /// The circuit's path has a link that searches can be told to avoid.
  bool on_avoided_link(const CircuitResult& circuit) const;
  void checkpoint(Checkpoint& c) {
    c.each(lanes_);
    c(searches_, last_avoids_, started_);
    if (!c.restoring()) return;
    for (const VcIndex lane : lanes_) {
      if (lane != kNone) c.index(lane, bank_.input_vc_count(), "circuit lane");
    }
  }

 private:
  void send(std::uint64_t cycle, VcIndex in_vc, ControlKind kind, NodeId destination, std::uint32_t search);
  VcIndex last_lane(VcIndex in_vc, std::vector<CircuitResult::Step>* path) const;
  const NetworkInterfaces& interfaces(NodeId node) const;

  const routing::Topology& topology_;
  RouterBank& bank_;
  SetupUnits& units_;
  std::vector<CircuitRequest> circuits_;
  std::function<Slice&(RouterId)> slice_of_;
  std::vector<VcIndex> lanes_;  // [circuit] on which it comes in from its node, or its search does
  std::uint32_t searches_ = 0;
  bool last_avoids_ = false;
  std::uint64_t started_ = 0;  // cycle of the request
};

}  // namespace braid::models::hybrid
