// Network interfaces alone: injection and ejection of a node by the cycle (docs/router.md).
#include "models/stages/hybrid/network_interface.h"

#include "models/experiment/experiment.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/stage_bench.h"

namespace braid::test::network_interface_test {
namespace {

using namespace models::stages::hybrid;

constexpr unsigned kLocal = 4;  // the node's port of router "1,1"

struct Bench : StageBench<NetworkInterface> {
  explicit Bench(const models::Experiment& e) : StageBench(std::make_shared<const AlonePlace>(e, "1,1")) {}
  void send(unsigned length, unsigned destination) {
    wires.set("send_i", kLocal);
    wires.set("send_length_i", kLocal * 16, 16, length);
    wires.set("send_destination_i", kLocal * 16, 16, destination);
  }
  bool on_link() const { return bit("link_valid_o", kLocal); }
  bool head() const { return bit("link_flit_o", kLocal * 66 + 65); }
  bool tail() const { return bit("link_flit_o", kLocal * 66 + 64); }
};

models::Experiment mesh(unsigned depth) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3).set("router.buffer_depth", depth);
  return e;
}

/// "VC" in one cycle, on the link from the next on, a flit a cycle.
TEST(NetworkInterface, PutsAPacketOnTheLinkFromTheNextCycleOn) {
  Bench bench(mesh(8));
  bench.edge();
  EXPECT_TRUE(bench.bit("ready_o", kLocal));
  EXPECT_EQ(bench.field("ready_o", 0, 5), 1U << kLocal) << "no other port is local";
  bench.send(3, 7);
  EXPECT_FALSE(bench.on_link());
  bench.edge();
  bench.wires.clear("send_i");
  EXPECT_TRUE(bench.on_link());
  EXPECT_TRUE(bench.head());
  EXPECT_EQ(bench.field("link_flit_o", kLocal * 66, 16), 7U) << "its destination";
  const std::uint64_t lane = bench.field("link_lane_o", kLocal * 2, 2);
  bench.edge();
  EXPECT_TRUE(bench.on_link());
  EXPECT_FALSE(bench.head() || bench.tail());
  bench.edge();
  EXPECT_TRUE(bench.on_link() && bench.tail());
  EXPECT_EQ(bench.field("link_lane_o", kLocal * 2, 2), lane);
  bench.edge();
  EXPECT_FALSE(bench.on_link());
}

TEST(NetworkInterface, WaitsForACreditOfTheRoutersBuffer) {
  Bench bench(mesh(2));
  bench.send(3, 7);
  bench.edge();
  bench.wires.clear("send_i");
  const auto lane = static_cast<unsigned>(bench.field("link_lane_o", kLocal * 2, 2));
  bench.edge();
  EXPECT_TRUE(bench.on_link());
  for (int cycle = 0; cycle < 4; ++cycle) {
    bench.edge();
    EXPECT_FALSE(bench.on_link()) << "two flits fill the buffer";
  }
  bench.wires.set("credit_i", kLocal * 4 + lane);
  bench.edge();
  EXPECT_TRUE(bench.on_link() && bench.tail()) << "in the cycle in which the credit counts";
}

TEST(NetworkInterface, GivesThePlaceOfAFlitThatComesBackInTheNextCycle) {
  Bench bench(mesh(8));
  bench.wires.set("link_valid_i", kLocal);
  bench.wires.set("link_lane_i", kLocal * 2, 2, 3);
  EXPECT_FALSE(bench.any("credit_o"));
  bench.edge();
  bench.wires.clear("link_valid_i");
  EXPECT_EQ(bench.field("credit_o", 0, 20), 1U << (kLocal * 4 + 3));
  bench.edge();
  EXPECT_FALSE(bench.any("credit_o"));
}

/// Two circuits end at the port; the node alone takes whatever comes.
TEST(NetworkInterface, GivesThePlaceOfACircuitsFlitBackOnItsLane) {
  models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("topology.local_ports", 1).set("router.circuit_lanes", 2);
  Bench bench(e);
  const auto arrives = [&](unsigned lane) {
    bench.wires.set("link_valid_i", kLocal);
    bench.wires.set("link_lane_i", kLocal * 3, 3, lane);
    bench.wires.set("link_flit_i", kLocal * 66 + 64, 2, 3);
    bench.edge();
    bench.wires.clear("link_valid_i");
  };
  for (const unsigned lane : {4U, 5U}) {
    arrives(lane);
    EXPECT_EQ(bench.field("credit_o", 0, 30), std::uint64_t{1} << (kLocal * 6 + lane));
  }
  bench.edge();
  EXPECT_FALSE(bench.any("credit_o"));
}

}  // namespace
}  // namespace braid::test::network_interface_test
