// The branches of a packet that forks (packet_forks.h), with the registers of one router set by hand: the middle one of
// a mesh of 3x3, whose way in is from the west. docs/router.md, "A packet that forks".
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/families/hybrid/packet_forks.h"
#include "routing/topology/topology.h"

namespace braid::test::packet_branches_test {
namespace {

using models::Flit;
using models::PacketSlot;
using models::hybrid::kNone;
using models::hybrid::PacketForks;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;
using models::hybrid::VcState;
using Slots = std::vector<PacketSlot>;

constexpr std::uint32_t kDepth = 4, kLane = 1;

/// Packets of so many flits to these nodes, which have come together; two VCs of four flits.
struct Middle {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 3);
    c.set("topology.height", 3);
    c.set("router.vcs", 2);
    return c;
  }
  static models::hybrid::Options options() {
    models::hybrid::Options o;
    o.vcs = 2;
    o.buffer_depth = kDepth;
    return o;
  }
  Middle(const std::vector<std::size_t>& to, std::uint32_t flits, std::uint32_t here) : length(flits) {
    for (const std::size_t node : to) slots.push_back(packet(node));
    forks.join(slots);
    for (std::uint32_t i = 0; i < here; ++i) come();
    forks.open(in);
  }
  /// The next flit.
  void come() { bank.push(in, Flit(forks_name(), came++, length, kLane)); }
  /// All branches have an output VC: number 0 of their port.
  Middle& with_vcs() {
    for (std::uint32_t b = 0; b < branches().size(); ++b) {
      forks.take_vc({in, b}, bank.vc_index(branches()[b].out_port, 0));
    }
    return *this;
  }
  PortIndex port(PortId p) const { return bank.port_index(RouterId{4}, p); }
  const PacketForks::Fork& fork() const { return forks.fork(in); }
  const std::vector<PacketForks::Branch>& branches() const { return fork().branches; }
  bool ready(std::size_t b) const { return forks.ready(in, branches()[b]); }
  bool ready_with(std::size_t b, std::uint16_t credits) const {
    bank.output_vcs[bank.vc_index(branches()[b].out_port, 0)].credits = credits;
    return ready(b);
  }
  PacketForks::Sent send(std::uint32_t b) { return forks.send({in, b}); }
  /// Whose names the flits in the buffer go by.
  Slots names() const {
    Slots all;
    for (std::uint32_t i = 0; i < bank.input_vcs[in].count; ++i) all.push_back(bank.buffered(in, i).packet());
    return all;
  }
  PacketSlot packet(std::size_t to) {
    const PacketSlot slot = pool.take();
    store[slot] = {};
    store[slot].source = NodeId{3};
    store[slot].destination = NodeId{to};
    store[slot].length_flits = static_cast<std::uint16_t>(length);
    return slot;
  }
  PacketSlot forks_name() const { return fork().packet == kNone ? slots.front() : fork().packet; }

  std::uint32_t length, came = 0;
  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank{topology, options(), 1};
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  std::unique_ptr<routing::RoutingAlgorithm> routing = routing::make_routing(topology, mesh());
  PacketForks forks{bank, store, *routing, kDepth};
  Slots slots;
  VcIndex in = bank.vc_index(port(routing::kWest), kLane);
};
const PortId kNode = routing::kFirstGridLocalPort;
const std::vector<std::size_t> kEastAndHome{5, 4};

