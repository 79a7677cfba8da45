// Algorithms on a mesh and a torus: the candidates of single queries, by hand from each algorithm's definition.
#include <gtest/gtest.h>

#include "tb/tests/support/graphs.h"

namespace braid::test::grid_algorithms_test {
namespace {

using namespace routing;

constexpr std::uint32_t kE = 0, kW = 1, kN = 2, kS = 3, kLocal = 4;
constexpr VcMask kAll = 15;  // of 4 VCs

struct At {
  std::uint32_t x, y;
};

/// On a torus ties go by the fixed rule.
std::unique_ptr<RoutingAlgorithm> make(const char* name, const Topology& t, std::uint32_t vcs = 4, bool sticky = true,
                                       bool bubble = false) {
  RoutingContext options;
  options.vcs = vcs;
  options.configuration.set("topology.kind", t.grid && t.grid->wrap ? "torus" : "mesh");
  options.configuration.set("routing.ties", "fixed");
  options.configuration.set("routing.sticky_escape", sticky);
  options.configuration.set("routing.bubble", bubble);
  return RoutingRegistry::instance().make(name, t, options);
}
std::unique_ptr<RoutingAlgorithm> on_torus(const char* name, const Topology& t, const char* ties,
                                           const char* datelines = "two", const char* routers = "model") {
  RoutingContext options;
  options.configuration.set("topology.kind", "torus");
  options.configuration.set("routing.ties", ties);
  options.configuration.set("routing.datelines", datelines);
  options.configuration.set("router.implementation", routers);
  return RoutingRegistry::instance().make(name, t, options);
}

RouteQuery query(const Topology& t, At source, At here, At to, std::uint32_t in_port = kLocal, std::uint32_t vc = 0) {
  const auto node = [&](At a) { return NodeId{t.grid->at(a.x, a.y).value}; };
  return {t.grid->at(here.x, here.y), PortId{in_port}, VcId{vc}, node(source), node(to)};
}
/// Of a packet just injected.
Ways from(const RoutingAlgorithm& algorithm, const Topology& t, At here, At to) {
  return ways(algorithm, query(t, here, here, to));
}

struct Step {
  const char* name;
  const char* algorithm;
  At here, to;
  Ways expected;
};
class OnAMesh : public testing::TestWithParam<Step> {};

TEST_P(OnAMesh, OffersExactly) {
  const Topology mesh = grid_of("mesh", 5, 5);
  const Step& s = GetParam();
  EXPECT_EQ(from(*make(s.algorithm, mesh), mesh, s.here, s.to), s.expected);
}
INSTANTIATE_TEST_SUITE_P(
    Steps, OnAMesh,
    testing::Values(Step{"x_first_east", "x_first", {1, 1}, {3, 4}, {{kE, 0, kAll}}},
                    Step{"x_first_west", "x_first", {3, 1}, {1, 0}, {{kW, 0, kAll}}},
                    Step{"x_first_north", "x_first", {3, 1}, {3, 4}, {{kN, 0, kAll}}},
                    Step{"x_first_south", "x_first", {3, 3}, {3, 0}, {{kS, 0, kAll}}},
                    Step{"x_first_local", "x_first", {3, 3}, {3, 3}, {{kLocal, 0, kAll}}},
                    Step{"y_first_north", "y_first", {1, 1}, {3, 4}, {{kN, 0, kAll}}},
                    Step{"y_first_south", "y_first", {3, 1}, {1, 0}, {{kS, 0, kAll}}},
                    Step{"y_first_east", "y_first", {1, 4}, {3, 4}, {{kE, 0, kAll}}},
                    Step{"y_first_west", "y_first", {3, 4}, {1, 4}, {{kW, 0, kAll}}},
                    Step{"y_first_local", "y_first", {0, 4}, {0, 4}, {{kLocal, 0, kAll}}},
                    // Glass and Ni: west alone while there is any to go; then every minimal direction.
                    Step{"west_first_west_alone", "west_first", {3, 1}, {1, 4}, {{kW, 0, kAll}}},
                    Step{"west_first_north_east", "west_first", {1, 1}, {3, 4}, {{kE, 0, kAll}, {kN, 0, kAll}}},
                    Step{"west_first_south_east", "west_first", {1, 1}, {3, 0}, {{kE, 0, kAll}, {kS, 0, kAll}}},
                    Step{"west_first_east", "west_first", {1, 1}, {4, 1}, {{kE, 0, kAll}}},
                    Step{"west_first_north", "west_first", {1, 1}, {1, 4}, {{kN, 0, kAll}}},
                    Step{"west_first_local", "west_first", {2, 2}, {2, 2}, {{kLocal, 0, kAll}}},
                    // Duato: both minimal directions on VCs 1 to 3, then the escape VC 0 X first.
                    Step{"adaptive_both", "minimal_adaptive", {1, 1}, {3, 4}, {{kE, 1, 14}, {kN, 1, 14}, {kE, 0, 1}}},
                    Step{"adaptive_west", "minimal_adaptive", {3, 3}, {1, 0}, {{kW, 1, 14}, {kS, 1, 14}, {kW, 0, 1}}},
                    Step{"adaptive_x_done", "minimal_adaptive", {3, 1}, {3, 4}, {{kN, 1, 14}, {kN, 0, 1}}},
                    Step{"adaptive_y_done", "minimal_adaptive", {3, 1}, {0, 1}, {{kW, 1, 14}, {kW, 0, 1}}},
                    Step{"adaptive_local", "minimal_adaptive", {3, 1}, {3, 1}, {{kLocal, 0, kAll}}}),
    [](const auto& c) { return c.param.name; });

struct OddEvenStep {
  const char* name;
  std::uint32_t source_column;
  At here, to;
  Ways expected;
};
class OddEvenRoute : public testing::TestWithParam<OddEvenStep> {};

/// The cases of ROUTE in Chiu 2000: eastbound, a turn off east only in an odd column or the source's; the last step
/// east into an even column only if no turn is due there. Westbound, north and south only in even columns.
TEST_P(OddEvenRoute, OffersExactly) {
  const Topology mesh = grid_of("mesh", 6, 5);
  const OddEvenStep& s = GetParam();
  const auto algorithm = make("odd_even", mesh);
  EXPECT_EQ(ways(*algorithm, query(mesh, {s.source_column, 2}, s.here, s.to, kLocal)), s.expected);
}
INSTANTIATE_TEST_SUITE_P(
    Steps, OddEvenRoute,
    testing::Values(OddEvenStep{"east_even_column_may_not_turn", 0, {2, 2}, {4, 4}, {{kE, 0, kAll}}},
                    OddEvenStep{"east_source_column_may", 2, {2, 2}, {4, 4}, {{kN, 0, kAll}, {kE, 0, kAll}}},
                    OddEvenStep{"east_odd_column_may", 0, {1, 2}, {4, 0}, {{kS, 0, kAll}, {kE, 0, kAll}}},
                    OddEvenStep{"east_beside_even_destination_must", 0, {3, 2}, {4, 4}, {{kN, 0, kAll}}},
                    OddEvenStep{"east_source_beside_even_must", 3, {3, 2}, {4, 4}, {{kN, 0, kAll}}},
                    OddEvenStep{"east_beside_odd_destination", 0, {2, 2}, {3, 4}, {{kE, 0, kAll}}},
                    OddEvenStep{"east_source_beside_odd", 2, {2, 2}, {3, 4}, {{kN, 0, kAll}, {kE, 0, kAll}}},
                    OddEvenStep{"east_odd_two_from_odd", 0, {3, 2}, {5, 4}, {{kN, 0, kAll}, {kE, 0, kAll}}},
                    OddEvenStep{"east_in_the_row", 0, {3, 2}, {4, 2}, {{kE, 0, kAll}}},
                    OddEvenStep{"west_even_column_may_turn", 4, {2, 2}, {0, 4}, {{kW, 0, kAll}, {kN, 0, kAll}}},
                    OddEvenStep{"west_even_column_south", 4, {2, 2}, {1, 0}, {{kW, 0, kAll}, {kS, 0, kAll}}},
                    OddEvenStep{"west_odd_column_may_not", 4, {3, 2}, {0, 4}, {{kW, 0, kAll}}},
                    OddEvenStep{"west_odd_source_may_not", 3, {3, 2}, {0, 4}, {{kW, 0, kAll}}},
                    OddEvenStep{"west_in_the_row", 4, {2, 2}, {0, 2}, {{kW, 0, kAll}}},
                    OddEvenStep{"column_reached_north", 0, {2, 2}, {2, 4}, {{kN, 0, kAll}}},
                    OddEvenStep{"column_reached_south", 0, {3, 2}, {3, 0}, {{kS, 0, kAll}}},
                    OddEvenStep{"there", 0, {3, 2}, {3, 2}, {{kLocal, 0, kAll}}}),
    [](const auto& c) { return c.param.name; });

/// A packet that came by the escape VC 0 over a link stays on it if that is sticky; one just injected is not on it.
TEST(MinimalAdaptive, StickyEscapeKeepsAPacketThatCameByTheEscapeVc) {
  const Topology mesh = grid_of("mesh", 5, 5);
  const Ways all{{kE, 1, 14}, {kN, 1, 14}, {kE, 0, 1}}, escape{{kE, 0, 1}};
  const auto sticky = make("minimal_adaptive", mesh), loose = make("minimal_adaptive", mesh, 4, false);
  const auto came = [&](std::uint32_t in_port, std::uint32_t vc) {
    return query(mesh, {0, 1}, {1, 1}, {3, 4}, in_port, vc);
  };
  EXPECT_EQ(ways(*sticky, came(kW, 0)), escape);
  EXPECT_EQ(ways(*sticky, came(kS, 0)), escape);  // kSouth is the last network port, 4 the first local one
  EXPECT_EQ(ways(*sticky, came(kW, 1)), all);
  EXPECT_EQ(ways(*sticky, came(kLocal, 0)), all);
  EXPECT_EQ(ways(*loose, came(kW, 0)), all);
  EXPECT_EQ(sticky->escape_vcs(), 1U);
}

/// On a torus the escape VCs are 0 and 1: 1 while the closing link is ahead, 0 from then on.
TEST(MinimalAdaptive, OnATorusTheEscapeHasTwoClasses) {
  const Topology torus = grid_of("torus", 5, 5);
  const auto algorithm = make("minimal_adaptive", torus);
  EXPECT_EQ(algorithm->escape_vcs(), 3U);
  EXPECT_EQ(from(*algorithm, torus, {3, 1}, {0, 2}), (Ways{{kE, 1, 12}, {kN, 1, 12}, {kE, 0, 2}}));
  EXPECT_EQ(from(*algorithm, torus, {0, 1}, {2, 2}), (Ways{{kE, 1, 12}, {kN, 1, 12}, {kE, 0, 1}}));
  EXPECT_EQ(from(*algorithm, torus, {2, 0}, {2, 4}), (Ways{{kS, 1, 12}, {kS, 0, 2}}));
  EXPECT_EQ(ways(*algorithm, query(torus, {2, 1}, {3, 1}, {0, 2}, kW, 1)), (Ways{{kE, 0, 2}}));
  EXPECT_EQ(ways(*algorithm, query(torus, {2, 1}, {3, 1}, {0, 2}, kW, 2)).size(), 3U);
}

struct Dateline {
  const char* name;
  At here, to;
  std::uint32_t port;
  VcMask vcs;
};
class OnATorus : public testing::TestWithParam<Dateline> {};

/// 5x4, 4 VCs: VCs 2 and 3 (mask 12) if the way in the ring takes the link that closes it, VCs 0 and 1 (mask 3) if it
/// takes the one half-way round (between 2 and 3 of a row, 1 and 2 of a column), else any. The shorter way; where both
/// are as long (two of four rows), north from even rows.
TEST_P(OnATorus, XFirstTakesTheShorterWayOnTheHalfOfTheDateline) {
  const Topology torus = grid_of("torus", 5, 4);
  const Dateline& d = GetParam();
  EXPECT_EQ(from(*make("x_first", torus), torus, d.here, d.to), (Ways{{d.port, 0, d.vcs}}));
  EXPECT_EQ(from(*make("x_first", torus, 4, true, true), torus, d.here, d.to), (Ways{{d.port, 0, kAll}})) << "bubble";
}
INSTANTIATE_TEST_SUITE_P(Steps, OnATorus,
                         testing::Values(Dateline{"east_link_ahead", {3, 0}, {0, 0}, kE, 12},
                                         Dateline{"east_over_the_link", {4, 0}, {0, 0}, kE, 12},
                                         Dateline{"east_beyond_it", {0, 0}, {1, 0}, kE, kAll},
                                         Dateline{"east_to_the_last", {2, 0}, {4, 0}, kE, 3},
                                         Dateline{"west_link_ahead", {1, 0}, {4, 0}, kW, 12},
                                         Dateline{"west_over_the_link", {0, 0}, {3, 0}, kW, 12},
                                         Dateline{"west_to_the_first", {2, 0}, {0, 0}, kW, kAll},
                                         Dateline{"west_over_the_half", {3, 0}, {2, 0}, kW, 3},
                                         Dateline{"north_half_way", {0, 0}, {0, 2}, kN, 3},
                                         Dateline{"north_half_way_over_the_link", {0, 2}, {0, 0}, kN, 12},
                                         Dateline{"south_half_way", {0, 3}, {0, 1}, kS, 3},
                                         Dateline{"south_half_way_over_the_link", {0, 1}, {0, 3}, kS, 12},
                                         Dateline{"south_over_the_link", {0, 0}, {0, 3}, kS, 12},
                                         Dateline{"south_inside", {0, 3}, {0, 2}, kS, kAll},
                                         Dateline{"x_comes_first", {0, 0}, {1, 3}, kE, kAll}),
                         [](const auto& c) { return c.param.name; });

/// Whatever is left of its way, a packet stays in the half that it came in with, and only in its ring.
TEST(Dateline, KeepsAPacketInItsHalfRoundTheRing) {
  const Topology torus = grid_of("torus", 5, 4);
  const auto algorithm = make("x_first", torus);
  const auto came = [&](At here, At to, std::uint32_t port, std::uint32_t vc) {
    return ways(*algorithm, query(torus, here, here, to, port, vc));
  };
  for (std::uint32_t vc = 0; vc < 4; ++vc) {
    const VcMask half = vc < 2 ? 3 : 12;
    EXPECT_EQ(came({1, 0}, {2, 0}, kW, vc), (Ways{{kE, 0, half}}));
    EXPECT_EQ(came({0, 0}, {4, 1}, kE, vc), (Ways{{kW, 0, half}}));
    EXPECT_EQ(came({0, 2}, {0, 3}, kS, vc), (Ways{{kN, 0, half}}));
    EXPECT_EQ(came({1, 0}, {1, 3}, kW, vc), (Ways{{kS, 0, 12}})) << "a new ring: over the link that closes it";
    EXPECT_EQ(came({1, 0}, {1, 1}, kW, vc), (Ways{{kN, 0, kAll}}));
  }
}

/// Of 2 VCs VC 1 is the upper half, of 3 the upper two.
TEST(Dateline, SplitsTwoAndThreeVcs) {
  const Topology torus = grid_of("torus", 5, 4);
  EXPECT_EQ(from(*make("y_first", torus, 2), torus, {0, 3}, {1, 0}), (Ways{{kN, 0, 2}}));
  EXPECT_EQ(from(*make("y_first", torus, 2), torus, {0, 1}, {1, 2}), (Ways{{kN, 0, 1}}));
  EXPECT_EQ(from(*make("y_first", torus, 2), torus, {0, 0}, {1, 1}), (Ways{{kN, 0, 3}}));
  EXPECT_EQ(from(*make("y_first", torus, 3), torus, {0, 3}, {1, 0}), (Ways{{kN, 0, 6}}));
  EXPECT_EQ(from(*make("y_first", torus, 3), torus, {0, 1}, {1, 2}), (Ways{{kN, 0, 1}}));
  EXPECT_EQ(from(*make("y_first", torus, 3), torus, {0, 0}, {1, 1}), (Ways{{kN, 0, 7}}));
}

/// The packet's draw, bit 0 in x and bit 1 in y, and nothing else: 0 is east and north. 6x4: three of six, two of four.
TEST(Ties, AreThePacketsDraw) {
  const Topology torus = grid_of("torus", 6, 4);
  for (const char* ties : {"auto", "drawn"}) {
    const auto x_first = on_torus("x_first", torus, ties), adaptive = on_torus("minimal_adaptive", torus, ties);
    EXPECT_EQ(x_first->draws(), 4U);
    EXPECT_EQ(adaptive->draws(), 4U);
    for (std::uint32_t draw = 0; draw < 4; ++draw) {
      for (const At here : {At{0, 0}, At{1, 0}, At{1, 3}, At{4, 2}}) {
        const std::uint32_t x = draw % 2 == 0 ? kE : kW, y = draw / 2 == 0 ? kN : kS;
        RouteQuery q = query(torus, here, here, {(here.x + 3) % 6, (here.y + 2) % 4});
        q.draw = static_cast<std::uint8_t>(draw);
        EXPECT_EQ(std::get<0>(ways(*x_first, q).at(0)), x);
        EXPECT_EQ(std::get<0>(ways(*adaptive, q).at(0)), x);
        EXPECT_EQ(std::get<0>(ways(*adaptive, q).at(1)), y);
        q = query(torus, here, here, {here.x, (here.y + 2) % 4});
        q.draw = static_cast<std::uint8_t>(draw);
        EXPECT_EQ(std::get<0>(ways(*x_first, q).at(0)), y);
        q = query(torus, here, here, {(here.x + 2) % 6, here.y});  // shorter eastwards, whatever is drawn
        q.draw = static_cast<std::uint8_t>(draw);
        EXPECT_EQ(std::get<0>(ways(*x_first, q).at(0)), kE);
      }
    }
  }
}

/// No draw where there is no tie, where the fixed rule is asked for, and where pins would have to tell it.
TEST(Ties, AreDrawnOnlyWhereThereAreAnyAndPacketsCanTell) {
  const Topology even = grid_of("torus", 4, 5), odd = grid_of("torus", 3, 5);
  EXPECT_EQ(on_torus("x_first", even, "drawn")->draws(), 4U);
  EXPECT_EQ(on_torus("x_first", odd, "drawn")->draws(), 1U);
  EXPECT_EQ(on_torus("y_first", even, "fixed")->draws(), 1U);
  EXPECT_EQ(on_torus("y_first", even, "auto", "two", "pins")->draws(), 1U);
  EXPECT_EQ(on_torus("minimal_adaptive", even, "auto", "two", "lockstep")->draws(), 1U);
  EXPECT_EQ(on_torus("minimal_adaptive", even, "drawn", "two", "pins")->draws(), 4U);
}

/// BookSim 2's dim_order: the closing link alone. From (2, 0) east to (4, 0) is over the half, and lower all the same,
/// whatever the packet has drawn.
TEST(Datelines, OneLeavesTheLowerHalfToAllOthers) {
  const Topology torus = grid_of("torus", 5, 4);
  const auto one = on_torus("x_first", torus, "fixed", "one");
  EXPECT_EQ(one->draws(), 1U);
  for (std::uint32_t draw = 0; draw < 16; ++draw) {
    const auto of = [&](At here, At to) {
      RouteQuery q = query(torus, here, here, to);
      q.draw = static_cast<std::uint8_t>(draw);
      return ways(*one, q);
    };
    EXPECT_EQ(of({3, 0}, {0, 0}), (Ways{{kE, 0, 12}}));
    EXPECT_EQ(of({2, 0}, {4, 0}), (Ways{{kE, 0, 3}}));
    EXPECT_EQ(of({0, 0}, {1, 0}), (Ways{{kE, 0, 3}}));
    EXPECT_EQ(of({0, 0}, {0, 3}), (Ways{{kS, 0, 12}}));
    EXPECT_EQ(of({0, 3}, {0, 2}), (Ways{{kS, 0, 3}}));
  }
}

/// ... and its dim_order_bal: bit 2 of the draw chooses the half in x, bit 3 in y, of who crosses neither dateline.
TEST(Datelines, TwoDrawnTakesTheDrawnHalfWhereNoneIsCrossed) {
  const Topology torus = grid_of("torus", 5, 4);
  const auto drawn = on_torus("x_first", torus, "fixed", "two_drawn");
  EXPECT_EQ(drawn->draws(), 16U);
  for (std::uint32_t draw = 0; draw < 16; ++draw) {
    const auto of = [&](At here, At to) {
      RouteQuery q = query(torus, here, here, to);
      q.draw = static_cast<std::uint8_t>(draw);
      return std::get<2>(ways(*drawn, q).at(0));
    };
    EXPECT_EQ(of({3, 0}, {0, 0}), 12U);
    EXPECT_EQ(of({2, 0}, {4, 0}), 3U);
    EXPECT_EQ(of({0, 0}, {1, 0}), (draw & 4) != 0 ? 12U : 3U);
    EXPECT_EQ(of({0, 3}, {0, 2}), (draw & 8) != 0 ? 12U : 3U);
  }
}

TEST(Bubble, IsReliedOnByDimensionOrderOnATorusAlone) {
  const Topology torus = grid_of("torus", 3, 3), mesh = grid_of("mesh", 3, 3);
  EXPECT_TRUE(make("x_first", torus, 1, true, true)->relies_on_bubble());
  EXPECT_TRUE(make("y_first", torus, 1, true, true)->relies_on_bubble());
  EXPECT_FALSE(make("x_first", torus)->relies_on_bubble());
  EXPECT_FALSE(make("x_first", mesh, 4, true, true)->relies_on_bubble());
}

struct Need {
  const char* algorithm;
  const char* kind;
  std::uint32_t vcs;
  const char* message;
};
class GridNeeds : public testing::TestWithParam<Need> {};

/// With one VC more (if that is what is missing) the same is accepted.
TEST_P(GridNeeds, AreNamedOneVcBelow) {
  const Need& n = GetParam();
  const Topology t = grid_of(n.kind, 4, 4);
  EXPECT_EQ(complaint([&] { make(n.algorithm, t, n.vcs); }), n.message);
  if (n.vcs < 4) {
    EXPECT_EQ(complaint([&] { make(n.algorithm, t, n.vcs + 1); }), "");
  }
}
INSTANTIATE_TEST_SUITE_P(
    Algorithms, GridNeeds,
    testing::Values(
        Need{"x_first", "torus", 1, "routing algorithm \"x_first\" on a torus needs router.vcs >= 2; it is 1"},
        Need{"y_first", "torus", 1, "routing algorithm \"y_first\" on a torus needs router.vcs >= 2; it is 1"},
        Need{"minimal_adaptive", "mesh", 1,
             "routing algorithm \"minimal_adaptive\" on a mesh needs router.vcs >= 2; it is 1"},
        Need{"minimal_adaptive", "torus", 2,
             "routing algorithm \"minimal_adaptive\" on a torus needs router.vcs >= 3; it is 2"},
        Need{"west_first", "torus", 4, "routing algorithm \"west_first\" needs a mesh; topology is torus 4x4"},
        Need{"odd_even", "torus", 4, "routing algorithm \"odd_even\" needs a mesh; topology is torus 4x4"}));

TEST(GridNeeds, AGridIsNamedWhereThereIsNone) {
  const Topology ring = ring_of(3);
  for (const char* name : {"x_first", "y_first", "west_first", "odd_even", "minimal_adaptive"}) {
    EXPECT_EQ(complaint([&] { make(name, ring); }),
              "routing algorithm \"" + std::string(name) + "\" needs a mesh or torus; topology is a graph");
  }
}

}  // namespace
}  // namespace braid::test::grid_algorithms_test
