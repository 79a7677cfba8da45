// What a network that others step shows of itself, place by place: arrays that are filled whole, whatever was in them,
// arrivals with all their fields, the topology as JSON. And the same by the interface for C.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "models/steps/braid.h"
#include "models/steps/step_network.h"
#include "routing/base/input_error.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/bench.h"

namespace braid::test::step_arrays_test {
namespace {

using models::StepNetwork;

constexpr std::size_t kWidth = 3, kHeight = 2, kRouters = 6, kPorts = 5, kVcs = 2, kDepth = 4;
const std::string kText =
    "[topology]\nwidth = 3\nheight = 2\n[router]\nvcs = 2\nbuffer_depth = 4\n[traffic]\nrate_flits_per_node_cycle = "
    "0\n";

/// Is there a link at the port of a router of the mesh? East, west, north, south, the node.
bool connected(std::size_t router, std::size_t port) {
  const std::size_t x = router % kWidth, y = router / kWidth;
  const bool links[kPorts] = {x + 1 < kWidth, x > 0, y + 1 < kHeight, y > 0, true};
  return links[port];
}

template <class T>
T sum(const std::vector<T>& all) {
  return std::accumulate(all.begin(), all.end(), T{0});
}

/// Idle: no flit anywhere, room for four on each VC of each link, and nothing where no link is.
TEST(StepArrays, OfAnIdleNetworkAreFilledWhole) {
  const StepNetwork steps = StepNetwork::from_text(kText);
  EXPECT_EQ(steps.shape().routers, kRouters);
  EXPECT_EQ(steps.shape().ports, kPorts);
  EXPECT_EQ(steps.shape().vcs, kVcs);
  EXPECT_STREQ(steps.buffer_unit(), "flits");
  std::vector<std::uint16_t> occupancy(kRouters * kPorts * kVcs, 99), credits(kRouters * kPorts * kVcs, 99);
  std::vector<std::uint64_t> links(kRouters * kPorts, 99);
  steps.occupancy(occupancy.data());
  steps.credits(credits.data());
  steps.link_flits(links.data());
  EXPECT_EQ(occupancy, std::vector<std::uint16_t>(kRouters * kPorts * kVcs, 0));
  EXPECT_EQ(links, std::vector<std::uint64_t>(kRouters * kPorts, 0));
  for (std::size_t r = 0; r < kRouters; ++r) {
    for (std::size_t p = 0; p < kPorts; ++p) {
      for (std::size_t vc = 0; vc < kVcs; ++vc) {
        EXPECT_EQ(credits[(r * kPorts + p) * kVcs + vc], connected(r, p) ? kDepth : 0) << r << " " << p << " " << vc;
      }
    }
  }
}

/// Twenty flits from node 3 over router 4 to node 5: they are in the buffers of these three alone, where they come in,
/// and what is in a buffer is no room for its sender. All of them cross two links and leave to the node.
TEST(StepArrays, ShowAPacketWhereItIs) {
  StepNetwork steps = StepNetwork::from_text(kText);
  std::vector<std::uint16_t> occupancy(kRouters * kPorts * kVcs, 99), credits(kRouters * kPorts * kVcs, 99);
  const auto at = [&](const std::vector<std::uint16_t>& all, std::size_t r, std::size_t p) {
    return all[(r * kPorts + p) * kVcs] + all[(r * kPorts + p) * kVcs + 1];
  };
  steps.send({3, 5, 20});
  bool in_the_middle = false;
  for (int cycle = 0; cycle < 40; ++cycle) {
    steps.step();
    steps.occupancy(occupancy.data());
    steps.credits(credits.data());
    const int first = at(occupancy, 3, 4), second = at(occupancy, 4, 1), third = at(occupancy, 5, 1);
    ASSERT_EQ(first + second + third, sum(occupancy)) << "and nowhere else";
    ASSERT_LE(second + at(credits, 3, 0), 2U * kDepth) << "east of router 3";
    ASSERT_LE(third + at(credits, 4, 0), 2U * kDepth);
    ASSERT_EQ(at(credits, 4, 1), 2U * kDepth) << "nobody goes back";
    in_the_middle = in_the_middle || second > 0;
  }
  EXPECT_TRUE(in_the_middle);
  steps.step(40);
  std::vector<std::uint64_t> links(kRouters * kPorts, 99), expected(kRouters * kPorts, 0);
  expected[3 * kPorts + 0] = expected[4 * kPorts + 0] = expected[5 * kPorts + 4] = 20;
  steps.link_flits(links.data());
  EXPECT_EQ(links, expected);
}

TEST(StepArrivals, HaveEveryFieldOfTheirPacket) {
  StepNetwork steps = StepNetwork::from_text(
      "[topology]\nwidth = 3\nheight = 1\n[[traffic]]\nname = \"a\"\nrate_flits_per_node_cycle = 0\n");
  ASSERT_EQ(steps.traffic_classes(), (std::vector<std::string>{"packets", "a"}));
  steps.step(5);
  steps.send({2, 1, 3, 1, 77});
  steps.send({2, 0, 2});
  EXPECT_EQ(steps.packets_sent(), 2U);
  EXPECT_EQ(steps.packets_arrived(), 0U);
  steps.step(60);
  EXPECT_EQ(steps.packets_arrived(), 2U);
  const auto all = steps.arrivals();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].source, 2U);
  EXPECT_EQ(all[0].destination, 1U);
  EXPECT_EQ(all[0].flits, 3U);
  EXPECT_EQ(all[0].traffic_class, 1U);
  EXPECT_EQ(all[0].tag, 77U);
  EXPECT_EQ(all[0].created, 4U);
  EXPECT_EQ(all[0].injected, 6U);
  EXPECT_EQ(all[0].cycle, 4U + 3 + 5 * 2 + 2);
  EXPECT_EQ(all[0].routers, 2U);
  EXPECT_EQ(all[0].sequence, 0U);
  EXPECT_EQ(all[1].destination, 0U);
  EXPECT_EQ(all[1].flits, 2U);
  EXPECT_EQ(all[1].traffic_class, 0U);
  EXPECT_EQ(all[1].tag, StepNetwork::kNoTag);
  EXPECT_EQ(all[1].routers, 3U);
  EXPECT_EQ(all[1].sequence, 1U);
}

