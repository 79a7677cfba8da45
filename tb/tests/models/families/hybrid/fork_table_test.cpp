// The circuit table of circuits that fork, and which packets are copies of one item, by hand (circuit_forks.h); packets
// that travel together (packet_forks.h).
#include <gtest/gtest.h>

#include <algorithm>

#include "models/families/hybrid/circuit_forks.h"
#include "models/families/hybrid/packet_forks.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/by_hand.h"

namespace braid::test::fork_table_test {
namespace {

using models::PacketSlot;
using models::hybrid::CircuitForks;
using models::hybrid::kNone;
using models::hybrid::PacketForks;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;
using Lanes = std::vector<VcIndex>;

/// A 3x3 mesh with two local ports a node and two lanes at each, nothing reserved.
struct Table {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 3);
    c.set("topology.height", 3);
    c.set("topology.local_ports", 2);
    return c;
  }
  static models::hybrid::Options options() {
    models::hybrid::Options o;
    o.circuits = o.multicast = true;
    o.circuit_lanes = 2;
    return o;
  }
  VcIndex lane(std::size_t router, PortId port, std::uint32_t circuit = 0) const {
    return bank.circuit_vc(bank.port_index(RouterId{router}, port), circuit);
  }
  Lanes outputs(VcIndex in) const {
    Lanes all;
    forks.for_each_output(in, [&](VcIndex out) { all.push_back(out); });
    return all;
  }
  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank{topology, options(), 1};
  CircuitForks forks{bank};
};

constexpr std::uint32_t kTree = 5;

/// Three outputs of one input, given back in every order: the others stay as they were, in their order, and the last
/// one takes the tree along.
TEST(ForkTable, KeepsTheOutputsThatAreNotGivenBack) {
  const std::vector<PortId> ports{routing::kEast, routing::kNorth, routing::kFirstGridLocalPort};
  std::vector<std::size_t> order{0, 1, 2};
  do {
    Table t;
    const VcIndex in = t.lane(4, routing::kWest);
    EXPECT_FALSE(t.forks.forks(in));
    EXPECT_EQ(t.forks.tree(in), 0U);
    Lanes left;
    for (std::uint32_t c = 0; c < 3; ++c) {
      t.forks.begin_search(c);
      left.push_back(t.lane(4, ports[c]));
      t.forks.reserve(in, left.back(), kTree);
      EXPECT_EQ(t.outputs(in), left);
      EXPECT_EQ(t.forks.circuit_of(left.back()), c);
      EXPECT_EQ(t.forks.forks(in), c > 0);
    }
    for (const std::size_t which : order) {
      const VcIndex out = t.lane(4, ports[which]);
      EXPECT_TRUE(t.forks.holds(in, out));
      EXPECT_EQ(t.forks.tree(in), kTree);
      EXPECT_EQ(t.bank.input_vcs[in].state, models::hybrid::VcState::kActive);
      t.forks.release(in, out);
      left.erase(std::find(left.begin(), left.end(), out));
      EXPECT_EQ(t.outputs(in), left);
      EXPECT_EQ(t.forks.forks(in), left.size() > 1);
      EXPECT_FALSE(t.forks.holds(in, out));
      EXPECT_EQ(t.bank.circuit_in(out), kNone);
      for (const VcIndex other : left) EXPECT_EQ(t.bank.circuit_in(other), in);
      Lanes further;
      if (!left.empty()) t.forks.for_each_further(in, [&](VcIndex o) { further.push_back(o); });
      EXPECT_EQ(further, left.empty() ? Lanes() : Lanes(left.begin() + 1, left.end()));
    }
    EXPECT_EQ(t.forks.tree(in), 0U);
    EXPECT_EQ(t.bank.input_vcs[in].state, models::hybrid::VcState::kIdle);
    t.forks.reserve(in, t.lane(4, routing::kSouth), kTree + 1);
    EXPECT_EQ(t.outputs(in), Lanes{t.lane(4, routing::kSouth)}) << "nothing is left of what was there";
    EXPECT_EQ(t.forks.tree(in), kTree + 1);
  } while (std::next_permutation(order.begin(), order.end()));
}

