// Units of a router alone that work for long: buffers that are filled and emptied more than once, packets and messages
// in any number, of which nothing is kept (docs/router.md, docs/setup.md). One case a process (SystemC elaborates
// once).
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/stages/base/heap.h"
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/input_unit.h"
#include "models/stages/hybrid/network_interface.h"
#include "models/stages/hybrid/route_unit.h"
#include "models/stages/hybrid/setup_sequencer.h"
#include "models/stages/hybrid/switch_traversal.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/setup_bench.h"
#include "tb/tests/support/stage_bench.h"

namespace braid::test::units_in_the_long_run_test {
namespace {

using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)
using setup_bench::Kind;

// ---------------------------------------------------------------- input unit

/// Two ports, two VCs, buffers of so many flits.
RouterShape two_ports(unsigned depth) {
  RouterShape shape;
  shape.ports = 2;
  shape.vcs = 2;
  shape.depth = depth;
  return shape;
}

/// VC 1 of port 1, the last one, which has VC 1 of port 1.
struct LastVc : StageBench<InputUnit> {
  explicit LastVc(unsigned depth) : StageBench(two_ports(depth)) {}
  static constexpr unsigned kVc = 3;
  void comes(std::uint64_t data, bool head, bool tail) {
    wires.set("valid_i", 1);
    wires.set("vc_i", 1, 1, 1);
    wires.set("flit_i", kFlitBits, 64, data);
    wires.set("flit_i", kFlitBits + 64, tail);
    wires.set("flit_i", kFlitBits + 65, head);
    edge();
    wires.clear("valid_i");
  }
  void has_vc() {
    for (const char* port : {"waiting_i", "vc_grant_i"}) wires.set(port, kVc);
    wires.set("vc_grant_port_i", kVc * 2 + 1);
    wires.set("vc_grant_vc_i", kVc * 2 + 1);
    edge();
    for (const char* port : {"waiting_i", "vc_grant_i"}) wires.clear(port);
  }
  /// The next flit crosses the switch: its data.
  std::uint64_t crosses() {
    wires.set("grant_i", kVc);
    edge();
    wires.clear("grant_i");
    EXPECT_EQ(whole("st_grant_o"), 0b10U);
    return field("st_flit_o", kFlitBits, 64);
  }
};

/// A packet longer than the buffer: filled to the last place, emptied by three, and filled again, until its end.
class LongPacket : public testing::TestWithParam<unsigned> {};

TEST_P(LongPacket, KeepsItsFlitsApartInAFullBuffer) {
  const unsigned depth = GetParam(), flits = 4 * depth + 3;
  LastVc bench(depth);
  bench.wires.set("credits_i", LastVc::kVc * bench.stage.credits_i.width() / 4, bench.stage.credits_i.width() / 4,
                  depth);
  unsigned came = 0, gone = 0;
  const auto fill = [&] {
    for (; came < flits && came - gone < depth; ++came) bench.comes(1000 + came, came == 0, came + 1 == flits);
  };
  fill();
  bench.edge();
  bench.has_vc();
  while (gone < flits) {
    for (unsigned i = 0; i < 3 && gone < came; ++i, ++gone) EXPECT_EQ(bench.crosses(), 1000 + gone);
    fill();
    bench.edge();  // the last one is written
  }
  EXPECT_FALSE(bench.any("ready_o"));
}
INSTANTIATE_TEST_SUITE_P(OfDepth, LongPacket, testing::Values(1U, 2U, 3U, 4U, 7U, 8U, 16U));

/// An output VC is the last one where the grant names none: the router has no others.
TEST(InputUnitGrant, IsOfTheRoutersPortsAndVcs) {
  LastVc bench(4);
  bench.comes(7, true, true);
  bench.edge();
  bench.wires.set("waiting_i", LastVc::kVc);
  bench.wires.set("vc_grant_i", LastVc::kVc);
  bench.edge();
  EXPECT_TRUE(bench.bit("ready_o", LastVc::kVc));
  EXPECT_EQ(bench.whole("out_port_o"), 0b1000U);
  EXPECT_EQ(bench.whole("out_vc_o"), 0b1000U);
}

// ---------------------------------------------------------------- switch traversal

/// What was put on the links, on packets' and on circuits' lanes, does not come up again however long one waits.
TEST(SwitchTraversalInTheLongRun, PutsAFlitOnItsLinkOnce) {
  RouterShape shape;
  shape.circuit_lanes = 2;
  StageBench<SwitchTraversal> bench(shape);
  for (unsigned p = 0; p < 5; ++p) {
    bench.wires.set("grant_i", p);
    bench.wires.set("in_lane_i", p * 3, 3, p);
    bench.wires.set("out_port_i", p * 3, 3, (p + 1) % 5);
    bench.wires.set("out_lane_i", p * 3, 3, p + 1);  // 4 and 5: circuits'
  }
  bench.edge();
  bench.wires.clear("grant_i");
  EXPECT_EQ(bench.whole("link_valid_o"), 0b11111U);
  for (int cycle = 0; cycle < 40; ++cycle) {
    bench.edge();
    EXPECT_FALSE(bench.any("link_valid_o") || bench.any("credit_o")) << cycle;
  }
}

// ---------------------------------------------------------------- network interface

/// A packet's number lies above its flits' places and destinations. It is another packet's when its tail has been seen.
TEST(NetworkInterfaceInTheLongRun, UsesThePacketsThatHaveLeftAgain) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3).set("router.buffer_depth", 8);
  StageBench<NetworkInterface> bench(std::make_shared<const AlonePlace>(e, "1,1"));
  constexpr unsigned kLocal = 4;
  std::set<std::uint64_t> numbers;
  for (unsigned i = 0; i < 24; ++i) {
    bench.wires.set("send_i", kLocal);
    bench.wires.set("send_length_i", kLocal * 16, 16, 1);
    bench.edge();
    bench.wires.clear("send_i");
    ASSERT_TRUE(bench.bit("link_valid_o", kLocal)) << i;
    numbers.insert(bench.field("link_flit_o", kLocal * kFlitBits + 32, 32));
    const auto lane = static_cast<unsigned>(bench.field("link_lane_o", kLocal * 2, 2));
    bench.wires.set("credit_i", kLocal * 4 + lane);
    bench.edges(2);
    bench.wires.clear("credit_i");
  }
  EXPECT_LE(numbers.size(), 2U);
}

