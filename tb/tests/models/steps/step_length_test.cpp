// In steps of whatever length a network comes to the same: the watchdog looks as often, so that a deadlock is found in
// the same cycle, with the same to say of it.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/engine/deadlock_error.h"
#include "models/steps/step_network.h"
#include "tb/tests/support/bench.h"

namespace braid::test::step_length_test {
namespace {

using models::StepNetwork;

/// The cycle in which a deadlock is found, and what is said of it.
std::pair<std::uint64_t, std::string> found(std::uint64_t cycles_a_step, bool calls_back = false) {
  StepNetwork steps(source_file("tb/experiments/deadlock.toml"));
  if (calls_back) steps.on_arrival([](const StepNetwork::Arrival&) {});
  try {
    while (steps.now() < 100000) steps.step(cycles_a_step);
  } catch (const models::DeadlockError& e) {
    return {steps.now(), e.what()};
  }
  return {0, "no deadlock"};
}

TEST(StepLength, DoesNotMatterToTheWatchdog) {
  const auto [cycle, text] = found(1000000);
  EXPECT_EQ(text.rfind("deadlock: no flit has moved up to cycle " + std::to_string(cycle) + " and ", 0), 0U) << text;
  for (const std::uint64_t step : {1U, 7U, 250U, 977U, 5000U}) {
    const auto in_steps = found(step);
    EXPECT_EQ(in_steps.first, cycle) << step;
    EXPECT_EQ(in_steps.second, text) << step;
  }
  EXPECT_EQ(found(1000000, true).first, cycle) << "cycle by cycle, for there may be an arrival";
}

/// A step of no cycles is none.
TEST(StepLength, MayBeNothing) {
  StepNetwork steps(source_file("tb/experiments/mesh_uniform.toml"));
  steps.step(0);
  EXPECT_EQ(steps.now(), 0U);
  steps.step(3);
  steps.step(0);
  EXPECT_EQ(steps.now(), 3U);
}

}  // namespace
}  // namespace braid::test::step_length_test
