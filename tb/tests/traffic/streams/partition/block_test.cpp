// What partitioners see of a program, by hand: work, where it may be cut, and which joiners take a tile.
#include "traffic/streams/partition/block.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/partition/partitioner.h"

namespace braid::test::block_test {
namespace {

using namespace traffic;
using Numbers = std::vector<std::uint64_t>;

Block block_of(const Structure& program, const PartitionOptions& options = {}, bool cut_loops = true) {
  const FlatGraph flat = flatten(program, "p.str");
  return make_block(program, flat, flat.repetitions(), options, cut_loops);
}

/// First and last filter, work, work of the joiner.
Numbers of(const Block& b) { return {b.first, b.last, b.work, b.joiner_work}; }

/// a, then x beside y and z, then c and d. All but a and d have no state.
Structure program() {
  return pipeline("p", {filter("a", 0, 1, 10),
                        split_join("s", Split::kDuplicate, {1, 1},
                                   {filter("x", 1, 1, 5, 0, false),
                                    pipeline("q", {filter("y", 1, 2, 6, 0, false), filter("z", 2, 3, 7, 0, false)})},
                                   {1, 3}),
                        filter("c", 2, 2, 3, 0, false), filter("e", 2, 2, 4, 0, false), filter("d", 4, 0, 1)});
}

/// One steady state is c and e twice: four items come out of the joiner.
TEST(Block, HasTheWorkOfItsFilters) {
  const Block b = block_of(program());
  ASSERT_EQ(b.kind, Block::Kind::kSequence);
  ASSERT_EQ(b.children.size(), 5U);
  EXPECT_EQ(b.first, 0U);
  EXPECT_EQ(b.last, 7U);
  EXPECT_EQ(b.work, 10U + 5 + 6 + 7 + 2 * 3 + 2 * 4 + 1);
  EXPECT_EQ(of(b.children[0]), (Numbers{0, 1, 10, 3}));
  EXPECT_EQ(of(b.children[1]), (Numbers{1, 4, 5 + 6 + 7, 3 * 4}));
  EXPECT_EQ(of(b.children[2]), (Numbers{4, 5, 2 * 3, 3 * 2 * 2}));
  EXPECT_EQ(of(b.children[4]), (Numbers{6, 7, 1, 0}));
  EXPECT_EQ(b.children[1].kind, Block::Kind::kParallel);
  const Block &x = b.children[1].children[0], &q = b.children[1].children[1];
  EXPECT_EQ(of(x), (Numbers{1, 2, 5, 3}));
  EXPECT_EQ(q.kind, Block::Kind::kSequence);
  EXPECT_EQ(q.first, 2U);
  EXPECT_EQ(q.last, 4U);
  EXPECT_EQ(of(q.children[0]), (Numbers{2, 3, 6, 3 * 2}));
  EXPECT_EQ(of(q.children[1]), (Numbers{3, 4, 7, 3 * 3}));
  EXPECT_EQ(b.children[2].firings, 2U);
  EXPECT_EQ(b.children[2].function.pop, 2U);
}

/// That of copies goes into a joiner behind it; that of the splitjoin into the filter behind it, if it is folded.
TEST(Block, TakesATileForAJoinerThatIsNoOthers) {
  const Block b = block_of(program());
  EXPECT_TRUE(b.children[0].joiner_actor) << "in front of a splitter";
  EXPECT_TRUE(b.children[1].joiner_actor);
  EXPECT_FALSE(b.children[1].children[0].joiner_actor) << "in front of a joiner";
  EXPECT_TRUE(b.children[1].children[1].children[0].joiner_actor) << "in front of a filter";
  EXPECT_FALSE(b.children[1].children[1].children[1].joiner_actor);
  EXPECT_TRUE(b.children[4].joiner_actor) << "in front of nothing";
  PartitionOptions folded;
  folded.joiners = Joiners::kFolded;
  EXPECT_FALSE(block_of(program(), folded).children[1].joiner_actor);
  const auto inner = [](const std::string& n) {
    return split_join(n, Split::kDuplicate, {1, 1}, {filter(n + "x", 1, 1, 5), filter(n + "y", 1, 1, 5)}, {1, 1});
  };
  const Block nested = block_of(
      pipeline("p", {filter("a", 0, 1, 1), split_join("s", Split::kDuplicate, {1, 1}, {inner("i"), inner("j")}, {2, 2}),
                     filter("b", 4, 0, 1)}));
  EXPECT_FALSE(nested.children[1].children[0].joiner_actor) << "the outer one is behind it";
  EXPECT_TRUE(nested.children[1].joiner_actor);
  EXPECT_EQ(nested.children[1].joiner_work, 3U * 4);
  const Block one = block_of(pipeline(
      "p", {filter("a", 0, 1, 1), split_join("s", Split::kDuplicate, {1}, {inner("i")}, {2}), filter("b", 2, 0, 1)}));
  EXPECT_FALSE(one.children[1].joiner_actor) << "of one branch: a wire";
  EXPECT_TRUE(one.children[1].children[0].joiner_actor) << "the wire is no joiner";
}

TEST(Block, FiltersWithoutStateMayBeCopied) {
  const auto divisible = [](const Block& b) {
    return std::vector<bool>{b.children[0].divisible,
                             b.children[1].children[0].divisible,
                             b.children[1].children[1].children[0].divisible,
                             b.children[2].divisible,
                             b.children[3].divisible,
                             b.children[4].divisible};
  };
  PartitionOptions options;
  EXPECT_EQ(divisible(block_of(program())), (std::vector<bool>{false, true, true, true, true, false}));
  options.joiners = Joiners::kFolded;
  EXPECT_EQ(divisible(block_of(program(), options)), (std::vector<bool>{false, true, true, false, true, false}))
      << "c takes from the branches in turn";
  options.joiners = Joiners::kActors;
  options.fission = false;
  EXPECT_EQ(divisible(block_of(program(), options)), std::vector<bool>(6, false));
  EXPECT_TRUE(block_of(program(), options).divisible) << "a sequence is cut, not copied";
  EXPECT_TRUE(block_of(program(), options).children[1].divisible);
}

/// So many turns a steady state. In each the joiner fires twice and takes six items of the way back, which come in
/// twos: four enqueued ones keep it going, but not without waiting for one another.
Structure loop_of(std::uint64_t enqueued, std::uint64_t turns = 1) {
  return pipeline("p", {filter("a", 0, 2 * turns, 1),
                        feedback("f", {1, 3}, filter("body", 4, 4, 9, 0, false), filter("loop", 2, 2, 8, 0, false),
                                 {1, 3}, enqueued),
                        filter("b", 2 * turns, 0, 1)});
}

TEST(Block, LoopsAreCutIfTheirItemsLastForOneTurn) {
  EXPECT_FALSE(block_of(loop_of(4)).children[1].divisible);
  EXPECT_FALSE(block_of(loop_of(5)).children[1].divisible);
  EXPECT_TRUE(block_of(loop_of(6)).children[1].divisible);
  EXPECT_TRUE(block_of(loop_of(6, 5)).children[1].divisible) << "of five turns each begins as the first";
  EXPECT_FALSE(block_of(loop_of(5, 5)).children[1].divisible);
  EXPECT_FALSE(block_of(loop_of(6), {}, false).children[1].divisible) << "unless nobody wants it";
  const Block f = block_of(loop_of(6)).children[1];
  EXPECT_EQ(f.kind, Block::Kind::kParallel);
  EXPECT_EQ(of(f), (Numbers{1, 3, 2 * 9 + 3 * 8, 3 * 2 * 4}));
  EXPECT_TRUE(f.joiner_actor);
  EXPECT_FALSE(f.children[0].divisible) << "in a loop";
  EXPECT_FALSE(f.children[1].divisible);
  EXPECT_TRUE(f.children[0].joiner_actor) << "in front of the splitter";
  EXPECT_FALSE(f.children[1].joiner_actor) << "in front of the joiner";
  PartitionOptions folded;
  folded.joiners = Joiners::kFolded;
  EXPECT_FALSE(block_of(loop_of(6), folded).children[1].joiner_actor) << "the body takes from both";
}

TEST(Block, CopiesShareFiringsAndTakeAJoiner) {
  Block b;
  b.firings = 5;
  b.function = {1, 1, 1, 90};
  EXPECT_EQ(b.load(1), 450U);
  EXPECT_EQ(b.load(2), 225U);
  EXPECT_EQ(b.load(4), 113U) << "rounded up";
  EXPECT_EQ(b.load(5), 90U);
  EXPECT_EQ(b.copy_tiles(1), 1U);
  EXPECT_EQ(b.copy_tiles(3), 3U);
  b.joiner_actor = true;
  EXPECT_EQ(b.copy_tiles(1), 1U);
  EXPECT_EQ(b.copy_tiles(3), 4U);
  b.function.peek = 4;  // each copy drops the other's item
  EXPECT_EQ(b.load(2), (5U * (90 + 3) + 1) / 2);
}

std::vector<Numbers> parts_of(const std::string& partitioner, const Structure& program, std::size_t tiles) {
  PartitionOptions options;
  options.partition = partitioner;
  std::vector<Numbers> all;
  for (const Part& p : partition_program(program, "p.str", options, tiles).parts) {
    all.push_back({p.first, p.last, p.copies});
  }
  return all;
}

/// Of five filters the two lightest neighbours become one, and so on; of equals the first.
TEST(Greedy, FusesTheLightestNeighbours) {
  const auto work = [](std::vector<std::uint64_t> cycles) {
    std::vector<Structure> stages;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      stages.push_back(filter(std::string(1, static_cast<char>('a' + i)), i == 0 ? 0 : 1,
                              i + 1 == cycles.size() ? 0 : 1, cycles[i]));
    }
    return pipeline("p", std::move(stages));
  };
  using Parts = std::vector<Numbers>;
  const Structure five = work({10, 1, 2, 20, 5});
  EXPECT_EQ(parts_of("greedy", five, 5), (Parts{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}}));
  EXPECT_EQ(parts_of("greedy", five, 4), (Parts{{0, 1, 1}, {1, 3, 1}, {3, 4, 1}, {4, 5, 1}}));
  EXPECT_EQ(parts_of("greedy", five, 3), (Parts{{0, 3, 1}, {3, 4, 1}, {4, 5, 1}})) << "13 before 23 and 25";
  EXPECT_EQ(parts_of("greedy", five, 2), (Parts{{0, 3, 1}, {3, 5, 1}})) << "25 before 33";
  EXPECT_EQ(parts_of("greedy", work({1, 1, 1}), 2), (Parts{{0, 2, 1}, {2, 3, 1}}));
  const Structure split =
      pipeline("p", {filter("a", 0, 1, 10),
                     split_join("s", Split::kDuplicate, {1, 1}, {filter("x", 1, 1, 1), filter("y", 1, 1, 1)}, {1, 1}),
                     filter("b", 2, 0, 10)});
  EXPECT_EQ(parts_of("greedy", split, 5).size(), 4U) << "and a joiner";
  EXPECT_EQ(parts_of("greedy", split, 4), (Parts{{0, 1, 1}, {1, 3, 1}, {3, 4, 1}})) << "the joiner goes with it";
  EXPECT_EQ(parts_of("greedy", split, 2), (Parts{{0, 3, 1}, {3, 4, 1}}));
}

