#include <fmt/format.h>

#include "models/tlm/protocol_rules.h"

namespace braid::models {

void ProtocolMonitor::before_blocking(const Payload& trans, const sc_core::sc_time& delay) {
  if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_) {
    report(ProtocolRule::kBlockingInMethod, &trans, "b_transport in an SC_METHOD");
  }
  if (trans.has_mm() && trans.get_ref_count() == 0) {
    report(ProtocolRule::kReferenceCount, &trans, "b_transport of a transaction that nobody has acquired");
  }
  const auto found = in_flight_.find(&trans);
  if (found != in_flight_.end()) {
    if (found->second.blocking) {
      report(ProtocolRule::kReusedInFlight, &trans, "b_transport of a transaction in flight");
    } else {
      report(ProtocolRule::kMixedInterfaces, &trans, "b_transport of a transaction that is in nb_transport");
    }
    return;
  }
  check_request(trans, "b_transport");
  begin(trans, true, delay);
}

void ProtocolMonitor::after_blocking(const Payload& trans, const sc_core::sc_time& delay) {
  const auto found = in_flight_.find(&trans);
  if (found == in_flight_.end() || !found->second.blocking) return;  // reported when it came
  Flight& flight = found->second;
  check_unmodified(trans, flight);
  check_time(trans, flight, delay, "return of b_transport");
  answer(trans, flight, "return of b_transport");
  for (unsigned i = 0; i < flight.extensions.size(); ++i) {
    if (trans.get_extension(i) == nullptr || flight.extensions[i]) continue;
    report(ProtocolRule::kExtensionLeft, &trans, "an extension is left on a transaction without a memory manager");
    break;
  }
  end(trans);
}

void ProtocolMonitor::before_dmi() {
  if (invalidating_ == 0) return;
  report(ProtocolRule::kDmiReentered, nullptr, "get_direct_mem_ptr inside invalidate_direct_mem_ptr");
}

void ProtocolMonitor::after_dmi(std::uint64_t address, const ::tlm::tlm_dmi& descriptor, bool granted) {
  if (!granted) return;
  const bool in_range = descriptor.get_start_address() <= address && address <= descriptor.get_end_address();
  if (descriptor.get_dmi_ptr() != nullptr && !descriptor.is_none_allowed() && in_range) return;
  report(
      ProtocolRule::kDmiDescriptor, nullptr,
      fmt::format("DMI granted for {:#x} with pointer {}, access {}, range {:#x} .. {:#x}", address,
                  descriptor.get_dmi_ptr() == nullptr ? "null" : "set", descriptor.is_none_allowed() ? "none" : "some",
                  descriptor.get_start_address(), descriptor.get_end_address()));
}

void ProtocolMonitor::before_invalidation(std::uint64_t first, std::uint64_t last) {
  ++invalidating_;
  if (first <= last) return;
  report(ProtocolRule::kDmiInvalidation, nullptr, fmt::format("DMI invalidated from {:#x} to {:#x}", first, last));
}

void ProtocolMonitor::before_debug(const Payload& trans) {
  if (trans.get_data_length() == 0 || trans.get_data_ptr() != nullptr) return;
  report(ProtocolRule::kDebugPointer, &trans, "transport_dbg with data pointer null");
}

void ProtocolMonitor::after_debug(const Payload& trans, unsigned count) {
  if (count <= trans.get_data_length()) return;
  report(ProtocolRule::kDebugCount, &trans,
         fmt::format("transport_dbg returned {} bytes of {}", count, trans.get_data_length()));
}

}  // namespace braid::models
