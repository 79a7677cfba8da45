#include "routing/algorithm/parallel_links.h"

namespace braid::routing {
namespace {

/// The ports of a router that lead where one of them leads.
std::vector<PortId> ports_beside(const std::vector<Port>& ports, const Port& one) {
  std::vector<PortId> beside;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (ports[p].kind == PortKind::kNetwork && ports[p].peer_router == one.peer_router) beside.emplace_back(p);
  }
  return beside;
}

}  // namespace

const OptionTable<ParallelOptions>& parallel_options() {
  static OptionTable<ParallelOptions> table("routing");
  static const bool added = (add_parallel(table), true);
  (void)added;
  return table;
}

ParallelLinks::ParallelLinks(const Topology& topology, const Configuration& configuration)
    : choice_(parallel_options().read(configuration).parallel_links) {
  if (choice_ == ParallelChoice::kLowest) return;
  for (const std::vector<Port>& ports : topology.routers) {
    first_.push_back(together_.size());
    for (const Port& port : ports) together_.push_back(ports_beside(ports, port));
  }
}

}  // namespace braid::routing
