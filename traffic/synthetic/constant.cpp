// Hosts of constant rate (in-transit-buffers, section 4.1: "the packet generation rate is constant and the same for all
// the hosts"): a packet every so many cycles, from a phase of the source's own on, so that not all send at once.
#include <cmath>

#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

/// Packet n is made at phase + n * interval, rounded down. Whole cycles and parts of 2^-64 are kept apart, in integers:
/// no rounding adds up, however long the run.
class Constant final : public InjectionProcess {
 public:
  explicit Constant(double rate) {
    const double interval = 1.0 / rate;  // infinite at rate 0
    if (interval >= 0x1p63) return;
    const double whole = std::floor(interval);
    whole_ = static_cast<std::uint64_t>(whole);
    fraction_ = Random::probability_bits(interval - whole);
  }

  std::uint64_t next_gap(Random& random) override {
    if (whole_ == 0) return kNever;
    if (!started_) return first_gap(random);
    const std::uint64_t before = part_;
    part_ += fraction_;
    return whole_ + (part_ < before ? 1 : 0);
  }
  std::unique_ptr<InjectionProcess> clone() const override { return std::make_unique<Constant>(*this); }
  void checkpoint(Checkpoint& c) override { c(part_, started_); }

 private:
  /// The phase is uniform over the interval: a share of it, drawn in units of 2^-64.
  std::uint64_t first_gap(Random& random) {
    started_ = true;
    const Uint128 share = random();
    const Uint128 phase = share * whole_ + ((share * fraction_) >> 64);
    part_ = static_cast<std::uint64_t>(phase);
    return static_cast<std::uint64_t>(phase >> 64) + 1;
  }

  std::uint64_t whole_ = 0, fraction_ = 0;  // the interval; 0: never
  std::uint64_t part_ = 0;                  // of a cycle, by which the last packet is late
  bool started_ = false;
};

const bool constant_registered = InjectionRegistry::instance().add(
    "constant", "one every so many cycles, each source from a phase of its own on",
    [](const InjectionContext& o) -> std::unique_ptr<InjectionProcess> {
      const double rate = o.rate_packets_per_node_cycle;
      if (!(rate >= 0.0 && rate <= 1.0))
        throw InputError("a node cannot make more than one packet a cycle; lower traffic.rate_flits_per_node_cycle");
      return std::make_unique<Constant>(rate);
    });

}  // namespace
}  // namespace braid::traffic
