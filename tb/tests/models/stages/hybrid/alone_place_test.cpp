// Where a stage stands that is alone: in the middle of a star of its own, or as a router of an experiment's network.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "models/experiment/experiment.h"
#include "models/stages/hybrid/alone_router.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::alone_place_test {
namespace {

using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)
using routing::PortKind;

/// Each port leads to a router of its own, which leads back, and has a node.
TEST(AlonePlace, IsTheMiddleOfAStarOfItsPorts) {
  RouterShape shape;
  shape.ports = 3;
  const AlonePlace place(shape);
  const routing::Topology& star = place.topology;
  EXPECT_EQ(star.name, "star");
  EXPECT_EQ(place.router, RouterId{0U});
  ASSERT_EQ(star.router_count(), 4U);
  EXPECT_EQ(star.router_names, (std::vector<std::string>{"alone", "neighbour0", "neighbour1", "neighbour2"}));
  ASSERT_EQ(star.routers[0].size(), 3U);
  ASSERT_EQ(star.node_count(), 3U);
  for (std::size_t p = 0; p < 3; ++p) {
    const routing::Port& there = star.routers[0][p];
    EXPECT_EQ(there.kind, PortKind::kNetwork);
    EXPECT_EQ(there.peer_router, RouterId{p + 1});
    EXPECT_EQ(there.peer_port, PortId{0U});
    EXPECT_EQ(there.name, std::to_string(p));
    ASSERT_EQ(star.routers[p + 1].size(), 2U);
    const routing::Port &back = star.routers[p + 1][0], &local = star.routers[p + 1][1];
    EXPECT_EQ(back.kind, PortKind::kNetwork);
    EXPECT_EQ(back.peer_router, RouterId{0U});
    EXPECT_EQ(back.peer_port, PortId{p});
    EXPECT_EQ(local.kind, PortKind::kLocal);
    EXPECT_EQ(local.node, NodeId{p});
    for (const routing::Port* port : {&there, &back, &local}) EXPECT_EQ(port->latency_cycles, 1U);
    ASSERT_EQ(star.nodes[p].size(), 1U);
    EXPECT_EQ(star.nodes[p][0].router, RouterId{p + 1});
    EXPECT_EQ(star.nodes[p][0].port, PortId{1U});
  }
}

/// It knows no routes: its stages are told them, and a head has at most each port, and each once more as an escape.
TEST(AlonePlace, InAStarKnowsNoRoutes) {
  RouterShape shape;
  shape.ports = 6;
  shape.vcs = 3;
  const AlonePlace place(shape);
  EXPECT_EQ(place.routing->max_candidates(), 12U);
  EXPECT_EQ(place.routing->injection_vcs(), 0b111U);
  routing::Candidate candidates[12];
  routing::CandidateList list(candidates);
  EXPECT_THROW(place.routing->route({}, list), std::logic_error);
}

TEST(AlonePlace, HasTheShapeThatItIsGiven) {
  for (const unsigned lanes : {0U, 1U, 3U}) {
    RouterShape shape;
    shape.ports = 7;
    shape.vcs = 2;
    shape.depth = 5;
    shape.circuit_lanes = lanes;
    const RouterShape has = AlonePlace(shape).shape();
    EXPECT_EQ(has.ports, 7U);
    EXPECT_EQ(has.vcs, 2U);
    EXPECT_EQ(has.depth, 5U);
    EXPECT_EQ(has.circuit_lanes, lanes);
    EXPECT_FALSE(has.escape);
  }
}

models::Experiment mesh() {
  models::Experiment e;
  e.set("topology.width", 4).set("topology.height", 3).set("topology.local_ports", 2);
  e.set("router.vcs", 3).set("router.buffer_depth", 6);
  return e;
}

