// Arbiters and allocators against independent reference models.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/families/hybrid/arbiter.h"
#include "tb/tests/support/bench.h"

namespace braid::test::allocator_test {
namespace {

using namespace models;
using namespace models::hybrid;

TEST(RoundRobin, MatchesAScanFromThePointer) {
  for (const unsigned n : {1U, 3U, 5U, 8U, 40U}) {
    RoundRobinArbiters arbiters(2, n);
    Random random(n);
    unsigned pointer = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t requests = random() & ((std::uint64_t{1} << n) - 1);
      if (requests == 0) continue;
      unsigned expected = pointer;
      while (((requests >> (expected % n)) & 1) == 0) ++expected;
      expected %= n;
      ASSERT_EQ(arbiters.pick(1, requests), expected);
      for (unsigned other = 0; other < n; ++other) {
        const bool loses = other != expected && ((requests >> other) & 1) != 0;
        ASSERT_TRUE(!loses || arbiters.rank(1, expected) < arbiters.rank(1, other));
      }
      if (random.below(2) == 0) continue;  // not used: the pointer stays
      arbiters.use(1, expected);
      pointer = (expected + 1) % n;
    }
  }
}

TEST(Matrix, GrantsTheLeastRecentlyServed) {
  constexpr unsigned kN = 6;
  MatrixArbiters arbiters(1, kN);
  bool before[kN][kN];  // the matrix of the textbook
  for (unsigned a = 0; a < kN; ++a) {
    for (unsigned b = 0; b < kN; ++b) before[a][b] = a < b;
  }
  Random random(7);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t requests = 1 + random.below((1U << kN) - 1);
    unsigned winner = kN;
    for (unsigned a = 0; a < kN; ++a) {
      bool first = ((requests >> a) & 1) != 0;
      for (unsigned b = 0; b < kN; ++b) first = first && !(a != b && ((requests >> b) & 1) != 0 && before[b][a]);
      if (first) winner = a;
    }
    ASSERT_EQ(arbiters.pick(0, requests), winner);
    if (random.below(3) == 0) continue;
    arbiters.use(0, winner);
    for (unsigned other = 0; other < kN; ++other) {
      if (other == winner) continue;
      before[winner][other] = false;
      before[other][winner] = true;
    }
  }
}

/// A saturated network makes every pattern of requests; each cycle's grants must be a matching of requests.
class Matching : public testing::TestWithParam<const char*> {};

TEST_P(Matching, GrantsAreRequestedAndNeverCollide) {
  Experiment e = uniform_mesh(0.9, 4, 4);
  e.set("router.vc_allocator", GetParam());
  e.set("router.switch_allocator", GetParam());
  e.set("routing.algorithm", "minimal_adaptive");
  Bench bench(e);
  Slice& slice = models::hybrid::of(bench.network->fabric()).slice(0);
  const RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  std::size_t switch_grants = 0, vc_grants = 0;
  for (int i = 0; i < 2000; ++i) {
    bench.network->compute(0);
    std::set<PortIndex> inputs, outputs;
    for (const VcIndex v : slice.switch_grants()) {
      const InputVc& vc = bank.input_vcs[v];
      ASSERT_EQ(vc.state, VcState::kActive);
      ASSERT_GT(vc.count, 0);
      ASSERT_GT(bank.output_vcs[vc.out_vc].credits, 0);
      ASSERT_TRUE(inputs.insert(bank.port_of_vc(v)).second);
      ASSERT_TRUE(outputs.insert(bank.port_of_vc(vc.out_vc)).second);
      ++switch_grants;
    }
    std::set<VcIndex> heads, taken;
    for (const VcGrant& grant : slice.vc_grants()) {
      ASSERT_EQ(bank.input_vcs[grant.in_vc].state, VcState::kWaitsForVc);
      ASSERT_EQ(bank.output_vcs[grant.out_vc].owner, kNone);
      ASSERT_TRUE(heads.insert(grant.in_vc).second);
      ASSERT_TRUE(taken.insert(grant.out_vc).second);
      ++vc_grants;
    }
    bench.network->commit(0);
    bench.network->end_cycle();
  }
  EXPECT_GT(switch_grants, 10000U);
  EXPECT_GT(vc_grants, 2000U);
}
INSTANTIATE_TEST_SUITE_P(Allocators, Matching, testing::Values("separable_input_first", "islip"));

}  // namespace
}  // namespace braid::test::allocator_test
