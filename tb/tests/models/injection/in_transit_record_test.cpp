// What packet log, watch and waveform say of a packet that rests in an in-transit buffer: where, since when, and why it
// waits; to the cycle of docs/in-transit-buffers.md, "The host interface".
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/wave.h"

namespace braid::test::in_transit_record_test {
namespace {

using models::Experiment;

/// Node 0's packet to node 2 rests at node 1. It begins in cycle 11; its mark is at node 1 after host cable, switch,
/// link, switch and host cable: 1 + 24 + 8 + 24 + 1 cycles.
constexpr std::uint64_t kHere = 11 + 58, kKnown = kHere + 44, kReady = kHere + 76;
/// A packet of node 1's own, 400 flits and two headers, has the link from cycle 11 on.
constexpr std::uint64_t kFree = 11 + 402;

class PacketInTransit : public testing::Test {
 protected:
  explicit PacketInTransit(bool own = false) : bench(experiment()) {
    bench.run(10);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 32);
    if (own) bench.network->send_packet(NodeId{1}, NodeId{0}, 400);
  }
  static Experiment experiment() {
    Experiment e = myrinet_row(3, "every_switch");
    e.set("watch.what", "packet=0.0");
    return e;
  }
  std::string rests() const {
    std::string text = "no column";
    bench.network->packet_log()->columns(
        bench.topology, bench.network->store(), [](const models::Packet&) { return "packet"; },
        [&](const models::PacketLog::Columns& c) { text = c.rests ? c.rests->front() : text; });
    return text;
  }
  /// Lines of the watch that say something of the rest.
  std::vector<std::string> watched() const {
    std::vector<std::string> lines;
    bench.network->watch()->each_line(*bench.network->packet_log(), bench.network->store(), "-",
                                      [&](std::string_view line) {
                                        if (line.find("node 1") != std::string_view::npos) lines.emplace_back(line);
                                      });
    return lines;
  }
  Bench bench;
};
class PacketInTransitThatWaits : public PacketInTransit {
 protected:
  PacketInTransitThatWaits() : PacketInTransit(true) {}
};

TEST_F(PacketInTransit, IsLoggedWithItsHostAndTheCyclesOfItsRest) {
  bench.run(600);
  EXPECT_EQ(rests(), "1@69-113-145-145");
  EXPECT_EQ(watched(),
            (std::vector<std::string>{
                "        44     +32  0.0           routed at 1,0 from west, leaves for the in-transit buffer of node 1",
                "        69     +22  0.0           detection begins in the in-transit buffer of node 1",
                "       113     +44  0.0           is known to be in transit; programming begins at node 1",
                "       145     +32  0.0           begins its next leg at node 1"}));
}

/// Nothing is said of cycles that have not run.
TEST_F(PacketInTransit, IsLoggedUpToTheEndOfTheRun) {
  bench.run(kKnown - 10);
  ASSERT_EQ(bench.network->now(), kKnown);
  EXPECT_EQ(rests(), "1@69---") << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(rests(), "1@69-113--") << "at cycle N";
  EXPECT_EQ(watched().back(),
            "       113     +44  0.0           is known to be in transit; programming begins at node 1");
}

TEST_F(PacketInTransitThatWaits, IsLoggedWithTheCycleInWhichTheLinkIsFree) {
  bench.run(600);
  EXPECT_EQ(rests(), "1@69-113-145-413");
  const std::vector<std::string> lines = watched();
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[3], "       145     +32  0.0           waits for the link of node 1");
  EXPECT_EQ(lines[4], "       413    +268  0.0           begins its next leg at node 1");
}

/// The row of the watched packet, and the host's own rows: 5 is behind "not in the network", "source queue" and three
/// switches, four states a node.
TEST_F(PacketInTransitThatWaits, ShowsInTheWaveformWhereItRestsAndWhy) {
  constexpr std::uint64_t kNode1 = 5 + 4;
  enum : std::uint64_t { kDetecting, kProgramming, kWaits, kSending };
  Wave wave(bench);
  wave.run(600);
  const auto place = [&](std::uint64_t cycle) { return wave.at("watch.packet_0_0", cycle); };
  EXPECT_EQ(place(kHere - 1), 3U) << "switch 1";
  EXPECT_EQ(place(kHere), kNode1 + kDetecting);
  EXPECT_EQ(place(kKnown - 1), kNode1 + kDetecting);
  EXPECT_EQ(place(kKnown), kNode1 + kProgramming);
  EXPECT_EQ(place(kReady - 1), kNode1 + kProgramming);
  EXPECT_EQ(place(kReady), kNode1 + kWaits);
  EXPECT_EQ(place(kFree - 1), kNode1 + kWaits);
  EXPECT_EQ(place(kFree), kNode1 + kSending);
  EXPECT_EQ(place(kFree + 1 + 24), 3U) << "switch 1 again, once its header is at the front";
  EXPECT_EQ(wave.at("node_1.in_transit.since", kHere - 1), 0U);
  EXPECT_EQ(wave.at("node_1.in_transit.since", kHere), kHere);
  EXPECT_EQ(wave.at("node_1.in_transit.packet", kReady), models::packet_number(0, 0));
  EXPECT_EQ(wave.at("node_1.in_transit.state", kReady), 3U);
}

