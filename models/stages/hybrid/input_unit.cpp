#include "models/stages/hybrid/input_unit.h"

namespace braid::models::stages::hybrid {

void InputUnit::bind(RouterChannels& router) {
  valid_i(router.link_valid);
  lane_i(router.link_lane);
  head_i(router.link_head);
  tail_i(router.link_tail);
  grant_i(router.grant);
  heads_o(router.heads);
  request_o(router.request);
  out_port_o(router.out_port);
  st_grant_o(router.st_grant);
  st_in_lane_o(router.st_in_lane);
  st_out_port_o(router.st_out_port);
  st_out_lane_o(router.st_out_lane);
}

void InputUnit::on_bank(Slice& slice, std::uint64_t cycle) {
  slice.write_buffers(cycle);
  slice.commit_switch_grants();
}

void InputUnit::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
