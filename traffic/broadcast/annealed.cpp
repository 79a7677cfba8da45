// Positions placed by simulated annealing over the cycles that one broadcast takes (traffic/broadcast/one_wave.h).
#include <algorithm>

#include "traffic/base/annealing.h"
#include "traffic/broadcast/one_wave.h"
#include "traffic/broadcast/placement.h"

namespace braid::traffic {
namespace {

struct AnnealedOptions {
  std::uint32_t moves = 20000;
};
const OptionTable<AnnealedOptions> kAnnealedTable =
    OptionTable<AnnealedOptions>("broadcast")
        .integer("moves", &AnnealedOptions::moves, 0, 1000000000, "steps of simulated annealing");

class Annealed final : public BroadcastPlacement {
 public:
  std::vector<NodeId> nodes(const PlacementContext& context) const override {
    const routing::Topology& topology = context.topology;
    std::vector<std::vector<std::uint32_t>> links;  // [router][router]
    for (std::size_t r = 0; r < topology.router_count(); ++r) links.push_back(topology.distances_to(RouterId{r}));
    std::vector<NodeId> order = in_node_order(context.parts.size(), context.root);
    std::vector<std::size_t> router(topology.node_count());  // [node]
    for (std::size_t n = 0; n < router.size(); ++n) router[n] = topology.router_of(NodeId{n}).value;
    OneWave wave(context.parts);
    // Most moves do not change the longest path: the wires' mean length leads the way then.
    const auto cost = [&](const std::vector<NodeId>& at) {
      std::uint64_t wires = 0, count = 0;
      const std::uint64_t cycles = wave.cycles([&](std::uint32_t from, std::uint32_t to) {
        const std::uint32_t wire = context.hop_cycles * links[router[at[to].value]][router[at[from].value]];
        wires += wire;
        ++count;
        return wire;
      });
      return static_cast<double>(cycles) +
             static_cast<double>(wires) / static_cast<double>(std::max<std::uint64_t>(count, 1));
    };
    std::vector<std::size_t> movable;  // the root stays
    for (std::size_t p = 1; p < order.size(); ++p) movable.push_back(p);
    if (movable.size() < 2) return order;
    Random random(read_seed(context.configuration), "broadcast.placement");
    return anneal(std::move(order), movable, cost, kAnnealedTable.read(context.configuration).moves, random);
  }
};

const bool annealed_registered =
    BroadcastPlacementRegistry::instance().add("annealed", "by simulated annealing over the cycles of one broadcast",
                                               kAnnealedTable.list(), [] { return std::make_unique<Annealed>(); });

}  // namespace
}  // namespace braid::traffic
