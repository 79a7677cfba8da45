// The process-per-stage schedule: every router an sc_module, every stage an sc_module in it with an SC_METHOD on the
// clock, and one method for the clock edge of the router's registers, a delta cycle later. The kernel may run the
// processes of a delta in any order: the stages only read registers and write what is not read before the edge.
#include <fmt/format.h>

#include <systemc>
#include <vector>

#include "models/engine/engine.h"
#include "models/observe/clock.h"

namespace braid::models {
namespace {

class StageModule final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i;

  SC_HAS_PROCESS(StageModule);
  StageModule(const sc_core::sc_module_name& name, Network& network, std::size_t slice, std::size_t stage)
      : sc_module(name), network_(network), slice_(slice), stage_(stage) {
    SC_METHOD(compute);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void compute() { network_.fabric().compute_stage(slice_, stage_, network_.now()); }

  Network& network_;
  std::size_t slice_, stage_;
};

class RouterModule final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i;
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>> edge_i;  ///< toggles one delta after clk_i rises

  SC_HAS_PROCESS(RouterModule);
  RouterModule(const sc_core::sc_module_name& name, Network& network, std::size_t slice)
      : sc_module(name), network_(network), slice_(slice) {
    const std::vector<std::string> names = network.fabric().stages();
    for (std::size_t i = 0; i < names.size(); ++i) {
      stages_.push_back(std::make_unique<StageModule>(names[i].c_str(), network, slice, i));
      stages_.back()->clk_i(clk_i);
    }
    SC_METHOD(registers);
    sensitive << edge_i;
    dont_initialize();
  }

 private:
  void registers() { network_.commit(slice_); }

  Network& network_;
  std::size_t slice_;
  std::vector<std::unique_ptr<StageModule>> stages_;
};

class ProcessPerStage final : public sc_core::sc_module {
 public:
  sc_core::sc_clock clk;
  Engine::Observer observer;

  SC_HAS_PROCESS(ProcessPerStage);
  ProcessPerStage(const sc_core::sc_module_name& name, Network& network)
      : sc_module(name),
        clk("clk", clock_cycles(1, network.fabric().clock_period_ps()), 0.5, sc_core::SC_ZERO_TIME, true),
        network_(network) {
    for (std::size_t s = 0; s < network.slice_count(); ++s) {
      const std::string router = fmt::format("router_{}", s);
      routers_.push_back(std::make_unique<RouterModule>(router.c_str(), network, s));
      routers_.back()->clk_i(clk);
      routers_.back()->edge_i(edge_);
    }
    SC_METHOD(rise);
    sensitive << clk.posedge_event();
    dont_initialize();
    SC_METHOD(fall);
    sensitive << clk.negedge_event();
    dont_initialize();
  }

 private:
  void rise() { edge_.write(!edge_.read()); }
  /// Half a period later all registers are settled.
  void fall() {
    network_.end_cycle();
    if (observer) observer(network_.now() - 1);
  }

  Network& network_;
  sc_core::sc_signal<bool> edge_{"edge"};
  std::vector<std::unique_ptr<RouterModule>> routers_;
};

class ProcessPerStageEngine final : public Engine {
 public:
  explicit ProcessPerStageEngine(Network& network)
      : period_ps_(network.fabric().clock_period_ps()), module_("network", network) {}
  void on_cycle(Observer observer) override { module_.observer = std::move(observer); }
  void run(std::uint64_t cycles) override { sc_core::sc_start(clock_cycles(cycles, period_ps_)); }

 private:
  std::uint64_t period_ps_;
  ProcessPerStage module_;
};

}  // namespace

std::unique_ptr<Engine> make_process_per_stage_engine(Network& network) {
  return std::make_unique<ProcessPerStageEngine>(network);
}

}  // namespace braid::models
