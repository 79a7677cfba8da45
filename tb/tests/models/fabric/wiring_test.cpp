// How ports are numbered and what is wired to what, on networks small enough to count by hand.
#include "models/fabric/wiring.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/signal_names.h"
#include "routing/topology/topology.h"

namespace braid::test::wiring_test {
namespace {

using models::kNone;
using models::Link;
using models::LocalPortMap;
using models::PortIndex;
using models::PortNumbering;
using models::RouterRange;
using models::Wiring;

/// Six routers with two local ports each: at most four neighbours' ports and two of nodes, so numbers of eight.
routing::Topology mesh_of_six(std::uint32_t local_ports = 2) {
  Configuration c;
  c.set("topology.width", 3);
  c.set("topology.height", 2);
  c.set("topology.local_ports", local_ports);
  c.set("topology.link_latency_cycles", 3);
  return routing::make_topology(c);
}
using Pairs = std::multiset<std::pair<std::uint32_t, std::uint32_t>>;
Pairs neighbours(const Wiring& wiring) {
  Pairs all;
  wiring.for_each_neighbours([&](RouterId a, RouterId b) { all.emplace(a.value, b.value); });
  return all;
}

TEST(PortNumbering, HasAsManyNumbersARouterAsThePowerOfTwoAboveItsPorts) {
  for (const auto& [ports, stride] : {std::pair(1U, 1U), std::pair(2U, 2U), std::pair(3U, 4U), std::pair(4U, 4U),
                                      std::pair(5U, 8U), std::pair(64U, 64U)}) {
    const PortNumbering numbers(3, ports);
    EXPECT_EQ(numbers.router_count(), 3U);
    EXPECT_EQ(numbers.port_stride(), stride) << ports;
    EXPECT_EQ(numbers.router_port_count(), 3U * stride) << ports;
    PortIndex next = 0;
    for (std::uint32_t r = 0; r < 3; ++r) {
      for (std::uint32_t p = 0; p < stride; ++p) {
        const PortIndex index = numbers.port_index(RouterId{r}, PortId{p});
        EXPECT_EQ(index, next++) << ports;
        EXPECT_EQ(numbers.router_of(index), RouterId{r});
        EXPECT_EQ(numbers.port_of(index), p);
        EXPECT_FALSE(numbers.is_injection_port(index));
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const PortIndex injection = numbers.injection_port(i);
      EXPECT_EQ(injection, next++) << "behind the routers'";
      EXPECT_TRUE(numbers.is_injection_port(injection));
      EXPECT_EQ(numbers.local_port_of_injection(injection), i);
    }
  }
}

/// Every output has one input at its far end, and every input the output that feeds it.
TEST(Wiring, LeadsFromEachOutputToTheInputAtItsFarEnd) {
  const routing::Topology topology = mesh_of_six();
  const Wiring wiring(topology);
  EXPECT_EQ(wiring.port_stride(), 8U);
  EXPECT_EQ(wiring.links.size(), 6U * 8U + 12U);
  EXPECT_EQ(wiring.upstream.size(), 6U * 8U);
  EXPECT_EQ(wiring.max_link_latency_cycles, 3U);
  EXPECT_FALSE(wiring.one_way);
  std::size_t between_routers = 0, to_nodes = 0, of_nodes = 0;
  for (PortIndex out = 0; out < wiring.links.size(); ++out) {
    const Link& link = wiring.links[out];
    if (link.target == kNone) continue;
    if (link.to_node) {
      ++to_nodes;
      EXPECT_EQ(wiring.local_ports[link.target].exit_port, out);
      EXPECT_EQ(link.latency_cycles, 1U);
      continue;
    }
    EXPECT_EQ(wiring.upstream[link.target], out);
    if (wiring.is_injection_port(out)) {
      ++of_nodes;
      EXPECT_EQ(wiring.local_ports[wiring.local_port_of_injection(out)].router_port, link.target);
      EXPECT_EQ(link.latency_cycles, 1U);
    } else {
      ++between_routers;
      const routing::Port& port = topology.port(wiring.router_of(out), PortId{wiring.port_of(out)});
      EXPECT_EQ(wiring.router_of(link.target), port.peer_router);
      EXPECT_EQ(PortId{wiring.port_of(link.target)}, port.peer_port);
      EXPECT_EQ(link.latency_cycles, 3U);
    }
  }
  EXPECT_EQ(between_routers, 14U) << "seven links, both ways";
  EXPECT_EQ(to_nodes, 12U);
  EXPECT_EQ(of_nodes, 12U);
  std::size_t fed = 0;
  for (const PortIndex out : wiring.upstream) fed += out != kNone ? 1 : 0;
  EXPECT_EQ(fed, 14U + 12U);
}

TEST(Wiring, NumbersLocalPortsNodeByNode) {
  const Wiring wiring(mesh_of_six());
  ASSERT_EQ(wiring.local_ports.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(wiring.local_ports[i].node, NodeId{i / 2});
    EXPECT_EQ(wiring.router_of(wiring.local_ports[i].router_port), RouterId{i / 2});
    EXPECT_EQ(wiring.local_ports[i].exit_port, wiring.local_ports[i].router_port);
  }
  using Range = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(wiring.local_ports_of(RouterRange{0, 6}), Range(0, 12));
  EXPECT_EQ(wiring.local_ports_of(RouterRange{0, 1}), Range(0, 2));
  EXPECT_EQ(wiring.local_ports_of(RouterRange{1, 3}), Range(2, 6));
  EXPECT_EQ(wiring.local_ports_of(RouterRange{5, 6}), Range(10, 12));
  const auto [first, last] = wiring.local_ports_of(RouterRange{2, 2});
  EXPECT_EQ(first, last) << "of no router there are none";
}

/// For each direction of a link its credits come back: so every pair of neighbours is told twice, both ways round.
TEST(Wiring, ConnectsTheEndsOfEachLinkBothWaysRound) {
  const Pairs pairs = neighbours(Wiring(mesh_of_six()));
  EXPECT_EQ(pairs.size(), 2U * 14U);
  for (const auto& [a, b] : {std::pair(0U, 1U), std::pair(1U, 2U), std::pair(3U, 4U), std::pair(4U, 5U),
                             std::pair(0U, 3U), std::pair(1U, 4U), std::pair(2U, 5U)}) {
    EXPECT_EQ(pairs.count({a, b}), 2U) << a << " " << b;
    EXPECT_EQ(pairs.count({b, a}), 2U) << a << " " << b;
  }
}

/// A 2-ary 2-fly: a node sends into the first stage and takes what comes out of the last one.
TEST(Wiring, OfAOneWayNetworkConnectsTheTwoEndsOfANode) {
  Configuration c;
  c.set("topology.kind", "butterfly");
  c.set("topology.arity", 2);
  c.set("topology.stages", 2);
  const routing::Topology topology = routing::make_topology(c);
  const Wiring wiring(topology);
  EXPECT_TRUE(wiring.one_way);
  ASSERT_EQ(wiring.local_ports.size(), 4U);
  const Pairs pairs = neighbours(wiring);
  EXPECT_EQ(pairs.size(), 2U * 4U + 2U * 4U) << "four links and four nodes";
  for (const models::LocalPort& local : wiring.local_ports) {
    const std::uint32_t in = wiring.router_of(local.router_port).value, out = wiring.router_of(local.exit_port).value;
    EXPECT_NE(in, out);
    EXPECT_GT(pairs.count({in, out}), 0U);
    EXPECT_GT(pairs.count({out, in}), 0U);
    EXPECT_EQ(out, topology.exit_router(local.node).value);
  }
}

TEST(Wiring, IsEstimatedAtWhatItTakes) {
  const routing::Topology topology = mesh_of_six(1);
  const Wiring wiring(topology);
  EXPECT_EQ(Wiring::bytes(topology), wiring.links.size() * sizeof(Link) + wiring.upstream.size() * sizeof(PortIndex) +
                                         wiring.local_ports.size() * sizeof(models::LocalPort));
}

/// From the first port of the first node to the last one of the last, whatever order they are named in.
TEST(LocalPortMap, SpansThePortsOfNodes) {
  const LocalPortMap map(mesh_of_six());
  EXPECT_EQ(map.first, (std::vector<std::size_t>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(map.count, std::vector<std::size_t>(6, 2));
  using Span = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(map.span({NodeId{3}, NodeId{1}}), Span(2, 6));
  EXPECT_EQ(map.span({NodeId{5}}), Span(10, 2));
  EXPECT_EQ(map.span({NodeId{0}, NodeId{4}, NodeId{5}}), Span(0, 12));
}

/// As values of a waveform: 0 is none. Routers with the same ports share a list, and each list has a name of its own.
TEST(PortNames, AreTheRoutersAndSharedByThoseThatHaveTheSame) {
  Configuration c;
  c.set("topology.kind", "k_ary_n_tree");
  c.set("topology.arity", 2);
  c.set("topology.levels", 3);
  const routing::Topology topology = routing::make_topology(c);
  const models::PortNames names(topology);
  std::set<const models::SignalValues*> lists;
  std::set<std::vector<std::string>> different;
  std::set<std::string> called;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    const models::SignalValues& list = names.of(RouterId{r});
    ASSERT_EQ(list.values.size(), topology.port_count(RouterId{r}) + 1) << r;
    EXPECT_EQ(list.values[0], "-");
    for (std::size_t p = 0; p + 1 < list.values.size(); ++p) {
      EXPECT_EQ(list.values[p + 1], topology.port(RouterId{r}, PortId{p}).name) << r;
    }
    lists.insert(&list);
    different.insert(list.values);
    called.insert(list.name);
  }
  EXPECT_GT(lists.size(), 1U) << "the switches of a tree differ";
  EXPECT_EQ(lists.size(), different.size());
  EXPECT_EQ(called.size(), lists.size());
  EXPECT_EQ(called.count("ports"), 1U);
  EXPECT_EQ(called.count("ports1"), 1U);
  EXPECT_GE(1U << models::PortNames::kBits, 64U + 1U) << "of a router with the most ports";
  const models::SignalValues routers = models::router_names(topology);
  ASSERT_EQ(routers.values.size(), topology.router_count() + 1);
  EXPECT_EQ(routers.values[0], "-");
  EXPECT_EQ(routers.values.back(), topology.router_names.back());
}

}  // namespace
}  // namespace braid::test::wiring_test
