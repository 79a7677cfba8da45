// A plane is a row of words, a bit a router.
#pragma once

#include <cstdint>

namespace braid::models::hybrid::planes {

using Word = std::uint64_t;
/// One that a vector is made of.
typedef Word __attribute__((may_alias)) WordOfVector;
constexpr unsigned kWordBits = 64;
constexpr Word bit_of(unsigned place) { return Word{1} << (place % kWordBits); }
/// Of no bit at all 64, as the processor's own instruction has it: so nobody has to ask.
constexpr unsigned lowest_bit(Word word) {
  return word == 0 ? kWordBits : static_cast<unsigned>(__builtin_ctzll(word));
}

}  // namespace braid::models::hybrid::planes
