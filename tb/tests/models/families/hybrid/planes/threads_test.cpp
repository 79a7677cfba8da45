// Planes on several threads: how a network is cut for them, and that nobody sees the cut.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

// Vectors are handed over among functions that are compiled into each other.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "models/families/hybrid/planes/links.h"
#include "models/families/hybrid/planes/registers.h"
#include "routing/base/random.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::plane_threads_test {
namespace {

using models::Experiment;

Experiment cube(const std::vector<std::uint32_t>& sizes, bool wrap) {
  Experiment e;
  e.set("topology.kind", "cube");
  e.set("topology.sizes", sizes);
  e.set("topology.wrap", wrap);
  e.set("routing.algorithm", std::string("dimension_order"));
  add_traffic(e, 0.3);
  return e;
}

Experiment with_engine(Experiment e, const char* engine) {
  e.set("simulation.engine", std::string(engine));
  return e;
}

/// The first router of each slice, as the network is cut for so many threads.
std::vector<std::uint32_t> borders(const Experiment& e, std::uint32_t threads) {
  const Bench bench(on_threads(e, threads), threads);
  std::vector<std::uint32_t> firsts;
  auto& fabric = models::hybrid::of(bench.network->fabric());
  for (std::size_t s = 0; s < fabric.slice_count(); ++s) {
    firsts.push_back(models::hybrid::planes::Registers::range(fabric.slice(s)).first);
  }
  return firsts;
}

/// A block is one thread's, and planes on one are faster than lists on two: threads are a most.
TEST(PlaneThreads, UpTo256RoutersAreOneSlice) {
  using Borders = std::vector<std::uint32_t>;
  for (const char* engine : {"auto", "planes"}) {
    EXPECT_EQ(borders(with_engine(uniform_mesh(0.1), engine), 4), Borders{0});
    EXPECT_EQ(borders(with_engine(uniform_mesh(0.1, 16, 16), engine), 2), Borders{0});
    EXPECT_EQ(borders(with_engine(uniform_mesh(0.1, 17, 16), engine), 4), (Borders{0, 256}));
    EXPECT_EQ(borders(with_engine(uniform_mesh(0.1, 32, 32), engine), 2), (Borders{0, 512}));
    EXPECT_EQ(borders(with_engine(uniform_mesh(0.1, 32, 32), engine), 3), (Borders{0, 256, 512}));
    EXPECT_EQ(borders(with_engine(uniform_mesh(0.1, 33, 32), engine), 4), (Borders{0, 256, 512, 768}));
  }
  EXPECT_EQ(borders(with_engine(uniform_mesh(0.1), "lists"), 2), (Borders{0, 32}));
}

/// Lists have the threads where planes cannot run, or only on one.
TEST(PlaneThreads, AreListsWhereThereAreNoPlanesForThem) {
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"router.switch_allocator", "wavefront"}, {"router.arbiter", "oldest_first"}}) {
    Experiment e = uniform_mesh(0.1);
    e.set(key, value);
    EXPECT_EQ(borders(e, 2).size(), 2U) << value;
  }
  Experiment scattered = uniform_mesh(0.1);
  scattered.set("topology.kind", std::string("dragonfly"));
  scattered.set("topology.routers_per_group", 8);
  scattered.set("topology.global_ports", 4);
  scattered.set("routing.algorithm", std::string("dragonfly_minimal"));
  EXPECT_EQ(borders(scattered, 2), (std::vector<std::uint32_t>{0, 132}));
  EXPECT_EQ(borders(with_engine(scattered, "planes"), 2), std::vector<std::uint32_t>{0});
}

/// Known before there is a bank: as the bank has it.
TEST(PlaneThreads, KnowLinksThatAreShifts) {
  namespace planes = models::hybrid::planes;
  for (const char* kind : {"mesh", "torus", "dragonfly"}) {
    const bool grid = kind != std::string("dragonfly");
    Experiment e = uniform_mesh(0.1, 8, 8);
    e.set("topology.kind", std::string(kind));
    if (!grid) {
      e.set("routing.algorithm", std::string("dragonfly_minimal"));
      e.set("topology.routers_per_group", 8);
      e.set("topology.global_ports", 4);
    }
    const Bench bench(e);
    const auto& bank = std::as_const(models::hybrid::of(bench.network->fabric())).bank();
    const std::size_t all = planes::shifts_of(bank, bank.router_count() / 64 + 1, 0).size();
    EXPECT_EQ(planes::are_too_many(all, planes::used_ports(bank)), !grid) << kind;
    EXPECT_EQ(planes::links_are_shifts(bench.topology), grid) << kind;
  }
}

