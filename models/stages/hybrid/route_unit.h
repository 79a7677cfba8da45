// RC: the ways on of heads that have come to the front of their buffers (twin: hw/route_unit.sv, and the registers of
// the routes in hw/input_vc.sv).
#pragma once

#include <memory>

#include "models/stages/hybrid/alone_router.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class RouteUnit final : public RouterStage {
 public:
  InBits heads_i{"heads_i", shape_.input_vcs()};
  InBits destination_i{"destination_i", shape_.input_vcs() * kDestinationBits};
  InBits vc_grant_i{"vc_grant_i", shape_.input_vcs()};
  OutBits waiting_o{"waiting_o", shape_.input_vcs()};
  OutBits candidates_o{"candidates_o", shape_.input_vcs() * shape_.route_width()};

  RouteUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// Alone, by the routing of an experiment. Throws InputError for one that looks at a packet's source: ports do not
  /// tell it.
  RouteUnit(const sc_core::sc_module_name& name, const std::shared_ptr<const AlonePlace>& place);
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  friend RouterStage;
  void join(StepClock& clock) override { join_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_head(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  void load();
  void show();

  std::shared_ptr<const AlonePlace> place_;  // null, as the next: not alone
  std::unique_ptr<AloneRouter> alone_;
  std::unique_ptr<PacketStore::Pool> pool_;
  std::vector<PacketSlot> packets_;  // [VC among P x V] the head there
};

}  // namespace braid::models::stages::hybrid
