// PO2 routers between events: what is under way, what is told before a cycle has run, whose patience ends, and what of
// it all is in a checkpoint, byte by byte. Small numbers: tb/tests/support/po2_row.h.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "models/families/po2/pool_policy.h"
#include "models/families/po2/slice.h"
#include "routing/base/random.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/restored.h"
#include "tb/tests/support/trees.h"

namespace braid::test::po2_under_way_test {
namespace {

using models::Experiment;
using models::po2::Port;

constexpr std::size_t kEastPort = 0, kLocalPort = 4;

/// Node 1's packet of 20 flits to itself has router 1's only buffer: in until 23, out until 44. Node 0's tries in vain
/// in 5 to 107. That moves nothing, whatever else is to come, and in whichever order it stands on the wheel.
TEST(Po2UnderWay, IsWhatMovesAndNoRejection) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1).set("po2.acknowledge_cycles", 100).set("po2.rejection", "tried_on_links");
  Bench bench(e);
  const auto& fabric = bench.network->fabric();
  EXPECT_FALSE(fabric.transfers_under_way()) << "nothing was sent";
  bench.network->send_packet(NodeId{1}, NodeId{1}, 20);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  EXPECT_FALSE(fabric.transfers_under_way()) << "nothing has begun";
  for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
    bench.run(1);
    EXPECT_EQ(fabric.transfers_under_way(), cycle < 43 && cycle != 22) << cycle << ": after 22 it is to go out";
    if (cycle >= 5) {
      EXPECT_EQ(po2_fabric(bench).routers()[0].ports[kEastPort].use, Port::Use::kRejected) << cycle;
    }
  }
}

/// Nobody has waited when no cycle has run; a packet that was sent before the first one is there from cycle 0 on.
TEST(Po2Figures, AreNoneBeforeTheFirstCycle) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  Bench bench(e);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  for (const char* name :
       {"pe_port_busy", "pe_port_waiting", "link_busy", "link_waiting", "crossbar_in_busy", "crossbar_out_busy"}) {
    EXPECT_EQ(po2_figure(bench, name), 0.0) << name;
  }
  EXPECT_EQ(po2_fabric(bench).census().packets, 2U);
  EXPECT_EQ(po2_fabric(bench).census().flits, 0U);
  bench.run(1);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_busy"), 1.0 / 3);
}

/// What waits in a router, oldest first, is at a front; what comes in, leaves or stands in a node's queue is not.
TEST(Po2UnderWay, HasItsFrontsWherePacketsWait) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  Bench bench(e);
  const auto fronts = [&] {
    std::vector<std::uint32_t> sources;
    bench.network->fabric().for_each_front(
        [&](models::PacketSlot slot) { sources.push_back(po2_fabric(bench).store()[slot].source.value); });
    return sources;
  };
  bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  using Sources = std::vector<std::uint32_t>;
  EXPECT_EQ(fronts(), Sources{});
  bench.run(4);
  EXPECT_EQ(fronts(), Sources{}) << "headers come in";
  bench.run(1);
  EXPECT_EQ(fronts(), (Sources{0, 1})) << "both wait, router by router";
  bench.run(1);
  EXPECT_EQ(fronts(), Sources{0}) << "node 1's has the link";
}

// ---------------------------------------------------------------- patience

/// Pools of one regular buffer. A packet of node 0 waits for router 1 since 5 and goes in 11; the next one is in the
/// same buffer when the first one's patience would have ended, in 35. It waits since 22, and node 1's long packet has
/// router 1's buffer: it escapes in 52.
TEST(Po2Patience, IsThatOfThePacketThatWaits) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 3).set("po2.avoidance", "up_down_escape").set("po2.escape_patience_cycles", 30);
  Bench bench(e);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  bench.network->send_packet(NodeId{1}, NodeId{1}, 100);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(12);
  EXPECT_EQ(source_at(bench, 0, kEastPort), 0U) << "the first has gone in 11";
  bench.run(30 - 12);
  const models::po2::Buffer& second = po2_fabric(bench).routers()[0].buffers[0];
  ASSERT_EQ(second.state, models::po2::Buffer::State::kWaiting);
  ASSERT_EQ(second.since, 22U);
  bench.run(51 - 30);
  EXPECT_FALSE(second.escaping) << "after 50";
  EXPECT_EQ(source_at(bench, 0, kEastPort), std::nullopt);
  bench.run(2);
  EXPECT_EQ(source_at(bench, 0, kEastPort), 0U) << "in 52";
  EXPECT_EQ(po2_fabric(bench).routers()[1].use[2], 1U) << "down from the root";
  EXPECT_DOUBLE_EQ(po2_figure(bench, "escapes"), 1.0);
}

