#include "models/stages/hybrid/unit_channels.h"

namespace braid::models::stages::hybrid {

using models::hybrid::Channel;
using models::hybrid::FlitArrival;
using models::hybrid::InputVc;
using models::hybrid::Slice;
using models::hybrid::VcIndex;
using models::hybrid::VcState;

template <class Visit>
void UnitChannels::for_each_send(Visit visit) const {
  for (const VcIndex v : of_.slice.switch_grants()) {
    if (bank_.input_vcs[v].count > 0) {
      visit(bank_.input_vcs[v].out_vc, bank_.front(v));
      continue;
    }
    for (Channel* channel : of_.slice.incoming()) {  // past the buffer: the write bypass
      for (const FlitArrival& a : channel->at(cycle()).packets) {
        if (a.target + a.flit.vc() == v) visit(bank_.input_vcs[v].out_vc, a.flit);
      }
    }
  }
}

UnitChannels::UnitChannels(const RouterRegisters& of)
    : ChannelGroup(of),
      destination(make("destination", of.shape.input_vcs() * kDestinationBits,
                       [this](Bits& b) {
                         for (std::size_t i = 0; i < of_.slice.heads_to_route(); ++i) {
                           const VcIndex v = of_.slice.heads()[i];
                           b.set(place(v) * kDestinationBits, kDestinationBits,
                                 wires_of(bank_.front(v), of_.slice.store()).destination());
                         }
                       })),
      ready(make("ready", of.shape.input_vcs(),
                 [this](Bits& b) {
                   for (unsigned i = 0; i < of_.shape.input_vcs(); ++i) {
                     const InputVc& in = bank_.input_vcs[vc(i)];
                     b.set(i, in.state == VcState::kActive && in.count > 0);
                   }
                 })),
      out_vc(make("out_vc", of.shape.input_vcs() * of.shape.vc_bits(),
                  [this](Bits& b) {
                    const unsigned w = of_.shape.vc_bits();
                    for (unsigned i = 0; i < of_.shape.input_vcs(); ++i) {
                      const VcIndex out = bank_.input_vcs[vc(i)].out_vc;
                      if (out != kNone) b.set(i * w, w, bank_.lane_of(out));
                    }
                  })),
      st_flit(make("st_flit", of.shape.ports * kFlitBits,
                   [this](Bits& b) {
                     for (const Slice::Traversal& t : of_.slice.switch_register()) {
                       put_flit(b, bank_.port_of(bank_.port_of_vc(t.in_vc)), wires_of(t.flit, of_.slice.store()));
                     }
                   })),
      send(make("send", of.shape.input_vcs(),
                [this](Bits& b) {
                  for_each_send([&](VcIndex out, const Flit&) {
                    if (!bank_.is_circuit_lane(bank_.lane_of(out))) b.set(place(out));
                  });
                })),
      send_tail(make("send_tail", of.shape.ports,
                     [this](Bits& b) {
                       for_each_send([&](VcIndex out, const Flit& flit) {
                         const bool packets = !bank_.is_circuit_lane(bank_.lane_of(out));
                         if (packets && flit.tail()) b.set(bank_.port_of(bank_.port_of_vc(out)));
                       });
                     })),
      send_circuit(make("send_circuit", of.shape.ports * of.shape.circuit_lanes,
                        [this](Bits& b) {
                          for_each_send([&](VcIndex out, const Flit&) {
                            if (!bank_.is_circuit_lane(bank_.lane_of(out))) return;
                            b.set(bank_.port_of(bank_.port_of_vc(out)) * of_.shape.circuit_lanes +
                                  bank_.circuit_of(out));
                          });
                        })),
      circuit_credit(make("circuit_credit", of.shape.ports * of.shape.circuit_lanes, [this](Bits& b) {
        for (unsigned i = 0; i < of_.shape.ports * of_.shape.circuit_lanes; ++i) {
          const unsigned p = i / of_.shape.circuit_lanes, circuit = i % of_.shape.circuit_lanes;
          b.set(i, bank_.output_vcs[bank_.circuit_vc(port(p), circuit)].credits > 0);
        }
      })) {}

}  // namespace braid::models::stages::hybrid
