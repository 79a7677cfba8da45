#include "models/stages/hybrid/node_channels.h"

namespace braid::models::stages::hybrid {
namespace {

void nothing(Bits&) {}

}  // namespace

using models::hybrid::Channel;
using models::hybrid::FlitArrival;
using models::hybrid::VcIndex;

template <class Visit>
void NodeChannels::for_each_ejection(Visit visit) const {
  for (Channel* channel : of_.slice.incoming()) {
    for (const FlitArrival& a : channel->at(cycle()).ejections) {
      visit(bank_.port_of(bank_.wiring().local_ports[a.target].router_port), a.flit);
    }
  }
}

/// Interfaces are a router's own neighbours: what they send is filed where the router's own things are.
template <class Visit>
void NodeChannels::for_each_injection(Visit visit) const {
  Channel& own = of_.slice.channel_for(of_.router);
  for (const auto* list : {&own.at(cycle() + 2).packets, &own.at(cycle() + 1).circuits}) {
    for (const FlitArrival& a : *list) visit(bank_.port_of(bank_.port_of_vc(a.target)), a.flit);
  }
}

NodeChannels::NodeChannels(const RouterRegisters& of)
    : ChannelGroup(of),
      eject_lane(make("eject_lane", of.shape.ports * of.shape.lane_bits(),
                      [this](Bits& b) {
                        const unsigned w = of_.shape.lane_bits();
                        for_each_ejection([&](unsigned p, const Flit& f) { b.set(p * w, w, f.vc()); });
                      })),
      eject_flit(make("eject_flit", of.shape.ports * kFlitBits,
                      [this](Bits& b) {
                        for_each_ejection(
                            [&](unsigned p, const Flit& f) { put_flit(b, p, wires_of(f, of_.slice.store())); });
                      })),
      eject_credit(make("eject_credit", of.shape.ports * of.shape.lanes(),
                        [this](Bits& b) {
                          for (const VcIndex v : of_.slice.ejection_credits(cycle())) {
                            const PortIndex out = bank_.port_of_vc(v);
                            if (bank_.is_injection_port(out) || !bank_.links[out].to_node) continue;
                            b.set(bank_.port_of(out) * of_.shape.lanes() + bank_.lane_of(v));
                          }
                        })),
      inject_valid(make("inject_valid", of.shape.ports,
                        [this](Bits& b) { for_each_injection([&](unsigned p, const Flit&) { b.set(p); }); })),
      inject_lane(make("inject_lane", of.shape.ports * of.shape.lane_bits(),
                       [this](Bits& b) {
                         const unsigned w = of_.shape.lane_bits();
                         for_each_injection([&](unsigned p, const Flit& f) { b.set(p * w, w, f.vc()); });
                       })),
      inject_flit(make("inject_flit", of.shape.ports * kFlitBits,
                       [this](Bits& b) {
                         for_each_injection(
                             [&](unsigned p, const Flit& f) { put_flit(b, p, wires_of(f, of_.slice.store())); });
                       })),
      injection_credit(make("injection_credit", of.shape.ports * of.shape.lanes(),
                            [this](Bits& b) {
                              for (const VcIndex v : of_.slice.channel_for(of_.router).at(cycle()).credits) {
                                const PortIndex link = bank_.port_of_vc(v);
                                if (!bank_.is_injection_port(link)) continue;
                                const PortIndex in = bank_.links[link].target;
                                b.set(bank_.port_of(in) * of_.shape.lanes() + bank_.lane_of(v));
                              }
                            })),
      ready(make("node_ready", of.shape.ports,
                 [this](Bits& b) {
                   const auto& interfaces = of_.slice.interfaces();
                   for (std::size_t i = interfaces.first_local_port(); i < interfaces.last_local_port(); ++i) {
                     b.set(bank_.port_of(bank_.wiring().local_ports[i].router_port), interfaces.ready(i));
                   }
                 })),
      send(make("node_send", of.shape.ports, nothing)),
      send_lane(make("node_lane", of.shape.ports * of.shape.lane_bits(), nothing)),
      send_length(make("node_length", of.shape.ports * kLengthBits, nothing)),
      send_destination(make("node_destination", of.shape.ports * kDestinationBits, nothing)) {}

}  // namespace braid::models::stages::hybrid
