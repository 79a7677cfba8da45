// Planes of the usual router of a mesh or torus.
#include "models/families/hybrid/planes/processors.h"

namespace braid::models::hybrid::planes {

std::unique_ptr<CycleEngine> make_usual(const Parts& parts, bool few_routers) {
  if (few_routers) return for_processor<Block<Lanes, kUsualPorts>>(parts);
  if (auto wide = make_wide(parts)) return wide;
  return for_processor<Block<Blocks<Lanes::kVcs>, kUsualPorts>>(parts);
}

}  // namespace braid::models::hybrid::planes
