#include "models/stages/po2/offer_unit.h"

#include <algorithm>

namespace braid::models::stages::po2 {

void OfferUnit::bind(RouterChannels& router) {
  waiting_i(router.waiting);
  since_i(router.since);
  in_port_i(router.in_port);
  message_i(router.message);
  ways_i(router.ways);
  ways_vc_i(router.ways_vc);
  escape_i(router.escape);
  escape_class_i(router.escape_class);
  kept_i(router.kept);
  idle_i(router.idle);
  far_free_i(router.far_free);
  far_blocking_i(router.far_blocking);
  far_message_i(router.far_message);
  queued_i(router.queued);
  head_since_i(router.head_since);
  head_message_i(router.head_message);
  free_i(router.free);
  blocking_i(router.blocking);
  offer_o(router.offer);
  inject_o(router.inject);
  buffer_o(router.offer_buffer);
  offer_since_o(router.offer_since);
  offer_message_o(router.offer_message);
  class_o(router.offer_class);
  vc_o(router.offer_vc);
  held_off_o(router.held_off);
}

void OfferUnit::on_bank(Slice& slice, std::uint64_t cycle) { slice.compute(cycle); }

void OfferUnit::on_ports(LoneRouter& lone, std::uint64_t cycle) {
  load_packets(lone);
  load_far_ends(lone);
  load_nodes(lone);
  lone.slice().wake(lone.number());
  lone.slice().compute(cycle);
  write_offers(lone.registers(), cycle);
}

/// A packet whose escape buffer is kept for an elder one has that way not.
void OfferUnit::load_packets(LoneRouter& lone) const {
  Registers& here = lone.registers();
  here.waiting.clear();
  for (unsigned b = 0; b < shape_.buffers; ++b) {
    Buffer packet;
    packet.message = static_cast<std::uint32_t>(message_i->read().field(b * kMessageBits, kMessageBits));
    packet.packet = lone.of_buffer(b);
    if (blocking_i->read()[b]) packet.state = Buffer::State::kArriving;
    if (waiting_i->read()[b]) {
      packet.state = Buffer::State::kWaiting;
      packet.since = since_i->read().field(b * kCycleBits, kCycleBits);
      packet.in_port = PortId{in_port_i->read().field(b * shape_.way_bits(), shape_.way_bits()) - 1};
      for (unsigned i = 0; i < shape_.ways; ++i) {
        const unsigned place = b * shape_.ways + i;
        const std::uint64_t way = ways_i->read().field(place * shape_.way_bits(), shape_.way_bits());
        if (way == 0) break;
        const auto vc = static_cast<unsigned>(ways_vc_i->read().field(place * kVcBits, kVcBits));
        lone.slice().candidates(lone.number(), b)[packet.candidates++] = {PortId{way - 1}, 0, VcMask(1U << vc)};
        packet.wants |= std::uint64_t{1} << (way - 1);
      }
      packet.escaping = escape_i->read()[b];
      packet.escape_class =
          static_cast<models::po2::PoolClass>(escape_class_i->read().field(b * kClassBits, kClassBits));
      if (packet.escaping && kept_i->read()[b]) {
        packet.escaping = false;
        --packet.candidates;
      }
    }
    lone.hold(b, packet);
  }
  std::sort(here.waiting.begin(), here.waiting.end(), [&](std::uint8_t a, std::uint8_t b) {
    const Buffer &x = here.buffers[a], &y = here.buffers[b];
    return x.since != y.since ? x.since < y.since : x.in_port < y.in_port;
  });
}

void OfferUnit::load_far_ends(LoneRouter& lone) const {
  Registers& here = lone.registers();
  here.idle = idle_i->read().field(0, shape_.ports);
  here.use = lone.use_with_room(free_i->read().field(0, models::po2::kPoolClasses));
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!lone.leads_to_router(p)) continue;
    const unsigned classes = p * models::po2::kPoolClasses;
    lone.far(p).use = lone.use_with_room(far_free_i->read().field(classes, models::po2::kPoolClasses));
    LoneRouter::show_messages(lone.far(p), far_blocking_i->read(), far_message_i->read(), p * shape_.buffers);
  }
}

void OfferUnit::load_nodes(LoneRouter& lone) const {
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!lone.leads_to_node(p)) continue;
    std::optional<Slice::Head> head;
    if (queued_i->read()[p]) {
      head = Slice::Head{lone.received_by(p), head_since_i->read().field(p * kCycleBits, kCycleBits)};
      lone.store()[head->packet].message =
          static_cast<std::uint32_t>(head_message_i->read().field(p * kMessageBits, kMessageBits));
    }
    lone.slice().set_head(lone.number(), p, head);
  }
}

void OfferUnit::write_offers(const Registers& here, std::uint64_t cycle) {
  Bits offer(shape_.ports), inject(shape_.ports), buffer(shape_.ports * shape_.buffer_bits());
  Bits since(shape_.ports * kCycleBits), message(shape_.ports * kMessageBits);
  Bits pool_class(shape_.ports * kClassBits), vc(shape_.ports * kVcBits);
  for (unsigned p = 0; p < shape_.ports; ++p) {
    const Offer& made = here.offers[p];
    if (made.cycle != cycle) continue;
    offer.set(p, !made.inject);
    inject.set(p, made.inject);
    buffer.set(p * shape_.buffer_bits(), shape_.buffer_bits(), made.buffer);
    since.set(p * kCycleBits, kCycleBits, made.since);
    message.set(p * kMessageBits, kMessageBits, made.message);
    pool_class.set(p * kClassBits, kClassBits, made.pool_class);
    vc.set(p * kVcBits, kVcBits, made.vc);
  }
  offer_o->write(offer);
  inject_o->write(inject);
  buffer_o->write(buffer);
  offer_since_o->write(since);
  offer_message_o->write(message);
  class_o->write(pool_class);
  vc_o->write(vc);
  held_off_o->write(Bits(shape_.buffers, here.held_off(cycle)));
}

}  // namespace braid::models::stages::po2
