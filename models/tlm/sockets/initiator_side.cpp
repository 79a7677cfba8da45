// The interconnect as its initiators see it: a target of the base protocol.
#include "models/tlm/sockets/extensions.h"
#include "models/tlm/sockets/interconnect.h"

namespace braid::models {

::tlm::tlm_sync_enum Interconnect::request_begins(std::size_t r, Payload& p, const AddressRange* range,
                                                  ::tlm::tlm_phase&, const sc_core::sc_time& delay) {
  const TransactionSlot slot = open(r, p, range);
  actions_.file({Event::kBeginRequest, slot, transactions_[slot].serial}, delay);
  return ::tlm::TLM_ACCEPTED;
}

void Interconnect::response_ends(TransactionSlot slot, const sc_core::sc_time& delay) {
  actions_.file({Event::kEndResponse, slot, transactions_[slot].serial}, delay);
}

/// What the network and the target need is copied, so the payload is not asked for when its thread is gone.
void Interconnect::b_transport(std::size_t r, Payload& p, sc_core::sc_time& delay) {
  if (!may_wait(r, p)) return;
  const AddressRange* range = range_of(r, p);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event answered;
  bool done = false;
  const TransactionSlot slot = open(r, p, range);
  const BlockingGuard guard(done, [this, slot] { withdraw(slot); });
  transactions_[slot].done = &answered;
  transactions_[slot].returned = &done;
  begin(slot);
  while (!done) sc_core::wait(answered);
}

/// Its response is dropped when it comes; until then it counts among its initiator's outstanding ones.
void Interconnect::withdraw(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  const std::size_t requester = t.requester;
  requesters()[requester].forget(slot, t.order);
  t.original = nullptr;
  t.done = nullptr;
  t.returned = nullptr;
  t.ready = true;
  transactions_.leave(slot);
  count_withdrawn(requester);
}

void Interconnect::go_on(Requester& requester) {
  requester.line_up_all([this](TransactionSlot next) { return transactions_[next].ready; });
  respond(requester);
}

TransactionSlot Interconnect::open(std::size_t r, Payload& p, const AddressRange* range) {
  const TransactionSlot slot = transactions_.take();
  Transaction& t = transactions_[slot];
  t.original = &p;
  t.requester = r;
  t.range = range;
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
  if (t.range == nullptr) return answer(slot);
  requester.waiting.push_back(slot);
  issue(requester);
}

void Interconnect::issue(Requester& requester) {
  while (!requester.waiting.empty() && requester.outstanding < options().outstanding) {
    const TransactionSlot slot = requester.waiting.front();
    requester.waiting.pop_front();
    ++requester.outstanding;
    send_request(slot);
  }
}

void Interconnect::send_request(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  engine_.settled();
  t.responder = target_of(*t.range);
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
  m.to = t.range->node;
  m.kind = t.stream ? Carrier::kStream : Carrier::kRequest;
  m.on_circuit = t.on_circuit;
  m.handle = slot;
  encode_request(*t.original, t.stream, m.bytes);
  carrier_->send(message, static_cast<std::uint32_t>(2 * t.requester));
  engine_.wake();
  const std::uint64_t timeout = options().timeout_cycles;
  if (timeout > 0) actions_.file({Event::kTimeout, slot, t.serial}, engine_.period() * static_cast<double>(timeout));
}

/// The initiator may make its next request.
void Interconnect::request_left(TransactionSlot slot) {
  Transaction& t = transactions_[slot];
  if (t.original == nullptr || t.ready) {  // withdrawn, or timed out: nobody is told
    if (t.stream) leave_network(t);
    return;
  }
  if (t.done == nullptr) {
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
  leave_network(t);
  if (t.original == nullptr || t.ready) return;
  t.original->set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
  answer(slot);
}

void Interconnect::response_arrived(const Carrier::Message& message) {
  Transaction& t = transactions_[message.handle];
  if (!t.ready) {
    apply_response(decode_response(message.bytes), *t.original);
    if (!options().dmi) t.original->set_dmi_allowed(false);
  }
  leave_network(t);
  if (!t.ready) answer(message.handle);
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
    if (t.done != nullptr) {
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
    if (ends_response(status, phase, requester.face)) actions_.file({Event::kEndResponse, slot, t.serial}, delay);
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
