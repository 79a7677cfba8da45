// Crossbars that are faster than the links (router.input_speedup, router.output_speedup, router.internal_speedup): SA
// by hand on one router and against a reference that tries every pair of ports, to the cycle on one switch and on an
// idle mesh, and in whole networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/experiment/energy.h"
#include "models/families/hybrid/crossbar_ports.h"
#include "routing/base/random.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/one_router.h"
#include "tb/tests/support/refusal.h"

namespace braid::test::speedup_test {
namespace {

using namespace models;
using namespace models::hybrid;
using namespace one_router;
using Cells = std::vector<std::array<std::uint32_t, 3>>;  // input port, lane, output port

// ---------------------------------------------------------------- SA of one router

std::unique_ptr<SwitchAllocator> allocator_of(Router& router, std::uint32_t input, std::uint32_t output,
                                              const char* name = "separable_input_first",
                                              const char* arbiter = "round_robin",
                                              const OutputBuffers* buffers = nullptr) {
  models::hybrid::Options options = router.options;
  options.switch_allocator = name;
  options.input_speedup = input;
  options.output_speedup = output;
  return make_switch_allocator(router.allocator(arbiter), options, buffers);
}

/// Grants of a cycle as "PORT.LANE ".
std::string granted_of(Router& router, SwitchAllocator& allocator, const Cells& requests, std::uint64_t cycle = 0) {
  router.request(requests);
  WorkList<VcIndex> grants;
  grants.reserve(64);
  allocator.allocate({*router.bank, router.ports, nullptr, nullptr, nullptr, cycle}, grants);
  std::set<std::string> names;
  for (const VcIndex v : grants) {
    names.insert(std::to_string(router.bank->port_of(router.bank->port_of_vc(v))) + "." +
                 std::to_string(router.bank->lane_of(v)) + " ");
  }
  std::string text;
  for (const std::string& name : names) text += name;
  return text;
}

const std::vector<std::string> kAllocators{"separable_input_first", "islip", "wavefront", "pim", "maximum_size"};

TEST(Speedup, TwoVcsOfOneInputPortCrossInOneCycle) {
  for (const std::string& name : kAllocators) {
    Router router(4);
    const Cells both{{0, 0, 1}, {0, 1, 2}}, alike{{0, 0, 1}, {0, 2, 2}};
    const auto one = allocator_of(router, 1, 1, name.c_str()), two = allocator_of(router, 2, 1, name.c_str());
    EXPECT_EQ(granted_of(router, *one, both).size(), 4U) << name << ": one of the two";
    EXPECT_EQ(granted_of(router, *two, both), "0.0 0.1 ") << name;
    EXPECT_EQ(granted_of(router, *two, alike).size(), 4U) << name << ": VCs 0 and 2 have one port of the crossbar";
    EXPECT_EQ(granted_of(router, *two, {{0, 0, 1}, {0, 1, 1}}).size(), 4U) << name << ": one output port";
  }
}

TEST(Speedup, TwoFlitsComeToOneOutputPortInOneCycle) {
  for (const std::string& name : kAllocators) {
    Router router(2);
    const auto one = allocator_of(router, 1, 1, name.c_str()), two = allocator_of(router, 1, 2, name.c_str());
    EXPECT_EQ(granted_of(router, *one, {{0, 0, 2}, {1, 1, 2}}).size(), 4U) << name;
    EXPECT_EQ(granted_of(router, *two, {{0, 0, 2}, {1, 1, 2}}), "0.0 1.1 ") << name;
    EXPECT_EQ(granted_of(router, *two, {{0, 0, 2}, {4, 1, 2}}).size(), 4U) << name << ": input ports 0 and 4";
  }
}

/// VCs 5 and 6 of eight are of the second and the first of two ports, 6, 7 and 8 of nine of one of three each.
TEST(Speedup, IsOfAllVcsOfAPort) {
  for (const std::string& name : kAllocators) {
    Router eight(8), nine(9);
    const auto two = allocator_of(eight, 2, 1, name.c_str()), three = allocator_of(nine, 3, 1, name.c_str());
    EXPECT_EQ(granted_of(eight, *two, {{0, 5, 1}, {0, 6, 2}, {1, 7, 3}}), "0.5 0.6 1.7 ") << name;
    EXPECT_EQ(granted_of(eight, *two, {{0, 5, 1}, {0, 7, 2}}).size(), 4U) << name;
    EXPECT_EQ(granted_of(nine, *three, {{0, 6, 1}, {0, 7, 2}, {0, 8, 3}}), "0.6 0.7 0.8 ") << name;
    EXPECT_EQ(granted_of(nine, *three, {{0, 5, 1}, {0, 8, 2}}).size(), 4U) << name;
  }
}

TEST(Speedup, AnOutputThatWasFullIsGrantedNothing) {
  Router router(2);
  OutputBuffers buffers(*router.bank, router.range, 2, 16);
  const auto allocator = allocator_of(router, 1, 2, "separable_input_first", "round_robin", &buffers);
  const Cells requests{{0, 0, 2}, {1, 0, 3}};
  const Flit flit(7, 0, 1, 1);
  buffers.push(router.port(2), flit);
  buffers.look();
  EXPECT_EQ(granted_of(router, *allocator, requests), "0.0 1.0 ") << "one flit of two";
  buffers.push(router.port(2), flit);
  EXPECT_EQ(granted_of(router, *allocator, requests), "0.0 1.0 ") << "it was not full when the cycle began";
  buffers.look();
  EXPECT_EQ(granted_of(router, *allocator, requests), "1.0 ");
  buffers.send([](PortIndex, const Flit&) {});
  EXPECT_EQ(granted_of(router, *allocator, requests), "1.0 ");
  buffers.look();
  EXPECT_EQ(granted_of(router, *allocator, requests), "0.0 1.0 ");
}

/// Every allocator: what is granted was asked for, and no port of the crossbar has two flits. Those that look for a
/// maximal matching leave nobody whose two ports are idle; that of maximum size has as many grants as the best of all
/// ways to take requests one after the other.
class CrossbarMatchings : public testing::TestWithParam<std::string> {};

std::size_t most(const std::vector<std::pair<unsigned, unsigned>>& pairs, std::size_t from, std::uint64_t in,
                 std::uint64_t out) {
  if (from == pairs.size()) return 0;
  const std::uint64_t i = std::uint64_t{1} << pairs[from].first, o = std::uint64_t{1} << pairs[from].second;
  const std::size_t without = most(pairs, from + 1, in, out);
  if ((in & i) != 0 || (out & o) != 0) return without;
  return std::max(without, 1 + most(pairs, from + 1, in | i, out | o));
}

TEST_P(CrossbarMatchings, KeepToThePortsOfTheCrossbar) {
  Random random(5, "speedup_test");
  for (const auto& [s, t] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 1}, {1, 2}, {2, 2}, {3, 2}}) {
    Router router(4);
    const auto allocator = allocator_of(router, s, t, GetParam().c_str());
    for (std::uint64_t cycle = 0; cycle < 300; ++cycle) {
      Cells cells;
      for (std::uint32_t in = 0; in < 5; ++in) {
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
          if (random.below(5) < 2) cells.push_back({in, lane, static_cast<std::uint32_t>(random.below(5))});
        }
      }
      const std::string text = granted_of(router, *allocator, cells, cycle);
      std::set<std::pair<unsigned, unsigned>> asked;
      std::set<unsigned> ins, outs;
      std::size_t grants = 0;
      const auto ports = [s = s, t = t](const auto& c) { return std::pair(c[0] * s + c[1] % s, c[2] * t + c[0] % t); };
      for (const auto& c : cells) {
        asked.insert(ports(c));
        if (text.find(std::to_string(c[0]) + "." + std::to_string(c[1]) + " ") == std::string::npos) continue;
        ++grants;
        EXPECT_TRUE(ins.insert(ports(c).first).second) << text;
        EXPECT_TRUE(outs.insert(ports(c).second).second) << text;
      }
      ASSERT_EQ(4 * grants, text.size()) << "nobody else is granted";
      const auto idle = [&](const auto& pair) { return ins.count(pair.first) == 0 && outs.count(pair.second) == 0; };
      if (GetParam() == "wavefront") {
        EXPECT_EQ(std::count_if(asked.begin(), asked.end(), idle), 0) << text;
      }
      if (GetParam() == "maximum_size") {
        EXPECT_EQ(grants, most({asked.begin(), asked.end()}, 0, 0, 0));
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(OfEveryAllocator, CrossbarMatchings, testing::ValuesIn(kAllocators));

/// Separable, input first, with turns as plain numbers: each port of the crossbar for an input offers one VC, each for
/// an output takes one offer.
TEST(Speedup, SeparableChoosesAsTheReferenceDoes) {
  constexpr std::uint32_t kS = 2, kT = 2, kVcs = 4, kPorts = 5;
  Random random(6, "speedup_test");
  Router router(kVcs);
  const auto allocator = allocator_of(router, kS, kT);
  std::map<std::uint32_t, std::uint32_t> lane_turn, port_turn;
  for (std::uint64_t cycle = 0; cycle < 2000; ++cycle) {
    Cells cells;
    for (std::uint32_t in = 0; in < kPorts; ++in) {
      for (std::uint32_t lane = 0; lane < kVcs; ++lane) {
        if (random.below(2) == 0) cells.push_back({in, lane, static_cast<std::uint32_t>(random.below(kPorts))});
      }
    }
    std::map<std::uint32_t, std::array<std::uint32_t, 3>> offer;  // by port of the crossbar
    const auto turn_of = [&](const auto& c) { return (c[1] + kVcs - lane_turn[c[0] * kS + c[1] % kS]) % kVcs; };
    for (const auto& c : cells) {
      const std::uint32_t from = c[0] * kS + c[1] % kS;
      if (offer.count(from) == 0 || turn_of(c) < turn_of(offer[from])) offer[from] = c;
    }
    std::map<std::uint32_t, std::uint32_t> winner;  // by port of the crossbar: which other one
    const auto place = [&](std::uint32_t to, std::uint32_t from) { return (from + 16 - port_turn[to]) % 16; };
    for (const auto& [from, c] : offer) {
      const std::uint32_t to = c[2] * kT + c[0] % kT;
      if (winner.count(to) == 0 || place(to, from) < place(to, winner[to])) winner[to] = from;
    }
    std::set<std::string> expected;
    for (const auto& [to, from] : winner) {
      const auto& c = offer[from];
      expected.insert(std::to_string(c[0]) + "." + std::to_string(c[1]) + " ");
      lane_turn[from] = (c[1] + 1) % kVcs;
      port_turn[to] = (from + 1) % 16;
    }
    std::string text;
    for (const std::string& one : expected) text += one;
    ASSERT_EQ(granted_of(router, *allocator, cells, cycle), text) << "cycle " << cycle;
  }
}

// ---------------------------------------------------------------- to the cycle

/// One switch with a node at each port; input port and output port n are those of node n.
Experiment one_switch(std::uint32_t nodes, std::uint32_t vcs) {
  Experiment e = uniform_mesh(0.0);
  e.set("topology.kind", "flattened_butterfly");
  e.set("topology.sizes", std::vector<std::uint32_t>{1});
  e.set("topology.concentration", nodes);
  e.set("routing.algorithm", "dimension_order");
  e.set("router.vcs", vcs);
  e.set("router.vc_allocator", "islip");  // all heads have a VC in the cycle in which they ask
  e.set("router.islip_iterations", 4);
  return e;
}

struct Send {
  std::uint32_t from, to;
};

/// In which cycles these packets of a flit, created in cycle 0 one behind the other, are delivered.
std::vector<std::uint64_t> deliveries(const Experiment& e, const std::vector<Send>& packets) {
  Bench bench(e);
  bench.run(10);
  for (const Send& p : packets) bench.network->send_packet(NodeId{p.from}, NodeId{p.to}, 1);
  std::vector<std::uint64_t> cycles;
  for (std::uint64_t cycle = 1; cycle < 60; ++cycle) {
    bench.run(1);
    while (cycles.size() < bench.delivered()) cycles.push_back(cycle);
  }
  EXPECT_TRUE(bench.network->conservation().holds());
  return cycles;
}
using Cycles = std::vector<std::uint64_t>;

/// Node 0's packet has the way to node 2 first (SA in cycle 5). In cycle 6 both of node 1's, on VCs 0 and 1, ask.
TEST(Speedup, OfInputsSavesTheSecondVcACycle) {
  Experiment e = one_switch(4, 2);
  const std::vector<Send> packets{{0, 2}, {1, 2}, {1, 3}};
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 10}));
  e.set("router.input_speedup", 2);
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 9}));
}

