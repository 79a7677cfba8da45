// Parallel iterative matching (Anderson, Owicki, Saxe and Thacker, "High-speed switch scheduling for local-area
// networks", ACM TOCS 11, 1993): every input requests every output that it has a flit for; an output grants one of
// those who ask, an input accepts one of the grants, each by chance. What an iteration leaves unmatched asks again in
// the next one.
#include <fmt/format.h>

#include <vector>

#include "models/families/hybrid/matching_switch_allocator.h"
#include "routing/base/random.h"

namespace braid::models::hybrid {
namespace {

struct PimOptions {
  std::uint32_t iterations = 1;
};
const OptionTable<PimOptions>& pim_options() {
  static const OptionTable<PimOptions> table = OptionTable<PimOptions>("router").integer(
      "pim_iterations", &PimOptions::iterations, 1, 16,
      "of parallel iterative matching in a cycle: each matches among those that the ones before left over");
  return table;
}

/// A router has a stream of its own; it draws where there is a choice.
class PimMatcher {
 public:
  explicit PimMatcher(const AllocatorOptions& options) {
    const Configuration given = options.configuration == nullptr ? Configuration() : *options.configuration;
    iterations_ = pim_options().read(given).iterations;
    const std::uint64_t seed = read_seed(given);
    for (std::uint32_t r = options.range.first; r < options.range.last; ++r) {
      randoms_.emplace_back(seed, fmt::format("router[{}].switch_allocator", r));
    }
  }
  void match(std::uint32_t router, std::uint64_t, std::uint32_t, const PortRequests& requests, PortMatching& matching) {
    Random& random = randoms_[router];
    for (std::uint32_t i = 0; i < iterations_; ++i) {
      const std::uint64_t before = matching.inputs();
      iterate(random, requests, matching);
      if (matching.inputs() == before) return;  // nobody asks for what is free
    }
  }
  void checkpoint(Checkpoint& c) { c.array(randoms_.data(), randoms_.size()); }

 private:
  static void iterate(Random& random, const PortRequests& requests, PortMatching& matching) {
    std::uint64_t asked = 0, granted = 0;
    const std::uint64_t taken = matching.outputs();
    std::array<std::uint64_t, routing::kMaxPorts> asking = {}, grants = {};  // [output] inputs, [input] outputs
    for_each_port(requests.inputs & ~matching.inputs(), [&](unsigned input) {
      const std::uint64_t outputs = requests.outputs[input] & ~taken;
      asked |= outputs;
      for_each_port(outputs, [&](unsigned output) { asking[output] |= std::uint64_t{1} << input; });
    });
    for_each_port(asked, [&](unsigned output) {
      const unsigned input = one_of(random, asking[output]);
      grants[input] |= std::uint64_t{1} << output;
      granted |= std::uint64_t{1} << input;
    });
    for_each_port(granted, [&](unsigned input) { matching.add(input, one_of(random, grants[input])); });
  }
  /// Each of these ports as likely.
  static unsigned one_of(Random& random, std::uint64_t ports) {
    const auto count = static_cast<unsigned>(__builtin_popcountll(ports));
    for (std::uint64_t skipped = count == 1 ? 0 : random.below(count); skipped > 0; --skipped) ports &= ports - 1;
    return static_cast<unsigned>(__builtin_ctzll(ports));
  }

  std::uint32_t iterations_ = 1;
  std::vector<Random> randoms_;  // [router - first]
};

const bool pim_switch_allocator_registered = SwitchAllocatorRegistry::instance().add(
    "pim", "parallel iterative matching: outputs grant, inputs accept, both by chance", pim_options().list(),
    matching_switch_allocator<PimMatcher>);

}  // namespace
}  // namespace braid::models::hybrid
