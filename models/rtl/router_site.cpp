#include "models/rtl/router_site.h"

#include <fmt/format.h>

#include <algorithm>

#include "routing/algorithm/minimal_adaptive.h"
#include "routing/base/random.h"

namespace braid::models::hybrid {
namespace {

// A flit's identity, spread over 48 bits so that all wires are used: times an odd number, which has an inverse.
constexpr std::uint64_t kIdentityMask = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t kSpread = 0x9e3779b97f4b;
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t inverse = odd;  // right in 3 bits; each step doubles them
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse & kIdentityMask;
}
static_assert(((kSpread * inverse_of(kSpread)) & kIdentityMask) == 1);

/// Algorithms that the RTL works out from coordinates.
bool routes_on_mesh(const std::string& algorithm) {
  static constexpr const char* kNames[] = {"x_first", "y_first", "west_first", "minimal_adaptive", "odd_even"};
  return std::find(std::begin(kNames), std::end(kNames), algorithm) != std::end(kNames);
}

std::uint32_t bit(std::size_t port) { return std::uint32_t{1} << port; }

/// The candidates for a packet as a port set.
std::uint32_t ports_of(const routing::CandidateList& candidates, std::uint32_t vcs) {
  std::uint32_t ports = 0;
  for (const routing::Candidate& c : candidates) {
    if (c.port.value >= kMaxPinPorts) continue;  // no way from here: never asked
    if (c.priority != 0 || c.vcs != (VcMask{1} << vcs) - 1) {
      throw InputError(
          "router.implementation: the RTL routes by port sets, all VCs alike; this routing algorithm wants more");
    }
    ports |= bit(c.port.value);
  }
  return ports;
}

/// On a torus the RTL knows ties by coordinates and two datelines. Options of other ways show in what it asks: a ring's
/// neighbours, from a node, over no dateline.
void require_two_datelines(const RouterShape& shape, const routing::Topology& topology,
                           const routing::RoutingAlgorithm& routing) {
  if (routing.draws() > 1 || routing.relies_on_bubble()) {
    throw InputError(
        "router.implementation: the RTL's torus knows no draws and no bubble: expected routing.ties = \"fixed\", "
        "routing.datelines = \"two\" and routing.bubble = false");
  }
  routing::CandidateList list;
  const PortId local = topology.nodes.front().front().port;
  routing.route({RouterId{0U}, local, VcId{0}, NodeId{0U}, NodeId{1U}, routing::kNoRoute}, list);
  if (list.begin()->vcs != (VcMask{1} << shape.vcs) - 1) {
    throw InputError("router.implementation: the RTL's torus has two datelines: expected routing.datelines = \"two\"");
  }
}

}  // namespace

RouterShape router_shape(const Options& o, const Configuration& configuration, const routing::Topology& topology) {
  const auto need = [](bool holds, const std::string& what) {
    if (!holds) throw InputError("router.implementation = \"" + what);
  };
  const auto in_rtl = [](const std::string& name) { return name == "separable_input_first" || name == "islip"; };
  need(in_rtl(o.vc_allocator) && in_rtl(o.switch_allocator),
       "rtl\" has two kinds of allocators: expected router.vc_allocator and router.switch_allocator = "
       "\"separable_input_first\" or \"islip\"");
  need(topology.max_port_count() <= kMaxPinPorts,
       fmt::format("rtl\" has at most {} ports a router; this topology has {}", kMaxPinPorts,
                   topology.max_port_count()));
  need(
      !o.circuits || (o.circuit_lanes & (o.circuit_lanes - 1)) == 0,
      fmt::format("rtl\" has 1, 2, 4 or 8 circuits a local port: expected one of these in router.circuit_lanes, not {}",
                  o.circuit_lanes));
  RouterShape shape = with_rtl_routing(pin_shape(o, configuration, topology), configuration, topology);
  need(shape.routing != "minimal_adaptive" || routing::minimal_adaptive_options().read(configuration).sticky_escape,
       "rtl\" keeps packets on the escape path: expected routing.sticky_escape = true");
  return shape;
}

RouterShape with_rtl_routing(RouterShape shape, const Configuration& configuration, const routing::Topology& topology) {
  const bool torus = topology.grid && topology.grid->wrap && topology.max_port_count() == 5;
  if (torus && routing::routing_options().read(configuration).algorithm == "x_first") shape.routing = "torus_x_first";
  return shape;
}

RouterShape pin_shape(const Options& o, const Configuration& configuration, const routing::Topology& topology) {
  topology.refuse_one_way("a router with pins");
  if (topology.max_port_count() > kMaxPinPorts) {
    throw InputError(fmt::format("topology: pins of at most {} ports a router; this topology has {}", kMaxPinPorts,
                                 topology.max_port_count()));
  }
  const std::string algorithm = routing::routing_options().read(configuration).algorithm;
  RouterShape shape;
  shape.ports = static_cast<std::uint32_t>(topology.max_port_count());
  shape.vcs = o.vcs;
  shape.depth = o.buffer_depth;
  shape.buffer_bypass = o.buffer_bypass;
  shape.circuits = o.circuits;
  shape.circuit_depth = o.circuits ? o.circuit_buffer_depth : 1;
  shape.circuit_lanes = o.circuits ? o.circuit_lanes : 1;
  shape.arbiter = o.arbiter;
  shape.vc_allocator = o.vc_allocator;
  shape.switch_allocator = o.switch_allocator;
  if (shape.has_islip()) shape.islip_iterations = o.islip_iterations;
  shape.routing = topology.grid && !topology.grid->wrap && routes_on_mesh(algorithm) ? algorithm : "table";
  shape.table_nodes = static_cast<std::uint32_t>(topology.node_count());
  return shape;
}

