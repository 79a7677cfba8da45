// Planes of the usual router, in blocks of 512: where the processor has vectors of eight words.
#include <algorithm>

#include "models/families/hybrid/planes/processors.h"

namespace braid::models::hybrid::planes {

#ifdef BRAID_PLANES_COMPRESS
namespace {

using Wide = Block<Blocks<Lanes::kVcs, 8>, kUsualPorts>;
using Narrow = Block<Blocks<Lanes::kVcs>, kUsualPorts>;

/// More routers than one block of the other shape has, and no thread begins within one of this.
bool fills_blocks(const Parts& parts) {
  return parts.bank.router_count() > Narrow::kRouters &&
         std::all_of(parts.slices.begin(), parts.slices.end(),
                     [](const auto& slice) { return Registers::range(*slice).first % Wide::kRouters == 0; });
}

}  // namespace

std::unique_ptr<CycleEngine> make_wide(const Parts& parts) {
  if (instruction_set() != InstructionSet::kAvx512 || !fills_blocks(parts)) return nullptr;
  return with<Avx512, Wide>(parts);
}
#else
std::unique_ptr<CycleEngine> make_wide(const Parts& /*parts*/) { return nullptr; }
#endif

}  // namespace braid::models::hybrid::planes
