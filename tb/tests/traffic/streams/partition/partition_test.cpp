// Partitions: what fusion and fission preserve, by hand and at random; the least bottleneck against brute force.
#include "traffic/streams/partition/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/queue_room.h"

namespace braid::test::partition_test {
namespace {

using namespace traffic;

PartitionOptions options_of(const std::string& partitioner, Joiners joiners = Joiners::kActors, bool fission = true) {
  PartitionOptions o;
  o.partition = partitioner;
  o.joiners = joiners;
  o.fission = fission;
  return o;
}

const StreamEdge& edge(const StreamGraph& g, const std::string& from, const std::string& to) {
  for (const StreamEdge& e : g.edges) {
    if (g.actors[e.from].name == from && g.actors[e.to].name == to) return e;
  }
  ADD_FAILURE() << from << " -> " << to;
  return g.edges.front();
}

const Actor& actor(const StreamGraph& g, const std::string& name) {
  for (const Actor& a : g.actors) {
    if (a.name == name) return a;
  }
  ADD_FAILURE() << name;
  return g.actors.front();
}

TEST(Fusion, AFiringIsTheMembersSmallestSteadyState) {
  const Structure p =
      pipeline("p", {filter("a", 0, 2, 10), filter("b", 3, 1, 100), filter("c", 1, 2, 7, 5), filter("d", 4, 0, 1)});
  const Partitioned apart = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(apart.graph.repetitions(), (std::vector<std::uint64_t>{3, 2, 2, 1}));
  const Partitioned two = fuse_program(p, "p.str", {}, {{0, 2}, {2, 4}});
  ASSERT_EQ(two.graph.actors.size(), 2U);
  EXPECT_EQ(two.graph.actors[0].name, "a+b");
  EXPECT_EQ(two.graph.actors[0].work_cycles, 3U * 10 + 2 * 100);
  EXPECT_EQ(two.graph.actors[1].work_cycles, 2U * 7 + 1);
  const StreamEdge& e = two.graph.edges[0];
  EXPECT_EQ(e.push, 2U);
  EXPECT_EQ(e.pop, 2U);
  EXPECT_EQ(e.peek, 2U + 4);  // c sees four items beyond the one it takes
  EXPECT_EQ(two.items, apart.items - 6 - 4);
}

TEST(Fusion, PeeksBehindOtherMembersReachTheInput) {
  const Structure p =
      pipeline("p", {filter("a", 0, 1, 1), filter("b", 2, 3, 1), filter("c", 3, 1, 1, 64), filter("d", 1, 0, 1)});
  const Partitioned two = fuse_program(p, "p.str", {}, {{0, 1}, {1, 4}});
  // c needs 61 more items: 21 firings more of b, of two items each.
  EXPECT_EQ(two.graph.edges[0].pop, 2U);
  EXPECT_EQ(two.graph.edges[0].peek, 2U + 42);
}

TEST(Fusion, SplittersFoldIntoTheirSource) {
  const Structure p =
      pipeline("p", {filter("a", 0, 1, 1),
                     split_join("s", Split::kDuplicate, {1, 1, 1},
                                {filter("x", 1, 1, 5), filter("y", 1, 2, 5, 3), filter("z", 1, 1, 5)}, {1, 2, 1}),
                     filter("b", 4, 0, 1)});
  const Partitioned all = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  EXPECT_EQ(all.graph.actors.size(), 6U);  // and the joiner
  const auto copy = edge(all.graph, "a", "x").group;
  ASSERT_TRUE(copy);
  EXPECT_EQ(edge(all.graph, "a", "y").group, copy);
  EXPECT_EQ(edge(all.graph, "a", "z").group, copy);
  EXPECT_EQ(edge(all.graph, "a", "y").peek, 3U);
  EXPECT_FALSE(edge(all.graph, "x", "s.join").group);
  EXPECT_EQ(actor(all.graph, "s.join").work_cycles, 4U * kItemWork);
  // Two branches on one tile get one copy.
  const Partitioned fewer = fuse_program(p, "p.str", {}, {{0, 1}, {1, 3}, {3, 4}, {4, 5}});
  EXPECT_EQ(edge(fewer.graph, "a", "x+y").push, 1U);
  EXPECT_EQ(edge(fewer.graph, "a", "x+y").peek, 3U);
  EXPECT_EQ(edge(fewer.graph, "x+y", "s.join").push, 3U);
  EXPECT_EQ(edge(fewer.graph, "a", "z").group, edge(fewer.graph, "a", "x+y").group);
  // Folded, the filter behind takes from each.
  PartitionOptions folded;
  folded.joiners = Joiners::kFolded;
  const Partitioned less = fuse_program(p, "p.str", folded, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  EXPECT_EQ(less.graph.actors.size(), 5U);
  EXPECT_EQ(edge(less.graph, "y", "b").pop, 2U);
  EXPECT_EQ(actor(less.graph, "b").work_cycles, 1U);
}

TEST(Fusion, RoundRobinBranchesGetShares) {
  const Structure p =
      pipeline("p", {filter("a", 0, 3, 1),
                     split_join("s", Split::kRoundRobin, {1, 2}, {filter("x", 1, 1, 5), filter("y", 1, 1, 5)}, {1, 2}),
                     filter("b", 3, 0, 1)});
  const Partitioned all = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(edge(all.graph, "a", "x").push, 1U);
  EXPECT_EQ(edge(all.graph, "a", "y").push, 2U);
  EXPECT_EQ(edge(all.graph, "a", "y").pop, 1U);
  EXPECT_FALSE(edge(all.graph, "a", "y").group);
  EXPECT_EQ(edge(all.graph, "y", "s.join").pop, 2U);
}

TEST(Fusion, JoinersBehindEachOtherAreOneActor) {
  const auto inner = [](const std::string& n) {
    return split_join(n, Split::kDuplicate, {1, 1}, {filter(n + "x", 1, 1, 5), filter(n + "y", 1, 1, 5)}, {1, 1});
  };
  const Structure p =
      pipeline("p", {filter("a", 0, 1, 1), split_join("s", Split::kDuplicate, {1, 1}, {inner("i"), inner("j")}, {2, 2}),
                     filter("b", 4, 0, 1)});
  const Partitioned all = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}});
  EXPECT_EQ(all.graph.actors.size(), 7U);
  EXPECT_EQ(actor(all.graph, "s.join").work_cycles, 4 * kItemWork);
  std::size_t copies = 0;
  for (const StreamEdge& e : all.graph.edges) copies += e.group.has_value() ? 1 : 0;
  EXPECT_EQ(copies, 4U);
}

