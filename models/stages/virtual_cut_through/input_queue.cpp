#include "models/stages/virtual_cut_through/input_queue.h"

namespace braid::models::stages::virtual_cut_through {

RouterStage::Connections InputQueue::connections(RouterChannels& router) {
  return {{{&grant_i, &router.grant},
           {&link_source_i, &router.link_source},
           {&link_destination_i, &router.link_destination},
           {&link_flits_i, &router.link_flits},
           {&link_valid_i, &router.link_valid},
           {&leaves_i, &router.leaves}},
          {{&count_o, &router.count},
           {&head_flits_o, &router.head_flits},
           {&through_o, &router.through},
           {&entering_o, &router.entering},
           {&choosing_o, &router.choosing},
           {&ways_o, &router.ways}}};
}

void InputQueue::on_bank(RouterChannels& router, std::uint64_t cycle) {
  router.slice().take_arrivals(cycle);
  router.slice().end_at_queues(cycle);
}

}  // namespace braid::models::stages::virtual_cut_through
