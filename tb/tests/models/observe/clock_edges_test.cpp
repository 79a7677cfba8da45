// Times that are no cycles at all, or fewer than two, and what a signal is when nobody has said anything of it.
#include <gtest/gtest.h>

#include <string>

#include "models/observe/clock.h"
#include "models/observe/distribution.h"
#include "models/observe/wave_file.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/filled.h"

namespace braid::test::clock_edges_test {
namespace {

using namespace models;

std::string refused(double ns, std::uint64_t period_ps) {
  return complaint([&] { whole_cycles("a.b_ns", ns, period_ps, ""); });
}

/// One cycle at least: below it there is one neighbour, above it two.
TEST(Clock, NamesTheNearestWholeCycles) {
  const std::string of = ": not a whole number of cycles of 2 ns; expected ";
  EXPECT_EQ(refused(0, 2000), "a.b_ns = 0" + of + "2");
  EXPECT_EQ(refused(1, 2000), "a.b_ns = 1" + of + "2");
  EXPECT_EQ(refused(1.999, 2000), "a.b_ns = 1.999" + of + "2");
  EXPECT_EQ(refused(2, 2000), "");
  EXPECT_EQ(refused(3, 2000), "a.b_ns = 3" + of + "2 or 4");
  EXPECT_EQ(refused(3.999, 2000), "a.b_ns = 3.999" + of + "2 or 4");
  EXPECT_EQ(refused(4, 2000), "");
  EXPECT_EQ(refused(5, 2000), "a.b_ns = 5" + of + "4 or 6");
  EXPECT_EQ(whole_cycles("k", 4, 2000), 2U);
  EXPECT_EQ(kDefaultPeriodPs, 1000U) << "a nanosecond";
}

TEST(Clock, SaysWhatIsNoWholePicosecond) {
  EXPECT_EQ(complaint([] { picoseconds("a.b_ns", 1.0005); }),
            "a.b_ns = 1.0005: expected whole picoseconds, at most three decimals");
  EXPECT_EQ(picoseconds("k", 0), 0U);
}

/// One bit, at 0, that nobody looks at first and that answers nothing.
TEST(Signal, IsABitThatNobodyAskedAbout) {
  const Signal signal;
  EXPECT_EQ(signal.bits, 1U);
  EXPECT_EQ(filled_fields<Signal>(), std::vector<std::size_t>{2}) << "but for its bits nothing is in it";
  EXPECT_TRUE(filled_fields<SignalValues>().empty());
  EXPECT_EQ(filled_fields<Distribution>(), std::vector<std::size_t>{});
}

}  // namespace
}  // namespace braid::test::clock_edges_test
