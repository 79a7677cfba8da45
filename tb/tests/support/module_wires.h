// What a module alone stands between in a test: signals of Bits, and a clock that is moved by hand.
#pragma once

#include <deque>
#include <string>
#include <systemc>

#include "models/stages/base/bits.h"

namespace braid::test {

using Wire = sc_core::sc_signal<models::stages::Bits>;

/// Signals with their widths, 0 to begin with.
class Wires {
 public:
  Wire& operator()(unsigned width, std::uint64_t value = 0) {
    const std::string name = "wire_" + std::to_string(wires_.size());
    return wires_.emplace_back(name.c_str(), models::stages::Bits(width, value));
  }

 private:
  std::deque<Wire> wires_;
};

inline void put(Wire& wire, std::uint64_t value) { wire.write(models::stages::Bits(wire.read().width(), value)); }
inline std::uint64_t at(const Wire& wire) { return wire.read().field(0, wire.read().width()); }

/// One edge, a nanosecond after what was written, and the time until what it did is there.
inline void edge(sc_core::sc_signal<bool>& clock) {
  clock.write(false);
  sc_core::sc_start(1, sc_core::SC_NS);
  clock.write(true);
  sc_core::sc_start(1, sc_core::SC_NS);
}

}  // namespace braid::test
