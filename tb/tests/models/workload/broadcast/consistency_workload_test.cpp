// Consistency events: several roots in one run, TLB shoot-downs, requests for ownership, atomic updates, to the cycle
// on two nodes. (Every message of many runs against an independent reference: tb/python/rings.)
#include "models/workload/broadcast/consistency_workload.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/program.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::consistency_workload_test {
namespace {

using models::BroadcastResults;
using models::Experiment;

/// Costs that are all different.
Experiment events(std::uint32_t width, std::uint32_t height, const std::string& operation,
                  const std::vector<std::uint32_t>& roots, const std::vector<std::uint32_t>& requesters = {}) {
  Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.open("broadcast");
  e.set("broadcast.operation", operation);
  e.set("broadcast.roots", roots);
  if (!requesters.empty()) e.set("broadcast.requesters", requesters);
  e.set("broadcast.receive_cycles", 3);
  e.set("broadcast.event_cycles", 17);
  e.set("broadcast.send_cycles", 5);
  e.set("broadcast.settle_cycles", 11);
  e.set("broadcast.after_cycles", 7);
  e.set("broadcast.issue_cycles", 13);
  return e;
}

/// Measured from the first cycle on.
struct Running : Bench {
  explicit Running(Experiment e) : Bench(std::move(e)) { network->window() = {true, 0, 1000}; }
  /// After all cycles up to this one.
  BroadcastResults after(std::uint64_t cycle) {
    run(cycle + 1 - network->now());
    return network->workload<models::ConsistencyWorkload>()->results();
  }
};

// A message over the one link is there 13 cycles after it was created, and in the queue in the next one.

/// Both begin in 1 and send in 6; the message is in the other's queue in 20, and is taken when that has handled its own
/// event, in 1 + 5 + 13 + 17 = 36: received in 39, handled in 56, acknowledged in 61. That is in the queue in 75,
/// behind the settling and the after-work until 61 + 11 + 7 = 79, and received in 82.
TEST(ShootDown, OfTwoNodesCrossAndAreCompleteInTheirCycle) {
  Running bench(events(2, 1, "shoot_down", {0, 1}));
  EXPECT_EQ(bench.after(81).completed, 0U);
  const BroadcastResults r = bench.after(82);
  EXPECT_EQ(r.completed, 2U);
  EXPECT_EQ(r.latency_cycles.min, 81.0);
  EXPECT_EQ(r.latency_cycles.max, 81.0);
  EXPECT_EQ(r.burst_cycles.max, 81.0);
  EXPECT_EQ(r.completed_by_root, (std::vector<std::uint64_t>{1, 1}));
  EXPECT_EQ(r.messages, 2U);
  EXPECT_EQ(r.longest_path, 2U);
}

/// What broadcast_workload_test.cpp has for one root.
TEST(ShootDown, OfOneRootIsABroadcast) {
  for (const auto& [root, roots] : {std::pair{0U, std::vector<std::uint32_t>{}}, std::pair{0U, std::vector{1U}}}) {
    Experiment e = events(2, 1, "shoot_down", roots);
    e.set("broadcast.root", root);
    Running bench(std::move(e));
    EXPECT_EQ(bench.after(61).completed, 0U);
    EXPECT_EQ(bench.after(62).completed, 1U);
    EXPECT_EQ(bench.after(80 + 60).completed, 1U);
    EXPECT_EQ(bench.after(80 + 61).completed, 2U);
  }
}

/// Of a burst the second begins when the messages of the first are out: at the root's queue in 6, behind the first
/// event, in 36. Of two roots each has its own burst.
TEST(ShootDown, HasBurstsOfEachRoot) {
  Experiment e = events(2, 1, "shoot_down", {0, 1});
  e.set("broadcast.burst", 3);
  Running bench(std::move(e));
  BroadcastResults r = bench.after(82);
  for (std::uint64_t cycle = 83; r.burst_cycles.count == 0; ++cycle) {
    EXPECT_LT(r.completed, 6U);
    r = bench.after(cycle);
  }
  EXPECT_EQ(r.completed_by_root, (std::vector<std::uint64_t>{3, 3}));
  EXPECT_EQ(r.burst_cycles.count, 2U) << "the two are alike";
}

/// Node 1 asks root 0, which owns the value: drawn in docs/diamond-rings.md.
TEST(Ownership, OfTwoNodesIsDoneWhenTheRootSaysSoAndTheValueIsThere) {
  Running bench(events(2, 1, "ownership", {0}, {1}));
  EXPECT_EQ(bench.after(130).completed, 0U);
  const BroadcastResults first = bench.after(131);
  EXPECT_EQ(first.completed, 1U);
  EXPECT_EQ(first.latency_cycles.max, 130.0);
  EXPECT_EQ(bench.delivered(), 5U) << "request, broadcast and acknowledgement, value, answer";
  EXPECT_EQ(bench.after(267).completed, 1U) << "the next one, of the owner";
  EXPECT_EQ(bench.after(268).completed, 2U);
  EXPECT_EQ(bench.delivered(), 9U) << "nobody passes on what the requester has";
}

/// A value of 100 flits leaves in 100 cycles, from 71 on, or later: it is the last to come, with the answer behind it.
TEST(Ownership, WaitsForALongValue) {
  Experiment e = events(2, 1, "ownership", {0}, {1});
  e.set("broadcast.value_flits", 100);
  Running bench(std::move(e));
  EXPECT_EQ(bench.after(70 + 14 + 99 + 2).completed, 0U);
  EXPECT_GE(bench.after(400).completed, 1U);
}

TEST(AtomicUpdate, OfTwoNodesPassesNoValue) {
  Running bench(events(2, 1, "atomic_update", {0}, {1}));
  EXPECT_EQ(bench.after(130).completed, 0U);
  EXPECT_EQ(bench.after(131).completed, 1U);
  EXPECT_EQ(bench.delivered(), 4U) << "request, broadcast and acknowledgement, answer";
}

/// Who is the root itself needs no request and no answer.
TEST(AtomicUpdate, OfTheRootIsABroadcast) {
  Running bench(events(2, 1, "atomic_update", {0}, {0}));
  EXPECT_EQ(bench.after(61).completed, 0U);
  EXPECT_EQ(bench.after(62).completed, 1U);
  EXPECT_EQ(bench.delivered(), 2U);
}

// ---------------------------------------------------------------- on larger networks

struct Message {
  std::string kind;
  int number, from, to, created;
};
std::vector<Message> messages_of(const std::string& run) {
  const std::string log = temporary_file("consistency.csv");
  results(run + " --set log.file=" + log);
  std::vector<Message> all;
  std::istringstream lines(content(log));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    all.push_back({fields.at(0), std::stoi(fields.at(4)), std::stoi(fields.at(6)), std::stoi(fields.at(7)),
                   std::stoi(fields.at(10))});
  }
  std::stable_sort(all.begin(), all.end(), [](const Message& a, const Message& b) { return a.created < b.created; });
  return all;
}

