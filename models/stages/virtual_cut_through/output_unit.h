// The output units: which output ports a packet crosses, how many buffers are free behind each, and how many flits.
// They know from when on a tail has gone, and tell the input queues.
#pragma once

#include "models/stages/virtual_cut_through/router_stage.h"

namespace braid::models::stages::virtual_cut_through {

class OutputUnit final : public RouterStage {
 public:
  InBits head_flits_i{"head_flits_i"};
  InBits grant_i{"grant_i"};
  InBits credit_flits_i{"credit_flits_i"};
  InBits credit_wait_i{"credit_wait_i"};
  OutBits free_o{"free_o"};
  OutBits credits_o{"credits_o"};
  OutBits occupancy_o{"occupancy_o"};
  OutBits leaves_o{"leaves_o"};

  explicit OutputUnit(const sc_core::sc_module_name& name) : RouterStage(name) {}
  /// Alone.
  OutputUnit(const sc_core::sc_module_name& name, const Place& place) : RouterStage(name, place) {}

 private:
  Connections connections(RouterChannels& router) override;
  void on_bank(RouterChannels& router, std::uint64_t cycle) override;
  bool has_work_on_bank(RouterChannels& router, std::uint64_t cycle) override {
    return router.slice().any_credit(cycle);
  }
};

}  // namespace braid::models::stages::virtual_cut_through
