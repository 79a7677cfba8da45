// Which VCs a packet is offered in each phase of its way, for every number of VCs; and the bits that decide where two
// ways round a ring are as long, in every dimension. By hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "routing/algorithm/intermediate.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::vcs_of_phases_test {
namespace {

using namespace routing;
using Masks = std::set<VcMask>;

std::unique_ptr<RoutingAlgorithm> made(const char* name, const Topology& t, std::uint32_t vcs) {
  RoutingContext context;
  context.vcs = vcs;
  return RoutingRegistry::instance().make(name, t, context);
}

/// All masks that packets of any pair and any draw meet on links between routers.
Masks masks_of(const Topology& t, const RoutingAlgorithm& algorithm) {
  Masks all;
  for (std::size_t from = 0; from < t.node_count(); ++from) {
    for (std::size_t to = 0; to < t.node_count(); ++to) {
      for (std::uint32_t draw = 0; draw < algorithm.draws(); draw += 5) {
        const Attachment& start = t.nodes[from].front();
        RouteQuery q{
            start.router, start.port, VcId{0}, NodeId{from}, NodeId{to}, kNoRoute, static_cast<std::uint8_t>(draw)};
        for (;;) {
          CandidateList out;
          algorithm.route(q, out);
          const Port& port = t.port(q.router, out[0].port);
          if (port.kind != PortKind::kNetwork) break;
          all.insert(out[0].vcs);
          q.router = port.peer_router;
          q.in_port = port.peer_port;
          q.in_vc = VcId{static_cast<std::size_t>(__builtin_ctz(out[0].vcs))};
        }
      }
    }
  }
  return all;
}

/// The first third on the way out, the second within a group, the third in the destination's, second and third between
/// groups; a number that is no multiple of three leaves more for the third.
TEST(VcsOfPhases, AreThirdsInADragonfly) {
  const Topology t = dragonfly_of(3, 1, 1);
  EXPECT_EQ(masks_of(t, *made("valiant", t, 3)), (Masks{0b001, 0b010, 0b100, 0b110}));
  EXPECT_EQ(masks_of(t, *made("valiant", t, 4)), (Masks{0b0001, 0b0010, 0b1100, 0b1110}));
  EXPECT_EQ(masks_of(t, *made("valiant", t, 5)), (Masks{0b00001, 0b00010, 0b11100, 0b11110}));
  EXPECT_EQ(masks_of(t, *made("valiant", t, 6)), (Masks{0b000011, 0b001100, 0b110000, 0b111100}));
  EXPECT_EQ(masks_of(t, *made("valiant", t, 8)), (Masks{0b00000011, 0b00001100, 0b11110000, 0b11111100}));
  EXPECT_EQ(masks_of(t, *made("valiant", t, 9)), (Masks{0b000000111, 0b000111000, 0b111000000, 0b111111000}));
}

/// Before and after the link between groups, and any on it; the smaller half before it.
TEST(VcsOfPhases, AreHalvesOnShortestWaysOfADragonfly) {
  const Topology t = dragonfly_of(3, 1, 1);
  EXPECT_EQ(masks_of(t, *made("dragonfly_minimal", t, 2)), (Masks{0b01, 0b10, 0b11}));
  EXPECT_EQ(masks_of(t, *made("dragonfly_minimal", t, 3)), (Masks{0b001, 0b110, 0b111}));
  EXPECT_EQ(masks_of(t, *made("dragonfly_minimal", t, 6)), (Masks{0b000111, 0b111000, 0b111111}));
}

/// A half for each phase, and on rings halves of each.
TEST(VcsOfPhases, AreHalvesAndQuartersInSeveralDimensions) {
  const Topology mesh = cube_of("cube", {3, 2}), torus = cube_of("cube", {4, 3}, true);
  EXPECT_EQ(masks_of(mesh, *made("valiant", mesh, 2)), (Masks{0b01, 0b10}));
  EXPECT_EQ(masks_of(mesh, *made("valiant", mesh, 5)), (Masks{0b00011, 0b11100}));
  EXPECT_EQ(masks_of(torus, *made("valiant", torus, 4)), (Masks{0b0001, 0b0010, 0b0100, 0b1000}));
  EXPECT_EQ(masks_of(torus, *made("valiant", torus, 7)), (Masks{0b0000001, 0b0000110, 0b0011000, 0b1100000}));
  EXPECT_EQ(masks_of(torus, *made("dimension_order", torus, 5)), (Masks{0b00011, 0b11100}));
  EXPECT_EQ(masks_of(mesh, *made("dimension_order", mesh, 5)), (Masks{0b11111}));
}

/// On a torus of four by four: two links on in x, or in y, are as many either way. Bit d of the pair's tie bits is of
/// dimension d on the way to the intermediate, bit 8 + d on the way from there; 1 is upwards (intermediate.h).
TEST(TiesOfPhases, HaveABitForEachDimensionAndPhase) {
  const Topology t = cube_of("cube", {4, 4}, true);
  const auto valiant = made("valiant", t, 4);
  std::set<std::uint32_t> seen;  // bits that have decided, as 0 and as 1
  for (std::size_t d = 0; d < 2; ++d) {
    const std::size_t end = d == 0 ? 2 : 8;
    for (std::uint32_t draw = 0; draw < 256; ++draw) {
      const RouteQuery q{
          RouterId{0}, t.nodes[0][0].port, VcId{0}, NodeId{0}, NodeId{end}, kNoRoute, static_cast<std::uint8_t>(draw)};
      const std::uint64_t by = intermediate_of(q, 16);
      if (by != 0 && by != end) continue;
      const std::size_t bit = by == 0 ? 8 + d : d;
      const bool up = (tie_bits(q) >> bit & 1U) != 0;
      const Ways way = ways(*valiant, q);
      ASSERT_EQ(way.size(), 1U);
      EXPECT_EQ(std::get<0>(way[0]), 2 * d + (up ? 0U : 1U)) << "dimension " << d << ", draw " << draw;
      EXPECT_EQ(std::get<2>(way[0]) & (by == 0 ? 0b0011U : 0b1100U), 0U) << "the phase's half";
      seen.insert(static_cast<std::uint32_t>(2 * bit + (up ? 1 : 0)));
    }
  }
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 16, 17, 18, 19}));
}

