#include "models/stages/virtual_cut_through/output_arbiter.h"

namespace braid::models::stages::virtual_cut_through {

RouterStage::Connections OutputArbiter::connections(RouterChannels& router) {
  return {{{&head_flits_i, &router.head_flits},
           {&through_i, &router.through},
           {&entering_i, &router.entering},
           {&choosing_i, &router.choosing},
           {&ways_i, &router.ways},
           {&free_i, &router.free},
           {&credits_i, &router.credits},
           {&occupancy_i, &router.occupancy}},
          {{&grant_o, &router.grant}}};
}

void OutputArbiter::on_bank(RouterChannels& router, std::uint64_t cycle) {
  router.clear_grants();
  router.slice().arbitrate_heads(cycle);
}

}  // namespace braid::models::stages::virtual_cut_through
