// Routers that somebody else stands in for (stand_in.h), with a stand-in of the tests: what the fabric asks of it and
// when, what it counts of flits that are inside, what it says of them, and what it is refused beside.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "models/families/hybrid/stand_in.h"
#include "tb/tests/support/copies.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::stand_in_seats_test {
namespace {

using models::Experiment;
using models::Flit;
using models::hybrid::Fabric;
using models::hybrid::Seat;
using models::hybrid::StandIn;

/// Has the slice's own stages do all of it, or half.
class Mirror final : public StandIn {
 public:
  explicit Mirror(const Seat& seat) : slice_(seat.slice) { all[seat.router.value] = this; }
  bool begin(std::uint64_t cycle) override {
    begun.push_back(cycle);
    return instead;
  }
  void commit(std::uint64_t cycle) override {
    committed.push_back(cycle);
    slice_.commit(cycle);
  }
  void show() override { ++shown; }
  void for_each_held(const std::function<void(const Flit&)>& visit) const override {
    for (const Flit& flit : held) visit(flit);
  }
  void for_each_gone(const std::function<void(const Flit&)>& visit) const override {
    for (const Flit& flit : gone) visit(flit);
  }
  bool instead = false;  // the stages of the first half are not to run
  std::vector<std::uint64_t> begun, committed;
  int shown = 0;
  std::vector<Flit> held, gone;

  inline static std::map<std::size_t, Mirror*> all;  // [router]

 private:
  models::hybrid::Slice& slice_;
};

/// In the place of these routers.
Experiment mirrored(Experiment e, const char* routers = "all") {
  static const bool registered =
      models::hybrid::StandInRegistry::instance().add("mirror", "of the tests", models::hybrid::stand_in_options(),
                                                      [](const Seat& seat) { return std::make_unique<Mirror>(seat); });
  EXPECT_TRUE(registered);
  e.set("router.implementation", "mirror");
  e.set("router.rtl_routers", routers);
  return e;
}
Fabric& fabric_of(const Bench& bench) { return models::hybrid::of(bench.network->fabric()); }
Mirror& mirror(std::size_t router) { return *Mirror::all.at(router); }

TEST(StandIn, SitsWhereItIsWanted) {
  for (const bool some : {true, false}) {
    Mirror::all.clear();
    const Bench bench(mirrored(uniform_mesh(0.0, 3, 1), some ? "2,0 0,0" : "all"), 3);
    for (std::size_t r = 0; r < 3; ++r) {
      const bool sits = !some || r != 1;
      EXPECT_EQ(fabric_of(bench).stand_in(RouterId{r}), sits ? &mirror(r) : nullptr) << r;
    }
    EXPECT_EQ(Mirror::all.size(), some ? 2U : 3U);
    EXPECT_FALSE(fabric_of(bench).has_planes());
    EXPECT_EQ(fabric_of(bench).engines()->lists_because, "routers in several threads, processes, RTL or pins");
  }
  EXPECT_EQ(complaint([] { const Bench bench(mirrored(uniform_mesh(0.0, 3, 1), "0,0 1,O"), 3); }),
            "router.rtl_routers: unknown router \"1,O\" (did you mean \"1,0\"?)");
}

/// A network of one router is one block of planes; with a stand-in, or where one thread runs it as processes, it is not
/// theirs all the same.
TEST(StandIn, IsNotForPlanesWhereItIsTheOnlyRouter) {
  Experiment e = uniform_mesh(0.0);
  e.set("topology.kind", "flattened_butterfly");
  e.set("topology.sizes", std::vector<std::uint32_t>{1});
  e.set("topology.concentration", 2);
  e.set("routing.algorithm", "dimension_order");
  const Bench seated(mirrored(e));
  EXPECT_FALSE(fabric_of(seated).has_planes());
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  for (const bool one_thread : {false, true}) {
    models::PacketStore store;
    models::Slicing slicing(1, 1);
    slicing.one_thread = one_thread;
    const Fabric fabric(models::FabricContext{e, topology, *routing, store, slicing});
    EXPECT_EQ(fabric.has_planes(), !one_thread);
    EXPECT_EQ(fabric.engines()->lists_because, one_thread ? "routers in several threads, processes, RTL or pins" : "");
  }
}

/// In every cycle once each; what the others do does not hang on it.
TEST(StandIn, HasBothHalvesOfEachCycle) {
  const Experiment e = uniform_mesh(0.3, 3, 2);
  Bench plain(e, 6), seated(mirrored(e, "1,0"), 6);
  plain.run(500);
  seated.run(500);
  EXPECT_EQ(seated.network->merged_statistics().packet_hash(), plain.network->merged_statistics().packet_hash());
  EXPECT_GT(plain.delivered(), 50U);
  const Mirror& m = mirror(1);
  ASSERT_EQ(m.begun.size(), 500U);
  ASSERT_EQ(m.committed.size(), 500U);
  for (std::uint64_t cycle = 0; cycle < 500; ++cycle) {
    EXPECT_EQ(m.begun[cycle], cycle);
    EXPECT_EQ(m.committed[cycle], cycle);
  }
}

/// One that says so has the stages of the first half stand still: nothing goes on from there.
TEST(StandIn, MayStandInForTheFirstHalf) {
  Bench bench(mirrored(uniform_mesh(0.0, 3, 1), "1,0"), 3);
  mirror(1).instead = true;
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 1);
  bench.network->send_packet(NodeId{2}, NodeId{2}, 1);
  bench.run(100);
  EXPECT_EQ(bench.delivered(), 1U) << "that of the router that is the model's";
  EXPECT_EQ(bench.network->fabric().buffered(RouterId{1}, routing::kWest, 0), 1U);
  mirror(1).instead = false;
  bench.run(20);
  EXPECT_EQ(bench.delivered(), 2U);
}

