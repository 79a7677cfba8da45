#include "models/stages/hybrid/switch_allocator.h"

#include <algorithm>

#include "models/stages/hybrid/alone_router.h"

namespace braid::models::stages::hybrid {

void SwitchAllocatorPorts::bind(RouterChannels& router) {
  request_i(router.request);
  out_port_i(router.out_port);
  taken_inputs_i(router.taken_inputs);
  taken_outputs_i(router.taken_outputs);
  grant_o(router.grant);
}

SwitchAllocator::SwitchAllocator(const sc_core::sc_module_name& name, const RouterShape& shape)
    : SwitchAllocatorPorts(name, shape) {}
SwitchAllocator::~SwitchAllocator() = default;

/// The requests of circuits are not its own: a port that they take is one that is taken.
void SwitchAllocator::on_ports(std::uint64_t cycle) {
  if (!alone_) {
    RouterShape shape = shape_;
    shape.circuit_lanes = std::max(shape.circuit_lanes, 1U);  // there are ports that may be taken
    alone_ = std::make_unique<AloneRouter>(std::make_shared<AlonePlace>(shape));
  }
  const Bits &request = request_i->read(), &out_port = out_port_i->read(), &taken_in = taken_inputs_i->read(),
             &taken_out = taken_outputs_i->read();
  const unsigned width = shape_.port_bits();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    const bool taken = taken_in[p];
    alone_->request(p, taken ? 0 : static_cast<VcMask>(request.field(p * shape_.vcs, shape_.vcs)));
    alone_->bank().closed_outputs[alone_->port(p)] = taken_out[p];
  }
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    if (!request[i]) continue;
    const auto out = static_cast<unsigned>(out_port.field(i * width, width));
    alone_->bank().input_vcs[alone_->vc(i)].out_vc = alone_->bank().vc_index(alone_->port(out), 0);
  }
  alone_->slice().allocate_packets(cycle);
  Bits grant(shape_.input_vcs());
  for (const VcIndex v : alone_->switch_grants()) grant.set(alone_->place_of(v));
  alone_->switch_grants().clear();
  grant_o->write(grant);
}

}  // namespace braid::models::stages::hybrid
