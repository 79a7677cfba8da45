// Results as JSON: every field of a results value filled by hand with a number of its own, against the whole document;
// how the document is printed and written.
#include "models/experiment/results_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "models/experiment/json_file.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/program.h"

namespace braid::test::results_json_test {
namespace {

using models::Results;

/// What must always be there. All fractions are exact in binary.
Results smallest() {
  Results r;
  r.cycles = 101;
  r.warmup_cycles = 102;
  r.measured_cycles = 103;
  r.steady = false;
  r.saturated = true;
  r.packet_hash = 0xabc;
  r.flit_hops = 104;
  r.wall_seconds = 1.5;
  r.conservation = {30, 10, 20, 700, 300, 400};
  r.warnings = {{"saturated", "saturated: so it is", "packets"}};
  return r;
}
const std::string kSmallest = R"(
    "program": "braid", "schema": 1, "seed": 99,
    "cycles": 101, "warmup_cycles": 102, "measured_cycles": 103, "steady": false, "saturated": true,
    "packet_hash": "0000000000000abc", "flit_hops": 104, "wall_seconds": 1.5,
    "warnings": [{"code": "saturated", "text": "saturated: so it is", "place": "packets"}],
    "conservation": {"packets_created": 30, "packets_delivered": 10, "packets_in_flight": 20,
                     "flits_injected": 700, "flits_delivered": 300, "flits_in_flight": 400, "holds": true})";

/// The document without the configuration and the version, which are checked apart.
boost::json::object document(const Results& r) {
  models::Experiment e;
  e.set("experiment.seed", 99);
  boost::json::object all = models::results_json(e, r, grid_of("mesh", 2, 1));
  EXPECT_EQ(all.at("version"), BRAID_VERSION);
  EXPECT_EQ(all.at("configuration"), boost::json::value(models::configuration_json(e)));
  all.erase("version");
  all.erase("configuration");
  return all;
}
boost::json::object expected(const std::string& more) {
  return boost::json::parse("{" + kSmallest + "," + more + "}").as_object();
}

TEST(ResultsJson, OptionalBlocksAreThereOnlyIfTheResultsHaveThem) {
  EXPECT_EQ(document(smallest()), expected(R"("classes": [], "links": [], "node_links": [])"));
}

/// A figure that nothing was sampled for is printed as null, never as a 0 or a perfect fairness.
TEST(ResultsJson, WithoutASampleThereIsNoFigure) {
  Results r = smallest();
  r.classes.resize(1);
  r.classes[0].name = "packets";
  r.classes[0].accepted_flits_per_node_cycle.mean = 0.0;
  r.classes[0].injection_spread.nodes = 2;
  const boost::json::object c = document(r).at("classes").as_array()[0].as_object();
  EXPECT_EQ(c.at("packet_latency_percentile_intervals_cycles").at("not_reliable"), "p50 p95 p99 p99_9");
  const auto all = [&](const char* part, std::initializer_list<const char*> names) {
    for (const char* name : names) EXPECT_EQ(models::pretty(c.at(part).as_object().at(name)), "null\n") << part << name;
  };
  for (const char* estimate : {"packet_latency_cycles", "network_latency_cycles"}) {
    all(estimate, {"mean", "half_width_95"});
  }
  all("accepted_flits_per_node_cycle", {"half_width_95"});
  EXPECT_EQ(c.at("accepted_flits_per_node_cycle").as_object().at("mean"), 0.0);
  all("packet_latency_distribution_cycles", {"min", "mean", "p50", "p95", "p99", "max"});
  all("injection_spread_flits_per_cycle", {"min", "mean", "max", "jain_index"});
  EXPECT_EQ(models::pretty(c.at("queue_latency_mean_cycles")), "null\n");
  EXPECT_EQ(models::pretty(c.at("hops_mean_links")), "null\n");
}

TEST(ResultsJson, OfAClassHasEveryFigureUnderItsName) {
  Results r = smallest();
  models::TrafficClassResults c;
  c.name = "packets";
  c.offered_flits_per_node_cycle = 0.5;
  c.accepted_flits_per_node_cycle = {0.25, 0.125};
  c.packet_latency_cycles = {20.5, 1.25};
  c.network_latency_cycles = {15.5, 0.75};
  c.packet_latency_distribution.count = 1000;
  c.packet_latency_distribution.min = 3.5;
  c.packet_latency_distribution.mean = 20.25;
  c.packet_latency_distribution.max = 99.5;
  c.packet_latency_distribution.p50 = 50.5;
  c.packet_latency_distribution.p95 = 95.5;
  c.packet_latency_distribution.p99 = 98.5;
  c.packet_latency_distribution.p99_9 = 99.25;
  c.packet_latency_percentiles = {{50.25, 50.75}, {95.25, 96.5}, {98.25, 98.75}, {99.125, 99.375}};
  c.queue_latency_mean_cycles = 5.5;
  c.hops_mean = 2.75;
  c.delivered_flits_per_cycle_by_node = {0.5, 0.25, 1.5};
  c.injected_flits_per_cycle_by_node = {2.5, 4.5};
  c.injected_packets_by_node = {7, 8};
  c.saturation = models::SaturationVerdict{true, "backlog grows", 0.5, 0.25, 0.125, 0.75, 0.625, 5};
  c.starvation = {3, 0.03125, 2, 88.5, 4};
  c.batches = models::BatchSeries{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
  c.injection_spread = {6, 0.0625, 0.1875, 0.3125, 0.875};
  c.packet_latency_buckets = models::LatencyBuckets{{3, 2048}, {3, 2111}, {9, 1}};
  c.flows = std::vector<models::FlowResult>(2);
  c.flows->at(0).source = NodeId{1};
  c.flows->at(0).flits = 12;
  c.flows->at(0).latency = {3, 4.5, 5.5, 6.5, 0, 0, 0, 0};
  c.flows->at(1).stream = 17;
  c.flows->at(1).destination = NodeId{2};
  c.flows->at(1).latency = {1, 2.5, 2.5, 2.5, 0, 0, 0, 0};
  r.classes = {c};
  EXPECT_EQ(document(r), expected(R"("links": [], "node_links": [], "classes": [{
      "name": "packets", "offered_flits_per_node_cycle": 0.5,
      "accepted_flits_per_node_cycle": {"mean": 0.25, "half_width_95": 0.125},
      "packet_latency_cycles": {"mean": 20.5, "half_width_95": 1.25},
      "network_latency_cycles": {"mean": 15.5, "half_width_95": 0.75},
      "queue_latency_mean_cycles": 5.5,
      "packet_latency_distribution_cycles":
          {"count": 1000, "min": 3.5, "mean": 20.25, "p50": 50.5, "p95": 95.5, "p99": 98.5, "p99_9": 99.25, "max": 99.5},
      "packet_latency_percentile_intervals_cycles":
          {"p50_low": 50.25, "p50_high": 50.75, "p95_low": 95.25, "p95_high": 96.5, "p99_low": 98.25,
           "p99_high": 98.75, "p99_9_low": 99.125, "p99_9_high": 99.375, "not_reliable": ""},
      "hops_mean_links": 2.75,
      "saturation": {"saturated": true, "demanded": 0.5, "shortfall": 0.25, "shortfall_at_least": 0.125,
                     "backlog_growth": 0.75, "backlog_growth_at_least": 0.625, "undrained_packets": 5,
                     "reason": "backlog grows"},
      "starvation": {"nodes": 3, "least_share": 0.03125, "worst_node": 2, "oldest_age_cycles": 88.5,
                     "oldest_source": 4},
      "batches": {"created_packets": [1, 7], "created_flits": [2, 8], "delivered_flits": [3, 9], "packets": [4, 10],
                  "latency_sum_cycles": [5, 11], "network_latency_sum_cycles": [6, 12]},
      "delivered_flits_per_cycle_over_nodes": {"min": 0.25, "mean": 0.75, "max": 1.5},
      "injected_flits_per_cycle_over_nodes": {"min": 2.5, "mean": 3.5, "max": 4.5},
      "delivered_flits_per_cycle_by_node": [0.5, 0.25, 1.5],
      "injected_flits_per_cycle_by_node": [2.5, 4.5],
      "injected_packets_by_node": [7, 8],
      "injection_spread_flits_per_cycle":
          {"nodes": 6, "min": 0.0625, "mean": 0.1875, "max": 0.3125, "jain_index": 0.875},
      "packet_latency_histogram_cycles": {"first_cycle": [3, 2048], "last_cycle": [3, 2111], "packets": [9, 1]},
      "flows": [
        {"source_node": 1, "destination_node": 0, "flits": 12,
         "latency_cycles": {"count": 3, "min": 4.5, "mean": 5.5, "max": 6.5}},
        {"source_node": 0, "destination_node": 2, "stream": 17, "flits": 0,
         "latency_cycles": {"count": 1, "min": 2.5, "mean": 2.5, "max": 2.5}}]}])"));
}

TEST(ResultsJson, OfMessagesHasEveryFigureUnderItsName) {
  Results r = smallest();
  models::MessageResults m;
  m.created = 41;
  m.delivered = 40;
  m.normalized_latency_cycles = {12.5, 0.5};
  models::Distribution& d = m.latency_distribution;
  d.count = 39;
  d.min = 1.5;
  d.mean = 2.5;
  d.p50 = 5.5;
  d.p95 = 6.5;
  d.p99 = 7.5;
  d.p99_9 = 7.75;
  d.max = 8.5;
  m.by_length = {{5, true, 11, 21.5, 31.5}, {25, false, 12, 22.5, 32.5}};
  const auto itself = [](const models::MessageResults& all) { return all; };
  r.workloads = FigureTable<models::MessageResults>().part("messages", "", "", itself, models::message_figures()).of(m);
  EXPECT_EQ(document(r), expected(R"("classes": [], "links": [], "node_links": [], "messages": {
      "created": 41, "delivered": 40, "normalized_latency_cycles": {"mean": 12.5, "half_width_95": 0.5},
      "latency_distribution_cycles":
          {"count": 39, "min": 1.5, "mean": 2.5, "p50": 5.5, "p95": 6.5, "p99": 7.5, "p99_9": 7.75,
           "max": 8.5},
      "by_length": [
        {"packets": 5, "priority": true, "messages": 11, "latency_mean_cycles": 21.5,
         "network_latency_mean_cycles": 31.5},
        {"packets": 25, "priority": false, "messages": 12, "latency_mean_cycles": 22.5,
         "network_latency_mean_cycles": 32.5}]})"));
}

TEST(ResultsJson, OfPoliciesHasEveryFigureUnderItsName) {
  Results r = smallest();
  struct Own {
    std::string name = "sat";
    std::uint32_t k = 4;
    bool limited = true;
    models::Distribution interval{66, 1.5, 2.5, 9.5, 0.5, 0.5, 0.5};  // count, min, mean, max, percentiles
    RawCount first{1, 2};
  };
  r.fairness = FigureTable<Own>()
                   .add("policy", "", "", &Own::name)
                   .add("k", "packets", "", &Own::k)
                   .add("limited", "", "", &Own::limited)
                   .part("interval_cycles", "cycles", "", &Own::interval, models::range_figures())
                   .of(Own{});
  r.router = FigureTable<Own>().add("first", "", "", &Own::first).of(Own{});
  r.routing = FigureTable<Own>().add("turns", "", "", &Own::k).of(Own{});
  r.scheduler = FigureTable<Own>().add("overtaken", "", "", &Own::k).of(Own{});
  EXPECT_EQ(document(r), expected(R"("classes": [], "links": [], "node_links": [],
      "fairness": {"policy": "sat", "k": 4, "limited": true,
                   "interval_cycles": {"count": 66, "min": 1.5, "mean": 2.5, "max": 9.5}},
      "routing": {"turns": 4}, "scheduler": {"overtaken": 4}, "router_per_cycle": {"first": 0.5})"));
}

/// Routers and ports by name: router 1 of a 2x1 mesh is "1,0", its ports 1 and 4 are west and local0.
TEST(ResultsJson, OfStreamsSetUpAndLinksNamesPlaces) {
  Results r = smallest();
  models::StreamResults stream;
  stream.graph = "radio";
  stream.actors = {{"in", NodeId{1}}, {"out", NodeId{0}}};
  stream.iterations_per_kilocycle = {2.5, 0.25};
  stream.edges = {{"in -> out", NodeId{1}, NodeId{0}, 40.5, 12, 34}};
  const auto itself = [](const models::StreamResults& all) { return all; };
  r.workloads =
      FigureTable<models::StreamResults>().part("stream", "", "", itself, models::stream_figures()).of(stream);
  r.setup.attempted = true;
  r.setup.fell_back_to_packets = true;
  r.setup.orders_tried = 6;
  r.setup.failed_stream = "a -> b";
  r.setup.total_cycles = 77;
  r.setup.circuits = {{"in -> out", NodeId{1}, NodeId{0}, {{RouterId{1}, PortId{1}}, {RouterId{0}, PortId{4}}}, 23, 2}};
  r.links = {{RouterId{0}, PortId{0}, 0.25, 0.75}, {RouterId{1}, PortId{1}, 0.125, 0.625}};
  r.node_links = {{NodeId{1}, 2, 0.375, 0.5}};
  EXPECT_EQ(document(r), expected(R"("classes": [],
      "node_links": [{"node": 1, "router": "1,0", "ports": 2, "injected_flits_per_cycle": 0.375,
                      "ejected_flits_per_cycle": 0.5}],
      "stream": {"graph": "radio", "iterations_per_kilocycle": {"mean": 2.5, "half_width_95": 0.25},
                 "actors": [{"name": "in", "node": 1}, {"name": "out", "node": 0}],
                 "edges": [{"name": "in -> out", "source_node": 1, "destination_node": 0,
                            "items_per_kilocycle": 40.5, "most_at_producer": 12, "most_at_consumer": 34}]},
      "setup": {"fell_back_to_packets": true, "orders_tried": 6, "failed_stream": "a -> b", "total_cycles": 77,
                "circuits": [{"stream": "in -> out", "source_node": 1, "destination_node": 0, "setup_cycles": 23,
                              "backtracks": 2, "path": [{"router": "1,0", "port": "west"},
                                                        {"router": "0,0", "port": "local0"}]}]},
      "links": [{"router": "0,0", "port": "east", "to": "1,0", "packet_flits_per_cycle": 0.25, "circuit_flits_per_cycle": 0.75},
                {"router": "1,0", "port": "west", "to": "0,0", "packet_flits_per_cycle": 0.125,
                 "circuit_flits_per_cycle": 0.625}])"));
}

/// created = delivered + in flight for packets and injected = delivered + in flight for flits: each alone can fail.
TEST(Conservation, IsSeenBrokenForPacketsAndForFlits) {
  const models::Conservation good{30, 10, 20, 700, 300, 400};
  EXPECT_TRUE(good.holds());
  for (std::uint64_t models::Conservation::* count :
       {&models::Conservation::packets_created, &models::Conservation::packets_delivered,
        &models::Conservation::packets_in_flight, &models::Conservation::flits_injected,
        &models::Conservation::flits_delivered, &models::Conservation::flits_in_flight}) {
    models::Conservation broken = good;
    ++(broken.*count);
    EXPECT_FALSE(broken.holds());
  }
  Results r = smallest();
  r.conservation.flits_in_flight = 401;
  EXPECT_EQ(document(r).at("conservation").at("holds"), false);
}

TEST(JsonFile, IsIndentedByTwoWithFlatListsOnOneLine) {
  const auto value = boost::json::parse(R"({"a": 1, "b": [1.5, 2], "c": [{"d": "x\"y"}], "e": []})");
  EXPECT_EQ(
      models::pretty(value),
      "{\n  \"a\": 1,\n  \"b\": [1.5, 2],\n  \"c\": [\n    {\n      \"d\": \"x\\\"y\"\n    }\n  ],\n  \"e\": []\n}\n");
}

