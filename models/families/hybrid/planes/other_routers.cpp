// Planes of routers with more ports or VCs than the usual one.
#include "models/families/hybrid/planes/processors.h"

namespace braid::models::hybrid::planes {

std::unique_ptr<CycleEngine> make_other(const Parts& parts, bool few_routers_and_vcs) {
  if (few_routers_and_vcs) return for_processor<Block<Lanes, kMostPorts>>(parts);
  return for_processor<Block<Blocks<kMostVcs>, kMostPorts>>(parts);
}

}  // namespace braid::models::hybrid::planes
