// Actors and edges that parts of a program become: names, widths of items, joiners that are wires, limits.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/graphs.h"
#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/partition/partition.h"

namespace braid::test::fuse_test {
namespace {

using namespace traffic;
using Parts = std::vector<Part>;

Structure chain(std::size_t filters) {
  std::vector<Structure> stages;
  for (std::size_t f = 0; f < filters; ++f) {
    stages.push_back(filter(std::string(1, static_cast<char>('a' + f)), f == 0 ? 0 : 1, f + 1 == filters ? 0 : 1, 1));
  }
  return pipeline("radio", std::move(stages));
}

std::vector<std::string> ends_of(const StreamGraph& g) {
  std::vector<std::string> all;
  for (const StreamEdge& e : g.edges) all.push_back(g.actors[e.from].name + ">" + g.actors[e.to].name);
  return all;
}

TEST(Fuse, ActorsAreNamedAfterTheirFiltersAndTheGraphAfterTheProgram) {
  const StreamGraph g = fuse_program(chain(7), "radio.str", {}, {{0, 1}, {1, 3}, {3, 6}, {6, 7}}).graph;
  EXPECT_EQ(g.name, "radio");
  EXPECT_EQ(g.file, "radio.str");
  EXPECT_EQ(ends_of(g), (std::vector<std::string>{"a>b+c", "b+c>d..f", "d..f>g"}));
  EXPECT_EQ(g.actors[2].work_cycles, 3U);
  EXPECT_FALSE(g.actors[0].placement);
}

/// `graph.stream` options as docs/configuration.md has them.
TEST(Fuse, OptionsAreThoseOfAnExperimentThatNamesNone) {
  const PartitionOptions o;
  EXPECT_EQ(o.partition, "dynamic_programming");
  EXPECT_EQ(o.tiles, 0U);
  EXPECT_EQ(o.joiners, Joiners::kActors);
  EXPECT_TRUE(o.fission);
  EXPECT_EQ(o.mean_rates, "");
  EXPECT_EQ(o.item_width, ItemWidth::kOneFlit);
  EXPECT_EQ(o.flit_bits, 32U);
}

/// Five items a firing, of which the other sees seven, of three words each: 96 bits, in flits that may be partly empty.
TEST(Fuse, ItemsHaveAsManyFlitsAsTheirWordsTake) {
  Structure p = pipeline("p", {filter("a", 0, 5, 1), filter("b", 5, 0, 1, 7)});
  p.children[0].filter.output_words = p.children[1].filter.input_words = 3;
  const auto edge = [&](const PartitionOptions& options) {
    return fuse_program(p, "p.str", options, {{0, 1}, {1, 2}}).graph.edges.at(0);
  };
  PartitionOptions options;
  EXPECT_EQ(edge(options).push, 5U) << "one flit, whatever its type";
  options.item_width = ItemWidth::kByType;
  for (const auto& [bits, flits] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {1, 96}, {31, 4}, {32, 3}, {33, 3}, {47, 3}, {48, 2}, {95, 2}, {96, 1}, {97, 1}, {4096, 1}}) {
    options.flit_bits = bits;
    EXPECT_EQ(edge(options).push, 5 * flits) << bits;
    EXPECT_EQ(edge(options).pop, 5 * flits) << bits;
    EXPECT_EQ(edge(options).peek, 7 * flits) << bits;
  }
}

/// The joiner of x and y is in front of a joiner of one branch, which joins nothing.
TEST(Fuse, AJoinerOfOneBranchIsAWire) {
  const Structure p = pipeline(
      "p",
      {filter("a", 0, 1, 1),
       split_join(
           "outer", Split::kDuplicate, {1},
           {split_join("inner", Split::kDuplicate, {1, 1}, {filter("x", 1, 1, 5), filter("y", 1, 1, 5)}, {1, 1})}, {2}),
       filter("b", 2, 0, 1)});
  const StreamGraph g = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}).graph;
  ASSERT_EQ(g.actors.size(), 5U) << "four filters and one joiner";
  ASSERT_EQ(g.edges.size(), 5U);
  std::vector<std::uint64_t> work;
  for (const Actor& a : g.actors) work.push_back(a.work_cycles);
  EXPECT_EQ(work, (std::vector<std::uint64_t>{1, 5, 5, 2 * kItemWork, 1})) << "of two items";
  // On one tile x and y need no joiner: what they put out is in order.
  EXPECT_EQ(fuse_program(p, "p.str", {}, {{0, 1}, {1, 3}, {3, 4}}).graph.actors.size(), 3U);
}

