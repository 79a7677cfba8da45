// Credits of a block, and which input VCs have none where they want to go.
#pragma once

#include "models/families/hybrid/planes/counters.h"
#include "models/families/hybrid/planes/state.h"

namespace braid::models::hybrid::planes {

/// Gives whether any VC of output port `o` is without.
template <class B>
BRAID_PLANES_INLINE bool take_credits(B& b, int o, const Extent& extent, const typename B::Vcs& back,
                                      const typename B::Vcs& used) {
  const typename B::Vcs none = ~count(b.out.credits[o], extent.depth_bits, back, used);
  b.out.none[o] = none;
  return B::Shape::some(none);
}

/// Input VCs of port `p` whose output VC, of one of the ports `without`, has no credit.
template <class B>
BRAID_PLANES_INLINE typename B::Vcs blocked(const B& b, int p, std::uint32_t without) {
  using Shape = typename B::Shape;
  using Vcs = typename B::Vcs;
  Vcs all{};
  for (; without != 0; without &= without - 1) {
    const int o = __builtin_ctz(without);
    Vcs there{};
    for (int w = 0; w < B::kVcs; ++w) there |= b.in.out_vc[w][p] & Shape::spread(b.out.none[o], w);
    all |= there & b.in.out_port[o][p];
  }
  return all;
}

}  // namespace braid::models::hybrid::planes
