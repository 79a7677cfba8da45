// Counters of planes: bit k of every router's counter is in plane k, so that all are counted up and down at once. The
// bits of a counter are `step` planes apart.
#pragma once

#include "models/families/hybrid/planes/vectors.h"

namespace braid::models::hybrid::planes {

/// Adds one where `more` is set and takes one where `less` is; where both are, nothing changes. Gives where the counter
/// is not zero then.
template <int step = 1, class Planes>
BRAID_PLANES_INLINE Planes count(Planes* counter, unsigned bits, const Planes& more, const Planes& less) {
  Planes carry = more ^ less, not_zero = carry ^ carry;
  const Planes down = less & ~more;
  for (unsigned k = 0; k < bits; ++k, counter += step) {
    const Planes was = *counter, is = was ^ carry;
    carry &= was ^ down;  // up it runs on through ones, down through zeros
    not_zero |= is;
    *counter = is;
  }
  return not_zero;
}

/// Takes one where `less` is set. Gives where the counter is one then.
template <int step = 1, class Planes>
BRAID_PLANES_INLINE Planes count_down(Planes* counter, unsigned bits, const Planes& less) {
  Planes borrow = less, more_than_one = less ^ less;
  const Planes lowest = *counter ^ less;
  for (unsigned k = 0; k < bits; ++k, counter += step) {
    const Planes is = *counter ^ borrow;
    borrow &= is;
    if (k != 0) more_than_one |= is;
    *counter = is;
  }
  return lowest & ~more_than_one;
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
