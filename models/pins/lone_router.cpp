#include "models/pins/lone_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/fabric/fabric.h"
#include "models/rtl/router_folders.h"
#include "models/rtl/router_library.h"
#include "routing/algorithm/torus_ways.h"

namespace braid::models::pins {
namespace {

RouterId router_named(const routing::Topology& topology, const std::string& name) {
  const std::vector<std::string>& names = topology.router_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError(unknown_name("router", name, names));
  return RouterId{static_cast<std::size_t>(found - names.begin())};
}

}  // namespace

RouterPlace::RouterPlace(const Configuration& experiment, const std::string& name)
    : configuration(routing::without_draws(experiment)),
      topology(routing::make_topology(experiment)),
      routing(routing::make_routing(topology, configuration)),
      options(hybrid::read_options(experiment)),
      router(router_named(topology, name)),
      shape(hybrid::pin_shape(options, experiment, topology)),
      straps(hybrid::router_straps(options, topology, router)) {
  const std::string family = fabric_options().read(experiment).architecture;
  if (family != "hybrid") {
    throw InputError("router.architecture = \"" + family + "\" has no pins; expected \"hybrid\"");
  }
  if (options.lookahead) {
    throw InputError("router.lookahead: flits at pins bring no route; expected false");
  }
  hybrid::refuse_speedups(options, "pins show one flit a port of the switch, and one step a cycle");
  if (options.circuits && options.setup_paths != hybrid::kByRouters) {
    throw InputError("setup.paths: who binds to pins sends the probes; expected \"routers\"");
  }
  if (options.reroute != hybrid::Reroute::kNone) {
    throw InputError("setup.reroute: circuits over pins are their user's to move; expected \"none\"");
  }
  if (routing->depends_on_source()) {
    throw InputError("routing.algorithm: this one looks at a packet's source, which pins do not tell");
  }
  if (routing->draws() > 1) {
    throw InputError(
        "routing.algorithm: this one goes by what each packet drew, which pins do not tell; on a torus "
        "expected routing.ties = \"fixed\" and no routing.datelines = \"two_drawn\"");
  }
}

routing::PortKind RouterPlace::kind(std::uint32_t port) const {
  if (port >= topology.port_count(router)) return routing::PortKind::kUnconnected;
  return topology.port(router, PortId{std::size_t{port}}).kind;
}

std::uint32_t RouterPlace::lanes(std::uint32_t port) const {
  if (!options.circuits) return options.vcs;
  return options.vcs + (kind(port) == routing::PortKind::kLocal ? options.circuit_lanes : 1);
}

bool RouterPlace::leads_on(std::uint32_t port, std::uint32_t lane, NodeId destination) const {
  routing::CandidateList list;
  routing->route({router, PortId{std::size_t{port}}, VcId{std::size_t{lane}}, NodeId{0}, destination}, list);
  return std::all_of(list.begin(), list.end(), [&](const routing::Candidate& c) { return wired(c.port.value); });
}

std::uint32_t RouterPlace::depth(std::uint32_t lane) const {
  return lane < options.vcs ? options.buffer_depth : options.circuit_buffer_depth;
}

LoneRouter::LoneRouter(const RouterPlace& place, PacketStore& store)
    : place_(place),
      bank_(place.topology, place.options, place.routing->max_candidates()),
      setup_(place.topology, bank_, place.options.share_reserved_links),
      slice_of_router_(place.topology.router_count()),
      slices_(place.topology.router_count()) {
  std::iota(slice_of_router_.begin(), slice_of_router_.end(), 0U);
  const hybrid::Slice::Shared shared{
      bank_, store, *place.routing, place.options, setup_, slice_of_router_, &place.configuration, false, false};
  const auto slice_of = [&](RouterId r) -> hybrid::Slice& {
    auto& slice = slices_[r.value];
    if (!slice) slice = std::make_unique<hybrid::Slice>(shared, RouterRange{r.value, r.value + 1});
    return *slice;
  };
  hybrid::Slice& own = slice_of(place.router);
  bank_.wiring().for_each_neighbours([&](RouterId from, RouterId to) {
    if (from == place.router) own.connect(slice_of(to));
  });
  own.build_wires();
  // All credits of a cycle at once: more than a router's own neighbours would send.
  for (auto& slot : own.channel_for(place.router).slots())
    slot.credits.reserve(std::size_t{bank_.port_stride()} * bank_.lanes());
  pins_ = std::make_unique<hybrid::RouterPins>(own, place.router);
}

std::shared_ptr<PacketStore> shared_packets() {
  static std::weak_ptr<PacketStore> packets;
  std::shared_ptr<PacketStore> store = packets.lock();
  if (!store) packets = store = std::make_shared<PacketStore>();
  return store;
}

std::unique_ptr<hybrid::WiredRouter> make_wired_rtl(const RouterPlace& place, std::uint32_t flit_width,
                                                    bool assertions) {
  const hybrid::RouterManifest manifest =
      hybrid::fitting_router(place.options, place.configuration, place.topology, flit_width);
  if (manifest.shape.flit_width != flit_width) {
    throw InputError(
        fmt::format("flits of {} bits: the Verilated router that fits has {}", flit_width, manifest.shape.flit_width));
  }
  return hybrid::make_router(manifest, assertions);
}

}  // namespace braid::models::pins
