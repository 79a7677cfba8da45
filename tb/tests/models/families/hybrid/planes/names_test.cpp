// Lists of the VCs that are set in planes, made by an instruction that lists a word's bits, against bits looked at one
// by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/families/hybrid/planes/instruction_set.h"
#include "models/families/hybrid/planes/names_by_compressing.h"
#include "routing/base/random.h"

namespace braid::test::planes_names_test {
namespace {

using models::hybrid::VcIndex;
using models::hybrid::planes::kNamedAtOnce;
using models::hybrid::planes::NamesOfPorts;
using models::hybrid::planes::Word;

#ifdef BRAID_PLANES_COMPRESS

constexpr VcIndex kUntouched = 0xdeadbeef;

/// Bit by bit: word `i` has routers from 64 * (i % words) on, of VC i / words, counted over the ports. In ascending
/// order.
std::vector<VcIndex> one_by_one(const std::vector<Word>& planes, const NamesOfPorts& of, unsigned vcs, unsigned words) {
  std::vector<VcIndex> names;
  for (unsigned i = 0; i < planes.size(); ++i) {
    for (unsigned bit = 0; bit < 64; ++bit) {
      if ((planes[i] >> bit & 1) == 0) continue;
      const unsigned port = i / (vcs * words), vc = i / words % vcs, router = i % words * 64 + bit;
      names.push_back(of.first + (router << of.router_shift) + (port << of.port_shift) + vc);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

template <int kVcs, int kWords>
void expect_names(const std::vector<Word>& planes, const NamesOfPorts& of) {
  ASSERT_EQ(planes.size(), std::size_t{of.ports} * kVcs * kWords);
  const std::vector<VcIndex> expected = one_by_one(planes, of, kVcs, kWords);
  std::vector<VcIndex> names(expected.size() + kNamedAtOnce + 1, kUntouched);
  using models::hybrid::planes::names_by_compressing;
  const VcIndex* const end = names_by_compressing<kVcs, kWords>(planes.data(), of, names.data());
  ASSERT_EQ(end - names.data(), static_cast<std::ptrdiff_t>(expected.size()));
  EXPECT_EQ(names.back(), kUntouched) << "beyond the room that is asked for";
  names.resize(expected.size());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, expected);
}

class PlaneNames : public testing::Test {
 protected:
  void SetUp() override {
    using models::hybrid::planes::InstructionSet;
    if (models::hybrid::planes::instruction_set() != InstructionSet::kAvx512) GTEST_SKIP() << "no AVX-512 VBMI2 here";
  }
};

/// None, as many as are stored at once, one fewer and more, all; in the first word and the last.
TEST_F(PlaneNames, AreThoseOfAWordWithAnyNumberOfBits) {
  const NamesOfPorts of{100, 1, 5, 2};
  for (unsigned bits = 0; bits <= 64; ++bits) {
    SCOPED_TRACE(bits);
    const Word low = bits == 64 ? ~Word{0} : (Word{1} << bits) - 1, high = bits == 0 ? 0 : ~Word{0} << (64 - bits);
    expect_names<4, 1>({low, 0, 0, high}, of);
    expect_names<4, 1>({0, high, low, 0}, of);
    expect_names<4, 1>({0, 0, high, 0}, of);
  }
}

/// Each pair of VCs at one router, and one of the pair at the others.
TEST_F(PlaneNames, AreThoseOfTwoVcsOfARouter) {
  for (unsigned one = 0; one < 4; ++one) {
    for (unsigned other = 0; other < 4; ++other) {
      SCOPED_TRACE(testing::Message() << "VCs " << one << " and " << other);
      std::vector<Word> planes(4);
      planes[one] = 0x8000000000000421;
      planes[other] |= 0x0000100000000020;
      expect_names<4, 1>(planes, {7, 1, 5, 2});
    }
  }
}

/// In each port and word at most one VC of a router, as arrivals are.
TEST_F(PlaneNames, AreThoseOfOneVcOfEachRouter) {
  Random random(8, "names");
  for (unsigned ports : {1U, 5U}) {
    for (unsigned words : {1U, 4U, 8U}) {
      std::vector<Word> planes(std::size_t{ports} * 4 * words);
      for (unsigned i = 0; i < ports * words * 64; ++i) {
        const std::uint64_t vc = random.below(5);  // 4: none
        if (vc < 4) planes[(i / 64 / words * 4 + vc) * words + i / 64 % words] |= Word{1} << i % 64;
      }
      const NamesOfPorts of{1U << 10, ports, 5, 2};
      words == 1   ? expect_names<4, 1>(planes, of)
      : words == 4 ? expect_names<4, 4>(planes, of)
                   : expect_names<4, 8>(planes, of);
    }
  }
}

/// Ports and VCs whose planes are all zero are between others.
TEST_F(PlaneNames, AreThoseOfTheOnlyVcOfABlock) {
  for (unsigned i = 0; i < 5 * 4 * 8; ++i) {
    SCOPED_TRACE(i);
    std::vector<Word> planes(std::size_t{5} * 4 * 8);
    planes[i] = 1;
    expect_names<4, 8>(planes, {0, 5, 5, 2});
  }
}

TEST_F(PlaneNames, AreThoseOfAnyPortsVcsAndRouters) {
  Random random(7, "names");
  for (unsigned sparse = 0; sparse < 7; ++sparse) {
    for (unsigned ports : {1U, 2U, 5U, 16U}) {
      SCOPED_TRACE(testing::Message() << ports << " ports, one bit of " << (1U << sparse));
      const auto drawn = [&](std::size_t words) {
        std::vector<Word> planes(words, ~Word{0});
        for (Word& word : planes) {
          for (unsigned i = 0; i < sparse; ++i) word &= random();
        }
        return planes;
      };
      expect_names<4, 1>(drawn(std::size_t{ports} * 4), {3, ports, 5, 2});
      expect_names<4, 4>(drawn(std::size_t{ports} * 16), {1U << 13, ports, 5, 2});
      expect_names<8, 4>(drawn(std::size_t{ports} * 32), {1U << 16, ports, 7, 3});
    }
  }
}

#endif

}  // namespace
}  // namespace braid::test::planes_names_test