/// Registers are brought up to date for whoever looks at them.
TEST(StandIn, ShowsItsRegistersToWhoeverLooks) {
  const Bench bench(mirrored(uniform_mesh(0.0, 3, 1), "0,0 2,0"), 3);
  const Fabric& fabric = fabric_of(bench);
  const std::vector<std::function<void()>> looks{[&] { (void)fabric.census(); },
                                                 [&] { (void)fabric.buffered(RouterId{0}, PortId{0U}, 0); },
                                                 [&] { (void)fabric.credits(RouterId{0}, PortId{0U}, 0); },
                                                 [&] { (void)fabric.describe_waiting(); },
                                                 [&] { fabric.for_each_front([](models::PacketSlot) {}); },
                                                 [&] { (void)fabric.bank(); },
                                                 [&] { (void)fabric.slice(1); }};
  for (std::size_t look = 0; look < looks.size(); ++look) {
    mirror(0).shown = mirror(2).shown = 0;
    looks[look]();
    EXPECT_GT(mirror(0).shown, 0) << look;
    EXPECT_GT(mirror(2).shown, 0) << look;
  }
}

// ---------------------------------------------------------------- flits inside

/// Packets of two flits in the store of a row of routers, all of which have stand-ins.
struct Inside {
  Inside() : bench(mirrored(uniform_mesh(0.0, 3, 1)), 3) {}
  models::PacketSlot packet(std::uint64_t created, std::size_t source, std::uint32_t sequence) {
    const models::PacketSlot slot = pool.take();
    store()[slot] = {};
    store()[slot].created = created;
    store()[slot].source = NodeId{source};
    store()[slot].destination = NodeId{2};
    store()[slot].sequence = sequence;
    return slot;
  }
  static Flit head(models::PacketSlot slot) { return {slot, 0, 2, 0}; }
  static Flit tail(models::PacketSlot slot) { return {slot, 1, 2, 0}; }
  models::PacketStore& store() { return const_cast<models::PacketStore&>(fabric_of(bench).store()); }
  Bench bench;
  models::PacketStore::Pool pool{store()};
};

