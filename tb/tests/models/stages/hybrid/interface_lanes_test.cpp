// A network interface alone with two ports of four VCs each: a credit is of one lane, and what is on its links is there
// once (docs/hardware-view/hybrid.md). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "models/stages/hybrid/network_interface.h"
#include "tb/tests/support/stage_bench.h"

namespace braid::test::interface_lanes_test {
namespace {

using models::Experiment;
using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)

struct Interface : StageBench<NetworkInterface> {
  static std::shared_ptr<const AlonePlace> place() {
    Experiment e;
    e.set("topology.width", 3).set("topology.height", 3).set("topology.local_ports", 2).set("router.buffer_depth", 2);
    return std::make_shared<const AlonePlace>(e, "1,1");
  }
  Interface() : StageBench(place()) {}
  void send(unsigned port, unsigned length) {
    wires.set("send_i", port);
    wires.set("send_length_i", port * 16, 16, length);
    edge();
    wires.clear("send_i");
  }
};

/// Ports 4 and 5 are the node's, four VCs each of two places. A credit is that of one lane of one port: one flit more.
TEST(NetworkInterfaceCredits, AreEachOfOneLane) {
  Interface bench;
  bench.send(5, 9);
  const auto lane = static_cast<unsigned>(bench.field("link_lane_o", 5 * 2, 2));
  bench.edges(4);
  EXPECT_FALSE(bench.any("link_valid_o")) << "two flits have left, and fill the buffer";
  for (unsigned i = 0; i < 24; ++i) {
    bench.wires.set("credit_i", i);
    bench.edge();
    bench.wires.clear("credit_i");
    unsigned flits = bench.bit("link_valid_o", 5) ? 1 : 0;
    for (int cycle = 0; cycle < 3; ++cycle) {
      bench.edge();
      flits += bench.bit("link_valid_o", 5) ? 1 : 0;
    }
    EXPECT_EQ(flits, i == 5 * 4 + lane ? 1U : 0U) << "lane " << i % 4 << " of port " << i / 4;
    EXPECT_FALSE(bench.bit("link_valid_o", 4));
  }
}

/// What it has put on its links does not come up again, however long one waits.
TEST(NetworkInterfaceCredits, AndFlitsAreOnTheWiresOnce) {
  Interface bench;
  bench.wires.set("link_valid_i", 4);
  bench.wires.set("link_lane_i", 4 * 2, 2, 2);
  bench.send(5, 1);
  bench.wires.clear("link_valid_i");
  EXPECT_EQ(bench.whole("link_valid_o"), 0b100000U);
  EXPECT_EQ(bench.whole("credit_o"), std::uint64_t{1} << (4 * 4 + 2));
  for (int cycle = 0; cycle < 40; ++cycle) {
    bench.edge();
    EXPECT_FALSE(bench.any("link_valid_o") || bench.any("credit_o") || bench.any("link_flit_o")) << cycle;
    EXPECT_EQ(bench.whole("ready_o"), 0b110000U);
  }
}

}  // namespace
}  // namespace braid::test::interface_lanes_test
