#include "models/stages/hybrid/link_channels.h"

namespace braid::models::stages::hybrid {

using models::hybrid::Channel;
using models::hybrid::FlitArrival;

/// A packet's flit is written (BW) in the cycle after it was on the link.
template <class Visit>
void LinkChannels::for_each_arrival(Visit visit) const {
  for (Channel* channel : of_.slice.incoming()) {
    for (const FlitArrival& a : channel->at(cycle() + 1).packets) {
      visit(bank_.port_of(bank_.port_of_vc(a.target)), a.flit);
    }
  }
}

LinkChannels::LinkChannels(const RouterRegisters& of)
    : ChannelGroup(of),
      out_(of.slice, of.router),
      packet_arrives(make("packet_arrives", of.shape.ports,
                          [this](Bits& b) { for_each_arrival([&](unsigned p, const Flit&) { b.set(p); }); })),
      packet_vc(make("packet_vc", of.shape.ports * of.shape.vc_bits(),
                     [this](Bits& b) {
                       const unsigned w = of_.shape.vc_bits();
                       for_each_arrival([&](unsigned p, const Flit& f) { b.set(p * w, w, f.vc()); });
                     })),
      packet_flit(make("packet_flit", of.shape.ports * kFlitBits,
                       [this](Bits& b) {
                         for_each_arrival(
                             [&](unsigned p, const Flit& f) { put_flit(b, p, wires_of(f, of_.slice.store())); });
                       })),
      sent_valid(make("sent_valid", of.shape.ports,
                      [this](Bits& b) { out_.for_each_flit(cycle(), [&](unsigned p, const Flit&) { b.set(p); }); })),
      sent_lane(make("sent_lane", of.shape.ports * of.shape.lane_bits(),
                     [this](Bits& b) {
                       const unsigned w = of_.shape.lane_bits();
                       out_.for_each_flit(cycle(), [&](unsigned p, const Flit& f) { b.set(p * w, w, f.vc()); });
                     })),
      sent_flit(make("sent_flit", of.shape.ports * kFlitBits,
                     [this](Bits& b) {
                       out_.for_each_flit(
                           cycle(), [&](unsigned p, const Flit& f) { put_flit(b, p, wires_of(f, of_.slice.store())); });
                     })),
      sent_credit(make("sent_credit", of.shape.ports * of.shape.lanes(), [this](Bits& b) {
        out_.for_each_credit(cycle(), [&](unsigned p, unsigned lane) { b.set(p * of_.shape.lanes() + lane); });
      })) {}

}  // namespace braid::models::stages::hybrid
