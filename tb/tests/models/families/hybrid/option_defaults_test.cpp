// What the hybrid family takes where an experiment says nothing: the defaults of docs/configuration.md. Runs and
// results are compared under them; a default that slips changes what everybody gets who gives no value.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "models/families/hybrid/options.h"
#include "routing/base/options.h"

namespace braid::test::option_defaults_test {
namespace {

using models::hybrid::Options;

/// From the tables of docs/configuration.md, [router], [setup] and [simulation].
const std::map<std::string, OptionValue>& documented() {
  static const std::map<std::string, OptionValue> defaults{
      {"router.implementation", std::string("model")},
      {"router.buffers", std::string("private")},
      {"router.buffer_depth", std::int64_t{8}},
      {"router.reserved_depth", std::int64_t{1}},
      {"router.shared_depth", std::int64_t{28}},
      {"router.buffer_bypass", false},
      {"router.lookahead", false},
      {"router.speculative", false},
      {"router.input_speedup", std::int64_t{1}},
      {"router.output_speedup", std::int64_t{1}},
      {"router.internal_speedup", 1.0},
      {"router.output_buffer", std::int64_t{0}},
      {"router.credit_delay_cycles", std::int64_t{2}},
      {"router.vc_allocator", std::string("separable_input_first")},
      {"router.islip_iterations", std::int64_t{1}},
      {"router.switch_allocator", std::string("separable_input_first")},
      {"router.pim_iterations", std::int64_t{1}},
      {"router.arbiter", std::string("round_robin")},
      {"router.age_bits", std::int64_t{16}},
      {"router.circuit_buffer_depth", std::int64_t{5}},
      {"router.circuit_lanes", std::int64_t{1}},
      {"router.circuit_burst_flits", std::int64_t{0}},
      {"router.share_reserved_links", true},
      {"setup.paths", std::string("routers")},
      {"setup.searches", std::string("one_at_a_time")},
      {"setup.retries", std::int64_t{8}},
      {"setup.token_cycles", std::int64_t{1}},
      {"setup.reroute", std::string("none")},
      {"setup.reroute_at_cycle", std::int64_t{10000}},
      {"setup.reroute_every_cycles", std::int64_t{0}},
      {"setup.avoid_links", std::string()},
      {"simulation.engine", std::string("auto")}};
  return defaults;
}

TEST(HybridDefaults, AreThoseOfTheReference) {
  std::map<std::string, OptionValue> declared;
  for_each_declared(models::hybrid::option_list(),
                    [&](const Option& option, const std::string&) { declared[option.key()] = option.initial; });
  for (const auto& [key, value] : documented()) {
    ASSERT_EQ(declared.count(key), 1U) << key;
    EXPECT_TRUE(declared.at(key) == value) << key;
  }
}

TEST(HybridDefaults, AreInTheFieldsOfWhoAsksForNothing) {
  const Options o;
  EXPECT_EQ(o.reserved_depth, 1U);
  EXPECT_EQ(o.shared_depth, 28U);
  EXPECT_EQ(o.buffer_depth, 8U);
  EXPECT_EQ(o.rtl_routers, "all");
  EXPECT_EQ(o.stage_routers, "all");
  EXPECT_EQ(o.circuit_buffer_depth, 5U);
  EXPECT_EQ(o.setup_retries, 8U);
  EXPECT_EQ(o.setup_token_cycles, 1U);
  EXPECT_EQ(o.islip_iterations, 1U);
  EXPECT_EQ(o.reroute_at_cycle, 10000U);
  EXPECT_EQ(o.reroute_every_cycles, 0U);
  EXPECT_FALSE(o.circuits);
  EXPECT_FALSE(o.multicast);
  EXPECT_TRUE(o.share_reserved_links);
}

}  // namespace
}  // namespace braid::test::option_defaults_test
