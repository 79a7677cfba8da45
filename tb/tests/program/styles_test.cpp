// braid styles as a process.
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/program.h"

namespace braid::test::styles_test {

const std::string kShort = "styles " + experiment("mesh_uniform") + " --set simulation.measure_cycles=2000";

TEST(BraidStyles, PrintsTheEngineAndBothEstimates) {
  const Ended ended = braid(kShort);
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_NE(ended.output.find("cycle_accurate"), std::string::npos);
  const std::size_t loose = ended.output.find("loosely_timed");
  ASSERT_NE(loose, std::string::npos);
  EXPECT_EQ(ended.output.find(" 1.0x", loose), std::string::npos) << "as fast as the engine: " << ended.output;
}

TEST(BraidStyles, WritesJson) {
  const Ended ended = braid(kShort + " --json -");
  ASSERT_EQ(ended.status, 0) << ended.output;
  const auto styles = boost::json::parse(ended.output).as_object().at("styles").as_array();
  ASSERT_EQ(styles.size(), 3u);
  EXPECT_EQ(styles[0].as_object().at("style").as_string(), "cycle_accurate");
  EXPECT_EQ(styles[0].as_object().at("mean_packet_error_cycles").to_number<double>(), 0.0);
  EXPECT_NE(styles[1].as_object().at("mean_latency_cycles").to_number<double>(), 0.0);
}

/// Three nodes make 500 packets each, all for node 2, which takes one a cycle from cycle 2 on. The drain ends with
/// cycle 599, its hundredth: 598 have come.
TEST(BraidStyles, CountsWhatHasNotArrivedByTheDrainsEnd) {
  const Ended ended = braid("styles " + experiment("mesh_uniform") +
                            " --set topology.width=3 --set topology.height=1 --set router.architecture=ideal"
                            " --set traffic.pattern=hot_spot --set 'traffic.hot_nodes=[2]'"
                            " --set traffic.hot_fraction=1 --set traffic.flits=1"
                            " --set traffic.rate_flits_per_node_cycle=1 --set simulation.batch_cycles=100"
                            " --set simulation.min_warmup_cycles=0 --set simulation.measure_cycles=500"
                            " --set simulation.max_drain_cycles=100 --json -");
  ASSERT_EQ(ended.status, 0) << ended.output;
  const auto counts = boost::json::parse(ended.output).as_object();
  EXPECT_EQ(counts.at("packets").to_number<int>(), 598);
  EXPECT_EQ(counts.at("undelivered").to_number<int>(), 902);
}

TEST(BraidStyles, RefusesWhatNoEstimateKnows) {
  const Ended ended = braid(kShort + " --set topology.local_ports=2");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.output.find("knows nodes of one port"), std::string::npos) << ended.output;
}

}  // namespace braid::test::styles_test
