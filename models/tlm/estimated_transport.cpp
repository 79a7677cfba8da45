// EstimatedInterconnect: how a transaction goes.
#include <fmt/format.h>

#include <algorithm>

#include "models/tlm/estimated_interconnect.h"
#include "models/tlm/extensions.h"
#include "models/tlm/payload_refusal.h"
#include "models/tlm/wire_format.h"

namespace braid::models {

using sc_core::sc_time;

/// In packets, as Carrier cuts them; the last one's arrival.
sc_time EstimatedInterconnect::carried(NodeId from, NodeId to, std::size_t bytes, const sc_time& delay) {
  const sc_time::value_type now = sc_core::sc_time_stamp().value();
  const std::uint64_t cycle = (now + delay.value()) / period_;
  const std::size_t most = std::size_t{options_.packet_flits - 1} * options_.flit_bytes;
  std::uint64_t there = 0;
  for (std::size_t left = bytes;; left -= most) {
    const std::size_t part = std::min(left, most);
    const auto flits = static_cast<std::uint32_t>(1 + (part + options_.flit_bytes - 1) / options_.flit_bytes);
    there = std::max(there, timing_->deliver(from, to, flits, cycle));
    if (left == part) break;
  }
  return sc_time::from_value(there * period_ - now);
}

void EstimatedInterconnect::b_transport(std::size_t r, Payload& p, sc_time& delay) {
  if (!timing_->annotates()) return blocking_by_phases(r, p, delay);
  const Requester& requester = requesters_[r];
  if (const auto status = payload_refusal(p, options_, map(), *requester.face)) {
    p.set_response_status(*status);
    return;
  }
  const AddressRange& range = *map().find(p.get_address());
  const std::uint64_t address = p.get_address();
  delay = carried(requester.node, range.node, request_bytes(p), delay);
  p.set_address(address - range.first);
  responders_[target_of(range)].face->b_transport(p, delay);
  p.set_address(address);
  if (!options_.dmi) p.set_dmi_allowed(false);
  if (p.is_write() && p.get_extension<StreamExtension>() != nullptr) return;
  delay = carried(range.node, requester.node, response_bytes(p), delay);
}

/// As one that is made of phases, by a payload with a memory manager.
void EstimatedInterconnect::blocking_by_phases(std::size_t r, Payload& p, sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event event;
  bool done = false;
  const Slot slot = open(r, p);
  Flight& f = flights_[slot];
  f.done = &event;
  f.returned = &done;
  f.forwarded = &pool_.take();
  f.forwarded->deep_copy_from(p);  // extensions, too; then what it points to is the original's
  begin(slot);
  while (!done) sc_core::wait(event);
}

::tlm::tlm_sync_enum EstimatedInterconnect::nb_transport_fw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                                            sc_time& delay) {
  Requester& requester = requesters_[r];
  if (phase == ::tlm::BEGIN_REQ) {
    if (!p.has_mm()) {
      report_wrong_use(requester.face->name(),
                       "a payload without memory manager in nb_transport_fw; set_mm() it (models/tlm/payload_pool.h), "
                       "or use b_transport");
    }
    p.acquire();
    const Slot slot = open(r, p);
    flights_[slot].forwarded = &p;
    actions_.file({Event::kBegin, slot}, delay);
  } else if (phase == ::tlm::END_RESP) {
    if (!requester.responding || flights_[*requester.responding].original != &p) {
      report_wrong_use(requester.face->name(), "END_RESP for a payload of which no BEGIN_RESP is open");
      return ::tlm::TLM_ACCEPTED;
    }
    actions_.file({Event::kEnd, *requester.responding}, delay);
  }
  return ::tlm::TLM_ACCEPTED;
}

