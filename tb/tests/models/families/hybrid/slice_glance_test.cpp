// Whether a unit of a router has anything to do in its step (Slice::any_*), which saves engines a call of it: in the
// cycles in which docs/router.md has a packet, a credit, a circuit's flit or a message there, and in no others.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tb/tests/support/tile_streams.h"

namespace braid::test::slice_glance_test {
namespace {

using models::Experiment;
using models::hybrid::Fabric;
using models::hybrid::Slice;
using Cycles = std::set<std::uint64_t>;

/// Cycles in which a unit of a router had something to do, counted from the first that was looked at. Routers are
/// slices. Stages of the first half are asked before it, those of the second before that.
class Glances {
 public:
  Glances(Bench& bench, std::size_t router) : bench_(bench), slice_(fabric().slice(router)) {}

  void run(std::uint64_t cycles) {
    const std::size_t slices = fabric().slice_count();
    for (std::uint64_t i = 0; i < cycles; ++i, ++now_) {
      const std::uint64_t cycle = bench_.network->now();
      note("traversal", slice_.any_traversal());
      note("waiting", slice_.any_waiting());
      note("circuit", slice_.any_circuit(cycle));
      note("request", slice_.any_request(cycle));
      for (std::size_t s = 0; s < slices; ++s) bench_.network->compute(s);
      note("input", slice_.any_input(cycle));
      note("output", slice_.any_output(cycle));
      note("head", slice_.any_head());
      note("control", slice_.any_control(cycle));
      note("interface", slice_.any_at_interfaces(cycle));
      for (std::size_t s = 0; s < slices; ++s) bench_.network->commit(s);
      bench_.network->end_cycle();
      EXPECT_EQ(slice_.heads_to_route(), 0U) << "RC has been";
    }
  }
  Cycles operator[](const std::string& unit) const {
    const auto found = noted_.find(unit);
    return found == noted_.end() ? Cycles{} : found->second;
  }

