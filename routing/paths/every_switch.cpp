// BMAX (paper: in-transit-buffers, section 3.2): an in-transit buffer at every switch on the way. No channel between
// switches waits for another one, and contention is least; so is the speed of a single packet.
#include <memory>

#include "routing/paths/path_computation.h"
#include "routing/paths/place_where.h"

namespace braid::routing {
namespace {

class EverySwitch final : public InTransitPlacement {
 public:
  void place(const Topology& topology, PathSet& paths, const OnProgress& progress) const override {
    place_where(topology, Channels(topology), paths, progress, [](std::uint32_t, std::uint32_t) { return true; });
  }
};

const bool every_switch_registered =
    InTransitPlacementRegistry::instance().add("every_switch", "at every switch on the way (BMAX)",
                                               [](const PathContext&) { return std::make_unique<EverySwitch>(); });

}  // namespace
}  // namespace braid::routing
