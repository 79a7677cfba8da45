// Paths of which no two share a channel, one for each demand (paper: tentacle-routing, section 2.2: what its routers
// find stream by stream, found here by a program that sees the whole network). A policy each, all of them options of
// section [disjoint]: `braid circuits` asks every finder, or the one that `disjoint.finder` names.
//
// Local ports are no channels here: a node may start and end as many paths as there are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/progress.h"
#include "routing/base/registry.h"
#include "routing/paths/channels.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// One path; none of it is in the network if both are one router.
struct Demand {
  RouterId from, to;
  /// Demands with the same number, of one router, carry the same items, and may be a tree: who knows none looks for
  /// paths without a channel in common.
  std::optional<std::uint32_t> copies{};
};

/// Why there cannot be paths: these routers have fewer channels to (or from) all others than demands leave (or enter).
struct DemandCut {
  std::vector<RouterId> routers;
  bool leaving = true;
  std::uint32_t demands = 0;
  std::uint32_t channels = 0;
};

/// kNone is a proof; kUnknown only says that the finder has found nothing.
enum class DisjointAnswer { kFound, kNone, kUnknown };

struct DisjointPaths {
  DisjointAnswer answer = DisjointAnswer::kUnknown;
  /// [demand] channels, kFound only. Those of a tree share its channels.
  std::vector<std::vector<std::uint32_t>> paths = {};
  bool shortest = false;                        ///< kFound: proven that no other paths have fewer channels together
  std::optional<DemandCut> cut = std::nullopt;  ///< kNone, where a cut is the proof
  std::string proof = {};        ///< of kNone and `shortest`: "cut", "distance", "linear program", "branch and bound"
  std::uint64_t tries = 1;       ///< orders of the demands, rounds, or nodes of a search, whichever it counts
  std::uint32_t backtracks = 0;  ///< of the order that was found
};

class DisjointFinder {
 public:
  static const char* axis() { return "disjoint path finder"; }
  virtual ~DisjointFinder() = default;
  /// Does it look for paths at all? Not one that reads them, where no file is given: "all" leaves it out.
  virtual bool knows_any() const { return true; }
  /// `channels` are the topology's. What progress throws breaks it off.
  virtual DisjointPaths find(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                             const OnProgress& progress) const = 0;
};

struct DisjointContext {
  Configuration configuration;  ///< for the finder's own options, and the seed
};
using DisjointRegistry = Registry<DisjointFinder, DisjointContext>;

struct DisjointOptions {
  std::string finder = "all";
  std::uint32_t layouts = 0;
};
const OptionTable<DisjointOptions>& disjoint_options();
/// Exists with a section [disjoint]: what chooses, and every finder's options.
OptionBranch disjoint_branch();

}  // namespace braid::routing
