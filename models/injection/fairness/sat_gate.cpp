#include "models/injection/fairness/sat_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/observe/distribution.h"

namespace braid::models {
namespace {

constexpr std::uint64_t kDeadRounds = 10;  // of the signal that nobody holds

const Question kWhoHolds{"sat", "who holds the SAT"};

/// Stations' registers, and the line's wires.
class SatSignals final : public SignalSource {
 public:
  SatSignals(const SatGate& gate, SignalTable& table) : stations_(gate.stations()) {
    for (std::size_t n = 0; n < stations_.size(); ++n) holder_names_.values.push_back(fmt::format("node {}", n));
    holder_names_.values.emplace_back("several");
    holder_ = table.add_shown("sat", "holder", 32, &holder_names_)->answers(kWhoHolds);
    holders_ = table.add("sat", "holders", 32)->answers(kWhoHolds);
    for (std::size_t n = 0; n < stations_.size(); ++n) {
      const std::string scope = fmt::format("sat.node{}", n);
      signals_.push_back({table.add_shown(scope, "holds", 1)->answers(kWhoHolds),
                          table.add_shown(scope, "sent", 16)->answers(kWhoHolds),
                          table.add_shown(scope, "open", 1)->answers(kWhoHolds)});
    }
    line_ = gate.carrier().signals(table);
    for (Signal& s : table.signals()) {
      if (s.scope == "sat.line") s.answers(kWhoHolds);
    }
  }
  void sample(std::uint64_t cycle) override {
    holder_->value = holders_->value = 0;
    for (std::size_t n = 0; n < signals_.size(); ++n) {
      if (!stations_.station(NodeId{n}).holds) continue;
      ++holders_->value;
      holder_->value = holders_->value == 1 ? n + 1 : signals_.size() + 1;
    }
    for (std::size_t n = 0; n < signals_.size(); ++n) {
      const SatStations::Station& station = stations_.station(NodeId{n});
      signals_[n].holds->value = station.holds ? 1 : 0;
      signals_[n].sent->value = station.sent;
      signals_[n].open->value = stations_.open(NodeId{n}) ? 1 : 0;
    }
    line_->sample(cycle);
  }

 private:
  struct StationSignals {
    Signal *holds, *sent, *open;
  };
  const SatStations& stations_;
  SignalValues holder_names_{"sat_holder", {"on the line"}};
  Signal *holder_ = nullptr, *holders_ = nullptr;  // its name, or that there are several; how many
  std::vector<StationSignals> signals_;
  std::unique_ptr<SignalSource> line_;
};

const bool sat_gate_registered = InjectionGateRegistry::instance().add(
    "sat", "SAT line: at most k packets a round, starved nodes hold the signal", sat_options().list(),
    SatGate::figures().list(), [](const GateContext& context) { return std::make_unique<SatGate>(context); });

}  // namespace

const OptionTable<SatOptions>& sat_options() {
  static const OptionTable<SatOptions> table =
      OptionTable<SatOptions>("sat")
          .policy<EventLineRegistry>("carrier", &SatOptions::carrier, "how the signal travels")
          .integer("l", &SatOptions::l, 0, 1000000000,
                   "packets a node sends, or has none, before it passes the signal on; at most k; sat_auto: k")
          .integer("k", &SatOptions::k, 0, 1000000000,
                   "packets a node may send between two departures of the signal; at least 1; sat_auto: at first")
          .integer("timeout_cycles", &SatOptions::timeout_cycles, 0, kAnyInteger,
                   "a node that holds the signal longer starves, one that is satisfied and holds it for ten rounds is "
                   "dead: the run ends; 0: off")
          .integers("dead_nodes", &SatOptions::dead_nodes,
                    "stations that never pass the signal on, to see the timeout");
  return table;
}

SatGate::SatGate(const GateContext& context, const SatOptions& sat)
    : stations_(context.topology.node_count(), sat),
      options_(sat),
      carrier_(EventLineRegistry::instance().make(options_.carrier, context.topology, context.configuration)) {}

std::string SatGate::complaint(std::uint64_t cycle, const Waiting& waiting) const {
  if (options_.timeout_cycles == 0) return {};
  // A live station passes the signal on in the first cycle in which it is satisfied, so a dead one shows much sooner.
  const std::uint64_t rounds = kDeadRounds * carrier_->unheld_interval_cycles();
  const std::uint64_t dead = rounds == 0 ? options_.timeout_cycles : std::min(options_.timeout_cycles, rounds);
  for (std::size_t n = 0; n < stations_.size(); ++n) {
    const SatStations::Station& s = stations_.station(NodeId{n});
    if (!s.holds || cycle - s.received <= dead) continue;
    const bool starved = stations_.starved(NodeId{n}, waiting);
    if (starved && cycle - s.received <= options_.timeout_cycles) continue;
    const std::string held = fmt::format("node {} has held the SAT signal since cycle {}", n, s.received);
    if (starved) {
      return fmt::format("starvation: {} (sat.timeout_cycles = {}): {} of l = {} packets sent, {} waiting", held,
                         options_.timeout_cycles, s.sent, s.thresholds.l, waiting(NodeId{n}));
    }
    return fmt::format("dead SAT station: {}, though it is satisfied: {} packets sent (l = {}), {} waiting", held,
                       s.sent, s.thresholds.l, waiting(NodeId{n}));
  }
  return {};
}

const FigureTable<SatGate>& SatGate::figures() {
  const auto interval = [](const SatGate& g) {
    const SatStations::Intervals& i = g.stations_.intervals();
    Distribution d;
    if (i.count == 0) return d;
    d.count = i.count;
    d.min = static_cast<double>(i.min);
    d.max = static_cast<double>(i.max);
    d.mean = static_cast<double>(i.sum) / static_cast<double>(i.count);
    return d;
  };
  static const FigureTable<SatGate> table =
      FigureTable<SatGate>()
          .add("policy", "", "interface.fairness", [](const SatGate& g) { return std::string(g.name()); })
          .add("carrier", "", "sat.carrier", [](const SatGate& g) { return g.options_.carrier; })
          .add("l", "packets", "threshold at the end", [](const SatGate& g) { return g.stations_.thresholds().l; })
          .add("k", "packets", "threshold at the end", [](const SatGate& g) { return g.stations_.thresholds().k; })
          .add("unheld_interval_cycles", "cycles",
               "from reception to reception if no station held the signal; of a control packet: the shortest round so "
               "far",
               [](const SatGate& g) { return g.carrier_->unheld_interval_cycles(); })
          .part(
              "interval_cycles", "cycles",
              "from reception to reception of the signal at a station, those that ended while measuring, all stations",
              interval, range_figures());
  return table;
}

std::unique_ptr<SignalSource> SatGate::signals(SignalTable& table) const {
  return std::make_unique<SatSignals>(*this, table);
}

}  // namespace braid::models
