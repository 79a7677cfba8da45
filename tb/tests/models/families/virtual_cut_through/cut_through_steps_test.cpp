// A slice of virtual cut-through routers step by step: when a part of its cycle has anything to do, that the parts
// together do what the whole cycle does, and what of it is in a checkpoint, byte by byte.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/filled.h"
#include "tb/tests/support/restored.h"

namespace braid::test::cut_through_steps_test {
namespace {

using models::Experiment;
using models::PortIndex;
using models::virtual_cut_through::Bank;
using models::virtual_cut_through::Slice;

models::virtual_cut_through::Fabric& fabric_of(const Bench& bench) {
  return dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric());
}
Slice& slice_of(const Bench& bench) { return fabric_of(bench).slice(0); }

/// Which parts of the next cycle have anything to do, as letters: h(eads), s(ources), c(redits and events), e(nds),
/// a(rrivals).
std::string to_do(const Bench& bench) {
  Slice& slice = slice_of(bench);
  const std::uint64_t now = bench.network->now();
  return std::string(slice.any_head() ? "h" : "") + (slice.any_sendable() ? "s" : "") +
         (slice.any_credit(now) ? "c" : "") + (slice.any_end() ? "e" : "") + (slice.any_arrival(now) ? "a" : "");
}

/// A packet of 4 flits through one switch, sent in 1: on its injection link until 5, granted in 2 and with its node
/// until 6; its buffer is back from then on. A router is looked at once more after its last head has gone.
TEST(CutThroughSteps, HaveNothingToDoBetweenEvents) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  EXPECT_EQ(to_do(bench), "") << "nobody sends";
  bench.network->send_packet(NodeId{2}, NodeId{1}, 4);
  const std::vector<std::string> expected{"s", "h", "h", "c", "c", "", "", ""};
  for (const std::string& letters : expected) {
    EXPECT_EQ(to_do(bench), letters) << "before cycle " << bench.network->now();
    EXPECT_EQ(fabric_of(bench).transfers_under_way(), bench.network->now() >= 2 && bench.network->now() < 6);
    bench.run(1);
  }
  EXPECT_EQ(bench.delivered(), 1U);
}

/// Part by part in the order of docs/sat-fairness.md; a part that has nothing to do is left out.
void run_by_parts(const Bench& bench, std::uint64_t cycle) {
  Slice& s = slice_of(bench);
  if (s.any_head()) s.arbitrate_heads(cycle);
  if (s.any_sendable()) s.inject(cycle);
  if (s.any_credit(cycle)) s.take_credits(cycle);
  if (s.any_end()) {
    s.end_at_outputs();
    s.end_at_nodes(cycle);
  }
  if (s.any_arrival(cycle)) {
    s.take_arrivals(cycle);
    s.end_at_queues(cycle);
  }
}

/// Registers are the same after every cycle, with packets that meet, short ones and such as are longer than a link.
TEST(CutThroughSteps, AreTogetherTheWholeCycle) {
  Experiment far = vct_grid("torus", 0.0);
  far.set("topology.width", 4).set("topology.height", 4).set("topology.link_latency_cycles", 3);
  for (const Experiment& e : {vct_tree(2, 0.0), far, vct_fat_tree(0.0)}) {
    Bench whole(e), parts(e);
    const std::size_t nodes = whole.topology.node_count();
    for (const Bench* bench : {&whole, &parts}) {
      bench->network->cycle();
      for (std::size_t i = 0; i < 60; ++i) {
        bench->network->send_packet(NodeId{i % nodes}, NodeId{(i * 5 + 3) % nodes}, i % 7 == 0 ? 40 : 1 + i % 5);
      }
    }
    for (std::uint64_t cycle = 1; cycle < 400; ++cycle) {
      whole.run(1);
      run_by_parts(parts, cycle);
      ASSERT_TRUE(saved(slice_of(whole).bank()) == saved(slice_of(parts).bank()))
          << e.get<std::string>("topology.kind") << ", cycle " << cycle;
    }
    EXPECT_EQ(whole.delivered(), 60U);
    EXPECT_EQ(fabric_of(parts).census().packets, 0U);
  }
}

