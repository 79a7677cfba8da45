// SA: which packet VC crosses the switch next (twin: hw/switch_allocator.sv).
#pragma once

#include <memory>
#include <vector>

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"
#include "models/stages/hybrid/stage_seat.h"

namespace braid::models::stages::hybrid {

class SwitchAllocatorPorts : public RouterStage {
 public:
  InBits request_i{"request_i"};
  InBits out_port_i{"out_port_i"};
  InBits taken_inputs_i{"taken_inputs_i"};
  InBits taken_outputs_i{"taken_outputs_i"};
  OutBits grant_o{"grant_o"};

  static const char* axis() { return "stage.switch_allocator"; }
  /// To the registers of a router.
  void bind(RouterChannels& router);
  /// The model's stage function.
  static void modelled(Slice& slice, std::uint64_t cycle) { slice.allocate_packets(cycle); }
  /// Are the outputs of registers compared at the next edge, since others work on the model's until then?
  static constexpr bool kRegistersLate = false;
  static std::vector<Qualified> qualified() { return {}; }

 protected:
  SwitchAllocatorPorts(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
};

class SwitchAllocator final : public SwitchAllocatorPorts {
 public:
  SwitchAllocator(const sc_core::sc_module_name& name, const RouterShape& shape);
  ~SwitchAllocator() override;
  bool is_modelled() const override { return true; }

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_request(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override { modelled(slice, cycle); }
  void on_ports(std::uint64_t cycle) override;

  std::unique_ptr<AloneRouter> alone_;
};

}  // namespace braid::models::stages::hybrid
