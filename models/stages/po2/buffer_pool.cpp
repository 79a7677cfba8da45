#include "models/stages/po2/buffer_pool.h"

namespace braid::models::stages::po2 {

void BufferPool::bind(RouterChannels& router) {
  incoming_i(router.incoming);
  since_i(router.in_since);
  message_i(router.in_message);
  class_i(router.in_class);
  leaving_i(router.leaving);
  grant_o(router.grant);
  buffer_o(router.grant_buffer);
  refused_o(router.refused);
  free_o(router.free);
  held_o(router.held);
  blocking_o(router.blocking);
  message_o(router.message);
}

void BufferPool::on_bank(Slice& slice, std::uint64_t cycle) { slice.grant_buffers(cycle); }

void BufferPool::on_ports(LoneRouter& lone, std::uint64_t cycle) {
  let_leave(lone);
  load_offers(lone, cycle);
  let_in(lone, cycle);
  write_pool(lone);
}

/// A buffer is free again when the packet that was leaving it leaves no more: its receipt is acknowledged.
void BufferPool::let_leave(LoneRouter& lone) const {
  for (unsigned b = 0; b < shape_.buffers; ++b) {
    Buffer& buffer = lone.registers().buffers[b];
    if (buffer.state == Buffer::State::kFree) continue;
    const bool left = buffer.state == Buffer::State::kLeaving && !leaving_i->read()[b];
    if (left) lone.slice().release_buffer(lone.number(), b);
    if (leaving_i->read()[b]) buffer.state = Buffer::State::kLeaving;
  }
}

void BufferPool::load_offers(LoneRouter& lone, std::uint64_t cycle) const {
  Registers& here = lone.registers();
  here.use_when_offered = here.use;
  for (unsigned p = 0; p < shape_.ports; ++p) {
    const bool node = lone.leads_to_node(p);
    if (!node && !lone.leads_to_router(p)) continue;
    Offer& offer = node ? here.offers[p] : lone.far_offer(p);
    offer.cycle = incoming_i->read()[p] ? cycle : Offer::kNever;
    offer.inject = node;
    offer.since = since_i->read().field(p * kCycleBits, kCycleBits);
    offer.message = static_cast<std::uint32_t>(message_i->read().field(p * kMessageBits, kMessageBits));
    offer.pool_class = static_cast<models::po2::PoolClass>(class_i->read().field(p * kClassBits, kClassBits));
  }
}

void BufferPool::let_in(LoneRouter& lone, std::uint64_t cycle) {
  const std::uint64_t granted = lone.slice().granted_ports(lone.number(), cycle);
  Bits buffers(shape_.ports * shape_.buffer_bits());
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (((granted >> p) & 1) == 0) continue;
    const Offer& offer = *lone.slice().offer_into(lone.number(), p, cycle);
    buffers.set(p * shape_.buffer_bits(), shape_.buffer_bits(), lone.slice().take_buffer(lone.number(), p, offer));
  }
  grant_o->write(Bits(shape_.ports, granted));
  buffer_o->write(buffers);
  refused_o->write(Bits(shape_.ports, incoming_i->read().field(0, shape_.ports) & ~granted));
}

void BufferPool::write_pool(LoneRouter& lone) {
  const Registers& here = lone.registers();
  Bits free(models::po2::kPoolClasses), blocking(shape_.buffers), message(shape_.buffers * kMessageBits);
  for (unsigned c = 0; c < models::po2::kPoolClasses; ++c) {
    free.set(c, lone.slice().shared().policy.admits(here.use, static_cast<models::po2::PoolClass>(c)));
  }
  for (unsigned b = 0; b < shape_.buffers; ++b) {
    blocking.set(b, here.buffers[b].state == Buffer::State::kArriving);
    message.set(b * kMessageBits, kMessageBits, here.buffers[b].message);
  }
  free_o->write(free);
  held_o->write(Bits(shape_.held_bits(), here.held()));
  blocking_o->write(blocking);
  message_o->write(message);
}

}  // namespace braid::models::stages::po2
