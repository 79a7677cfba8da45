// A user may measure several times in one simulation: each window has its own figures, and none of the windows before.
#include <gtest/gtest.h>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/golden.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::second_window_test {
namespace {

class SecondWindow : public testing::TestWithParam<Named> {};

/// Of the twin it is the only one. Packets of the first window are still under way when the second one begins.
TEST_P(SecondWindow, SaysWhatAnOnlyOneSays) {
  const models::Experiment e = models::read_experiment(GetParam().file, GetParam().settings);
  const std::uint64_t first = briefly(600), between = 10, second = briefly(1200);
  Bench bench(e), twin(e);
  bench.run(100);
  bench.network->begin_window(100);
  bench.run(first);
  bench.network->window().open = false;
  bench.run(between);
  twin.run(100 + first + between);
  for (Bench* one : {&bench, &twin}) {
    one->network->begin_window(200);
    one->run(second);
  }
  EXPECT_EQ(told(*bench.network), told(*twin.network));
}
INSTANTIATE_TEST_SUITE_P(Of, SecondWindow, testing::ValuesIn(golden_experiments()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::second_window_test