TEST(AlonePlace, IsTheRouterOfThatName) {
  models::Experiment e = mesh();
  const AlonePlace place(e, "2,1");
  EXPECT_EQ(place.router, RouterId{std::size_t{1 * 4 + 2}});
  const RouterShape shape = place.shape();
  EXPECT_EQ(shape.ports, 6U);
  EXPECT_EQ(shape.vcs, 3U);
  EXPECT_EQ(shape.depth, 6U);
  EXPECT_EQ(shape.circuit_lanes, 0U);
  EXPECT_FALSE(shape.escape);
  e.set("routing.algorithm", "minimal_adaptive");
  EXPECT_TRUE(AlonePlace(e, "2,1").shape().escape) << "VC 0 is the escape path's";
}

TEST(AlonePlace, IsNoRouterThatIsNotThere) {
  const std::string said = complaint([&] { const AlonePlace place(mesh(), "4,0"); });
  EXPECT_NE(said.find("4,0"), std::string::npos) << said;
  EXPECT_EQ(complaint([&] { const AlonePlace place(mesh(), "3,2"); }), "");
}

TEST(AlonePlace, HasBuffersOfItsOwnVcs) {
  models::Experiment e = mesh();
  e.set("router.buffers", "shared");
  const std::string said = complaint([&] { const AlonePlace place(e, "1,1"); });
  EXPECT_EQ(said.rfind("router.buffers = \"shared\": a router that stands alone counts a credit of each VC", 0), 0U)
      << said;
}

/// A shape's widths: a thing of one has a bit all the same.
TEST(RouterShapeWidths, NumberWhatThereIs) {
  struct Case {
    unsigned things, bits;
  };
  for (const Case& c :
       {Case{0, 1}, Case{1, 1}, Case{2, 1}, Case{3, 2}, Case{4, 2}, Case{5, 3}, Case{8, 3}, Case{9, 4}}) {
    EXPECT_EQ(RouterShape::index_bits(c.things), c.bits) << c.things;
  }
  RouterShape shape;
  shape.ports = 5;
  shape.vcs = 4;
  shape.depth = 8;
  shape.circuit_lanes = 2;
  EXPECT_EQ(shape.input_vcs(), 20U);
  EXPECT_EQ(shape.lanes(), 6U);
  EXPECT_EQ(shape.rows(), 10U);
  EXPECT_EQ(shape.port_bits(), 3U);
  EXPECT_EQ(shape.row_bits(), 4U);
  EXPECT_EQ(shape.circuit_bits(), 1U);
  EXPECT_EQ(shape.vc_bits(), 2U);
  EXPECT_EQ(shape.lane_bits(), 3U);
  EXPECT_EQ(shape.credit_bits(), 4U) << "0 to 8";
  EXPECT_EQ(shape.route_width(), 5U);
  shape.depth = 7;
  EXPECT_EQ(shape.credit_bits(), 3U) << "0 to 7";
  shape.escape = true;
  EXPECT_EQ(shape.route_width(), 10U);
}

/// A way on is a bit of the route, and back: above the ports that of the escape path, VC 0.
TEST(RouterShapeWidths, NameEachWayOn) {
  RouterShape shape;
  shape.ports = 5;
  shape.vcs = 4;
  EXPECT_EQ(shape.candidate_bit({PortId{3U}, 0, 0b1111}), 3U);
  EXPECT_EQ(shape.candidate_bit({PortId{3U}, 0, kEscapeVc}), 3U) << "no escape path";
  EXPECT_EQ(shape.candidate(3, true).vcs, 0b1111U);
  shape.escape = true;
  EXPECT_EQ(shape.candidate_bit({PortId{3U}, 1, 0b1110}), 3U);
  EXPECT_EQ(shape.candidate_bit({PortId{3U}, 0, kEscapeVc}), 8U);
  const routing::Candidate free = shape.candidate(3, true), node = shape.candidate(4, false),
                           escape = shape.candidate(8, true);
  EXPECT_EQ(free.port, PortId{3U});
  EXPECT_EQ(free.vcs, 0b1110U);
  EXPECT_GT(free.priority, escape.priority) << "before the escape path";
  EXPECT_EQ(node.port, PortId{4U});
  EXPECT_EQ(node.vcs, 0b1111U) << "to a node on any VC";
  EXPECT_EQ(escape.port, PortId{3U});
  EXPECT_EQ(escape.vcs, kEscapeVc);
}

}  // namespace
}  // namespace braid::test::alone_place_test
