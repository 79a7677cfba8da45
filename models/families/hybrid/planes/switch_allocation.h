// SA of a block: each input port offers one of its VCs, each output port takes one of the offers, in turn.
#pragma once

#include "models/families/hybrid/planes/state.h"

namespace braid::models::hybrid::planes {

template <class B>
struct SwitchGrants {
  typename B::Vcs in[B::kPorts];     ///< [input port] VCs whose flit crosses the switch in the next cycle ...
  typename B::Vcs tails[B::kPorts];  ///< ... as their packet's last
  typename B::Vcs out[B::kPorts];    ///< [output port] VCs that it crosses to
  /// [output port][input port] that offered one; only where a node has several ports.
  typename B::One offers[B::kPorts][B::kPorts];
};

/// One output port among `ports` input ports, whose `offers` become its winner. As long as nobody takes the turn it
/// goes on, round to the begin; after a grant it is the port's behind the winner.
template <class B>
BRAID_PLANES_INLINE void take_offer(typename B::Output& out, int ports, typename B::One* offers) {
  using One = typename B::One;
  One passed{};
  for (int p = 0; p < ports; ++p) passed = (passed | out.turn[p]) & ~offers[p];
  passed |= out.turn[ports];
  One taken{};
  for (int p = 0; p < ports; ++p) {
    const One here = passed | out.turn[p];
    passed = here & ~offers[p];
    offers[p] &= here;
    taken |= offers[p];
  }
  // A turn behind the last port is the first one's, unless there are numbers that no port has.
  out.turn[ports] = (out.turn[ports] & ~taken) | offers[ports - 1];
  for (int p = ports - 1; p > 0; --p) out.turn[p] = (out.turn[p] & ~taken) | offers[p - 1];
  out.turn[0] &= ~taken;
}

template <class B>
BRAID_PLANES_INLINE void allocate_switch(B& b, const Extent& extent, SwitchGrants<B>& grants) {
  using Shape = typename B::Shape;
  using One = typename B::One;
  using Vcs = typename B::Vcs;
  const int ports = ports_of<B>(extent);
  Vcs offered[B::kPorts], out_vc[B::kPorts];
  One offers[B::kPorts][B::kPorts];  // [output port][input port]
  for (int p = 0; p < ports; ++p) {
    typename B::Input& in = b.in[p];
    offered[p] = Shape::round_robin(in.turn, in.filled & in.active & ~in.blocked);
    out_vc[p] = Shape::any_of_each(offered[p], in.out_vc);
    for (int o = 0; o < ports; ++o) {
      offers[o][p] = (extent.pairs[p] >> o & 1) != 0 ? Shape::any(offered[p] & in.out_port[o]) : One{};
    }
  }
  if (extent.several_locals) std::memcpy(static_cast<void*>(grants.offers), offers, sizeof offers);
  for (int o = 0; o < ports; ++o) take_offer<B>(b.out[o], ports, offers[o]);
  for (int o = 0; o < ports; ++o) {
    Vcs crossing{};
    for (int p = 0; p < ports; ++p) {
      if ((extent.pairs[p] >> o & 1) != 0) crossing |= Shape::all(offers[o][p]) & out_vc[p];
    }
    grants.out[o] = crossing;
  }
  for (int p = 0; p < ports; ++p) {
    typename B::Input& in = b.in[p];
    One granted{};
    for (int o = 0; o < ports; ++o) granted |= offers[o][p];
    const Vcs all = Shape::all(granted);
    grants.in[p] = offered[p] & all;
    grants.tails[p] = grants.in[p] & in.last;
    in.turn = (in.turn & ~all) | Shape::next(grants.in[p]);
  }
}

}  // namespace braid::models::hybrid::planes
