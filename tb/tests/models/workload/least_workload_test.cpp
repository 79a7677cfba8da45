// What a workload of one's own need not say: one that does no more than it must makes packets by itself, waits for each
// of them, never holds up a run and cannot be in a checkpoint.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/observe/signals.h"
#include "models/workload/workload.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::least_workload_test {
namespace {

struct Least final : models::Workload {
  std::vector<std::string> classes() const override { return {"least"}; }
  std::vector<std::string> kinds() const override { return {"least"}; }
  void open(std::size_t, const std::vector<NodeId>&, models::Outlet&) override {}
  void generate(std::size_t slice, std::uint64_t cycle) override { asked.emplace_back(slice, cycle); }
  void deliver(std::size_t, std::uint64_t, const models::Packet&) override {}
  std::vector<std::pair<std::size_t, std::uint64_t>> asked;
};

TEST(LeastWorkload, SendsByItselfInOneNetworkBehindSyntheticTraffic) {
  Least least;
  models::Workload& any = least;
  EXPECT_TRUE(any.sends_packets());
  EXPECT_TRUE(any.sends_by_itself());
  EXPECT_EQ(any.order(), 1U) << "synthetic sources have 0";
  EXPECT_FALSE(any.class_subnets().has_value());
  EXPECT_TRUE(any.name_streams().empty());
  EXPECT_NO_THROW(any.check_for_users());
}

/// Whatever comes it takes, and of what is lost it is told nothing that it bears.
TEST(LeastWorkload, TakesWhatComesAndWaitsForAllOfIt) {
  Least least;
  models::Workload& any = least;
  const models::Packet packet;
  EXPECT_TRUE(any.admit(packet));
  EXPECT_EQ(any.blocked(), "");
  any.sent(packet);
  any.lost(0, packet);
  EXPECT_FALSE(any.bears_losses());
  EXPECT_TRUE(any.knows(packet));
}

/// To the run's controller and the watchdog.
TEST(LeastWorkload, HasNothingToDoAndComesOn) {
  Least least;
  models::Workload& any = least;
  EXPECT_EQ(any.state(), models::Workload::State::kIdle);
  EXPECT_TRUE(any.advanced());
  EXPECT_TRUE(any.advanced()) << "always";
  EXPECT_FALSE(any.acts_between_cycles());
  any.end_cycle(5);
  any.stop();
  any.begin_window();
  any.end_batch();
  EXPECT_FALSE(any.open_loop());
  EXPECT_EQ(any.held_packets(), 0U);
  EXPECT_TRUE(any.stalled_source_cycles(0).empty());
}

TEST(LeastWorkload, SaysNothingOfItself) {
  Least least;
  models::Workload& any = least;
  models::SignalTable table;
  EXPECT_TRUE(any.flows(1000).empty());
  EXPECT_EQ(any.signals(table), nullptr);
  EXPECT_TRUE(table.signals().empty());
  EXPECT_EQ(any.event_line(), nullptr);
  EXPECT_TRUE(any.report(1000).figures.empty());
  EXPECT_EQ(complaint<CheckpointError>([&] { saved(any); }), "this workload has no checkpoint()");
}

/// One thread that runs all slices asks each of them, once and in their order.
TEST(LeastWorkload, IsAskedOfEachSlice) {
  Least least;
  models::Workload& any = least;
  any.generate_all(3, 7);
  EXPECT_EQ(least.asked, (std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 7}, {1, 7}, {2, 7}}));
}

}  // namespace
}  // namespace braid::test::least_workload_test
