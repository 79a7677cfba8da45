#include "models/stages/hybrid/vc_allocator.h"

#include "models/stages/hybrid/alone_router.h"

namespace braid::models::stages::hybrid {

void VcAllocatorPorts::bind(RouterChannels& router) {
  waiting_i(router.waiting);
  candidates_i(router.candidates);
  last_port_i(router.last_port);
  escape_ports_i(router.escape_ports);
  free_i(router.free);
  credits_i(router.credits);
  grant_o(router.vc_grant);
  port_o(router.vc_grant_port);
  vc_o(router.vc_grant_vc);
  granted_o(router.vc_granted);
}

VcAllocator::VcAllocator(const sc_core::sc_module_name& name, const RouterShape& shape)
    : VcAllocatorPorts(name, shape) {}
VcAllocator::~VcAllocator() = default;

/// Registers of input and output units, as the ports carry them.
void VcAllocator::load() {
  const Bits &waiting = waiting_i->read(), &candidates = candidates_i->read(), &last_port = last_port_i->read(),
             &escape_ports = escape_ports_i->read(), &free = free_i->read(), &credits = credits_i->read();
  const unsigned route = shape_.route_width(), port_bits = shape_.port_bits(), credit_bits = shape_.credit_bits();
  const models::hybrid::RouterBank& bank = alone_->bank();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    bank.free_vcs[alone_->port(p)] = static_cast<VcMask>(free.field(p * shape_.vcs, shape_.vcs));
  }
  alone_->waiting().clear();
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    const VcIndex v = alone_->vc(i);
    bank.output_vcs[v].credits = static_cast<std::uint16_t>(credits.field(i * credit_bits, credit_bits));
    bank.last_ports[v] = static_cast<std::uint8_t>(last_port.field(i * port_bits, port_bits));
    bank.ways[v] = 0;
    for (unsigned bit = 0; bit < route; ++bit) {
      if (!candidates[i * route + bit]) continue;
      bank.candidates(v)[bank.ways[v]++] = shape_.candidate(bit, escape_ports[bit % shape_.ports]);
    }
    if (waiting[i] && bank.ways[v] != 0) alone_->waiting().push(v);
  }
}

void VcAllocator::on_ports(std::uint64_t cycle) {
  if (!alone_) alone_ = std::make_unique<AloneRouter>(std::make_shared<AlonePlace>(shape_));
  load();
  alone_->slice().allocate_vcs(cycle);
  Bits grant(shape_.input_vcs()), port(shape_.input_vcs() * shape_.ports), vc(shape_.input_vcs() * shape_.vcs),
      granted(shape_.input_vcs());
  for (const models::hybrid::VcGrant& g : alone_->vc_grants()) {
    const unsigned in = alone_->place_of(g.in_vc), out = alone_->place_of(g.out_vc);
    grant.set(in);
    port.set(in * shape_.ports + out / shape_.vcs);
    vc.set(in * shape_.vcs + out % shape_.vcs);
    granted.set(out);
  }
  alone_->vc_grants().clear();
  grant_o->write(grant);
  port_o->write(port);
  vc_o->write(vc);
  granted_o->write(granted);
}

}  // namespace braid::models::stages::hybrid
