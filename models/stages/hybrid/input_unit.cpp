#include "models/stages/hybrid/input_unit.h"

namespace braid::models::stages::hybrid {

using models::hybrid::FlitArrival;
using models::hybrid::InputVc;
using models::hybrid::VcState;

void InputUnit::bind(RouterChannels& router) {
  valid_i(router.links.packet_arrives);
  vc_i(router.links.packet_vc);
  flit_i(router.links.packet_flit);
  heads_o(router.heads);
  destination_o(router.units.destination);
  waiting_i(router.waiting);
  vc_grant_i(router.vc_grant);
  vc_grant_port_i(router.vc_grant_port);
  vc_grant_vc_i(router.vc_grant_vc);
  credits_i(router.credits);
  credit_i(router.credit);
  ready_o(router.units.ready);
  request_o(router.request);
  out_port_o(router.out_port);
  out_vc_o(router.units.out_vc);
  grant_i(router.grant);
  st_grant_o(router.st_grant);
  st_flit_o(router.units.st_flit);
  st_in_lane_o(router.st_in_lane);
  st_out_port_o(router.st_out_port);
  st_out_lane_o(router.st_out_lane);
}

void InputUnit::on_bank(Slice& slice, std::uint64_t cycle) {
  slice.write_buffers(cycle);
  slice.commit_switch_grants();
}

/// The state of a VC depends on VA's grants and on credits, whose registers others have: it follows them here.
void InputUnit::on_ports(std::uint64_t cycle) {
  if (!alone_) alone_ = std::make_unique<AloneRouter>(place_ ? place_ : std::make_shared<AlonePlace>(shape_));
  load_registers();
  load_wires(cycle);
  Slice& slice = alone_->slice();
  slice.write_buffers(cycle);
  slice.commit_switch_grants();
  show_heads();
  slice.commit_vc_grants();
  slice.take_credits(cycle);
  latch(cycle);
  show_requests(cycle);
  show_switch_register();
}

bool InputUnit::has_credit(const InputVc& in) const {
  return in.state == VcState::kActive && alone_->bank().output_vcs[in.out_vc].credits > 0;
}

/// Of RC and of the output units, and what follows from them.
void InputUnit::load_registers() {
  const Bits &waiting = waiting_i->read(), &credits = credits_i->read();
  const unsigned w = shape_.credit_bits();
  const RouterBank& bank = alone_->bank();
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    const VcIndex v = alone_->vc(i);
    bank.output_vcs[v].credits = static_cast<std::uint16_t>(credits.field(i * w, w));
    InputVc& in = bank.input_vcs[v];
    if (waiting[i] && in.state != VcState::kActive) in.state = VcState::kWaitsForVc;
  }
  for (unsigned p = 0; p < shape_.ports; ++p) {
    VcMask requests = 0;
    for (unsigned v = 0; v < shape_.vcs; ++v) {
      const InputVc& in = bank.input_vcs[alone_->vc(p * shape_.vcs + v)];
      requests |= VcMask{in.count > 0 && has_credit(in)} << v;
    }
    alone_->request(p, requests);
  }
}

/// Grants and credits of this cycle.
void InputUnit::load_wires(std::uint64_t cycle) {
  const Bits &vc_grant = vc_grant_i->read(), &port = vc_grant_port_i->read(), &vc = vc_grant_vc_i->read(),
             &grant = grant_i->read(), &credit = credit_i->read();
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    if (grant[i]) alone_->slice().grant_switch(alone_->vc(i));
    if (credit[i / shape_.vcs * shape_.lanes() + i % shape_.vcs]) alone_->wires(cycle).credits.push(alone_->vc(i));
    if (!vc_grant[i]) continue;
    unsigned p = 0, v = 0;
    while (p + 1 < shape_.ports && !port[i * shape_.ports + p]) ++p;
    while (v + 1 < shape_.vcs && !vc[i * shape_.vcs + v]) ++v;
    alone_->slice().grant_vc({alone_->vc(i), alone_->vc(p * shape_.vcs + v)});
  }
}