EstimatedInterconnect::Slot EstimatedInterconnect::open(std::size_t r, Payload& p) {
  if (free_.empty()) {
    free_.push_back(static_cast<Slot>(flights_.size()));
    flights_.emplace_back();
  }
  const Slot slot = free_.back();
  free_.pop_back();
  Flight& f = flights_[slot];
  f = Flight{};
  f.original = &p;
  f.requester = r;
  f.address = p.get_address();
  if (const auto* order = p.get_extension<OrderExtension>()) f.order = order->id;
  return slot;
}

void EstimatedInterconnect::act(const Action& action) {
  switch (action.event) {
    case Event::kBegin:
      return begin(action.slot);
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

void EstimatedInterconnect::begin(Slot slot) {
  Flight& f = flights_[slot];
  Requester& requester = requesters_[f.requester];
  if (f.order) requester.ordered[*f.order].push_back(slot);
  if (const auto status = payload_refusal(*f.original, options_, map(), *requester.face)) {
    f.original->set_response_status(*status);
    if (f.done == nullptr) {
      ::tlm::tlm_phase phase = ::tlm::END_REQ;
      sc_time delay = sc_core::SC_ZERO_TIME;
      requester.face->nb_transport_bw(*f.original, phase, delay);
    }
    return response_arrives(slot);
  }
  f.range = map().find(f.address);
  f.responder = target_of(*f.range);
  requester.waiting.push_back(slot);
  issue(requester);
}

/// A request goes, as many of an initiator as may be under way. Its initiator may make the next one.
void EstimatedInterconnect::issue(Requester& requester) {
  while (!requester.waiting.empty() && requester.outstanding < options_.outstanding) {
    const Slot slot = requester.waiting.front();
    requester.waiting.pop_front();
    ++requester.outstanding;
    Flight& f = flights_[slot];
    f.in_network = true;
    const sc_time way = carried(requester.node, f.range->node, request_bytes(*f.original), sc_core::SC_ZERO_TIME);
    sc_time& last = last_request_[f.requester][f.responder];
    last = std::max(last, sc_core::sc_time_stamp() + way);
    actions_.file({Event::kRequestArrives, slot}, last - sc_core::sc_time_stamp());
    if (f.done != nullptr) continue;
    ::tlm::tlm_phase phase = ::tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    requester.face->nb_transport_bw(*f.original, phase, delay);
  }
}

void EstimatedInterconnect::request_arrives(Slot slot) {
  Flight& f = flights_[slot];
  f.forwarded->set_address(f.address - f.range->first);
  if (f.done != nullptr) {  // of a blocking call only what it points to is shared
    f.forwarded->set_data_ptr(f.original->get_data_ptr());
    f.forwarded->set_byte_enable_ptr(f.original->get_byte_enable_ptr());
  }
  at_targets_[f.forwarded] = slot;
  Responder& responder = responders_[f.responder];
  responder.requests.push_back(slot);
  hand_request(responder);
}

void EstimatedInterconnect::hand_request(Responder& responder) {
  while (!responder.requesting && !responder.requests.empty()) {
    const Slot slot = responder.requests.front();
    responder.requests.pop_front();
    responder.requesting = slot;
    ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = responder.face->nb_transport_fw(*flights_[slot].forwarded, phase, delay);
    if (status == ::tlm::TLM_ACCEPTED) return;
    const bool responds = status == ::tlm::TLM_COMPLETED || phase == ::tlm::BEGIN_RESP;
    if (responds && status == ::tlm::TLM_UPDATED) {
      ::tlm::tlm_phase last = ::tlm::END_RESP;
      sc_time at = delay;
      responder.face->nb_transport_fw(*flights_[slot].forwarded, last, at);
    }
    if (responds) {
      if (delay == sc_core::SC_ZERO_TIME) responder.requesting.reset();
      respond(slot, delay);
    } else if (phase == ::tlm::END_REQ) {
      actions_.file({Event::kRequestEnds, slot}, delay);
    }
  }
}

::tlm::tlm_sync_enum EstimatedInterconnect::nb_transport_bw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                                            sc_time& delay) {
  const auto found = at_targets_.find(&p);
  if (found == at_targets_.end() || flights_[found->second].responder != r) {
    report_wrong_use(responders_[r].face->name(), "a phase of a payload that this target does not hold");
    return ::tlm::TLM_ACCEPTED;
  }
  const Slot slot = found->second;
  if (phase == ::tlm::END_REQ) actions_.file({Event::kRequestEnds, slot}, delay);
  if (phase != ::tlm::BEGIN_RESP) return ::tlm::TLM_ACCEPTED;
  respond(slot, delay);
  return ::tlm::TLM_COMPLETED;
}

void EstimatedInterconnect::request_ends(Slot slot) {
  Responder& responder = responders_[flights_[slot].responder];
  if (responder.requesting != slot) return;
  responder.requesting.reset();
  hand_request(responder);
}

/// The target's part is over `delay` from now. That its request is, too, comes as an action of its own: it is inside a
/// call.
void EstimatedInterconnect::respond(Slot slot, const sc_time& delay) {
  Flight& f = flights_[slot];
  at_targets_.erase(f.forwarded);
  if (responders_[f.responder].requesting == slot) actions_.file({Event::kRequestEnds, slot}, delay);
  const bool pushed = f.original->is_write() && f.original->get_extension<StreamExtension>() != nullptr;
  const NodeId from = responders_[f.responder].node, to = requesters_[f.requester].node;
  const sc_time way = pushed ? delay : carried(from, to, response_bytes(*f.forwarded), delay);
  actions_.file({Event::kResponseArrives, slot}, way);
}

void EstimatedInterconnect::response_arrives(Slot slot) {
  Flight& f = flights_[slot];
  Requester& requester = requesters_[f.requester];
  if (f.done != nullptr) {
    if (f.in_network) f.original->set_response_status(f.forwarded->get_response_status());
    f.original->set_dmi_allowed(f.forwarded->is_dmi_allowed());
    f.forwarded->set_data_ptr(nullptr);
    f.forwarded->set_byte_enable_ptr(nullptr);
    f.forwarded->release();
  }
  f.original->set_address(f.address);
  if (!options_.dmi) f.original->set_dmi_allowed(false);
  f.ready = true;
  if (f.in_network) {
    f.in_network = false;
    --requester.outstanding;
    issue(requester);
  }
  if (!f.order) {
    requester.responses.push_back(slot);
  } else {
    std::deque<Slot>& mine = requester.ordered[*f.order];
    while (!mine.empty() && flights_[mine.front()].ready) {
      requester.responses.push_back(mine.front());
      mine.pop_front();
    }
  }
  answer(requester);
}

void EstimatedInterconnect::answer(Requester& requester) {
  while (!requester.responding && !requester.responses.empty()) {
    const Slot slot = requester.responses.front();
    requester.responses.pop_front();
    Flight& f = flights_[slot];
    if (f.done != nullptr) {
      *f.returned = true;
      f.done->notify(sc_core::SC_ZERO_TIME);
      free_.push_back(slot);
      continue;
    }
    requester.responding = slot;
    ::tlm::tlm_phase phase = ::tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = requester.face->nb_transport_bw(*f.original, phase, delay);
    const bool ends = status == ::tlm::TLM_COMPLETED || (status == ::tlm::TLM_UPDATED && phase == ::tlm::END_RESP);
    if (!ends) continue;
    if (delay == sc_core::SC_ZERO_TIME) {
      close(slot);
    } else {
      actions_.file({Event::kEnd, slot}, delay);
    }
  }
}

void EstimatedInterconnect::end(Slot slot) {
  Requester& requester = requesters_[flights_[slot].requester];
  if (requester.responding != slot) return;
  close(slot);
  answer(requester);
}

void EstimatedInterconnect::close(Slot slot) {
  Flight& f = flights_[slot];
  requesters_[f.requester].responding.reset();
  f.original->release();
  free_.push_back(slot);
}

}  // namespace braid::models
