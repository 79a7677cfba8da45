// The interconnect as its initiators see it: a target of the base protocol.
#include "models/tlm/extensions.h"
#include "models/tlm/interconnect.h"
#include "models/tlm/payload_refusal.h"

namespace braid::models {

::tlm::tlm_sync_enum Interconnect::request_begins(std::size_t r, Payload& p, ::tlm::tlm_phase&,
                                                  const sc_core::sc_time& delay) {
  const TransactionSlot slot = open(r, p, false);
  actions_.file({Event::kBeginRequest, slot, transactions_[slot].serial}, delay);
  return ::tlm::TLM_ACCEPTED;
}

void Interconnect::response_ends(TransactionSlot slot, const sc_core::sc_time& delay) {
  actions_.file({Event::kEndResponse, slot, transactions_[slot].serial}, delay);
}

void Interconnect::b_transport(std::size_t r, Payload& p, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  Blocking call;
  const TransactionSlot slot = open(r, p, true);
  transactions_[slot].done = &call.event;
  transactions_[slot].returned = &call.done;
  begin(slot);
  while (!call.done) sc_core::wait(call.event);
}

TransactionSlot Interconnect::open(std::size_t r, Payload& p, bool blocking) {
  const TransactionSlot slot = transactions_.take();
  Transaction& t = transactions_[slot];
  t.original = &p;
  t.requester = r;
  t.blocking = blocking;
  t.sides = 1;
  if (const auto* stream = p.get_extension<StreamExtension>()) {
    t.stream = p.is_write();
    t.on_circuit = t.stream && stream->on_circuit;
  }
  if (const auto* order = p.get_extension<OrderExtension>()) t.order = order->id;
  return slot;
}

void Interconnect::begin(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  Requester& requester = requesters()[t.requester];
  if (t.order) requester.ordered[*t.order].push_back(slot);
  if (range_of_payload(*t.original, carrier_->options(), map(), requester.face) == nullptr) return answer(slot);
  requester.waiting.push_back(slot);
  issue(requester);
}

void Interconnect::issue(Requester& requester) {
  while (!requester.waiting.empty() && requester.outstanding < carrier_->options().outstanding) {
    const TransactionSlot slot = requester.waiting.front();
    requester.waiting.pop_front();
    ++requester.outstanding;
    send_request(slot);
  }
}

void Interconnect::send_request(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  const AddressRange& range = *map().find(t.original->get_address());
  engine_.settled();
  t.responder = target_of(range);
  t.range_first = range.first;
  t.in_network = true;
  t.sides = 2;
  t.carried = &pool_.take();
  for (unsigned i = 0; i < ::tlm::max_num_extensions(); ++i) {
    const ::tlm::tlm_extension_base* extension = t.original->get_extension(i);
    ::tlm::tlm_extension_base* copy = extension == nullptr ? nullptr : extension->clone();
    if (copy != nullptr) t.carried->set_auto_extension(i, copy);
  }
  const MessageSlot message = carrier_->open_message();
  Carrier::Message& m = (*carrier_)[message];
  m.from = requesters()[t.requester].face.node;
  m.to = range.node;
  m.kind = t.stream ? Carrier::kStream : Carrier::kRequest;
  m.on_circuit = t.on_circuit;
  m.handle = slot;
  encode_request(*t.original, t.stream, m.bytes);
  carrier_->send(message, static_cast<std::uint32_t>(2 * t.requester));
  engine_.wake();
  const std::uint64_t timeout = carrier_->options().timeout_cycles;
  if (timeout > 0) actions_.file({Event::kTimeout, slot, t.serial}, engine_.period() * static_cast<double>(timeout));
}

/// The initiator may make its next request.
void Interconnect::request_left(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  if (t.original == nullptr || t.ready) return;  // timed out
  if (!t.blocking) {
    ::tlm::tlm_phase phase = ::tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    requesters()[t.requester].face.calls->nb_transport_bw(*t.original, phase, delay);
  }
  if (!t.stream) return;
  t.original->set_response_status(::tlm::TLM_OK_RESPONSE);
  leave_network(t);
  answer(slot);
}

void Interconnect::leave_network(Transaction& t) {
  if (!t.in_network) return;
  t.in_network = false;
  Requester& requester = requesters()[t.requester];
  --requester.outstanding;
  issue(requester);
}

/// It is answered without the target, whose response is dropped when it comes.
void Interconnect::time_out(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  if (t.original == nullptr || t.ready) return;
  t.original->set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
  leave_network(t);
  answer(slot);
}

void Interconnect::response_arrived(const Carrier::Message& message) {
  Transaction& t = transactions_[message.handle];
  if (!t.ready) {
    apply_response(decode_response(message.bytes), *t.original);
    if (!carrier_->options().dmi) t.original->set_dmi_allowed(false);
    leave_network(t);
    answer(message.handle);
  }
  transactions_.leave(message.handle);
}

/// The response is there; it is handed over when those before it of the same id were.
void Interconnect::answer(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  Requester& requester = requesters()[t.requester];
  t.ready = true;
  if (!t.order) {
    requester.responses.push_back(slot);
  } else {
    requester.line_up(*t.order, [this](TransactionSlot next) { return transactions_[next].ready; });
  }
  respond(requester);
}

void Interconnect::respond(Requester& requester) {
  while (!requester.responding && !requester.responses.empty()) {
    const TransactionSlot slot = requester.responses.front();
    requester.responses.pop_front();
    Transaction& t = transactions_[slot];
    if (t.blocking) {
      *t.returned = true;
      t.done->notify(sc_core::SC_ZERO_TIME);
      t.original = nullptr;
      transactions_.leave(slot);
      continue;
    }
    requester.responding = slot;
    ::tlm::tlm_phase phase = ::tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const ::tlm::tlm_sync_enum status = requester.face.calls->nb_transport_bw(*t.original, phase, delay);
    const bool ends = status == ::tlm::TLM_COMPLETED || (status == ::tlm::TLM_UPDATED && phase == ::tlm::END_RESP);
    if (ends) actions_.file({Event::kEndResponse, slot, t.serial}, delay);
  }
}

void Interconnect::end_response(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  Requester& requester = requesters()[t.requester];
  if (requester.responding != slot) return;
  requester.responding.reset();
  t.original->release();
  t.original = nullptr;
  transactions_.leave(slot);
  respond(requester);
}

}  // namespace braid::models
