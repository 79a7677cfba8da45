// Networks in several slices go on from a checkpoint of any cycle as the one that was saved: after one more cycle their
// registers are the same, byte by byte, those of lists that one slice has for another among them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/families/myrinet/channel.h"
#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/restored.h"

namespace braid::test::cut_continued_test {
namespace {

using models::Experiment;

/// Packets of 1 to 5 flits from each node to each other one, and the cycles that they take and 20 more.
void expect_goes_on(const Experiment& e, std::size_t slices) {
  Bench bench(e, slices), other(e, slices);
  const std::size_t nodes = bench.topology.node_count();
  std::uint32_t packets = 0;
  for (std::size_t from = 0; from < nodes; ++from) {
    for (std::size_t to = 0; to < nodes; ++to) {
      if (from != to) bench.network->send_packet(NodeId{from}, NodeId{to}, 1 + packets++ % 5);
    }
  }
  for (std::uint64_t last = 2000; bench.network->now() < last;) {
    restore(*other.network, saved(*bench.network));
    bench.run(1);
    other.run(1);
    const std::string one = saved(bench.network->fabric()), two = saved(other.network->fabric());
    ASSERT_TRUE(one == two) << "behind cycle " << bench.network->now() - 1;
    other.run(3);  // somewhere else before it is restored again
    if (bench.delivered() == packets && last == 2000) last = bench.network->now() + 20;
  }
  EXPECT_EQ(bench.delivered(), packets);
}

TEST(CutContinued, OfPo2RoutersFromEveryCycle) {
  for (const char* rejection : {"seen", "tried"}) {
    Experiment e = small_po2(4, 1);
    e.set("po2.buffers", 4).set("po2.rejection", rejection);
    for (const std::size_t slices : {2U, 4U}) expect_goes_on(e, slices);
  }
}

TEST(CutContinued, OfPo2RoutersThatEscape) {
  Experiment e = small_po2(2, 2);
  e.set("po2.buffers", 3).set("po2.avoidance", "up_down_escape").set("po2.escape_patience_cycles", 3);
  expect_goes_on(e, 2);
}

TEST(CutContinued, OfCutThroughRoutersFromEveryCycle) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", 3).set("topology.height", 2).set("router.queue_packets", 2);
  for (const std::uint32_t latency : {1U, 4U}) {
    e.set("topology.link_latency_cycles", latency);
    expect_goes_on(e, 3);
  }
}

TEST(CutContinued, OfMyrinetSwitchesFromEveryCycle) { expect_goes_on(myrinet_row(3), 1); }

TEST(CutContinued, OfTheIdealNetworkFromEveryCycle) {
  for (const bool queues : {false, true}) {
    Experiment e = uniform_mesh(0.0, 3, 1);
    e.set("router.architecture", "ideal").set("router.queue_at_receiver", queues);
    expect_goes_on(e, 1);
  }
}

/// A count that nobody has started is three zeros, 17 bytes.
TEST(CutContinued, OfACountBeginsWithZeros) {
  models::myrinet::RunningCount count;
  EXPECT_EQ(saved(count), std::string(17, '\0'));
}

}  // namespace
}  // namespace braid::test::cut_continued_test
