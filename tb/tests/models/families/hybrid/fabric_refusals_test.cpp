// What hybrid routers cannot go with, each by itself and in its words, and how a network of them is cut into slices.
// (Circuits that fork: models/workload/streams/multicast_test.cpp. Packets that fork: packet_forks_test.cpp, too.)
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/router_timing.h"
#include "models/families/hybrid/fabric.h"
#include "models/families/hybrid/stand_in.h"
#include "routing/base/break_off.h"
#include "tb/tests/support/copies.h"
#include "tb/tests/support/forks.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/tile_streams.h"
#include "tb/tests/support/wave.h"

namespace braid::test::fabric_refusals_test {
namespace {

using models::Experiment;
using models::hybrid::Fabric;
using Change = std::function<void(Experiment&)>;

// ---------------------------------------------------------------- programs that change

std::string change_refused(const Change& change) {
  Experiment e = tile_streams(3, 3, 2, {{0, 2}});
  change(e);
  const Bench bench(e);
  return complaint([&] { models::hybrid::of(bench.network->fabric()).change_circuits(); });
}

TEST(CircuitChange, IsRefusedBesideOtherHoldersOfTheToken) {
  EXPECT_EQ(change_refused([](Experiment&) {}), "");
  EXPECT_EQ(change_refused([](Experiment& e) { e.set("setup.searches", "parallel"); }),
            "setup.searches = \"parallel\": a section [change] has the holder of the set-up token search: expected "
            "\"one_at_a_time\"");
  EXPECT_EQ(
      change_refused([](Experiment& e) { e.set("stream.multicast", "routers"); }),
      "stream.multicast = \"routers\": the branches of a tree do not move, and a section [change] moves circuits: "
      "expected \"none\"");
  for (const char* reroute : {"each", "all"}) {
    EXPECT_EQ(change_refused([&](Experiment& e) { e.set("setup.reroute", reroute); }),
              "setup.reroute: the set-up token has one holder, and a section [change] wants it; expected \"none\"");
  }
  EXPECT_EQ(change_refused([](Experiment& e) { e.set("setup.paths", "sequential"); }),
            "setup.paths = \"sequential\" installs circuits once, and a section [change] has the routers search: "
            "expected \"routers\"");
}

TEST(CircuitChange, KnowsTheCyclesOfTheToken) {
  for (const std::uint32_t token : {1U, 7U}) {
    Experiment e = tile_streams(3, 1, 1, {{0, 2}});
    e.set("setup.token_cycles", token);
    const Bench bench(e);
    EXPECT_EQ(models::hybrid::of(bench.network->fabric()).change_circuits().token_cycles(), token);
  }
}

// ---------------------------------------------------------------- packets that fork

std::string copies_refused(const Change& change) {
  Experiment e = CopyRig::mesh(4, 4);
  change(e);
  return complaint([&] { const CopyRig rig(std::move(e), 1); });
}

TEST(PacketForkRefusals, SayWhatIsExpectedOfEach) {
  EXPECT_EQ(copies_refused([](Experiment&) {}), "");
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("simulation.schedule", "process_per_stage"); }),
            "a test: packets fork where one thread runs all routers by the static schedule; expected "
            "simulation.schedule = \"static\" and simulation.threads = 1");
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("simulation.schedule", "static"); }), "");
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("simulation.engine", "planes"); }),
            "a test: planes give a packet one way on; expected simulation.engine = \"auto\" or \"lists\"");
  EXPECT_EQ(copies_refused([](Experiment& e) {
              e.open("stream");
              e.set("interface.switching", "circuit");
            }),
            "a test: circuits share the switch with packets that go one way; expected none");
  for (const char* key : {"router.input_speedup", "router.output_speedup"}) {
    EXPECT_EQ(
        copies_refused([&](Experiment& e) { e.set(key, 2); }),
        "a test: branches ask for whole ports of the switch, and here is " + std::string(key) + " = 2; expected 1");
  }
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("router.internal_speedup", 1.5); }),
            "a test: branches ask for whole ports of the switch, and here is router.internal_speedup = 1.5; expected "
            "1");
  EXPECT_EQ(copies_refused([](Experiment& e) {
              e.unset("router.buffer_depth");
              e.set("router.buffers", "shared");
            }),
            "a test: a branch's room for a whole packet must stay its own; expected router.buffers = \"private\"");
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("router.lookahead", true); }),
            "a test: a head that forks has several routes; expected router.lookahead = false");
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("router.speculative", true); }),
            "a test: a head that speculates asks for one way; expected router.speculative = false");
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("router.buffer_bypass", true); }),
            "a test: a flit that several branches send is in its buffer; expected router.buffer_bypass = false");
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("interface.packet_injection_flits", 1); }),
            "a test: a node that leaves flits at its ports may stop a tree; expected no interface.packet_*_flits and "
            "no interface.ejection_queue_items");
}

