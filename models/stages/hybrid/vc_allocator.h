// VA: which waiting head gets which output VC (twin: hw/vc_allocator.sv).
#pragma once

#include <memory>
#include <vector>

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"
#include "models/stages/hybrid/stage_seat.h"

namespace braid::models::stages::hybrid {

class VcAllocatorPorts : public RouterStage {
 public:
  InBits waiting_i{"waiting_i"};
  InBits candidates_i{"candidates_i"};
  InBits last_port_i{"last_port_i"};
  InBits escape_ports_i{"escape_ports_i"};
  InBits free_i{"free_i"};
  InBits credits_i{"credits_i"};
  OutBits grant_o{"grant_o"};
  OutBits port_o{"port_o"};
  OutBits vc_o{"vc_o"};
  OutBits granted_o{"granted_o"};

  static const char* axis() { return "stage.vc_allocator"; }
  /// To the registers of a router.
  void bind(RouterChannels& router);
  /// The model's stage function.
  static void modelled(Slice& slice, std::uint64_t cycle) { slice.allocate_vcs(cycle); }
  /// The RTL shows what a head has chosen also where it gets nothing.
  /// Are the outputs of registers compared at the next edge, since others work on the model's until then?
  static constexpr bool kRegistersLate = false;
  static std::vector<Qualified> qualified() { return {{"port_o", "grant_o", false}, {"vc_o", "grant_o", false}}; }

 protected:
  VcAllocatorPorts(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
};

class VcAllocator final : public VcAllocatorPorts {
 public:
  VcAllocator(const sc_core::sc_module_name& name, const RouterShape& shape);
  ~VcAllocator() override;
  bool is_modelled() const override { return true; }

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_waiting(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override { modelled(slice, cycle); }
  void on_ports(std::uint64_t cycle) override;
  void load();

  std::unique_ptr<AloneRouter> alone_;
};

}  // namespace braid::models::stages::hybrid
