// The shapes that routers' planes have, each in a file that compiles its stages.
#pragma once

#include <memory>

#include "models/families/hybrid/cycle_engine.h"

namespace braid::models::hybrid::planes {

/// What an engine works on; all outlive it.
struct Parts {
  const AllSlices& slices;
  RouterBank& bank;
  PacketStore& store;
  const Options& options;
};

/// Routers of kUsualPorts ports and up to 4 VCs, up to 64 of them or more.
std::unique_ptr<CycleEngine> make_usual(const Parts& parts, bool few_routers);
/// The same beside circuits; null where there are none, or the processor has no AVX2.
std::unique_ptr<CycleEngine> make_beside_circuits(const Parts& parts, bool few_routers);
/// Usual routers without circuits where vectors are of eight words; null where the processor has none.
std::unique_ptr<CycleEngine> make_wide(const Parts& parts);
/// Routers of up to kMostPorts ports; of up to 64 with 4 VCs, or more and up to kMostVcs.
std::unique_ptr<CycleEngine> make_other(const Parts& parts, bool few_routers_and_vcs);

}  // namespace braid::models::hybrid::planes
