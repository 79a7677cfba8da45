// EstimatedInterconnect: how a transaction goes.
#include <algorithm>
#include <tuple>

#include "models/tlm/sockets/estimated_interconnect.h"
#include "models/tlm/sockets/extensions.h"
#include "models/tlm/wire_format.h"

namespace braid::models {

using sc_core::sc_time;

/// In packets, as Carrier cuts them; the last one's arrival. They leave one after the other: reservations know that,
/// loads do not.
std::uint64_t EstimatedInterconnect::carried(NodeId from, NodeId to, std::size_t bytes, std::uint64_t cycle) {
  const std::uint64_t now = cycle_of(sc_core::sc_time_stamp().value());
  std::uint64_t there = 0;
  for (auto left = static_cast<std::uint32_t>(bytes);; left -= most_) {
    const std::uint32_t part = std::min(left, most_);
    const std::uint32_t flits = 1 + (part + options().flit_bytes - 1) / options().flit_bytes;
    there = std::max(there, timing_->deliver(from, to, flits, cycle, now));
    if (left == part) return there;
    if (annotates_) cycle += flits;
  }
}

void CopiedPayload::copy_request(const ::tlm::tlm_generic_payload& p) {
  const unsigned enables = p.get_byte_enable_ptr() == nullptr ? 0 : p.get_byte_enable_length();
  data_.resize(p.get_data_length());
  byte_enables_.resize(enables);
  set_data_ptr(data_.data());
  set_byte_enable_ptr(enables == 0 ? nullptr : byte_enables_.data());
  deep_copy_from(p);  // extensions, too
}

void CopiedPayload::copy_response_to(::tlm::tlm_generic_payload& p) const {
  if (p.is_read()) std::copy(data_.begin(), data_.end(), p.get_data_ptr());
  p.set_response_status(get_response_status());
  p.set_dmi_allowed(is_dmi_allowed());
}

/// Loosely timed nothing waits: the target is called at once, and the times of its ways are annotated.
void EstimatedInterconnect::b_transport(std::size_t r, Payload& p, sc_time& delay) {
  if (!annotates_) return blocking_by_phases(r, p, delay);
  const InitiatorFace& initiator = requesters()[r].face;
  const AddressRange* range = range_of(r, p);
  if (range == nullptr) return;
  const TargetFace& target = responders()[target_of(*range)].face;
  sc_time::value_type now = sc_core::sc_time_stamp().value();
  const std::uint64_t arrival = carried(initiator.node, target.node, request_bytes(p), cycle_of(now + delay.value()));
  delay = until(arrival, now);
  bool done = false;
  const BlockingGuard guard(done, [this, r] { count_withdrawn(r); });
  {
    const OffsetAddress offset(p, range->first);
    target.calls->b_transport(p, delay);
  }
  done = true;
  if (!options().dmi) p.set_dmi_allowed(false);
  if (p.is_write() && p.get_extension<StreamExtension>() != nullptr) return;
  now = sc_core::sc_time_stamp().value();  // the target may have waited
  delay = until(carried(target.node, initiator.node, response_bytes(p), cycle_of(now + delay.value())), now);
}

/// As one that is made of phases, by a payload with a memory manager.
void EstimatedInterconnect::blocking_by_phases(std::size_t r, Payload& p, sc_time& delay) {
  if (!may_wait(r, p)) return;
  const AddressRange* range = range_of(r, p);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event answered;
  bool done = false;
  const Slot slot = open(r, p, range);
  const BlockingGuard guard(done, [this, slot] { withdraw(slot); });
  Flight& f = *flights_[slot];
  f.done = &answered;
  f.returned = &done;
  if (range != nullptr) {
    f.forwarded = f.copy = &pool_.take();
    f.copy->copy_request(p);
  }
  begin(slot);
  while (!done) sc_core::wait(answered);
}

/// What was sent goes on to its end, and counts among its initiator's outstanding ones until then.
void EstimatedInterconnect::withdraw(Slot slot) {
  Flight& f = *flights_[slot];
  const std::size_t requester = f.requester;
  requesters()[requester].forget(slot, f.order);
  f.original = nullptr;
  f.done = nullptr;
  f.returned = nullptr;
  if (f.ready || !f.sent) discard(slot);
  count_withdrawn(requester);
}

void EstimatedInterconnect::go_on(Requester& requester) {
  requester.line_up_all([this](Slot next) { return flights_[next]->ready; });
  answer(requester);
}

/// One that begins now and need not wait goes in this call: END_REQ is its return value. What is annotated begins then.
::tlm::tlm_sync_enum EstimatedInterconnect::request_begins(std::size_t r, Payload& p, const AddressRange* range,
                                                           ::tlm::tlm_phase& phase, const sc_time& delay) {
  const Slot slot = open(r, p, range);
  flights_[slot]->forwarded = &p;
  if (delay != sc_core::SC_ZERO_TIME) {
    actions_.file({Event::kBegin, slot}, delay);
  } else if (!admit(slot)) {
    actions_.file({Event::kResponseArrives, slot}, delay);
  } else if (Requester& requester = requesters()[r]; may_go(requester)) {
    send(slot);
    phase = ::tlm::END_REQ;
    return ::tlm::TLM_UPDATED;
  } else {
    requester.waiting.push_back(slot);
  }
  return ::tlm::TLM_ACCEPTED;
}

EstimatedInterconnect::Slot EstimatedInterconnect::open(std::size_t r, Payload& p, const AddressRange* range) {
  if (free_.empty()) {
    free_.push_back(static_cast<Slot>(flights_.size()));
    flights_.push_back(std::make_unique<Flight>());
  }
  const Slot slot = free_.back();
  free_.pop_back();
  Flight& f = *flights_[slot];
  f = Flight{};
  f.original = &p;
  f.requester = r;
  f.range = range;
  f.address = p.get_address();
  f.pushed = p.is_write() && p.get_extension<StreamExtension>() != nullptr;
  if (const auto* order = p.get_extension<OrderExtension>()) f.order = order->id;
  return slot;
}

void EstimatedInterconnect::act(const Action& action) {
  switch (action.event) {
    case Event::kBegin:
      return begin(action.slot);
    case Event::kReserve:
      return reserve_all();
    case Event::kRequestArrives:
      return request_arrives(action.slot);
    case Event::kRequestEnds:
      return request_ends(action.slot);
    case Event::kResponseArrives:
      return response_arrives(action.slot);
    case Event::kEnd:
      return end(action.slot);
  }
}

/// Takes its place in its order. False: it is refused, and its response is ready.
bool EstimatedInterconnect::admit(Slot slot) {
  Flight& f = *flights_[slot];
  Requester& requester = requesters()[f.requester];
  if (f.order) requester.ordered[*f.order].push_back(slot);
  if (f.range == nullptr) return false;
  f.responder = target_of(*f.range);
  return true;
}

/// As many of an initiator are under way at once.
bool EstimatedInterconnect::may_go(const Requester& requester) const {
  return requester.outstanding < options().outstanding;
}

void EstimatedInterconnect::begin(Slot slot) {
  if (!admit(slot)) return response_arrives(slot);
  Requester& requester = requesters()[flights_[slot]->requester];
  requester.waiting.push_back(slot);
  issue(requester);
}

/// Those that waited go. Their initiator may make the next ones.
void EstimatedInterconnect::issue(Requester& requester) {
  while (!requester.waiting.empty() && may_go(requester)) {
    const Slot slot = requester.waiting.front();
    requester.waiting.pop_front();
    send(slot);
    const Flight& f = *flights_[slot];
    if (f.done != nullptr) continue;
    ::tlm::tlm_phase phase = ::tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    requester.face.calls->nb_transport_bw(*f.original, phase, delay);
  }
}

void EstimatedInterconnect::send(Slot slot) {
  Flight& f = *flights_[slot];
  f.sent = true;
  Requester& requester = requesters()[f.requester];
  ++requester.outstanding;
  make(requester.face.node, 2 * f.requester, slot, false, sc_core::SC_ZERO_TIME);
}

/// What is made in a cycle is reserved at the next edge, by nodes: who was there first in the cycle hangs on the order
/// in which processes run. Nothing arrives before that edge.
void EstimatedInterconnect::make(NodeId from, std::size_t rank, Slot slot, bool response, const sc_time& delay) {
  const sc_time::value_type now = sc_core::sc_time_stamp().value();
  const std::uint64_t cycle = cycle_of(now);
  sending_.push_back({cycle, from, rank, sent_++, slot, response, cycle_of(now + delay.value())});
  if (reserving_ == cycle + 1) return;
  reserving_ = cycle + 1;
  actions_.file({Event::kReserve, slot}, until(reserving_, now));
}

void EstimatedInterconnect::reserve_all() {
  const std::uint64_t edge = cycle_of(sc_core::sc_time_stamp().value());
  reserved_.clear();
  std::size_t later =
      0;  // no stable_partition, no stable_sort: they take memory each time, which is a tenth of all here
  for (const Sending& s : sending_) {
    if (s.made < edge) {
      reserved_.push_back(s);
    } else {
      sending_[later++] = s;
    }
  }
  sending_.erase(sending_.begin() + static_cast<std::ptrdiff_t>(later), sending_.end());
  std::sort(reserved_.begin(), reserved_.end(), [](const Sending& a, const Sending& b) {
    return std::tie(a.made, a.from, a.rank, a.number) < std::tie(b.made, b.from, b.rank, b.number);
  });
  for (const Sending& s : reserved_) reserve(s);
}

void EstimatedInterconnect::reserve(const Sending& s) {
  const Flight& f = *flights_[s.slot];
  const sc_time& now = sc_core::sc_time_stamp();
  const auto arrival = [&](NodeId to, std::size_t bytes) {
    return until(std::max(carried(s.from, to, bytes, s.cycle), s.made + 1), now.value());
  };
  if (!s.response) {
    sc_time& last = last_request_[f.requester][f.responder];
    last = std::max(last, now + arrival(f.range->node, request_bytes(*f.forwarded)));
    actions_.file({Event::kRequestArrives, s.slot}, last - now);
  } else if (f.pushed) {  // its answer stays where it is
    actions_.file({Event::kResponseArrives, s.slot}, until(std::max(s.cycle, s.made + 1), now.value()));
  } else {
    const NodeId initiator = requesters()[f.requester].face.node;
    actions_.file({Event::kResponseArrives, s.slot}, arrival(initiator, response_bytes(*f.forwarded)));
  }
}

void EstimatedInterconnect::request_arrives(Slot slot) {
  Flight& f = *flights_[slot];
  f.forwarded->set_address(f.address - f.range->first);
  Responder& responder = responders()[f.responder];
  responder.requests.push_back(slot);
  hand_request(responder);
}

void EstimatedInterconnect::hand_request(Responder& responder) {
  while (!responder.requesting && !responder.requests.empty()) {
    const Slot slot = responder.requests.front();
    responder.requests.pop_front();
    responder.requesting = slot;
    Flight& f = *flights_[slot];
    f.at_target = TargetState::kRequested;
    ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = responder.face.calls->nb_transport_fw(*f.forwarded, phase, delay);
    if (status == ::tlm::TLM_ACCEPTED) return;
    if (status == ::tlm::TLM_COMPLETED) phase = ::tlm::BEGIN_RESP;
    if (!take(f.at_target, phase, responder.face)) return;
    if (phase == ::tlm::END_REQ) actions_.file({Event::kRequestEnds, slot}, delay);
    if (phase != ::tlm::BEGIN_RESP) return;
    if (status == ::tlm::TLM_UPDATED) {
      ::tlm::tlm_phase last = ::tlm::END_RESP;
      sc_time at = delay;
      responder.face.calls->nb_transport_fw(*f.forwarded, last, at);
    }
    if (delay == sc_core::SC_ZERO_TIME) responder.requesting.reset();
    respond(slot, delay);
  }
}

::tlm::tlm_sync_enum EstimatedInterconnect::nb_transport_bw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                                            sc_time& delay) {
  const std::optional<Slot> slot = held(r, p);
  if (!slot) {
    report_stranger(phase, responders()[r].face);
    return ::tlm::TLM_ACCEPTED;
  }
  if (!take(flights_[*slot]->at_target, phase, responders()[r].face)) return ::tlm::TLM_ACCEPTED;
  if (phase == ::tlm::END_REQ) actions_.file({Event::kRequestEnds, *slot}, delay);
  if (phase != ::tlm::BEGIN_RESP) return ::tlm::TLM_ACCEPTED;
  respond(*slot, delay);
  return ::tlm::TLM_COMPLETED;
}

