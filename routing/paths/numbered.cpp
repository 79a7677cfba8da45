// BNUMBERED (paper: in-transit-buffers, section 3.2, Figure 4): links get random numbers, no two the same, and a packet
// goes through an in-transit buffer wherever the number rises. So channels wait for lower ones only. It happens at
// about half of all switches on the way. (The figure puts the buffer where the number rises, the text where it falls:
// the same but for the signs of random numbers.)
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "routing/base/random.h"
#include "routing/paths/path_computation.h"
#include "routing/paths/place_where.h"

namespace braid::routing {
namespace {

class Numbered final : public InTransitPlacement {
 public:
  explicit Numbered(const Configuration& configuration) : random_(read_seed(configuration), "routing.numbered") {}

  void place(const Topology& topology, PathSet& paths, const OnProgress& progress) const override {
    const Channels channels(topology);
    Random random = random_;
    std::vector<std::uint32_t> number(channels.count());
    std::iota(number.begin(), number.end(), 0U);
    for (std::size_t i = number.size(); i > 1; --i) std::swap(number[i - 1], number[random.below(i)]);
    place_where(topology, channels, paths, progress,
                [&](std::uint32_t before, std::uint32_t behind) { return number[before] < number[behind]; });
  }

 private:
  Random random_;
};

const bool numbered_registered = InTransitPlacementRegistry::instance().add(
    "numbered", "where random numbers of links rise: at about half of the switches on the way (BNUMBERED)",
    [](const PathContext& c) { return std::make_unique<Numbered>(c.configuration); });

}  // namespace
}  // namespace braid::routing
