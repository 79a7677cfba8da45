// The circuits' input lanes: their flits hold the ports that they cross next (twin: hw/circuit_unit.sv).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class CircuitUnit final : public RouterStage {
 public:
  InBits arrives_i{"arrives_i"};
  InBits lane_i{"lane_i"};
  InBits circuit_out_i{"circuit_out_i"};
  OutBits taken_inputs_o{"taken_inputs_o"};
  OutBits taken_outputs_o{"taken_outputs_o"};

  CircuitUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_circuit(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
