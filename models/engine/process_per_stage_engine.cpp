// The process-per-stage schedule: the network is the modules of its hardware view (models/stages), and every stage is a
// process of its own. What belongs to no router follows when all their steps have run. Who looks earlier at the same
// time has the rest of the cycle run at once.
#include <memory>
#include <systemc>
#include <vector>

#include "models/engine/engine.h"
#include "models/stages/base/hardware_view.h"
#include "models/stages/base/heap.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"

namespace braid::models {
namespace {

class ProcessPerStageEngine final : public Engine {
 public:
  explicit ProcessPerStageEngine(Network& network) : Engine(network), module_(module_name().c_str(), *this) {}
  void wake() override {}  // it looks at every cycle

 private:
  class Module final : public sc_core::sc_module {
   public:
    SC_HAS_PROCESS(Module);
    Module(const sc_core::sc_module_name& name, ProcessPerStageEngine& engine) : sc_module(name), engine_(engine) {
      Network& network = engine.network_;
      engine.clocks_ = std::make_unique<stages::StepClocks>(stages::steps_of(architecture(), network.configuration()));
      auto at_the_front = std::make_unique<stages::AtTheFront>();
      engine.views_ = stages::make_views(
          architecture(), {network.configuration(), network.topology(), network.fabric(), network.slice_count(),
                           *engine.clocks_, [&network](std::size_t slice) { network.run_nodes(slice); }, network.gate(),
                           [&network](NodeId node) { return network.waiting(node); }, network.in_transit(),
                           network.event_lines(), [&network] { network.run_all_nodes(); }});
      at_the_front.reset();
      for (const auto& view : engine.views_) {
        if (view->runs_gate()) network.leave_gate_to_modules();
        if (view->runs_in_transit()) network.leave_in_transit_to_modules();
      }
      SC_METHOD(run_steps);
      sensitive << edge_;
      SC_METHOD(hand_over);
      sensitive << settled_;
      dont_initialize();
    }

    /// Runs what of the network's cycle has not run.
    void finish() {
      if (stepped_ == engine_.network_.now() + 1) return;
      engine_.clocks_->begin(engine_.network_.now());
      engine_.clocks_->finish();
    }

   private:
    void start_of_simulation() override { stages::gather_heap_on_huge_pages(); }
    std::string architecture() const { return fabric_options().read(engine_.network_.configuration()).architecture; }

    /// The edge of a cycle, and a delta for each of its steps: its clock rises by what stands when the step before is
    /// over, and its stages run behind this process. A step in which nobody has anything to do takes none.
    void run_steps() {
      stages::StepClocks& clocks = *engine_.clocks_;
      if (step_ == 0) {
        edge_.notify(engine_.period());
        if (engine_.network_.now() != engine_.edge()) return settled();  // somebody looked before
        engine_.begin_cycle();
        clocks.begin(engine_.network_.now());
      }
      while (step_ < clocks.size()) {
        if (!clocks[step_++].rise()) continue;
        next_trigger(sc_core::SC_ZERO_TIME);
        return;
      }
      step_ = 0;
      stepped_ = engine_.edge() + 1;
      settled();
    }
    /// All registers of routers are.
    void settled() {
      engine_.settled();
      if (engine_.watched()) settled_.notify(sc_core::SC_ZERO_TIME);
    }
    void hand_over() { engine_.hand_over(); }

    ProcessPerStageEngine& engine_;
    sc_core::sc_event edge_{"edge"}, settled_{"settled"};
    std::size_t step_ = 0;       // of the present edge, that comes next
    std::uint64_t stepped_ = 0;  // cycles, until the last of which every step had its delta
  };

  void finish_cycle() override {
    module_.finish();
    end_cycle();
    stages::RegisterChannel::settle_watched();
  }

  // What is in the module dies when it has (stages::AtTheFront).
  std::unique_ptr<stages::StepClocks> clocks_;
  std::vector<std::unique_ptr<stages::HardwareView>> views_;
  Module module_;
};

}  // namespace

std::unique_ptr<Engine> make_process_per_stage_engine(Network& network) {
  return std::make_unique<ProcessPerStageEngine>(network);
}

}  // namespace braid::models
