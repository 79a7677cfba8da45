// Rows of a waveform that name a packet, or tell why it stands still, hold to the other rows of the same place.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/tile_streams.h"
#include "tb/tests/support/trees.h"
#include "tb/tests/support/wave.h"

namespace braid::test::stall_waveform_test {
namespace {

using models::Experiment;

/// One packet beside one circuit with an item in three cycles: where it stands still with a VC and a credit it is the
/// circuit that goes first, by its output port or by its input port. There is no other packet that it could lose the
/// switch to.
TEST(StallWaveform, NamesTheCircuitThatTakesThePort) {
  for (const std::size_t source : {1U, 0U}) {
    Experiment e = tile_streams(3, 1, 1, {{0, 2}}, 3);
    add_traffic(e, 0.0);
    Bench bench(e);
    bench.run(200);
    bench.network->send_packet(NodeId{source}, NodeId{2}, 16);
    Wave wave(bench);
    const std::uint64_t begin = bench.network->now();
    wave.run(200);
    const std::string vc = source == 1 ? "router_1_0.local0.vc0." : "router_1_0.west.vc0.";
    const std::string stall = wave.row(vc + "stall");
    constexpr char kMoves = '1', kCircuitFirst = '7', kLostSwitch = '8';
    EXPECT_EQ(std::count(stall.begin(), stall.end(), kMoves), 16) << stall;
    EXPECT_GT(std::count(stall.begin(), stall.end(), kCircuitFirst), 0) << stall;
    EXPECT_EQ(std::count(stall.begin(), stall.end(), kLostSwitch), 0) << stall;
    for (std::size_t i = 0; i < stall.size(); ++i) {
      if (stall[i] != kCircuitFirst) continue;
      EXPECT_EQ(wave.at("router_1_0.east.st_circuit", begin + i), 1U) << "cycle " << begin + i;
    }
  }
}

/// Two packets of node 1, which cross both routers one after the other: source and number are those of the packet whose
/// name stands beside them.
TEST(PacketWaveform, TellsSourceAndNumberOfThePacketAtTheFront) {
  Experiment cut_through = vct_grid("mesh", 0.0);
  cut_through.set("topology.width", 2);
  cut_through.set("topology.height", 1);
  for (const Experiment& e : {myrinet_row(2), cut_through}) {
    Bench bench(e);
    bench.run(1);
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{1}, NodeId{0}, 4);
    Wave wave(bench);
    const std::uint64_t begin = bench.network->now();
    wave.run(150);
    EXPECT_EQ(bench.delivered(), 2U);
    for (const std::string in : {"router_1_0.local0.", "router_0_0.east."}) {
      std::set<std::uint64_t> sequences;
      for (std::uint64_t cycle = begin; cycle < begin + 150; ++cycle) {
        const std::uint64_t packet = wave.at(in + "packet", cycle);
        if (packet == 0) continue;
        const std::uint64_t source = wave.at(in + "head_source", cycle),
                            sequence = wave.at(in + "head_sequence", cycle);
        EXPECT_EQ(source, 1U) << in << ", cycle " << cycle;
        EXPECT_EQ(packet, models::packet_number(source, static_cast<std::uint32_t>(sequence))) << in << ", " << cycle;
        sequences.insert(sequence);
      }
      EXPECT_EQ(sequences, (std::set<std::uint64_t>{0, 1})) << in;
    }
  }
}

}  // namespace
}  // namespace braid::test::stall_waveform_test