/// Packets of the experiment's own sources come among the others from when they are asked for, over a checkpoint, too.
TEST(StepArrivals, OfTheExperimentsOwnTrafficComeWhereTheyAreAskedFor) {
  const std::string text = "[topology]\nwidth = 2\nheight = 2\n[traffic]\nrate_flits_per_node_cycle = 0.2\n";
  const std::string file = temporary_file("asked.checkpoint");
  StepNetwork steps = StepNetwork::from_text(text);
  steps.step(200);
  EXPECT_TRUE(steps.arrivals().empty());
  steps.report_all_arrivals();
  steps.step(200);
  EXPECT_GT(steps.arrivals().size(), 5U);
  steps.save(file);
  std::size_t called = 0;
  steps.on_arrival([&](const StepNetwork::Arrival&) { ++called; });
  steps.restore(file);
  EXPECT_EQ(steps.now(), 400U);
  steps.step(200);
  EXPECT_GT(called, 5U) << "who is called, and for what, is as it was";
  EXPECT_TRUE(steps.arrivals().empty());
  steps.on_arrival({});
  const std::size_t before = called;
  steps.step(200);
  EXPECT_EQ(called, before);
  EXPECT_GT(steps.arrivals().size(), 5U) << "to be taken again";
  StepNetwork other = StepNetwork::from_text("[topology]\nwidth = 2\nheight = 3\n[traffic]\n");
  other.step(7);
  EXPECT_THROW(other.restore(file), InputError);
  EXPECT_EQ(other.now(), 7U) << "it is as it was";
}

