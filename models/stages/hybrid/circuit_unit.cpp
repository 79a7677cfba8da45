#include "models/stages/hybrid/circuit_unit.h"

#include "models/stages/hybrid/alone_router.h"

namespace braid::models::stages::hybrid {

using models::hybrid::ControlKind;
using models::hybrid::kNone;

void CircuitUnitPorts::bind(RouterChannels& router) {
  SetupChannels& setup = router.setup();
  CircuitChannels& circuits = router.circuits();
  network_ports_i(setup.network_ports);
  local_ports_i(setup.local_ports);
  avoid_ports_i(setup.avoid_ports);
  arrives_i(circuits.arrives);
  flit_i(circuits.flit);
  credit_i(router.units.circuit_credit);
  setup_directions_i(setup.directions);
  control_valid_i(circuits.control_in_valid);
  control_kind_i(circuits.control_in_kind);
  control_search_i(circuits.control_in_search);
  control_destination_i(circuits.control_in_destination);
  request_valid_i(circuits.request_valid);
  request_port_i(circuits.request_port);
  request_lane_i(circuits.request_lane);
  request_kind_i(circuits.request_kind);
  request_search_i(circuits.request_search);
  request_destination_i(circuits.request_destination);
  grant_o(circuits.grant);
  takes_o(circuits.takes);
  flit_o(circuits.granted_flit);
  in_lane_o(circuits.in_lane);
  out_port_o(circuits.out_port);
  out_lane_o(circuits.out_lane);
  held_o(circuits.held);
  setup_destination_o(circuits.lookup);
  control_valid_o(circuits.control_valid);
  control_kind_o(circuits.control_kind);
  control_search_o(circuits.control_search);
  control_destination_o(circuits.control_destination);
  outcome_valid_o(circuits.outcome_valid);
  outcome_success_o(circuits.outcome_success);
  table_valid_o(circuits.table_valid);
  table_row_o(circuits.table_row);
}

std::vector<Qualified> CircuitUnitPorts::qualified() {
  return {{"setup_destination_o", "", true},
          {"takes_o", "grant_o", false},
          {"flit_o", "grant_o", false},
          {"in_lane_o", "grant_o", false},
          {"out_port_o", "grant_o", false},
          {"out_lane_o", "grant_o", false},
          {"control_kind_o", "control_valid_o", true},
          {"control_search_o", "control_valid_o", true},
          {"control_destination_o", "control_valid_o", true},
          {"outcome_success_o", "outcome_valid_o", true},
          {"table_row_o", "table_valid_o", false}};
}

CircuitUnit::CircuitUnit(const sc_core::sc_module_name& name, const RouterShape& shape)
    : CircuitUnitPorts(name, shape) {}
CircuitUnit::~CircuitUnit() = default;

/// Flits on the links, credits, and messages; flits and table of its own are in the registers from before.
void CircuitUnit::load(std::uint64_t cycle) {
  const Bits &arrives = arrives_i->read(), &flits = flit_i->read(), &credit = credit_i->read();
  const models::hybrid::RouterBank& bank = alone_->bank();
  const unsigned lanes = shape_.circuit_lanes;
  for (unsigned r = 0; r < shape_.rows(); ++r) {
    bank.output_vcs[alone_->row(r)].credits = credit[r] ? 1 : 0;
    if (!arrives[r]) continue;
    const std::uint32_t lane = bank.lane_of(alone_->row(r));
    alone_->wires(cycle).circuits.push(
        {circuit_flit_of(flits, r / lanes * kFlitBits, lane), bank.vc_index(alone_->port(r / lanes), 0)});
  }
  for (unsigned p = 0; p < shape_.ports; ++p) {
    VcMask requests = 0;
    for (unsigned c = 0; c < lanes; ++c) {
      const models::hybrid::InputVc& in = bank.input_vcs[alone_->row(p * lanes + c)];
      const bool goes = in.count > 0 && in.out_vc != kNone && bank.output_vcs[in.out_vc].credits > 0;
      if (goes) requests |= VcMask{1} << (shape_.vcs + c);
    }
    alone_->request(p, requests);
  }
  load_control(cycle);
}

/// A message on a control channel is at the unit in the next cycle, the node's in this one.
void CircuitUnit::load_control(std::uint64_t cycle) {
  alone_->setup().tell({network_ports_i->read().word(), local_ports_i->read().word(), avoid_ports_i->read().word(),
                        setup_directions_i->read().word()});
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!control_valid_i->read()[p]) continue;
    const auto field = [&](const InBits& port, unsigned w) {
      return static_cast<std::uint32_t>(port->read().field(p * w, w));
    };
    alone_->wires(cycle + 1).control.push_back(
        {alone_->port(p), static_cast<ControlKind>(field(control_kind_i, kKindBits)),
         field(control_search_i, kSearchBits), NodeId{std::size_t{field(control_destination_i, kDestinationBits)}}});
  }
  if (!request_valid_i->read().any()) return;
  alone_->wires(cycle).control.push_back(
      {alone_->port(request_port_i->read().word()), static_cast<ControlKind>(request_kind_i->read().word()),
       request_search_i->read().word(), NodeId{std::size_t{request_destination_i->read().word()}},
       request_lane_i->read().word()});
}

