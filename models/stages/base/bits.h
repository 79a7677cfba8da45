// What is on a bundle of wires: the packed vector of the RTL's ports, whose width is known when the network is made.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <systemc>

namespace braid::models::stages {

/// `width` bits, 0 to begin with. Bit 0 is the lowest; [i][j] of a port with rows of w bits is bit i * w + j.
class Bits {
 public:
  Bits() : Bits(0) {}
  explicit Bits(unsigned width) : width_(width), bits_(static_cast<int>(width == 0 ? 1 : width)) {}
  Bits(unsigned width, std::uint64_t value) : Bits(width) { set(0, width, value); }
  Bits(const Bits&) = default;
  Bits& operator=(const Bits& other);

  unsigned width() const { return width_; }
  bool operator[](unsigned i) const { return bits_.get_bit(static_cast<int>(i)); }
  void set(unsigned i, bool value = true) { bits_.set_bit(static_cast<int>(i), sc_dt::sc_logic_value_t(value)); }
  /// The `width` bits from `low` on, at most 64.
  std::uint64_t field(unsigned low, unsigned width) const;
  void set(unsigned low, unsigned width, std::uint64_t value);
  /// All of them, of 32 at most.
  std::uint32_t word() const { return static_cast<std::uint32_t>(field(0, width_)); }
  void clear() { bits_ = 0; }
  bool any() const { return bits_.or_reduce(); }
  bool operator==(const Bits& other) const { return width_ == other.width_ && bits_ == other.bits_; }
  bool operator!=(const Bits& other) const { return !(*this == other); }
  /// "4'b0010"
  std::string text() const;
  /// As SystemC's own type, for its waveforms and for others' modules.
  const sc_dt::sc_bv_base& value() const { return bits_; }

 private:
  unsigned width_;
  sc_dt::sc_bv_base bits_;
};

std::ostream& operator<<(std::ostream& out, const Bits& bits);
/// Found by SystemC's ports and signals of Bits.
inline void sc_trace(sc_core::sc_trace_file* file, const Bits& bits, const std::string& name) {
  sc_core::sc_trace(file, bits.value(), name);
}

}  // namespace braid::models::stages
