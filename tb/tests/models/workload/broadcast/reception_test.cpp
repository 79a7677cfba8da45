// The deque of a node's own tasks beside its messages, and separate reception buffers of bounded size: which task is
// taken, what reorders, and what happens where there is no room. (Every message to its cycle: tb/python/rings.)
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/workload/broadcast/reception_buffers.h"
#include "models/workload/broadcast/task_processor.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::reception_test {
namespace {

using models::OwnTasks;
using models::ReceptionBuffers;
using models::TaskProcessor;
using Task = TaskProcessor::Task;
using Kind = Task::Kind;

// ---------------------------------------------------------------- which task is next

struct Nothing final : TaskProcessor::Effects {
  void send(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void send_to_all(std::uint64_t, std::uint32_t) override {}
  void enqueue(std::uint64_t, const Task&) override {}
  void issued(std::uint64_t, std::uint32_t) override {}
  void completed(std::uint64_t, std::uint32_t) override {}
  void done(std::uint64_t, std::uint32_t) override {}
  void handled(std::uint64_t, std::uint32_t) override {}
  void said(std::uint64_t, const Task&) override {}
  void listened(std::uint64_t, const Task&) override {}
  void refused(const std::string&) override {}
};

/// A gather position of two, with events as tasks of their own.
struct Gather {
  explicit Gather(OwnTasks own = OwnTasks::kWithMessages, bool last_task_first = false)
      : processor({}, false, true, {traffic::BroadcastStation(1, part, false)}, {own, last_task_first}) {}
  void queue(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) processor.enqueue(task);
  }
  /// Kind and number of every task that is taken, in this order; `most` of them.
  std::vector<std::pair<Kind, std::uint32_t>> taken(std::size_t most = 100) {
    std::vector<std::pair<Kind, std::uint32_t>> all;
    while (all.size() < most && processor.front() != nullptr) {
      all.emplace_back(processor.front()->kind, processor.front()->broadcast);
      processor.take(1000 * all.size(), nothing);
      EXPECT_EQ(processor.task().broadcast, all.back().second);
    }
    return all;
  }
  const traffic::BroadcastPart part{"gather", {3, 4}, {}, {0}};
  Nothing nothing;
  TaskProcessor processor;
};

using Taken = std::vector<std::pair<Kind, std::uint32_t>>;
const std::vector<Task> kMixed{{Kind::kHear, 5, 3}, {Kind::kHandle, 1}, {Kind::kHear, 6, 3}, {Kind::kHandle, 2}};

TEST(OwnTasks, WaitWithMessagesOrGoBeforeOrAfterThemOldestOrNewestFirst) {
  const std::pair<Kind, std::uint32_t> h5{Kind::kHear, 5}, h6{Kind::kHear, 6}, e1{Kind::kHandle, 1},
      e2{Kind::kHandle, 2};
  const struct {
    OwnTasks own;
    bool last_task_first;
    Taken order;
  } cases[] = {{OwnTasks::kWithMessages, false, {h5, e1, h6, e2}},
               {OwnTasks::kBeforeMessages, false, {e1, e2, h5, h6}},
               {OwnTasks::kBeforeMessages, true, {e2, e1, h5, h6}},
               {OwnTasks::kAfterMessages, false, {h5, h6, e1, e2}},
               {OwnTasks::kAfterMessages, true, {h5, h6, e2, e1}}};
  for (const auto& c : cases) {
    Gather gather(c.own, c.last_task_first);
    gather.queue(kMixed);
    EXPECT_EQ(gather.processor.waiting(), 4U);
    EXPECT_EQ(gather.taken(), c.order) << static_cast<int>(c.own) << c.last_task_first;
  }
}

/// Broadcast 1 has begun here. 2 has not: neither its message from 3 is taken nor what is behind it in 3's buffer.
TEST(OwnTasks, LeaveWhatWouldBeginABroadcastWhileMessagesOfTheNodeWait) {
  Gather gather;
  gather.queue({{Kind::kHear, 1, 3}});
  gather.taken(1);
  gather.processor.begin_new(false);
  gather.queue({{Kind::kHear, 2, 3}, {Kind::kStart, 7}, {Kind::kHear, 1, 3}, {Kind::kHear, 1, 4}, {Kind::kHandle, 1}});
  EXPECT_EQ(gather.taken(), (Taken{{Kind::kHear, 1}, {Kind::kHandle, 1}}));
  EXPECT_EQ(gather.processor.waiting(), 3U);
  gather.processor.begin_new(true);
  EXPECT_EQ(gather.taken(), (Taken{{Kind::kHear, 2}, {Kind::kStart, 7}, {Kind::kHear, 1}}));
}

// ---------------------------------------------------------------- buffers

TEST(ReceptionBuffers, HoldWhatHasNoRoomUntilThereIsSome) {
  const std::vector<traffic::BroadcastPart> parts{{"root", {}, {1, 2}, {}}, {"", {0}, {}, {0}}, {"", {0}, {}, {0}}};
  ReceptionBuffers buffers(parts, 2);
  EXPECT_TRUE(buffers.send(0, 1, 10));
  EXPECT_TRUE(buffers.send(0, 1, 11));
  EXPECT_FALSE(buffers.send(0, 1, 12));
  EXPECT_FALSE(buffers.send(0, 1, 13));
  EXPECT_TRUE(buffers.send(0, 2, 10)) << "another node's buffer";
  EXPECT_TRUE(buffers.any_waits(0));
  EXPECT_FALSE(buffers.any_waits(1));
  EXPECT_EQ(buffers.room(0, 1), 12U);
  EXPECT_EQ(buffers.room(0, 1), 13U);
  EXPECT_FALSE(buffers.any_waits(0));
  EXPECT_EQ(buffers.room(0, 1), std::nullopt);
  EXPECT_TRUE(buffers.send(0, 1, 14)) << "into the room that nobody waited for";
  EXPECT_FALSE(buffers.send(0, 1, 15));
  ReceptionBuffers none(parts, 0);
  for (std::uint32_t b = 0; b < 100; ++b) EXPECT_TRUE(none.send(0, 1, b));
}

struct Message {
  std::string kind;
  int source, destination, broadcast, created;
};
std::vector<Message> messages_of(const std::string& run) {
  const std::string log = temporary_file("reception.csv");
  results(run + " --set log.file=" + log);
  std::vector<Message> all;
  std::istringstream lines(content(log));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    if (fields.at(0) != "broadcast" && fields.at(0) != "room") continue;
    all.push_back({fields.at(0), std::stoi(fields.at(6)), std::stoi(fields.at(7)), std::stoi(fields.at(4)),
                   std::stoi(fields.at(10))});
  }
  std::stable_sort(all.begin(), all.end(), [](const Message& a, const Message& b) { return a.created < b.created; });
  return all;
}

