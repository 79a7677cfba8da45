// What each kind of network may be told in numbers, as `braid list` has it: below the least it says from where to where
// they reach; and whose nodes have one link each, which reads no number of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "routing/topology/topology.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::size_ranges_test {
namespace {

using namespace routing;

std::string said(const std::string& kind, const std::string& key, std::int64_t value) {
  Configuration options;
  options.set("topology.kind", kind);
  options.set("topology." + key, value);
  return complaint([&] { make_topology(options); });
}

TEST(SizeRanges, AreToldByWhoIsBelowThem) {
  struct Range {
    const char *kind, *key, *range;
  };
  const std::vector<Range> ranges{{"mesh", "width", "1 to 1024"},
                                  {"mesh", "height", "1 to 1024"},
                                  {"mesh", "local_ports", "1 to 60"},
                                  {"mesh", "link_latency_cycles", "1 to 256"},
                                  {"mesh", "link_flits_per_cycle", "1 to 64"},
                                  {"torus", "width", "3 to 1024"},
                                  {"torus", "height", "3 to 1024"},
                                  {"torus", "local_ports", "1 to 60"},
                                  {"hexagonal", "edge", "2 to 200"},
                                  {"hexagonal", "local_ports", "1 to 58"},
                                  {"k_ary_n_tree", "arity", "2 to 32"},
                                  {"k_ary_n_tree", "levels", "1 to 20"},
                                  {"fat_tree", "arity", "2 to 63"},
                                  {"fat_tree", "levels", "1 to 20"},
                                  {"butterfly", "arity", "2 to 32"},
                                  {"butterfly", "stages", "1 to 16"},
                                  {"cube", "concentration", "1 to 64"},
                                  {"flattened_butterfly", "concentration", "1 to 64"},
                                  {"irregular", "switches", "2 to 4096"},
                                  {"irregular", "switch_ports", "2 to 64"},
                                  {"irregular", "hosts", "1 to 63"},
                                  {"irregular", "instance", "0 to 1000000"},
                                  {"dragonfly", "routers_per_group", "1 to 63"},
                                  {"dragonfly", "global_ports", "1 to 63"},
                                  {"dragonfly", "nodes_per_router", "1 to 63"},
                                  {"dragonfly", "global_latency_cycles", "1 to 256"},
                                  {"dragonfly", "global_flits_per_cycle", "1 to 64"},
                                  {"chiplet_chain", "chiplets", "1 to 1024"},
                                  {"chiplet_chain", "width", "1 to 1024"},
                                  {"chiplet_chain", "height", "1 to 1024"},
                                  {"chiplet_chain", "joint_latency_cycles", "1 to 256"},
                                  {"chiplet_chain", "joint_flits_per_cycle", "1 to 64"},
                                  {"chiplet_chain", "local_ports", "1 to 60"}};
  for (const Range& r : ranges) {
    EXPECT_EQ(said(r.kind, r.key, -1), std::string("topology.") + r.key + " = -1: expected integer, " + r.range)
        << r.kind;
  }
}

TEST(SizeRanges, OfLinksBetweenRoutersAreTheSameEverywhere) {
  for (const char* kind : {"mesh", "torus", "hexagonal", "k_ary_n_tree", "fat_tree", "butterfly", "cube",
                           "flattened_butterfly", "irregular", "dragonfly", "chiplet_chain"}) {
    EXPECT_EQ(said(kind, "link_latency_cycles", 0), "topology.link_latency_cycles = 0: expected integer, 1 to 256")
        << kind;
    EXPECT_EQ(said(kind, "link_latency_cycles", 256), "") << kind;
    EXPECT_EQ(said(kind, "link_flits_per_cycle", 0), "topology.link_flits_per_cycle = 0: expected integer, 1 to 64")
        << kind;
    EXPECT_EQ(said(kind, "link_flits_per_cycle", 64), "") << kind;
  }
}

TEST(SizeRanges, OfLocalPortsAreReadOnlyWhereNodesMayHaveSeveral) {
  for (const char* kind :
       {"k_ary_n_tree", "fat_tree", "butterfly", "cube", "flattened_butterfly", "irregular", "dragonfly"}) {
    EXPECT_EQ(said(kind, "local_ports", -1), "") << kind;
  }
}

}  // namespace
}  // namespace braid::test::size_ranges_test