/// Whatever waits before the interface: a scheduler or a gate, each by itself.
TEST(PacketForkRefusals, AreOfQueuesBeforeTheInterface) {
  const std::string queue =
      "a test: a queue before the interface holds packets of one destination; expected interface.scheduler = \"fifo\" "
      "and interface.fairness = \"none\"";
  const auto with = [](const char* scheduler, const char* fairness) {
    return copies_refused([&](Experiment& e) {
      if (*scheduler != '\0') e.set("interface.scheduler", scheduler);
      if (*fairness != '\0') e.set("interface.fairness", fairness);
    });
  };
  EXPECT_EQ(with("fifo", "none"), "");
  EXPECT_EQ(with("fifo", ""), "");
  EXPECT_EQ(with("", "none"), "");
  EXPECT_EQ(with("classes", ""), queue);
  EXPECT_EQ(with("classes", "none"), queue);
  EXPECT_EQ(with("", "sat"), queue);
  EXPECT_EQ(with("fifo", "sat"), queue);
}

/// Several candidates, ways that are drawn, VCs to escape by, queues.
TEST(PacketForkRefusals, AreOfEveryRoutingWithMoreThanOneWay) {
  const std::string one_way =
      "a test: a tree is made of the one way that each destination has; expected a routing.algorithm that is "
      "deterministic, as \"x_first\", no routing.ties that are drawn, and topology.local_ports = 1";
  const auto grid = [&](const char* kind, const char* algorithm, const char* ties) {
    return copies_refused([&](Experiment& e) {
      e.set("topology.kind", kind);
      e.set("routing.algorithm", algorithm);
      e.set("router.vcs", 4);
      if (*ties != '\0') e.set("routing.ties", ties);
    });
  };
  EXPECT_EQ(grid("mesh", "x_first", ""), "");
  EXPECT_EQ(grid("mesh", "minimal_adaptive", ""), one_way);
  EXPECT_EQ(grid("mesh", "west_first", ""), one_way);
  EXPECT_EQ(grid("mesh", "xy_yx", ""), one_way);
  EXPECT_EQ(grid("torus", "x_first", "fixed"), "");
  EXPECT_EQ(grid("torus", "x_first", "drawn"), one_way);
  EXPECT_EQ(copies_refused([](Experiment& e) { e.set("topology.local_ports", 2); }), one_way);
  const auto dragonfly = [&](const char* algorithm) {
    Experiment e;
    e.set("topology.kind", "dragonfly");
    e.set("routing.algorithm", algorithm);
    e.set("router.vcs", 6);
    return complaint([&] { const CopyRig rig(e, 1); });
  };
  EXPECT_EQ(dragonfly("valiant"), one_way);
  EXPECT_EQ(dragonfly("ugal"), one_way);
}

/// Of what they can, planes are not among it.
TEST(PacketForks, AreNotForPlanes) {
  CopyRig with(CopyRig::mesh(4, 4), 1), without(CopyRig::mesh(4, 4), 0);
  EXPECT_TRUE(without.fabric().has_planes());
  EXPECT_EQ(without.fabric().engines()->lists_because, "");
  EXPECT_FALSE(with.fabric().has_planes());
  EXPECT_EQ(with.fabric().engines()->lists_because, "packets that routers copy");
  EXPECT_EQ(complaint([&] { with.fabric().copy_packets("twice", 4); }), "") << "another user of them";
  EXPECT_EQ(complaint([&] { with.fabric().copy_packets("twice", 5); }),
            "twice: where ways part each branch needs room for the whole packet; expected packets of at most "
            "router.buffer_depth = 4 flits, not of 5");
}

