// Why a head stands still that may take several ways (stall_signals.h), held to the registers: it asks for the first
// way that has a free VC, or for the first; it waits for who has a VC that it asks for. (One way:
// stall_rules_test.cpp.)
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "models/fabric/signal_names.h"
#include "tb/tests/support/wave.h"

namespace braid::test::stall_ways_test {
namespace {

using models::hybrid::kNone;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;
using models::hybrid::VcState;

constexpr std::uint64_t kGetsVc = 2, kVcTaken = 4, kLostVc = 5;

/// What a head asks for.
struct Asked {
  PortIndex port = 0;
  VcMask vcs = 0;  // of which it may have one, or that others have
  bool free = false;
  bool later = false;  // it is not the first way
};
Asked asked_by(const RouterBank& bank, VcIndex head) {
  const auto port_of_way = [&](std::uint32_t way) {
    return bank.port_index(bank.router_of(bank.port_of_vc(head)), bank.candidates(head)[way].port);
  };
  for (std::uint32_t way = 0; way < bank.ways[head]; ++way) {
    const VcMask free = bank.candidates(head)[way].vcs & bank.free_vcs[port_of_way(way)];
    if (free != 0) return {port_of_way(way), free, true, way > 0};
  }
  return {port_of_way(0), bank.candidates(head)[0].vcs, false, false};
}

struct Seen {
  std::size_t taken = 0, lost = 0, later = 0, held = 0;
};

void expect_ways(const char* algorithm, Seen& seen) {
  models::Experiment e = uniform_mesh(0.7, 3, 3);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 3);
  e.set("routing.algorithm", algorithm);
  Bench bench(e);
  const RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  std::map<VcIndex, std::string> scopes;
  for (std::size_t r = 0; r < bench.topology.router_count(); ++r) {
    for (std::size_t p = 0; p < bench.topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = bench.topology.port(RouterId{r}, PortId{p});
      if (port.kind == routing::PortKind::kUnconnected) continue;
      for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
        scopes[bank.vc_index(bank.port_index(RouterId{r}, PortId{p}), v)] =
            models::port_scope(bench.topology.router_names[r], port.name) + ".vc" + std::to_string(v) + ".";
      }
    }
  }
  Wave wave(bench);
  std::map<VcIndex, Asked> before;  // heads that waited
  for (std::uint64_t cycle = 0; cycle < 250; ++cycle) {
    wave.run(1);
    for (const auto& [head, asked] : before) {
      const auto row = [&](VcIndex v, const char* name) { return wave.at(scopes.at(v) + name, cycle); };
      const std::string where = scopes.at(head) + " in cycle " + std::to_string(cycle);
      if (bank.input_vcs[head].state != VcState::kWaitsForVc) {
        EXPECT_EQ(row(head, "stall"), kGetsVc) << where;
        EXPECT_EQ(row(head, "held_by"), 0U) << where;
        continue;
      }
      EXPECT_EQ(row(head, "stall"), asked.free ? kLostVc : kVcTaken) << where;
      ++(asked.free ? seen.lost : seen.taken);
      seen.later += asked.later ? 1 : 0;
      std::uint64_t holder = 0;
      for (std::uint32_t v = bank.vcs(); v-- > 0;) {
        const VcIndex owner = bank.output_vcs[bank.vc_index(asked.port, v)].owner;
        if ((asked.vcs >> v & 1) != 0 && owner != kNone) holder = row(owner, "packet");
      }
      EXPECT_EQ(row(head, "held_by"), holder) << where;
      seen.held += holder != 0 ? 1 : 0;
    }
    before.clear();
    for (const auto& [v, scope] : scopes) {
      if (bank.input_vcs[v].state != VcState::kWaitsForVc) continue;
      before[v] = asked_by(bank, v);
      EXPECT_EQ(wave.at(scope + "out", cycle), bank.port_of(before[v].port) + 1U) << scope << cycle;
      EXPECT_EQ(wave.at(scope + "out_credits", cycle), 0U) << scope << cycle << ": it has no VC";
    }
  }
}

TEST(StallRules, TellOfTheWayThatAHeadAsksFor) {
  Seen seen;
  for (const char* algorithm : {"minimal_adaptive", "west_first"}) expect_ways(algorithm, seen);
  EXPECT_GT(seen.taken, 50U);
  EXPECT_GT(seen.lost, 5U);
  EXPECT_GT(seen.later, 0U) << "that asked for another way than its first";
  EXPECT_GT(seen.held, 50U);
}

}  // namespace
}  // namespace braid::test::stall_ways_test
