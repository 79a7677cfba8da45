// Classes of traffic, and closed loops against what can be worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "models/workload/synthetic/virtual_networks.h"
#include "routing/analysis/link_loads.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::classes_test {
namespace {

using namespace models;

/// Node 0 of two asks node 1, requests and replies of one flit: 3 + 5 x 2 cycles each way, 26 there and back.
constexpr double kRoundTrip = 26.0;
std::string loop(const std::string& keys, const std::string& more = "") {
  return R"(
[topology]
width = 2
height = 1
[simulation]
batch_cycles = 1300
measure_cycles = 26000
[[traffic]]
name = "loads"
pattern = "hot_spot"
hot_nodes = [1]
hot_fraction = 1.0
senders = [0]
length = "fixed"
flits = 1
request_reply = true
)" + keys +
         more;
}

Results run(const std::string& text) {
  Simulation simulation(parse_experiment(text, "e.toml"));
  Results results = simulation.run();
  EXPECT_TRUE(results.conservation.holds());
  return results;
}

const Report& exchange(const Results& r, std::size_t i = 0) {
  return r.workloads.get<std::vector<Report>>("exchanges").at(i);
}
double trip(const Results& r, const char* figure) {
  return exchange(r).get<double>(std::string("round_trip_distribution_cycles.") + figure);
}
/// Requests a cycle that node 0 sent.
double rate(const Results& r) { return r.classes.at(0).injected_flits_per_cycle_by_node.at(0); }

TEST(ClosedLoop, OfOneRequestGoesRoundAgainAndAgain) {
  const Results r = run(loop("process = \"saturated\"\noutstanding = 1\n"));
  EXPECT_EQ(trip(r, "min"), kRoundTrip);
  EXPECT_EQ(trip(r, "max"), kRoundTrip);
  EXPECT_EQ(exchange(r).get<std::uint64_t>("served"), 1000U) << "one each 26 cycles, of 26000";
  EXPECT_DOUBLE_EQ(rate(r), 1.0 / kRoundTrip);
  ASSERT_EQ(r.classes.size(), 2U);
  EXPECT_EQ(r.classes[0].name, "loads");
  EXPECT_EQ(r.classes[1].name, "loads replies");
  EXPECT_EQ(r.classes[0].packet_latency_distribution.max, 13.0);
  EXPECT_FALSE(r.classes[0].saturation.has_value()) << "whoever waits for replies wants no more than there are";
}

TEST(ClosedLoop, WithoutAQueueGoesAsOftenAsItHasRequests) {
  const Results r = run(loop("process = \"saturated\"\noutstanding = 4\n"));
  EXPECT_EQ(trip(r, "max"), kRoundTrip);
  EXPECT_DOUBLE_EQ(rate(r), 4.0 / kRoundTrip);
}

TEST(ClosedLoop, TakesTheServiceInAddition) {
  const Results r = run(loop("process = \"saturated\"\noutstanding = 1\nservice_cycles = 104\n"));
  EXPECT_EQ(trip(r, "min"), kRoundTrip + 104.0);
  EXPECT_EQ(trip(r, "max"), kRoundTrip + 104.0);
  EXPECT_EQ(exchange(r).get<std::uint64_t>("served"), 200U);
  EXPECT_EQ(exchange(r).get<double>("service_wait_mean_cycles"), 0.0);
  EXPECT_DOUBLE_EQ(exchange(r).get<double>("servers_busy"), 0.5 * 104.0 / 130.0) << "node 0 serves nobody";
}

/// Four requests under way, one served each 100 cycles: by Little's law each takes 4 x 100, and waits for what is left.
TEST(ClosedLoop, OfABusyServerTakesItsQueue) {
  const Results r = run(loop("process = \"saturated\"\noutstanding = 4\nservice_cycles = 100\n"));
  EXPECT_EQ(trip(r, "p50"), 400.0);
  EXPECT_EQ(exchange(r).get<double>("service_wait_mean_cycles"), 400.0 - 100.0 - kRoundTrip);
  EXPECT_DOUBLE_EQ(exchange(r).get<double>("servers_busy"), 0.5);
  EXPECT_DOUBLE_EQ(rate(r), 0.01);
}

