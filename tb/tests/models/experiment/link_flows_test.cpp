// Whose packets each link carried, from records made by hand; loads of links and of nodes' links, from counts made by
// hand.
#include "models/experiment/link_flows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/experiment/link_results.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::link_flows_test {
namespace {

using models::LinkFlow;
using models::LinkFlows;
using models::LinkResult;
using models::PacketRecord;

/// Of a row of three routers: a packet that comes to router 0 from its node, to 1 and 2 from the west.
PacketRecord eastwards(std::uint32_t source, std::uint32_t destination, std::uint16_t flits, std::uint64_t cycle,
                       std::uint8_t traffic_class = 0, std::uint32_t sequence = 0) {
  PacketRecord record;
  record.packet.source = NodeId{source};
  record.packet.destination = NodeId{destination};
  record.packet.length_flits = flits;
  record.packet.traffic_class = traffic_class;
  record.packet.sequence = sequence;
  for (std::uint32_t r = source; r <= destination; ++r) {
    record.path.push_back({cycle + 5 * (r - source), RouterId{r}, r == source ? PortId{4} : routing::kWest});
  }
  return record;
}

/// The links east of routers 0 and 1, of one subnet or of two.
std::vector<LinkResult> links(std::size_t subnets = 1) {
  std::vector<LinkResult> all;
  for (std::uint32_t s = 0; s < subnets; ++s) {
    for (const std::uint32_t r : {0U, 1U}) {
      all.push_back({RouterId{r}, routing::kEast});
      if (subnets > 1) all.back().subnet = s;
    }
  }
  return all;
}

std::string told(const LinkResult& link) {
  std::string all;
  for (const LinkFlow& f : *link.flows) {
    all += std::to_string(f.source.value) + "->" + std::to_string(f.destination.value) + " " + f.traffic_class + " " +
           std::to_string(std::lround(f.flits_per_cycle * 100)) + "; ";
  }
  return all;
}

const std::vector<std::string> kClasses{"packets", "loads"};

/// A head that comes to router 1 has come over the link east of router 0; heads from nodes over none. The window is of
/// 100 cycles from 1000 on: the first and the last count, those beside them do not.
TEST(LinkFlows, AreOfHeadsThatComeInTheWindow) {
  const routing::Topology row = grid_of("mesh", 3, 1);
  LinkFlows flows(row);
  flows.open(1000);
  flows.close(100);
  for (const std::uint64_t at_1 : {999, 1000, 1099, 1100}) flows.add(eastwards(0, 1, 3, at_1 - 5));
  flows.add(eastwards(0, 2, 4, 1090));  // at 1 in 1095, at 2 in 1100: too late
  std::vector<LinkResult> all = links();
  flows.put(all, kClasses);
  EXPECT_EQ(told(all[0]), "0->1 packets 6; 0->2 packets 4; ");
  EXPECT_EQ(told(all[1]), "") << "asked for, and nobody's";
}

TEST(LinkFlows, ThatNobodyClosedGoOn) {
  const routing::Topology row = grid_of("mesh", 3, 1);
  LinkFlows flows(row);
  flows.open(10);
  flows.add(eastwards(0, 1, 3, 1'000'000));
  flows.close(1'000'006 - 10);
  std::vector<LinkResult> all = links();
  flows.put(all, kClasses);
  ASSERT_EQ(all[0].flows->size(), 1U);
}

/// By class and both ends, the most first, of equals in the order of class, source, destination.
TEST(LinkFlows, AreSummedByWhoseTheyAreAndTheMostComesFirst) {
  const routing::Topology row = grid_of("mesh", 3, 1);
  LinkFlows flows(row);
  flows.open(0);
  flows.close(100);
  flows.add(eastwards(0, 2, 5, 10));
  flows.add(eastwards(1, 2, 9, 10));
  flows.add(eastwards(0, 2, 4, 20, 1));
  flows.add(eastwards(0, 2, 4, 30));
  flows.add(eastwards(0, 2, 5, 40, 1));
  flows.add(eastwards(0, 1, 20, 50));
  std::vector<LinkResult> all = links();
  flows.put(all, kClasses);
  EXPECT_EQ(told(all[0]), "0->1 packets 20; 0->2 packets 9; 0->2 loads 9; ");
  EXPECT_EQ(told(all[1]), "0->2 packets 9; 1->2 packets 9; 0->2 loads 9; ");
}

/// A packet's number tells its subnet.
TEST(LinkFlows, AreOfTheirSubnet) {
  const routing::Topology row = grid_of("mesh", 3, 1);
  LinkFlows flows(row, 2);
  flows.open(0);
  flows.close(100);
  flows.add(eastwards(0, 1, 3, 10, 0, 4));
  flows.add(eastwards(0, 1, 5, 10, 0, 7));
  std::vector<LinkResult> all = links(2);
  flows.put(all, kClasses);
  EXPECT_EQ(told(all[0]), "0->1 packets 3; ");
  EXPECT_EQ(told(all[1]), "");
  EXPECT_EQ(told(all[2]), "0->1 packets 5; ");
}

/// Links of a butterfly lead one way: what comes in by one has come from a router though nothing leaves by that port.
TEST(LinkFlows, AreOfLinksThatLeadOneWay) {
  Configuration options;
  options.set("topology.kind", "butterfly");
  const routing::Topology butterfly = routing::make_topology(options);
  std::size_t seen = 0;
  for (std::size_t r = 0; r < butterfly.router_count(); ++r) {
    for (std::size_t p = 0; p < butterfly.port_count(RouterId{r}); ++p) {
      const routing::Port& port = butterfly.port(RouterId{r}, PortId{p});
      if (port.kind != routing::PortKind::kIncoming) continue;
      ++seen;
      LinkFlows flows(butterfly);
      flows.open(0);
      flows.close(100);
      PacketRecord record = eastwards(0, 0, 7, 10);
      record.path = {{10, RouterId{r}, PortId{p}}};
      flows.add(record);
      std::vector<LinkResult> all{{port.peer_router, port.peer_port}};
      flows.put(all, kClasses);
      EXPECT_EQ(told(all[0]), "0->0 packets 7; ") << butterfly.router_names[r] << " port " << p;
    }
  }
  EXPECT_GT(seen, 0U);
}

// ---------------------------------------------------------------- loads

/// Counts a thousand cycles apart; what was counted before is not in them.
TEST(LinkResults, AreWhatWasCountedInBetween) {
  using models::LinkCount;
  std::vector<LinkCount> before{{RouterId{0}, routing::kEast, {100, 10, {}}, 0},
                                {RouterId{1}, routing::kWest, {200, 20, {}}, 1}};
  std::vector<LinkCount> after = before;
  after[0].use.packet_flits = 350;
  after[1].use.circuit_flits = 520;
  before[1].use.stopped_cycles = 30;
  after[1].use.stopped_cycles = 155;
  const std::vector<LinkResult> plain = models::link_results(before, after, 1000);
  ASSERT_EQ(plain.size(), 2U);
  EXPECT_EQ(plain[0].from, RouterId{0});
  EXPECT_EQ(plain[0].port, routing::kEast);
  EXPECT_DOUBLE_EQ(plain[0].packet_flits_per_cycle, 0.25);
  EXPECT_EQ(plain[0].circuit_flits_per_cycle, 0.0);
  EXPECT_FALSE(plain[0].stopped);
  EXPECT_FALSE(plain[0].subnet);
  EXPECT_EQ(plain[1].packet_flits_per_cycle, 0.0);
  EXPECT_DOUBLE_EQ(plain[1].circuit_flits_per_cycle, 0.5);
  EXPECT_DOUBLE_EQ(plain[1].stopped.value(), 0.125);
  const std::vector<LinkResult> named = models::link_results(before, after, 1000, true);
  EXPECT_EQ(named[0].subnet, 0U);
  EXPECT_EQ(named[1].subnet, 1U);
}

/// Of each subnet's own links: the fullest by what a link takes, of equals the first, and the mean. Where there is no
/// link, as with one router, neither; where nothing moves the first link is as full as any.
TEST(SubnetResults, AreOfTheFullestOfTheirLinks) {
  const auto experiment = [](std::uint32_t width) {
    models::Experiment e = uniform_mesh(0.0, width, 1);
    e.open("network");
    e.set("network.subnets", 2).set("traffic.name", "a").set("traffic.subnets", std::vector<std::uint32_t>{0, 1});
    return e;
  };
  Bench row(experiment(3));
  const auto of = [](const Bench& bench, const std::vector<LinkResult>& links) {
    return models::subnet_results(*bench.network, models::subnet_counts(*bench.network), links, 100);
  };
  std::vector<LinkResult> all{{RouterId{0}, routing::kEast, 0.25, 0.0}, {RouterId{1}, routing::kEast, 0.375, 0.125},
                              {RouterId{1}, routing::kWest, 0.5, 0.0},  {RouterId{2}, routing::kWest, 0.125, 0.125},
                              {RouterId{1}, routing::kWest, 0.0, 0.0},  {RouterId{2}, routing::kWest, 0.0, 0.0}};
  for (std::size_t i = 0; i < all.size(); ++i) all[i].subnet = i < 4 ? 0 : 1;
  const auto found = of(row, all);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].number, 0U);
  EXPECT_EQ(found[0].classes, std::vector<std::string>{"a"});
  EXPECT_EQ(found[0].busiest_router, "1,0");
  EXPECT_EQ(found[0].busiest_port, "east");
  EXPECT_EQ(found[0].busiest_link_load, 0.5);
  EXPECT_EQ(found[0].mean_link_load, 0.375);
  EXPECT_EQ(found[0].accepted, 0.0);
  EXPECT_EQ(found[0].injected, 0.0);
  EXPECT_EQ(found[1].number, 1U);
  EXPECT_EQ(found[1].busiest_router, "1,0");
  EXPECT_EQ(found[1].busiest_port, "west");
  EXPECT_EQ(found[1].busiest_link_load, 0.0);
  EXPECT_EQ(found[1].mean_link_load, 0.0);
  for (const models::SubnetResult& none : of(Bench(experiment(1)), {})) {
    EXPECT_EQ(none.busiest_link_load, 0.0);
    EXPECT_EQ(none.mean_link_load, 0.0);
    EXPECT_EQ(none.busiest_router + none.busiest_port, "");
  }
}

