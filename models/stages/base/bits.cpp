#include "models/stages/base/bits.h"

#include <algorithm>
#include <new>
#include <ostream>

namespace braid::models::stages {
namespace {

constexpr unsigned kWordBits = 32;  // of SystemC's vectors

}  // namespace

/// In place, so that a waveform that was told where the bits are finds them there. A vector of SystemC keeps its width.
Bits& Bits::operator=(const Bits& other) {
  if (this == &other) return *this;
  if (width_ != other.width_) {
    bits_.~sc_bv_base();
    new (&bits_) sc_dt::sc_bv_base(other.bits_);
    width_ = other.width_;
  } else {
    bits_ = other.bits_;
  }
  return *this;
}

std::uint64_t Bits::field(unsigned low, unsigned width) const {
  if (width == 0) return 0;
  unsigned word = low / kWordBits, have = kWordBits - low % kWordBits;
  std::uint64_t value = bits_.get_word(static_cast<int>(word)) >> (low % kWordBits);
  for (; have < width; have += kWordBits) {
    value |= std::uint64_t{bits_.get_word(static_cast<int>(++word))} << have;
  }
  return width < 64 ? value & ((std::uint64_t{1} << width) - 1) : value;
}

void Bits::set(unsigned low, unsigned width, std::uint64_t value) {
  while (width > 0) {
    const unsigned word = low / kWordBits, shift = low % kWordBits, here = std::min(width, kWordBits - shift);
    const auto mask = static_cast<std::uint32_t>(((std::uint64_t{1} << here) - 1) << shift);
    const auto part = static_cast<std::uint32_t>(value << shift) & mask;
    bits_.set_word(static_cast<int>(word), (bits_.get_word(static_cast<int>(word)) & ~mask) | part);
    low += here;
    width -= here;
    value >>= here;
  }
}

std::string Bits::text() const {
  std::string digits;
  for (unsigned i = width_; i-- > 0;) digits += (*this)[i] ? '1' : '0';
  return std::to_string(width_) + "'b" + digits;
}

std::ostream& operator<<(std::ostream& out, const Bits& bits) { return out << bits.text(); }

}  // namespace braid::models::stages