/// What has ended is forgotten in the next cycle, and not before.
TEST(CutThroughSteps, ForgetWhatHasEnded) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  bench.network->send_packet(NodeId{2}, NodeId{1}, 4);
  Slice& s = slice_of(bench);
  const std::vector<std::size_t> ended{0, 0, 0, 1, 2, 0, 0};  // in 4 the injection, in 5 the transfer and the credit
  for (std::uint64_t cycle = 1; cycle < 8; ++cycle) {
    EXPECT_EQ(s.any_credit(cycle), cycle == 4 || cycle == 5 || cycle == 6) << cycle;
    run_by_parts(bench, cycle);
    EXPECT_EQ(s.ending().size(), ended[cycle - 1]) << cycle;
    EXPECT_EQ(s.any_end(), ended[cycle - 1] != 0) << cycle;
    EXPECT_EQ(s.any_arrival(cycle), s.any_end()) << cycle;
  }
}

/// Whoever asks is told each grant: from which input to which output.
TEST(CutThroughSteps, NoteGrantsForWhoeverAsks) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  for (const std::size_t n : {0U, 2U}) bench.network->send_packet(NodeId{n}, NodeId{n + 1}, 4);
  std::vector<Slice::Grant> grants;
  slice_of(bench).note_grants(&grants);
  bench.run(1);
  EXPECT_TRUE(grants.empty());
  bench.run(1);
  ASSERT_EQ(grants.size(), 2U);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(grants[i].in_port, 2 * i);
    EXPECT_EQ(grants[i].out_port, 2 * i + 1);
  }
  slice_of(bench).note_grants(nullptr);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  bench.run(10);
  EXPECT_EQ(grants.size(), 2U);
}

TEST(CutThroughSteps, BeginWithNothing) {
  EXPECT_EQ(filled_fields<Slice::Event>(), std::vector<std::size_t>{});
  EXPECT_EQ(filled_fields<Slice::Grant>(), std::vector<std::size_t>{});
  const models::virtual_cut_through::Options o;
  EXPECT_EQ(o.queue_packets, 4U);
  EXPECT_EQ(o.credit_delay_cycles, 2U);
}

// ---------------------------------------------------------------- bytes

using Kind = Slice::EventKind;

void expect_saved(const Bench& bench, const std::vector<std::string>& events) {
  const std::string bytes = saved(slice_of(bench));
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_NE(bytes.find(events[i]), std::string::npos) << "event " << i << ", before cycle " << bench.network->now();
  }
}

/// As above: the tail leaves its source in 4, is with its node in 5, when its buffer is back.
TEST(CutThroughEvents, NameWhatTheirKindHasAndNothingElse) {
  Bench bench(vct_tree(1, 0.0));
  const Bank& b = bank(bench);
  bench.run(1);
  bench.network->send_packet(NodeId{2}, NodeId{1}, 4);
  bench.run(1);
  const PortIndex link = b.injection_port(2);
  expect_saved(bench, {event(5, Kind::kInjected, 0, link, 0)});
  bench.run(1);
  expect_saved(bench, {event(6, Kind::kTransferred, 0, 1, 2), event(6, Kind::kCredited, 4, link, 0)});
}

/// Of 16 flits from node 0 by a link of two a cycle: the tail is there in 17, so its head may ask from 10 on.
TEST(CutThroughEvents, OfAHeadThatWaitsNameItsQueueTwice) {
  Bench bench(vct_fat_tree(0.0));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 16);
  bench.run(1);
  const PortIndex in = bank(bench).links[bank(bench).injection_port(0)].target;
  expect_saved(bench, {event(10, Kind::kRipe, 0, in, in)});
}

/// The same packet at its last switch: read within 8 cycles, and with its node after 16.
TEST(CutThroughEvents, OfARegisterNameThePacket) {
  Bench bench(vct_fat_tree(0.0));
  bench.run(1);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 16);  // not of slot 0
  Slice& s = slice_of(bench);
  std::vector<Slice::Grant> grants;
  s.note_grants(&grants);
  while (grants.empty() || grants.back().out_port == 0 || !bank(bench).links[grants.back().out_port].to_node ||
         bank(bench).front(grants.back().in_port).length_flits != 16) {
    bench.run(1);
    ASSERT_LT(bench.network->now(), 100U);
  }
  const std::uint64_t granted = bench.network->now() - 1;
  const auto [in, out] = grants.back();
  const models::PacketSlot slot = bank(bench).front(in).slot;
  ASSERT_NE(slot, 0U);
  expect_saved(bench, {event(granted + 8, Kind::kLeft, 0, out, in), event(granted + 16, Kind::kSentOff, 0, out, slot)});
  EXPECT_TRUE(s.in_registers().empty());
  bench.run(8);
  EXPECT_EQ(s.in_registers(), std::vector<models::PacketSlot>{slot}) << "it has left its queue";
  EXPECT_EQ(fabric_of(bench).census().packets, 1U);
  EXPECT_EQ(fabric_of(bench).census().flits, 16U);
  bench.run(8);
  EXPECT_TRUE(s.in_registers().empty());
}

