#include "models/stages/myrinet/switch_stage.h"

#include <utility>

namespace braid::models::stages::myrinet {

class SwitchStage::OtherStep final : public Stage {
 public:
  OtherStep(const char* name, const SwitchStage& stage, Part part, Works works)
      : Stage(name), stage_(stage), part_(std::move(part)), works_(std::move(works)) {}
  bool has_work(std::uint64_t /*cycle*/) override { return stage_.slice_ != nullptr && works_(*stage_.slice_); }

 private:
  void step(std::uint64_t cycle) override {
    if (stage_.slice_ != nullptr) part_(*stage_.slice_, cycle);
  }
  const SwitchStage& stage_;
  const Part part_;
  const Works works_;
};

SwitchStage::SwitchStage(const sc_core::sc_module_name& name) : Stage(name) {}
SwitchStage::~SwitchStage() = default;

void SwitchStage::also(const char* name, StepClock& clock, Part part, Works works) {
  others_.push_back(std::make_unique<OtherStep>(name, *this, std::move(part), std::move(works)));
  others_.back()->clk_i(clock);
}

void SwitchStage::end_of_elaboration() {
  Stage::end_of_elaboration();
  if (auto* registers = dynamic_cast<SliceBank*>(bank())) slice_ = &registers->slice();
}

}  // namespace braid::models::stages::myrinet
