// From how many flits a cycle on planes are chosen (docs/planes.md#auto), for each 64 routers of 5 ports and 4 VCs:
// where the processor has AVX2 3 in one word (beside circuits 5) and 5 in blocks, of other shapes 9 and 12; without it
// 10, 17, 25 and 30; in blocks of AVX-512 4. More ports and VCs count as more routers, and nodes of several ports
// twice. Packets of which each takes one flit a cycle over its row of routers make any number of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/families/hybrid/planes/instruction_set.h"
#include "tb/tests/support/tile_streams.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::plane_break_even_test {
namespace {

using models::Experiment;
using models::hybrid::planes::instruction_set;
using models::hybrid::planes::InstructionSet;

/// Rows of a mesh, once more the other way when all are in use, the last one as long as it takes, all of them at least
/// two, so that so many flits cross a switch in a cycle. Are planes chosen? `nodes`: of each router.
bool planes_for(std::uint32_t hops, const Experiment& mesh, std::uint32_t width, std::uint32_t height,
                std::uint32_t nodes = 1) {
  Bench bench(with_either(mesh));
  bench.run(1);
  std::uint32_t row = 0;
  for (std::uint32_t left = hops; left > 0; ++row) {
    const std::uint32_t routers = std::min(left, width - 1), first = row % height * width;
    EXPECT_GT(routers, 1U);
    EXPECT_LT(row, 2 * height);
    const std::uint32_t from = row < height ? first : first + width - 1;
    const std::uint32_t to = row < height ? from + routers - 1 : from - (routers - 1);
    bench.network->send_packet(NodeId{from * nodes}, NodeId{to * nodes + nodes - 1}, 65535);
    left -= routers;
  }
  bench.run(200);
  const std::uint64_t before = bench.network->flit_hops();
  bench.run(3000);
  EXPECT_EQ(bench.network->flit_hops() - before, std::uint64_t{3000} * hops) << "in every cycle";
  return models::hybrid::of(bench.network->fabric()).plane_cycles() > 0;
}
bool planes_for(std::uint32_t hops, std::uint32_t width, std::uint32_t height, std::uint32_t vcs = 4) {
  Experiment e = uniform_mesh(0.0, width, height);
  e.set("router.vcs", vcs);
  return planes_for(hops, e, width, height);
}
/// Six ports: (1.2 + 1.2 x 1.2) / 2 = 1.32 of five. Two nodes a router ...
bool planes_of_six_ports_for(std::uint32_t hops) {
  Experiment e = uniform_mesh(0.0);
  e.set("topology.kind", "cube");
  e.set("topology.sizes", std::vector<std::uint32_t>{8, 8});
  e.set("topology.concentration", 2);
  e.set("routing.algorithm", "dimension_order");
  e.set("router.vcs", 4);
  return planes_for(hops, e, 8, 8, 2);
}
/// ... or one of two ports.
bool planes_of_two_node_ports_for(std::uint32_t hops) {
  Experiment e = uniform_mesh(0.0);
  e.set("topology.local_ports", 2);
  e.set("router.vcs", 4);
  return planes_for(hops, e, 8, 8);
}

class WithVectors : public testing::Test {
 protected:
  explicit WithVectors(const char* vectors) { setenv("BRAID_VECTORS", vectors, 1); }
  void TearDown() override { unsetenv("BRAID_VECTORS"); }
};

class Plain : public WithVectors {
 protected:
  Plain() : WithVectors("plain") {}
};

TEST_F(Plain, PlanesOf64RoutersAreChosenFrom10FlitsOn) {
  EXPECT_FALSE(planes_for(9, 8, 8));
  EXPECT_TRUE(planes_for(11, 8, 8));
}

/// 272 routers are two blocks of four words, eight in all.
TEST_F(Plain, PlanesOfLargerNetworksAreChosenFrom17FlitsAWordOn) {
  EXPECT_FALSE(planes_for(133, 17, 16));
  EXPECT_TRUE(planes_for(140, 17, 16));
}

/// 25 x 1.32 = 33.
TEST_F(Plain, PlanesOfMorePortsAreMoreRoutersOf25Flits) {
  EXPECT_FALSE(planes_of_six_ports_for(32));
  EXPECT_TRUE(planes_of_six_ports_for(35));
}

/// Five VCs are those of a shape of eight, twice four: four words of 2 are 240 flits.
TEST_F(Plain, PlanesOfMoreVcsAreMoreRoutersOf30Flits) {
  EXPECT_FALSE(planes_for(236, 16, 16, 5));
  EXPECT_TRUE(planes_for(246, 16, 16, 5));
}

class WithAvx2 : public WithVectors {
 protected:
  WithAvx2() : WithVectors("avx2") {}
  void SetUp() override {
    if (instruction_set() != InstructionSet::kAvx2)
      GTEST_SKIP() << "no AVX2 here, or planes are compiled for any processor alone";
  }
};

TEST_F(WithAvx2, PlanesOf64RoutersAreChosenFrom3FlitsOn) {
  EXPECT_FALSE(planes_for(2, 8, 8));
  EXPECT_TRUE(planes_for(4, 8, 8));
}

/// The circuit stands, and nothing goes on it.
TEST_F(WithAvx2, PlanesBesideCircuitsAreChosenFrom5FlitsOn) {
  for (const std::uint32_t hops : {4U, 6U}) {
    Experiment e = tile_streams(8, 8, 1, {{56, 63}}, 1000000);
    e.set("router.vcs", 4U);
    EXPECT_EQ(planes_for(hops, e, 8, 8), hops == 6) << hops;
  }
}

TEST_F(WithAvx2, PlanesOfLargerNetworksAreChosenFrom5FlitsAWordOn) {
  EXPECT_FALSE(planes_for(38, 17, 16));
  EXPECT_TRUE(planes_for(42, 17, 16));
}

/// 9 x 1.32 = 11.88, and twice that.
TEST_F(WithAvx2, PlanesOfMorePortsAreMoreRoutersOf9Flits) {
  EXPECT_FALSE(planes_of_six_ports_for(11));
  EXPECT_TRUE(planes_of_six_ports_for(13));
  EXPECT_FALSE(planes_of_two_node_ports_for(23));
  EXPECT_TRUE(planes_of_two_node_ports_for(25));
}

/// Seven VCs are those of a shape of eight: four words of 2 are 96 flits.
TEST_F(WithAvx2, PlanesOfMoreVcsAreMoreRoutersOf12Flits) {
  EXPECT_FALSE(planes_for(94, 16, 8, 7));
  EXPECT_TRUE(planes_for(100, 16, 8, 7));
}

class WithAvx512 : public WithVectors {
 protected:
  WithAvx512() : WithVectors("") {}
  void SetUp() override {
    if (instruction_set() != InstructionSet::kAvx512)
      GTEST_SKIP() << "no AVX-512 here, or planes are compiled without it";
  }
};

/// One block of eight words.
TEST_F(WithAvx512, PlanesOfLargerNetworksAreChosenFrom4FlitsAWordOn) {
  EXPECT_FALSE(planes_for(30, 17, 16));
  EXPECT_TRUE(planes_for(34, 17, 16));
}

}  // namespace
}  // namespace braid::test::plane_break_even_test