/// A node's queue that nothing was sent to.
struct Unused {
  std::uint64_t packets = 0;
  bool sending = false;
  void checkpoint(Checkpoint& c) { c(packets, sending); }
};
std::string front_of_slice(std::size_t queues) {
  Checkpoint c;
  c.part("slice");
  std::vector<Unused> all(queues);
  c.each(all);
  return c.bytes();
}

/// Sixteen nodes at four switches, and four switches above them that have none: a slice each.
TEST(CutThroughSlices, SaveTheQueuesOfTheirOwnNodes) {
  const Bench bench(vct_tree(2, 0.0), 8);
  std::size_t nodes = 0;
  for (std::size_t s = 0; s < 8; ++s) {
    std::size_t here = 0;
    for (const routing::Port& port : bench.topology.routers[s]) here += port.kind == routing::PortKind::kLocal ? 1 : 0;
    const std::string bytes = saved(fabric_of(bench).slice(s)), wanted = front_of_slice(here);
    EXPECT_EQ(bytes.substr(0, wanted.size()), wanted) << s;
    nodes += here;
  }
  EXPECT_EQ(nodes, 16U);
}

/// Four nodes, of which node 0 sends its only packet. Behind the queues are the nodes that may send: none.
TEST(CutThroughRestoredSource, SendsOneOfItsPackets) {
  Restored r(vct_tree(1, 0.0));
  r.bench.run(1);
  r.bench.network->send_packet(NodeId{0}, NodeId{1}, 16);
  r.bench.run(1);
  const std::string bytes = saved(*r.bench.network);
  EXPECT_EQ(said_to(*r.other.network, bytes), "");
  Checkpoint c;
  c.part("slice");
  const std::size_t queues = bytes.find(c.bytes()) + c.bytes().size() + 8;
  const std::size_t sending_0 = queues + 8 + 4, sending_1 = sending_0 + 1 + 8, may_send = queues + 4 * 9 + 4 + 8;
  ASSERT_EQ(bytes[queues], 1);
  ASSERT_EQ(bytes[sending_0], 1);
  ASSERT_EQ(bytes[sending_1] + bytes[may_send], 0);
  const auto said = [&](std::size_t at, char value) {
    std::string changed = bytes;
    changed[at] = value;
    return said_to(*r.other.network, changed);
  };
  const std::string nothing = no_such_state("a node that sends nothing"),
                    two = no_such_state("a node that sends two packets");
  EXPECT_EQ(said(sending_1, 1), nothing);
  EXPECT_EQ(said(may_send, 0b0010), nothing);
  EXPECT_EQ(said(may_send, 0b1000), nothing) << "the last one";
  EXPECT_EQ(said(may_send, 0b0001), two);
  EXPECT_EQ(said(may_send, 0b10000), "member of a set 1, here are 1");
}

/// Of every port of the first switch and of the last.
TEST(CutThroughRestoredQueue, IsLookedAtWhereverItIs) {
  Experiment e = vct_tree(2, 0.9);
  Restored r(e);
  r.bench.run(100);
  Bank& b = slice_of(r.bench).bank();
  const std::size_t last = r.bench.topology.router_count() - 1;
  for (const std::size_t router : {std::size_t{0}, last}) {
    for (std::size_t p = 0; p < r.bench.topology.port_count(RouterId{router}); ++p) {
      const PortIndex port = b.port_index(RouterId{router}, PortId{p});
      EXPECT_EQ(r.said_after([&] { b.queues[port].first = 4; }), "place in a queue 4, here are 4") << port;
      EXPECT_EQ(r.said_after([&] { b.next_turn[port] = 64; }), "turn of a port 64, here are 64") << port;
      const auto in_vain = [&] {
        b.queues[port].count = 0;
        b.queues[port].leaving = true;
      };
      EXPECT_EQ(r.said_after(in_vain), no_such_state("a packet that leaves an empty queue")) << port;
      const auto unknown = [&] {
        b.queues[port].count = 1;
        b.front(port).slot = 0x7fffffff;
      };
      EXPECT_EQ(r.said_after(unknown).rfind("packet 2147483647, here are ", 0), 0U) << port;
    }
  }
}

}  // namespace
}  // namespace braid::test::cut_through_steps_test
