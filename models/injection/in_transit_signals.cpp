// What a waveform shows of in-transit buffers: ejection and injection again, as a state machine of each node.
#include <fmt/format.h>

#include "models/injection/in_transit.h"

namespace braid::models {
namespace {

const SignalValues kTransitStates{"in_transit_state", {"idle", "detecting", "programming", "ready", "sending"}};

}  // namespace

class InTransit::Signals final : public SignalSource {
 public:
  Signals(const InTransit& parent, SignalTable& table, const std::vector<RouterId>& routers,
          const routing::Topology& topology)
      : parent_(parent) {
    std::vector<bool> chosen(topology.router_count());
    for (const RouterId router : routers) chosen[router.value] = true;
    for (const Station& station : parent.stations_) {
      if (!chosen[topology.router_of(station.node).value]) continue;
      const std::string scope = fmt::format("node_{}.in_transit", station.node.value);
      rows_.push_back({&station, table.add_shown(scope, "state", 3, &kTransitStates),
                       table.add_shown(scope, "packets", 16), table.add(scope, "flits", 32)});
    }
  }
  void sample(std::uint64_t cycle) override {
    for (const Row& row : rows_) {
      row.state->value = state(*row.station, cycle);
      row.packets->value = row.station->resting.size();
      row.flits->value = row.station->flits;
    }
  }

 private:
  struct Row {
    const Station* station;
    Signal *state, *packets, *flits;
  };
  std::uint64_t state(const Station& station, std::uint64_t cycle) const {
    if (station.resting.empty()) return 0;
    if (station.leaving) return 4;
    const Resting& first = station.resting.front();
    if (cycle + parent_.program_cycles_ < first.ready) return 1;
    return cycle < first.ready ? 2 : 3;
  }

  const InTransit& parent_;
  std::vector<Row> rows_;
};

std::unique_ptr<SignalSource> InTransit::signals(SignalTable& table, const std::vector<RouterId>& routers,
                                                 const routing::Topology& topology) const {
  if (!used_) return nullptr;
  return std::make_unique<Signals>(*this, table, routers, topology);
}

}  // namespace braid::models
