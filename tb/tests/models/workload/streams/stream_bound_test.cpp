// What holds a stream program's throughput, by hand and in runs.
#include "models/workload/streams/stream_bound.h"

#include <gtest/gtest.h>

#include "models/experiment/simulation.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/loads.h"

namespace braid::test::stream_bound_test {
namespace {

using namespace models;

/// Two routers side by side, a node with `local_ports` on each, and a stream from one to the other: one firing of `a`
/// is an iteration, four of `b`.
struct Two {
  routing::Topology topology;
  LocalPortMap ports;
  traffic::StreamGraph graph;
  StreamOptions options;
  NodeBandwidth bandwidth;

  explicit Two(std::uint32_t local_ports = 1) : topology(make(local_ports)), ports(topology) {
    graph.name = "two";
    graph.actors = {{"a", 10, {}}, {"b", 5, {}}};
    graph.edges = {{0, 1, 8, 2, 2}};
  }
  static routing::Topology make(std::uint32_t local_ports) {
    Experiment e;
    e.set("topology.width", 2).set("topology.height", 1).set("topology.local_ports", local_ports);
    return routing::make_topology(e);
  }
  /// Of `iterations` in 1000 cycles, with these flits over the links there and back.
  std::optional<StreamBound> bound(double iterations, std::vector<std::uint64_t> links = {0, 0}) {
    StreamProgram program(graph, {NodeId{0}, NodeId{1}}, options);
    program.edges()[0].source_port = ports.first[0];
    program.edges()[0].destination_port = ports.first[1];
    program.edges()[0].requests = {1, 30};
    program.edges()[0].responses = {2, 100};  // 50 each
    return stream_bound(program, {ports, bandwidth}, topology, {iterations, 1000, std::move(links)});
  }
};

/// b fires four times in an iteration, 20 cycles: 50 a kilocycle at most.
TEST(StreamBound, IsTheBusiestActorsWork) {
  const auto bound = Two().bound(40);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "compute");
  EXPECT_EQ(bound->place, "actor b at node 1");
  EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 50.0);
  EXPECT_DOUBLE_EQ(bound->reached, 0.8);
}

/// 8 items an iteration through one local port: 125 a kilocycle. What leaves there arrives: the first of equals.
TEST(StreamBound, IsTheLocalPortThatSends) {
  Two two;
  two.options.computation_scaling = 0.001;
  const auto bound = two.bound(100);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "injection");
  EXPECT_EQ(bound->place, "local port 0 of node 0");
  EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 125.0);
  EXPECT_DOUBLE_EQ(bound->reached, 0.8);
}

/// Two streams on local ports of their own meet at a node that takes less than both.
TEST(StreamBound, IsTheNodeThatTakes) {
  Two two(1);
  two.options.computation_scaling = 0.001;
  two.graph.edges.push_back({0, 1, 4, 1, 1});
  StreamProgram program(two.graph, {NodeId{0}, NodeId{1}}, two.options);
  program.edges()[0].source_port = 0;
  program.edges()[1].source_port = 1;
  const auto bound = stream_bound(program, {two.ports, {}}, two.topology, {50, 1000, {0, 0}});
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "ejection");
  EXPECT_EQ(bound->place, "node 1");
  EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 1000.0 / 12.0);
}

/// Two streams on local ports of their own, 12 items an iteration, of a node that sends one a cycle.
TEST(StreamBound, IsTheNodeThatServesFewerPortsThanItHas) {
  for (const bool circuits : {false, true}) {
    Two two(2);
    two.options.computation_scaling = 0.001;
    two.graph.edges.push_back({0, 1, 4, 1, 1});
    StreamProgram program(two.graph, {NodeId{0}, NodeId{1}}, two.options);
    program.edges()[0].source_port = 0;
    program.edges()[1].source_port = 1;
    program.start(circuits ? Switching::kCircuit : Switching::kPacket);
    const auto bound = [&](const NodeBandwidth& bandwidth) {
      return stream_bound(program, {two.ports, bandwidth}, two.topology, {50, 1000, {0, 0}});
    };
    NodeBandwidth packets, on_circuits, taken;
    packets.packet_injection = on_circuits.circuit_injection = 1;
    taken.packet_ejection = taken.circuit_ejection = 1;
    const auto bounded = bound(circuits ? on_circuits : packets);
    ASSERT_TRUE(bounded.has_value());
    EXPECT_EQ(bounded->kind, "injection");
    EXPECT_EQ(bounded->place, "node 0");
    EXPECT_DOUBLE_EQ(bounded->iterations_per_kilocycle, 1000.0 / 12.0);
    EXPECT_EQ(bound(circuits ? packets : on_circuits)->place, "local port 0 of node 0") << "the other kind's";
    EXPECT_EQ(bound(taken)->kind, "ejection");
    EXPECT_DOUBLE_EQ(bound(taken)->iterations_per_kilocycle, 1000.0 / 12.0);
  }
}

