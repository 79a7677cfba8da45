// Traffic matrices: rates and destinations as the file has them, and what is wrong with files.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::matrix_test {
namespace {

std::unique_ptr<traffic::TrafficPattern> pattern_of(const std::string& text, const std::string& name = "",
                                                    double scale = 1.0) {
  const std::string file = temporary_file("matrix.csv");
  std::ofstream(file) << text;
  Configuration c;
  c.set("traffic.pattern", "matrix");
  c.set("traffic.file", file);
  c.set("traffic.scale", scale);
  if (!name.empty()) c.set("traffic.name", name);
  return traffic::PatternRegistry::instance().make("matrix", grid_of("mesh", 2, 2), c);
}

TEST(Matrix, GivesEachNodeItsRateAndItsDestinations) {
  const auto pattern = pattern_of("# by hand\nfrom, to, rate\n0,1,0.3\n0,2,0.1\n\n3,0,0.25  # back\n");
  EXPECT_DOUBLE_EQ(*pattern->rate_flits_per_cycle(NodeId{0}), 0.4);
  EXPECT_DOUBLE_EQ(*pattern->rate_flits_per_cycle(NodeId{1}), 0.0);
  EXPECT_DOUBLE_EQ(*pattern->rate_flits_per_cycle(NodeId{3}), 0.25);
  Random random(1);
  std::map<std::uint32_t, int> drawn;
  for (int i = 0; i < 40000; ++i) ++drawn[pattern->destination(NodeId{0}, random)->value];
  EXPECT_EQ(drawn.size(), 2U);
  EXPECT_NEAR(drawn[1], 30000, 400);
  EXPECT_EQ(pattern->destination(NodeId{3}, random), NodeId{0});
  EXPECT_FALSE(pattern->destination(NodeId{1}, random).has_value());
  traffic::TrafficPattern::Shares said, silent;
  EXPECT_TRUE(pattern->add_shares(NodeId{0}, 1.0, said));
  EXPECT_NEAR(said[NodeId{1}], 0.75, 1e-12);
  EXPECT_NEAR(said[NodeId{2}], 0.25, 1e-12);
  EXPECT_TRUE(pattern->add_shares(NodeId{1}, 1.0, silent));
  EXPECT_TRUE(silent.empty());
}

TEST(Matrix, TakesTheLinesOfItsClassAndThoseOfNone) {
  const std::string text = "from,to,rate,class\n0,1,0.5,reads\n0,2,0.25,writes\n1,2,0.125\n";
  EXPECT_DOUBLE_EQ(*pattern_of(text, "reads")->rate_flits_per_cycle(NodeId{0}), 0.5);
  EXPECT_DOUBLE_EQ(*pattern_of(text, "writes", 0.5)->rate_flits_per_cycle(NodeId{0}), 0.125);
  EXPECT_DOUBLE_EQ(*pattern_of(text, "writes")->rate_flits_per_cycle(NodeId{1}), 0.125);
}

void refused(const std::string& text, const std::string& says) {
  try {
    pattern_of(text);
    ADD_FAILURE() << text;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
  }
}

TEST(Matrix, SaysWhatIsWrongAndWhere) {
  refused("", "is empty");
  refused("to,from\n", ":1:1: expected the head line from,to,rate or from,to,rate,class");
  refused("from,to,rate\n0,4,1\n", ":2:1: node \"4\": expected 0 to 3");
  refused("from,to,rate\n0,1,x\n", ":2:1: rate \"x\": expected number, at least 0");
  refused("from,to,rate\n0,1,-1\n", ":2:1: rate \"-1\": expected number, at least 0");
  refused("from,to,rate\n0,1\n", ":2:1: expected from,to,rate");
  refused("from,to,rate\n", "holds no flow: expected lines FROM,TO,RATE");
}

/// Every word of a line: too few, too many, none, and what is not a number of a node or a rate.
TEST(Matrix, LooksAtEveryWordOfALine) {
  refused("from,to,rate\n0,1,1,x\n", ":2:1: expected from,to,rate");
  refused("from,to,rate,class\n0,1\n", ":2:1: expected from,to,rate,class");
  refused("from,to,rate,class\n0,1,1,a,b\n", ":2:1: expected from,to,rate,class");
  refused("from,to,rate\n0,1, \n", ":2:1: rate \"\": expected number, at least 0");
  refused("from,to,rate\n0,1,1x\n", ":2:1: rate \"1x\": expected number, at least 0");
  refused("from,to,rate\n0,1,inf\n", ":2:1: rate \"inf\": expected number, at least 0");
  refused("from,to,rate\n0,1,nan\n", ":2:1: rate \"nan\": expected number, at least 0");
  refused("\n# none\n from ,\tto , rate \r\n,1,1\n", ":4:1: node \"\": expected 0 to 3");
  refused("from,to,rate\n-1,1,1\n", ":2:1: node \"-1\": expected 0 to 3");
  refused("from,to,rate\n0,1.0,1\n", ":2:1: node \"1.0\": expected 0 to 3");
  refused("from,to,rate\n0000000001,1,1\n", ":2:1: node \"0000000001\": expected 0 to 3");
  EXPECT_DOUBLE_EQ(*pattern_of("from,to,rate\n000000001,3,1\n")->rate_flits_per_cycle(NodeId{1}), 1.0);
  refused("from,to,rate,class\n0,1,1,a\n", "holds no flow: expected lines FROM,TO,RATE");
  try {
    pattern_of("from,to,rate,class\n0,1,1,a\n", "b");
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("holds no flow of class b"), std::string::npos) << e.what();
  }
}

