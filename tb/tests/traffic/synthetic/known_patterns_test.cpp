// Every pattern's destinations for all nodes, from its formula written another way; shares of hot nodes by counting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::known_patterns_test {
namespace {

using namespace traffic;

constexpr std::uint32_t kSilent = UINT32_MAX;
using Nodes = std::vector<std::uint32_t>;

std::unique_ptr<TrafficPattern> make(const char* name, const routing::Topology& t, const Configuration& options = {}) {
  return PatternRegistry::instance().make(name, t, options);
}
Nodes destinations(const TrafficPattern& pattern, std::size_t nodes) {
  Random random(1);
  Nodes all;
  for (std::size_t n = 0; n < nodes; ++n) {
    const auto d = pattern.destination(NodeId{n}, random);
    all.push_back(d ? d->value : kSilent);
  }
  return all;
}

std::string bits(std::uint32_t n, int width) {
  std::string text;
  for (int b = width - 1; b >= 0; --b) text += (n >> b & 1) != 0 ? '1' : '0';
  return text;
}

struct BitRule {
  const char* name;
  std::string (*rule)(const std::string& bits);  // on the number as text, highest bit first
  Nodes fixed_points;                            // of 16 nodes
};
class BitPattern : public testing::TestWithParam<BitRule> {};

/// 16 nodes; with silent_fixed_points the nodes that map to themselves say nothing, and no other.
TEST_P(BitPattern, SendsEveryNodeWhereItsBitsSay) {
  const routing::Topology mesh = grid_of("mesh", 4, 4);
  Nodes expected, fixed_points;
  for (std::uint32_t n = 0; n < 16; ++n) {
    expected.push_back(static_cast<std::uint32_t>(std::stoul(GetParam().rule(bits(n, 4)), nullptr, 2)));
    if (expected.back() == n) fixed_points.push_back(n);
  }
  EXPECT_EQ(destinations(*make(GetParam().name, mesh), 16), expected);
  EXPECT_EQ(fixed_points, GetParam().fixed_points);
  Configuration silent;
  silent.set("traffic.silent_fixed_points", true);
  for (const std::uint32_t n : fixed_points) expected[n] = kSilent;
  EXPECT_EQ(destinations(*make(GetParam().name, mesh, silent), 16), expected);
}
INSTANTIATE_TEST_SUITE_P(
    Rules, BitPattern,
    testing::Values(
        BitRule{"bit_reversal", [](const std::string& b) { return std::string(b.rbegin(), b.rend()); }, {0, 6, 9, 15}},
        BitRule{"bit_complement",
                [](const std::string& b) {
                  std::string other = b;
                  for (char& c : other) c = c == '1' ? '0' : '1';
                  return other;
                },
                {}},
        BitRule{"bit_transpose", [](const std::string& b) { return b.substr(2) + b.substr(0, 2); }, {0, 5, 10, 15}},
        BitRule{"shuffle", [](const std::string& b) { return b.substr(1) + b[0]; }, {0, 15}},
        BitRule{"butterfly",
                [](const std::string& b) { return b.back() + b.substr(1, b.size() - 2) + b.front(); },
                {0, 2, 4, 6, 9, 11, 13, 15}}),
    [](const auto& c) { return c.param.name; });

TEST(BitPattern, NeedsAPowerOfTwoOrOfFour) {
  const routing::Topology six = grid_of("mesh", 3, 2), eight = grid_of("mesh", 4, 2);
  EXPECT_EQ(complaint([&] { make("shuffle", six); }),
            "traffic pattern \"shuffle\" needs a power of two of nodes; there are 6");
  EXPECT_EQ(complaint([&] { make("shuffle", eight); }), "");
  EXPECT_EQ(complaint([&] { make("bit_transpose", eight); }),
            "traffic pattern \"bit_transpose\" needs a power of four of nodes; there are 8");
  EXPECT_EQ(complaint([&] { make("butterfly", grid_of("mesh", 1, 1)); }),
            "traffic pattern \"butterfly\" needs a power of two of nodes; there are 1");
}

/// 5x4: ceil(5/2) - 1 = 2 further in x, ceil(4/2) - 1 = 1 in y.
TEST(GridPattern, TornadoGoesNearlyHalfWayRound) {
  Nodes expected;
  for (std::uint32_t y = 0; y < 4; ++y) {
    for (std::uint32_t x = 0; x < 5; ++x) expected.push_back((y == 3 ? 0 : y + 1) * 5 + (x < 3 ? x + 2 : x - 3));
  }
  EXPECT_EQ(destinations(*make("tornado", grid_of("torus", 5, 4)), 20), expected);
}

TEST(GridPattern, NeighbourIsOneFurtherInEachDimension) {
  EXPECT_EQ(destinations(*make("neighbour", grid_of("mesh", 3, 2)), 6), (Nodes{4, 5, 3, 1, 2, 0}));
}

/// In any number of dimensions, to the node of the same number on its router: 4x3x5, two nodes a router.
TEST(GridPattern, RowsOfAnyNumberOfDimensions) {
  const routing::Topology cube = cube_of("cube", {4, 3, 5}, true, 2);
  Nodes half_way, next;
  for (std::uint32_t n = 0; n < 120; ++n) {
    const std::uint32_t x = n / 2 % 4, y = n / 8 % 3, z = n / 24;
    half_way.push_back(((x + 1) % 4 + 4 * ((y + 1) % 3) + 12 * ((z + 2) % 5)) * 2 + n % 2);
    next.push_back(((x + 1) % 4 + 4 * ((y + 1) % 3) + 12 * ((z + 1) % 5)) * 2 + n % 2);
  }
  EXPECT_EQ(destinations(*make("tornado", cube), 120), half_way);
  EXPECT_EQ(destinations(*make("neighbour", cube), 120), next);
}

/// Three chiplets of 2x3 are six columns and three rows, joined in every row or not.
TEST(GridPattern, RowsOfAChainOfChiplets) {
  for (const routing::Topology& chain : {chain_of(3, 2, 3), chain_of(3, 2, 3, {1})}) {
    Nodes half_way, next;
    for (std::uint32_t n = 0; n < 18; ++n) {
      half_way.push_back((n % 6 + 2) % 6 + (n / 6 + 1) % 3 * 6);
      next.push_back((n % 6 + 1) % 6 + (n / 6 + 1) % 3 * 6);
    }
    EXPECT_EQ(destinations(*make("tornado", chain), 18), half_way);
    EXPECT_EQ(destinations(*make("neighbour", chain), 18), next);
  }
}

/// Five groups of six nodes: every one of the next group as often, and nobody else.
TEST(NextGroup, IsAllThatAGroupSendsTo) {
  const routing::Topology t = dragonfly_of(2, 3, 2);
  const auto pattern = make("next_group", t);
  Random random(4);
  for (const std::uint32_t source : {0U, 5U, 6U, 29U}) {
    std::map<std::uint32_t, int> seen;
    for (int i = 0; i < 6000; ++i) ++seen[pattern->destination(NodeId{std::size_t{source}}, random)->value];
    ASSERT_EQ(seen.size(), 6U);
    for (const auto& [node, times] : seen) {
      EXPECT_EQ(node / 6, (source / 6 + 1) % 5);
      EXPECT_NEAR(times, 1000, 150);
    }
  }
  EXPECT_EQ(complaint([] { make("next_group", grid_of("mesh", 3, 3)); }),
            "traffic pattern \"next_group\" needs topology.kind = \"dragonfly\"; topology is mesh 3x3");
}

TEST(GridPattern, TransposeSwapsCoordinatesOfASquare) {
  EXPECT_EQ(destinations(*make("transpose", grid_of("mesh", 3, 3)), 9), (Nodes{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(complaint([] { make("transpose", grid_of("mesh", 3, 2)); }),
            "traffic pattern \"transpose\" needs a square grid; topology is mesh 3x2");
  EXPECT_EQ(complaint([] { make("tornado", ring_of(4)); }),
            "traffic pattern \"tornado\" needs a mesh or torus; topology is a graph");
}

TEST(Permutation, LeavesNodesWithoutALineSilent) {
  Configuration options;
  options.set("traffic.file", temporary_file("partial.txt"));
  std::ofstream(temporary_file("partial.txt")) << "# pairs\n3 0\n0 3 # back\n2 2\n";
  EXPECT_EQ(destinations(*make("permutation", grid_of("mesh", 2, 2), options), 4), (Nodes{3, kSilent, 2, 0}));
  options.set("traffic.file", "/nowhere");
  EXPECT_EQ(complaint([&] { make("permutation", grid_of("mesh", 2, 2), options); }),
            "/nowhere: cannot be read: expected a permutation, see traffic.file");
}

constexpr int kDraws = 200000;
std::vector<double> shares(const TrafficPattern& pattern, std::size_t nodes) {
  Random random(9);
  std::vector<double> counts(nodes);
  for (int i = 0; i < kDraws; ++i) counts.at(pattern.destination(NodeId{1}, random)->value) += 1.0 / kDraws;
  return counts;
}
/// Within 4.5 standard deviations; 0 means never.
void expect_share(double seen, double share) {
  EXPECT_NEAR(seen, share, 4.5 * std::sqrt(share * (1.0 - share) / kDraws) + (share == 0.0 ? 0.0 : 1e-12));
}

/// What a pattern says of its destinations is what it draws: of every pattern that needs no file, parts of a combined
/// one included.
TEST(Shares, AreThoseThatAreDrawn) {
  const routing::Topology mesh = grid_of("mesh", 4, 4), dragonfly = dragonfly_of(2, 1, 3);
  Configuration options;
  options.set("traffic.hot_nodes", std::vector<std::uint32_t>{3, 7});
  options.set("traffic.hot_fraction", 0.4);
  options.set("traffic.hot_region_nodes", 3);
  options.set("traffic.local_radius", 2);
  options.set("traffic.patterns", "uniform_without_self transpose local hot_spot uniform_without_self");
  int known = 0;
  for (const auto& [name, entry] : PatternRegistry::instance().entries()) {
    if (name == "matrix" || name == "permutation") continue;
    const auto pattern = make(name.c_str(), name == "next_group" ? dragonfly : mesh, options);
    TrafficPattern::Shares said;
    ASSERT_TRUE(pattern->add_shares(NodeId{1}, 0.5, said)) << name;
    ASSERT_TRUE(pattern->add_shares(NodeId{1}, 0.5, said)) << name << ": added up";
    const std::vector<double> drawn = shares(*pattern, 16);
    double sum = 0.0;
    for (std::size_t n = 0; n < 16; ++n) {
      const double share = said[NodeId{n}];
      EXPECT_NEAR(drawn[n], share, 4.5 * std::sqrt(share * (1.0 - share) / kDraws) + 1e-9) << name << " to " << n;
      EXPECT_TRUE(share > 0.0 || drawn[n] == 0.0) << name << " to " << n;
      sum += share;
    }
    EXPECT_NEAR(sum, 1.0, 1e-12) << name;
    ++known;
  }
  EXPECT_GE(known, 12);
}

TEST(Shares, OfSilentNodesAreNone) {
  Configuration options;
  options.set("traffic.silent_fixed_points", true);
  TrafficPattern::Shares said;
  EXPECT_TRUE(make("bit_reversal", grid_of("mesh", 4, 4), options)->add_shares(NodeId{6}, 1.0, said));
  EXPECT_TRUE(said.empty()) << "0110 backwards is 0110";
}

/// 40 % to nodes 3 and 7 alike, the rest to all 16.
TEST(HotSpot, SharesAreEvenOverTheHotNodesAndOverAllForTheRest) {
  Configuration options;
  options.set("traffic.hot_nodes", std::vector<std::uint32_t>{3, 7});
  options.set("traffic.hot_fraction", 0.4);
  const std::vector<double> seen = shares(*make("hot_spot", grid_of("mesh", 4, 4), options), 16);
  for (std::size_t n = 0; n < 16; ++n) expect_share(seen[n], 0.6 / 16 + (n == 3 || n == 7 ? 0.2 : 0.0));
}

TEST(HotSpot, FractionOneGoesToHotNodesAloneFractionZeroToAll) {
  Configuration options;
  options.set("traffic.hot_nodes", std::vector<std::uint32_t>{3, 7});
  options.set("traffic.hot_fraction", 1.0);
  const std::vector<double> all = shares(*make("hot_spot", grid_of("mesh", 4, 4), options), 16);
  for (std::size_t n = 0; n < 16; ++n) expect_share(all[n], n == 3 || n == 7 ? 0.5 : 0.0);
  options.set("traffic.hot_fraction", 0.0);
  for (const double s : shares(*make("hot_spot", grid_of("mesh", 4, 4), options), 16)) expect_share(s, 1.0 / 16);
}

/// Paper: in-transit-buffers, section 4.1: "one host chosen randomly".
TEST(HotSpot, IsOneNodeDrawnFromTheSeedWhereNoneIsNamed) {
  std::vector<int> chosen(16);
  for (std::uint32_t seed = 0; seed < 1600; ++seed) {
    Configuration options;
    options.set("experiment.seed", seed);
    options.set("traffic.hot_fraction", 1.0);
    const Nodes hot = destinations(*make("hot_spot", grid_of("mesh", 4, 4), options), 16);
    EXPECT_EQ(hot, Nodes(16, hot.front()));
    EXPECT_EQ(destinations(*make("hot_spot", grid_of("mesh", 4, 4), options), 16), hot);
    ++chosen[hot.front()];
  }
  for (const int times : chosen) EXPECT_NEAR(times, 100, 45);
}

TEST(HotSpot, RefusesWhatIsNoNodeAndNoShare) {
  const routing::Topology mesh = grid_of("mesh", 4, 4);
  Configuration options;
  options.set("traffic.hot_nodes", std::vector<std::uint32_t>{0, 15});
  EXPECT_EQ(complaint([&] { make("hot_spot", mesh, options); }), "");
  options.set("traffic.hot_fraction", 1.01);
  EXPECT_EQ(complaint([&] { make("hot_spot", mesh, options); }),
            "traffic.hot_fraction = 1.01: expected number, 0 to 1");
  options.set("traffic.hot_fraction", 0.2);
  options.set("traffic.hot_nodes", std::vector<std::uint32_t>{0, 16});
  EXPECT_EQ(complaint([&] { make("hot_spot", mesh, options); }),
            "traffic.hot_nodes: node 16 is out of range: expected 0 to 15");
}

/// Paper: sat-fairness, section III.B: 25 % to the first eighth (of 32 nodes: 0 to 3), the rest to all.
TEST(HotRegion, IsTheFirstEighthAndGetsItsShareBesidesItsPartOfTheRest) {
  Configuration options;
  options.set("traffic.hot_fraction", 0.25);
  const std::vector<double> seen = shares(*make("hot_region", grid_of("mesh", 8, 4), options), 32);
  for (std::size_t n = 0; n < 32; ++n) expect_share(seen[n], 0.75 / 32 + (n < 4 ? 0.25 / 4 : 0.0));
}

TEST(HotRegion, IsAsLargeAsSet) {
  Configuration options;
  options.set("traffic.hot_fraction", 1.0);
  options.set("traffic.hot_region_nodes", 3);
  const std::vector<double> seen = shares(*make("hot_region", grid_of("mesh", 4, 4), options), 16);
  for (std::size_t n = 0; n < 16; ++n) expect_share(seen[n], n < 3 ? 1.0 / 3 : 0.0);
  options.set("traffic.hot_region_nodes", 16);
  EXPECT_EQ(complaint([&] { make("hot_region", grid_of("mesh", 4, 4), options); }), "");
  options.set("traffic.hot_region_nodes", 17);
  EXPECT_NE(complaint([&] { make("hot_region", grid_of("mesh", 4, 4), options); }).find("a region of 17 of 16 nodes"),
            std::string::npos);
  EXPECT_NE(complaint([&] { make("hot_region", grid_of("mesh", 7, 1)); }).find("a region of 0 of 7 nodes"),
            std::string::npos);
}

TEST(Uniform, WithoutSelfReachesEveryOtherNodeFromTheFirstAndTheLast) {
  const auto pattern = make("uniform_without_self", grid_of("mesh", 3, 1));
  Random random(2);
  for (const std::size_t source : {0U, 1U, 2U}) {
    std::vector<int> seen(3);
    for (int i = 0; i < 200; ++i) ++seen.at(pattern->destination(NodeId{source}, random)->value);
    for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(seen[n] > 0, n != source);
  }
  EXPECT_EQ(complaint([] { make("uniform_without_self", grid_of("mesh", 1, 1)); }),
            "traffic pattern \"uniform_without_self\" needs at least 2 nodes");
}

}  // namespace
}  // namespace braid::test::known_patterns_test
