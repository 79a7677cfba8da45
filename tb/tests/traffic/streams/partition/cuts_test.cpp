// Cuts and fusions one by one: what ties, ways that carry nothing, copies that cannot be shared, joiners that see
// ahead.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/partition/block.h"
#include "traffic/streams/partition/partition.h"

namespace braid::test::cuts_test {
namespace {

using namespace traffic;
using Numbers = std::vector<std::uint64_t>;
using Parts = std::vector<Part>;

std::vector<Numbers> parts_of(const std::string& partitioner, const Structure& program, std::size_t tiles,
                              Joiners joiners = Joiners::kActors) {
  PartitionOptions options;
  options.partition = partitioner;
  options.joiners = joiners;
  std::vector<Numbers> all;
  for (const Part& p : partition_program(program, "p.str", options, tiles).parts) {
    all.push_back({p.first, p.last, p.copies});
  }
  return all;
}

Structure chain(const std::vector<std::uint64_t>& work) {
  std::vector<Structure> stages;
  for (std::size_t i = 0; i < work.size(); ++i) {
    stages.push_back(
        filter(std::string(1, static_cast<char>('a' + i)), i == 0 ? 0 : 1, i + 1 == work.size() ? 0 : 1, work[i]));
  }
  return pipeline("p", std::move(stages));
}

/// "a>b push pop peek", sorted.
std::vector<std::string> edges_of(const Structure& p, const Parts& parts, Joiners joiners = Joiners::kActors) {
  PartitionOptions options;
  options.joiners = joiners;
  const StreamGraph g = fuse_program(p, "p.str", options, parts).graph;
  std::vector<std::string> all;
  for (const StreamEdge& e : g.edges) {
    all.push_back(g.actors[e.from].name + ">" + g.actors[e.to].name + " " + std::to_string(e.push) + " " +
                  std::to_string(e.pop) + " " + std::to_string(e.peek) + (e.group ? " copy" : ""));
  }
  std::sort(all.begin(), all.end());
  return all;
}

using Edges = std::vector<std::string>;

/// As few actors as do; of cuts alike the one that leaves the last filter alone.
TEST(Cuts, OfTheSameWorkAreTheFewestAndTheLast) {
  EXPECT_EQ(parts_of("dynamic_programming", chain({1, 1, 1}), 2), (std::vector<Numbers>{{0, 2, 1}, {2, 3, 1}}));
  EXPECT_EQ(parts_of("dynamic_programming", chain({4, 1, 1, 1, 1}), 5), (std::vector<Numbers>{{0, 1, 1}, {1, 5, 1}}))
      << "two do as well as five";
  EXPECT_EQ(parts_of("dynamic_programming", chain({2, 2, 2, 2}), 3), (std::vector<Numbers>{{0, 2, 1}, {2, 4, 1}}));
  EXPECT_EQ(parts_of("dynamic_programming", chain({5, 1, 1}), 2), (std::vector<Numbers>{{0, 1, 1}, {1, 3, 1}}));
}

Structure two_branches() {
  return pipeline("p",
                  {filter("a", 0, 1, 10),
                   split_join("s", Split::kDuplicate, {1, 1}, {filter("x", 1, 1, 9), filter("y", 1, 1, 8)}, {1, 1}),
                   filter("b", 2, 0, 10)});
}

/// A joiner that is folded takes no tile: four filters are apart on four.
TEST(Cuts, AFoldedJoinerTakesNoTile) {
  for (const char* partitioner : {"greedy", "dynamic_programming"}) {
    EXPECT_EQ(parts_of(partitioner, two_branches(), 4, Joiners::kFolded).size(), 4U) << partitioner;
    EXPECT_EQ(parts_of(partitioner, two_branches(), 5).size(), 4U) << partitioner << ": and the joiner on the fifth";
    EXPECT_LT(parts_of(partitioner, two_branches(), 4).size(), 4U) << partitioner;
  }
}

/// A copy more that is no less busy, or whose joiner is as busy as the filter was, is none.
TEST(Cuts, GreedyCopiesOnlyForLess) {
  const auto copies = [](std::uint64_t work, std::uint64_t peek, std::size_t tiles = 9) {
    return parts_of("greedy",
                    pipeline("p", {filter("a", 0, 1, 1), filter("f", 1, 1, work, peek, false), filter("b", 1, 0, 1)}),
                    tiles)[1][2];
  };
  EXPECT_EQ(copies(3, 1), 1U) << "the joiner works three cycles, too";
  EXPECT_EQ(copies(4, 1), 2U) << "two each, and three of the joiner";
  EXPECT_EQ(copies(4, 9), 1U) << "seven by two are four again";
  EXPECT_EQ(copies(6, 9, 5), 2U) << "nine by two are five";
  EXPECT_EQ(copies(30, 1, 5), 2U);
  EXPECT_EQ(copies(30, 1, 6), 3U);
  EXPECT_EQ(copies(30, 1, 7), 4U);
  const auto dropped = [](std::uint64_t work) {  // without a joiner: in front of one
    return parts_of("greedy",
                    pipeline("p", {filter("a", 0, 1, 1),
                                   split_join("s", Split::kDuplicate, {1, 1},
                                              {filter("x", 1, 1, work, 2, false), filter("y", 1, 1, 1)}, {1, 1}),
                                   filter("b", 2, 0, 1)}),
                    9)[1][2];
  };
  EXPECT_EQ(dropped(3), 1U) << "two copies work 3 + 3 for each firing: three cycles each again";
  EXPECT_EQ(dropped(5), 4U) << "eight by four are two, and by five as well";
}

/// On one tile a program is one actor, which sends nothing.
TEST(Cuts, AProgramIsTwoActorsAtLeast) {
  for (const char* partitioner : {"greedy", "dynamic_programming"}) {
    EXPECT_EQ(complaint([&] { (void)parts_of(partitioner, chain({3, 4}), 1); }),
              "p.str: the whole program is one actor on 1 tiles: expected two actors or more, with something to send");
  }
  EXPECT_EQ(parts_of("greedy", chain({3, 4}), 2).size(), 2U);
  EXPECT_EQ(parts_of("greedy", chain({3, 4, 5}), 2), (std::vector<Numbers>{{0, 2, 1}, {2, 3, 1}}));
}

/// What does not work goes with whom it costs nothing.
TEST(Cuts, GreedyEndsWithWhatIsLightest) {
  const auto inner = [](const std::string& n, std::uint64_t work) {
    return split_join(n, Split::kDuplicate, {1, 1}, {filter(n + "x", 1, 1, work), filter(n + "y", 1, 1, work)}, {1, 1});
  };
  const Structure nested = pipeline(
      "p", {filter("a", 0, 1, 50), split_join("s", Split::kDuplicate, {1, 1}, {inner("i", 2), inner("j", 1)}, {2, 2}),
            filter("b", 4, 0, 50)});
  // Six filters and a joiner for both structures: first j (2), then i (4), then both and their joiner (6).
  EXPECT_EQ(parts_of("greedy", nested, 7).size(), 6U);
  EXPECT_EQ(parts_of("greedy", nested, 6),
            (std::vector<Numbers>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 5, 1}, {5, 6, 1}}));
  EXPECT_EQ(parts_of("greedy", nested, 5), (std::vector<Numbers>{{0, 1, 1}, {1, 3, 1}, {3, 5, 1}, {5, 6, 1}}));
  EXPECT_EQ(parts_of("greedy", nested, 4), (std::vector<Numbers>{{0, 1, 1}, {1, 5, 1}, {5, 6, 1}}));
  EXPECT_EQ(parts_of("greedy", nested, 2), (std::vector<Numbers>{{0, 5, 1}, {5, 6, 1}}));
}