TEST(ClosedLoop, OfAsManyServersHasNoQueue) {
  const Results r = run(loop("process = \"saturated\"\noutstanding = 4\nservice_cycles = 100\nservers = 4\n"));
  EXPECT_EQ(trip(r, "max"), kRoundTrip + 100.0);
  EXPECT_EQ(exchange(r).get<double>("service_wait_mean_cycles"), 0.0);
}

/// Two nodes ask, each once a cycle if it may and four times at once, and the one between takes both in a cycle: 2
/// cycles there, 2 back on the ideal network.
Results asked_from_both_sides(const std::string& keys) {
  Simulation simulation(parse_experiment(
      loop("process = \"saturated\"\noutstanding = 4\n" + keys), "e.toml",
      {"topology.width=3", "topology.local_ports=2", "router.architecture=ideal", "traffic.senders=[0, 2]"}));
  return simulation.run();
}

/// Eight requests under way and one served a cycle: by Little's law each takes 8.
TEST(ClosedLoop, OfAServiceOfOneCycleTakesItsQueue) {
  const Results r = asked_from_both_sides("service_cycles = 1\n");
  EXPECT_EQ(trip(r, "min"), 8.0);
  EXPECT_EQ(trip(r, "max"), 8.0);
  EXPECT_EQ(exchange(r).get<double>("service_wait_mean_cycles"), 8.0 - 4.0 - 1.0);
  EXPECT_EQ(exchange(r).get<std::uint64_t>("served"), 26000U);
}

TEST(ClosedLoop, WithoutAServiceAnswersAllThatComeInACycle) {
  const Results r = asked_from_both_sides("service_cycles = 0\n");
  EXPECT_EQ(trip(r, "max"), 4.0);
  EXPECT_EQ(exchange(r).get<double>("service_wait_mean_cycles"), 0.0);
  EXPECT_EQ(exchange(r).get<std::uint64_t>("served"), 52000U);
}

/// A request each 20 cycles is asked for, one each 52 answered: offered is what is asked for.
TEST(ClosedLoop, OffersWhatIsDemandedNotWhatRepliesAllow) {
  const Results r =
      run(loop("process = \"constant\"\nrate_flits_per_node_cycle = 0.05\noutstanding = 1\nservice_cycles = 26\n"));
  EXPECT_NEAR(r.classes[0].offered_flits_per_node_cycle, 0.05 / 2, 1e-4) << "one of two nodes";
  EXPECT_NEAR(r.classes[0].accepted_flits_per_node_cycle.mean, 1.0 / 52 / 2, 1e-4);
  EXPECT_TRUE(r.saturated);
  EXPECT_EQ(exchange(r).get<std::uint64_t>("served"), 500U);
}

/// Far from the bound the loop is as good as open: the same packets in the same cycles.
TEST(ClosedLoop, ThatNobodyFillsChangesNothing) {
  const std::string open = "rate_flits_per_node_cycle = 0.02\n";
  Bench without(parse_experiment(loop(open), "e.toml"));
  Bench with(parse_experiment(loop(open + "outstanding = 1000\n"), "e.toml"));
  without.run(3000);
  with.run(3000);
  EXPECT_GT(without.network->conservation().packets_delivered, 100U);
  EXPECT_EQ(without.network->merged_statistics().packet_hash(), with.network->merged_statistics().packet_hash());
}

