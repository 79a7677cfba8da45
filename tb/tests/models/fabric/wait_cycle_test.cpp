// What the watchdog says of things that wait for each other. The cycles themselves: models/engine/watchdog_test.cpp.
#include "models/fabric/wait_cycle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace braid::test::wait_cycle_test {
namespace {

using Things = std::vector<std::uint32_t>;

/// Things that wait for those named; those of no name for nothing.
class Named final : public models::Waiters {
 public:
  explicit Named(std::vector<Things> waits_for) : waits_for_(std::move(waits_for)) {}
  std::size_t count() const override { return waits_for_.size(); }
  bool waits(std::uint32_t i) const override { return !waits_for_[i].empty(); }
  Things waits_for(std::uint32_t i) const override { return waits_for_[i]; }
  std::string describe(std::uint32_t i) const override { return "thing " + std::to_string(i); }

 private:
  std::vector<Things> waits_for_;
};

/// Each waits for the next one, the last for the first; behind it one that leads there.
std::vector<Things> ring_of(std::uint32_t things) {
  std::vector<Things> all;
  for (std::uint32_t i = 0; i < things; ++i) all.push_back({(i + 1) % things});
  all.push_back({0});
  return all;
}
std::string list_to(std::uint32_t things) {
  std::string text;
  for (std::uint32_t i = 0; i < things; ++i) text += "\n  thing " + std::to_string(i);
  return text;
}

TEST(WaitReport, NamesTheThingsOfACycleTwentyFourAtMost) {
  EXPECT_EQ(report_waiting(Named(ring_of(3)), "things", "each needs the next"),
            "\ncycle of 3 waiting things, each needs the next:" + list_to(3));
  EXPECT_EQ(report_waiting(Named(ring_of(24)), "things", "each"), "\ncycle of 24 waiting things, each:" + list_to(24));
  EXPECT_EQ(report_waiting(Named(ring_of(25)), "queues", "each"),
            "\ncycle of 25 waiting queues, each:" + list_to(24) + "\n  … and 1 more");
  EXPECT_EQ(report_waiting(Named(ring_of(60)), "queues", "each"),
            "\ncycle of 60 waiting queues, each:" + list_to(24) + "\n  … and 36 more");
}

TEST(WaitReport, NamesWhateverWaitsWhereThereIsNoCycle) {
  EXPECT_EQ(report_waiting(Named({{1}, {2}, {}, {}, {2, 3}}), "things", "each"),
            "\nno cycle among things; these wait:\n  thing 0\n  thing 1\n  thing 4");
  EXPECT_EQ(report_waiting(Named({{}, {}}), "things", "each"), "\nno cycle among things; these wait:");
}

/// In the order in which they wait for each other, from whichever of them the search came upon.
TEST(WaitCycle, HasEachWaitingForTheNext) {
  const std::vector<Things> graph{{3}, {4, 0}, {1}, {2, 5}, {}, {}};  // 0 - 3 - 2 - 1 - 0
  const Things cycle = models::find_wait_cycle(Named(graph));
  ASSERT_EQ(cycle.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Things& next = graph[cycle[i]];
    EXPECT_NE(std::find(next.begin(), next.end(), cycle[(i + 1) % 4]), next.end()) << i;
  }
}

}  // namespace
}  // namespace braid::test::wait_cycle_test
