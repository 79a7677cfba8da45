// A network of Myrinet-like switches made of modules (models/stages/myrinet), on the bench: beside SystemC's clock,
// cycle by cycle or step by step, the stages of a step in the order in which they were made or the other way round. All
// networks of a process come before elaborate().
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/stage.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test {

enum class Order { kAsMade, kReversed };

class MyrinetModules : public Bench {
 public:
  explicit MyrinetModules(models::Experiment e, const std::string& name = "network", Order order = Order::kAsMade)
      : Bench(std::move(e)), name_(name), order_(order), top_(name.c_str(), *this) {}

  void advance(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) {
      begin();
      for (std::size_t s = 0; s < top_.clocks.size(); ++s) step(s);
      network->end_cycle();
    }
  }
  void begin() { top_.clocks.begin(network->now()); }
  void step(std::size_t step) {
    std::vector<models::stages::Stage*> stages = top_.clocks[step].stages();
    if (order_ == Order::kReversed) std::reverse(stages.begin(), stages.end());
    for (models::stages::Stage* stage : stages) {
      if (stage->has_work(network->now())) stage->run();
    }
  }
  std::size_t steps() const { return top_.clocks.size(); }

  /// A register by its name in the hierarchy, "switch_s0.stop_link1".
  std::uint64_t at(const std::string& name) const {
    auto* found = dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object((name_ + "." + name).c_str()));
    if (found == nullptr) throw std::out_of_range("no register " + name);
    const models::stages::Bits& bits = found->read();
    return bits.field(0, bits.width());
  }

 private:
  struct Top : sc_core::sc_module {
    Top(const sc_core::sc_module_name& name, Bench& bench)
        : sc_module(name),
          clocks(models::stages::steps_of("myrinet", bench.network->configuration())),
          views(models::stages::make_views(
              "myrinet",
              {bench.network->configuration(), bench.topology, bench.network->fabric(), bench.network->slice_count(),
               clocks, [&n = *bench.network](std::size_t slice) { n.run_nodes(slice); }, bench.network->gate(),
               [&n = *bench.network](NodeId node) { return n.waiting(node); }, bench.network->in_transit()})) {
      for (const auto& view : views) {
        if (view->runs_gate()) bench.network->leave_gate_to_modules();
        if (view->runs_in_transit()) bench.network->leave_in_transit_to_modules();
      }
    }
    models::stages::StepClocks clocks;
    std::vector<std::unique_ptr<models::stages::HardwareView>> views;
  };
  const std::string name_;
  const Order order_;
  Top top_;
};

/// That two networks have done the same, packet by packet where they keep a log.
inline void expect_same_run(const Bench& one, const Bench& other, const std::string& what) {
  const models::Statistics a = one.network->merged_statistics(), b = other.network->merged_statistics();
  EXPECT_EQ(a.packet_hash(), b.packet_hash()) << what;
  EXPECT_EQ(one.network->flit_hops(), other.network->flit_hops()) << what;
  const models::Conservation x = one.network->conservation(), y = other.network->conservation();
  EXPECT_TRUE(y.holds()) << what;
  EXPECT_EQ(x.packets_created, y.packets_created) << what;
  EXPECT_EQ(x.packets_delivered, y.packets_delivered) << what;
  EXPECT_EQ(x.packets_lost, y.packets_lost) << what;
  EXPECT_EQ(x.flits_injected, y.flits_injected) << what;
  EXPECT_EQ(x.flits_in_flight, y.flits_in_flight) << what;
  if (one.network->packet_log() == nullptr) return;
  const auto log_of = [](const Bench& bench) {
    std::vector<std::string> lines;
    bench.network->packet_log()->columns(
        bench.topology, bench.network->store(), [](const models::Packet&) { return "packet"; },
        [&](const models::PacketLog::Columns& c) {
          for (std::size_t i = 0; i < c.path->size(); ++i)
            lines.push_back((*c.path)[i] + (c.rests ? (*c.rests)[i] : ""));
        });
    return lines;
  };
  EXPECT_EQ(log_of(one), log_of(other)) << what;
}

}  // namespace braid::test
