// What a scheduler and a gate of one's own need not say: one that does no more than it must is asked for nothing else,
// and cannot be in a checkpoint.
#include <gtest/gtest.h>

#include <string>

#include "models/injection/injection_point.h"
#include "routing/base/checkpoint.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::policy_defaults_test {
namespace {

using models::PacketSlot;

struct LeastScheduler final : models::InjectionScheduler {
  void push(PacketSlot) override { ++packets; }
  PacketSlot pop() override { return static_cast<PacketSlot>(--packets); }
  std::size_t size() const override { return packets; }
  std::size_t packets = 0;
};

TEST(InjectionScheduler, SaysOnlyWhatItMust) {
  LeastScheduler scheduler;
  models::InjectionScheduler& any = scheduler;
  any.push(7);
  EXPECT_FALSE(any.selects());
  EXPECT_TRUE(any.select([](PacketSlot) { return false; })) << "it does not look";
  EXPECT_FALSE(any.preempts());
  any.put_back(7);
  EXPECT_EQ(any.size(), 1U);
  EXPECT_TRUE(any.report().figures.empty());
  EXPECT_EQ(complaint<CheckpointError>([&] { saved(any); }), "this interface.scheduler has no checkpoint()");
}

struct LeastGate final : models::InjectionGate {
  bool open(NodeId) const override { return true; }
  void passed(NodeId) override {}
  void end_cycle(std::uint64_t, const Waiting&) override {}
};

TEST(InjectionGate, SaysOnlyWhatItMust) {
  LeastGate gate;
  models::InjectionGate& any = gate;
  models::SignalTable table;
  EXPECT_EQ(any.complaint(1000, [](NodeId) { return std::size_t{1}; }), "");
  any.begin_window();
  EXPECT_TRUE(any.report().figures.empty());
  EXPECT_EQ(any.signals(table), nullptr);
  EXPECT_TRUE(table.signals().empty());
  EXPECT_EQ(complaint<CheckpointError>([&] { saved(any); }), "this interface.fairness has no checkpoint()");
}

}  // namespace
}  // namespace braid::test::policy_defaults_test
