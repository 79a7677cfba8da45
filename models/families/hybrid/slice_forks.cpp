// A slice whose packets fork (models/families/hybrid/packet_forks.h): what its stages do beyond those of other slices.
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

std::string Slice::copy_packets(PacketForks& forks) {
  const auto pointers = switch_allocator_->round_robin();
  SeparableVcArbitration<RoundRobinArbiters>* const arbitration = vc_allocator_->round_robin();
  if (!pointers || arbitration == nullptr) {
    return "branches ask by separable allocation and round robin; expected router.vc_allocator and "
           "router.switch_allocator = \"separable_input_first\", router.arbiter = \"round_robin\"";
  }
  packet_forks_ = &forks;
  more_to_commit_ = notes_injections_ = true;
  fork_allocation_ = std::make_unique<ForkAllocation>(shared_.bank, forks, *pointers, *arbitration);
  copies_.reserve(range_.size() * shared_.bank.port_stride());
  return {};
}

void Slice::allocate_vcs_of_forks(std::uint64_t cycle) {
  fork_allocation_->allocate_vcs({shared_.bank, waiting_for_vc_, cycle}, vc_grants_);
}

/// RC of a head, if it has several destinations: all of them have come to the router.
bool Slice::route_copies(std::uint64_t cycle, VcIndex in_vc, PacketSlot slot) {
  if (packet_forks_->alone(slot)) return false;
  packet_forks_->for_each_destination(slot, [&](PacketSlot each) {
    Packet& packet = shared_.store[each];
    ++packet.routers;
    if (packet.record != nullptr) log_head(packet, cycle, in_vc);
  });
  packet_forks_->open(in_vc);
  return true;
}

void Slice::commit_forks() {
  for (const PacketForks::Grant& grant : fork_allocation_->branch_flits()) {
    const PacketForks::Sent sent = packet_forks_->send(grant);
    (sent.left ? traversals_ : copies_).push({sent.flit, grant.in_vc, sent.out_port});
    flits_copied_ += sent.left ? 0 : 1;
    if (sent.closed && shared_.bank.input_vcs[grant.in_vc].count > 0) heads_.push(grant.in_vc);
  }
  fork_allocation_->branch_flits().clear();
  for (const ForkAllocation::VcGranted& granted : fork_allocation_->branch_vcs()) {
    packet_forks_->take_vc(granted.to, granted.out_vc);
  }
  fork_allocation_->branch_vcs().clear();
}

}  // namespace braid::models::hybrid