TEST(StreamBound, IsTheLinkByWhatWentOverIt) {
  Two two;
  two.options.computation_scaling = 0.001;
  const auto bound = two.bound(100, {10, 950});
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "link");
  EXPECT_EQ(bound->place, "link 1,0 west -> 0,0");
  EXPECT_DOUBLE_EQ(bound->reached, 0.95);
  EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 100.0 / 0.95);
}

/// 16 items at most are on their way, 80 cycles there and back: a fifth of an item a cycle, 25 iterations a kilocycle.
TEST(StreamBound, IsTheRoundTripOfWhatIsPulled) {
  Two two;
  two.options.computation_scaling = 0.001;
  two.options.transfer = Transfer::kPull;
  const auto bound = two.bound(20);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "round_trip");
  EXPECT_EQ(bound->place, "a -> b: 80 cycles there and back");
  EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 25.0);
  EXPECT_DOUBLE_EQ(bound->reached, 0.8);
}

/// a and c send 8 and 4 items an iteration to b in the middle, which asks for each by a request of its own: 12 requests
/// leave its port. By two ports a node sends half as much by each; one that takes a flit a cycle takes all requests.
TEST(StreamBound, CountsTheRequestsOfWhatIsPulled) {
  traffic::StreamGraph graph;
  graph.actors = {{"a", 1, {}}, {"b", 1, {}}, {"c", 1, {}}};
  graph.edges = {{0, 1, 8, 8, 8}, {2, 1, 4, 4, 4}};
  StreamOptions options;
  options.transfer = Transfer::kPull;
  options.pull_block_items = 1;
  options.pull_outstanding = 60000;
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 1);
  const routing::Topology topology = routing::make_topology(e);
  const LocalPortMap ports(topology);
  const std::vector<std::uint64_t> links(4, 0);
  {
    StreamProgram program(graph, {NodeId{0}, NodeId{1}, NodeId{2}}, options);
    program.edges()[0].source_port = 0;
    program.edges()[1].source_port = 2;
    for (StreamProgram::Edge& edge : program.edges()) edge.destination_port = 1;
    const auto bound = stream_bound(program, {ports, {}}, topology, {50, 1000, links});
    ASSERT_TRUE(bound.has_value());
    EXPECT_EQ(bound->place, "local port 0 of node 1");
    EXPECT_EQ(bound->kind, "injection");
    EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 1000.0 / 12.0);
  }
  graph.edges = {{1, 0, 8, 8, 8}, {1, 2, 4, 4, 4}};  // the other way round: requests come to b
  e.set("topology.local_ports", 2);
  const routing::Topology wide = routing::make_topology(e);
  const LocalPortMap two(wide);
  StreamProgram program(graph, {NodeId{0}, NodeId{1}, NodeId{2}}, options);
  program.edges()[0].source_port = 2;
  program.edges()[1].source_port = 3;
  program.edges()[0].destination_port = 0;
  program.edges()[1].destination_port = 4;
  NodeBandwidth one_a_cycle;
  one_a_cycle.packet_ejection = 1;
  const auto bound = stream_bound(program, {two, one_a_cycle}, wide, {50, 1000, links});
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "ejection");
  EXPECT_EQ(bound->place, "node 1");
  EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 1000.0 / 12.0);
}