/// Copies of what a puts out are one group, those of what b puts out another.
TEST(Fuse, CopiesOfOtherItemsAreAnotherGroup) {
  const auto both = [](const std::string& n) {
    return split_join(n, Split::kDuplicate, {1, 1}, {filter(n + "x", 1, 1, 5), filter(n + "y", 1, 1, 5)}, {1, 1});
  };
  const Structure p =
      pipeline("p", {filter("a", 0, 1, 1), both("s"), filter("b", 2, 1, 1), both("t"), filter("c", 2, 0, 1)});
  const StreamGraph g = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}).graph;
  const auto group = [&](const std::string& ends) {
    for (std::size_t e = 0; e < g.edges.size(); ++e) {
      if (ends_of(g)[e] == ends) return g.edges[e].group;
    }
    ADD_FAILURE() << ends;
    return std::optional<std::uint32_t>();
  };
  ASSERT_TRUE(group("a>sx") && group("b>tx"));
  EXPECT_EQ(group("a>sx"), group("a>sy"));
  EXPECT_EQ(group("b>tx"), group("b>ty"));
  EXPECT_NE(group("a>sx"), group("b>tx"));
  EXPECT_FALSE(group("sx>s.join"));
  EXPECT_FALSE(group("s.join>b"));
}

/// Of three items x takes one and sees two more of its own, which is every third: six further of those that come.
TEST(Fuse, BranchesOnOneTileSeeThroughOneAnother) {
  const Structure p = pipeline(
      "p", {filter("a", 0, 3, 1),
            split_join("s", Split::kRoundRobin, {1, 2}, {filter("x", 1, 1, 5, 3), filter("y", 1, 1, 5)}, {1, 2}),
            filter("b", 3, 0, 1)});
  const auto edge = [&](const Parts& parts) { return fuse_program(p, "p.str", {}, parts).graph.edges.at(0); };
  EXPECT_EQ(edge({{0, 1}, {1, 3}, {3, 4}}).push, 3U);
  EXPECT_EQ(edge({{0, 1}, {1, 3}, {3, 4}}).pop, 3U);
  EXPECT_EQ(edge({{0, 1}, {1, 3}, {3, 4}}).peek, 3U + 2 * 3);
  EXPECT_EQ(edge({{0, 1}, {1, 2}, {2, 3}, {3, 4}}).peek, 1U + 2) << "alone";
}

/// What a file of a graph could not hold: 65535 items of a firing, 10^6 that are seen or there at first.
TEST(Fuse, RatesAreThoseOfAGraphsFile) {
  const auto said = [](const Structure& p, const Parts& parts) {
    return complaint([&] { (void)fuse_program(p, "p.str", {}, parts); });
  };
  const auto two = [&](std::uint64_t push, std::uint64_t pop, std::uint64_t peek) {
    return said(pipeline("p", {filter("a", 0, push, 1), filter("b", pop, 0, 1, peek)}), {{0, 1}, {1, 2}});
  };
  const std::string on = " items a firing on a -> b when the program is on these tiles; expected at most ";
  EXPECT_EQ(two(65535, 1, 1), "");
  EXPECT_EQ(two(65536, 1, 1), "p.str: 65536" + on + "65535");
  EXPECT_EQ(two(1, 65535, 0), "");
  EXPECT_EQ(two(1, 65536, 0), "p.str: 65536" + on + "65535");
  EXPECT_EQ(two(1, 1, 1'000'000), "");
  EXPECT_EQ(two(1, 1, 1'000'001), "p.str: 1000001" + on + "1000000");
  const auto enqueued = [&](std::uint64_t items) {
    return said(pipeline("p", {filter("a", 0, 1, 1),
                               feedback("f", {1, 1}, filter("body", 2, 2, 9), filter("loop", 1, 1, 9), {1, 1}, items),
                               filter("b", 1, 0, 1)}),
                {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  };
  EXPECT_EQ(enqueued(1'000'000), "");
  EXPECT_EQ(enqueued(1'000'001),
            "p.str: 1000001 items a firing on loop -> f.join when the program is on these tiles; expected at most "
            "1000000");
}

}  // namespace
}  // namespace braid::test::fuse_test
