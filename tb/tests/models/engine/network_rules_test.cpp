// What may be together in a network and what may not, as far as the network itself says so.
#include <gtest/gtest.h>

#include <string>

#include "models/experiment/experiment_reader.h"
#include "models/steps/step_network.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::network_rules_test {
namespace {

using models::Experiment;

/// A 2-ary 4-fly of 16 nodes, with whatever sections.
std::string said_of_butterfly(const std::string& sections) {
  return complaint([&] {
    const Bench bench(models::parse_experiment(
        "[topology]\nkind = \"butterfly\"\narity = 2\nstages = 4\n[routing]\nalgorithm = \"destination_tag\"\n" +
            sections,
        "e.toml"));
  });
}

/// Sources and traces send without an answer of the network's; all others need the way back.
TEST(OneWayLinks, AreForSourcesAndTracesAlone) {
  const std::string needs = " needs links that go both ways; topology is 2-ary 4-fly";
  const std::string trace = source_file("tb/experiments/reads.trace");
  EXPECT_EQ(said_of_butterfly("[traffic]\n"), "");
  EXPECT_EQ(said_of_butterfly("[replay]\nfile = \"" + trace + "\"\n"), "");
  EXPECT_EQ(said_of_butterfly("[traffic]\n[replay]\nfile = \"" + trace + "\"\n"), "");
  EXPECT_EQ(said_of_butterfly("[broadcast]\n"), "a section [broadcast]" + needs);
  EXPECT_EQ(said_of_butterfly("[traffic]\n[broadcast]\n"), "a section [broadcast]" + needs);
  EXPECT_EQ(said_of_butterfly("[traffic]\n[failure]\nrouter = \"0,0\"\nport = \"out0\"\n"),
            "a section [failure]" + needs);
}

/// Where nobody sends unasked no class has to go by each of them.
TEST(SubnetsOfANetwork, NeedNoTraffic) {
  for (const std::uint32_t subnets : {2U, 3U}) {
    models::StepNetwork steps = models::StepNetwork::from_text(
        "[topology]\nwidth = 2\nheight = 2\n[network]\nsubnets = " + std::to_string(subnets) + "\n");
    for (std::uint32_t n = 0; n < 4; ++n) steps.send({n, 3 - n});
    steps.step(40);
    EXPECT_EQ(steps.arrivals().size(), 4U);
  }
}

/// Of several missing classes the first is named.
TEST(SubnetsOfANetwork, NameTheFirstThatNobodyGoesBy) {
  const auto said = [](const std::string& subnets) {
    return complaint([&] {
      const Bench bench(
          models::parse_experiment("[topology]\nwidth = 2\nheight = 2\n[network]\nsubnets = 4\n"
                                   "[traffic]\nsubnets = [" +
                                       subnets + "]\n",
                                   "e.toml"));
    });
  };
  const std::string expected =
      "; expected a class whose traffic.subnets, reply_subnets or replay.subnets name it, or fewer subnets";
  EXPECT_EQ(said("1, 3"), "network.subnets = 4: no class of traffic goes by subnet 0" + expected);
  EXPECT_EQ(said("0, 1, 3"), "network.subnets = 4: no class of traffic goes by subnet 2" + expected);
  EXPECT_EQ(said("0, 1, 2"), "network.subnets = 4: no class of traffic goes by subnet 3" + expected);
  EXPECT_EQ(said("3, 2, 1, 0"), "");
}

/// A scheduler alone has queues before the interfaces, and so has a fairness policy alone; else there are none.
TEST(InjectionPoints, AreThereForASchedulerOrAFairnessPolicy) {
  const auto waits = [](const char* scheduler, const char* fairness) {
    Experiment e = uniform_mesh(0.0, 2, 2);
    e.set("interface.scheduler", scheduler).set("interface.fairness", fairness);
    Bench bench(e);
    for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 9);
    const std::size_t waiting = bench.network->waiting(NodeId{1});
    EXPECT_EQ(bench.network->conservation().packets_in_flight, 3U);
    bench.run(200);
    EXPECT_EQ(bench.delivered(), 3U) << scheduler << " " << fairness;
    EXPECT_EQ(bench.network->waiting(NodeId{1}), 0U);
    return waiting;
  };
  EXPECT_EQ(waits("fifo", "none"), 0U);
  EXPECT_EQ(waits("classes", "none"), 3U);
  EXPECT_EQ(waits("fifo", "sat"), 3U);
}

}  // namespace
}  // namespace braid::test::network_rules_test
