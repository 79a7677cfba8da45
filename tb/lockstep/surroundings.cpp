// What the router under test stands in: a random network, random options, its neighbours.
#include <algorithm>
#include <iterator>

#include "tb/lockstep/stimulus.h"

namespace braid::lockstep {
namespace {

using models::hybrid::kNone;

}  // namespace

/// A mesh with the router anywhere, or a graph.
void Episode::build_topology() {
  Configuration o;
  link_latency_ = static_cast<std::uint32_t>(1 + random_.below(3));
  o.set("topology.link_latency_cycles", link_latency_);
  if (!shape_.by_table()) {
    const bool torus = shape_.routing == "torus_x_first";
    if (torus) o.set("topology.kind", "torus");
    for (const char* side : {"topology.width", "topology.height"}) {
      o.set(side, static_cast<std::uint32_t>(torus ? 3 + random_.below(6) : 2 + random_.below(4)));
    }
    o.set("topology.local_ports", shape_.ports - 4);
    topology_ = routing::make_topology(o);
    router_ = RouterId{static_cast<std::size_t>(random_.below(topology_.router_count()))};
    return;
  }
  build_graph();
}

/// Routers joined at random, the one under test among them.
void Episode::build_graph() {
  topology_.name = "graph";
  const auto links = static_cast<std::size_t>(2 + random_.below(shape_.ports - 2));  // of the router under test
  // Few as a rule; now and then as many nodes as the table has room for.
  const std::size_t most = random_.below(4) == 0 ? shape_.table_nodes - links : 3;
  const std::size_t routers = links + 1 + static_cast<std::size_t>(random_.below(most));
  topology_.routers.resize(routers);
  router_ = RouterId{static_cast<std::size_t>(random_.below(routers))};
  for (std::size_t r = 0; r < routers; ++r) topology_.router_names.push_back("r" + std::to_string(r));
  const auto join = [&](std::size_t a, std::size_t b) {
    const PortId at_a{topology_.routers[a].size()}, at_b{topology_.routers[b].size()};
    topology_.routers[a].push_back({routing::PortKind::kNetwork, RouterId{b}, at_b, NodeId{}, link_latency_, "p"});
    topology_.routers[b].push_back({routing::PortKind::kNetwork, RouterId{a}, at_a, NodeId{}, link_latency_, "p"});
  };
  const std::size_t centre = router_.value;
  std::vector<std::size_t> others;
  for (std::size_t r = 0; r < routers; ++r) {
    if (r != centre) others.push_back(r);
  }
  for (std::size_t i = 0; i < links; ++i) join(centre, others[i]);
  const auto room = [&](std::size_t r) { return topology_.routers[r].size() + 1 < shape_.ports; };
  for (std::size_t i = links; i < others.size(); ++i) {
    std::vector<std::size_t> with_room;
    std::copy_if(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(i), std::back_inserter(with_room), room);
    join(others[i], with_room[static_cast<std::size_t>(random_.below(with_room.size()))]);
  }
  for (std::size_t i = 0; i + 1 < others.size(); ++i) {
    if (random_.below(2) == 0 && room(others[i]) && room(others[i + 1])) join(others[i], others[i + 1]);
  }
  for (std::size_t r = 0; r < routers; ++r) {
    const NodeId node{r};
    topology_.nodes.emplace_back();
    const std::size_t free =
        topology_.routers[r].size() < shape_.ports ? shape_.ports - topology_.routers[r].size() : 1;
    const std::size_t locals = r == centre ? free : 1;
    for (std::size_t l = 0; l < locals; ++l) {
      topology_.nodes.back().push_back({RouterId{r}, PortId{topology_.routers[r].size()}});
      routing::Port port;
      port.kind = routing::PortKind::kLocal;
      port.node = node;
      topology_.routers[r].push_back(port);
    }
  }
}

/// Where a coordinate of the grid begins in one of up to 256; in half of the cases so that the router or its neighbour
/// stands where a bit of the coordinate changes. `own`: the router's, from there.
std::uint32_t Episode::grid_origin(std::uint32_t own) {
  constexpr std::uint32_t kMost = 250;
  const auto anywhere = static_cast<std::uint32_t>(random_.below(kMost));
  if (random_.below(2) == 0) return anywhere;
  const std::uint32_t first = 1U << random_.below(8);  // coordinate with another bit than the one before
  const std::uint32_t at = first - static_cast<std::uint32_t>(random_.below(2));
  return at < own ? 0 : std::min(at - own, kMost);
}

void Episode::build_router(std::unique_ptr<models::hybrid::PinRouter> rtl, const std::string& wave_file) {
  models::hybrid::Options& o = options_;
  o.vcs = shape_.vcs;
  o.buffer_depth = shape_.depth;
  o.buffer_bypass = shape_.buffer_bypass;
  o.circuits = shape_.circuits;
  o.circuit_buffer_depth = shape_.circuit_depth;
  o.circuit_lanes = shape_.circuit_lanes;
  o.arbiter = shape_.arbiter;
  o.vc_allocator = shape_.vc_allocator;
  o.switch_allocator = shape_.switch_allocator;
  o.islip_iterations = shape_.islip_iterations;
  o.credit_delay_cycles = static_cast<std::uint32_t>(2 + random_.below(3));
  o.share_reserved_links = random_.below(3) != 0;
  Configuration fixed_ties;
  fixed_ties.set("topology.kind", "torus");
  fixed_ties.set("routing.ties", "fixed");
  const bool torus = shape_.routing == "torus_x_first";
  routing_ = routing::RoutingRegistry::instance().make(torus ? "x_first" : shape_.routing, topology_,
                                                       {shape_.vcs, torus ? fixed_ties : Configuration{}});
  bank_ = std::make_unique<models::hybrid::RouterBank>(topology_, o, shape_.ports);
  setup_ = std::make_unique<models::hybrid::SetupUnits>(topology_, *bank_, o.share_reserved_links);
  for (std::size_t n = 0; n < topology_.node_count(); ++n) setup_->prepare(NodeId{n});
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) slice_of_router_.push_back(r);
  const models::hybrid::Slice::Shared shared{*bank_, store_, *routing_, o, *setup_, slice_of_router_};
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
    slices_.push_back(std::make_unique<models::hybrid::Slice>(shared, models::RouterRange{r, r + 1}));
  }
  bank_->wiring().for_each_neighbours(
      [&](RouterId from, RouterId to) { slices_[from.value]->connect(*slices_[to.value]); });
  for (const auto& slice : slices_) slice->build_wires();
  models::hybrid::Slice& slice = *slices_[router_.value];
  slice.interfaces().set_sink(this);
  models::hybrid::RouterSite site = router_site(shape_, o, topology_, *routing_, router_);
  std::uint32_t x = grid_origin(site.x), y = grid_origin(site.y);
  if (shape_.routing == "odd_even") x &= ~1U;  // even columns stay even
  if (torus) x = y = 0;                        // the corner
  site.x += x;
  site.y += y;
  pinned_ = std::make_unique<models::hybrid::PinnedRouter>(
      models::hybrid::PinnedRouter::Mode::kLockstep,
      models::hybrid::PinnedRouter::Parts{slice, *setup_, *bank_, store_, topology_, y << 8 | x, wave_file}, router_,
      site, std::move(rtl));
}

