// Combined traffic: shares add up from those of its parts; options of its parts exist with them.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::combined_test {
namespace {

using namespace traffic;

constexpr int kDraws = 200000;

std::unique_ptr<TrafficPattern> combined(const routing::Topology& topology, Configuration options,
                                         const std::string& patterns = "") {
  if (!patterns.empty()) options.set("traffic.patterns", patterns);
  return PatternRegistry::instance().make("combined", topology, options);
}
std::vector<double> shares(const TrafficPattern& pattern, std::uint32_t source, std::size_t nodes) {
  Random random(31);
  std::vector<double> seen(nodes);
  for (int i = 0; i < kDraws; ++i) {
    if (const auto to = pattern.destination(NodeId{source}, random)) seen[to->value] += 1.0 / kDraws;
  }
  return seen;
}
void expect_share(double seen, double share) {
  EXPECT_NEAR(seen, share, 4.5 * std::sqrt(share * (1.0 - share) / kDraws));
}

/// in-transit-buffers, section 4.1: uniform, bit reversal, local and hot spot alike. Node 1 of a ring of 16 reverses to
/// 8, has 0 and 2 near at radius 1, and node 5 hot at 20 %.
TEST(Combined, DrawsEachPatternWithTheSameProbability) {
  Configuration options;
  options.set("traffic.local_radius", 1);
  options.set("traffic.hot_nodes", std::vector<std::uint32_t>{5});
  options.set("traffic.hot_fraction", 0.2);
  const std::vector<double> seen = shares(*combined(ring_of(16), options), 1, 16);
  for (std::size_t n = 0; n < 16; ++n) {
    double share = 0.25 / 16 + 0.25 * 0.8 / 16;
    if (n == 8) share += 0.25;
    if (n == 0 || n == 2) share += 0.125;
    if (n == 5) share += 0.25 * 0.2;
    expect_share(seen[n], share);
  }
}

TEST(Combined, APatternNamedTwiceIsDrawnTwiceAsOften) {
  const std::vector<double> seen =
      shares(*combined(ring_of(16), {}, "bit_complement  bit_reversal bit_complement"), 1, 16);
  expect_share(seen[14], 2.0 / 3);
  expect_share(seen[8], 1.0 / 3);
}

/// A part that is silent makes no packet then; the others make theirs.
TEST(Combined, SilentPartsAreSilent) {
  Configuration options;
  options.set("traffic.silent_fixed_points", true);
  const std::vector<double> seen = shares(*combined(ring_of(16), options, "bit_reversal bit_complement"), 0, 16);
  expect_share(seen[15], 0.5);
  EXPECT_EQ(seen[0], 0.0);
}

TEST(Combined, RefusesWhatItsPartsRefuseAndItself) {
  const auto refusal = [](const std::string& patterns) {
    return complaint([&] { combined(ring_of(6), {}, patterns); });
  };
  EXPECT_EQ(refusal("uniform"), "");
  EXPECT_EQ(refusal("uniform shuffle"),
            "traffic.patterns: traffic pattern \"shuffle\" needs a power of two of nodes; there are 6");
  EXPECT_EQ(refusal("uniform combined"), "traffic.patterns: \"combined\" cannot be a part of itself");
  EXPECT_EQ(refusal(" "), "traffic.patterns: expected the name of a pattern, or several");
  EXPECT_EQ(
      refusal("uniforn").rfind("traffic.patterns: unknown traffic pattern \"uniforn\" (did you mean \"uniform\"?)", 0),
      0U);
}

std::set<std::string> keys_with(const std::string& patterns) {
  Configuration options;
  options.set("traffic.patterns", patterns);
  return existing_keys(*PatternRegistry::instance().entries().at("combined").options, options);
}

TEST(Combined, HasTheOptionsOfThePartsThatItNames) {
  EXPECT_EQ(keys_with("uniform"), std::set<std::string>{"traffic.patterns"});
  EXPECT_EQ(keys_with("uniform local"), (std::set<std::string>{"traffic.patterns", "traffic.local_radius"}));
  EXPECT_EQ(keys_with("hot_spot shuffle"),
            (std::set<std::string>{"traffic.patterns", "traffic.hot_nodes", "traffic.hot_fraction",
                                   "traffic.silent_fixed_points"}));
  EXPECT_EQ(keys_with("not_local"), std::set<std::string>{"traffic.patterns"});
}

}  // namespace
}  // namespace braid::test::combined_test