/// Both packets to node 2 have the switch in cycle 5; the second waits a cycle for the link, and leaves the way in free
/// for the third. Input ports 0 and 2 of a switch have one port of two at an output, and two of three.
TEST(Speedup, OfOutputsClearsTheWayForWhatIsBehind) {
  Experiment e = one_switch(4, 2);
  const std::vector<Send> packets{{0, 2}, {1, 2}, {1, 3}}, alike{{0, 3}, {2, 3}, {2, 1}};
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 10}));
  e.set("router.output_speedup", 2);
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 9}));
  EXPECT_EQ(deliveries(e, alike), (Cycles{8, 9, 10}));
  e.set("router.output_speedup", 3);
  EXPECT_EQ(deliveries(e, alike), (Cycles{8, 9, 9}));
}

/// Three packets cross in cycle 6, a fourth in 7. The fifth asks in cycle 7, when two wait.
TEST(Speedup, AFullOutputBufferHoldsTheSwitch) {
  Experiment e = one_switch(4, 4);
  e.set("router.output_speedup", 3);
  const std::vector<Send> packets{{0, 3}, {1, 3}, {2, 3}, {0, 3}, {0, 3}};
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 10, 11, 12}));
  e.set("router.output_buffer", 3);
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 10, 11, 12}));
  e.set("router.output_buffer", 2);
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 10, 11, 12})) << "granted in cycle 9, when one waits";
  e.set("router.output_buffer", 1);
  EXPECT_EQ(deliveries(e, packets), (Cycles{8, 9, 10, 11, 13})) << "granted in cycle 10, when none waits";
}

