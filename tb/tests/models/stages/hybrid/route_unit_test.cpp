// RC alone: a head is routed in the cycle in which it comes to the front, and waits until it has an output VC.
#include "models/stages/hybrid/route_unit.h"

#include "models/experiment/experiment.h"
#include "tb/tests/support/stage_bench.h"

namespace braid::test::route_unit_test {
namespace {

using namespace models::stages::hybrid;

/// Router "1,1" of a 4x4 mesh; ports east, west, north (to greater y), south, local.
std::shared_ptr<const AlonePlace> middle(const std::string& algorithm) {
  models::Experiment e;
  e.set("topology.width", 4).set("topology.height", 4).set("routing.algorithm", algorithm);
  return std::make_shared<const AlonePlace>(e, "1,1");
}

struct Bench : StageBench<RouteUnit> {
  explicit Bench(const std::string& algorithm = "x_first") : StageBench(middle(algorithm)) {}
  void head(unsigned vc, unsigned destination) {
    wires.set("heads_i", vc);
    wires.set("destination_i", vc * 16, 16, destination);
  }
};

TEST(RouteUnit, NamesThePortsOnTheWayFromTheNextCycleUntilAVcIsGranted) {
  Bench bench;
  bench.head(6, 7);   // to (3,1), at port 1, VC 2
  bench.head(9, 13);  // to (1,3)
  bench.head(0, 5);   // it is here
  EXPECT_FALSE(bench.any("waiting_o"));
  bench.edge();
  bench.wires.clear("heads_i");
  EXPECT_EQ(bench.field("waiting_o", 0, 20), 1U << 6 | 1U << 9 | 1U << 0);
  EXPECT_EQ(bench.field("candidates_o", 6 * 5, 5), 1U << 0) << "east";
  EXPECT_EQ(bench.field("candidates_o", 9 * 5, 5), 1U << 2) << "north";
  EXPECT_EQ(bench.field("candidates_o", 0, 5), 1U << 4) << "the node's port";
  bench.edges(3);
  EXPECT_EQ(bench.field("waiting_o", 0, 20), 1U << 6 | 1U << 9 | 1U << 0) << "blocked without a VC";
  bench.wires.set("vc_grant_i", 6);
  bench.edge();
  EXPECT_EQ(bench.field("waiting_o", 0, 20), 1U << 9 | 1U << 0);
  EXPECT_EQ(bench.field("candidates_o", 6 * 5, 5), 0U);
}

/// Under minimal adaptive routing every minimal direction is open, and above the ports the escape path's: X first.
TEST(RouteUnit, UnderAdaptiveRoutingShowsTheEscapePathAboveThePorts) {
  Bench bench("minimal_adaptive");
  bench.head(2, 15);  // to (3,3)
  bench.edge();
  EXPECT_EQ(bench.field("candidates_o", 2 * 10, 10), (1U << 0 | 1U << 2) | 1U << (5 + 0));
}

TEST(RouteUnit, RefusesARoutingThatLooksAtThePacketsSource) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3).set("routing.algorithm", "source_routed");
  const auto place = std::make_shared<const AlonePlace>(e, "1,1");
  EXPECT_THROW(RouteUnit("unit", place), InputError);
}

/// Half-way round a torus: by the fixed rule, for ports do not tell what a packet drew.
TEST(RouteUnit, TakesTheFixedRuleWherePacketsWouldDraw) {
  models::Experiment e;
  e.set("topology.kind", "torus").set("topology.width", 4).set("topology.height", 4);
  EXPECT_EQ(std::make_shared<const AlonePlace>(e, "1,1")->routing->draws(), 1U);
  e.set("routing.ties", "drawn");
  const auto place = std::make_shared<const AlonePlace>(e, "1,1");
  EXPECT_THROW(RouteUnit("unit", place), InputError);
}

}  // namespace
}  // namespace braid::test::route_unit_test
