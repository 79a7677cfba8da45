// Arrivals, lengths and patterns to the last draw: what the statistics of other tests let pass.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/geometric.h"
#include "traffic/synthetic/injection.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::exact_arrivals_test {
namespace {

using namespace traffic;

std::unique_ptr<InjectionProcess> process(const char* name, double rate, const Configuration& c = {}) {
  return InjectionRegistry::instance().make(name, {rate, c});
}

/// How many numbers have been drawn, up to a million.
std::uint64_t draws(const Random& now, std::uint64_t seed) {
  const Random fresh(seed);
  const std::uint64_t next = now.nth(0);
  for (std::uint64_t n = 0; n < 1'000'000; ++n) {
    if (fresh.nth(n) == next) return n;
  }
  return ~std::uint64_t{0};
}

/// One for each 512 cycles that begin, down to a probability of 2^-20; of what is rarer one for the tables that are
/// skipped, and one for the place in the last of them.
TEST(ExactGaps, AreDrawnTableByTableUnlessTheyAreRare) {
  for (const int half_bits : {10, 20, 30, 39, 40}) {
    const GeometricGap gap(std::pow(2.0, -0.5 * half_bits));
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Random random(seed);
      const std::uint64_t cycles = gap(random);
      EXPECT_EQ(draws(random, seed), (cycles - 1) / 512 + 1) << half_bits << " " << seed;
    }
  }
  for (const int half_bits : {41, 42, 50, 60, 80}) {
    const GeometricGap gap(std::pow(2.0, -0.5 * half_bits));
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Random random(seed);
      const std::uint64_t cycles = gap(random);
      const bool twice = half_bits >= 60;  // the number of tables is rare itself: 512 2^-30 is 2^-21
      const std::uint64_t drawn = draws(random, seed);
      if (twice) {
        EXPECT_LT(drawn, 6000U) << half_bits << " " << seed;
      } else {
        EXPECT_EQ(drawn, (cycles - 1) / 512 / 512 + 2) << half_bits << " " << seed;
      }
    }
  }
}

/// A clock of 1024 steps a cycle, whose gaps are geometric: a packet in the cycle of its time, or behind the one
/// before.
TEST(ExactArrivals, ExponentialTimesAreStepsOfAClock) {
  for (const double rate : {0.9, 0.3, 0.01}) {
    const GeometricGap steps(rate / 1024);
    const auto arrivals = process("exponential", rate);
    Random random(3), other(3);
    std::uint64_t time = 0, made = 0;  // cycles from 1 on
    for (int packet = 0; packet < 3000; ++packet) {
      time += steps(other);
      const std::uint64_t next = std::max(time / 1024 + 1, made + 1);
      ASSERT_EQ(arrivals->next_gap(random), next - made) << rate << " " << packet;
      made = next;
    }
  }
}

/// A source begins with a pause; where every cycle of a burst brings a packet, the gap is the pause and one.
TEST(ExactArrivals, OnOffBeginsWithAPause) {
  Configuration c;
  c.set("traffic.on_cycles", 4.0);
  c.set("traffic.off_cycles", 12.0);
  const GeometricGap pause(1.0 / 12), burst(1.0 / 4);
  const auto arrivals = process("on_off", 0.25, c);
  Random random(8), other(8);
  std::uint64_t left = 0;
  for (int packet = 0; packet < 500; ++packet) {
    std::uint64_t expected = 1;
    if (left == 0) {
      expected += pause(other);
      left = burst(other);
    }
    --left;
    (void)other();  // for the packet itself
    ASSERT_EQ(arrivals->next_gap(random), expected) << packet;
  }
}

TEST(ExactArrivals, NeverComeWithoutARate) {
  Random random(1);
  for (const char* const name : {"bernoulli", "constant", "exponential", "on_off"}) {
    const auto arrivals = process(name, 0.0);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(arrivals->next_gap(random), InjectionProcess::kNever) << name;
  }
  EXPECT_EQ(random(), Random(1)()) << "nothing was drawn";
}

