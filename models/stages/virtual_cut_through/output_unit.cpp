#include "models/stages/virtual_cut_through/output_unit.h"

namespace braid::models::stages::virtual_cut_through {

RouterStage::Connections OutputUnit::connections(RouterChannels& router) {
  return {{{&head_flits_i, &router.head_flits},
           {&grant_i, &router.grant},
           {&credit_flits_i, &router.credit_flits},
           {&credit_wait_i, &router.credit_wait}},
          {{&free_o, &router.free},
           {&credits_o, &router.credits},
           {&occupancy_o, &router.occupancy},
           {&leaves_o, &router.leaves}}};
}

void OutputUnit::on_bank(RouterChannels& router, std::uint64_t cycle) {
  router.slice().take_credits(cycle);
  router.slice().end_at_outputs();
}

}  // namespace braid::models::stages::virtual_cut_through