 private:
  Fabric& fabric() { return models::hybrid::of(bench_.network->fabric()); }
  void note(const std::string& unit, bool any) {
    if (any) noted_[unit].insert(now_);
  }
  Bench& bench_;
  Slice& slice_;
  std::uint64_t now_ = 0;
  std::map<std::string, Cycles> noted_;
};

Experiment row(std::uint32_t routers, const char* key = "", bool value = true) {
  Experiment e = uniform_mesh(0.0, routers, 1);
  if (*key != '\0') e.set(key, value);
  return e;
}

/// A packet of one flit from node 0 to node 1, made in the cycle before 0. The first router: the node sends in 0, LT 1,
/// BW and RC 2, VA 3, SA 4, ST 5, its credit counts at the node from 7 on. The second: LT 6, BW 7, VA 8, SA 9, ST 10,
/// LT 11, the node takes it in 12.
TEST(Glance, FindsALonePacketWhereItIs) {
  for (const std::size_t router : {0U, 1U}) {
    Bench bench(row(2), 2);
    bench.run(20);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
    Glances at(bench, router);
    at.run(40);
    const std::uint64_t bw = router == 0 ? 2 : 7;
    EXPECT_EQ(at["waiting"], Cycles{bw + 1}) << "VA";
    EXPECT_EQ(at["request"], Cycles{bw + 2}) << "SA";
    EXPECT_EQ(at["traversal"], Cycles{bw + 3}) << "ST";
    EXPECT_EQ(at["input"], (Cycles{bw, bw + 2})) << "BW, and when it is granted the switch";
    EXPECT_EQ(at["circuit"], Cycles{bw + 2}) << "whoever requests the switch may be a circuit";
    EXPECT_EQ(at["control"], Cycles{});
  }
}

/// BW and RC, VA, SA of the second packet wait for the first one's tail: a head stands behind it for a cycle.
TEST(Glance, FindsAHeadBehindATail) {
  Experiment e = row(2);
  e.set("router.vcs", 1);
  Bench bench(e, 2);
  bench.run(20);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  Glances at(bench, 0);
  at.run(40);
  EXPECT_EQ(at["waiting"], (Cycles{3, 6})) << "three cycles behind (hybrid_pipeline_test.cpp)";
  EXPECT_EQ(at["head"], Cycles{5}) << "its RC, in the cycle after the tail's grant";
  EXPECT_EQ(at["input"], (Cycles{2, 3, 4, 5, 7}));
}

/// With the write bypass a flit that comes may request the switch: units are asked in its cycle.
TEST(Glance, FindsFlitsOnTheLinkWhereTheyMayPassTheBuffer) {
  for (const bool bypass : {false, true}) {
    Bench bench(row(2, "router.buffer_bypass", bypass), 2);
    bench.run(20);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
    Glances at(bench, 0);
    at.run(40);
    EXPECT_EQ(at["request"], bypass ? (Cycles{2, 4}) : Cycles{4});
  }
}

/// Credits come back from the next router and from the node two cycles after ST there.
TEST(Glance, FindsCreditsAndGrantsOfVcs) {
  for (const std::uint32_t delay : {2U, 5U}) {
    Experiment e = row(2);
    e.set("router.credit_delay_cycles", delay);
    Bench bench(e, 2);
    bench.run(20);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
    Glances at(bench, 0);
    at.run(40);
    // VA in 3; of the node's buffer ST in 5 and of router 1's in 10, which count in the d-th cycle after.
    EXPECT_EQ(at["output"], (Cycles{3, 5 + delay - 1, 10 + delay - 1}));
  }
}

/// The node has something to send, or to take, or nothing.
TEST(Glance, FindsInterfacesAtWork) {
  for (const std::size_t router : {0U, 1U}) {
    Bench bench(row(2), 2);
    bench.run(20);
    const auto& interfaces = models::hybrid::of(bench.network->fabric()).slice(router).interfaces();
    EXPECT_FALSE(interfaces.at_work());
    bench.network->send_packet(NodeId{0}, NodeId{1}, 3);
    EXPECT_EQ(interfaces.at_work(), router == 0);
    Glances at(bench, router);
    at.run(40);
    EXPECT_EQ(at["interface"], router == 0 ? (Cycles{0, 1, 2}) : (Cycles{12, 13, 14}));
    EXPECT_FALSE(interfaces.at_work());
  }
}

/// Flits that a node has not taken keep its interface at work; with one flit a cycle for two ports the second waits.
TEST(Glance, FindsInterfacesThatHoldPackets) {
  Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("topology.local_ports", 2);
  e.set("interface.packet_ejection_flits", 1);
  Bench bench(e, 3);
  bench.run(20);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.network->send_packet(NodeId{2}, NodeId{1}, 4);
  Glances at(bench, 1);
  at.run(60);
  Cycles taken;
  for (std::uint64_t cycle = 12; cycle < 12 + 8; ++cycle) taken.insert(cycle);
  EXPECT_EQ(at["interface"], taken) << "eight flits, one a cycle";
}

/// A probe over one link: at router 0 in 1, at 1 in 3, acknowledged at 0 in 5.
TEST(Glance, FindsMessagesOfTheSetUp) {
  for (const std::size_t router : {0U, 1U}) {
    Bench bench(tile_streams(2, 1, 1, {{0, 1}}), 2);
    Glances at(bench, router);
    at.run(40);
    EXPECT_EQ(at["control"], router == 0 ? (Cycles{1, 5}) : Cycles{3});
  }
}

/// A circuit's flit is on the link in the cycle in which it has SA, and its interface has work until it is taken.
TEST(Glance, FindsFlitsOfCircuits) {
  Bench bench(tile_streams(2, 1, 1, {{0, 1}}, 100), 2);
  bench.run(50);
  ASSERT_TRUE(bench.network->setup_done());
  Glances first(bench, 0);
  first.run(400);
  const Cycles circuit = first["circuit"], traversal = first["traversal"], interface = first["interface"];
  ASSERT_GE(circuit.size(), 3U);
  Cycles after, before;
  for (const std::uint64_t cycle : circuit) {
    after.insert(cycle + 1);
    before.insert(cycle - 1);
  }
  EXPECT_EQ(traversal, after) << "ST follows SA";
  EXPECT_EQ(interface, before) << "the node puts it on the link in the cycle before";
  EXPECT_EQ(first["request"], Cycles{}) << "its request goes up in SA, and down";
  EXPECT_EQ(first["waiting"], Cycles{});
  EXPECT_EQ(first["control"], Cycles{});
}

}  // namespace
}  // namespace braid::test::slice_glance_test
