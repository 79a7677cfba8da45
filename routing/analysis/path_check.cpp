#include "routing/analysis/path_check.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace braid::routing {
namespace {

using ChannelGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Vertex = boost::graph_traits<ChannelGraph>::vertex_descriptor;
using Edge = boost::graph_traits<ChannelGraph>::edge_descriptor;

/// Notes the first edge that leads back, and how each vertex was come to.
class CycleFinder : public boost::default_dfs_visitor {
 public:
  struct Found {
    std::vector<Vertex> before;  // [vertex]
    std::vector<Vertex> cycle;
  };
  explicit CycleFinder(Found& found) : found_(&found) {}
  void tree_edge(const Edge& e, const ChannelGraph& g) { found_->before[target(e, g)] = source(e, g); }
  void back_edge(const Edge& e, const ChannelGraph& g) {
    if (!found_->cycle.empty()) return;
    for (Vertex v = source(e, g); v != target(e, g); v = found_->before[v]) found_->cycle.push_back(v);
    found_->cycle.push_back(target(e, g));
    std::reverse(found_->cycle.begin(), found_->cycle.end());
  }

 private:
  Found* found_;
};

/// What waits for what along paths, channels numbered by router and port.
class WaitingChannels {
 public:
  explicit WaitingChannels(const Topology& topology)
      : topology_(topology), ports_(topology.max_port_count()), graph_(topology.router_count() * ports_) {}

  std::size_t channel(RouterId router, PortId port) const { return router.value * ports_ + port.value; }
  void add(std::size_t before, std::size_t behind, RouterId from, RouterId to) {
    const bool is_new = pairs_.emplace(before * graph_size() + behind, std::pair(from, to)).second;
    if (is_new) boost::add_edge(before, behind, graph_);
  }
  std::size_t dependencies() const { return pairs_.size(); }

  std::vector<std::string> cycle() const {
    CycleFinder::Found found{std::vector<Vertex>(graph_size()), {}};
    boost::depth_first_search(graph_, boost::visitor(CycleFinder(found)));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < found.cycle.size(); ++i) {
      names.push_back(name(found.cycle[i], found.cycle[(i + 1) % found.cycle.size()]));
    }
    return names;
  }

 private:
  std::size_t graph_size() const { return topology_.router_count() * ports_; }
  std::string name(std::size_t here, std::size_t next) const {
    const RouterId router{here / ports_};
    const auto& [from, to] = pairs_.at(here * graph_size() + next);
    return "(" + topology_.router_names[router.value] + ")->" + topology_.port(router, PortId{here % ports_}).name +
           " (held by " + topology_.router_names[from.value] + " to " + topology_.router_names[to.value] + ")";
  }

  const Topology& topology_;
  std::size_t ports_;
  ChannelGraph graph_;
  std::unordered_map<std::uint64_t, std::pair<RouterId, RouterId>> pairs_;  // of a dependency, the first that has it
};

class PathChecker {
 public:
  PathChecker(const Topology& topology, const PathSet& paths, const PathClaims& claims)
      : topology_(topology),
        paths_(paths),
        claims_(claims),
        ends_(routers_with_nodes(topology)),
        has_node_(topology.router_count()) {
    for (const RouterId end : ends_) has_node_[end.value] = true;
  }

  PathCheck check() {
    if (paths_.router_count() != topology_.router_count()) {
      result_.fault = "paths of " + std::to_string(paths_.router_count()) + " routers on a network of " +
                      std::to_string(topology_.router_count());
    }
    for (const RouterId to : ends_) {
      const std::vector<std::uint32_t> distance = topology_.distances_to(to);
      for (const RouterId from : ends_) {
        if (!result_.fault.empty()) return result_;
        for (std::size_t i = 0; from != to && result_.fault.empty() && i < paths_.count(from, to); ++i) {
          check_path({from, to, i, paths_.at(from, to, i)}, distance[from.value]);
        }
      }
    }
    if (result_.fault.empty()) measure();
    return result_;
  }

 private:
  struct Here {
    RouterId from, to;
    std::size_t number;  // among those of the two routers
    const Path& path;
  };
  void fail(const Here& here, const std::string& what) {
    const std::string number = paths_.per() == PathsPer::kNodePair ? "number " + std::to_string(here.number) + " " : "";
    result_.fault = "path " + number + "from " + topology_.router_names[here.from.value] + " to " +
                    topology_.router_names[here.to.value] + " " + what;
  }

  void check_path(const Here& one, std::uint32_t distance) {
    const Path& path = one.path;
    if (path.ports.empty()) return fail(one, "is missing");
    std::vector<RouterId> routers{one.from};
    for (const PortId port : path.ports) {
      const RouterId here = routers.back();
      const std::string& name = topology_.router_names[here.value];
      if (port.value >= topology_.port_count(here) || topology_.port(here, port).kind != PortKind::kNetwork) {
        return fail(one, "takes port " + std::to_string(port.value) + " of " + name + ", which is no link");
      }
      routers.push_back(topology_.port(here, port).peer_router);
    }
    if (routers.back() != one.to) return fail(one, "ends at " + topology_.router_names[routers.back().value]);
    if (claims_.minimal && path.ports.size() != distance) {
      return fail(one, "has " + std::to_string(path.ports.size()) + " links where " + std::to_string(distance) +
                           " are enough: it claims to be minimal");
    }
    check_in_transit(one, routers);
    if (result_.fault.empty()) check_legs(one, routers);
  }

