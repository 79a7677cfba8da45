// Places in the window of a trace that is replayed by dependency, as packets show them: a place more than packets may
// be under way, and no more places than the trace has packets and one.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "models/workload/replay/replay_workload.h"
#include "tb/tests/support/bench.h"

namespace braid::test::replay_places_test {
namespace {

using models::Experiment;
using Places = std::vector<std::uint32_t>;

/// Of five packets from node 0 to node 1, a hundred cycles apart.
Bench replayed(const std::string& by, std::uint32_t window) {
  const std::string file = temporary_file("places.trace");
  std::ofstream trace(file, std::ios::binary);
  trace << "braid-trace 1\nnodes 4\nclass packets\n";
  for (int i = 0; i < 5; ++i) trace << i << ' ' << 5 + 100 * i << " 0 1 1 0\n";
  trace << "end 5\n";
  trace.close();
  Experiment e;
  e.set("topology.width", 2).set("topology.height", 2);
  e.open("replay");
  e.set("replay.file", file).set("replay.by", by).set("replay.window", window);
  e.set("log.file", "unwritten.csv");
  return Bench(e);
}
Places places(const std::string& by, std::uint32_t window) {
  Bench bench = replayed(by, window);
  bench.run(700);
  EXPECT_EQ(bench.delivered(), 5U);
  Places all;
  bench.network->packet_log()->each(
      bench.network->store(),
      [&](const models::PacketRecord&, const models::Packet& packet) { all.push_back(packet.tag); });
  return all;
}

TEST(ReplayPlaces, AreOneMoreThanTheWindow) {
  EXPECT_EQ(places("dependency", 1), (Places{0, 1, 0, 1, 0}));
  EXPECT_EQ(places("both", 2), (Places{0, 1, 2, 0, 1}));
  EXPECT_EQ(places("dependency", 4), (Places{0, 1, 2, 3, 4}));
  EXPECT_EQ(places("dependency", 1U << 24U), (Places{0, 1, 2, 3, 4}));
}

/// A packet of cycle 0 is made in the first cycle of all.
TEST(ReplayPlaces, AreTakenFromCycle0On) {
  for (const char* by : {"time", "dependency", "both"}) {
    const std::string file = temporary_file("at_once.trace");
    std::ofstream(file, std::ios::binary) << "braid-trace 1\nnodes 4\nclass packets\n0 0 0 1 1 0\nend 1\n";
    Experiment e;
    e.set("topology.width", 2).set("topology.height", 2);
    e.open("replay");
    e.set("replay.file", file).set("replay.by", by);
    Bench bench(e);
    bench.run(1);
    EXPECT_EQ(bench.network->workload<models::ReplayWorkload>()->results().made, 1U) << by;
  }
}

TEST(ReplayPlaces, AreNoneByTime) {
  const Places none = places("time", 2);
  for (const std::uint32_t place : none) EXPECT_EQ(place, models::kNoTag);
  EXPECT_EQ(none.size(), 5U);
}

}  // namespace
}  // namespace braid::test::replay_places_test
