// One implementation, any cut: the packet hash over every delivered packet is the same for one slice (static schedule),
// a few (threads) and one a router (process per stage). tb/tests/program does the same through the schedules
// themselves.
#include <gtest/gtest.h>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/trees.h"

namespace braid::test::determinism_test {
namespace {

using models::Experiment;

struct Named {
  const char* name;
  Experiment experiment;
};

std::vector<Named> experiments() {
  std::vector<Named> all{{"mesh", uniform_mesh(0.35)}};
  all.push_back({"adaptive", uniform_mesh(0.3)});
  all.back().experiment.set("routing.algorithm", "minimal_adaptive");
  all.push_back({"islip_matrix", uniform_mesh(0.3)});
  all.back().experiment.set("router.vc_allocator", "islip");
  all.back().experiment.set("router.switch_allocator", "islip");
  all.back().experiment.set("router.arbiter", "matrix");
  for (const char* allocator : {"wavefront", "pim", "maximum_size"}) {
    all.push_back({allocator, uniform_mesh(0.3)});
    all.back().experiment.set("router.switch_allocator", allocator);
  }
  all.push_back({"oldest_first", uniform_mesh(0.3)});
  all.back().experiment.set("router.arbiter", "oldest_first");
  all.push_back({"torus_replies", uniform_mesh(0.15)});
  all.back().experiment.set("topology.kind", "torus");
  all.back().experiment.set("traffic.request_reply", true);
  all.push_back({"odd_even_long_links", uniform_mesh(0.2)});
  all.back().experiment.set("routing.algorithm", "odd_even");
  all.back().experiment.set("topology.link_latency_cycles", 3);
  for (const char* algorithm : {"xy_yx", "adaptive_xy_yx"}) {
    all.push_back({std::string(algorithm) == "xy_yx" ? "mesh_xy_yx" : "mesh_adaptive_xy_yx", uniform_mesh(0.4)});
    all.back().experiment.set("routing.algorithm", algorithm);
  }
  for (const char* algorithm : {"tree_drawn", "tree_two_choices"}) {
    all.push_back({algorithm, uniform_mesh(0.5)});
    all.back().experiment.set("topology.kind", "k_ary_n_tree");
    all.back().experiment.set("routing.algorithm", algorithm);
  }
  for (const char* algorithm : {"valiant", "ugal"}) {
    all.push_back({std::string(algorithm) == "ugal" ? "torus_ugal" : "torus_valiant", Experiment()});
    all.back().experiment.set("topology.kind", "cube");
    all.back().experiment.set("topology.sizes", std::vector<std::uint32_t>{4, 5, 3});
    all.back().experiment.set("topology.wrap", true);
    all.back().experiment.set("routing.algorithm", algorithm);
    add_traffic(all.back().experiment, 0.4);
    all.back().experiment.set("traffic.pattern", "tornado");
  }
  for (const char* algorithm : {"ugal", "ugal_g"}) {
    all.push_back({std::string(algorithm) == "ugal" ? "dragonfly_ugal" : "dragonfly_ugal_g", Experiment()});
    all.back().experiment.set("topology.kind", "dragonfly");
    all.back().experiment.set("routing.algorithm", algorithm);
    add_traffic(all.back().experiment, 0.2);
    all.back().experiment.set("traffic.pattern", "next_group");
  }
  for (const bool all_rows : {true, false}) {
    all.push_back({all_rows ? "chiplet_chain" : "chiplet_chain_two_rows", Experiment()});
    all.back().experiment.set("topology.kind", "chiplet_chain");
    all.back().experiment.set("topology.chiplets", 3);
    all.back().experiment.set("topology.width", 3);
    all.back().experiment.set("topology.joint_latency_cycles", 6);
    if (!all_rows) all.back().experiment.set("topology.joined_rows", std::vector<std::uint32_t>{0, 2});
    if (!all_rows) all.back().experiment.set("routing.algorithm", "chiplet_order");
    add_traffic(all.back().experiment, 0.15);
  }
  for (const char* elevator : {"nearest", "on_the_way"}) {
    all.push_back({std::string(elevator) == "nearest" ? "nearest_elevator" : "elevator_on_the_way", Experiment()});
    all.back().experiment.set("topology.kind", "cube");
    all.back().experiment.set("topology.sizes", std::vector<std::uint32_t>{4, 3, 3});
    all.back().experiment.set("topology.elevators", std::vector<std::uint32_t>{0, 0, 3, 1});
    all.back().experiment.set("topology.link_latencies", std::vector<std::uint32_t>{1, 1, 3});
    all.back().experiment.set("routing.algorithm", "elevator_first");
    all.back().experiment.set("routing.elevator", elevator);
    add_traffic(all.back().experiment, 0.2);
  }
  all.push_back({"butterfly", uniform_mesh(0.5)});
  for (const char* kind : {"topology.kind", "routing.algorithm"}) {
    all.back().experiment.set(kind, kind[0] == 't' ? "butterfly" : "destination_tag");
  }
  all.push_back({"butterfly_long_links", all.back().experiment});
  all.back().experiment.set("topology.arity", 3);
  all.back().experiment.set("topology.link_latency_cycles", 4);
  all.back().experiment.set("router.credit_delay_cycles", 5);
  all.push_back({"circuits_and_packets", stream_mesh("fm_radio_4x4.toml", 4, 4)});
  add_traffic(all.back().experiment, 0.2);
  all.back().experiment.set("stream.computation_scaling", 0.001);
  all.push_back({"circuits_share_local_ports", all.back().experiment});
  all.back().experiment.set("topology.local_ports", 1);
  all.back().experiment.set("router.circuit_lanes", 4);
  all.push_back({"nodes_serve_fewer_ports", all.back().experiment});
  all.back().experiment.set("topology.local_ports", 4);
  for (const char* kind : {"packet_injection", "packet_ejection", "circuit_injection", "circuit_ejection"}) {
    all.back().experiment.set(std::string("interface.") + kind + "_flits", 1);
  }
  all.push_back({"ejection_queues", stream_mesh("fm_radio_4x4.toml", 4, 4)});
  add_traffic(all.back().experiment, 0.1);
  all.back().experiment.set("interface.switching", "packet");
  all.back().experiment.set("interface.ejection_queue_items", 200);
  all.back().experiment.set("stream.computation_scaling", 0.001);
  all.push_back({"pull", stream_mesh("fm_radio_4x4.toml", 4, 4)});
  all.back().experiment.set("interface.switching", "packet");
  all.back().experiment.set("interface.transfer", "pull");
  all.back().experiment.set("stream.computation_scaling", 0.001);
  all.push_back({"cut_through_tree", vct_tree(3, 0.5)});
  all.push_back({"cut_through_tree_static", vct_tree(3, 0.5)});
  all.back().experiment.set("routing.algorithm", "tree_by_source");
  all.push_back({"cut_through_torus_long_links", vct_grid("torus", 0.5)});
  all.back().experiment.set("topology.link_latency_cycles", 3);
  all.push_back({"sat_ring_on_cut_through_tree", vct_tree(3, 1.0)});
  all.push_back({"sat_tree_on_hybrid_mesh", uniform_mesh(0.5)});
  all.back().experiment.set("sat.carrier", "spanning_tree");
  all.push_back({"sat_control_packet_on_hybrid_mesh", uniform_mesh(0.5)});
  all.back().experiment.set("sat.carrier", "control_packet");
  for (std::size_t i = all.size() - 3; i < all.size(); ++i) {
    all[i].experiment.set("interface.fairness", "sat");
    all[i].experiment.set("sat.l", 4);
    all[i].experiment.set("sat.k", 4);
  }
  return all;
}

class AnyCut : public testing::TestWithParam<Named> {};

TEST_P(AnyCut, GivesTheSameHash) {
  const std::uint64_t cycles = briefly(2500);
  Bench whole(GetParam().experiment);
  whole.run(cycles);
  const std::uint64_t hash = whole.network->merged_statistics().packet_hash();
  EXPECT_GT(whole.delivered(), briefly(100));
  EXPECT_TRUE(whole.network->conservation().holds());
  for (const std::size_t slices : {std::size_t{2}, std::size_t{5}, whole.topology.router_count()}) {
    Bench cut(GetParam().experiment, slices);
    cut.run(cycles);
    EXPECT_EQ(cut.network->merged_statistics().packet_hash(), hash) << slices << " slices";
    EXPECT_TRUE(cut.network->conservation().holds());
  }
}
INSTANTIATE_TEST_SUITE_P(Experiments, AnyCut, testing::ValuesIn(experiments()),
                         [](const auto& c) { return c.param.name; });

TEST(AnySeed, GivesAnotherHash) {
  Experiment e = uniform_mesh(0.2);
  Bench one(e);
  e.set("experiment.seed", 2);
  Bench two(e);
  one.run(500);
  two.run(500);
  EXPECT_NE(one.network->merged_statistics().packet_hash(), two.network->merged_statistics().packet_hash());
}

}  // namespace
}  // namespace braid::test::determinism_test
