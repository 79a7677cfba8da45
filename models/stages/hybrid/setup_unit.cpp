#include "models/stages/hybrid/setup_unit.h"

namespace braid::models::stages::hybrid {

void SetupUnit::bind(RouterChannels& router) {
  control_valid_i(router.control_valid);
  circuit_out_o(router.circuit_out);
}

void SetupUnit::on_bank(Slice& slice, std::uint64_t cycle) { slice.take_control(cycle); }

void SetupUnit::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
