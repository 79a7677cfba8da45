// What the approximately timed style keeps of packets that are over: nothing. However many there were, it takes no more
// memory, and what it says of one is what it says of the first.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::kept_estimates_test {
namespace {

std::size_t taken() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

models::Experiment row_of(const std::string& family) {
  models::Experiment e = uniform_mesh(0.0, 4, 1);
  e.set("router.architecture", family);
  if (family == "virtual_cut_through") e.set("router.vcs", 1);
  if (family == "po2") e.set("routing.algorithm", "best_paths").set("routing.allow_deadlock", true);
  if (family == "myrinet") {
    as_myrinet(e);
    e.set("routing.allow_deadlock", true);
  }
  e.set("tlm.style", "approximately_timed");
  return e;
}

class KeptEstimates : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Families, KeptEstimates,
                         testing::Values("hybrid", "virtual_cut_through", "po2", "myrinet", "ideal"),
                         [](const auto& c) { return std::string(c.param); });

/// A visit of a channel would be 40 bytes: of 20,000 packets 800 kB a channel.
TEST_P(KeptEstimates, AreOfPacketsThatAreUnderWay) {
  const models::Experiment e = row_of(GetParam());
  const Bench bench(e);
  const std::unique_ptr<models::PacketTiming> timing = models::make_packet_timing(e, bench.topology, *bench.routing);
  const auto send = [&](std::uint64_t from_cycle, std::uint64_t packets) {
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < packets; ++i) {
      const std::uint64_t at = from_cycle + 1000 * i;
      last = timing->deliver(NodeId{0}, NodeId{3}, 8, at, at) - at;
      (void)timing->deliver(NodeId{1}, NodeId{2}, 8, at, at);
    }
    return last;
  };
  const std::uint64_t alone = send(0, 1);
  EXPECT_EQ(send(1000, 500), alone) << "a thousand cycles later nobody is in the way";
  const std::size_t before = taken();
  EXPECT_EQ(send(1'000'000, 20'000), alone);
  EXPECT_LT(taken(), before + 100'000);
}

}  // namespace
}  // namespace braid::test::kept_estimates_test
