// Parts of the results that few runs have, each field filled by hand with a value of its own: networks side by side,
// what stopped a link and who used it, engines, verdicts, stream programs with all that may be asked of them. (All
// others: results_json_test.cpp.)
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/experiment/results_json.h"
#include "models/workload/broadcast/broadcast_tally.h"
#include "models/workload/replay/replay_workload.h"
#include "models/workload/streams/stream_program.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::results_parts_test {
namespace {

using models::Results;

boost::json::object document(const Results& r) {
  models::Experiment e;
  return models::results_json(e, r, grid_of("mesh", 2, 1));
}
boost::json::value json(const char* text) { return boost::json::parse(text); }

TEST(ResultsParts, OfNetworksSideBySideAndTheirLinks) {
  Results r;
  r.subnets.emplace();
  r.subnets->push_back({1, {"loads", "stores"}, 0.25, 0.5, 0.75, 0.375, "1,0", "west"});
  models::LinkResult link{RouterId{0}, PortId{0}, 0.5, 0.25};
  link.stopped = 0.125;
  link.subnet = 1;
  link.flows.emplace();
  link.flows->push_back({NodeId{1}, NodeId{0}, "loads", 0.0625});
  r.links = {link};
  const boost::json::object all = document(r);
  EXPECT_EQ(all.at("subnets"), json(R"([{
      "subnet": 1, "classes": ["loads", "stores"], "accepted_flits_per_node_cycle": 0.25,
      "injected_flits_per_node_cycle": 0.5, "busiest_link_load": 0.75, "busiest_link_router": "1,0",
      "busiest_link_port": "west", "mean_link_load": 0.375}])"));
  EXPECT_EQ(all.at("links"), json(R"([{
      "router": "0,0", "port": "east", "to": "1,0", "packet_flits_per_cycle": 0.5, "circuit_flits_per_cycle": 0.25,
      "stopped": 0.125, "subnet": 1,
      "flows": [{"source": 1, "destination": 0, "class": "loads", "flits_per_cycle": 0.0625}]}])"));
}

TEST(ResultsParts, OfEnginesSayWhyThereAreLists) {
  Results r;
  EXPECT_EQ(document(r).count("engines"), 0U);
  r.engines.emplace();
  r.engines->cycles_in_planes = 17;
  EXPECT_EQ(document(r).at("engines"), json(R"({"cycles_in_planes": 17})"));
  r.engines->lists_because = "so it is";
  EXPECT_EQ(document(r).at("engines"), json(R"({"cycles_in_planes": 17, "lists_because": "so it is"})"));
}

TEST(ResultsParts, OfAVerdictSayWhatWaits) {
  Results r;
  EXPECT_EQ(document(r).count("verdict"), 0U);
  r.verdict = models::Verdict{"deadlock", "deadlock: no flit has moved", {"a waits for b", "b waits for a"}};
  EXPECT_EQ(document(r).at("verdict"), json(R"({
      "what": "deadlock", "text": "deadlock: no flit has moved", "waiting": ["a waits for b", "b waits for a"]})"));
}

/// Packets and flits that were lost, flits that routers made: only where there are any such.
TEST(ResultsParts, OfConservationKnowLossesAndCopies) {
  Results r;
  r.conservation = {30, 10, 15, 700, 300, 380, 5, 70, 50};
  EXPECT_TRUE(r.conservation.holds());
  const boost::json::object all = document(r).at("conservation").as_object();
  EXPECT_EQ(all.at("packets_lost"), 5);
  EXPECT_EQ(all.at("flits_lost"), 70);
  EXPECT_EQ(all.at("flits_copied"), 50);
  EXPECT_EQ(all.at("holds"), true);
  for (const auto count :
       {&models::Conservation::packets_lost, &models::Conservation::flits_lost, &models::Conservation::flits_copied}) {
    models::Conservation broken = r.conservation;
    ++*(broken.*count);
    EXPECT_FALSE(broken.holds());
  }
}

