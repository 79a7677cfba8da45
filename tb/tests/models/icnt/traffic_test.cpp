// Traffic in a closed loop: the same run as intersim2's, nothing lost or changed, and networks that know nothing of
// each other.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tb/tests/models/icnt/recorded.h"

namespace braid::models::icnt {
namespace {

class IcntTraffic : public testing::TestWithParam<Recorded> {};

TEST_P(IcntTraffic, IsIntersim2sInEveryCycle) {
  const Recorded& each = GetParam();
  Interconnect net = network(each.text, each.load.shaders, each.load.memories);
  ClosedLoop<Interconnect> loop(net, each.load);
  loop.run();
  EXPECT_TRUE(loop.drained());
  EXPECT_EQ(loop.wrong, 0U);
  EXPECT_GT(loop.requests, 1000U);
  EXPECT_EQ(loop.replies, loop.requests);
  EXPECT_EQ(loop.hash, each.hash);
}

INSTANTIATE_TEST_SUITE_P(Recorded, IcntTraffic, testing::ValuesIn(recorded()),
                         [](const auto& each) { return each.param.name; });

TEST(IcntNetworks, OneChannelKeepsFlowsInOrder) {
  for (const std::string& text : {crossbar(36, kLarge), mesh6x6(with_vcs(1))}) {
    Interconnect net = network(text, 28, 8);
    ClosedLoop<Interconnect> loop(net, {28, 8, 20});
    loop.run();
    EXPECT_EQ(loop.reordered, 0U);
    EXPECT_EQ(loop.replies, loop.requests);
  }
  Interconnect net = network(mesh6x6(), 28, 8);
  ClosedLoop<Interconnect> loop(net, {28, 8, 20});
  loop.run();
  EXPECT_GT(loop.reordered, 0U) << "with two channels packets overtake";
}

TEST(IcntNetworks, ManyInAProcessRunAsOneAlone) {
  std::vector<Recorded> all;
  for (const Recorded& each : recorded())
    if (each.name == "mesh_6x6" || each.name == "crossbar_of_27" || each.name == "one_net") all.push_back(each);
  ASSERT_EQ(all.size(), 3U);
  const std::vector<Recorded> three = all;
  for (int copy = 0; copy < 2; ++copy) all.insert(all.end(), three.begin(), three.end());
  std::vector<Interconnect> networks;
  std::vector<std::unique_ptr<ClosedLoop<Interconnect>>> loops;
  for (const Recorded& each : all) networks.push_back(network(each.text, each.load.shaders, each.load.memories));
  for (std::size_t i = 0; i < all.size(); ++i)
    loops.push_back(std::make_unique<ClosedLoop<Interconnect>>(networks[i], all[i].load));
  for (bool going = true; going;) {
    going = false;
    for (auto& loop : loops) going |= loop->step();
  }
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(loops[i]->hash, all[i].hash) << all[i].name;
}

TEST(IcntNetworks, TotalsCountWhatWasPushedAndWhatCame) {
  Interconnect net = network(crossbar(27), 15, 12);
  ClosedLoop<Interconnect> loop(net, {15, 12, 20});
  loop.run();
  const Totals requests = net.totals(0);
  const Totals replies = net.totals(1);
  EXPECT_EQ(requests.pushed, loop.requests);
  EXPECT_EQ(requests.complete, loop.requests);
  EXPECT_EQ(replies.complete, loop.replies);
  // Of a request and its reply one has 8 bytes, one flit of 40, and one 136, four flits.
  EXPECT_EQ(requests.flits_pushed + replies.flits_pushed, 5U * loop.requests);
  EXPECT_GT(requests.latency_sum, 6 * requests.complete);
  EXPECT_GE(requests.latency_greatest, requests.latency_sum / requests.complete);
}

}  // namespace
}  // namespace braid::models::icnt
