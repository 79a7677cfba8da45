// Planes of the usual router of a mesh or torus where packets go beside circuits. For processors that have AVX2 alone:
// others have the planes of any router.
#include "models/families/hybrid/planes/processors.h"

namespace braid::models::hybrid::planes {

#ifdef BRAID_PLANES_AVX2
std::unique_ptr<CycleEngine> make_beside_circuits(const Parts& parts, bool few_routers) {
  if (!parts.bank.has_circuits() || instruction_set() == InstructionSet::kPlain) return nullptr;
  if (few_routers) return with<Avx2, Block<Lanes, kUsualPorts, true>>(parts);
  return with<Avx2, Block<Blocks<Lanes::kVcs>, kUsualPorts, true>>(parts);
}
#else
std::unique_ptr<CycleEngine> make_beside_circuits(const Parts& /*parts*/, bool /*few_routers*/) { return nullptr; }
#endif

}  // namespace braid::models::hybrid::planes
