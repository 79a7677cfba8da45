// SA: which packet VC crosses the switch next (twin: hw/switch_allocator.sv).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class SwitchAllocator final : public RouterStage {
 public:
  InBits request_i{"request_i"};
  InBits out_port_i{"out_port_i"};
  InBits taken_inputs_i{"taken_inputs_i"};
  InBits taken_outputs_i{"taken_outputs_i"};
  OutBits grant_o{"grant_o"};

  SwitchAllocator(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_request(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
