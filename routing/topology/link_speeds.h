// Links that are faster by themselves: flits that a link takes in a cycle, where that is not one (paper: sat-fairness,
// section II: "using faster links in the higher levels"). Beside the topology rather than in it: who moves flits one a
// cycle asks for nothing, and is refused such a network by whoever makes it.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::routing {

constexpr std::uint32_t kMostLinkSpeed = 64;  ///< flits/cycle, each direction

/// [router][port] flits/cycle; empty: one everywhere.
using Speeds = std::vector<std::vector<std::uint32_t>>;

/// What a kind of topology knows of its links' speeds; registered by the kind's name. Kinds without one have none.
class LinkSpeeds {
 public:
  static const char* axis() { return "topology whose links may be faster"; }
  virtual ~LinkSpeeds() = default;
  virtual Speeds of(const Topology& topology) const = 0;
};
using LinkSpeedsRegistry = Registry<LinkSpeeds, Configuration>;

/// Of the kind that `topology.kind` names, which has built `topology`. Both ends of a link have the same. Throws
/// InputError.
Speeds link_speeds(const Topology& topology, const Configuration& configuration);

}  // namespace braid::routing
