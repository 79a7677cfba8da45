#include "routing/topology/failure.h"

#include <vector>

#include "routing/topology/link_end.h"

namespace braid::routing {
namespace {

std::string end_text(const Topology& topology, Attachment end) {
  return "router " + topology.router_names[end.router.value] + " port " + topology.port(end.router, end.port).name;
}

/// Throws InputError for the first router that the others do not reach any more.
void check_connected(const Topology& left, const std::string& link) {
  const RouterId from = left.router_of(NodeId{0});
  const std::vector<std::uint32_t> distance = left.distances_to(from);
  for (std::size_t n = 0; n < left.node_count(); ++n) {
    const RouterId to = left.router_of(NodeId{n});
    if (distance[to.value] != UINT32_MAX) continue;
    throw InputError("failure.port: without the link at " + link + " router " + left.router_names[from.value] +
                     " has no path to router " + left.router_names[to.value] + "; expected a link on a ring");
  }
}

}  // namespace

const OptionTable<FailureOptions>& failure_options() {
  using F = FailureOptions;
  static const OptionTable<F> table =
      OptionTable<F>("failure")
          .text("router", &F::router, "one end of the link between two routers that goes down, by name")
          .text("port", &F::port, "the link's port there, by name; it goes down in both directions")
          .integer("cycle", &F::cycle, 1, kAnyInteger / 2, "at whose start it goes down");
  return table;
}

bool has_failure(const Configuration& configuration) { return configuration.has_section("failure"); }

Attachment failed_end(const Topology& topology, const Configuration& configuration) {
  const FailureOptions options = failure_options().read(configuration);
  return link_end(topology, options.router, options.port, "failure.router", "failure.port");
}

Topology without_link(const Topology& topology, Attachment end) {
  Topology left = topology;
  const Port& gone = topology.port(end.router, end.port);
  for (const Attachment& e : {end, Attachment{gone.peer_router, gone.peer_port}}) {
    Port& port = left.routers[e.router.value][e.port.value];
    const std::string name = port.name;
    port = {};
    port.name = name;
  }
  check_connected(left, end_text(topology, end));
  return left;
}

}  // namespace braid::routing