TEST(Fusion, AFeedbackLoopKeepsItsItems) {
  const Structure p = pipeline(
      "p", {filter("a", 0, 1, 1), feedback("f", {1, 1}, filter("body", 2, 2, 9), filter("loop", 1, 1, 9), {1, 1}, 1),
            filter("b", 1, 0, 1)});
  const Partitioned all = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(edge(all.graph, "loop", "f.join").initial, 1U);
  EXPECT_FALSE(deadlock(all.graph, {}));
  const Partitioned whole = fuse_program(p, "p.str", {}, {{0, 1}, {1, 3}, {3, 4}});
  EXPECT_EQ(whole.graph.actors.size(), 3U);
  EXPECT_EQ(actor(whole.graph, "body+loop").work_cycles, 18U);
}

TEST(Fission, CopiesTakeTurns) {
  const Structure p = pipeline("p", {filter("a", 0, 1, 1), filter("f", 1, 2, 90, 1, false), filter("b", 2, 0, 1)});
  const Partitioned three = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2, 3}, {2, 3}});
  EXPECT_EQ(three.graph.actors.size(), 6U);
  EXPECT_EQ(three.steady_states, 3.0);
  EXPECT_EQ(three.bottleneck_work, 30.0);
  EXPECT_EQ(edge(three.graph, "a", "f.2").push, 1U);
  EXPECT_EQ(edge(three.graph, "a", "f.2").peek, 1U);
  EXPECT_FALSE(edge(three.graph, "a", "f.2").group);
}

TEST(Fission, PeekingCopiesGetWhatTheyMustSee) {
  const auto program = [](std::uint64_t peek) {
    return pipeline("p", {filter("a", 0, 1, 1), filter("f", 1, 1, 90, peek, false), filter("b", 1, 0, 1)});
  };
  // Three items a round are less than a window of 64: all items to all copies, which drop two of three.
  const Partitioned copies = fuse_program(program(64), "p.str", {}, {{0, 1}, {1, 2, 3}, {2, 3}});
  EXPECT_TRUE(edge(copies.graph, "a", "f.1").group);
  EXPECT_EQ(edge(copies.graph, "a", "f.3").pop, 3U);
  EXPECT_EQ(edge(copies.graph, "a", "f.1").peek, 64U);
  EXPECT_EQ(edge(copies.graph, "a", "f.3").peek, 2U + 64);
  EXPECT_EQ(actor(copies.graph, "f.1").work_cycles, 90U + 2 * kItemWork);
  // A window of two is less than three items: windows are sent, one item of each twice.
  const Partitioned windows = fuse_program(program(2), "p.str", {}, {{0, 1}, {1, 2, 3}, {2, 3}});
  EXPECT_FALSE(edge(windows.graph, "a", "f.1").group);
  EXPECT_EQ(edge(windows.graph, "a", "f.3").pop, 2U);
  EXPECT_EQ(edge(windows.graph, "a", "f.3").peek, 2U);
  EXPECT_EQ(actor(windows.graph, "f.1").work_cycles, 90U + kItemWork);
}

