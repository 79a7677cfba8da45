// ProtocolMonitor: non-blocking transport. Blocking transport: protocol_monitor_blocking.cpp; DMI and debug:
// protocol_monitor_direct.cpp.
#include <fmt/format.h>

#include "models/tlm/checker/protocol_rules.h"

namespace braid::models {
namespace {

using Phase = ::tlm::tlm_phase_enum;

/// Of the four of the base protocol; others are ignorable (15.2.5).
bool is_base_phase(const ::tlm::tlm_phase& phase) { return static_cast<unsigned>(phase) <= ::tlm::END_RESP; }

std::string phase_name(const ::tlm::tlm_phase& phase) { return phase.get_name(); }

}  // namespace

std::uint64_t ProtocolMonitor::hash_of(const unsigned char* bytes, unsigned length) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (unsigned i = 0; bytes != nullptr && i < length; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
  return hash;
}

void ProtocolMonitor::report(ProtocolRule rule, const Payload* trans, const std::string& what) {
  ++counts_[static_cast<std::size_t>(rule)];
  const ProtocolRuleText& text = protocol_rules()[static_cast<std::size_t>(rule)];
  std::string line = fmt::format("{}: {}; expected: {} (IEEE 1666-2011, {})", name_(), what, text.text, text.clause);
  if (trans != nullptr) line += fmt::format(" [address {:#x}]", trans->get_address());
  SC_REPORT_ERROR(fmt::format("/braid/tlm/{}", text.name).c_str(), line.c_str());
}

std::uint64_t ProtocolMonitor::count() const {
  std::uint64_t all = 0;
  for (const std::uint64_t c : counts_) all += c;
  return all;
}

void ProtocolMonitor::check_manager(const Payload& trans, const char* where) {
  if (!trans.has_mm()) {
    report(ProtocolRule::kMemoryManager, &trans, fmt::format("{} of a transaction without a memory manager", where));
  } else if (trans.get_ref_count() == 0) {
    report(ProtocolRule::kReferenceCount, &trans, fmt::format("{} of a transaction that nobody has acquired", where));
  }
}

void ProtocolMonitor::check_request(const Payload& trans, const char* where) {
  const auto refuse = [&](ProtocolRule rule, const char* what) {
    report(rule, &trans, fmt::format("{} with {}", where, what));
  };
  const bool ignored = trans.get_command() == ::tlm::TLM_IGNORE_COMMAND;
  if (trans.get_data_ptr() == nullptr && !ignored) refuse(ProtocolRule::kDataPointer, "data pointer null");
  if (trans.get_data_length() == 0 && !ignored) refuse(ProtocolRule::kDataLength, "data length 0");
  if (trans.get_byte_enable_ptr() != nullptr && trans.get_byte_enable_length() == 0) {
    refuse(ProtocolRule::kByteEnableLength, "byte enables of length 0");
  }
  if (trans.get_streaming_width() == 0) refuse(ProtocolRule::kStreamingWidth, "streaming width 0");
  if (trans.is_dmi_allowed()) refuse(ProtocolRule::kDmiHint, "the DMI hint set");
  if (trans.get_response_status() != ::tlm::TLM_INCOMPLETE_RESPONSE) {
    refuse(ProtocolRule::kInitialStatus, "a response status");
  }
  if (trans.get_gp_option() != ::tlm::TLM_MIN_PAYLOAD) refuse(ProtocolRule::kPayloadOption, "another payload option");
}

void ProtocolMonitor::begin(const Payload& trans, bool blocking, const sc_core::sc_time& delay) {
  Flight flight;
  flight.phase = ::tlm::BEGIN_REQ;
  flight.last_phase = ::tlm::BEGIN_REQ;
  flight.blocking = blocking;
  flight.has_manager = trans.has_mm();
  flight.command = trans.get_command();
  flight.option = trans.get_gp_option();
  flight.data = trans.get_data_ptr();
  flight.length = trans.get_data_length();
  flight.byte_enables = trans.get_byte_enable_ptr();
  flight.byte_enable_length = trans.get_byte_enable_length();
  flight.streaming_width = trans.get_streaming_width();
  flight.data_hash = trans.is_write() ? hash_of(flight.data, flight.length) : 0;
  flight.byte_enable_hash = hash_of(flight.byte_enables, flight.byte_enable_length);
  if (!flight.has_manager) {
    for (unsigned i = 0; i < ::tlm::max_num_extensions(); ++i) {
      flight.extensions.push_back(trans.get_extension(i) != nullptr);
    }
  }
  flight.time = sc_core::sc_time_stamp() + delay;
  in_flight_[&trans] = std::move(flight);
  ++begun_;
}

void ProtocolMonitor::end(const Payload& trans) {
  if (request_ == &trans) request_ = nullptr;
  if (response_ == &trans) response_ = nullptr;
  completed_ += in_flight_.erase(&trans);
}

void ProtocolMonitor::check_unmodified(const Payload& trans, const Flight& flight) {
  if (trans.has_mm() != flight.has_manager) {
    report(ProtocolRule::kMemoryManagerChanged, &trans, "the memory manager was set or taken away in flight");
  }
  if (trans.get_gp_option() != flight.option) {
    report(ProtocolRule::kPayloadOption, &trans, "the payload option was changed in flight");
  }
  if (trans.get_command() != flight.command || trans.get_data_ptr() != flight.data ||
      trans.get_data_length() != flight.length || trans.get_byte_enable_ptr() != flight.byte_enables ||
      trans.get_byte_enable_length() != flight.byte_enable_length ||
      trans.get_streaming_width() != flight.streaming_width) {
    report(ProtocolRule::kAttributeModified, &trans, "an attribute was changed in flight");
    return;  // what it points to now says nothing
  }
  const std::uint64_t hash = hash_of(flight.data, flight.length);
  if (trans.is_write() && hash != flight.data_hash) {
    report(ProtocolRule::kWriteDataModified, &trans, "the data of a write was changed in flight");
  }
  if (hash_of(flight.byte_enables, flight.byte_enable_length) != flight.byte_enable_hash) {
    report(ProtocolRule::kByteEnablesModified, &trans, "byte enables were changed in flight");
  }
  if (flight.answered &&
      (trans.get_response_status() != flight.status || (trans.is_read() && hash != flight.data_hash))) {
    report(ProtocolRule::kResponseModified, &trans, "status or data was changed after the response had begun");
  }
}

void ProtocolMonitor::check_time(const Payload& trans, Flight& flight, const sc_core::sc_time& delay,
                                 const char* where) {
  const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
  if (time < flight.time) {
    report(ProtocolRule::kTimeDecreased, &trans,
           fmt::format("{} at {}, after a call or return at {}", where, time.to_string(), flight.time.to_string()));
  }
  flight.time = time;
}

void ProtocolMonitor::answer(const Payload& trans, Flight& flight, const char* where) {
  if (trans.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE) {
    report(ProtocolRule::kNoResponseStatus, &trans, fmt::format("{} without a response status", where));
  }
  flight.answered = true;
  flight.status = trans.get_response_status();
  if (trans.is_read()) flight.data_hash = hash_of(flight.data, flight.length);
}

void ProtocolMonitor::forward_phase(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                                    const char* where) {
  const auto found = in_flight_.find(&trans);
  if (phase != ::tlm::END_RESP) {
    report(ProtocolRule::kPhaseDirection, &trans, fmt::format("{} with {}", where, phase_name(phase)));
  } else if (found == in_flight_.end()) {
    report(ProtocolRule::kUnknownTransaction, &trans, fmt::format("{} of a transaction not in flight", where));
  } else {
    check_time(trans, found->second, delay, where);
    if (found->second.phase != ::tlm::BEGIN_RESP) {
      report(ProtocolRule::kPhaseOrder, &trans, fmt::format("{} with END_RESP before BEGIN_RESP", where));
    }
    end(trans);
  }
}

void ProtocolMonitor::backward_phase(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                                     const char* where) {
  const auto found = in_flight_.find(&trans);
  if (phase != ::tlm::END_REQ && phase != ::tlm::BEGIN_RESP) {
    report(ProtocolRule::kPhaseDirection, &trans, fmt::format("{} with {}", where, phase_name(phase)));
    return;
  }
  if (found == in_flight_.end() || found->second.blocking) {
    report(ProtocolRule::kUnknownTransaction, &trans, fmt::format("{} of a transaction not in flight", where));
    return;
  }
  Flight& flight = found->second;
  check_time(trans, flight, delay, where);
  const bool in_order =
      flight.phase == ::tlm::BEGIN_REQ || (flight.phase == ::tlm::END_REQ && phase == ::tlm::BEGIN_RESP);
  if (!in_order) {
    report(ProtocolRule::kPhaseOrder, &trans,
           fmt::format("{} with {} after {}", where, phase_name(phase), phase_name(::tlm::tlm_phase(flight.phase))));
  }
  if (request_ == &trans) request_ = nullptr;
  flight.phase = static_cast<Phase>(static_cast<unsigned>(phase));
  flight.last_phase = phase;
  if (phase == ::tlm::END_REQ) return;
  if (response_ != nullptr && response_ != &trans) {
    report(ProtocolRule::kResponseExclusion, &trans,
           fmt::format("{} with BEGIN_RESP while another one has not ended", where));
  }
  response_ = &trans;
  answer(trans, flight, where);
}

void ProtocolMonitor::ignorable_phase(const Payload& trans, const ::tlm::tlm_phase& phase,
                                      const sc_core::sc_time& delay, const char* where) {
  const auto found = in_flight_.find(&trans);
  if (found == in_flight_.end()) {
    report(ProtocolRule::kIgnorableOutside, &trans,
           fmt::format("{} with {} of a transaction not in flight", where, phase_name(phase)));
    return;
  }
  Flight& flight = found->second;
  if (flight.blocking) {
    report(ProtocolRule::kMixedInterfaces, &trans, fmt::format("{} of a transaction that is in b_transport", where));
    return;
  }
  check_time(trans, flight, delay, where);
  if (flight.last_phase == phase) {
    report(ProtocolRule::kPhaseRepeated, &trans, fmt::format("{} with {} once more", where, phase_name(phase)));
  }
  flight.last_phase = phase;
}

/// `in`: the other call, of which `depth` go on.
void ProtocolMonitor::check_not_nested(const Payload& trans, std::size_t depth, const char* where, const char* in) {
  if (depth > 0) report(ProtocolRule::kNestedCall, &trans, fmt::format("{} inside {}", where, in));
}

ProtocolMonitor::NonBlocking ProtocolMonitor::before_fw(const Payload& trans, const ::tlm::tlm_phase& phase,
                                                        const sc_core::sc_time& delay) {
  const char* const where = "nb_transport_fw";
  NonBlocking call{phase, delay, Moment::present(), Inside(forward_)};
  check_not_nested(trans, backward_, where, "nb_transport_bw");
  check_manager(trans, where);
  if (!is_base_phase(phase)) {
    ignorable_phase(trans, phase, delay, where);
    return call;
  }
  const auto found = in_flight_.find(&trans);
  if (found != in_flight_.end() && found->second.blocking) {
    report(ProtocolRule::kMixedInterfaces, &trans, "nb_transport_fw of a transaction that is in b_transport");
    return call;
  }
  if (phase != ::tlm::BEGIN_REQ) {
    if (found != in_flight_.end()) check_unmodified(trans, found->second);
    forward_phase(trans, phase, delay, where);
    return call;
  }
  if (found != in_flight_.end()) {
    report(ProtocolRule::kReusedInFlight, &trans, "BEGIN_REQ of a transaction in flight");
    return call;
  }
  check_request(trans, "BEGIN_REQ");
  if (request_ != nullptr) {
    report(ProtocolRule::kRequestExclusion, &trans, "BEGIN_REQ while another request has not ended");
  }
  request_ = &trans;
  begin(trans, false, delay);
  return call;
}

void ProtocolMonitor::after_fw(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                               const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status) {
  const char* const where = "return of nb_transport_fw";
  check_return(trans, call, phase, delay, status, where);
  const auto found = in_flight_.find(&trans);
  const bool open = found != in_flight_.end() && !found->second.blocking;
  if (open) check_unmodified(trans, found->second);
  if (status == ::tlm::TLM_UPDATED && is_base_phase(phase)) backward_phase(trans, phase, delay, where);
  if (status == ::tlm::TLM_UPDATED && !is_base_phase(phase)) ignorable_phase(trans, phase, delay, where);
  if (status != ::tlm::TLM_COMPLETED || !open) return;
  check_time(trans, found->second, delay, where);
  if (call.phase != ::tlm::BEGIN_REQ) {
    report(ProtocolRule::kCompletedTooEarly, &trans,
           fmt::format("TLM_COMPLETED from nb_transport_fw for {}", phase_name(call.phase)));
  } else if (response_ != nullptr && response_ != &trans) {
    report(ProtocolRule::kResponseExclusion, &trans, "TLM_COMPLETED for BEGIN_REQ while a response has not ended");
  } else {
    answer(trans, found->second, where);
  }
  end(trans);
}

ProtocolMonitor::NonBlocking ProtocolMonitor::before_bw(const Payload& trans, const ::tlm::tlm_phase& phase,
                                                        const sc_core::sc_time& delay) {
  const char* const where = "nb_transport_bw";
  NonBlocking call{phase, delay, Moment::present(), Inside(backward_)};
  check_not_nested(trans, forward_, where, "nb_transport_fw");
  check_manager(trans, where);
  const auto found = in_flight_.find(&trans);
  if (found != in_flight_.end() && !found->second.blocking) check_unmodified(trans, found->second);
  if (is_base_phase(phase)) {
    backward_phase(trans, phase, delay, where);
  } else {
    ignorable_phase(trans, phase, delay, where);
  }
  return call;
}

void ProtocolMonitor::after_bw(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                               const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status) {
  const char* const where = "return of nb_transport_bw";
  check_return(trans, call, phase, delay, status, where);
  const auto found = in_flight_.find(&trans);
  if (found == in_flight_.end() || found->second.blocking) return;
  check_unmodified(trans, found->second);
  if (status == ::tlm::TLM_UPDATED && is_base_phase(phase)) return forward_phase(trans, phase, delay, where);
  if (status == ::tlm::TLM_UPDATED) return ignorable_phase(trans, phase, delay, where);
  if (status != ::tlm::TLM_COMPLETED) return;
  check_time(trans, found->second, delay, where);
  if (call.phase != ::tlm::BEGIN_RESP) {
    report(ProtocolRule::kCompletedTooEarly, &trans,
           fmt::format("TLM_COMPLETED from nb_transport_bw for {}", phase_name(call.phase)));
  }
  end(trans);
}

void ProtocolMonitor::check_return(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                                   const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status, const char* where) {
  if (call.moment.is_past()) {
    report(ProtocolRule::kWaitInNonBlocking, nullptr, fmt::format("{} later than its call", where));
  }
  if (status == ::tlm::TLM_ACCEPTED && (phase != call.phase || delay != call.delay)) {
    report(ProtocolRule::kAcceptedButChanged, &trans, fmt::format("{}, accepted, with another phase or delay", where));
  }
}

}  // namespace braid::models