/// The k-th step of a router from the first one of `cycle` on, counted from 1, is in which cycle?
std::uint64_t cycle_of_step(std::uint64_t cycle, unsigned k, double speedup) {
  for (double owed = 0, done = 0;; ++cycle) {
    owed = std::floor(static_cast<double>(cycle + 1) * speedup) - std::floor(static_cast<double>(cycle) * speedup);
    done += owed;
    if (done >= k) return cycle;
  }
}

class FasterHops : public testing::TestWithParam<double> {};

/// RC, VA, SA and ST are four steps, from the cycle on in which the flit comes; then the link and the next router.
TEST_P(FasterHops, TakeAsManyStepsEach) {
  for (const std::uint32_t links : {0U, 1U, 2U, 5U, 9U, 14U}) {
    Experiment e = uniform_mesh(0.0);
    e.set("router.internal_speedup", GetParam());
    Bench bench(e);
    bench.run(10);
    bench.network->send_packet(NodeId{0}, NodeId{links < 8 ? links : 7 + 8 * (links - 7)}, 1);
    std::uint64_t arrives = 9 + 3;  // BW at the first router; the packet was created in the last cycle
    for (std::uint32_t r = 0; r < links; ++r) arrives = cycle_of_step(arrives, 4, GetParam()) + 2;
    const std::uint64_t delivered = cycle_of_step(arrives, 4, GetParam()) + 2;
    bench.run(delivered - 10);
    EXPECT_EQ(bench.delivered(), 0U) << "before cycle " << delivered << ", " << links << " links";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 1U) << "in cycle " << delivered << ", " << links << " links";
    if (GetParam() != std::floor(GetParam())) continue;
    const auto steps = static_cast<std::uint64_t>(GetParam());
    EXPECT_EQ(delivered - 9, 3 + (links + 1) * (1 + (4 + steps - 1) / steps)) << "docs/router.md";
  }
}
INSTANTIATE_TEST_SUITE_P(EverySpeedup, FasterHops, testing::Values(1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 16.0));

