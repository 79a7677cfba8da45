// tlm.map: which node an address leads to, exact at the edges; what is refused, by name.
#include "models/tlm/address_map.h"

#include <gtest/gtest.h>

#include <map>

#include "routing/base/input_error.h"
#include "routing/base/random.h"

namespace braid::test::address_map_test {

using models::AddressMap;
using models::AddressRange;

std::string refusal(const std::string& text, std::size_t nodes = 64) {
  try {
    const AddressMap map(text, nodes);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(AddressMap, IsExactAtTheEdgesOfARange) {
  const AddressMap map("5: 0x1000 +4K, 9: 0x3000 +0x10", 64);
  EXPECT_EQ(map.find(0xfff), nullptr);
  ASSERT_NE(map.find(0x1000), nullptr);
  EXPECT_EQ(map.find(0x1000)->node.value, 5u);
  EXPECT_EQ(map.find(0x1fff)->node.value, 5u);
  EXPECT_EQ(map.find(0x2000), nullptr);
  EXPECT_EQ(map.find(0x2fff), nullptr);
  EXPECT_EQ(map.find(0x3000)->node.value, 9u);
  EXPECT_EQ(map.find(0x300f)->node.value, 9u);
  EXPECT_EQ(map.find(0x3010), nullptr);
}

TEST(AddressMap, ABurstEndsWithItsRangeNotAByteLater) {
  const AddressMap map("5: 0x1000 +4K", 64);
  const AddressRange& range = *map.find(0x1ff8);
  EXPECT_TRUE(range.holds(0x1ff8, 8));
  EXPECT_FALSE(range.holds(0x1ff8, 9));
  EXPECT_EQ(map.explain_miss(0x1ff8, 9), "9 bytes from 0x1ff8 on go over the end of 0x1000 .. 0x1fff of node 5");
}

TEST(AddressMap, GoesToTheLastAddress) {
  const AddressMap map("1: 0xffff_ffff_ffff_f000 +4K", 2);
  EXPECT_EQ(map.find(~std::uint64_t{0})->node.value, 1u);
  EXPECT_TRUE(map.ranges().front().holds(~std::uint64_t{0}, 1));
  EXPECT_FALSE(map.ranges().front().holds(~std::uint64_t{0}, 2));
  EXPECT_EQ(refusal("1: 0xfffffffffffff000 +0x1001", 2),
            "tlm.map: \"1: 0xfffffffffffff000 +0x1001\": the range goes past 2^64");
}

TEST(AddressMap, RangesMayTouchButNotOverlap) {
  EXPECT_EQ(refusal("5: 0x1000 +0x1000, 6: 0x2000 +1"), "");
  EXPECT_EQ(
      refusal("6: 0x1fff +1, 5: 0x1000 +0x1000"),
      "tlm.map: 0x1000 .. 0x1fff of node 5 and 0x1fff .. 0x1fff of node 6 overlap; expected ranges apart from each "
      "other");
}

TEST(AddressMap, RefusesWhatIsNoRange) {
  const std::string form = ": expected NODE: BASE +SIZE, as in 5: 0x8000_0000 +64K";
  EXPECT_EQ(refusal("5"), "tlm.map: \"5\"" + form);
  EXPECT_EQ(refusal("5: 0x0 +1K,"), "tlm.map: \"\"" + form);
  EXPECT_EQ(refusal("64: 0 +1K"), "tlm.map: \"64: 0 +1K\": expected a node, 0 to 63");
  EXPECT_EQ(refusal("5: 0xg +1K"), "tlm.map: \"5: 0xg +1K\": expected a base address below 2^64");
  const std::string size = ": expected a size in bytes, at least 1, with K, M or G where wanted";
  EXPECT_EQ(refusal("5: 0 +0"), "tlm.map: \"5: 0 +0\"" + size);
  EXPECT_EQ(refusal("5: 0 +1T"), "tlm.map: \"5: 0 +1T\"" + size);
  EXPECT_EQ(refusal("5: 0 +17179869184G"), "tlm.map: \"5: 0 +17179869184G\"" + size) << "2^64";
  EXPECT_EQ(refusal(""), "");
}

TEST(AddressMap, NamesTheNearestRange) {
  const AddressMap map("5: 0x1000 +4K, 9: 0x3000 +4K", 64);
  EXPECT_EQ(map.explain_miss(0x27ff, 1), "no node has address 0x27ff; nearest: 0x1000 .. 0x1fff of node 5");
  EXPECT_EQ(map.explain_miss(0x2800, 1), "no node has address 0x2800; nearest: 0x3000 .. 0x3fff of node 9");
  EXPECT_EQ(AddressMap().explain_miss(16, 1), "no node has address 0x10: tlm.map is empty");
}

/// However the ranges are listed: 0x801 bytes from the end of one and from the beginning of the other.
TEST(AddressMap, NamesTheLowerOfTwoRangesThatAreAsNear) {
  for (const char* text : {"5: 0x1000 +4K, 9: 0x3001 +4K", "9: 0x3001 +4K, 5: 0x1000 +4K"}) {
    EXPECT_EQ(AddressMap(text, 64).explain_miss(0x2800, 1),
              "no node has address 0x2800; nearest: 0x1000 .. 0x1fff of node 5");
  }
}

TEST(AddressMap, AgreesWithATableOfEveryAddress) {
  Random random(7);
  std::map<std::uint64_t, std::uint32_t> expected;
  std::string text;
  std::uint64_t base = 0;
  for (std::uint32_t node = 0; node < 20; ++node) {
    base += random.below(6);
    const std::uint64_t size = 1 + random.below(9);
    for (std::uint64_t a = base; a < base + size; ++a) expected[a] = node;
    const std::string entry = std::to_string(node) + ":" + std::to_string(base) + "+" + std::to_string(size);
    text = text.empty() ? entry : node % 2 == 0 ? text + ", " + entry : entry + " , " + text;
    base += size;
  }
  const AddressMap map(text, 20);
  for (std::uint64_t a = 0; a < base + 10; ++a) {
    const AddressRange* range = map.find(a);
    ASSERT_EQ(range != nullptr, expected.count(a) != 0) << a;
    if (range == nullptr) continue;
    EXPECT_EQ(range->node.value, expected[a]) << a;
  }
}

}  // namespace braid::test::address_map_test
