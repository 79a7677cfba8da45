// Who waits for whom when packets of Myrinet-like switches hold each other up.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "tb/tests/support/myrinet.h"

namespace braid::test::myrinet_deadlock_test {
namespace {

using models::Experiment;

/// Four switches in a ring, and from each a packet to the one across: all go round the same way, if the draw has them.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 4> kAcross{{{0, 3}, {1, 2}, {3, 0}, {2, 1}}};
constexpr std::array<std::uint32_t, 4> kClockwise{1, 3, 2, 0};  // the switch that each goes through

Experiment ring(std::uint32_t seed) {
  Experiment e = myrinet_row(2);
  e.set("topology.height", 2);
  e.set("routing.allow_deadlock", true);
  e.set("experiment.seed", seed);
  return e;
}

bool is_clockwise(const Bench& bench) {
  for (std::size_t i = 0; i < kAcross.size(); ++i) {
    const RouterId from{kAcross[i].first}, to{kAcross[i].second};
    const PortId first = bench.routing->routes()->paths().at(from, to).ports.front();
    if (bench.topology.port(from, first).peer_router != RouterId{kClockwise[i]}) return false;
  }
  return true;
}

/// Each head waits for an output that the next switch's own packet holds, which waits for room behind it: eight
/// buffers.
TEST(MyrinetDeadlock, GoesThroughHeadsThatWaitAndBuffersThatAreFull) {
  std::uint32_t seed = 1;
  while (!is_clockwise(Bench(ring(seed)))) ASSERT_LT(++seed, 500U);
  Bench bench(ring(seed));
  bench.run(10);
  for (const auto& [from, to] : kAcross) bench.network->send_packet(NodeId{from}, NodeId{to}, 600);
  bench.run(3000);
  EXPECT_EQ(bench.delivered(), 0U);
  const std::string said = bench.network->fabric().describe_waiting();
  EXPECT_EQ(
      said.rfind("\ncycle of 8 waiting slack buffers, each needs the port that the next one holds, or room in it:", 0),
      0U)
      << said;
  for (const char* const line : {" asks for output ", " holds output "}) {
    std::size_t lines = 0;
    for (std::size_t at = said.find(line); at != std::string::npos; at = said.find(line, at + 1)) ++lines;
    EXPECT_EQ(lines, 4U) << line << said;
  }
}

}  // namespace
}  // namespace braid::test::myrinet_deadlock_test
