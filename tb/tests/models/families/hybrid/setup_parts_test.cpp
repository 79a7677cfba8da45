// Parts of the set-up by themselves: which ports lead nearer where routers lie in triangles, which links searches are
// to avoid, and a unit that stands in for a router's own (SetupUnits::take).
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/families/hybrid/setup_unit.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::setup_parts_test {
namespace {

using models::hybrid::ControlKind;
using models::hybrid::Fabric;
using models::hybrid::kNone;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::SetupAction;
using models::hybrid::SetupUnits;
using models::hybrid::VcIndex;

Fabric& fabric_of(const Bench& bench) { return models::hybrid::of(bench.network->fabric()); }
SetupUnits& units_of(const Bench& bench) { return const_cast<SetupUnits&>(fabric_of(bench).setup_units()); }

/// Three routers, each linked to both others: the way to a neighbour is the link to it, not that to the third one,
/// which is as near.
TEST(SetupStraps, LeadNearerAndNotAsNear) {
  Configuration c;
  c.set("topology.kind", "flattened_butterfly");
  c.set("topology.sizes", std::vector<std::uint32_t>{3});
  c.set("topology.concentration", 1);
  const routing::Topology topology = routing::make_topology(c);
  models::hybrid::Options options;
  options.circuits = true;
  RouterBank bank(topology, options, 1);
  SetupUnits units(topology, bank, true);
  for (std::size_t node = 0; node < 3; ++node) units.prepare(NodeId{node});
  for (std::size_t from = 0; from < 3; ++from) {
    for (std::size_t to = 0; to < 3; ++to) {
      std::uint64_t network = 0, local = 0, there = 0;
      for (std::size_t p = 0; p < topology.port_count(RouterId{from}); ++p) {
        const routing::Port& port = topology.port(RouterId{from}, PortId{p});
        const std::uint64_t bit = std::uint64_t{1} << p;
        if (port.kind == routing::PortKind::kNetwork) network |= bit;
        if (port.kind == routing::PortKind::kLocal) local |= bit;
        if (port.kind == routing::PortKind::kNetwork && port.peer_router.value == to) there |= bit;
      }
      const SetupUnits::Straps straps = units.straps(RouterId{from}, NodeId{to});
      EXPECT_EQ(straps.network_ports, network);
      EXPECT_EQ(straps.local_ports, local);
      EXPECT_EQ(straps.directions, from == to ? local : there) << from << " to " << to;
      EXPECT_EQ(straps.avoid_ports, 0U);
    }
  }
}

/// Both directions of each link that is named, by either end, and no others.
TEST(AvoidedLinks, AreThoseThatAreNamedBothWays) {
  models::Experiment e = tile_streams(3, 3, 1, {{0, 1}});
  e.set("setup.reroute", "each");
  e.set("setup.avoid_links", "0,0.east  2,1.west");
  const Bench bench(e);
  const RouterBank& bank = fabric_of(bench).bank();
  const std::set<PortIndex> named{
      bank.port_index(RouterId{0}, routing::kEast), bank.port_index(RouterId{1}, routing::kWest),
      bank.port_index(RouterId{5}, routing::kWest), bank.port_index(RouterId{4}, routing::kEast)};
  for (PortIndex p = 0; p < bank.router_port_count(); ++p) {
    EXPECT_EQ(fabric_of(bench).setup_units().avoided(p), named.count(p) != 0) << p;
  }
}

/// What a unit of somebody else's did is done here: rows of the table, the message over the link, the end.
TEST(UnitOfSomebodyElse, HasItsActionsDone) {
  Bench bench(tile_streams(3, 1, 1, {{0, 2}}), 3);
  SetupUnits& units = units_of(bench);
  const RouterBank& bank = fabric_of(bench).bank();
  models::hybrid::Slice& slice = fabric_of(bench).slice(1);
  const PortIndex west = bank.port_index(RouterId{1}, routing::kWest),
                  east = bank.port_index(RouterId{1}, routing::kEast);
  const VcIndex in = bank.circuit_vc(west), out = bank.circuit_vc(east);
  units.outcome() = {};

  SetupAction reserves;
  reserves.cycle = 30;
  reserves.router = RouterId{1};
  reserves.reserve_in = in;
  reserves.reserve_out = out;
  reserves.send = east;
  reserves.sent = {0, ControlKind::kProbe, 7, NodeId{2}};
  units.take(slice, reserves, false);
  EXPECT_EQ(bank.circuit_out(in), out);
  EXPECT_EQ(bank.circuit_in(out), in);
  const auto& messages = slice.channel_for(RouterId{2}).at(30 + 1 + 1).control;
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].search, 7U);
  EXPECT_EQ(messages[0].port, bank.port_index(RouterId{2}, routing::kWest));
  EXPECT_EQ(units.last_action().cycle, 30U);
  EXPECT_EQ(units.last_action().router, RouterId{1});
  EXPECT_EQ(units.last_action().reserve_in, in);
  EXPECT_EQ(units.last_action().send, east);
  EXPECT_EQ(units.last_action().release_in, kNone);
  EXPECT_FALSE(units.outcome().done);
  EXPECT_EQ(units.outcome().backtracks, 0U);

  SetupAction ends;
  ends.cycle = 34;
  ends.router = RouterId{1};
  ends.release_in = in;
  ends.release_out = out;
  ends.done = true;
  units.take(slice, ends, true);
  EXPECT_EQ(bank.circuit_out(in), kNone);
  EXPECT_EQ(bank.circuit_in(out), kNone);
  EXPECT_EQ(messages.size(), 1U) << "nothing is sent";
  EXPECT_TRUE(units.outcome().done);
  EXPECT_FALSE(units.outcome().success);
  EXPECT_EQ(units.outcome().cycle, 34U);
  EXPECT_EQ(units.outcome().backtracks, 1U) << "with a message that came back";
  EXPECT_EQ(units.last_action().send, kNone);
  EXPECT_EQ(units.last_action().reserve_in, kNone);
  EXPECT_EQ(units.last_action().release_out, out);
  EXPECT_TRUE(units.last_action().done);
  EXPECT_FALSE(units.last_action().success);

  units.outcome() = {};
  ends.release_in = ends.release_out = kNone;
  ends.success = true;
  units.take(slice, ends, false);
  EXPECT_TRUE(units.outcome().done && units.outcome().success);
  EXPECT_EQ(units.outcome().backtracks, 0U);
}

