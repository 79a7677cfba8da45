// What synthetic sources say that they send to whom (for link loads and for the busiest links' sharers), by hand.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/bench.h"

namespace braid::test::synthetic_flows_test {
namespace {

/// 3x1 nodes, each to the next (neighbour), two flits a packet.
std::string row(const std::string& more, const std::string& keys = "") {
  return "[topology]\nwidth = 3\nheight = 1\n" + keys +
         "[traffic]\npattern = \"neighbour\"\nlength = \"fixed\"\nflits = 2\nrate_flits_per_node_cycle = 0.5\n" + more;
}

std::vector<routing::Flow> flows(const std::string& text) {
  return sources_of(Bench(models::parse_experiment(text, "e.toml"))).flows(1000);
}

using Ends = std::pair<std::uint32_t, std::uint32_t>;
Ends ends(const routing::Flow& f) { return {f.source.value, f.destination.value}; }

/// Requests at the rate asked for; replies of five flits to requests of two weigh 5/2 as much, and go back.
TEST(SyntheticFlows, AreAtTheRateAskedForAndRepliesByTheirLength) {
  const auto plain = flows(row(""));
  ASSERT_EQ(plain.size(), 3U);
  for (std::uint32_t n = 0; n < 3; ++n) {
    EXPECT_EQ(ends(plain[n]), (Ends{n, (n + 1) % 3}));
    EXPECT_DOUBLE_EQ(plain[n].weight, 0.5);
    EXPECT_EQ(plain[n].name, "") << "their nodes say all";
    EXPECT_EQ(plain[n].subnet, 0U);
  }
  const auto answered = flows(row("request_reply = true\nreply_flits = 5\n"));
  ASSERT_EQ(answered.size(), 6U);
  for (std::uint32_t n = 0; n < 3; ++n) {
    EXPECT_EQ(ends(answered[n]), (Ends{n, (n + 1) % 3}));
    EXPECT_EQ(ends(answered[3 + n]), (Ends{(n + 1) % 3, n}));
    EXPECT_DOUBLE_EQ(answered[3 + n].weight, 0.5 * 5 / 2);
  }
  EXPECT_EQ(answered[3].name, "1 -> 0 (replies)");
}

/// A message's packets are answered one by one: 5 flits for each of 4, whatever the message's length.
TEST(SyntheticFlows, OfMessagesHaveAReplyAPacket) {
  const auto answered = flows(row("request_reply = true\nreply_flits = 5\n", "[message]\npacket_flits = 4\n"));
  ASSERT_EQ(answered.size(), 6U);
  EXPECT_DOUBLE_EQ(answered[0].weight, 0.5);
  EXPECT_DOUBLE_EQ(answered[3].weight, 0.5 * 5 / 4);
}

TEST(SyntheticFlows, OfANamedClassAreOfItsSendersAndBearItsName) {
  const auto named = flows(row("name = \"loads\"\nsenders = [2, 0]\nrequest_reply = true\n"));
  ASSERT_EQ(named.size(), 4U);
  EXPECT_EQ(ends(named[0]), (Ends{0, 1}));
  EXPECT_EQ(named[0].name, "loads 0 -> 1");
  EXPECT_EQ(ends(named[1]), (Ends{2, 0}));
  EXPECT_EQ(named[1].name, "loads 2 -> 0");
  EXPECT_EQ(named[2].name, "loads 1 -> 0 (replies)");
  EXPECT_EQ(named[3].name, "loads 0 -> 2 (replies)");
}

/// Each subnet that carries a class carries an even share of it.
TEST(SyntheticFlows, AreSpreadOverTheSubnetsThatCarryThem) {
  const auto spread = flows(row("name = \"loads\"\nsubnets = [2, 0]\nrequest_reply = true\nreply_subnets = [1]\n",
                                "[network]\nsubnets = 3\n"));
  std::map<std::uint32_t, double> weight;
  for (const routing::Flow& f : spread) weight[f.subnet] += f.weight;
  ASSERT_EQ(spread.size(), 3U * 2 + 3U);
  EXPECT_DOUBLE_EQ(weight[0], 3 * 0.5 / 2);
  EXPECT_DOUBLE_EQ(weight[2], 3 * 0.5 / 2);
  EXPECT_DOUBLE_EQ(weight[1], 3 * 0.5 / 2) << "replies of a flit to requests of two";
  EXPECT_EQ(spread.front().subnet, 2U) << "in the order of the list";
}

/// Of more than 512 nodes destinations are drawn, some hundred a node, and the shares that were drawn make the rate.
TEST(SyntheticFlows, OfManyNodesAreDrawn) {
  Bench bench(uniform_mesh(0.25, 27, 19));
  const auto& sources = sources_of(bench);
  ASSERT_FALSE(sources.knows_flows());
  const auto drawn = sources.pattern_flows(0.25);
  std::map<std::uint32_t, double> sent;
  for (const routing::Flow& f : drawn) sent[f.source.value] += f.weight;
  ASSERT_EQ(sent.size(), 513U);
  for (const auto& [node, rate] : sent) EXPECT_NEAR(rate, 0.25, 1e-9) << node;
  // 2^18 / 513 = 511 draws of 513 destinations meet 513 (1 - e^-0.996) = 324 of them.
  EXPECT_NEAR(static_cast<double>(drawn.size()) / 513.0, 324.0, 5.0);
  for (const routing::Flow& f : drawn) ASSERT_LE(f.weight, 0.25 * 12 / 511) << "each draw weighs alike";
  EXPECT_TRUE(sources.pattern_flows(0.0).empty());
}

}  // namespace
}  // namespace braid::test::synthetic_flows_test
