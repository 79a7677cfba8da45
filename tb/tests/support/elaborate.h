#pragma once

#include <systemc>

namespace braid::test {

/// Binds all ports.
inline void elaborate() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

}  // namespace braid::test