/// A branch that gives nothing is behind no joiner, one that takes nothing behind no splitter.
TEST(Fusions, WaysThatCarryNothingAreNoStreams) {
  const Structure sink =
      pipeline("p", {filter("a", 0, 1, 1),
                     split_join("s", Split::kDuplicate, {1, 1}, {filter("y", 1, 0, 1), filter("x", 1, 1, 1)}, {0, 1}),
                     filter("b", 1, 0, 1)});
  const Parts four{{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  for (const Joiners joiners : {Joiners::kActors, Joiners::kFolded}) {
    EXPECT_EQ(edges_of(sink, four, joiners), (Edges{"a>x 1 1 1 copy", "a>y 1 1 1 copy", "x>b 1 1 1"}));
  }
  const Structure source =
      pipeline("p", {filter("a", 0, 1, 1),
                     split_join("s", Split::kRoundRobin, {0, 1}, {filter("z", 0, 1, 1), filter("x", 1, 1, 1)}, {2, 1}),
                     filter("b", 3, 0, 1)});
  EXPECT_EQ(edges_of(source, four), (Edges{"a>x 1 1 1", "s.join>b 3 3 3", "x>s.join 1 1 1", "z>s.join 1 2 2"}));
  EXPECT_EQ(edges_of(source, four, Joiners::kFolded), (Edges{"a>x 1 1 1", "x>b 1 1 1", "z>b 1 2 2"}));
  const Structure sources =
      pipeline("p", {split_join("s", Split::kRoundRobin, {0, 0}, {filter("z", 0, 1, 1), filter("x", 0, 1, 1)}, {1, 1}),
                     filter("b", 2, 0, 1)});
  EXPECT_EQ(edges_of(sources, {{0, 1}, {1, 2}, {2, 3}}), (Edges{"s.join>b 2 2 2", "x>s.join 1 1 1", "z>s.join 1 1 1"}));
  EXPECT_EQ(edges_of(sources, {{0, 2}, {2, 3}}), (Edges{"z+x>b 2 2 2"}));
  // The inner joiner stands in front of a wire: it is an actor of its own.
  const Structure wire = pipeline(
      "p",
      {filter("a", 0, 1, 1),
       split_join("s", Split::kDuplicate, {1, 1},
                  {split_join("i", Split::kDuplicate, {1, 1}, {filter("x", 1, 1, 1), filter("w", 1, 1, 1)}, {1, 1}),
                   filter("y", 1, 0, 1)},
                  {2, 0}),
       filter("b", 2, 0, 1)});
  EXPECT_EQ(edges_of(wire, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}),
            (Edges{"a>w 1 1 1 copy", "a>x 1 1 1 copy", "a>y 1 1 1 copy", "s.join>b 2 2 2", "w>s.join 1 1 1",
                   "x>s.join 1 1 1"}))
      << "named after the last";
}

/// Nor on one tile with another branch, which sees ahead; and nothing is there first where no loop has enqueued it.
TEST(Fusions, WaysThatCarryNothingSeeNothing) {
  const Structure p = pipeline(
      "p", {filter("a", 0, 1, 1),
            split_join("s", Split::kRoundRobin, {0, 1}, {filter("z", 0, 1, 1), filter("x", 1, 1, 1, 4)}, {1, 1}),
            split_join("t", Split::kRoundRobin, {1}, {filter("y", 1, 1, 1)}, {1}), filter("b", 2, 0, 1)});
  EXPECT_EQ(edges_of(p, {{0, 1}, {1, 3}, {3, 4}, {4, 5}}), (Edges{"a>z+x 1 1 4", "y>b 1 2 2", "z+x>y 2 1 1"}));
  for (const StreamEdge& e : fuse_program(p, "p.str", {}, {{0, 1}, {1, 3}, {3, 4}, {4, 5}}).graph.edges) {
    EXPECT_EQ(e.initial, 0U);
  }
}

/// Of each three items a branch takes two. A part of both fires twice, for which three items are not enough by halves:
/// each branch gets its own.
TEST(Fusions, CopiesAreSharedWhereTheyCanBeHalved) {
  const auto branch = [](const std::string& n, const std::string& m, const Numbers& weights, const std::string& joint) {
    return split_join(joint, Split::kRoundRobin, weights, {filter(n, 1, 1, 1), filter(m, 1, 1, 1)}, weights);
  };
  const auto edges = [&](std::uint64_t times) {
    const Structure p = pipeline(
        "p", {filter("a", 0, 3 * times, 1),
              split_join("s", Split::kDuplicate, {1, 1},
                         {branch("w", "x", {times, 2 * times}, "i"), branch("y", "v", {2 * times, times}, "j")},
                         {3 * times, 3 * times}),
              filter("b", 6 * times, 0, 1)});
    for (const std::string& e : edges_of(p, {{0, 1}, {1, 2}, {2, 4}, {4, 5}, {5, 6}})) {
      if (e.rfind("a>x+y", 0) == 0) return e;
    }
    return std::string("none");
  };
  EXPECT_EQ(edges(1), "a>x+y 4 2 2");
  EXPECT_EQ(edges(2), "a>x+y 8 2 2") << "it fires four times for six items";
}

/// b sees a whole joiner's firing beyond the one it takes, or two: of each branch as much as comes of it then.
TEST(Fusions, AFoldedJoinerSeesAheadOnEveryBranch) {
  const auto program = [](std::uint64_t peek) {
    return pipeline("p", {filter("a", 0, 3, 1),
                          split_join("s", Split::kRoundRobin, {1, 1, 1},
                                     {filter("x", 1, 1, 1), filter("y", 1, 1, 1), filter("z", 1, 1, 1)}, {1, 1, 1}),
                          filter("b", 3, 0, 1, peek)});
  };
  const Parts parts{{0, 1}, {1, 3}, {3, 4}, {4, 5}};
  EXPECT_EQ(edges_of(program(3), parts, Joiners::kFolded),
            (Edges{"a>x+y 2 2 2", "a>z 1 1 1", "x+y>b 2 2 2", "z>b 1 1 1"}));
  for (const std::uint64_t peek : {4U, 6U}) {
    EXPECT_EQ(edges_of(program(peek), parts, Joiners::kFolded),
              (Edges{"a>x+y 2 2 2", "a>z 1 1 1", "x+y>b 2 2 4", "z>b 1 1 2"}));
  }
  EXPECT_EQ(edges_of(program(7), parts, Joiners::kFolded),
            (Edges{"a>x+y 2 2 2", "a>z 1 1 1", "x+y>b 2 2 6", "z>b 1 1 3"}));
  EXPECT_EQ(edges_of(program(7), parts),
            (Edges{"a>x+y 2 2 2", "a>z 1 1 1", "s.join>b 3 3 7", "x+y>s.join 2 2 2", "z>s.join 1 1 1"}));
}

/// Copies are numbered from 0.
TEST(Fusions, GroupsOfCopiesAreCounted) {
  const auto both = [](const std::string& n) {
    return split_join(n, Split::kDuplicate, {1, 1}, {filter(n + "x", 1, 1, 5), filter(n + "y", 1, 1, 5)}, {1, 1});
  };
  const Structure p =
      pipeline("p", {filter("a", 0, 1, 1), both("s"), filter("b", 2, 1, 1), both("t"), filter("c", 2, 0, 1)});
  std::vector<std::uint32_t> groups;
  const StreamGraph g = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}).graph;
  for (const StreamEdge& e : g.edges) {
    if (e.group) groups.push_back(*e.group);
  }
  EXPECT_EQ(groups, (std::vector<std::uint32_t>{0, 0, 1, 1}));
}

