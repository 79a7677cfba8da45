// Set-up by distributed backtracking: the unit of one router (twin: hw/setup_unit.sv).
#pragma once

#include <memory>
#include <vector>

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"
#include "models/stages/hybrid/stage_seat.h"

namespace braid::models::stages::hybrid {

class SetupUnitPorts : public RouterStage {
 public:
  InBits network_ports_i{"network_ports_i"};
  InBits local_ports_i{"local_ports_i"};
  InBits avoid_ports_i{"avoid_ports_i"};
  InBits valid_i{"valid_i"};
  InBits row_i{"row_i"};
  InBits kind_i{"kind_i"};
  InBits search_i{"search_i"};
  InBits destination_i{"destination_i"};
  OutBits lookup_o{"lookup_o"};
  InBits directions_i{"directions_i"};
  InBits circuit_out_i{"circuit_out_i"};
  InBits held_i{"held_i"};
  InBits circuit_in_i{"circuit_in_i"};
  InBits holds_flits_i{"holds_flits_i"};
  OutBits release_o{"release_o"};
  OutBits release_in_o{"release_in_o"};
  OutBits release_out_o{"release_out_o"};
  OutBits reserve_o{"reserve_o"};
  OutBits reserve_in_o{"reserve_in_o"};
  OutBits reserve_out_o{"reserve_out_o"};
  OutBits send_o{"send_o"};
  OutBits send_kind_o{"send_kind_o"};
  OutBits send_search_o{"send_search_o"};
  OutBits send_destination_o{"send_destination_o"};
  OutBits done_o{"done_o"};
  OutBits success_o{"success_o"};

  static const char* axis() { return "stage.setup_unit"; }
  /// To the registers of a router.
  void bind(RouterChannels& router);
  /// The model's stage function.
  static void modelled(Slice& slice, std::uint64_t cycle) { slice.take_control(cycle); }
  /// Are the outputs of registers compared at the next edge, since others work on the model's until then?
  static constexpr bool kRegistersLate = false;
  static std::vector<Qualified> qualified();

 protected:
  SetupUnitPorts(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
};

class SetupUnit final : public SetupUnitPorts {
 public:
  SetupUnit(const sc_core::sc_module_name& name, const RouterShape& shape);
  ~SetupUnit() override;
  bool is_modelled() const override { return true; }

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_control(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override { modelled(slice, cycle); }
  void on_ports(std::uint64_t cycle) override;
  void load(std::uint64_t cycle);
  void show(std::uint64_t cycle);

  std::unique_ptr<AloneRouter> alone_;
};

}  // namespace braid::models::stages::hybrid
