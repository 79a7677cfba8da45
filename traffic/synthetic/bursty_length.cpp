// The bimodal workload of po2-message-scheduling, section 3: long messages of one length, short ones of every length of
// a range alike ("from one to five packets").
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

struct BurstyLengthOptions {
  std::uint32_t long_flits = 5, min_flits = 1, max_flits = 8;
  double long_fraction = 0.5;
};
const OptionTable<BurstyLengthOptions> kBurstyLengthTable =
    OptionTable<BurstyLengthOptions>("traffic")
        .integer("long_flits", &BurstyLengthOptions::long_flits, 1, kLongestPacketFlits, "of a long one")
        .number("long_fraction", &BurstyLengthOptions::long_fraction, 0.0, 1.0, "of all are long")
        .integer("min_flits", &BurstyLengthOptions::min_flits, 1, kLongestPacketFlits, "of the shortest")
        .integer("max_flits", &BurstyLengthOptions::max_flits, 1, kLongestPacketFlits, "of the longest short one");

class BurstyLength final : public LengthDistribution {
 public:
  explicit BurstyLength(const BurstyLengthOptions& o)
      : min_(o.min_flits),
        max_(o.max_flits),
        long_(o.long_flits),
        fraction_(o.long_fraction),
        long_bits_(Random::probability_bits(o.long_fraction)) {
    if (min_ > max_) throw InputError("traffic.min_flits must not be more than traffic.max_flits");
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

const bool bursty_length_registered = LengthRegistry::instance().add(
    "bursty", "long ones, and short ones of every length of a range (PO2)", kBurstyLengthTable.list(),
    [](const Configuration& c) { return std::make_unique<BurstyLength>(kBurstyLengthTable.read(c)); });

}  // namespace
}  // namespace braid::traffic