/// No two actors have one name.
TEST(Fusions, ActorsHaveNamesOfTheirOwn) {
  const Structure p =
      pipeline("p", {filter("s.join", 0, 1, 1),
                     split_join("s", Split::kDuplicate, {1, 1}, {filter("x", 1, 1, 1), filter("y", 1, 1, 1)}, {1, 1}),
                     filter("s.join'", 2, 0, 1)});
  std::vector<std::string> names;
  for (const Actor& a : fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}).graph.actors) {
    names.push_back(a.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"s.join", "x", "y", "s.join'", "s.join''"}));
}

/// Behind a branch that is a loop the joiner is found through the loop's splitter.
TEST(Cuts, AJoinerBehindALoopHasItsWork) {
  const auto joined = [](Structure first, Structure second) {
    const Structure p =
        pipeline("p", {filter("a", 0, 1, 1),
                       split_join("s", Split::kDuplicate, {1, 1}, {std::move(first), std::move(second)}, {1, 1}),
                       filter("b", 2, 0, 1)});
    const FlatGraph flat = flatten(p, "p.str");
    return make_block(p, flat, flat.repetitions(), {}, true).children[1].joiner_work;
  };
  const auto loop = [] { return feedback("f", {1, 1}, filter("x", 2, 2, 1), filter("y", 1, 1, 1), {1, 1}, 2); };
  EXPECT_EQ(joined(loop(), filter("z", 1, 1, 1)), kItemWork * 2);
  EXPECT_EQ(joined(filter("z", 1, 1, 1), loop()), kItemWork * 2);
  EXPECT_EQ(joined(pipeline("q", {loop(), filter("w", 1, 1, 1)}), filter("z", 1, 1, 1)), kItemWork * 2);
}

}  // namespace
}  // namespace braid::test::cuts_test