TEST(ResultsParts, OfAStreamProgramHaveAllThatMayBeAskedOfIt) {
  models::StreamResults s;
  s.graph = "radio";
  s.untimed_messages = "a.str:3:7";
  s.steady_states = 2.5;
  traffic::StreamRemedy remedy;
  remedy.taken = "at most 4 streams an actor";
  remedy.why = "crowded";
  remedy.degree = 4;
  remedy.tiles = 9;
  remedy.layout = 2;
  remedy.tried = 5;
  remedy.least_cycles = 1.5;
  remedy.least_cycles_asked = 3.5;
  remedy.packets_least_cycles = 4.5;
  s.remedy = remedy;
  s.program_steady_states_per_kilocycle = Estimate{6.5, 0.25};
  s.iterations_per_kilocycle = {2.5, 0.125};
  s.bound = models::StreamBound{"link", "link 0,0 east -> 1,0", 8.5, 0.75};
  s.latency.emplace();
  s.latency->count = 3;
  s.latency->min = 1.5;
  s.latency->mean = 2.5;
  s.latency->max = 9.5;
  s.latency->p50 = 2.25;
  s.latency->p95 = 9.25;
  s.latency->p99 = 9.375;
  s.latency->p99_9 = 9.4375;
  s.rates.emplace();
  s.rates->push_back({"in", 30.5, 25.5, true, 7, 33, 44, 55});
  const auto itself = [](const models::StreamResults& one) { return one; };
  Results r;
  r.workloads = FigureTable<models::StreamResults>().part("stream", "", "", itself, models::stream_figures()).of(s);
  EXPECT_EQ(document(r).at("stream"), json(R"({
      "graph": "radio", "untimed_messages": "a.str:3:7", "steady_states": 2.5,
      "remedy": {"taken": "at most 4 streams an actor", "why": "crowded", "degree": 4, "tiles": 9, "layout": 2,
                 "tried": 5, "least_cycles": 1.5, "least_cycles_as_asked": 3.5, "packets_least_cycles": 4.5},
      "program_steady_states_per_kilocycle": {"mean": 6.5, "half_width_95": 0.25},
      "iterations_per_kilocycle": {"mean": 2.5, "half_width_95": 0.125},
      "bound": {"kind": "link", "place": "link 0,0 east -> 1,0", "iterations_per_kilocycle": 8.5, "reached": 0.75},
      "latency_cycles": {"count": 3, "min": 1.5, "mean": 2.5, "p50": 2.25, "p95": 9.25, "p99": 9.375, "p99_9": 9.4375,
                         "max": 9.5},
      "actors": [], "edges": [],
      "rates": [{"actor": "in", "held": true, "asked_items_per_kilocycle": 30.5, "put_out_items_per_kilocycle": 25.5,
                 "late_firings": 7, "asked_gap_cycles": 33, "worst_gap_cycles": 44, "deepest_queue_items": 55}]})"));
}

TEST(ResultsParts, OfBroadcastsAndOfAReplay) {
  models::BroadcastResults b;
  b.scheme = "diamond_ring";
  b.positions = 9;
  b.messages = 16;
  b.longest_path = 6;
  b.completed = 3;
  b.broadcasts_per_kilocycle = {1.5, 0.5};
  b.latency_cycles.count = 3;
  b.latency_cycles.max = 61.5;
  b.burst_cycles.count = 2;
  b.burst_cycles.max = 81.5;
  b.burst_rate = 24.5;
  b.unacknowledged = {"broadcast 9: node 7"};
  b.refused = {"once more"};
  b.completed_by_root = {2, 1};
  models::ReplayResults t;
  t.trace_packets = 8;
  t.made = 6;
  t.delivered = 4;
  t.held_back = 2;
  t.trace_share = 0.5;
  Results r;
  r.workloads = models::broadcast_report().of(b);
  boost::json::object all = document(r).at("broadcast").as_object();
  EXPECT_EQ(all.at("latency_cycles").at("max"), 61.5);
  EXPECT_EQ(all.at("latency_cycles").at("count"), 3);
  EXPECT_EQ(all.at("burst_cycles").at("max"), 81.5);
  EXPECT_EQ(all.at("burst_cycles").at("count"), 2);
  all.erase("latency_cycles");
  all.erase("burst_cycles");
  EXPECT_EQ(all, json(R"({"scheme": "diamond_ring", "positions": 9, "messages": 16, "longest_path": 6, "completed": 3,
      "broadcasts_per_kilocycle": {"mean": 1.5, "half_width_95": 0.5}, "burst_broadcasts_per_kilocycle": 24.5,
      "unacknowledged": ["broadcast 9: node 7"], "refused": ["once more"], "completed_by_root": [2, 1]})"));
  r.workloads = models::replay_figures().of(t);
  EXPECT_EQ(document(r).at("replay"), json(R"({"trace_packets": 8, "made_packets": 6, "delivered_packets": 4,
      "delivered_share": 0.5, "held_back_packets": 2})"));
  t.last_delivery = 99;
  r.workloads = models::replay_figures().of(t);
  EXPECT_EQ(document(r).at("replay").at("last_delivery_cycle"), 99);
}

}  // namespace
}  // namespace braid::test::results_parts_test
