#include "models/families/hybrid/stage_options.h"

#include "models/families/hybrid/options.h"
#include "models/families/hybrid/stand_in.h"

namespace braid::models::hybrid {

OptionTable<StageOptions> stage_table(const StagePolicies& policies) {
  const OptionTable<StageOptions> circuits =
      OptionTable<StageOptions>("stage")
          .policy(policies.setup_unit, "setup_unit", &StageOptions::setup_unit, "set-up by backtracking")
          .policy(policies.circuit_unit, "circuit_unit", &StageOptions::circuit_unit,
                  "circuit lanes, their table and set-up");
  return OptionTable<StageOptions>("stage")
      .policy(policies.vc_allocator, "vc_allocator", &StageOptions::vc_allocator, "VA")
      .policy(policies.switch_allocator, "switch_allocator", &StageOptions::switch_allocator, "SA")
      .when("interface.switching = \"circuit\"", has_stream_circuits, circuits)
      .when("tlm.circuits", has_listed_circuits, circuits);
}

OptionList modelled_options(const OptionTable<StageOptions>& stages) {
  OptionList all = stages.list();
  const OptionList& routers = stage_routers_option();
  all.insert(all.end(), routers.begin(), routers.end());
  return all;
}

}  // namespace braid::models::hybrid