/// What a target has and has not answered: the one between BEGIN_REQ and END_REQ, or one whose request has ended.
std::optional<EstimatedInterconnect::Slot> EstimatedInterconnect::held(std::size_t responder, const Payload& p) const {
  const auto& requesting = responders()[responder].requesting;
  if (requesting && flights_[*requesting]->forwarded == &p) return requesting;
  const auto found = at_targets_.find(&p);
  if (found == at_targets_.end() || flights_[found->second]->responder != responder) return std::nullopt;
  return found->second;
}

void EstimatedInterconnect::request_ends(Slot slot) {
  const Flight& f = *flights_[slot];
  Responder& responder = responders()[f.responder];
  if (responder.requesting != slot) return;
  if (f.at_target == TargetState::kRequestEnded) at_targets_[f.forwarded] = slot;
  responder.requesting.reset();
  hand_request(responder);
}

/// The target's part is over `delay` from now. That its request is, too, comes as an action of its own: it is inside a
/// call.
void EstimatedInterconnect::respond(Slot slot, const sc_time& delay) {
  Flight& f = *flights_[slot];
  if (!at_targets_.empty()) at_targets_.erase(f.forwarded);
  const Responder& responder = responders()[f.responder];
  if (responder.requesting == slot) actions_.file({Event::kRequestEnds, slot}, delay);
  make(responder.face.node, 2 * f.responder + 1, slot, true, delay);
}

