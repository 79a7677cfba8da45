// A packet alone: transfers from push to the first pop that returns it. Expected values by the formula that intersim2
// obeys, T = 3 + R * (1 + ceil((3 + routing_delay) / internal_speedup)) + flits - 1, R routers on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

unsigned alone(Interconnect& network, unsigned from, unsigned to, unsigned flits, Kind kind) {
  int payload = 0;
  EXPECT_TRUE(network.has_buffer(from, flits * network.flit_size()));
  network.push(from, to, &payload, flits * network.flit_size(), kind);
  for (unsigned transfers = 1; transfers < 1000; ++transfers) {
    network.transfer();
    void* const got = network.pop(to);
    if (got == nullptr) continue;
    EXPECT_EQ(got, &payload);
    for (unsigned home = 0; home < 100; ++home) network.transfer();  // credits
    EXPECT_FALSE(network.busy());
    return transfers;
  }
  return 0;
}

unsigned formula(unsigned routers, unsigned routing_delay, double speedup, unsigned flits) {
  return 3 + routers * (1 + static_cast<unsigned>(std::ceil((3 + routing_delay) / speedup))) + flits - 1;
}

/// `routers`: on the way between two nodes.
template <class Routers>
void expect_all(Interconnect& network, unsigned shaders, unsigned memories, unsigned step, unsigned delay,
                double speedup, Routers routers) {
  for (const unsigned flits : {1U, 2U, 5U})
    for (unsigned pair = 0; pair < shaders * memories; pair += step) {
      const unsigned shader = pair % shaders;
      const unsigned memory = shaders + pair / shaders;
      const unsigned expected =
          formula(routers(network.node_of(shader), network.node_of(memory)), delay, speedup, flits);
      ASSERT_EQ(alone(network, shader, memory, flits, kReadRequest), expected) << shader << " to " << memory;
      ASSERT_EQ(alone(network, memory, shader, flits, kReadReply), expected) << memory << " to " << shader;
    }
}

unsigned one(unsigned, unsigned) { return 1; }

unsigned manhattan(unsigned k, unsigned from, unsigned to) {
  const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  return 1 + apart(from % k, to % k) + apart(from / k, to / k);
}

struct Crossbar {
  const char* name;
  unsigned k, shaders, memories;
};

class IcntCrossbar : public testing::TestWithParam<Crossbar> {};

TEST_P(IcntCrossbar, APacketAloneTakesSixSevenAndTenTransfers) {
  const Crossbar& size = GetParam();
  Interconnect net = network(crossbar(size.k, kLarge), size.shaders, size.memories);
  EXPECT_EQ(formula(1, 0, 2, 1), 6U);
  EXPECT_EQ(formula(1, 0, 2, 2), 7U);
  EXPECT_EQ(formula(1, 0, 2, 5), 10U);
  expect_all(net, size.shaders, size.memories, size.k < 60 ? 1 : 37, 0, 2, one);
}

INSTANTIATE_TEST_SUITE_P(Tested, IcntCrossbar,
                         testing::Values(Crossbar{"SM2_GTX480", 27, 15, 12}, Crossbar{"SM3_KEPLER_TITAN", 38, 14, 24},
                                         Crossbar{"fly50", 50, 28, 22}, Crossbar{"SM6_TITANX", 52, 28, 24},
                                         Crossbar{"SM75_RTX2060", 52, 30, 22}, Crossbar{"SM7_TITANV", 88, 40, 48},
                                         Crossbar{"SM7_QV100", 144, 80, 64}),
                         [](const auto& each) { return each.param.name; });

TEST(IcntZeroLoad, OtherSpeedups) {
  for (const double speedup : {1.0, 1.5, 2.0, 3.0}) {
    Interconnect net = network(crossbar(27, "internal_speedup = " + std::to_string(speedup) + ";"), 15, 12);
    expect_all(net, 15, 12, 17, 0, speedup, one);
  }
}

TEST(IcntZeroLoad, OneNetOfDefaults) {
  Interconnect net = network(one_net(), 4, 32);
  expect_all(net, 4, 32, 1, 1, 1, one);
}

TEST(IcntZeroLoad, Mesh6x6) {
  Interconnect net = network(mesh6x6(), 28, 8);
  expect_all(net, 28, 8, 1, 0, 1, [](unsigned from, unsigned to) { return manhattan(6, from, to); });
}

