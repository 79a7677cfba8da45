#include "models/stages/hybrid/alone_router.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "routing/algorithm/torus_ways.h"

namespace braid::models::stages::hybrid {
namespace {

RouterId router_named(const routing::Topology& topology, const std::string& name) {
  const std::vector<std::string>& names = topology.router_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError(unknown_name("router", name, names));
  return RouterId{static_cast<std::size_t>(found - names.begin())};
}

/// Router 0 with `ports` links, each to a router with a node.
routing::Topology star(unsigned ports) {
  routing::Topology topology;
  topology.name = "star";
  topology.routers.resize(ports + 1);
  topology.router_names = {"alone"};
  for (unsigned p = 0; p < ports; ++p) {
    const RouterId far{p + 1};
    topology.routers[0].push_back({routing::PortKind::kNetwork, far, PortId{0U}, {}, 1, std::to_string(p)});
    topology.routers[far.value] = {{routing::PortKind::kNetwork, RouterId{0U}, PortId{p}, {}, 1, "0"},
                                   {routing::PortKind::kLocal, {}, {}, NodeId{p}, 1, "local0"}};
    topology.router_names.push_back("neighbour" + std::to_string(p));
    topology.nodes.push_back({{far, PortId{1U}}});
  }
  return topology;
}

/// Of a star's middle: its stages are told the ways on by their ports.
class NoRoutes final : public routing::RoutingAlgorithm {
 public:
  NoRoutes(std::uint32_t vcs, unsigned ports) : RoutingAlgorithm(vcs), candidates_(2 * ports) {}
  void route(const routing::RouteQuery&, routing::CandidateList&) const override {
    throw std::logic_error("a router alone knows routes only where it is one of an experiment's");
  }
  std::size_t max_candidates() const override { return candidates_; }

 private:
  const std::size_t candidates_;
};

Options shaped(const RouterShape& shape, Options options) {
  options.vcs = shape.vcs;
  options.buffer_depth = shape.depth;
  options.circuits = shape.circuit_lanes != 0;
  options.circuit_lanes = std::max(shape.circuit_lanes, 1U);
  return options;
}

/// The packets of all stages of the process that stand alone: the table of a store takes 8 MB.
std::shared_ptr<PacketStore> shared_packets() {
  static std::weak_ptr<PacketStore> packets;
  std::shared_ptr<PacketStore> store = packets.lock();
  if (!store) packets = store = std::make_shared<PacketStore>();
  return store;
}

}  // namespace

AlonePlace::AlonePlace(const Configuration& experiment, const std::string& name)
    : configuration(routing::without_draws(experiment)),
      options(models::hybrid::read_options(experiment)),
      topology(routing::make_topology(experiment)),
      routing(routing::make_routing(topology, configuration)),
      router(router_named(topology, name)) {
  if (options.buffers != models::hybrid::Buffers::kShared) return;
  throw InputError(
      "router.buffers = \"shared\": a router that stands alone counts a credit of each VC; expected \"private\"");
}

AlonePlace::AlonePlace(const RouterShape& shape, Options given)
    : options(shaped(shape, std::move(given))),
      topology(star(shape.ports)),
      routing(std::make_unique<NoRoutes>(shape.vcs, shape.ports)),
      router(0U) {}

RouterShape AlonePlace::shape() const {
  RouterShape shape;
  shape.ports = static_cast<unsigned>(topology.port_count(router));
  shape.vcs = options.vcs;
  shape.depth = options.buffer_depth;
  shape.circuit_lanes = options.circuits ? options.circuit_lanes : 0;
  shape.escape = routing->escape_vcs() == kEscapeVc;
  return shape;
}

AloneRouter::AloneRouter(std::shared_ptr<const AlonePlace> place)
    : place_(std::move(place)),
      shape_(place_->shape()),
      packets_(shared_packets()),
      bank_(place_->topology, place_->options, place_->routing->max_candidates()),
      setup_(place_->topology, bank_, place_->options.share_reserved_links),
      slice_of_router_(place_->topology.router_count()),
      slices_(place_->topology.router_count()) {
  std::iota(slice_of_router_.begin(), slice_of_router_.end(), 0U);
  const Slice::Shared shared{bank_,  *packets_,        *place_->routing,       place_->options,
                             setup_, slice_of_router_, &place_->configuration, false,
                             false};
  const auto slice_of = [&](RouterId r) -> Slice& {
    auto& slice = slices_[r.value];
    if (!slice) slice = std::make_unique<Slice>(shared, RouterRange{r.value, r.value + 1});
    return *slice;
  };
  Slice& own = slice_of(place_->router);
  bank_.wiring().for_each_neighbours([&](RouterId from, RouterId to) {
    if (from == place_->router) own.connect(slice_of(to));
  });
  own.build_wires();
  // All credits of a cycle at once: more than a router's own neighbours would send.
  for (auto& slot : own.self().slots()) slot.credits.reserve(std::size_t{bank_.port_stride()} * bank_.lanes());
}

void AloneRouter::pass_heads_on() {
  WorkList<VcIndex>& heads = slice().heads_;
  std::copy(heads.begin() + slice().routed_, heads.end(), heads.begin());
  heads.resize(heads.size() - slice().routed_);
  slice().routed_ = 0;
}

void AloneRouter::request(unsigned p, VcMask lanes) {
  bank_.switch_requests[port(p)] = lanes;
  if (lanes != 0) {
    slice().requesting_.insert(index(p));
  } else {
    slice().requesting_.erase(index(p));
  }
}

}  // namespace braid::models::stages::hybrid
