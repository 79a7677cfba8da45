// A fat tree of one root (paper: sat-fairness, section II, Figure 1(b)): each switch has one switch above it, joined by
// a trunk of several links, which gets broader towards the root, "typically implemented using link trunking". A trunk
// that is narrower than what is below it is oversubscribed. Links may be faster by themselves ("using faster links in
// the higher levels"). With multiple roots in place of trunks: k_ary_n_tree.cpp.
#include <cstddef>
#include <string>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

constexpr std::uint64_t kMostFatTreeNodes = std::uint64_t{1} << 20;

struct FatTreeOptions : LinkOptions {
  std::uint32_t arity = 2, levels = 3;
  std::vector<std::uint32_t> trunk_links{2, 4};
  std::vector<std::uint32_t> trunk_flits_per_cycle;  ///< none: link_flits_per_cycle everywhere
};

OptionTable<FatTreeOptions> fat_tree_options() {
  OptionTable<FatTreeOptions> table("topology");
  table.integer("arity", &FatTreeOptions::arity, 2, kMaxPorts - 1, "k, nodes or switches below a switch")
      .integer("levels", &FatTreeOptions::levels, 1, 20, "n, levels of switches; k^n nodes")
      .integers(
          "trunk_links", &FatTreeOptions::trunk_links,
          "links of a switch to the one above it, from the nodes up, a number for each level but the root's; k, k^2 "
          "and so on leave no link oversubscribed")
      .integers("trunk_flits_per_cycle", &FatTreeOptions::trunk_flits_per_cycle,
                "flits that each of a trunk's links takes in a cycle, a number for each of trunk_links; empty: "
                "topology.link_flits_per_cycle");
  return add_link_options(table, 0);
}
const OptionTable<FatTreeOptions> kFatTreeTable = fat_tree_options();

[[noreturn]] void refuse_fat_tree(const std::string& why) { throw InputError("topology." + why); }

void check_fat_tree(const FatTreeOptions& o) {
  if (o.trunk_links.size() + 1 != o.levels) {
    refuse_fat_tree("trunk_links has " + std::to_string(o.trunk_links.size()) + " numbers, topology.levels is " +
                    std::to_string(o.levels) + ": expected " + std::to_string(o.levels - 1));
  }
  if (!o.trunk_flits_per_cycle.empty() && o.trunk_flits_per_cycle.size() != o.trunk_links.size()) {
    refuse_fat_tree("trunk_flits_per_cycle has " + std::to_string(o.trunk_flits_per_cycle.size()) +
                    " numbers: expected none or " + std::to_string(o.trunk_links.size()) +
                    ", as topology.trunk_links has");
  }
  for (const std::uint32_t speed : o.trunk_flits_per_cycle) {
    if (speed >= 1 && speed <= kMostLinkSpeed) continue;
    refuse_fat_tree("trunk_flits_per_cycle has " + std::to_string(speed) + ": expected 1 to " +
                    std::to_string(kMostLinkSpeed));
  }
  std::uint64_t nodes = 1;
  for (std::uint32_t level = 0; level < o.levels; ++level) {
    nodes *= o.arity;
    const std::uint64_t below = level == 0 ? 1 : o.trunk_links[level - 1];
    const std::uint64_t above = level + 1 == o.levels ? 0 : o.trunk_links[level];
    if (level + 1 < o.levels && above == 0) refuse_fat_tree("trunk_links has 0: expected 1 or more");
    if (below * o.arity + above > kMaxPorts) {
      refuse_fat_tree("trunk_links makes switches of " + std::to_string(below * o.arity + above) +
                      " ports: expected at most " + std::to_string(kMaxPorts));
    }
    if (nodes > kMostFatTreeNodes) {
      refuse_fat_tree("levels = " + std::to_string(o.levels) + " of topology.arity = " + std::to_string(o.arity) +
                      " is out of range: expected at most " + std::to_string(kMostFatTreeNodes) + " nodes");
    }
  }
}

/// The switches of a level, those next to the nodes are level 0; the root is number 0, its level the first.
struct Level {
  std::uint64_t first = 0, count = 1;  // routers
  std::uint32_t below = 1, above = 0;  // links to each switch or node below, to the one above
};

std::vector<Level> levels_of(const FatTreeOptions& o) {
  std::vector<Level> levels(o.levels);
  std::uint64_t first = 0, count = 1;
  for (std::uint32_t level = o.levels; level-- > 0;) {
    levels[level] = {first, count, level == 0 ? 1 : o.trunk_links[level - 1],
                     level + 1 == o.levels ? 0 : o.trunk_links[level]};
    first += count;
    count *= o.arity;
  }
  return levels;
}

class FatTree final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const FatTreeOptions o = kFatTreeTable.read(configuration);
    check_fat_tree(o);
    const std::vector<Level> levels = levels_of(o);
    const std::uint64_t routers = levels.front().first + levels.front().count, nodes = levels.front().count * o.arity;
    Topology t;
    t.name = "fat tree k=" + std::to_string(o.arity) + " n=" + std::to_string(o.levels);
    std::uint64_t ports = 0;
    for (const Level& level : levels) ports += level.count * (std::uint64_t{level.below} * o.arity + level.above);
    check_topology_room(t.name, routers, ports, nodes);
    for (std::uint32_t level = o.levels; level-- > 0;) add_level(t, o, levels, level);
    for (std::uint64_t node = 0; node < nodes; ++node) {
      t.nodes.push_back({{RouterId{levels[0].first + node / o.arity}, PortId{node % o.arity}}});
    }
    return t;
  }

 private:
  /// Of the links above a level.
  static std::uint32_t speed_of(const FatTreeOptions& o, std::uint32_t level) {
    return o.trunk_flits_per_cycle.empty() ? o.link_flits_per_cycle : o.trunk_flits_per_cycle[level];
  }
  /// Ports down come first, those to one switch or node together, then those up.
  static void add_level(Topology& t, const FatTreeOptions& o, const std::vector<Level>& levels, std::uint32_t level) {
    const Level& own = levels[level];
    for (std::uint64_t i = 0; i < own.count; ++i) {
      std::vector<Port> ports;
      for (std::uint64_t child = i * o.arity; child < (i + 1) * o.arity; ++child) {
        for (std::uint32_t link = 0; link < own.below; ++link) {
          const std::string place = std::to_string(child % o.arity) + "_" + std::to_string(link);
          ports.push_back(level == 0 ? Port{PortKind::kLocal, RouterId{}, PortId{}, NodeId{child}, 1,
                                            "node" + std::to_string(child)}
                                     : Port{PortKind::kNetwork, RouterId{levels[level - 1].first + child},
                                            PortId{std::size_t{levels[level - 1].below} * o.arity + link}, NodeId{},
                                            o.link_latency_cycles, "down" + place, speed_of(o, level - 1)});
        }
      }
      for (std::uint32_t link = 0; link < own.above; ++link) {
        ports.push_back({PortKind::kNetwork, RouterId{levels[level + 1].first + i / o.arity},
                         PortId{i % o.arity * own.above + link}, NodeId{}, o.link_latency_cycles,
                         "up" + std::to_string(link), speed_of(o, level)});
      }
      t.routers.push_back(ports);
      t.router_names.push_back(std::to_string(level) + "." + std::to_string(i));
    }
  }
};

const bool fat_tree_registered =
    TopologyRegistry::instance().add("fat_tree", "fat tree of one root, whose links are trunks", kFatTreeTable.list(),
                                     [] { return std::make_unique<FatTree>(); });

}  // namespace
}  // namespace braid::routing
