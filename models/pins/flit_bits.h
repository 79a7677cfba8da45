// A flit's data as a SystemC bit vector, and back.
#pragma once

#include <systemc>

#include "models/rtl/wires.h"

namespace braid::models::pins {

template <int Width>
constexpr void check_flit_width() {
  static_assert(Width >= 16, "a head's destination takes 16 bits of its flit");
  static_assert(Width <= 64 * static_cast<int>(hybrid::kMostFlitWords), "flits have at most 256 bits");
}

/// Bits past Width are left out.
template <int Width>
sc_dt::sc_bv<Width> to_bits(const hybrid::FlitData& data) {
  check_flit_width<Width>();
  constexpr int kWords = (Width + 31) / 32;
  sc_dt::sc_bv<Width> bits;
  for (int w = 0; w < kWords; ++w)
    bits.set_word(w, static_cast<sc_dt::sc_digit>(data[static_cast<std::size_t>(w) / 2] >> (w % 2 * 32)));
  constexpr int kLast = Width % 32;
  if constexpr (kLast != 0) bits.set_word(kWords - 1, bits.get_word(kWords - 1) & ((1U << kLast) - 1));
  return bits;
}

template <int Width>
void from_bits(const sc_dt::sc_bv<Width>& bits, hybrid::FlitData& data) {
  check_flit_width<Width>();
  data = {};
  for (int w = 0; w < (Width + 31) / 32; ++w)
    data[static_cast<std::size_t>(w) / 2] |= std::uint64_t{bits.get_word(w)} << (w % 2 * 32);
}

}  // namespace braid::models::pins
