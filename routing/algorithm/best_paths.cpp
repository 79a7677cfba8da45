// Best paths (po2-message-scheduling, section 1): every minimal path is open, on any topology. Ports come in ascending
// order, which a router with ordered port preferences takes as the order of preference.
#include "routing/algorithm/minimal_ports.h"

namespace braid::routing {
namespace {

class BestPaths final : public RoutingAlgorithm {
 public:
  BestPaths(const Topology& topology, std::uint32_t vcs) : RoutingAlgorithm(vcs), ports_(topology) {}
  std::size_t max_candidates() const override { return ports_.topology().max_port_count(); }
  void check_room() const override { ports_.check_room(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const std::uint32_t left = ports_.distance(q.router, q.destination);
    if (left == 0) {
      ports_.eject(q.destination, all_vcs_, out);
      return;
    }
    ports_.for_each_port(q.router, q.destination, [&](PortId port, std::uint32_t then_left) {
      if (then_left < left) out.add(port, all_vcs_);
    });
  }

 private:
  MinimalPorts ports_;
};

const bool best_paths_registered = RoutingRegistry::instance().add(
    "best_paths", "every minimal path, on any topology (PO2)",
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<BestPaths>(t, o.vcs); });

}  // namespace
}  // namespace braid::routing
