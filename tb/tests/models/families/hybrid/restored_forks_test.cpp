// What registers of circuits and packets that fork are held to when a checkpoint brings them: each by itself, with the
// last value that is taken and the first that is not.
#include <gtest/gtest.h>

#include "models/families/hybrid/packet_forks.h"
#include "tb/tests/support/by_hand.h"
#include "tb/tests/support/copies.h"
#include "tb/tests/support/forks.h"

namespace braid::test::restored_forks_test {
namespace {

using models::hybrid::CircuitForks;
using models::hybrid::kNone;
using models::hybrid::PacketForks;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;

// ---------------------------------------------------------------- circuits

struct Item {
  std::vector<CircuitForks::Copy> copies;
  std::uint32_t left = 0;
};
struct Trees {
  std::vector<VcIndex> next;                 // [output lane]
  std::vector<std::uint32_t> tree, circuit;  // [input lane], [output lane]
  std::vector<VcIndex> ends;                 // [circuit]
  std::uint32_t searched = 0;
  std::vector<Item> items;
  std::vector<std::uint32_t> free_items, item_of;
  void checkpoint(Checkpoint& c) {
    c.part("circuits that fork");
    c.each(next);
    c.each(tree);
    c.each(circuit);
    c(ends, searched, items, free_items, item_of);
  }
};
Trees made_for(const RouterBank& bank) {
  Trees trees;
  trees.next.resize(bank.output_vc_count());
  trees.tree.resize(bank.input_vc_count());
  trees.circuit.resize(bank.output_vc_count());
  return trees;
}

/// On a 3x3 mesh 3 -> 4 -> 5 and two more from router 4, to 1 and 7; an item is on its way to all three.
struct OneTree {
  OneTree() {
    EXPECT_TRUE(rig.ready().stands);
    rig.send(0, 4);
    rig.run(3);
    hand = std::make_unique<ByHand<CircuitForks, Trees>>(forks(), made_for(bank()));
    hand->also = [this](const Checkpoint& c) { forks().check_restored(c); };
    in = bank().circuit_vc(bank().port_index(RouterId{4}, routing::kWest));
    for (VcIndex out = bank().circuit_out(in); out != kNone; out = hand->own().next[out]) outputs.push_back(out);
  }
  const RouterBank& bank() { return rig.fabric().bank(); }
  CircuitForks& forks() { return const_cast<CircuitForks&>(*rig.fabric().forks()); }
  VcIndex lane(std::size_t router, PortId port) { return bank().circuit_vc(bank().port_index(RouterId{router}, port)); }
  ForkRig rig{{{3, 5, 0}, {3, 1, 0}, {3, 7, 0}}};
  std::unique_ptr<ByHand<CircuitForks, Trees>> hand;
  VcIndex in = kNone;
  std::vector<VcIndex> outputs;  // of router 4
};

TEST(RestoredTree, HasOutputsOfOneCircuit) {
  OneTree one;
  ASSERT_EQ(one.outputs.size(), 3U);
  const std::size_t lanes = one.bank().output_vc_count();
  const auto behind = [&](VcIndex out, std::size_t next) {
    return one.hand->refusal([&](Trees& t) { t.next[out] = static_cast<VcIndex>(next); });
  };
  const std::string two = no_such_state("a fork of two circuits");
  EXPECT_EQ(behind(one.outputs[1], kNone), "") << "a branch less";
  EXPECT_EQ(behind(one.outputs[2], lanes), here("output lane", lanes, lanes));
  EXPECT_EQ(behind(one.outputs[2], one.lane(3, routing::kEast)), two) << "the tree's, of the router before";
  EXPECT_EQ(behind(one.outputs[2], one.lane(0, routing::kEast)), two) << "nobody's";
  EXPECT_EQ(behind(one.lane(0, routing::kEast), one.lane(1, routing::kEast)), two) << "nobody's behind nobody's";
}

TEST(RestoredTree, EndsAtLanesThatAreThere) {
  OneTree one;
  ASSERT_EQ(one.hand->own().ends.size(), 3U);
  const std::size_t lanes = one.bank().output_vc_count();
  for (std::size_t circuit = 0; circuit < 3; ++circuit) {
    const auto at = [&](std::size_t end) {
      return one.hand->refusal([&](Trees& t) { t.ends[circuit] = static_cast<VcIndex>(end); });
    };
    EXPECT_EQ(at(kNone), "") << "it does not stand";
    EXPECT_EQ(at(lanes - 1), "");
    EXPECT_EQ(at(lanes), here("output lane", lanes, lanes));
  }
}

TEST(RestoredTree, CarriesItemsThatHaveCopies) {
  OneTree one;
  ByHand<CircuitForks, Trees>& hand = *one.hand;
  ASSERT_EQ(hand.own().items.size(), 1U);
  ASSERT_EQ(hand.own().items[0].copies.size(), 3U);
  EXPECT_EQ(hand.own().items[0].left, 3U);
  EXPECT_EQ(hand.refusal([](Trees& t) { t.items[0].left = 1; }), "");
  EXPECT_EQ(hand.refusal([](Trees& t) { t.items[0].left = 4; }), here("number of copies", 4, 4));
  EXPECT_EQ(hand.refusal([](Trees& t) { t.free_items = {1}; }), here("item", 1, 1));
  const std::string nothing = no_such_state("a copy of nothing");
  EXPECT_EQ(hand.refusal([](Trees& t) { t.items[0].left = 0; }), nothing);
  EXPECT_EQ(hand.refusal([](Trees& t) { t.item_of[t.items[0].copies[2].packet] = 1; }), nothing);
  const std::size_t lanes = one.bank().output_vc_count();
  const auto of_no_circuit = [&](Trees& t) { t.items[0].copies[2].circuit = static_cast<std::uint32_t>(lanes); };
  EXPECT_EQ(hand.refusal(of_no_circuit), here("circuit", lanes, lanes));
  EXPECT_EQ(hand.refusal([&](Trees& t) {
    of_no_circuit(t);
    t.items[0].left = 0;
    t.item_of.clear();
  }),
            "")
      << "its copies are all there: nobody asks";
}

// ---------------------------------------------------------------- packets

struct Copies {
  std::vector<PacketForks::Fork> forks;  // [input VC]
  std::vector<VcIndex> forked;
  std::vector<std::uint32_t> group_of;
  std::vector<std::vector<models::PacketSlot>> groups;
  std::vector<std::uint32_t> free_groups;
  void checkpoint(Checkpoint& c) {
    c.part("packets that fork");
    c.each(forks);
    c(forked, group_of, groups, free_groups);
  }
};

/// Routers 0 1 2 under 3 4 5: a packet of three flits from 0 to 2 and 4 is at router 1, and has an output VC for each.
struct OnePacket {
  static constexpr std::uint32_t kPackets = 1U << 20U;

