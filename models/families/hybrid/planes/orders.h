// Matrix arbiters in planes: for every pair of requesters a plane that says at which routers the one goes before the
// other. Only the planes of a network that has such arbiters are there.
#pragma once

#include "models/families/hybrid/planes/state.h"

namespace braid::models::hybrid::planes {

/// Of a block. Pairs are numbered `first * requesters + second`.
template <class B>
struct alignas(64) Orders {
  using One = typename B::One;
  /// Ports, and behind the last one all numbers that no port has: they never ask, and stay together in the order.
  static constexpr int kVcs = B::kVcs, kPortsAndRest = B::kPorts + 1;
  One vcs[B::kPorts][kVcs * kVcs];
  typename B::Ones ports[B::kGroups][kPortsAndRest * kPortsAndRest];
};

/// Leaves of `requests`, which have `requesters` planes, those before which no other goes that requests.
template <int kRequesters, class One>
BRAID_PLANES_INLINE void take_first(const One* before, int requesters, One* requests) {
  One beaten[kRequesters] = {};
  for (int a = 0; a < requesters; ++a) {
    for (int b = 0; b < requesters; ++b) {
      if (a != b) beaten[b] |= requests[a] & before[a * kRequesters + b];
    }
  }
  for (int a = 0; a < requesters; ++a) requests[a] &= ~beaten[a];
}

/// Whoever is in `used` goes behind all others.
template <int kRequesters, class One>
BRAID_PLANES_INLINE void go_behind(One* before, int requesters, const One* used) {
  for (int a = 0; a < requesters; ++a) {
    for (int b = 0; b < requesters; ++b) {
      One& pair = before[a * kRequesters + b];
      if (a != b) pair = (pair | used[b]) & ~used[a];
    }
  }
}

/// The VC that an input port offers.
template <class B>
BRAID_PLANES_INLINE typename B::Vcs first_vc_in_order(const Orders<B>& orders, int p, typename B::Vcs requests) {
  typename B::One of_each[B::kVcs];
  std::memcpy(static_cast<void*>(of_each), static_cast<const void*>(&requests), sizeof requests);
  take_first<B::kVcs>(orders.vcs[p], B::kVcs, of_each);
  std::memcpy(static_cast<void*>(&requests), of_each, sizeof requests);
  return requests;
}
template <class B>
BRAID_PLANES_INLINE void vc_goes_behind(Orders<B>& orders, int p, const typename B::Vcs& used) {
  typename B::One of_each[B::kVcs];
  std::memcpy(static_cast<void*>(of_each), static_cast<const void*>(&used), sizeof used);
  go_behind<B::kVcs>(orders.vcs[p], B::kVcs, of_each);
}

/// Output ports that work together among the input ports, whose `offers` become their winners.
template <class B>
BRAID_PLANES_INLINE void take_offer_in_order(Orders<B>& orders, int group, int ports, typename B::Ones* offers) {
  typename B::Ones used[B::kPorts + 1] = {};
  for (int p = 0; p < ports; ++p) used[p] = offers[p];
  take_first<B::kPorts + 1>(orders.ports[group], ports, used);
  go_behind<B::kPorts + 1>(orders.ports[group], ports + 1, used);
  for (int p = 0; p < ports; ++p) offers[p] = used[p];
}

}  // namespace braid::models::hybrid::planes
