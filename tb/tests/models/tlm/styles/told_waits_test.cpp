// What is told of packets that meet, in cycles and parts of them: approximately timed, who is told late answers for
// those that it moves back, so that all together are told what the engine has; loosely timed, parts of a cycle are told
// to as many packets as they are.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::told_waits_test {
namespace {

models::Experiment row(const std::string& family) {
  models::Experiment e = uniform_mesh(0.0, 5, 1);
  e.set("router.architecture", family);
  if (family == "virtual_cut_through") e.set("router.vcs", 1);
  if (family == "po2") e.set("routing.algorithm", "best_paths").set("routing.allow_deadlock", true);
  if (family == "myrinet") {
    as_myrinet(e);
    e.set("routing.allow_deadlock", true);
  }
  return e;
}

struct Sent {
  std::size_t from, to;
  std::uint32_t flits;
  std::uint64_t cycle;
};
/// When each has been delivered, summed up.
std::uint64_t in_the_engine(const std::string& family, const std::vector<Sent>& all) {
  Bench bench(row(family));
  bench.run(100);
  std::uint64_t sum = 0, seen = 0;
  for (std::uint64_t cycle = 100; seen < all.size() && cycle < 5000; ++cycle) {
    for (const Sent& s : all) {
      if (s.cycle == cycle) bench.network->send_packet(NodeId{s.from}, NodeId{s.to}, s.flits);
    }
    bench.run(1);
    for (; seen < bench.delivered(); ++seen) sum += cycle;
  }
  EXPECT_EQ(seen, all.size());
  return sum;
}
std::uint64_t as_told(const std::string& family, const std::vector<Sent>& all) {
  models::Experiment e = row(family);
  e.set("tlm.style", "approximately_timed");
  const Bench bench(e);
  const auto timing = models::make_packet_timing(e, bench.topology, *bench.routing);
  std::uint64_t sum = 0;
  for (const Sent& s : all) sum += timing->deliver(NodeId{s.from}, NodeId{s.to}, s.flits, s.cycle - 1, s.cycle - 1);
  return sum;
}

class ToldWaits : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Families, ToldWaits, testing::Values("virtual_cut_through", "po2", "myrinet"),
                         [](const auto& c) { return std::string(c.param); });

/// The first is told as if it were alone. The second, made later and nearer, is before it at the link that they share:
/// it is told its own time and the wait of the first.
TEST_P(ToldWaits, AreTheEnginesAllTogether) {
  const std::string family = GetParam();
  const std::uint64_t alone = as_told(family, {{0, 4, 40, 100}});
  EXPECT_EQ(alone, in_the_engine(family, {{0, 4, 40, 100}}));
  unsigned met = 0;
  for (std::uint64_t later = 1; later <= 12; ++later) {
    const std::vector<Sent> both{{0, 4, 40, 100}, {2, 3, 30, 100 + later}};
    const std::uint64_t apart = alone + as_told(family, {both[1]}), told = as_told(family, both);
    EXPECT_EQ(told, in_the_engine(family, both)) << later;
    met += told > apart ? 1 : 0;
  }
  EXPECT_GT(met, 2U) << "else nothing is tested";
}

/// docs/tlm-styles.md: 3 flits every 8 cycles are a load of 3/8 and a wait of 3 x 0.375 / (2 x 0.625) = 0.9 cycles at
/// each of three channels. Of many packets 2.7 cycles are told in the mean, in 2 and 3 cycles.
TEST(ToldParts, OfACycleHaveTheirMean) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1).set("tlm.style", "loosely_timed");
  const Bench bench(e);
  const auto timing = models::make_packet_timing(e, bench.topology, *bench.routing);
  for (std::uint64_t at = 0; at < 1024; at += 8) (void)timing->deliver(NodeId{0}, NodeId{1}, 3, at, at);
  constexpr std::uint64_t kAlone = 3 + 5 * 2 + 2;
  std::uint64_t waited = 0;
  constexpr std::uint64_t kPackets = 4096;
  for (std::uint64_t at = 5000; at < 5000 + kPackets; ++at) {
    const std::uint64_t waits = timing->deliver(NodeId{0}, NodeId{1}, 3, at, 1024) - at - kAlone;
    EXPECT_TRUE(waits == 2 || waits == 3) << waits;
    waited += waits;
  }
  EXPECT_NEAR(static_cast<double>(waited) / kPackets, 2.7, 0.02);
}

}  // namespace
}  // namespace braid::test::told_waits_test