std::string burst(const std::string& more) {
  return experiment("broadcast") +
         " --set topology.width=4 --set topology.height=4 --set broadcast.burst=40 --set broadcast.gap_cycles=0 "
         "--set broadcast.receive_cycles=30 --set broadcast.send_cycles=2 --set broadcast.settle_cycles=9 "
         "--set broadcast.after_cycles=5 --set simulation.max_warmup_cycles=1000 "
         "--set simulation.measure_cycles=20000 " +
         more;
}

/// What a buffer holds, with what is under way to it, from the packets alone: sent, and not taken, which the node says
/// by a packet in the same cycle.
TEST(ReceptionBuffers, NeverHoldMoreAndBroadcastsComeThroughWithRoomForOne) {
  for (const std::string scheme : {"diamond_ring", "balanced_tree"}) {
    for (const int room : {1, 3}) {
      std::map<std::pair<int, int>, int> held;
      int most = 0;
      std::size_t rooms = 0, broadcasts = 0;
      for (const Message& m : messages_of(burst("--set broadcast.scheme=" + scheme +
                                                " --set broadcast.buffer_messages=" + std::to_string(room)))) {
        const bool is_room = m.kind == "room";
        ++(is_room ? rooms : broadcasts);
        most = std::max(most, is_room ? held[{m.destination, m.source}]-- : ++held[{m.source, m.destination}]);
      }
      EXPECT_EQ(most, room) << scheme;
      EXPECT_GT(broadcasts, 1000U) << scheme;
      EXPECT_GE(rooms + 30 * static_cast<std::size_t>(room), broadcasts)
          << scheme << ": more wait than all buffers hold";
    }
  }
}

TEST(ReceptionBuffers, AreTheSameInEveryScheduleAndWithAnyThreads) {
  const auto set = [](const std::string& key, const std::string& value) { return "--set " + key + "=" + value + " "; };
  const std::string run =
      burst(set("broadcast.buffer_messages", "2") + set("broadcast.queued_events", "true") +
            set("broadcast.own_tasks", "after_messages") + set("broadcast.last_task_first", "true"));
  const auto first = results(run);
  EXPECT_GT(first.at("broadcast").at("completed").to_number<int>(), 40);
  for (const char* how : {"--set simulation.schedule=process_per_stage", "--threads 2", "--threads 4"}) {
    const auto other = results(run + how);
    EXPECT_EQ(other.at("packet_hash"), first.at("packet_hash")) << how;
    EXPECT_EQ(other.at("broadcast"), first.at("broadcast")) << how;
  }
}

// ---------------------------------------------------------------- local reordering

/// Nodes that pass broadcasts on out of their numbers' order, of those that hear one other only: over a network that
/// keeps every pair's messages in order, so that what reorders is the node.
std::size_t out_of_order(const std::string& more) {
  std::map<int, std::vector<int>> sent;
  const int first_of_one = 7;  // 1 to 6 gather
  for (const Message& m :
       messages_of(burst("--set broadcast.queued_events=true --set broadcast.event_cycles=20 " + more))) {
    if (m.source >= first_of_one) sent[m.source].push_back(m.broadcast);
  }
  EXPECT_EQ(sent.size(), 9U);
  return static_cast<std::size_t>(std::count_if(sent.begin(), sent.end(), [](const auto& node) {
    return !std::is_sorted(node.second.begin(), node.second.end());
  }));
}

TEST(OwnTasks, ReorderBroadcastsInADequeWhoseNewestGoesFirstUnlessTheyAreSequenced) {
  const std::string deque = "--set broadcast.own_tasks=after_messages ",
                    newest = "--set broadcast.last_task_first=true ";
  EXPECT_EQ(out_of_order(""), 0U);
  EXPECT_EQ(out_of_order(deque), 0U);
  EXPECT_GT(out_of_order(deque + newest), 4U);
  EXPECT_EQ(out_of_order(deque + newest + "--set broadcast.sequenced=true "), 0U);
}

}  // namespace
}  // namespace braid::test::reception_test
