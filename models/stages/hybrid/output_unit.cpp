#include "models/stages/hybrid/output_unit.h"

namespace braid::models::stages::hybrid {

void OutputUnit::bind(RouterChannels& router) {
  credit_i(router.credit);
  vc_grant_i(router.vc_grant);
  vc_grant_port_i(router.vc_grant_port);
  vc_grant_vc_i(router.vc_grant_vc);
  vc_granted_i(router.vc_granted);
  free_o(router.free);
  credits_o(router.credits);
}

void OutputUnit::on_bank(Slice& slice, std::uint64_t cycle) {
  slice.commit_vc_grants();
  slice.take_credits(cycle);
}

void OutputUnit::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
