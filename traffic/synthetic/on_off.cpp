// On-off injection: bursts and pauses of geometric length (a two-state Markov process); within a burst Bernoulli, at
// the rate that keeps the mean.
#include "traffic/synthetic/geometric.h"
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

struct OnOffOptions {
  double on_cycles = 100.0, off_cycles = 100.0;
};
const OptionTable<OnOffOptions> kOnOffTable =
    OptionTable<OnOffOptions>("traffic")
        .number("on_cycles", &OnOffOptions::on_cycles, 1.0, kAnyNumber,
                "mean burst; the rate in it is scaled to keep the mean")
        .number("off_cycles", &OnOffOptions::off_cycles, 1.0, kAnyNumber, "mean pause");

class OnOff final : public InjectionProcess {
 public:
  OnOff(double rate_while_on, double on_cycles, double off_cycles)
      : never_(rate_while_on <= 0.0),
        gap_(rate_while_on <= 0.0 ? 1.0 : rate_while_on),
        burst_(1.0 / on_cycles),
        pause_(1.0 / off_cycles) {}

  std::uint64_t next_gap(Random& random) override {
    if (never_) return kNever;
    std::uint64_t passed = 0;  // cycles since the last packet that did not bring one
    for (;;) {
      if (burst_left_ == 0) {
        passed += pause_(random);
        burst_left_ = burst_(random);
      }
      const std::uint64_t gap = gap_(random);
      if (gap <= burst_left_) {
        burst_left_ -= gap;
        return passed + gap;
      }
      passed += burst_left_;  // the burst ends first; having no memory, the draw starts anew
      burst_left_ = 0;
    }
  }

  std::unique_ptr<InjectionProcess> clone() const override { return std::make_unique<OnOff>(*this); }
  void checkpoint(Checkpoint& c) override { c(burst_left_); }

 private:
  bool never_;
  GeometricGap gap_, burst_, pause_;
  std::uint64_t burst_left_ = 0;
};

const bool on_off_registered = InjectionRegistry::instance().add(
    "on_off", "bursts and pauses of geometric length", kOnOffTable.list(),
    [](const InjectionContext& context) -> std::unique_ptr<InjectionProcess> {
      const OnOffOptions o = kOnOffTable.read(context.configuration);
      const double rate = context.rate_packets_per_node_cycle * (o.on_cycles + o.off_cycles) / o.on_cycles;
      if (!(rate <= 1.0)) {
        throw InputError(
            "traffic process \"on_off\": the rate while on would be more than one packet a cycle; lower the rate or "
            "lengthen traffic.on_cycles");
      }
      return std::make_unique<OnOff>(rate, o.on_cycles, o.off_cycles);
    });

}  // namespace
}  // namespace braid::traffic
