// Why a packet that forks stands still (stall_signals.h): it is told as if the branch that has sent least were all of
// it. Held to the registers of its branches. (Packets that do not fork: stall_rules_test.cpp.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "models/families/hybrid/packet_forks.h"
#include "models/families/hybrid/signals.h"
#include "tb/tests/support/copies.h"

namespace braid::test::stall_forks_test {
namespace {

using models::hybrid::kNone;
using models::hybrid::PacketForks;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;
using models::hybrid::VcState;

constexpr std::uint64_t kMoves = 1, kVcTaken = 4, kLostVc = 5, kNoCredit = 6, kCircuitFirst = 7, kLostSwitch = 8;

/// Rows of the input VCs of a network whose packets fork.
struct Rows {
  explicit Rows(CopyRig& rig) : bank(rig.fabric().bank()) {
    std::vector<RouterId> routers;
    for (std::size_t r = 0; r < rig.topology().router_count(); ++r) routers.push_back(RouterId{r});
    source = rig.fabric().signals(table, routers);
    for (models::Signal& s : table.signals()) rows[s.scope + "." + s.name] = &s;
    for (const RouterId r : routers) {
      for (std::size_t p = 0; p < rig.topology().port_count(r); ++p) {
        const routing::Port& port = rig.topology().port(r, PortId{p});
        if (port.kind == routing::PortKind::kUnconnected) continue;
        for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
          scopes[bank.vc_index(bank.port_index(r, PortId{p}), v)] =
              models::port_scope(rig.topology().router_names[r.value], port.name) + ".vc" + std::to_string(v) + ".";
        }
      }
    }
  }
  std::uint64_t at(VcIndex v, const char* name) { return rows.at(scopes.at(v) + name)->value; }
  const RouterBank& bank;
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;
  std::map<std::string, models::Signal*> rows;
  std::map<VcIndex, std::string> scopes;
};

/// What is known of a fork before a cycle.
struct Fork {
  std::uint16_t left;  // flits that have left the buffer; UINT16_MAX: the last branch has no flit here
  bool has_vc;         // the last branch
  std::uint16_t credits, needed;
  VcMask free;
  models::PortIndex out;
};

TEST(StallRules, TellOfTheBranchThatHasSentLeast) {
  CopyRig rig(CopyRig::mesh(4, 4, 1, 4), 4);
  Rows rows(rig);
  const PacketForks& forks = *rig.fabric().packet_forks();
  Random random(3, "stall_forks_test");
  std::array<std::size_t, 9> seen{};
  std::uint64_t cycle = 0;
  std::map<VcIndex, Fork> before;
  for (int i = 0; i < 400; ++i, ++cycle) {
    if (i % 20 == 2) {
      for (int sends = 0; sends < 4; ++sends) {
        const std::size_t from = random.below(16);
        rig.send(from, rig.all_but(from), 1 + static_cast<std::uint32_t>(random.below(4)));
      }
    }
    rig.run(1);
    rows.source->sample(cycle);
    for (const auto& [v, was] : before) {
      if (rows.bank.input_vcs[v].state != VcState::kForked || was.left == UINT16_MAX) continue;
      const PacketForks::Fork& fork = forks.fork(v);
      const std::uint64_t stall = rows.at(v, "stall");
      ASSERT_LT(stall, seen.size());
      ++seen[stall];
      const std::string where = rows.scopes.at(v) + " in cycle " + std::to_string(cycle);
      EXPECT_NE(stall, kCircuitFirst) << where;
      const bool least_vc = forks.last_branch(v).out_vc != kNone;
      if (stall == kNoCredit) {
        EXPECT_TRUE(was.has_vc) << where;
        EXPECT_LT(was.credits, was.needed) << where;
        EXPECT_EQ(rows.at(v, "held_by"), 0U) << where;
      } else if (stall == kVcTaken || stall == kLostVc) {
        EXPECT_FALSE(was.has_vc) << where;
        EXPECT_EQ(was.free == 0, stall == kVcTaken) << where;
        const VcIndex owner = rows.bank.output_vcs[rows.bank.vc_index(was.out, 0)].owner;
        EXPECT_EQ(rows.at(v, "held_by") != 0, owner != kNone) << where;
      } else if (stall == kLostSwitch) {
        EXPECT_TRUE(was.has_vc && was.credits >= was.needed) << where;
      }
      const PacketForks::Branch& last = forks.last_branch(v);
      const std::uint16_t credits = least_vc ? rows.bank.output_vcs[last.out_vc].credits : 0;
      EXPECT_EQ(rows.at(v, "out_credits"), credits < forks.credits_needed(fork, last) ? 0U : credits) << where;
      EXPECT_EQ(rows.at(v, "out"), rows.bank.port_of(last.out_port) + 1U) << where;
      EXPECT_EQ(rows.at(v, "state"), 3U) << where << ": shown as active";
    }
    before.clear();
    for (const VcIndex v : forks.forked()) {
      const PacketForks::Fork& fork = forks.fork(v);
      const PacketForks::Branch& last = forks.last_branch(v);
      const bool has_vc = last.out_vc != kNone;
      const bool there = last.sent - fork.left < rows.bank.input_vcs[v].count;
      before[v] = {there ? fork.left : std::uint16_t{UINT16_MAX},
                   has_vc,
                   has_vc ? rows.bank.output_vcs[last.out_vc].credits : std::uint16_t{0},
                   static_cast<std::uint16_t>(forks.credits_needed(fork, last)),
                   last.vcs & rows.bank.free_vcs[last.out_port],
                   last.out_port};
    }
  }
  EXPECT_GT(seen[kMoves], 50U);
  EXPECT_GT(seen[kVcTaken], 0U);
  EXPECT_GT(seen[kNoCredit], 0U);
  EXPECT_TRUE(rig.drain());
}

}  // namespace
}  // namespace braid::test::stall_forks_test
