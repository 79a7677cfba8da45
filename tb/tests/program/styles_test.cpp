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

TEST(BraidStyles, RefusesWhatNoEstimateKnows) {
  const Ended ended = braid(kShort + " --set topology.local_ports=2");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.output.find("knows nodes of one port"), std::string::npos) << ended.output;
}

}  // namespace braid::test::styles_test
