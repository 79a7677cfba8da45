// BW of a block, and what SA's grants do to the input VCs.
#pragma once

#include "models/families/hybrid/planes/counters.h"
#include "models/families/hybrid/planes/state.h"
#include "models/families/hybrid/planes/switch_allocation.h"

namespace braid::models::hybrid::planes {

/// Flits arrive and leave at input port `p`. Gives VCs with a head to be routed: it came to an idle VC, or is behind a
/// tail that was granted the switch in the last cycle.
template <class B>
BRAID_PLANES_INLINE typename B::Vcs write_buffers(B& b, int p, const Extent& extent, const typename B::Vcs& arrived,
                                                  const typename B::Vcs& leaves, const typename B::Vcs& tails) {
  typename B::Inputs& in = b.in;
  const typename B::Vcs heads = (in.filled[p] | arrived) & ~(in.active[p] | in.waiting[p]), stay = ~tails;
  in.filled[p] = count<B::kPorts>(&in.count[0][p], extent.depth_bits, arrived, leaves);
  in.last[p] = count_down<B::kPorts>(&in.left[0][p], extent.length_bits, leaves);
  in.active[p] &= stay;
  const int ports = ports_of<B>(extent);
  for (int o = 0; o < ports; ++o) in.out_port[o][p] &= stay;
  for (int w = 0; w < B::kVcs; ++w) in.out_vc[w][p] &= stay;
  in.waiting[p] |= heads;
  return heads;
}

/// Every head's packet is taken to have the usual length. Whose has another is put right by itself.
template <class B>
BRAID_PLANES_INLINE void begin_packets(B& b, int p, std::uint32_t usual_length, const typename B::Vcs& heads) {
  if (usual_length == 1) b.in.last[p] |= heads;
  for (unsigned k = 0; usual_length != 0; usual_length >>= 1, ++k) {
    if ((usual_length & 1) != 0) b.in.left[k][p] |= heads;
  }
}

}  // namespace braid::models::hybrid::planes