/// So many pairs of routers, each joined by a link of another latency between ports of that number: two shifts a pair.
/// Ports before it, and a few behind it, lead nowhere.
routing::Topology pairs(std::size_t count, std::size_t port, std::size_t further = 0) {
  using namespace routing;
  Topology t;
  t.routers.resize(2 * count);
  for (std::size_t r = 0; r < 2 * count; ++r) {
    t.routers[r].resize(port);
    const auto latency = static_cast<std::uint32_t>(1 + r / 2);
    t.routers[r].push_back({PortKind::kNetwork, RouterId{r ^ 1U}, PortId{port}, NodeId{}, latency, "link"});
    t.routers[r].resize(port + 1 + further);
  }
  return t;
}

/// Four for each port up to the last that leads anywhere are not too many, whatever ports come behind it.
TEST(PlaneThreads, CountShiftsAgainstPortsInUse) {
  const auto are_shifts = models::hybrid::planes::links_are_shifts;
  for (std::size_t port = 0; port < 4; ++port) {
    for (const std::size_t further : {0U, 1U, 5U}) {
      const std::size_t most = 2 * (port + 1);  // pairs: 4 (port + 1) shifts
      EXPECT_TRUE(are_shifts(pairs(most, port, further))) << port << " and " << further;
      EXPECT_FALSE(are_shifts(pairs(most + 1, port, further))) << port << " and " << further;
    }
  }
}

TEST(PlaneThreads, HaveTheRegistersOfListsInEveryCycle) {
  expect_same_registers(uniform_mesh(0.2, 17, 16), kBrief ? 50 : 200, 2);
  expect_same_registers(uniform_mesh(0.6, 27, 20), kBrief ? 50 : 150, 3);
}

/// Where vectors have eight words, and each thread has whole blocks of 512 routers; and where the second begins within
/// one.
TEST(PlaneThreads, OfBlocksOf512Routers) {
  expect_same_registers(uniform_mesh(0.2, 32, 32), kBrief ? 30 : 100, 2);
  expect_same_registers(uniform_mesh(0.2, 32, 32), kBrief ? 30 : 60, 3);
}

/// Links around the edge lead from the last slice to the first; routers of more ports.
TEST(PlaneThreads, OfATorusOfThreeDimensions) { expect_same_registers(cube({9, 9, 7}, true), 100, 3); }

/// Links that some routers have are shifts all the same. Elevators lead from one thread's routers to another's.
TEST(PlaneThreads, OfElevators) {
  namespace planes = models::hybrid::planes;
  Experiment e = cube({12, 11, 6}, false);
  e.set("topology.elevators", std::vector<std::uint32_t>{3, 3, 9, 2, 5, 8});
  e.set("routing.algorithm", std::string("elevator_first"));
  EXPECT_TRUE(planes::links_are_shifts(Bench(e).topology));
  EXPECT_EQ(borders(e, 3).size(), 3U);
  expect_same_registers(e, kBrief ? 50 : 150, 3);
}

/// Packets of one flit in deep buffers: rings grow while threads push to each other's.
TEST(PlaneThreads, WhoseRingsGrow) {
  Experiment e = uniform_mesh(0.9, 17, 16);
  e.set("message.packet_flits", 1);
  e.set("router.buffer_depth", 32);
  expect_same_registers(e, kBrief ? 80 : 300, 2);
}

TEST(PlaneThreads, OfMatrixArbitersAndLongLinks) {
  Experiment e = uniform_mesh(0.5, 17, 16);
  e.set("router.arbiter", std::string("matrix"));
  e.set("topology.link_latency_cycles", 3);
  e.set("router.credit_delay_cycles", 4);
  expect_same_registers(e, kBrief ? 50 : 200, 2);
}

/// Written by either engine, read by the other, on two threads.
TEST(PlaneThreads, ShareCheckpointsWithLists) {
  const Experiment e = uniform_mesh(0.4, 17, 16);
  for (const bool planes : {false, true}) {
    Side whole(e, planes), before(e, planes, 2), after(e, !planes, 2);
    whole.bench.run(300);
    before.bench.run(151);
    after.bench.run(77);
    restore(*after.bench.network, saved(*before.bench.network));
    after.bench.run(149);
    EXPECT_EQ(Difference(whole, after).first(), "");
    EXPECT_EQ(whole.bench.network->merged_statistics().packet_hash(),
              after.bench.network->merged_statistics().packet_hash());
  }
}