/// Bit d of the draw itself where there are no phases.
TEST(TiesOfPhases, OfDimensionOrderAreTheDrawsBits) {
  const Topology t = cube_of("cube", {4, 4, 4}, true);
  const auto order = made("dimension_order", t, 2);
  EXPECT_EQ(order->draws(), 8U);
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t end = std::size_t{2} << (2 * d);
    for (std::uint32_t draw = 0; draw < 8; ++draw) {
      const RouteQuery q{
          RouterId{0}, t.nodes[0][0].port, VcId{0}, NodeId{0}, NodeId{end}, kNoRoute, static_cast<std::uint8_t>(draw)};
      EXPECT_EQ(std::get<0>(ways(*order, q).at(0)), 2 * d + ((draw >> d & 1U) != 0 ? 0U : 1U)) << d << ", " << draw;
    }
  }
}

/// Without draws, as where pins stand between routers: the end's own coordinate and all of the router's make a sum, and
/// an even one leads up (cube_order.cpp).
TEST(TiesOfPhases, OfDimensionOrderAreFixedWherePinsCannotTell) {
  const Topology t = cube_of("cube", {4, 4}, true);
  RoutingContext context;
  context.vcs = 2;
  context.configuration.set("router.implementation", "rtl");
  const auto order = RoutingRegistry::instance().make("dimension_order", t, context);
  EXPECT_EQ(order->draws(), 1U);
  for (std::size_t r = 0; r < 16; ++r) {
    const std::size_t x = r % 4, y = r / 4;
    for (const std::uint8_t draw : {0, 3}) {
      const auto port = [&](std::size_t end) {
        const RouteQuery q{RouterId{r}, t.nodes[r][0].port, VcId{0}, NodeId{r}, NodeId{end}, kNoRoute, draw};
        return std::get<0>(ways(*order, q).at(0));
      };
      EXPECT_EQ(port((x + 2) % 4 + 4 * y), ((x + 2) % 4 + x + y) % 2 == 0 ? 0U : 1U) << r;
      EXPECT_EQ(port(x + 4 * ((y + 2) % 4)), ((y + 2) % 4 + x + y) % 2 == 0 ? 2U : 3U) << r;
    }
  }
}

}  // namespace
}  // namespace braid::test::vcs_of_phases_test
