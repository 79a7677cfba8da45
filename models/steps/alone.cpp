// What a library without SystemC has in place of the modules of models/stages: a router that is the model, all of it.
// Linked into libbraid_steps.so and into nothing else.
#include <memory>

#include "models/families/hybrid/stage_options.h"
#include "models/families/hybrid/stand_in.h"
#include "routing/base/input_error.h"

namespace braid::models::hybrid {
namespace {

/// Nobody but the model sits in a stage's seat.
class ModelledStage {
 public:
  static const char* axis() { return "stage"; }
};
using ModelledStages = Registry<ModelledStage>;

const bool modelled_stage_registered = ModelledStages::instance().add(
    kModelled, "the model's own", []() -> std::unique_ptr<ModelledStage> { return std::make_unique<ModelledStage>(); });

const OptionTable<StageOptions>& stages_alone() {
  const Policies& only = ModelledStages::instance();
  static const OptionTable<StageOptions> table = stage_table({only, only, only, only});
  return table;
}

const bool modelled_registered = StandInRegistry::instance().add(
    kModelled, "the stages as modelled", modelled_options(stages_alone()), [](const Seat&) -> std::unique_ptr<StandIn> {
      throw InputError("a section [stage] makes routers of SystemC modules: expected none here, or the program");
    });

}  // namespace
}  // namespace braid::models::hybrid
