// In-transit buffers where a path breaks the rule of up*/down*, going up after it went down: legs then keep it, so no
// cycle closes. More buffers than a minimum takes, and found at once (paper: in-transit-buffers, section 2; Flich,
// Malumbres, López and Duato, "Improving routing performance in Myrinet networks", IPDPS 2000).
#include <memory>

#include "routing/paths/path_computation.h"
#include "routing/paths/place_where.h"
#include "routing/paths/up_down_ranks.h"

namespace braid::routing {
namespace {

constexpr const char* kInTransitRoot = "in_transit_root";
const OptionTable<UpDownOptions> kInTransitRootTable = up_down_options(kInTransitRoot);

class UpDownPlacement final : public InTransitPlacement {
 public:
  explicit UpDownPlacement(const Configuration& configuration) : options_(kInTransitRootTable.read(configuration)) {}

  void place(const Topology& topology, PathSet& paths, const OnProgress& progress) const override {
    const Channels channels(topology);
    const Ranks ranks = up_down_ranks(topology, options_, kInTransitRoot);
    const auto is_up = [&](std::uint32_t channel) {
      return ranks[channels[channel].to.value] < ranks[channels[channel].from.value];
    };
    place_where(topology, channels, paths, progress,
                [&](std::uint32_t before, std::uint32_t behind) { return !is_up(before) && is_up(behind); });
  }

 private:
  UpDownOptions options_;
};

const bool up_down_placement_registered = InTransitPlacementRegistry::instance().add(
    "up_down", "where a path goes up after down, which up*/down* forbids", kInTransitRootTable.list(),
    [](const PathContext& c) { return std::make_unique<UpDownPlacement>(c.configuration); });

}  // namespace
}  // namespace braid::routing