/// A link takes a flit a cycle: the body follows the head at that pace, whatever the crossbar does.
TEST(Speedup, StreamsOneFlitACycle) {
  Experiment e = uniform_mesh(0.0);
  e.set("router.internal_speedup", 2.0);
  e.set("router.input_speedup", 2);
  e.set("router.output_speedup", 2);
  for (const std::uint32_t flits : {2U, 8U}) {
    Bench bench(e);
    bench.run(10);
    bench.network->send_packet(NodeId{0}, NodeId{63}, flits);
    bench.run(3 + 3 * 15 + flits - 1 - 1);
    EXPECT_EQ(bench.delivered(), 0U) << flits << " flits";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 1U) << flits << " flits";
  }
}

// ---------------------------------------------------------------- networks

struct Faster {
  std::uint32_t input, output;
  double internal;
  std::uint32_t buffer;
};
const std::vector<Faster> kFaster{{2, 1, 1, 0}, {1, 2, 1, 0}, {4, 2, 1, 3}, {1, 1, 2, 0}, {1, 1, 1.5, 4}, {2, 2, 3, 5}};

Experiment faster(Experiment e, const Faster& f) {
  e.set("router.input_speedup", f.input);
  e.set("router.output_speedup", f.output);
  e.set("router.internal_speedup", f.internal);
  if (f.buffer != 0) e.set("router.output_buffer", f.buffer);
  return e;
}