/// The engine may differ in a checkpoint, but lists alone have borders elsewhere.
TEST(PlaneThreads, SayThatACheckpointIsCutElsewhere) {
  Bench lists(on_threads(with_engine(uniform_mesh(0.1, 17, 16), "lists"), 2), 2);
  Bench either(on_threads(uniform_mesh(0.1, 17, 16), 2), 2);
  lists.run(10);
  const std::string said = complaint<CheckpointError>([&] { restore(*either.network, saved(*lists.network)); });
  EXPECT_NE(said.find("a network that is cut at other routers"), std::string::npos) << said;
}

TEST(PlaneThreads, CountTheCyclesInPlanes) {
  models::Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("simulation.engine", "planes");
  Bench bench(e);
  EXPECT_EQ(bench.network->fabric().engines()->cycles_in_planes, 0U);
  bench.run(10);
  EXPECT_EQ(bench.network->fabric().engines()->cycles_in_planes, 10U);
}

/// `auto` changes in the same cycles, whatever the threads.
TEST(PlaneThreads, AreChosenInTheSameCycles) {
  std::uint64_t cycles = 0;
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    Bench bench(on_threads(with_either(uniform_mesh(0.2, 20, 20)), threads), threads);
    bench.run(700);
    const std::uint64_t in_planes = bench.network->fabric().engines()->cycles_in_planes;
    EXPECT_GT(in_planes, 300U);
    EXPECT_EQ(in_planes, threads == 1 ? in_planes : cycles);
    cycles = in_planes;
  }
}

/// Of more than a block: grids and cubes, algorithms, allocators, arbiters, lengths, delays.
Experiment drawn(Random& random) {
  const auto one_of = [&](auto values) {
    return *(values.begin() + static_cast<std::ptrdiff_t>(random.below(values.size())));
  };
  using Numbers = std::vector<std::uint32_t>;
  using Names = std::vector<std::string>;
  Experiment e;
  const std::uint64_t kind = random.below(4);
  if (kind == 0) {
    e = cube(one_of(std::vector<Numbers>{{7, 7, 6}, {5, 4, 3, 5}, {9, 8, 8}}), random.below(2) == 0);
  } else {
    e = uniform_mesh(0.1, one_of(Numbers{17, 20, 33}), one_of(Numbers{16, 19, 24}));
    if (kind == 1) e.set("topology.kind", std::string("torus"));
  }
  add_traffic(e, 0.1 * static_cast<double>(1 + random.below(8)));
  if (kind > 1) e.set("routing.algorithm", one_of(Names{"x_first", "minimal_adaptive", "odd_even"}));
  if (kind == 0 && random.below(2) == 0) e.set("routing.algorithm", std::string("valiant"));
  e.set("router.vc_allocator", one_of(Names{"separable_input_first", "islip"}));
  e.set("router.arbiter", one_of(Names{"round_robin", "matrix"}));
  e.set("router.buffer_depth", one_of(Numbers{1, 4, 8, 16}));
  e.set("router.credit_delay_cycles", one_of(Numbers{2, 5}));
  e.set("topology.link_latency_cycles", one_of(Numbers{1, 1, 4}));
  e.set("message.packet_flits", one_of(Numbers{1, 2, 5, 19}));
  return e;
}

/// Slices by threads, and one after the other; engines that change at cycles drawn at random.
TEST(PlaneThreads, MayChangeWithListsAtAnyCycle) {
  for (std::uint64_t number = 0; number < networks(kBrief ? 2 : 24); ++number) {
    Random random(number, "planes on threads");
    const Experiment e = drawn(random);
    const auto threads = static_cast<std::uint32_t>(1 + random.below(4));
    SCOPED_TRACE("network " + std::to_string(number) + " on " + std::to_string(threads) + " threads");
    Side lists(e, false), both(e, true, threads);
    ASSERT_TRUE(both.fabric.has_planes());
    count_from_start(lists.bench);
    count_from_start(both.bench);
    bool planes = true;
    for (std::uint64_t cycle = 0; cycle < 400;) {
      const std::uint64_t run = 1 + random.below(120);
      const bool by_threads = random.below(2) == 0;
      lists.bench.run(run);
      if (by_threads) both.bench.run(run);
      for (std::uint64_t i = 0; i < run && !by_threads; ++i) both.bench.network->cycle();
      cycle += run;
      ASSERT_EQ(lists.bench.network->movements(), both.bench.network->movements()) << "cycle " << cycle;
      if (random.below(3) != 0) both.fabric.use_planes(planes = !planes);
    }
    expect_same_figures(lists, both);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace braid::test::plane_threads_test
