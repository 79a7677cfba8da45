#include "models/stages/hybrid/router_channels.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace braid::models::stages::hybrid {

using models::hybrid::BankView;
using models::hybrid::Channel;
using models::hybrid::FlitArrival;
using models::hybrid::InputVc;
using models::hybrid::kNone;
using models::hybrid::PortIndex;
using models::hybrid::VcGrant;
using models::hybrid::VcIndex;
using models::hybrid::VcState;

RegisterChannel& RouterChannels::make(const char* name, unsigned width, RegisterChannel::Gather gather,
                                      RegisterChannel::Scatter scatter) {
  return channels_.add(name, width, *this, std::move(gather), std::move(scatter));
}

VcIndex RouterChannels::vc(unsigned place) const {
  return bank_.vc_index(bank_.port_index(router_, PortId{place / shape_.vcs}), place % shape_.vcs);
}

unsigned RouterChannels::place(VcIndex v) const {
  return bank_.port_of(bank_.port_of_vc(v)) * shape_.vcs + bank_.lane_of(v);
}

template <class Visit>
void RouterChannels::for_each_vc(Visit visit) const {
  for (unsigned i = 0; i < shape_.input_vcs(); ++i) visit(i, vc(i));
}

template <class Visit>
void RouterChannels::for_each_arrival(Visit visit) const {
  for (Channel* channel : slice_.incoming()) {
    const Channel::Slot& slot = channel->at(clock_.cycle());
    for (const auto* list : {&slot.packets, &slot.circuits}) {
      for (const FlitArrival& a : *list) visit(bank_.port_of(bank_.port_of_vc(a.target)), a.flit);
    }
  }
}

/// A stage of somebody else's has done what no stage may.
void RouterChannels::refuse(const RegisterChannel& channel, unsigned i, const char* what) const {
  throw std::runtime_error(fmt::format("{}, cycle {}: the stage that writes it grants VC {} of input port {}, which {}",
                                       channel.name(), clock_.cycle(), i % shape_.vcs, i / shape_.vcs, what));
}

RegisterChannel::Scatter RouterChannels::part_of_vc_grants(unsigned part) {
  constexpr unsigned kParts = 3;
  vc_grant_parts_.resize(kParts);
  return [this, part](const Bits& b) {
    vc_grant_parts_[part] = b;
    vc_grant_written_ |= 1U << part;
    if (vc_grant_written_ == (1U << kParts) - 1) take_vc_grants();
  };
}

void RouterChannels::take_vc_grants() {
  vc_grant_written_ = 0;
  const Bits &granted = vc_grant_parts_[0], &ports = vc_grant_parts_[1], &lanes = vc_grant_parts_[2];
  const auto one_hot = [](const Bits& b, unsigned low, unsigned width) {
    for (unsigned i = 0; i < width; ++i) {
      if (b[low + i]) return i;
    }
    return width;
  };
  std::array<VcMask, routing::kMaxPorts> left;
  for (unsigned p = 0; p < shape_.ports; ++p) left[p] = bank_.free_vcs[bank_.port_index(router_, PortId{p})];
  for_each_vc([&](unsigned i, VcIndex v) {
    if (!granted[i]) return;
    const unsigned p = one_hot(ports, i * shape_.ports, shape_.ports), l = one_hot(lanes, i * shape_.vcs, shape_.vcs);
    const bool named = p < shape_.ports && l < shape_.vcs;
    if (!named || bank_.input_vcs[v].state != VcState::kWaitsForVc || (left[p] >> l & 1) == 0) {
      refuse(vc_grant, i, named ? "has not asked, or the VC is not free" : "is given no port and VC");
    }
    left[p] &= ~(VcMask{1} << l);
    slice_.grant_vc({v, vc(p * shape_.vcs + l)});
  });
}

void RouterChannels::add_bypass(Bits& requests) const {
  for (Channel* channel : slice_.incoming()) {
    for (const FlitArrival& a : channel->at(clock_.cycle()).packets) {
      const VcIndex v = a.target + a.flit.vc();
      const InputVc& in = bank_.input_vcs[v];
      if (in.state == VcState::kActive && bank_.output_vcs[in.out_vc].credits > 0) requests.set(place(v));
    }
  }
}