TEST(Speedup, LosesNothingAndIsTheSameInAnyNumberOfSlices) {
  for (const Faster& f : kFaster) {
    for (const double rate : {0.1, 0.9}) {
      for (const bool bypass : {false, true}) {
        Experiment e = faster(uniform_mesh(rate), f);
        e.set("router.buffer_bypass", bypass);
        e.set("router.arbiter", bypass ? "oldest_first" : "round_robin");
        e.set("topology.link_latency_cycles", bypass ? 1 : 3);
        e.set("router.credit_delay_cycles", bypass ? 2 : 5);
        Bench one(e);
        one.run(2000);
        EXPECT_TRUE(one.network->conservation().holds());
        EXPECT_GT(one.delivered(), 1500U);
        Bench several(e, 5);
        several.run(2000);
        EXPECT_EQ(several.network->merged_statistics().packet_hash(), one.network->merged_statistics().packet_hash());
      }
    }
  }
}

TEST(Speedup, OfEachKindCarriesMoreBeyondSaturation) {
  const auto carried = [](const Faster& f) {
    Experiment e = faster(uniform_mesh(0.9), f);
    e.set("traffic.flits", 1);
    Bench bench(e);
    bench.run(2000);
    const std::uint64_t before = bench.delivered();
    bench.run(3000);
    return static_cast<double>(bench.delivered() - before) / 64 / 3000;
  };
  const double plain = carried({1, 1, 1, 0});
  for (const Faster& f : {Faster{4, 1, 1, 0}, Faster{1, 2, 1, 0}, Faster{1, 1, 2, 0}}) {
    EXPECT_GT(carried(f), plain + 0.01) << f.input << " " << f.output << " " << f.internal;
  }
}

/// Two flits through buffers of one, over one router. At two steps a cycle the head has BW in cycle 3, SA and ST in 4;
/// its credit leaves in 5, as it would after an ST of that cycle, and the node sends in 6. So the tail has BW and SA in
/// 8, ST in 9: five cycles behind the head, as at one step.
TEST(Speedup, SendsCreditsInTheCycleAfterSa) {
  Experiment e = one_switch(2, 1);
  e.set("router.buffer_depth", 1);
  Bench plain(e);
  e.set("router.internal_speedup", 2.0);
  Bench faster(e);
  for (Bench* bench : {&plain, &faster}) {
    bench->run(10);
    bench->network->send_packet(NodeId{0}, NodeId{1}, 2);
  }
  plain.run(3 + 5 + 5 - 1);
  EXPECT_EQ(plain.delivered(), 0U) << "docs/router.md: C = 5 over one router";
  plain.run(1);
  EXPECT_EQ(plain.delivered(), 1U);
  faster.run(3 + 3 + 5 - 1);
  EXPECT_EQ(faster.delivered(), 0U);
  faster.run(1);
  EXPECT_EQ(faster.delivered(), 1U);
}

