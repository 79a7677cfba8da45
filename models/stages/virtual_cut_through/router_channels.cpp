#include "models/stages/virtual_cut_through/router_channels.h"

#include <algorithm>
#include <utility>

namespace braid::models::stages::virtual_cut_through {

using Event = Slice::Event;
using Kind = Slice::EventKind;
using models::virtual_cut_through::Channel;

RegisterChannel& RouterChannels::make(const char* name, unsigned width, Gather gather, Scatter scatter) {
  return channels_.add(name, width, *this, std::move(gather), std::move(scatter));
}

RegisterChannel& RouterChannels::make_masks(const char* name, std::vector<Mask>& of_port) {
  return make_numbers(
      name, ports_, ports_, [this, &of_port](unsigned p) { return of_port[port(p)]; },
      [this, &of_port](unsigned p, std::uint64_t mask) {
        of_port[port(p)] = mask;
        ask(p);
      });
}

RegisterChannel& RouterChannels::make_mask(const char* name, Mask models::virtual_cut_through::Router::* mask) {
  return make(
      name, ports_, [this, mask](Bits& b) { b.set(0, ports_, bank_.routers[router_.value].*mask); },
      [this, mask](const Bits& b) {
        bank_.routers[router_.value].*mask = b.field(0, ports_);
        slice_.wake(router_);
      });
}

template <class Value, class Take>
RegisterChannel& RouterChannels::make_numbers(const char* name, unsigned ports, unsigned width, Value value,
                                              Take take) {
  return make(
      name, ports * width,
      [=](Bits& b) {
        for (unsigned p = 0; p < ports; ++p) b.set(p * width, width, value(p));
      },
      [=](const Bits& b) {
        for (unsigned p = 0; p < ports; ++p) take(p, b.field(p * width, width));
      });
}

template <class Value>
RegisterChannel& RouterChannels::make_numbers(const char* name, unsigned ports, unsigned width, Value value) {
  return make_numbers(name, ports, width, value, [](unsigned, std::uint64_t) {});
}

template <class Visit>
void RouterChannels::for_each_arrival(Visit visit) const {
  for (Channel* channel : slice_.incoming()) {
    for (const Channel::Slot::Arrival& a : channel->at(cycle_).arrivals) visit(a.in_port - first_port_, a.packet);
  }
}

/// An output port is asked while a head asks for it that has no choice.
void RouterChannels::ask(unsigned p) {
  Mask& asked = bank_.routers[router_.value].asked;
  const bool wanted = (bank_.through[port(p)] | bank_.entering[port(p)]) != 0;
  asked = wanted ? asked | Mask{1} << p : asked & ~(Mask{1} << p);
  slice_.wake(router_);
}

void RouterChannels::set_credits(unsigned p, std::uint8_t buffers) {
  models::virtual_cut_through::Router& router = bank_.routers[router_.value];
  bank_.credits[port(p)] = buffers;
  router.credited = buffers > 0 ? router.credited | Mask{1} << p : router.credited & ~(Mask{1} << p);
  router.roomy = buffers > 1 ? router.roomy | Mask{1} << p : router.roomy & ~(Mask{1} << p);
}

/// A packet of the node's, alone.
void RouterChannels::send(unsigned local) {
  if (store_ == nullptr) return;
  if (!pool_) pool_ = std::make_unique<PacketStore::Pool>(*store_);
  const PacketSlot slot = pool_->take();
  (*store_)[slot] = Packet{};
  (*store_)[slot].length_flits = send_flits_[local];
  slice_.send(first_local_ + local, slot);
}

RouterChannels::RouterChannels(Slice& slice, RouterId router, unsigned ports, const std::uint64_t& cycle,
                               PacketStore* store)
    : slice_(slice),
      bank_(slice.bank()),
      router_(router),
      ports_(ports),
      first_port_(bank_.port_index(router, PortId{0})),
      first_local_(bank_.local_ports_of({router.value, router.value + 1}).first),
      last_local_(bank_.local_ports_of({router.value, router.value + 1}).second),
      cycle_(cycle),
      store_(store),
      coming_(ports),
      credit_flits_(ports),
      send_flits_(last_local_ - first_local_),
      link_source(make(
          "link_source", ports * kNodeBits,
          [this](Bits& b) {
            for_each_arrival([&](unsigned p, const auto& a) { b.set(p * kNodeBits, kNodeBits, a.source.value); });
          },
          [this](const Bits& b) {
            for (unsigned p = 0; p < ports_; ++p) coming_[p].source = NodeId{b.field(p * kNodeBits, kNodeBits)};
          })),
      link_destination(make(
          "link_destination", ports * kNodeBits,
          [this](Bits& b) {
            for_each_arrival([&](unsigned p, const auto& a) { b.set(p * kNodeBits, kNodeBits, a.destination.value); });
          },
          [this](const Bits& b) {
            for (unsigned p = 0; p < ports_; ++p) coming_[p].destination = NodeId{b.field(p * kNodeBits, kNodeBits)};
          })),
      link_flits(make(
          "link_flits", ports * kFlitBits,
          [this](Bits& b) {
            for_each_arrival([&](unsigned p, const auto& a) { b.set(p * kFlitBits, kFlitBits, a.length_flits); });
          },
          [this](const Bits& b) {
            for (unsigned p = 0; p < ports_; ++p) {
              coming_[p].flits = static_cast<std::uint16_t>(b.field(p * kFlitBits, kFlitBits));
            }
          })),
      link_valid(make(
          "link_valid", ports, [this](Bits& b) { for_each_arrival([&](unsigned p, const auto&) { b.set(p); }); },
          [this](const Bits& b) {
            for (unsigned p = 0; p < ports_; ++p) {
              const Coming& c = coming_[p];
              if (b[p]) {
                slice_.own_channel().at(cycle_).arrivals.push_back({port(p), {0, c.source, c.destination, c.flits, 0}});
              }
            }
          })),
      credit_flits(make(
          "credit_flits", ports * kFlitBits,
          [this](Bits& b) {
            for (Channel* channel : slice_.incoming()) {
              for (const Channel::Slot::Credit& c : channel->at(cycle_).credits) {
                if (bank_.is_injection_port(c.out_port)) continue;
                b.set((c.out_port - first_port_) * kFlitBits, kFlitBits, c.length_flits);
              }
            }
          },
          [this](const Bits& b) {
            for (unsigned p = 0; p < ports_; ++p) {
              credit_flits_[p] = static_cast<std::uint16_t>(b.field(p * kFlitBits, kFlitBits));
            }
          })),
      credit_wait(make(
          "credit_wait", ports * kFlitBits,
          [this](Bits& b) {
            for (Channel* channel : slice_.incoming()) {
              for (const Channel::Slot::Credit& c : channel->at(cycle_).credits) {
                if (bank_.is_injection_port(c.out_port)) continue;
                b.set((c.out_port - first_port_) * kFlitBits, kFlitBits, c.free_at - cycle_);
              }
            }
          },
          [this](const Bits& b) {
            for (unsigned p = 0; p < ports_; ++p) {
              const std::uint64_t wait = b.field(p * kFlitBits, kFlitBits);
              if (wait > 0)
                slice_.own_channel().at(cycle_).credits.push_back({port(p), credit_flits_[p], cycle_ + wait});
            }
          })),
      count(make_numbers("count", ports, kCountBits, [this](unsigned p) { return bank_.queues[port(p)].count; })),
      head_flits(make_numbers(
          "head_flits", ports, kFlitBits,
          [this](unsigned p) { return bank_.queues[port(p)].count == 0 ? 0 : bank_.front(port(p)).length_flits; },
          [this](unsigned p, std::uint64_t flits) {
            bank_.front(port(p)).length_flits = static_cast<std::uint16_t>(flits);
          })),
      through(make_masks("through", bank_.through)),
      entering(make_masks("entering", bank_.entering)),
      choosing(make_mask("choosing", &models::virtual_cut_through::Router::choosing)),
      ways(make_masks("ways", bank_.ways)),
      grant(make(
          "grant", ports * ports,
          [this](Bits& b) {
            for (const Slice::Grant& g : grants_) b.set((g.out_port - first_port_) * ports_ + g.in_port - first_port_);
          },
          [this](const Bits& b) {
            for (unsigned i = 0; i < ports_ * ports_; ++i) {
              if (b[i]) slice_.grant(port(i % ports_), port(i / ports_), cycle_);
            }
          })),
      free(make_mask("free", &models::virtual_cut_through::Router::free_outputs)),
      credits(make_numbers(
          "credits", ports, kCountBits, [this](unsigned p) { return bank_.credits[port(p)]; },
          [this](unsigned p, std::uint64_t value) { set_credits(p, static_cast<std::uint8_t>(value)); })),
      occupancy(make_numbers(
          "occupancy", ports, kSpaceBits, [this](unsigned p) { return bank_.downstream[port(p)].flits(cycle_); },
          [this](unsigned p, std::uint64_t flits) {
            bank_.downstream[port(p)] = {};
            bank_.downstream[port(p)].granted_flits = static_cast<std::uint32_t>(flits);
          })),
      leaves(make(
          "leaves", ports,
          [this](Bits& b) {
            for (const Event& e : slice_.ending()) {
              if (e.kind == Kind::kTransferred || e.kind == Kind::kLeft) b.set(e.in_port - first_port_);
            }
          },
          [this](const Bits& b) {
            for (unsigned p = 0; p < ports_; ++p) {
              if (b[p]) slice_.ending().push_back({cycle_ + 1, Kind::kTransferred, 0, port(p), port(p)});
            }
          })),
      packet_flits(make_numbers(
          "packet_flits", local_ports(), kFlitBits, [](unsigned) { return std::uint64_t{0}; },
          [this](unsigned i, std::uint64_t flits) { send_flits_[i] = static_cast<std::uint16_t>(flits); })),
      packet_valid(make_numbers(
          "packet_valid", local_ports(), 1, [this](unsigned i) { return slice_.queued(first_local_ + i) > 0 ? 1 : 0; },
          [this](unsigned i, std::uint64_t valid) {
            if (valid != 0) send(i);
          })),
      buffer_back(make_numbers(
          "buffer_back", local_ports(), 1,
          [this](unsigned i) {
            const std::uint32_t link = bank_.injection_port(first_local_ + i);
            return std::any_of(slice_.ending().begin(), slice_.ending().end(),
                               [&](const Event& e) { return e.kind == Kind::kCredited && e.out_port == link; })
                       ? 1
                       : 0;
          },
          [this](unsigned i, std::uint64_t back) {
            if (back != 0) {
              slice_.ending().push_back({cycle_ + 1, Kind::kCredited, 0, bank_.injection_port(first_local_ + i), 0});
            }
          })),
      head(make_numbers("head", local_ports(), 1,
                        [this](unsigned i) {
                          const std::uint32_t in = bank_.links[bank_.injection_port(first_local_ + i)].target;
                          bool here = false;
                          for_each_arrival([&](unsigned p, const auto&) { here |= port(p) == in; });
                          return here ? 1 : 0;
                        })),
      ready(make_numbers("ready", local_ports(), 1,
                         [this](unsigned i) { return slice_.ready(first_local_ + i) ? 1 : 0; })),
      tail(make_numbers("tail", local_ports(), 1, [this](unsigned i) {
        const std::uint32_t link = bank_.injection_port(first_local_ + i);
        return std::any_of(slice_.ending().begin(), slice_.ending().end(),
                           [&](const Event& e) { return e.kind == Kind::kInjected && e.out_port == link; })
                   ? 1
                   : 0;
      })) {
  slice.note_grants(&grants_);
}

}  // namespace braid::models::stages::virtual_cut_through