/// A tear-down waits a cycle for each cycle in which flits are in its lane's buffer, and says so; then it goes on, by
/// the one circuit of the link, as if it had not waited.
TEST(TearDown, WaitsForFlitsAndForgetsThatItHas) {
  models::Experiment e = tile_streams(3, 1, 1, {{0, 2}});
  e.set("router.circuit_lanes", 2);
  Bench bench(e, 3);
  SetupUnits& units = units_of(bench);
  const RouterBank& bank = fabric_of(bench).bank();
  models::hybrid::Slice& slice = fabric_of(bench).slice(0);
  const PortIndex node = bank.port_index(RouterId{0}, routing::kFirstGridLocalPort),
                  east = bank.port_index(RouterId{0}, routing::kEast);
  const VcIndex in = bank.circuit_vc(node, 1);
  bank.reserve(in, bank.circuit_vc(east));
  bank.input_vcs[in].count = 1;
  models::hybrid::ControlMessage message{node, ControlKind::kTearDown, 3, NodeId{0}, 1};
  units.receive(slice, 30, message);
  EXPECT_EQ(bank.circuit_out(in), bank.circuit_vc(east)) << "it stands";
  EXPECT_EQ(units.last_action().send, kNone);
  const auto& own = slice.channel_for(RouterId{0}).at(31).control;
  ASSERT_EQ(own.size(), 1U);
  EXPECT_TRUE(own[0].waits);
  EXPECT_EQ(own[0].circuit, 1U);
  EXPECT_EQ(own[0].port, node);
  bank.input_vcs[in].count = 0;
  message = own[0];
  units.receive(slice, 31, message);
  EXPECT_EQ(bank.circuit_out(in), kNone);
  EXPECT_EQ(units.last_action().send, east);
  EXPECT_EQ(units.last_action().sent.circuit, 0U);
  EXPECT_FALSE(units.last_action().sent.waits);
  const auto& next = slice.channel_for(RouterId{1}).at(31 + 1 + 1).control;
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(next[0].circuit, 0U);
  EXPECT_FALSE(next[0].waits);
  EXPECT_EQ(next[0].search, 3U);
}

/// A tear-down of a tree has an end for each destination: the last of them counts.
TEST(UnitOfSomebodyElse, EndsWhenAllEndsHaveCome) {
  Bench bench(tile_streams(3, 1, 1, {{0, 2}}), 3);
  SetupUnits& units = units_of(bench);
  units.outcome() = {};
  units.outcome().ends = 3;
  SetupAction end;
  end.done = end.success = true;
  for (std::uint64_t cycle = 40; cycle < 43; ++cycle) {
    EXPECT_FALSE(units.outcome().done) << cycle;
    end.cycle = cycle;
    units.take(fabric_of(bench).slice(1), end, false);
  }
  EXPECT_TRUE(units.outcome().done);
  EXPECT_EQ(units.outcome().cycle, 42U);
}

/// A link that its circuit keeps to itself is closed while it has it.
TEST(UnitOfSomebodyElse, ClosesLinksThatAreNotShared) {
  for (const bool share : {true, false}) {
    models::Experiment e = tile_streams(3, 1, 1, {{0, 2}});
    e.set("router.share_reserved_links", share);
    Bench bench(e, 3);
    const RouterBank& bank = fabric_of(bench).bank();
    const PortIndex east = bank.port_index(RouterId{1}, routing::kEast);
    SetupAction action;
    action.reserve_in = bank.circuit_vc(bank.port_index(RouterId{1}, routing::kWest));
    action.reserve_out = bank.circuit_vc(east);
    units_of(bench).take(fabric_of(bench).slice(1), action, false);
    EXPECT_EQ(bank.closed_outputs[east], !share);
    std::swap(action.reserve_in, action.release_in);
    std::swap(action.reserve_out, action.release_out);
    units_of(bench).take(fabric_of(bench).slice(1), action, false);
    EXPECT_FALSE(bank.closed_outputs[east]);
  }
}

}  // namespace
}  // namespace braid::test::setup_parts_test
