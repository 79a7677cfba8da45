// The bimodal workload of po2-message-scheduling, section 3: long messages of one length, short ones of every length of
// a range alike ("from one to five packets").
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

class BurstyLength final : public LengthDistribution {
 public:
  explicit BurstyLength(const LengthOptions& o)
      : min_(o.min_flits),
        max_(o.max_flits),
        long_(o.long_flits),
        fraction_(o.long_fraction),
        long_bits_(Random::probability_bits(o.long_fraction)) {
    if (min_ < 1 || min_ > max_) throw InputError("traffic.min_flits must be from 1 to traffic.max_flits");
    if (long_ < 1) throw InputError("traffic.long_flits must be at least 1");
    if (!(fraction_ >= 0.0 && fraction_ <= 1.0)) {
      throw InputError("traffic.long_fraction is out of range: expected 0 to 1");
    }
  }
  std::uint32_t sample_flits(Random& random) const override {
    if (random.chance(long_bits_)) return long_;
    return min_ + static_cast<std::uint32_t>(random.below(std::uint64_t{max_} - min_ + 1));
  }
  double mean_flits() const override {
    return fraction_ * long_ + (1.0 - fraction_) * (static_cast<double>(min_) + max_) / 2.0;
  }

 private:
  std::uint32_t min_, max_, long_;
  double fraction_;
  std::uint64_t long_bits_;
};

const bool registered =
    LengthRegistry::instance().add("bursty", "long ones, and short ones of every length of a range (PO2)",
                                   [](const LengthOptions& o) { return std::make_unique<BurstyLength>(o); });

}  // namespace
}  // namespace braid::traffic