RouterSite router_straps(const Options& o, const routing::Topology& topology, RouterId router) {
  RouterSite site;
  site.share_reserved_links = o.share_reserved_links;
  if (topology.grid) {
    site.x = topology.grid->x(router);
    site.y = topology.grid->y(router);
    site.last_x = topology.grid->width - 1;
    site.last_y = topology.grid->height - 1;
  }
  for (std::size_t p = 0; p < topology.port_count(router); ++p) {
    const routing::PortKind kind = topology.port(router, PortId{p}).kind;
    if (kind == routing::PortKind::kNetwork) site.network_ports |= bit(p);
    if (kind == routing::PortKind::kLocal) site.local_ports |= bit(p);
  }
  return site;
}

RouterSite router_site(const RouterShape& shape, const Options& o, const routing::Topology& topology,
                       const routing::RoutingAlgorithm& routing, RouterId router) {
  RouterSite site = router_straps(o, topology, router);
  if (shape.routing == "torus_x_first") require_two_datelines(shape, topology, routing);
  if (shape.routing != "table") return site;
  if (routing.depends_on_source()) {
    throw InputError("router.implementation: the RTL's table knows no source; this routing algorithm looks at it");
  }
  if (routing.draws() > 1) {
    throw InputError("router.implementation: the RTL's table knows no draws; this routing algorithm goes by them");
  }
  std::vector<std::vector<std::uint32_t>> classes;  // [class][node]
  for (std::size_t p = 0; p < topology.port_count(router); ++p) {
    if (((site.network_ports | site.local_ports) & bit(p)) == 0) continue;
    std::vector<std::uint32_t> routes;
    for (std::size_t n = 0; n < topology.node_count(); ++n) {
      routing::CandidateList list;
      routing.route({router, PortId{p}, VcId{0}, NodeId{0}, NodeId{n}, routing::kNoRoute}, list);
      routes.push_back(ports_of(list, shape.vcs));
    }
    auto found = std::find(classes.begin(), classes.end(), routes);
    if (found == classes.end()) found = classes.insert(classes.end(), routes);
    if (found - classes.begin() > 1) {
      throw InputError("router.implementation: the RTL's table tells two classes of input ports apart, not more");
    }
    if (found != classes.begin()) site.port_class |= bit(p);
  }
  for (std::size_t c = 0; c < classes.size(); ++c) site.table[c] = classes[c];
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    const RouterId to = topology.router_of(NodeId{n});
    std::uint32_t directions = 0;
    if (to == router) {
      for (const routing::Attachment& a : topology.nodes[n]) directions |= bit(a.port.value);
    } else {
      const std::vector<std::uint32_t> distance = topology.distances_to(to);
      for (std::size_t p = 0; p < topology.port_count(router); ++p) {
        const routing::Port& port = topology.port(router, PortId{p});
        if (port.kind != routing::PortKind::kNetwork) continue;
        if (distance[port.peer_router.value] < distance[router.value]) directions |= bit(p);
      }
    }
    site.table[2].push_back(directions);
  }
  return site;
}

FlitCodec::FlitCodec(const RouterShape& shape, const routing::Topology& topology, const PacketStore& store,
                     std::uint32_t origin)
    : words_(shape.flit_words()),
      last_mask_(~std::uint64_t{0} >> (64 * words_ - shape.flit_width)),
      grid_(shape.routing != "table"),
      origin_(grid_ ? origin : 0),
      store_(store) {
  if (grid_) grid_width_ = topology.grid->width;
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    const RouterId r = topology.router_of(NodeId{n});
    code_of_node_.push_back(origin_ +
                            (grid_ ? (topology.grid->y(r) << 8 | topology.grid->x(r)) : static_cast<std::uint32_t>(n)));
  }
}

void FlitCodec::encode(const Flit& flit, std::uint64_t* data) const {
  const std::uint64_t identity = (std::uint64_t{flit.packet()} << 16) | flit.sequence();
  const std::uint64_t word = ((identity * kSpread) & kIdentityMask) << 16 | code(store_[flit.packet()].destination);
  data[0] = word;
  for (std::uint32_t w = 1; w < words_; ++w) data[w] = mix64(word + w);
  data[words_ - 1] &= last_mask_;
}

Flit FlitCodec::decode(std::uint64_t word, bool tail, std::uint32_t lane) {
  const std::uint64_t identity = ((word >> 16) * inverse_of(kSpread)) & kIdentityMask;
  const auto sequence = static_cast<std::uint32_t>(identity & 0xffffU);
  return Flit(static_cast<PacketSlot>(identity >> 16), sequence, sequence + (tail ? 1 : 2), lane);
}

NodeId FlitCodec::node(std::uint32_t code) const {
  code -= origin_;
  return NodeId{grid_ ? std::size_t{code >> 8} * grid_width_ + (code & 0xff) : std::size_t{code}};
}

}  // namespace braid::models::hybrid
