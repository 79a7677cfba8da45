// A plane is a row of words, a bit a router.
#pragma once

#include <cstdint>

namespace braid::models::hybrid::planes {

using Word = std::uint64_t;
constexpr unsigned kWordBits = 64;
constexpr Word bit_of(unsigned place) { return Word{1} << (place % kWordBits); }

}  // namespace braid::models::hybrid::planes
