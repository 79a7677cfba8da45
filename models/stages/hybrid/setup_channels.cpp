#include "models/stages/hybrid/setup_channels.h"

#include <utility>

namespace braid::models::stages::hybrid {

using models::hybrid::Channel;
using models::hybrid::ControlKind;
using models::hybrid::kNone;
using models::hybrid::SetupUnits;

namespace {

/// The outputs of the set-up unit, in the order of part().
enum Part {
  kRelease,
  kReleaseIn,
  kReleaseOut,
  kReserve,
  kReserveIn,
  kReserveOut,
  kSend,
  kSendKind,
  kSendSearch,
  kSendDestination,
  kDone,
  kSuccess,
  kParts
};

}  // namespace

RegisterChannel& SetupChannels::make(const char* name, unsigned width, RegisterChannel::Gather gather,
                                     RegisterChannel::Scatter scatter) {
  RegisterChannel& channel = channels_.add(name, width, owner_, std::move(gather), std::move(scatter));
  channel.take_at_once();
  return channel;
}

unsigned SetupChannels::row(VcIndex lane) const {
  return bank_.port_of(bank_.port_of_vc(lane)) * shape_.circuit_lanes + bank_.circuit_of(lane);
}

VcIndex SetupChannels::lane(unsigned row) const {
  return bank_.circuit_vc(port(row / shape_.circuit_lanes), row % shape_.circuit_lanes);
}

const ControlMessage* SetupChannels::message() const {
  for (Channel* channel : slice_.incoming()) {
    for (const ControlMessage& m : channel->at(clock_.cycle()).control) {
      if (!m.waits) return &m;
    }
  }
  return nullptr;
}

const SetupAction* SetupChannels::action(std::uint64_t cycle) const {
  const SetupAction& last = slice_.setup().last_action();
  return last.cycle == cycle && last.router == router_ ? &last : nullptr;
}

void SetupChannels::take(SetupAction a) {
  a.cycle = clock_.cycle();
  a.router = router_;
  const ControlMessage* m = message();
  const bool backtrack = m != nullptr && m->kind == ControlKind::kBacktrack;
  const bool acts = m != nullptr || a.release_in != kNone || a.send != kNone || a.done;
  for (Channel* channel : slice_.incoming()) channel->at(clock_.cycle()).control.clear();
  if (acts) slice_.setup().take(slice_, a, backtrack);
}

RegisterChannel::Gather SetupChannels::straps(std::uint64_t SetupUnits::Straps::* of) const {
  return [this, of](Bits& b) {
    const ControlMessage* m = message();
    const bool looks = m != nullptr && (m->kind == ControlKind::kProbe || m->kind == ControlKind::kBacktrack);
    if (looks) b.set(0, shape_.ports, slice_.setup().straps(router_, m->destination).*of);
  };
}

RegisterChannel::Scatter SetupChannels::part(unsigned which) {
  parts_.resize(kParts);
  return [this, which](const Bits& b) {
    parts_[which] = b;
    written_ |= 1U << which;
    if (written_ == (1U << kParts) - 1) take_parts();
  };
}

void SetupChannels::take_parts() {
  written_ = 0;
  SetupAction a;
  if (parts_[kRelease].any()) {
    a.release_in = lane(parts_[kReleaseIn].word());
    a.release_out = lane(parts_[kReleaseOut].word());
  }
  if (parts_[kReserve].any()) {
    a.reserve_in = lane(parts_[kReserveIn].word());
    a.reserve_out = lane(parts_[kReserveOut].word());
  }
  if (parts_[kSend].any()) {
    unsigned p = 0;
    while (!parts_[kSend][p]) ++p;
    a.send = port(p);
    a.sent = {0, static_cast<ControlKind>(parts_[kSendKind].word()), parts_[kSendSearch].word(),
              NodeId{std::size_t{parts_[kSendDestination].word()}}};
  }
  a.done = parts_[kDone].any();
  a.success = parts_[kSuccess].any();
  take(a);
}

SetupChannels::SetupChannels(Bank& owner, Slice& slice, RouterId router, const RouterShape& shape, StepClock& clock)
    : owner_(owner),
      slice_(slice),
      bank_(slice.bank()),
      router_(router),
      shape_(shape),
      clock_(clock),
      network_ports(make("network_ports", shape.ports,
                         [this](Bits& b) {
                           for (unsigned p = 0; p < shape_.ports; ++p)
                             b.set(p, bank_.links[port(p)].target != kNone && !bank_.links[port(p)].to_node);
                         })),
      local_ports(make("local_ports", shape.ports,
                       [this](Bits& b) {
                         for (unsigned p = 0; p < shape_.ports; ++p)
                           b.set(p, bank_.links[port(p)].target != kNone && bank_.links[port(p)].to_node);
                       })),
      avoid_ports(make("avoid_ports", shape.ports,
                       [this](Bits& b) {
                         for (unsigned p = 0; p < shape_.ports; ++p) b.set(p, slice_.setup().avoided(port(p)));
                       })),
      valid(make("setup_valid", 1, [this](Bits& b) { b.set(0, message() != nullptr); })),
      message_row(make("setup_row", shape.row_bits(),
                       [this](Bits& b) {
                         if (const ControlMessage* m = message())
                           b.set(0, b.width(), row(bank_.circuit_vc(m->port, m->circuit)));
                       })),
      kind(make("setup_kind", kKindBits,
                [this](Bits& b) {
                  if (const ControlMessage* m = message()) b.set(0, kKindBits, static_cast<unsigned>(m->kind));
                })),
      search(make("setup_search", kSearchBits,
                  [this](Bits& b) {
                    if (const ControlMessage* m = message()) b.set(0, kSearchBits, m->search);
                  })),
      destination(make("setup_destination", kDestinationBits,
                       [this](Bits& b) {
                         if (const ControlMessage* m = message()) b.set(0, kDestinationBits, m->destination.value);
                       })),
      directions(make("setup_directions", shape.ports, straps(&SetupUnits::Straps::directions))),
      circuit_out(make("circuit_out", shape.rows() * shape.row_bits(),
                       [this](Bits& b) {
                         const unsigned w = shape_.row_bits();
                         for (unsigned r = 0; r < shape_.rows(); ++r) {
                           const VcIndex out = bank_.circuit_out(lane(r));
                           if (out != kNone) b.set(r * w, w, row(out));
                         }
                       })),
      held(make("held", shape.rows(),
                [this](Bits& b) {
                  for (unsigned r = 0; r < shape_.rows(); ++r) b.set(r, bank_.circuit_in(lane(r)) != kNone);
                })),
      circuit_in(make("circuit_in", shape.rows() * shape.row_bits(),
                      [this](Bits& b) {
                        const unsigned w = shape_.row_bits();
                        for (unsigned r = 0; r < shape_.rows(); ++r) {
                          const VcIndex in = bank_.circuit_in(lane(r));
                          if (in != kNone) b.set(r * w, w, row(in));
                        }
                      })),
      holds_flits(make("holds_flits", shape.rows(),
                       [this](Bits& b) {
                         for (unsigned r = 0; r < shape_.rows(); ++r) b.set(r, bank_.input_vcs[lane(r)].count > 0);
                       })),
      lookup(make("setup_lookup", kDestinationBits,
                  [this](Bits& b) {
                    if (const ControlMessage* m = message()) b.set(0, kDestinationBits, m->destination.value);
                  })),
      release(make(
          "release", 1, [this](Bits& b) { b.set(0, action() != nullptr && action()->release_in != kNone); },
          part(kRelease))),
      release_in(make(
          "release_in", shape.row_bits(),
          [this](Bits& b) {
            if (release.read().any()) b.set(0, b.width(), row(action()->release_in));
          },
          part(kReleaseIn))),
      release_out(make(
          "release_out", shape.row_bits(),
          [this](Bits& b) {
            if (release.read().any()) b.set(0, b.width(), row(action()->release_out));
          },
          part(kReleaseOut))),
      reserve(make(
          "reserve", 1, [this](Bits& b) { b.set(0, action() != nullptr && action()->reserve_in != kNone); },
          part(kReserve))),
      reserve_in(make(
          "reserve_in", shape.row_bits(),
          [this](Bits& b) {
            if (reserve.read().any()) b.set(0, b.width(), row(action()->reserve_in));
          },
          part(kReserveIn))),
      reserve_out(make(
          "reserve_out", shape.row_bits(),
          [this](Bits& b) {
            if (reserve.read().any()) b.set(0, b.width(), row(action()->reserve_out));
          },
          part(kReserveOut))),
      send(make(
          "setup_send", shape.ports,
          [this](Bits& b) {
            if (action() != nullptr && action()->send != kNone) b.set(bank_.port_of(action()->send));
          },
          part(kSend))),
      send_kind(make(
          "setup_send_kind", kKindBits,
          [this](Bits& b) {
            if (send.read().any()) b.set(0, b.width(), static_cast<unsigned>(action()->sent.kind));
          },
          part(kSendKind))),
      send_search(make(
          "setup_send_search", kSearchBits,
          [this](Bits& b) {
            if (send.read().any()) b.set(0, b.width(), action()->sent.search);
          },
          part(kSendSearch))),
      send_destination(make(
          "setup_send_destination", kDestinationBits,
          [this](Bits& b) {
            if (send.read().any()) b.set(0, b.width(), action()->sent.destination.value);
          },
          part(kSendDestination))),
      done(make(
          "setup_done", 1, [this](Bits& b) { b.set(0, action() != nullptr && action()->done); }, part(kDone))),
      success(make(
          "setup_success", 1, [this](Bits& b) { b.set(0, action() != nullptr && action()->success); },
          part(kSuccess))) {}

}  // namespace braid::models::stages::hybrid
