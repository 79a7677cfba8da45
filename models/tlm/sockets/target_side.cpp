// The interconnect as its targets see it: an initiator of the base protocol. A request that has come is handed over as
// soon as the target has taken the one before; its response goes back when the target says it begins.
#include "models/tlm/sockets/interconnect.h"

namespace braid::models {

void Interconnect::request_arrived(const Carrier::Message& message) {
  Transaction& t = transactions_[message.handle];
  CarriedPayload& p = *t.carried;
  decode_request(message.bytes, p.request);
  p.transaction = message.handle;
  p.set_command(p.request.command);
  p.set_address(p.request.address - t.range->first);
  p.set_data_ptr(p.request.data.data());
  p.set_data_length(p.request.length);
  p.set_streaming_width(p.request.streaming_width);
  p.set_byte_enable_ptr(p.request.byte_enables.empty() ? nullptr : p.request.byte_enables.data());
  p.set_byte_enable_length(static_cast<unsigned>(p.request.byte_enables.size()));
  Responder& responder = responders()[t.responder];
  responder.requests.push_back(message.handle);
  hand_request(responder);
}

void Interconnect::hand_request(Responder& responder) {
  if (responder.requesting || responder.requests.empty()) return;
  const TransactionSlot slot = responder.requests.front();
  responder.requests.pop_front();
  responder.requesting = slot;
  Transaction& t = transactions_[slot];
  t.at_target = TargetState::kRequested;
  ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const ::tlm::tlm_sync_enum status = responder.face.calls->nb_transport_fw(*t.carried, phase, delay);
  if (status == ::tlm::TLM_ACCEPTED) return;
  const bool completed = status == ::tlm::TLM_COMPLETED;
  target_says(slot, completed ? ::tlm::tlm_phase(::tlm::BEGIN_RESP) : phase, !completed, delay);
}

/// `wants_end`: it waits for END_RESP.
void Interconnect::target_says(TransactionSlot slot, const ::tlm::tlm_phase& phase, bool wants_end,
                               const sc_core::sc_time& delay) {
  Transaction& t = transactions_[slot];
  if (!take(t.at_target, phase, responders()[t.responder].face)) return;
  if (phase == ::tlm::END_REQ) actions_.file({Event::kEndRequest, slot, t.serial}, delay);
  if (phase != ::tlm::BEGIN_RESP) return;
  actions_.file({wants_end ? Event::kBeginResponse : Event::kCompleted, slot, t.serial}, delay);
}

::tlm::tlm_sync_enum Interconnect::nb_transport_bw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  const auto* carried = dynamic_cast<const CarriedPayload*>(&p);
  const bool known = carried != nullptr && transactions_.holds(carried->transaction);
  if (!known || transactions_[carried->transaction].carried != &p ||
      transactions_[carried->transaction].responder != r) {
    report_stranger(phase, responders()[r].face);
  } else {
    target_says(carried->transaction, phase, true, delay);
  }
  return ::tlm::TLM_ACCEPTED;
}

void Interconnect::end_request(TransactionSlot slot) {
  Responder& responder = responders()[transactions_[slot].responder];
  if (responder.requesting != slot) return;
  responder.requesting.reset();
  hand_request(responder);
}

/// `wants_end`: it waits for END_RESP, which it gets when the response has left its node.
void Interconnect::target_responds(TransactionSlot slot, bool wants_end) {
  Transaction& t = transactions_[slot];
  t.wants_end = wants_end;
  if (t.stream) {
    end_target_response(slot);
    end_request(slot);  // of what BEGIN_RESP implies
    transactions_.leave(slot);
    return;
  }
  engine_.settled();
  const MessageSlot message = carrier_->open_message();
  Carrier::Message& m = (*carrier_)[message];
  m.from = responders()[t.responder].face.node;
  m.to = requesters()[t.requester].face.node;
  m.kind = Carrier::kResponse;
  m.handle = slot;
  encode_response(*t.carried, m.bytes);
  carrier_->send(message, static_cast<std::uint32_t>(2 * t.responder + 1));
  engine_.wake();
  end_request(slot);
}

void Interconnect::end_target_response(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  CarriedPayload& p = *t.carried;
  t.carried = nullptr;
  if (t.wants_end) {
    ::tlm::tlm_phase phase = ::tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    responders()[t.responder].face.calls->nb_transport_fw(p, phase, delay);
  }
  p.release();
}

}  // namespace braid::models
