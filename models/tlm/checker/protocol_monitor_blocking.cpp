#include <fmt/format.h>

#include "models/tlm/checker/protocol_rules.h"

namespace braid::models {

void ProtocolMonitor::before_blocking(const Payload& trans, const sc_core::sc_time& delay) {
  if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_) {
    report(ProtocolRule::kBlockingInMethod, &trans, "b_transport in an SC_METHOD");
  }
  check_not_nested(trans, forward_, "b_transport", "nb_transport_fw");
  check_not_nested(trans, backward_, "b_transport", "nb_transport_bw");
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

}  // namespace braid::models