/// A rate that is exactly the number which the link draws for some cycle: a packet that begins to cross in that cycle
/// is well, for damage is a number below the rate's. With the next rate above it is damaged, and crosses 6 cycles
/// later.
TEST(Po2Error, IsANumberBelowTheRate) {
  const Random port(Random(1, "po2.errors").nth(routing::kMaxPorts + routing::kWest.value));  // of router 1
  constexpr std::uint64_t kStep = 2048;  // the rate, a double, has the upper 53 bits of 64
  std::uint64_t cycle = 10;
  while (port.nth(cycle) % kStep != 0 || port.nth(cycle) > Random::probability_bits(0.89)) ++cycle;
  for (const std::uint64_t more : {std::uint64_t{0}, kStep}) {
    Experiment e = small_po2(2, 1);
    e.set("po2.error_rate", static_cast<double>(port.nth(cycle) + more) / 18446744073709551616.0);
    e.set("experiment.seed", 1);
    Bench bench(e);
    bench.run(cycle - 5);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    bench.run(5 + 6);
    EXPECT_EQ(po2_figure(bench, "retransmissions"), more == 0 ? 0.0 : 1.0);
  }
}

TEST(Po2Pools, AreOfNoBufferWhereNobodySaysHowMany) { EXPECT_EQ(models::po2::PoolContext{}.buffers, 0U); }

// ---------------------------------------------------------------- bytes

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A node's queue that nothing was sent to: no packet, asked since 0, not injecting, not recalled, no message at hand.
struct Unused {
  std::uint64_t packets = 0, since = 0;
  bool injecting = false, recalled = false;
  std::uint64_t cached = 0;
  void checkpoint(Checkpoint& c) { c(packets, since, injecting, recalled, cached); }
};

/// What stands at the front of a slice's bytes, of so many such queues.
std::string unused(std::size_t queues) {
  Checkpoint c;
  c.part("slice");
  std::vector<Unused> all(queues);
  c.each(all);
  return c.bytes();
}

/// Four nodes at two switches of a tree, and two switches above that have none: a slice each.
TEST(Po2Slices, SaveNoQueueWhereThereIsNoNode) {
  Experiment e = small_po2(2, 1);
  for (const char* key : {"topology.width", "topology.height"}) e.unset(key);
  e.set("topology.kind", "k_ary_n_tree").set("topology.arity", 2).set("topology.levels", 2);
  e.set("routing.algorithm", "tree_adaptive");
  Bench bench(e, 4);
  models::po2::Fabric& fabric = models::po2::of(bench.network->fabric());
  std::size_t nodes = 0;
  for (std::size_t s = 0; s < 4; ++s) {
    std::size_t here = 0;
    for (const routing::Port& port : bench.topology.routers[s]) here += port.kind == routing::PortKind::kLocal ? 1 : 0;
    const std::string bytes = saved(fabric.slice(s)), wanted = unused(here);
    EXPECT_EQ(bytes.substr(0, wanted.size()), wanted) << s;
    EXPECT_EQ(fabric.slice(s).packets_queued(), 0U);
    nodes += here;
  }
  EXPECT_EQ(nodes, 4U);
}

/// For each buffer as many ways as routing gives and one for an escape: 59 buffers in each of three routers.
TEST(Po2Pools, HaveRoomForTheWaysOfEveryPacket) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 59);
  const Bench bench(e);
  std::string room;
  append(room, std::uint64_t{3} * 59 * (bench.routing->max_candidates() + 1));
  EXPECT_NE(saved(bench.network->fabric()).find(room), std::string::npos);
  const auto& fabric = po2_fabric(bench);
  EXPECT_EQ(fabric.candidates(2, 58) - fabric.candidates(0, 0),
            static_cast<std::ptrdiff_t>((3 * 59 - 1) * (bench.routing->max_candidates() + 1)));
}

