// What a waveform shows of the processors of broadcasts, cycle by cycle on two nodes (the cycles of
// broadcast_workload_test.cpp).
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/observe/signals.h"
#include "models/workload/broadcast/broadcast_workload.h"
#include "tb/tests/support/bench.h"

namespace braid::test::processor_signals_test {
namespace {

/// Task, broadcast, from, waiting.
using Row = std::vector<std::uint64_t>;

struct Shown {
  Shown() : bench(made()), signals(bench.network->workload<models::BroadcastWorkload>()->signals(table)) {
    for (const models::Signal& s : table.signals()) by_name[s.scope + "." + s.name] = &s;
  }
  static models::Experiment made() {
    models::Experiment e;
    e.set("topology.width", 2).set("topology.height", 1);
    e.open("broadcast");
    e.set("broadcast.root", 1).set("broadcast.receive_cycles", 3).set("broadcast.event_cycles", 17);
    e.set("broadcast.send_cycles", 5).set("broadcast.settle_cycles", 11).set("broadcast.after_cycles", 7);
    e.set("broadcast.issue_cycles", 13);
    return e;
  }
  /// At the end of a cycle, of a node.
  Row at(std::uint64_t cycle, const std::string& node) {
    bench.run(cycle + 1 - bench.network->now());
    signals->sample(cycle);
    Row row;
    for (const char* name : {"task", "broadcast", "from", "waiting"}) row.push_back(of(node, name));
    return row;
  }
  std::uint64_t of(const std::string& node, const std::string& name) const {
    return by_name.at("processors.node_" + node + "." + name)->value;
  }
  Bench bench;
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> signals;
  std::map<std::string, const models::Signal*> by_name;
};

/// Node 1 is the root: it begins in cycle 1 and is at it for 5 + 13 + 17 cycles. Node 0 hears its message in 20, for 3
/// + 17 + 5 cycles, settles and works on until 20 + 25 + 11 + 7 = 63. The root hears of it in 59, and is free in 80:
/// the next broadcast's start waits from 62 on.
TEST(ProcessorSignals, ShowWhatEachIsAtAndFromWhom) {
  Shown s;
  EXPECT_EQ(s.at(0, "1"), (Row{0, 0, 0, 0})) << "idle";
  EXPECT_EQ(s.of("1", "under_way"), 0U);
  EXPECT_EQ(s.at(1, "1"), (Row{1, 0, 0, 0})) << "begins";
  EXPECT_EQ(s.of("1", "under_way"), 1U);
  EXPECT_EQ(s.at(19, "0"), (Row{0, 0, 0, 0}));
  EXPECT_EQ(s.at(20, "0"), (Row{2, 0, 2, 0})) << "hears, from node 1";
  EXPECT_EQ(s.at(35, "1"), (Row{1, 0, 0, 0}));
  EXPECT_EQ(s.at(36, "1"), (Row{0, 0, 0, 0})) << "it waits for the answer";
  EXPECT_EQ(s.of("1", "under_way"), 1U);
  EXPECT_EQ(s.at(59, "1"), (Row{2, 0, 1, 0})) << "hears, from node 0";
  EXPECT_EQ(s.at(62, "0"), (Row{2, 0, 2, 0})) << "still at work";
  EXPECT_EQ(s.at(63, "0"), (Row{0, 0, 0, 0}));
  EXPECT_EQ(s.at(70, "1"), (Row{2, 0, 1, 1})) << "the next one's start waits";
  EXPECT_EQ(s.of("1", "under_way"), 0U) << "all have acknowledged";
  EXPECT_EQ(s.at(80, "1"), (Row{1, 1, 0, 0})) << "broadcast 1 begins";
  EXPECT_EQ(s.of("1", "under_way"), 1U);
  EXPECT_EQ(s.by_name.size(), 2U * 5);
  const models::Signal& from = *s.by_name.at("processors.node_0.from");
  ASSERT_NE(from.values, nullptr);
  EXPECT_EQ(from.values->values, (std::vector<std::string>{"-", "node 0", "node 1"}));
  const models::Signal& task = *s.by_name.at("processors.node_0.task");
  EXPECT_EQ(task.values->values.at(2), "hears");
}

}  // namespace
}  // namespace braid::test::processor_signals_test
