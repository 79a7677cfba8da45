// Networks with a SAT line.
#pragma once

#include "models/injection/fairness/sat_gate.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

inline models::Experiment with_sat(models::Experiment e, const char* carrier, std::uint32_t l, std::uint32_t k) {
  e.set("interface.fairness", "sat");
  e.set("sat.carrier", carrier);
  e.set("sat.l", l);
  e.set("sat.k", k);
  return e;
}

inline const models::SatGate& gate_of(const Bench& bench) {
  return dynamic_cast<const models::SatGate&>(*bench.network->gate());
}

}  // namespace braid::test