/// By whichever lane of whichever port it comes in.
TEST(ForkTable, KnowsWhichTreesPassARouter) {
  Table t;
  const VcIndex out = t.lane(4, routing::kEast);
  for (std::size_t port = 0; port < t.topology.port_count(RouterId{4}); ++port) {
    for (std::uint32_t circuit = 0; circuit < 2; ++circuit) {
      const VcIndex in = t.lane(4, PortId{port}, circuit);
      t.forks.reserve(in, out, kTree);
      EXPECT_TRUE(t.forks.passes(RouterId{4}, kTree)) << port << ", " << circuit;
      EXPECT_FALSE(t.forks.passes(RouterId{4}, kTree + 1)) << port << ", " << circuit;
      EXPECT_FALSE(t.forks.passes(RouterId{3}, kTree)) << port << ", " << circuit;
      EXPECT_FALSE(t.forks.passes(RouterId{5}, kTree)) << port << ", " << circuit;
      t.forks.release(in, out);
      EXPECT_FALSE(t.forks.passes(RouterId{4}, kTree)) << port << ", " << circuit;
    }
  }
}

/// 3 -> 4 -> 5, and from 4 to its own node, twice.
TEST(ForkTable, CountsDestinationsAndKnowsWhereCircuitsEnd) {
  Table t;
  const VcIndex source = t.lane(3, routing::kFirstGridLocalPort), middle = t.lane(4, routing::kWest),
                end = t.lane(5, routing::kWest), home = t.lane(5, routing::kFirstGridLocalPort, 1),
                here = t.lane(4, routing::kFirstGridLocalPort),
                too = t.lane(4, PortId{std::size_t{routing::kFirstGridLocalPort.value} + 1});
  EXPECT_EQ(t.forks.leaves(source), 0U);
  EXPECT_EQ(t.forks.end_of(2), kNone);
  t.forks.begin_search(2);
  t.forks.reserve(source, t.lane(3, routing::kEast), kTree);
  t.forks.reserve(middle, t.lane(4, routing::kEast), kTree);
  EXPECT_EQ(t.forks.end_of(2), kNone) << "it is not there yet";
  EXPECT_EQ(t.forks.leaves(source), 0U);
  t.forks.reserve(end, home, kTree);
  EXPECT_EQ(t.forks.end_of(2), home);
  EXPECT_EQ(t.forks.leaves(source), 1U);
  t.forks.begin_search(0);
  t.forks.reserve(middle, here, kTree);
  EXPECT_EQ(t.forks.end_of(0), here);
  EXPECT_EQ(t.forks.end_of(1), kNone);
  EXPECT_EQ(t.forks.end_of(2), home);
  EXPECT_EQ(t.forks.end_of(3), kNone);
  t.forks.begin_search(1);
  t.forks.reserve(middle, too, kTree);
  EXPECT_EQ(t.forks.leaves(source), 3U);
  EXPECT_EQ(t.forks.leaves(middle), 3U);
  EXPECT_EQ(t.forks.leaves(end), 1U);
  EXPECT_EQ(t.forks.leaves_behind(t.lane(3, routing::kEast)), 3U);
  EXPECT_EQ(t.forks.leaves_behind(t.lane(4, routing::kEast)), 1U);
  EXPECT_EQ(t.forks.leaves_behind(here), 1U);
  EXPECT_TRUE(t.forks.has_credits(middle));
  for (const VcIndex out : {t.lane(4, routing::kEast), here, too}) {
    const auto credits = std::exchange(t.bank.output_vcs[out].credits, std::uint16_t{0});
    EXPECT_FALSE(t.forks.has_credits(middle)) << "one branch has no room";
    EXPECT_TRUE(t.forks.has_credits(source)) << "which is not this one's";
    t.bank.output_vcs[out].credits = 1;
    EXPECT_TRUE(t.forks.has_credits(middle)) << "for one flit";
    t.bank.output_vcs[out].credits = credits;
  }
}

