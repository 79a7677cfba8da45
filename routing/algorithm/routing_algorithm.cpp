#include "routing/algorithm/routing_algorithm.h"

namespace braid::routing {

const OptionTable<RoutingOptions>& routing_options() {
  static const OptionTable<RoutingOptions> table =
      OptionTable<RoutingOptions>("router")
          .integer("vcs", &RoutingOptions::vcs, 1, kMaxVcs,
                   "virtual channels of a link; virtual cut-through: 1; po2: states of routing (deroutes taken)")
          .section("routing")
          .policy<RoutingRegistry>("algorithm", &RoutingOptions::algorithm, "RC")
          .boolean("allow_deadlock", &RoutingOptions::allow_deadlock,
                   "run even if the channel-dependency graph has a cycle");
  return table;
}

std::unique_ptr<RoutingAlgorithm> make_routing(const Topology& topology, const Configuration& configuration,
                                               const OnProgress& progress) {
  const RoutingOptions options = routing_options().read(configuration);
  auto routing = RoutingRegistry::instance().make(options.algorithm, topology, {options.vcs, configuration, progress});
  if (!routing->follows_one_way_links()) topology.refuse_one_way("routing.algorithm = \"" + options.algorithm + "\"");
  return routing;
}

}  // namespace braid::routing
