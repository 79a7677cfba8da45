// Set-up by distributed backtracking: the unit of one router (twin: hw/setup_unit.sv).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class SetupUnit final : public RouterStage {
 public:
  InBits control_valid_i{"control_valid_i"};
  OutBits circuit_out_o{"circuit_out_o"};

  SetupUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_control(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
