// A network of modules, whose steps are taken by hand: without a kernel, that may run the processes
// of a step in any order, in one that the test chooses.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/stage.h"
#include "routing/base/random.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

/// Of the processes of a step: all as they were made; or those that have something to do, reversed or shuffled anew in
/// every step.
enum class ProcessOrder { kMade, kReversed, kShuffled };

/// A network of modules whose steps are taken by hand.
class NetworkOfModules final : public sc_core::sc_module {
 public:
  NetworkOfModules(const sc_core::sc_module_name& name, const models::Experiment& e)
      : sc_module(name),
        bench_(staged(e), routing::make_topology(e).router_count()),
        architecture_(models::fabric_options().read(network().configuration()).architecture),
        clocks_(models::stages::steps_of(architecture_, network().configuration())),
        views_(models::stages::make_views(
            architecture_, {network().configuration(), network().topology(), network().fabric(),
                            network().slice_count(), clocks_, [this](std::size_t slice) { network().run_nodes(slice); },
                            network().gate(), [this](NodeId node) { return network().waiting(node); },
                            network().in_transit(), network().event_lines(), [this] { network().run_all_nodes(); }})) {
    for (const auto& view : views_) {
      if (view->runs_gate()) network().leave_gate_to_modules();
      if (view->runs_in_transit()) network().leave_in_transit_to_modules();
    }
  }
  models::Network& network() { return *bench_.network; }

  models::stages::StepClocks& clocks() { return clocks_; }

  /// `before(step)`: called before each step, and with the number of steps after the last.
  void cycle(ProcessOrder order, const std::function<void(std::size_t step)>& before = nullptr) {
    clocks_.begin(network().now());
    for (std::size_t step = 0; step < clocks_.size(); ++step) {
      if (before) before(step);
      std::vector<models::stages::Stage*> stages;
      for (models::stages::Stage* stage : clocks_[step].stages()) {
        if (order == ProcessOrder::kMade || stage->has_work(network().now())) stages.push_back(stage);
      }
      if (order == ProcessOrder::kReversed) std::reverse(stages.begin(), stages.end());
      if (order == ProcessOrder::kShuffled) {
        for (std::size_t i = stages.size(); i > 1; --i) std::swap(stages[i - 1], stages[random_.below(i)]);
      }
      for (models::stages::Stage* stage : stages) stage->run();
    }
    if (before) before(clocks_.size());
    network().end_cycle();
  }

 private:
  static models::Experiment staged(models::Experiment e) {
    e.set("simulation.schedule", "process_per_stage");
    return e;
  }

  Bench bench_;
  std::string architecture_;
  models::stages::StepClocks clocks_;
  std::vector<std::unique_ptr<models::stages::HardwareView>> views_;
  Random random_{1, "order of processes"};
};

}  // namespace braid::test
