// SA of a block: each input port offers one of its VCs, each output port takes one of the offers, in turn.
#pragma once

#include "models/families/hybrid/planes/orders.h"

namespace braid::models::hybrid::planes {

template <class B>
struct SwitchGrants {
  typename B::Vcs in[B::kPorts];     ///< [input port] VCs whose flit crosses the switch in the next cycle ...
  typename B::Vcs tails[B::kPorts];  ///< ... as their packet's last
  typename B::Vcs out[B::kPorts];    ///< [output port] VCs that it crosses to
  typename B::Vcs freed[B::kPorts];  ///< ... that have no owner from then on
  /// [output port][input port] that offered one; only where a node has several ports.
  typename B::One offers[B::kPorts][B::kPorts];
};

/// One output port among `ports` input ports, whose `offers` become its winner. As long as nobody takes the turn it
/// goes on, round to the begin; after a grant it is the port's behind the winner.
template <class One>
BRAID_PLANES_INLINE void take_offer(One* turn, int ports, One* offers) {
  One passed{};
  for (int p = 0; p < ports; ++p) passed = (passed | turn[p]) & ~offers[p];
  passed |= turn[ports];
  One taken{};
  for (int p = 0; p < ports; ++p) {
    const One here = passed | turn[p];
    passed = here & ~offers[p];
    offers[p] &= here;
    taken |= offers[p];
  }
  // A turn behind the last port is the first one's, unless there are numbers that no port has.
  turn[ports] = (turn[ports] & ~taken) | offers[ports - 1];
  for (int p = ports - 1; p > 0; --p) turn[p] = (turn[p] & ~taken) | offers[p - 1];
  turn[0] &= ~taken;
}

/// `orders`: of matrix arbiters; null: they are round robin.
template <class B>
BRAID_PLANES_INLINE void allocate_switch(B& b, const Extent& extent, Orders<B>* orders, SwitchGrants<B>& grants) {
  using Shape = typename B::Shape;
  using One = typename B::One;
  using Vcs = typename B::Vcs;
  const int ports = ports_of<B>(extent);
  Vcs offered[B::kPorts], out_vc[B::kPorts];
  One offers[B::kPorts][B::kPorts], tails[B::kPorts];  // [output port][input port], [input port]
  for (int p = 0; p < ports; ++p) {
    const Vcs requests = b.in.filled[p] & b.in.active[p] & ~b.in.blocked[p];
    offered[p] =
        orders == nullptr ? Shape::round_robin(b.in.turn[p], requests) : first_vc_in_order(*orders, p, requests);
    Vcs to_vc[B::kVcs];
    for (int w = 0; w < B::kVcs; ++w) to_vc[w] = offered[p] & b.in.out_vc[w][p];
    out_vc[p] = Shape::any_of_each(to_vc);
    for (int o = 0; o < ports; ++o) {
      offers[o][p] = (extent.pairs[p] >> o & 1) != 0 ? Shape::any(offered[p] & b.in.out_port[o][p]) : One{};
    }
  }
  if (extent.several_locals) std::memcpy(static_cast<void*>(grants.offers), offers, sizeof offers);
  for (int o = 0; o < ports; ++o) {
    if (orders == nullptr) {
      take_offer(b.out.turn[o], ports, offers[o]);
    } else {
      take_offer_in_order(*orders, o, ports, offers[o]);
    }
  }
  for (int p = 0; p < ports; ++p) {
    One granted{};
    for (int o = 0; o < ports; ++o) granted |= offers[o][p];
    const Vcs all = Shape::all(granted);
    grants.in[p] = offered[p] & all;
    grants.tails[p] = grants.in[p] & b.in.last[p];
    tails[p] = Shape::any(grants.tails[p]);
    b.in.turn[p] = (b.in.turn[p] & ~all) | Shape::next(grants.in[p]);
    if (orders != nullptr) vc_goes_behind(*orders, p, grants.in[p]);
  }
  for (int o = 0; o < ports; ++o) {
    Vcs crossing{};
    One ends{};
    for (int p = 0; p < ports; ++p) {
      if ((extent.pairs[p] >> o & 1) == 0) continue;
      crossing |= Shape::all(offers[o][p]) & out_vc[p];
      ends |= offers[o][p] & tails[p];
    }
    grants.out[o] = crossing;
    grants.freed[o] = crossing & Shape::all(ends);
  }
}

}  // namespace braid::models::hybrid::planes