void Episode::build_neighbours() {
  static constexpr unsigned kLoads[] = {5, 30, 70, 100};
  static constexpr unsigned kCredits[] = {5, 30, 100, 100};
  for (std::uint32_t p = 0; p < topology_.port_count(router_); ++p) {
    const routing::Port& port = topology_.port(router_, PortId{p});
    if (port.kind != routing::PortKind::kNetwork) continue;
    Neighbour n;
    n.port = p;
    n.to_router = &slices_[port.peer_router.value]->channel_for(router_);
    n.from_router = &slices_[router_.value]->channel_for(port.peer_router);
    n.load_percent = kLoads[random_.below(4)];
    n.credit_percent = kCredits[random_.below(4)];
    n.credits.assign(shape_.lanes(), shape_.depth);
    for (std::uint32_t lane = shape_.vcs; lane < shape_.lanes(); ++lane) {  // a link has one circuit
      n.credits[lane] = lane == shape_.vcs ? shape_.circuit_depth : 0;
    }
    n.sending.assign(shape_.lanes(), kNone);
    n.sent.assign(shape_.lanes(), 0);
    n.length.assign(shape_.lanes(), 0);
    n.owed.assign(shape_.lanes(), 0);
    if (!routing_->depends_on_source()) find_reachable(n);
    neighbours_.push_back(n);
  }
  if (routing_->depends_on_source()) find_ways_by_source();
}

void Episode::find_reachable(Neighbour& n) const {
  for (std::size_t node = 0; node < topology_.node_count(); ++node) {
    routing::CandidateList list;
    routing_->route({router_, PortId{n.port}, VcId{0}, NodeId{0}, NodeId{node}}, list);
    if (list.begin()->port.value < shape_.ports) n.reachable.push_back({NodeId{0}, NodeId{node}});
  }
}

/// Where the source counts, what comes over a link is what has been routed there: all pairs of nodes are followed.
void Episode::find_ways_by_source() {
  for (std::size_t from = 0; from < topology_.node_count(); ++from) {
    for (std::size_t to = 0; to < topology_.node_count(); ++to) follow({NodeId{from}, NodeId{to}});
  }
}

void Episode::follow(const Way& way) {
  using Place = std::pair<RouterId, PortId>;  // router, and the port that the packet came in by
  const routing::Attachment& start = topology_.nodes[way.source.value].front();
  std::vector<Place> places{{start.router, start.port}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [at, came_by] = places[i];
    routing::CandidateList list;
    routing_->route({at, came_by, VcId{0}, way.source, way.destination}, list);
    for (const routing::Candidate& c : list) {
      const routing::Port& port = topology_.port(at, c.port);
      const Place next{port.peer_router, port.peer_port};
      if (port.kind != routing::PortKind::kNetwork || std::find(places.begin(), places.end(), next) != places.end()) {
        continue;
      }
      places.push_back(next);
    }
  }
  for (Neighbour& n : neighbours_) {
    const Place here{router_, PortId{n.port}};
    if (std::find(places.begin() + 1, places.end(), here) != places.end()) n.reachable.push_back(way);
  }
}

}  // namespace braid::lockstep
