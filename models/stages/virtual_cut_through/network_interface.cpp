#include "models/stages/virtual_cut_through/network_interface.h"

namespace braid::models::stages::virtual_cut_through {

RouterStage::Connections NetworkInterface::connections(RouterChannels& router) {
  return {{{&packet_flits_i, &router.packet_flits},
           {&packet_valid_i, &router.packet_valid},
           {&buffer_back_i, &router.buffer_back}},
          {{&head_o, &router.head}, {&ready_o, &router.ready}, {&tail_o, &router.tail}}};
}

void NetworkInterface::on_bank(RouterChannels& router, std::uint64_t cycle) { router.slice().inject(cycle); }

/// Alone it sees to the ends of its packets itself.
void NetworkInterface::on_ports(RouterChannels& router, std::uint64_t cycle) {
  on_bank(router, cycle);
  const std::vector<Slice::Event> back = router.slice().ending();
  router.slice().take_credits(cycle);
  router.slice().ending().insert(router.slice().ending().end(), back.begin(), back.end());
  router.slice().end_at_nodes(cycle);
}

}  // namespace braid::models::stages::virtual_cut_through