TEST(IcntZeroLoad, Mesh8x8WaitsForCreditsWithFiveFlits) {
  Interconnect net = network(mesh8x8(), 56, 8);
  for (unsigned pair = 0; pair < 56 * 8; pair += 3) {
    const unsigned shader = pair % 56;
    const unsigned memory = 56 + pair / 56;
    const unsigned routers = manhattan(8, net.node_of(shader), net.node_of(memory));
    ASSERT_EQ(alone(net, shader, memory, 1, kReadRequest), formula(routers, 1, 1, 1));
    ASSERT_EQ(alone(net, memory, shader, 2, kReadReply), formula(routers, 1, 1, 2));
    ASSERT_EQ(alone(net, shader, memory, 5, kWriteRequest), formula(routers, 1, 1, 5) + 2);
  }
}

/// Links on the way between two nodes of a torus, the shorter way round each ring.
unsigned links_around(unsigned k, unsigned from, unsigned to) {
  unsigned links = 0;
  for (; from != to; from /= k, to /= k) {
    const unsigned up = (to % k + k - from % k) % k;
    links += std::min(up, k - up);
  }
  return links;
}

/// Each link takes `latency` cycles, one of which the formula has.
void expect_torus(unsigned k, unsigned n, unsigned shaders, unsigned memories, const std::string& more,
                  unsigned latency, unsigned delay, double speedup) {
  Interconnect net = network(torus(k, n, with_vcs(2) + more), shaders, memories);
  for (const unsigned flits : {1U, 2U, 5U})
    for (unsigned pair = 0; pair < shaders * memories; pair += 3) {
      const unsigned shader = pair % shaders, memory = shaders + pair / shaders;
      const unsigned links = links_around(k, net.node_of(shader), net.node_of(memory));
      const unsigned expected = formula(links + 1, delay, speedup, flits) + links * (latency - 1);
      ASSERT_EQ(alone(net, shader, memory, flits, kReadRequest), expected) << shader << " to " << memory;
      ASSERT_EQ(alone(net, memory, shader, flits, kReadReply), expected) << memory << " to " << shader;
    }
}

TEST(IcntZeroLoad, Tori) {
  expect_torus(5, 2, 15, 10, "", 2, 0, 1);
  expect_torus(4, 2, 8, 8, "", 2, 0, 1);  // half-way round either way is as long
  expect_torus(3, 3, 17, 10, "routing_delay = 1; vc_buf_size = 16; ejection_buffer_size = 16;", 2, 1, 1);
  expect_torus(6, 1, 3, 3, "use_noc_latency = 0; internal_speedup = 2.0;", 1, 0, 2);
  expect_torus(2, 3, 4, 4, "", 2, 0, 1);  // both links of a ring lead to the same router
}

/// By hand: cycles of the links on the way, and routers.
TEST(IcntZeroLoad, AnynetTree) {
  Interconnect net =
      network(anynet("tree.any", kTree, with_vcs(2) + "vc_buf_size = 32; ejection_buffer_size = 32;"), 7, 4);
  const auto expect = [&](unsigned from, unsigned to, unsigned routers, unsigned cycles) {
    for (const unsigned flits : {1U, 5U}) {
      const Kind kind = from < 7 ? kReadRequest : kReadReply;
      EXPECT_EQ(alone(net, from, to, flits, kind), formula(routers, 0, 1, flits) + cycles - (routers - 1))
          << from << " to " << to;
    }
  };
  expect(6, 7, 1, 0);                   // one router
  expect(0, 7, 3, 1 + 7);               // 0 2 3: the way there takes 7 cycles,
  expect(7, 0, 3, 2 + 1);               // ... the way back 2
  expect(2, 10, 6, 1 + 1 + 7 + 1 + 1);  // 1 0 2 3 4 5: nobody has said anything of the way from 1 to 0, nor of 4 to 5
  expect(10, 2, 6, 2 + 1 + 2 + 1 + 3);
}

TEST(IcntZeroLoad, InputSpeedupChangesNothing) {
  Interconnect net = network(crossbar(52, with_vcs(2) + "input_speedup = 2;"), 28, 24);
  expect_all(net, 28, 24, 11, 0, 2, one);
}

TEST(IcntZeroLoad, AFlyOfTwoStages) {
  Interconnect net = network(crossbar(4, "n = 2;"), 8, 8);
  expect_all(net, 8, 8, 1, 0, 2, [](unsigned, unsigned) { return 2; });
}

}  // namespace
}  // namespace braid::models::icnt
