// From how many flits a cycle on planes are chosen (docs/planes.md, "as many flits as cost as much over lists"): 6 for
// each 64 routers of 5 ports and 4 VCs where the processor has AVX2, else 24, and 20 of each 64 in larger networks;
// more ports and VCs count as more routers. Packets of which each takes one flit a cycle over its row of routers make
// any number of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::plane_break_even_test {
namespace {

using models::Experiment;

constexpr bool kX86 =
#if defined(__x86_64__)
    true;
#else
    false;
#endif

/// Rows of a mesh, the last one as long as it takes, all of them at least two, so that so many flits cross a switch in
/// a cycle. Are planes chosen?
bool planes_for(std::uint32_t hops, std::uint32_t width, std::uint32_t height, std::uint32_t local_ports = 1,
                std::uint32_t vcs = 4) {
  Experiment e = uniform_mesh(0.0, width, height);
  e.set("topology.local_ports", local_ports);
  e.set("router.vcs", vcs);
  Bench bench(with_either(e));
  bench.run(1);
  std::uint32_t row = 0;
  for (std::uint32_t left = hops; left > 0; ++row) {
    const std::uint32_t routers = std::min(left, width - 1);
    EXPECT_GT(routers, 1U);
    EXPECT_LT(row, height);
    bench.network->send_packet(NodeId{row * width}, NodeId{row * width + routers - 1}, 65535);
    left -= routers;
  }
  bench.run(200);
  const std::uint64_t before = bench.network->flit_hops();
  bench.run(3000);
  EXPECT_EQ(bench.network->flit_hops() - before, std::uint64_t{3000} * hops) << "in every cycle";
  return models::hybrid::of(bench.network->fabric()).plane_cycles() > 0;
}

class Plain : public testing::Test {
 protected:
  void SetUp() override { setenv("BRAID_VECTORS", "plain", 1); }
  void TearDown() override { unsetenv("BRAID_VECTORS"); }
};

TEST_F(Plain, PlanesOf64RoutersAreChosenFrom24FlitsOn) {
  EXPECT_FALSE(planes_for(23, 8, 8));
  EXPECT_TRUE(planes_for(25, 8, 8));
}

/// 272 routers are two blocks of four words, eight in all: 20 each.
TEST_F(Plain, PlanesOfLargerNetworksAreChosenFrom20FlitsAWordOn) {
  EXPECT_FALSE(planes_for(156, 17, 16));
  EXPECT_TRUE(planes_for(165, 17, 16));
}

/// Six ports count as (1.2 + 1.2 x 1.2) / 2 = 1.32 of five: 31.7.
TEST_F(Plain, PlanesOfMorePortsAreMoreRouters) {
  EXPECT_FALSE(planes_for(31, 8, 8, 2));
  EXPECT_TRUE(planes_for(33, 8, 8, 2));
}

class WithAvx2 : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("BRAID_VECTORS");
    if (kSanitized || !kX86) GTEST_SKIP() << "planes are compiled for any processor alone";
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) GTEST_SKIP() << "none here";
#endif
  }
};

TEST_F(WithAvx2, PlanesOf64RoutersAreChosenFrom6FlitsOn) {
  EXPECT_FALSE(planes_for(5, 8, 8));
  EXPECT_TRUE(planes_for(7, 8, 8));
}

TEST_F(WithAvx2, PlanesOfLargerNetworksAreChosenFrom6FlitsAWordOn) {
  EXPECT_FALSE(planes_for(46, 17, 16));
  EXPECT_TRUE(planes_for(50, 17, 16));
}

/// Seven VCs are those of a shape of eight, twice four: four words of 1.32 and 2 are 10.56, and 63.4 flits.
TEST_F(WithAvx2, PlanesOfMorePortsAndVcsAreMoreRouters) {
  EXPECT_FALSE(planes_for(62, 16, 8, 2, 7));
  EXPECT_TRUE(planes_for(66, 16, 8, 2, 7));
}

}  // namespace
}  // namespace braid::test::plane_break_even_test
