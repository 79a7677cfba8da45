// What a waveform is declared with, by itself: names and scopes, kinds of rows, packets' numbers, time; and the numbers
// that many samples are put into.
#include "models/observe/signals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/observe/clock.h"
#include "models/observe/distribution.h"
#include "routing/base/break_off.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::signals_test {
namespace {

using namespace models;

TEST(SignalTable, DeclaresRowsOfEveryKind) {
  const SignalValues reasons{"reasons", {"-", "moves", "waits"}, 2};
  SignalTable table;
  Signal* const number = table.add("s", "number", 7);
  Signal* const named = table.add_named("s", "named", 2, reasons);
  Signal* const shown = table.add_shown("s", "shown", 3);
  Signal* const both = table.add_shown("s", "both", 2, &reasons);
  Signal* const packet = table.add_packet("s", "packet");
  Signal* const stall = table.add_stall("s", reasons);
  ASSERT_EQ(table.signals().size(), 6U);
  EXPECT_EQ(&table.signals()[0], number) << "in the order in which they are declared, and where they stay";
  EXPECT_EQ(&table.signals()[5], stall);
  for (const Signal& signal : table.signals()) {
    EXPECT_EQ(signal.scope, "s");
    EXPECT_EQ(signal.value, 0U);
    EXPECT_EQ(signal.follows, 0U);
    EXPECT_EQ(signal.shown, &signal == shown || &signal == both) << signal.name;
    EXPECT_EQ(signal.values, &signal == named || &signal == both || &signal == stall ? &reasons : nullptr);
    EXPECT_EQ(signal.question, &signal == stall ? &kWhyStalled : nullptr) << signal.name;
    EXPECT_EQ(signal.second, nullptr);
  }
  EXPECT_EQ(number->bits, 7U);
  EXPECT_EQ(number->name, "number");
  EXPECT_EQ(number->kind, Signal::Kind::kNumber);
  EXPECT_EQ(named->bits, 2U);
  EXPECT_EQ(shown->bits, 3U);
  EXPECT_EQ(packet->bits, 52U) << "20 of a source, 32 of its packets";
  EXPECT_EQ(packet->kind, Signal::Kind::kPacket);
  EXPECT_EQ(stall->bits, 4U);
  EXPECT_EQ(stall->name, "stall");
  EXPECT_EQ(stall->kind, Signal::Kind::kStall);
}

TEST(SignalTable, LeavesScopesAsTheyWereWhenAnOuterOneEnds) {
  SignalTable table;
  EXPECT_EQ(table.add("a.b", "x", 1)->scope, "a.b");
  {
    const SignalTable::Within within(table, "subnet_1");
    EXPECT_EQ(table.add("a.b", "x", 1)->scope, "subnet_1.a.b");
    EXPECT_EQ(table.add("c", "x", 1)->scope, "subnet_1.c");
  }
  EXPECT_EQ(table.add("a.b", "x", 1)->scope, "a.b");
}

TEST(Signal, HelpsWithTwoQuestionsAtMost) {
  const Question one{"one", "?"}, two{"two", "?"}, three{"three", "?"};
  Signal signal;
  EXPECT_FALSE(signal.helps(one));
  signal.answers(one)->answers(two);
  EXPECT_TRUE(signal.helps(one));
  EXPECT_TRUE(signal.helps(two));
  EXPECT_FALSE(signal.helps(three));
}

/// Whoever waits for millions of them can break off at each.
TEST(SignalTable, LooksWhetherItIsBrokenOffAtEachSignal) {
  SignalTable table;
  std::size_t looks = 0;
  {
    const routing::BreakOff counts([&](const char*, std::size_t, std::size_t) { ++looks; });
    for (int i = 0; i < 5; ++i) table.add("s", "x", 1);
    EXPECT_EQ(looks, 5U);
  }
  const routing::BreakOff breaks([](const char*, std::size_t, std::size_t) { throw std::runtime_error("enough"); });
  EXPECT_THROW(table.add("s", "x", 1), std::runtime_error);
  EXPECT_THROW(table.add_packet("s", "x"), std::runtime_error);
  EXPECT_EQ(table.signals().size(), 5U);
}

TEST(Names, AreIdentifiersInScopesOfRoutersAndPorts) {
  EXPECT_EQ(identifier("1,0 a-Z_9"), "1_0_a_Z_9");
  EXPECT_EQ(router_scope("1,0"), "router_1_0");
  EXPECT_EQ(port_scope("1,0", "to east"), "router_1_0.to_east");
  EXPECT_EQ(scope_parts("router_1_0.east.vc0"), (std::vector<std::string>{"router_1_0", "east", "vc0"}));
  EXPECT_EQ(scope_parts(""), std::vector<std::string>{""});
  EXPECT_EQ(scope_parts("ab..c."), (std::vector<std::string>{"ab", "", "c", ""}));
}

/// The source one up, so that 0 is none, above 32 bits of the number there.
TEST(PacketNumbers, AreReadBackAsSourceAndSequence) {
  EXPECT_EQ(packet_number(0, 0), std::uint64_t{1} << 32);
  EXPECT_EQ(packet_text(0), "-");
  EXPECT_EQ(packet_text(packet_number(0, 0)), "0.0");
  EXPECT_EQ(packet_text(packet_number(3, 5)), "3.5");
  EXPECT_EQ(packet_text(packet_number((1U << 20) - 2, UINT32_MAX)), "1048574.4294967295");
  EXPECT_LT(packet_number((1U << 20) - 2, UINT32_MAX), std::uint64_t{1} << kPacketBits);
}

TEST(WaveTime, IsInNanosecondsWhereACycleIsAWholeNumberOfThem) {
  EXPECT_EQ(wave_time(7, 1000), 7U);
  EXPECT_EQ(wave_time(7, 3000), 21U);
  EXPECT_EQ(wave_time(7, 999), 7U * 999U);
  EXPECT_EQ(wave_time(7, 6250), 7U * 6250U);
}

std::string refused(double ns, std::uint64_t period_ps, const std::string& period_key = "") {
  return complaint([&] { whole_cycles("a.b_ns", ns, period_ps, period_key); });
}

TEST(Clock, TakesTimesOfWholePicosecondsAndCycles) {
  EXPECT_EQ(picoseconds("k", 0.001), 1U);
  EXPECT_EQ(picoseconds("k", 6.25), 6250U);
  EXPECT_EQ(picoseconds("k", 0.1 + 0.2), 300U) << "as near as numbers are written";
  EXPECT_EQ(picoseconds("k", 1e9), 1'000'000'000'000U);
  EXPECT_THROW(picoseconds("k", 0.0004), InputError);
  EXPECT_THROW(picoseconds("k", 1.00001), InputError);
  EXPECT_EQ(picoseconds("k", 5e-10), 0U) << "a millionth of a picosecond";
  EXPECT_EQ(picoseconds("k", 123456789.1 + 0.023), 123'456'789'123U)
      << "as near as numbers are written, of long times, too";
  EXPECT_THROW(picoseconds("k", 600.0004), InputError) << "long times have no more decimals";
  EXPECT_THROW(picoseconds("k", 0.001 + 1.5e-9), InputError);
  EXPECT_EQ(whole_cycles("k", 6.25, 6250), 1U);
  EXPECT_EQ(whole_cycles("k", 275, 6250), 44U);
  EXPECT_EQ(refused(276, 6250), "a.b_ns = 276: not a whole number of cycles of 6.25 ns; expected 275 or 281.25");
  EXPECT_EQ(refused(7, 2000, "c.d"), "a.b_ns = 7: not a whole number of cycles of 2 ns (c.d); expected 6 or 8");
  EXPECT_NE(refused(1.999, 2000), "") << "at least one";
  EXPECT_EQ(refused(2, 2000), "");
}

TEST(Distribution, OfFewValuesIsTheirRangeAndMean) {
  const Distribution d = spread({4.0, 1.0, 10.0});
  EXPECT_EQ(d.count, 3U);
  EXPECT_EQ(d.min, 1.0);
  EXPECT_EQ(d.mean, 5.0);
  EXPECT_EQ(d.max, 10.0);
  EXPECT_TRUE(std::isnan(d.p50)) << "no percentile is counted";
  const Distribution none = spread({});
  EXPECT_EQ(none.count, 0U);
  EXPECT_TRUE(std::isnan(none.min) && std::isnan(none.mean) && std::isnan(none.max));
}

TEST(Distribution, HasTheFiguresOfItsTables) {
  const auto names = [](const FigureTable<Distribution>& table, const Distribution& d) {
    std::string all;
    for (const auto& figure : table.of(d).figures) all += figure.declared->name + " ";
    return all;
  };
  Distribution d = spread({1.0});
  d.p50 = d.p95 = d.p99 = d.p99_9 = 1.0;
  EXPECT_EQ(names(distribution_figures(), d), "count min mean p50 p95 p99 p99_9 max ");
  EXPECT_EQ(names(range_figures(), d), "count min mean max ");
  EXPECT_EQ(names(spread_figures(), d), "min mean max ");
}

}  // namespace
}  // namespace braid::test::signals_test
