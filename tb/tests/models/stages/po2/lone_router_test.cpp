// The registers of a PO2 router for a module that stands alone: those of its site, with packets of its own.
#include "models/stages/po2/lone_router.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "tb/tests/support/graphs.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::lone_router_test {
namespace {

using models::Experiment;
using models::stages::Bits;
using models::stages::po2::Buffer;
using models::stages::po2::LoneRouter;
using models::stages::po2::Site;
using State = Buffer::State;

struct Place {
  explicit Place(Experiment e) : experiment(std::move(e)) {}
  Site site(std::size_t router) const { return {experiment, topology, *routing, RouterId{router}}; }
  Experiment experiment;
  routing::Topology topology = routing::make_topology(experiment);
  std::unique_ptr<routing::RoutingAlgorithm> routing = routing::make_routing(topology, experiment);
};

/// A row of three with two ports a node: ports east, west, north, south and the node's.
Experiment row() {
  Experiment e = small_po2(3, 1);
  e.set("topology.local_ports", 2);
  e.set("po2.buffers", 5);
  return e;
}

TEST(LoneRouter, StandsAtItsPlaceInTheRow) {
  const Place place(row());
  LoneRouter lone(place.site(1));
  EXPECT_EQ(lone.number(), 1U);
  const std::array<bool, 6> to_routers{true, true, false, false, false, false};
  const std::array<bool, 6> to_nodes{false, false, false, false, true, true};
  for (std::size_t p = 0; p < 6; ++p) {
    EXPECT_EQ(lone.leads_to_router(p), to_routers[p]) << p;
    EXPECT_EQ(lone.leads_to_node(p), to_nodes[p]) << p;
  }
  EXPECT_EQ(lone.local_port(4), 2U) << "behind those of node 0";
  EXPECT_EQ(lone.local_port(5), 3U);
  EXPECT_EQ(&lone.far(0), &lone.slice().router(2));
  EXPECT_EQ(&lone.far(1), &lone.slice().router(0));
  EXPECT_EQ(&lone.far_offer(0), &lone.slice().router(2).offers[1]) << "its port west";
  EXPECT_EQ(&lone.registers(), &lone.slice().router(1));
  EXPECT_EQ(lone.registers().buffers.size(), 5U);
}

/// A packet for each buffer and two for each port, and those that it makes: all of them different.
TEST(LoneRouter, HasPacketsOfItsOwn) {
  const Place place(row());
  LoneRouter lone(place.site(1));
  std::set<models::PacketSlot> slots;
  for (std::size_t b = 0; b < 5; ++b) slots.insert(lone.of_buffer(b));
  for (std::size_t p = 0; p < 6; ++p) {
    slots.insert(lone.sent_by(p));
    slots.insert(lone.received_by(p));
  }
  for (int i = 0; i < 3; ++i) slots.insert(lone.make_packet());
  EXPECT_EQ(slots.size(), 5U + 2 * 6 + 3);
  for (const models::PacketSlot slot : slots) EXPECT_EQ(lone.store()[slot].length_flits, models::Packet{}.length_flits);
}

TEST(LoneRouter, HoldsPacketsAndLetsThemWaitInTurn) {
  const Place place(row());
  LoneRouter lone(place.site(1));
  Buffer waits, arrives;
  waits.state = State::kWaiting;
  waits.pool_class = 2;
  arrives.state = State::kArriving;
  lone.hold(3, waits);
  lone.hold(1, arrives);
  lone.hold(0, waits);
  EXPECT_EQ(lone.registers().waiting, (std::vector<std::uint8_t>{3, 0}));
  EXPECT_EQ(lone.registers().free, 0b10100U);
  EXPECT_EQ(lone.registers().use, (models::po2::PoolUse{1, 0, 2}));
  lone.hold(1, waits);
  EXPECT_EQ(lone.registers().free, 0b10100U) << "it was taken before";
  EXPECT_EQ(lone.registers().use, (models::po2::PoolUse{1, 0, 2}));
  EXPECT_EQ(lone.registers().waiting, (std::vector<std::uint8_t>{3, 0, 1}));
  EXPECT_EQ(lone.registers().buffers[1].pool_class, 2U);
}

TEST(LoneRouter, TellsOfRoomByClass) {
  const Place place(row());
  const LoneRouter lone(place.site(1));
  EXPECT_EQ(lone.use_with_room(0b111), (models::po2::PoolUse{0, 0, 0}));
  EXPECT_EQ(lone.use_with_room(0b101), (models::po2::PoolUse{0, 5, 0}));
  EXPECT_EQ(lone.use_with_room(0), (models::po2::PoolUse{5, 5, 5}));
}

/// Of the second of two pools on one port: four entries behind.
TEST(LoneRouter, ShowsThePacketsThatAPoolSaysItHolds) {
  const Place place(row());
  LoneRouter lone(place.site(1));
  Bits blocking(9), messages(9 * 32);
  for (const unsigned b : {0U, 5U, 8U}) blocking.set(b);
  for (unsigned b = 0; b < 9; ++b) messages.set(b * 32, 32, 100 + b);
  LoneRouter::show_messages(lone.far(0), blocking, messages, 4);
  for (unsigned b = 0; b < 5; ++b) {
    EXPECT_EQ(lone.far(0).buffers[b].state, b == 1 || b == 4 ? State::kArriving : State::kFree) << b;
    EXPECT_EQ(lone.far(0).buffers[b].message, 104 + b);
  }
}

/// What its ports have no wires for is for whole networks.
TEST(LoneRouter, IsRefusedWhereItsPortsDoNotSayAll) {
  const std::pair<const char*, OptionValue> cases[] = {
      {"po2.rejection", std::string("tried_on_links")}, {"po2.error_rate", 0.1},
      {"po2.crossbar_in_ports", std::int64_t{1}},       {"po2.crossbar_out_ports", std::int64_t{1}},
      {"po2.switch_cycles", std::int64_t{1}},           {"po2.miss_cycles", std::int64_t{1}}};
  for (const auto& [key, value] : cases) {
    Experiment e = row();
    e.set(key, value);
    const Place place(e);
    EXPECT_EQ(complaint([&place = place] { const LoneRouter lone(place.site(1)); }),
              "a module of a PO2 router that stands alone has no ports for " + std::string(key) +
                  ": expected its default, or a whole network");
  }
  const Place place(row());
  EXPECT_EQ(complaint([&] { const LoneRouter lone(place.site(1)); }), "");
}

// ---------------------------------------------------------------- the network that it is one of

/// Two buffers are kept for those that escape: one is left for the others, at least.
TEST(Po2Avoidance, NeedsABufferMoreThanItKeeps) {
  for (const std::int64_t buffers : {1, 2, 3}) {
    Experiment e = small_po2(3, 1);
    e.set("po2.avoidance", "up_down_escape");
    e.set("po2.buffers", buffers);
    EXPECT_EQ(complaint([&] { const Bench bench(e); }),
              buffers > 2
                  ? ""
                  : "po2.avoidance = \"up_down_escape\" needs po2.buffers > 2; it is " + std::to_string(buffers));
  }
}

/// The paper's pool can deadlock, whatever the routes.
TEST(Po2Avoidance, IsWhatKeepsAPoolFromDeadlock) {
  for (const bool avoids : {false, true}) {
    Experiment e = small_po2(3, 1);
    e.set("po2.avoidance", avoids ? "up_down_escape" : "none");
    const Bench bench(e);
    const std::string said =
        complaint([&] { po2_fabric(bench).check_deadlock_free(bench.topology, *bench.routing, 1, nullptr); });
    EXPECT_EQ(said.rfind("router.architecture = \"po2\" can deadlock: ", 0), avoids ? std::string::npos : 0U) << said;
  }
}

}  // namespace
}  // namespace braid::test::lone_router_test
