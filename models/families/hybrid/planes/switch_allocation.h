// SA of a block: each input port offers one of its VCs, each output port takes one of the offers, in turn.
#pragma once

#include "models/families/hybrid/planes/credits.h"
#include "models/families/hybrid/planes/orders.h"

namespace braid::models::hybrid::planes {

template <class B>
struct SwitchGrants {
  typename B::Vcs in[B::kPorts];     ///< [input port] VCs whose flit crosses the switch in the next cycle ...
  typename B::Vcs tails[B::kPorts];  ///< ... as their packet's last
  typename B::Vcs out[B::kPorts];    ///< [output port] VCs that it crosses to
  typename B::Vcs freed[B::kPorts];  ///< ... that have no owner from then on
  /// [ports that work together][input port] that offered one; only where a node has several ports.
  typename B::Ones offers[B::kGroups][B::kPorts];
};

/// One output port, or several at once, among `ports` input ports, whose `offers` become its winner. As long as nobody
/// takes the turn it goes on, round to the begin; after a grant it is the port's behind the winner.
template <class Ones>
BRAID_PLANES_INLINE void take_offer(Ones* turn, int ports, Ones* offers) {
  Ones passed{};
  for (int p = 0; p < ports; ++p) passed = (passed | turn[p]) & ~offers[p];
  passed |= turn[ports];
  Ones taken{};
  for (int p = 0; p < ports; ++p) {
    const Ones here = passed | turn[p];
    passed = here & ~offers[p];
    offers[p] &= here;
    taken |= offers[p];
  }
  // A turn behind the last port is the first one's, unless there are numbers that no port has.
  turn[ports] = (turn[ports] & ~taken) | offers[ports - 1];
  for (int p = ports - 1; p > 0; --p) turn[p] = (turn[p] & ~taken) | offers[p - 1];
  turn[0] &= ~taken;
}

/// What input port `p` offers to each output port.
template <class B>
BRAID_PLANES_INLINE void offer(const B& b, const Extent& extent, int p, const typename B::Vcs& offered,
                               typename B::Ones (&offers)[B::kGroups][B::kPorts]) {
  const int ports = ports_of<B>(extent), groups = groups_of<B>(extent);
  for (int g = 0; g < groups; ++g) {
    typename B::Vcs to_port[B::kTogether] = {};
    for (int i = 0; i < B::kTogether; ++i) {
      const int o = g * B::kTogether + i;
      if (o < ports && is_pair<B>(extent, p, o)) to_port[i] = offered & b.in.out_port[o][p];
    }
    offers[g][p] = B::Shape::of_ports(to_port);
  }
}

/// `orders`: of matrix arbiters; null: they are round robin. `taken`: null: no circuits.
template <class B>
BRAID_PLANES_INLINE void allocate_switch(B& b, const Extent& extent, Orders<B>* orders, const TakenByCircuits<B>* taken,
                                         SwitchGrants<B>& grants) {
  using Shape = typename B::Shape;
  using Ones = typename B::Ones;
  using Vcs = typename B::Vcs;
  const int ports = ports_of<B>(extent), groups = groups_of<B>(extent);
  Vcs requests[B::kPorts], offered[B::kPorts], out_vc[B::kPorts];
  Ones offers[B::kGroups][B::kPorts], ends[B::kGroups] = {};
  for (int p = 0; p < ports; ++p) requests[p] = b.in.filled[p] & b.in.active[p];
  withdraw_blocked(b, extent, requests);
  for (int p = 0; taken != nullptr && p < ports; ++p) requests[p] &= ~Shape::all(taken->inputs[p]);
  for (int p = 0; p < ports; ++p) {
    offered[p] =
        orders == nullptr ? Shape::round_robin(b.in.turn[p], requests[p]) : first_vc_in_order(*orders, p, requests[p]);
    Vcs to_vc[B::kVcs];
    for (int w = 0; w < B::kVcs; ++w) to_vc[w] = offered[p] & b.in.out_vc[w][p];
    out_vc[p] = Shape::any_of_each(to_vc);
    offer(b, extent, p, offered[p], offers);
  }
  for (int g = 0; taken != nullptr && g < groups; ++g) {  // who offers to a port that is taken has lost the cycle
    for (int p = 0; p < ports; ++p) offers[g][p] &= ~taken->outputs[g];
  }
  if (extent.several_locals) std::memcpy(static_cast<void*>(grants.offers), offers, sizeof offers);
  for (int g = 0; g < groups; ++g) {
    if (orders == nullptr) {
      take_offer(b.out.turn[g], ports, offers[g]);
    } else {
      take_offer_in_order(*orders, g, ports, offers[g]);
    }
  }
  for (int p = 0; p < ports; ++p) {
    Ones granted{};
    for (int g = 0; g < groups; ++g) granted |= offers[g][p];
    const Vcs all = Shape::any_port(granted);
    grants.in[p] = offered[p] & all;
    grants.tails[p] = grants.in[p] & b.in.last[p];
    const Ones tails = Shape::any_vc(grants.tails[p]);
    for (int g = 0; g < groups; ++g) ends[g] |= offers[g][p] & tails;
    b.in.turn[p] = (b.in.turn[p] & ~all) | Shape::next(grants.in[p]);
    if (orders != nullptr) vc_goes_behind(*orders, p, grants.in[p]);
  }
  for (int o = 0; o < ports; ++o) {
    const int g = o / B::kTogether, i = o % B::kTogether;
    Vcs crossing{};
    for (int p = 0; p < ports; ++p) {
      if (is_pair<B>(extent, p, o)) crossing |= Shape::one_port(offers[g][p], i) & out_vc[p];
    }
    grants.out[o] = crossing;
    grants.freed[o] = crossing & Shape::one_port(ends[g], i);
  }
}

}  // namespace braid::models::hybrid::planes
