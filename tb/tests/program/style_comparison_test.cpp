// How coding styles are compared: which packets count, and what a style's speed is over. The processor's clock is that
// of finder_times_test.cpp, on which an eighth of a second passes whenever somebody looks.
#include "tb/braid/style_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"

namespace braid::test::style_comparison_test {
namespace {

constexpr double kLook = 0.125;  // seconds between two looks at the clock

struct Call {
  NodeId from, to;
  std::uint32_t flits;
  std::uint64_t at, now;
};
std::vector<Call> calls;

/// Whatever it is asked for takes twenty cycles.
class Twenty final : public models::PacketTiming {
 public:
  std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at, std::uint64_t now) override {
    calls.push_back({from, to, flits, at, now});
    return at + 20;
  }
};

/// Pairs of nodes in a row that send a packet of one flit in every `interval`th cycle.
models::Experiment row(std::uint32_t width, const std::string& pairs, double rate, int warmup, int measured) {
  models::Experiment e = uniform_mesh(rate, width, 1);
  const std::string file = temporary_file("pairs.txt");
  std::ofstream(file) << pairs;
  e.set("traffic.pattern", "permutation").set("traffic.file", file);
  e.set("traffic.process", "constant").set("traffic.flits", 1);
  e.set("simulation.min_warmup_cycles", warmup).set("simulation.measure_cycles", measured);
  return e;
}

/// A packet in every fourth cycle takes 13 cycles over two routers (docs/router.md): 3 + 5 * 2.
TEST(Styles, AreGivenThePacketsOfTheEngineOverAndOver) {
  models::PacketTimingRegistry::instance().add(
      "twenty", "twenty cycles", [](const models::PacketTimingContext&) { return std::make_unique<Twenty>(); });
  // Four beginnings of the window: in one of them a packet is made in its first cycle.
  for (const int warmup : {400, 401, 402, 403}) {
    calls.clear();
    const tb::StyleComparison c = tb::compare_styles(row(2, "1 0\n", 0.25, warmup, 200));
    EXPECT_EQ(c.packets, 50U);
    EXPECT_EQ(c.undelivered, 0U);
    EXPECT_DOUBLE_EQ(c.load_flits_per_node_cycle, 0.125);
    ASSERT_EQ(c.styles.size(), 4U) << "the engine, the two that there are, and this one";
    const tb::StyleFigures &engine = c.styles[0], &twenty = c.styles[3];
    EXPECT_EQ(twenty.style, "twenty");
    EXPECT_EQ(engine.mean_latency_cycles, 13.0);
    EXPECT_EQ(twenty.mean_latency_cycles, 20.0);
    EXPECT_DOUBLE_EQ(twenty.error, 20.0 / 13.0 - 1.0);
    EXPECT_EQ(twenty.mean_packet_error_cycles, 7.0);
    // Once for their latencies, then until a fifth of a second has passed: twice an eighth.
    ASSERT_EQ(calls.size() % 3, 0U);
    const std::size_t all = calls.size() / 3;
    EXPECT_GE(all, 150U) << "those of the warm-up, too";
    EXPECT_LE(all, 151U);
    const std::uint64_t last = calls[all - 1].at;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      EXPECT_EQ(calls[i].at, calls[i % all].at + i / all * last) << i;
      EXPECT_EQ(calls[i].now, calls[i].at) << i;
      EXPECT_EQ(calls[i].from, NodeId{1});
      EXPECT_EQ(calls[i].to, NodeId{0});
      EXPECT_EQ(calls[i].flits, 1U);
      EXPECT_TRUE(i == 0 || i == all || calls[i - 1].at < calls[i].at) << "in the order of their creation";
    }
    for (std::size_t s = 1; s < 4; ++s) {
      EXPECT_DOUBLE_EQ(c.styles[s].packets_per_second, 2.0 * static_cast<double>(all) / (2.0 * kLook)) << s;
    }
    EXPECT_DOUBLE_EQ(engine.packets_per_second, 50.0 / kLook) << "made while measuring, in that time";
  }
}

/// Without a drain: of twenty that are made in the window the ones that go far do not arrive. One that is made in its
/// first cycle counts.
TEST(Styles, CountEveryPacketOfTheWindowOnce) {
  for (const int warmup : {100, 101}) {
    models::Experiment e = row(8, "0 5\n6 7\n", 0.5, warmup, 20);
    e.set("simulation.max_drain_cycles", 0);
    const tb::StyleComparison c = tb::compare_styles(e);
    EXPECT_GT(c.packets, 0U);
    EXPECT_GE(c.undelivered, 10U) << "none of those that go far";
    EXPECT_EQ(c.packets + c.undelivered, 20U);
    EXPECT_DOUBLE_EQ(c.load_flits_per_node_cycle, static_cast<double>(c.packets) / (20.0 * 8.0));
  }
}

/// Drained in hundreds of cycles, no longer than until nothing is under way, and no further than the limit.
TEST(Styles, WaitForWhatIsUnderWay) {
  models::Experiment e = row(8, "0 5\n6 7\n", 0.5, 100, 20);
  e.set("simulation.max_drain_cycles", 1);
  const tb::StyleComparison c = tb::compare_styles(e);
  EXPECT_EQ(c.packets, 20U);
  EXPECT_EQ(c.undelivered, 0U);
}

}  // namespace
}  // namespace braid::test::style_comparison_test
