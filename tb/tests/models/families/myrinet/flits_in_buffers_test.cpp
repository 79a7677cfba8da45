// What a Myrinet switch's slack buffer holds, as users are told it between cycles (Fabric::buffered()).
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/myrinet.h"

namespace braid::test::flits_in_buffers_test {
namespace {

/// A packet of 32 flits takes its header over a row of two switches with 33: at the second one's port they are there at
/// the start of cycles 43 to 75, one each, and it takes one in cycle 43, for the header, and one in each from 67 on.
TEST(FlitsInBuffers, AreThoseAtTheStartOfTheNextCycle) {
  Bench bench(myrinet_row(2));
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 32);
  bench.run(10);
  const auto there = [&] { return bench.network->fabric().buffered(RouterId{1}, routing::kWest, 0); };
  for (std::uint64_t next = 20; next < 110; ++next) {
    const std::uint64_t came = next < 43 ? 0 : std::min<std::uint64_t>(next - 42, 33);
    const std::uint64_t left = next <= 43 ? 0 : next <= 67 ? 1 : std::min<std::uint64_t>(next - 66, 33);
    EXPECT_EQ(there(), came - left) << "at the start of cycle " << next;
    bench.run(1);
  }
}

}  // namespace
}  // namespace braid::test::flits_in_buffers_test
