// When a measurement with simulation.until looks whether it is enough: after measure_cycles, then after a batch or a
// tenth of what has been measured, whichever is more, in whole batches, and at the limit.
#include <gtest/gtest.h>

#include <string>

#include "models/experiment/simulation.h"
#include "tb/tests/support/loads.h"

namespace braid::test::looks_test {
namespace {

/// An iteration every 100 cycles, batches of 100, 1000 cycles before the first look.
std::uint64_t measured(const std::string& until, std::uint64_t most = 20000) {
  models::Experiment e = streaming(stream_pair(50, 5, 4, 4));
  e.set("stream.computation_scaling", 2.0).set("simulation.batch_cycles", 100).set("simulation.measure_cycles", 1000);
  e.set("simulation.until", until).set("simulation.most_measure_cycles", static_cast<std::int64_t>(most));
  return models::Simulation(e).run().measured_cycles;
}

TEST(Looks, AreFirstAfterTheCyclesThatAreToBeMeasured) { EXPECT_EQ(measured("iterations 10"), 1000U); }
TEST(Looks, AreThenABatchLater) { EXPECT_EQ(measured("iterations 11"), 1100U); }
/// After 1100 cycles the next is due at 1210, then at 1430, 1650, 1870 and 2090: at the batches' ends behind those.
TEST(Looks, AreATenthLaterWhereThatIsMore) { EXPECT_EQ(measured("iterations 12"), 1300U); }
TEST(Looks, AreATenthLaterEachTime) { EXPECT_EQ(measured("iterations 20"), 2100U); }
TEST(Looks, AreAtTheLimitWhereOneWouldBeBeyond) { EXPECT_EQ(measured("iterations 12", 1200), 1200U); }
TEST(Looks, EndAtTheLimit) { EXPECT_EQ(measured("iterations 1000", 1500), 1500U); }

}  // namespace
}  // namespace braid::test::looks_test
