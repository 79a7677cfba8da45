// Branches of options that are copied, moved and assigned; containers of one-byte items in checkpoints.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "routing/base/checkpoint.h"
#include "routing/base/options.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::assigned_branches_test {
namespace {

/// One branch of that condition; counts how often it is made.
Branches branches_of(const char* condition, int* made = nullptr) {
  return Branches([condition, made](const Option&) {
    if (made != nullptr) ++*made;
    return std::vector<OptionBranch>{{condition, {}, {}}};
  });
}
std::string first(const Branches& branches) {
  const std::vector<OptionBranch>& all = branches(Option());
  return all.size() == 1 ? all[0].condition : std::to_string(all.size()) + " branches";
}

TEST(AssignedBranches, AreThoseOfTheOtherThoughBothHaveBeenMade) {
  Branches a = branches_of("a"), b = branches_of("b");
  EXPECT_EQ(first(a), "a");
  EXPECT_EQ(first(b), "b");
  a = std::move(b);
  EXPECT_EQ(first(a), "b");
}

TEST(AssignedBranches, AreThoseOfTheOtherThatHasNotBeenAsked) {
  Branches a = branches_of("a"), b = branches_of("b");
  EXPECT_EQ(first(a), "a");
  a = std::move(b);
  EXPECT_EQ(first(a), "b");
}

TEST(AssignedBranches, OfACopyAreMadeAnew) {
  int made = 0;
  Branches a = branches_of("a");
  const Branches b = branches_of("b", &made);
  EXPECT_EQ(first(b), "b");
  EXPECT_EQ(first(b), "b");
  EXPECT_EQ(made, 1) << "made once";
  a = b;
  EXPECT_EQ(first(a), "b");
  EXPECT_EQ(first(a), "b");
  EXPECT_EQ(made, 2) << "for the copy's option may have another name";
  EXPECT_EQ(first(b), "b");
  EXPECT_EQ(made, 2) << "the original keeps its own";
}

TEST(AssignedBranches, AreThereWhereSomethingMakesThem) {
  EXPECT_FALSE(static_cast<bool>(Branches()));
  Branches a = branches_of("a");
  EXPECT_TRUE(static_cast<bool>(a));
  a = Branches();
  EXPECT_FALSE(static_cast<bool>(a));
}

template <class T>
T there_and_back(T value, T over) {
  Checkpoint save;
  save(value);
  Checkpoint restore(save.bytes());
  restore(over);
  restore.finish();
  return over;
}

/// A key of one byte, and nothing with it.
struct Nothing {};

/// As many as bytes are left: a file may end with a container of the smallest items that there are.
TEST(OneByteItems, ComeBackAtTheEndOfACheckpoint) {
  const std::map<std::uint8_t, Nothing> keys{{3, {}}, {5, {}}, {9, {}}};
  std::vector<std::uint8_t> found;
  for (const auto& key : there_and_back(keys, {{1, {}}})) found.push_back(key.first);
  EXPECT_EQ(found, (std::vector<std::uint8_t>{3, 5, 9}));
  const std::unordered_map<std::uint8_t, Nothing> table{{7, {}}};
  EXPECT_EQ(there_and_back(table, {}).count(7), 1U);
  const std::deque<std::uint8_t> queue{4, 2, 6};
  EXPECT_EQ(there_and_back(queue, {}), queue);
  const std::set<std::uint8_t> set{8, 1};
  EXPECT_EQ(there_and_back(set, {2, 3, 4}), set);
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(there_and_back(bits, {}), bits);
  EXPECT_EQ(there_and_back(std::string("abc"), std::string("de")), "abc");
}

/// One more than bytes are left, whatever the container.
TEST(OneByteItems, AreRefusedWhereOneIsMissing) {
  const auto said = [](auto value, auto over) {
    Checkpoint save;
    save(value);
    const std::string all = save.bytes();
    Checkpoint restore(std::string_view(all).substr(0, all.size() - 1));
    return complaint<CheckpointError>([&] { restore(over); });
  };
  const std::string early = "it ends too early";
  EXPECT_EQ(said(std::map<std::uint8_t, Nothing>{{3, {}}}, std::map<std::uint8_t, Nothing>()), early);
  EXPECT_EQ(said(std::deque<std::uint8_t>{4, 2}, std::deque<std::uint8_t>()), early);
  EXPECT_EQ(said(std::set<std::uint8_t>{4, 2}, std::set<std::uint8_t>()), early);
  EXPECT_EQ(said(std::vector<bool>{true}, std::vector<bool>()), early);
  EXPECT_EQ(said(std::string("a"), std::string()), early);
}

}  // namespace
}  // namespace braid::test::assigned_branches_test
