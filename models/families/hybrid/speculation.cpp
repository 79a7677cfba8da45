#include "models/families/hybrid/speculation.h"

namespace braid::models::hybrid {

Speculation::Speculation(const RouterBank& bank, RouterRange range)
    : bank_(bank),
      first_port_(range.first * bank.port_stride()),
      input_arbiters_(range.size() * bank.port_stride(), bank.vcs()),
      output_arbiters_(range.size() * bank.port_stride(), bank.port_stride()) {
  const std::size_t ports = range.size() * bank.port_stride();
  grants_.reserve(ports);
  taken_inputs_ = std::make_unique<bool[]>(ports);
  taken_outputs_ = std::make_unique<bool[]>(ports);
  heads_.resize(ports);
  offers_.resize(ports);
  asking_.reserve(ports);
  asked_.reserve(ports);
}

void Speculation::allocate(const WorkList<VcIndex>& waiting, const WorkList<VcIndex>& switch_grants,
                           const WorkList<VcGrant>& vc_grants) {
  if (vc_grants.empty()) return;  // whoever wins the switch has no use for it, and no arbiter's turn moves
  const auto take_ports = [&](bool taken) {
    for (const VcIndex in_vc : switch_grants) {
      taken_inputs_[at(bank_.port_of_vc(in_vc))] = taken;
      taken_outputs_[at(bank_.port_of_vc(bank_.input_vcs[in_vc].out_vc))] = taken;
    }
  };
  take_ports(true);
  offer(waiting);
  take(vc_grants);
  take_ports(false);
}

/// Each input port offers one head to the output port that this asks for. It does not know yet what SA has granted.
void Speculation::offer(const WorkList<VcIndex>& waiting) {
  for (const VcIndex in_vc : waiting) {
    const PortIndex port = bank_.port_of_vc(in_vc);
    if (heads_[at(port)] == 0) asking_.push(port);
    heads_[at(port)] |= VcMask{1} << bank_.lane_of(in_vc);
  }
  for (const PortIndex port : asking_) {
    const PortIndex out = wanted(bank_.vc_index(port, input_arbiters_.pick(at(port), heads_[at(port)])));
    if (offers_[at(out)] == 0) asked_.push(out);
    offers_[at(out)] |= std::uint64_t{1} << bank_.port_of(port);
  }
}

/// Each output port takes one offer. It is of use if neither port goes to a flit that has its VC, the head has got a VC
/// of that output port, and a credit is there.
void Speculation::take(const WorkList<VcGrant>& vc_grants) {
  for (const PortIndex out : asked_) {
    const unsigned p = output_arbiters_.pick(at(out), offers_[at(out)]);
    offers_[at(out)] = 0;
    const PortIndex port = bank_.port_index(bank_.router_of(out), PortId{p});
    if (taken_inputs_[at(port)] || taken_outputs_[at(out)]) continue;
    const unsigned lane = input_arbiters_.pick(at(port), heads_[at(port)]);
    const VcIndex in_vc = bank_.vc_index(port, lane);
    for (const VcGrant& grant : vc_grants) {
      if (grant.in_vc != in_vc || bank_.port_of_vc(grant.out_vc) != out) continue;
      if (bank_.output_vcs[grant.out_vc].credits == 0) continue;
      grants_.push(in_vc);
      input_arbiters_.use(at(port), lane);
      output_arbiters_.use(at(out), p);
    }
  }
  asked_.clear();
  for (const PortIndex port : asking_) heads_[at(port)] = 0;
  asking_.clear();
}

}  // namespace braid::models::hybrid
