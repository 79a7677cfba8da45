#include "models/tlm/packet_timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/fabric/fabric.h"

namespace braid::models {

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
  if (routing.routes() != nullptr) {
    throw InputError(
        fmt::format("tlm.style = \"{}\" follows routes that routers choose; expected another "
                    "routing.algorithm than \"source_routed\", or tlm.style = \"{}\"",
                    style, kCycleAccurate));
  }
  return PacketTimingRegistry::instance().make(
      style, PacketTimingContext{configuration, topology, routing, *timings.make(family, configuration)});
}

}  // namespace braid::models
