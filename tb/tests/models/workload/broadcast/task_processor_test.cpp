// A processor by itself: what each kind of task costs and what comes of it in which cycle, with costs that are all
// different; and what a checkpoint may bring to it and to the slice that steps it.
#include "models/workload/broadcast/task_processor.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "models/workload/broadcast/processor_slice.h"
#include "models/workload/broadcast/reception_buffers.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::task_processor_test {
namespace {

using models::OwnTasks;
using models::ProcessorCosts;
using models::ProcessorSlice;
using models::ReceptionBuffers;
using models::TaskProcessor;
using Task = TaskProcessor::Task;
using Kind = Task::Kind;

/// "what broadcast@cycle", in order.
struct Told final : TaskProcessor::Effects {
  void say(const char* what, std::uint64_t cycle, std::uint64_t which) {
    all += fmt::format("{} {}@{} ", what, which, cycle);
  }
  void send(std::uint64_t cycle, std::uint32_t, std::uint32_t to) override { say("to", cycle, to); }
  void send_to_all(std::uint64_t cycle, std::uint32_t b) override { say("all", cycle, b); }
  void enqueue(std::uint64_t cycle, const Task& task) override { say("queue", cycle, task.broadcast); }
  void issued(std::uint64_t cycle, std::uint32_t b) override { say("issued", cycle, b); }
  void completed(std::uint64_t cycle, std::uint32_t b) override { say("complete", cycle, b); }
  void done(std::uint64_t cycle, std::uint32_t b) override { say("done", cycle, b); }
  void handled(std::uint64_t cycle, std::uint32_t b) override { say("handled", cycle, b); }
  void said(std::uint64_t cycle, const Task& task) override { say("said", cycle, task.word); }
  void listened(std::uint64_t cycle, const Task& task) override { say("listened", cycle, task.word); }
  void refused(const std::string&) override { all += "refused "; }
  std::string all;
};

constexpr ProcessorCosts kCosts{3, 50, 17, 5, 13, 11, 7};  // receive, order, event, send, issue, settle, after

/// The root of three, of so many broadcast numbers' worth of stations.
struct Root {
  explicit Root(bool sequenced = false, bool queued_events = false, std::size_t stations = 1, OwnTasks own = {})
      : processor(kCosts, sequenced, queued_events, several(stations, sequenced), {own, false}) {}
  std::vector<traffic::BroadcastStation> several(std::size_t stations, bool sequenced) const {
    std::vector<traffic::BroadcastStation> all;
    for (std::size_t i = 0; i < stations; ++i) all.emplace_back(0, part, sequenced);
    return all;
  }
  /// The cycle from which it is free again, and what came of the task.
  std::pair<std::uint64_t, std::string> takes(std::uint64_t cycle, const Task& task) {
    processor.enqueue(task);
    Told told;
    const std::uint64_t free = processor.take(cycle, told);
    return {free, told.all};
  }
  const traffic::BroadcastPart part{"root", {1, 2}, {1, 2}, {}};
  TaskProcessor processor;
};
using Taken = std::pair<std::uint64_t, std::string>;

/// Two messages of 5, the issue of 13 and the event of 17; an acknowledgement costs 3 and 7, the last one 11 more, for
/// the broadcast is done.
TEST(TaskProcessor, OfARootPaysForWhatItDoes) {
  Root root;
  EXPECT_TRUE(root.processor.idle(0));
  EXPECT_EQ(root.takes(100, {Kind::kStart, 0}), (Taken{140, "to 1@105 to 2@110 issued 0@110 handled 0@140 "}));
  EXPECT_FALSE(root.processor.idle(139));
  EXPECT_TRUE(root.processor.idle(140));
  EXPECT_EQ(root.takes(200, {Kind::kHear, 0, 1}), (Taken{210, ""}));
  EXPECT_EQ(root.takes(300, {Kind::kHear, 0, 2}), (Taken{321, "complete 0@303 done 0@303 "}));
  EXPECT_EQ(root.takes(400, {Kind::kHear, 0, 2}), (Taken{410, "refused "})) << "twice";
}

/// A look at the number of each message, where broadcasts are sequenced.
TEST(TaskProcessor, OfSequencedBroadcastsPaysForTheirOrder) {
  Root root(true);
  EXPECT_EQ(root.takes(100, {Kind::kStart, 0}).first, 140U);
  EXPECT_EQ(root.takes(200, {Kind::kHear, 0, 1}), (Taken{260, ""}));
}

/// The event is put at the end of the queue when the messages are out; it is paid for when it is taken.
TEST(TaskProcessor, WithQueuedEventsPaysForThemLater) {
  Root root(false, true);
  EXPECT_EQ(root.takes(100, {Kind::kStart, 0}), (Taken{123, "to 1@105 to 2@110 queue 0@110 issued 0@110 "}));
  EXPECT_EQ(root.takes(200, {Kind::kHandle, 0}), (Taken{217, "handled 0@217 "}));
}

TEST(TaskProcessor, PaysForWordsLikeForMessages) {
  Root root;
  EXPECT_EQ(root.takes(100, {Kind::kSay, 0, 2, 9}), (Taken{105, "said 9@105 "}));
  EXPECT_EQ(root.takes(200, {Kind::kListen, 0, 2, 8}), (Taken{210, "listened 8@203 "}));
}

/// Broadcast b is one of station b modulo their number.
TEST(TaskProcessor, HasAStationForEachOfSeveralRoots) {
  Root root(false, false, 2);
  EXPECT_EQ(root.processor.broadcasts_under_way(), 0U);
  EXPECT_EQ(root.takes(100, {Kind::kStart, 4}).second, "to 1@105 to 2@110 issued 4@110 handled 4@140 ");
  EXPECT_EQ(root.processor.broadcasts_under_way(), 1U);
  EXPECT_EQ(root.takes(200, {Kind::kStart, 5}).second, "to 1@205 to 2@210 issued 5@210 handled 5@240 ");
  EXPECT_EQ(root.processor.broadcasts_under_way(), 2U);
  EXPECT_EQ(root.processor.station(0).under_way(), 1U);
  EXPECT_TRUE(root.processor.station(1).has_begun(2)) << "5 is number 2 of station 1";
  EXPECT_FALSE(root.processor.station(1).has_begun(4));
  root.takes(300, {Kind::kHear, 4, 1});
  EXPECT_EQ(root.takes(400, {Kind::kHear, 4, 2}).second, "complete 4@403 done 4@403 ");
  EXPECT_EQ(root.processor.broadcasts_under_way(), 1U);
}

// ---------------------------------------------------------------- checkpoints

/// From position 4 on, of five positions or of four: in either queue, and in the task that is at work.
TEST(RestoredProcessor, HasTasksOfPositionsThatAreThere) {
  const auto said = [](const Root& root, std::size_t positions) {
    return complaint<CheckpointError>([&] { root.processor.check_restored(Checkpoint(), positions); });
  };
  for (const bool own : {false, true}) {
    Root queued(false, false, 1, OwnTasks::kBeforeMessages);
    queued.processor.enqueue({own ? Kind::kAgain : Kind::kHear, 0, 4});
    EXPECT_EQ(said(queued, 5), "") << own;
    EXPECT_EQ(said(queued, 4), "position 4, here are 4") << own;
  }
  Root at_work;
  at_work.takes(100, {Kind::kListen, 0, 4, 1});
  EXPECT_EQ(said(at_work, 5), "");
  EXPECT_EQ(said(at_work, 4), "position 4, here are 4");
}

struct Host final : models::ProcessorHost {
  void send(std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void begins(std::uint64_t, std::uint32_t, std::uint32_t) override {}
};

/// A slice of so many positions.
struct Sliced {
  explicit Sliced(std::size_t positions) {
    for (std::size_t p = 0; p < positions; ++p) {
      processors.emplace_back(kCosts, false, false, std::vector{traffic::BroadcastStation(0, part, false)});
    }
  }
  std::string saved() {
    Checkpoint saves;
    slice.checkpoint(saves);
    return saves.bytes();
  }
  /// What is said of these registers.
  std::string said_of(const std::string& bytes) {
    return complaint<CheckpointError>([&] {
      Checkpoint restores(bytes);
      slice.checkpoint(restores);
      restores.finish();
      slice.check_restored(restores);
    });
  }
  const traffic::BroadcastPart part{"root", {1, 2}, {1, 2}, {}};
  Host host;
  std::vector<TaskProcessor> processors;
  ProcessorSlice slice{host, processors};
};

TEST(RestoredSlice, HasPositionsThatAreThere) {
  const auto said = [](const auto& fill) {
    Sliced four(4);
    fill(four.slice);
    const std::string bytes = four.saved();
    EXPECT_EQ(Sliced(4).said_of(bytes), "");
    return Sliced(3).said_of(bytes);
  };
  const std::string no_such = "position 3, here are 3";
  EXPECT_EQ(said([](ProcessorSlice& s) { s.call_at(5, 3); }), no_such);
  EXPECT_EQ(said([](ProcessorSlice& s) { s.enqueue_at(5, 0, {Kind::kHear, 0, 3}); }), no_such);
  EXPECT_EQ(said([](ProcessorSlice& s) { s.arrive(5, 3, 0, 1); }), no_such);
  EXPECT_EQ(said([](ProcessorSlice& s) { s.arrive(5, 1, 0, 3); }), no_such);
  EXPECT_EQ(said([](ProcessorSlice& s) { s.arrive(5, 2, 0, 2); }), "");
}

/// Two slices that differ in the kind of one event differ in one byte: that kind. There are eleven.
TEST(RestoredSlice, HasEventsOfKindsThatThereAre) {
  Sliced calls(1), starts(1);
  calls.slice.call_at(5);
  starts.slice.enqueue_at(5, 0, {Kind::kStart, 0});
  std::string bytes = calls.saved();
  const std::string other = starts.saved();
  ASSERT_EQ(bytes.size(), other.size());
  const auto at = std::mismatch(bytes.begin(), bytes.end(), other.begin());
  ASSERT_NE(at.first, bytes.end());
  ASSERT_TRUE(std::equal(at.first + 1, bytes.end(), at.second + 1)) << "one byte";
  for (char kind = 0; kind < 11; ++kind) {
    *at.first = kind;
    EXPECT_EQ(Sliced(1).said_of(bytes), "") << static_cast<int>(kind);
  }
  *at.first = 11;
  EXPECT_EQ(Sliced(1).said_of(bytes), "kind of event 11, here are 11");
}

/// A dozen messages that no broadcast can bring.
TEST(ProcessorSlice, KeepsTheFirstTenRefusals) {
  Sliced one(1);
  for (std::uint32_t b = 1; b <= 12; ++b) one.slice.arrive(4, 0, b, 1);
  for (std::uint64_t cycle = 1; cycle < 500; ++cycle) one.slice.step(cycle);
  EXPECT_EQ(one.slice.refusals().size(), 10U);
  EXPECT_FALSE(one.slice.at_work());
}

// ---------------------------------------------------------------- buffers

const std::vector<traffic::BroadcastPart> kParts{{"root", {}, {1, 2, 1}, {}}, {"", {0}, {}, {0}}, {"", {0}, {}, {0}}};

/// Two edges to node 1 are one way, of one buffer.
TEST(ReceptionBuffers, LeadWhereAPositionTellsAnother) {
  ReceptionBuffers buffers(kParts, 1);
  EXPECT_TRUE(buffers.bounded());
  EXPECT_TRUE(buffers.leads(0, 1));
  EXPECT_TRUE(buffers.leads(0, 2));
  EXPECT_TRUE(buffers.leads(1, 0)) << "told when done";
  EXPECT_FALSE(buffers.leads(1, 2));
  EXPECT_FALSE(buffers.leads(0, 0));
  EXPECT_TRUE(buffers.send(0, 1, 5));
  EXPECT_FALSE(buffers.send(0, 1, 6));
  EXPECT_TRUE(buffers.any_waits(0));
  EXPECT_FALSE(buffers.any_waits(2));
  const ReceptionBuffers none(kParts, 0);
  EXPECT_FALSE(none.bounded());
  EXPECT_FALSE(none.leads(0, 1)) << "nobody counts";
  EXPECT_FALSE(none.any_waits(0));
}

/// No more room than there is, and none while a message waits for it.
TEST(ReceptionBuffers, OfACheckpointHaveRoomOrWhatWaitsForIt) {
  const auto said = [](std::uint32_t room, std::deque<std::uint32_t> waiting) {
    Checkpoint made;
    for (const std::size_t ways : {2U, 1U, 1U}) {
      made.count(ways);
      for (std::size_t w = 0; w < ways; ++w) {
        std::uint32_t all = 2;
        std::deque<std::uint32_t> none;
        ways == 2 && w == 1 ? made(room, waiting) : made(all, none);
      }
    }
    return complaint<CheckpointError>([&] {
      ReceptionBuffers buffers(kParts, 2);
      Checkpoint restores(made.bytes());
      buffers.checkpoint(restores);
      restores.finish();
    });
  };
  const std::string wrong = no_such_state("a reception buffer");
  EXPECT_EQ(said(2, {}), "");
  EXPECT_EQ(said(0, {}), "");
  EXPECT_EQ(said(0, {7, 8}), "");
  EXPECT_EQ(said(3, {}), wrong);
  EXPECT_EQ(said(1, {7}), wrong);
}

/// What nobody asks for takes no time; a message takes a cycle to receive and one to send.
TEST(ProcessorCosts, AreThoseOfMessagesAlone) {
  const models::ProcessorCosts c;
  EXPECT_EQ(c.receive_cycles, 1U);
  EXPECT_EQ(c.send_cycles, 1U);
  EXPECT_EQ(c.order_cycles + c.event_cycles + c.issue_cycles + c.settle_cycles + c.after_cycles, 0U);
}

}  // namespace
}  // namespace braid::test::task_processor_test
