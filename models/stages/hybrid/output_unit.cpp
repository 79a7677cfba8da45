#include "models/stages/hybrid/output_unit.h"

namespace braid::models::stages::hybrid {

void OutputUnit::bind(RouterChannels& router) {
  credit_i(router.credit);
  vc_granted_i(router.vc_granted);
  send_i(router.units.send);
  send_tail_i(router.units.send_tail);
  send_circuit_i(router.units.send_circuit);
  free_o(router.free);
  credits_o(router.credits);
  circuit_credit_o(router.units.circuit_credit);
}

void OutputUnit::on_bank(Slice& slice, std::uint64_t cycle) {
  slice.commit_vc_grants();
  slice.share_credits(cycle);
  slice.take_credits(cycle);
}

void OutputUnit::on_ports(std::uint64_t cycle) {
  if (!alone_) alone_ = std::make_unique<AloneRouter>(std::make_shared<AlonePlace>(shape_));
  load(cycle);
  Slice& slice = alone_->slice();
  slice.commit_switch_grants();
  slice.commit_vc_grants();
  slice.take_credits(cycle);
  alone_->traversals().clear();
  show();
}

/// Alone it is not told which input VC owns an output VC: one of the same number does.
void OutputUnit::send(VcIndex out, bool tail) {
  const RouterBank& bank = alone_->bank();
  bank.reserve(out, out);
  bank.push(out, Flit(0, 1, tail ? 2 : 3, bank.lane_of(out)));
  alone_->slice().grant_switch(out);
}

void OutputUnit::load(std::uint64_t cycle) {
  const Bits &credit = credit_i->read(), &granted = vc_granted_i->read(), &sent = send_i->read(),
             &tail = send_tail_i->read(), &circuit = send_circuit_i->read();
  const RouterBank& bank = alone_->bank();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    for (unsigned lane = 0; lane < shape_.lanes(); ++lane) {
      const VcIndex out = bank.vc_index(alone_->port(p), lane);
      if (credit[p * shape_.lanes() + lane]) alone_->wires(cycle).credits.push(out);
      if (lane >= shape_.vcs) {
        if (circuit[p * shape_.circuit_lanes + lane - shape_.vcs]) send(out, false);
        continue;
      }
      if (sent[p * shape_.vcs + lane]) send(out, tail[p]);
      if (granted[p * shape_.vcs + lane]) alone_->slice().grant_vc({out, out});
    }
  }
}

void OutputUnit::show() {
  const unsigned w = shape_.credit_bits();
  Bits free(shape_.input_vcs()), credits(shape_.input_vcs() * w), circuits(shape_.ports * shape_.circuit_lanes);
  const RouterBank& bank = alone_->bank();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    const PortIndex port = alone_->port(p);
    free.set(p * shape_.vcs, shape_.vcs, bank.free_vcs[port]);
    for (unsigned v = 0; v < shape_.vcs; ++v) {
      credits.set((p * shape_.vcs + v) * w, w, bank.output_vcs[bank.vc_index(port, v)].credits);
    }
    for (unsigned c = 0; c < shape_.circuit_lanes; ++c) {
      circuits.set(p * shape_.circuit_lanes + c, bank.output_vcs[bank.circuit_vc(port, c)].credits > 0);
    }
  }
  free_o->write(free);
  credits_o->write(credits);
  circuit_credit_o->write(circuits);
}

}  // namespace braid::models::stages::hybrid