// ---------------------------------------------------------------- set-up

/// What it has sent to its neighbours nobody takes, and nobody keeps.
template <class Ask>
void expect_no_growth(Ask ask) {
  if (models::stages::heap_bytes() == 0) GTEST_SKIP() << "nobody counts";
  for (int i = 0; i < 200; ++i) ask();
  const std::uint64_t before = models::stages::heap_bytes();
  for (int i = 0; i < 6000; ++i) ask();
  EXPECT_LT(models::stages::heap_bytes(), before + (48 << 10));
}

/// A search that has been here goes back, as often as it comes.
TEST(SetupUnitInTheLongRun, KeepsNoMessages) {
  setup_bench::SetupBench bench;
  bench.message(Kind::kProbe, 3, 7, 0b0001);
  bench.set("valid_i", 1, 1);
  bench.set("row_i", 2, 1);
  expect_no_growth([&] {
    bench.edge();
    ASSERT_EQ(bench.read("send_o"), 0b0010U);
  });
}

TEST(CircuitUnitInTheLongRun, KeepsNoMessages) {
  PortBench<CircuitUnit> bench(setup_bench::four_ports());
  for (const char* port : {"avoid_ports_i", "arrives_i", "credit_i"}) bench.set(port, 4);
  bench.set("network_ports_i", 4, 0b0111);
  bench.set("local_ports_i", 4, 0b1000);
  bench.set("flit_i", 4 * kFlitBits);
  bench.set("setup_directions_i", 4, 0b0001);
  bench.set("control_valid_i", 4, 0b0010);
  bench.set("control_kind_i", 8);
  bench.set("control_search_i", 64, std::uint64_t{7} << 16);
  bench.set("control_destination_i", 64);
  for (const char* port : {"request_valid_i", "request_lane_i"}) bench.set(port, 1);
  for (const char* port : {"request_port_i", "request_kind_i"}) bench.set(port, 2);
  for (const char* port : {"request_search_i", "request_destination_i"}) bench.set(port, 16);
  bench.edges(3);
  expect_no_growth([&] {
    bench.edge();
    ASSERT_EQ(bench.read("control_valid_o"), 0b0010U);
  });
}

/// Without streams there is nothing to search: all stand, and nobody is asked for any.
TEST(SetupSequencerWithoutStreams, AsksNobody) {
  StageBench<SetupSequencer> bench(std::vector<models::CircuitRequest>{}, models::hybrid::Options{}, 1);
  for (int cycle = 0; cycle < 4; ++cycle) {
    bench.edge();
    EXPECT_EQ(bench.whole("request_valid_o"), 0U) << cycle;
    EXPECT_EQ(bench.whole("request_stream_o"), 0U) << cycle;
    EXPECT_EQ(bench.whole("request_kind_o"), 0U) << cycle;
    EXPECT_EQ(bench.whole("standing_o"), 0U) << cycle;
  }
}

// ---------------------------------------------------------------- route unit

/// Ports tell neither a packet's source nor what it drew: where it is by the one alone as where it is by the other.
TEST(RouteUnitOf, NoRoutingThatLooksAtMoreThanPortsTell) {
  const auto said = [](const char* algorithm) {
    models::Experiment e;
    e.set("topology.width", 4).set("topology.height", 4).set("routing.algorithm", algorithm);
    return complaint([&] { const RouteUnit unit("unit", std::make_shared<const AlonePlace>(e, "1,1")); });
  };
  const std::string source = "routing.algorithm: this one looks at a packet's source, which ports do not tell";
  EXPECT_EQ(said("odd_even"), source) << "no table of routes";
  EXPECT_EQ(said("source_routed"), source);
  EXPECT_EQ(said("xy_yx").rfind("routing.algorithm: this one goes by what each packet drew", 0), 0U);
  for (const char* algorithm : {"x_first", "y_first", "minimal_adaptive", "west_first"}) EXPECT_EQ(said(algorithm), "");
}

}  // namespace
}  // namespace braid::test::units_in_the_long_run_test