std::string on_a_mesh(const std::string& operation, const std::string& more = "") {
  return experiment("broadcast") +
         " --set topology.width=4 --set topology.height=4 --set broadcast.roots=[0,5,10] --set broadcast.gap_cycles=0 "
         "--set broadcast.send_cycles=3 --set broadcast.settle_cycles=9 --set broadcast.after_cycles=5 "
         "--set simulation.min_warmup_cycles=0 --set simulation.max_warmup_cycles=0 "
         "--set simulation.measure_cycles=30000 --set broadcast.operation=" +
         operation + " " + more;
}

/// The value of a root goes from its first owner, the root, from owner to owner in the order of the root's numbers,
/// each of whom has it before it passes it on.
TEST(Ownership, PassesTheValueFromOwnerToOwner) {
  std::map<int, std::pair<int, int>> value;  // [root] owner, number
  std::size_t passed = 0;
  for (const Message& m : messages_of(on_a_mesh("ownership"))) {
    if (m.kind != "value") continue;
    const int root = m.number % 3, number = m.number / 3;
    if (value.count(root) == 0) value[root] = {root * 5, -1};
    EXPECT_EQ(m.from, value[root].first) << m.number;
    EXPECT_GT(number, value[root].second);
    value[root] = {m.to, number};
    ++passed;
  }
  EXPECT_GT(passed, 100U);
  EXPECT_EQ(value.size(), 3U);
}

TEST(ConsistencyEvents, AreTheSameInEveryScheduleAndWithAnyThreads) {
  if (kBrief) GTEST_SKIP() << kLong;
  for (const char* operation : {"shoot_down --set broadcast.burst=4", "ownership", "atomic_update"}) {
    const std::string run = on_a_mesh(operation, "--set topology.local_ports=2 ");
    const auto first = results(run);
    EXPECT_GT(first.at("broadcast").at("completed").to_number<int>(), 50) << operation;
    EXPECT_TRUE(first.at("broadcast").at("refused").as_array().empty()) << operation;
    for (const char* how : {"--set simulation.schedule=process_per_stage", "--threads 2", "--threads 4"}) {
      const auto other = results(run + how);
      EXPECT_EQ(other.at("packet_hash"), first.at("packet_hash")) << operation << ", " << how;
      EXPECT_EQ(other.at("broadcast"), first.at("broadcast")) << operation << ", " << how;
    }
  }
}

/// Each tells all others by the scheme as it is placed for it, also one that places itself.
TEST(ConsistencyEvents, GoOverEveryScheme) {
  for (const char* scheme : {"diamond_ring", "balanced_tree", "logp_tree", "unicast", "spanning_tree"}) {
    for (const char* operation : {"shoot_down", "ownership"}) {
      Experiment e = events(3, 3, operation, {4, 0, 8});
      e.set("broadcast.scheme", scheme);
      Running bench(std::move(e));
      const BroadcastResults r = bench.after(6000);
      EXPECT_GT(r.completed, 6U) << scheme << ", " << operation;
      EXPECT_TRUE(r.refused.empty()) << scheme << ": " << r.refused[0];
      for (const std::uint64_t completed : *r.completed_by_root) EXPECT_GT(completed, 1U) << scheme;
    }
  }
}

TEST(ConsistencyEvents, RefuseNodesThatAreNotThereOrTwice) {
  EXPECT_EQ(complaint([] { Running(events(2, 1, "shoot_down", {0, 2})); }), "broadcast.roots has 2: expected 0 to 1");
  EXPECT_EQ(complaint([] { Running(events(2, 1, "shoot_down", {1, 1})); }),
            "broadcast.roots has 1 twice: expected each node once");
  EXPECT_EQ(complaint([] { Running(events(2, 1, "ownership", {0}, {7})); }),
            "broadcast.requesters has 7: expected 0 to 1");
}

}  // namespace
}  // namespace braid::test::consistency_workload_test