  OnePacket() {
    rig.run(3);
    rig.send(0, {2, 4}, 3);
    for (int cycle = 0; cycle < 100 && in == kNone; ++cycle) {
      rig.run(1);
      for (const VcIndex v : forks().forked()) {
        const auto& branches = forks().fork(v).branches;
        if (branches.size() == 2 && branches[0].out_vc != kNone && branches[1].out_vc != kNone) in = v;
      }
    }
    Copies made;
    made.forks.resize(bank().input_vc_count());
    hand = std::make_unique<ByHand<PacketForks, Copies>>(forks(), made);
    hand->packets = kPackets;
    hand->also = [this](const Checkpoint& c) { forks().check_restored(c); };
  }
  const RouterBank& bank() { return rig.fabric().bank(); }
  PacketForks& forks() { return const_cast<PacketForks&>(*rig.fabric().packet_forks()); }
  /// What is said to this of the fork.
  template <class Change>
  std::string fork(Change change) {
    return hand->refusal([&](Copies& c) { change(c.forks[in]); });
  }
  CopyRig rig{CopyRig::mesh(3, 2, 1, 4), 3};
  VcIndex in = kNone;
  std::unique_ptr<ByHand<PacketForks, Copies>> hand;
};

TEST(RestoredPacketFork, HasBranches) {
  OnePacket one;
  ASSERT_NE(one.in, kNone);
  EXPECT_EQ(one.fork([](PacketForks::Fork&) {}), "");
  const std::string no_way = no_such_state("a fork without a way");
  EXPECT_EQ(one.fork([](PacketForks::Fork& f) { f.branches.clear(); }), no_way);
  const std::size_t inputs = one.bank().input_vc_count();
  const VcIndex idle = one.bank().vc_index(one.bank().port_index(RouterId{5}, routing::kFirstGridLocalPort), 0);
  EXPECT_EQ(one.hand->refusal([&](Copies& c) {
    c.forked = {idle};
    c.forks[idle] = c.forks[one.in];
  }),
            no_way)
      << "a VC whose packet does not fork";
  EXPECT_EQ(one.hand->refusal([&](Copies& c) { c.forked.push_back(static_cast<VcIndex>(inputs)); }),
            here("VC", inputs, inputs));
  EXPECT_EQ(one.fork([](PacketForks::Fork& f) { f.packet = OnePacket::kPackets; }),
            here("packet", OnePacket::kPackets, OnePacket::kPackets));
}

TEST(RestoredPacketFork, HasBranchesThatLeadOn) {
  OnePacket one;
  ASSERT_NE(one.in, kNone);
  const RouterBank& bank = one.bank();
  const std::size_t ports = bank.router_port_count(), outputs = bank.output_vc_count();
  const std::string nowhere = no_such_state("a branch that leads nowhere");
  for (std::size_t b = 0; b < 2; ++b) {
    const auto branch = [&](const auto& change) {
      return one.fork([&](PacketForks::Fork& f) { change(f.branches[b]); });
    };
    EXPECT_EQ(branch([](PacketForks::Branch& way) { way.out_vc = kNone; }), "") << "it waits for one";
    EXPECT_EQ(branch([](PacketForks::Branch& way) { way.packet = OnePacket::kPackets; }),
              here("packet", OnePacket::kPackets, OnePacket::kPackets));
    EXPECT_EQ(branch([&](PacketForks::Branch& way) { way.out_port = static_cast<PortIndex>(ports); }),
              here("port", ports, ports));
    EXPECT_EQ(branch([](PacketForks::Branch& way) { way.vcs = 2; }), here("set of VCs", 2, 2)) << "there is one";
    EXPECT_EQ(branch([](PacketForks::Branch& way) { way.sent = 3; }), "") << "all";
    EXPECT_EQ(branch([](PacketForks::Branch& way) { way.sent = 4; }), here("number of flits", 4, 4));
    EXPECT_EQ(branch([&](PacketForks::Branch& way) {
                way.out_port = bank.port_index(RouterId{5}, routing::kEast);
                way.out_vc = kNone;
              }),
              nowhere)
        << "at the rim of the mesh";
    EXPECT_EQ(branch([&](PacketForks::Branch& way) { way.out_vc = static_cast<VcIndex>(outputs); }),
              here("output VC", outputs, outputs));
    const VcIndex other = one.hand->own().forks[one.in].branches[1 - b].out_vc;
    EXPECT_EQ(branch([&](PacketForks::Branch& way) { way.out_vc = other; }),
              no_such_state("a branch with the VC of another way"));
  }
  EXPECT_EQ(one.fork([](PacketForks::Fork& f) {
    f.left = 1;
    f.branches[0].sent = 1;
    f.branches[1].sent = 1;
  }),
            "");
  EXPECT_EQ(one.fork([](PacketForks::Fork& f) {
    f.left = 1;
    f.branches[0].sent = 1;
    f.branches[1].sent = 0;
  }),
            nowhere)
      << "a flit has left that a branch has not sent";
}

TEST(RestoredPacketFork, IsOfGroupsOfPackets) {
  OnePacket one;
  const auto groups = static_cast<std::uint32_t>(one.hand->own().groups.size());
  ASSERT_GT(groups, 0U);
  const auto says = [&](const auto& change) { return one.hand->refusal(change); };
  EXPECT_EQ(says([&](Copies& c) { c.group_of.push_back(groups - 1); }), "");
  EXPECT_EQ(says([&](Copies& c) { c.group_of.push_back(kNone); }), "") << "it travels alone";
  EXPECT_EQ(says([&](Copies& c) { c.group_of.push_back(groups); }), here("group of packets", groups, groups));
  EXPECT_EQ(says([&](Copies& c) { c.free_groups.push_back(groups - 1); }), "");
  EXPECT_EQ(says([&](Copies& c) { c.free_groups.push_back(groups); }), here("group of packets", groups, groups));
  EXPECT_EQ(says([&](Copies& c) { c.groups.push_back({OnePacket::kPackets - 1}); }), "");
  EXPECT_EQ(says([&](Copies& c) { c.groups.push_back({OnePacket::kPackets}); }),
            here("packet", OnePacket::kPackets, OnePacket::kPackets));
}

}  // namespace
}  // namespace braid::test::restored_forks_test
