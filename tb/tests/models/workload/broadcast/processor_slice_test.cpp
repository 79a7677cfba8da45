// In which order a processor takes what is in its queue from one cycle on: the rule of docs/diamond-rings.md, whatever
// order the network tells messages in, in every schedule and with any threads.
#include "models/workload/broadcast/processor_slice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::processor_slice_test {
namespace {

using models::ProcessorSlice;
using models::TaskProcessor;

struct Host final : models::ProcessorHost {
  void send(std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void begins(std::uint64_t cycle, std::uint32_t, std::uint32_t) override { began = cycle; }
  std::uint64_t began = 0;
};

/// The root of four positions. A message of a broadcast that has not begun
/// is refused, by name: so one sees in which order a processor took them.
struct Taking {
  Taking() {
    models::ProcessorCosts costs;
    costs.receive_cycles = 2;
    processors.emplace_back(costs, false, false, std::vector{traffic::BroadcastStation(0, part, false)});
  }
  /// Messages to the root: from whom, of which broadcast.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken() {
    for (std::uint64_t cycle = 1; cycle < 40; ++cycle) slice.step(cycle);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (const std::string& line : slice.refusals()) {
      std::istringstream words(line);
      std::string word;
      std::uint32_t broadcast = 0, from = 0;
      while (words >> word && word != "broadcast") continue;
      words >> broadcast >> word >> word >> from;  // of broadcast 9 by position 1, before it began
      EXPECT_TRUE(words) << line;
      all.emplace_back(from, broadcast);
    }
    return all;
  }
  const traffic::BroadcastPart part{"root", {1, 2, 3}, {1, 2, 3}, {}};
  Host host;
  std::vector<TaskProcessor> processors;
  ProcessorSlice slice{host, processors};
};

TEST(ProcessorSlice, TakesMessagesOfOneCycleByTheirSendersPositionsThenByBroadcast) {
  using Messages = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // from, broadcast
  const Messages in_order{{1, 9}, {2, 6}, {2, 8}, {3, 5}};
  Messages told = in_order;
  do {
    Taking root;
    for (const auto& [from, broadcast] : told) root.slice.arrive(4, 0, broadcast, from);
    ASSERT_EQ(root.taken(), in_order);
  } while (std::next_permutation(told.begin(), told.end()));
}

TEST(ProcessorSlice, TakesMessagesOfAnEarlierCycleFirst) {
  Taking root;
  root.slice.arrive(4, 0, 7, 3);
  root.slice.arrive(5, 0, 7, 1);
  EXPECT_EQ(root.taken(), (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 7}, {1, 7}}));
}

/// The start asked for cycle 5 is carried out in 5; a message that has come in 4 would have taken its cycles first.
TEST(ProcessorSlice, TakesWhatTheNodeQueuesItselfBeforeMessages) {
  Taking root;
  root.slice.arrive(4, 0, 7, 1);
  root.slice.enqueue_at(5, 0, {TaskProcessor::Task::Kind::kStart, 0});
  root.taken();
  EXPECT_EQ(root.host.began, 5U);
}

// ---------------------------------------------------------------- over a network

/// Messages that have come to one node from several in one cycle.
std::size_t that_came_together(const std::string& log) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> senders;  // [destination, cycle]
  std::istringstream lines(content(log));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    if (!fields.at(13).empty()) senders[{fields.at(7), fields.at(13)}].insert(fields.at(6));
  }
  return static_cast<std::size_t>(
      std::count_if(senders.begin(), senders.end(), [](const auto& at) { return at.second.size() > 1; }));
}

/// By the two ports of a node two messages can come at once. (That the root takes them by the rule, to the cycle, is
/// the independent account's to see: broadcast_two_ports.)
TEST(ProcessorSlice, TakesThemAlikeInEveryScheduleAndWithAnyThreads) {
  if (kBrief) GTEST_SKIP() << kLong;
  for (const char* operation : {"broadcast --set broadcast.burst=40", "all_reduce"}) {
    const std::string log = temporary_file("together.csv");
    const std::string run =
        experiment("broadcast") +
        " --set topology.width=4 --set topology.height=4 --set topology.local_ports=2 "
        "--set broadcast.receive_cycles=2 --set broadcast.send_cycles=1 --set broadcast.gap_cycles=0 "
        "--set broadcast.settle_cycles=0 --set broadcast.after_cycles=1 --set broadcast.arity=5 "
        "--set simulation.max_warmup_cycles=1000 --set simulation.measure_cycles=20000 "
        "--set broadcast.operation=" +
        operation + " --set log.file=" + log + " ";
    const auto first = results(run);
    EXPECT_GT(that_came_together(log), 15U) << operation << ": this would show nothing";
    for (const char* how : {"--set simulation.schedule=process_per_stage", "--threads 2", "--threads 4"}) {
      const auto other = results(run + how);
      EXPECT_EQ(other.at("packet_hash"), first.at("packet_hash")) << operation << ", " << how;
      EXPECT_EQ(other.at("broadcast"), first.at("broadcast")) << operation << ", " << how;
    }
  }
}

}  // namespace
}  // namespace braid::test::processor_slice_test
