// Credits of a block, and which input VCs have none where they want to go.
#pragma once

#include "models/families/hybrid/planes/counters.h"
#include "models/families/hybrid/planes/state.h"

namespace braid::models::hybrid::planes {

/// Credits come back and are used.
template <class B>
BRAID_PLANES_INLINE void take_credits(B& b, const Extent& extent, const typename B::Vcs* back,
                                      const typename B::Vcs* used) {
  const int ports = ports_of<B>(extent);
  typename B::Vcs some[B::kPorts];
  count_ports<B::kAtOnce>(b.out.credits, extent.depth_bits, ports, back, used, some);
  for (int o = 0; o < ports; ++o) b.out.none[o] = ~some[o];
}

/// Output ports with a VC that has no credit, a bit each; mostly there is none.
template <class B>
BRAID_PLANES_INLINE std::uint32_t ports_without_credit(const B& b, int ports) {
  typename B::Vcs none = b.out.none[0];
  for (int o = 1; o < ports; ++o) none |= b.out.none[o];
  if (!B::Shape::some(none)) return 0;
  std::uint32_t without = 0;
  for (int o = 0; o < ports; ++o) without |= std::uint32_t{B::Shape::some(b.out.none[o])} << o;
  return without;
}

/// Takes away the requests of VCs whose output VC has no credit.
template <class B>
BRAID_PLANES_INLINE void withdraw_blocked(const B& b, const Extent& extent, typename B::Vcs* requests) {
  using Shape = typename B::Shape;
  using Vcs = typename B::Vcs;
  const int ports = ports_of<B>(extent);
  for (std::uint32_t without = ports_without_credit(b, ports); without != 0; without &= without - 1) {
    const int o = __builtin_ctz(without);
    for (int p = 0; p < ports; ++p) {
      if (!is_pair<B>(extent, p, o)) continue;
      Vcs there{};
      for (int w = 0; w < B::kVcs; ++w) there |= b.in.out_vc[w][p] & Shape::spread(b.out.none[o], w);
      requests[p] &= ~(there & b.in.out_port[o][p]);
    }
  }
}

}  // namespace braid::models::hybrid::planes
