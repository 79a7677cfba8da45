// Deterministic (po2-message-scheduling, section 1): one minimal path for each pair of nodes, on any topology. Of the
// ports that bring a packet nearer it takes the lowest; on a hexagonal mesh that is one direction first, then the
// other.
#include "routing/algorithm/minimal_ports.h"
#include "routing/algorithm/parallel_links.h"

namespace braid::routing {
namespace {

class Deterministic final : public RoutingAlgorithm {
 public:
  Deterministic(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs), ports_(topology), parallel_(topology, context.configuration) {}
  /// On a mesh the lowest port that comes nearer is X first, see dimension_order.cpp.
  bool acyclic_by_construction() const override {
    const Topology& t = ports_.topology();
    return t.grid && !t.grid->wrap;
  }
  std::size_t max_candidates() const override { return ports_.topology().nodes.front().size(); }
  bool follows_one_way_links() const override { return true; }
  bool depends_on_source() const override { return parallel_.by_source(); }
  void check_room() const override { ports_.check_room(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const std::uint32_t left = ports_.distance(q.router, q.destination);
    if (left == 0) {
      ports_.eject(q.destination, all_vcs_, out);
      return;
    }
    ports_.for_each_port(q.router, q.destination, [&](PortId port, std::uint32_t then_left) {
      if (then_left < left && out.size() == 0) out.add(parallel_.of(q, port), all_vcs_);
    });
  }

 private:
  MinimalPorts ports_;
  ParallelLinks parallel_;
};

const bool deterministic_registered = RoutingRegistry::instance().add(
    "deterministic", "one minimal path a pair of nodes, on any topology (PO2)", parallel_options().list(),
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<Deterministic>(t, o); });

}  // namespace
}  // namespace braid::routing
