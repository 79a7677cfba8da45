// A SAT line that finds its thresholds (models/injection/fairness/sat_threshold_search.h). The home station is node
// 0's; the signal carries k along.
#include "models/injection/fairness/sat_gate.h"
#include "models/injection/fairness/sat_threshold_search.h"

namespace braid::models {
namespace {

/// sat.l is not asked: the line begins with l = k too.
SatOptions equal_thresholds(SatOptions sat) {
  sat.l = sat.k;
  return sat;
}

class SatAutoGate final : public SatGate {
 public:
  explicit SatAutoGate(const GateContext& context)
      : SatGate(context, equal_thresholds(sat_options().read(context.configuration))) {}

  void adjust() override {
    const SatStations::Station& home = stations_.station(kSatHome);
    if (!home.holds || home.received == seen_ || home.interval == 0) return;
    seen_ = home.received;
    if (!search_.measure(home.interval)) return;
    const std::uint32_t k = search_.decide(stations_.thresholds().k, stations_.take_limited());
    stations_.set_thresholds({k, k});
  }

  void checkpoint(Checkpoint& c) override {
    SatGate::checkpoint(c);
    c(seen_, search_);
  }

 private:
  const char* name() const override { return "sat_auto"; }

  std::uint64_t seen_ = ~std::uint64_t{0};  // reception at home that has been counted
  SatThresholdSearch search_;
};

const bool sat_auto_gate_registered = InjectionGateRegistry::instance().add(
    "sat_auto", "SAT line that finds l = k from the interval it measures; starts at sat.k", sat_options().list(),
    SatGate::figures().list(), [](const GateContext& context) { return std::make_unique<SatAutoGate>(context); });

}  // namespace
}  // namespace braid::models
