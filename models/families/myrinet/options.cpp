#include "models/families/myrinet/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/observe/clock.h"
#include "routing/topology/failure.h"

namespace braid::models::myrinet {
namespace {

/// Flits that a stop cannot keep back any more: it takes a link's latency to come, and what was sent until then, too.
/// Behind them may stand the end sign of a packet that was cut.
std::uint32_t most_in_buffer(const Options& options, const routing::Topology& topology, std::uint32_t end_sign) {
  std::uint32_t latency = 1;
  for (const auto& ports : topology.routers) {
    for (const routing::Port& port : ports) latency = std::max(latency, port.latency_cycles);
  }
  return options.stop_flits + 2 * latency - 1 + end_sign;
}

}  // namespace

const OptionTable<Options>& options() {
  using O = Options;
  static const OptionTable<O> table =
      OptionTable<O>("router")
          .number("flit_time_ns", &O::flit_time_ns, 0.001, 1e6, "a cycle: the time of a flit on a link")
          .number("routing_ns", &O::routing_ns, 0.001, 1e9,
                  "from a header at the front of its buffer to the first flit behind it, a whole number of cycles")
          .integer("slack_flits", &O::slack_flits, 2, 65535, "of the slack buffer behind a link")
          .integer("stop_flits", &O::stop_flits, 1, 65535, "with so many flits a slack buffer stops its sender")
          .integer("go_flits", &O::go_flits, 0, 65535, "with so few flits it lets its sender go on");
  return table;
}

Timing timing_of(const Options& o) {
  Timing timing;
  timing.cycle_ps = picoseconds("router.flit_time_ns", o.flit_time_ns);
  timing.routing_cycles = whole_cycles("router.routing_ns", o.routing_ns, timing.cycle_ps, "router.flit_time_ns");
  return timing;
}

Options checked_options(const FabricContext& context) {
  const Options o = options().read(context.configuration);
  (void)timing_of(o);
  if (context.routing.routes() == nullptr) {
    throw InputError(
        "router.architecture = \"myrinet\": its switches follow the header of a packet; expected routing.algorithm = "
        "\"source_routed\"");
  }
  const std::uint32_t vcs = routing::routing_options().read(context.configuration).vcs;
  if (vcs != 1) {
    throw InputError(fmt::format("router.vcs = {}: Myrinet's links have no virtual channels; expected 1", vcs));
  }
  for (const auto& node : context.topology.nodes) {
    if (node.size() != 1) {
      throw InputError(
          fmt::format("topology.local_ports = {}: a host has one cable in a Myrinet network; expected 1", node.size()));
    }
  }
  if (o.go_flits >= o.stop_flits) {
    throw InputError(
        fmt::format("router.go_flits = {}: expected less than router.stop_flits = {}", o.go_flits, o.stop_flits));
  }
  const std::uint32_t most = most_in_buffer(o, context.topology, routing::has_failure(context.configuration) ? 1 : 0);
  if (most > o.slack_flits) {
    throw InputError(
        fmt::format("router.slack_flits = {}: stop at {} comes too late for a link this long; expected {} or more",
                    o.slack_flits, o.stop_flits, most));
  }
  return o;
}

}  // namespace braid::models::myrinet
