#include <gtest/gtest.h>

#include <set>

#include "tb/tests/support/paths.h"

namespace braid::test::irregular_test {
namespace {

using namespace routing;

std::size_t network_ports(const Topology& t, std::size_t router) {
  std::size_t links = 0;
  for (const Port& p : t.routers[router]) links += p.kind == PortKind::kNetwork ? 1 : 0;
  return links;
}

TEST(Irregular, EverySwitchHasFourHostsAndFourLinksToFourOtherSwitches) {
  for (const std::uint32_t switches : {5U, 6U, 7U, 16U, 32U, 64U, 513U}) {
    for (std::uint32_t instance = 0; instance < 10; ++instance) {
      const Topology t = irregular(switches, instance);
      EXPECT_EQ(t.router_count(), switches);
      EXPECT_EQ(t.node_count(), 4 * switches);
      for (std::size_t s = 0; s < switches; ++s) {
        EXPECT_EQ(network_ports(t, s), 4U) << t.name << ", s" << s;
        std::set<std::uint32_t> peers{static_cast<std::uint32_t>(s)};
        for (const Port& p : t.routers[s]) {
          EXPECT_TRUE(p.kind == PortKind::kLocal || peers.insert(p.peer_router.value).second) << t.name;
        }
      }
    }
  }
}

TEST(Irregular, IsConnectedWithTwoLinksASwitch) {
  Configuration c;
  c.set("topology.hosts", 6);
  for (std::uint32_t instance = 0; instance < 10; ++instance) {
    const Topology t = irregular(100, instance, c);  // make_topology() refuses what is not connected
    EXPECT_EQ(t.link_count(), 200U);
  }
}

TEST(Irregular, AsManyLinksAsFitWherePortsAreMoreThanSwitches) {
  EXPECT_EQ(irregular(2, 0).link_count(), 2U);
  EXPECT_EQ(irregular(4, 0).link_count(), 12U);
  Configuration c;
  c.set("topology.hosts", 5);
  EXPECT_EQ(irregular(15, 3, c).link_count(), 44U);  // 15 switches of three links: one port stays free
  c.set("topology.switch_ports", 16);
  EXPECT_EQ(irregular(20, 0, c).link_count(), 220U);
}

TEST(Irregular, TheSeedAndTheInstanceChooseTheNetworkAndNothingElse) {
  const auto peers = [](const Topology& t) {
    std::vector<std::uint32_t> all;
    for (const auto& ports : t.routers) {
      for (const Port& p : ports) all.push_back(p.peer_router.value);
    }
    return all;
  };
  Configuration other_seed, slower;
  other_seed.set("experiment.seed", 2);
  slower.set("topology.link_latency_cycles", 8);
  EXPECT_EQ(peers(irregular(16, 0)), peers(irregular(16, 0)));
  EXPECT_EQ(peers(irregular(16, 0)), peers(irregular(16, 0, slower)));
  EXPECT_NE(peers(irregular(16, 0)), peers(irregular(16, 1)));
  EXPECT_NE(peers(irregular(16, 0)), peers(irregular(16, 0, other_seed)));
}

TEST(Irregular, NamesAndLatenciesAreThoseOfCables) {
  Configuration c;
  c.set("topology.link_latency_cycles", 8);
  const Topology t = irregular(16, 0, c);
  EXPECT_EQ(t.router_names[3], "s3");
  std::vector<std::string> names;
  for (const Port& p : t.routers[3]) {
    names.push_back(p.name);
    EXPECT_EQ(p.latency_cycles, 8U);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"link0", "link1", "link2", "link3", "local0", "local1", "local2", "local3"}));
  EXPECT_EQ(t.router_of(NodeId{13}), RouterId{3});
}

TEST(Irregular, ImpossibleSizesAreRefused) {
  Configuration full, pairs;
  full.set("topology.hosts", 8);
  pairs.set("topology.hosts", 7);
  EXPECT_EQ(complaint([&] { irregular(16, 0, full); }),
            "an irregular network of 16 switches with 8 hosts on 8 ports each has no port left for links: expected "
            "topology.hosts below topology.switch_ports");
  EXPECT_EQ(complaint([&] { irregular(3, 0, pairs); }),
            "an irregular network of 3 switches with 7 hosts on 8 ports each cannot be connected: expected two ports "
            "for links on each switch, or two switches");
  EXPECT_EQ(irregular(2, 0, pairs).link_count(), 2U);
}

}  // namespace
}  // namespace braid::test::irregular_test
