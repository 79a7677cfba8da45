// What is restored may have been damaged: no register is an index before it has been looked at. Whole networks:
// tb/tests/models/engine/checkpoint_test.cpp, tb/python/gates/test_damaged.py.
#include "routing/base/checkpoint.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <utility>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::checkpoint_base_test {
namespace {

template <class... T>
std::string saved(T... values) {
  Checkpoint c;
  c(values...);
  return c.bytes();
}

/// What is said to a restored value in a network of 5 nodes and 3 routers; "": nothing.
template <class T>
std::string refusal(const std::string& bytes, T value) {
  Checkpoint c(bytes);
  c.set_network(5, 3);
  return complaint<CheckpointError>([&] {
    c(value);
    c.finish();
  });
}

struct Hop {
  NodeId node;
  RouterId router;
};
struct Flags {
  std::uint8_t count = 0;
  bool up = false;
};

TEST(CheckpointValues, NodesAndRoutersAreThoseOfTheNetwork) {
  EXPECT_EQ(refusal(saved(NodeId{4}), NodeId{}), "");
  EXPECT_EQ(refusal(saved(NodeId{5}), NodeId{}), "node 5, here are 5");
  EXPECT_EQ(refusal(saved(RouterId{2}), RouterId{}), "");
  EXPECT_EQ(refusal(saved(RouterId{3}), RouterId{}), "router 3, here are 3");
}

TEST(CheckpointValues, SoAreThoseInStructsListsAndMaps) {
  EXPECT_EQ(refusal(saved(Hop{NodeId{4}, RouterId{2}}), Hop{}), "");
  EXPECT_EQ(refusal(saved(Hop{NodeId{4}, RouterId{3}}), Hop{}), "router 3, here are 3");
  const std::vector<Hop> hops{{NodeId{1}, RouterId{1}}, {NodeId{9}, RouterId{1}}};
  EXPECT_EQ(refusal(saved(hops), std::vector<Hop>{}), "node 9, here are 5");
  EXPECT_EQ(refusal(saved(std::array<NodeId, 2>{NodeId{1}, NodeId{7}}), std::array<NodeId, 2>{}), "node 7, here are 5");
  EXPECT_EQ(refusal(saved(std::map<NodeId, int>{{NodeId{6}, 1}}), std::map<NodeId, int>{}), "node 6, here are 5");
  EXPECT_EQ(refusal(saved(std::make_pair(1, NodeId{8})), std::pair<int, NodeId>()), "node 8, here are 5");
  EXPECT_EQ(refusal(saved(std::optional<NodeId>(NodeId{8})), std::optional<NodeId>()), "node 8, here are 5");
}

TEST(CheckpointValues, ATruthValueIsOneOfTwo) {
  EXPECT_EQ(refusal(std::string("\1"), false), "");
  EXPECT_EQ(refusal(std::string("\2"), false), "truth value 2, here are 2");
  EXPECT_EQ(refusal(std::string("\7\1"), Flags{}), "");
  EXPECT_EQ(refusal(std::string("\7\6"), Flags{}), "truth value 6, here are 2");
  EXPECT_EQ(refusal(saved(std::vector<Flags>{{1, true}, {2, true}}), std::vector<Flags>{}), "");
}

TEST(CheckpointValues, WhatElaborationHasMadeKeepsItsLength) {
  std::vector<std::uint32_t> table{1, 2, 3}, shorter{1, 2};
  Checkpoint save;
  save.each(table);
  std::vector<std::uint32_t> other(3);
  Checkpoint same(save.bytes());
  same.each(other);
  EXPECT_EQ(other, table);
  Checkpoint less(save.bytes());
  EXPECT_THROW(less.each(shorter), CheckpointError);
}

TEST(CheckpointValues, APacketIsOneOfTheStore) {
  Checkpoint c("");
  c.packet(1000000);  // nobody has said how many there are
  c.set_packets(4096);
  c.packet(4095);
  EXPECT_THROW(c.packet(4096), CheckpointError);
}

/// So much memory is never asked for because a file says so.
TEST(CheckpointValues, ALengthIsNoLongerThanTheRestOfTheFile) {
  EXPECT_EQ(refusal(saved(std::uint64_t{1} << 60), std::vector<std::uint64_t>{}), "it ends too early");
  Checkpoint c(std::string_view("\5\0\0\0\0\0\0\0abcd", 12));
  EXPECT_THROW((void)c.length(0), CheckpointError);
  const std::string four = saved(std::uint64_t{4}) + "abcd", two = saved(std::uint64_t{2}) + std::string(16, 'x');
  Checkpoint fits(four);
  EXPECT_EQ(fits.length(0), 4U) << "as many as can still come";
  EXPECT_EQ(refusal(four, std::string()), "");
  EXPECT_EQ(refusal(two, std::vector<std::uint64_t>{}), "");
  EXPECT_EQ(refusal(two.substr(0, 23), std::vector<std::uint64_t>{}), "it ends too early");
}

}  // namespace
}  // namespace braid::test::checkpoint_base_test
