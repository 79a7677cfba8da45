// Modelled routers and RTL side by side over plain signals: the packets of the engine's own run, each with the same
// cycles.
#include "tb/tests/support/built_routers.h"
#include "tb/tests/support/pin_mesh.h"

namespace braid::test::mixed_mesh_test {
namespace {

using models::Experiment;

/// The routers of point mesh_tiny.
Experiment tiny(double rate) {
  Experiment e = uniform_mesh(rate, 4, 4);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 3);
  return e;
}
Experiment with_circuits(Experiment e) {
  e.open("stream");
  e.set("interface.switching", "circuit");
  e.set("router.circuit_buffer_depth", 3);
  return e;
}

/// RTL where x + y is even.
PinMesh<64>::MakeRouter mixed(const Experiment& e) {
  return [e](const std::string& module, const std::string& router) -> std::unique_ptr<PinMesh<64>::Router> {
    if ((router[0] - '0' + router[2] - '0') % 2 == 0)
      return std::make_unique<models::pins::RtlRouter<64>>(module.c_str(), e, router);
    return std::make_unique<models::pins::BraidRouter<64>>(module.c_str(), e, router);
  };
}

TEST(MixedMesh, HasTheHashOfTheEngine) {
  if (!is_built("mesh_tiny")) GTEST_SKIP() << "mesh_tiny is not built";
  const Experiment e = with_circuits(tiny(0.3));
  expect_hash_of_engine<64>(tiny(0.3), e, mixed(e), 2000);
}

TEST(MixedMesh, SetsACircuitUpThroughBoth) {
  if (!is_built("mesh_tiny")) GTEST_SKIP() << "mesh_tiny is not built";
  const Experiment e = with_circuits(tiny(0.3));
  PinMesh<64> m("mesh", e, mixed(e));
  std::vector<std::uint64_t> outcomes, arrived, gone;
  m.nodes[0]->on_outcome([&](bool success) {
    EXPECT_TRUE(success);
    outcomes.push_back(m.nodes[0]->cycles() + 1);
  });
  m.nodes[15]->on_arrival([&](const auto& a) { arrived.push_back(a.cycle); });
  m.nodes[15]->on_torn_down([&] { gone.push_back(m.nodes[15]->cycles() + 1); });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 10) m.nodes[0]->request_circuit(NodeId{15}, 1);
    if (cycle == 60) m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), flits_of(7, 2));
    if (cycle == 100) m.nodes[0]->tear_down(*m.nodes[0]->circuit(), 2);
  };
  m.run(200);
  EXPECT_EQ(outcomes, std::vector<std::uint64_t>{10U + 4 * 6 + 3});
  EXPECT_EQ(gone, std::vector<std::uint64_t>{100U + 2 * 6 + 3});
  ASSERT_EQ(arrived.size(), 1U);
  EXPECT_EQ(arrived[0], 60U + 3 + 2 * 7 + 1);
}

}  // namespace
}  // namespace braid::test::mixed_mesh_test