TEST(StepTopology, OfAGridHasEveryLinkAndItsShape) {
  for (const bool wrap : {false, true}) {
    const StepNetwork steps =
        StepNetwork::from_text("[topology]\nkind = \"" + std::string(wrap ? "torus" : "mesh") +
                               "\"\nwidth = 3\nheight = 4\nlocal_ports = 2\nlink_latency_cycles = 7\n[router]\n"
                               "credit_delay_cycles = 7\n");
    const boost::json::object all = boost::json::parse(steps.topology()).as_object();
    EXPECT_EQ(all.at("grid"), boost::json::parse(wrap ? R"({"width": 3, "height": 4, "wrap": true})"
                                                      : R"({"width": 3, "height": 4, "wrap": false})"));
    ASSERT_EQ(all.at("routers").as_array().size(), 12U);
    EXPECT_EQ(all.at("routers").as_array()[4], "1,1");
    EXPECT_EQ(all.at("nodes").as_array().size(), 12U);
    EXPECT_EQ(all.at("nodes").as_array()[4], boost::json::parse("[[4, 4], [4, 5]]"));
    EXPECT_EQ(all.at("links").as_array().size(), wrap ? 48U : 2U * (2 * 4 + 3 * 3));
    const boost::json::value east = boost::json::parse(
        R"({"from": 4, "port": 0, "name": "east", "to": 5, "to_port": 1, "latency_cycles": 7, "flits_per_cycle": 1})");
    std::size_t found = 0;
    for (const auto& link : all.at("links").as_array()) found += link == east ? 1 : 0;
    EXPECT_EQ(found, 1U);
    EXPECT_EQ(all.count("exits"), 0U);
  }
}

// ---------------------------------------------------------------- for C

