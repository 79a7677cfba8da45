#include "models/stages/hybrid/route_unit.h"

#include "models/stages/hybrid/flit_wires.h"

namespace braid::models::stages::hybrid {

using models::hybrid::InputVc;
using models::hybrid::VcState;

RouteUnit::RouteUnit(const sc_core::sc_module_name& name, const std::shared_ptr<const AlonePlace>& place)
    : RouterStage(name, place->shape()), place_(place) {
  if (place->routing->draws() > 1) {
    throw InputError(
        "routing.algorithm: this one goes by what each packet drew, which ports do not tell; on a torus "
        "expected routing.ties = \"fixed\" and no routing.datelines = \"two_drawn\"");
  }
  if (!place->routing->depends_on_source() && place->routing->routes() == nullptr) return;
  throw InputError("routing.algorithm: this one looks at a packet's source, which ports do not tell");
}

void RouteUnit::bind(RouterChannels& router) {
  heads_i(router.heads);
  destination_i(router.units.destination);
  vc_grant_i(router.vc_grant);
  waiting_o(router.waiting);
  candidates_o(router.candidates);
}

void RouteUnit::on_bank(Slice& slice, std::uint64_t cycle) { slice.compute_routes(cycle); }

void RouteUnit::on_ports(std::uint64_t cycle) {
  if (!alone_) {
    alone_ = std::make_unique<AloneRouter>(place_ ? place_ : std::make_shared<AlonePlace>(shape_));
    pool_ = std::make_unique<PacketStore::Pool>(alone_->packets());
    for (unsigned i = 0; i < shape_.input_vcs(); ++i) packets_.push_back(pool_->take());
  }
  load();
  alone_->slice().compute_routes(cycle);
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    if (alone_->bank().input_vcs[alone_->vc(i)].count > 0) alone_->bank().pop(alone_->vc(i));
  }
  alone_->waiting().clear();
  show();
}

void RouteUnit::load() {
  const Bits &heads = heads_i->read(), &destination = destination_i->read(), &granted = vc_grant_i->read();
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    const VcIndex v = alone_->vc(i);
    InputVc& in = alone_->bank().input_vcs[v];
    if (granted[i]) in = {};
    if (!heads[i]) continue;
    Packet& packet = alone_->packets()[packets_[i]];
    packet = {};
    packet.destination = NodeId{destination.field(i * kDestinationBits, kDestinationBits)};
    alone_->bank().push(v, Flit(packets_[i], 0, 1, i % shape_.vcs));
    alone_->heads().push(v);
  }
  alone_->route_heads();
}

void RouteUnit::show() {
  const unsigned w = shape_.route_width();
  Bits waiting(shape_.input_vcs()), candidates(shape_.input_vcs() * w);
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
    const VcIndex v = alone_->vc(i);
    const InputVc& in = alone_->bank().input_vcs[v];
    if (in.state != VcState::kWaitsForVc) continue;
    waiting.set(i);
    for (unsigned c = 0; c < alone_->bank().ways[v]; ++c) {
      candidates.set(i * w + shape_.candidate_bit(alone_->bank().candidates(v)[c]));
    }
  }
  waiting_o->write(waiting);
  candidates_o->write(candidates);
}

}  // namespace braid::models::stages::hybrid
