#include "models/stages/hybrid/network_interface.h"

namespace braid::models::stages::hybrid {

using models::hybrid::FlitArrival;

/// The node, alone: it takes whatever comes.
class NetworkInterface::Node final : public PacketSink {
 public:
  explicit Node(PacketStore& packets) : packets_(packets), pool_(packets) {}
  PacketSlot packet(unsigned length, std::uint64_t destination) {
    const PacketSlot slot = pool_.take();
    packets_[slot] = {};
    packets_[slot].length_flits = static_cast<std::uint16_t>(length);
    packets_[slot].destination = NodeId{destination};
    return slot;
  }
  /// Packets whose last flit is on its way; their slots are free when that flit has been seen.
  void free_sent() {
    for (const PacketSlot slot : sent_) pool_.give_back(slot);
    sent_.clear();
  }

 private:
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t, PacketSlot) override {}
  void sent(std::uint64_t, PacketSlot packet) override { sent_.push_back(packet); }

  PacketStore& packets_;
  PacketStore::Pool pool_;
  std::vector<PacketSlot> sent_;
};

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, const RouterShape& shape)
    : RouterStage(name, shape) {}
NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, const std::shared_ptr<const AlonePlace>& place)
    : RouterStage(name, place->shape()), place_(place) {}
NetworkInterface::~NetworkInterface() = default;

void NetworkInterface::bind(RouterChannels& router) {
  link_valid_i(router.ejected);
  link_lane_i(router.nodes.eject_lane);
  link_flit_i(router.nodes.eject_flit);
  credit_o(router.nodes.eject_credit);
  link_valid_o(router.nodes.inject_valid);
  link_lane_o(router.nodes.inject_lane);
  link_flit_o(router.nodes.inject_flit);
  credit_i(router.nodes.injection_credit);
  send_i(router.nodes.send);
  send_lane_i(router.nodes.send_lane);
  send_length_i(router.nodes.send_length);
  send_destination_i(router.nodes.send_destination);
  ready_o(router.nodes.ready);
}

void NetworkInterface::on_bank(Slice& slice, std::uint64_t cycle) { slice.run_interfaces(cycle); }

void NetworkInterface::on_ports(std::uint64_t cycle) {
  if (!alone_) make_alone();
  send();
  load_wires(cycle);
  alone_->slice().take_credits(cycle);
  alone_->slice().run_interfaces(cycle);
  show(cycle);
  node_->free_sent();
}

void NetworkInterface::make_alone() {
  alone_ = std::make_unique<AloneRouter>(place_ ? place_ : std::make_shared<AlonePlace>(shape_));
  node_ = std::make_unique<Node>(alone_->packets());
  auto& interfaces = alone_->slice().interfaces();
  interfaces.set_sink(node_.get());
  local_ports_.assign(shape_.ports, kNone);
  for (std::size_t i = interfaces.first_local_port(); i < interfaces.last_local_port(); ++i) {
    const PortIndex port = alone_->bank().wiring().local_ports[i].router_port;
    local_ports_[alone_->bank().port_of(port)] = static_cast<std::uint32_t>(i);
  }
}

void NetworkInterface::send() {
  const Bits &sends = send_i->read(), &lane = send_lane_i->read(), &length = send_length_i->read(),
             &destination = send_destination_i->read();
  const unsigned w = shape_.lane_bits();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!sends[p] || !local(p)) continue;
    const PacketSlot packet = node_->packet(static_cast<unsigned>(length.field(p * kLengthBits, kLengthBits)),
                                            destination.field(p * kDestinationBits, kDestinationBits));
    const auto on = static_cast<unsigned>(lane.field(p * w, w));
    auto& interfaces = alone_->slice().interfaces();
    if (on < shape_.vcs) {
      interfaces.send(local_ports_[p], packet);
    } else {
      interfaces.send_on_circuit(local_ports_[p], on - shape_.vcs, packet);
    }
  }
}

/// What the links bring. The interface looks at no packet that comes, so a flit needs no number of its own.
void NetworkInterface::load_wires(std::uint64_t cycle) {
  const Bits &valid = link_valid_i->read(), &lane = link_lane_i->read(), &flit = link_flit_i->read(),
             &credit = credit_i->read();
  const unsigned w = shape_.lane_bits();
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!local(p)) continue;
    if (valid[p]) {
      const auto on = static_cast<unsigned>(lane.field(p * w, w));
      alone_->wires(cycle).ejections.push({flit_numbered(0, flit_at(flit, p), on), local_ports_[p]});
    }
    const PortIndex link = alone_->bank().injection_port(local_ports_[p]);
    for (unsigned l = 0; l < shape_.lanes(); ++l) {
      if (credit[p * shape_.lanes() + l]) alone_->wires(cycle).credits.push(alone_->bank().vc_index(link, l));
    }
  }
}

void NetworkInterface::show(std::uint64_t cycle) {
  const unsigned w = shape_.lane_bits();
  const RouterBank& bank = alone_->bank();
  Bits valid(shape_.ports), lane(shape_.ports * w), flit(shape_.ports * kFlitBits),
      credit(shape_.ports * shape_.lanes()), ready(shape_.ports);
  auto& packets = alone_->slice().injection_links(cycle);
  auto& circuits = alone_->wires(cycle + 1).circuits;
  for (const auto* list : {&packets, &circuits}) {
    for (const FlitArrival& a : *list) {
      const unsigned p = bank.port_of(bank.port_of_vc(a.target));
      valid.set(p);
      lane.set(p * w, w, a.flit.vc());
      put_flit(flit, p, wires_of(a.flit, alone_->packets()));
    }
  }
  auto& credits = alone_->slice().ejection_credits(cycle);
  for (const VcIndex v : credits) credit.set(bank.port_of(bank.port_of_vc(v)) * shape_.lanes() + bank.lane_of(v));
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (local(p)) ready.set(p, alone_->slice().interfaces().ready(local_ports_[p]));
  }
  packets.clear();
  circuits.clear();
  credits.clear();
  link_valid_o->write(valid);
  link_lane_o->write(lane);
  link_flit_o->write(flit);
  credit_o->write(credit);
  ready_o->write(ready);
}

}  // namespace braid::models::stages::hybrid