struct Opened {
  explicit Opened(const std::string& text) : network(braid_open_text(text.c_str(), "mine.toml", nullptr, 3)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { braid_close(network); }
  braid_network* network;
};

/// The calls for C against those for C++, over the same packets.
TEST(BraidH, SaysWhatTheNetworkSays) {
  const Opened c(kText);
  ASSERT_NE(c.network, nullptr) << braid_error() << ": no settings, whatever their number";
  StepNetwork steps = StepNetwork::from_text(kText);
  EXPECT_EQ(braid_nodes(c.network), kRouters);
  EXPECT_EQ(braid_busy(c.network), 0);
  EXPECT_EQ(braid_step(c.network, 3), BRAID_OK);
  steps.step(3);
  for (const std::uint32_t to : {1U, 5U, 2U}) {
    EXPECT_EQ(braid_send(c.network, 3, to, 2 + to, 0, 40 + to), BRAID_OK);
    steps.send({3, to, 2 + to, 0, 40 + to});
  }
  EXPECT_EQ(braid_busy(c.network), 1);
  EXPECT_EQ(braid_packets_sent(c.network), 3U);
  EXPECT_EQ(braid_packets_arrived(c.network), 0U);
  EXPECT_EQ(braid_step(c.network, 12), BRAID_OK);
  steps.step(12);
  std::size_t routers = 0, ports = 0, vcs = 0;
  braid_shape(c.network, &routers, &ports, &vcs);
  EXPECT_EQ(routers, kRouters);
  EXPECT_EQ(ports, kPorts);
  EXPECT_EQ(vcs, kVcs);
  std::vector<std::uint16_t> mine(kRouters * kPorts * kVcs, 99), theirs(kRouters * kPorts * kVcs, 99);
  EXPECT_EQ(braid_occupancy(c.network, mine.data()), BRAID_OK);
  steps.occupancy(theirs.data());
  EXPECT_EQ(mine, theirs);
  EXPECT_GT(sum(mine), 0U);
  EXPECT_EQ(braid_credits(c.network, mine.data()), BRAID_OK);
  steps.credits(theirs.data());
  EXPECT_EQ(mine, theirs);
  std::vector<std::uint64_t> flits(kRouters * kPorts, 99), expected(kRouters * kPorts, 99);
  braid_link_flits(c.network, flits.data());
  steps.link_flits(expected.data());
  EXPECT_EQ(flits, expected);
  EXPECT_EQ(braid_step(c.network, 60), BRAID_OK);
  steps.step(60);
  EXPECT_EQ(braid_now(c.network), 75U);
  EXPECT_EQ(braid_packets_arrived(c.network), 3U);
  EXPECT_EQ(braid_packet_hash(c.network), steps.packet_hash());
  braid_arrival arrived[3];
  EXPECT_EQ(braid_arrivals(c.network, arrived, 0), 0U);
  ASSERT_EQ(braid_arrivals(c.network, arrived, 2), 2U) << "no more than asked for";
  ASSERT_EQ(braid_arrivals(c.network, arrived + 2, 2), 1U);
  const auto all = steps.arrivals();
  ASSERT_EQ(all.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(arrived[i].cycle, all[i].cycle);
    EXPECT_EQ(arrived[i].created, all[i].created);
    EXPECT_EQ(arrived[i].injected, all[i].injected);
    EXPECT_EQ(arrived[i].source, all[i].source);
    EXPECT_EQ(arrived[i].destination, all[i].destination);
    EXPECT_EQ(arrived[i].flits, all[i].flits);
    EXPECT_EQ(arrived[i].traffic_class, all[i].traffic_class);
    EXPECT_EQ(arrived[i].tag, all[i].tag);
    EXPECT_EQ(arrived[i].routers, all[i].routers);
    EXPECT_EQ(arrived[i].sequence, all[i].sequence);
  }
}

TEST(BraidH, GoesOnFromACheckpointAndSaysWhatItHasNot) {
  const std::string file = temporary_file("c.checkpoint");
  const Opened one(kText), other(kText);
  EXPECT_EQ(braid_send(one.network, 0, 5, 4, 0, 9), BRAID_OK);
  EXPECT_EQ(braid_step(one.network, 10), BRAID_OK);
  EXPECT_EQ(braid_save(one.network, file.c_str()), BRAID_OK) << braid_error();
  EXPECT_EQ(braid_restore(other.network, file.c_str()), BRAID_OK) << braid_error();
  EXPECT_EQ(braid_now(other.network), 10U);
  EXPECT_EQ(braid_step(other.network, 40), BRAID_OK);
  EXPECT_EQ(braid_step(one.network, 40), BRAID_OK);
  EXPECT_EQ(braid_packet_hash(other.network), braid_packet_hash(one.network));
  EXPECT_EQ(braid_packets_arrived(other.network), 1U);
  EXPECT_EQ(braid_restore(other.network, (file + ".none").c_str()), BRAID_BAD_INPUT);
  EXPECT_NE(std::string(braid_error()).find(".none"), std::string::npos) << braid_error();
  EXPECT_EQ(braid_now(other.network), 50U);
  EXPECT_EQ(braid_capacity(one.network, 5), 1U);
  EXPECT_EQ(braid_send(one.network, 5, 0, 9, 0, BRAID_NO_TAG), BRAID_OK);
  EXPECT_EQ(braid_capacity(one.network, 5), 0U);
  EXPECT_EQ(braid_capacity(one.network, 6), 0U);
  EXPECT_STREQ(braid_error(), "node 6: expected 0 to 5");
  const Opened ideal("[topology]\nwidth = 2\nheight = 2\n[router]\narchitecture = \"ideal\"\n");
  std::size_t routers = 9, ports = 9, vcs = 9;
  braid_shape(ideal.network, &routers, &ports, &vcs);
  EXPECT_EQ(routers, 4U);
  EXPECT_EQ(vcs, 0U);
  std::uint16_t none = 0;
  EXPECT_EQ(braid_occupancy(ideal.network, &none), BRAID_BAD_INPUT);
  EXPECT_NE(std::string(braid_error()).find("router.architecture = \"ideal\" has no occupancy at its ports"),
            std::string::npos)
      << braid_error();
  EXPECT_EQ(braid_credits(ideal.network, &none), BRAID_BAD_INPUT);
  EXPECT_NE(std::string(braid_error()).find("has no credits at its ports"), std::string::npos) << braid_error();
}

}  // namespace
}  // namespace braid::test::step_arrays_test
