// Several links between the same two routers ("link trunking"; paper: sat-fairness, section II, Figure 1(b)): which of
// them a packet takes, where routing is by one port.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/options.h"
#include "routing/topology/topology.h"

namespace braid::routing {

enum class ParallelChoice : std::uint8_t { kLowest, kByDestination, kBySource };

struct ParallelOptions {
  ParallelChoice parallel_links = ParallelChoice::kLowest;
};
/// In section [routing], with the algorithms that have it.
template <class Options>
OptionTable<Options>& add_parallel(OptionTable<Options>& table) {
  return table.template choice<ParallelChoice>(
      "parallel_links", &Options::parallel_links,
      {{"lowest", ParallelChoice::kLowest},
       {"by_destination", ParallelChoice::kByDestination},
       {"by_source", ParallelChoice::kBySource}},
      "of several links between the same two routers, which a packet takes: the first one, or by its node's number "
      "modulo the number of links");
}
const OptionTable<ParallelOptions>& parallel_options();

class ParallelLinks {
 public:
  ParallelLinks(const Topology& topology, const Configuration& configuration);

  /// Does the choice look at the source?
  bool by_source() const { return !together_.empty() && choice_ == ParallelChoice::kBySource; }
  /// In place of a port the one of those to the same router that is the packet's. All packets of two nodes take the
  /// same, so they keep their order.
  PortId of(const RouteQuery& q, PortId port) const {
    if (together_.empty()) return port;
    const std::vector<PortId>& ports = together_[first_[q.router.value] + port.value];
    const NodeId node = choice_ == ParallelChoice::kBySource ? q.source : q.destination;
    return ports[node.value % ports.size()];
  }

 private:
  const ParallelChoice choice_;
  std::vector<std::size_t> first_;  // [router] of its ports in together_
  std::vector<std::vector<PortId>>
      together_;  // [port of any router] ports to the same one, ascending; empty: no choice
};

}  // namespace braid::routing
