#include "models/stages/hybrid/vc_allocator.h"

namespace braid::models::stages::hybrid {

void VcAllocator::bind(RouterChannels& router) {
  waiting_i(router.waiting);
  candidates_i(router.candidates);
  free_i(router.free);
  credits_i(router.credits);
  grant_o(router.vc_grant);
  port_o(router.vc_grant_port);
  vc_o(router.vc_grant_vc);
  granted_o(router.vc_granted);
}

void VcAllocator::on_bank(Slice& slice, std::uint64_t) { slice.allocate_vcs(); }

void VcAllocator::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
