// The PO2 timing wheel of 1024 cycles: every event in its cycle, also those of later turns.
#include "models/fabric/timing_wheel.h"

#include <gtest/gtest.h>

namespace braid::test::timing_wheel_test {
namespace {

struct Event {
  std::uint64_t due;
  int name;
};

/// Cycles in which the events come, "CYCLE:NAME " each, over cycles 0 to `last`.
std::string walk(models::TimingWheel<Event>& wheel, std::uint64_t last) {
  std::string text;
  for (std::uint64_t cycle = 0; cycle <= last; ++cycle) {
    wheel.take(cycle, [&](const Event& e) { text += std::to_string(cycle) + ":" + std::to_string(e.name) + " "; });
  }
  return text;
}

TEST(TimingWheel, GivesEachEventInItsCycle) {
  models::TimingWheel<Event> wheel;
  for (const std::uint64_t due : {7, 1, 1023}) wheel.add({due, static_cast<int>(due)});
  EXPECT_EQ(walk(wheel, 1100), "1:1 7:7 1023:1023 ");
}

TEST(TimingWheel, KeepsAnEventOfALaterTurnUntilItsCycle) {
  models::TimingWheel<Event> wheel;
  wheel.add({5, 0});
  wheel.add({5 + 1024, 1});
  wheel.add({5 + 3 * 1024, 3});
  EXPECT_EQ(walk(wheel, 6000), "5:0 1029:1 3077:3 ");
}

TEST(TimingWheel, GivesEventsOfOneCycleInTheOrderInWhichTheyWereFiled) {
  models::TimingWheel<Event> wheel;
  for (int name = 0; name < 4; ++name) wheel.add({9, name});
  EXPECT_EQ(walk(wheel, 10), "9:0 9:1 9:2 9:3 ");
}

TEST(TimingWheel, TakesEventsThatAHandlerAddsAlsoInItsOwnSlot) {
  models::TimingWheel<Event> wheel;
  wheel.add({3, 0});
  wheel.add({3, 1});
  std::string text;
  for (std::uint64_t cycle = 0; cycle <= 1100; ++cycle) {
    wheel.take(cycle, [&](const Event& e) {
      text += std::to_string(cycle) + ":" + std::to_string(e.name) + " ";
      if (e.name == 0) wheel.add({cycle + 1024, 2});  // the same slot, a turn later
      if (e.name == 1) wheel.add({cycle + 1, 3});
    });
  }
  EXPECT_EQ(text, "3:0 3:1 4:3 1027:2 ");
}

TEST(TimingWheel, IsEmptyWhenNothingIsToCome) {
  models::TimingWheel<Event> wheel;
  EXPECT_TRUE(wheel.empty());
  wheel.add({6, 1});
  walk(wheel, 5);
  EXPECT_FALSE(wheel.empty());
  wheel.take(6, [](const Event&) {});
  EXPECT_TRUE(wheel.empty());
}

/// The first later cycle in whose slot anything is, or a whole turn later: nothing is due before.
TEST(TimingWheel, SaysUpToWhenNothingIsDue) {
  EXPECT_EQ((models::TimingWheel<Event, 32>().next_after(3)), 35U);
  models::TimingWheel<Event> wheel(16);
  EXPECT_EQ(wheel.next_after(0), 16U);
  EXPECT_EQ(wheel.next_after(100), 116U);
  wheel.add({5, 0});
  wheel.add({9, 1});
  wheel.add({16 + 7, 2});
  EXPECT_EQ(wheel.next_after(0), 5U);
  EXPECT_EQ(wheel.next_after(4), 5U);
  EXPECT_EQ(wheel.next_after(5), 7U) << "in a later turn";
  EXPECT_EQ(wheel.next_after(7), 9U);
  EXPECT_EQ(wheel.next_after(9), 16U + 5U) << "what has not been taken";
  for (std::uint64_t cycle = 0; cycle < 32; ++cycle) {
    EXPECT_EQ(wheel.any_at(cycle), cycle % 16 == 5 || cycle % 16 == 7 || cycle % 16 == 9) << cycle;
  }
  EXPECT_EQ(walk(wheel, 30), "5:0 9:1 23:2 ");
}

struct PlainEvent {
  std::uint64_t due, name;
};

std::string names_to(models::TimingWheel<PlainEvent>& wheel, std::uint64_t first, std::uint64_t last) {
  std::string text;
  for (std::uint64_t cycle = first; cycle <= last; ++cycle) {
    wheel.take(cycle, [&](const PlainEvent& e) { text += std::to_string(cycle) + ":" + std::to_string(e.name) + " "; });
  }
  return text;
}

/// Of fewer slots than usual, as many as it is told: it goes on from a checkpoint, whatever was to come before, and is
/// none of another wheel's.
TEST(TimingWheel, GoesThroughACheckpoint) {
  models::TimingWheel<PlainEvent> saved(8), restored(8), other(16);
  for (const std::uint64_t due : {3, 4, 9, 12, 20}) saved.add({due, 100 + due});
  restored.add({6, 1});
  EXPECT_EQ(names_to(saved, 0, 3), "3:103 ");
  Checkpoint saves;
  saved.checkpoint(saves);
  Checkpoint restores(saves.bytes()), wrong(saves.bytes());
  restored.checkpoint(restores);
  restores.finish();
  std::uint64_t sum = 0, events = 0;
  restored.for_each([&](const PlainEvent& e) {
    ++events;
    sum += e.name;
  });
  EXPECT_EQ(events, 4U);
  EXPECT_EQ(sum, 104U + 109U + 112U + 120U);
  EXPECT_EQ(names_to(restored, 4, 30), "4:104 9:109 12:112 20:120 ");
  EXPECT_TRUE(restored.empty());
  EXPECT_THROW(other.checkpoint(wrong), CheckpointError);
}

}  // namespace
}  // namespace braid::test::timing_wheel_test