TEST(JsonFile, NumbersThatAreNotFiniteBecomeNullAndTenDigitsAreKept) {
  EXPECT_EQ(models::pretty(boost::json::array{std::nan(""), INFINITY, -INFINITY}), "[null, null, null]\n");
  EXPECT_EQ(models::pretty(boost::json::value(1.0 / 3.0)), "0.3333333333\n");
  EXPECT_EQ(models::pretty(boost::json::value(std::uint64_t{18446744073709551615U})), "18446744073709551615\n");
}

/// The folder holds the file and nothing else, before and after.
TEST(JsonFile, IsWholeOrNotThere) {
  const std::string folder = temporary_file("json_folder");
  std::filesystem::create_directories(folder + "/taken/by_a_folder");
  const auto entries = [&] {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  };
  models::write_file(folder + "/r.json", "first\n");
  EXPECT_EQ(content(folder + "/r.json"), "first\n");
  models::write_file(folder + "/r.json", "second\n");
  EXPECT_EQ(content(folder + "/r.json"), "second\n");
  EXPECT_EQ(entries(), 2);
  const auto failure = [](const std::string& file) -> std::string {
    try {
      models::write_file(file, "text");
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(failure(folder + "/taken"), folder + "/taken: cannot be written: is a directory");
  EXPECT_EQ(failure(folder + "/missing/r.json"),
            folder + "/missing/r.json: cannot be written: No such file or directory");
  EXPECT_EQ(entries(), 2) << "a temporary file was left";
  EXPECT_FALSE(std::filesystem::exists(folder + "/missing"));
}

}  // namespace
}  // namespace braid::test::results_json_test