TEST(Speedup, GoesWithRoutesByQueuesOnceACycle) {
  Experiment e = faster(uniform_mesh(0.1, 4, 4), {2, 2, 1, 0});
  e.set("topology.kind", "dragonfly");
  e.set("routing.algorithm", "ugal");
  e.set("traffic.rate_flits_per_node_cycle", 0.3);
  Bench bench(e);
  bench.run(2000);
  EXPECT_TRUE(bench.network->conservation().holds());
  EXPECT_GT(bench.delivered(), 1000U);
  e.set("router.internal_speedup", 2.0);
  EXPECT_EQ(refusal(e),
            "router.internal_speedup = 2: routes by queues are chosen once a cycle; expected 1, or another "
            "routing.algorithm");
}

TEST(Speedup, HasNoFigureOfEnergy) {
  const Bench plain(uniform_mesh(0.1, 4, 4)), two(faster(uniform_mesh(0.1, 4, 4), {2, 1, 1, 0}));
  EXPECT_EQ(router_builds(plain.experiment, plain.topology).size(), 16U);
  EXPECT_TRUE(router_builds(two.experiment, two.topology).empty());
}

TEST(Speedup, OfStepsHasNoWaveform) {
  SignalTable table;
  const Bench two(faster(uniform_mesh(0.1, 4, 4), {2, 2, 1, 0}));
  EXPECT_NE(two.network->fabric().signals(table, {RouterId{0U}}), nullptr);
  const Bench steps(faster(uniform_mesh(0.1, 4, 4), {2, 1, 2, 0}));
  EXPECT_THROW((void)steps.network->fabric().signals(table, {RouterId{0U}}), InputError);
}

TEST(Speedup, IsInACheckpoint) {
  for (const Faster& f : kFaster) {
    Experiment e = faster(uniform_mesh(0.6, 4, 4), f);
    Bench whole(e), restored(e);
    whole.run(1500);
    const std::string bytes = saved(*whole.network);
    restored.run(77);
    restore(*restored.network, bytes);
    EXPECT_TRUE(saved(*restored.network) == bytes);
    whole.run(500);
    restored.run(500);
    EXPECT_TRUE(saved(*restored.network) == saved(*whole.network)) << f.input << " " << f.output << " " << f.internal;
  }
}

TEST(Speedup, IsRefusedInOneLineWhereItIsNot) {
  const Experiment two = faster(uniform_mesh(0.1, 4, 4), {2, 1, 1, 0});
  EXPECT_EQ(Bench(two).network->fabric().engines()->lists_because, "router.input_speedup = 2");
  Experiment e = two;
  e.set("router.output_buffer", 4);
  EXPECT_EQ(refusal(e),
            "router.output_buffer = 4: a flit waits there where several may come to an output in a cycle; expected 0, "
            "or router.output_speedup or router.internal_speedup above 1");
  e = two;
  e.set("router.implementation", "pins");
  EXPECT_EQ(refusal(e),
            "router.input_speedup = 2: a crossbar that is faster than the links is of routers that are the model's; "
            "expected 1, or router.implementation = \"model\"");
  e = two;
  e.set("router.speculative", true);
  EXPECT_EQ(refusal(e),
            "router.input_speedup = 2: a head that speculates asks for a port of the switch; expected 1, or "
            "router.speculative = false");
  EXPECT_EQ(refusal(faster(stream_mesh("fm_radio_4x4.toml", 4, 4), {1, 2, 1, 0})),
            "router.output_speedup = 2: circuits hold whole ports of the switch; expected 1, or no circuits");
  e = faster(one_switch(40, 2), {2, 1, 1, 0});
  EXPECT_EQ(refusal(e), "");
  e.set("router.switch_allocator", "wavefront");
  EXPECT_EQ(refusal(e),
            "router.switch_allocator = \"wavefront\": a crossbar of 80 ports by router.input_speedup = 2; expected at "
            "most 64 ports, or \"islip\" or \"separable_input_first\"");
}

}  // namespace
}  // namespace braid::test::speedup_test
