#include "models/pins/router_seat.h"

#include <fmt/format.h>

namespace braid::models::pins {

RouterSeatBase::RouterSeatBase(const sc_core::sc_module_name& name, Engine& engine, CutRouter& router,
                               std::uint32_t flit_width)
    : RequestEnds(name), control_valid_i("control_valid_i"), engine_(engine), router_(router) {
  make_links(place().shape.ports);
  make_pins(place().shape.ports, control_valid_i);
  make_control(place().shape.ports);
  router.bind(flit_width);
}

void RouterSeatBase::check_pins() {
  const bool circuits = place().options.circuits;
  const std::string router = "router " + router_name() + ", whose place is here: bind the pins of yours (Cables::join)";
  for (std::uint32_t p = 0; p < place().shape.ports; ++p) {
    const std::string why = fmt::format("port {} of {}", p, router);
    check_link(p, place().wired(p), {why, why, why, why});
    const bool needed = circuits && place().kind(p) == routing::PortKind::kNetwork;
    expect(control_valid_i[p], needed, why);
    check_control(p, [&](auto& pin) { expect(pin, needed, why); });
    watch(control_valid_i[p]);
  }
  expect(control_kind_i, circuits, router);
  expect(control_search_i, circuits, router);
  expect(control_destination_i, circuits, router);
  check_requests(circuits);
}

/// The pins are read in the middle of a cycle: what changes from there to the next rising edge would be read a cycle
/// late.
void RouterSeatBase::changed() {
  const auto period = engine_.period().value(), now = sc_core::sc_time_stamp().value();
  if (now % period < period / 2) return;
  report_once(
      fmt::format("cycle {}: an input changed in the second half of a cycle, or at the falling edge of the cut's clk; "
                  "drive it by the rising edge",
                  now / period));
}

void RouterSeatBase::read_control() {
  hybrid::ControlWires& control = from_router_.control;
  control.valid = false;
  for (std::uint32_t p = 0; p < place().shape.ports; ++p) {
    if (!control_valid_i[p].read()) continue;
    if (control.valid) {
      throw hybrid::WireError(fmt::format(
          "control_valid_i[{}] and [{}] are up: a router sends one control message a cycle", control.port, p));
    }
    control = {true,
               p,
               static_cast<hybrid::ControlKind>(control_kind_i.read().to_uint()),
               control_search_i.read().to_uint(),
               control_destination_i.read().to_uint(),
               0};
  }
  read_outcome(from_router_);
}

/// A router that is clocked answers a first flit in a few cycles: all its ways on are free.
void RouterSeatBase::expect_answer(std::uint64_t cycle) {
  constexpr std::uint64_t kLongest = 1000;
  if (heard_ || cycle < first_given_ || cycle - first_given_ < kLongest) return;
  throw hybrid::WireError(fmt::format(
      "router {} has been sent something in cycle {}, and nothing has ever come back; bind its clk_i to clk "
      "of the cut, and its rst_ni to rst_n",
      place().topology.router_names[place().router.value], first_given_));
}

void RouterSeatBase::clock_edge() {
  const std::uint64_t cycle = engine_.settled().now() - 1;
  for (std::uint32_t p = 0; p < place().shape.ports; ++p) {
    read_link(p, from_router_.links[p], from_router_.credits[p]);
    heard_ = heard_ || from_router_.links[p].valid || from_router_.credits[p] != 0;
  }
  if (place().options.circuits) read_control();
  heard_ = heard_ || from_router_.control.valid || from_router_.outcome;
  expect_answer(cycle);
  ended_ = router_.take(cycle, from_router_);
}

void RouterSeatBase::give() {
  const std::uint64_t next = engine_.settled().now();
  router_.give(next, to_router_);
  bool any = to_router_.request.valid || to_router_.control.valid;
  for (std::uint32_t p = 0; p < place().shape.ports; ++p) {
    write_link(p, to_router_.links[p], to_router_.credits[p], false);
    any = any || to_router_.links[p].valid;
    const hybrid::ControlWires& control = to_router_.control;
    write_control(p, control.valid && control.port == p, control);
  }
  if (any && next < first_given_) first_given_ = next;
  write_request(to_router_.request, false);
}

}  // namespace braid::models::pins
