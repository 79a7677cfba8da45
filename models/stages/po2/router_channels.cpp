#include "models/stages/po2/router_channels.h"

#include <utility>

namespace braid::models::stages::po2 {

using routing::PortKind;

namespace {

constexpr unsigned kClasses = models::po2::kPoolClasses;

bool blocks(const Buffer& buffer) {
  return buffer.state == Buffer::State::kWaiting || buffer.state == Buffer::State::kArriving;
}

bool waits(const Buffer& buffer) { return buffer.state == Buffer::State::kWaiting; }

}  // namespace

RegisterChannel& RouterChannels::make(const char* name, unsigned width, Gather gather) {
  return channels_.add(name, width, *this, std::move(gather));
}

template <class Value>
RegisterChannel& RouterChannels::make_of_buffers(const char* name, unsigned width, Value value) {
  return make(name, shape_.buffers * width, [this, width, value](Bits& bits) {
    for (unsigned b = 0; b < shape_.buffers; ++b) bits.set(b * width, width, value(b, here().buffers[b]));
  });
}

template <class Value>
RegisterChannel& RouterChannels::make_of_ports(const char* name, unsigned width, Value value) {
  return make(name, shape_.ports * width, [this, width, value](Bits& bits) {
    for (unsigned p = 0; p < shape_.ports; ++p) bits.set(p * width, width, value(p));
  });
}

template <class Value>
RegisterChannel& RouterChannels::make_of_own_offers(const char* name, unsigned width, Value value) {
  return make_of_ports(name, width, [this, value](unsigned p) -> std::uint64_t {
    const Offer* const made = own_offer(p);
    return made == nullptr ? 0 : value(*made);
  });
}

template <class Value>
RegisterChannel& RouterChannels::make_of_offers_in(const char* name, unsigned width, Value value) {
  return make_of_ports(name, width, [this, value](unsigned p) -> std::uint64_t {
    const Offer* const made = offer_in(p);
    return made == nullptr ? 0 : value(*made);
  });
}

const Offer* RouterChannels::own_offer(std::size_t p) const {
  const Offer& made = here().offers[p];
  return made.cycle == clock_.cycle() ? &made : nullptr;
}

const Offer* RouterChannels::offer_in(std::size_t p) const {
  const routing::Port& link = topology_.routers[router_][p];
  const Offer* const own = own_offer(p);
  if (link.kind == PortKind::kLocal) return own != nullptr && own->inject ? own : nullptr;
  const Registers* const peer = far(p);
  if (peer == nullptr || peer->offers[link.peer_port.value].cycle != clock_.cycle()) return nullptr;
  return &peer->offers[link.peer_port.value];
}

/// Null: the port leads to no router.
const Registers* RouterChannels::far(std::size_t p) const {
  const routing::Port& link = topology_.routers[router_][p];
  return link.kind == PortKind::kNetwork ? &slice_.router(link.peer_router.value) : nullptr;
}

bool RouterChannels::far_grants(std::size_t p) const {
  const routing::Port& link = topology_.routers[router_][p];
  if (link.kind != PortKind::kNetwork) return link.kind == PortKind::kLocal;  // a node takes what is for it
  return ((slice_.granted_ports(link.peer_router.value, clock_.cycle()) >> link.peer_port.value) & 1) != 0;
}

void RouterChannels::gather_ways(Bits& bits, Bits* vcs) const {
  const unsigned width = vcs == nullptr ? shape_.way_bits() : kVcBits;
  for (unsigned b = 0; b < shape_.buffers; ++b) {
    if (!waits(here().buffers[b])) continue;
    for (unsigned i = 0; i < here().buffers[b].candidates; ++i) {
      const routing::Candidate& way = slice_.candidates(router_, b)[i];
      const unsigned vc = way.vcs == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(way.vcs));
      bits.set((b * shape_.ways + i) * width, width, vcs == nullptr ? way.port.value + std::uint64_t{1} : vc);
    }
  }
}

