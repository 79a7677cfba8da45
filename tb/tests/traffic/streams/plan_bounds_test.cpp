// Every number of a planned graph's file at its bounds, and what a plan holds that says as little as it may.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/filled.h"
#include "traffic/streams/balance.h"
#include "traffic/streams/flat_graph.h"
#include "traffic/streams/partition/block.h"
#include "traffic/streams/partition/partition.h"
#include "traffic/streams/stream_graph.h"
#include "traffic/streams/variants.h"

namespace braid::test::plan_bounds_test {
namespace {

using namespace traffic;

const std::string kActors =
    "name = \"g\"\n[[actor]]\nname = \"a\"\nwork = 0\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 1\ntile = 65535\n";
const std::string kEdge = "[[edge]]\nfrom = \"a\"\nto = \"b\"\n";
const std::string kPlan = "[plan]\ntaken = \"x\"\nleast_cycles = 1\nleast_cycles_as_asked = 2\n";

StreamGraph read(const std::string& text) {
  const std::string file = temporary_file("plan_bounds.toml");
  std::ofstream(file) << text;
  return read_stream_graph(file);
}

/// What is said of the value of a key, behind its place.
std::string said(const std::string& text) {
  const std::string what = complaint([&] { (void)read(text); });
  const std::size_t message = what.find(": ");
  return message == std::string::npos ? what : what.substr(message + 2);
}

TEST(StreamGraphPlan, SaysAsLittleAsThreeKeys) {
  const StreamGraph g = read(kActors + kEdge + kPlan);
  ASSERT_TRUE(g.plan);
  EXPECT_EQ(g.plan->remedy.taken, "x");
  EXPECT_EQ(g.plan->remedy.why, "");
  EXPECT_FALSE(g.plan->packets);
  EXPECT_FALSE(g.plan->steady_states);
  EXPECT_EQ(g.plan->remedy.degree, 0U);
  EXPECT_EQ(g.plan->remedy.tiles, 0U);
  EXPECT_EQ(g.plan->remedy.layout, 0U);
  EXPECT_EQ(g.plan->remedy.tried, 0U);
  EXPECT_EQ(g.plan->remedy.least_cycles, 1.0);
  EXPECT_EQ(g.plan->remedy.least_cycles_asked, 2.0);
  EXPECT_FALSE(g.plan->remedy.packets_least_cycles);
  EXPECT_EQ(g.actors[0].placement, RouterId{0});
  EXPECT_EQ(g.actors[1].placement, RouterId{65535});
  // Written in full, with nothing for what is not known, and read again.
  const std::string text = to_toml(g);
  EXPECT_NE(text.find("[plan]\ntaken = \"x\"\nwhy = \"\"\npackets = false\ndegree = 0\ntiles = 0\nlayout = 0\n"
                      "tried = 0\nleast_cycles = 1\nleast_cycles_as_asked = 2\n\n[[actor]]"),
            std::string::npos)
      << text;
  EXPECT_EQ(to_toml(read(text)), text);
  EXPECT_FALSE(read(kActors + kEdge).plan);
}

TEST(StreamGraphPlan, ItsNumbersHaveBounds) {
  struct Bound {
    const char* key;
    std::uint64_t most;
  };
  for (const Bound& b :
       {Bound{"degree", 65535}, Bound{"tiles", 65535}, Bound{"layout", 65535}, Bound{"tried", 1000000}}) {
    const auto with = [&](const std::string& value) {
      return said(kActors + kEdge + kPlan + b.key + " = " + value + "\n");
    };
    const std::string range = "\"" + std::string(b.key) + "\": expected an integer from 0 to " + std::to_string(b.most);
    EXPECT_EQ(with("0"), "") << b.key;
    EXPECT_EQ(with(std::to_string(b.most)), "") << b.key;
    EXPECT_EQ(with(std::to_string(b.most + 1)), range);
    EXPECT_EQ(with("-1"), range);
    EXPECT_EQ(with("1.0"), range);
  }
  const StreamGraph g = read(kActors + kEdge + kPlan + "degree = 1\ntiles = 2\nlayout = 3\ntried = 4\n");
  EXPECT_EQ(g.plan->remedy.degree, 1U);
  EXPECT_EQ(g.plan->remedy.tiles, 2U);
  EXPECT_EQ(g.plan->remedy.layout, 3U);
  EXPECT_EQ(g.plan->remedy.tried, 4U);
}

/// Cycles and steady states are above 0, whole or not; a truth value is no number.
TEST(StreamGraphPlan, ItsCyclesAreNumbersAboveNought) {
  for (const std::string key : {"steady_states", "packets_least_cycles"}) {
    const auto with = [&](const std::string& value) {
      return said(kActors + kEdge + kPlan + key + " = " + value + "\n");
    };
    const std::string wrong = "\"" + key + "\": expected a number above 0";
    for (const char* good : {"1", "0.001", "1e9"}) EXPECT_EQ(with(good), "") << key << good;
    for (const char* bad : {"0", "0.0", "-1", "-0.5", "inf", "-inf", "nan", "true", "\"1\"", "[1]"}) {
      EXPECT_EQ(with(bad), wrong) << bad;
    }
  }
  EXPECT_EQ(said(kActors + kEdge + "[plan]\ntaken = \"x\"\nleast_cycles_as_asked = 2\n"),
            "\"least_cycles\" is missing");
  EXPECT_EQ(said(kActors + kEdge + "[plan]\ntaken = \"x\"\nleast_cycles = 2\n"),
            "\"least_cycles_as_asked\" is missing");
  EXPECT_EQ(said(kActors + kEdge + kPlan + "why = 1\n"), "\"why\": expected a text that is not empty");
  EXPECT_EQ(said(kActors + kEdge + kPlan + "packets = true\n"), "");
  EXPECT_TRUE(read(kActors + kEdge + kPlan + "packets = true\n").plan->packets);
}

/// Items that are there first, and numbers of copies.
TEST(StreamGraphPlan, EdgesHaveBoundsToo) {
  for (const std::string key : {"initial", "group"}) {
    const auto with = [&](const std::string& value) { return said(kActors + kEdge + key + " = " + value + "\n"); };
    const std::string range = "\"" + key + "\": expected an integer from 0 to 1000000";
    EXPECT_EQ(with("0"), "");
    EXPECT_EQ(with("1000000"), "");
    EXPECT_EQ(with("1000001"), range);
    EXPECT_EQ(with("-1"), range);
  }
  const StreamGraph none = read(kActors + kEdge);
  EXPECT_EQ(none.edges[0].initial, 0U);
  EXPECT_EQ(read(kActors + kEdge + "group = 0\n").edges[0].group, std::optional<std::uint32_t>(0));
  EXPECT_EQ(read(kActors + kEdge + "initial = 3\n").edges[0].initial, 3U);
  EXPECT_EQ(said(kActors + kEdge + "pop = 65536\n"), "\"pop\": expected an integer from 1 to 65535");
  EXPECT_EQ(said(kActors + kEdge + "push = 0\n"), "\"push\": expected an integer from 1 to 65535");
  EXPECT_EQ(said(kActors + kEdge + "edge = 1\n").substr(0, 11), "unknown key");
  EXPECT_EQ(said("name = \"g\"\nedge = 1\n" + kActors.substr(kActors.find("[[")) + "\n"), "expected [[edge]] tables");
}

/// The first actor without an edge, without a tile; whether an actor sends or takes.
TEST(StreamGraphPlan, EveryActorHasATileAndAnEdge) {
  const std::string third = "[[actor]]\nname = \"c\"\nwork = 1\n";
  EXPECT_EQ(said(kActors + third + kEdge), "actor \"c\" has no edge");
  EXPECT_EQ(said("name = \"g\"\n" + third + kActors.substr(kActors.find("[[")) + kEdge), "actor \"c\" has no edge")
      << "be it the first";
  EXPECT_EQ(said(kActors + third + kEdge + "[[edge]]\nfrom = \"c\"\nto = \"b\"\n"), "");
  EXPECT_EQ(said(kActors + third + kEdge + "[[edge]]\nfrom = \"a\"\nto = \"c\"\n"), "");
  EXPECT_EQ(said(kActors + third + kEdge + "[[edge]]\nfrom = \"a\"\nto = \"c\"\n" + kPlan),
            "[plan]: expected a tile for each actor; \"c\" has none");
}

/// What nobody has filled in.
TEST(PartitionDefaults, AreAProgramOfOneSteadyState) {
  const Partitioned made;
  EXPECT_EQ(made.steady_states, 1.0);
  EXPECT_EQ(made.program_work + made.total_work + made.bottleneck_work + made.items, 0.0);
  const Part part;
  EXPECT_EQ(part.first + part.last, 0U);
  EXPECT_EQ(part.copies, 1U);
  const CrowdedActor nobody;
  EXPECT_EQ(nobody.actor + nobody.streams + nobody.links, 0U);
  EXPECT_TRUE(nobody.leaving);
  const Structure s;
  EXPECT_EQ(s.kind, Structure::Kind::kFilter);
  EXPECT_EQ(s.enqueued, 0U);
  EXPECT_EQ(s.filter.calls, 1U);
  EXPECT_EQ(s.filter.input_words, 1U);
  EXPECT_EQ(s.filter.output_words, 1U);
  EXPECT_FALSE(s.filter.stateful);
  EXPECT_FALSE(s.filter.prework);
  EXPECT_EQ(s.filter.work.push + s.filter.work.pop + s.filter.work.peek + s.filter.work.work_cycles, 0U);
  EXPECT_EQ(s.splitter.kind, Split::kRoundRobin);
  EXPECT_EQ(filled_fields<Block>(), std::vector<std::size_t>{});
  EXPECT_EQ(filled_fields<RateEdge>(), std::vector<std::size_t>{});
  EXPECT_EQ(filled_fields<FlatEdge>(), std::vector<std::size_t>{6}) << "a word";
  EXPECT_EQ(FlatEdge{}.words, 1U);
  EXPECT_FALSE(FlatSpan{}.loop);
  EXPECT_EQ(FlatSpan{}.begin + FlatSpan{}.end, 0U);
  const PlacementOptions placement;
  EXPECT_EQ(placement.layout_cost, "weighted");
  EXPECT_EQ(placement.moves, 100000U);
  EXPECT_TRUE(placement.anneal);
}

}  // namespace
}  // namespace braid::test::plan_bounds_test