/// X first: 5, 8 and 2 lie to the east; 4 is the node itself.
TEST(Branches, AreTheWaysOfTheDestinationsInTheirOrder) {
  const Middle m({5, 4, 8, 4, 2}, 3, 1);
  ASSERT_EQ(m.branches().size(), 2U);
  const PacketForks::Branch &east = m.branches()[0], &home = m.branches()[1];
  EXPECT_EQ(east.out_port, m.port(routing::kEast));
  EXPECT_EQ(home.out_port, m.port(kNode));
  EXPECT_EQ(east.destinations, 3U);
  EXPECT_EQ(home.destinations, 2U);
  EXPECT_EQ(east.packet, m.slots[0]) << "the first destination's name";
  EXPECT_EQ(home.packet, m.slots[1]);
  for (const PacketForks::Branch& b : m.branches()) {
    EXPECT_EQ(b.vcs, 3U) << "both VCs";
    EXPECT_EQ(b.out_vc, kNone);
    EXPECT_EQ(b.sent, 0);
  }
  EXPECT_EQ(m.fork().packet, m.slots[0]);
  EXPECT_EQ(m.fork().flits, 3);
  EXPECT_EQ(m.fork().left, 0);
  EXPECT_EQ(m.forks.forked(), std::vector<VcIndex>{m.in});
  EXPECT_EQ(m.bank.input_vcs[m.in].state, VcState::kForked);
  EXPECT_EQ(m.forks.destinations(m.slots[0]), 3U) << "those that go east travel together";
  EXPECT_EQ(m.forks.destinations(m.slots[1]), 2U);
  for (const std::size_t other : {2U, 3U, 4U}) EXPECT_TRUE(m.forks.alone(m.slots[other])) << "under another's name";
}

TEST(Branches, HaveTheVcThatTheyTake) {
  Middle m(kEastAndHome, 2, 2);
  const VcIndex vc = m.bank.vc_index(m.port(kNode), 1);
  m.forks.take_vc({m.in, 1}, vc);
  EXPECT_EQ(m.branches()[1].out_vc, vc);
  EXPECT_EQ(m.branches()[0].out_vc, kNone);
  EXPECT_EQ(m.bank.output_vcs[vc].owner, m.in);
  EXPECT_EQ(m.bank.free_vcs[m.port(kNode)], 1U) << "the other one is free";
  EXPECT_EQ(m.bank.free_vcs[m.port(routing::kEast)], 3U);
}

/// Where ways part a head wants room for the packet, or for all that a buffer has; else a flit wants room for itself.
TEST(Branches, AreReadyWithTheRoomThatTheirFlitWants) {
  struct Case {
    std::vector<std::size_t> to;
    std::uint32_t flits;
    std::uint16_t needed;
  };
  for (const Case& c : {Case{kEastAndHome, 1, 1}, Case{kEastAndHome, 2, 2}, Case{kEastAndHome, 4, 4},
                        Case{kEastAndHome, 6, 4}, Case{{5, 8}, 4, 1}, Case{{5, 8}, 6, 1}}) {
    Middle m(c.to, c.flits, 1);
    EXPECT_FALSE(m.ready(0)) << "without an output VC";
    m.with_vcs();
    EXPECT_EQ(m.forks.credits_needed(m.fork(), m.branches()[0]), c.needed) << c.flits;
    EXPECT_FALSE(m.ready_with(0, static_cast<std::uint16_t>(c.needed - 1))) << c.flits;
    EXPECT_TRUE(m.ready_with(0, c.needed)) << c.flits;
  }
  Middle body(kEastAndHome, 3, 3);
  body.with_vcs().send(0);
  EXPECT_EQ(body.forks.credits_needed(body.fork(), body.branches()[0]), 1U);
  EXPECT_EQ(body.forks.credits_needed(body.fork(), body.branches()[1]), 3U) << "its head has not gone";
  EXPECT_FALSE(body.ready_with(0, 0));
  EXPECT_TRUE(body.ready_with(0, 1));
  EXPECT_FALSE(body.ready_with(1, 2));
}

