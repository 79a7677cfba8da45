// Derouting (po2-message-scheduling, section 1): every minimal path, and at most routing.max_deroutes steps that do not
// come nearer, over any port but the one the packet came by. The virtual channel counts the deroutes taken: VC k, k
// deroutes; so there must be more VCs than deroutes. Ports are offered in order of preference, minimal ones first, each
// kind in ascending order; which deroute comes first, the paper leaves open (routing.deroute_order).
#include "routing/algorithm/minimal_ports.h"

namespace braid::routing {
namespace {

enum class DerouteOrder : std::uint8_t { kAscending, kSidewaysFirst };

struct DeroutingOptions {
  std::uint32_t max_deroutes = 1;
  DerouteOrder order = DerouteOrder::kAscending;
};
const OptionTable<DeroutingOptions> kDeroutingTable =
    OptionTable<DeroutingOptions>("routing")
        .integer("max_deroutes", &DeroutingOptions::max_deroutes, 0, 15, "steps of a packet that need not come nearer")
        .choice<DerouteOrder>(
            "deroute_order", &DeroutingOptions::order,
            {{"ascending", DerouteOrder::kAscending}, {"sideways_first", DerouteOrder::kSidewaysFirst}},
            "of the ports that do not come nearer: by number, or first those that come no farther "
            "away (routers that take what is offered first: po2)");

class Derouting final : public RoutingAlgorithm {
 public:
  Derouting(const Topology& topology, const RoutingContext& o)
      : Derouting(topology, o, kDeroutingTable.read(o.configuration)) {}
  Derouting(const Topology& topology, const RoutingContext& o, const DeroutingOptions& options)
      : RoutingAlgorithm(o.vcs),
        ports_(topology),
        max_deroutes_(options.max_deroutes),
        sideways_first_(options.order == DerouteOrder::kSidewaysFirst) {
    if (o.vcs <= max_deroutes_) {
      throw InputError("routing algorithm \"derouting\" with routing.max_deroutes = " + std::to_string(max_deroutes_) +
                       " needs router.vcs > " + std::to_string(max_deroutes_) + "; it is " + std::to_string(o.vcs));
    }
  }
  std::size_t max_candidates() const override { return ports_.topology().max_port_count(); }
  void check_room() const override { ports_.check_room(); }
  VcMask injection_vcs() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const std::uint32_t left = ports_.distance(q.router, q.destination);
    if (left == 0) {
      ports_.eject(q.destination, all_vcs_, out);
      return;
    }
    const VcMask same = VcMask{1} << q.in_vc.value;
    ports_.for_each_port(q.router, q.destination, [&](PortId port, std::uint32_t then_left) {
      if (then_left < left) out.add(port, same, 1);
    });
    if (q.in_vc.value >= max_deroutes_) return;
    const auto add = [&](std::uint32_t least, std::uint32_t most) {
      ports_.for_each_port(q.router, q.destination, [&](PortId port, std::uint32_t then_left) {
        if (then_left >= least && then_left <= most && port != q.in_port) out.add(port, same << 1, 0);
      });
    };
    if (sideways_first_) add(left, left);
    add(sideways_first_ ? left + 1 : left, left + 1);  // over a link nobody comes farther away than by one
  }

 private:
  MinimalPorts ports_;
  std::uint32_t max_deroutes_;
  bool sideways_first_;
};

const bool derouting_registered = RoutingRegistry::instance().add(
    "derouting", "every minimal path and a bounded number of deroutes, on any topology (PO2)", kDeroutingTable.list(),
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<Derouting>(t, o); });

}  // namespace
}  // namespace braid::routing
