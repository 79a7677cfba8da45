// When a step's clock asks its stages for work, and when it wakes them all: most of them were busy a moment ago, or a
// test wants them in an order of its own. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/stages/base/stage.h"
#include "models/stages/base/step_clock.h"

namespace braid::test::step_clock_work_test {
namespace {

using models::stages::Stage;
using models::stages::StepClocks;
using Cycles = std::vector<std::uint64_t>;

class Worker final : public Stage {
 public:
  explicit Worker(const std::string& name) : Stage(name.c_str()) {}
  bool has_work(std::uint64_t cycle) override {
    asked.push_back(cycle);
    return works;
  }
  bool works = true;
  Cycles ran, asked;

 private:
  void step(std::uint64_t cycle) override { ran.push_back(cycle); }
};

struct Crowd {
  explicit Crowd(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      workers.emplace_back("worker_" + std::to_string(i)).clk_i(clocks[0]);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void busy(std::size_t count) {
    for (std::size_t i = 0; i < workers.size(); ++i) workers[i].works = i < count;
  }
  bool cycle(std::uint64_t number) {
    clocks.begin(number);
    const bool any = clocks[0].rise();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return any;
  }
  StepClocks clocks{1};
  std::deque<Worker> workers;
};

/// All had work, so nobody is asked at the next three edges.
TEST(StepClockWork, IsAskedForAgainAtTheFourthEdgeAfterMostHadSome) {
  Crowd crowd(3);
  EXPECT_TRUE(crowd.cycle(0));
  crowd.busy(1);
  for (std::uint64_t cycle = 1; cycle < 6; ++cycle) EXPECT_TRUE(crowd.cycle(cycle));
  EXPECT_EQ(crowd.workers[0].ran, (Cycles{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(crowd.workers[1].ran, (Cycles{0, 1, 2, 3}));
  EXPECT_EQ(crowd.workers[2].ran, (Cycles{0, 1, 2, 3}));
  EXPECT_EQ(crowd.workers[2].asked, (Cycles{0, 4, 5}));
  crowd.busy(0);
  EXPECT_FALSE(crowd.cycle(6));
  EXPECT_EQ(crowd.workers[0].ran.size(), 6U);
}

/// Three of five are most of them, two are not, nor are four of seven: whoever has nothing to do sleeps.
class StepClockShare : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {};

TEST_P(StepClockShare, OfThreeInFiveWakesAll) {
  const auto [busy, all] = GetParam();
  Crowd crowd(all);
  crowd.busy(busy);
  EXPECT_TRUE(crowd.cycle(0));
  const bool most = 5 * busy >= 3 * all;
  for (std::size_t i = 0; i < all; ++i) EXPECT_EQ(crowd.workers[i].ran.size(), i < busy || most ? 1U : 0U) << i;
}
INSTANTIATE_TEST_SUITE_P(Of, StepClockShare,
                         testing::Values(std::pair{3, 5}, std::pair{2, 5}, std::pair{4, 7}, std::pair{1, 1},
                                         std::pair{6, 10}, std::pair{11, 20}),
                         [](const auto& c) {
                           return std::to_string(c.param.first) + "_of_" + std::to_string(c.param.second);
                         });

/// What is beside a stage that its clock may call, and how the stage ran.
struct Desk {
  std::string in_place, by_process;
};

class InPlace final : public Stage {
 public:
  using Looked = Desk;
  InPlace(const char* name, Desk& desk) : Stage(name), desk_(desk) {}
  Desk* looked() const { return &desk_; }
  static bool has_work_in(InPlace&, Desk*, std::uint64_t) { return true; }
  static void run_in(InPlace& stage, Desk* desk, std::uint64_t) { desk->in_place += stage.name(); }

 private:
  void join(models::stages::StepClock& clock) override { clock.add_in_place(*this); }
  void step(std::uint64_t) override { desk_.by_process += name(); }
  Desk& desk_;
};

/// One order a process.
class OrdersInPlace : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OrdersInPlace, AreThoseThatATestWants) {
  setenv("BRAID_PROCESS_ORDER", GetParam().first, 1);
  StepClocks clocks(1);
  Desk desk;
  InPlace a("a", desk), b("b", desk), c("c", desk);
  for (InPlace* stage : {&a, &b, &c}) stage->clk_i(clocks[0]);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  clocks.begin(0);
  EXPECT_TRUE(clocks[0].rise());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(desk.by_process, GetParam().second);
  EXPECT_EQ(desk.in_place, "");
  clocks.finish();
  EXPECT_EQ(desk.by_process, GetParam().second) << "once";
}
INSTANTIATE_TEST_SUITE_P(As, OrdersInPlace, testing::Values(std::pair{"forward", "abc"}, std::pair{"backward", "cba"}),
                         [](const auto& order) { return order.param.first; });

/// Only those of the present step run, and a clock's name tells which step it is.
TEST(StepClocks, AreNumberedByTheirSteps) {
  StepClocks clocks(3);
  EXPECT_EQ(clocks.size(), 3U);
  EXPECT_STREQ(clocks[0].name(), "clk");
  EXPECT_STREQ(clocks[1].name(), "clk_1");
  EXPECT_STREQ(clocks[2].name(), "clk_2");
  EXPECT_STREQ(clocks[0].kind(), "step_clock");
  clocks.begin(9);
  EXPECT_EQ(clocks[2].cycle(), 9U);
  EXPECT_TRUE(clocks[1].read()) << "as at its edge";
  EXPECT_FALSE(clocks[1].event()) << "which has not been";
  EXPECT_FALSE(clocks[1].posedge());
  EXPECT_FALSE(clocks[1].negedge()) << "it has no other one";
}

}  // namespace
}  // namespace braid::test::step_clock_work_test