/// A branch that is ahead waits for its next flit; one that has sent all has none to send.
TEST(Branches, AreReadyWithAFlitThatIsHere) {
  Middle m(kEastAndHome, 2, 1);
  m.with_vcs();
  EXPECT_EQ(m.forks.offered(m.in), 0U);
  m.send(0);
  EXPECT_FALSE(m.ready(0)) << "the tail has not come";
  EXPECT_TRUE(m.ready(1));
  EXPECT_EQ(m.forks.offered(m.in), 0U) << "the first that one of them has to send";
  EXPECT_EQ(m.forks.branch_to(m.in, m.port(kNode), 0), 1U);
  EXPECT_TRUE(m.send(1).left);
  EXPECT_FALSE(m.ready(0) || m.ready(1)) << "the head has left";
  EXPECT_EQ(m.forks.offered(m.in), PacketForks::kNoFlit);
  m.come();
  EXPECT_TRUE(m.ready(0) && m.ready(1));
  EXPECT_EQ(m.forks.offered(m.in), 1U);
  EXPECT_EQ(m.forks.branch_to(m.in, m.port(routing::kEast), 1), 0U);
  m.send(0);
  m.bank.push(m.in, Flit(m.packet(5), 0, 1, kLane));
  EXPECT_FALSE(m.ready(0)) << "what stands behind its tail is another packet's";
  EXPECT_TRUE(m.ready(1));
}

TEST(Branches, ThatHaveSentLeastComeFirstAndTheFirstOfEquals) {
  Middle m({5, 4, 7}, 4, 4);
  m.with_vcs();
  ASSERT_EQ(m.branches().size(), 3U);
  const auto last = [&] { return &m.forks.last_branch(m.in) - m.branches().data(); };
  EXPECT_EQ(last(), 0) << "none has sent any";
  m.send(0);
  EXPECT_EQ(last(), 1) << "two have not";
  m.send(1);
  EXPECT_EQ(last(), 2);
  m.send(2);
  EXPECT_EQ(last(), 0);
  m.send(1);
  EXPECT_EQ(last(), 0);
  m.send(0);
  EXPECT_EQ(last(), 2);
}

/// On the lane of the branch, by its name; each takes a credit, and the last of them takes the flit out.
TEST(BranchFlits, LeaveWhenAllHaveSentThem) {
  Middle m(kEastAndHome, 2, 2);
  m.forks.take_vc({m.in, 0}, m.bank.vc_index(m.port(routing::kEast), 1));
  m.forks.take_vc({m.in, 1}, m.bank.vc_index(m.port(kNode), 0));
  const auto credits = [&](std::size_t b) { return m.bank.output_vcs[m.branches()[b].out_vc].credits; };
  const PacketForks::Sent first = m.send(0);
  EXPECT_EQ(first.flit.packet(), m.slots[0]);
  EXPECT_EQ(first.flit.vc(), 1U);
  EXPECT_TRUE(first.flit.head());
  EXPECT_EQ(first.out_port, m.port(routing::kEast));
  EXPECT_FALSE(first.left || first.closed);
  EXPECT_EQ(credits(0), kDepth - 1);
  EXPECT_EQ(credits(1), kDepth);
  EXPECT_EQ(m.bank.input_vcs[m.in].count, 2);
  EXPECT_EQ(m.fork().left, 0);
  const PacketForks::Sent second = m.send(1);
  EXPECT_EQ(second.flit.packet(), m.slots[1]);
  EXPECT_EQ(second.flit.vc(), 0U);
  EXPECT_EQ(second.flit.sequence(), 0U);
  EXPECT_TRUE(second.left);
  EXPECT_FALSE(second.closed);
  EXPECT_EQ(m.bank.input_vcs[m.in].count, 1);
  EXPECT_EQ(m.fork().left, 1);
  EXPECT_EQ(m.send(1).flit.sequence(), 1U) << "the next one, which stands first now";
}

