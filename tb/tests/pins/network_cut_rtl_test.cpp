// A running network cut at pins, with the RTL bound there: the cycles of the network that is not cut.
#include "tb/tests/support/built_routers.h"
#include "tb/tests/support/cut_mesh.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::network_cut_rtl_test {
namespace {

using models::Experiment;

/// The routers of point mesh_tiny; circuits between tiles, with set-ups that backtrack and fail, and packets.
Experiment tiny() {
  Experiment e = tile_streams(4, 4, 1, {{5, 6}, {6, 10}, {10, 14}, {4, 7}, {12, 3}, {1, 2}}, 20);
  add_traffic(e, 0.25);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 3);
  e.set("router.circuit_buffer_depth", 3);
  return e;
}

std::unique_ptr<CutMesh::Router> rtl_router(const char* module, const Experiment& e, const std::string& router) {
  return std::make_unique<models::pins::RtlRouter<64>>(module, e, router);
}
/// RTL where x + y is even.
std::unique_ptr<CutMesh::Router> mixed_router(const char* module, const Experiment& e, const std::string& router) {
  if ((router[0] + router[2]) % 2 == 0) return rtl_router(module, e, router);
  return CutMesh::modelled(module, e, router);
}

void expect_same(const Experiment& e, const std::string& routers, const char* schedule,
                 const CutMesh::MakeRouter& make) {
  if (!is_built("mesh_tiny")) GTEST_SKIP() << "mesh_tiny is not built";
  Bench uncut(e);
  uncut.run(2000);
  EXPECT_GT(uncut.delivered(), 500U);
  EXPECT_FALSE(uncut.network->setup_results().circuits.empty());
  Experiment with_pins = cut_at(e, routers);
  with_pins.set("simulation.schedule", schedule);
  CutMesh cut(with_pins, make);
  cut.engine.run(2000);
  expect_same_network(*uncut.network, cut.engine.settled());
}

TEST(NetworkCutRtl, OfOneRouter) { expect_same(tiny(), "1,1", "static", rtl_router); }
TEST(NetworkCutRtl, OfFourRouters) { expect_same(tiny(), "0,0 1,1 2,1 3,3", "static", rtl_router); }
TEST(NetworkCutRtl, OfAllRouters) { expect_same(tiny(), "all", "static", rtl_router); }
TEST(NetworkCutRtl, OfAllRoutersOnTheOtherSchedule) { expect_same(tiny(), "all", "process_per_stage", rtl_router); }
TEST(NetworkCutRtl, OfModelAndRtlMixed) { expect_same(tiny(), "all", "static", mixed_router); }
TEST(NetworkCutRtl, OverLongLinks) {
  Experiment e = tiny();
  e.set("topology.link_latency_cycles", 2);
  expect_same(e, "all", "static", mixed_router);
}

}  // namespace
}  // namespace braid::test::network_cut_rtl_test
