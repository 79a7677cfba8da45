// What input, ejection and boundary buffers hold, and when pop() gives.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

unsigned fill(Interconnect& network, unsigned from, unsigned to, unsigned flits) {
  static int payload;
  const unsigned bytes = flits * network.flit_size();
  unsigned accepted = 0;
  for (; network.has_buffer(from, bytes); ++accepted) network.push(from, to, &payload, bytes, kReadRequest);
  return accepted;
}

TEST(IcntBuffers, AnInputBufferCountsFlits) {
  struct Case {
    const char* key;
    unsigned flits, accepted;
  };
  for (const Case& each :
       {Case{"input_buffer_size = 256;", 1, 256}, Case{"input_buffer_size = 256;", 4, 64}, Case{"", 1, 9},
        Case{"input_buffer_size = 0;", 4, 2}, Case{"input_buffer_size = 5;", 2, 2}}) {
    Interconnect net = network(crossbar(27, each.key), 15, 12);
    EXPECT_EQ(fill(net, 0, 15, each.flits), each.accepted) << each.key << each.flits;
    EXPECT_EQ(fill(net, 15, 0, each.flits), each.accepted) << "a memory's is that of the other subnet";
    EXPECT_EQ(fill(net, 1, 15, each.flits), each.accepted) << "each device has its own";
  }
}

TEST(IcntBuffers, RoomForNFlitsComesBackAfterNTransfers) {
  Interconnect net = network(crossbar(27, "input_buffer_size = 8;"), 15, 12);
  ASSERT_EQ(fill(net, 0, 15, 4), 2U);
  for (unsigned transfers = 0; transfers < 4; ++transfers) {
    EXPECT_FALSE(net.has_buffer(0, 4 * 40)) << transfers;
    EXPECT_EQ(net.has_buffer(0, 40), transfers != 0);
    net.transfer();
  }
  EXPECT_TRUE(net.has_buffer(0, 4 * 40));
}

TEST(IcntBuffers, APartOfAFlitIsAFlit) {
  Interconnect net = network(crossbar(27, "input_buffer_size = 4;"), 15, 12);
  EXPECT_TRUE(net.has_buffer(0, 121));
  int payload = 0;
  net.push(0, 15, &payload, 121, kReadRequest);
  EXPECT_FALSE(net.has_buffer(0, 1));
}

/// Packets of one flow that are swallowed while nobody pops.
unsigned sink(Interconnect& network, unsigned memory, unsigned flits, std::vector<int>& payloads) {
  unsigned pushed = 0;
  for (unsigned idle = 0; idle < 500; ++idle) {
    if (network.has_buffer(0, flits * network.flit_size())) {
      network.push(0, memory, &payloads[pushed++], flits * network.flit_size(), kReadRequest);
      idle = 0;
    }
    network.transfer();
  }
  return pushed;
}

TEST(IcntBuffers, OneFlowFillsAllThatIsOnItsWay) {
  struct Case {
    std::string text;
    unsigned shaders, memories, packets, at_once;
  };
  const Case cases[] = {
      {crossbar(38, "input_buffer_size = 256; ejection_buffer_size = 64; boundary_buffer_size = 64;"), 14, 24, 448, 64},
      {crossbar(27), 15, 12, 153, 16},
      {mesh6x6(), 28, 8, 16 + 2 * (3 * 8 + 8 + 16), 32}};
  for (const Case& each : cases) {
    Interconnect net = network(each.text, each.shaders, each.memories);
    std::vector<int> payloads(1000);
    EXPECT_EQ(sink(net, each.shaders, 1, payloads), each.packets);
    unsigned popped = 0;
    while (net.pop(each.shaders) != nullptr) ++popped;
    EXPECT_EQ(popped, each.at_once) << "pop has no limit between two transfers: all that the boundary buffer holds";
    for (unsigned transfers = 0; transfers < 2000 && net.busy(); ++transfers) {
      net.transfer();
      while (net.pop(each.shaders) != nullptr) ++popped;
    }
    EXPECT_EQ(popped, each.packets);
    EXPECT_FALSE(net.busy());
  }
}