void RouterChannels::gather_far_pools(Bits* room, Bits* blocking_bits, Bits* messages) const {
  for (unsigned p = 0; p < shape_.ports; ++p) {
    const Registers* const peer = far(p);
    if (peer == nullptr) continue;
    for (unsigned c = 0; room != nullptr && c < kClasses; ++c) {
      room->set(p * kClasses + c, slice_.shared().policy.admits(peer->use, static_cast<models::po2::PoolClass>(c)));
    }
    for (unsigned b = 0; b < shape_.buffers; ++b) {
      const unsigned place = p * shape_.buffers + b;
      if (blocking_bits != nullptr) blocking_bits->set(place, blocks(peer->buffers[b]));
      if (messages != nullptr) messages->set(place * kMessageBits, kMessageBits, peer->buffers[b].message);
    }
  }
}

RouterChannels::RouterChannels(Slice& slice, const Site& site, StepClock& clock)
    : slice_(slice),
      topology_(site.topology),
      router_(site.router.value),
      shape_(site),
      clock_(clock),
      free(make("free", kClasses,
                [this](Bits& bits) {
                  for (unsigned c = 0; c < kClasses; ++c) {
                    const auto pool_class = static_cast<models::po2::PoolClass>(c);
                    bits.set(c, slice_.shared().policy.admits(here().use, pool_class));
                  }
                })),
      held(make("held", shape_.held_bits(), [this](Bits& bits) { bits.set(0, shape_.held_bits(), here().held()); })),
      blocking(make_of_buffers("blocking", 1, [](unsigned, const Buffer& buffer) { return blocks(buffer); })),
      message(make_of_buffers("message", kMessageBits, [](unsigned, const Buffer& buffer) { return buffer.message; })),
      grant(make("grant", shape_.ports, [this](Bits& bits) { bits.set(0, shape_.ports, granted()); })),
      grant_buffer(make("grant_buffer", shape_.ports * shape_.buffer_bits(),
                        [this](Bits& bits) {
                          const std::uint64_t ports = granted();
                          for (unsigned p = 0; p < shape_.ports; ++p) {
                            if (((ports >> p) & 1) == 0) continue;
                            bits.set(p * shape_.buffer_bits(), shape_.buffer_bits(), slice_.granted_buffer(router_, p));
                          }
                        })),
      refused(make("refused", shape_.ports,
                   [this](Bits& bits) {
                     const std::uint64_t ports = granted();
                     for (unsigned p = 0; p < shape_.ports; ++p) {
                       const bool goes = slice_.offer_into(router_, p, clock_.cycle()) != nullptr;
                       bits.set(p, goes && ((ports >> p) & 1) == 0);
                     }
                   })),
      waiting(make_of_buffers("waiting", 1, [](unsigned, const Buffer& buffer) { return waits(buffer); })),
      since(make_of_buffers("since", kCycleBits,
                            [](unsigned, const Buffer& buffer) { return waits(buffer) ? buffer.since : 0; })),
      in_port(make_of_buffers(
          "in_port", shape_.way_bits(),
          [](unsigned, const Buffer& buffer) { return waits(buffer) ? buffer.in_port.value + std::uint64_t{1} : 0; })),
      ways(make("ways", shape_.buffers * shape_.ways * shape_.way_bits(),
                [this](Bits& bits) { gather_ways(bits, nullptr); })),
      ways_vc(
          make("ways_vc", shape_.buffers * shape_.ways * kVcBits, [this](Bits& bits) { gather_ways(bits, &bits); })),
      escape(make_of_buffers("escape", 1,
                             [](unsigned, const Buffer& buffer) { return waits(buffer) && buffer.escaping; })),
      escape_class(make_of_buffers(
          "escape_class", kClassBits,
          [](unsigned, const Buffer& buffer) { return waits(buffer) && buffer.escaping ? buffer.escape_class : 0; })),
      offer(make_of_own_offers("offer", 1, [](const Offer& made) { return made.inject ? 0U : 1U; })),
      inject(make_of_own_offers("inject", 1, [](const Offer& made) { return made.inject ? 1U : 0U; })),
      offer_buffer(
          make_of_own_offers("offer_buffer", shape_.buffer_bits(), [](const Offer& made) { return made.buffer; })),
      offer_since(make_of_own_offers("offer_since", kCycleBits, [](const Offer& made) { return made.since; })),
      offer_message(make_of_own_offers("offer_message", kMessageBits, [](const Offer& made) { return made.message; })),
      offer_class(make_of_own_offers("offer_class", kClassBits, [](const Offer& made) { return made.pool_class; })),
      offer_vc(make_of_own_offers("offer_vc", kVcBits, [](const Offer& made) { return made.vc; })),
      offer_flits(
          make_of_own_offers("offer_flits", kFlitsBits,
                             [this](const Offer& made) { return slice_.shared().store[made.packet].length_flits; })),
      held_off(make("held_off", shape_.buffers,
                    [this](Bits& bits) { bits.set(0, shape_.buffers, here().held_off(clock_.cycle())); })),
      idle(make("idle", shape_.ports, [this](Bits& bits) { bits.set(0, shape_.ports, here().idle); })),
      sending(make_of_ports("sending", 1,
                            [this](unsigned p) { return here().ports[p].use == models::po2::Port::Use::kSending; })),
      receiving(make_of_ports(
          "receiving", 1, [this](unsigned p) { return here().ports[p].use == models::po2::Port::Use::kReceiving; })),
      sent_last(make_of_ports("sent_last", 1, [this](unsigned p) { return here().ports[p].sent_last; })),
      leaving(make_of_buffers("leaving", 1,
                              [](unsigned, const Buffer& buffer) { return buffer.state == Buffer::State::kLeaving; })),
      incoming(make_of_ports("incoming", 1,
                             [this](unsigned p) { return slice_.offer_into(router_, p, clock_.cycle()) != nullptr; })),
      far_offer(make_of_offers_in("far_offer", 1, [](const Offer& made) { return made.inject ? 0U : 1U; })),
      far_sent_last(make_of_offers_in("far_sent_last", 1, [](const Offer& made) { return made.sent_last ? 1U : 0U; })),
      far_grant(make_of_ports("far_grant", 1, [this](unsigned p) { return far_grants(p); })),
      far_free(
          make("far_free", shape_.ports * kClasses, [this](Bits& bits) { gather_far_pools(&bits, nullptr, nullptr); })),
      far_blocking(make("far_blocking", shape_.ports * shape_.buffers,
                        [this](Bits& bits) { gather_far_pools(nullptr, &bits, nullptr); })),
      far_message(make("far_message", shape_.ports * shape_.buffers * kMessageBits,
                       [this](Bits& bits) { gather_far_pools(nullptr, nullptr, &bits); })),
      kept(make_of_buffers("kept", 1,
                           [this](unsigned b, const Buffer& buffer) {
                             return waits(buffer) && buffer.escaping &&
                                    !slice_.is_eldest_asker(router_, static_cast<std::uint8_t>(b));
                           })),
      in_since(make_of_offers_in("in_since", kCycleBits, [](const Offer& made) { return made.since; })),
      in_message(make_of_offers_in("in_message", kMessageBits, [](const Offer& made) { return made.message; })),
      in_class(make_of_offers_in("in_class", kClassBits, [](const Offer& made) { return made.pool_class; })),
      in_vc(make_of_offers_in("in_vc", kVcBits, [](const Offer& made) { return made.vc; })),
      in_flits(
          make_of_offers_in("in_flits", kFlitsBits,
                            [this](const Offer& made) { return slice_.shared().store[made.packet].length_flits; })),
      in_source(
          make_of_offers_in("in_source", kNodeBits,
                            [this](const Offer& made) { return slice_.shared().store[made.packet].source.value; })),
      in_destination(make_of_offers_in(
          "in_destination", kNodeBits,
          [this](const Offer& made) { return slice_.shared().store[made.packet].destination.value; })),
      queued(make_of_ports("queued", 1, [this](unsigned p) { return slice_.head(router_, p).has_value(); })),
      head_since(make_of_ports("head_since", kCycleBits,
                               [this](unsigned p) -> std::uint64_t {
                                 const auto head = slice_.head(router_, p);
                                 return head ? head->since : 0;
                               })),
      head_message(make_of_ports("head_message", kMessageBits, [this](unsigned p) -> std::uint64_t {
        const auto head = slice_.head(router_, p);
        return head ? slice_.shared().store[head->packet].message : 0;
      })) {}

}  // namespace braid::models::stages::po2
