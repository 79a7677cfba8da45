// BW, and the flits that leave the buffers for the switch (twin: hw/input_unit.sv, one a port).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class InputUnit final : public RouterStage {
 public:
  InBits valid_i{"valid_i"};
  InBits lane_i{"lane_i"};
  InBits head_i{"head_i"};
  InBits tail_i{"tail_i"};
  InBits grant_i{"grant_i"};
  OutBits heads_o{"heads_o"};
  OutBits request_o{"request_o"};
  OutBits out_port_o{"out_port_o"};
  OutBits st_grant_o{"st_grant_o"};
  OutBits st_in_lane_o{"st_in_lane_o"};
  OutBits st_out_port_o{"st_out_port_o"};
  OutBits st_out_lane_o{"st_out_lane_o"};

  InputUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_input(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
