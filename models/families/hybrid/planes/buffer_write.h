// BW of a block, and what SA's grants do to the input VCs.
#pragma once

#include "models/families/hybrid/planes/counters.h"
#include "models/families/hybrid/planes/state.h"
#include "models/families/hybrid/planes/switch_allocation.h"

namespace braid::models::hybrid::planes {

/// Flits arrive and leave at input port `p`. Gives VCs with a head to be routed: it came to an idle VC, or is behind a
/// tail that was granted the switch in the last cycle.
template <class B>
BRAID_PLANES_INLINE typename B::Vcs write_buffers(typename B::Input& in, const Extent& extent,
                                                  const typename B::Vcs& arrived, const typename B::Vcs& leaves,
                                                  const typename B::Vcs& tails) {
  const typename B::Vcs heads = (in.filled | arrived) & ~(in.active | in.waiting);
  in.filled = count(in.count, extent.depth_bits, arrived, leaves);
  in.last = count_down(in.left, extent.length_bits, leaves);
  in.active &= ~tails;
  in.waiting |= heads;
  return heads;
}

}  // namespace braid::models::hybrid::planes