/// Node 2's 600 flits hold the way to node 1 until cycle 667. Behind them 71 flits of node 0's packet stand in switch
/// 1, whose buffer runs dry before the next one comes, for go is sent at 0: flit k of them (the mark is flit 1) is at
/// node 1 in cycle 692 + k, from 72 on 16 cycles later.
struct StoppedPacket {
  StoppedPacket(const char* detection, int detect, int program) : bench(experiment(detection, detect, program)) {
    bench.run(10);
    bench.network->send_packet(NodeId{2}, NodeId{1}, 600);
    bench.run(20);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 400);
  }
  static Experiment experiment(const char* detection, int detect, int program) {
    Experiment e = myrinet_row(3, "every_switch");
    e.set("router.go_flits", 0);
    e.set("in_transit.detection", detection);
    e.set("in_transit.detect_ns", 6.25 * detect);
    e.set("in_transit.program_ns", 6.25 * program);
    e.set("watch.what", "packet=0.0");
    return e;
  }
  std::string rests() const {
    std::string text = "no column";
    bench.network->packet_log()->columns(
        bench.topology, bench.network->store(), [](const models::Packet&) { return "packet"; },
        [&](const models::PacketLog::Columns& c) { text = c.rests ? c.rests->front() : text; });
    return text;
  }
  static std::string rests_after(const char* detection, int detect, int program) {
    StoppedPacket packet(detection, detect, program);
    packet.bench.run(2000);
    return packet.rests();
  }
  Bench bench;
};

TEST(BytesOfAPacketInTransit, AreWaitedForWhereAStopKeepsThem) {
  EXPECT_EQ(StoppedPacket::rests_after("times", 44, 27), "1@693-737-764-764");
  EXPECT_EQ(StoppedPacket::rests_after("bytes", 44, 27), "1@693-737-764-764") << "71 bytes: at N - 1";
  EXPECT_EQ(StoppedPacket::rests_after("times", 44, 28), "1@693-737-765-765");
  EXPECT_EQ(StoppedPacket::rests_after("bytes", 44, 28), "1@693-737-781-781") << "72 bytes: at N";
  EXPECT_EQ(StoppedPacket::rests_after("bytes", 71, 32), "1@693-764-812-812") << "103 bytes";
  EXPECT_EQ(StoppedPacket::rests_after("bytes", 72, 32), "1@693-781-813-813");
  EXPECT_EQ(StoppedPacket::rests_after("times", 72, 32), "1@693-765-797-797");
}

TEST(BytesOfAPacketInTransit, AreNotForetold) {
  StoppedPacket packet("bytes", 72, 32);
  packet.bench.run(781 - 30);
  EXPECT_EQ(packet.bench.network->now(), 781U);
  EXPECT_EQ(packet.rests(), "1@693---") << "at cycle N - 1";
  packet.bench.run(1);
  EXPECT_EQ(packet.rests(), "1@693-781--") << "at cycle N";
}

TEST(BytesOfAPacketInTransit, AreAllThatAShortOneHas) {
  for (const char* detection : {"times", "bytes"}) {
    Bench bench(StoppedPacket::experiment(detection, 44, 32));
    bench.run(10);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 5);
    bench.run(600);
    EXPECT_EQ(bench.delivered(), 1U) << detection;
  }
}

TEST(PacketLogWithoutInTransitBuffers, HasNoColumnOfRests) {
  Experiment e = myrinet_row(3);
  e.set("log.file", "packets.csv");
  Bench bench(e);
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 32);
  bench.run(10);
  bench.network->packet_log()->columns(
      bench.topology, bench.network->store(), [](const models::Packet&) { return "packet"; },
      [&](const models::PacketLog::Columns& c) { EXPECT_FALSE(c.rests); });
}

}  // namespace
}  // namespace braid::test::in_transit_record_test
