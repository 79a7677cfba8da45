// NI: the interfaces of a router's nodes.
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class NetworkInterface final : public RouterStage {
 public:
  InBits ejected_i{"ejected_i"};
  InBits credit_i{"credit_i"};

  NetworkInterface(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_at_interfaces(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
