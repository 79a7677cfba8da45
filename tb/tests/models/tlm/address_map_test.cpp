// tlm.map: which node an address leads to, exact at the edges; what is refused, by name.
#include "models/tlm/address_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "routing/base/input_error.h"
#include "routing/base/random.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::address_map_test {

using models::AddressMap;
using models::AddressRange;

std::string refusal(const std::string& text, std::size_t nodes = 64) {
  return complaint([&] { const AddressMap map(text, nodes); });
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

/// Numbers in decimal or as 0x..., `_` between digits, blanks anywhere between; sizes also in powers of 1024.
TEST(AddressMap, ReadsNumbersInEveryForm) {
  struct Form {
    const char* entry;
    std::uint64_t first, size;
    std::uint32_t node;
  };
  constexpr std::uint64_t kKilo = 1024, kMega = kKilo * kKilo, kGiga = kMega * kKilo;
  for (const Form& f : {Form{"3:0+1", 0, 1, 3},
                        {"3: 1_000 +20", 1000, 20, 3},
                        {"0x1f: 0xAbC +0x10", 0xabc, 16, 31},
                        {"63: 0x1_0000 + 1K", 0x10000, kKilo, 63},
                        {"\t0 :\n4096 +\r3M ", 4096, 3 * kMega, 0},
                        {"1: 1 +2G", 1, 2 * kGiga, 1},
                        {"1: 0 +17179869183G", 0, 17179869183 * kGiga, 1},
                        {"1: 0 +0x10K", 0, 16 * kKilo, 1},
                        {"1: 0 +1_024_K", 0, kMega, 1},
                        {"1: 0xffffffffffffffff +1", ~std::uint64_t{0}, 1, 1}}) {
    const AddressMap map(f.entry, 64);
    ASSERT_EQ(map.ranges().size(), 1U) << f.entry;
    EXPECT_EQ(map.ranges()[0].first, f.first) << f.entry;
    EXPECT_EQ(map.ranges()[0].last, f.first + (f.size - 1)) << f.entry;
    EXPECT_EQ(map.ranges()[0].node.value, f.node) << f.entry;
  }
}

TEST(AddressMap, RefusesWhatIsNoNumber) {
  const auto expect = [](const std::string& entry, const std::string& why) {
    EXPECT_EQ(refusal(entry), "tlm.map: \"" + entry + "\": expected " + why);
  };
  for (const char* entry : {":0 +1", "x: 0 +1", "-1: 0 +1", "1K: 0 +1", "64: 0 +1", "0x40: 0 +1", "1 2: 0 +1",
                            "18446744073709551616: 0 +1"}) {
    expect(entry, "a node, 0 to 63");
  }
  for (const char* entry : {"1: +1", "1: 4K +1", "1: 0x +1", "1: 0x1g +1", "1: 1.5 +1", "1: 18446744073709551616 +1",
                            "1: 0x10000000000000000 +1", "1: 0 0 +1"}) {
    expect(entry, "a base address below 2^64");
  }
  for (const char* entry : {"1: 0 +", "1: 0 +K", "1: 0 +k", "1: 0 +1KK", "1: 0 +0G", "1: 0 +-1", "1: 0 +1 K 2",
                            "1: 0 +18446744073709551616", "1: 0 +18014398509481984K", "1: 0 +17592186044416M"}) {
    expect(entry, "a size in bytes, at least 1, with K, M or G where wanted");
  }
  for (const char* entry : {"1", "1: 0", "1 +1", "1 + 0: 1", "1; 0 +1"}) {
    expect(entry, "NODE: BASE +SIZE, as in 5: 0x8000_0000 +64K");
  }
  EXPECT_EQ(refusal("1: 2 +18446744073709551615"), "tlm.map: \"1: 2 +18446744073709551615\": the range goes past 2^64");
  EXPECT_EQ(refusal("1: 1 +18446744073709551615"), "");
  EXPECT_EQ(refusal(" \t "), "");
}

/// Ranges of all sizes all over 64 bits, found by the edges of each and of the gaps between.
TEST(AddressMap, FindsRangesHoweverFarTheyAreApart) {
  Random random(9);
  for (const std::size_t count : {1U, 2U, 3U, 17U, 64U}) {
    std::string text;
    std::vector<AddressRange> expected;
    std::uint64_t base = random.below(100);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t size = std::uint64_t{1} + random.below(std::uint64_t{1} << random.below(56));
      expected.push_back({base, base + size - 1, NodeId{i}});
      text += (i == 0 ? "" : ",") + std::to_string(i) + ":" + std::to_string(base) + "+" + std::to_string(size);
      base += size + (random.below(2) == 0 ? 0 : random.below(std::uint64_t{1} << random.below(56)));
    }
    const AddressMap map(text, count);
    ASSERT_EQ(map.ranges().size(), count);
    const auto linear = [&](std::uint64_t address) {
      const auto found =
          std::find_if(expected.begin(), expected.end(), [&](const auto& r) { return r.holds(address); });
      return found == expected.end() ? -1 : static_cast<int>(found->node.value);
    };
    for (const AddressRange& r : expected) {
      for (const std::uint64_t address : {r.first - 1, r.first, r.first + (r.last - r.first) / 2, r.last, r.last + 1}) {
        const AddressRange* range = map.find(address);
        EXPECT_EQ(range == nullptr ? -1 : static_cast<int>(range->node.value), linear(address)) << address;
      }
    }
    EXPECT_EQ(map.find(~std::uint64_t{0}), nullptr);
  }
  EXPECT_EQ(AddressMap().find(0), nullptr);
}

}  // namespace braid::test::address_map_test
