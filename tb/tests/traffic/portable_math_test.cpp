// exp, log and pow without libm: against libm's to 13 digits, and exactly where IEEE arithmetic leaves no choice.
#include "traffic/portable_math.h"

#include <gtest/gtest.h>

namespace braid::test {
namespace {

TEST(PortableMath, ExponentialAgreesWithLibmTo13Digits) {
  for (double x = -60.0; x <= 60.0; x += 0.37) EXPECT_NEAR(traffic::exponential(x) / std::exp(x), 1.0, 1e-13) << x;
}

TEST(PortableMath, LogarithmAgreesWithLibmTo13Digits) {
  for (double x = 1e-6; x < 1e6; x *= 1.37) EXPECT_NEAR(traffic::logarithm(x), std::log(x), 1e-13 * 14) << x;
}

TEST(PortableMath, PowerAgreesWithLibmTo13Digits) {
  for (double e = 0.0; e <= 1.0; e += 0.01)
    EXPECT_NEAR(traffic::power(0.05 / 37.0, e) / std::pow(0.05 / 37.0, e), 1.0, 1e-13);
}

TEST(PortableMath, KnownBits) {
  EXPECT_EQ(traffic::exponential(0.0), 1.0);
  EXPECT_EQ(traffic::exponential(-1e12), 0.0);
  EXPECT_DOUBLE_EQ(traffic::logarithm(0.5), -0.693147180559945309);
  EXPECT_EQ(traffic::power(4.0, 0.0), 1.0);
}

}  // namespace
}  // namespace braid::test
