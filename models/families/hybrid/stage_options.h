// What may sit in the place of a modelled router's stages (section [stage]). Who sits there are SystemC modules
// (models/stages/hybrid/stage_seat.h); a program without SystemC has the model's own, and no name but "model".
#pragma once

#include <string>

#include "routing/base/options.h"
#include "routing/base/registry.h"

namespace braid::models::hybrid {

/// What sits in the seats of the chosen routers.
struct StageOptions {
  std::string vc_allocator = "model";
  std::string switch_allocator = "model";
  std::string setup_unit = "model";
  std::string circuit_unit = "model";
};

/// Who may sit in each of them.
struct StagePolicies {
  const Policies &vc_allocator, &switch_allocator, &setup_unit, &circuit_unit;
};
OptionTable<StageOptions> stage_table(const StagePolicies& policies);
/// All keys that come with router.implementation = "model".
OptionList modelled_options(const OptionTable<StageOptions>& stages);

}  // namespace braid::models::hybrid
