// Buffers that VCs share (router.buffers = "shared"): the counters against a rule said in another way, to the cycle on
// an idle row, in whole networks whose places are counted after every cycle, and beside what else a router may have.
#include "models/families/hybrid/shared_buffers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "routing/base/random.h"
#include "tb/tests/support/both_schedules.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::shared_buffers_test {
namespace {

using models::Experiment;
using namespace models::hybrid;

Experiment shared(Experiment e, std::uint32_t reserved, std::uint32_t shared) {
  e.set("router.buffers", "shared");
  e.set("router.reserved_depth", reserved);
  e.set("router.shared_depth", shared);
  return e;
}

// ---------------------------------------------------------------- counters

/// Of a port with `places` places: a VC may send if after it each VC that uses fewer than its own could still take all
/// of these. No pool is in this rule.
std::uint32_t may_send(std::vector<std::uint32_t> used, std::size_t vc, std::uint32_t reserved, std::uint32_t places) {
  std::uint32_t flits = 0;
  const auto spoken_for = [&] {
    return std::accumulate(used.begin(), used.end(), 0U, [&](auto sum, auto u) { return sum + std::max(u, reserved); });
  };
  for (; ++used[vc], spoken_for() <= places;) ++flits;
  return flits;
}

TEST(SharedBuffers, CountAsTheRuleSays) {
  Random random(5, "shared_buffers_test");
  for (const auto& [vcs, reserved, pool] : {std::array{1U, 1U, 6U}, {2U, 1U, 3U}, {4U, 2U, 5U}, {4U, 3U, 1U}}) {
    const Experiment e = uniform_mesh(0.0, 2, 1);
    Options options;
    options.vcs = vcs;
    options.buffers = Buffers::kShared;
    options.reserved_depth = reserved;
    options.shared_depth = pool;
    options.buffer_depth = reserved + pool;
    const RouterBank bank(routing::make_topology(e), options, 1);
    SharedBuffers& buffers = *bank.shared_buffers();
    const PortIndex port = bank.injection_port(0);
    std::vector<std::uint32_t> used(vcs);
    std::uint32_t most = 0;
    for (int i = 0; i < 3000; ++i) {
      const std::size_t v = random.below(vcs);
      const VcIndex vc = bank.vc_index(port, static_cast<std::uint32_t>(v));
      const bool fills = i / 40 % 2 == 0;
      if (bank.output_vcs[vc].credits > 0 && (fills || random.below(3) == 0)) {
        buffers.send(vc, [&](VcIndex other) { EXPECT_EQ(bank.output_vcs[other].credits, 0); });
        --bank.output_vcs[vc].credits;
        ++used[v];
      } else if (used[v] > 0) {
        buffers.take_credit(vc, [&](VcIndex other) { EXPECT_EQ(bank.output_vcs[other].credits, 1); });
        ++bank.output_vcs[vc].credits;
        --used[v];
      }
      for (std::uint32_t w = 0; w < vcs; ++w) {
        const VcIndex each = bank.vc_index(port, w);
        ASSERT_EQ(buffers.used(each), used[w]);
        ASSERT_EQ(bank.output_vcs[each].credits, may_send(used, w, reserved, vcs * reserved + pool));
      }
      most = std::max(most, buffers.used_of_port(port));
    }
    EXPECT_EQ(most, buffers.places_of_port()) << "all places were in use";
    EXPECT_EQ(bank.output_vcs[bank.vc_index(port + 1, 0)].credits, reserved + pool) << "another port";
  }
}

// ---------------------------------------------------------------- exact cycles

std::uint64_t cycles_for(const Experiment& e, const std::vector<std::pair<std::size_t, std::size_t>>& packets,
                         std::uint32_t flits) {
  Bench bench(e);
  bench.run(10);
  for (const auto& [from, to] : packets) bench.network->send_packet(NodeId{from}, NodeId{to}, flits);
  std::uint64_t cycles = 0;
  for (; bench.delivered() < packets.size() && cycles < 2000; ++cycles) bench.run(1);
  return cycles;
}

/// docs/router.md: the loop of 7 cycles carries b flits, and a VC alone has b = reserved + shared places. 3 + 5 R +
/// (L - 1) from b = 7 on, with b = 6 a cycle more for each 6 flits; private buffers of one place take 7 for each.
TEST(SharedBuffers, GiveAVcAloneTheFullRate) {
  for (const std::uint32_t vcs : {1U, 2U, 4U}) {
    Experiment e = uniform_mesh(0.0, 4, 1);
    e.set("router.vcs", vcs);
    const std::uint32_t flits = 40, head = 3 + 5 * 4;
    const auto took = [&](const Experiment& x) { return cycles_for(x, {{0, 3}}, flits); };
    EXPECT_EQ(took(shared(e, 1, 6)), head + 39U);
    EXPECT_EQ(took(shared(e, 3, 4)), head + 39U);
    EXPECT_EQ(took(shared(e, 1, 5)), head + 39U / 6 * 7 + 39 % 6);
    EXPECT_EQ(took(shared(e, 1, 1)), head + 39U / 2 * 7 + 39 % 2);
    e.set("router.buffer_depth", 1);
    EXPECT_EQ(took(e), head + 39U * 7);
    e.set("router.buffer_depth", 7);
    EXPECT_EQ(took(e), head + 39U);
  }
}

/// Two VCs of one link take turns: together they have one loop of 7 flits. With 2 + 5 places neither waits, as with
/// private buffers of any size that does; with one place fewer both do.
TEST(SharedBuffers, GiveTwoVcsWhatOneLeaves) {
  Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("router.vcs", 2);
  const auto took = [](const Experiment& x) { return cycles_for(x, {{0, 2}, {1, 2}}, 60); };
  Experiment large = e;
  large.set("router.buffer_depth", 64);
  const std::uint64_t best = took(large);
  EXPECT_EQ(took(shared(e, 1, 5)), best);
  EXPECT_GT(took(shared(e, 1, 4)), best);
  EXPECT_EQ(took(shared(e, 2, 3)), best);
  EXPECT_GT(took(shared(e, 2, 2)), best);
}

/// One VC has what private buffers of as many places have: the same packets at the same time.
TEST(SharedBuffers, OfOneVcArePrivate) {
  for (const bool bypass : {false, true}) {
    Experiment e = uniform_mesh(0.2);
    e.set("router.vcs", 1);
    e.set("router.buffer_bypass", bypass);
    Bench pool(shared(e, 2, 3));
    pool.run(3000);
    e.set("router.buffer_depth", 5);
    Bench own(e);
    own.run(3000);
    EXPECT_GT(own.delivered(), 3000U);
    EXPECT_EQ(pool.network->merged_statistics().packet_hash(), own.network->merged_statistics().packet_hash());
  }
}

// ---------------------------------------------------------------- networks

/// What is restored is looked at: each place in use is that of a flit or of a credit, and counters add up.
void expect_places_are_kept(const Experiment& e, std::uint64_t cycles, std::size_t slices = 1) {
  Bench bench(e, slices);
  bench.run(cycles / 2);
  for (std::uint64_t i = 0; i < cycles / shortened(); ++i) {
    bench.run(1);
    ASSERT_NO_THROW(restore(*bench.network, saved(*bench.network))) << "cycle " << i;
  }
  EXPECT_TRUE(bench.network->conservation().holds());
  EXPECT_GT(bench.delivered(), 50U);
}

TEST(SharedBuffers, KeepTheirPlacesInRandomExperiments) {
  Random random(7, "shared_buffers_test");
  const std::vector<std::string> sa{"separable_input_first", "islip", "pim", "wavefront", "maximum_size"};
  for (const std::string& switch_allocator : sa) {
    for (const char* vc_allocator : {"separable_input_first", "islip"}) {
      Experiment e = uniform_mesh(0.1 + 0.1 * static_cast<double>(random.below(5)), 4, 4);
      const auto vcs = static_cast<std::uint32_t>(2 + random.below(5));
      e.set("router.vcs", vcs);
      e.set("router.switch_allocator", switch_allocator);
      e.set("router.vc_allocator", vc_allocator);
      e.set("router.buffer_bypass", random.below(2) == 0);
      e.set("router.credit_delay_cycles", static_cast<std::uint32_t>(2 + random.below(3)));
      e.set("topology.link_latency_cycles", static_cast<std::uint32_t>(1 + random.below(2)));
      e.set("traffic.flits", static_cast<std::uint32_t>(1 + random.below(9)));
      if (random.below(2) == 0) e.set("routing.algorithm", "minimal_adaptive");
      const auto reserved = static_cast<std::uint32_t>(1 + random.below(3));
      expect_places_are_kept(shared(e, reserved, static_cast<std::uint32_t>(1 + random.below(12))), 300,
                             random.below(2) == 0 ? 1 : 3);
    }
  }
}

TEST(SharedBuffers, WorkBesideSpeculationAgesBoundedNodesAndCircuits) {
  Experiment speculative = shared(uniform_mesh(0.5, 4, 4), 1, 6);
  speculative.set("router.speculative", true);
  expect_places_are_kept(speculative, 400);
  Experiment oldest = shared(uniform_mesh(0.5, 4, 4), 1, 6);
  oldest.set("router.arbiter", "oldest_first");
  expect_places_are_kept(oldest, 400);
  Experiment bounded = shared(uniform_mesh(0.5, 4, 4), 1, 6);
  bounded.set("interface.packet_ejection_flits", 1);
  bounded.set("interface.packet_injection_flits", 1);
  bounded.set("topology.local_ports", 2);
  expect_places_are_kept(bounded, 400);
  Experiment circuits = shared(stream_mesh("fm_radio_4x4.toml", 4, 4), 1, 6);
  add_traffic(circuits, 0.05);
  expect_places_are_kept(circuits, 1200);
}

/// UGAL is told of flits that are out, of own places or of the pool's.
TEST(SharedBuffers, TellRoutingByQueuesWhatIsOut) {
  Experiment e;
  e.set("topology.kind", "dragonfly");
  e.set("routing.algorithm", "ugal");
  e.set("router.vcs", 6);
  add_traffic(e, 0.3);
  e.set("traffic.flits", 1);
  const auto delivered = [](const Experiment& x) {
    Bench bench(x);
    bench.run(2000);
    return static_cast<double>(bench.delivered());
  };
  Experiment own = e;
  own.set("router.buffer_depth", 8);
  EXPECT_NEAR(delivered(shared(e, 2, 36)) / delivered(own), 1.0, 0.02);
  expect_places_are_kept(shared(e, 2, 36), 100);
}

/// A VC may hold more than its share, and does.
TEST(SharedBuffers, HoldMoreInAVcThanItsShare) {
  Bench bench(shared(uniform_mesh(0.6, 4, 4), 1, 12));
  std::uint32_t most = 0, most_of_port = 0;
  for (int i = 0; i < 2000; ++i) {
    bench.run(1);
    for (std::size_t r = 0; r < 16; ++r) {
      for (std::uint32_t p = 0; p < 5; ++p) {
        std::uint32_t port = 0;
        for (std::uint32_t v = 0; v < 4; ++v) {
          const std::uint32_t flits = bench.network->fabric().buffered(RouterId{r}, PortId{p}, v);
          most = std::max(most, flits);
          port += flits;
        }
        most_of_port = std::max(most_of_port, port);
      }
    }
  }
  EXPECT_GT(most, 4U);
  EXPECT_LE(most, 13U);
  EXPECT_LE(most_of_port, 16U);
  EXPECT_GT(most_of_port, 13U);
}

TEST(SharedBuffers, AreTheSameInAnyNumberOfSlices) {
  for (const char* algorithm : {"x_first", "minimal_adaptive"}) {
    for (const double rate : {0.1, 0.45}) {
      Experiment e = shared(uniform_mesh(rate), 1, 12);
      e.set("routing.algorithm", algorithm);
      Bench one(e), several(e, 5);
      one.run(2000);
      several.run(2000);
      EXPECT_TRUE(one.network->conservation().holds());
      EXPECT_GT(one.delivered(), 1000U);
      EXPECT_EQ(several.network->merged_statistics().packet_hash(), one.network->merged_statistics().packet_hash());
    }
  }
}

TEST(SharedBuffers, GoOnFromACheckpoint) {
  expect_continues(shared(uniform_mesh(0.45, 4, 4), 1, 9), 700, 300);
  expect_continues(shared(uniform_mesh(0.45, 4, 4), 2, 5), 700, 300, 3);
}

TEST(SharedBuffers, AreTheSameAsModules) {
  expect_same_results(
      experiment("mesh_uniform") +
      " --set topology.width=3 --set topology.height=2 --set router.buffers=shared --set "
      "router.shared_depth=5 --set traffic.rate_flits_per_node_cycle=0.5 --set simulation.measure_cycles=1000 --set "
      "simulation.max_warmup_cycles=1000 --set simulation.max_drain_cycles=1000 ");
}

// ---------------------------------------------------------------- what it refuses

TEST(SharedBuffers, RefuseWhatCountsByVc) {
  Experiment e = shared(uniform_mesh(0.1, 4, 4), 1, 12);
  EXPECT_EQ(Bench(e).network->fabric().engines()->lists_because, "router.buffers = \"shared\"");
  Experiment planes = e;
  planes.set("simulation.engine", "planes");
  EXPECT_EQ(refusal(planes),
            "simulation.engine = \"planes\" cannot run router.buffers = \"shared\"; expected \"auto\" or \"lists\"");
  e.set("router.implementation", "pins");
  EXPECT_EQ(refusal(e),
            "router.buffers = \"shared\": counters of a pool are of routers that are the model's; expected "
            "\"private\" beside router.implementation = \"pins\"");
  EXPECT_EQ(refusal(shared(uniform_mesh(0.1), 2, 126)),
            "router.shared_depth = 126: a VC may hold that and router.reserved_depth = 2; expected at most 125");
  Experiment fast = shared(uniform_mesh(0.1), 1, 12);
  fast.set("router.input_speedup", 2);
  EXPECT_EQ(refusal(fast),
            "router.input_speedup = 2: one flit a cycle leaves a port whose VCs share buffers; expected 1, or "
            "router.buffers = \"private\"");
}

}  // namespace
}  // namespace braid::test::shared_buffers_test
