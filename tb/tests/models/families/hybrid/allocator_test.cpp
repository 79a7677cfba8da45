// Arbiters and allocators against independent reference models.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/with_arbiter.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

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

/// Ranks are a permutation: a checkpoint with other ones is of no arbiter. Of more requesters than a word has bits.
TEST(Matrix, HasARankForEachRequester) {
  for (const unsigned n : {3U, 70U}) {
    MatrixArbiters arbiters(2, n);
    arbiters.use(1, 1);
    const std::string whole = saved(arbiters);
    EXPECT_NO_THROW(restore(arbiters, whole));
    arbiters.ranks()[n + 1] = static_cast<std::uint16_t>(n - 2);
    const std::string said = complaint<CheckpointError>([&] { saved(arbiters); });
    EXPECT_EQ(said, no_such_state("two requesters of one rank at an arbiter"));
    arbiters.ranks()[n + 1] = static_cast<std::uint16_t>(n);
    EXPECT_EQ(complaint<CheckpointError>([&] { saved(arbiters); }), here("rank at an arbiter", n, n));
  }
}

/// What a user's arbiter goes through. Braid's own, behind the same pointer, must grant what their types do.
TEST(RegisteredArbiters, GrantAsTheSameArbitersByType) {
  constexpr unsigned kN = 11;  // no power of two
  AllocatorOptions options;
  const Configuration none;
  options.configuration = &none;
  for (const char* name : {"round_robin", "matrix"}) {
    options.arbiter = name;
    auto behind = make_arbiters<RegisteredArbiters>(options, 3, kN);
    RoundRobinArbiters round_robin(3, kN);
    MatrixArbiters matrix(3, kN);
    Random random(11);
    for (int i = 0; i < 3000; ++i) {
      const std::size_t arbiter = random.below(3);
      const std::uint64_t requests = 1 + random.below((1U << kN) - 1);
      const bool by_turn = options.arbiter == "round_robin";
      const unsigned expected = by_turn ? round_robin.pick(arbiter, requests) : matrix.pick(arbiter, requests);
      ASSERT_EQ(behind.pick(arbiter, requests), expected) << name;
      if (random.below(4) == 0) continue;
      behind.use(arbiter, expected);
      round_robin.use(arbiter, expected);
      matrix.use(arbiter, expected);
    }
  }
  options.arbiter = "round_robbin";
  EXPECT_THROW(make_arbiters<RegisteredArbiters>(options, 3, kN), InputError);
}

/// The lowest number wins: what an experiment's name leads to, with the experiment's configuration.
struct LowestFirst final : AnyArbiters {
  std::uint32_t rank(std::size_t, std::uint32_t requester) const override { return requester; }
  void use(std::size_t, std::uint32_t) override {}
  void checkpoint(Checkpoint&) override {}
};
std::size_t banks_made = 0;
bool configuration_came = true;
const bool lowest_first_registered =
    ArbiterRegistry::instance().add("lowest_first", "of the tests", [](const ArbiterContext& c) {
      ++banks_made;
      configuration_came = configuration_came && c.configuration.find("router.vcs") != nullptr;
      return std::make_unique<LowestFirst>();
    });

TEST(RegisteredArbiters, AnExperimentsNameLeadsToThem) {
  Experiment e = uniform_mesh(0.3, 4, 4);
  e.set("router.vcs", 2);
  e.set("router.arbiter", "lowest_first");
  Bench bench(e);
  EXPECT_EQ(banks_made, 4U) << "two of either allocator";
  EXPECT_TRUE(configuration_came);
}

/// A saturated network makes every pattern of requests; each cycle's grants must be a matching of requests.
class Matching : public testing::TestWithParam<std::pair<const char*, std::uint32_t>> {};

TEST_P(Matching, GrantsAreRequestedAndNeverCollide) {
  Experiment e = uniform_mesh(0.9, 4, 4);
  const auto [allocator, iterations] = GetParam();
  if (VcAllocatorRegistry::instance().entries().count(allocator) != 0) e.set("router.vc_allocator", allocator);
  e.set("router.switch_allocator", allocator);
  if (iterations > 1) e.set("router.islip_iterations", iterations);
  e.set("routing.algorithm", "minimal_adaptive");
  e.set("simulation.engine", "lists");  // planes have no lists of grants
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
INSTANTIATE_TEST_SUITE_P(Allocators, Matching,
                         testing::Values(std::pair("separable_input_first", 1U), std::pair("islip", 1U),
                                         std::pair("islip", 3U), std::pair("wavefront", 1U), std::pair("pim", 1U),
                                         std::pair("maximum_size", 1U)));

}  // namespace
}  // namespace braid::test::allocator_test