/// Where an event of a PO2 slice is in bytes: its cycle, router, kind, port, buffer, and since when its packet waits.
std::string event(std::uint64_t due, std::uint32_t router, std::uint8_t kind, std::uint8_t port, std::uint8_t buffer,
                  std::uint64_t since = 0) {
  std::string bytes;
  append(bytes, due);
  append(bytes, router);
  for (const std::uint8_t one : {kind, port, buffer}) append(bytes, one);
  append(bytes, since);
  return bytes;
}
enum Kind : std::uint8_t {
  kRouted,
  kPatience,
  kSent,
  kReceived,
  kEjected,
  kInjected,
  kResend,
  kDamaged,
  kRejected,
  kRejecting
};

/// A packet of 4 flits over one link: header in by 5 and by 7, in until 7, link until 11, out until 12.
TEST(Po2Events, AreThoseOfThePacketThatIsUnderWay) {
  Bench bench(small_po2(2, 1));
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  const auto expect = [&](std::uint64_t cycles, const std::vector<std::string>& there) {
    bench.run(cycles);
    const std::string bytes = saved(models::po2::of(bench.network->fabric()).slice(0));
    for (const std::string& one : there) EXPECT_NE(bytes.find(one), std::string::npos) << bench.network->now();
  };
  expect(1, {event(5, 0, kRouted, kLocalPort, 0), event(7, 0, kInjected, kLocalPort, 0)});
  expect(5, {event(7, 1, kRouted, 1, 0), event(11, 0, kSent, kEastPort, 0), event(11, 1, kReceived, 1, 0)});
  expect(2, {event(12, 1, kEjected, kLocalPort, 0)});
}

/// A rejection names its packet's buffer to the sender; its receiver has none.
TEST(Po2Events, OfARejectionNameNoBufferWhereNoneWasTaken) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1).set("po2.rejection", "tried");
  Bench bench(e), other(e);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  const auto expect = [&](std::uint64_t cycles, const std::vector<std::string>& there) {
    bench.run(cycles);
    const std::string bytes = saved(models::po2::of(bench.network->fabric()).slice(0));
    for (const std::string& one : there) EXPECT_NE(bytes.find(one), std::string::npos) << bench.network->now();
    EXPECT_EQ(said_to(*other.network, saved(*bench.network)), "");
  };
  expect(6, {event(9, 0, kRejected, kEastPort, 0), event(9, 1, kRejecting, 1, 0)});
  expect(2, {event(12, 0, kRejecting, kLocalPort, 0)});
}

/// Patience is of a packet that waits since a certain cycle.
TEST(Po2Events, OfPatienceNameTheCycleSinceWhichAPacketWaits) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 3).set("po2.avoidance", "up_down_escape").set("po2.escape_patience_cycles", 30);
  Bench bench(e);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
  bench.run(6);
  const std::string bytes = saved(models::po2::of(bench.network->fabric()).slice(0));
  EXPECT_NE(bytes.find(event(35, 0, kPatience, kLocalPort, 0, 5)), std::string::npos);
  bench.run(6);
  const std::string later = saved(models::po2::of(bench.network->fabric()).slice(0));
  EXPECT_NE(later.find(event(37, 1, kPatience, 1, 0, 7)), std::string::npos);
  EXPECT_EQ(later.find(event(39, 2, kPatience, 1, 0, 9)), std::string::npos) << "where it has arrived it has none";
}

/// Nodes 0 and 1 inject. The end of node 1's injection cannot be that of a link, though node 0 sends.
TEST(Po2Events, OfAnInjectionAreOfANodesPort) {
  Restored r(small_po2(2, 1));
  for (const std::size_t n : {0U, 1U}) r.bench.network->send_packet(NodeId{n}, NodeId{1 - n}, 4);
  r.bench.run(1);
  std::string bytes = saved(*r.bench.network);
  EXPECT_EQ(said_to(*r.other.network, bytes), "");
  const std::string node = event(7, 1, kInjected, kLocalPort, 0), link = event(7, 1, kInjected, 1, 0);
  const std::size_t at = bytes.find(node);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, node.size(), link);
  EXPECT_EQ(said_to(*r.other.network, bytes), no_such_state("an injection that is not under way"));
}

}  // namespace
}  // namespace braid::test::po2_under_way_test
