#include "models/tlm/sockets/interconnect_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "routing/base/input_error.h"

namespace braid::models {

void report_wrong_use(const std::string& who, const std::string& what) {
  SC_REPORT_ERROR("/braid/tlm/use", (who + ": " + what).c_str());
}

InterconnectBase::InterconnectBase(const sc_core::sc_module_name& name, std::size_t nodes, const TlmOptions& options)
    : sc_module(name), nodes_(nodes), options_(options) {
  SC_METHOD(end_withdrawals);
  sensitive << withdrawal_;
  dont_initialize();
}

void InterconnectBase::lead(const Configuration& configuration) {
  try {
    map_ = AddressMap::of(configuration, nodes_);
  } catch (const InputError& e) {
    report_wrong_use(name(), e.what());
  }
}

void InterconnectBase::check_node(const char* kind, std::size_t node) const {
  if (node < nodes_) return;
  report_wrong_use(name(), fmt::format("{}({}): no such node; expected 0 to {}", kind, node, nodes_ - 1));
  throw InputError(fmt::format("node {}: expected 0 to {}", node, nodes_ - 1));
}

std::size_t InterconnectBase::add(const InitiatorFace& face) {
  requesters_.push_back({face});
  return requesters_.size() - 1;
}

std::size_t InterconnectBase::add(const TargetFace& face) {
  responders_.push_back({face});
  return responders_.size() - 1;
}

void InterconnectBase::end_of_elaboration() {
  for (const auto& socket : sockets_) {
    if (socket->enlist() > 0) continue;
    report_wrong_use(socket->name(), "is bound to nothing; bind a module of yours to it, or do not ask for the socket");
  }
  lead_ranges();
}

/// To each range of the map the target that takes it.
void InterconnectBase::lead_ranges() {
  std::map<NodeId, std::size_t> ranges, seen;
  for (const AddressRange& range : map_.ranges()) ++ranges[range.node];
  for (const Responder& responder : responders_) {
    if (ranges.count(responder.face.node) > 0) continue;
    report_wrong_use(responder.face.name(),
                     fmt::format("no address leads to node {}; give it a range in tlm.map, or bind no target there",
                                 responder.face.node.value));
  }
  for (const AddressRange& range : map_.ranges()) {
    std::vector<std::size_t> here;
    for (std::size_t r = 0; r < responders_.size(); ++r) {
      if (responders_[r].face.node == range.node) here.push_back(r);
    }
    if (here.empty()) {
      report_wrong_use(
          name(), fmt::format("{} leads to no target; bind one to initiator({})", to_text(range), range.node.value));
    } else if (here.size() > 1 && here.size() != ranges[range.node]) {
      report_wrong_use(name(), fmt::format("node {} has {} targets and {} ranges in tlm.map; expected a range each",
                                           range.node.value, here.size(), ranges[range.node]));
    }
    const std::size_t place = seen[range.node]++;
    target_of_range_.push_back(here.empty() ? 0 : here[std::min(place, here.size() - 1)]);
  }
}

::tlm::tlm_sync_enum InterconnectBase::nb_transport_fw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  const Requester& requester = requesters_[r];
  if (phase == ::tlm::BEGIN_REQ) {
    if (!p.has_mm()) {
      report_wrong_use(
          requester.face.name(),
          "a payload without memory manager in nb_transport_fw; set_mm() it (models/tlm/sockets/payload_pool.h), "
          "or use b_transport");
    }
    const AddressRange* range = range_of(r, p);
    p.acquire();
    return request_begins(r, p, range, phase, delay);
  }
  if (phase == ::tlm::END_RESP) {
    if (requester.responding && original(*requester.responding) == &p) {
      response_ends(*requester.responding, delay);
    } else {
      report_wrong_use(requester.face.name(), "END_RESP for a payload of which no BEGIN_RESP is open");
    }
  } else if (phase <= ::tlm::END_RESP) {  // others are ignorable
    report_wrong_use(requester.face.name(),
                     fmt::format("{} from an initiator; expected BEGIN_REQ or END_RESP", phase.get_name()));
  }
  return ::tlm::TLM_ACCEPTED;
}

