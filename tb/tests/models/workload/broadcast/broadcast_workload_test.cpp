// Broadcasts by software over whole networks: to the cycle on short rows, timeouts, order over a network that reorders,
// every family, every schedule, and what is refused. (Every message of many runs against an independent reference:
// tb/python/rings.)
#include "models/workload/broadcast/broadcast_workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/program.h"

namespace braid::test::broadcast_workload_test {
namespace {

using models::BroadcastResults;
using models::Experiment;

Experiment broadcasts(std::uint32_t width, std::uint32_t height, const std::string& scheme, std::uint32_t arity) {
  Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.open("broadcast");
  e.set("broadcast.scheme", scheme);
  e.set("broadcast.arity", arity);
  return e;
}

/// Costs that are all different.
Experiment with_costs(Experiment e) {
  e.set("broadcast.receive_cycles", 3);
  e.set("broadcast.event_cycles", 17);
  e.set("broadcast.send_cycles", 5);
  e.set("broadcast.settle_cycles", 11);
  e.set("broadcast.after_cycles", 7);
  e.set("broadcast.issue_cycles", 13);
  return e;
}

BroadcastResults results_of(const Bench& bench) {
  return bench.network->workload<models::BroadcastWorkload>()->results();
}

/// Measured from the first cycle on.
struct Broadcasting : Bench {
  explicit Broadcasting(Experiment e, std::size_t slices = 1) : Bench(std::move(e), slices) {
    network->window() = {true, 0, 1000};
  }
  /// After all cycles up to this one.
  BroadcastResults after(std::uint64_t cycle) {
    run(cycle + 1 - network->now());
    return results_of(*this);
  }
};

// ---------------------------------------------------------------- to the cycle

/// The root begins in cycle 1 and sends in 1 + 5. A message over one link is there 13 cycles later and in the queue in
/// the next one: 20. The node passes on 3 + 17 + 5 cycles later, in 45; there in 58, and received in 59 + 3.
TEST(Broadcast, OfTwoNodesIsCompleteInItsCycle) {
  for (const std::string scheme : {"diamond_ring", "balanced_tree"}) {
    Broadcasting bench(with_costs(broadcasts(2, 1, scheme, 2)));
    EXPECT_EQ(bench.after(61).completed, 0U) << scheme;
    const BroadcastResults r = bench.after(62);
    EXPECT_EQ(r.completed, 1U) << scheme;
    EXPECT_EQ(r.latency_cycles.max, 61.0);
    EXPECT_EQ(r.burst_cycles.max, 61.0);
    EXPECT_EQ(r.positions, 2U);
    EXPECT_EQ(r.messages, 2U);
    EXPECT_EQ(r.longest_path, 2U);
    EXPECT_NEAR(r.burst_rate, 1000.0 / 61, 1e-9);
  }
}

/// Each of the two looks at one message's number.
TEST(Broadcast, PaysForTheOrderOfSequencedRingsOnly) {
  for (const bool sequenced : {false, true}) {
    Experiment e = with_costs(broadcasts(2, 1, "diamond_ring", 2));
    e.set("broadcast.sequenced", sequenced);
    e.set("broadcast.order_cycles", 9);
    Broadcasting bench(std::move(e));
    EXPECT_EQ(bench.after(200).latency_cycles.min, 61.0 + (sequenced ? 2 * 9 : 0));
  }
}

/// The next burst begins in the cycle of the end. The root's processor settles and works after the message until
/// 62 + 11 + 7 = 80, and is 18 cycles late. The start is then in the queue; its latency counts from cycle 80.
TEST(Broadcast, FollowsWhenTheRootHasSettled) {
  Broadcasting bench(with_costs(broadcasts(2, 1, "diamond_ring", 2)));
  EXPECT_EQ(bench.after(80 + 60).completed, 1U);
  const BroadcastResults r = bench.after(80 + 61);
  EXPECT_EQ(r.completed, 2U);
  EXPECT_EQ(r.latency_cycles.max, 61.0);
  EXPECT_EQ(r.burst_cycles.max, 61.0 + 18.0);

  Experiment e = with_costs(broadcasts(2, 1, "diamond_ring", 2));
  e.set("broadcast.gap_cycles", 100);
  Broadcasting slow(std::move(e));
  EXPECT_EQ(slow.after(162 + 60).completed, 1U);
  EXPECT_EQ(slow.after(162 + 61).completed, 2U);
}

/// 0 -> 1 -> 2 by a tree of arity 1: a position tells those below before it handles the event. 1 hears in 20 and sends
/// in 28; 2 hears in 42, handles and answers in 67; 1 hears it in 81, answers in 89; the root has it in 103.
TEST(Broadcast, OfATreeIsHandledBehindTheMessagesDown) {
  Broadcasting bench(with_costs(broadcasts(3, 1, "balanced_tree", 1)));
  EXPECT_EQ(bench.after(105).completed, 0U);
  EXPECT_EQ(bench.after(106).completed, 1U);
}

/// With events as tasks of their own the other node sends in 20 + 3 + 7 + 17 + 5: 7 cycles later.
TEST(Broadcast, WithQueuedEventsWaitsForTheAfterWork) {
  Experiment e = with_costs(broadcasts(2, 1, "diamond_ring", 2));
  e.set("broadcast.queued_events", true);
  Broadcasting bench(std::move(e));
  EXPECT_EQ(bench.after(68).completed, 0U);
  EXPECT_EQ(bench.after(69).completed, 1U);
}

TEST(Broadcast, OfOneNodeIsCompleteByItself) {
  Broadcasting bench(with_costs(broadcasts(1, 1, "diamond_ring", 2)));
  EXPECT_EQ(bench.after(1 + 13 + 17 - 1).completed, 0U);
  EXPECT_EQ(bench.after(1 + 13 + 17).completed, 1U);
}

/// In a cycle in which nothing has been taken yet, at work on a broadcast, and between two.
TEST(Broadcast, OfOneNodeGoesOnFromACheckpoint) {
  Experiment e = with_costs(broadcasts(1, 1, "unicast", 2));
  e.set("broadcast.gap_cycles", 10);
  for (const std::uint64_t cycle : {1, 2, 5, 20, 35, 50}) expect_continues(e, cycle, 100);
}

/// Eight begin one after the other; the burst ends with the last of them, and the next one begins then.
TEST(Broadcast, BurstIsWholeWhenItsLastIsComplete) {
  Experiment e = broadcasts(4, 4, "diamond_ring", 2);
  e.set("broadcast.burst", 8);
  Broadcasting bench(std::move(e));
  while (results_of(bench).completed < 7) bench.run(1);
  EXPECT_EQ(results_of(bench).burst_cycles.count, 0U);
  while (results_of(bench).completed < 8) bench.run(1);
  const std::uint64_t end = bench.network->now() - 1;
  const BroadcastResults r = results_of(bench);
  EXPECT_EQ(r.burst_cycles.count, 1U);
  EXPECT_EQ(r.burst_cycles.max, static_cast<double>(end - 1)) << "began in cycle 1";
  EXPECT_GT(r.burst_cycles.max, r.latency_cycles.max);
  const Report figures = models::broadcast_figures().of(r);
  EXPECT_EQ(figures.get<Report>("burst_cycles").get<double>("max"), r.burst_cycles.max);
  EXPECT_EQ(figures.get<Report>("latency_cycles").get<double>("max"), r.latency_cycles.max);
}

/// Nothing that began before the window is in its latencies; what ends in it counts.
TEST(Broadcast, CountsByItsEndAndItsLatencyByItsBegin) {
  Bench bench(with_costs(broadcasts(2, 1, "diamond_ring", 2)));
  bench.run(62);
  bench.network->window() = {true, 62, 1000};
  bench.run(1);
  EXPECT_EQ(results_of(bench).completed, 1U);
  EXPECT_EQ(results_of(bench).latency_cycles.count, 0U);
  bench.run(100);
  EXPECT_EQ(results_of(bench).completed, 2U);
  EXPECT_EQ(results_of(bench).latency_cycles.count, 1U);
}

// ---------------------------------------------------------------- timeouts

/// Node 7 does not pass on broadcast 3; the root is node 2.
Experiment one_silent(const std::string& scheme) {
  Experiment e = broadcasts(4, 4, scheme, 2);
  e.set("broadcast.root", 2);
  e.set("broadcast.burst", 4);
  e.set("broadcast.timeout_cycles", 800);
  e.set("broadcast.silent_broadcast", 3);
  e.set("broadcast.silent_node", 7);
  return e;
}

TEST(BroadcastTimeout, NamesTheNodeThatDidNotPassOnOrAcknowledge) {
  struct {
    std::string scheme;
    std::uint32_t node;
    std::string says;
  } const cases[] = {{"diamond_ring", 7, "node 7 (gather) did not acknowledge"},
                     {"diamond_ring", 10, "node 10 (centre) did not acknowledge"},
                     {"balanced_tree", 7, "node 7 (inner) did not pass it on"},
                     {"balanced_tree", 1, "node 1 (leaf) did not acknowledge"},
                     {"diamond_ring", 2, "node 2 (root) did not pass it on"}};
  for (const auto& c : cases) {
    Experiment e = one_silent(c.scheme);
    e.set("broadcast.silent_node", c.node);
    Broadcasting bench(std::move(e));
    const BroadcastResults r = bench.after(5000);
    ASSERT_EQ(r.unacknowledged.size(), 1U) << c.scheme;
    EXPECT_EQ(r.unacknowledged[0], "broadcast 3: " + c.says + " within 800 cycles");
    EXPECT_GT(r.completed, 20U) << "the others complete";
    EXPECT_LT(r.latency_cycles.max, 800.0);
    EXPECT_TRUE(r.refused.empty()) << r.refused[0];
  }
}

/// Of nine positions the fifth has no children: 2 x 4 + 1 = 9.
TEST(BroadcastTimeout, CallsALeafALeaf) {
  Experiment e = one_silent("balanced_tree");
  e.set("topology.width", 3);
  e.set("topology.height", 3);
  e.set("broadcast.silent_node", 6);
  Broadcasting bench(std::move(e));
  const BroadcastResults r = bench.after(5000);
  ASSERT_EQ(r.unacknowledged.size(), 1U);
  EXPECT_EQ(r.unacknowledged[0], "broadcast 3: node 6 (leaf) did not acknowledge within 800 cycles");
}

/// In its cycle, and the burst that it belongs to is none of the distribution.
TEST(BroadcastTimeout, EndsABroadcastAndItsBurst) {
  Experiment e = one_silent("diamond_ring");
  e.set("broadcast.burst", 1);
  e.set("broadcast.gap_cycles", 1000);
  e.set("broadcast.silent_broadcast", 0);
  Broadcasting bench(std::move(e));
  EXPECT_TRUE(bench.after(800).unacknowledged.empty());
  EXPECT_EQ(bench.after(801).unacknowledged.size(), 1U);
  EXPECT_EQ(bench.after(1800).burst_cycles.count, 0U);
  EXPECT_EQ(bench.after(2600).completed, 1U) << "the next one began in 1801";
  EXPECT_EQ(results_of(bench).burst_cycles.count, 1U);
}

/// A broadcast of 61 cycles is given up after 40: its acknowledgement comes, and is refused by name.
TEST(BroadcastTimeout, RefusesWhatComesLate) {
  Experiment e = with_costs(broadcasts(2, 1, "diamond_ring", 2));
  e.set("broadcast.timeout_cycles", 40);
  e.set("broadcast.gap_cycles", 100);
  Broadcasting bench(std::move(e));
  EXPECT_EQ(bench.after(41).unacknowledged,
            std::vector<std::string>{"broadcast 0: node 1 (centre) did not acknowledge within 40 cycles"});
  const BroadcastResults r = bench.after(140);
  EXPECT_EQ(r.refused, std::vector<std::string>{"position 0 (root) was told of broadcast 0 by position 1, after it was "
                                                "done with it"});
  EXPECT_EQ(r.completed, 0U);
  EXPECT_EQ(bench.after(3000).refused.size(), 10U) << "only the first ten are kept";
}

// ---------------------------------------------------------------- order

/// Nodes that handle broadcasts out of their numbers' order, of those that pass on what they have handled at once: the
/// positions that hear only one other, by the order of their messages in the packet log. `network`: of 16 to 20 nodes.
std::size_t out_of_order(const std::string& network, bool sequenced) {
  const std::string log = temporary_file("order.csv");
  const auto r =
      results(network + " --set broadcast.sequenced=" + (sequenced ? "true" : "false") + " --set log.file=" + log);
  EXPECT_GT(r.at("broadcast").at("completed").to_number<int>(), 10);
  std::map<int, std::vector<std::pair<int, int>>> sent;  // [node] cycle, broadcast
  std::istringstream lines(content(log));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    const int first_of_one = 7;  // 1 to 6 gather: they pass on when they have heard two
    if (fields.at(0) != "broadcast" || std::stoi(fields.at(6)) < first_of_one) continue;
    sent[std::stoi(fields.at(6))].emplace_back(std::stoi(fields.at(10)), std::stoi(fields.at(4)));
  }
  EXPECT_GE(sent.size(), 9U);
  return static_cast<std::size_t>(std::count_if(sent.begin(), sent.end(), [](auto& node) {
    auto& messages = node.second;
    std::stable_sort(messages.begin(), messages.end(), [](auto& a, auto& b) { return a.first < b.first; });
    return !std::is_sorted(messages.begin(), messages.end(), [](auto& a, auto& b) { return a.second < b.second; });
  }));
}

TEST(BroadcastOrder, IsThatOfTheNumbersInSequencedRingsOnlyUnderAdaptiveRouting) {
  const std::string network = experiment("mesh_adaptive") +
                              " --set topology.width=4 --set topology.height=4 --set router.vcs=3 "
                              "--set traffic.rate_flits_per_node_cycle=0.3 --set traffic.pattern=uniform "
                              "--set broadcast.burst=50 --set simulation.max_warmup_cycles=1000 "
                              "--set simulation.measure_cycles=3000";
  EXPECT_EQ(out_of_order(network, true), 0U);
  EXPECT_GT(out_of_order(network, false), 4U) << "the network must reorder, or this test shows nothing";
}

/// Two messages of one node part where one is derouted. Over the same routers with one way for all they keep their
/// order.
TEST(BroadcastOrder, IsThatOfTheNumbersInSequencedRingsOnlyWherePacketsAreDerouted) {
  const std::string network = experiment("po2_hexagonal") +
                              " --set topology.edge=3 --set traffic.rate_flits_per_node_cycle=0.3 "
                              "--set broadcast.burst=100 --set simulation.batch_cycles=10000 "
                              "--set simulation.min_warmup_cycles=0 --set simulation.max_warmup_cycles=0 "
                              "--set simulation.measure_cycles=100000 --set simulation.max_drain_cycles=0";
  EXPECT_EQ(out_of_order(network, true), 0U);
  EXPECT_GT(out_of_order(network, false), 4U) << "the network must reorder, or this test shows nothing";
  EXPECT_EQ(out_of_order(network + " --set routing.algorithm=deterministic", false), 0U);
}

// ---------------------------------------------------------------- families, schedules

TEST(Broadcast, GoesOverEveryFamilyInMessagesOfAnyLength) {
  for (const std::string family : {"hybrid", "ideal", "virtual_cut_through", "po2", "myrinet"}) {
    for (const std::string scheme : {"diamond_ring", "balanced_tree", "unicast"}) {
      for (const int flits : {1, 5, 300}) {
        Experiment e = in_family(family);
        e.set("broadcast.scheme", scheme);
        e.set("broadcast.flits", flits);
        e.set("broadcast.placement", "annealed");
        e.set("broadcast.moves", 50);
        Broadcasting bench(std::move(e));
        const auto at_most = static_cast<std::uint64_t>(200 + flits) * 2 * bench.topology.node_count();
        const BroadcastResults r = bench.after(at_most);
        EXPECT_GT(r.completed, 0U) << family << ", " << scheme << ", " << flits;
        EXPECT_TRUE(r.refused.empty()) << family << ": " << r.refused[0];
        EXPECT_EQ(r.positions, bench.topology.node_count());
      }
    }
  }
}

TEST(Broadcast, IsPlacedBySeedWhereItIsAnnealed) {
  const auto nodes = [](std::int64_t seed) {
    Experiment e = broadcasts(4, 4, "diamond_ring", 2);
    e.set("experiment.seed", seed);
    e.set("broadcast.root", 5);
    e.set("broadcast.placement", "annealed");
    e.set("broadcast.moves", 200);
    return Bench(std::move(e)).network->workload<models::BroadcastWorkload>()->nodes();
  };
  EXPECT_EQ(nodes(1), nodes(1));
  EXPECT_NE(nodes(1), nodes(2));
  EXPECT_EQ(nodes(1)[0], NodeId{5}) << "the root stays";
}

TEST(Broadcast, IsTheSameInEveryScheduleAndWithAnyThreads) {
  const std::string run = experiment("broadcast") +
                          " --set broadcast.burst=20 --set broadcast.gap_cycles=0 --set broadcast.sequenced=true "
                          "--set broadcast.queued_events=true --set broadcast.timeout_cycles=3000 "
                          "--set simulation.max_warmup_cycles=1000 --set simulation.measure_cycles=9000 ";
  const auto first = results(run);
  EXPECT_NE(first.at("packet_hash"), results(run + "--set broadcast.arity=3")["packet_hash"]);
  EXPECT_GT(first.at("broadcast").at("unacknowledged").as_array().size(), 0U);
  for (const char* how : {"--set simulation.schedule=process_per_stage", "--threads 2", "--threads 3"}) {
    const auto other = results(run + how);
    EXPECT_EQ(other.at("packet_hash"), first.at("packet_hash")) << how;
    EXPECT_EQ(other.at("broadcast"), first.at("broadcast")) << how;
  }
}

// ---------------------------------------------------------------- what is refused

TEST(Broadcast, SaysInALineWhatIsWrongWithItsOptions) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"root=72", "broadcast.root = 72: expected 0 to 71"},
      {"root=-1", "broadcast.root = -1: expected integer, 0 to 4294967295"},
      {"silent_node=72", "broadcast.silent_node = 72: expected 0 to 71"},
      {"silent_broadcast=-2", "broadcast.silent_broadcast = -2: expected integer, -1 to 4294967295"},
      {"arity=0", "broadcast.arity = 0: expected integer, 1 to 4096"},
      {"arity=4097", "broadcast.arity = 4097: expected integer, 1 to 4096"},
      {"flits=0", "broadcast.flits = 0: expected integer, 1 to 65535"},
      {"flits=65536", "broadcast.flits = 65536: expected integer, 1 to 65535"},
      {"burst=0", "broadcast.burst = 0: expected integer, 1 to 1000000"},
      {"moves=5", "broadcast.moves belongs to broadcast.placement = \"annealed\"; this experiment has \"node_order\""},
      {"companion=true --set topology.width=1 --set topology.height=1",
       "broadcast.companion: the root's companion is a node of its own; expected 2 nodes or more"},
  };
  for (const auto& [option, line] : cases) {
    const Ended ended = braid("run " + experiment("broadcast") + " --set broadcast." + option);
    EXPECT_EQ(ended.status, 2) << option;
    const std::string said = "braid: --set broadcast." + option.substr(0, option.find(' ')) + ": " + line + "\n";
    EXPECT_EQ(ended.output, said);
  }
}

}  // namespace
}  // namespace braid::test::broadcast_workload_test
