// Checkpoints of networks drawn at random: every family with every policy that a user can choose, at any cycle, cut
// into any number of slices. The nightly draws thousands (BRAID_CHECKPOINTS a family).
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/fabric/fabric.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::checkpoint_drawn_test {
namespace {

std::uint64_t networks() {
  const char* given = std::getenv("BRAID_CHECKPOINTS");
  return given == nullptr ? briefly(12) : std::stoull(given);
}

class DrawnCheckpoint : public testing::TestWithParam<std::string> {};

TEST_P(DrawnCheckpoint, ContinuesFromAnyCycle) {
  for (std::uint64_t number = 0; number < networks(); ++number) {
    DrawnExperiment one(GetParam(), number);
    const std::uint64_t cycles = one.below(4000);
    const std::size_t slices = 1 + one.below(4);
    SCOPED_TRACE("network " + std::to_string(number) + ":" + one.text());
    expect_continues(one.experiment(), cycles, 1500, slices);
    if (HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Families, DrawnCheckpoint, testing::ValuesIn(models::FabricRegistry::instance().names()),
                         [](const auto& c) { return c.param; });

}  // namespace
}  // namespace braid::test::checkpoint_drawn_test
