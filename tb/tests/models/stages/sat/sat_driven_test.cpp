// A SAT station and the SAT line on SystemC signals, driven by synthetic traffic and by a stream graph: each stands
// alone beside a network of modules and is to write what its twin there writes, in every cycle (driven_module.h).
// `scripts/nightly` runs a million cycles (BRAID_MODULE_CYCLES).
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/stages/sat/line.h"
#include "models/stages/sat/station.h"
#include "tb/tests/support/driven_module.h"
#include "tb/tests/support/module_bench.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_driven_test {
namespace {

using models::stages::sat::Line;
using models::stages::sat::Station;

constexpr std::uint32_t kL = 3, kK = 5;

/// A quarter of the nodes is wanted by all: stations hold the signal, and close.
models::Experiment synthetic(const char* carrier) {
  models::Experiment e = with_sat(vct_tree(2, 1.0), carrier, kL, kK);
  e.set("traffic.pattern", "hot_region");
  return e;
}

models::Experiment stream(const char* carrier) {
  models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("interface.switching", "packet");
  e.set("stream.computation_scaling", 0.001);
  return with_sat(e, carrier, kL, kK);
}

struct Driver {
  const char* name;
  models::Experiment (*experiment)(const char* carrier);
  const char* carrier;
};

class SatDriven : public testing::TestWithParam<Driver> {
 protected:
  static std::uint64_t wanted_cycles() {
    const char* const asked = std::getenv("BRAID_MODULE_CYCLES");
    return asked == nullptr ? 10000 : std::strtoull(asked, nullptr, 10);
  }
  void expect_follows(ModuleBench& network, DrivenModule& driven, const std::vector<std::string>& moving) {
    elaborate();
    const std::uint64_t cycles = wanted_cycles();
    for (std::uint64_t cycle = 0; cycle < cycles && !HasFatalFailure(); ++cycle) {
      network.cycle(ModuleBench::Order::kSleeping, [&](std::size_t s) { driven.look(s); });
      driven.end(cycle);
    }
    EXPECT_GT(network.delivered(), cycles / 100);
    driven.expect_moved(cycles / 500, moving);
  }
};

TEST_P(SatDriven, StationOnSignalsWritesWhatItsTwinDoes) {
  ModuleBench network(GetParam().experiment(GetParam().carrier));
  Station station("alone", {kL, kK});
  DrivenModule driven(station, "network.sat.node5", network.steps() - 1);
  expect_follows(network, driven, {"sent_o", "holds_o"});
}

TEST_P(SatDriven, LineOnSignalsWritesWhatItsTwinDoes) {
  ModuleBench network(GetParam().experiment(GetParam().carrier));
  Line line("alone", network.topology, network.experiment);
  DrivenModule driven(line, "network.sat.line", network.steps() - 2);
  expect_follows(network, driven, {"signal_o_5", "signal_leaves_o_5", "wire_o_1"});
}
INSTANTIATE_TEST_SUITE_P(By, SatDriven,
                         testing::Values(Driver{"synthetic_traffic_ring", synthetic, "ring"},
                                         Driver{"synthetic_traffic_tree", synthetic, "spanning_tree"},
                                         Driver{"synthetic_traffic_diamond", synthetic, "diamond_ring"},
                                         Driver{"stream_graph_ring", stream, "ring"}),
                         [](const auto& driver) { return driver.param.name; });

}  // namespace
}  // namespace braid::test::sat_driven_test
