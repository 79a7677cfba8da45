// Why planes cannot run some routers, one reason at a time, and the first of several; and on whose borders threads are
// cut then.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/families/hybrid/fabric.h"
// Vectors are handed over among functions that are compiled into each other.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "models/families/hybrid/planes/registers.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::plane_refusals_test {
namespace {

using models::Experiment;

/// "": planes can.
std::string because(Experiment e, std::size_t slices = 1) {
  e.set("simulation.engine", std::string("auto"));
  const Bench bench(e, slices);
  const auto engines = bench.network->fabric().engines();
  return engines ? engines->lists_because : "nobody asks";
}
std::string with(const std::string& key, const OptionValue& value) {
  Experiment e = uniform_mesh(0.1, 4, 4);
  e.set(key, value);
  return because(e);
}

TEST(PlaneRefusals, AreOfMechanismsOfARouter) {
  EXPECT_EQ(because(uniform_mesh(0.1, 4, 4)), "");
  EXPECT_EQ(with("router.buffer_bypass", true), "router.buffer_bypass = true");
  EXPECT_EQ(with("router.lookahead", true), "router.lookahead = true");
  EXPECT_EQ(with("router.speculative", true), "router.speculative = true");
  Experiment shared = uniform_mesh(0.1, 4, 4);
  shared.set("router.buffers", "shared");
  EXPECT_EQ(because(shared), "router.buffers = \"shared\"");
  EXPECT_EQ(with("router.input_speedup", std::int64_t{2}), "router.input_speedup = 2");
  EXPECT_EQ(with("router.output_speedup", std::int64_t{2}), "router.output_speedup = 2");
  Experiment several = uniform_mesh(0.1, 4, 4);
  several.set("router.lookahead", true).set("router.buffers", "shared");
  EXPECT_EQ(because(several), "router.buffers = \"shared\"") << "the first of two";
}

/// In turn or by a matrix, in the one allocator that takes turns.
TEST(PlaneRefusals, AreOfAllocatorsAndArbiters) {
  const auto both = [](const char* allocator, const char* arbiter) {
    Experiment e = uniform_mesh(0.1, 4, 4);
    e.set("router.switch_allocator", allocator).set("router.arbiter", arbiter);
    return because(e);
  };
  EXPECT_EQ(both("separable_input_first", "round_robin"), "");
  EXPECT_EQ(both("separable_input_first", "matrix"), "");
  EXPECT_EQ(both("separable_input_first", "oldest_first"),
            "router.switch_allocator = \"separable_input_first\" with router.arbiter = \"oldest_first\"");
  EXPECT_EQ(both("wavefront", "round_robin"),
            "router.switch_allocator = \"wavefront\" with router.arbiter = \"round_robin\"");
  EXPECT_EQ(both("islip", "matrix"), "router.switch_allocator = \"islip\" with router.arbiter = \"matrix\"");
}

/// Circuits that keep nothing but ports from packets.
TEST(PlaneRefusals, AreOfTurnsBesideCircuitsAndOfCircuitsThatFork) {
  const auto circuits = [](const std::string& key, const OptionValue& value) {
    Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
    e.set(key, value);
    return because(e);
  };
  EXPECT_EQ(circuits("router.circuit_lanes", std::int64_t{4}), "");
  EXPECT_EQ(circuits("router.share_reserved_links", false), "");
  EXPECT_EQ(circuits("setup.searches", std::string("parallel")), "");
  EXPECT_EQ(circuits("router.circuit_burst_flits", std::int64_t{3}), "router.circuit_burst_flits = 3");
  EXPECT_EQ(circuits("stream.multicast", std::string("routers")), "stream.multicast = \"routers\"");
}

TEST(PlaneRefusals, AreOfLinksThatGoOneWay) {
  Experiment butterfly = uniform_mesh(0.1);
  butterfly.set("topology.kind", "butterfly").set("routing.algorithm", "destination_tag");
  EXPECT_EQ(because(butterfly), "links that go one way");
}

/// Classes that have VCs of their own take others of the injection link than those of another class.
TEST(PlaneRefusals, AreOfVirtualNetworks) {
  const auto classes = [](const char* a, const char* b) {
    return models::parse_experiment(std::string("[topology]\nwidth = 4\nheight = 4\n[[traffic]]\nname = \"a\"\n") + a +
                                        "[[traffic]]\nname = \"b\"\n" + b,
                                    "e.toml");
  };
  EXPECT_EQ(because(classes("", "")), "");
  EXPECT_EQ(because(classes("vcs = [0, 1]\n", "vcs = [2, 3]\n")), "VCs of their own for classes of traffic");
}

/// What nodes leave at their ports, whichever bound says so.
TEST(PlaneRefusals, AreOfNodesThatLeaveFlits) {
  for (const char* key : {"interface.packet_injection_flits", "interface.packet_ejection_flits"}) {
    EXPECT_EQ(with(key, std::int64_t{1}),
              "nodes that leave flits at their ports (interface.packet_*_flits, interface.circuit_*_flits, "
              "interface.ejection_queue_items)")
        << key;
  }
}

/// Of 272 routers on two threads: behind 256 where planes may run them, else in the middle.
std::vector<std::uint32_t> borders(Experiment e, const char* engine = "auto") {
  e.set("simulation.engine", std::string(engine));
  e.set("simulation.threads", 2);
  const Bench bench(e, 2);
  auto& fabric = models::hybrid::of(bench.network->fabric());
  std::vector<std::uint32_t> firsts;
  for (std::size_t s = 0; s < fabric.slice_count(); ++s) {
    firsts.push_back(models::hybrid::planes::Registers::range(fabric.slice(s)).first);
  }
  return firsts;
}

/// Circuits go by lists in either case.
TEST(PlaneThreads, AreCutForPlanesBesideCircuitsWhereTheyAreAskedFor) {
  const Experiment circuits = tile_streams(17, 16, 1, {{0, 3}});
  EXPECT_EQ(borders(circuits), (std::vector<std::uint32_t>{0, 136}));
  EXPECT_EQ(borders(circuits, "planes"), (std::vector<std::uint32_t>{0, 256}));
  EXPECT_EQ(borders(tile_streams(4, 4, 1, {{0, 3}}), "planes"), std::vector<std::uint32_t>{0});
}

TEST(PlaneThreads, AreCutForListsWhereAMechanismIsNotForPlanes) {
  using Borders = std::vector<std::uint32_t>;
  const Borders planes{0, 256}, lists{0, 136};
  struct Case {
    const char* key;
    std::uint32_t value;
    bool planes;
  };
  for (const Case& c :
       {Case{"router.vcs", 8, true}, Case{"router.vcs", 9, false}, Case{"router.buffer_depth", 127, true},
        Case{"router.buffer_depth", 128, false}, Case{"topology.local_ports", 12, true},
        Case{"topology.local_ports", 13, false}, Case{"topology.link_latency_cycles", 64, true},
        Case{"topology.link_latency_cycles", 65, false}, Case{"interface.packet_injection_flits", 1, false},
        Case{"interface.packet_ejection_flits", 1, false}, Case{"router.input_speedup", 2, false},
        Case{"router.output_speedup", 2, false}}) {
    Experiment e = uniform_mesh(0.1, 17, 16);
    e.set(c.key, c.value);
    EXPECT_EQ(borders(e), c.planes ? planes : lists) << c.key << " = " << c.value;
  }
  for (const char* key : {"router.buffer_bypass", "router.lookahead", "router.speculative"}) {
    Experiment e = uniform_mesh(0.1, 17, 16);
    e.set(key, true);
    EXPECT_EQ(borders(e), lists) << key;
  }
  for (const auto& [key, value, with_planes] :
       {std::tuple("router.buffers", "shared", false), std::tuple("router.arbiter", "matrix", true),
        std::tuple("router.arbiter", "oldest_first", false), std::tuple("router.switch_allocator", "islip", false),
        std::tuple("router.vc_allocator", "islip", true), std::tuple("routing.algorithm", "odd_even", true)}) {
    Experiment e = uniform_mesh(0.1, 17, 16);
    e.set(key, std::string(value));
    EXPECT_EQ(borders(e), with_planes ? planes : lists) << key << " = " << value;
  }
  const auto classes = [](const char* a, const char* b) {
    return models::parse_experiment(std::string("[topology]\nwidth = 17\nheight = 16\n[[traffic]]\nname = \"a\"\n") +
                                        a + "[[traffic]]\nname = \"b\"\n" + b,
                                    "e.toml");
  };
  EXPECT_EQ(borders(classes("", "")), planes);
  EXPECT_EQ(borders(classes("vcs = [0, 1]\n", "vcs = [2, 3]\n")), lists);
  Experiment butterfly = uniform_mesh(0.1);  // five stages of 256 routers
  butterfly.set("topology.kind", "butterfly").set("routing.algorithm", "destination_tag");
  butterfly.set("topology.arity", 4).set("topology.stages", 5);
  EXPECT_EQ(borders(butterfly), (Borders{0, 640}));
}

}  // namespace
}  // namespace braid::test::plane_refusals_test
