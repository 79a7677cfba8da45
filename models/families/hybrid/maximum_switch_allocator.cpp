// Matchings of maximum size, by augmenting paths: no allocator sends more flits over a switch in a cycle. A bound to
// measure others by and no hardware, for the paths are found one after the other. Where several matchings are of that
// size, the input that is looked at first goes round with the clock, and with it, N times slower, the output; an input
// that asks is matched at least once in N cycles, a flow between two ports need not be (McKeown et al., "Achieving 100
// % throughput in an input-queued switch", 1999: maximum size can starve one).
#include "models/families/hybrid/matching_switch_allocator.h"

namespace braid::models::hybrid {
namespace {

class MaximumMatcher {
 public:
  explicit MaximumMatcher(const AllocatorOptions&) {}
  void match(std::uint32_t, std::uint64_t cycle, std::uint32_t ports, const PortRequests& requests,
             PortMatching& matching) {
    requests_ = &requests;
    first_output_ = static_cast<unsigned>(cycle / ports % ports);
    taken_ = 0;
    in_turn(requests.inputs, static_cast<unsigned>(cycle % ports), [&](unsigned input) {
      seen_ = 0;
      augment(input);
      return false;
    });
    for_each_port(taken_, [&](unsigned output) { matching.add(input_of_[output], output); });
  }
  void checkpoint(Checkpoint&) {}

 private:
  /// Calls found(port) for these, from `first` on and round, until it says true. Has it?
  template <class Found>
  static bool in_turn(std::uint64_t ports, unsigned first, Found found) {
    const std::uint64_t later = ports & (~std::uint64_t{0} << first);
    for (std::uint64_t part : {later, ports & ~later}) {
      for (; part != 0; part &= part - 1) {
        if (found(static_cast<unsigned>(__builtin_ctzll(part)))) return true;
      }
    }
    return false;
  }

  /// Gives an output to an input that has none; inputs that have one keep one, if another. Is there a way to?
  bool augment(unsigned input) {
    return in_turn(requests_->outputs[input], first_output_, [&](unsigned output) {
      const std::uint64_t bit = std::uint64_t{1} << output;
      if ((seen_ & bit) != 0) return false;
      seen_ |= bit;
      if ((taken_ & bit) != 0 && !augment(input_of_[output])) return false;
      taken_ |= bit;
      input_of_[output] = static_cast<std::uint8_t>(input);
      return true;
    });
  }

  const PortRequests* requests_ = nullptr;
  unsigned first_output_ = 0;
  std::uint64_t taken_ = 0, seen_ = 0;  // outputs: that have an input; that this search has looked at
  std::array<std::uint8_t, routing::kMaxPorts> input_of_ = {};  // [output that is taken]
};

const bool maximum_switch_allocator_registered = SwitchAllocatorRegistry::instance().add(
    "maximum_size", "a matching of maximum size: the bound, no hardware", matching_switch_allocator<MaximumMatcher>);

}  // namespace
}  // namespace braid::models::hybrid