TEST(Classes, HaveStreamsOfTheirOwnAndFiguresOfTheirOwn) {
  const Results r = run(loop("rate_flits_per_node_cycle = 0.02\n", R"(
[[traffic]]
name = "writes"
pattern = "uniform"
length = "fixed"
flits = 4
rate_flits_per_node_cycle = 0.1
)"));
  ASSERT_EQ(r.classes.size(), 3U);
  EXPECT_EQ(r.classes[2].name, "writes");
  EXPECT_NEAR(r.classes[2].offered_flits_per_node_cycle, 0.1, 0.01);
  EXPECT_NEAR(r.classes[0].offered_flits_per_node_cycle, 0.01, 0.001);
  EXPECT_GT(r.classes[2].packet_latency_distribution.p99, 0.0);
  EXPECT_EQ(r.workloads.get<std::vector<Report>>("exchanges").size(), 1U) << "writes are not answered";
}

/// What several classes have a list of is one list, in the order of the classes.
TEST(Classes, ThatAreAnsweredHaveAnExchangeEach) {
  const Results r = run(loop("rate_flits_per_node_cycle = 0.02\n", R"(
[[traffic]]
name = "writes"
pattern = "uniform"
request_reply = true
rate_flits_per_node_cycle = 0.1
)"));
  const auto& exchanges = r.workloads.get<std::vector<Report>>("exchanges");
  ASSERT_EQ(exchanges.size(), 2U);
  EXPECT_EQ(exchanges[0].get<std::string>("name"), "loads");
  EXPECT_EQ(exchanges[1].get<std::string>("name"), "writes");
  EXPECT_GT(exchanges[1].get<std::uint64_t>("served"), 2 * exchanges[0].get<std::uint64_t>("served"));
}

TEST(Classes, BeginAndEndWhenTheyAreToldTo) {
  Bench bench(parse_experiment(
      loop("process = \"constant\"\nrate_flits_per_node_cycle = 0.1\nstart_cycle = 100\nstop_cycle = 200\n"),
      "e.toml"));
  bench.run(100);
  EXPECT_EQ(bench.network->conservation().packets_created, 0U);
  bench.run(400);
  EXPECT_EQ(bench.network->conservation().packets_created, 20U) << "ten requests, ten replies";
  EXPECT_EQ(bench.delivered(), 20U);
}

TEST(Classes, CountWhatIsHeldAsInFlight) {
  Bench bench(
      parse_experiment(loop("process = \"constant\"\nrate_flits_per_node_cycle = 0.5\noutstanding = 2\n"), "e.toml"));
  bench.run(500);
  EXPECT_GT(bench.network->workloads()[0]->held_packets(), 100U);
  EXPECT_TRUE(bench.network->conservation().holds());
}

TEST(Classes, OnVirtualChannelsOfTheirOwnStayThere) {
  const Experiment e = parse_experiment(loop("vcs = [0, 0]\nreply_vcs = [1, 3]\n"), "e.toml");
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = make_routing_by_class(topology, e);
  EXPECT_EQ(routing->injection_vcs(), 0b1111U);
  EXPECT_EQ(routing->injection_vcs_of(1), 0b0001U);
  EXPECT_EQ(routing->injection_vcs_of(2), 0b1110U);
  routing::CandidateList out;
  routing::RouteQuery query{RouterId{0}, PortId{4}, VcId{0}, NodeId{0}, NodeId{1}};
  query.traffic_class = 1;
  routing->route(query, out);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].vcs, 0b0001U);
  query.in_vc = VcId{2};
  query.traffic_class = 2;
  routing->route(query, out);
  EXPECT_EQ(out[0].vcs, 0b1110U);
}

/// On a torus each range needs the two virtual channels that keep its rings free of cycles.
TEST(Classes, OnTooFewVirtualChannelsAreRefused) {
  const std::string torus =
      "[topology]\nkind = \"torus\"\nwidth = 4\nheight = 4\n[[traffic]]\nname = \"a\"\nvcs = [0, 1]\n"
      "[[traffic]]\nname = \"b\"\nvcs = ";
  EXPECT_NO_THROW(Bench(parse_experiment(torus + "[2, 3]\n", "e.toml")));
  EXPECT_THROW(Bench(parse_experiment(torus + "[2, 2]\n", "e.toml")), InputError);
  EXPECT_THROW(Bench(parse_experiment(torus + "[1, 2]\n", "e.toml")), InputError) << "overlaps";
  EXPECT_THROW(Bench(parse_experiment(torus + "[3, 4]\n", "e.toml")), InputError) << "there are four";
}

/// Ranges that have VCs in common, but not all, close a cycle only where routing itself needs several VCs.
TEST(Classes, MayShareVirtualChannelsInPartWhereRoutingNeedsOnlyOne) {
  const auto refused = [](const std::string& routing, const std::string& kind) {
    const std::string text = "[topology]\nkind = \"" + kind + "\"\nwidth = 4\nheight = 4\n[routing]\nalgorithm = \"" +
                             routing +
                             "\"\n[router]\nvcs = 8\n[[traffic]]\nname = \"a\"\nvcs = [0, 5]\n"
                             "[[traffic]]\nname = \"b\"\nvcs = [2, 7]\n";
    return complaint([&] { Bench(parse_experiment(text, "e.toml")); });
  };
  EXPECT_EQ(refused("x_first", "mesh"), "");
  const std::string why =
      "traffic.vcs: virtual channels 0 to 5 of one class and 2 to 7 of another overlap: expected the same ranges or "
      "ranges apart, or a routing of one way a packet that is free of deadlock with one virtual channel";
  EXPECT_EQ(refused("x_first", "torus"), why);          // two VCs for each ring
  EXPECT_EQ(refused("xy_yx", "mesh"), why);             // each order needs one
  EXPECT_EQ(refused("minimal_adaptive", "mesh"), why);  // an escape, and one besides
  EXPECT_EQ(refused("west_first", "mesh"), why);        // several ways, though one VC would do
}