TEST(IcntBuffers, WholePacketsTakeTurnsOnAChannel) {
  Interconnect net = network(crossbar(27), 15, 12);
  int payloads[2] = {};
  net.push(0, 15, &payloads[0], 160, kWriteRequest);
  net.push(1, 15, &payloads[1], 160, kWriteRequest);
  std::vector<unsigned> at;
  for (unsigned transfers = 1; transfers < 30; ++transfers) {
    net.transfer();
    while (net.pop(15) != nullptr) at.push_back(transfers);
  }
  EXPECT_EQ(at, (std::vector<unsigned>{9, 13}));
}

TEST(IcntBuffers, PopTakesTurnsAmongChannelsAndTopShowsItsNext) {
  // Each kind has a channel of its own, so that packets of four kinds stand side by side.
  std::string text = crossbar(27, with_vcs(4));
  unsigned vc = 0;
  for (const char* kind : {"read_request", "write_request", "read_reply", "write_reply"}) {
    const std::string number = std::to_string(vc++);
    text += std::string(kind) + "_begin_vc = " + number + "; " + kind + "_end_vc = " + number + ";";
  }
  Interconnect net = network(text, 15, 12);
  int payloads[8] = {};
  for (unsigned i = 0; i < 8; ++i) net.push(i, 15, &payloads[i], 40, static_cast<Kind>(i / 2));
  for (unsigned transfers = 0; transfers < 30; ++transfers) net.transfer();
  std::vector<unsigned> kinds;
  while (void* const next = net.top(15)) {
    kinds.push_back(static_cast<unsigned>(static_cast<int*>(next) - payloads) / 2);
    EXPECT_EQ(net.pop(15), next);
  }
  EXPECT_EQ(kinds, (std::vector<unsigned>{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(IcntBuffers, MemoriesSitWhereTheMapSaysInAnyOrder) {
  const std::string map = "memory_node_map = {35,0,7,28,12,25,21,10};";
  Interconnect net = network(mesh6x6(map), 28, 8);
  EXPECT_EQ(net.node_of(28), 35U);
  EXPECT_EQ(net.node_of(29), 0U);
  EXPECT_EQ(net.node_of(35), 10U);
  EXPECT_EQ(net.node_of(0), 1U) << "shaders have the other nodes in ascending order";
  EXPECT_EQ(net.node_of(6), 8U);
  EXPECT_EQ(net.node_of(27), 34U);
  Interconnect own =
      network("sim_type = gpgpusim; topology = mesh; k = 4; n = 2; routing_function = dor; subnets = 2;", 8, 8);
  EXPECT_EQ(own.node_of(8), 1U) << "intersim2's own placement of 8 and 8";
  EXPECT_EQ(own.node_of(15), 14U);
}

TEST(IcntBuffers, InitCountsAnewAndDisturbsNothing) {
  Interconnect net = network(crossbar(27), 15, 12);
  int payload = 0;
  net.push(0, 15, &payload, 40, kReadRequest);
  for (unsigned transfers = 0; transfers < 3; ++transfers) net.transfer();
  EXPECT_EQ(net.totals(0).cycles, 3U);
  EXPECT_EQ(net.totals(0).pushed, 1U);
  net.init();
  EXPECT_EQ(net.totals(0).cycles, 0U);
  EXPECT_EQ(net.totals(0).pushed, 0U);
  for (unsigned transfers = 0; transfers < 3; ++transfers) {
    EXPECT_EQ(net.pop(15), nullptr);
    net.transfer();
  }
  EXPECT_EQ(net.pop(15), &payload);
  EXPECT_EQ(net.totals(0).complete, 1U);
  EXPECT_EQ(net.totals(0).latency_sum, 6U);
}

}  // namespace
}  // namespace braid::models::icnt
