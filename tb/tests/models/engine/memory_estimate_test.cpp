// Estimates of what networks take, against what they take.
#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

#include "tb/tests/support/families.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::memory_estimate_test {
namespace {

/// Asked of the allocator so far, in bytes.
std::uint64_t allocated() {
  const auto all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

/// The family's small network, made some hundreds of routers large.
models::Experiment large(const std::string& architecture) {
  models::Experiment e = in_family(architecture);
  const std::string kind = routing::topology_options().read(e).kind;
  if (kind == "irregular") e.set("topology.switches", 128);
  if (kind == "k_ary_n_tree") e.set("topology.levels", 8);
  if (kind == "hexagonal") e.set("topology.edge", 16);
  if (kind == "mesh") {
    e.set("topology.width", 32);
    e.set("topology.height", 32);
  }
  return e;
}

class FabricOf : public testing::TestWithParam<std::string> {};

/// The hybrid family's lists of work, which are most of what its estimate leaves out, are memory only where they are
/// used.
TEST_P(FabricOf, IsEstimatedAtNoMoreThanItTakesAndNoLessThanHalf) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer has an allocator of its own";
  const models::Experiment e = large(GetParam());
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  const auto family = models::FabricRegistry::instance().make(GetParam());
  const models::Slicing slicing(topology.router_count(), 1);
  models::PacketStore store;
  const std::uint64_t before = allocated();
  const auto fabric = family->make({e, topology, *routing, store, slicing});
  const std::uint64_t taken = allocated() - before, estimate = family->fabric_bytes(e, topology, *routing);
  EXPECT_GE(topology.router_count(), 128u);
  EXPECT_LE(estimate, taken) << GetParam();
  EXPECT_GE((GetParam() == "hybrid" ? 4 : 2) * estimate, taken) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Families, FabricOf, testing::ValuesIn(models::FabricRegistry::instance().names()),
                         [](const auto& i) { return i.param; });

class WiringOf : public testing::TestWithParam<std::string> {};

TEST_P(WiringOf, IsEstimatedAtNoMoreThanItTakesAndNoLessThanHalf) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer has an allocator of its own";
  const models::Experiment e = large(GetParam());
  const std::uint64_t before = allocated();
  const routing::Topology topology = routing::make_topology(e);
  const std::uint64_t taken = allocated() - before;
  std::uint64_t ports = 0;
  for (const auto& router : topology.routers) ports += router.size();
  const std::uint64_t estimate = routing::topology_bytes(topology.router_count(), ports, topology.node_count());
  EXPECT_LE(estimate, taken) << topology.name;
  EXPECT_GE(2 * estimate, taken) << topology.name;
}

INSTANTIATE_TEST_SUITE_P(Families, WiringOf, testing::ValuesIn(models::FabricRegistry::instance().names()),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace braid::test::memory_estimate_test
