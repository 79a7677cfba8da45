// The link between a node and its router takes a cycle in every family but Myrinet's, whatever the topology says of it
// (models/fabric/wiring.h): the styles without flits are the engine's to the cycle on networks whose nodes' links are
// as long as the others.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/lone_packet.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::node_links_test {

/// Switches cabled at random, two hosts each, every cable of three cycles.
models::Experiment irregular(const std::string& family, const std::string& algorithm) {
  models::Experiment e;
  e.set("topology.kind", "irregular");
  e.set("topology.switches", 6);
  e.set("topology.switch_ports", 6);
  e.set("topology.hosts", 2);
  if (family == "myrinet") as_myrinet(e, "up_down");
  e.set("topology.link_latency_cycles", 3);
  e.set("router.architecture", family);
  if (family == "virtual_cut_through") e.set("router.vcs", 1);
  e.set("routing.algorithm", algorithm);
  if (algorithm == "source_routed") e.set("routing.paths", "up_down");
  add_traffic(e, 0.0);
  return e;
}

class NodeLinks : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(NodeLinks, TakeWhatTheyTakeInTheEngine) {
  const auto [family, algorithm] = GetParam();
  const models::Experiment e = irregular(family, algorithm);
  Bench bench(e);
  bench.run(10);
  // Where sources choose paths, a packet that is made between two cycles goes from the host to its interface in the
  // next; Myrinet's interface sends it on in that cycle.
  const bool later = std::string(algorithm) == "source_routed" && std::string(family) != "myrinet";
  for (const char* style : {"approximately_timed", "loosely_timed"}) {
    Configuration styled = e;
    styled.set("tlm.style", style);
    for (const std::size_t to : {1u, 2u, 7u, 11u}) {  // 1: at the same switch
      const std::uint64_t cycles = cycles_alone(bench, NodeId{0}, NodeId{to}, 4);
      const auto estimate = models::make_packet_timing(styled, bench.topology, *bench.routing);
      EXPECT_EQ(estimate->deliver(NodeId{0}, NodeId{to}, 4, 100, 100) - 100 + (later ? 1 : 0), cycles)
          << style << " to " << to;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Families, NodeLinks,
                         testing::Values(std::tuple("hybrid", "table"), std::tuple("hybrid", "source_routed"),
                                         std::tuple("virtual_cut_through", "table"),
                                         std::tuple("virtual_cut_through", "source_routed"),
                                         std::tuple("myrinet", "source_routed")),
                         [](const auto& c) { return std::string(std::get<0>(c.param)) + "_" + std::get<1>(c.param); });

}  // namespace braid::test::node_links_test
