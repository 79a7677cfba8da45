// BW of a block, and what SA's grants do to the input VCs.
#pragma once

#include "models/families/hybrid/planes/counters.h"
#include "models/families/hybrid/planes/state.h"
#include "models/families/hybrid/planes/switch_allocation.h"

namespace braid::models::hybrid::planes {

/// Flits arrive and leave. Finds VCs with a head to be routed, `fresh`: it came to an idle VC, or is behind a tail that
/// was granted the switch in the last cycle. Every head's packet is taken to have the usual length; whose has another
/// is put right by itself.
template <class B>
BRAID_PLANES_INLINE void write_buffers(B& b, const Extent& extent, const typename B::Vcs* arrived,
                                       const SwitchGrants<B>& grants, std::uint32_t usual_length) {
  typename B::Inputs& in = b.in;
  typename B::Vcs heads[B::kPorts];
  const int ports = ports_of<B>(extent);
  for (int p = 0; p < ports; ++p) heads[p] = in.filled[p] | arrived[p];
  count_ports<B::kAtOnce>(in.count, extent.depth_bits, ports, arrived, grants.in, in.filled);
  count_ports_down<B::kAtOnce>(in.left, extent.length_bits, ports, grants.in, in.last);
  for (int p = 0; p < ports; ++p) {
    heads[p] &= ~(in.active[p] | in.waiting[p]);
    const typename B::Vcs stay = ~grants.tails[p];
    in.active[p] &= stay;
    for (int o = 0; o < ports; ++o) {
      if (is_pair<B>(extent, p, o)) in.out_port[o][p] &= stay;
    }
    for (int w = 0; w < B::kVcs; ++w) in.out_vc[w][p] &= stay;
    in.fresh[p] = heads[p];
    in.waiting[p] |= heads[p];
    if (usual_length == 1) in.last[p] |= heads[p];
  }
  for (unsigned k = 0; usual_length != 0; usual_length >>= 1, ++k) {
    if ((usual_length & 1) == 0) continue;
    for (int p = 0; p < ports; ++p) in.left[k][p] |= heads[p];
  }
}

}  // namespace braid::models::hybrid::planes
