// An output unit alone: what a router knows of the far end of a link (docs/router.md, "The credit loop").
#include "models/stages/hybrid/output_unit.h"

#include "tb/tests/support/stage_bench.h"

namespace braid::test::output_unit_test {
namespace {

using namespace models::stages::hybrid;

/// Port 2, VC 1 of 4, buffers of 3 flits; two circuit lanes.
constexpr unsigned kPort = 2, kVc = 1, kOut = kPort * 4 + kVc;

RouterShape shape() {
  RouterShape shape;
  shape.depth = 3;
  shape.circuit_lanes = 2;
  return shape;
}

struct Bench : StageBench<OutputUnit> {
  Bench() : StageBench(shape()) {}
  std::uint64_t credits() const { return field("credits_o", kOut * 2, 2); }
  void sends(bool sent, bool tail) {
    wires.set("send_i", kOut, sent);
    wires.set("send_tail_i", kPort, tail);
  }
};

TEST(OutputUnit, CountsAFlitInTheCycleAfterSaAndACreditInTheCycleAfterItComes) {
  Bench bench;
  bench.edge();
  EXPECT_EQ(bench.credits(), 3U) << "the far buffer is empty";
  bench.sends(true, false);
  for (unsigned left = 3; left-- > 0;) {
    bench.edge();
    EXPECT_EQ(bench.credits(), left);
  }
  bench.sends(false, false);
  bench.edges(4);
  EXPECT_EQ(bench.credits(), 0U) << "blocked as long as nothing comes back";
  bench.wires.set("credit_i", kPort * 6 + kVc);
  EXPECT_EQ(bench.credits(), 0U);
  bench.edge();
  EXPECT_EQ(bench.credits(), 1U);
  bench.sends(true, false);
  bench.edge();
  EXPECT_EQ(bench.credits(), 1U) << "one goes, one comes";
}

TEST(OutputUnit, TakesAVcFromTheGrantToTheTail) {
  Bench bench;
  bench.edge();
  EXPECT_EQ(bench.field("free_o", kPort * 4, 4), 0xfU);
  bench.wires.set("vc_granted_i", kOut);
  bench.edge();
  bench.wires.clear("vc_granted_i");
  EXPECT_EQ(bench.field("free_o", kPort * 4, 4), 0xfU & ~(1U << kVc));
  bench.sends(true, false);
  bench.edge();
  EXPECT_FALSE(bench.bit("free_o", kOut)) << "a body flit frees nothing";
  bench.sends(true, true);
  bench.edge();
  EXPECT_TRUE(bench.bit("free_o", kOut)) << "the last flit does, for VA in the next cycle";
  EXPECT_EQ(bench.wires.read("free_o"), models::stages::Bits(20, 0xfffff)) << "no other VC was taken";
}

/// A circuit's lane has five places by default.
TEST(OutputUnit, HasCreditForACircuitUntilItsFivePlacesAreTaken) {
  Bench bench;
  bench.wires.set("send_circuit_i", kPort * 2 + 1);
  bench.edges(4);
  EXPECT_TRUE(bench.bit("circuit_credit_o", kPort * 2 + 1));
  bench.edge();
  EXPECT_FALSE(bench.bit("circuit_credit_o", kPort * 2 + 1));
  EXPECT_TRUE(bench.bit("circuit_credit_o", kPort * 2)) << "the other lane";
  bench.wires.clear("send_circuit_i");
  bench.wires.set("credit_i", kPort * 6 + 4 + 1);
  bench.edge();
  EXPECT_TRUE(bench.bit("circuit_credit_o", kPort * 2 + 1));
}

}  // namespace
}  // namespace braid::test::output_unit_test
