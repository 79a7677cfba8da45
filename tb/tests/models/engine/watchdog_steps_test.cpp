// How often the watchdog has to look, and that each of several networks is looked at by itself.
#include <gtest/gtest.h>

#include <tuple>

#include "models/engine/watchdog.h"
#include "tb/tests/support/bench.h"

namespace braid::test::watchdog_steps_test {
namespace {

/// Every thousand cycles; four times in a limit that is shorter, but not more than once a cycle.
TEST(WatchdogSteps, AreAQuarterOfTheShorterLimit) {
  const Bench bench(uniform_mesh(0.0, 2, 2));
  for (const auto& [deadlock, age, step] :
       {std::tuple(0, 0, 1000U), std::tuple(10000, 0, 1000U), std::tuple(4000, 0, 1000U), std::tuple(3999, 0, 999U),
        std::tuple(100, 0, 25U), std::tuple(4, 0, 1U), std::tuple(1, 0, 1U), std::tuple(0, 100, 25U),
        std::tuple(8, 100, 2U), std::tuple(100, 8, 2U), std::tuple(10000, 2000, 500U)}) {
    models::WatchdogOptions options;
    options.watchdog_cycles = static_cast<std::uint64_t>(deadlock);
    options.max_packet_age_cycles = static_cast<std::uint64_t>(age);
    EXPECT_EQ(models::Watchdog(*bench.network, options).step_cycles(), step) << deadlock << " " << age;
  }
}

}  // namespace
}  // namespace braid::test::watchdog_steps_test
