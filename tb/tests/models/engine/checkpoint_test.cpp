// Checkpoints: a network that is restored goes on as if it had never stopped, cycle by cycle, whatever is in it. Files
// and the program: tb/python/test_checkpoints.py.
#include "routing/base/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/experiment/experiment_reader.h"
#include "routing/base/random.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/golden.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::checkpoint_test {
namespace {

using models::Experiment;

class Golden : public testing::TestWithParam<Named> {};

TEST_P(Golden, ContinuesFromAnyCycle) {
  const Experiment experiment = models::read_experiment(GetParam().file, GetParam().settings);
  Random random(1, "checkpoint_test." + GetParam().name);
  expect_continues(experiment, random.below(briefly(3000)), briefly(1500));
}
INSTANTIATE_TEST_SUITE_P(Checkpoint, Golden, testing::ValuesIn(golden_experiments()),
                         [](const auto& c) { return c.param.name; });

/// Those whose injection points, lines and in-transit buffers hold something, in several slices and several cycles.
class Cut : public testing::TestWithParam<Named> {
 public:
  static std::vector<Named> some() {
    const std::set<std::string> names{"mesh_x_first",    "tree_adaptive_sat_ring",     "tree_by_pair_sat_auto",
                                      "mesh_in_transit", "po2_best_paths_round_robin", "po2_deterministic_alpha",
                                      "po2_front",       "tree_by_source_sat_diamond", "po2_rejections",
                                      "po2_errors"};
    std::vector<Named> all = golden_experiments();
    all.erase(std::remove_if(all.begin(), all.end(), [&](const Named& n) { return names.count(n.name) == 0; }),
              all.end());
    return all;
  }
};

TEST_P(Cut, ContinuesFromAnyCycle) {
  const Experiment experiment = models::read_experiment(GetParam().file, GetParam().settings);
  Random random(2, "checkpoint_test." + GetParam().name);
  for (const std::size_t slices : {2, 3, 5}) {
    SCOPED_TRACE(std::to_string(slices) + " slices");
    expect_continues(experiment, random.below(briefly(6000)), briefly(1000), slices);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Checkpoint, Cut, testing::ValuesIn(Cut::some()), [](const auto& c) { return c.param.name; });

/// A link goes down in cycle 3000, hosts are told in 4000 and hold their packets back until those by the old paths have
/// come: saved before, between, and while they do.
class Failure : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Failure, ContinuesFromAnyCycle) {
  Experiment e = irregular_myrinet(8, 0.3, "balanced", "every_switch");
  e.open("failure");
  e.set("failure.router", "s0");
  e.set("failure.port", "link0");
  e.set("failure.cycle", 3000);
  e.set("failure.recompute_ns", 6250.0);
  expect_continues(e, GetParam(), 3000);
}
INSTANTIATE_TEST_SUITE_P(Checkpoint, Failure,
                         testing::Values(2999, 3000, 3001, 3005, 3200, 3999, 4000, 4001, 4050, 6500));

/// It may begin in the cycle to come, and has batches of a cycle at least.
TEST(CheckpointOfAMeasurement, IsRefusedWhereItDoesNotBegin) {
  const auto refusal = [](bool open, std::uint64_t first_cycle, std::uint64_t batch_cycles) -> std::string {
    Bench bench(uniform_mesh(0.1, 2, 2)), other(uniform_mesh(0.1, 2, 2));
    bench.run(20);
    bench.network->window() = {open, first_cycle, batch_cycles};
    std::string refused = complaint<CheckpointError>([&] { restore(*other.network, saved(*bench.network)); });
    if (!refused.empty()) return refused;
    EXPECT_EQ(other.network->window().first_cycle, first_cycle);
    EXPECT_EQ(other.network->window().batch_cycles, batch_cycles);
    return "";
  };
  const std::string refused = no_such_state("a measurement that does not begin");
  EXPECT_EQ(refusal(true, 20, 1), "");
  EXPECT_EQ(refusal(true, 21, 1), refused);
  EXPECT_EQ(refusal(true, 20, 0), refused);
  EXPECT_EQ(refusal(false, 21, 0), "") << "there is none";
}

}  // namespace
}  // namespace braid::test::checkpoint_test
