// Credits of a block, and which input VCs have none where they want to go.
#pragma once

#include "models/families/hybrid/planes/counters.h"
#include "models/families/hybrid/planes/state.h"

namespace braid::models::hybrid::planes {

/// Gives whether any VC of the output port is without.
template <class B>
BRAID_PLANES_INLINE bool take_credits(typename B::Output& out, const Extent& extent, const typename B::Vcs& back,
                                      const typename B::Vcs& used) {
  out.none = ~count(out.credits, extent.depth_bits, back, used);
  return B::Shape::some(out.none);
}

/// Input VCs whose output VC, of one of the ports `without`, has no credit.
template <class B>
BRAID_PLANES_INLINE typename B::Vcs blocked(const B& b, int port, std::uint32_t without) {
  using Shape = typename B::Shape;
  using Vcs = typename B::Vcs;
  const typename B::Input& in = b.in[port];
  Vcs all{};
  for (; without != 0; without &= without - 1) {
    const int o = __builtin_ctz(without);
    const Vcs& none = b.out[o].none;
    const Vcs there =
        (in.out_vc[0] & Shape::template spread<0>(none)) | (in.out_vc[1] & Shape::template spread<1>(none)) |
        (in.out_vc[2] & Shape::template spread<2>(none)) | (in.out_vc[3] & Shape::template spread<3>(none));
    all |= there & in.out_port[o];
  }
  return all;
}

}  // namespace braid::models::hybrid::planes
