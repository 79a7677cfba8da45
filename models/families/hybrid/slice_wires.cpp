// A slice's wires: to which slice each port leads, how far ahead what goes there is filed, and the control messages.
#include <algorithm>

#include "models/families/hybrid/slice.h"
#include "models/families/hybrid/stand_in.h"

namespace braid::models::hybrid {
namespace {

/// The furthest ahead that anything is filed: a packet's flit over the longest link, or a credit back over it. No more:
/// the slots of all cycles together are much of what a router has in the cache.
std::size_t horizon(const Slice::Shared& shared) {
  const std::size_t link = shared.bank.wiring().max_link_latency_cycles;
  const std::size_t later = shared.router.internal_speedup == 1 ? 0 : 1;  // ST in a later step of its cycle
  return link + later + std::max<std::size_t>(1, shared.router.credit_delay_cycles - 2U);
}

}  // namespace

void Slice::connect(Slice& to) {
  Channel* channel = channels_.connect(shared_.slice_of_router[to.range_.first], to.channels_, horizon(shared_));
  if (channel == nullptr) return;
  const std::size_t ports = to.range_.size() * shared_.bank.port_stride() +
                            (to.interfaces_.last_local_port() - to.interfaces_.first_local_port());
  const bool of_all = shared_.shared_mailboxes && shared_.router.implementation != kModelled;
  for (Channel::Slot& slot : channel->slots()) {
    slot.reserve(ports);
    if (to.credits_of_a_port() > 2) slot.credits.reserve(ports * to.credits_of_a_port());
    if (of_all) slot.credits.reserve(ports * shared_.bank.lanes());  // a router of somebody else's: all lanes at once
  }
}

template <class Item>
std::uint16_t Slice::share(std::vector<Outlet<Item>>& outlets, const Outlet<Item>& wanted) {
  std::size_t i = 0;
  while (i < outlets.size() && !outlets[i].same(wanted)) ++i;
  if (i == outlets.size()) outlets.push_back(wanted);
  return static_cast<std::uint16_t>(i);
}

void Slice::build_wires() {
  const BankView& bank = shared_.bank;
  const PortIndex first = first_port(bank);
  const PortIndex last = range_.last * bank.port_stride();
  wires_.resize(last - first);
  credit_wires_.resize(last - first);
  for (PortIndex p = first; p < last; ++p) {
    if (bank.links[p].target != kNone) build_wire(p);
    const PortIndex feeder = bank.upstream[p];
    if (feeder == kNone) continue;
    Channel& back = bank.is_injection_port(feeder) ? self() : channel_to(bank.router_of(feeder));
    const std::uint32_t back_delay = shared_.router.credit_delay_cycles + bank.links[feeder].latency_cycles - 2;
    credit_wires_[p - first] = {bank.vc_index(feeder, 0),
                                share(credit_outlets_, {&back, &Channel::Slot::credits, back_delay})};
  }
  find_sources();
  if (range_.size() == 1) build_near_wires();
}

void Slice::build_wire(PortIndex p) {
  const BankView& bank = shared_.bank;
  const Link& link = bank.links[p];
  Wire& wire = wires_[p - first_port(bank)];
  // A packet's flit is written (BW) the cycle after it was on the link; a node takes it in the same way.
  const std::uint32_t delay = 1U + link.latency_cycles;
  wire.target = link.target;
  if (link.to_node) {
    Channel& channel = channel_to(bank.router_of(shared_.bank.wiring().local_ports[link.target].router_port));
    wire.outlet.fill(share(flit_outlets_, {&channel, &Channel::Slot::ejections, delay}));
    return;
  }
  Channel& channel = channel_to(bank.router_of(link.target));
  wire.target = bank.vc_index(link.target, 0);
  wire.outlet[0] = share(flit_outlets_, {&channel, &Channel::Slot::packets, delay});
  wire.outlet[1] = share(flit_outlets_, {&channel, &Channel::Slot::circuits, delay - 1});
}

void Slice::find_sources() {
  const std::vector<Channel*>& incoming = channels_.incoming();
  slot_mask_ = incoming.front()->slots().size() - 1;
  own_slots_ = self().slots().data();
  if (incoming.size() == 1) {
    first_source_ = &own_slots_;
  } else {
    for (Channel* channel : incoming) sources_.push_back(channel->slots().data());
    first_source_ = sources_.data();
  }
  last_source_ = first_source_ + incoming.size();
}

void Slice::build_near_wires() {
  near_wires_.resize(wires_.size());
  near_credits_.resize(wires_.size());
  const BankView& bank = shared_.bank;
  for (std::size_t p = 0; p < wires_.size(); ++p) {
    NearWire& near = near_wires_[p];
    near.target = wires_[p].target;
    for (const bool on_circuit : {false, true}) {
      if (near.target == kNone) continue;
      const Outlet<FlitArrival>& outlet = flit_outlets_[wires_[p].outlet[on_circuit]];
      near.slots = outlet.channel->slots().data();
      near.list[on_circuit] = outlet.list;
      near.delay_cycles[on_circuit] = static_cast<std::uint16_t>(outlet.delay_cycles);
    }
    if (bank.upstream[first_port(bank) + p] == kNone) continue;
    const Outlet<VcIndex>& back = credit_outlets_[credit_wires_[p].outlet];
    near_credits_[p] = {back.channel->slots().data(), credit_wires_[p].first_vc, back.delay_cycles};
  }
}

void Slice::send_control(std::uint64_t cycle, PortIndex out_port, ControlMessage message) {
  const Link& link = shared_.bank.links[out_port];
  message.port = link.target;
  channel_to(shared_.bank.router_of(link.target)).at(cycle + 1 + link.latency_cycles).control.push_back(message);
}

void Slice::send_local_control(std::uint64_t cycle, const ControlMessage& message) {
  own_slot(cycle + 1).control.push_back(message);
}

}  // namespace braid::models::hybrid
