// What each kind of value is in a checkpoint, and that it comes back whatever stood there before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "routing/base/checkpoint.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::checkpoint_kinds_test {
namespace {

template <class T>
std::string saved(T value) {
  Checkpoint c;
  c(value);
  return c.bytes();
}
template <class T>
std::string refusal(const std::string& bytes, T value) {
  return complaint<CheckpointError>([&] {
    Checkpoint c(bytes);
    c(value);
    c.finish();
  });
}

/// Restored over what stands there already.
template <class T>
T restored(const std::string& bytes, T over) {
  Checkpoint c(bytes);
  c(over);
  c.finish();
  return over;
}

/// `over` is what the network that restores has there by chance.
template <class T>
void expect_back(const T& value, const T& over, std::size_t bytes) {
  const std::string held = saved(value);
  EXPECT_EQ(held.size(), bytes);
  EXPECT_EQ(restored(held, over), value);
  EXPECT_EQ(refusal(held.substr(0, held.size() - 1), over), "it ends too early");
  EXPECT_EQ(refusal(held + "ab", over), "2 bytes more than expected");
}

struct Named {
  std::string name;
  std::int32_t number = 0;
  friend bool operator==(const Named& a, const Named& b) { return a.name == b.name && a.number == b.number; }
};

/// A number is its bytes, a container its length in eight and its items, what may be missing a byte and the item.
TEST(CheckpointKinds, ComeBackWhateverStoodThere) {
  using Texts = std::vector<std::string>;
  using Words = std::vector<std::uint32_t>;
  expect_back<std::uint32_t>(77, 3, 4);
  expect_back<double>(-0.25, 1.0, 8);
  expect_back<Words>({1, 2, 3}, {9, 9, 9, 9, 9}, 8 + 12);
  expect_back<Words>({1, 2, 3}, {}, 8 + 12);
  expect_back<Texts>({"a", "bcd"}, {"x", "y", "z"}, 8 + 8 + 1 + 8 + 3);
  expect_back<std::string>("words", "other words", 8 + 5);
  expect_back<std::deque<int>>({4, 5}, {1, 2, 3}, 8 + 8);
  expect_back<std::array<std::string, 2>>({"a", "bc"}, {"", "d"}, 9 + 10);
  expect_back<Named>({"n", 6}, {"other", 7}, 9 + 4);
  expect_back<std::pair<std::string, std::uint16_t>>({"p", 2}, {"", 1}, 9 + 2);
  expect_back<std::tuple<std::uint8_t, std::string>>({1, "t"}, {2, "u"}, 1 + 9);
  expect_back<std::optional<std::uint32_t>>(8, std::nullopt, 1 + 4);
  expect_back<std::optional<std::uint32_t>>(8, 9, 1 + 4);
  expect_back<std::optional<std::uint32_t>>(std::nullopt, 9, 1);
  expect_back<std::map<std::string, int>>({{"a", 1}, {"b", 2}}, {{"b", 3}, {"c", 4}}, 8 + 2 * (9 + 4));
  expect_back<std::unordered_map<int, std::string>>({{1, "a"}, {2, "b"}}, {{2, "c"}, {3, "d"}}, 8 + 2 * (4 + 9));
  expect_back<std::set<std::uint16_t>>({5, 6, 7}, {1, 5}, 8 + 6);
}

TEST(CheckpointKinds, BitsAreSavedOneByOne) {
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U}) {
    std::vector<bool> bits(size);
    for (std::size_t i = 0; i < size; ++i) bits[i] = i % 3 == 0;
    const std::string held = saved(bits);
    EXPECT_EQ(held.size(), 8 + size);
    EXPECT_EQ(restored(held, std::vector<bool>(40, true)), bits);
  }
  EXPECT_EQ(refusal(saved(std::uint64_t{2}) + std::string("\1\2"), std::vector<bool>{}), "truth value 2, here are 2");
}

