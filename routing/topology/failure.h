// A link between two routers that goes down in mid-run (section [failure]): which one, when, and what is left.
#pragma once

#include <cstdint>
#include <string>

#include "routing/base/options.h"
#include "routing/topology/topology.h"

namespace braid::routing {

struct FailureOptions {
  std::string router;           ///< one end of the link, by name,
  std::string port;             ///< and its port there
  std::uint64_t cycle = 10000;  ///< at whose start the link goes down
};
/// In section [failure], which exists only where it is opened.
const OptionTable<FailureOptions>& failure_options();
bool has_failure(const Configuration& configuration);

/// The end of the link that [failure] names. Throws InputError unless that is a link between two routers.
Attachment failed_end(const Topology& topology, const Configuration& configuration);

/// The topology without that link; port numbers stay. Throws InputError if routers with nodes are cut off from each
/// other.
Topology without_link(const Topology& topology, Attachment end);

}  // namespace braid::routing
