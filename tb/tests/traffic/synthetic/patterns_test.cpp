// Patterns against their definitions; arrivals and lengths against their distributions.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "tb/tests/support/bench.h"
#include "traffic/synthetic/geometric.h"
#include "traffic/synthetic/injection.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::patterns_test {
namespace {

using namespace traffic;

routing::Topology mesh(std::uint32_t width, std::uint32_t height) {
  Configuration options;
  options.set("topology.width", width);
  options.set("topology.height", height);
  return routing::make_topology(options);
}

std::uint32_t destination(const char* pattern, const routing::Topology& topology, std::uint32_t node) {
  Random random(1);
  return PatternRegistry::instance().make(pattern, topology, {})->destination(NodeId{node}, random)->value;
}

TEST(Random, HasSplitMix64sGoldenValues) {
  // The generator's published sequence from state 0; Random scatters its seed first, so state is set through mix64.
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15ULL), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(mix64(2 * 0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
  EXPECT_NE(Random(1, "a")(), Random(1, "b")());
  EXPECT_NE(Random(1, "a")(), Random(2, "a")());
}

TEST(Patterns, BitPermutations) {
  const auto m = mesh(8, 8);
  EXPECT_EQ(destination("bit_complement", m, 0b000101), 0b111010U);
  EXPECT_EQ(destination("bit_reversal", m, 0b000101), 0b101000U);
  EXPECT_EQ(destination("shuffle", m, 0b100101), 0b001011U);
  EXPECT_EQ(destination("butterfly", m, 0b000101), 0b100100U);
  EXPECT_EQ(destination("transpose", m, 8 * 2 + 5), 8U * 5 + 2);
  EXPECT_EQ(destination("tornado", m, 8 * 7 + 6), 8U * 2 + 1);  // three further in each dimension
  EXPECT_EQ(destination("neighbour", m, 63), 0U);
}

TEST(Patterns, AreRefusedWhereTheyDoNotFit) {
  const auto m = mesh(6, 4);
  for (const char* name : {"bit_complement", "shuffle", "transpose", "permutation"}) {
    EXPECT_THROW(PatternRegistry::instance().make(name, m, {}), InputError) << name;
  }
}

TEST(Patterns, UniformIsUniform) {
  const auto m = mesh(4, 4);
  for (const bool self : {true, false}) {
    const auto pattern = PatternRegistry::instance().make(self ? "uniform" : "uniform_without_self", m, {});
    Random random(3);
    std::vector<double> counts(16);
    constexpr int kDraws = 160000;
    for (int i = 0; i < kDraws; ++i) ++counts[pattern->destination(NodeId{5}, random)->value];
    const double expected = kDraws / (self ? 16.0 : 15.0);
    double chi_square = 0.0;
    for (std::size_t n = 0; n < 16; ++n) {
      if (!self && n == 5) {
        EXPECT_EQ(counts[n], 0.0);
      } else {
        chi_square += (counts[n] - expected) * (counts[n] - expected) / expected;
      }
    }
    EXPECT_LT(chi_square, 37.7);  // 99.9 % at 15 degrees of freedom
  }
}

TEST(Patterns, HotSpotGetsItsShare) {
  Configuration options;
  options.set("traffic.hot_nodes", std::vector<std::uint32_t>{3});
  options.set("traffic.hot_fraction", 0.25);
  const auto pattern = PatternRegistry::instance().make("hot_spot", mesh(4, 4), options);
  Random random(3);
  int hot = 0;
  for (int i = 0; i < 100000; ++i) hot += pattern->destination(NodeId{0}, random)->value == 3 ? 1 : 0;
  EXPECT_NEAR(hot / 100000.0, 0.25 + 0.75 / 16.0, 0.006);
}

TEST(Patterns, PermutationFileSaysWhereItIsWrong) {
  Configuration options;
  const std::string file = temporary_file("permutation.txt");
  options.set("traffic.file", file);
  const auto error = [&](const char* text) -> std::string {
    std::ofstream(file) << text;
    try {
      PatternRegistry::instance().make("permutation", mesh(4, 4), options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error("0 1 # a pair\n\n1 0\n"), "");
  EXPECT_EQ(error("0 1\n2\n"), file + ":2:1: expected SOURCE DESTINATION");
  EXPECT_EQ(error("0 16\n"), file + ":1:1: node \"16\": expected 0 to 15");
  EXPECT_EQ(error("0 x\n"), file + ":1:1: node \"x\": expected 0 to 15");
  EXPECT_EQ(error("0 1\n0 2\n"), file + ":2:1: source node 0 is named twice");
  EXPECT_EQ(error("0 1\n2 1\n"), file + ":2:1: destination node 1 is named twice");
  EXPECT_EQ(error("# nothing\n"), file + ": holds no pair: expected lines SOURCE DESTINATION");
}

TEST(Geometric, HasItsMeanVarianceAndHead) {
  for (const double p : {0.9, 0.25, 0.01, 0.0005}) {
    const GeometricGap gap(p);
    Random random(11);
    constexpr int kDraws = 400000;
    double sum = 0.0, squares = 0.0, ones = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      const auto x = static_cast<double>(gap(random));
      ASSERT_GE(x, 1.0);
      sum += x;
      squares += x * x;
      ones += x == 1.0 ? 1.0 : 0.0;
    }
    const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
    const double sigma = std::sqrt(1.0 - p) / p;
    EXPECT_NEAR(mean, 1.0 / p, 4.0 * sigma / std::sqrt(kDraws)) << p;
    EXPECT_NEAR(variance, sigma * sigma, 0.03 * sigma * sigma) << p;
    EXPECT_NEAR(ones / kDraws, p, 4.0 * std::sqrt(p * (1.0 - p) / kDraws)) << p;
  }
}

TEST(Injection, KeepsItsMeanRate) {
  for (const char* process : {"bernoulli", "on_off"}) {
    for (const double rate : {0.02, 0.3}) {
      InjectionContext options;
      options.rate_packets_per_node_cycle = rate;
      options.configuration.set("traffic.on_cycles", 40);
      options.configuration.set("traffic.off_cycles", 60);
      const auto arrivals = InjectionRegistry::instance().make(process, options);
      Random random(5);
      double cycles = 0.0;
      constexpr int kPackets = 300000;
      for (int i = 0; i < kPackets; ++i) cycles += static_cast<double>(arrivals->next_gap(random));
      EXPECT_NEAR(kPackets / cycles, rate, 0.02 * rate) << process;
    }
  }
  InjectionContext full;
  full.rate_packets_per_node_cycle = 1.0;
  Random random(1);
  EXPECT_EQ(InjectionRegistry::instance().make("bernoulli", full)->next_gap(random), 1U);
  full.rate_packets_per_node_cycle = 0.0;
  EXPECT_EQ(InjectionRegistry::instance().make("bernoulli", full)->next_gap(random), InjectionProcess::kNever);
  full.rate_packets_per_node_cycle = 0.8;
  EXPECT_THROW(InjectionRegistry::instance().make("on_off", full), InputError);
}

TEST(Lengths, HaveTheMeanTheySay) {
  Configuration options;
  options.set("traffic.long_fraction", 0.3);
  for (const char* name : {"fixed", "bimodal", "uniform"}) {
    const auto length = LengthRegistry::instance().make(name, options);
    Random random(5);
    double sum = 0.0;
    for (int i = 0; i < 100000; ++i) sum += length->sample_flits(random);
    EXPECT_NEAR(sum / 100000, length->mean_flits(), 0.02 * length->mean_flits()) << name;
  }
  options.set("traffic.min_flits", 9);
  EXPECT_THROW(LengthRegistry::instance().make("uniform", options), InputError);
}

TEST(Lengths, OfTwoKindsNeedAShareFrom0To1) {
  Configuration options;
  for (const double share : {0.0, 1.0}) {
    options.set("traffic.long_fraction", share);
    EXPECT_NO_THROW(LengthRegistry::instance().make("bimodal", options)) << share;
  }
  for (const double share : {-0.01, 1.01}) {
    options.set("traffic.long_fraction", share);
    EXPECT_THROW(LengthRegistry::instance().make("bimodal", options), InputError) << share;
  }
}

/// po2-message-scheduling, section 3 and figure 16: short messages of one to five packets alike, long ones of 25.
TEST(Lengths, BurstyHasThePapersSharesOfPackets) {
  struct Workload {
    double long_fraction, mean, long_percent;
  };
  for (const Workload& w : {Workload{0.1, 5.2, 48.0}, Workload{0.8, 20.6, 97.0}}) {
    Configuration options;
    options.set("traffic.min_flits", 1);
    options.set("traffic.max_flits", 5);
    options.set("traffic.long_flits", 25);
    options.set("traffic.long_fraction", w.long_fraction);
    const auto length = LengthRegistry::instance().make("bursty", options);
    EXPECT_DOUBLE_EQ(length->mean_flits(), w.mean);
    EXPECT_EQ(std::round(100.0 * w.long_fraction * 25 / length->mean_flits()), w.long_percent);
    Random random(5);
    std::map<std::uint32_t, double> drawn;
    constexpr int kDraws = 1000000;
    double packets = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      const std::uint32_t packets_of_one = length->sample_flits(random);
      ++drawn[packets_of_one];
      packets += packets_of_one;
    }
    ASSERT_EQ(drawn.size(), 6U);
    EXPECT_EQ(std::round(100.0 * drawn.at(25) * 25 / packets), w.long_percent);
    for (std::uint32_t l = 1; l <= 5; ++l) {
      EXPECT_NEAR(drawn.at(l) / (kDraws * (1.0 - w.long_fraction)), 0.2, 0.004) << l << " packets";
    }
  }
}

}  // namespace
}  // namespace braid::test::patterns_test
