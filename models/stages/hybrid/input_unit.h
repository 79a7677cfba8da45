// The latches at the ends of the links, the packet VCs behind them (BW), and the flits that leave them for the switch
// (twin: hw/input_unit.sv, one a port).
#pragma once

#include <memory>
#include <vector>

#include "models/stages/hybrid/alone_router.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class InputUnit final : public RouterStage {
 public:
  // The links: a packet's flit.
  InBits valid_i{"valid_i", shape_.ports};
  InBits vc_i{"vc_i", shape_.ports * shape_.vc_bits()};
  InBits flit_i{"flit_i", shape_.ports * kFlitBits};
  // RC
  OutBits heads_o{"heads_o", shape_.input_vcs()};
  OutBits destination_o{"destination_o", shape_.input_vcs() * kDestinationBits};
  InBits waiting_i{"waiting_i", shape_.input_vcs()};
  // VA
  InBits vc_grant_i{"vc_grant_i", shape_.input_vcs()};
  InBits vc_grant_port_i{"vc_grant_port_i", shape_.input_vcs() * shape_.ports};
  InBits vc_grant_vc_i{"vc_grant_vc_i", shape_.input_vcs() * shape_.vcs};
  // SA
  InBits credits_i{"credits_i", shape_.input_vcs() * shape_.credit_bits()};
  InBits credit_i{"credit_i", shape_.ports * shape_.lanes()};
  OutBits ready_o{"ready_o", shape_.input_vcs()};
  OutBits request_o{"request_o", shape_.input_vcs()};
  OutBits out_port_o{"out_port_o", shape_.input_vcs() * shape_.port_bits()};
  OutBits out_vc_o{"out_vc_o", shape_.input_vcs() * shape_.vc_bits()};
  InBits grant_i{"grant_i", shape_.input_vcs()};
  // ST
  OutBits st_grant_o{"st_grant_o", shape_.ports};
  OutBits st_flit_o{"st_flit_o", shape_.ports * kFlitBits};
  OutBits st_in_lane_o{"st_in_lane_o", shape_.ports * shape_.lane_bits()};
  OutBits st_out_port_o{"st_out_port_o", shape_.ports * shape_.port_bits()};
  OutBits st_out_lane_o{"st_out_lane_o", shape_.ports * shape_.lane_bits()};

  InputUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// Alone, of a router that has options (the write bypass).
  InputUnit(const sc_core::sc_module_name& name, const std::shared_ptr<const AlonePlace>& place)
      : RouterStage(name, place->shape()), place_(place) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);
  static constexpr bool kTogether = true;
  static void run_all(const std::vector<Slice*>& routers, std::uint64_t cycle) { Slice::latch_inputs(routers, cycle); }

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_registers_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_input(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  void load_registers();
  void load_wires(std::uint64_t cycle);
  void latch(std::uint64_t cycle);
  void show_heads();
  void show_requests(std::uint64_t cycle);
  void show_switch_register();
  bool has_credit(const models::hybrid::InputVc& in) const;
  /// The wires of a flit that is in the unit.
  const FlitWires& wires(const Flit& flit) const { return flits_[flit.packet()]; }

  // Alone:
  std::shared_ptr<const AlonePlace> place_;
  std::unique_ptr<AloneRouter> alone_;
  std::vector<FlitWires> flits_;           // [VC among P x V][flits that it can hold]: what came in
  std::vector<std::uint32_t> next_place_;  // [VC] there, of the next flit
};

}  // namespace braid::models::stages::hybrid
