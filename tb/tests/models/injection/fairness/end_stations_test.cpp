// Stations of a SAT line at the ends of the list, node 0's and the last one's: they are watched, shown and dead like
// any other. (What is said and when: sat_watch_test.cpp.)
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/injection/fairness/sat_gate.h"
#include "models/observe/signals.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/trees.h"

namespace braid::test::end_stations_test {
namespace {

using models::SatGate;
using models::SatStations;

constexpr NodeId kFirst{0}, kLast{3};

/// One switch of four nodes, a round of 12 cycles; some stations are dead.
struct Line {
  explicit Line(const std::vector<std::uint32_t>& dead = {})
      : experiment(of(dead)), topology(routing::make_topology(experiment)), gate({topology, experiment}) {}
  static models::Experiment of(const std::vector<std::uint32_t>& dead) {
    models::Experiment e = vct_tree(1, 0.0);
    e.set("interface.fairness", "sat").set("sat.l", 2).set("sat.k", 3).set("sat.dead_nodes", dead);
    return e;
  }
  std::string said(std::uint64_t cycle) const {
    return gate.complaint(cycle, [](NodeId) { return std::size_t{0}; });
  }
  models::Experiment experiment;
  routing::Topology topology;
  SatGate gate;
};

TEST(EndStations, AreWatchedLikeTheOthers) {
  for (const NodeId node : {kFirst, kLast}) {
    Line line;
    line.gate.stations().receive(node, 50);
    EXPECT_EQ(line.said(50 + 120), "");
    EXPECT_EQ(line.said(50 + 121).rfind("dead SAT station: node " + std::to_string(node.value) + " has held", 0), 0U);
  }
}

/// Of two that hold it too long the first is named.
TEST(EndStations, AreNamedInTheirOrder) {
  Line line;
  line.gate.stations().receive(kLast, 10);
  line.gate.stations().receive(kFirst, 20);
  EXPECT_EQ(line.said(20 + 121).rfind("dead SAT station: node 0 has held the SAT signal since cycle 20", 0), 0U);
}

TEST(EndStations, AreDeadIfTheyAreListed) {
  Line line({3, 0});
  const auto none_wait = [](NodeId) { return std::size_t{0}; };
  for (std::size_t n = 0; n < 4; ++n) {
    const bool dead = n == 0 || n == 3;
    EXPECT_EQ(line.gate.stations().station(NodeId{n}).dead, dead) << n;
    EXPECT_EQ(line.gate.stations().satisfied(NodeId{n}, none_wait), !dead) << n;
    EXPECT_EQ(line.gate.stations().try_release(NodeId{n}, none_wait), !dead) << n;
  }
}

TEST(EndStations, AreShownLikeTheOthers) {
  Line line;
  models::SignalTable table;
  const std::unique_ptr<models::SignalSource> source = line.gate.signals(table);
  std::map<std::string, const models::Signal*> by_name;
  for (const models::Signal& s : table.signals()) by_name[s.scope + "." + s.name] = &s;
  for (const NodeId node : {kFirst, kLast}) {
    line.gate.stations().receive(node, 5);
    for (int i = 0; i < 3; ++i) line.gate.passed(node);
    source->sample(0);
    const std::string scope = "sat.node" + std::to_string(node.value);
    EXPECT_EQ(by_name.at("sat.holder")->value, node.value + 1);
    EXPECT_EQ(by_name.at(scope + ".holds")->value, 1U);
    EXPECT_EQ(by_name.at(scope + ".sent")->value, 3U);
    EXPECT_EQ(by_name.at(scope + ".open")->value, 0U);
    line.gate.stations().release(node);
    source->sample(1);
    EXPECT_EQ(by_name.at("sat.holder")->value, 0U);
    EXPECT_EQ(by_name.at(scope + ".holds")->value, 0U);
    EXPECT_EQ(by_name.at(scope + ".open")->value, 1U);
  }
}

/// Nothing has happened at a station before the signal has come for the first time, nor in the intervals of a window.
TEST(EndStations, BeginWithNothing) {
  const SatStations::Station fresh;
  EXPECT_EQ(fresh.sent + fresh.received + fresh.interval, 0U);
  EXPECT_FALSE(fresh.holds || fresh.dead || fresh.received_before);
  Line line;
  EXPECT_EQ(line.gate.stations().intervals().count + line.gate.stations().intervals().sum, 0U);
  EXPECT_EQ(line.gate.stations().intervals().max, 0U);
  EXPECT_FALSE(line.gate.stations().limited());
  const SatStations::Visit visit;
  EXPECT_FALSE(visit.here || visit.leaves || visit.arrives);
}

/// A line is as it was behind a checkpoint: whoever holds the signal, and for how long.
TEST(EndStations, AreInCheckpoints) {
  Line line, other;
  line.gate.stations().receive(kLast, 30);
  line.gate.passed(kFirst);
  restore(other.gate, saved(line.gate));
  EXPECT_TRUE(other.gate.stations().station(kLast).holds);
  EXPECT_EQ(other.gate.stations().station(kFirst).sent, 1U);
  EXPECT_EQ(other.said(30 + 121), line.said(30 + 121));
  EXPECT_NE(other.said(30 + 121), "");
}

}  // namespace
}  // namespace braid::test::end_stations_test
