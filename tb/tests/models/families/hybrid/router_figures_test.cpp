// What the hybrid family says of its routers to those who move no flits: what they keep flits in (estimates of energy
// and area), how long a head takes (estimates of latency), and the memory that they will take.
#include <gtest/gtest.h>

#include "models/fabric/router_storage.h"
#include "models/fabric/router_timing.h"
#include "models/families/hybrid/router_bank.h"
#include "tb/tests/support/bench.h"

namespace braid::test::router_figures_test {
namespace {

using models::RouterStorage;
using models::RouterTiming;
using Settings = std::vector<std::pair<std::string, OptionValue>>;

models::Experiment with(const Settings& settings) {
  models::Experiment e = uniform_mesh(0.1, 4, 4);
  for (const auto& [key, value] : settings) e.set(key, value);
  return e;
}
RouterStorage storage(const models::Experiment& e) {
  return *models::RouterStorageRegistry::instance().make("hybrid", e);
}

TEST(RouterStorage, IsTheBuffersOfAPort) {
  const RouterStorage usual = storage(with({}));
  EXPECT_TRUE(usual.fitted);
  EXPECT_EQ(usual.vcs, 4U);
  EXPECT_EQ(usual.flits_a_port, 4U * 8);
  EXPECT_EQ(usual.circuit_flits_a_port, 0U);
  EXPECT_EQ(usual.packets_a_port + usual.packets_a_router, 0U) << "its buffers count flits";
  const RouterStorage other =
      storage(with({{"router.vcs", std::int64_t{2}}, {"router.buffer_depth", std::int64_t{5}}}));
  EXPECT_EQ(other.vcs, 2U);
  EXPECT_EQ(other.flits_a_port, 2U * 5);
  const RouterStorage shared = storage(with({{"router.buffers", std::string("shared")},
                                             {"router.reserved_depth", std::int64_t{3}},
                                             {"router.shared_depth", std::int64_t{9}}}));
  EXPECT_EQ(shared.flits_a_port, 4U * 3 + 9) << "what each VC has to itself, and the pool";
  EXPECT_TRUE(shared.fitted);
}

TEST(RouterStorage, HasALaneForCircuits) {
  models::Experiment e = stream_mesh("fm_radio.toml", 4, 4);
  EXPECT_EQ(storage(e).circuit_flits_a_port, 5U);
  e.set("router.circuit_buffer_depth", 9);
  EXPECT_EQ(storage(e).circuit_flits_a_port, 9U);
  EXPECT_EQ(storage(e).flits_a_port, 4U * 8);
}

TEST(RouterStorage, IsNotFittedToFasterCrossbars) {
  for (const char* key : {"router.input_speedup", "router.output_speedup"}) {
    EXPECT_FALSE(storage(with({{key, std::int64_t{2}}})).fitted) << key;
  }
  EXPECT_FALSE(storage(with({{"router.internal_speedup", 1.5}})).fitted);
}

/// docs/router.md: five cycles a router; a cycle less of heads that bring their route, and of heads that speculate.
/// Body flits take four, three where they pass an empty buffer, and a packet goes no faster than its body.
TEST(RouterTiming, IsThatOfTheSlowerOfHeadAndBody) {
  for (const bool lookahead : {false, true}) {
    for (const bool speculative : {false, true}) {
      for (const bool bypass : {false, true}) {
        const auto timing =
            models::RouterTimingRegistry::instance().make("hybrid", with({{"router.lookahead", lookahead},
                                                                          {"router.speculative", speculative},
                                                                          {"router.buffer_bypass", bypass}}));
        const std::uint32_t saved = (lookahead ? 1U : 0U) + (speculative ? 1U : 0U), body = bypass ? 3 : 4;
        const std::uint32_t expected = saved == 0 ? 5 : saved == 1 ? 4 : body;
        EXPECT_EQ(timing->injection.after_head, 2U);
        EXPECT_EQ(timing->link.after_head, expected) << lookahead << speculative << bypass;
        EXPECT_EQ(timing->ejection.after_head, expected) << lookahead << speculative << bypass;
        EXPECT_EQ(timing->link.before_flits + timing->link.after_flits, 0U);
        EXPECT_TRUE(timing->flits_interleave);
      }
    }
  }
}

/// What the registers of a router are: a VC's of input and output and its ways on, in numbers of two to some power; of
/// a port two sets of VCs and two counters; and the flits that the buffers have room for.
TEST(RouterMemory, IsThatOfItsRegistersAndBuffers) {
  using namespace models::hybrid;
  Configuration mesh;
  mesh.set("topology.width", 3);
  mesh.set("topology.height", 2);
  mesh.set("topology.local_ports", 2);
  const routing::Topology topology = routing::make_topology(mesh);
  std::uint64_t ports = 0;
  for (std::size_t r = 0; r < 6; ++r) ports += topology.port_count(RouterId{r});
  const std::uint64_t wiring = models::Wiring::bytes(topology), numbered = 6 * 8;
  const auto bytes = [&](std::uint32_t vcs, std::uint32_t depth, std::uint32_t circuits, std::size_t ways) {
    Options o;
    o.vcs = vcs;
    o.buffer_depth = depth;
    o.circuits = circuits != 0;
    o.circuit_lanes = circuits;
    return RouterBank::bytes(topology, o, ways);
  };
  const auto registers = [&](std::uint64_t lanes, std::uint64_t ways) {
    return numbered * (lanes * (sizeof(InputVc) + sizeof(OutputVc) + ways * sizeof(routing::Candidate)) +
                       2 * sizeof(VcMask) + 2 * sizeof(std::uint64_t));
  };
  EXPECT_EQ(bytes(4, 8, 0, 1), wiring + registers(4, 1) + ports * 4 * 8 * sizeof(models::Flit));
  EXPECT_EQ(bytes(3, 7, 0, 2), wiring + registers(4, 2) + ports * 3 * 7 * sizeof(models::Flit));
  EXPECT_EQ(bytes(4, 8, 1, 1), wiring + registers(8, 1) + ports * 4 * 8 * sizeof(models::Flit));
  EXPECT_EQ(bytes(4, 8, 5, 1), wiring + registers(16, 1) + ports * 4 * 8 * sizeof(models::Flit));
}

}  // namespace
}  // namespace braid::test::router_figures_test
