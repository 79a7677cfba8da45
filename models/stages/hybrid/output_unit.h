// Owners and credits of the output VCs (twin: hw/output_unit.sv, one a port).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class OutputUnit final : public RouterStage {
 public:
  InBits credit_i{"credit_i"};
  InBits vc_grant_i{"vc_grant_i"};
  InBits vc_grant_port_i{"vc_grant_port_i"};
  InBits vc_grant_vc_i{"vc_grant_vc_i"};
  InBits vc_granted_i{"vc_granted_i"};
  OutBits free_o{"free_o"};
  OutBits credits_o{"credits_o"};

  OutputUnit(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_output(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
