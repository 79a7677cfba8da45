// The message scheduler alone, at signals: whose packet asks for the node's port (docs/po2.md; po2-message-scheduling,
// sections 4 and 5).
#include "models/stages/po2/message_scheduler.h"

#include <gtest/gtest.h>

#include "tb/tests/support/po2_stage.h"

namespace braid::test::message_scheduler_view_test {
namespace {

using models::stages::po2::MessageScheduler;

struct Alone : Po2Stage<MessageScheduler> {
  explicit Alone(const std::string& scheduler, double alpha = 4.0) : Po2Stage(with(scheduler, alpha)) {}
  static models::Experiment with(const std::string& scheduler, double alpha) {
    models::Experiment e = small_po2(3, 1);
    e.set("message.packet_flits", 4);
    e.set("interface.scheduler", scheduler);
    if (scheduler == "alpha") e.set("message.alpha", alpha);
    return e;
  }
  /// A message comes in the next cycle.
  void message(std::uint64_t number, std::uint64_t packets, bool priority = false) {
    bench.set("arrival_packets_i", kNodeOf1, packets, 8);
    bench.set("arrival_message_i", kNodeOf1, number, 32);
    bench.set("arrival_priority_i", kNodeOf1, priority ? 1 : 0);
    bench.run();
    bench.set("arrival_packets_i", kNodeOf1, 0, 8);
  }
  /// The head is granted in the next cycle, and is on its way in for 6 more. The heads that ask then.
  std::uint64_t send() {
    const std::uint64_t sent = head();
    bench.set("grant_i", kNodeOf1);
    bench.run();
    bench.set("grant_i", kNodeOf1, 0);
    bench.set("receiving_i", kNodeOf1);
    EXPECT_EQ(bench.get("queued_o", kNodeOf1), 0U) << "it is on its way";
    bench.run(5);
    EXPECT_EQ(bench.get("queued_o", kNodeOf1), 0U);
    bench.set("receiving_i", kNodeOf1, 0);
    bench.run();
    return sent;
  }
  std::uint64_t head() const {
    return bench.get("queued_o", kNodeOf1) == 0 ? 0 : bench.get("head_message_o", kNodeOf1, 32);
  }
};

/// Alpha 4: message 7 of 25 packets has key 0 + 100, message 8 of 1 that comes in cycle 5 key 0 + 4. The first has not
/// begun to leave: its place is taken in cycle 5, and not before, and the age of the wait goes with the place.
TEST(MessageSchedulerAlone, LetsAShortMessagePreemptALongOneByAlpha) {
  Alone alone("alpha");
  alone.message(7, 25);
  EXPECT_EQ(alone.head(), 7U);
  EXPECT_EQ(alone.bench.get("head_since_o", kNodeOf1, 64), 1U) << "asks from the cycle after it came";
  alone.bench.run_to(5);
  EXPECT_EQ(alone.head(), 7U) << "cycle 4";
  alone.message(8, 1);
  EXPECT_EQ(alone.head(), 8U) << "cycle 5";
  EXPECT_EQ(alone.bench.get("head_since_o", kNodeOf1, 64), 1U);
  EXPECT_EQ(alone.send(), 8U);
  EXPECT_EQ(alone.head(), 7U);
}

/// A packet that is on its way in is not taken back.
TEST(MessageSchedulerAlone, DoesNotPreemptAPacketOnItsWay) {
  Alone alone("alpha");
  alone.message(7, 25);
  alone.bench.set("grant_i", kNodeOf1);
  alone.message(8, 1);
  alone.bench.set("grant_i", kNodeOf1, 0);
  alone.bench.set("receiving_i", kNodeOf1);
  EXPECT_EQ(alone.head(), 0U);
  alone.bench.run(6);
  alone.bench.set("receiving_i", kNodeOf1, 0);
  alone.bench.run();
  EXPECT_EQ(alone.head(), 8U) << "when the port is free again";
}

/// Three packets of message 1 and two of message 2, as they leave.
std::vector<std::uint64_t> order(const std::string& scheduler) {
  Alone alone(scheduler);
  alone.message(1, 3);
  alone.message(2, 2);
  std::vector<std::uint64_t> sent;
  for (int i = 0; i < 5; ++i) sent.push_back(alone.send());
  EXPECT_EQ(alone.head(), 0U) << "all have left";
  return sent;
}

using Order = std::vector<std::uint64_t>;
TEST(MessageSchedulerAlone, IsFirstInFirstOut) { EXPECT_EQ(order("fifo"), (Order{1, 1, 1, 2, 2})); }
/// Message 2 joins behind message 1, whose first packet had its turn before.
TEST(MessageSchedulerAlone, TakesTurnsByRoundRobin) { EXPECT_EQ(order("round_robin"), (Order{1, 1, 2, 1, 2})); }
TEST(MessageSchedulerAlone, SendsTheShortestMessageFirst) {
  EXPECT_EQ(order("shortest_first"), (Order{2, 2, 1, 1, 1}));
}

/// A node with two ports: a message waits at the one by which it came.
TEST(MessageSchedulerAlone, HasAQueueForEachPortOfANode) {
  models::Experiment e = Alone::with("fifo", 0.0);
  e.set("topology.local_ports", 2);
  Po2Stage<MessageScheduler> alone(e);
  StageOnSignals& b = alone.bench;
  for (const unsigned port : {kNodeOf1 + 1, kNodeOf1}) {
    b.set("arrival_packets_i", port, 2, 8);
    b.set("arrival_message_i", port, 30 + port, 32);
    b.run();
    b.set("arrival_packets_i", port, 0, 8);
    EXPECT_EQ(b.get("queued_o", 0, 6), port == kNodeOf1 ? 0b110000U : 0b100000U);
    EXPECT_EQ(b.get("head_message_o", port, 32), 30U + port);
  }
}

/// Message 2 of five packets comes later and is longer, and goes before the three of message 1: it has priority. None
/// of message 1's has begun to leave.
Order order_with_priority(const std::string& scheduler) {
  Alone alone(scheduler);
  alone.message(1, 3);
  EXPECT_EQ(alone.head(), 1U);
  alone.message(2, 5, true);
  Order sent;
  for (int i = 0; i < 8; ++i) sent.push_back(alone.send());
  EXPECT_EQ(alone.head(), 0U) << "all have left";
  return sent;
}

const Order kPriorityFirst{2, 2, 2, 2, 2, 1, 1, 1};
TEST(MessageSchedulerAlone, PutsPriorityBeforeTheShortestMessage) {
  EXPECT_EQ(order_with_priority("shortest_first"), kPriorityFirst);
}
TEST(MessageSchedulerAlone, PutsPriorityBeforeTurns) { EXPECT_EQ(order_with_priority("round_robin"), kPriorityFirst); }

/// A port that need not be bound is bound once at most.
TEST(MessageScheduler, HearsOfMessagesByOneSignal) {
  Alone alone("fifo");
  sc_core::sc_signal<models::stages::Bits> second("second");
  alone.module.arrival_packets_i(second);
  EXPECT_THROW(alone.bench.run(), sc_core::sc_report);
}

}  // namespace
}  // namespace braid::test::message_scheduler_view_test
