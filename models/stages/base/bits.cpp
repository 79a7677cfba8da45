#include "models/stages/base/bits.h"

#include <new>
#include <ostream>

namespace braid::models::stages {

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
  std::uint64_t value = 0;
  for (unsigned i = width; i-- > 0;) value = value << 1 | ((*this)[low + i] ? 1U : 0U);
  return value;
}

void Bits::set(unsigned low, unsigned width, std::uint64_t value) {
  for (unsigned i = 0; i < width; ++i) set(low + i, i < 64 && ((value >> i) & 1) != 0);
}

std::string Bits::text() const {
  std::string digits;
  for (unsigned i = width_; i-- > 0;) digits += (*this)[i] ? '1' : '0';
  return std::to_string(width_) + "'b" + digits;
}

std::ostream& operator<<(std::ostream& out, const Bits& bits) { return out << bits.text(); }

}  // namespace braid::models::stages
