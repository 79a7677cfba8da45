// The home station's search for thresholds, where they are not given (`interface.fairness = "sat_auto"`,
// models/injection/fairness/sat_threshold_search.h): it measures the rounds of the signal and sets l = k of those to
// come.
#pragma once

#include "models/injection/fairness/sat_threshold_search.h"
#include "models/stages/base/stage.h"
#include "models/stages/sat/channels.h"

namespace braid::models::stages::sat {

class Home final : public Stage {
 public:
  InBits received_i{"received_i"};
  InBits interval_i{"interval_i"};
  InBits limited_i{"limited_i"};
  OutBits l_o{"l_o"};
  OutBits k_o{"k_o"};

  Home(const sc_core::sc_module_name& name, std::uint32_t k) : Stage(name), k_(k) {}
  /// To the registers of a network.
  void bind(Channels& channels);

 private:
  void end_of_elaboration() override;
  void step(std::uint64_t cycle) override;

  Channels* channels_ = nullptr;  // null: alone, as the rest
  SatThresholdSearch search_;
  std::uint32_t k_;
};

}  // namespace braid::models::stages::sat
