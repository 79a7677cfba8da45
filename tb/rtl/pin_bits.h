// Fields of a Verilated port, whatever type it has.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <type_traits>

namespace braid::rtl {

template <class T>
std::uint64_t get_bits(const T& port, unsigned first, unsigned bits) {
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if constexpr (std::is_integral_v<T>) {
    return (static_cast<std::uint64_t>(port) >> first) & mask;
  } else {
    if (bits == 64 && first % 32 == 0) return port[first / 32] | static_cast<std::uint64_t>(port[first / 32 + 1]) << 32;
    std::uint64_t value = 0;
    for (unsigned done = 0; done < bits;) {
      const unsigned at = first + done, offset = at % 32;
      value |= (static_cast<std::uint64_t>(port[at / 32]) >> offset) << done;
      done += 32 - offset;
    }
    return value & mask;
  }
}
template <class T>
void put_bits(T& port, unsigned first, unsigned bits, std::uint64_t value) {
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  value &= mask;
  if constexpr (std::is_integral_v<T>) {
    port = static_cast<T>((static_cast<std::uint64_t>(port) & ~(mask << first)) | (value << first));
  } else {
    if (bits == 64 && first % 32 == 0) {
      port[first / 32] = static_cast<EData>(value);
      port[first / 32 + 1] = static_cast<EData>(value >> 32);
      return;
    }
    for (unsigned done = 0; done < bits;) {
      const unsigned at = first + done, offset = at % 32;
      const std::uint64_t here = (mask >> done) << offset;
      port[at / 32] = static_cast<EData>((port[at / 32] & ~here) | ((value >> done) << offset));
      done += 32 - offset;
    }
  }
}

}  // namespace braid::rtl