/// A class's packets have its own VCs alone, whoever else has some of them.
TEST(Classes, ThatShareVirtualChannelsKeepToTheirs) {
  const Experiment e = parse_experiment(
      "[topology]\nwidth = 4\nheight = 4\n[router]\nvcs = 8\n[[traffic]]\nname = \"a\"\nvcs = [0, 5]\n"
      "[[traffic]]\nname = \"b\"\nvcs = [2, 7]\n",
      "e.toml");
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = make_routing_by_class(topology, e);
  for (std::size_t in_vc = 0; in_vc < 8; ++in_vc) {
    routing::RouteQuery query{RouterId{0}, PortId{4}, VcId{in_vc}, NodeId{0}, NodeId{15}};
    routing::CandidateList out;
    query.traffic_class = 1;
    routing->route(query, out);
    EXPECT_EQ(out[0].vcs, 0b00111111U);
    query.traffic_class = 2;
    routing->route(query, out);
    EXPECT_EQ(out[0].vcs, 0b11111100U);
  }
}

/// Each range has its own halves for the two orders, whichever VCs the router has.
TEST(Classes, HaveBothOrdersOnTheirVirtualChannels) {
  for (const std::string algorithm : {"xy_yx", "adaptive_xy_yx"}) {
    const std::string mesh = "[topology]\nwidth = 4\nheight = 4\n[routing]\nalgorithm = \"" + algorithm +
                             "\"\n[router]\nvcs = 6\n[[traffic]]\nname = \"a\"\nvcs = [0, 3]\n"
                             "rate_flits_per_node_cycle = 0.3\n[[traffic]]\nname = \"b\"\n"
                             "rate_flits_per_node_cycle = 0.2\nvcs = ";
    const Experiment e = parse_experiment(mesh + "[4, 5]\n", "e.toml");
    const routing::Topology topology = routing::make_topology(e);
    const auto routing = make_routing_by_class(topology, e);
    for (const std::uint8_t draw : {0, 1}) {
      routing::RouteQuery query{RouterId{0}, PortId{4}, VcId{0}, NodeId{0}, NodeId{15}, routing::kNoRoute, draw};
      for (const std::uint8_t of_class : {1, 2}) {
        query.traffic_class = of_class;
        routing::CandidateList out;
        routing->route(query, out);
        ASSERT_EQ(out.size(), 1U);
        EXPECT_EQ(out[0].port, PortId{draw == 0 ? 0U : 2U});
        const VcMask lower = of_class == 1 ? 0b000011U : 0b010000U, upper = of_class == 1 ? 0b001100U : 0b100000U;
        EXPECT_EQ(out[0].vcs, draw == 0 ? lower : upper);
        // A router on, it goes by the VC that it has.
        const routing::Port& link = topology.port(RouterId{0}, out[0].port);
        query.router = link.peer_router;
        query.in_port = link.peer_port;
        query.in_vc = VcId{static_cast<std::size_t>(__builtin_ctz(out[0].vcs))};
        routing->route(query, out);
        EXPECT_EQ(out[0].vcs, draw == 0 ? lower : upper);
        query.router = RouterId{0};
        query.in_port = PortId{4};
        query.in_vc = VcId{0};
      }
    }
    Bench bench(e);
    bench.run(3000);
    EXPECT_NEAR(static_cast<double>(bench.delivered()) / 3000 / 16, 0.5 / 4, 0.01) << algorithm;
    EXPECT_TRUE(bench.network->conservation().holds());
    EXPECT_THROW(Bench(parse_experiment(mesh + "[5, 5]\n", "e.toml")), InputError) << "one VC for two orders";
  }
}

