// ST: flits that were granted the switch cross it to their links, and their credits go back (twin:
// hw/switch_traversal.sv; its inputs are that one's first registers).
#pragma once

#include <memory>

#include "models/stages/hybrid/alone_router.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class SwitchTraversal final : public RouterStage {
 public:
  InBits grant_i{"grant_i", shape_.ports};
  InBits flit_i{"flit_i", shape_.ports * kFlitBits};
  InBits in_lane_i{"in_lane_i", shape_.ports * shape_.lane_bits()};
  InBits out_port_i{"out_port_i", shape_.ports * shape_.port_bits()};
  InBits out_lane_i{"out_lane_i", shape_.ports * shape_.lane_bits()};
  OutBits link_valid_o{"link_valid_o", shape_.ports};
  OutBits link_lane_o{"link_lane_o", shape_.ports * shape_.lane_bits()};
  OutBits link_flit_o{"link_flit_o", shape_.ports * kFlitBits};
  OutBits credit_o{"credit_o", shape_.ports * shape_.lanes()};

  SwitchTraversal(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_traversal(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  void load();

  std::unique_ptr<AloneRouter> alone_;
};

}  // namespace braid::models::stages::hybrid
