#include "models/stages/hybrid/circuit_channels.h"

#include <utility>

namespace braid::models::stages::hybrid {

using models::hybrid::Channel;
using models::hybrid::ControlKind;
using models::hybrid::FlitArrival;
using models::hybrid::kNone;

namespace {

// Parts, in the order in which the channels are made.
enum WirePart { kGrant, kTakes, kGrantedFlit, kInLane, kOutPort, kOutLane, kWireParts };
enum RegisterPart {
  kControlValid,
  kControlKind,
  kControlSearch,
  kControlDestination,
  kOutcomeValid,
  kOutcomeSuccess,
  kTableValid,
  kTableRow
};

constexpr unsigned kSequenceAt = 16, kPacketAt = 32, kTailAt = 64, kHeadAt = 65;

}  // namespace

void put_circuit_flit(Bits& bits, unsigned low, const Flit& flit) {
  bits.set(low + kSequenceAt, 16, flit.sequence());
  bits.set(low + kPacketAt, 32, flit.packet());
  bits.set(low + kTailAt, flit.tail());
  bits.set(low + kHeadAt, flit.head());
}

Flit circuit_flit_of(const Bits& bits, unsigned low, std::uint32_t vc) {
  const auto sequence = static_cast<std::uint32_t>(bits.field(low + kSequenceAt, 16));
  const auto packet = static_cast<PacketSlot>(bits.field(low + kPacketAt, 32));
  return Flit(packet, sequence, sequence + (bits[low + kTailAt] ? 1 : 2), vc);
}

RegisterChannel& CircuitChannels::make(const char* name, unsigned width, RegisterChannel::Gather gather,
                                       RegisterChannel::Scatter scatter) {
  RegisterChannel& channel = channels_.add(name, width, owner_, std::move(gather), std::move(scatter));
  channel.take_at_once();
  return channel;
}

RegisterChannel::Scatter CircuitChannels::part(Kind kind) {
  const std::size_t which = parts_[kind].size();
  parts_[kind].emplace_back();
  if (kind == kRegisters) return [this, which](const Bits& b) { parts_[kRegisters][which] = b; };
  return [this, which](const Bits& b) {
    parts_[kWires][which] = b;
    written_ |= 1U << which;
    if (written_ == (1U << kWireParts) - 1) take_grants();
  };
}

template <class Visit>
void CircuitChannels::for_each_coming(Visit visit) const {
  for (Channel* channel : slice_.incoming()) {
    for (const ControlMessage& m : channel->at(clock_.cycle() + 1).control) {
      if (!m.waits && !is_local(m.port)) visit(m, bank_.port_of(m.port));
    }
  }
}

const ControlMessage* CircuitChannels::request() const {
  for (Channel* channel : slice_.incoming()) {
    for (const ControlMessage& m : channel->at(clock_.cycle()).control) {
      if (!m.waits && is_local(m.port)) return &m;
    }
  }
  return nullptr;
}

template <class Visit>
void CircuitChannels::for_each_grant(Visit visit) const {
  for (const VcIndex v : slice_.switch_grants()) {
    if (bank_.is_circuit_lane(bank_.lane_of(v))) visit(bank_.port_of(bank_.port_of_vc(v)), v);
  }
}

/// The flits come into the model's buffers, too, from where ST takes them.
void CircuitChannels::take_grants() {
  written_ = 0;
  const std::vector<Bits>& wires = parts_[kWires];
  slice_.arrive_on_circuits(clock_.cycle());
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!wires[kGrant][p]) continue;
    const auto number = [&](WirePart part, unsigned w) { return static_cast<unsigned>(wires[part].field(p * w, w)); };
    const VcIndex v = bank_.circuit_vc(setup_.port(p), number(kInLane, shape_.circuit_bits()));
    models::hybrid::InputVc& in = bank_.input_vcs[v];
    in.out_vc =
        bank_.circuit_vc(setup_.port(number(kOutPort, shape_.port_bits())), number(kOutLane, shape_.circuit_bits()));
    bank_.buffer(v)[in.first] = circuit_flit_of(wires[kGrantedFlit], p * kFlitBits, bank_.front(v).vc());
    slice_.grant_switch(v);
  }
  slice_.close_ports();
}

