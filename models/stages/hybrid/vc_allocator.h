// VA: which waiting head gets which output VC (twin: hw/vc_allocator.sv).
#pragma once

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class VcAllocator final : public RouterStage {
 public:
  InBits waiting_i{"waiting_i"};
  InBits candidates_i{"candidates_i"};
  InBits free_i{"free_i"};
  InBits credits_i{"credits_i"};
  OutBits grant_o{"grant_o"};
  OutBits port_o{"port_o"};
  OutBits vc_o{"vc_o"};
  OutBits granted_o{"granted_o"};

  VcAllocator(const sc_core::sc_module_name& name, const RouterShape& shape) : RouterStage(name, shape) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_waiting(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::hybrid
