// ProtocolMonitor: direct memory and debug access.
#include <fmt/format.h>

#include "models/tlm/checker/protocol_rules.h"

namespace braid::models {
namespace {

using Payload = ::tlm::tlm_generic_payload;

/// A descriptor as `tlm_dmi::init` leaves it.
bool is_initial(const ::tlm::tlm_dmi& d) {
  const ::tlm::tlm_dmi initial;
  return d.get_dmi_ptr() == initial.get_dmi_ptr() && d.get_granted_access() == initial.get_granted_access() &&
         d.get_start_address() == initial.get_start_address() && d.get_end_address() == initial.get_end_address() &&
         d.get_read_latency() == initial.get_read_latency() && d.get_write_latency() == initial.get_write_latency();
}

}  // namespace

ProtocolMonitor::Direct ProtocolMonitor::before_dmi(const Payload& trans, const ::tlm::tlm_dmi& descriptor) {
  if (invalidating_ > 0) {
    report(ProtocolRule::kDmiReentered, nullptr, "get_direct_mem_ptr inside invalidate_direct_mem_ptr");
  }
  if (!is_initial(descriptor)) {
    report(ProtocolRule::kDmiInitial, nullptr, "get_direct_mem_ptr with a descriptor that has been used");
  }
  if (!trans.is_read() && !trans.is_write()) {
    report(ProtocolRule::kDmiCommand, &trans, "get_direct_mem_ptr with the command ignore");
  }
  if (trans.get_gp_option() == ::tlm::TLM_FULL_PAYLOAD_ACCEPTED) {
    report(ProtocolRule::kDirectOption, &trans, "get_direct_mem_ptr with TLM_FULL_PAYLOAD_ACCEPTED");
  }
  // Of a payload for DMI command and address alone have a meaning.
  return {trans.get_command(), nullptr, 0, 0, trans.get_address(), trans.get_gp_option(), Moment::present()};
}

void ProtocolMonitor::after_dmi(const Payload& trans, const Direct& call, const ::tlm::tlm_dmi& descriptor,
                                bool granted) {
  check_direct(trans, call, "get_direct_mem_ptr");
  if (trans.get_command() != call.command) {
    report(ProtocolRule::kDirectModified, &trans, "get_direct_mem_ptr changed the command");
  }
  if (!granted) return;
  const bool in_range = descriptor.get_start_address() <= call.address && call.address <= descriptor.get_end_address();
  if (descriptor.get_dmi_ptr() != nullptr && !descriptor.is_none_allowed() && in_range) return;
  report(
      ProtocolRule::kDmiDescriptor, nullptr,
      fmt::format("DMI granted for {:#x} with pointer {}, access {}, range {:#x} .. {:#x}", call.address,
                  descriptor.get_dmi_ptr() == nullptr ? "null" : "set", descriptor.is_none_allowed() ? "none" : "some",
                  descriptor.get_start_address(), descriptor.get_end_address()));
}

ProtocolMonitor::Invalidation ProtocolMonitor::before_invalidation(std::uint64_t first, std::uint64_t last) {
  if (first > last) {
    report(ProtocolRule::kDmiInvalidation, nullptr, fmt::format("DMI invalidated from {:#x} to {:#x}", first, last));
  }
  return {Moment::present(), Inside(invalidating_)};
}

void ProtocolMonitor::after_invalidation(const Invalidation& call) {
  if (!call.moment.is_past()) return;
  report(ProtocolRule::kDirectWaited, nullptr, "return of invalidate_direct_mem_ptr later than its call");
}

ProtocolMonitor::Direct ProtocolMonitor::before_debug(const Payload& trans) {
  if (trans.get_data_length() > 0 && trans.get_data_ptr() == nullptr) {
    report(ProtocolRule::kDebugPointer, &trans, "transport_dbg with data pointer null");
  }
  if (trans.get_gp_option() == ::tlm::TLM_FULL_PAYLOAD_ACCEPTED) {
    report(ProtocolRule::kDirectOption, &trans, "transport_dbg with TLM_FULL_PAYLOAD_ACCEPTED");
  }
  const unsigned length = trans.get_data_length();
  return {trans.get_command(),
          trans.get_data_ptr(),
          length,
          trans.is_write() ? hash_of(trans.get_data_ptr(), length) : 0,
          trans.get_address(),
          trans.get_gp_option(),
          Moment::present()};
}

void ProtocolMonitor::after_debug(const Payload& trans, const Direct& call, unsigned count) {
  check_direct(trans, call, "transport_dbg");
  if (trans.get_command() != call.command || trans.get_data_ptr() != call.data ||
      trans.get_data_length() != call.length) {
    report(ProtocolRule::kDirectModified, &trans, "transport_dbg changed command, data pointer or length");
  } else if (trans.is_write() && hash_of(call.data, call.length) != call.data_hash) {
    report(ProtocolRule::kDirectModified, &trans, "transport_dbg changed the data of a write");
  }
  if (count <= call.length) return;
  report(ProtocolRule::kDebugCount, &trans, fmt::format("transport_dbg returned {} bytes of {}", count, call.length));
}

/// What DMI and debug have in common: no time passes, and the option says only that a full payload was accepted.
void ProtocolMonitor::check_direct(const Payload& trans, const Direct& call, const char* where) {
  if (call.moment.is_past()) {
    report(ProtocolRule::kDirectWaited, &trans, fmt::format("return of {} later than its call", where));
  }
  const ::tlm::tlm_gp_option option = trans.get_gp_option();
  const bool accepted = call.option == ::tlm::TLM_FULL_PAYLOAD && option == ::tlm::TLM_FULL_PAYLOAD_ACCEPTED;
  if (option == call.option || accepted) return;
  report(ProtocolRule::kDirectOption, &trans, fmt::format("{} changed the payload option", where));
}

}  // namespace braid::models
