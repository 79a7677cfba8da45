// The clock's period in SystemC's time, whose resolution is a picosecond unless a user says otherwise.
#include "models/engine/simulated_time.h"

#include <gtest/gtest.h>

#include <systemc>

#include "routing/base/input_error.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::simulated_time_test {
namespace {

using sc_core::sc_time;

TEST(SimulatedTime, OfCyclesIsThatOfTheirPeriods) {
  EXPECT_EQ(models::clock_cycles(3, 1000), sc_time(3, sc_core::SC_NS));
  EXPECT_EQ(models::clock_cycles(1, 6250), sc_time(6.25, sc_core::SC_NS));
  EXPECT_EQ(models::clock_cycles(0, 1000), sc_core::SC_ZERO_TIME);
  EXPECT_EQ(models::whole_period(1000), sc_time(1, sc_core::SC_NS).value());
  EXPECT_EQ(models::whole_period(1), 1U);
}

TEST(SimulatedTime, OfAPeriodIsAWholeNumberOfPicoseconds) {
  EXPECT_EQ(models::period_in_ps(sc_time(1, sc_core::SC_PS)), 1U);
  EXPECT_EQ(models::period_in_ps(sc_time(2.5, sc_core::SC_NS)), 2500U);
  EXPECT_EQ(models::period_in_ps(sc_time(1, sc_core::SC_MS)), 1'000'000'000U);
  EXPECT_EQ(complaint([] { models::period_in_ps(sc_core::SC_ZERO_TIME); }),
            "a clock period of 0 s: expected a whole number of picoseconds, at least 2");
  EXPECT_THROW(models::whole_period(0), InputError);
}

}  // namespace
}  // namespace braid::test::simulated_time_test
