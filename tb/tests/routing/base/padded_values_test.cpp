// Values in checkpoints whose bytes are more than their value: padding, and members that save less than they are.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "routing/base/checkpoint.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::padded_values_test {
namespace {

template <class T>
std::string saved(T value) {
  Checkpoint c;
  c(value);
  return c.bytes();
}
template <class T>
T there_and_back(const T& value) {
  const std::string bytes = saved(value);
  T other{};
  Checkpoint c(bytes);
  c(other);
  c.finish();
  return other;
}

/// Three bytes between its members are nobody's.
struct Padded {
  std::uint8_t small = 0;
  std::uint32_t large = 0;
};
/// A number with a point has more than one pattern for one value, and is a number all the same.
struct Measured {
  double value = 0.0;
  std::uint64_t count = 0;
};
/// Saves less than it holds.
struct Half {
  std::uint32_t kept = 0, made = 0;
  void checkpoint(Checkpoint& c) { c(kept); }
};
struct Holder {
  Half half;
  std::uint32_t number = 0;
};
struct NodeHolder {
  std::array<NodeId, 2> nodes{};
  std::uint32_t number = 0;
};

TEST(PaddedValues, AreSavedMemberByMember) {
  EXPECT_EQ(saved(Padded{1, 2}).size(), 1U + 4);
  EXPECT_EQ(saved(std::vector<Padded>{{1, 2}, {3, 4}}).size(), 8U + 2 * 5);
  EXPECT_EQ(saved(std::array<Padded, 3>{}).size(), 3U * 5);
  EXPECT_EQ(saved(Measured{0.5, 7}).size(), 16U);
  const Padded back = there_and_back(Padded{9, 70000});
  EXPECT_EQ(back.small, 9U);
  EXPECT_EQ(back.large, 70000U);
  const Measured measured = there_and_back(Measured{-0.25, 3});
  EXPECT_EQ(measured.value, -0.25);
  EXPECT_EQ(measured.count, 3U);
}

TEST(PaddedValues, OfMembersThatSaveThemselvesAreWhatThoseSave) {
  EXPECT_EQ(saved(Holder{{5, 6}, 7}).size(), 4U + 4);
  EXPECT_EQ(saved(std::vector<Holder>{{{5, 6}, 7}, {{8, 9}, 10}}).size(), 8U + 2 * 8);
  EXPECT_EQ(saved(std::array<Half, 2>{}).size(), 2U * 4);
  const Holder back = there_and_back(Holder{{5, 6}, 7});
  EXPECT_EQ(back.half.kept, 5U);
  EXPECT_EQ(back.half.made, 0U) << "is not saved";
  EXPECT_EQ(back.number, 7U);
}

/// What elaboration has made and is no plain number: one after the other behind their count.
TEST(PaddedValues, OfElaborationAreSavedOneByOne) {
  std::vector<std::string> names{"a", "bcd"}, others{"x", "yz"};
  Checkpoint save;
  save.each(names);
  EXPECT_EQ(save.bytes().size(), 8U + 8 + 1 + 8 + 3);
  Checkpoint restore(save.bytes());
  restore.each(others);
  restore.finish();
  EXPECT_EQ(others, names);
  std::vector<Padded> padded{{1, 2}, {3, 4}};
  Checkpoint of_padded;
  of_padded.each(padded);
  EXPECT_EQ(of_padded.bytes().size(), 8U + 2 * 5);
}

/// Of 5 nodes: in an array within a struct, each is looked at.
TEST(PaddedValues, NodesWithinArraysOfStructsAreLookedAt) {
  const auto said = [](std::size_t a, std::size_t b) {
    const std::string bytes = saved(NodeHolder{{NodeId{a}, NodeId{b}}, 9});
    Checkpoint c(bytes);
    c.set_network(5, 1);
    NodeHolder read;
    return complaint<CheckpointError>([&] { c(read); });
  };
  EXPECT_EQ(said(4, 4), "");
  EXPECT_EQ(said(5, 4), "node 5, here are 5");
  EXPECT_EQ(said(4, 6), "node 6, here are 5");
}

/// Until somebody has said how many there are, any number is good, the highest but one of all among them.
TEST(PaddedValues, PacketsAreAnyUntilTheirStoreHasSpoken) {
  Checkpoint c("");
  c.packet(~std::uint64_t{0} - 1);
  EXPECT_THROW(c.packet(~std::uint64_t{0}), CheckpointError) << "no packet";
}

}  // namespace
}  // namespace braid::test::padded_values_test
