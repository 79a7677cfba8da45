#include "models/stages/hybrid/setup_unit.h"

#include "models/stages/hybrid/alone_router.h"

namespace braid::models::stages::hybrid {

using models::hybrid::ControlKind;
using models::hybrid::kNone;

void SetupUnitPorts::bind(RouterChannels& router) {
  SetupChannels& setup = router.setup();
  network_ports_i(setup.network_ports);
  local_ports_i(setup.local_ports);
  avoid_ports_i(setup.avoid_ports);
  valid_i(setup.valid);
  row_i(setup.message_row);
  kind_i(setup.kind);
  search_i(setup.search);
  destination_i(setup.destination);
  lookup_o(setup.lookup);
  directions_i(setup.directions);
  circuit_out_i(setup.circuit_out);
  held_i(setup.held);
  circuit_in_i(setup.circuit_in);
  holds_flits_i(setup.holds_flits);
  release_o(setup.release);
  release_in_o(setup.release_in);
  release_out_o(setup.release_out);
  reserve_o(setup.reserve);
  reserve_in_o(setup.reserve_in);
  reserve_out_o(setup.reserve_out);
  send_o(setup.send);
  send_kind_o(setup.send_kind);
  send_search_o(setup.send_search);
  send_destination_o(setup.send_destination);
  done_o(setup.done);
  success_o(setup.success);
}

/// lookup_o follows the message, and where there is none it says nothing.
std::vector<Qualified> SetupUnitPorts::qualified() {
  return {{"lookup_o", "", true},
          {"release_in_o", "release_o", true},
          {"release_out_o", "release_o", true},
          {"reserve_in_o", "reserve_o", true},
          {"reserve_out_o", "reserve_o", true},
          {"send_kind_o", "send_o", true},
          {"send_search_o", "send_o", true},
          {"send_destination_o", "send_o", true},
          {"success_o", "done_o", true}};
}

SetupUnit::SetupUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : SetupUnitPorts(name, shape) {}
SetupUnit::~SetupUnit() = default;

/// Table, buffers and message, as the ports carry them.
void SetupUnit::load(std::uint64_t cycle) {
  const Bits &out = circuit_out_i->read(), &held = held_i->read(), &in = circuit_in_i->read(),
             &holds_flits = holds_flits_i->read();
  const models::hybrid::RouterBank& bank = alone_->bank();
  const unsigned w = shape_.row_bits();
  for (unsigned r = 0; r < shape_.rows(); ++r) {
    models::hybrid::InputVc& lane = bank.input_vcs[alone_->row(r)];
    lane.out_vc = alone_->row(static_cast<unsigned>(out.field(r * w, w)));
    lane.count = holds_flits[r] ? 1 : 0;
    bank.output_vcs[alone_->row(r)].owner = held[r] ? alone_->row(static_cast<unsigned>(in.field(r * w, w))) : kNone;
  }
  alone_->setup().tell({network_ports_i->read().word(), local_ports_i->read().word(), avoid_ports_i->read().word(),
                        directions_i->read().word()});
  if (!valid_i->read().any()) return;
  const unsigned row = row_i->read().word();
  alone_->wires(cycle).control.push_back(
      {alone_->port(row / shape_.circuit_lanes), static_cast<ControlKind>(kind_i->read().word()),
       search_i->read().word(), NodeId{std::size_t{destination_i->read().word()}}, row % shape_.circuit_lanes});
}

void SetupUnit::on_ports(std::uint64_t cycle) {
  if (!alone_) alone_ = std::make_unique<AloneRouter>(std::make_shared<AlonePlace>(shape_));
  load(cycle);
  alone_->slice().take_control(cycle);
  show(cycle);
  alone_->for_each_outgoing([&](models::hybrid::Channel& channel) {
    if (&channel != &alone_->slice().channel_for(alone_->place().router)) channel.at(cycle + 2).control.clear();
  });
}

void SetupUnit::show(std::uint64_t cycle) {
  const SetupAction& last = alone_->setup().last_action();
  const SetupAction a = last.cycle == cycle ? last : SetupAction{};
  const auto row = [&](VcIndex lane) { return Bits(shape_.row_bits(), lane == kNone ? 0 : alone_->row_of(lane)); };
  const auto flag = [](bool set) { return Bits(1, set ? 1 : 0); };
  const bool sends = a.send != kNone;
  lookup_o->write(destination_i->read());
  release_o->write(flag(a.release_in != kNone));
  release_in_o->write(row(a.release_in));
  release_out_o->write(row(a.release_out));
  reserve_o->write(flag(a.reserve_in != kNone));
  reserve_in_o->write(row(a.reserve_in));
  reserve_out_o->write(row(a.reserve_out));
  send_o->write(Bits(shape_.ports, sends ? std::uint64_t{1} << alone_->bank().port_of(a.send) : 0));
  send_kind_o->write(Bits(kKindBits, sends ? static_cast<unsigned>(a.sent.kind) : 0));
  send_search_o->write(Bits(kSearchBits, sends ? a.sent.search : 0));
  send_destination_o->write(Bits(kDestinationBits, sends ? a.sent.destination.value : 0));
  done_o->write(flag(a.done));
  success_o->write(flag(a.success));
}

}  // namespace braid::models::stages::hybrid