TEST(CheckpointKinds, AtomicsAndArraysComeBack) {
  std::atomic<std::uint32_t> one{5}, other{6};
  std::string names[2] = {"a", "bc"}, others[2] = {"d", ""};
  Checkpoint save;
  save(one, names);
  EXPECT_EQ(save.bytes().size(), 4U + 9 + 10);
  Checkpoint restore(save.bytes());
  restore(other, others);
  restore.finish();
  EXPECT_EQ(other.load(), 5U);
  EXPECT_EQ(others[0], "a");
  EXPECT_EQ(others[1], "bc");
}

/// Two networks in the same state save the same bytes, in whatever order things came into a table.
TEST(CheckpointKinds, AHashTableIsSavedInTheOrderOfItsKeys) {
  std::unordered_map<std::uint32_t, std::uint32_t> up, down;
  down.reserve(1000);
  for (std::uint32_t i = 0; i < 100; ++i) {
    up[i] = i;
    down[99 - i] = 99 - i;
  }
  Checkpoint one, two;
  one(up);
  two(down);
  EXPECT_EQ(one.bytes(), two.bytes());
}

struct Made {
  explicit Made(std::uint32_t n) : number(n) {}
  void checkpoint(Checkpoint& c) { c(number); }
  std::uint32_t number;
};

/// Bytes of a pointer, restored over another one.
template <class T>
std::unique_ptr<T> pointer_over(const std::string& bytes, std::unique_ptr<T> over) {
  Checkpoint c(bytes);
  c(over);
  c.finish();
  return over;
}
template <class T>
std::string pointer_bytes(std::unique_ptr<T> value) {
  Checkpoint c;
  c(value);
  return c.bytes();
}

TEST(CheckpointKinds, PartsComeAndGoWhereTheyCanBeMadeFromNothing) {
  const std::string some = pointer_bytes(std::make_unique<std::uint32_t>(7));
  const std::string none = pointer_bytes(std::unique_ptr<std::uint32_t>());
  EXPECT_EQ(some.size(), 5U);
  EXPECT_EQ(none.size(), 1U);
  EXPECT_EQ(*pointer_over<std::uint32_t>(some, nullptr), 7U);
  EXPECT_EQ(*pointer_over(some, std::make_unique<std::uint32_t>(8)), 7U);
  EXPECT_EQ(pointer_over(none, std::make_unique<std::uint32_t>(8)), nullptr);
  const std::string made = pointer_bytes(std::make_unique<Made>(3)), missing = pointer_bytes(std::unique_ptr<Made>());
  EXPECT_EQ(pointer_over(made, std::make_unique<Made>(4))->number, 3U);
  EXPECT_EQ(pointer_over<Made>(missing, nullptr), nullptr);
  EXPECT_THROW((void)pointer_over<Made>(made, nullptr), CheckpointError);
  EXPECT_THROW((void)pointer_over(missing, std::make_unique<Made>(4)), CheckpointError);
}

/// What elaboration has made, behind pointers or not.
TEST(CheckpointKinds, EachFollowsPointersAndLooksAtWhatItReads) {
  std::vector<std::unique_ptr<Made>> parts, others;
  for (const std::uint32_t n : {4U, 5U}) parts.push_back(std::make_unique<Made>(n));
  for (const std::uint32_t n : {0U, 0U}) others.push_back(std::make_unique<Made>(n));
  Checkpoint save;
  save.each(parts);
  EXPECT_EQ(save.bytes().size(), 8U + 2 * 4);
  Checkpoint restore(save.bytes());
  restore.each(others);
  EXPECT_EQ(others[0]->number, 4U);
  EXPECT_EQ(others[1]->number, 5U);

  std::vector<NodeId> nodes{NodeId{1}, NodeId{7}}, read(2);
  Checkpoint of_nodes;
  of_nodes.set_network(5, 3);
  of_nodes.each(nodes);  // who saves is not asked
  Checkpoint any(of_nodes.bytes()), five(of_nodes.bytes());
  any.each(read);
  EXPECT_EQ(read, nodes);
  five.set_network(5, 3);
  EXPECT_THROW(five.each(read), CheckpointError);
}

