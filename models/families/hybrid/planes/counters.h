// Counters of planes: bit k of every router's counter is in plane k, so that all are counted up and down at once. The
// bits of a counter are `step` planes apart.
#pragma once

#include "models/families/hybrid/planes/vectors.h"

namespace braid::models::hybrid::planes {

/// One bit of a counter: up a carry runs on through ones, down through zeros.
template <class Planes>
BRAID_PLANES_INLINE void count_bit(Planes& bit, const Planes& down, Planes& carry, Planes& not_zero) {
  const Planes was = bit, is = was ^ carry;
  carry &= was ^ down;
  not_zero |= is;
  bit = is;
}

/// Adds one where `more` is set and takes one where `less` is; where both are, nothing changes. Gives where the counter
/// is not zero then.
template <int step = 1, class Planes>
BRAID_PLANES_INLINE Planes count(Planes* counter, unsigned bits, const Planes& more, const Planes& less) {
  Planes carry = more ^ less, not_zero = carry ^ carry;
  const Planes down = less & ~more;
  for (unsigned k = 0; k < bits; ++k, counter += step) count_bit(*counter, down, carry, not_zero);
  return not_zero;
}

/// One bit, not the lowest, of a counter that only goes down.
template <class Planes>
BRAID_PLANES_INLINE void count_bit_down(Planes& bit, Planes& borrow, Planes& more_than_one) {
  const Planes is = bit ^ borrow;
  borrow &= is;
  more_than_one |= is;
  bit = is;
}

/// Takes one where `less` is set. Gives where the counter is one then.
template <int step = 1, class Planes>
BRAID_PLANES_INLINE Planes count_down(Planes* counter, unsigned bits, const Planes& less) {
  const Planes lowest = *counter ^ less;
  Planes borrow = lowest & less, more_than_one = less ^ less;
  *counter = lowest;
  for (unsigned k = 1; k < bits; ++k) count_bit_down(*(counter += step), borrow, more_than_one);
  return lowest & ~more_than_one;
}

/// Counters of the ports of a router, `counter[bit][port]`: each as by count(), bit by bit over all ports if `kAtOnce`,
/// so that one chain of carries does not wait for another's.
template <bool kAtOnce, int kPorts, class Planes>
BRAID_PLANES_INLINE void count_ports(Planes (*counter)[kPorts], unsigned bits, int ports, const Planes* more,
                                     const Planes* less, Planes* not_zero) {
  if constexpr (!kAtOnce) {
    for (int p = 0; p < ports; ++p) not_zero[p] = count<kPorts>(&counter[0][p], bits, more[p], less[p]);
  } else {
    Planes carry[kPorts], down[kPorts], some[kPorts] = {};
    for (int p = 0; p < kPorts; ++p) {
      carry[p] = more[p] ^ less[p];
      down[p] = less[p] & ~more[p];
    }
    for (unsigned k = 0; k < bits; ++k) {
#pragma GCC unroll 8
      for (int p = 0; p < kPorts; ++p) count_bit(counter[k][p], down[p], carry[p], some[p]);
    }
    for (int p = 0; p < kPorts; ++p) not_zero[p] = some[p];
  }
}

/// Each as by count_down().
template <bool kAtOnce, int kPorts, class Planes>
BRAID_PLANES_INLINE void count_ports_down(Planes (*counter)[kPorts], unsigned bits, int ports, const Planes* less,
                                          Planes* one) {
  if constexpr (!kAtOnce) {
    for (int p = 0; p < ports; ++p) one[p] = count_down<kPorts>(&counter[0][p], bits, less[p]);
  } else {
    Planes borrow[kPorts], lowest[kPorts], more_than_one[kPorts] = {};
    for (int p = 0; p < kPorts; ++p) {
      lowest[p] = counter[0][p] ^ less[p];
      borrow[p] = lowest[p] & less[p];
      counter[0][p] = lowest[p];
    }
    for (unsigned k = 1; k < bits; ++k) {
#pragma GCC unroll 8
      for (int p = 0; p < kPorts; ++p) count_bit_down(counter[k][p], borrow[p], more_than_one[p]);
    }
    for (int p = 0; p < kPorts; ++p) one[p] = lowest[p] & ~more_than_one[p];
  }
}

/// Adds as many as of the four planes are set.
template <class Planes>
BRAID_PLANES_INLINE void add_four(Planes* counter, unsigned bits, const Planes* four) {
  const Planes three = four[0] ^ four[1] ^ four[2];
  const Planes pairs = (four[0] & four[1]) | (four[2] & (four[0] ^ four[1])), more = three & four[3];
  const Planes sum[3] = {three ^ four[3], pairs ^ more, pairs & more};
  Planes carry = sum[0] ^ sum[0];
  for (unsigned k = 0; k < bits; ++k) {
    const Planes was = counter[k], add = k < 3 ? sum[k] : carry ^ carry;
    counter[k] = was ^ add ^ carry;
    carry = (was & add) | (carry & (was ^ add));
  }
}

/// Where the counter is one.
template <class Planes>
BRAID_PLANES_INLINE Planes is_one(const Planes* counter, unsigned bits) {
  Planes more_than_one = counter[0] ^ counter[0];
  for (unsigned k = 1; k < bits; ++k) more_than_one |= counter[k];
  return counter[0] & ~more_than_one;
}

/// One VC's counter at one router of the block; `vc` as in word_of().
template <class Shape, int step = 1>
inline std::uint32_t counter_of(const typename Shape::Vcs* counter, unsigned bits, unsigned vc, unsigned place) {
  std::uint32_t value = 0;
  for (unsigned k = 0; k < bits; ++k) value |= std::uint32_t{is_set<Shape>(counter + k * step, vc, place)} << k;
  return value;
}
template <class Shape, int step = 1>
inline void set_counter(typename Shape::Vcs* counter, unsigned bits, unsigned vc, unsigned place, std::uint32_t value) {
  for (unsigned k = 0; k < bits; ++k) put<Shape>(counter + k * step, vc, place, (value >> k & 1) != 0);
}

}  // namespace braid::models::hybrid::planes
