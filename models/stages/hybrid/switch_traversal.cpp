#include "models/stages/hybrid/switch_traversal.h"

namespace braid::models::stages::hybrid {

void SwitchTraversal::bind(RouterChannels& router) {
  grant_i(router.st_grant);
  flit_i(router.units.st_flit);
  in_lane_i(router.st_in_lane);
  out_port_i(router.st_out_port);
  out_lane_i(router.st_out_lane);
  link_valid_o(router.links.sent_valid);
  link_lane_o(router.links.sent_lane);
  link_flit_o(router.links.sent_flit);
  credit_o(router.links.sent_credit);
}

void SwitchTraversal::on_bank(Slice& slice, std::uint64_t cycle) { slice.traverse_switch(cycle); }

void SwitchTraversal::on_ports(std::uint64_t cycle) {
  if (!alone_) alone_ = std::make_unique<AloneRouter>(std::make_shared<AlonePlace>(shape_));
  load();
  const Bits& flits = flit_i->read();
  alone_->slice().traverse_switch(cycle);
  const unsigned w = shape_.lane_bits();
  Bits valid(shape_.ports), lane(shape_.ports * w), flit(shape_.ports * kFlitBits),
      credit(shape_.ports * shape_.lanes());
  const OutgoingWires wires(alone_->slice(), alone_->place().router);
  wires.for_each_flit(cycle, [&](unsigned p, const Flit& f) {
    valid.set(p);
    lane.set(p * w, w, f.vc());
    put_flit(flit, p, flit_at(flits, f.packet()));
  });
  wires.for_each_credit(cycle, [&](unsigned p, unsigned l) { credit.set(p * shape_.lanes() + l); });
  wires.clear(cycle);
  link_valid_o->write(valid);
  link_lane_o->write(lane);
  link_flit_o->write(flit);
  credit_o->write(credit);
}

/// A flit goes by the number of the port that it came in by.
void SwitchTraversal::load() {
  const Bits &grant = grant_i->read(), &flit = flit_i->read(), &in_lane = in_lane_i->read(), &port = out_port_i->read(),
             &out_lane = out_lane_i->read();
  const unsigned lw = shape_.lane_bits(), pw = shape_.port_bits();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!grant[p]) continue;
    const auto from = static_cast<unsigned>(in_lane.field(p * lw, lw));
    const auto lane = static_cast<unsigned>(out_lane.field(p * lw, lw));
    const auto to = static_cast<unsigned>(port.field(p * pw, pw));
    alone_->traversals().push(
        {flit_numbered(p, flit_at(flit, p), lane), alone_->bank().vc_index(alone_->port(p), from), alone_->port(to)});
  }
}

}  // namespace braid::models::stages::hybrid
