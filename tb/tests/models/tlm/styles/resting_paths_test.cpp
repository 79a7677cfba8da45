// Packets that rest in in-transit buffers where none does that goes to or comes from the first node: it hangs on the
// root of the up*/down* tree, to and from which all shortest ways are legal. Styles without flits know of all others.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/tlm/styles/packet_timing.h"
#include "routing/paths/route_table.h"
#include "tb/tests/support/lone_packet.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::resting_paths_test {
namespace {

models::Experiment rooted() {
  models::Experiment e = irregular_myrinet(16, 0.0, "balanced", "up_down");
  e.set("routing.in_transit_root", "first");
  return e;
}

TEST(RestingPaths, AreSeenWherePathsOfTheFirstNodeHaveNone) {
  Bench bench(rooted());
  bench.run(10);
  const routing::RouteTable& table = *bench.routing->routes();
  const std::size_t nodes = bench.topology.node_count();
  const auto rests = [&](std::size_t from, std::size_t to) {
    return !table.is_last(table.first(NodeId{from}, NodeId{to}));
  };
  std::size_t from = 0, to = 0;  // the last pair that rests
  for (std::size_t a = 0; a < nodes; ++a) {
    EXPECT_FALSE(rests(a, 0)) << a;
    EXPECT_FALSE(rests(0, a)) << a;
    for (std::size_t b = 0; b < nodes; ++b) {
      if (rests(a, b)) from = a, to = b;
    }
  }
  ASSERT_NE(from, to) << "else nothing is tested";
  const std::uint64_t cycles = cycles_alone(bench, NodeId{from}, NodeId{to}, 100);
  for (const char* style : {"approximately_timed", "loosely_timed"}) {
    models::Experiment e = rooted();
    e.set("tlm.style", style);
    const auto timing = models::make_packet_timing(e, bench.topology, *bench.routing);
    // One more: a packet that is made between two cycles goes from the host to its interface in the next.
    EXPECT_EQ(timing->deliver(NodeId{from}, NodeId{to}, 100, 100, 100) - 100 + 1, cycles) << style;
  }
}

}  // namespace
}  // namespace braid::test::resting_paths_test
