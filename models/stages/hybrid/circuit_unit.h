// The circuits of one router: their input lanes, the switch for their flits, the table of reservations and set-up
// (twin: hw/circuit_unit.sv; table_valid_o and table_row_o show its table, as hw/circuit_unit_probe.sv does). In the
// model the set-up unit is a module of its own, later in the cycle; whoever else sits here has one inside.
#pragma once

#include <memory>
#include <vector>

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"
#include "models/stages/hybrid/stage_seat.h"

namespace braid::models::stages::hybrid {

class CircuitUnitPorts : public RouterStage {
 public:
  InBits network_ports_i{"network_ports_i"};
  InBits local_ports_i{"local_ports_i"};
  InBits avoid_ports_i{"avoid_ports_i"};
  InBits arrives_i{"arrives_i"};
  InBits flit_i{"flit_i"};
  InBits credit_i{"credit_i"};
  InBits setup_directions_i{"setup_directions_i"};
  InBits control_valid_i{"control_valid_i"};
  InBits control_kind_i{"control_kind_i"};
  InBits control_search_i{"control_search_i"};
  InBits control_destination_i{"control_destination_i"};
  InBits request_valid_i{"request_valid_i"};
  InBits request_port_i{"request_port_i"};
  InBits request_lane_i{"request_lane_i"};
  InBits request_kind_i{"request_kind_i"};
  InBits request_search_i{"request_search_i"};
  InBits request_destination_i{"request_destination_i"};
  OutBits grant_o{"grant_o"};
  OutBits takes_o{"takes_o"};
  OutBits flit_o{"flit_o"};
  OutBits in_lane_o{"in_lane_o"};
  OutBits out_port_o{"out_port_o"};
  OutBits out_lane_o{"out_lane_o"};
  OutBits held_o{"held_o"};
  OutBits setup_destination_o{"setup_destination_o"};
  OutBits control_valid_o{"control_valid_o"};
  OutBits control_kind_o{"control_kind_o"};
  OutBits control_search_o{"control_search_o"};
  OutBits control_destination_o{"control_destination_o"};
  OutBits outcome_valid_o{"outcome_valid_o"};
  OutBits outcome_success_o{"outcome_success_o"};
  OutBits table_valid_o{"table_valid_o"};
  OutBits table_row_o{"table_row_o"};

  static const char* axis() { return "stage.circuit_unit"; }
  /// To the registers of a router.
  void bind(RouterChannels& router);
  /// The model's stage function.
  static void modelled(Slice& slice, std::uint64_t cycle) { slice.allocate_circuits(cycle); }
  static constexpr bool kRegistersLate = true;  // as VcAllocatorPorts has it
  static std::vector<Qualified> qualified();

 protected:
  CircuitUnitPorts(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
};

class CircuitUnit final : public CircuitUnitPorts {
 public:
  CircuitUnit(const sc_core::sc_module_name& name, const RouterShape& shape);
  ~CircuitUnit() override;
  bool is_modelled() const override { return true; }

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_circuit(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override { modelled(slice, cycle); }
  void on_ports(std::uint64_t cycle) override;
  void load(std::uint64_t cycle);
  void load_control(std::uint64_t cycle);
  void show_grants();
  void show_registers(std::uint64_t cycle);

  std::unique_ptr<AloneRouter> alone_;
};

}  // namespace braid::models::stages::hybrid
