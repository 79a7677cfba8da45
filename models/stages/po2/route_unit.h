// Where a packet may go: when its header is in, the routing algorithm's ports in their order of preference; when its
// patience is over, the escape of the pool's policy as well.
#pragma once

#include "models/stages/po2/router_channels.h"
#include "models/stages/po2/router_stage.h"

namespace braid::models::stages::po2 {

class RouteUnit final : public RouterStage {
 public:
  // Packets that get a buffer, with what their headers say.
  InBits grant_i{"grant_i"};
  InBits buffer_i{"buffer_i"};
  InBits class_i{"class_i"};
  InBits vc_i{"vc_i"};
  InBits source_i{"source_i"};
  InBits destination_i{"destination_i"};
  InBits leaving_i{"leaving_i"};

  OutBits waiting_o{"waiting_o"};
  OutBits since_o{"since_o"};
  OutBits in_port_o{"in_port_o"};
  OutBits ways_o{"ways_o"};
  OutBits ways_vc_o{"ways_vc_o"};
  OutBits escape_o{"escape_o"};
  OutBits escape_class_o{"escape_class_o"};

  RouteUnit(const sc_core::sc_module_name& name, const Site& site) : RouterStage(name, site) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_header(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(LoneRouter& lone, std::uint64_t cycle) override;
  void take_headers(LoneRouter& lone, std::uint64_t cycle) const;
  void let_leave(LoneRouter& lone) const;
  void write_ways(LoneRouter& lone);
};

}  // namespace braid::models::stages::po2