/// Every list of parts that the hierarchy allows, by plain recursion over its structures.
class AllParts {
 public:
  explicit AllParts(std::size_t tiles, bool fission) : tiles_(tiles), fission_(fission) {}
  std::vector<std::vector<Part>> of(const Structure& s, std::size_t& next) {
    const std::size_t first = next;
    std::vector<std::vector<Part>> all;
    if (s.kind == Structure::Kind::kFilter) {
      ++next;
      all.push_back({{first, next}});
      const WorkFunction& w = s.filter.work;
      for (std::uint32_t k = 2; k <= tiles_ && fission_ && !s.filter.stateful && w.push > 0 && w.pop > 0; ++k) {
        all.push_back({{first, next, k}});
      }
      return all;
    }
    std::vector<std::vector<std::vector<Part>>> apart;  // [child][choice]
    std::vector<std::size_t> begins;
    std::vector<const Structure*> children;
    list(s, s.kind == Structure::Kind::kPipeline, children);
    for (const Structure* child : children) {
      begins.push_back(next);
      apart.push_back(of(*child, next));
    }
    begins.push_back(next);
    const std::size_t n = apart.size();
    for (std::size_t cuts = 0; cuts < (std::size_t{1} << (n - 1)); ++cuts) {
      std::vector<std::vector<Part>> some{{}};
      for (std::size_t c = 0, begin = 0; c < n; ++c) {
        if (c + 1 < n && ((cuts >> c) & 1) == 0) continue;
        if (begin == c) {
          some = both(some, apart[c]);
        } else {
          some = both(some, {{{begins[begin], begins[c + 1]}}});
        }
        begin = c + 1;
      }
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

 private:
  static void list(const Structure& s, bool through, std::vector<const Structure*>& children) {
    for (const Structure& c : s.children) {
      if (through && c.kind == Structure::Kind::kPipeline) {
        list(c, through, children);
      } else {
        children.push_back(&c);
      }
    }
  }
  std::vector<std::vector<Part>> both(const std::vector<std::vector<Part>>& a,
                                      const std::vector<std::vector<Part>>& b) {
    std::vector<std::vector<Part>> all;
    for (const auto& x : a) {
      for (const auto& y : b) {
        all.push_back(x);
        all.back().insert(all.back().end(), y.begin(), y.end());
        if (all.back().size() > tiles_) all.pop_back();
      }
    }
    return all;
  }
  std::size_t tiles_;
  bool fission_;
};

/// Rounded up as partitioners count: copies share a steady state's work.
double rounded(const Partitioned& p) { return std::ceil(p.bottleneck_work - 1e-9); }

TEST(Partitioner, DynamicProgrammingIsAsGoodAsBruteForce) {
  std::size_t compared = 0, greedy_worse = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Structure p = RandomProgram(seed).make(5);
    const Joiners joiners = seed % 2 == 0 ? Joiners::kActors : Joiners::kFolded;
    const bool fission = seed % 3 == 0 && joiners == Joiners::kActors;
    for (const std::size_t tiles : {2U, 3U, 5U}) {
      const PartitionOptions o = options_of("dynamic_programming", joiners, fission);
      std::size_t next = 0;
      double best = std::numeric_limits<double>::max();
      for (const auto& parts : AllParts(tiles, fission).of(p, next)) {
        if (parts.size() < 2) continue;
        const Partitioned made = fuse_program(p, "p.str", o, parts);
        if (made.graph.actors.size() <= tiles) best = std::min(best, rounded(made));
        next = 0;
      }
      const Partitioned found = partition_program(p, "p.str", o, tiles);
      EXPECT_LE(found.graph.actors.size(), tiles) << seed;
      EXPECT_EQ(rounded(found), best) << seed << " on " << tiles;
      const Partitioned quick = partition_program(p, "p.str", options_of("greedy", joiners, fission), tiles);
      EXPECT_LE(quick.graph.actors.size(), tiles) << seed;
      EXPECT_GE(rounded(quick), rounded(found)) << seed;
      greedy_worse += rounded(quick) > rounded(found) ? 1 : 0;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 360U);
  EXPECT_GT(greedy_worse, 10U);
}

TEST(Partitioner, WorkAndItemsOfASteadyStateStay) {
  for (std::uint64_t seed = 1000; seed < 1200; ++seed) {
    const Structure p = RandomProgram(seed).make(12);
    const FlatGraph flat = flatten(p, "p.str");
    const auto repetitions = flat.repetitions();
    for (const char* partitioner : {"dynamic_programming", "greedy"}) {
      const Partitioned made =
          partition_program(p, "p.str", options_of(partitioner, Joiners::kFolded, false), 4 + seed % 5);
      const auto firings = made.graph.repetitions();
      const double scale = made.steady_states;
      std::uint64_t total = 0;
      for (std::size_t a = 0; a < firings.size(); ++a) total += firings[a] * made.graph.actors[a].work_cycles;
      // Joiners between structures stay actors: their work is known.
      std::uint64_t filters = 0;
      for (std::size_t n = 0; n < flat.nodes.size(); ++n) {
        if (flat.nodes[n].kind == FlatNode::Kind::kFilter)
          filters += repetitions[n] * flat.nodes[n].filter.work.work_cycles;
      }
      EXPECT_DOUBLE_EQ(made.program_work, static_cast<double>(filters));
      EXPECT_GE(static_cast<double>(total), made.program_work * scale) << seed;
      EXPECT_DOUBLE_EQ(static_cast<double>(total), made.total_work * scale) << seed;
      EXPECT_GE(made.bottleneck_work, made.program_work / static_cast<double>(4 + seed % 5) - 1e-9);
      EXPECT_FALSE(deadlock(made.graph, {}));
    }
  }
}

TEST(Partitioner, GreedyFusesTheLightestNeighbours) {
  const Structure p =
      pipeline("p", {filter("a", 0, 1, 10), filter("b", 1, 1, 3), filter("c", 1, 1, 2), filter("d", 1, 0, 4)});
  const Partitioned three = partition_program(p, "p.str", options_of("greedy"), 3);
  EXPECT_EQ(three.graph.actors[1].name, "b+c");
  const Partitioned two = partition_program(p, "p.str", options_of("greedy"), 2);
  EXPECT_EQ(two.graph.actors[1].name, "b..d");
}

TEST(Partitioner, LoopsAreCutWhereTheirItemsSuffice) {
  const auto program = [](std::uint64_t enqueued) {
    const Structure body = pipeline("body", {filter("b", 2, 4, 10), filter("c", 3, 3, 10)});
    return pipeline("p", {filter("a", 0, 1, 1), feedback("f", {1, 1}, body, filter("l", 1, 1, 10), {3, 1}, enqueued),
                          filter("d", 1, 0, 1)});
  };
  // A steady state takes three items round. Two do for filters apart, which need not fire all their times together.
  EXPECT_EQ(partition_program(program(2), "p.str", {}, 9).bottleneck_work, 100.0);
  const Partitioned cut = partition_program(program(3), "p.str", {}, 9);
  EXPECT_EQ(cut.bottleneck_work, 40.0);
  EXPECT_FALSE(deadlock(cut.graph, {}));
}

/// Each filter is in one part, in the program's order, and whoever fuses them so by hand gets the same graph.
TEST(Partitioner, ItsPartsMakeItsGraph) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Structure p = RandomProgram(seed).make(12);
    const FlatGraph flat = flatten(p, "p.str");
    for (const char* partitioner : {"dynamic_programming", "greedy"}) {
      const PartitionOptions options = options_of(partitioner);
      const Partitioned made = partition_program(p, "p.str", options, 4 + seed % 5);
      std::size_t filters = 0;
      for (const Part& part : made.parts) {
        EXPECT_EQ(part.first, filters) << partitioner << " " << seed;
        filters = part.last;
      }
      ASSERT_EQ(filters, flat.count(FlatNode::Kind::kFilter)) << partitioner << " " << seed;
      EXPECT_EQ(to_toml(fuse_program(p, "p.str", options, made.parts).graph), to_toml(made.graph));
    }
  }
}

TEST(Partitioner, AProgramOnOneTileSendsNothing) {
  const Structure p = pipeline("p", {filter("a", 0, 1, 1), filter("b", 1, 0, 1)});
  EXPECT_THROW(partition_program(p, "p.str", {}, 1), InputError);
  EXPECT_EQ(partition_program(p, "p.str", {}, 2).graph.actors.size(), 2U);
}

}  // namespace
}  // namespace braid::test::partition_test
