// A network that is made of modules (models/stages), on the bench: beside SystemC's clock, cycle by cycle, the stages
// of a step in the order in which they were made or the other way round. All benches of a process come before
// elaborate().
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/stage.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/elaborate.h"

namespace braid::test {

class ModuleBench : public Bench {
 public:
  /// kSleeping: as made, without stages that say they have nothing to do.
  enum class Order { kAsMade, kReversed, kSleeping };
  /// A slice a router, as the schedule has it.
  explicit ModuleBench(models::Experiment e, const char* name = "network")
      : Bench(std::move(e), kAll), top_(name, *this) {}

  void run(std::uint64_t cycles, Order order = Order::kAsMade) {
    for (std::uint64_t i = 0; i < cycles; ++i) cycle(order);
  }
  /// `before(step)`: called before each step, and with the number of steps after the last.
  void cycle(Order order, const std::function<void(std::size_t step)>& before = nullptr) {
    top_.clocks.begin(network->now());
    for (std::size_t s = 0; s < top_.clocks.size(); ++s) {
      if (before) before(s);
      std::vector<models::stages::Stage*> stages = top_.clocks[s].stages();
      if (order == Order::kReversed) std::reverse(stages.begin(), stages.end());
      if (order == Order::kSleeping) {
        const auto asleep = [this](models::stages::Stage* stage) { return !stage->has_work(network->now()); };
        stages.erase(std::remove_if(stages.begin(), stages.end(), asleep), stages.end());
      }
      for (models::stages::Stage* stage : stages) stage->run();
    }
    if (before) before(top_.clocks.size());
    network->end_cycle();
  }
  std::size_t steps() const { return top_.clocks.size(); }

 private:
  static constexpr std::size_t kAll = 1000000;
  struct Top : sc_core::sc_module {
    Top(const sc_core::sc_module_name& name, Bench& bench)
        : sc_module(name),
          clocks(models::stages::steps_of(architecture(bench), bench.network->configuration())),
          views(models::stages::make_views(architecture(bench),
                                           {bench.network->configuration(),
                                            bench.topology,
                                            bench.network->fabric(),
                                            bench.network->slice_count(),
                                            clocks,
                                            [&n = *bench.network](std::size_t slice) { n.run_nodes(slice); },
                                            bench.network->gate(),
                                            [&n = *bench.network](NodeId node) { return n.waiting(node); },
                                            {},
                                            bench.network->event_lines()})) {
      for (const auto& view : views) {
        if (view->runs_gate()) bench.network->leave_gate_to_modules();
      }
    }
    static std::string architecture(const Bench& bench) {
      return models::fabric_options().read(bench.network->configuration()).architecture;
    }
    models::stages::StepClocks clocks;
    std::vector<std::unique_ptr<models::stages::HardwareView>> views;
  };
  Top top_;
};

/// That two networks have done the same.
inline void expect_same(const Bench& one, const Bench& other, const std::string& what) {
  const models::Statistics a = one.network->merged_statistics(), b = other.network->merged_statistics();
  EXPECT_EQ(a.packet_hash(), b.packet_hash()) << what;
  EXPECT_EQ(one.network->flit_hops(), other.network->flit_hops()) << what;
  const models::Conservation x = one.network->conservation(), y = other.network->conservation();
  EXPECT_EQ(x.packets_created, y.packets_created) << what;
  EXPECT_EQ(x.flits_injected, y.flits_injected) << what;
  EXPECT_EQ(x.flits_delivered, y.flits_delivered) << what;
  EXPECT_EQ(x.flits_in_flight, y.flits_in_flight) << what;
}

}  // namespace braid::test
