// Types of the pins. Those that are narrower in the RTL have 0 above.
#pragma once

#include <systemc>

namespace braid::models::pins {

template <class T>
using In = sc_core::sc_in<T>;
template <class T>
using Out = sc_core::sc_out<T>;
template <class Pin>
using PinVector = sc_core::sc_vector<Pin>;

using LaneBits = sc_dt::sc_uint<5>;
using CreditBits = sc_dt::sc_uint<32>;  ///< a bit a lane
using KindBits = sc_dt::sc_uint<2>;
using SearchBits = sc_dt::sc_uint<16>;
using NodeBits = sc_dt::sc_uint<16>;
using PortBits = sc_dt::sc_uint<3>;
using PortSet = sc_dt::sc_uint<8>;
using CoordinateBits = sc_dt::sc_uint<8>;

/// `ports` pins in each.
template <class... Vectors>
void make_pins(std::size_t ports, Vectors&... vectors) {
  (vectors.init(ports), ...);
}

}  // namespace braid::models::pins
