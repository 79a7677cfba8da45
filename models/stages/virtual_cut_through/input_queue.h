// The input queues: a few packet buffers at every input port. A packet whose head comes in takes one until its tail has
// left; the head of the first is routed.
#pragma once

#include "models/stages/virtual_cut_through/router_stage.h"

namespace braid::models::stages::virtual_cut_through {

class InputQueue final : public RouterStage {
 public:
  InBits grant_i{"grant_i"};
  InBits link_source_i{"link_source_i"};
  InBits link_destination_i{"link_destination_i"};
  InBits link_flits_i{"link_flits_i"};
  InBits link_valid_i{"link_valid_i"};
  InBits leaves_i{"leaves_i"};
  OutBits count_o{"count_o"};
  OutBits head_flits_o{"head_flits_o"};
  OutBits through_o{"through_o"};
  OutBits entering_o{"entering_o"};
  OutBits choosing_o{"choosing_o"};
  OutBits ways_o{"ways_o"};

  explicit InputQueue(const sc_core::sc_module_name& name) : RouterStage(name) {}
  /// Alone.
  InputQueue(const sc_core::sc_module_name& name, const Place& place) : RouterStage(name, place) {}

 private:
  Connections connections(RouterChannels& router) override;
  void on_bank(RouterChannels& router, std::uint64_t cycle) override;
  bool has_work_on_bank(RouterChannels& router, std::uint64_t cycle) override {
    return router.slice().any_arrival(cycle);
  }
};

}  // namespace braid::models::stages::virtual_cut_through
