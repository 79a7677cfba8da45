// Zero-load latency, exact to the cycle: not yet at N - 1, there at N (docs/router.md draws the cycles).
#include <gtest/gtest.h>

#include <fstream>

#include "tb/tests/support/lone_packet.h"

namespace braid::test::latency_test {
namespace {

using models::Experiment;

/// A packet from (0, 0) to the router `links` further on in x (and y beyond the row), on an idle mesh.
struct Case {
  std::uint32_t links;
  std::uint32_t flits;
};

class PacketLatency : public testing::TestWithParam<Case> {};

TEST_P(PacketLatency, IsFiveCyclesAHopAndThreeAtTheInterfaces) {
  const auto [links, flits] = GetParam();
  expect_lone_packet(uniform_mesh(0.0), 5, links, flits);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::uint32_t links = 0; links <= 14; ++links) {
    cases.push_back({links, 1});
    cases.push_back({links, 4});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(EveryHopCount, PacketLatency, testing::ValuesIn(all_cases()), [](const auto& c) {
  return std::to_string(c.param.links) + "links" + std::to_string(c.param.flits) + "flits";
});

TEST(PacketLatencyOnLongLinks, AddsTheLinksCycles) {
  Experiment e = uniform_mesh(0.0);
  e.set("topology.link_latency_cycles", 3);
  Bench bench(e);
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 1);
  const std::uint32_t latency = 3 + 5 * 3 + 2 * 2;  // two links, two further cycles each
  bench.run(latency - 1);
  EXPECT_EQ(bench.delivered(), 0U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U);
}

/// Two actors on one row; the consumer is `links` away. Fires every 1000 cycles, so messages never meet.
std::string write_pair(std::uint32_t links) {
  const std::string file = temporary_file("pair_" + std::to_string(links) + ".toml");
  std::ofstream(file)
      << "name = \"pair\"\n[[actor]]\nname = \"a\"\nwork = 1000\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 1\ntile = "
      << links << "\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 3\npop = 3\n";
  return file;
}

class CircuitLatency : public testing::TestWithParam<std::uint32_t> {};

TEST_P(CircuitLatency, IsTwoCyclesAHopAndThreeAtTheInterfaces) {
  const std::uint32_t links = GetParam();
  Experiment e = stream_mesh("", 8, 1);
  e.set("stream.graph", write_pair(links));
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  bench.network->window() = {true, bench.network->now(), 1000};
  bench.run(5000);
  bench.network->window().open = false;
  const auto circuits = bench.network->merged_statistics().results(5000).at(0);
  const double latency = 3 + 2 * (links + 1) + 3 - 1;  // three flits
  EXPECT_GE(circuits.packet_latency_distribution.count, 4U);
  EXPECT_EQ(circuits.packet_latency_distribution.min, latency);
  EXPECT_EQ(circuits.packet_latency_distribution.max, latency);
}

TEST_P(CircuitLatency, SetUpTakesFourCyclesALinkAndOne) {
  const std::uint32_t links = GetParam();
  Experiment e = stream_mesh("", 8, 1);
  e.set("stream.graph", write_pair(links));
  Bench bench(e);
  const std::uint32_t setup = 4 * links + 1;
  bench.run(setup);  // the request leaves in cycle 0
  EXPECT_TRUE(bench.network->setup_results().circuits.empty()) << "at cycle N - 1";
  bench.run(1);
  ASSERT_EQ(bench.network->setup_results().circuits.size(), 1U) << "at cycle N = " << setup;
  EXPECT_EQ(bench.network->setup_results().circuits[0].setup_cycles, setup);
}
INSTANTIATE_TEST_SUITE_P(EveryHopCount, CircuitLatency, testing::Range(1U, 8U));

}  // namespace
}  // namespace braid::test::latency_test
