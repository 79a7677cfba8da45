// Path set-up by distributed backtracking (paper: tentacle-routing, section 2.3): one set-up unit in each router,
// joined by a narrow control channel that runs beside every link. A probe reserves link by link, minimal directions
// first, then detours; where no link is free it goes back, releasing. Each router remembers the search it last saw and
// the ports it has tried, so that a search visits every router at most once and ends: a depth-first search of the free
// links.
//
// Timing: a unit takes 1 cycle for a message and the channel 1 cycle a link, so every kind of message moves at 2 cycles
// a hop, and a path over h links is ready 4 h + 1 cycles after the request (5 between neighbours).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/channel.h"
#include "models/families/hybrid/router_bank.h"
#include "routing/topology/topology.h"

namespace braid::models::hybrid {

class Slice;
class CircuitForks;

/// Set in the number of a search that leaves avoided links alone: the highest bit of the RTL's search number.
constexpr std::uint32_t kAvoids = 1U << 15;
/// So many searches have numbers of their own beside it. Then all units forget those that they have seen
/// (SetupRequests::renumber), and the numbers begin with 1 again.
constexpr std::uint32_t kMaxSearches = kAvoids - 1;

/// How the one search (or tear-down) in the network ended.
struct SearchOutcome {
  bool done = false;
  bool success = false;
  std::uint64_t cycle = 0;
  std::uint32_t backtracks = 0;
  std::uint64_t ends = 1;  ///< that have still to come: of a tree's tear-down one for each destination
};

/// What a unit did with a message, as its ports show it.
struct SetupAction {
  std::uint64_t cycle = ~std::uint64_t{0};  ///< none
  RouterId router;
  VcIndex release_in = kNone, release_out = kNone;  ///< kNone: nothing
  VcIndex reserve_in = kNone, reserve_out = kNone;
  PortIndex send = kNone;  ///< over this port a message leaves
  ControlMessage sent;
  bool done = false, success = false;  ///< the search or tear-down has ended here
};

class SetupUnits {
 public:
  /// `forks`: null: circuits do not fork.
  SetupUnits(const routing::Topology& topology, RouterBank& bank, bool share_reserved_links,
             CircuitForks* forks = nullptr);

  /// Makes the direction table of a destination. Before the clock runs.
  void prepare(NodeId destination);

  /// Searches with kAvoids are not to take this output port. Before the clock runs.
  void avoid(PortIndex out) { avoided_[out] = true; }
  bool avoided(PortIndex out) const { return avoided_[out]; }

  /// Probes from now on carry this path, and go no other way. It outlives them.
  void follow(const std::vector<CircuitResult::Step>* path) { path_ = path; }

  /// A unit's cycle for one message. Called by the slice that has the router.
  void receive(Slice& slice, std::uint64_t cycle, const ControlMessage& message);

  /// What is around a router's unit: sets of ports.
  struct Straps {
    std::uint64_t network_ports = 0;  ///< lead to other routers
    std::uint64_t local_ports = 0;    ///< lead to its nodes
    std::uint64_t avoid_ports = 0;    ///< not for searches with kAvoids
    std::uint64_t directions = 0;     ///< lead closer to the destination; at its router its local ports
  };
  /// By the topology, if nobody has told.
  Straps straps(RouterId router, NodeId destination) const;
  /// For a unit that stands alone and is told by its ports.
  void tell(const Straps& straps) { told_ = straps; }

  /// The last that any unit did: one message is under way in the network.
  const SetupAction& last_action() const { return action_; }
  /// For a unit that stands in for a router's own: what it did. `backtrack`: with a message that came back.
  void take(Slice& slice, const SetupAction& action, bool backtrack);

  /// The outcome register that the set-up sequencer watches; one search at a time.
  SearchOutcome& outcome() { return outcome_; }

  /// History of a router, as its registers hold it.
  struct History {
    std::uint32_t search = 0;  ///< the last search seen here, with kAvoids; 0: none yet
    VcIndex in_vc = kNone;     ///< circuit lane on which its probe came in
    std::uint64_t tried = 0;   ///< output ports it has tried
    std::uint32_t tree = 0;    ///< that the search is to make, or to branch from; 0: none
    bool on_tree = false;      ///< it came along a circuit of that tree
    bool follows = false;      ///< ... and has gone on along it: nothing of the last port is its own
  };
  const History& history(RouterId r) const { return history_[r.value]; }
  void checkpoint(Checkpoint& c) {
    c.each(history_);
    c(outcome_);
  }
  /// Throws CheckpointError unless searches for the node have been prepared for.
  void check_destination(NodeId node) const {
    Checkpoint::expect(distances_.count(topology_.router_of(node).value) != 0,
                       "a search for a node that has no streams");
  }
  void check_restored() const;

 private:
  void probe(Slice& slice, std::uint64_t cycle, const ControlMessage& message);
  void advance(Slice& slice, std::uint64_t cycle, RouterId router, NodeId destination);
  void tear_down(Slice& slice, std::uint64_t cycle, const ControlMessage& message);
  /// Lanes that the search may take next: on to another router, or at its destination; kNone: none is left.
  VcIndex next_link(RouterId router, const Straps& straps) const;
  VcIndex next_of_tree(RouterId router, const Straps& straps) const;
  VcIndex on_path(RouterId router) const;
  VcIndex free_ejection(RouterId router, const Straps& straps) const;
  void send(Slice& slice, std::uint64_t cycle, PortIndex out_port, const ControlMessage& message);
  void end_search(std::uint64_t cycle, bool success);
  void reply(Slice& slice, std::uint64_t cycle, PortIndex in_port, ControlKind kind, const ControlMessage& message);
  void reserve(VcIndex in, VcIndex out);
  void release(VcIndex in, VcIndex out);
  bool is_local(PortIndex port) const;

  const routing::Topology& topology_;
  RouterBank& bank_;
  bool share_reserved_links_;
  CircuitForks* forks_;  // null: circuits do not fork
  std::vector<History> history_;
  std::vector<bool> avoided_;                                                // [output port of a router]
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> distances_;  // [router of a destination][router]
  const std::vector<CircuitResult::Step>* path_ = nullptr;                   // null: probes search
  std::optional<Straps> told_;
  SetupAction action_;
  SearchOutcome outcome_;
};

}  // namespace braid::models::hybrid
