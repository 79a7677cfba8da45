// How many bits number a set of things: registers are laid out in powers of two, so that shifts address them.
#pragma once

#include <cstddef>

namespace braid::models {

/// The least b with 2^b >= count.
inline unsigned bits_for(std::size_t count) {
  unsigned bits = 0;
  while ((std::size_t{1} << bits) < count) ++bits;
  return bits;
}

}  // namespace braid::models
