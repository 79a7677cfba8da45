// Throughput of saturated flows, and who gets it.
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

constexpr unsigned kWarm = 2000, kMeasured = 4000;

/// Packets that come, by source, of flows that push whenever there is room.
std::map<unsigned, unsigned> popped(Interconnect& network, const std::vector<std::pair<unsigned, unsigned>>& flows,
                                    unsigned flits) {
  std::vector<unsigned> sources;  // payloads
  for (const auto& flow : flows) sources.push_back(flow.first);
  std::map<unsigned, unsigned> got;
  for (unsigned cycle = 0; cycle < kWarm + kMeasured; ++cycle) {
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
      if (network.has_buffer(flows[flow].first, flits * network.flit_size()))
        network.push(flows[flow].first, flows[flow].second, &sources[flow], flits * network.flit_size(), kReadRequest);
    network.transfer();
    for (const auto& flow : flows)
      if (const void* const payload = network.pop(flow.second))
        if (cycle >= kWarm) ++got[*static_cast<const unsigned*>(payload)];
  }
  return got;
}

double rate(const std::string& more, unsigned flits) {
  Interconnect net = network(crossbar(27, more), 15, 12);
  return popped(net, {{0, 15}}, flits)[0] / double{kMeasured};
}

TEST(IcntStreams, AChannelsNextHeadIsLookedAtWhenTheTailBeforeHasLeft) {
  struct Case {
    const char* keys;
    double one_flit, five_flits;
  };
  for (const Case& each : {Case{"internal_speedup = 1; routing_delay = 0;", 1.0 / 2, 1.0 / 6},
                           Case{"internal_speedup = 1; routing_delay = 1;", 1.0 / 3, 1.0 / 7},
                           Case{"internal_speedup = 2; routing_delay = 0;", 1, 1.0 / 5},
                           Case{"internal_speedup = 2; routing_delay = 1;", 2.0 / 3, 1.0 / 5}}) {
    EXPECT_NEAR(rate(each.keys, 1), each.one_flit, 0.001) << each.keys;
    EXPECT_NEAR(rate(each.keys, 5), each.five_flits, 0.001) << each.keys;
  }
}

TEST(IcntStreams, ShortChannelsWaitForCredits) {
  EXPECT_NEAR(rate("vc_buf_size = 3;", 1), 2.0 / 3, 0.001);
  EXPECT_NEAR(rate("vc_buf_size = 4;", 1), 8.0 / 9, 0.001);
  EXPECT_NEAR(rate("vc_buf_size = 5;", 1), 1, 0.001);
}

TEST(IcntStreams, SharesOnALineHalveAtEveryRouter) {
  // Node 63's memory, and four shaders on its row.
  Interconnect net = network(mesh8x8(), 56, 8);
  std::vector<std::pair<unsigned, unsigned>> flows;
  for (unsigned node = 62; node > 58; --node)
    for (unsigned shader = 0; shader < 56; ++shader)
      if (net.node_of(shader) == node) flows.emplace_back(shader, 63);
  ASSERT_EQ(net.node_of(63), 63U);
  ASSERT_EQ(flows.size(), 4U);
  auto got = popped(net, flows, 4);
  double all = 0;
  for (const auto& flow : flows) all += got[flow.first];
  const double expected[] = {0.5, 0.25, 0.125, 0.125};
  for (unsigned i = 0; i < 4; ++i) EXPECT_NEAR(got[flows[i].first] / all, expected[i], 0.01) << i;
}

TEST(IcntStreams, ACrossbarIsFair) {
  Interconnect net = network(crossbar(144, kLarge), 80, 64);
  const std::vector<std::pair<unsigned, unsigned>> flows{
      {0, 80}, {63, 80}, {64, 80}, {79, 80}};  // over the words' ends
  auto got = popped(net, flows, 1);
  for (const auto& flow : flows) EXPECT_NEAR(got[flow.first], kMeasured / 4.0, 1);
}

}  // namespace
}  // namespace braid::models::icnt
