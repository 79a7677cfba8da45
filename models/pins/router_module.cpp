#include "models/pins/router_module.h"

#include <fmt/format.h>

namespace braid::models::pins {
namespace {

hybrid::ControlKind kind_of(const KindBits& bits) { return static_cast<hybrid::ControlKind>(bits.to_uint()); }

}  // namespace

RouterModuleBase::RouterModuleBase(const sc_core::sc_module_name& name, std::unique_ptr<const RouterPlace> place)
    : LinkEnds(name),
      control_valid_i("control_valid_i"),
      control_kind_i("control_kind_i"),
      control_search_i("control_search_i"),
      control_destination_i("control_destination_i"),
      control_valid_o("control_valid_o"),
      place_(std::move(place)) {
  make_links(place_->shape.ports);
  make_pins(place_->shape.ports, control_valid_i, control_kind_i, control_search_i, control_destination_i,
            control_valid_o);
}

void RouterModuleBase::set_router(std::unique_ptr<hybrid::WiredRouter> router, const hybrid::RouterSite& site) {
  router_ = std::move(router);
  site_ = site;
}

// ---------------------------------------------------------------- before the clock runs

void RouterModuleBase::check_pins() {
  for (std::uint32_t p = 0; p < place_->shape.ports; ++p) {
    const std::string link =
        fmt::format("port {} of router {}", p, place_->topology.router_names[place_->router.value]);
    check_link(
        p, place_->wired(p),
        {"a flit that comes in at " + link, "a flit that leaves by " + link, "credits back to whoever sends to " + link,
         "credits from whoever takes flits of " + link +
             "; without them it sends no more than the buffers there hold"});
  }
  check_circuit_pins();
  for (auto* strap : {&x_i, &y_i}) expect(*strap, false, "");
  for (auto* strap : {&network_ports_i, &local_ports_i, &port_class_i, &table_ports_i}) expect(*strap, false, "");
  expect(share_reserved_i, false, "");
  expect(table_write_i, false, "");
  expect(table_set_i, false, "");
  expect(table_node_i, false, "");
}

void RouterModuleBase::check_circuit_pins() {
  const bool circuits = place_->options.circuits;
  for (std::uint32_t p = 0; p < place_->shape.ports; ++p) {
    const bool needed = circuits && place_->kind(p) == routing::PortKind::kNetwork;
    const std::string why = fmt::format("the control channel of port {}: this experiment has circuits", p);
    expect(control_valid_i[p], needed, why);
    expect(control_kind_i[p], needed, why);
    expect(control_search_i[p], needed, why);
    expect(control_destination_i[p], needed, why);
    expect(control_valid_o[p], needed, why);
    watch(control_valid_i[p]);
  }
  const std::string message = "the message of control_valid_o: this experiment has circuits";
  expect(control_kind_o, circuits, message);
  expect(control_search_o, circuits, message);
  expect(control_destination_o, circuits, message);
  const std::string request =
      "a node's request: this experiment has circuits; where no node asks, bind a signal that stays 0";
  expect(request_valid_i, circuits, request);
  expect(request_port_i, circuits, request);
  expect(request_lane_i, circuits, request);
  expect(request_kind_i, circuits, request);
  expect(request_search_i, circuits, request);
  expect(request_destination_i, circuits, request);
  expect(outcome_valid_o, circuits, "how a search has ended: this experiment has circuits");
  expect(outcome_success_o, circuits, "how a search has ended: this experiment has circuits");
  watch(request_valid_i);
}

/// Of those that are bound: an unbound one is tied to 0.
void RouterModuleBase::check_straps() const {
  const auto need = [&](const char* pin, std::uint64_t value, std::uint64_t expected) {
    if (value == expected || value == 0) return;
    throw hybrid::WireError(
        fmt::format("{} = {}: router {} of the experiment has {}; leave the pin unbound, or tie it "
                    "to that",
                    pin, value, place_->topology.router_names[place_->router.value], expected));
  };
  const hybrid::RouterSite& straps = place_->straps;
  need("x_i", x_i.read(), straps.x);
  need("y_i", y_i.read(), straps.y);
  need("network_ports_i", network_ports_i.read(), straps.network_ports);
  need("local_ports_i", local_ports_i.read(), straps.local_ports);
  need("share_reserved_i", share_reserved_i.read() ? 1 : 0, straps.share_reserved_links ? 1 : 0);
}

// ---------------------------------------------------------------- cycles

void RouterModuleBase::enter_reset() {
  router_->reset_wires(site_);
  outputs_ = {};
  write_links(true);
  write_control(true);
}

void RouterModuleBase::clock_edge() {
  if (cycles() == 0) check_straps();
  for (std::uint32_t p = 0; p < place_->shape.ports; ++p) {
    read_link(p, inputs_.links[p], inputs_.credits[p]);
  }
  if (place_->options.circuits) read_control();
  router_->clock_wires(inputs_, outputs_);
  write_links(false);
  if (place_->options.circuits) write_control(false);
}

void RouterModuleBase::read_control() {
  hybrid::ControlWires& control = inputs_.control;
  control.valid = false;
  for (std::uint32_t p = 0; p < place_->shape.ports; ++p) {
    if (!control_valid_i[p].read()) continue;
    if (control.valid) {
      throw hybrid::WireError(fmt::format(
          "control_valid_i[{}] and [{}] are up: a router takes one control message a cycle, so one search or "
          "tear-down may be under way in a network",
          control.port, p));
    }
    control = {true,
               p,
               kind_of(control_kind_i[p].read()),
               control_search_i[p].read().to_uint(),
               control_destination_i[p].read().to_uint(),
               0};
  }
  hybrid::ControlWires& request = inputs_.request;
  request.valid = request_valid_i.read();
  if (!request.valid) return;
  request = {true,
             request_port_i.read().to_uint(),
             kind_of(request_kind_i.read()),
             request_search_i.read().to_uint(),
             request_destination_i.read().to_uint(),
             request_lane_i.read().to_uint()};
}

void RouterModuleBase::write_links(bool all) {
  for (std::uint32_t p = 0; p < place_->shape.ports; ++p) write_link(p, outputs_.links[p], outputs_.credits[p], all);
}

void RouterModuleBase::write_control(bool all) {
  const hybrid::ControlWires& control = outputs_.control;
  for (std::uint32_t p = 0; p < place_->shape.ports; ++p) control_valid_o[p].write(control.valid && control.port == p);
  if (control.valid || all) {
    control_kind_o.write(static_cast<unsigned>(control.kind));
    control_search_o.write(control.search);
    control_destination_o.write(control.destination);
  }
  outcome_valid_o.write(outputs_.outcome);
  outcome_success_o.write(outputs_.success);
}

}  // namespace braid::models::pins
