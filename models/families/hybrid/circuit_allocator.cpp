#include "models/families/hybrid/circuit_allocator.h"

namespace braid::models::hybrid {

CircuitAllocator::CircuitAllocator(const RouterBank& bank, RouterRange range)
    : bank_(bank),
      first_port_(range.first * bank.port_stride()),
      lane_arbiters_(range.size() * bank.port_stride(), bank.circuit_lanes()),
      output_arbiters_(range.size() * bank.port_stride(), bank.port_stride()),
      offers_(range.size() * bank.port_stride()) {
  wanted_.reserve(offers_.size());
}

void CircuitAllocator::grant_all(const WakeSet& requesting, WorkList<VcIndex>& grants) {
  const BankView bank = bank_;
  requesting.for_each([&](std::size_t i) {
    const PortIndex port = first_port_ + static_cast<PortIndex>(i);
    if ((bank.switch_requests[port] >> bank.circuit_lane()) != 0) grants.push(bank.circuit_vc(port));
  });
}

void CircuitAllocator::allocate(const WakeSet& requesting, WorkList<VcIndex>& grants) {
  if (bank_.circuit_lanes() == 1) return grant_all(requesting, grants);
  const BankView bank = bank_;
  requesting.for_each([&](std::size_t i) {
    const PortIndex port = first_port_ + static_cast<PortIndex>(i);
    const VcMask circuits = bank.switch_requests[port] >> bank.circuit_lane();
    if (circuits == 0) return;
    const VcIndex in_vc = bank.circuit_vc(port, lane_arbiters_.pick(i, circuits));
    const PortIndex out = bank.port_of_vc(bank.circuit_out(in_vc)) - first_port_;
    if (offers_[out].empty()) wanted_.push(out);
    offers_[out].improve({output_arbiters_.rank(out, bank.port_of(port)), in_vc});
  });
  for (const PortIndex out : wanted_) {
    const VcIndex in_vc = offers_[out].from();
    const PortIndex port = bank.port_of_vc(in_vc);
    output_arbiters_.use(out, bank.port_of(port));
    lane_arbiters_.use(port - first_port_, bank.circuit_of(in_vc));
    grants.push(in_vc);
    offers_[out] = Offer{};
  }
  wanted_.clear();
}

}  // namespace braid::models::hybrid