/// A node's flits of all classes, over its local ports, each of which is there once a subnet.
TEST(NodeLinkResults, AreTheMeanOverPortsAndSubnets) {
  routing::Topology row = grid_of("mesh", 2, 1);
  row.nodes[1].push_back(row.nodes[1].front());
  std::vector<models::TrafficClassResults> classes(2);
  classes[0].injected_flits_per_cycle_by_node = {0.5, 0.25};
  classes[0].delivered_flits_per_cycle_by_node = {0.125, 1.0};
  classes[1].injected_flits_per_cycle_by_node = {0.25, 0.75};
  classes[1].delivered_flits_per_cycle_by_node = {0.375, 0.0};
  const auto one = models::node_link_results(row, classes), three = models::node_link_results(row, classes, 3);
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one[0].node, NodeId{0});
  EXPECT_EQ(one[0].ports, 1U);
  EXPECT_EQ(one[1].ports, 2U);
  EXPECT_DOUBLE_EQ(one[0].injected_flits_per_cycle, 0.75);
  EXPECT_DOUBLE_EQ(one[0].ejected_flits_per_cycle, 0.5);
  EXPECT_DOUBLE_EQ(one[1].injected_flits_per_cycle, 0.5);
  EXPECT_DOUBLE_EQ(one[1].ejected_flits_per_cycle, 0.5);
  EXPECT_EQ(three[1].ports, 6U);
  EXPECT_DOUBLE_EQ(three[1].injected_flits_per_cycle, 1.0 / 6);
  EXPECT_DOUBLE_EQ(three[0].ejected_flits_per_cycle, 0.5 / 3);
}

}  // namespace
}  // namespace braid::test::link_flows_test
