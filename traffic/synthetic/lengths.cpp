// Packet lengths: fixed, two lengths, or uniform over a range.
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

constexpr std::uint32_t kLongest = 65535;

void check(const char* key, std::uint32_t flits) {
  if (flits >= 1 && flits <= kLongest) return;
  throw InputError("traffic." + std::string(key) + " = " + std::to_string(flits) + " is out of range: expected 1 to " +
                   std::to_string(kLongest));
}

class Fixed final : public LengthDistribution {
 public:
  explicit Fixed(const LengthOptions& o) : flits_(o.flits) { check("flits", flits_); }
  std::uint32_t sample_flits(Random&) const override { return flits_; }
  double mean_flits() const override { return flits_; }

 private:
  std::uint32_t flits_;
};

class Bimodal final : public LengthDistribution {
 public:
  explicit Bimodal(const LengthOptions& o)
      : short_(o.short_flits),
        long_(o.long_flits),
        fraction_(o.long_fraction),
        long_bits_(Random::probability_bits(o.long_fraction)) {
    check("short_flits", short_);
    check("long_flits", long_);
    if (!(fraction_ >= 0.0 && fraction_ <= 1.0)) {
      throw InputError("traffic.long_fraction is out of range: expected 0 to 1");
    }
  }
  std::uint32_t sample_flits(Random& random) const override { return random.chance(long_bits_) ? long_ : short_; }
  double mean_flits() const override { return short_ + fraction_ * (static_cast<double>(long_) - short_); }

 private:
  std::uint32_t short_, long_;
  double fraction_;
  std::uint64_t long_bits_;
};

class UniformLength final : public LengthDistribution {
 public:
  explicit UniformLength(const LengthOptions& o) : min_(o.min_flits), max_(o.max_flits) {
    check("min_flits", min_);
    check("max_flits", max_);
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
  return LengthRegistry::instance().add(name, summary,
                                        [](const LengthOptions& o) { return std::make_unique<Length>(o); });
}
const bool registered = add<Fixed>("fixed", "every packet of the same length") &&
                        add<Bimodal>("bimodal", "short and long packets") &&
                        add<UniformLength>("uniform", "every length of a range alike");

}  // namespace
}  // namespace braid::traffic