/// What is on the links now is written (BW) in the next cycle.
void InputUnit::latch(std::uint64_t cycle) {
  const unsigned room = shape_.depth + 2;  // in a VC: its buffer, the latch, the register of ST
  flits_.resize(shape_.input_vcs() * room);
  next_place_.resize(shape_.input_vcs());
  const Bits &valid = valid_i->read(), &vc = vc_i->read(), &flit = flit_i->read();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!valid[p]) continue;
    const auto lane = static_cast<unsigned>(vc.field(p * shape_.vc_bits(), shape_.vc_bits()));
    const unsigned i = p * shape_.vcs + lane;
    const std::uint32_t number = i * room + next_place_[i];
    next_place_[i] = (next_place_[i] + 1) % room;
    flits_[number] = flit_at(flit, p);
    alone_->wires(cycle + 1).packets.push({flit_numbered(number, flits_[number], lane), alone_->vc(p * shape_.vcs)});
  }
}

void InputUnit::show_heads() {
  Bits heads(shape_.input_vcs()), destination(shape_.input_vcs() * kDestinationBits);
  for (std::size_t h = 0; h < alone_->slice().heads_to_route(); ++h) {
    const VcIndex v = alone_->heads()[h];
    heads.set(alone_->place_of(v));
    destination.set(alone_->place_of(v) * kDestinationBits, kDestinationBits,
                    wires(alone_->bank().front(v)).destination());
  }
  alone_->pass_heads_on();
  heads_o->write(heads);
  destination_o->write(destination);
}

/// With the write bypass a flit asks for the switch while it is in the latch.
void InputUnit::show_requests(std::uint64_t cycle) {
  const unsigned pw = shape_.port_bits(), vw = shape_.vc_bits();
  Bits ready(shape_.input_vcs()), request(shape_.input_vcs()), port(shape_.input_vcs() * pw),
      vc(shape_.input_vcs() * vw);
  const RouterBank& bank = alone_->bank();
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    const InputVc& in = bank.input_vcs[alone_->vc(i)];
    if (in.state != VcState::kActive) continue;
    ready.set(i, in.count > 0);
    port.set(i * pw, pw, bank.port_of(bank.port_of_vc(in.out_vc)));
    vc.set(i * vw, vw, bank.lane_of(in.out_vc));
  }
  for (unsigned p = 0; p < shape_.ports; ++p) {
    request.set(p * shape_.vcs, shape_.vcs, bank.switch_requests[alone_->port(p)]);
  }
  if (alone_->place().options.buffer_bypass) {
    for (const FlitArrival& a : alone_->wires(cycle + 1).packets) {
      const VcIndex v = a.target + a.flit.vc();
      if (!has_credit(bank.input_vcs[v])) continue;
      request.set(alone_->place_of(v));
    }
  }
  ready_o->write(ready);
  request_o->write(request);
  out_port_o->write(port);
  out_vc_o->write(vc);
}

void InputUnit::show_switch_register() {
  const unsigned lw = shape_.lane_bits(), pw = shape_.port_bits();
  Bits grant(shape_.ports), flit(shape_.ports * kFlitBits), in_lane(shape_.ports * lw), port(shape_.ports * pw),
      out_lane(shape_.ports * lw);
  const RouterBank& bank = alone_->bank();
  for (const Slice::Traversal& t : alone_->traversals()) {
    const unsigned p = bank.port_of(bank.port_of_vc(t.in_vc));
    grant.set(p);
    put_flit(flit, p, wires(t.flit));
    in_lane.set(p * lw, lw, bank.lane_of(t.in_vc));
    port.set(p * pw, pw, bank.port_of(t.out_port));
    out_lane.set(p * lw, lw, t.flit.vc());
  }
  alone_->traversals().clear();
  st_grant_o->write(grant);
  st_flit_o->write(flit);
  st_in_lane_o->write(in_lane);
  st_out_port_o->write(port);
  st_out_lane_o->write(out_lane);
}

}  // namespace braid::models::stages::hybrid
