// The search for a cycle among things that wait for each other, on graphs small enough to be drawn: what has been
// searched is no part of a cycle, and what only leads to one is not in it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/fabric/wait_cycle.h"

namespace braid::test::wait_searches_test {
namespace {

using Things = std::vector<std::uint32_t>;

/// Things that wait for those named. Each is asked for them once at most.
class Graph final : public models::Waiters {
 public:
  explicit Graph(std::vector<Things> waits_for) : waits_for_(std::move(waits_for)), asked_(waits_for_.size()) {}
  std::size_t count() const override { return waits_for_.size(); }
  bool waits(std::uint32_t i) const override { return !waits_for_[i].empty(); }
  Things waits_for(std::uint32_t i) const override {
    EXPECT_EQ(++asked_[i], 1) << i;
    return waits_for_[i];
  }
  std::string describe(std::uint32_t i) const override { return std::to_string(i); }

 private:
  std::vector<Things> waits_for_;
  mutable std::vector<int> asked_;
};

Things cycle_in(std::vector<Things> graph) { return models::find_wait_cycle(Graph(std::move(graph))); }

TEST(WaitSearch, FindsNothingWhereNobodyWaitsInACircle) {
  EXPECT_EQ(cycle_in({}), Things{});
  EXPECT_EQ(cycle_in({{}}), Things{});
  EXPECT_EQ(cycle_in({{1}, {}}), Things{});
  EXPECT_EQ(cycle_in({{1, 2}, {3}, {3}, {}}), Things{}) << "two ways to one thing are no circle";
}

/// A thing that waits for itself, two for each other.
TEST(WaitSearch, FindsTheSmallestCircles) {
  EXPECT_EQ(cycle_in({{0}}), Things{0});
  EXPECT_EQ(cycle_in({{}, {1}}), Things{1});
  EXPECT_EQ(cycle_in({{1}, {0}}), (Things{0, 1}));
}

/// 0 and 1 lead to the circle of 2, 3 and 4.
TEST(WaitSearch, LeavesOutWhatOnlyLeadsToTheCircle) {
  EXPECT_EQ(cycle_in({{1}, {2}, {3}, {4}, {2}}), (Things{2, 3, 4}));
  EXPECT_EQ(cycle_in({{4}, {}, {}, {2, 4}, {3, 1}}), (Things{4, 3}));
}

/// 1, 2 and 5 wait for things that are done with, from here or from an earlier start: that is no circle, and the search
/// goes on to the one of 3 and 4.
TEST(WaitSearch, GoesOnPastWhatHasBeenSearched) {
  EXPECT_EQ(cycle_in({{}, {0}, {1, 0}, {4}, {3}}), (Things{3, 4}));
  EXPECT_EQ(cycle_in({{1, 2}, {2}, {}, {4, 0}, {3, 1}, {0}}), (Things{3, 4}));
  EXPECT_EQ(cycle_in({{}, {0}, {0, 1}}), Things{});
}

/// Whichever of them is looked at first, and where that leads nowhere, the others are.
TEST(WaitSearch, TriesEachThingThatIsWaitedFor) {
  EXPECT_EQ(cycle_in({{1, 3}, {2}, {0}, {}}), (Things{0, 1, 2}));
  EXPECT_EQ(cycle_in({{3, 1}, {2}, {0}, {}}), (Things{0, 1, 2}));
  EXPECT_EQ(cycle_in({{3, 4, 1}, {2}, {0}, {}, {3}}), (Things{0, 1, 2}));
}

/// Deeper than a stack of calls would go.
TEST(WaitSearch, FindsACircleOfAnyLength) {
  std::vector<Things> ring;
  Things all;
  for (std::uint32_t i = 0; i < 300000; ++i) {
    ring.push_back({(i + 1) % 300000});
    all.push_back(i);
  }
  EXPECT_TRUE(cycle_in(ring) == all);
}

/// Without a circle the first 24 of those that wait are told, those that do not are not counted.
TEST(WaitSearch, TellsWhoWaitsAndNotWhoIsWaitedFor) {
  for (const std::uint32_t waiting : {1U, 24U, 25U, 26U}) {
    std::vector<Things> all{{}};  // 0 waits for nobody
    std::string text = "\nno cycle among things; these wait:";
    for (std::uint32_t i = 1; i <= waiting; ++i) {
      all.push_back({0});
      if (i <= 24) text += "\n  " + std::to_string(i);
    }
    if (waiting > 24) text += "\n  … and " + std::to_string(waiting - 24) + " more";
    EXPECT_EQ(report_waiting(Graph(all), "things", "each"), text);
  }
}

}  // namespace
}  // namespace braid::test::wait_searches_test