// ---------------------------------------------------------------- crossbars, engines

TEST(OutputBuffer, IsOfCrossbarsThatMayFillIt) {
  const auto says = [](std::uint32_t buffer, std::uint32_t input, std::uint32_t output, double internal) {
    Experiment e = uniform_mesh(0.0, 2, 2);
    e.set("router.output_buffer", buffer);
    e.set("router.input_speedup", input);
    e.set("router.output_speedup", output);
    e.set("router.internal_speedup", internal);
    return refusal(e);
  };
  const std::string none =
      "router.output_buffer = 3: a flit waits there where several may come to an output in a cycle; expected 0, or "
      "router.output_speedup or router.internal_speedup above 1";
  EXPECT_EQ(says(3, 1, 1, 1), none);
  EXPECT_EQ(says(3, 2, 1, 1), none);
  EXPECT_EQ(says(3, 1, 2, 1), "");
  EXPECT_EQ(says(3, 1, 1, 1.5), "");
  EXPECT_EQ(says(0, 1, 1, 1), "");
  EXPECT_EQ(says(0, 2, 2, 2), "");
}

/// The key of the first that is not 1: internal, input, output.
TEST(Speedup, IsNamedByOneOfItsKeys) {
  models::hybrid::Options o;
  EXPECT_EQ(models::hybrid::speedup_of(o), "");
  o.output_speedup = 2;
  EXPECT_EQ(models::hybrid::speedup_of(o), "router.output_speedup = 2");
  o.input_speedup = 3;
  EXPECT_EQ(models::hybrid::speedup_of(o), "router.input_speedup = 3");
  o.internal_speedup = 1.25;
  EXPECT_EQ(models::hybrid::speedup_of(o), "router.internal_speedup = 1.25");
  EXPECT_EQ(complaint([&] { models::hybrid::refuse_speedups(o, "why", " or so"); }),
            "router.internal_speedup = 1.25: why; expected 1 or so");
  EXPECT_EQ(complaint([&] { models::hybrid::refuse_speedups({}, "why"); }), "");
}

/// A VC of shared buffers may hold its own places and the pool: 127 flits at most, however they are parted.
TEST(SharedDepth, IsAtMost127WithAVcsOwnPlaces) {
  const auto depth = [](std::uint32_t reserved, std::uint32_t shared) {
    Experiment e = uniform_mesh(0.0, 2, 2);
    e.set("router.buffers", "shared");
    e.set("router.reserved_depth", reserved);
    e.set("router.shared_depth", shared);
    std::uint32_t of_a_vc = 0;
    const std::string said = complaint([&] { of_a_vc = models::hybrid::read_options(e).buffer_depth; });
    return std::pair(of_a_vc, said);
  };
  using Depth = std::pair<std::uint32_t, std::string>;
  EXPECT_EQ(depth(1, 126), (Depth{127, ""}));
  EXPECT_EQ(depth(64, 63), (Depth{127, ""}));
  EXPECT_EQ(depth(3, 4), (Depth{7, ""}));
  EXPECT_EQ(depth(2, 126), (Depth{0,
                                  "router.shared_depth = 126: a VC may hold that and router.reserved_depth = 2; "
                                  "expected at most 125"}));
  EXPECT_EQ(depth(64, 64), (Depth{0,
                                  "router.shared_depth = 64: a VC may hold that and router.reserved_depth = 64; "
                                  "expected at most 63"}));
}

/// A step of the pipeline a cycle is what a waveform shows: more ports of the crossbar are no more steps.
TEST(Speedup, OfStepsIsNotShownInWaveforms) {
  Experiment e = uniform_mesh(0.0, 2, 2);
  e.set("router.input_speedup", 2);
  e.set("router.output_speedup", 2);
  Bench two(e);
  EXPECT_EQ(complaint([&] { const Wave wave(two); }), "");
  e.set("router.internal_speedup", 2.0);
  Bench faster(e);
  EXPECT_EQ(complaint([&] { const Wave wave(faster); }),
            "router.internal_speedup = 2: a waveform shows one step of the pipeline a cycle; expected 1, or no "
            "waveform");
}

