#include "models/tlm/sockets/estimated_interconnect.h"

#include <fmt/format.h>

#include "models/engine/network.h"
#include "models/engine/simulated_time.h"

namespace braid::models {
namespace {

std::unique_ptr<PacketTiming> estimated_timing(const Configuration& configuration, const routing::Topology& topology,
                                               const routing::RoutingAlgorithm& routing) {
  auto timing = make_packet_timing(configuration, topology, routing);
  if (timing) return timing;
  throw InputError("tlm.style = \"cycle_accurate\" is the engine's, with sockets of Interconnect; expected " +
                   fmt::format("\"{}\"", fmt::join(PacketTimingRegistry::instance().names(), "\" or \"")));
}

/// A cycle, of a network that the engine would run: one is made for its refusals, and forgotten.
sc_core::sc_time::value_type checked_period(const Configuration& configuration, const routing::Topology& topology,
                                            const routing::RoutingAlgorithm& routing, const sc_core::sc_time& period) {
  Network network(configuration, topology, routing, 1);
  network.check_deadlock_free();
  if (period != sc_core::SC_ZERO_TIME) network.set_clock_period_ps(period_in_ps(period));
  return whole_period(network.clock_period_ps());
}

TlmOptions checked_tlm_options(const Configuration& configuration) {
  TlmOptions options = tlm_options().read(configuration);
  if (options.timeout_cycles > 0) {
    throw InputError("tlm.timeout_cycles needs tlm.style = \"cycle_accurate\": no estimate loses a transaction");
  }
  if (!options.circuits.empty()) {
    throw InputError("tlm.circuits needs tlm.style = \"cycle_accurate\": estimates know packets only");
  }
  return options;
}

}  // namespace

EstimatedInterconnect::EstimatedInterconnect(const sc_core::sc_module_name& name, const Configuration& configuration,
                                             const routing::Topology& topology,
                                             const routing::RoutingAlgorithm& routing, const sc_core::sc_time& period)
    : InterconnectBase(name, topology.node_count(), checked_tlm_options(configuration)),
      most_((options().packet_flits - 1) * options().flit_bytes),
      period_(checked_period(configuration, topology, routing, period)),
      timing_(estimated_timing(configuration, topology, routing)),
      annotates_(timing_->annotates()),
      actions_("actions", *this, &EstimatedInterconnect::act) {
  lead(configuration);
}
EstimatedInterconnect::~EstimatedInterconnect() = default;

void EstimatedInterconnect::end_of_elaboration() {
  InterconnectBase::end_of_elaboration();
  last_request_.assign(requesters().size(), std::vector<sc_core::sc_time>(responders().size()));
}

}  // namespace braid::models
