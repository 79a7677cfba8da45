// A broadcast line of a root and few others, unit by unit: wires that take no time, counters, checkpoints and what
// their reader refuses. Whole schemes: broadcast_line_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/event_lines/broadcast_line.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::two_units_test {
namespace {

using models::BroadcastLine;
using models::BroadcastUnit;
using State = BroadcastUnit::State;

const std::vector<traffic::BroadcastPart> kTwo{{"root", {1}, {1}, {}}, {"leaf", {0}, {}, {0}}};

BroadcastLine two(std::uint32_t wire_cycles, bool turn_round, std::uint32_t most_under_way = 1) {
  return BroadcastLine({kTwo,
                        {NodeId{3}, NodeId{8}},
                        [wire_cycles](std::uint32_t, std::uint32_t) { return wire_cycles; },
                        turn_round,
                        most_under_way});
}

/// Cycles after which the root has so many complete, from cycle 0 on.
std::vector<std::uint64_t> completions(BroadcastLine line, std::uint64_t broadcasts) {
  line.request(broadcasts);
  std::vector<std::uint64_t> cycles;
  for (std::uint64_t cycle = 0; line.completed() < broadcasts && cycle < 1000; ++cycle) {
    const std::uint64_t before = line.completed();
    line.step(cycle, nullptr);
    for (std::uint64_t i = before; i < line.completed(); ++i) cycles.push_back(cycle);
  }
  return cycles;
}

/// With turn-round a wire may be none: 1 to the leaf, which receives and drives, and 3 back. Without it, a wire that
/// took no time would close a loop, so it takes a cycle: 1 and 2.
TEST(TwoUnits, AreATurnOrACycleApartWhereTheirWiresTakeNoTime) {
  EXPECT_EQ(completions(two(0, true), 1), std::vector<std::uint64_t>{3});
  EXPECT_EQ(completions(two(0, false), 1), std::vector<std::uint64_t>{2});
  EXPECT_EQ(completions(two(1, false), 1), std::vector<std::uint64_t>{2});
  EXPECT_EQ(completions(two(2, false), 1), std::vector<std::uint64_t>{4});
  EXPECT_EQ(two(0, true).wires()[0].cycles, 0U);
  EXPECT_EQ(two(0, false).wires()[0].cycles, 1U);
}

/// Without turn-round the root begins the next one in the cycle in which the one before is complete. Of several under
/// way all that are asked for begin one a cycle.
TEST(TwoUnits, WithoutTurnRoundFollowEachOtherAtOnce) {
  EXPECT_EQ(completions(two(3, false), 3), (std::vector<std::uint64_t>{6, 12, 18}));
  EXPECT_EQ(completions(two(3, false, 2), 3), (std::vector<std::uint64_t>{6, 7, 12}));
  EXPECT_EQ(completions(two(3, false, 9), 3), (std::vector<std::uint64_t>{6, 7, 8}));
}

/// What each unit does, and when its wires carried a pulse: driven in 0, received in 6, driven in 7, received in 13.
TEST(TwoUnits, SayWhatTheyDoAndWhen) {
  BroadcastLine line = two(5, true);
  EXPECT_EQ(line.size(), 2U);
  EXPECT_EQ(line.node(1), NodeId{8});
  EXPECT_TRUE(line.turn_round());
  EXPECT_EQ(line.unit(0).at_once(), std::vector<std::uint32_t>{0});
  EXPECT_EQ(line.unit(0).in(), std::vector<std::uint32_t>{1});
  EXPECT_EQ(line.unit(1).when_done(), std::vector<std::uint32_t>{1});
  EXPECT_EQ(line.wires()[1].to, 0U);
  constexpr std::uint64_t kNever = models::BroadcastWire::kNever;
  EXPECT_EQ(line.wires()[0].driven_last, kNever);
  EXPECT_EQ(line.wires()[1].arrived_last, kNever);
  std::vector<std::uint64_t> root_had;
  line.on_root([&](std::uint64_t cycle) { root_had.push_back(cycle); });
  line.request(1);
  EXPECT_EQ(line.requested(), 1U);
  std::vector<State> root, leaf;
  for (std::uint64_t cycle = 0; cycle < 15; ++cycle) {
    line.step(cycle, nullptr);
    root.push_back(line.unit(0).state());
    leaf.push_back(line.unit(1).state());
  }
  for (std::uint64_t cycle = 0; cycle < 15; ++cycle) {
    EXPECT_EQ(root[cycle], cycle == 0 ? State::kDrives : cycle == 13 ? State::kReceives : State::kIdle) << cycle;
    EXPECT_EQ(leaf[cycle], cycle == 6 ? State::kReceives : cycle == 7 ? State::kDrives : State::kIdle) << cycle;
  }
  EXPECT_EQ(line.wires()[0].driven_last, 0U);
  EXPECT_EQ(line.wires()[0].arrived_last, 6U);
  EXPECT_EQ(line.wires()[1].driven_last, 7U);
  EXPECT_EQ(line.wires()[1].arrived_last, 13U);
  EXPECT_EQ(root_had.size(), 15U) << "the root is asked every cycle";
  EXPECT_EQ(root_had.back(), 14U);
}

TEST(TwoUnits, DoNothingWhereModulesRunThem) {
  BroadcastLine line = two(5, true);
  line.leave_to_modules();
  line.request(1);
  for (std::uint64_t cycle = 0; cycle < 20; ++cycle) line.step(cycle, nullptr);
  EXPECT_EQ(line.begun(), 0U);
}

/// Eight bits of each counter are shown.
TEST(TwoUnits, ShowTheLowBitsOfTheirCounters) {
  BroadcastLine line = two(1, false, 1000);
  models::SignalTable table;
  const auto signals = line.signals(table, "lines.here");
  ASSERT_EQ(table.signals().size(), 6U);
  EXPECT_EQ(table.signals()[3].scope, "lines.here.node_8");
  line.request(300);
  for (std::uint64_t cycle = 0; line.completed() < 257; ++cycle) line.step(cycle, nullptr);
  signals->sample(0);
  EXPECT_EQ(line.begun(), 259U) << "two are on their way";
  std::vector<std::uint64_t> values;
  for (const models::Signal& signal : table.signals()) values.push_back(signal.value);
  EXPECT_EQ(values, (std::vector<std::uint64_t>{3, 259 - 256, 257 - 256, 3, 258 - 256, 258 - 256}));
}

/// From each cycle's checkpoint the next cycle's comes, whatever the line had done before.
TEST(TwoUnits, GoOnFromTheCheckpointOfAnyCycle) {
  for (const bool turn_round : {true, false}) {
    BroadcastLine line = two(3, turn_round, 4), other = two(3, turn_round, 4);
    line.request(9);
    other.request(2);
    for (std::uint64_t cycle = 0; cycle < 60; ++cycle) {
      const std::string bytes = saved(line);
      Checkpoint restores(bytes);
      other.checkpoint(restores);
      restores.finish();
      ASSERT_EQ(saved(other), bytes) << cycle;
      line.step(cycle, nullptr);
      other.step(cycle, nullptr);
      ASSERT_EQ(saved(other), saved(line)) << cycle;
      for (std::uint64_t more = 1; more <= cycle % 4; ++more) other.step(cycle + more, nullptr);
    }
    EXPECT_EQ(line.completed(), 9U);
  }
}

/// What a line of `most` broadcasts under way says of one that has more of them.
std::string refusal(std::uint32_t most) {
  BroadcastLine line = two(50, false, 3), other = two(50, false, most);
  line.request(3);
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) line.step(cycle, nullptr);
  const std::string bytes = saved(line);
  Checkpoint restores(bytes);
  return complaint<CheckpointError>([&] { other.checkpoint(restores); });
}

