// Packet lengths: fixed, two lengths, or uniform over a range.
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

class Fixed final : public LengthDistribution {
 public:
  struct Options {
    std::uint32_t flits = 4;
  };
  static OptionTable<Options> table() {
    return OptionTable<Options>("traffic").integer("flits", &Options::flits, 1, kLongestPacketFlits, "of every one");
  }
  explicit Fixed(const Options& o) : flits_(o.flits) {}
  std::uint32_t sample_flits(Random&) const override { return flits_; }
  double mean_flits() const override { return flits_; }

 private:
  std::uint32_t flits_;
};

class Bimodal final : public LengthDistribution {
 public:
  struct Options {
    std::uint32_t short_flits = 1, long_flits = 5;
    double long_fraction = 0.5;
  };
  static OptionTable<Options> table() {
    return OptionTable<Options>("traffic")
        .integer("short_flits", &Options::short_flits, 1, kLongestPacketFlits, "of a short one")
        .integer("long_flits", &Options::long_flits, 1, kLongestPacketFlits, "of a long one")
        .number("long_fraction", &Options::long_fraction, 0.0, 1.0, "of all are long");
  }
  explicit Bimodal(const Options& o)
      : short_(o.short_flits),
        long_(o.long_flits),
        fraction_(o.long_fraction),
        long_bits_(Random::probability_bits(o.long_fraction)) {}
  std::uint32_t sample_flits(Random& random) const override { return random.chance(long_bits_) ? long_ : short_; }
  double mean_flits() const override { return short_ + fraction_ * (static_cast<double>(long_) - short_); }

 private:
  std::uint32_t short_, long_;
  double fraction_;
  std::uint64_t long_bits_;
};

class UniformLength final : public LengthDistribution {
 public:
  struct Options {
    std::uint32_t min_flits = 1, max_flits = 8;
  };
  static OptionTable<Options> table() {
    return OptionTable<Options>("traffic")
        .integer("min_flits", &Options::min_flits, 1, kLongestPacketFlits, "of the shortest")
        .integer("max_flits", &Options::max_flits, 1, kLongestPacketFlits, "of the longest");
  }
  explicit UniformLength(const Options& o) : min_(o.min_flits), max_(o.max_flits) {
    if (min_ > max_) throw InputError("traffic.min_flits must not be more than traffic.max_flits");
  }
  std::uint32_t sample_flits(Random& random) const override {
    return min_ + static_cast<std::uint32_t>(random.below(std::uint64_t{max_} - min_ + 1));
  }
  double mean_flits() const override { return (static_cast<double>(min_) + max_) / 2.0; }

 private:
  std::uint32_t min_, max_;
};

template <class Length>
bool add(const char* name, const char* summary) {
  const auto table = Length::table();
  return LengthRegistry::instance().add(
      name, summary, table.list(), [table](const Configuration& c) { return std::make_unique<Length>(table.read(c)); });
}
const bool lengths_registered = add<Fixed>("fixed", "every packet of the same length") &&
                                add<Bimodal>("bimodal", "short and long packets") &&
                                add<UniformLength>("uniform", "every length of a range alike");

}  // namespace
}  // namespace braid::traffic
