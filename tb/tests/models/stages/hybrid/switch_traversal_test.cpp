// ST alone: a flit is on the link, and its credit on the way back, in the cycle after ST (docs/router.md).
#include "models/stages/hybrid/switch_traversal.h"

#include "tb/tests/support/stage_bench.h"

namespace braid::test::switch_traversal_test {
namespace {

using namespace models::stages::hybrid;

struct Bench : StageBench<SwitchTraversal> {
  explicit Bench(const RouterShape& shape) : StageBench(shape), lane_bits(shape.lane_bits()) {}
  void crosses(unsigned in, unsigned in_lane, unsigned out, unsigned out_lane, std::uint64_t data) {
    wires.set("grant_i", in);
    wires.set("in_lane_i", in * lane_bits, lane_bits, in_lane);
    wires.set("out_port_i", in * 3, 3, out);
    wires.set("out_lane_i", in * lane_bits, lane_bits, out_lane);
    wires.set("flit_i", in * 66, 64, data);
    wires.set("flit_i", in * 66 + 64, 2, 1);  // a tail
  }
  const unsigned lane_bits;
};

TEST(SwitchTraversal, PutsFlitsOnTheirLinksAndCreditsBackInTheNextCycle) {
  Bench bench(RouterShape{});
  bench.edge();
  EXPECT_FALSE(bench.any("link_valid_o"));
  bench.crosses(0, 3, 4, 1, 0xaaa);
  bench.crosses(4, 0, 2, 2, 0xbbb);
  EXPECT_FALSE(bench.any("link_valid_o")) << "ST is in this cycle";
  bench.edge();
  bench.wires.clear("grant_i");
  EXPECT_EQ(bench.field("link_valid_o", 0, 5), 0b10100U);
  EXPECT_EQ(bench.field("link_lane_o", 4 * 2, 2), 1U);
  EXPECT_EQ(bench.field("link_lane_o", 2 * 2, 2), 2U);
  EXPECT_EQ(bench.field("link_flit_o", 4 * 66, 64), 0xaaaU);
  EXPECT_EQ(bench.field("link_flit_o", 2 * 66, 64), 0xbbbU);
  EXPECT_EQ(bench.field("link_flit_o", 2 * 66 + 64, 2), 1U) << "a tail, no head";
  EXPECT_EQ(bench.field("credit_o", 0, 20), 1U << 3 | 1U << 16) << "to whoever feeds ports 0 and 4";
  bench.edge();
  EXPECT_FALSE(bench.any("link_valid_o"));
  EXPECT_FALSE(bench.any("credit_o"));
}

TEST(SwitchTraversal, CarriesCircuitsOnTheirLanes) {
  RouterShape shape;
  shape.circuit_lanes = 2;
  Bench bench(shape);
  bench.crosses(1, 4, 3, 5, 0xccc);
  bench.edge();
  EXPECT_EQ(bench.field("link_valid_o", 0, 5), 1U << 3);
  EXPECT_EQ(bench.field("link_lane_o", 3 * 3, 3), 5U);
  EXPECT_EQ(bench.field("credit_o", 0, 30), 1U << (1 * 6 + 4));
}

}  // namespace
}  // namespace braid::test::switch_traversal_test
