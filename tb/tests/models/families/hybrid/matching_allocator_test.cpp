// Switch allocators that see all requests of a router at once: wavefront, parallel iterative matching, maximum size.
// By hand, and against references that are written another way: a sweep over the cells of the request matrix, and all
// matchings there are. Ports of a router in the middle of a mesh: N = 5.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "routing/base/random.h"
#include "tb/tests/support/one_router.h"

namespace braid::test::matching_allocator_test {
namespace {

using namespace models;
using namespace models::hybrid;
using namespace one_router;

constexpr unsigned kPorts = 5;
using Requests = std::vector<std::array<std::uint32_t, 3>>;

std::unique_ptr<SwitchAllocator> make(const Router& router, const char* name, const Configuration& options = {}) {
  AllocatorOptions all = router.allocator("round_robin");
  all.configuration = &options;
  return SwitchAllocatorRegistry::instance().make(name, all);
}
std::string in_cycle(SwitchAllocator& allocator, const Router& router, std::uint64_t cycle) {
  return granted(allocator, router, nullptr, nullptr, cycle);
}

/// Cells (0, 4), (1, 4), (3, 4) are on diagonals 4, 0 and 2; in cycle t diagonal t mod 5 comes first.
TEST(Wavefront, GoesRoundItsDiagonals) {
  Router router;
  const auto sa = make(router, "wavefront");
  router.request({{0, 0, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}});
  std::string order;
  for (std::uint64_t cycle = 0; cycle < 6; ++cycle) order += in_cycle(*sa, router, cycle);
  EXPECT_EQ(order, "1.0 3.0 3.0 0.0 0.0 1.0 ");
}

/// Input 0 asks for 2 and 4, input 1 for 4. From diagonal 0 on both are served; from diagonal 3 on (0, 4) comes first,
/// and nothing is left for input 1.
TEST(Wavefront, IsMaximalAndNotAlwaysMaximum) {
  Router router;
  const auto sa = make(router, "wavefront");
  router.request({{0, 0, 2}, {0, 1, kLocal}, {1, 0, kLocal}});
  EXPECT_EQ(in_cycle(*sa, router, 0), "0.0 1.0 ");
  EXPECT_EQ(in_cycle(*sa, router, 3), "0.1 ");
}

/// Input 1 asks for output 2 alone, which input 0 has taken: input 0 moves on to its other one.
TEST(MaximumSize, MovesAnInputOnToLetAnotherIn) {
  Router router;
  const auto sa = make(router, "maximum_size");
  router.request({{0, 0, 2}, {0, 1, kLocal}, {1, 0, 2}});
  for (std::uint64_t cycle = 0; cycle < 30; ++cycle) EXPECT_EQ(in_cycle(*sa, router, cycle), "0.1 1.0 ");
}

/// The first input is number t mod 5 or the next that asks, the first output number t / 5 mod 5.
TEST(MaximumSize, GoesRoundInputsAndOutputs) {
  Router router;
  const auto sa = make(router, "maximum_size");
  router.request({{0, 0, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}});
  std::string order;
  for (std::uint64_t cycle = 0; cycle < 6; ++cycle) order += in_cycle(*sa, router, cycle);
  EXPECT_EQ(order, "0.0 1.0 3.0 3.0 0.0 0.0 ");
  router.request({{0, 0, 2}, {0, 1, kLocal}});
  EXPECT_EQ(in_cycle(*sa, router, 10), "0.0 ");
  EXPECT_EQ(in_cycle(*sa, router, 15), "0.1 ");
  EXPECT_EQ(in_cycle(*sa, router, 25), "0.0 ");
}

/// Of the VCs of an input that go to the output it got, the arbiter takes one after the other.
TEST(MatchingAllocators, TakeTheVcsOfAnInputInTurn) {
  for (const char* name : {"wavefront", "pim", "maximum_size"}) {
    Router router;
    const auto sa = make(router, name);
    router.request({{0, 0, kLocal}, {0, 1, kLocal}});
    std::string order;
    for (std::uint64_t cycle = 0; cycle < 3; ++cycle) order += in_cycle(*sa, router, cycle);
    EXPECT_EQ(order, "0.0 0.1 0.0 ") << name;
  }
}

/// How often in 4,000 cycles each answer comes.
std::map<std::string, double> shares(const Requests& requests, std::uint32_t iterations) {
  Router router;
  Configuration options;
  options.set("router.pim_iterations", iterations);
  const auto sa = make(router, "pim", options);
  router.request(requests);
  std::map<std::string, double> share;
  for (std::uint64_t cycle = 0; cycle < 4000; ++cycle) share[in_cycle(*sa, router, cycle)] += 1.0 / 4000;
  return share;
}

/// Standard deviations are below 0.008.
TEST(Pim, GrantsAndAcceptsEachAsOften) {
  auto inputs = shares({{0, 0, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}}, 1);
  EXPECT_EQ(inputs.size(), 3U);
  for (const auto& [grants, share] : inputs) EXPECT_NEAR(share, 1.0 / 3, 0.03) << grants;
  auto outputs = shares({{0, 0, 2}, {0, 1, kLocal}}, 1);
  EXPECT_EQ(outputs.size(), 2U);
  for (const auto& [grants, share] : outputs) EXPECT_NEAR(share, 1.0 / 2, 0.03) << grants;
}

/// Input 0 asks for 2 and 4, input 1 for 4. Output 4 grants input 1 in half the cycles: both are matched. In the other
/// half input 0 has two grants. Where it accepts 2, input 1 gets output 4 in the second iteration; where it accepts 4,
/// no further iteration helps.
TEST(Pim, MatchesWhatIsLeftOverInTheNextIteration) {
  const Requests requests{{0, 0, 2}, {0, 1, kLocal}, {1, 0, kLocal}};
  EXPECT_NEAR(shares(requests, 1)["0.0 1.0 "], 1.0 / 2, 0.03);
  EXPECT_NEAR(shares(requests, 1)["0.0 "], 1.0 / 4, 0.03);
  EXPECT_NEAR(shares(requests, 2)["0.0 1.0 "], 3.0 / 4, 0.03);
  EXPECT_NEAR(shares(requests, 16)["0.0 1.0 "], 3.0 / 4, 0.03);
  EXPECT_NEAR(shares(requests, 16)["0.1 "], 1.0 / 4, 0.03);
}

/// A stream of its own, of seed and router.
TEST(Pim, DrawsByTheSeed) {
  const auto drawn = [](std::uint64_t seed) {
    Router router;
    Configuration options;
    options.set("experiment.seed", seed);
    const auto sa = make(router, "pim", options);
    router.request({{0, 0, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}});
    std::string order;
    for (std::uint64_t cycle = 0; cycle < 40; ++cycle) order += in_cycle(*sa, router, cycle);
    return order;
  };
  EXPECT_EQ(drawn(7), drawn(7));
  EXPECT_NE(drawn(7), drawn(8));
}

/// One number for each choice among two or more, in the order of the ports, and none where there is no choice.
TEST(Pim, DrawsWhereThereIsAChoice) {
  Router router;
  Configuration options;
  options.set("experiment.seed", 7);
  const auto sa = make(router, "pim", options);
  Random reference(7, "router[4].switch_allocator");
  const auto three = [&] {
    router.request({{0, 0, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}});
    const char* expected[] = {"0.0 ", "1.0 ", "3.0 "};
    EXPECT_EQ(in_cycle(*sa, router, 0), expected[reference.below(3)]);
  };
  const auto two = [&] {
    router.request({{2, 0, 1}, {2, 1, 3}});
    const char* expected[] = {"2.0 ", "2.1 "};
    EXPECT_EQ(in_cycle(*sa, router, 0), expected[reference.below(2)]);
  };
  for (int i = 0; i < 20; ++i) {
    three();
    router.request({{0, 0, 2}, {1, 0, kLocal}});
    EXPECT_EQ(in_cycle(*sa, router, 0), "0.0 1.0 ") << "nobody else asks";
    two();
    if (i % 3 == 0) two();
  }
}

// ---------------------------------------------------------------- against references, on drawn requests

using Matrix = std::array<std::array<bool, kPorts>, kPorts>;  // [input][output]
using Pairs = std::set<std::pair<unsigned, unsigned>>;

/// A VC of an input asks for one output, with chance `density` of 8.
Requests drawn_requests(Random& random, unsigned density, Matrix& asked) {
  Requests requests;
  asked = {};
  for (std::uint32_t in = 0; in < kPorts; ++in) {
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      if (random.below(8) >= density) continue;
      const auto out = static_cast<std::uint32_t>(random.below(kPorts));
      requests.push_back({in, lane, out});
      asked[in][out] = true;
    }
  }
  return requests;
}

Pairs pairs_granted(SwitchAllocator& allocator, const Router& router, std::uint64_t cycle) {
  WorkList<VcIndex> grants;
  grants.reserve(router.bank->port_stride());
  allocator.allocate({*router.bank, router.ports, nullptr, nullptr, nullptr, cycle}, grants);
  Pairs pairs;
  for (const VcIndex v : grants) {
    const PortIndex out = router.bank->port_of_vc(router.bank->input_vcs[v].out_vc);
    pairs.insert({router.bank->port_of(router.bank->port_of_vc(v)), router.bank->port_of(out)});
  }
  EXPECT_EQ(pairs.size(), grants.size());
  return pairs;
}

/// The size of the largest matching of inputs from `in` on: tries all.
unsigned largest(const Matrix& asked, unsigned in, unsigned taken) {
  if (in == kPorts) return 0;
  unsigned best = largest(asked, in + 1, taken);
  for (unsigned out = 0; out < kPorts; ++out) {
    if (asked[in][out] && (taken >> out & 1) == 0) best = std::max(best, 1 + largest(asked, in + 1, taken | 1U << out));
  }
  return best;
}

/// Cell by cell as in the array of hardware: a cell passes on what its row and its column have left.
Pairs wavefront_by_cells(const Matrix& asked, std::uint64_t cycle) {
  std::array<bool, kPorts> row{}, column{};
  Pairs pairs;
  for (unsigned step = 0; step < kPorts; ++step) {
    for (unsigned out = 0; out < kPorts; ++out) {
      for (unsigned in = 0; in < kPorts; ++in) {
        if ((in + out) % kPorts != (cycle + step) % kPorts || !asked[in][out] || row[in] || column[out]) continue;
        row[in] = column[out] = true;
        pairs.insert({in, out});
      }
    }
  }
  return pairs;
}

void expect_matching(const Pairs& pairs, const Matrix& asked, bool maximal) {
  std::array<bool, kPorts> row{}, column{};
  for (const auto& [in, out] : pairs) {
    ASSERT_TRUE(asked[in][out]) << in << " to " << out;
    ASSERT_FALSE(row[in] || column[out]) << in << " to " << out;
    row[in] = column[out] = true;
  }
  for (unsigned in = 0; maximal && in < kPorts; ++in) {
    for (unsigned out = 0; out < kPorts; ++out) ASSERT_FALSE(asked[in][out] && !row[in] && !column[out]);
  }
}

TEST(MatchingAllocators, AreMatchingsAsLargeAsPromised) {
  Router router(4);
  Configuration long_pim;
  long_pim.set("router.pim_iterations", 16);
  const auto wavefront = make(router, "wavefront"), maximum = make(router, "maximum_size"), pim = make(router, "pim"),
             pim16 = make(router, "pim", long_pim);
  Random random(3);
  Matrix asked;
  unsigned smaller = 0;
  for (std::uint64_t cycle = 0; cycle < 3000; ++cycle) {
    router.request(drawn_requests(random, 1 + static_cast<unsigned>(random.below(8)), asked));
    const Pairs of_wavefront = pairs_granted(*wavefront, router, cycle);
    const std::size_t most = largest(asked, 0, 0);
    ASSERT_EQ(of_wavefront, wavefront_by_cells(asked, cycle)) << cycle;
    const Pairs of_maximum = pairs_granted(*maximum, router, cycle);
    expect_matching(of_maximum, asked, true);
    ASSERT_EQ(of_maximum.size(), most) << cycle;
    expect_matching(pairs_granted(*pim, router, cycle), asked, false);
    expect_matching(pairs_granted(*pim16, router, cycle), asked, true);
    smaller += of_wavefront.size() < most ? 1 : 0;
  }
  EXPECT_GT(smaller, 30U) << "else the requests tell a maximal matching from none of maximum size";
}

}  // namespace
}  // namespace braid::test::matching_allocator_test
