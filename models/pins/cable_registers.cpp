#include "models/pins/cable_registers.h"

namespace braid::models::pins {

CableRegistersBase::CableRegistersBase(const sc_core::sc_module_name& name, CableLength length)
    : LinkEnds(name), length_(length) {
  make_links(1);
  make_control(1);
}

void CableRegistersBase::check_pins() {
  check_link(0, false, {});  // Cables binds what has registers
  expect(control_valid_i[0], false, "");
  expect(control_kind_i[0], false, "");
  expect(control_search_i[0], false, "");
  expect(control_destination_i[0], false, "");
  check_control(0, [this](auto& pin) { expect(pin, false, ""); });
}

void CableRegistersBase::enter_reset() {
  messages_.assign(length_.flits, {});
  credits_.assign(length_.credits, 0);
  write_link(0, {}, 0, true);
  write_control(0, false, {});
}

namespace {

/// What comes in goes into the first register, and the last one is the pin. Without a register Cables has led the wire
/// past them.
template <class T>
T shift(std::deque<T>& registers, const T& in) {
  registers.push_back(in);
  registers.pop_front();
  return registers.empty() ? T() : registers.front();
}

}  // namespace

void CableRegistersBase::clock_edge() {
  Messages now;
  std::uint32_t credits = 0;
  read_link(0, now.flit, credits);
  now.control.valid = control_valid_i[0].read();
  if (now.control.valid) {
    now.control.kind = static_cast<hybrid::ControlKind>(control_kind_i[0].read().to_uint());
    now.control.search = control_search_i[0].read().to_uint();
    now.control.destination = control_destination_i[0].read().to_uint();
  }
  const Messages out = shift(messages_, now);
  write_link(0, out.flit, shift(credits_, credits), false);
  write_control(0, out.control.valid, out.control);
}

}  // namespace braid::models::pins
