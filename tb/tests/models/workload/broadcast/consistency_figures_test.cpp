// What consistency events say of schemes that differ from root to root, of a second measurement, and in a waveform of
// words beside broadcasts.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/workload/broadcast/consistency_workload.h"
#include "tb/tests/support/bench.h"

namespace braid::test::consistency_figures_test {
namespace {

using models::ConsistencyWorkload;
using models::Experiment;

Experiment events(std::uint32_t width, const std::string& operation, const std::string& scheme,
                  const std::vector<std::uint32_t>& roots) {
  Experiment e;
  e.set("topology.width", width).set("topology.height", 1);
  e.open("broadcast");
  e.set("broadcast.operation", operation).set("broadcast.scheme", scheme).set("broadcast.roots", roots);
  return e;
}
ConsistencyWorkload& of(const Bench& bench) { return *bench.network->workload<ConsistencyWorkload>(); }

/// A spanning tree of a row of three: from the middle a message down and one back, from an end two each. The longer one
/// is said, whichever root is first.
TEST(ConsistencyFigures, AreThoseOfTheRootWithTheLongestPath) {
  for (const auto& roots : {std::vector<std::uint32_t>{1, 0}, std::vector<std::uint32_t>{0, 1}}) {
    const Bench bench(events(3, "shoot_down", "spanning_tree", roots));
    EXPECT_EQ(of(bench).results().longest_path, 4U);
    EXPECT_EQ(of(bench).results().messages, 4U);
    EXPECT_EQ(of(bench).results().positions, 3U);
  }
  EXPECT_EQ(of(Bench(events(3, "shoot_down", "spanning_tree", {1}))).results().longest_path, 2U);
}

/// What was begun before the second measurement and ends in it is completed, and has no latency.
TEST(ConsistencyFigures, OfASecondMeasurementBeginAnew) {
  for (const char* operation : {"shoot_down", "ownership", "atomic_update"}) {
    Bench bench(events(3, operation, "unicast", {0, 2}));
    bench.network->window() = {true, 0, 1000};
    bench.run(1000);
    const models::BroadcastResults first = of(bench).results();
    EXPECT_GT(first.completed, 4U) << operation;
    EXPECT_EQ(first.latency_cycles.count, first.completed);
    EXPECT_TRUE(first.refused.empty());
    bench.network->begin_window(1000);
    EXPECT_EQ(of(bench).results().completed, 0U);
    bench.run(1000);
    const models::BroadcastResults second = of(bench).results();
    EXPECT_GT(second.completed, second.latency_cycles.count) << operation << ": some were under way";
    EXPECT_LE(second.latency_cycles.max, 1000.0);
    std::uint64_t by_root = 0;
    for (const std::uint64_t completed : *second.completed_by_root) by_root += completed;
    EXPECT_GT(by_root, 4U);
  }
}

/// Nodes that ask are those that are listed, or all; each asks the roots in turn.
TEST(ConsistencyRequests, AreOfTheListedNodesOrOfAll) {
  const auto askers = [](const std::vector<std::uint32_t>& requesters) {
    Experiment e = events(4, "atomic_update", "unicast", {0, 3});
    if (!requesters.empty()) e.set("broadcast.requesters", requesters);
    e.set("log.file", "unwritten.csv");
    Bench bench(e);
    bench.run(1500);
    std::map<std::uint32_t, std::vector<std::uint32_t>> asked;  // [who] whom, in order
    constexpr std::uint8_t kRequest = 1;
    bench.network->packet_log()->each(bench.network->store(),
                                      [&](const models::PacketRecord&, const models::Packet& packet) {
                                        if (packet.kind == kRequest)
                                          asked[packet.source.value].push_back(packet.destination.value);
                                      });
    return asked;
  };
  const auto listed = askers({2});
  ASSERT_EQ(listed.size(), 1U);
  const std::vector<std::uint32_t>& roots = listed.at(2);
  ASSERT_GE(roots.size(), 4U);
  for (std::size_t i = 0; i < roots.size(); ++i) EXPECT_EQ(roots[i], i % 2 == 0 ? 0U : 3U) << "begins with 2 mod 2";
  const auto all = askers({});
  ASSERT_EQ(all.size(), 4U);
  for (const std::uint32_t whom : all.at(0)) EXPECT_EQ(whom, 3U) << "node 0 puts its own requests in order itself";
  EXPECT_EQ(all.at(1).front(), 3U) << "1 mod 2";
}

/// Node 1 says its request in cycle 1, for five cycles; over one link it is there 13 cycles later and in the queue in
/// 20, where the root listens for three cycles and seven after it.
TEST(ConsistencySignals, ShowWordsBesideBroadcasts) {
  Experiment e = events(2, "ownership", "unicast", {0});
  e.set("broadcast.requesters", std::vector<std::uint32_t>{1});
  e.set("broadcast.receive_cycles", 3).set("broadcast.send_cycles", 5).set("broadcast.after_cycles", 7);
  Bench bench(e);
  models::SignalTable table;
  const std::unique_ptr<models::SignalSource> source = of(bench).signals(table);
  std::map<std::string, const models::Signal*> by_name;
  for (const models::Signal& s : table.signals()) by_name[s.scope + "." + s.name] = &s;
  const auto at = [&](std::uint64_t cycle, const std::string& node) {
    bench.run(cycle + 1 - bench.network->now());
    source->sample(cycle);
    return std::vector<std::uint64_t>{by_name.at("processors.node_" + node + ".task")->value,
                                      by_name.at("processors.node_" + node + ".from")->value};
  };
  using Shown = std::vector<std::uint64_t>;
  EXPECT_EQ(at(1, "1"), (Shown{5, 0})) << "says";
  EXPECT_EQ(at(5, "1"), (Shown{5, 0}));
  EXPECT_EQ(at(6, "1"), (Shown{0, 0})) << "idle";
  EXPECT_EQ(at(19, "0"), (Shown{0, 0}));
  EXPECT_EQ(at(20, "0"), (Shown{6, 2})) << "listens to node 1";
  EXPECT_EQ(at(29, "0"), (Shown{6, 2}));
  EXPECT_EQ(at(30, "0"), (Shown{1, 0})) << "begins the broadcast";
}

}  // namespace
}  // namespace braid::test::consistency_figures_test