/// A packet counts with its tail. What has left a router already is not counted twice.
TEST(FlitsInside, AreCountedOnce) {
  Inside inside;
  const models::PacketSlot a = inside.packet(5, 0, 1), b = inside.packet(6, 1, 1);
  const auto counted = [&](std::uint64_t flits, std::uint64_t packets) {
    const auto census = fabric_of(inside.bench).census();
    EXPECT_EQ(census.flits, flits);
    EXPECT_EQ(census.packets, packets);
  };
  counted(0, 0);
  mirror(0).held = {Inside::head(a)};
  counted(1, 0);
  mirror(0).held = {Inside::head(a), Inside::tail(a)};
  mirror(2).held = {Inside::tail(b)};
  counted(3, 2);
  mirror(1).gone = {Inside::head(b)};
  counted(2, 2);
  mirror(1).gone = {Inside::head(b), Inside::tail(b)};
  counted(1, 1);
  std::vector<models::PacketSlot> fronts;
  fabric_of(inside.bench).for_each_front([&](models::PacketSlot slot) { fronts.push_back(slot); });
  EXPECT_EQ(fronts, (std::vector<models::PacketSlot>{a, a, b}));
}

/// The oldest is told: created first, then of the lowest node, then of the lowest number.
TEST(FlitsInside, AreToldByTheOldestPacket) {
  Inside inside;
  const std::vector<models::PacketSlot> by_age{inside.packet(5, 1, 8), inside.packet(6, 0, 9), inside.packet(6, 1, 3),
                                               inside.packet(6, 1, 4)};
  const std::vector<std::string> told{"8 of node 1 to node 2 (created in cycle 5)",
                                      "9 of node 0 to node 2 (created in cycle 6)",
                                      "3 of node 1 to node 2 (created in cycle 6)"};
  const auto said = [&] { return fabric_of(inside.bench).describe_waiting(); };
  const std::string none = said();
  EXPECT_EQ(none.find("holds"), std::string::npos) << none;
  const auto line = [&](const char* router, int flits, const std::string& packet) {
    return "\n  router " + std::string(router) + ", which is not the network's, holds " + std::to_string(flits) +
           " flits; the oldest packet is " + packet;
  };
  for (std::size_t oldest = 0; oldest < told.size(); ++oldest) {
    for (std::size_t other = oldest + 1; other < by_age.size(); ++other) {
      mirror(1).held = {Inside::head(by_age[oldest]), Inside::head(by_age[other])};
      EXPECT_EQ(said(), none + line("1,0", 2, told[oldest])) << other;
      mirror(1).held = {Inside::head(by_age[other]), Inside::head(by_age[oldest]), Inside::tail(by_age[other])};
      EXPECT_EQ(said(), none + line("1,0", 3, told[oldest])) << other;
    }
  }
  mirror(0).held = {Inside::head(by_age[0])};
  mirror(1).held = {};
  mirror(2).held = {Inside::head(by_age[1])};
  EXPECT_EQ(said(), none + line("0,0", 1, told[0]) + line("2,0", 1, told[1])) << "router by router";
}

// ---------------------------------------------------------------- refused

using Change = std::function<void(Experiment&)>;
std::string refused(Experiment e, const Change& change) {
  e = mirrored(std::move(e));
  change(e);
  return complaint([&] { const Bench bench(e, 3); });
}

