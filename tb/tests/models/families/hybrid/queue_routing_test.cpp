// Routing by queues in a network: what a router tells of its outputs, and what UGAL makes of it.
#include <gtest/gtest.h>

#include <map>

#include "models/fabric/fabric.h"
#include "routing/algorithm/output_queues.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::queue_routing_test {
namespace {

using models::Experiment;

Experiment dragonfly(const char* algorithm, const char* pattern, double rate) {
  Experiment e;
  e.set("topology.kind", "dragonfly");  // a = 4, p = 2, h = 2: 9 groups of 8 nodes
  e.set("routing.algorithm", algorithm);
  e.set("router.vcs", 6);
  e.set("router.buffer_depth", 8);
  add_traffic(e, rate);
  e.set("traffic.pattern", pattern);
  e.set("traffic.flits", 1);
  return e;
}

struct Measured {
  double accepted, links;  ///< flits a node and cycle; a packet's links between routers
};
Measured measured(const Experiment& e, std::uint64_t cycles = 3000) {
  Bench bench(e);
  bench.run(cycles);
  const std::uint64_t hops = bench.network->fabric().counters().flit_hops, before = bench.delivered();
  bench.run(cycles);
  const double delivered = static_cast<double>(bench.delivered() - before);
  const auto moved = static_cast<double>(bench.network->fabric().counters().flit_hops - hops);
  return {delivered / static_cast<double>(cycles * bench.topology.node_count()), moved / delivered - 1.0};
}

/// One link carries what 8 nodes send: 1/8 by shortest ways.
TEST(Ugal, CarriesAsMuchAsValiantToTheNextGroup) {
  const double straight = measured(dragonfly("dragonfly_minimal", "next_group", 0.3)).accepted;
  const double valiant = measured(dragonfly("valiant", "next_group", 0.3)).accepted;
  const double ugal = measured(dragonfly("ugal", "next_group", 0.3)).accepted;
  EXPECT_LT(straight, 0.1251);
  EXPECT_GT(straight, 0.115);
  EXPECT_GT(valiant, 2 * straight);
  EXPECT_GT(ugal, 0.95 * valiant);
}

TEST(Ugal, GoesStraightUnderLittleUniformTraffic) {
  const double straight = measured(dragonfly("dragonfly_minimal", "uniform", 0.05)).links;
  const double valiant = measured(dragonfly("valiant", "uniform", 0.05)).links;
  const double ugal = measured(dragonfly("ugal", "uniform", 0.05)).links;
  Experiment loath = dragonfly("ugal", "uniform", 0.05);
  loath.set("routing.ugal_threshold", 10);
  EXPECT_GT(valiant, 1.6 * straight);
  EXPECT_LT(ugal, 1.15 * straight);
  EXPECT_LT(measured(loath).links, 1.03 * straight);
}

/// An oracle sees the queue of a distant link before it has backed up to the source's router.
TEST(UgalG, IsNoWorseThanUgalUnderEitherPattern) {
  const auto latency = [](const char* algorithm, const char* pattern, double rate) {  // Little's law
    Bench bench(dragonfly(algorithm, pattern, rate));
    bench.run(1000);
    const std::uint64_t before = bench.delivered();
    double packets = 0.0;
    for (int i = 0; i < 500; ++i) {
      bench.run(10);
      packets += 10.0 * static_cast<double>(bench.network->fabric().census().packets);
    }
    return packets / static_cast<double>(bench.delivered() - before);
  };
  const double local = latency("ugal", "next_group", 0.3), valiant = latency("valiant", "next_group", 0.3);
  const double global = latency("ugal_g", "next_group", 0.3);
  EXPECT_LT(global, 0.9 * local);
  EXPECT_LT(global, 1.15 * valiant);
  EXPECT_LT(latency("ugal_g", "uniform", 0.05), 1.05 * latency("dragonfly_minimal", "uniform", 0.05));
}

double of_transpose(const char* algorithm, double rate) {
  Experiment e;
  e.set("topology.width", 8).set("topology.height", 8);
  e.set("routing.algorithm", algorithm).set("router.buffer_depth", 8);
  add_traffic(e, rate);
  e.set("traffic.pattern", "transpose");
  e.set("traffic.flits", 1);
  return measured(e).accepted;
}

/// By one order the busiest link carries what 7 nodes send, which is full at 1/7; by both half of that.
TEST(XyYx, CarriesATransposeBeyondWhatOneOrderCan) {
  EXPECT_LT(of_transpose("x_first", 0.2), 0.19);
  EXPECT_NEAR(of_transpose("xy_yx", 0.2), 0.2, 0.004);
  EXPECT_NEAR(of_transpose("adaptive_xy_yx", 0.2), 0.2, 0.004);
}

/// A rule made by hand that notes what it is told, on a line of two routers.
class Noting final : public routing::RoutingAlgorithm, public routing::ReadsOutputQueues {
 public:
  explicit Noting(const routing::Topology& line) : RoutingAlgorithm(2), line_(line) {}
  std::size_t max_candidates() const override { return 1; }
  void read_queues(const routing::OutputQueues& queues) const override { queues_ = &queues; }
  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override {
    out.clear();
    told.push_back(queues_->waiting_flits(RouterId{0}, PortId{0}));
    told_before.push_back(queues_->waited_flits(RouterId{0}, PortId{0}));
    const routing::Attachment& end = line_.nodes[q.destination.value].front();
    out.add(end.router == q.router ? end.port : PortId{q.router.value}, all_vcs_);
  }
  bool reads_all_queues() const override { return true; }
  mutable std::vector<std::uint32_t> told, told_before;  // of this cycle, of the one before

 private:
  const routing::Topology& line_;
  mutable const routing::OutputQueues* queues_ = nullptr;
};

/// Two packets of three flits, ten cycles apart, over a link whose credits take five cycles: all three are out when the
/// second packet asks, and none when nothing has been sent for long.
TEST(OutputQueues, CountFlitsWhoseCreditsAreOut) {
  Experiment e;
  e.set("topology.kind", "cube");
  e.set("topology.sizes", std::vector<std::uint32_t>{2});
  e.set("topology.link_latency_cycles", 12);
  e.set("router.vcs", 2);
  add_traffic(e, 0.0);
  const routing::Topology line = routing::make_topology(e);
  const Noting noting(line);
  models::Network network(e, line, noting, 1);
  const auto run = [&](int cycles) {
    for (int i = 0; i < cycles; ++i) network.cycle();
  };
  run(1);
  network.send_packet(NodeId{0}, NodeId{1}, 3);
  run(12);
  network.send_packet(NodeId{0}, NodeId{1}, 2);
  run(100);
  network.send_packet(NodeId{0}, NodeId{1}, 1);
  run(100);
  EXPECT_EQ(noting.told.size(), 6U);
  EXPECT_EQ(noting.told[0], 0U);
  EXPECT_EQ(noting.told[1], 3U);
  EXPECT_EQ(noting.told[4], 0U);
  EXPECT_EQ(noting.told_before[0], 0U);
  EXPECT_EQ(noting.told_before[1], 3U) << "none has come back, none has gone";
  EXPECT_EQ(noting.told_before[4], 0U);
}

}  // namespace
}  // namespace braid::test::queue_routing_test
