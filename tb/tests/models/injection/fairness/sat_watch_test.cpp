// What a SAT line says of itself to the watchdog, to the cycle, and to a waveform; and the bit that its signal carries
// along. Over the ring of one switch of four nodes the signal is round in 12 cycles when nobody holds it, so a station
// that is satisfied is dead after 120 (docs/sat-fairness.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/injection/fairness/sat_gate.h"
#include "models/observe/signals.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_watch_test {
namespace {

using models::SatGate;
using models::SatStations;

struct Line {
  explicit Line(std::uint64_t timeout, const char* carrier = "ring", std::uint32_t l = 2, std::uint32_t k = 3)
      : experiment(of(timeout, carrier, l, k)),
        topology(routing::make_topology(experiment)),
        gate({topology, experiment}) {}
  static models::Experiment of(std::uint64_t timeout, const char* carrier, std::uint32_t l, std::uint32_t k) {
    models::Experiment e = vct_tree(1, 0.0);
    e.set("interface.fairness", "sat").set("sat.carrier", carrier);
    e.set("sat.l", l).set("sat.k", k).set("sat.timeout_cycles", timeout);
    return e;
  }
  /// With so many packets at each node.
  std::string said(std::uint64_t cycle, const std::vector<std::size_t>& waiting = {0, 0, 0, 0}) const {
    return gate.complaint(cycle, [&](NodeId node) { return waiting[node.value]; });
  }
  models::Experiment experiment;
  routing::Topology topology;
  SatGate gate;
};

constexpr NodeId kOne{1}, kTwo{2};

/// Held from cycle 50 on, by a node that has nothing to send: at 50 + 120 not yet, a cycle later it is.
TEST(SatWatch, CallsASatisfiedStationDeadAfterTenRounds) {
  Line line(1000);
  EXPECT_EQ(line.gate.carrier().unheld_interval_cycles(), 12U);
  line.gate.stations().receive(kOne, 50);
  EXPECT_EQ(line.said(50 + 120), "");
  EXPECT_EQ(line.said(50 + 121),
            "dead SAT station: node 1 has held the SAT signal since cycle 50, though it is satisfied: 0 packets sent "
            "(l = 2), 0 waiting");
  line.gate.passed(kOne);
  line.gate.passed(kOne);
  EXPECT_EQ(line.said(50 + 121, {0, 7, 0, 0}),
            "dead SAT station: node 1 has held the SAT signal since cycle 50, though it is satisfied: 2 packets sent "
            "(l = 2), 7 waiting");
  line.gate.stations().release(kOne);
  EXPECT_EQ(line.said(5000), "") << "nobody holds it";
}

/// ... or after the timeout, if that is shorter; and never where it is off.
TEST(SatWatch, CallsAStationDeadAfterTheTimeoutIfThatIsShorter) {
  Line line(40), off(0);
  for (Line* one : {&line, &off}) one->gate.stations().receive(kOne, 50);
  EXPECT_EQ(line.said(90), "");
  EXPECT_EQ(line.said(91).rfind("dead SAT station: node 1", 0), 0U);
  EXPECT_EQ(off.said(1000000), "");
}

/// One that has not sent l packets, and has some, starves: that takes the timeout, however many rounds it has.
TEST(SatWatch, CallsAStationStarvedAfterTheTimeout) {
  Line line(1000);
  line.gate.stations().receive(kOne, 50);
  line.gate.passed(kOne);
  const std::vector<std::size_t> waiting{0, 3, 0, 0};
  EXPECT_EQ(line.said(50 + 121, waiting), "");
  EXPECT_EQ(line.said(50 + 1000, waiting), "");
  EXPECT_EQ(line.said(50 + 1001, waiting),
            "starvation: node 1 has held the SAT signal since cycle 50 (sat.timeout_cycles = 1000): 1 of l = 2 packets "
            "sent, 3 waiting");
}

/// A node that only waits for its turn is no reason to look no further.
TEST(SatWatch, LooksAtEveryStation) {
  Line line(1000);
  line.gate.stations().receive(kOne, 50);
  line.gate.stations().receive(kTwo, 60);
  EXPECT_EQ(
      line.said(60 + 121, {0, 3, 0, 0}).rfind("dead SAT station: node 2 has held the SAT signal since cycle 60", 0),
      0U);
}

/// How long a round of control packets takes is not known before the first: then the timeout alone counts.
TEST(SatWatch, OfARoundThatNobodyKnowsGoesByTheTimeout) {
  Line line(300, "control_packet");
  ASSERT_EQ(line.gate.carrier().unheld_interval_cycles(), 0U);
  line.gate.stations().receive(kOne, 50);
  EXPECT_EQ(line.said(50 + 300), "");
  EXPECT_NE(line.said(50 + 301), "");
}

/// Who holds the signal, by its number from 1; on the line 0, and one more than there are where several do.
TEST(SatSignals, SayWhoHoldsTheSignal) {
  Line line(1000);
  models::SignalTable table;
  const std::unique_ptr<models::SignalSource> source = line.gate.signals(table);
  std::map<std::string, const models::Signal*> by_name;
  for (const models::Signal& s : table.signals()) by_name[s.scope + "." + s.name] = &s;
  const auto of = [&](const std::string& name) {
    source->sample(0);
    return by_name.at(name)->value;
  };
  const models::Signal& holder = *by_name.at("sat.holder");
  ASSERT_NE(holder.values, nullptr);
  EXPECT_EQ(holder.values->values,
            (std::vector<std::string>{"on the line", "node 0", "node 1", "node 2", "node 3", "several"}));
  EXPECT_EQ(of("sat.holder"), 0U);
  EXPECT_EQ(of("sat.holders"), 0U);
  line.gate.stations().receive(kTwo, 5);
  EXPECT_EQ(of("sat.holder"), 3U);
  EXPECT_EQ(of("sat.holders"), 1U);
  EXPECT_EQ(of("sat.node2.holds"), 1U);
  EXPECT_EQ(of("sat.node1.holds"), 0U);
  line.gate.stations().receive(kOne, 6);
  EXPECT_EQ(of("sat.holder"), 5U);
  EXPECT_EQ(of("sat.holders"), 2U);
  line.gate.stations().receive(NodeId{0}, 7);
  EXPECT_EQ(of("sat.holder"), 5U) << "three are several";
  EXPECT_EQ(of("sat.holders"), 3U);
  for (int packets = 0; packets < 3; ++packets) {
    EXPECT_EQ(of("sat.node1.open"), 1U) << packets;
    EXPECT_EQ(of("sat.node1.sent"), static_cast<std::uint64_t>(packets));
    line.gate.passed(kOne);
  }
  EXPECT_EQ(of("sat.node1.open"), 0U) << "k have gone";
  EXPECT_EQ(of("sat.node1.sent"), 3U);
  EXPECT_EQ(of("sat.node2.sent"), 0U);
  EXPECT_EQ(of("sat.node2.open"), 1U);
}

/// The figures of intervals: those of all stations, from reception to reception, since the window began.
TEST(SatFigures, AreOfTheIntervalsOfTheWindow) {
  Line line(1000);
  const auto figure = [&](const char* name) {
    return line.gate.report().get<Report>("interval_cycles").get<double>(name);
  };
  const auto count = [&] { return line.gate.stations().intervals().count; };
  SatStations& stations = line.gate.stations();
  for (const std::uint64_t cycle : {10U, 30U}) stations.receive(kOne, cycle);
  EXPECT_EQ(figure("max"), 20.0);
  line.gate.begin_window();
  EXPECT_EQ(count(), 0U);
  for (const std::uint64_t cycle : {42U, 60U}) stations.receive(kOne, cycle);
  for (const std::uint64_t cycle : {50U, 81U}) stations.receive(kTwo, cycle);
  EXPECT_EQ(count(), 3U);
  EXPECT_EQ(figure("min"), 12.0);
  EXPECT_EQ(figure("max"), 31.0);
  EXPECT_DOUBLE_EQ(figure("mean"), (12.0 + 18.0 + 31.0) / 3.0);
  EXPECT_EQ(line.gate.report().get<std::string>("policy"), "sat");
  EXPECT_EQ(line.gate.report().get<std::string>("carrier"), "ring");
  EXPECT_EQ(line.gate.report().get<std::uint64_t>("l"), 2U);
  EXPECT_EQ(line.gate.report().get<std::uint64_t>("k"), 3U);
  EXPECT_EQ(line.gate.report().get<std::uint64_t>("unheld_interval_cycles"), 12U);
}

/// Set by whoever had sent k packets before the signal came, and kept until it is asked for, whoever comes next.
TEST(SatLimit, IsKnownUntilItIsAskedFor) {
  models::SatOptions options;
  options.l = 1;
  options.k = 2;
  SatStations s(2, options);
  s.passed(kOne);
  s.receive(kOne, 5);
  EXPECT_FALSE(s.limited()) << "one of two";
  s.passed(kOne);
  s.receive(kOne, 9);
  EXPECT_TRUE(s.limited());
  s.receive(NodeId{0}, 12);
  EXPECT_TRUE(s.limited()) << "the other one had not";
  s.receive(kOne, 15);
  EXPECT_TRUE(s.take_limited());
  EXPECT_FALSE(s.limited());
  EXPECT_FALSE(s.take_limited());
}

/// Nodes count by new thresholds from the signal's next departure on, each by itself.
TEST(SatThresholds, CountFromTheNextDeparture) {
  models::SatOptions options;
  options.l = 1;
  options.k = 1;
  SatStations s(3, options);
  s.set_thresholds({2, 2});
  s.passed(kOne);
  EXPECT_FALSE(s.open(kOne));
  s.release(kOne);
  EXPECT_EQ(s.station(kOne).thresholds.k, 2U);
  EXPECT_EQ(s.station(kTwo).thresholds.k, 1U);
  s.passed(kOne);
  EXPECT_TRUE(s.open(kOne));
  s.passed(kOne);
  EXPECT_FALSE(s.open(kOne));
}

}  // namespace
}  // namespace braid::test::sat_watch_test
