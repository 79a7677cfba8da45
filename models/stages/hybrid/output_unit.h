// What a router knows of the far ends of its links: credits of each lane, and which packet VCs have no owner (twin:
// hw/output_unit.sv, one a port).
#pragma once

#include <memory>

#include "models/stages/hybrid/alone_router.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class OutputUnit final : public RouterStage {
 public:
  InBits credit_i{"credit_i", shape_.ports * shape_.lanes()};
  InBits vc_granted_i{"vc_granted_i", shape_.input_vcs()};
  InBits send_i{"send_i", shape_.input_vcs()};
  InBits send_tail_i{"send_tail_i", shape_.ports};
  InBits send_circuit_i{"send_circuit_i", shape_.ports * shape_.circuit_lanes};
  OutBits free_o{"free_o", shape_.input_vcs()};
  OutBits credits_o{"credits_o", shape_.input_vcs() * shape_.credit_bits()};
  OutBits circuit_credit_o{"circuit_credit_o", shape_.ports * shape_.circuit_lanes};

  OutputUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);
  static constexpr bool kTogether = true;
  static void run_all(const std::vector<Slice*>& routers, std::uint64_t cycle) { Slice::latch_outputs(routers, cycle); }

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_registers_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_output(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  void load(std::uint64_t cycle);
  void send(VcIndex out, bool tail);
  void show();

  std::unique_ptr<AloneRouter> alone_;
};

}  // namespace braid::models::stages::hybrid