/// Items that leave with those of another stream leave once, and arrive twice.
TEST(StreamBound, CountsCopiesOnceWhereTheyLeave) {
  Two two;
  two.options.computation_scaling = 0.001;
  two.graph.edges.push_back(two.graph.edges.front());
  StreamProgram program(two.graph, {NodeId{0}, NodeId{1}}, two.options);
  for (const bool copies : {false, true}) {
    if (copies) program.edges()[1].tree = 0;
    const auto bound = stream_bound(program, {two.ports, {}}, two.topology, {10, 1000, {0, 0}});
    ASSERT_TRUE(bound.has_value());
    EXPECT_EQ(bound->kind, copies ? "ejection" : "injection");
    EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 1000.0 / 16.0);
  }
}

TEST(StreamBound, IsNoneWhereNothingArrived) { EXPECT_FALSE(Two().bound(0).has_value()); }

/// In a run: the producer computes 100 cycles for four items.
TEST(StreamBound, OfARunIsReachedByItsSlowProducer) {
  Experiment e = streaming(stream_pair(50, 5, 4, 4));
  e.set("stream.computation_scaling", 2.0).set("simulation.measure_cycles", 5000);
  Simulation simulation(e);
  const Report bound = simulation.run().workloads.get<Report>("stream.bound");
  EXPECT_EQ(bound.get<std::string>("kind"), "compute");
  EXPECT_EQ(bound.get<std::string>("place"), "actor a at node 0");
  EXPECT_DOUBLE_EQ(bound.get<double>("iterations_per_kilocycle"), 10.0);
  EXPECT_NEAR(bound.get<double>("reached"), 1.0, 0.02);
}

/// Over eight routers a request takes 43 cycles and its block 46: pull_test.cpp.
TEST(StreamBound, OfARunIsReachedByItsRoundTrip) {
  Experiment e = streaming(stream_pair(1, 1, 4, 4, 7), 8);
  e.set("interface.transfer", "pull").set("simulation.measure_cycles", 5000);
  Simulation simulation(e);
  const Report bound = simulation.run().workloads.get<Report>("stream.bound");
  EXPECT_EQ(bound.get<std::string>("kind"), "round_trip");
  EXPECT_NEAR(bound.get<double>("reached"), 1.0, 0.03);
}

/// In the first 100 cycles items are still on their way to b; later two iterations end in so many, as a allows.
TEST(StreamBound, OfAMeasurementKnowsNothingOfTheOneBefore) {
  const auto measured = [](bool before) {
    Bench bench(streaming(stream_pair(50, 5, 4, 4)));
    StreamWorkload& stream = *bench.network->workload<StreamWorkload>();
    for (const std::uint64_t cycles : {100, 500}) {
      bench.network->window() = {before || cycles == 500, bench.network->now(), 100};
      stream.begin_window();
      bench.run(cycles);
    }
    return stream.report(500);
  };
  const Report again = measured(true);
  EXPECT_EQ(told(again), told(measured(false)));
  EXPECT_DOUBLE_EQ(again.get<Report>("stream.bound").get<double>("reached"), 1.0);
}

/// A firing of b takes 2000 cycles: in a window of 1000 its iterations stand still, its items come on.
TEST(StreamProgress, ComesOnWithItemsWhereNoIterationEnds) {
  Two two;
  two.graph.edges = {{0, 1, 8, 32, 32}};
  StreamProgram program(two.graph, {NodeId{0}, NodeId{1}}, two.options);
  program.start(Switching::kPacket);
  EXPECT_DOUBLE_EQ(program.sink_progress(), 0.0);
  program.edges()[0].received.arrive(0, 8);
  EXPECT_DOUBLE_EQ(program.sink_progress(), 0.25);
  program.edges()[0].received.arrive(1, 32);  // 8 of them are of the next firing
  EXPECT_DOUBLE_EQ(program.sink_progress(), 1.0);
  program.step(program.actors()[1], 0);
  EXPECT_DOUBLE_EQ(program.sink_progress(), 1.25) << "taken, and its 8";
  EXPECT_EQ(program.milli_iterations(), 0U);
  program.step(program.actors()[1], 5);
  EXPECT_DOUBLE_EQ(program.sink_progress(), 1.25) << "the firing's end changes nothing";
  EXPECT_EQ(program.milli_iterations(), 1000U);
}

}  // namespace
}  // namespace braid::test::stream_bound_test
