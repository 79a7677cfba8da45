#include "models/families/hybrid/fork_allocation.h"

#include <algorithm>

#include "models/fabric/bits.h"

namespace braid::models::hybrid {

ForkAllocation::ForkAllocation(const RouterBank& bank, const PacketForks& forks, const RoundRobinPointers& pointers,
                               SeparableVcArbitration<RoundRobinArbiters>& arbitration)
    : bank_(bank),
      forks_(forks),
      pointers_(pointers),
      arbitration_(arbitration),
      lane_mask_((1U << bits_for(bank.vcs())) - 1),
      port_mask_(bank.port_stride() - 1),
      forked_lanes_(bank.router_port_count()),
      offers_(bank.router_port_count()) {
  asking_.reserve(bank.input_vc_count() + bank.output_vc_count() * bank.port_stride());
}

/// Every waiting head, and every branch without an output VC, asks for one.
void ForkAllocation::allocate_vcs(const VcRequests& requests, WorkList<VcGrant>& grants) {
  asking_.clear();
  asked_.clear();
  for (const VcIndex in_vc : requests.waiting) asking_.push(in_vc);
  for (const VcIndex in_vc : forks_.forked()) {
    const auto& branches = forks_.fork(in_vc).branches;
    for (std::uint32_t b = 0; b < branches.size(); ++b) {
      if (branches[b].out_vc != kNone) continue;
      asking_.push(in_vc);
      asked_.push_back({{in_vc, b}, kNone});
    }
  }
  if (asking_.empty()) return;
  const auto vc_of = [&](VcIndex in_vc, PortIndex port, VcMask vcs) {
    const VcMask free = vcs & bank_.free_vcs[port];
    return free == 0 ? kNone : bank_.vc_index(port, arbitration_.pick(in_vc, free));
  };
  auto branch = asked_.begin();
  const auto choose = [&](VcIndex in_vc) {
    if (bank_.input_vcs[in_vc].state == VcState::kForked) {
      const PacketForks::Branch& b = forks_.fork(in_vc).branches[branch->to.branch];
      return (branch++)->out_vc = vc_of(in_vc, b.out_port, b.vcs);
    }
    const routing::Candidate& way = *bank_.candidates(in_vc);
    return vc_of(in_vc, bank_.port_index(bank_.router_of(bank_.port_of_vc(in_vc)), way.port), way.vcs);
  };
  arbitration_.run(bank_, asking_, requests.cycle, grants, choose, [](VcIndex) {});
  take_out_branches(grants);
}

void ForkAllocation::take_out_branches(WorkList<VcGrant>& grants) {
  VcGrant* kept = grants.begin();
  for (const VcGrant& grant : grants) {
    if (bank_.input_vcs[grant.in_vc].state != VcState::kForked) {
      *kept++ = grant;
      continue;
    }
    branch_vcs_.push_back(*std::find_if(asked_.begin(), asked_.end(), [&](const VcGranted& a) {
      return a.to.in_vc == grant.in_vc && a.out_vc == grant.out_vc;
    }));
  }
  grants.resize_to(kept);
}

void ForkAllocation::find_forked_lanes() {
  for (const PortIndex port : forked_ports_) forked_lanes_[port] = 0;
  forked_ports_.clear();
  for (const VcIndex in_vc : forks_.forked()) {
    if (forks_.offered(in_vc) == PacketForks::kNoFlit) continue;
    const PortIndex port = bank_.port_of_vc(in_vc);
    if (forked_lanes_[port] == 0) forked_ports_.push_back(port);
    forked_lanes_[port] |= VcMask{1} << bank_.lane_of(in_vc);
  }
}

void ForkAllocation::offer_to(PortIndex out_port, VcIndex in_vc) {
  Offer& best = offers_[out_port];
  if (best.empty()) wanted_.push_back(out_port);
  const std::uint32_t from = bank_.port_of(bank_.port_of_vc(in_vc));
  best.improve({(from - pointers_.ports[out_port]) & port_mask_, in_vc});
}

void ForkAllocation::offer(PortIndex in_port) {
  const VcMask lanes = bank_.switch_requests[in_port] | forked_lanes_[in_port];
  const VcMask later = lanes & (~VcMask{0} << pointers_.lanes[in_port]);
  const VcIndex in_vc = bank_.vc_index(in_port, static_cast<unsigned>(__builtin_ctz(later != 0 ? later : lanes)));
  if (bank_.input_vcs[in_vc].state != VcState::kForked) {
    return offer_to(bank_.port_of_vc(bank_.input_vcs[in_vc].out_vc), in_vc);
  }
  const std::uint32_t flit = forks_.offered(in_vc);
  for (const PacketForks::Branch& b : forks_.fork(in_vc).branches) {
    if (b.sent == flit && forks_.ready(in_vc, b)) offer_to(b.out_port, in_vc);
  }
}

/// A turn passes with every grant, as in SA without forks; an input port's also if some of its branches got none.
void ForkAllocation::allocate_switch(const WakeSet& requesting, WorkList<VcIndex>& grants) {
  find_forked_lanes();
  wanted_.clear();
  requesting.for_each([&](std::size_t port) { offer(static_cast<PortIndex>(port)); });
  for (const PortIndex port : forked_ports_) {
    if (!requesting.contains(port)) offer(port);
  }
  for (const PortIndex out : wanted_) {
    const VcIndex in_vc = offers_[out].from();
    const PortIndex in_port = bank_.port_of_vc(in_vc);
    pointers_.ports[out] = static_cast<std::uint16_t>((bank_.port_of(in_port) + 1) & port_mask_);
    pointers_.lanes[in_port] = static_cast<std::uint16_t>((bank_.lane_of(in_vc) + 1) & lane_mask_);
    if (bank_.input_vcs[in_vc].state == VcState::kForked) {
      branch_flits_.push_back({in_vc, forks_.branch_to(in_vc, out, forks_.offered(in_vc))});
    } else {
      grants.push(in_vc);
    }
    offers_[out] = Offer{};
  }
}

}  // namespace braid::models::hybrid
