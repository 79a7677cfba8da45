// The process-per-stage schedule: every router an sc_module, every stage an sc_module in it with an SC_METHOD on the
// clock, and one method for the clock edge of the router's registers, a delta cycle later; what belongs to no router
// follows in the third. The kernel may run the processes of a delta in any order: the stages only read registers and
// write what is not read before the edge. Who looks earlier at the same time has the rest of the cycle run at once.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/engine/engine.h"
#include "models/observe/clock.h"

namespace braid::models {
namespace {

using Part = std::function<void()>;
using NamedPart = std::pair<std::string, Part>;  // a stage

/// What of the present cycle has run. Each part runs once: by its process, or before it, for somebody who looks.
class CycleParts {
 public:
  explicit CycleParts(Network& network)
      : network_(network),
        stages_(network.fabric().stages().size()),
        computed_(network.slice_count() * stages_),
        committed_(network.slice_count()) {}

  void compute(std::size_t slice, std::size_t stage) {
    std::uint64_t& done = computed_[slice * stages_ + stage];
    if (done > network_.now()) return;
    done = network_.now() + 1;
    network_.fabric().compute_stage(slice, stage, network_.now());
  }
  void commit(std::size_t slice) {
    if (committed_[slice] > network_.now()) return;
    committed_[slice] = network_.now() + 1;
    network_.commit(slice);
  }
  void finish() {
    for (std::size_t s = 0; s < network_.slice_count(); ++s) {
      for (std::size_t stage = 0; stage < stages_; ++stage) compute(s, stage);
    }
    for (std::size_t s = 0; s < network_.slice_count(); ++s) commit(s);
  }

 private:
  Network& network_;
  std::size_t stages_;
  std::vector<std::uint64_t> computed_;   // [slice][stage]: cycles
  std::vector<std::uint64_t> committed_;  // [slice]
};

class StageModule final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i;

  SC_HAS_PROCESS(StageModule);
  StageModule(const sc_core::sc_module_name& name, Part compute) : sc_module(name), compute_(std::move(compute)) {
    SC_METHOD(compute);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void compute() { compute_(); }

  Part compute_;
};

class RouterModule final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i;
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>> edge_i;  ///< toggles one delta after clk_i rises

  SC_HAS_PROCESS(RouterModule);
  RouterModule(const sc_core::sc_module_name& name, Part registers, const std::vector<NamedPart>& stages)
      : sc_module(name), registers_(std::move(registers)) {
    for (const NamedPart& stage : stages) {
      stages_.push_back(std::make_unique<StageModule>(stage.first.c_str(), stage.second));
      stages_.back()->clk_i(clk_i);
    }
    SC_METHOD(registers);
    sensitive << edge_i;
    dont_initialize();
  }

 private:
  void registers() { registers_(); }

  Part registers_;
  std::vector<std::unique_ptr<StageModule>> stages_;
};

class ProcessPerStageEngine final : public Engine {
 public:
  explicit ProcessPerStageEngine(Network& network)
      : Engine(network), parts_(network), module_(module_name().c_str(), *this) {}
  void wake() override {}  // it looks at every cycle

 private:
  class Module final : public sc_core::sc_module {
   public:
    sc_core::sc_clock clk;

    SC_HAS_PROCESS(Module);
    Module(const sc_core::sc_module_name& name, ProcessPerStageEngine& engine)
        : sc_module(name), clk("clk", engine.period(), 0.5, sc_core::SC_ZERO_TIME, true), engine_(engine) {
      for (std::size_t s = 0; s < engine.network_.slice_count(); ++s) add_router(s);
      SC_METHOD(rise);
      sensitive << clk.posedge_event();
      dont_initialize();
      SC_METHOD(settle);
      sensitive << edge_;
      dont_initialize();
      SC_METHOD(end);
      sensitive << settled_;
      dont_initialize();
      SC_METHOD(hand_over);
      sensitive << ended_;
      dont_initialize();
    }

   private:
    void add_router(std::size_t slice) {
      const std::string name = fmt::format("router_{}", slice);
      ProcessPerStageEngine& engine = engine_;
      const auto part = [&engine](auto run) {
        return [&engine, run] {
          if (engine.network_.now() != engine.edge()) return;  // somebody looked before
          engine.begin_cycle();
          run(engine.parts_);
        };
      };
      std::vector<NamedPart> stages;
      for (const std::string& stage : engine.network_.fabric().stages()) {
        const std::size_t i = stages.size();
        stages.emplace_back(stage, part([slice, i](CycleParts& parts) { parts.compute(slice, i); }));
      }
      const Part registers = part([slice](CycleParts& parts) { parts.commit(slice); });
      routers_.push_back(std::make_unique<RouterModule>(name.c_str(), registers, stages));
      routers_.back()->clk_i(clk);
      routers_.back()->edge_i(edge_);
    }
    void rise() { edge_.write(!edge_.read()); }
    void settle() { settled_.notify(sc_core::SC_ZERO_TIME); }
    /// All registers of routers are settled.
    void end() {
      engine_.settled();
      if (engine_.watched()) ended_.notify(sc_core::SC_ZERO_TIME);
    }
    void hand_over() { engine_.hand_over(); }

    ProcessPerStageEngine& engine_;
    sc_core::sc_signal<bool> edge_{"edge"};
    sc_core::sc_event settled_{"settled"}, ended_{"ended"};
    std::vector<std::unique_ptr<RouterModule>> routers_;
  };

  void finish_cycle() override {
    parts_.finish();
    end_cycle();
  }

  CycleParts parts_;
  Module module_;
};

}  // namespace

std::unique_ptr<Engine> make_process_per_stage_engine(Network& network) {
  return std::make_unique<ProcessPerStageEngine>(network);
}

}  // namespace braid::models
