// What is in a network of hybrid routers: counted flit by flit, and told of one that stands still.
#include <fmt/format.h>

#include <tuple>

#include "models/families/hybrid/deadlock.h"
#include "models/families/hybrid/fabric.h"

namespace braid::models::hybrid {
namespace {

/// Of `packets`: a flit on a tree is one of each destination that it will come to.
void count(const Flit& flit, Fabric::Census& census, std::uint64_t packets = 1) {
  ++census.flits;
  census.packets += flit.tail() ? packets : 0;
}

/// Of a packet's flit that is in an input VC or will be.
std::uint64_t destinations_of(const PacketForks* forks, VcIndex in_vc, const Flit& flit) {
  return forks == nullptr ? 1 : forks->destinations_behind(in_vc, flit);
}

void count_channel(const Channel& channel, const CircuitForks* forks, const PacketForks* packet_forks,
                   Fabric::Census& census) {
  for (const Channel::Slot& slot : channel.slots()) {
    for (const FlitArrival& a : slot.packets) {
      count(a.flit, census, destinations_of(packet_forks, a.target + a.flit.vc(), a.flit));
    }
    for (const FlitArrival& a : slot.circuits) {
      count(a.flit, census, forks == nullptr ? 1 : forks->leaves(a.target + a.flit.vc()));
    }
    for (const FlitArrival& a : slot.ejections) {
      count(a.flit, census, packet_forks == nullptr ? 1 : packet_forks->destinations(a.flit.packet()));
    }
  }
}

}  // namespace

void Fabric::count_routers() {
  if (in_planes_) planes_->count_routers();
}

Fabric::Counters Fabric::counters() const {
  if (in_planes_) planes_->count_flits();
  Counters c;
  for (const auto& s : slices_) {
    c.flit_hops += s->switch_traversals();
    c.flits_copied += s->flits_copied();
    c.flits_injected += s->interfaces().flits_injected();
    c.flits_delivered += s->interfaces().flits_delivered();
  }
  return c;
}

Fabric::Census Fabric::census() const {
  show_registers();
  Census census;
  for (VcIndex v = 0; v < bank_.input_vc_count(); ++v) {
    const bool tree = forks_ && bank_.input_vcs[v].count != 0 && bank_.is_circuit_lane(bank_.lane_of(v));
    const std::uint64_t packets = tree ? forks_->leaves(v) : 1;
    for (std::uint32_t i = 0; i < bank_.input_vcs[v].count; ++i) {
      const Flit& flit = bank_.buffered(v, i);
      count(flit, census, tree ? packets : destinations_of(packet_forks_.get(), v, flit));
    }
  }
  for (const auto& router : stand_ins_) {
    if (!router) continue;
    router->for_each_held([&](const Flit& flit) { count(flit, census); });
    router->for_each_gone([&](const Flit& flit) {
      --census.flits;
      census.packets -= flit.tail() ? 1 : 0;
    });
  }
  for (const auto& s : slices_) {
    for (const auto* crossing : {&s->switch_register(), &s->copies()}) {
      for (const Slice::Traversal& t : *crossing) {
        const bool tree = forks_ && bank_.is_circuit_lane(t.flit.vc());
        count(t.flit, census,
              tree ? forks_->leaves_behind(bank_.vc_index(t.out_port, t.flit.vc())) : destinations_behind(t));
      }
    }
    if (s->output_buffers() != nullptr) {
      s->output_buffers()->for_each([&](PortIndex, const Flit& flit) { count(flit, census); });
    }
    for (const auto& channel : s->outgoing()) count_channel(*channel, forks_.get(), packet_forks_.get(), census);
    s->interfaces().for_each_held([&](const Flit& flit) { count(flit, census); });
    census.packets += s->interfaces().packets_queued();
  }
  return census;
}

Fabric::LinkUse Fabric::link_use(RouterId router, PortId port) const {
  if (in_planes_) planes_->count_links();
  const PortIndex p = bank_.port_index(router, port);
  return {bank_.flits_sent[p][0], bank_.flits_sent[p][1]};
}

std::string Fabric::describe_waiting() const {
  show_registers();
  std::string text =
      hybrid::describe_waiting(bank_, context_.store, context_.topology, forks_.get(), packet_forks_.get());
  for (std::size_t s = 0; s < stand_ins_.size(); ++s) {
    if (stand_ins_[s]) text += describe_inside(s);
  }
  return text;
}

/// A router of the user's own is not seen through: what is known is which flits have gone in and not come out.
std::string Fabric::describe_inside(std::size_t s) const {
  std::size_t flits = 0;
  const Packet* oldest = nullptr;
  const auto age = [](const Packet& p) { return std::make_tuple(p.created, p.source, p.sequence); };
  stand_ins_[s]->for_each_held([&](const Flit& flit) {
    const Packet& packet = context_.store[flit.packet()];
    if (flits++ == 0 || age(packet) < age(*oldest)) oldest = &packet;
  });
  if (flits == 0) return {};
  return fmt::format(
      "\n  router {}, which is not the network's, holds {} flits; the oldest packet is {} of node {} to node {} "
      "(created in cycle {})",
      context_.topology.router_names[context_.slicing.ranges[s].first], flits, oldest->sequence, oldest->source.value,
      oldest->destination.value, oldest->created);
}

void Fabric::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  show_registers();
  for (VcIndex v = 0; v < bank_.input_vc_count(); ++v) {
    if (bank_.input_vcs[v].count > 0) visit(bank_.front(v).packet());
  }
  for (const auto& router : stand_ins_) {
    if (router) router->for_each_held([&](const Flit& flit) { visit(flit.packet()); });
  }
}

}  // namespace braid::models::hybrid