void EstimatedInterconnect::response_arrives(Slot slot) {
  Flight& f = *flights_[slot];
  Requester& requester = requesters()[f.requester];
  if (f.range != nullptr) --requester.outstanding;  // else it was refused
  if (f.original == nullptr) {
    discard(slot);
    return issue(requester);
  }
  if (f.copy != nullptr) f.copy->copy_response_to(*f.original);
  f.original->set_address(f.address);
  if (!options().dmi) f.original->set_dmi_allowed(false);
  f.ready = true;
  if (f.range != nullptr) issue(requester);
  if (!f.order) {
    requester.responses.push_back(slot);
  } else {
    requester.line_up(*f.order, [this](Slot next) { return flights_[next]->ready; });
  }
  answer(requester);
}

void EstimatedInterconnect::answer(Requester& requester) {
  while (!requester.responding && !requester.responses.empty()) {
    const Slot slot = requester.responses.front();
    requester.responses.pop_front();
    Flight& f = *flights_[slot];
    if (f.done != nullptr) {
      *f.returned = true;
      f.done->notify(sc_core::SC_ZERO_TIME);
      discard(slot);
      continue;
    }
    requester.responding = slot;
    ::tlm::tlm_phase phase = ::tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = requester.face.calls->nb_transport_bw(*f.original, phase, delay);
    if (!ends_response(status, phase, requester.face)) continue;
    if (delay == sc_core::SC_ZERO_TIME) {
      close(slot);
    } else {
      actions_.file({Event::kEnd, slot}, delay);
    }
  }
}

void EstimatedInterconnect::end(Slot slot) {
  Requester& requester = requesters()[flights_[slot]->requester];
  if (requester.responding != slot) return;
  close(slot);
  answer(requester);
}

void EstimatedInterconnect::close(Slot slot) {
  Flight& f = *flights_[slot];
  requesters()[f.requester].responding.reset();
  f.original->release();
  discard(slot);
}

/// Nobody knows of it any more.
void EstimatedInterconnect::discard(Slot slot) {
  if (flights_[slot]->copy != nullptr) flights_[slot]->copy->release();
  free_.push_back(slot);
}

}  // namespace braid::models
