#include "models/stages/hybrid/switch_traversal.h"

namespace braid::models::stages::hybrid {

void SwitchTraversal::bind(RouterChannels& router) {
  grant_i(router.st_grant);
  in_lane_i(router.st_in_lane);
  out_port_i(router.st_out_port);
  out_lane_i(router.st_out_lane);
}

void SwitchTraversal::on_bank(Slice& slice, std::uint64_t cycle) { slice.traverse_switch(cycle); }

void SwitchTraversal::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
