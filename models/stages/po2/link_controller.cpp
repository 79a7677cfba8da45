#include "models/stages/po2/link_controller.h"

namespace braid::models::stages::po2 {

using models::po2::Port;

void LinkController::bind(RouterChannels& router) {
  offer_i(router.offer);
  inject_i(router.inject);
  offer_buffer_i(router.offer_buffer);
  offer_flits_i(router.offer_flits);
  far_grant_i(router.far_grant);
  far_offer_i(router.far_offer);
  far_sent_last_i(router.far_sent_last);
  in_flits_i(router.in_flits);
  grant_i(router.grant);
  grant_buffer_i(router.grant_buffer);
  incoming_o(router.incoming);
  idle_o(router.idle);
  sending_o(router.sending);
  receiving_o(router.receiving);
  sent_last_o(router.sent_last);
  leaving_o(router.leaving);
}

void LinkController::on_bank(Slice& slice, std::uint64_t cycle) {
  slice.begin_transfers(cycle);
  slice.end_transfers(cycle);
}

void LinkController::on_ports(LoneRouter& lone, std::uint64_t cycle) {
  load_offers(lone, cycle);
  Bits incoming(shape_.ports);
  for (unsigned p = 0; p < shape_.ports; ++p) {
    const bool idle = ((lone.registers().idle >> p) & 1) != 0;
    incoming.set(p, idle && lone.slice().offer_into(lone.number(), p, cycle) != nullptr);
    if (!idle) continue;
    if (incoming[p] && grant_i->read()[p]) begin_receiving(lone, p, cycle);
    if (!incoming[p] && offer_i->read()[p] && far_grant_i->read()[p]) begin_sending(lone, p, cycle);
  }
  lone.slice().end_transfers(cycle);
  incoming_o->write(incoming);
  write_ports(lone.registers());
}

void LinkController::load_offers(LoneRouter& lone, std::uint64_t cycle) const {
  for (unsigned p = 0; p < shape_.ports; ++p) {
    Offer own;
    own.inject = inject_i->read()[p];
    own.cycle = own.inject || offer_i->read()[p] ? cycle : Offer::kNever;
    own.buffer =
        static_cast<std::uint8_t>(offer_buffer_i->read().field(p * shape_.buffer_bits(), shape_.buffer_bits()));
    own.packet = lone.sent_by(p);
    own.sent_last = lone.registers().ports[p].sent_last;
    lone.registers().offers[p] = own;
    if (!lone.leads_to_router(p)) continue;
    Offer& theirs = lone.far_offer(p);
    theirs.cycle = far_offer_i->read()[p] ? cycle : Offer::kNever;
    theirs.sent_last = far_sent_last_i->read()[p];
  }
}

void LinkController::begin_sending(LoneRouter& lone, std::size_t p, std::uint64_t cycle) const {
  const Offer& offer = lone.registers().offers[p];
  const auto place = static_cast<unsigned>(p) * kFlitsBits;
  lone.store()[offer.packet].length_flits = static_cast<std::uint16_t>(offer_flits_i->read().field(place, kFlitsBits));
  Buffer packet;
  packet.state = Buffer::State::kWaiting;
  lone.hold(offer.buffer, packet);
  lone.slice().begin_leaving(lone.number(), p, offer, cycle);
}

void LinkController::begin_receiving(LoneRouter& lone, std::size_t p, std::uint64_t cycle) const {
  const auto port = static_cast<unsigned>(p);
  const auto b =
      static_cast<std::uint8_t>(grant_buffer_i->read().field(port * shape_.buffer_bits(), shape_.buffer_bits()));
  const PacketSlot packet = lone.received_by(p);
  lone.store()[packet].length_flits =
      static_cast<std::uint16_t>(in_flits_i->read().field(port * kFlitsBits, kFlitsBits));
  lone.registers().buffers[b].packet = packet;
  if (lone.leads_to_node(p)) lone.slice().set_head(lone.number(), p, Slice::Head{packet, cycle});
  lone.slice().begin_receiving(lone.number(), p, b, cycle);
}

void LinkController::write_ports(const Registers& here) {
  Bits sending(shape_.ports), receiving(shape_.ports), sent_last(shape_.ports), leaving(shape_.buffers);
  for (unsigned p = 0; p < shape_.ports; ++p) {
    sending.set(p, here.ports[p].use == Port::Use::kSending);
    receiving.set(p, here.ports[p].use == Port::Use::kReceiving);
    sent_last.set(p, here.ports[p].sent_last);
  }
  for (unsigned b = 0; b < shape_.buffers; ++b) leaving.set(b, here.buffers[b].state == Buffer::State::kLeaving);
  idle_o->write(Bits(shape_.ports, here.idle));
  sending_o->write(sending);
  receiving_o->write(receiving);
  sent_last_o->write(sent_last);
  leaving_o->write(leaving);
}

}  // namespace braid::models::stages::po2
