// The approximately timed style where a packet that waits fills the slack buffer behind it to its mark, and not to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::approximately_timed_test {
namespace {

struct Sent {
  std::size_t from, to;
  std::uint32_t flits;
};

/// Four switches in a row. The first packet keeps the second waiting at the last switch; the third leaves the second
/// one's host when its tail has. The cycles in which they arrive, as the engine has them and as the estimate has them.
void expect_as_in_the_engine(std::uint32_t blocking, std::uint32_t waiting) {
  models::Experiment e = uniform_mesh(0.0, 4, 1);
  e.set("router.architecture", "myrinet");
  as_myrinet(e);
  e.set("routing.allow_deadlock", true);
  Bench bench(e);
  bench.run(10);
  const Sent all[] = {{2, 3, blocking}, {0, 3, waiting}, {0, 1, 20}};
  for (const Sent& s : all) bench.network->send_packet(NodeId{s.from}, NodeId{s.to}, s.flits);
  std::vector<std::uint64_t> engine;
  for (std::uint64_t cycle = 1; engine.size() < 3 && cycle < 2000; ++cycle) {
    bench.run(1);
    while (engine.size() < bench.delivered()) engine.push_back(cycle);
  }
  models::Experiment estimated = e;
  estimated.set("tlm.style", "approximately_timed");
  const auto timing = models::make_packet_timing(estimated, bench.topology, *bench.routing);
  std::vector<std::uint64_t> told;
  for (const Sent& s : all) told.push_back(timing->deliver(NodeId{s.from}, NodeId{s.to}, s.flits, 9, 9) - 9);
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, engine) << blocking << " before " << waiting;
}

TEST(ApproximatelyTimed, AWaitIsLongEnoughToStopTheSenderFromOneCycleOn) {
  for (std::uint32_t blocking = 62; blocking <= 80; ++blocking) expect_as_in_the_engine(blocking, 300);
}

}  // namespace
}  // namespace braid::test::approximately_timed_test