/// An interval of 2^63 cycles is none; of half as many it is one.
TEST(ExactArrivals, ConstantRatesHaveIntervalsOf63Bits) {
  Random random(1);
  EXPECT_EQ(process("constant", std::ldexp(1.0, -63))->next_gap(random), InjectionProcess::kNever);
  const auto rare = process("constant", std::ldexp(1.0, -62));
  EXPECT_LE(rare->next_gap(random), std::uint64_t{1} << 62U);
  EXPECT_EQ(rare->next_gap(random), std::uint64_t{1} << 62U);
}

/// The phase is the first draw's share of the interval, and packet n comes n intervals later, rounded down.
TEST(ExactArrivals, ConstantTimesAreMultiplesOfTheInterval) {
  for (const std::uint64_t eighths : {8U, 9U, 12U, 15U, 23U, 800U}) {
    const auto arrivals = process("constant", 8.0 / static_cast<double>(eighths));
    Random random(4);
    // In units of 2^-64 cycles; an eighth of a cycle is 2^61 of them.
    Uint128 time = static_cast<Uint128>(Random(4)()) * eighths / 8;
    std::uint64_t made = 0;
    for (int packet = 0; packet < 100; ++packet, time += static_cast<Uint128>(eighths) << 61U) {
      const auto cycle = static_cast<std::uint64_t>(time >> 64U) + 1;
      ASSERT_EQ(arrivals->next_gap(random), cycle - made) << eighths << " " << packet;
      made = cycle;
    }
  }
}

/// Two lengths may be one; a short one that is longer is none.
TEST(ExactLengths, AShortPacketIsNoLongerThanALongOne) {
  Configuration c;
  const auto refusal = [&] { return complaint([&] { (void)LengthRegistry::instance().make("bimodal", c); }); };
  c.set("traffic.short_flits", 5);
  EXPECT_EQ(refusal(), "") << "as long as traffic.long_flits";
  EXPECT_EQ(LengthRegistry::instance().make("bimodal", c)->mean_flits(), 5.0);
  c.set("traffic.short_flits", 6);
  EXPECT_EQ(refusal(), "traffic.short_flits = 6: expected at most traffic.long_flits = 5");
}

/// Each draws as its definition says: nothing, one number for the kind, one for the place in the range.
TEST(ExactLengths, DrawWhatTheyMust) {
  Configuration c;
  c.set("traffic.min_flits", 3);
  c.set("traffic.max_flits", 12);
  c.set("traffic.short_flits", 2);
  c.set("traffic.long_flits", 40);
  c.set("traffic.long_fraction", 0.25);
  const auto fixed = LengthRegistry::instance().make("fixed", c),
             bimodal = LengthRegistry::instance().make("bimodal", c),
             uniform = LengthRegistry::instance().make("uniform", c),
             bursty = LengthRegistry::instance().make("bursty", c);
  Random a(6), b(6), u(6), v(6), w(6), x(6), still(6);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(fixed->sample_flits(still), 4U);
    EXPECT_EQ(bimodal->sample_flits(a), b() >> 62U == 0 ? 40U : 2U);
    EXPECT_EQ(uniform->sample_flits(u), 3U + v.below(10));
    const bool is_long = x() >> 62U == 0;
    EXPECT_EQ(bursty->sample_flits(w), is_long ? 40U : 3U + x.below(10));
  }
  EXPECT_EQ(still(), Random(6)());
}

Configuration matrix_of(const std::string& text, const std::string& name = "") {
  const std::string file = temporary_file("exact.csv");
  std::ofstream(file) << text;
  Configuration c;
  c.set("traffic.file", file);
  if (!name.empty()) c.set("traffic.name", name);
  return c;
}