  void check_in_transit(const Here& one, const std::vector<RouterId>& routers) {
    std::size_t last = 0;
    for (const std::uint16_t hop : one.path.in_transit) {
      if (hop <= last || hop + std::size_t{1} >= routers.size()) {
        return fail(one, "has an in-transit buffer before link " + std::to_string(hop) + ": expected 1 to " +
                             std::to_string(routers.size() - 2) + ", ascending");
      }
      if (!has_node_[routers[hop].value]) {
        return fail(
            one, "has an in-transit buffer at " + topology_.router_names[routers[hop].value] + ", which has no node");
      }
      last = hop;
    }
  }

  void check_legs(const Here& one, const std::vector<RouterId>& routers) {
    std::vector<std::size_t> bounds{0};
    for (const std::uint16_t hop : one.path.in_transit) bounds.push_back(hop);
    bounds.push_back(routers.size() - 1);
    for (std::size_t leg = 0; leg + 1 < bounds.size(); ++leg) {
      std::vector<RouterId> on(routers.begin() + static_cast<std::ptrdiff_t>(bounds[leg]),
                               routers.begin() + static_cast<std::ptrdiff_t>(bounds[leg + 1] + 1));
      std::sort(on.begin(), on.end());
      const auto twice = std::adjacent_find(on.begin(), on.end());
      if (twice == on.end()) continue;
      return fail(one, "comes to " + topology_.router_names[twice->value] + " twice without an in-transit buffer");
    }
  }

  /// Of paths that have no fault.
  void measure() {
    result_.per = paths_.per();
    WaitingChannels legs(topology_), whole(topology_);
    std::vector<std::uint64_t> uses(topology_.router_count() * topology_.max_port_count());
    std::uint64_t links = 0, in_transit = 0;
    for (const RouterId from : ends_) {
      for (const RouterId to : ends_) {
        for (std::size_t i = 0; from != to && i < paths_.count(from, to); ++i) {
          const Path& path = paths_.at(from, to, i);
          ++result_.pairs;
          links += path.ports.size();
          in_transit += path.in_transit.size();
          result_.in_transit_most = std::max<std::uint64_t>(result_.in_transit_most, path.in_transit.size());
          follow({from, to, i, path}, legs, whole, uses);
        }
      }
    }
    const double pairs = std::max(1.0, static_cast<double>(result_.pairs));
    result_.links_mean = static_cast<double>(links) / pairs;
    result_.in_transit_mean = static_cast<double>(in_transit) / pairs;
    result_.dependencies = legs.dependencies();
    measure_links(uses, links);
    find_cycle("legs", legs);
    if (claims_.acyclic && result_.cycle.empty()) find_cycle("whole paths", whole);
  }

  void follow(const Here& one, WaitingChannels& legs, WaitingChannels& whole, std::vector<std::uint64_t>& uses) const {
    const Path& path = one.path;
    RouterId here = one.from;
    std::size_t before = 0;
    for (std::size_t hop = 0; hop < path.ports.size(); ++hop) {
      const std::size_t now = legs.channel(here, path.ports[hop]);
      ++uses[now];
      const bool re_enters = std::binary_search(path.in_transit.begin(), path.in_transit.end(), hop);
      if (hop > 0 && !re_enters) legs.add(before, now, one.from, one.to);
      if (hop > 0 && claims_.acyclic) whole.add(before, now, one.from, one.to);
      before = now;
      here = topology_.port(here, path.ports[hop]).peer_router;
    }
  }

  void measure_links(const std::vector<std::uint64_t>& uses, std::uint64_t taken) {
    const double channels = std::max(1.0, static_cast<double>(topology_.link_count()));
    double squares = 0.0;
    for (const std::uint64_t paths : uses) {
      squares += static_cast<double>(paths) * static_cast<double>(paths);
      result_.paths_per_link_most = std::max(result_.paths_per_link_most, paths);
    }
    const double mean = static_cast<double>(taken) / channels;
    result_.paths_per_link_mean = mean;
    result_.paths_per_link_deviation = std::sqrt(std::max(0.0, squares / channels - mean * mean));
  }

  void find_cycle(const char* of, const WaitingChannels& channels) {
    result_.cycle = channels.cycle();
    if (!result_.cycle.empty()) result_.cycle_of = of;
  }

  const Topology& topology_;
  const PathSet& paths_;
  const PathClaims& claims_;
  std::vector<RouterId> ends_;
  std::vector<bool> has_node_;  // [router]
  PathCheck result_;
};

}  // namespace

std::string PathCheck::cycle_text() const {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, cycle.size()); ++i) text += cycle[i] + " waits for ";
  if (cycle.size() > kMost) text += "… (" + std::to_string(cycle.size() - kMost) + " more) waits for ";
  return cycle.empty() ? text : text + cycle.front();
}

PathCheck check_paths(const Topology& topology, const PathSet& paths, const PathClaims& claims) {
  return PathChecker(topology, paths, claims).check();
}

}  // namespace braid::routing
