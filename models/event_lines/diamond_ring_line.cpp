// The SAT signal over a diamond ring (paper: diamond-rings, section 3; beyond sat-fairness): the units of
// broadcast_line.h, one broadcast a round. A position passes the signal on when its node lets it go and all that it
// hears have passed it on; the root begins the next round in the cycle after the last message of this one.
#include <algorithm>

#include "models/event_lines/broadcast_line.h"
#include "models/event_lines/event_line.h"
#include "models/event_lines/node_wires.h"
#include "routing/base/random.h"
#include "traffic/broadcast/placed.h"

namespace braid::models {
namespace {

struct DiamondRingLineOptions {
  std::uint32_t arity = 4;
  std::uint32_t moves = 20000;
};
const OptionTable<DiamondRingLineOptions> kDiamondRingLineTable =
    OptionTable<DiamondRingLineOptions>("sat")
        .integer("arity", &DiamondRingLineOptions::arity, 1, 4096, "positions that a root or scatter position tells")
        .integer("moves", &DiamondRingLineOptions::moves, 0, 1000000000,
                 "steps of simulated annealing that place nodes in the ring; 0: as they are numbered");

traffic::PlacedBroadcast placed_for_sat(const routing::Topology& topology, const Configuration& configuration) {
  const DiamondRingLineOptions options = kDiamondRingLineTable.read(configuration);
  Configuration ring;
  ring.set("experiment.seed", read_seed(configuration));
  ring.set("broadcast.arity", options.arity);
  ring.set("broadcast.merge_parallel", true);
  ring.set("broadcast.moves", options.moves);
  return traffic::place_broadcast("diamond_ring", options.moves > 0 ? "annealed" : "node_order", topology, NodeId{0}, 1,
                                  ring);
}

class DiamondRingLine final : public EventLine {
 public:
  DiamondRingLine(const routing::Topology& topology, const Configuration& configuration)
      : DiamondRingLine(topology, placed_for_sat(topology, configuration)) {}

  std::uint64_t unheld_interval_cycles() const override { return interval_; }

  void step(std::uint64_t cycle, Stops& stops) override {
    if (line_.completed() == rounds_) {
      line_.request(1);
      ++rounds_;
    }
    line_.step(cycle, &stops);
  }

  std::unique_ptr<SignalSource> signals(SignalTable& table) const override { return line_.signals(table, "sat.line"); }
  void checkpoint(Checkpoint& c) override { c(line_, rounds_); }

 private:
  DiamondRingLine(const routing::Topology& topology, const traffic::PlacedBroadcast& placed)
      : DiamondRingLine(placed, wires_between(topology, placed.nodes, 1)) {}
  DiamondRingLine(const traffic::PlacedBroadcast& placed, const traffic::WireCycles& wires)
      : interval_(std::max<std::uint64_t>(traffic::OneWave(placed.scheme->parts()).cycles(wires), 1)),
        line_({placed.scheme->parts(), placed.nodes, wires}) {}

  std::uint64_t interval_;
  BroadcastLine line_;
  std::uint64_t rounds_ = 0;  // that have been asked for
};

const bool diamond_ring_line_registered = EventLineRegistry::instance().add(
    "diamond_ring", "over a diamond ring of units that take turns, wires point to point", kDiamondRingLineTable.list(),
    [](const routing::Topology& topology, const Configuration& configuration) {
      return std::make_unique<DiamondRingLine>(topology, configuration);
    });

}  // namespace
}  // namespace braid::models
