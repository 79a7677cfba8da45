// The hybrid family in the registries: what its fabrics are asked before there is one.
#include <algorithm>

#include "models/fabric/router_storage.h"
#include "models/fabric/router_timing.h"
#include "models/families/hybrid/fabric.h"

namespace braid::models::hybrid {
namespace {

class Family final : public FamilyOf<Fabric> {
 public:
  ShownBuffers shown_buffers() const override { return {true, true}; }
  bool one_way_links() const override { return true; }
  /// A router with a stand-in is a slice of its own; then all are.
  std::size_t slices(const Configuration& c, std::size_t wanted, std::size_t routers) const override {
    return has_stand_ins(c, read_options(c)) ? routers : FabricFamily::slices(c, wanted, routers);
  }
  /// For threads: as planes have routers together, where these are routers for planes.
  Cut cut(const Configuration& c, const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
          std::size_t wanted) const override {
    const Options o = read_options(c);
    const CycleEngineKind& planes = cycle_engine();
    const bool lists = o.engine == EngineChoice::kLists || has_stand_ins(c, o);
    const std::size_t most = lists ? 0 : planes.most_threads(c, o, topology, routing);
    const bool few_routers = topology.router_count() <= planes.routers_together;
    if (most == 0 || (most == 1 && !few_routers && o.engine != EngineChoice::kPlanes)) {
      return {slices(c, wanted, topology.router_count())};
    }
    return {std::min(wanted, most), planes.routers_together};
  }
  bool one_thread(const Configuration& c) const override {
    const Options o = read_options(c);
    return has_stand_ins(c, o) && threaded_stand_ins().count(o.implementation) == 0;
  }
  std::uint64_t fabric_bytes(const Configuration& c, const routing::Topology& topology,
                             const routing::RoutingAlgorithm& routing) const override {
    return RouterBank::bytes(topology, read_options(c), routing.max_candidates());
  }
};

/// docs/router.md: 3 + 5 R + (L - 1), a cycle less a router of heads that bring their route, and one of heads that
/// speculate, where body flits keep up.
std::unique_ptr<RouterTiming> hybrid_timing(const Configuration& configuration) {
  read_node_bandwidth(configuration).refuse_estimates();
  const Options o = read_options(configuration);
  refuse_speedups(o, "estimates know a crossbar that is as fast as the links", ", or tlm.style = \"cycle_accurate\"");
  auto t = std::make_unique<RouterTiming>();
  t->injection.after_head = 2;
  const std::uint32_t head = 5U - (o.lookahead ? 1 : 0) - (o.speculative ? 1 : 0), body = o.buffer_bypass ? 3 : 4;
  t->link.after_head = t->ejection.after_head = std::max(head, body);
  t->flits_interleave = true;
  return t;
}

/// The ports of a crossbar that is faster than the links, and what is behind them, were not fitted.
std::unique_ptr<RouterStorage> hybrid_storage(const Configuration& configuration) {
  const Options o = read_options(configuration);
  auto s = std::make_unique<RouterStorage>();
  s->fitted = speedup_of(o).empty();
  s->vcs = o.vcs;
  s->flits_a_port = o.buffers == Buffers::kShared ? o.vcs * o.reserved_depth + o.shared_depth : o.vcs * o.buffer_depth;
  s->circuit_flits_a_port = o.circuits ? o.circuit_buffer_depth : 0;
  return s;
}

const bool hybrid_registered =
    FabricRegistry::instance().add("hybrid", "wormhole on virtual channels, with circuits for streams", option_list(),
                                   [] { return std::make_unique<Family>(); }) &&
    RouterTimingRegistry::instance().add("hybrid", "docs/router.md", hybrid_timing) &&
    RouterStorageRegistry::instance().add("hybrid", "docs/energy.md", hybrid_storage);

}  // namespace

}  // namespace braid::models::hybrid