/// Circuits' grants are there already.
void RouterChannels::take_switch_grants(const Bits& granted) {
  const std::size_t circuits = slice_.switch_grants().size();
  const Bits request_now = request.read(), outputs_now = out_port.read();
  std::uint64_t inputs = taken_inputs.read().field(0, shape_.ports);
  std::uint64_t outputs = taken_outputs.read().field(0, shape_.ports);
  for_each_vc([&](unsigned i, VcIndex v) {
    if (!granted[i]) return;
    const std::uint64_t in = std::uint64_t{1} << (i / shape_.vcs);
    const std::uint64_t out = std::uint64_t{1} << outputs_now.field(i * shape_.port_bits(), shape_.port_bits());
    if (!request_now[i]) refuse(grant, i, "has not asked");
    if ((inputs & in) != 0 || (outputs & out) != 0) refuse(grant, i, "meets a port that is taken");
    inputs |= in;
    outputs |= out;
    slice_.grant_switch(v);
  });
  if (circuits != 0) slice_.open_ports(circuits);
}

RouterChannels::RouterChannels(Slice& slice, RouterId router, const RouterShape& shape, StepClock& clock)
    : slice_(slice),
      bank_(slice.bank()),
      router_(router),
      shape_(shape),
      clock_(clock),
      setup_(shape.circuit_lanes == 0 ? nullptr : std::make_unique<SetupChannels>(*this, slice, router, shape, clock)),
      circuits_(shape.circuit_lanes == 0
                    ? nullptr
                    : std::make_unique<CircuitChannels>(*this, *setup_, slice, router, shape, clock)),
      link_valid(make("link_valid", shape.ports,
                      [this](Bits& b) { for_each_arrival([&](unsigned p, const Flit&) { b.set(p); }); })),
      link_lane(make("link_lane", shape.ports * shape.lane_bits(),
                     [this](Bits& b) {
                       const unsigned w = shape_.lane_bits();
                       for_each_arrival([&](unsigned p, const Flit& f) { b.set(p * w, w, f.vc()); });
                     })),
      credit(make("credit", shape.ports * shape.lanes(),
                  [this](Bits& b) {
                    for (Channel* channel : slice_.incoming()) {
                      for (const VcIndex out : channel->at(clock_.cycle()).credits) {
                        const PortIndex port = bank_.port_of_vc(out);
                        if (!bank_.is_injection_port(port))
                          b.set(bank_.port_of(port) * shape_.lanes() + bank_.lane_of(out));
                      }
                    }
                  })),
      heads(make("heads", shape.input_vcs(),
                 [this](Bits& b) {
                   for (std::size_t h = 0; h < slice_.heads_to_route(); ++h) b.set(place(slice_.heads()[h]));
                 })),
      waiting(make("waiting", shape.input_vcs(),
                   [this](Bits& b) {
                     for_each_vc(
                         [&](unsigned i, VcIndex v) { b.set(i, bank_.input_vcs[v].state == VcState::kWaitsForVc); });
                   })),
      candidates(make("candidates", shape.input_vcs() * shape.route_width(),
                      [this](Bits& b) {
                        for_each_vc([&](unsigned i, VcIndex v) {
                          const InputVc& in = bank_.input_vcs[v];
                          if (in.state != VcState::kWaitsForVc) return;
                          for (unsigned c = 0; c < bank_.ways[v]; ++c)
                            b.set(i * shape_.route_width() + shape_.candidate_bit(bank_.candidates(v)[c]));
                        });
                      })),
      last_port(make("last_port", shape.input_vcs() * shape.port_bits(),
                     [this](Bits& b) {
                       const unsigned w = shape_.port_bits();
                       for_each_vc([&](unsigned i, VcIndex v) { b.set(i * w, w, bank_.last_ports[v]); });
                     })),
      request(make("request", shape.input_vcs(),
                   [this](Bits& b) {
                     for (unsigned p = 0; p < shape_.ports; ++p) {
                       b.set(p * shape_.vcs, shape_.vcs, bank_.switch_requests[bank_.port_index(router_, PortId{p})]);
                     }
                     if (slice_.buffer_bypass()) add_bypass(b);
                   })),
      out_port(make("out_port", shape.input_vcs() * shape.port_bits(),
                    [this](Bits& b) {
                      const unsigned w = shape_.port_bits();
                      for_each_vc([&](unsigned i, VcIndex v) {
                        const VcIndex out = bank_.input_vcs[v].out_vc;
                        if (out != kNone) b.set(i * w, w, bank_.port_of(bank_.port_of_vc(out)));
                      });
                    })),
      free(make("free", shape.input_vcs(),
                [this](Bits& b) {
                  for (unsigned p = 0; p < shape_.ports; ++p) {
                    b.set(p * shape_.vcs, shape_.vcs, bank_.free_vcs[bank_.port_index(router_, PortId{p})]);
                  }
                })),
      credits(make("credits", shape.input_vcs() * shape.credit_bits(),
                   [this](Bits& b) {
                     const unsigned w = shape_.credit_bits();
                     for_each_vc([&](unsigned i, VcIndex v) { b.set(i * w, w, bank_.output_vcs[v].credits); });
                   })),
      escape_ports(make("escape_ports", shape.ports,
                        [this](Bits& b) {
                          for (unsigned p = 0; p < shape_.ports; ++p) {
                            const auto& link = bank_.links[bank_.port_index(router_, PortId{p})];
                            b.set(p, link.target != kNone && !link.to_node);
                          }
                        })),
      vc_grant(make(
          "vc_grant", shape.input_vcs(),
          [this](Bits& b) {
            for (const VcGrant& g : slice_.vc_grants()) b.set(place(g.in_vc));
          },
          part_of_vc_grants(0))),
      vc_grant_port(make(
          "vc_grant_port", shape.input_vcs() * shape.ports,
          [this](Bits& b) {
            for (const VcGrant& g : slice_.vc_grants()) {
              b.set(place(g.in_vc) * shape_.ports + bank_.port_of(bank_.port_of_vc(g.out_vc)));
            }
          },
          part_of_vc_grants(1))),
      vc_grant_vc(make(
          "vc_grant_vc", shape.input_vcs() * shape.vcs,
          [this](Bits& b) {
            for (const VcGrant& g : slice_.vc_grants()) b.set(place(g.in_vc) * shape_.vcs + bank_.lane_of(g.out_vc));
          },
          part_of_vc_grants(2))),
      vc_granted(make("vc_granted", shape.input_vcs(),
                      [this](Bits& b) {
                        for (const VcGrant& g : slice_.vc_grants()) b.set(place(g.out_vc));
                      })),
      taken_inputs(make("taken_inputs", shape.ports,
                        [this](Bits& b) {
                          for (unsigned p = 0; p < shape_.ports; ++p)
                            b.set(p, slice_.circuit_takes_input(bank_.port_index(router_, PortId{p})));
                        })),
      taken_outputs(make("taken_outputs", shape.ports,
                         [this](Bits& b) {
                           for (unsigned p = 0; p < shape_.ports; ++p) {
                             const PortIndex port = bank_.port_index(router_, PortId{p});
                             b.set(p, slice_.circuit_takes_output(port) || bank_.closed_outputs[port]);
                           }
                         })),
      grant(make(
          "grant", shape.input_vcs(),
          [this](Bits& b) {
            for (const VcIndex v : slice_.switch_grants()) {
              if (!bank_.is_circuit_lane(bank_.lane_of(v))) b.set(place(v));
            }
          },
          [this](const Bits& b) { take_switch_grants(b); })),
      st_grant(make("st_grant", shape.ports,
                    [this](Bits& b) {
                      for (const Slice::Traversal& t : slice_.switch_register())
                        b.set(bank_.port_of(bank_.port_of_vc(t.in_vc)));
                    })),
      st_in_lane(make("st_in_lane", shape.ports * shape.lane_bits(),
                      [this](Bits& b) {
                        const unsigned w = shape_.lane_bits();
                        for (const Slice::Traversal& t : slice_.switch_register()) {
                          b.set(bank_.port_of(bank_.port_of_vc(t.in_vc)) * w, w, bank_.lane_of(t.in_vc));
                        }
                      })),
      st_out_port(make("st_out_port", shape.ports * shape.port_bits(),
                       [this](Bits& b) {
                         const unsigned w = shape_.port_bits();
                         for (const Slice::Traversal& t : slice_.switch_register()) {
                           b.set(bank_.port_of(bank_.port_of_vc(t.in_vc)) * w, w, bank_.port_of(t.out_port));
                         }
                       })),
      st_out_lane(make("st_out_lane", shape.ports * shape.lane_bits(),
                       [this](Bits& b) {
                         const unsigned w = shape_.lane_bits();
                         for (const Slice::Traversal& t : slice_.switch_register()) {
                           b.set(bank_.port_of(bank_.port_of_vc(t.in_vc)) * w, w, t.flit.vc());
                         }
                       })),
      ejected(make("ejected", shape.ports,
                   [this](Bits& b) {
                     for (Channel* channel : slice_.incoming()) {
                       for (const FlitArrival& a : channel->at(clock_.cycle()).ejections) {
                         b.set(bank_.port_of(bank_.wiring().local_ports[a.target].router_port));
                       }
                     }
                   })),
      links({*this, slice, router, shape, clock}),
      units({*this, slice, router, shape, clock}),
      nodes({*this, slice, router, shape, clock}) {
  for (RegisterChannel* channel : {&grant, &vc_grant, &vc_grant_port, &vc_grant_vc}) channel->take_at_once();
}

}  // namespace braid::models::stages::hybrid
