#include "models/stages/hybrid/circuit_unit.h"

namespace braid::models::stages::hybrid {

void CircuitUnit::bind(RouterChannels& router) {
  arrives_i(router.link_valid);
  lane_i(router.link_lane);
  circuit_out_i(router.circuit_out);
  taken_inputs_o(router.taken_inputs);
  taken_outputs_o(router.taken_outputs);
}

void CircuitUnit::on_bank(Slice& slice, std::uint64_t cycle) { slice.allocate_circuits(cycle); }

void CircuitUnit::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