TEST(StandIn, IsRefusedBesideWhatOnlyTheModelDoes) {
  const auto packets = [](const Change& change) { return refused(uniform_mesh(0.0, 3, 1), change); };
  const auto circuits = [](const Change& change) { return refused(tile_streams(3, 1, 1, {{0, 2}}), change); };
  const std::string beside = "beside router.implementation = \"mirror\"";
  EXPECT_EQ(packets([](Experiment&) {}), "");
  EXPECT_EQ(packets([](Experiment& e) { e.set("router.speculative", true); }),
            "router.speculative: heads that ask for the switch before they have a VC are of routers that are the "
            "model's; expected false " +
                beside);
  EXPECT_EQ(
      packets([](Experiment& e) { e.set("router.lookahead", true); }),
      "router.lookahead: heads that bring their route are of routers that are the model's; expected false " + beside);
  EXPECT_EQ(packets([](Experiment& e) { e.set("router.buffers", "shared"); }),
            "router.buffers = \"shared\": counters of a pool are of routers that are the model's; expected "
            "\"private\" " +
                beside);
  EXPECT_EQ(packets([](Experiment& e) { e.set("router.input_speedup", 2); }),
            "router.input_speedup = 2: a crossbar that is faster than the links is of routers that are the model's; "
            "expected 1, or router.implementation = \"model\"");
  EXPECT_EQ(circuits([](Experiment&) {}), "");
  EXPECT_EQ(circuits([](Experiment& e) { e.set("setup.searches", "parallel"); }),
            "setup.searches = \"parallel\": units with several searches are of routers that are the model's; expected "
            "\"one_at_a_time\"");
  EXPECT_EQ(circuits([](Experiment& e) { e.set("setup.paths", "exact"); }),
            "setup.paths = \"exact\": probes that carry their path are of routers that are the model's; expected "
            "\"routers\"");
  EXPECT_EQ(circuits([](Experiment& e) { e.set("router.circuit_burst_flits", 5); }),
            "router.circuit_burst_flits = 5: packets' turns are of routers that are the model's; expected 0 " + beside);
  EXPECT_EQ(circuits([](Experiment& e) { e.set("stream.multicast", "routers"); }),
            "stream.multicast = \"routers\": a row of the RTL's circuit table names one output; expected "
            "router.implementation = \"model\"");
}

/// Programs that change, checkpoints, packets that routers copy.
TEST(StandIn, IsRefusedToWhoeverAsksLater) {
  const Bench circuits(mirrored(tile_streams(3, 1, 1, {{0, 2}})), 3);
  EXPECT_EQ(complaint([&] { fabric_of(circuits).change_circuits(); }),
            "change: circuits of a program that changes are of routers that are the model's; expected "
            "router.implementation = \"model\"");
  EXPECT_EQ(complaint<CheckpointError>([&] { saved(fabric_of(circuits)); }),
            "router.implementation: the RTL's registers; expected \"model\" and no section [stage]");
  const Bench packets(mirrored(uniform_mesh(0.0, 3, 1), "1,0"), 3);
  EXPECT_EQ(complaint([&] { fabric_of(packets).copy_packets("a test", 1); }),
            "a test: the RTL's routers give a packet one way on; expected router.implementation = \"model\"");
}

/// Stages of somebody else's are named as such.
TEST(StagesOfSomebodyElse, AreRefusedByTheirSection) {
  const auto said = [](Experiment e, const std::string& key, const OptionValue& value) {
    e.set("stage.switch_allocator", "lockstep");
    e.set(key, value);
    return refusal(e);
  };
  EXPECT_EQ(said(uniform_mesh(0.0, 3, 1), "router.lookahead", true),
            "router.lookahead: heads that bring their route are of routers that are the model's; expected false beside "
            "a section [stage]");
  EXPECT_EQ(said(uniform_mesh(0.0, 3, 1), "router.output_speedup", std::int64_t{2}),
            "router.output_speedup = 2: a crossbar that is faster than the links is of routers that are the model's; "
            "expected 1, or no section [stage]");
  EXPECT_EQ(said(tile_streams(3, 1, 1, {{0, 2}}), "stream.multicast", std::string("routers")),
            "stream.multicast = \"routers\": routers whose stages are modules keep one output a circuit; expected no "
            "section [stage]");
}

TEST(Bubble, IsOfVirtualCutThrough) {
  Experiment e = uniform_mesh(0.0, 4, 4);
  e.set("topology.kind", "torus");
  e.set("router.vcs", 1);
  e.set("routing.bubble", true);
  EXPECT_EQ(refusal(e), "routing.bubble = true needs router.architecture = \"virtual_cut_through\"");
}

}  // namespace
}  // namespace braid::test::stand_in_seats_test
