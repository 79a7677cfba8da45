// Sources with a clock that trembles: packet n is due at phase + n intervals, and is late by a random part of one. No
// lateness adds up. Without tremble it is Braid's `constant`, where the interval is a whole number.
#include <algorithm>

#include "traffic/synthetic/injection.h"

namespace {

using namespace braid;

struct PacedOptions {
  double tremble = 0.5;
};
const OptionTable<PacedOptions>& options() {
  static const OptionTable<PacedOptions> table = OptionTable<PacedOptions>("traffic").number(
      "tremble", &PacedOptions::tremble, 0.0, 1.0, "of an interval, by which a packet may be late");
  return table;
}

class Paced final : public traffic::InjectionProcess {
 public:
  Paced(double interval_cycles, double tremble) : interval_(interval_cycles), tremble_(tremble) {}

  std::uint64_t next_gap(Random& random) override {
    if (packets_ == 0) phase_ = static_cast<double>(random.below(static_cast<std::uint64_t>(interval_)));
    const double late = tremble_ > 0.0 ? tremble_ * static_cast<double>(random()) * 0x1p-64 : 0.0;
    const double due = phase_ + (static_cast<double>(packets_++) + late) * interval_;
    const std::uint64_t next = std::max(static_cast<std::uint64_t>(due) + 1, last_ + 1);
    const std::uint64_t gap = next - last_;
    last_ = next;
    return gap;
  }
  std::unique_ptr<traffic::InjectionProcess> clone() const override { return std::make_unique<Paced>(*this); }
  void checkpoint(Checkpoint& c) override { c(phase_, packets_, last_); }

 private:
  double interval_, tremble_;
  double phase_ = 0.0;
  std::uint64_t packets_ = 0;
  std::uint64_t last_ = 0;  // one more than the cycle of the last packet
};

const bool registered = traffic::InjectionRegistry::instance().add(
    "paced", "a clock of its own that trembles", options().list(),
    [](const traffic::InjectionContext& c) -> std::unique_ptr<traffic::InjectionProcess> {
      const double rate = c.rate_packets_per_node_cycle;
      if (!(rate > 0x1p-40 && rate <= 1.0)) {
        throw InputError("traffic.process = \"paced\": expected more than 0 and at most 1 packet a cycle and node");
      }
      return std::make_unique<Paced>(1.0 / rate, options().read(c.configuration).tremble);
    });

}  // namespace
