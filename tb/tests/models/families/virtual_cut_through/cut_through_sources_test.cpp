// What virtual cut-through routers' interfaces know of their nodes' packets, what routing is told of them, and how far
// ahead slices send to each other.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "tb/tests/support/cut_through.h"

namespace braid::test::cut_through_sources_test {
namespace {

using models::Experiment;
using models::virtual_cut_through::Slice;

Slice& slice_of(const Bench& bench) {
  return dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).slice(0);
}

/// One buffer behind the injection link: a packet of 4 flits that was sent in 1 has left in 4, and its buffer is back
/// from 6 on. With two buffers the next packet could leave once the queue is empty.
TEST(CutThroughSource, IsReadyWithAnEmptyQueueAndABuffer) {
  for (const std::uint32_t buffers : {1U, 2U}) {
    Experiment e = vct_tree(1, 0.0);
    e.set("router.queue_packets", buffers);
    Bench bench(e);
    bench.run(1);
    const Slice& slice = slice_of(bench);
    EXPECT_TRUE(slice.ready(2));
    bench.network->send_packet(NodeId{2}, NodeId{1}, 4);
    for (std::uint64_t now = 1; now < 9; ++now) {
      EXPECT_EQ(slice.queued(2), now < 5 ? 1U : 0U) << now;
      EXPECT_EQ(slice.ready(2), now >= (buffers == 1 ? 6 : 5)) << now;
      EXPECT_TRUE(slice.ready(3)) << "another node";
      EXPECT_EQ(slice.packets_waiting_at_sources(), now == 1 ? 1U : 0U) << now;
      bench.run(1);
    }
  }
}

/// Three packets wait until they have left: what is on the link waits no more.
TEST(CutThroughSource, CountsWhatHasNotBegunToLeave) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{2}, NodeId{1}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{3}, 1);
  const std::vector<std::uint64_t> waiting{4, 2, 2, 2, 2, 1, 1, 1, 1, 0};
  for (const std::uint64_t packets : waiting) {
    EXPECT_EQ(slice_of(bench).packets_waiting_at_sources(), packets) << bench.network->now();
    bench.run(1);
  }
}

/// X first, which notes what it is told of packets.
class Noted final : public routing::RoutingAlgorithm {
 public:
  Noted(const routing::RoutingAlgorithm& x_first, std::uint32_t draws)
      : RoutingAlgorithm(1), x_first_(x_first), draws_(draws) {}
  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override {
    seen.insert(q.draw);
    x_first_.route(q, out);
  }
  std::size_t max_candidates() const override { return x_first_.max_candidates(); }
  std::uint32_t draws() const override { return draws_; }
  mutable std::set<std::uint32_t> seen;

 private:
  const routing::RoutingAlgorithm& x_first_;
  const std::uint32_t draws_;
};

/// An algorithm that tells two kinds of packets apart by what they drew is told that, one that does not is not.
TEST(CutThroughRoute, IsToldWhatAPacketDrewWhereThatMatters) {
  for (const std::uint32_t draws : {1U, 2U}) {
    const Bench bench(vct_grid("mesh", 0.0));
    const Noted noted(*bench.routing, draws);
    models::Network network(bench.experiment, bench.topology, noted, 1);
    network.cycle();
    for (std::size_t i = 0; i < 40; ++i) network.send_packet(NodeId{i}, NodeId{63 - i}, 1);
    for (int i = 0; i < 100; ++i) network.cycle();
    EXPECT_EQ(network.conservation().packets_delivered, 40U);
    if (draws == 1) {
      EXPECT_EQ(noted.seen, std::set<std::uint32_t>{0});
    } else {
      EXPECT_GT(noted.seen.size(), 8U) << "of 256";
    }
  }
}

/// Paths that hosts choose are followed router by router: a packet names its path.
TEST(CutThroughRoute, FollowsPathsThatHostsHaveChosen) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", 3).set("topology.height", 3);
  e.set("routing.algorithm", "source_routed").set("routing.paths", "up_down");
  Bench bench(e);
  bench.run(1);
  for (std::size_t i = 0; i < 9; ++i) bench.network->send_packet(NodeId{i}, NodeId{8 - i}, 4);
  bench.run(100);
  EXPECT_EQ(bench.delivered(), 9U);
  EXPECT_TRUE(bench.network->conservation().holds());
}

/// What is sent over the longest link is filed as many cycles ahead as it takes beyond one.
TEST(CutThroughMailbox, HasASlotForEachCycleOfTheLongestLink) {
  for (const auto& [latency, slots] : {std::pair(1U, 1U), std::pair(2U, 2U), std::pair(3U, 4U), std::pair(4U, 4U),
                                       std::pair(5U, 8U), std::pair(9U, 16U)}) {
    Experiment e = vct_grid("mesh", 0.0);
    e.set("topology.width", 2).set("topology.height", 1).set("topology.link_latency_cycles", latency);
    const Bench bench(e);
    EXPECT_EQ(slice_of(bench).own_channel().slots().size(), slots) << latency;
    ASSERT_EQ(slice_of(bench).incoming().size(), 1U);
    EXPECT_EQ(slice_of(bench).outgoing().size(), 1U);
  }
}

}  // namespace
}  // namespace braid::test::cut_through_sources_test
