// exp, log and pow without libm: against libm's to 13 digits, and exactly where IEEE arithmetic leaves no choice.
#include "traffic/base/portable_math.h"

#include <gtest/gtest.h>

#include <limits>

namespace braid::test::portable_math_test {
namespace {

TEST(PortableMath, ExponentialAgreesWithLibmTo13Digits) {
  for (int i = -160; i <= 160; ++i) EXPECT_NEAR(traffic::exponential(0.37 * i) / std::exp(0.37 * i), 1.0, 1e-13) << i;
}

TEST(PortableMath, LogarithmAgreesWithLibmTo13Digits) {
  for (int i = -40; i <= 40; ++i) {
    const double x = std::pow(1.37, i);
    EXPECT_NEAR(traffic::logarithm(x), std::log(x), 1e-13 * 14) << x;
  }
}

TEST(PortableMath, PowerAgreesWithLibmTo13Digits) {
  const double base = 0.05 / 37.0;
  for (int i = 0; i <= 100; ++i)
    EXPECT_NEAR(traffic::power(base, 0.01 * i) / std::pow(base, 0.01 * i), 1.0, 1e-13) << i;
}

/// e^-745 is more than half of the least double, e^-746 less.
TEST(PortableMath, EndsWithTheLeastDouble) {
  EXPECT_EQ(traffic::exponential(-745.0), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(traffic::exponential(-746.0), 0.0);
  EXPECT_GT(traffic::exponential(-744.0), std::numeric_limits<double>::denorm_min());
}

TEST(PortableMath, KnownBits) {
  EXPECT_EQ(traffic::exponential(0.0), 1.0);
  EXPECT_EQ(traffic::exponential(-1e12), 0.0);
  EXPECT_DOUBLE_EQ(traffic::logarithm(0.5), -0.693147180559945309);
  EXPECT_EQ(traffic::power(4.0, 0.0), 1.0);
}

}  // namespace
}  // namespace braid::test::portable_math_test