/// Estimates of latency know a crossbar as fast as the links, and nodes by their ports.
TEST(RouterTiming, IsNotOfFasterCrossbarsNorOfBoundedNodes) {
  const auto said = [](const std::string& key, const auto& value) {
    Experiment e = uniform_mesh(0.0, 2, 2);
    e.set(key, value);
    return complaint([&] { (void)models::RouterTimingRegistry::instance().make("hybrid", e); });
  };
  for (const char* key : {"router.input_speedup", "router.output_speedup"}) {
    EXPECT_EQ(said(key, 1), "") << key;
    EXPECT_EQ(said(key, 2), std::string(key) +
                                " = 2: estimates know a crossbar that is as fast as the links; expected 1, or "
                                "tlm.style = \"cycle_accurate\"");
  }
  EXPECT_EQ(said("router.internal_speedup", 1.5),
            "router.internal_speedup = 1.5: estimates know a crossbar that is as fast as the links; expected 1, or "
            "tlm.style = \"cycle_accurate\"");
  EXPECT_NE(said("interface.packet_injection_flits", 1), "");
  EXPECT_NE(said("interface.packet_ejection_flits", 1), "");
}

TEST(Planes, AreNotForRoutesByQueues) {
  Experiment e;
  e.set("topology.kind", "dragonfly");
  e.set("routing.algorithm", "ugal");
  e.set("router.vcs", 6);
  add_traffic(e, 0.1);
  const auto because = [](const Experiment& of) {
    const auto engines = Bench(of).network->fabric().engines();
    return engines ? engines->lists_because : "nobody asks";
  };
  EXPECT_EQ(because(e), "routes by queues");
  e.set("simulation.engine", "planes");
  EXPECT_EQ(refusal(e), "simulation.engine = \"planes\" cannot run routes by queues; expected \"auto\" or \"lists\"");
  e.set("simulation.engine", "lists");
  EXPECT_EQ(because(e), "nobody asks");
  e.set("routing.algorithm", "dragonfly_minimal");
  e.set("simulation.engine", "auto");
  EXPECT_EQ(because(e), "");
}

/// A slice that begins within a block of routers is not for planes.
TEST(Planes, AreForSlicesOfWholeBlocks) {
  const std::size_t block = models::hybrid::cycle_engine().routers_together;
  const auto because = [](const Experiment& e, std::size_t slices) {
    return Bench(e, slices).network->fabric().engines()->lists_because;
  };
  Experiment e = uniform_mesh(0.0, 4, 4);
  EXPECT_EQ(because(e, 1), "");
  EXPECT_EQ(because(e, 2), "routers in several threads, processes, RTL or pins");
  e.set("simulation.engine", "planes");
  EXPECT_EQ(complaint([&] { const Bench bench(e, 2); }),
            "simulation.engine = \"planes\" cannot run routers in several threads, processes, RTL or pins; expected "
            "\"auto\" or \"lists\"");
  EXPECT_GT(block, 1U);
}

// ---------------------------------------------------------------- elaboration

/// A large network takes long to make: whoever waits is asked before each slice, and may break it off.
TEST(Elaboration, MayBeBrokenOffBeforeEachSlice) {
  const Experiment e = uniform_mesh(0.0, 4, 4);
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  struct Enough : std::exception {};
  for (const std::size_t slices : {1U, 5U, 16U}) {
    models::PacketStore store;
    const models::Slicing slicing(topology.router_count(), slices);
    std::size_t asked = 0;
    {
      const routing::BreakOff count([&](const std::string&, std::uint64_t, std::uint64_t) { ++asked; });
      const Fabric fabric(models::FabricContext{e, topology, *routing, store, slicing});
    }
    EXPECT_EQ(asked, slices);
    const routing::BreakOff stop([](const std::string&, std::uint64_t, std::uint64_t) { throw Enough(); });
    EXPECT_THROW(Fabric(models::FabricContext{e, topology, *routing, store, slicing}), Enough);
  }
}

