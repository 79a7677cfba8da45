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

}  // namespace
}  // namespace braid::test::timing_wheel_test
