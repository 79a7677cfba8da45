#include "models/tlm/styles/packet_timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/fabric/fabric.h"
#include "models/injection/in_transit.h"
#include "models/observe/clock.h"
#include "routing/paths/route_table.h"
#include "routing/topology/failure.h"

namespace braid::models {

namespace {

void refuse_unknown(const std::string& style, const Configuration& configuration, const routing::Topology& topology) {
  if (routing::has_failure(configuration)) {
    throw InputError(
        fmt::format("tlm.style = \"{}\" knows no links that go down ([failure]); expected tlm.style = \"{}\"", style,
                    kCycleAccurate));
  }
  for (const auto& node : topology.nodes) {
    if (node.size() == 1) continue;
    throw InputError(
        fmt::format("tlm.style = \"{}\" knows nodes of one port; expected topology.local_ports = 1 (it is {}), or "
                    "tlm.style = \"{}\"",
                    style, node.size(), kCycleAccurate));
  }
}

/// Has any path an in-transit buffer?
bool rests(const routing::RouteTable& table, const routing::Topology& topology) {
  for (std::size_t from = 0; from < topology.node_count(); ++from) {
    for (std::size_t to = 0; to < topology.node_count(); ++to) {
      if (!table.is_last(table.first(NodeId{from}, NodeId{to}))) return true;
    }
  }
  return false;
}

/// Out of an in-transit buffer: docs/in-transit-buffers.md, "The host interface".
ChannelTiming reinjection(const std::string& style, const Configuration& configuration, const RouterTiming& routers) {
  if (routers.cut_through_ps == 0) {
    throw InputError(
        fmt::format("tlm.style = \"{}\" knows in-transit buffers of hosts that cut through; expected "
                    "router.architecture = \"myrinet\", routing.in_transit = \"none\" or tlm.style = \"{}\"",
                    style, kCycleAccurate));
  }
  const InTransitOptions o = in_transit_options().read(configuration);
  const std::uint64_t cycles = whole_cycles("in_transit.detect_ns", o.detect_ns, routers.cut_through_ps) +
                               whole_cycles("in_transit.program_ns", o.program_ns, routers.cut_through_ps);
  return {routers.injection.after_head + static_cast<std::uint32_t>(cycles), 0, 0};
}

}  // namespace

const OptionTable<StyleOptions>& style_options() {
  static const OptionTable<StyleOptions> table = OptionTable<StyleOptions>("tlm").policy<PacketTimingRegistry>(
      "style", &StyleOptions::style, "how transactions get their time", kCycleAccurate);
  return table;
}

std::unique_ptr<PacketTiming> make_packet_timing(const Configuration& configuration, const routing::Topology& topology,
                                                 const routing::RoutingAlgorithm& routing) {
  const std::string style = style_options().read(configuration).style;
  if (style == kCycleAccurate) return nullptr;
  const std::string family = fabric_options().read(configuration).architecture;
  const auto& timings = RouterTimingRegistry::instance();
  if (timings.entries().count(family) == 0) {
    throw InputError(
        fmt::format("tlm.style = \"{}\": router.architecture = \"{}\" states no timing of its routers; "
                    "expected {}, or tlm.style = \"{}\"",
                    style, family, fmt::join(timings.names(), ", "), kCycleAccurate));
  }
  RouterTiming routers = *timings.make(family, configuration);
  if (!routers.direct && topology.has_faster_links()) {
    throw InputError(
        fmt::format("tlm.style = \"{}\" takes every link for one of a flit a cycle, and {} has links of more; "
                    "expected tlm.style = \"{}\"",
                    style, topology.name, kCycleAccurate));
  }
  refuse_unknown(style, configuration, topology);
  if (routing.routes() != nullptr && rests(*routing.routes(), topology)) {
    routers.reinjection = reinjection(style, configuration, routers);
  }
  return PacketTimingRegistry::instance().make(style, PacketTimingContext{configuration, topology, routing, routers});
}

}  // namespace braid::models
