// ST: flits that were granted the switch cross it to their links, and their credits go back (twin:
// hw/switch_traversal.sv).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class SwitchTraversal final : public RouterStage {
 public:
  InBits grant_i{"grant_i"};
  InBits in_lane_i{"in_lane_i"};
  InBits out_port_i{"out_port_i"};
  InBits out_lane_i{"out_lane_i"};

  SwitchTraversal(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_traversal(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