bool InterconnectBase::take(TargetState& state, const ::tlm::tlm_phase& phase, const TargetFace& target) {
  if (phase > ::tlm::END_RESP) return true;  // ignorable
  if (phase != ::tlm::END_REQ && phase != ::tlm::BEGIN_RESP) {
    report_wrong_use(target.name(), fmt::format("{} from a target; expected END_REQ or BEGIN_RESP", phase.get_name()));
    return false;
  }
  const bool ends = phase == ::tlm::END_REQ;
  if (state != TargetState::kRequested && (ends || state != TargetState::kRequestEnded)) {
    report_wrong_use(target.name(), fmt::format("{} of a payload that this target does not hold, or has {}",
                                                phase.get_name(), ends ? "ended or answered" : "answered"));
    return false;
  }
  state = ends ? TargetState::kRequestEnded : TargetState::kResponded;
  return true;
}

bool InterconnectBase::ends_response(::tlm::tlm_sync_enum status, const ::tlm::tlm_phase& phase,
                                     const InitiatorFace& initiator) {
  if (status == ::tlm::TLM_ACCEPTED) return false;
  if (status == ::tlm::TLM_COMPLETED || phase == ::tlm::END_RESP) return true;
  report_wrong_use(initiator.name(),
                   fmt::format("BEGIN_RESP was answered with TLM_UPDATED and {}; expected END_RESP", phase.get_name()));
  return false;
}

bool InterconnectBase::may_wait(std::size_t r, Payload& p) const {
  const auto kind = sc_core::sc_get_current_process_handle().proc_kind();
  if (kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_) return true;
  report_wrong_use(requesters_[r].face.name(),
                   "b_transport outside of a thread, which cannot wait for the response; call it from an SC_THREAD, or "
                   "use nb_transport_fw");
  p.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
  return false;
}

void InterconnectBase::count_withdrawn(std::size_t r) {
  ++withdrawn_;
  withdrawing_.push_back(r);
  withdrawal_.notify(sc_core::SC_ZERO_TIME);
}

void InterconnectBase::end_withdrawals() {
  std::vector<std::size_t> now;
  now.swap(withdrawing_);
  for (const std::size_t r : now) go_on(requesters_[r]);
  if (std::exchange(said_withdrawn_, true)) return;
  SC_REPORT_WARNING("/braid/tlm/withdrawn",
                    fmt::format("{}: a blocking call ended without its response, by a kill or reset of its thread or "
                                "an exception; what is sent of its transaction goes on, its response is dropped. "
                                "Said once; {}.withdrawn() counts them",
                                requesters_[now.front()].face.name(), name())
                        .c_str());
}

/// Debug and direct memory access are no traffic: they take no time and, cycle-accurate, no flits.
unsigned InterconnectBase::transport_dbg(Payload& p) {
  const std::uint64_t address = p.get_address();
  const AddressRange* range = map_.find(address);
  if (range == nullptr) return 0;
  const std::uint64_t room = range->last - address;  // one less than the bytes to the range's end
  auto& target = *responders_[target_of(*range)].face.calls;
  if (p.get_data_length() > room) {
    Payload part;  // of the interconnect's own: it changes no length of others' (IEEE 1666-2011, 14.7)
    part.deep_copy_from(p);
    part.set_address(address - range->first);
    part.set_data_ptr(p.get_data_ptr());
    part.set_data_length(static_cast<unsigned>(room + 1));
    return target.transport_dbg(part);
  }
  const OffsetAddress offset(p, range->first);
  return target.transport_dbg(p);
}

bool InterconnectBase::get_direct_mem_ptr(Payload& p, ::tlm::tlm_dmi& dmi) {
  const std::uint64_t address = p.get_address();
  const AddressRange* range = map_.find(address);
  dmi.init();
  if (range == nullptr || !options_.dmi) {
    dmi.set_start_address(options_.dmi ? address : 0);
    dmi.set_end_address(options_.dmi ? address : ~sc_dt::uint64{0});
    return false;
  }
  const OffsetAddress offset(p, range->first);
  const bool granted = responders_[target_of(*range)].face.calls->get_direct_mem_ptr(p, dmi);
  const std::uint64_t most = range->last - range->first;
  dmi.set_start_address(range->first + std::min<std::uint64_t>(dmi.get_start_address(), most));
  dmi.set_end_address(range->first + std::min<std::uint64_t>(dmi.get_end_address(), most));
  return granted;
}

void InterconnectBase::invalidate_direct_mem_ptr(std::size_t r, sc_dt::uint64 first, sc_dt::uint64 last) {
  for (const AddressRange& range : map_.ranges()) {
    const std::uint64_t most = range.last - range.first;
    if (target_of(range) != r || first > most) continue;
    const std::uint64_t to = range.first + std::min<std::uint64_t>(last, most);
    for (const Requester& initiator : requesters_) {
      initiator.face.calls->invalidate_direct_mem_ptr(range.first + first, to);
    }
  }
}

}  // namespace braid::models