struct Item {
  std::vector<CircuitForks::Copy> copies;
  std::uint32_t left = 0;
};
/// As the checkpoint has it, for who counts rows.
struct Rows {
  std::vector<VcIndex> next;
  std::vector<std::uint32_t> tree, circuit;
  std::vector<VcIndex> ends;
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

std::vector<PacketSlot> copies(const CircuitForks& forks, PacketSlot packet) {
  std::vector<PacketSlot> all;
  forks.for_each_copy(packet, [&](PacketSlot copy) { all.push_back(copy); });
  return all;
}

TEST(ForkItems, KnowTheirCopiesUntilEachIsDelivered) {
  Table t;
  CircuitForks& forks = t.forks;
  EXPECT_FALSE(forks.copied(0));
  forks.send({{0, 7}, {2, 9}});
  for (PacketSlot packet = 0; packet < 12; ++packet) EXPECT_EQ(forks.copied(packet), packet == 7 || packet == 9);
  EXPECT_EQ(copies(forks, 7), (std::vector<PacketSlot>{7, 9}));
  EXPECT_EQ(copies(forks, 9), (std::vector<PacketSlot>{7, 9}));
  EXPECT_EQ(copies(forks, 8), std::vector<PacketSlot>{8}) << "by itself";
  EXPECT_EQ(forks.copy_of(7, 2), 9U);
  EXPECT_EQ(forks.copy_of(9, 0), 7U);
  EXPECT_EQ(forks.copy_of(9, 2), 9U);
  EXPECT_THROW(forks.copy_of(7, 1), std::logic_error);
  forks.delivered(8);
  forks.delivered(7);
  EXPECT_FALSE(forks.copied(7));
  EXPECT_TRUE(forks.copied(9)) << "it is under way still";
  forks.send({{0, 7}, {1, 3}});
  EXPECT_EQ(forks.copy_of(7, 1), 3U) << "the slot is another packet's";
  EXPECT_EQ(forks.copy_of(9, 2), 9U);
  forks.delivered(9);
  EXPECT_FALSE(forks.copied(9));
  EXPECT_EQ(forks.copy_of(3, 0), 7U);
  forks.send({{4, 5}, {6, 1}, {8, 2}});
  EXPECT_EQ(forks.copy_of(1, 8), 2U);
  EXPECT_EQ(forks.copy_of(3, 0), 7U);
  Rows made;
  made.next.resize(t.bank.output_vc_count());
  made.tree.resize(t.bank.input_vc_count());
  made.circuit.resize(t.bank.output_vc_count());
  const auto rows = [&] { return ByHand<CircuitForks, Rows>(forks, made).own().items; };
  EXPECT_EQ(rows().size(), 2U) << "at most two items at once";
  for (const PacketSlot packet : {7U, 3U, 5U, 1U, 2U}) forks.delivered(packet);
  for (const Item& item : rows()) {
    EXPECT_EQ(item.left, 0U);
    EXPECT_TRUE(item.copies.empty()) << "the row is free";
  }
}

struct Groups {
  std::vector<PacketForks::Fork> forks;
  std::vector<VcIndex> forked;
  std::vector<std::uint32_t> group_of;
  std::vector<std::vector<PacketSlot>> groups;
  std::vector<std::uint32_t> free_groups;
  void checkpoint(Checkpoint& c) {
    c.part("packets that fork");
    c.each(forks);
    c(forked, group_of, groups, free_groups);
  }
};

TEST(PacketGroups, TravelByTheNameOfTheFirst) {
  Table t;
  models::PacketStore store;
  const auto routing = routing::make_routing(t.topology, Table::mesh());
  PacketForks forks(t.bank, store, *routing, 4);
  const auto of = [&](PacketSlot packet) {
    std::vector<PacketSlot> all;
    forks.for_each_destination(packet, [&](PacketSlot each) { all.push_back(each); });
    EXPECT_EQ(forks.destinations(packet), all.size());
    EXPECT_EQ(forks.alone(packet), all.size() == 1);
    return all;
  };
  using Slots = std::vector<PacketSlot>;
  EXPECT_EQ(of(5), Slots{5});
  forks.join({5});
  EXPECT_EQ(of(5), Slots{5});
  forks.join({5, 8});
  EXPECT_EQ(of(5), (Slots{5, 8}));
  EXPECT_EQ(of(8), Slots{8}) << "under another's name";
  forks.join({2, 1, 0});
  EXPECT_EQ(of(2), (Slots{2, 1, 0}));
  EXPECT_EQ(of(5), (Slots{5, 8}));
  forks.arrived(5);
  EXPECT_EQ(of(5), Slots{5});
  EXPECT_EQ(of(2), (Slots{2, 1, 0}));
  forks.arrived(5);
  forks.join({3, 4});
  EXPECT_EQ(of(3), (Slots{3, 4}));
  forks.join({2, 9});
  EXPECT_EQ(of(2), (Slots{2, 9})) << "those that have parted";
  forks.join({2});
  EXPECT_EQ(of(2), Slots{2});
  Groups made;
  made.forks.resize(t.bank.input_vc_count());
  const ByHand<PacketForks, Groups> registers(forks, made);
  EXPECT_EQ(registers.own().groups.size(), 2U) << "at most two at once";
  ASSERT_EQ(registers.own().free_groups.size(), 1U);
  EXPECT_TRUE(registers.own().groups[registers.own().free_groups[0]].empty()) << "nobody travels in it";
}

}  // namespace
}  // namespace braid::test::fork_table_test
