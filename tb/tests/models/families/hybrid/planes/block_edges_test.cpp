// Planes of as many routers as words and blocks have room for, one fewer and one more; and looks at what they have
// counted, in every cycle or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::planes_block_edges_test {
namespace {

using models::Experiment;

/// A word has 64 routers, a block four words, or eight.
TEST(PlaneBlocks, HaveTheRegistersOfListsAtTheirEdges) {
  for (const auto& [width, height] :
       {std::pair(9U, 7U), std::pair(8U, 8U), std::pair(13U, 5U), std::pair(17U, 15U), std::pair(16U, 16U),
        std::pair(257U, 1U), std::pair(73U, 7U), std::pair(32U, 16U), std::pair(27U, 19U)}) {
    SCOPED_TRACE(std::to_string(width * height) + " routers");
    const std::uint64_t cycles = std::max(briefly(50), std::uint64_t{25});  // fewer deliver nothing
    expect_same_registers(uniform_mesh(0.3, width, height), cycles);
  }
}

TEST(PlaneBlocks, HaveTheRegistersOfListsAtTheirEdgesWithOtherPorts) {
  for (const std::uint32_t width : {63U, 64U, 65U, 256U, 257U}) {
    for (const std::uint32_t vcs : {2U, 5U}) {
      SCOPED_TRACE(std::to_string(width) + " routers of " + std::to_string(vcs) + " VCs");
      Experiment e;
      e.set("topology.kind", std::string("cube"));
      e.set("topology.sizes", std::vector<std::uint32_t>{width});
      e.set("topology.wrap", true);
      e.set("routing.algorithm", std::string("dimension_order"));
      e.set("router.vcs", vcs);
      add_traffic(e, 0.4);
      e.set("traffic.pattern", std::string("neighbour"));
      expect_same_registers(e, briefly(100));
    }
  }
}

/// Flits over each link and through all switches, asked for after one cycle, two or three, and not at all for some.
TEST(PlaneCounts, AreUpToDateWheneverTheyAreAskedFor) {
  const Experiment e = uniform_mesh(0.5, 5, 4);
  Side lists(e, false), planes(e, true);
  std::uint64_t flits = 0;
  for (const std::uint64_t cycles :
       {20U, 1U, 1U, 1U, 2U, 1U, 3U, 4U, 1U, 5U, 1U, 6U, 1U, 1U, 4U, 4U, 8U, 1U, 30U, 1U}) {
    lists.bench.run(cycles);
    planes.bench.run(cycles);
    ASSERT_EQ(planes.bench.network->flit_hops(), lists.bench.network->flit_hops());
    for (std::size_t r = 0; r < 20; ++r) {
      for (std::size_t p = 0; p < lists.bench.topology.port_count(RouterId{r}); ++p) {
        if (lists.bench.topology.port(RouterId{r}, PortId{p}).kind == routing::PortKind::kUnconnected) continue;
        const std::uint64_t of = lists.fabric.link_use(RouterId{r}, PortId{p}).packet_flits;
        ASSERT_EQ(planes.fabric.link_use(RouterId{r}, PortId{p}).packet_flits, of) << r << " " << p;
        flits += of;
      }
    }
  }
  EXPECT_GT(flits, 1000U);
  EXPECT_EQ(planes.fabric.plane_cycles(), planes.bench.network->now()) << "in every cycle";
}

}  // namespace
}  // namespace braid::test::planes_block_edges_test