void CircuitChannels::take_registers() {
  const std::vector<Bits>& registers = parts_[kRegisters];
  SetupAction a;
  const unsigned w = shape_.row_bits();
  for (unsigned r = 0; r < shape_.rows(); ++r) {
    const VcIndex in = setup_.lane(r), before = bank_.circuit_out(in);
    const VcIndex after =
        registers[kTableValid][r] ? setup_.lane(static_cast<unsigned>(registers[kTableRow].field(r * w, w))) : kNone;
    if (before == after) continue;
    if (before != kNone) {
      a.release_in = in;
      a.release_out = before;
    }
    if (after != kNone) {
      a.reserve_in = in;
      a.reserve_out = after;
    }
  }
  if (registers[kControlValid].any()) {
    unsigned p = 0;
    while (!registers[kControlValid][p]) ++p;
    a.send = setup_.port(p);
    a.sent = {0, static_cast<ControlKind>(registers[kControlKind].word()), registers[kControlSearch].word(),
              NodeId{std::size_t{registers[kControlDestination].word()}}};
  }
  a.done = registers[kOutcomeValid].any();
  a.success = registers[kOutcomeSuccess].any();
  setup_.take(a);
}

CircuitChannels::CircuitChannels(Bank& owner, SetupChannels& setup, Slice& slice, RouterId router,
                                 const RouterShape& shape, StepClock& clock)
    : owner_(owner),
      setup_(setup),
      slice_(slice),
      bank_(slice.bank()),
      router_(router),
      shape_(shape),
      clock_(clock),
      arrives(make("circuit_arrives", shape.rows(),
                   [this](Bits& b) {
                     for (Channel* channel : slice_.incoming()) {
                       for (const FlitArrival& a : channel->at(clock_.cycle()).circuits)
                         b.set(setup_.row(a.target + a.flit.vc()));
                     }
                   })),
      flit(make("circuit_flit", shape.ports * kFlitBits,
                [this](Bits& b) {
                  for (Channel* channel : slice_.incoming()) {
                    for (const FlitArrival& a : channel->at(clock_.cycle()).circuits)
                      put_circuit_flit(b, bank_.port_of(bank_.port_of_vc(a.target)) * kFlitBits, a.flit);
                  }
                })),
      control_in_valid(
          make("control_in_valid", shape.ports,
               [this](Bits& b) { for_each_coming([&](const ControlMessage&, unsigned p) { b.set(p); }); })),
      control_in_kind(make("control_in_kind", shape.ports * kKindBits,
                           [this](Bits& b) {
                             for_each_coming([&](const ControlMessage& m, unsigned p) {
                               b.set(p * kKindBits, kKindBits, static_cast<unsigned>(m.kind));
                             });
                           })),
      control_in_search(make("control_in_search", shape.ports * kSearchBits,
                             [this](Bits& b) {
                               for_each_coming([&](const ControlMessage& m, unsigned p) {
                                 b.set(p * kSearchBits, kSearchBits, m.search);
                               });
                             })),
      control_in_destination(make("control_in_destination", shape.ports * kDestinationBits,
                                  [this](Bits& b) {
                                    for_each_coming([&](const ControlMessage& m, unsigned p) {
                                      b.set(p * kDestinationBits, kDestinationBits, m.destination.value);
                                    });
                                  })),
      request_valid(make("request_valid", 1, [this](Bits& b) { b.set(0, request() != nullptr); })),
      request_port(make("request_port", shape.port_bits(),
                        [this](Bits& b) {
                          if (const ControlMessage* m = request()) b.set(0, b.width(), bank_.port_of(m->port));
                        })),
      request_lane(make("request_lane", shape.circuit_bits(),
                        [this](Bits& b) {
                          if (const ControlMessage* m = request()) b.set(0, b.width(), m->circuit);
                        })),
      request_kind(make("request_kind", kKindBits,
                        [this](Bits& b) {
                          if (const ControlMessage* m = request()) b.set(0, b.width(), static_cast<unsigned>(m->kind));
                        })),
      request_search(make("request_search", kSearchBits,
                          [this](Bits& b) {
                            if (const ControlMessage* m = request()) b.set(0, b.width(), m->search);
                          })),
      request_destination(make("request_destination", kDestinationBits,
                               [this](Bits& b) {
                                 if (const ControlMessage* m = request()) b.set(0, b.width(), m->destination.value);
                               })),
      grant(make(
          "circuit_grant", shape.ports, [this](Bits& b) { for_each_grant([&](unsigned p, VcIndex) { b.set(p); }); },
          part(kWires))),
      takes(make(
          "circuit_takes", shape.ports * shape.ports,
          [this](Bits& b) {
            for_each_grant([&](unsigned p, VcIndex v) {
              b.set(p * shape_.ports + bank_.port_of(bank_.port_of_vc(bank_.circuit_out(v))));
            });
          },
          part(kWires))),
      granted_flit(make(
          "circuit_granted_flit", shape.ports * kFlitBits,
          [this](Bits& b) {
            for_each_grant([&](unsigned p, VcIndex v) { put_circuit_flit(b, p * kFlitBits, bank_.front(v)); });
          },
          part(kWires))),
      in_lane(make(
          "circuit_in_lane", shape.ports * shape.circuit_bits(),
          [this](Bits& b) {
            const unsigned w = shape_.circuit_bits();
            for_each_grant([&](unsigned p, VcIndex v) { b.set(p * w, w, bank_.circuit_of(v)); });
          },
          part(kWires))),
      out_port(make(
          "circuit_out_port", shape.ports * shape.port_bits(),
          [this](Bits& b) {
            const unsigned w = shape_.port_bits();
            for_each_grant(
                [&](unsigned p, VcIndex v) { b.set(p * w, w, bank_.port_of(bank_.port_of_vc(bank_.circuit_out(v)))); });
          },
          part(kWires))),
      out_lane(make(
          "circuit_out_lane", shape.ports * shape.circuit_bits(),
          [this](Bits& b) {
            const unsigned w = shape_.circuit_bits();
            for_each_grant([&](unsigned p, VcIndex v) { b.set(p * w, w, bank_.circuit_of(bank_.circuit_out(v))); });
          },
          part(kWires))),
      held(make("circuit_held", shape.ports,
                [this](Bits& b) {
                  for (unsigned p = 0; p < shape_.ports; ++p) b.set(p, bank_.reserved(setup_.port(p)));
                })),
      lookup(make("circuit_lookup", kDestinationBits, [this](Bits& b) { b = setup_.lookup.read(); })),
      control_valid(make(
          "control_valid", shape.ports,
          [this](Bits& b) {
            if (before() != nullptr && before()->send != kNone) b.set(bank_.port_of(before()->send));
          },
          part(kRegisters))),
      control_kind(make(
          "control_kind", kKindBits,
          [this](Bits& b) {
            if (control_valid.read().any()) b.set(0, b.width(), static_cast<unsigned>(before()->sent.kind));
          },
          part(kRegisters))),
      control_search(make(
          "control_search", kSearchBits,
          [this](Bits& b) {
            if (control_valid.read().any()) b.set(0, b.width(), before()->sent.search);
          },
          part(kRegisters))),
      control_destination(make(
          "control_destination", kDestinationBits,
          [this](Bits& b) {
            if (control_valid.read().any()) b.set(0, b.width(), before()->sent.destination.value);
          },
          part(kRegisters))),
      outcome_valid(make(
          "outcome_valid", 1, [this](Bits& b) { b.set(0, before() != nullptr && before()->done); }, part(kRegisters))),
      outcome_success(make(
          "outcome_success", 1, [this](Bits& b) { b.set(0, before() != nullptr && before()->success); },
          part(kRegisters))),
      table_valid(make(
          "table_valid", shape.rows(),
          [this](Bits& b) {
            for (unsigned r = 0; r < shape_.rows(); ++r) b.set(r, bank_.circuit_out(setup_.lane(r)) != kNone);
          },
          part(kRegisters))),
      table_row(make(
          "table_row", shape.rows() * shape.row_bits(), [this](Bits& b) { b = setup_.circuit_out.read(); },
          part(kRegisters))) {}

}  // namespace braid::models::stages::hybrid
