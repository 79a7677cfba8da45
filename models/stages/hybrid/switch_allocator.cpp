#include "models/stages/hybrid/switch_allocator.h"

namespace braid::models::stages::hybrid {

void SwitchAllocator::bind(RouterChannels& router) {
  request_i(router.request);
  out_port_i(router.out_port);
  taken_inputs_i(router.taken_inputs);
  taken_outputs_i(router.taken_outputs);
  grant_o(router.grant);
}

void SwitchAllocator::on_bank(Slice& slice, std::uint64_t cycle) { slice.allocate_packets(cycle); }

void SwitchAllocator::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