// ---------------------------------------------------------------- slices

/// Rows of about as many routers as a block of planes has. `cut`: what is wanted are four slices.
TEST(CutOfANetwork, IsInBlocksWherePlanesMayRun) {
  const models::hybrid::CycleEngineKind& planes = models::hybrid::cycle_engine();
  const auto family = models::FabricRegistry::instance().make("hybrid");
  const auto block = static_cast<std::uint32_t>(planes.routers_together);
  for (const std::uint32_t routers : {block - 1, block, block + 1, 2 * block, 2 * block + 1}) {
    for (const char* engine : {"auto", "lists", "planes"}) {
      Experiment e = uniform_mesh(0.1, routers, 1);
      e.set("simulation.engine", engine);
      const routing::Topology topology = routing::make_topology(e);
      const auto routing = routing::make_routing(topology, e);
      const auto cut = family->cut(e, topology, *routing, 4);
      const std::string what = std::to_string(routers) + " routers, " + engine;
      const std::size_t blocks = (routers + block - 1) / block;
      if (std::string(engine) == "lists") {
        EXPECT_EQ(cut.slices, 4U) << what;
        EXPECT_EQ(cut.together, 1U) << what;
      } else {
        EXPECT_EQ(cut.slices, std::min<std::size_t>(4, blocks)) << what;
        EXPECT_EQ(cut.together, block) << what;
      }
      EXPECT_EQ(family->slices(e, 4, routers), 4U) << what;
      EXPECT_EQ(family->slices(e, 4, 3), 3U) << what;
      EXPECT_FALSE(family->one_thread(e)) << what;
    }
  }
}

/// Where planes cannot have several threads, several are lists', unless planes are asked for or all is one block.
TEST(CutOfANetwork, IsOfListsWherePlanesHaveOneThread) {
  const models::hybrid::CycleEngineKind& planes = models::hybrid::cycle_engine();
  const auto family = models::FabricRegistry::instance().make("hybrid");
  const auto block = static_cast<std::uint32_t>(planes.routers_together);
  const auto cut = [&](const char* engine, std::uint32_t switches, const std::string& key = "") {
    Experiment e;
    e.set("topology.kind", "irregular");
    e.set("topology.switches", switches);
    e.set("routing.algorithm", "table");
    if (!key.empty()) e.set(key, true);
    e.set("simulation.engine", engine);
    add_traffic(e, 0.1);
    const routing::Topology topology = routing::make_topology(e);
    const auto routing = routing::make_routing(topology, e);
    const auto of = family->cut(e, topology, *routing, 4);
    return std::pair(of.slices, of.together);
  };
  using Cut = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(cut("auto", 16), (Cut{1, block}));
  EXPECT_EQ(cut("auto", block + 1), (Cut{4, 1}));
  EXPECT_EQ(cut("lists", block + 1), (Cut{4, 1}));
  EXPECT_EQ(cut("planes", block + 1), (Cut{1, block}));
  EXPECT_EQ(cut("auto", 16, "router.lookahead"), (Cut{4, 1})) << "planes cannot";
}

/// A router with a stand-in is a slice of its own, and then all are; of processes of SystemC on one thread.
TEST(CutOfANetwork, IsOfSingleRoutersWhereAnyHasAStandIn) {
  const auto family = models::FabricRegistry::instance().make("hybrid");
  Experiment e = uniform_mesh(0.1, 4, 4);
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  e.set("router.implementation", "pins");
  EXPECT_EQ(family->slices(e, 4, 16), 16U);
  EXPECT_EQ(family->cut(e, topology, *routing, 4).slices, 16U);
  EXPECT_EQ(family->cut(e, topology, *routing, 4).together, 1U);
  EXPECT_TRUE(family->one_thread(e)) << "pins are bound to modules";
  EXPECT_TRUE(family->one_way_links());
  EXPECT_TRUE(family->shown_buffers().occupancy);
  EXPECT_TRUE(family->shown_buffers().credits);
}

}  // namespace
}  // namespace braid::test::fabric_refusals_test
