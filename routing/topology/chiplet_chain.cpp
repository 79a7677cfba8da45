// A chain of chiplets: meshes in a row on a package or an interposer, each joined to the next by links that are slower
// than its own, in every row or in some. Routers and ports are numbered as on the mesh that all chiplets make together.
#include <algorithm>
#include <string>

#include "routing/topology/grid.h"

namespace braid::routing {
namespace {

constexpr std::uint32_t kLongestChain = 1024;  // routers in x, as on a mesh

struct ChainOptions : GridOptions {
  std::uint32_t chiplets = 2;
  std::vector<std::uint32_t> joined_rows;
  std::uint32_t joint_latency_cycles = 4, joint_flits_per_cycle = 1;
};

OptionTable<ChainOptions> chain_options() {
  OptionTable<ChainOptions> table("topology");
  table.integer("chiplets", &ChainOptions::chiplets, 1, kLongestChain, "meshes in a row, from west to east")
      .integer("width", &ChainOptions::width, 1, kLongestChain, "routers in x, in a chain of each chiplet")
      .integer("height", &ChainOptions::height, 1, 1024, "routers in y, in a chain of each chiplet")
      .integers("joined_rows", &ChainOptions::joined_rows,
                "rows in which a chiplet is joined to the next, from 0 in the south; empty: all")
      .integer("joint_latency_cycles", &ChainOptions::joint_latency_cycles, 1, kMostLinkLatency,
               "LT of links between chiplets, in cycles")
      .integer("joint_flits_per_cycle", &ChainOptions::joint_flits_per_cycle, 1, kMostLinkSpeed,
               "flits that a link between chiplets takes in a cycle, each way");
  return add_link_options(table, kMaxPorts - 4);
}
const OptionTable<ChainOptions> kChainTable = chain_options();

std::vector<bool> joined_rows(const ChainOptions& o) {
  std::vector<bool> joined(o.height, o.joined_rows.empty());
  for (const std::uint32_t row : o.joined_rows) {
    if (row >= o.height || joined[row]) {
      throw InputError("topology.joined_rows has " + std::to_string(row) + (row < o.height ? " twice" : "") +
                       ": expected rows of 0 to " + std::to_string(o.height - 1) + ", each once");
    }
    joined[row] = true;
  }
  return joined;
}

bool joined_in_every_row(const ChipletChain& chain) {
  return std::all_of(chain.joined.begin(), chain.joined.end(), [](bool joined) { return joined; });
}

std::string chain_name(const ChipletChain& chain) {
  std::string name = "chain of " + std::to_string(chain.chiplets) + " chiplets " + std::to_string(chain.width) + "x" +
                     std::to_string(chain.height);
  if (joined_in_every_row(chain)) return name;
  const char* before = " joined in rows ";
  for (std::uint32_t y = 0; y < chain.height; ++y) {
    if (!chain.joined[y]) continue;
    name += before + std::to_string(y);
    before = ", ";
  }
  return name;
}

/// The link from a chiplet's last column to the next chiplet, or none.
void set_joint(Topology& t, RouterId west, const ChainOptions& o, bool joined) {
  const RouterId east{std::size_t{west.value} + 1};
  for (Port* end : {&t.routers[west.value][kEast.value], &t.routers[east.value][kWest.value]}) {
    if (!joined) {
      *end = Port(PortKind::kUnconnected, RouterId{}, PortId{}, NodeId{}, 1, end->name);
      continue;
    }
    end->latency_cycles = o.joint_latency_cycles;
    end->flits_per_cycle = o.joint_flits_per_cycle;
  }
}

Topology build_chain(const ChainOptions& o) {
  const ChipletChain chain{o.chiplets, o.width, o.height, joined_rows(o)};
  const std::string name = chain_name(chain);
  if (std::uint64_t{o.chiplets} * o.width > kLongestChain) {
    throw InputError("a " + name + " has " + std::to_string(std::uint64_t{o.chiplets} * o.width) +
                     " routers in a row: expected at most " + std::to_string(kLongestChain));
  }
  GridOptions all = o;
  all.width = chain.length();
  Topology t = build_grid(all, false);
  t.name = name;
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    const std::uint32_t x = chain.x(RouterId{r}), y = chain.y(RouterId{r}), chiplet = chain.chiplet(RouterId{r});
    if ((x + 1) % chain.width == 0 && chiplet + 1 < chain.chiplets) set_joint(t, RouterId{r}, o, chain.joined[y]);
    t.positions.push_back({static_cast<double>(x + chiplet), static_cast<double>(y)});  // chiplets are drawn apart
  }
  if (o.chiplets > 1 && !joined_in_every_row(chain)) t.grid.reset();
  t.chain = chain;
  return t;
}

class ChainBuilder final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    return build_chain(kChainTable.read(configuration));
  }
};

const bool chain_registered = TopologyRegistry::instance().add(
    "chiplet_chain", "meshes in a row, joined east to west by links with a latency and speed of their own",
    kChainTable.list(), [] { return std::make_unique<ChainBuilder>(); });

}  // namespace
}  // namespace braid::routing