void CircuitUnit::on_ports(std::uint64_t cycle) {
  if (!alone_) alone_ = std::make_unique<AloneRouter>(std::make_shared<AlonePlace>(shape_));
  load(cycle);
  Bits held(shape_.ports);
  for (unsigned p = 0; p < shape_.ports; ++p) held.set(p, alone_->bank().reserved(alone_->port(p)));
  held_o->write(held);
  alone_->slice().allocate_circuits(cycle);
  show_grants();
  alone_->slice().open_ports(alone_->switch_grants().size());
  alone_->slice().commit_switch_grants();
  alone_->traversals().clear();
  alone_->slice().take_control(cycle);
  show_registers(cycle);
  alone_->for_each_outgoing([&](models::hybrid::Channel& channel) {
    if (&channel != &alone_->slice().channel_for(alone_->place().router)) channel.at(cycle + 2).control.clear();
  });
}

void CircuitUnit::show_grants() {
  const models::hybrid::RouterBank& bank = alone_->bank();
  const unsigned port_bits = shape_.port_bits(), circuit_bits = shape_.circuit_bits();
  Bits grant(shape_.ports), takes(shape_.ports * shape_.ports), flit(shape_.ports * kFlitBits),
      in_lane(shape_.ports * circuit_bits), out_port(shape_.ports * port_bits), out_lane(shape_.ports * circuit_bits);
  for (const VcIndex v : alone_->switch_grants()) {
    const unsigned p = bank.port_of(bank.port_of_vc(v));
    const VcIndex out = bank.circuit_out(v);
    const unsigned to = bank.port_of(bank.port_of_vc(out));
    grant.set(p);
    takes.set(p * shape_.ports + to);
    put_circuit_flit(flit, p * kFlitBits, bank.front(v));
    in_lane.set(p * circuit_bits, circuit_bits, bank.circuit_of(v));
    out_port.set(p * port_bits, port_bits, to);
    out_lane.set(p * circuit_bits, circuit_bits, bank.circuit_of(out));
  }
  grant_o->write(grant);
  takes_o->write(takes);
  flit_o->write(flit);
  in_lane_o->write(in_lane);
  out_port_o->write(out_port);
  out_lane_o->write(out_lane);
}

void CircuitUnit::show_registers(std::uint64_t cycle) {
  const models::hybrid::RouterBank& bank = alone_->bank();
  const SetupAction& last = alone_->setup().last_action();
  const SetupAction a = last.cycle == cycle ? last : SetupAction{};
  const bool sends = a.send != kNone;
  setup_destination_o->write(Bits(kDestinationBits, sends ? a.sent.destination.value : 0));
  control_valid_o->write(Bits(shape_.ports, sends ? std::uint64_t{1} << bank.port_of(a.send) : 0));
  control_kind_o->write(Bits(kKindBits, sends ? static_cast<unsigned>(a.sent.kind) : 0));
  control_search_o->write(Bits(kSearchBits, sends ? a.sent.search : 0));
  control_destination_o->write(Bits(kDestinationBits, sends ? a.sent.destination.value : 0));
  outcome_valid_o->write(Bits(1, a.done ? 1 : 0));
  outcome_success_o->write(Bits(1, a.success ? 1 : 0));
  const unsigned w = shape_.row_bits();
  Bits valid(shape_.rows()), row(shape_.rows() * w);
  for (unsigned r = 0; r < shape_.rows(); ++r) {
    const VcIndex out = bank.circuit_out(alone_->row(r));
    if (out == kNone) continue;
    valid.set(r);
    row.set(r * w, w, alone_->row_of(out));
  }
  table_valid_o->write(valid);
  table_row_o->write(row);
}

}  // namespace braid::models::stages::hybrid