/// A mark a block of 4096 bytes, and the block unless it is all zeros.
TEST(CheckpointKinds, StretchesOfZerosCostAByteABlock) {
  struct Case {
    std::size_t size, set;  // the byte that is not 0; size: none
    std::size_t bytes;
  };
  for (const Case& c : {Case{0, 0, 0}, Case{1, 0, 2}, Case{1, 1, 1}, Case{4095, 4094, 4096}, Case{4096, 0, 4097},
                        Case{4096, 4096, 1}, Case{4097, 4096, 1 + 2}, Case{4097, 0, 4097 + 1}, Case{4097, 4097, 2},
                        Case{8193, 4096, 1 + 4097 + 1}, Case{8193, 8192, 1 + 1 + 2}}) {
    const std::string where = std::to_string(c.size) + ", " + std::to_string(c.set);
    std::vector<std::uint8_t> memory(c.size + 5000, 0x5a);
    std::fill_n(memory.begin(), c.size, std::uint8_t{0});
    if (c.set < c.size) memory[c.set] = 9;
    Checkpoint save;
    save.array(memory.data(), c.size);
    EXPECT_EQ(save.bytes().size(), 8 + c.bytes) << where;
    std::vector<std::uint8_t> other(c.size + 5000, 0x5a);
    Checkpoint restore(save.bytes());
    restore.array(other.data(), c.size);
    restore.finish();
    EXPECT_EQ(other, memory) << where;
    Checkpoint longer(save.bytes());
    EXPECT_THROW(longer.array(other.data(), c.size + 1), CheckpointError) << where;
  }
}

TEST(CheckpointKinds, AnArrayOfNodesIsLookedAt) {
  NodeId nodes[3] = {NodeId{1}, NodeId{2}, NodeId{5}}, read[3];
  Checkpoint save;
  save.array(nodes, 3);
  Checkpoint six(save.bytes()), five(save.bytes());
  six.set_network(6, 1);
  six.array(read, 3);
  EXPECT_EQ(read[2], NodeId{5});
  five.set_network(5, 1);
  EXPECT_THROW(five.array(read, 3), CheckpointError);
}

TEST(CheckpointKinds, PartsHaveNames) {
  Checkpoint save;
  save.part("buffers");
  EXPECT_FALSE(save.restoring());
  const auto said = [](const std::string& bytes, const char* name) {
    Checkpoint c(bytes);
    EXPECT_TRUE(c.restoring());
    return complaint<CheckpointError>([&] { c.part(name); });
  };
  EXPECT_EQ(said(save.bytes(), "buffers"), "");
  EXPECT_EQ(said(save.bytes(), "credits"), "\"buffers\", where \"credits\" was expected");
  Checkpoint damaged;
  damaged.part("\x1b[");
  EXPECT_EQ(said(damaged.bytes(), "credits"), "other bytes, where \"credits\" was expected");
}

TEST(CheckpointKinds, SayWhatIsWrong) {
  EXPECT_EQ(complaint<CheckpointError>([] { Checkpoint::index(2, 3, "thing"); }), "");
  EXPECT_EQ(complaint<CheckpointError>([] { Checkpoint::index(3, 3, "thing"); }), "thing 3, here are 3");
  EXPECT_EQ(complaint<CheckpointError>([] { Checkpoint::expect(true, "odd"); }), "");
  EXPECT_EQ(complaint<CheckpointError>([] { Checkpoint::expect(false, "odd"); }), no_such_state("odd"));
  Checkpoint save;
  save.count(3);
  Checkpoint same(save.bytes()), other(save.bytes());
  EXPECT_EQ(complaint<CheckpointError>([&] { same.count(3); }), "");
  EXPECT_EQ(complaint<CheckpointError>([&] { other.count(2); }), "3 items, here are 2");
}

}  // namespace
}  // namespace braid::test::checkpoint_kinds_test
