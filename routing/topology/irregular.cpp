// Networks of irregular shape, as cables happen to be laid between switches: random and connected, all switches of one
// size, as many hosts on each, at most one link between two switches (paper: in-transit-buffers, section 4.1).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/random.h"
#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

struct IrregularOptions : LinkOptions {
  std::uint32_t switches = 16, switch_ports = 8, hosts = 4;
  std::uint32_t instance = 0;
};

OptionTable<IrregularOptions> irregular_options() {
  OptionTable<IrregularOptions> table("topology");
  table.integer("switches", &IrregularOptions::switches, 2, 4096, "switches, s0 and so on")
      .integer("switch_ports", &IrregularOptions::switch_ports, 2, kMaxPorts, "ports of a switch, its hosts' included")
      .integer("hosts", &IrregularOptions::hosts, 1, kMaxPorts - 1, "hosts on each switch")
      .integer("instance", &IrregularOptions::instance, 0, 1'000'000, "which of the networks that one seed gives");
  return add_link_options(table, 0);
}
const OptionTable<IrregularOptions> kIrregularTable = irregular_options();

void check_irregular(const IrregularOptions& o) {
  const std::string size = "an irregular network of " + std::to_string(o.switches) + " switches with " +
                           std::to_string(o.hosts) + " hosts on " + std::to_string(o.switch_ports) + " ports each";
  if (o.hosts >= o.switch_ports) {
    throw InputError(size + " has no port left for links: expected topology.hosts below topology.switch_ports");
  }
  if (o.switches > 2 && o.switch_ports - o.hosts == 1) {
    throw InputError(size + " cannot be connected: expected two ports for links on each switch, or two switches");
  }
}

/// Links as they are drawn. Every step keeps the network connected, once it is.
class LinkDraw {
 public:
  LinkDraw(std::uint32_t switches, std::uint32_t degree, Random random)
      : degree_(degree), neighbours_(switches), random_(random) {
    grow_tree();
    join_free_ports();
    while (take_in()) continue;
  }

  const std::vector<std::vector<std::uint32_t>>& neighbours() const { return neighbours_; }

 private:
  std::size_t free(std::uint32_t s) const { return degree_ - neighbours_[s].size(); }
  bool may_join(std::uint32_t a, std::uint32_t b) const {
    return a != b && std::find(neighbours_[a].begin(), neighbours_[a].end(), b) == neighbours_[a].end();
  }
  void join(std::uint32_t a, std::uint32_t b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  void cut(std::uint32_t a, std::uint32_t b) {
    neighbours_[a].erase(std::find(neighbours_[a].begin(), neighbours_[a].end(), b));
    neighbours_[b].erase(std::find(neighbours_[b].begin(), neighbours_[b].end(), a));
  }
  template <class T>
  T drawn(const std::vector<T>& from) {
    return from[random_.below(from.size())];
  }

  /// A tree over all switches in random order.
  void grow_tree() {
    std::vector<std::uint32_t> order(neighbours_.size());
    for (std::uint32_t s = 0; s < order.size(); ++s) order[s] = s;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
    std::vector<std::uint32_t> open{order[0]};  // in the tree, with a port to spare
    for (std::size_t i = 1; i < order.size(); ++i) {
      const std::size_t at = random_.below(open.size());
      join(order[i], open[at]);
      if (free(open[at]) == 0) open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      if (free(order[i]) > 0) open.push_back(order[i]);
    }
  }

  /// Links between random switches with ports to spare, until all of those are neighbours.
  void join_free_ports() {
    std::vector<std::uint32_t> open = with_free_ports();
    while (!open.empty()) {
      const std::size_t at = random_.below(open.size());
      const std::uint32_t here = open[at];
      std::vector<std::uint32_t> others;
      for (const std::uint32_t s : open) {
        if (may_join(here, s)) others.push_back(s);
      }
      if (!others.empty()) join(here, drawn(others));
      if (others.empty() || free(here) == 0) open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      open.erase(std::remove_if(open.begin(), open.end(), [&](std::uint32_t s) { return free(s) == 0; }), open.end());
    }
  }

  /// Where all switches with free ports are neighbours: takes two of those ports into a link that is there, a - b:
  /// a - u ... v - b in its place, u and v being one switch with two free ports or two neighbours with one each.
  bool take_in() {
    const std::vector<std::uint32_t> open = with_free_ports();
    if (open.empty()) return false;
    std::uint32_t u = open.front(), v = open.back();
    for (const std::uint32_t s : open) {
      if (free(s) >= 2) u = v = s;
    }
    if (u == v && free(u) < 2) return false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
    for (std::uint32_t a = 0; a < neighbours_.size(); ++a) {
      for (const std::uint32_t b : neighbours_[a]) {
        if (may_join(a, u) && may_join(b, v)) links.emplace_back(a, b);
      }
    }
    if (links.empty()) return false;
    const auto [a, b] = drawn(links);
    cut(a, b);
    join(a, u);
    join(b, v);
    return true;
  }

  std::vector<std::uint32_t> with_free_ports() const {
    std::vector<std::uint32_t> open;
    for (std::uint32_t s = 0; s < neighbours_.size(); ++s) {
      if (free(s) > 0) open.push_back(s);
    }
    return open;
  }

  std::uint32_t degree_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  Random random_;
};

class Irregular final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const IrregularOptions o = kIrregularTable.read(configuration);
    check_irregular(o);
    const std::string instance = std::to_string(o.instance);
    const Random random(read_seed(configuration), "topology.irregular[" + instance + "]");
    const auto neighbours = LinkDraw(o.switches, o.switch_ports - o.hosts, random).neighbours();
    Topology t;
    t.name = "irregular network " + instance + " of " + std::to_string(o.switches) + " switches";
    for (std::uint32_t s = 0; s < o.switches; ++s) {
      t.router_names.push_back("s" + std::to_string(s));
      std::vector<Port> ports;
      for (const std::uint32_t peer : neighbours[s]) {
        const auto back = std::find(neighbours[peer].begin(), neighbours[peer].end(), s) - neighbours[peer].begin();
        ports.push_back({PortKind::kNetwork, RouterId{peer}, PortId{static_cast<std::size_t>(back)}, NodeId{},
                         o.link_latency_cycles, "link" + std::to_string(ports.size()), o.link_flits_per_cycle});
      }
      for (std::uint32_t h = 0; h < o.hosts; ++h) {
        t.nodes.push_back({{RouterId{s}, PortId{ports.size()}}});
        // Hosts are cabled to their switch as switches are to each other.
        ports.push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{t.nodes.size() - 1}, o.link_latency_cycles,
                         "local" + std::to_string(h)});
      }
      t.routers.push_back(std::move(ports));
    }
    return t;
  }
};

const bool irregular_registered = TopologyRegistry::instance().add(
    "irregular", "random and connected, one link at most between two switches (in-transit buffers)",
    kIrregularTable.list(), [] { return std::make_unique<Irregular>(); });

}  // namespace
}  // namespace braid::routing
