#include "models/families/hybrid/circuit_allocator.h"

#include "models/families/hybrid/circuit_forks.h"

namespace braid::models::hybrid {

CircuitAllocator::CircuitAllocator(const RouterBank& bank, RouterRange range, const CircuitForks* forks)
    : bank_(bank),
      forks_(forks),
      first_port_(range.first * bank.port_stride()),
      lane_arbiters_(range.size() * bank.port_stride(), bank.circuit_lanes()),
      output_arbiters_(range.size() * bank.port_stride(), bank.port_stride()),
      offers_(range.size() * bank.port_stride()) {
  wanted_.reserve(offers_.size());
}

VcMask CircuitAllocator::asking(const BankView& bank, std::size_t i, const Taken& taken) const {
  const PortIndex port = first_port_ + static_cast<PortIndex>(i);
  const VcMask all = bank.switch_requests[port] >> bank.circuit_lane();
  if (taken.inputs == nullptr) return all;
  VcMask open = taken.inputs[i] ? 0 : all;
  for (VcMask left = open; left != 0; left &= left - 1) {
    const auto circuit = static_cast<std::uint32_t>(__builtin_ctz(left));
    const PortIndex out = bank.port_of_vc(bank.circuit_out(bank.circuit_vc(port, circuit)));
    if (taken.outputs[out - first_port_]) open &= ~(VcMask{1} << circuit);
  }
  return open;
}

void CircuitAllocator::grant_all(const WakeSet& requesting, const Taken& taken, WorkList<VcIndex>& grants) {
  const BankView bank = bank_;
  requesting.for_each([&](std::size_t i) {
    if (asking(bank, i, taken) != 0) grants.push(bank.circuit_vc(first_port_ + static_cast<PortIndex>(i)));
  });
}

void CircuitAllocator::allocate(const WakeSet& requesting, const Taken& taken, WorkList<VcIndex>& grants) {
  if (bank_.circuit_lanes() == 1) return grant_all(requesting, taken, grants);
  const BankView bank = bank_;
  requesting.for_each([&](std::size_t i) {
    const PortIndex port = first_port_ + static_cast<PortIndex>(i);
    const VcMask circuits = asking(bank, i, taken);
    if (circuits == 0) return;
    const VcIndex in_vc = bank.circuit_vc(port, lane_arbiters_.pick(i, circuits));
    offer(in_vc, bank.circuit_out(in_vc));
    if (forks_ != nullptr) forks_->for_each_further(in_vc, [&](VcIndex out_vc) { offer(in_vc, out_vc); });
  });
  for (const PortIndex out : wanted_) {
    const VcIndex in_vc = offers_[out].from();
    const bool first =
        bank.port_of_vc(bank.circuit_out(in_vc)) - first_port_ == out;  // one grant, whatever it forks to
    if (forks_ == nullptr || (first && wins(in_vc))) grant(in_vc, grants);
  }
  for (const PortIndex out : wanted_) offers_[out] = Offer{};
  wanted_.clear();
}

void CircuitAllocator::offer(VcIndex in_vc, VcIndex out_vc) {
  const PortIndex out = bank_.port_of_vc(out_vc) - first_port_;
  if (offers_[out].empty()) wanted_.push(out);
  offers_[out].improve({output_arbiters_.rank(out, bank_.port_of(bank_.port_of_vc(in_vc))), in_vc});
}

bool CircuitAllocator::wins(VcIndex in_vc) const {
  bool all = true;
  forks_->for_each_output(
      in_vc, [&](VcIndex out_vc) { all = all && offers_[bank_.port_of_vc(out_vc) - first_port_].from() == in_vc; });
  return all;
}

void CircuitAllocator::grant(VcIndex in_vc, WorkList<VcIndex>& grants) {
  const PortIndex port = bank_.port_of_vc(in_vc);
  const auto use = [&](VcIndex out_vc) {
    output_arbiters_.use(bank_.port_of_vc(out_vc) - first_port_, bank_.port_of(port));
  };
  use(bank_.circuit_out(in_vc));
  if (forks_ != nullptr) forks_->for_each_further(in_vc, use);
  lane_arbiters_.use(port - first_port_, bank_.circuit_of(in_vc));
  grants.push(in_vc);
}

}  // namespace braid::models::hybrid