/// All of a node's packets go somewhere: the shares of a row are 1, to the last bit.
TEST(ExactMatrix, SharesOfANodeAreOne) {
  const auto pattern = PatternRegistry::instance().make(
      "matrix", grid_of("mesh", 2, 2), matrix_of("from,to,rate\n0,1,0.3\n2,0,0.25\n2,1,0.125\n2,3,0.125\n"));
  TrafficPattern::Shares one, three;
  EXPECT_TRUE(pattern->add_shares(NodeId{0}, 1.0, one));
  EXPECT_EQ(one, (TrafficPattern::Shares{{NodeId{1}, 1.0}}));
  EXPECT_TRUE(pattern->add_shares(NodeId{2}, 1.0, three));
  EXPECT_EQ(three, (TrafficPattern::Shares{{NodeId{0}, 0.5}, {NodeId{1}, 0.25}, {NodeId{3}, 0.25}}));
  Random random(2), other(2);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t draw = other.below(std::uint64_t{1} << 53U) >> 51U;
    ASSERT_EQ(pattern->destination(NodeId{2}, random)->value, draw < 2 ? 0U : draw == 2 ? 1U : 3U);
  }
}

/// Blanks where a class could stand are none; the place of a line counts those before it.
TEST(ExactMatrix, ALineWithoutAClassIsEverybodys) {
  const std::string text = "from,to,rate,class\n0,1,0.5, \n0,2,0.25,a\n\n0,3,0.125,b\n";
  const auto rate = [&](const std::string& name) {
    return *PatternRegistry::instance()
                .make("matrix", grid_of("mesh", 2, 2), matrix_of(text, name))
                ->rate_flits_per_cycle(NodeId{0});
  };
  EXPECT_DOUBLE_EQ(rate("a"), 0.75);
  EXPECT_DOUBLE_EQ(rate("b"), 0.625);
  EXPECT_DOUBLE_EQ(rate(""), 0.5);
}

/// Of a file without a flow no line is to blame.
TEST(ExactMatrix, WithoutAFlowIsRefusedAsAWhole) {
  const auto refusal = [](const std::string& text, const std::string& name) {
    const Configuration c = matrix_of(text, name);
    const std::string what =
        complaint([&] { (void)PatternRegistry::instance().make("matrix", grid_of("mesh", 2, 2), c); });
    return what.substr(temporary_file("exact.csv").size());
  };
  EXPECT_EQ(refusal("from,to,rate\n", ""), ": holds no flow: expected lines FROM,TO,RATE");
  EXPECT_EQ(refusal("from,to,rate,class\n0,1,1,a\n", "b"), ": holds no flow of class b");
  EXPECT_EQ(refusal("", ""), ": is empty: expected a line from,to,rate[,class]");
}

/// Two bits: the nodes between the first and the last change places. One bit is its own lowest and highest.
TEST(ExactPatterns, OfTwoAndFourNodes) {
  const auto to = [](const char* name, std::uint32_t nodes) {
    const auto pattern = PatternRegistry::instance().make(name, grid_of("mesh", nodes, 1), {});
    Random random(1);
    std::string all;
    for (std::uint32_t n = 0; n < nodes; ++n) all += std::to_string(pattern->destination(NodeId{n}, random)->value);
    return all;
  };
  for (const char* const swaps : {"butterfly", "bit_reversal", "shuffle", "bit_transpose"}) {
    EXPECT_EQ(to(swaps, 4), "0213") << swaps;
  }
  EXPECT_EQ(to("bit_complement", 4), "3210");
  for (const char* const same : {"butterfly", "bit_reversal", "shuffle"}) EXPECT_EQ(to(same, 2), "01") << same;
  EXPECT_EQ(to("bit_complement", 2), "10");
  EXPECT_EQ(to("shuffle", 8), "02461357");
  EXPECT_EQ(to("butterfly", 8), "04261537");
}

/// Asked for by its number: an eighth of all.
TEST(ExactPatterns, NoughtHotNodesAreAnEighth) {
  Configuration c;
  c.set("traffic.hot_region_nodes", 0);
  c.set("traffic.hot_fraction", 1.0);
  const auto pattern = PatternRegistry::instance().make("hot_region", grid_of("mesh", 4, 4), c);
  TrafficPattern::Shares said;
  EXPECT_TRUE(pattern->add_shares(NodeId{5}, 1.0, said));
  for (std::uint32_t n = 0; n < 16; ++n) EXPECT_DOUBLE_EQ(said[NodeId{n}], n < 2 ? 0.5 : 0.0) << n;
}

}  // namespace
}  // namespace braid::test::exact_arrivals_test
