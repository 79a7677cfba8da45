// Exponential times from packet to packet (po2-message-scheduling, section 3: "a negative exponential distribution"): a
// clock that does not know of cycles, in steps of a thousandth of one. Packets are made in the cycle that their time
// falls in; of several in a cycle the later ones follow one a cycle. Bernoulli's gaps are the same in whole cycles.
#include "traffic/synthetic/geometric.h"
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

constexpr std::uint64_t kStepsOfACycle = 1024;

class Exponential final : public InjectionProcess {
 public:
  explicit Exponential(double rate) : never_(rate <= 0.0), gap_(rate <= 0.0 ? 1.0 : rate / kStepsOfACycle) {}

  std::uint64_t next_gap(Random& random) override {
    if (never_) return kNever;
    time_ += gap_(random);
    const std::uint64_t cycles = time_ / kStepsOfACycle;
    time_ %= kStepsOfACycle;
    const std::uint64_t gap = cycles > late_ ? cycles - late_ : 1;
    late_ += gap - cycles;
    return gap;
  }

  std::unique_ptr<InjectionProcess> clone() const override { return std::make_unique<Exponential>(*this); }
  void checkpoint(Checkpoint& c) override { c(time_, late_); }

 private:
  bool never_;
  GeometricGap gap_;
  std::uint64_t time_ = kStepsOfACycle;  // of the last packet, in steps from the start of the cycle in which it was due
  std::uint64_t late_ = 0;               // it was made so many cycles after that
};

const bool exponential_registered = InjectionRegistry::instance().add(
    "exponential", "exponential times from packet to packet, those of a cycle one after the other",
    [](const InjectionContext& o) -> std::unique_ptr<InjectionProcess> {
      const double rate = o.rate_packets_per_node_cycle;
      if (!(rate >= 0.0 && rate <= 1.0)) {
        throw InputError("a node cannot make more than one packet a cycle; lower traffic.rate_flits_per_node_cycle");
      }
      return std::make_unique<Exponential>(rate);
    });

}  // namespace
}  // namespace braid::traffic
