// How large the timing wheels of synthetic sources are: about two mean gaps between a source's packets, a power of two
// from 16 on, up to 64 for a few nodes and 1024 for many. A checkpoint holds a number for each slot, by which one sees
// it.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/saved.h"

namespace braid::test::wheels_test {
namespace {

/// Bytes of sources that each have one packet to come.
std::size_t bytes_of(std::uint32_t width, std::uint32_t height, const std::string& rate, std::uint32_t flits = 1,
                     const std::string& sections = "") {
  const Bench bench(models::parse_experiment(
      "[topology]\nwidth = " + std::to_string(width) + "\nheight = " + std::to_string(height) + "\n" + sections +
          "[traffic]\nprocess = \"constant\"\nlength = \"fixed\"\nflits = " + std::to_string(flits) +
          "\nrate_flits_per_node_cycle = " + rate + "\n",
      "e.toml"));
  return saved(sources_of(bench)).size();
}

/// With 16 slots for a gap of one cycle.
std::size_t slots(std::uint32_t width, std::uint32_t height, const std::string& rate, std::uint32_t flits = 1) {
  return 16 + (bytes_of(width, height, rate, flits) - bytes_of(width, height, "1.0")) / 8;
}

/// Gaps of 1/rate: 8 cycles are twice in 16 slots, a little more is not.
TEST(Wheels, AreTwiceAsLongAsTheMeanGap) {
  EXPECT_EQ(slots(2, 1, "0.125"), 16U);
  EXPECT_EQ(slots(2, 1, "0.124"), 32U);
  EXPECT_EQ(slots(2, 1, "0.0625"), 32U);
  EXPECT_EQ(slots(2, 1, "0.062"), 64U);
}

/// Two flits a packet: half as many packets.
TEST(Wheels, GoByThePacketsOfARate) {
  EXPECT_EQ(slots(2, 1, "0.25", 2), 16U);
  EXPECT_EQ(slots(2, 1, "0.125", 2), 32U);
  const std::string messages = "[message]\npacket_flits = 4\n";
  EXPECT_EQ((bytes_of(2, 1, "0.125", 1, messages) - bytes_of(2, 1, "1.0", 1, messages)) / 8, 64U - 16U)
      << "32 cycles, where a message of four flits in four cycles has 16 slots";
}

TEST(Wheels, OfFewNodesStayShort) {
  EXPECT_EQ(slots(5, 3, "0.001"), 64U) << "15 nodes";
  EXPECT_EQ(slots(4, 4, "0.001"), 1024U) << "16 nodes";
  EXPECT_EQ(slots(4, 4, "0.002"), 1024U);
  EXPECT_EQ(slots(4, 4, "0.004"), 512U);
}

}  // namespace
}  // namespace braid::test::wheels_test