/// As long as there are tiles, the busiest gets less, and its joiner is not as busy.
TEST(Greedy, CopiesTheBusiestWhileThatHelps) {
  const auto heavy = [](std::uint64_t push) {
    return pipeline("p", {filter("a", 0, 1, 1), filter("f", 1, push, 90, 1, false), filter("b", push, 0, 40)});
  };
  const auto copies = [&](const std::string& partitioner, std::uint64_t push, std::size_t tiles) {
    return parts_of(partitioner, heavy(push), tiles)[1][2];
  };
  for (const char* partitioner : {"greedy", "dynamic_programming"}) {
    EXPECT_EQ(copies(partitioner, 1, 3), 1U) << partitioner;
    EXPECT_EQ(copies(partitioner, 1, 4), 1U) << partitioner << ": two copies need a joiner, too";
    EXPECT_EQ(copies(partitioner, 1, 5), 2U) << partitioner;
    EXPECT_EQ(copies(partitioner, 1, 6), 3U) << partitioner;
    EXPECT_EQ(copies(partitioner, 1, 9), 3U) << partitioner << ": b is the busiest then";
    EXPECT_EQ(copies(partitioner, 100, 9), 1U) << partitioner << ": a joiner of 100 items works for 300 cycles";
  }
}

}  // namespace
}  // namespace braid::test::block_test
