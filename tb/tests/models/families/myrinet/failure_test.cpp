// A link that goes down under a packet, by exact cycle (docs/in-transit-buffers.md, "A link that goes down").
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/restored.h"

namespace braid::test::failure_test {
namespace {

using models::Experiment;

constexpr std::uint64_t kBegin = 10, kCable = 1, kLink = 8, kRouting = 24;
/// A packet's first flit is on the link: the header byte for the second switch.
constexpr std::uint64_t kOnLink = kBegin + kCable + kRouting;

/// Four switches in a ring; the first link from node 0 to another one goes down.
Experiment ring_of_four(std::uint64_t cycle, std::uint32_t to = 1, const std::string& in_transit = "none") {
  Experiment e = myrinet_row(2, in_transit);
  e.set("topology.height", 2);
  e.set("routing.paths", in_transit == "none" ? "up_down" : "random");
  const Bench intact(e);
  const PortId first = intact.routing->routes()->paths().at(RouterId{0}, RouterId{to}).ports.front();
  e.set("failure.router", "0,0");
  e.set("failure.port", intact.topology.port(RouterId{0}, first).name);
  e.set("failure.cycle", cycle);
  e.set("failure.recompute_ns", 625.0);
  return e;
}

/// A packet of node 0 that leaves by the link in kOnLink.
struct OnePacket {
  OnePacket(std::uint64_t cycle, std::uint32_t to, std::uint32_t flits, const std::string& in_transit = "none")
      : bench(ring_of_four(cycle, to, in_transit)) {
    run_through(kBegin - 2);  // a cycle until the interface has it
    bench.network->send_packet(NodeId{0}, NodeId{to}, flits);
  }
  /// Every cycle's count is right.
  void run_through(std::uint64_t cycle) {
    while (bench.network->now() <= cycle) {
      bench.run(1);
      ASSERT_TRUE(now().holds()) << "after cycle " << bench.network->now() - 1;
    }
  }
  models::Conservation now() const { return bench.network->conservation(); }
  void expect_lost_in(std::uint64_t cycle, std::uint64_t flits) {
    run_through(cycle - 1);
    EXPECT_EQ(now().packets_in_flight, 1U) << "at cycle N - 1";
    run_through(cycle);
    EXPECT_EQ(now().packets_in_flight, 0U) << "at cycle N = " << cycle;
    EXPECT_EQ(now().packets_lost, 1U);
    EXPECT_EQ(now().packets_delivered, 0U);
    EXPECT_EQ(now().flits_lost, flits);
  }
  Bench bench;
};

constexpr std::uint32_t kFlits = 100;
constexpr std::uint64_t kTailCame = kOnLink + kFlits + kLink;  // at the far end; a header byte is before the payload
constexpr std::uint64_t kThrough = kRouting - 1 + kCable;      // of a flit behind a header through the second switch
constexpr std::uint64_t kDelivered = kTailCame + kThrough;

TEST(MyrinetFailure, APacketWhoseTailHasJustComeIsDelivered) {
  OnePacket one(kTailCame, 1, kFlits);
  one.run_through(kDelivered - 1);
  EXPECT_EQ(one.now().packets_delivered, 0U);
  one.run_through(kDelivered);
  EXPECT_EQ(one.now().packets_delivered, 1U);
  EXPECT_EQ(one.now().packets_lost, 0U);
  EXPECT_EQ(one.now().flits_lost, 0U);
}

TEST(MyrinetFailure, OneFlitOnTheWireIsEnoughToLoseIt) {
  OnePacket one(kTailCame - 1, 1, kFlits);
  one.expect_lost_in(kDelivered, 1);  // the end sign comes when the tail would have
  EXPECT_EQ(one.now().flits_delivered, kFlits - 1);
}

TEST(MyrinetFailure, APacketCutInTheMiddleEndsAtTheDestinationOrInTheVoid) {
  constexpr std::uint64_t kCut = kOnLink + kLink + 50;  // a header byte and 50 flits have come
  OnePacket near(kCut, 1, kFlits);
  near.expect_lost_in(kOnLink + kFlits, kFlits - 50);  // the tail is later than the end sign
  OnePacket far(kCut + 40, 1, kFlits);
  far.expect_lost_in(kCut + 40 + 1 + kThrough, kFlits - 90);  // the end sign is later
  // Each piece's slot is free again, once: a checkpoint would say otherwise.
  EXPECT_EQ(said_to(*Bench(ring_of_four(kCut, 1)).network, saved(*near.bench.network)), "");
  EXPECT_EQ(said_to(*Bench(ring_of_four(kCut + 40, 1)).network, saved(*far.bench.network)), "");
}

TEST(MyrinetFailure, APacketOfWhichNothingHasComeGoesWhole) {
  for (const std::uint64_t cycle : {kBegin, kOnLink, kOnLink + 1, kOnLink + kLink - 1}) {
    OnePacket one(cycle, 1, kFlits);
    one.expect_lost_in(kOnLink + kFlits, kFlits);
  }
}

TEST(MyrinetFailure, AllOfAShortPacketIsOnTheWire) {
  OnePacket one(kOnLink + kLink - 1, 1, 3);
  one.expect_lost_in(kOnLink + kLink - 1, 3);
}

TEST(MyrinetFailure, AHeaderCutShortVanishesAtTheSwitchThatNeedsIt) {
  OnePacket one(kOnLink + kLink, 1, 10);  // only the header byte has come: no payload for the node
  one.expect_lost_in(kOnLink + kLink + kRouting + kCable, 10);
  EXPECT_EQ(one.now().flits_delivered, 0U);
  OnePacket two(kOnLink + kLink, 3, 10);  // the byte for the last switch is lost
  two.expect_lost_in(kOnLink + kLink + kRouting + kLink, 10);
}

TEST(MyrinetFailure, ThroughAnInTransitBufferTheFrontGoesOnShort) {
  constexpr std::uint64_t kRest = kOnLink + kLink + kRouting + kCable + 76;  // the next leg's first flit leaves
  constexpr std::uint64_t kAtNode = kRest + kCable + kRouting + kLink + kRouting + kCable;  // the first of payload
  for (const std::uint32_t came : {20U, 200U}) {                     // it is detected yet; it leaves already
    const std::uint64_t last_came = kOnLink + 4 + came - 1 + kLink;  // a byte, a mark, two bytes, payload
    OnePacket one(last_came, 3, 250, "every_switch");
    const std::uint64_t tail_in_void = kOnLink + 4 + 250 - 1;
    one.expect_lost_in(std::max(tail_in_void, kAtNode + came), 250 - came);
    EXPECT_EQ(one.now().flits_delivered, 2 * came) << "at the in-transit buffer and at the node";
  }
}

TEST(MyrinetFailure, OfSeveralPacketsOnTheWireEachIsLost) {
  OnePacket one(kOnLink + kLink + 40, 1, 2);
  for (std::uint32_t i = 0; i < 5; ++i) one.bench.network->send_packet(NodeId{0}, NodeId{1}, 2);
  one.run_through(400);
  EXPECT_EQ(one.now().packets_lost.value() + one.now().packets_delivered, 6U);
  EXPECT_GT(one.now().packets_lost.value(), 0U);
  EXPECT_GT(one.now().packets_delivered, 0U);
}

/// A buffer at switch 1 that has stopped its sender and lets it go on when it is empty (go_flits = 0): until the next
/// flit comes two links' latencies pass. The link goes down meanwhile, and the end sign finds a port that waits for a
/// flit.
TEST(MyrinetFailure, AnEndSignThatComesToAnEmptyBufferGoesOn) {
  const auto begun = [](std::uint64_t cycle) {
    Experiment e = ring_of_four(cycle);
    e.set("router.go_flits", 0);
    auto bench = std::make_unique<Bench>(e);
    bench->run(kBegin);
    bench->network->send_packet(NodeId{1}, NodeId{1}, 512);  // has the port to node 1
    bench->network->send_packet(NodeId{0}, NodeId{1}, 400);
    return bench;
  };
  const auto link = [](const Bench& bench) -> const models::myrinet::Channel& {
    const models::myrinet::Slice& slice = myrinet_of(bench).slice();
    models::PortIndex c = 0;
    while (!slice.can_go_down(c) || slice.wiring().router_of(c) != RouterId{0}) ++c;
    return slice.channels()[c];
  };
  const auto calm = begun(5000);
  while (!link(*calm).stopping && calm->network->now() < 2000) calm->run(1);
  while (link(*calm).stopping && calm->network->now() < 2000) calm->run(1);
  const std::uint64_t go = calm->network->now() - 1;
  ASSERT_LT(go, 1000U);
  ASSERT_EQ(link(*calm).occupancy(go), 0U);
  constexpr std::uint32_t kCame = 56 + 2 * kLink - 1;  // until stop came to the sender, and what was on the link
  for (const std::uint64_t cycle : {go + 1, go + kLink - 1}) {
    const auto bench = begun(cycle);
    const auto& slice = myrinet_of(*bench).slice();
    const auto is_held = [&] {  // a port of switch 1
      const auto& outputs = slice.outputs();
      for (models::PortIndex p = 0; p < outputs.size(); ++p) {
        if (slice.wiring().router_of(p) == RouterId{1} && outputs[p].input != models::kNone) return true;
      }
      return false;
    };
    const std::uint64_t free = cycle + 1 + 1;  // the sign comes, and leaves at once
    bench->run(free - bench->network->now());
    EXPECT_TRUE(is_held()) << "still in cycle " << free - 1;
    bench->run(1);
    EXPECT_FALSE(is_held()) << "no more in cycle " << free;
    bench->run(2000);
    const models::Conservation end = bench->network->conservation();
    EXPECT_TRUE(end.holds());
    EXPECT_EQ(end.packets_lost, 1U);
    EXPECT_EQ(end.packets_delivered, 1U);
    EXPECT_EQ(end.packets_in_flight, 0U);
    EXPECT_EQ(end.flits_lost, 400 - kCame);
    EXPECT_EQ(end.flits_delivered, 512 + kCame);
    for (const auto& output : myrinet_of(*bench).slice().outputs()) EXPECT_EQ(output.input, models::kNone);
  }
}

/// Both pieces are under way: the front by a slot of its own. In the checkpoint the cut names first the whole packet,
/// then its front, behind the number of cuts.
TEST(MyrinetFailure, ACheckpointNamesThePiecesOfAPacket) {
  constexpr std::uint64_t kCut = kOnLink + kLink + 50;
  OnePacket one(kCut, 1, kFlits);
  one.run_through(kCut + 1);
  const auto& channels = myrinet_of(one.bench).slice().channels();
  const auto link = std::find_if(channels.begin(), channels.end(), [](const auto& c) { return c.dead && c.open; });
  ASSERT_NE(link, channels.end());
  ASSERT_FALSE(link->passing.empty());
  const models::myrinet::Passing &back = link->sending, &front = link->passing.back();
  EXPECT_NE(back.slot, front.slot);
  const std::uint32_t missing = back.flits - front.flits;
  const std::string bytes = saved(*one.bench.network);
  std::string wanted(22, '\0');  // neither is gone
  wanted[0] = 1;
  std::memcpy(wanted.data() + 8, &back.slot, 4);
  std::memcpy(wanted.data() + 12, &front.slot, 4);
  std::memcpy(wanted.data() + 16, &missing, 4);
  const std::size_t cut = bytes.find(wanted);
  ASSERT_NE(cut, std::string::npos);
  EXPECT_EQ(bytes.find(wanted, cut + 1), std::string::npos) << "there is one cut";
  const Bench other(ring_of_four(kCut, 1));
  EXPECT_EQ(said_to(*other.network, bytes), "");
  for (const std::size_t name : {cut - 4, cut + 8, cut + 12}) {
    std::string changed = bytes;
    changed.replace(name, 4, "\xff\xff\xff\x7f");
    EXPECT_EQ(said_to(*other.network, changed).rfind("packet 2147483647, here are ", 0), 0U);
  }
  std::string twice = bytes;  // before the cuts: slots for fronts that are free
  twice.replace(cut - 4, 4, bytes, cut - 8, 4);
  EXPECT_EQ(said_to(*other.network, twice), "no network is in such a state: a slot that is free twice");
}

/// The link's two ports alone have a row that says so. The sender goes on, and what it sends is no packet any more.
TEST(MyrinetFailure, IsShownInAWaveform) {
  constexpr std::uint64_t kCut = kOnLink + kLink + 50;
  OnePacket one(kCut, 1, kFlits);
  models::SignalTable table;
  const auto source = one.bench.network->fabric().signals(
      table, {RouterId{std::size_t{0}}, RouterId{std::size_t{1}}, RouterId{std::size_t{2}}, RouterId{std::size_t{3}}});
  const auto all = [&](const std::string& name) {
    std::map<std::string, std::uint64_t> values;
    for (const models::Signal& signal : table.signals()) {
      if (signal.name == name) values[signal.scope] = signal.value;
    }
    return values;
  };
  const std::string sender = "router_0_0." + one.bench.experiment.get<std::string>("failure.port");
  while (one.bench.network->now() < kCut + 20) {
    one.bench.run(1);
    const std::uint64_t cycle = one.bench.network->now() - 1;
    source->sample(cycle);
    const auto down = all("down");
    ASSERT_EQ(down.size(), 2U);
    EXPECT_EQ(down.count(sender), 1U);
    for (const auto& [scope, value] : down) EXPECT_EQ(value, cycle >= kCut ? 1U : 0U) << scope << ", cycle " << cycle;
    if (cycle < kOnLink) continue;
    EXPECT_EQ(all("sends")[sender], 1U) << cycle;
    EXPECT_EQ(all("sending")[sender], cycle >= kCut ? 0U : models::packet_number(0, 0)) << cycle;
    EXPECT_EQ(all("taken")[sender], 1U) << cycle;
  }
}

TEST(MyrinetFailure, TheSlackBufferNeedsRoomForTheEndSign) {
  Experiment e = ring_of_four(100);
  e.set("router.slack_flits", 71);
  EXPECT_THROW(Bench{e}, InputError);
  e.set("router.slack_flits", 72);
  EXPECT_NO_THROW(Bench{e});
}

TEST(MyrinetFailure, OtherFamiliesAndProgramsRefuseIt) {
  Experiment e = ring_of_four(100);
  e.set("router.architecture", "hybrid");
  EXPECT_THROW(Bench{e}, InputError);
}

}  // namespace
}  // namespace braid::test::failure_test