/// A tail gives its VC back; the last branch's closes the fork, and a head behind it waits for its route.
TEST(BranchFlits, GiveVcsBackWithTheTailAndCloseTheForkWithTheLast) {
  for (const bool behind : {false, true}) {
    Middle m(kEastAndHome, 1, 1);
    if (behind) m.bank.push(m.in, Flit(m.packet(5), 0, 1, kLane));
    m.with_vcs();
    const VcIndex east = m.branches()[0].out_vc, home = m.branches()[1].out_vc;
    EXPECT_FALSE(m.send(0).closed);
    EXPECT_EQ(m.bank.output_vcs[east].owner, kNone);
    EXPECT_EQ(m.bank.free_vcs[m.port(routing::kEast)], 3U);
    EXPECT_EQ(m.bank.output_vcs[home].owner, m.in);
    EXPECT_EQ(m.bank.free_vcs[m.port(kNode)], 2U);
    const PacketForks::Sent last = m.send(1);
    EXPECT_TRUE(last.left && last.closed);
    EXPECT_EQ(m.bank.output_vcs[home].owner, kNone);
    EXPECT_EQ(m.bank.free_vcs[m.port(kNode)], 3U);
    EXPECT_TRUE(m.forks.forked().empty());
    EXPECT_EQ(m.fork().packet, kNone);
    EXPECT_EQ(m.bank.input_vcs[m.in].count, behind ? 1 : 0);
    EXPECT_EQ(m.bank.input_vcs[m.in].state, behind ? VcState::kNeedsRoute : VcState::kIdle);
  }
}

/// When the branch has sent its tail by whose name the flits go, its packet may be gone: those that are here take the
/// name of the branch that has sent least, those of the next packet keep theirs.
TEST(BranchFlits, TakeANameThatStays) {
  for (const bool head_left : {false, true}) {
    Middle m(kEastAndHome, 2, 2);
    m.with_vcs();
    const PacketSlot next = m.packet(5);
    for (std::uint32_t i = 0; i < 2; ++i) m.bank.push(m.in, Flit(next, i, 2, kLane));
    m.send(0);
    if (head_left) m.send(1);
    EXPECT_EQ(m.names().front(), m.slots[0]);
    m.send(0);
    EXPECT_EQ(m.fork().packet, m.slots[1]);
    EXPECT_EQ(m.names(), head_left ? (Slots{m.slots[1], next, next}) : (Slots{m.slots[1], m.slots[1], next, next}));
  }
  Middle other(kEastAndHome, 2, 2);
  other.with_vcs().send(1);
  other.send(1);
  EXPECT_EQ(other.fork().packet, other.slots[0]) << "that branch gave no name";
  EXPECT_EQ(other.names(), (Slots{other.slots[0], other.slots[0]}));
  Middle three({5, 4, 7}, 2, 2);
  three.with_vcs().send(1);
  three.send(0);
  three.send(0);
  EXPECT_EQ(three.fork().packet, three.slots[2]) << "the one that has sent none";
}

/// Those that the branches lead to which have not sent the flit.
TEST(BranchFlits, HaveTheirDestinationsBefore) {
  Middle m({5, 4, 8}, 3, 3);
  m.with_vcs();
  const auto behind = [&](std::uint32_t flit) {
    return m.forks.destinations_behind(m.in, Flit(m.slots[0], flit, 3, 0));
  };
  for (const std::uint32_t flit : {0U, 1U, 2U}) EXPECT_EQ(behind(flit), 3U);
  m.send(0);
  EXPECT_EQ(behind(0), 1U) << "the node's";
  EXPECT_EQ(behind(1), 3U);
  m.send(0);
  EXPECT_EQ(behind(1), 1U);
  EXPECT_EQ(behind(2), 3U);
  m.send(1);
  EXPECT_EQ(behind(0), 0U);
  EXPECT_EQ(m.forks.destinations_behind(m.in, Flit(m.slots[1], 0, 3, 0)), 1U) << "a packet that does not fork here";
  EXPECT_EQ(m.forks.destinations_behind(m.in + 1, Flit(m.slots[0], 0, 3, 0)), 2U) << "nor there: those that go east";
}

}  // namespace
}  // namespace braid::test::packet_branches_test
