// What the holder of the set-up token asks of the set-up units, one search or tear-down at a time: the requests of the
// nodes' interfaces, and where each circuit stands.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/planned_paths.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

/// The lane of a local port, by the numbering of the transport, on which a circuit starts or ends.
struct CircuitEnd {
  std::size_t local_port = 0;
  std::uint32_t lane = 0;
  std::uint32_t link_latency_cycles = 1;  ///< of the injection or ejection link
};

/// What the set-up sequencer asks, and is told. Circuits go by their place in circuits().
class CircuitSearch {
 public:
  virtual ~CircuitSearch() = default;
  virtual const std::vector<CircuitRequest>& circuits() const = 0;
  /// Sends a probe from the first lane of the source's injection links where no circuit starts. False: there is none.
  /// `avoids`: the search leaves the links of setup.avoid_links alone.
  virtual bool search(std::uint64_t cycle, std::size_t circuit, bool avoids) = 0;
  /// Before a search, with fewer than so many numbers left: has all units forget the searches they have seen, which
  /// takes this cycle, and true. Then numbers begin anew. No search, no tear-down may be under way.
  virtual bool renumber(std::uint64_t cycle, std::uint32_t numbers) = 0;
  /// Follows the circuit, which stands, and releases it.
  virtual void tear_down(std::uint64_t cycle, std::size_t circuit) = 0;
  /// Of the last search or tear-down.
  virtual const SearchOutcome& outcome() const = 0;
  /// What the search that has just succeeded found. The circuit stands.
  virtual CircuitResult take_found(std::size_t circuit) = 0;
  virtual CircuitEnd source(std::size_t circuit) const = 0;
  /// The circuit whose tree this one is a branch of; itself: it has links of its own alone.
  virtual std::size_t tree_of(std::size_t circuit) const { return circuit; }
  /// Are these steps over links? Throws CheckpointError.
  virtual void check_path(const std::vector<CircuitResult::Step>& path) const = 0;
};

class SetupRequests final : public CircuitSearch {
 public:
  /// `slice_of(router)` finds the slice that holds a router's set-up unit.
  SetupRequests(const routing::Topology& topology, RouterBank& bank, SetupUnits& units,
                std::vector<CircuitRequest> circuits, std::function<Slice&(RouterId)> slice_of,
                CircuitForks* forks = nullptr);

  /// Searches follow these paths from now on ([circuit]); there are none: they fail.
  void follow(PlannedPaths paths) { planned_ = std::move(paths); }
  const std::vector<CircuitRequest>& circuits() const override { return circuits_; }
  bool search(std::uint64_t cycle, std::size_t circuit, bool avoids) override;
  bool renumber(std::uint64_t cycle, std::uint32_t numbers) override;
  void tear_down(std::uint64_t cycle, std::size_t circuit) override;
  const SearchOutcome& outcome() const override { return units_.outcome(); }
  CircuitResult take_found(std::size_t circuit) override;
  std::size_t tree_of(std::size_t circuit) const override { return trees_[circuit]; }
  /// The last search or tear-down that was asked for, for whoever looks.
  struct Asked {
    bool any = false;
    std::uint64_t cycle = 0;
    std::size_t circuit = 0;
    ControlKind kind = ControlKind::kProbe;
  };
  const Asked& asked() const { return asked_; }

  using End = CircuitEnd;
  End source(std::size_t circuit) const override;
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
  /// The circuit, which does not stand, is between these nodes from now on; or it is one more.
  void change(std::size_t circuit, const CircuitRequest& request);
  /// Does the last search leave links alone?
  bool last_avoids() const { return last_avoids_; }
  /// The number of the last search; each has the next one. 0: none since the units forgot.
  std::uint32_t searches() const { return searches_; }
  /// So many searches have numbers of their own, at most kMaxSearches.
  void limit_numbers(std::uint32_t most) { most_searches_ = most; }
  /// Is it an end of circuits? Throws CheckpointError.
  void check_end(const End& end) const;
  void check_path(const std::vector<CircuitResult::Step>& path) const override;
  /// The circuit's path has a link that searches can be told to avoid.
  bool on_avoided_link(const CircuitResult& circuit) const;
  void checkpoint(Checkpoint& c) {
    c.each(lanes_);
    c(searches_, last_avoids_, started_);
    if (planned_) c(asked_.circuit);
    if (forks_ != nullptr) c(trees_);
    if (!c.restoring()) return;
    if (planned_) follow_planned(asked_.circuit);
    for (const VcIndex lane : lanes_) {
      if (lane != kNone) c.index(lane, bank_.input_vc_count(), "circuit lane");
    }
    c.expect(trees_.size() == circuits_.size(), "trees of other circuits");
    for (const std::size_t tree : trees_) c.index(tree, circuits_.size(), "circuit");
  }

 private:
  void send(std::uint64_t cycle, VcIndex in_vc, ControlMessage message);
  void follow_planned(std::size_t circuit);
  VcIndex last_lane(VcIndex in_vc, std::vector<CircuitResult::Step>* path) const;
  const NetworkInterfaces& interfaces(NodeId node) const;
  /// The standing circuit with the same items whose tree a further one may join, or the circuit itself.
  std::size_t standing_tree(std::size_t circuit) const;
  void walk_back(std::size_t circuit, CircuitResult& found) const;

  const routing::Topology& topology_;
  RouterBank& bank_;
  SetupUnits& units_;
  std::vector<CircuitRequest> circuits_;
  std::function<Slice&(RouterId)> slice_of_;
  std::optional<PlannedPaths> planned_;
  std::vector<VcIndex> lanes_;      // [circuit] on which it comes in from its node, or its search does
  CircuitForks* forks_;             // null: circuits do not fork
  std::vector<std::size_t> trees_;  // [circuit] whose tree it is a branch of, or its search is; itself: of none
  std::uint32_t searches_ = 0;
  std::uint32_t most_searches_ = kMaxSearches;
  bool last_avoids_ = false;
  std::uint64_t started_ = 0;  // cycle of the request
  Asked asked_;
};

}  // namespace braid::models::hybrid