/// A class of high priority beside one that fills the network: apart by queue and by VCs it is hardly slower than
/// alone.
TEST(Classes, OfHighPriorityDoNotWaitBehindOthers) {
  const std::string both = R"(
[topology]
width = 4
height = 4
[interface]
scheduler = "classes"
[simulation]
measure_cycles = 5000
max_drain_cycles = 100
[[traffic]]
name = "control"
rate_flits_per_node_cycle = 0.01
flits = 1
length = "fixed"
priority = 7
vcs = [0, 0]
[[traffic]]
name = "bulk"
flits = 8
length = "fixed"
rate_flits_per_node_cycle = 0.95
vcs = [1, 3]
)";
  const Results apart = run(both);
  EXPECT_TRUE(apart.classes[1].saturation->saturated);
  EXPECT_FALSE(apart.classes[0].saturation->saturated);
  EXPECT_LT(apart.classes[0].packet_latency_distribution.p95, 60.0);
}

void refused(const std::string& text, const std::string& says) {
  try {
    const Bench bench(parse_experiment(text, "e.toml"));
    ADD_FAILURE() << text;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
  }
}

TEST(Classes, NeedNamesOfTheirOwn) {
  const std::string one = "[[traffic]]\nname = \"a\"\n";
  refused(one + "[[traffic]]\n", "e.toml:3:1: class 2 of 2 has no name: expected traffic.name in each [[traffic]]");
  refused(one + one, "e.toml:4:8: traffic.name = \"a\" is taken by another [[traffic]]: expected another name");
  refused("[[traffic]]\nname = \"circuits\"\n", "is the name of other packets");
  refused("[[traffic]]\nname = \"a b\"\n", "expected letters, digits, _ and -");
  refused(one + "[[traffic]]\nname = \"b\"\nrat = 1\n", "e.toml:5:1");
  refused("[traffic]\npriority = 1\n", "traffic.priority belongs to traffic.name");
}

TEST(Classes, AreSetByTheirNames) {
  const std::string two =
      "[[traffic]]\nname = \"a\"\n[[traffic]]\nname = \"b\"\npattern = \"hot_spot\"\nhot_nodes = [1]\n";
  const Experiment e =
      parse_experiment(two, "e.toml", {"traffic.b.pattern=uniform", "traffic.a.rate_flits_per_node_cycle=0.3"});
  EXPECT_EQ(e.of_class(0).get<double>("traffic.rate_flits_per_node_cycle"), 0.3);
  EXPECT_EQ(e.of_class(1).get<double>("traffic.rate_flits_per_node_cycle"), 0.1);
  EXPECT_EQ(e.of_class(1).get<std::string>("traffic.pattern"), "uniform");
  EXPECT_EQ(e.of_class(1).find("traffic.hot_nodes"), nullptr) << "went with its pattern";
  EXPECT_THROW(parse_experiment(two, "e.toml", {"traffic.flits=3"}), InputError) << "of which class?";
  EXPECT_THROW(parse_experiment(two, "e.toml", {"traffic.c.flits=3"}), InputError);
}

/// Two hops either way round to the node opposite: which way a packet draws, with virtual channels of its class's own
/// as with those of all. If the ranges' draws were not told, analyses would send all of them one way.
TEST(VirtualNetworks, TellApartAsManyPacketsAsTheirRanges) {
  constexpr const char* kTorus = R"(
[topology]
kind = "torus"
width = 4
height = 4
[router]
vcs = 4
[[traffic]]
name = "loads"
pattern = "uniform"
rate_flits_per_node_cycle = 0.1
)";
  const std::string apart = "vcs = [0, 1]\n[[traffic]]\nname = \"stores\"\nvcs = [2, 3]\n";
  for (const std::string& more : {std::string(), apart}) {
    const Simulation simulation(parse_experiment(kTorus + more, "e.toml"));
    const auto& routing = simulation.routing();
    EXPECT_EQ(dynamic_cast<const VirtualNetworks*>(&routing) != nullptr, !more.empty());
    EXPECT_EQ(routing.draws(), 4U) << "ties in x and in y";
    const auto loads = routing::link_loads(simulation.topology(), routing, {{NodeId{0}, NodeId{2}, 1.0}});
    EXPECT_EQ(std::count(loads[0].begin(), loads[0].end(), 0.5), 2) << more;
    EXPECT_EQ(std::count(loads[0].begin(), loads[0].end(), 1.0), 0) << more;
  }
}

}  // namespace
}  // namespace braid::test::classes_test
