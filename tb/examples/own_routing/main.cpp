// A routing algorithm of one's own on Braid's 8x8 mesh: y first, written anew, with the same packets as Braid's
// y_first.
#include <cstdio>

#include "models/experiment/simulation.h"
#include "routing/algorithm/routing_algorithm.h"

namespace {

using namespace braid;

class LastDimensionFirst final : public routing::RoutingAlgorithm {
 public:
  LastDimensionFirst(const routing::Topology& topology, const routing::RoutingContext& options)
      : RoutingAlgorithm(options.vcs), topology_(topology) {
    if (!topology.grid || topology.grid->wrap) throw InputError("last_dimension_first needs a mesh");
  }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override {
    out.clear();
    const routing::Grid& grid = *topology_.grid;
    const RouterId to = topology_.router_of(q.destination);
    if (q.router == to) {
      for (const routing::Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
      return;
    }
    const auto x = grid.x(q.router), y = grid.y(q.router);
    const bool along_y = y != grid.y(to);
    for (std::size_t p = 0; p < topology_.port_count(q.router); ++p) {
      const routing::Port& port = topology_.port(q.router, PortId{p});
      if (port.kind != routing::PortKind::kNetwork) continue;
      const auto next_x = grid.x(port.peer_router), next_y = grid.y(port.peer_router);
      const bool nearer_y = next_x == x && (next_y > y) == (grid.y(to) > y) && next_y != y;
      const bool nearer_x = next_y == y && (next_x > x) == (grid.x(to) > x) && next_x != x;
      if (along_y ? nearer_y : nearer_x) out.add(PortId{p}, all_vcs_);
    }
  }

 private:
  const routing::Topology& topology_;
};

const bool registered = routing::RoutingRegistry::instance().add(
    "last_dimension_first", "y before x", [](const routing::Topology& t, const routing::RoutingContext& o) {
      return std::make_unique<LastDimensionFirst>(t, o);
    });

}  // namespace

int main(int argc, char* argv[]) {
  try {
    models::Experiment e;
    e.set("topology.width", 8);
    e.set("topology.height", 8);
    e.set("routing.algorithm", argc > 1 ? argv[1] : "last_dimension_first");
    e.open("traffic");
    e.set("traffic.rate_flits_per_node_cycle", 0.3);
    models::Simulation simulation(e);
    const models::Results r = simulation.run();
    std::printf("%s: %.2f cycles, packet hash %016llx\n", e.get<std::string>("routing.algorithm").c_str(),
                r.classes[0].packet_latency_cycles.mean, static_cast<unsigned long long>(r.packet_hash));
  } catch (const InputError& error) {
    std::fprintf(stderr, "own_routing: %s\n", error.what());
    return 2;
  }
  return registered ? 0 : 1;
}
