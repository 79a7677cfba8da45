#include "models/stages/base/step_clock.h"

#include "models/stages/base/stage.h"

namespace braid::models::stages {

StepClocks::StepClocks(std::size_t steps) {
  for (std::size_t step = 0; step < steps; ++step) {
    const std::string name = step == 0 ? "clk" : "clk_" + std::to_string(step);
    clocks_.push_back(std::make_unique<StepClock>(name.c_str(), cycle_));
  }
}

void StepClocks::finish() {
  for (const auto& clock : clocks_) {
    for (Stage* stage : clock->stages()) stage->run();
  }
}

}  // namespace braid::models::stages
