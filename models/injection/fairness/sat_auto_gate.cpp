// A SAT line that finds its thresholds (beyond the paper, which tunes l and k by hand): the home station, node 0's,
// measures the interval of the signal and sets l = k for the next rounds; the signal carries k along, and a bit that
// any station sets that had reached k before the signal came.
//
// The aim is the paper's (section II.B): the least k that covers the interval. Where the signal comes as soon as it can
// and somebody had reached k, k is too small; where starved nodes hold it much longer, k is larger than the slowest
// node needs, and only makes bursts longer.
#include <algorithm>

#include "models/injection/fairness/sat_gate.h"

namespace braid::models {
namespace {

constexpr std::uint32_t kRounds = 4;  // measured before each decision
constexpr double kUnheld = 1.05;      // mean interval over the shortest ever seen: nobody to speak of held the signal
constexpr double kLongest = 1.25, kAim = 1.1;  // the same ratio: above it k shrinks, to this one

/// sat.l is not asked: the line begins with l = k too.
SatOptions equal_thresholds(SatOptions sat) {
  sat.l = sat.k;
  return sat;
}

class SatAutoGate final : public SatGate {
 public:
  explicit SatAutoGate(const GateContext& context)
      : SatGate(context, equal_thresholds(sat_options().read(context.configuration))) {}

  void end_cycle(std::uint64_t cycle, const Waiting& waiting) override {
    SatGate::end_cycle(cycle, waiting);
    const SatStations::Station& home = stations_.station(NodeId{0});
    if (!home.holds || home.received == seen_ || home.interval == 0) return;
    seen_ = home.received;
    shortest_ = std::min(shortest_, home.interval);
    sum_ += home.interval;
    if (++rounds_ < kRounds) return;
    decide(static_cast<double>(sum_) / kRounds / static_cast<double>(shortest_));
    rounds_ = 0;
    sum_ = 0;
  }

  void checkpoint(Checkpoint& c) override {
    SatGate::checkpoint(c);
    c(seen_, shortest_, sum_, rounds_, shrunk_);
  }

 private:
  const char* name() const override { return "sat_auto"; }
  void decide(double stretch) {
    std::uint32_t k = stations_.thresholds().k;
    const bool limited = stations_.take_limited();
    if (stretch <= kUnheld && limited) k += shrunk_ ? std::max(1U, k / 8) : k;
    if (stretch > kLongest) {
      k = std::max(1U, static_cast<std::uint32_t>(k * kAim / stretch));
      shrunk_ = true;
    }
    stations_.set_thresholds({k, k});
  }

  std::uint64_t seen_ = ~std::uint64_t{0};      // reception at home that has been counted
  std::uint64_t shortest_ = ~std::uint64_t{0};  // interval
  std::uint64_t sum_ = 0;
  std::uint32_t rounds_ = 0;
  bool shrunk_ = false;  // until k has once been too large it doubles
};

const bool sat_auto_gate_registered = InjectionGateRegistry::instance().add(
    "sat_auto", "SAT line that finds l = k from the interval it measures; starts at sat.k", sat_options().list(),
    SatGate::figures().list(), [](const GateContext& context) { return std::make_unique<SatAutoGate>(context); });

}  // namespace
}  // namespace braid::models