TEST(TwoUnits, AreRefusedWithMoreUnderWayThanTheirCountersHold) {
  EXPECT_EQ(refusal(3), "");
  EXPECT_EQ(refusal(2), "number of broadcasts 3, here are 3");
}

/// Bytes of a line that nobody has asked for anything: 8 of broadcasts, then of two wires and their number 40, of two
/// units 8 and 42 each, then which are awake (8 and 4 each), then seven cycles of pulses that are due.
std::string damaged(std::initializer_list<std::pair<std::size_t, std::uint64_t>> numbers,
                    std::initializer_list<std::uint32_t> awake = {}, int due = -1) {
  constexpr std::size_t kAwake = 8 + 40 + 8 + 2 * 42;
  BroadcastLine line = two(5, true);
  std::string bytes = saved(line);
  EXPECT_EQ(bytes.size(), kAwake + 8 + 8 + 7 * 8);
  for (const auto& [at, value] : numbers) bytes[at] = static_cast<char>(value);
  if (due >= 0) {
    bytes[bytes.size() - 8] = 1;
    bytes += std::string{static_cast<char>(due), 0, 0, 0};
  }
  bytes[kAwake] = static_cast<char>(awake.size());
  std::string positions;
  for (const std::uint32_t position : awake) positions += std::string{static_cast<char>(position), 0, 0, 0};
  bytes.insert(kAwake + 8, positions);
  return complaint<CheckpointError>([&] { restore(line, bytes); });
}

TEST(TwoUnits, AreRefusedWhereTheyCannotBe) {
  constexpr std::size_t kArrived = 16, kUnit = 56, kNextIn = kUnit + 8, kBegun = kUnit + 16, kHandled = kUnit + 24,
                        kFinished = kUnit + 32, kState = kUnit + 40, kIsAwake = kUnit + 42 + 41;
  const std::string no = "no network is in such a state: ", order = no + "a broadcast that ends before it begins",
                    twice = no + "a unit that is awake twice";
  EXPECT_EQ(damaged({}), "");
  EXPECT_EQ(damaged({{kArrived, 1}}), "") << "a pulse that has come";
  EXPECT_EQ(damaged({{kArrived, 2}}), "number of pulses 2, here are 2") << "of one broadcast under way";
  EXPECT_EQ(damaged({{kNextIn, 1}}), "");
  EXPECT_EQ(damaged({{kNextIn, 2}}), "turn of a wire 2, here are 2");
  EXPECT_EQ(damaged({{kBegun, 1}}), "");
  EXPECT_EQ(damaged({{kBegun, 2}}), "number of broadcasts 2, here are 2");
  EXPECT_EQ(damaged({{kHandled, 1}}), order);
  EXPECT_EQ(damaged({{kBegun, 1}, {kFinished, 1}}), order);
  EXPECT_EQ(damaged({{kBegun, 1}, {kHandled, 1}, {kFinished, 1}}), "");
  EXPECT_EQ(damaged({{kState, 3}}), "");
  EXPECT_EQ(damaged({{kState, 4}}), "state of a unit 4, here are 4");
  EXPECT_EQ(damaged({{kIsAwake, 1}}, {1}), "");
  EXPECT_EQ(damaged({}, {1}), twice) << "the list says so and the unit does not";
  EXPECT_EQ(damaged({{kIsAwake, 1}}, {1, 1}), twice);
  EXPECT_EQ(damaged({{kIsAwake, 1}}, {2}), "position 2, here are 2");
  EXPECT_EQ(damaged({}, {}, 1), "");
  EXPECT_EQ(damaged({}, {}, 2), "wire 2, here are 2");
}

}  // namespace
}  // namespace braid::test::two_units_test
