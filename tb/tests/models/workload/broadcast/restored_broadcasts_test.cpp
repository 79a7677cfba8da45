// What a checkpoint may bring to broadcasts, consistency events and broadcasts by line: places that there are, as many
// as there are, and nothing that ends before it begins. And what broadcasts say of themselves while a message travels.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/workload/broadcast/broadcast_by_line.h"
#include "models/workload/broadcast/broadcast_workload.h"
#include "models/workload/broadcast/consistency_workload.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/saved.h"

namespace braid::test::restored_broadcasts_test {
namespace {

using models::Experiment;
using State = models::Workload::State;

Experiment row(std::uint32_t width, const std::string& operation, const std::string& scheme) {
  Experiment e;
  e.set("topology.width", width).set("topology.height", 1);
  e.open("broadcast");
  e.set("broadcast.operation", operation).set("broadcast.scheme", scheme);
  return e;
}

models::Workload& workload_of(const Bench& bench) { return *bench.network->workloads().front(); }

template <class Number>
Number number(const std::string& bytes, std::size_t before_end) {
  Number value{};
  std::memcpy(&value, bytes.data() + bytes.size() - before_end, sizeof value);
  return value;
}
template <class Number>
std::string with(std::string bytes, std::size_t before_end, Number value) {
  std::memcpy(bytes.data() + bytes.size() - before_end, &value, sizeof value);
  return bytes;
}
std::string said_of(const Bench& into, const std::string& bytes) {
  return complaint<CheckpointError>([&] { restore(workload_of(into), bytes); });
}

// ---------------------------------------------------------------- room for messages

/// The last word of a node that it has room, of this cycle, is the end of what is saved: the cycle, from whom, to whom.
TEST(RestoredBroadcasts, HaveRoomBetweenPositionsThatTellEachOther) {
  Experiment e = row(4, "broadcast", "unicast");  // the root tells three, they answer
  e.set("broadcast.buffer_messages", 1).set("broadcast.burst", 8);
  Bench bench(e);
  const Bench other(e);
  std::string bytes = saved(workload_of(bench));
  for (int i = 0; i < 500; ++i) {
    bench.run(1);
    bytes = saved(workload_of(bench));
    if (number<std::uint64_t>(bytes, 24) == 1 && number<std::uint64_t>(bytes, 16) == bench.network->now() - 1) break;
  }
  ASSERT_EQ(number<std::uint64_t>(bytes, 24), 1U) << "one has been told of";
  constexpr std::size_t kFrom = 8, kTo = 4;
  const auto from = number<std::uint32_t>(bytes, kFrom), to = number<std::uint32_t>(bytes, kTo);
  ASSERT_LT(from, 4U);
  ASSERT_LT(to, 4U);
  EXPECT_EQ(said_of(other, bytes), "");
  EXPECT_EQ(said_of(other, with(bytes, kFrom, 4U)), "position 4, here are 4");
  EXPECT_EQ(said_of(other, with(bytes, kTo, 4U)), "position 4, here are 4");
  const std::string nobody = no_such_state("room for a message that nobody sends");
  EXPECT_EQ(said_of(other, with(with(bytes, kFrom, 1U), kTo, 2U)), nobody);
  EXPECT_EQ(said_of(other, with(with(bytes, kFrom, 1U), kTo, 0U)), "") << "an answer";
}

/// A packet to all at once waits for no room.
TEST(BroadcastInput, OfOnePacketToAllHasNoBoundedBuffers) {
  Experiment e = row(3, "broadcast", "router_multicast");
  EXPECT_EQ(refusal(e), "");
  e.set("broadcast.buffer_messages", 1);
  EXPECT_EQ(refusal(e),
            "broadcast.scheme = \"router_multicast\": one packet to all does not wait for room at each; expected "
            "broadcast.buffer_messages = 0");
}

/// Only the broadcast that is said, and only of the node that is said, is not passed on: of the root's packet to all,
/// and of an answer to it.
TEST(SilentNode, KeepsOneBroadcastToItself) {
  for (const std::uint32_t silent : {0U, 1U}) {
    Experiment e = row(3, "broadcast", "router_multicast");
    e.set("broadcast.timeout_cycles", 300).set("broadcast.silent_broadcast", 2).set("broadcast.silent_node", silent);
    Bench bench(e);
    bench.network->window() = {true, 0, 1000};
    bench.run(2000);
    const models::BroadcastResults r = bench.network->workload<models::BroadcastWorkload>()->results();
    ASSERT_EQ(r.unacknowledged.size(), 1U) << silent;
    EXPECT_EQ(r.unacknowledged[0].rfind("broadcast 2: node " + std::to_string(silent) + " (", 0), 0U)
        << r.unacknowledged[0];
    EXPECT_EQ(r.unacknowledged[0].find("did not pass it on") != std::string::npos, silent == 0);
    EXPECT_GT(r.completed, 10U);
  }
}

// ---------------------------------------------------------------- consistency events

/// Two nodes, root 0, requests of node 1. Before the end stand: is it stopped, what was sent (nothing while no window
/// is open), the tally of 104 bytes, of each node what it has asked for (35 bytes), of the root who has asked it;
/// before each list its length.
struct Requests {
  enum : std::size_t {
    kOwes = 1 + 16 + 112 + 4,      // the last number of the last node
    kOwed = kOwes + 8,             // how many
    kNumber = kOwed + 4,           // of its broadcast
    kRoot = kNumber + 8 + 4 + 4,   // begin, how often, whom it asks
    kAsked = kRoot + 3 + 35 + 12,  // the last of those who have asked the root
    kPlaces = kAsked - 4 + 64 + 8  // how many places of them
  };
  Requests() : bench(of()), other(of()), bytes(saved(workload_of(bench))) {}
  static Experiment of() {
    Experiment e = row(2, "ownership", "unicast");
    e.set("broadcast.roots", std::vector<std::uint32_t>{0});
    e.set("broadcast.requesters", std::vector<std::uint32_t>{1});
    return e;
  }
  std::string said(std::size_t before_end, std::uint32_t value) const {
    return said_of(other, with(bytes, before_end, value));
  }
  /// With a number less in a list.
  std::string shorter(std::size_t count, std::size_t last, std::uint64_t size) const {
    std::string cut = with(bytes, count, size);
    cut.erase(cut.size() - last, 4);
    return said_of(other, cut);
  }
  Bench bench, other;
  std::string bytes;
};

TEST(RestoredRequests, AreOfRootsAndPositionsThatThereAre) {
  const Requests r;
  ASSERT_EQ(number<std::uint32_t>(r.bytes, Requests::kOwes), UINT32_MAX);
  ASSERT_EQ(number<std::uint64_t>(r.bytes, Requests::kOwed), 1U);
  ASSERT_EQ(number<std::uint32_t>(r.bytes, Requests::kNumber), UINT32_MAX);
  ASSERT_EQ(number<std::uint64_t>(r.bytes, Requests::kPlaces), 4U * 2 + 8);
  EXPECT_EQ(said_of(r.other, r.bytes), "");
  EXPECT_EQ(r.said(Requests::kRoot, 1), "root 1, here are 1");
  EXPECT_EQ(r.said(Requests::kAsked, 1), "");
  EXPECT_EQ(r.said(Requests::kAsked, 2), "position 2, here are 2");
  EXPECT_EQ(r.shorter(Requests::kOwed, Requests::kOwes, 0), no_such_state("what a node owes"));
  EXPECT_EQ(r.shorter(Requests::kPlaces, Requests::kAsked, 15), no_such_state("a root's requests"));
}

/// While measuring, what was sent stands before the last byte, by both positions in one number. Restored it counts on.
TEST(RestoredRequests, KeepWhatWasSentWhileMeasuring) {
  Requests r;
  r.bench.network->window() = {true, 0, 1000};
  r.bench.run(12);
  const std::string bytes = saved(workload_of(r.bench));
  const auto flows = workload_of(r.bench).flows(1000);
  ASSERT_EQ(flows.size(), 1U) << "the request";
  ASSERT_EQ(number<std::uint64_t>(bytes, 1 + 8), 1U) << "of one flit";
  constexpr std::size_t kTo = 1 + 16, kFrom = kTo - 4;
  ASSERT_EQ(number<std::uint32_t>(bytes, kFrom), 1U);
  ASSERT_EQ(number<std::uint32_t>(bytes, kTo), 0U);
  EXPECT_EQ(said_of(r.other, bytes), "");
  const auto restored = workload_of(r.other).flows(1000);
  ASSERT_EQ(restored.size(), 1U);
  EXPECT_EQ(restored[0].source, NodeId{1});
  EXPECT_EQ(restored[0].destination, NodeId{0});
  EXPECT_EQ(restored[0].weight, flows[0].weight);
  EXPECT_EQ(said_of(r.other, with(bytes, kFrom, 2U)), "position 2, here are 2");
  EXPECT_EQ(said_of(r.other, with(bytes, kTo, 2U)), "position 2, here are 2");
}

// ---------------------------------------------------------------- by line

/// Behind the cycles in which those under way began stand how many are complete, were at the last look, are unfinished,
/// when the burst began, and is it stopped.
TEST(RestoredLine, EndsNothingBeforeItBegins) {
  Experiment e = row(4, "broadcast", "spanning_tree");
  e.close("broadcast");
  e.open("broadcast");
  e.set("broadcast.medium", "line").set("broadcast.scheme", "spanning_tree");
  Bench bench(e);
  const Bench other(e);
  bench.run(50);
  const std::string bytes = saved(workload_of(bench));
  constexpr std::size_t kCompleted = 1 + 4 * 8, kBegan = kCompleted + 8, kUnderWay = kBegan + 8;
  const auto completed = number<std::uint64_t>(bytes, kCompleted);
  ASSERT_GT(completed, 0U);
  ASSERT_EQ(number<std::uint64_t>(bytes, kUnderWay), 1U);
  ASSERT_LT(number<std::uint64_t>(bytes, kBegan), 50U);
  EXPECT_EQ(said_of(other, bytes), "");
  const std::string wrong = no_such_state("a broadcast that ends before it begins");
  EXPECT_EQ(said_of(other, with(bytes, kCompleted, completed + 1)), wrong);
  EXPECT_EQ(said_of(other, with(bytes, kCompleted, completed - 1)), wrong) << "two would be under way";
  std::string none = with(with(bytes, kUnderWay, std::uint64_t{0}), kCompleted, completed + 1);
  none.erase(none.size() - kBegan, 8);
  EXPECT_EQ(said_of(other, none), wrong) << "complete before the line has it";
}

// ---------------------------------------------------------------- for the watchdog

/// The root's message is made in 2 and is at the other node 13 cycles later (docs/router.md); while it travels nobody
/// computes. With a timeout the root counts.
TEST(BroadcastState, WaitsWhileAMessageTravels) {
  for (const char* operation : {"broadcast", "shoot_down", "all_reduce"}) {
    Bench bench(row(2, operation, "unicast"));
    EXPECT_EQ(workload_of(bench).state(), State::kBusy) << operation << ": it is to begin in cycle 1";
    bench.run(8);
    EXPECT_EQ(workload_of(bench).state(), State::kWaiting) << operation;
    bench.run(8);
    EXPECT_EQ(workload_of(bench).state(), State::kBusy) << operation << ": the message has come";
  }
  Experiment e = row(2, "broadcast", "unicast");
  e.set("broadcast.timeout_cycles", 1000);
  Bench counting(e);
  counting.run(8);
  EXPECT_EQ(workload_of(counting).state(), State::kBusy);
}

/// A gap is counted: nobody waits for anything.
TEST(BroadcastState, IsBusyBetweenBursts) {
  for (const char* operation : {"broadcast", "shoot_down", "all_reduce"}) {
    Experiment e = row(2, operation, "unicast");
    e.set("broadcast.gap_cycles", 1000);
    Bench bench(e);
    bench.run(200);
    EXPECT_EQ(workload_of(bench).state(), State::kBusy) << operation;
    EXPECT_EQ(bench.network->conservation().packets_in_flight, 0U) << operation;
  }
}

}  // namespace
}  // namespace braid::test::restored_broadcasts_test