/// Lines of the same two nodes are one flow; one of rate 0, or times 0, is none.
TEST(Matrix, AddsUpWhatGoesTheSameWay) {
  const auto pattern = pattern_of("from,to,rate\n0,1,0.125\n0,2,0.25\n0,1,0.125\n1,0,0\n");
  EXPECT_DOUBLE_EQ(*pattern->rate_flits_per_cycle(NodeId{0}), 0.5);
  traffic::TrafficPattern::Shares said;
  EXPECT_TRUE(pattern->add_shares(NodeId{0}, 2.0, said));
  EXPECT_NEAR(said[NodeId{1}], 1.0, 1e-12);
  EXPECT_NEAR(said[NodeId{2}], 1.0, 1e-12);
  Random random(1);
  EXPECT_DOUBLE_EQ(*pattern->rate_flits_per_cycle(NodeId{1}), 0.0);
  EXPECT_FALSE(pattern->destination(NodeId{1}, random).has_value());
  const auto nothing = pattern_of("from,to,rate\n0,1,0.5\n", "", 0.0);
  EXPECT_DOUBLE_EQ(*nothing->rate_flits_per_cycle(NodeId{0}), 0.0);
  EXPECT_FALSE(nothing->destination(NodeId{0}, random).has_value());
}

/// Rates as measured in a network.
TEST(Matrix, IsWhatNodesSend) {
  const std::string file = temporary_file("sent.csv");
  std::ofstream(file) << "from,to,rate\n0,3,0.2\n1,2,0.05\n";
  models::Experiment e = uniform_mesh(0.0, 2, 2);
  e.set("traffic.pattern", "matrix");
  e.set("traffic.file", file);
  Bench bench(e);
  bench.network->window() = {true, 0, 1000};
  bench.run(20000);
  const auto packets = bench.network->merged_statistics().results(20000).at(0);
  EXPECT_NEAR(packets.injected_flits_per_cycle_by_node[0], 0.2, 0.01);
  EXPECT_NEAR(packets.injected_flits_per_cycle_by_node[1], 0.05, 0.005);
  EXPECT_EQ(packets.injected_flits_per_cycle_by_node[2], 0.0);
  EXPECT_EQ(packets.delivered_flits_per_cycle_by_node[1], 0.0);
}

}  // namespace
}  // namespace braid::test::matrix_test
