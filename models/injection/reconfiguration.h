// New paths after a link has gone down (docs/in-transit-buffers.md, "A link that goes down"): static reconfiguration.
// Old and new paths together could close a cycle of channels, so hosts that have been told hold their own packets back
// until no packet by an old path is left; then all go on by the new ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/observe/signals.h"
#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"
#include "routing/base/options.h"

namespace braid::models {

struct ReconfigurationOptions {
  double recompute_ns = 100000;  ///< from the failure until the hosts are told
};
/// In section [failure], beside what fails (routing/topology/failure.h).
const OptionTable<ReconfigurationOptions>& reconfiguration_options();
/// The options of the section.
std::vector<OptionBranch> failure_branches();

/// Of all hosts: one object a network that can lose a link.
class Reconfiguration {
 public:
  /// Throws InputError for a time that is no whole number of cycles.
  Reconfiguration(const Configuration& configuration, std::uint64_t clock_period_ps);

  /// After all packets of `cycle` have come, before hosts decide who begins in the next: true in the cycle in which
  /// they go over to the new paths.
  bool step(std::uint64_t cycle);
  /// May no host begin a packet of its own?
  bool holds() const { return holds_; }
  /// By which paths packets begin (routing::RouteTable).
  std::size_t epoch() const { return epoch_; }

  void began() { ++under_way_; }
  void delivered() { --under_way_; }
  void lost();

  /// What it counts.
  static const FigureList& figures();
  /// `flits_lost`: as the fabric counts them.
  Report report(std::uint64_t flits_lost) const;
  std::unique_ptr<SignalSource> signals(SignalTable& table) const;
  void checkpoint(Checkpoint& c) { c(holds_, epoch_, under_way_, packets_lost_, held_from_, resumed_, now_); }

 private:
  struct Counts;
  class Signals;
  std::uint64_t told_;  // first cycle in which no host may begin a packet of its own
  bool holds_ = false;
  std::size_t epoch_ = 0;
  std::uint64_t under_way_ = 0;  // packets that have begun, resting ones included
  std::uint64_t packets_lost_ = 0;
  std::optional<std::uint64_t> held_from_, resumed_;
  std::uint64_t now_ = 0;
};

}  // namespace braid::models
