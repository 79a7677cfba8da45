// Which planes run which routers.
#include <fmt/format.h>

#include <algorithm>

#include "models/fabric/node_bandwidth.h"
#include "models/families/hybrid/planes/links.h"
#include "models/families/hybrid/planes/registers.h"
#include "models/families/hybrid/planes/shapes.h"
#include "models/families/hybrid/planes/state.h"
#include "routing/algorithm/output_queues.h"

namespace braid::models::hybrid::planes {
namespace {

/// A block, of any number of VCs.
constexpr std::size_t kRoutersTogether = Block<Blocks<kMostVcs>, kMostPorts>::kRouters;

/// What planes remember of each cycle that a flit or credit may be on its way in is much memory where that is long.
constexpr std::uint32_t kLongestLink = 64;  // cycles

/// Of circuits; empty: packets may go beside them.
std::string kind_of_circuits(const Options& options) {
  if (options.multicast) return "stream.multicast = \"routers\"";
  if (options.circuit_burst_flits == 0) return {};
  return fmt::format("router.circuit_burst_flits = {}", options.circuit_burst_flits);
}

/// Of mechanisms that a router may have and planes have not, the first; empty: it has none.
std::string mechanism_of(const Options& options) {
  if (options.buffer_bypass) return "router.buffer_bypass = true";
  if (options.buffers != Buffers::kPrivate) return "router.buffers = \"shared\"";
  if (options.lookahead) return "router.lookahead = true";
  if (options.speculative) return "router.speculative = true";
  if (const std::string circuits = kind_of_circuits(options); !circuits.empty()) return circuits;
  return speedup_of(options);
}

std::string refusal(const AllSlices& slices, const RouterBank& bank, const Options& options) {
  const Slice& slice = *slices.front();
  if (bank.wiring().one_way) return "links that go one way";
  if (options.implementation != "model") return "router.implementation = \"" + options.implementation + "\"";
  if (slice.routing().injection_by_class()) return "VCs of their own for classes of traffic";
  if (const std::string mechanism = mechanism_of(options); !mechanism.empty()) return mechanism;
  if (slice.interfaces().bounded())
    return "nodes that leave flits at their ports (interface.packet_*_flits, interface.circuit_*_flits, "
           "interface.ejection_queue_items)";
  if (!Registers::turns(slice) && !Registers::ranks(slice)) {
    return "router.switch_allocator = \"" + options.switch_allocator + "\" with router.arbiter = \"" + options.arbiter +
           "\"";
  }
  if (options.buffer_depth > kMostCountedIn7Bits)
    return fmt::format("router.buffer_depth = {}; expected at most {}", options.buffer_depth, kMostCountedIn7Bits);
  if (bank.wiring().max_link_latency_cycles > kLongestLink)
    return fmt::format("links of {} cycles; expected at most {}", bank.wiring().max_link_latency_cycles, kLongestLink);
  if (bank.vcs() > unsigned{kMostVcs}) return fmt::format("{} VCs; expected 1 to {}", bank.vcs(), kMostVcs);
  const auto shifts = [&] { return shifts_of(bank, bank.router_count() / kWordBits + 1, 0).size(); };
  if (slices.size() > 1 && are_too_many(shifts(), used_ports(bank)))
    return "links that are no shifts of planes, on several threads";
  if (used_ports(bank) > unsigned{kMostPorts}) {
    return fmt::format("{} ports; expected 1 to {}", used_ports(bank), kMostPorts);
  }
  return {};
}

bool links_are_short(const routing::Topology& topology) {
  for (const auto& ports : topology.routers) {
    const auto is_long = [](const routing::Port& p) { return p.latency_cycles > kLongestLink; };
    if (std::any_of(ports.begin(), ports.end(), is_long)) return false;
  }
  return true;
}

/// What refusal() will say, as far as it follows from the options; where it says more, lists run on these slices.
/// Circuits are lists', which go on threads of any routers: unless somebody asks for planes.
bool may_run(const Configuration& c, const Options& o, const routing::Topology& topology,
             const routing::RoutingAlgorithm& routing) {
  const NodeBandwidth bandwidth = read_node_bandwidth(c);
  const auto* const reader = dynamic_cast<const routing::ReadsOutputQueues*>(&routing);
  return (!o.circuits || o.engine == EngineChoice::kPlanes) && mechanism_of(o).empty() && o.implementation == "model" &&
         !topology.one_way() && !routing.injection_by_class() && !bandwidth.bounded() &&
         bandwidth.ejection_queue_items == 0 && o.switch_allocator == "separable_input_first" &&
         (o.arbiter == "round_robin" || o.arbiter == "matrix") && o.vcs <= unsigned{kMostVcs} &&
         topology.max_port_count() <= std::size_t{kMostPorts} && (reader == nullptr || !reader->reads_queues()) &&
         o.buffer_depth <= kMostCountedIn7Bits && links_are_short(topology);
}

/// Threads have whole blocks; flits that are put into the planes of their far ends one by one would be put there by
/// several threads at once.
std::size_t most_threads(const Configuration& c, const Options& o, const routing::Topology& topology,
                         const routing::RoutingAlgorithm& routing) {
  if (!may_run(c, o, topology, routing)) return 0;
  const std::size_t blocks = (topology.router_count() + kRoutersTogether - 1) / kRoutersTogether;
  return blocks > 1 && links_are_shifts(topology) ? blocks : 1;
}

/// The usual router of a mesh or torus has shapes of its own, and others beside circuits; every other one shares two.
std::unique_ptr<CycleEngine> make_engine(const AllSlices& slices, RouterBank& bank, PacketStore& store,
                                         const Options& options) {
  const Parts parts{slices, bank, store, options};
  const bool few = bank.router_count() <= kWordBits;
  if (used_ports(bank) == unsigned{kUsualPorts} && bank.vcs() <= unsigned{Lanes::kVcs}) {
    if (!bank.has_circuits() && bank.is_numbered(3, 2)) return make_usual(parts, few);
    if (auto planes = make_beside_circuits(parts, few)) return planes;
  }
  return make_other(parts, few && bank.vcs() <= unsigned{Lanes::kVcs});
}

const bool planes_registered = [] {
  cycle_engine() = {refusal, make_engine, most_threads, kRoutersTogether};
  return true;
}();

}  // namespace
}  // namespace braid::models::hybrid::planes
