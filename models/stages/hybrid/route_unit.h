// RC: the ways on of heads that have come to the front of their buffers (twin: hw/route_unit.sv).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class RouteUnit final : public RouterStage {
 public:
  InBits heads_i{"heads_i"};
  OutBits waiting_o{"waiting_o"};
  OutBits candidates_o{"candidates_o"};

  RouteUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_head(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
