// What the network says of itself: totals, states, sizes; and several crossbar ports an output.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

std::string stats_of(const Interconnect& net) {
  std::ostringstream text;
  net.display_stats(text);
  return text.str();
}
std::string state_of(const Interconnect& net) {
  std::ostringstream text;
  net.display_state(text);
  return text.str();
}
void transfer(Interconnect& net, unsigned times) {
  for (unsigned i = 0; i < times; ++i) net.transfer();
}

TEST(IcntInterconnect, KnowsItsSizes) {
  const Interconnect two = network(crossbar(27), 15, 12);
  EXPECT_EQ(two.flit_size(), 40U);
  EXPECT_EQ(two.nodes(), 27U);
  EXPECT_EQ(two.subnets(), 2U);
  EXPECT_EQ(two.node_of(26), 26U);
  EXPECT_THROW((void)two.node_of(27), Error);
  const Interconnect one = network(one_net(), 4, 32);
  EXPECT_EQ(one.subnets(), 1U);
  EXPECT_EQ(one.flit_size(), 64U);
  const Interconnect mesh = network(mesh6x6(), 28, 8);
  EXPECT_EQ(mesh.nodes(), 36U);
}

/// Packets of one and of five flits, alone one after the other: 6 and 10 transfers (zero_load_test.cpp).
TEST(IcntInterconnect, TotalsAreOfEachSubnetSinceInit) {
  Interconnect net = network(crossbar(27), 15, 12);
  int payload = 0;
  const auto expect = [&](unsigned subnet, const std::vector<std::uint64_t>& expected) {
    const Totals t = net.totals(subnet);
    EXPECT_EQ(
        (std::vector<std::uint64_t>{t.cycles, t.pushed, t.flits_pushed, t.complete, t.latency_sum, t.latency_greatest}),
        expected)
        << subnet;
  };
  expect(0, {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(stats_of(net),
            "braid_icnt subnet 0: 0 cycles, 0 packets (0 flits) pushed, 0 complete; transfers from push to complete: "
            "mean 0, greatest 0\n"
            "braid_icnt subnet 1: 0 cycles, 0 packets (0 flits) pushed, 0 complete; transfers from push to complete: "
            "mean 0, greatest 0\n");
  net.push(0, 15, &payload, 200, kWriteRequest);
  transfer(net, 20);
  EXPECT_EQ(net.pop(15), &payload);
  net.push(1, 16, &payload, 40, kReadRequest);
  net.push(20, 3, &payload, 1, kReadReply);
  transfer(net, 20);
  expect(0, {40, 2, 6, 2, 16, 10});
  expect(1, {40, 1, 1, 1, 6, 6});
  EXPECT_EQ(stats_of(net),
            "braid_icnt subnet 0: 40 cycles, 2 packets (6 flits) pushed, 2 complete; transfers from push to complete: "
            "mean 8, greatest 10\n"
            "braid_icnt subnet 1: 40 cycles, 1 packets (1 flits) pushed, 1 complete; transfers from push to complete: "
            "mean 6, greatest 6\n");
  net.init();
  expect(0, {0, 0, 0, 0, 0, 0});
  expect(1, {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(net.pop(16), &payload) << "what was complete stays";
  net.push(2, 17, &payload, 40, kReadRequest);
  transfer(net, 7);
  expect(0, {7, 1, 1, 1, 6, 6});
  EXPECT_THROW((void)net.totals(2), Error);
  try {
    (void)net.totals(2);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "test.icnt: subnet 2, expected 0 to 1");
  }
}

TEST(IcntInterconnect, StateNamesTheDevicesThatHoldPackets) {
  Interconnect net = network(crossbar(27, "input_buffer_size = 64;"), 15, 12);
  int payload = 0;
  EXPECT_EQ(state_of(net), "");
  EXPECT_FALSE(net.busy());
  net.push(3, 20, &payload, 121, kReadRequest);
  net.push(3, 21, &payload, 40, kReadRequest);
  net.push(26, 4, &payload, 80, kReadReply);
  EXPECT_EQ(state_of(net), "braid_icnt device 3: 5 flits to inject\nbraid_icnt device 26: 2 flits to inject\n");
  EXPECT_TRUE(net.busy());
  transfer(net, 1);
  EXPECT_EQ(state_of(net), "braid_icnt device 3: 4 flits to inject\nbraid_icnt device 26: 1 flits to inject\n");
  transfer(net, 20);
  EXPECT_EQ(state_of(net),
            "braid_icnt device 4: 0 flits to inject, a packet to pop\n"
            "braid_icnt device 20: 0 flits to inject, a packet to pop\n"
            "braid_icnt device 21: 0 flits to inject, a packet to pop\n");
  for (const unsigned device : {4U, 20U, 21U}) {
    EXPECT_TRUE(net.busy()) << "not popped";
    EXPECT_EQ(net.top(device), &payload);
    EXPECT_EQ(net.pop(device), &payload);
    EXPECT_EQ(net.top(device), nullptr);
    EXPECT_EQ(net.pop(device), nullptr);
  }
  EXPECT_FALSE(net.busy());
  EXPECT_EQ(state_of(net), "");
}

/// Flits of a packet, at the sizes that are looked up (to 4096 bytes) and beyond.
TEST(IcntInterconnect, CountsFlitsOfPacketsOfAnySize) {
  for (const unsigned flit : {1U, 32U, 40U, 4096U}) {
    const std::string sizes = "flit_size = " + std::to_string(flit) +
                              "; vc_buf_size = 8; input_buffer_size = 9000; boundary_buffer_size = 9000;";
    Interconnect net = network(crossbar(4, sizes), 2, 2);
    std::uint64_t flits = 0, packets = 0;
    int payload = 0;
    for (const unsigned bytes : {1U, flit, flit + 1, 2 * flit - 1, 2 * flit, 4095U, 4096U, 4097U, 8192U}) {
      if (bytes == 0 || !net.has_buffer(0, bytes)) continue;
      net.push(0, 2, &payload, bytes, kReadRequest);
      flits += (bytes + flit - 1) / flit;
      ++packets;
      EXPECT_EQ(net.totals(0).flits_pushed, flits) << bytes << " of " << flit;
    }
    EXPECT_GT(packets, 4U);
  }
}

/// The longest packet that fits, below the sizes that are looked up and beyond them; the lesser of both buffers counts.
TEST(IcntInterconnect, TakesPacketsAsLongAsItsBuffers) {
  for (const unsigned most : {9U, 5000U}) {
    for (const bool input : {true, false}) {
      const std::string lesser = std::to_string(most), greater = std::to_string(most + 100);
      const Interconnect net =
          network(crossbar(4, "flit_size = 1; vc_buf_size = 8; input_buffer_size = " + (input ? lesser : greater) +
                                  "; boundary_buffer_size = " + (input ? greater : lesser) + ";"),
                  2, 2);
      EXPECT_TRUE(net.has_buffer(0, most));
      try {
        (void)net.has_buffer(0, most + 1);
        ADD_FAILURE() << most << " " << input;
      } catch (const Error& error) {
        EXPECT_EQ(error.what(), "test.icnt: a packet of " + std::to_string(most + 1) + " bytes has " +
                                    std::to_string(most + 1) + " flits, and " + (input ? "input" : "boundary") +
                                    "_buffer_size holds " + lesser);
      }
    }
  }
}

TEST(IcntInterconnect, IsMovedWithAllThatIsOnItsWay) {
  Interconnect first = network(crossbar(27), 15, 12);
  int payload = 0;
  first.push(0, 15, &payload, 40, kReadRequest);
  transfer(first, 3);
  Interconnect second = std::move(first);
  transfer(second, 3);
  EXPECT_EQ(second.top(15), &payload);
  Interconnect third = network(mesh6x6(), 28, 8);
  third = std::move(second);
  EXPECT_EQ(third.nodes(), 27U);
  EXPECT_EQ(third.pop(15), &payload);
}

/// Shader 0 sends `rival` five flits to memory 15 (none: nothing), and so does `source` on a channel of its own, then
/// one more flit to memory 16 on the same channel. When that comes: it can ask for its output when the five have left.
unsigned behind_a_rival(const std::string& keys, unsigned rival, unsigned source) {
  Interconnect net =
      network(crossbar(27, with_vcs(2) + "read_request_end_vc = 0; write_request_begin_vc = 1;" + keys), 15, 12);
  int first = 0, second = 0, third = 0;
  if (rival != source) net.push(rival, 15, &first, 200, kReadRequest);
  net.push(source, 15, &second, 200, kWriteRequest);
  net.push(source, 16, &third, 40, kWriteRequest);
  for (unsigned transfers = 1; transfers < 100; ++transfers) {
    net.transfer();
    if (net.pop(16) != nullptr) return transfers;
  }
  return 0;
}

/// An output with two ports of the crossbar, one for even inputs and one for odd ones: who comes by the other port does
/// not wait for the rival's flits, who comes by the same waits for them as where there is one port.
TEST(IcntInterconnect, AnOutputOfTwoPortsTakesFlitsOfTwoInputsAtOnce) {
  const std::string slow = "internal_speedup = 1.0;", two = slow + "output_speedup = 2;";
  const unsigned alone = behind_a_rival(slow, 1, 1);
  EXPECT_EQ(behind_a_rival(two, 1, 1), alone);
  const unsigned waits = behind_a_rival(slow, 0, 1);
  EXPECT_GT(waits, alone + 3) << "of ten flits every second one is the rival's";
  EXPECT_EQ(behind_a_rival(two, 0, 1), alone) << "even and odd";
  EXPECT_EQ(behind_a_rival(two, 1, 2), alone) << "odd and even";
  EXPECT_EQ(behind_a_rival(two, 0, 2), behind_a_rival(slow, 0, 2)) << "both even";
  EXPECT_EQ(behind_a_rival(two, 1, 3), behind_a_rival(slow, 1, 3)) << "both odd";
  EXPECT_EQ(behind_a_rival(slow + "output_speedup = 3;", 0, 2), alone) << "0 and 2 of three";
  EXPECT_EQ(behind_a_rival(slow + "output_speedup = 3;", 0, 3), behind_a_rival(slow, 0, 3)) << "both 0 of three";
  for (const char* allocator : {"islip", "islip(2)", "separable_input_first"}) {
    const std::string with = two + "sw_allocator = " + allocator + "; vc_allocator = " + allocator + ";";
    EXPECT_EQ(behind_a_rival(with, 0, 1), alone) << allocator;
    EXPECT_GT(behind_a_rival(with, 0, 2), alone + 3) << allocator;
  }
}

}  // namespace
}  // namespace braid::models::icnt
