// The output arbiter: each output port that can take a packet serves the heads that ask for it in turn, a packet at a
// time. Heads with several ways on choose the one with the fewest flits behind it.
#pragma once

#include "models/stages/virtual_cut_through/router_stage.h"

namespace braid::models::stages::virtual_cut_through {

class OutputArbiter final : public RouterStage {
 public:
  InBits head_flits_i{"head_flits_i"};
  InBits through_i{"through_i"};
  InBits entering_i{"entering_i"};
  InBits choosing_i{"choosing_i"};
  InBits ways_i{"ways_i"};
  InBits free_i{"free_i"};
  InBits credits_i{"credits_i"};
  InBits occupancy_i{"occupancy_i"};
  OutBits grant_o{"grant_o"};

  explicit OutputArbiter(const sc_core::sc_module_name& name) : RouterStage(name) {}
  /// Alone.
  OutputArbiter(const sc_core::sc_module_name& name, const Place& place) : RouterStage(name, place) {}

 private:
  Connections connections(RouterChannels& router) override;
  void on_bank(RouterChannels& router, std::uint64_t cycle) override;
  bool has_work_on_bank(RouterChannels& router, std::uint64_t /*cycle*/) override {
    return router.slice().any_head() || router.any_grant();
  }
};

}  // namespace braid::models::stages::virtual_cut_through
