// Ports that know how wide they are, and signals of that width for a module that stands alone.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <systemc>

#include "models/stages/base/bits.h"

namespace braid::models::stages {

class InBits final : public sc_core::sc_in<Bits> {
 public:
  /// `width` 0: whatever it is bound to has.
  explicit InBits(const char* name, unsigned width = 0) : sc_in(name), width_(width) {}
  unsigned width() const { return width_; }

 private:
  const unsigned width_;
};

class OutBits final : public sc_core::sc_out<Bits> {
 public:
  explicit OutBits(const char* name, unsigned width = 0) : sc_out(name), width_(width) {}
  unsigned width() const { return width_; }

 private:
  const unsigned width_;
};

/// Throws InputError where a port of the module is bound to what has another width. At the end of elaboration.
void check_widths(const sc_core::sc_module& module);

/// A signal of its own on each port of bits of a module that is not bound yet, for a testbench. Made before the
/// simulation begins.
class PortSignals {
 public:
  /// `width_if_unsaid`: where a port does not say its own.
  explicit PortSignals(sc_core::sc_module& module, unsigned width_if_unsaid = 0);
  PortSignals(const PortSignals&) = delete;
  PortSignals& operator=(const PortSignals&) = delete;

  /// By the port's name, as "valid_i".
  using Signal = sc_core::sc_signal<Bits>;
  Signal& operator[](const std::string& port) { return *signals_.at(port); }
  const Bits& read(const std::string& port) const { return signals_.at(port)->read(); }
  /// From now on, in the next delta: `value` in the `width` bits from `low` on, the others as they are to be.
  void set(const std::string& port, unsigned low, unsigned width, std::uint64_t value);
  void set(const std::string& port, unsigned bit, bool value = true) { set(port, bit, 1, value ? 1 : 0); }
  /// From now on, in the next delta, of so many bits and 0: for a port that does not say its own width.
  void resize(const std::string& port, unsigned width);
  /// 0 on all of them.
  void clear(const std::string& port);
  /// All into a waveform, by the ports' names.
  void trace(sc_core::sc_trace_file* file) const;
  /// Writes STEM.gtkw, GTKWave's save file for the waveform STEM.vcd that they are traced into: inputs, then outputs.
  void save(const std::string& stem) const;

 private:
  std::map<std::string, std::unique_ptr<Signal>> signals_;
  std::map<std::string, Bits> next_;  // what was written last
};

}  // namespace braid::models::stages
