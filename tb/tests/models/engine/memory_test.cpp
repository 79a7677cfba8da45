// Whether a network fits the memory, before it is asked for.
#include "models/engine/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/program.h"

namespace braid::test::memory_test {
namespace {

TEST(Memory, IsEnoughToTheByte) {
  const routing::Topology topology = grid_of("mesh", 4, 2);  // 8 routers of 5 ports
  EXPECT_NO_THROW(models::check_memory(topology, 1000, 40000));
  try {
    models::check_memory(topology, 1000000, 39999999);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "mesh 4x2: the buffers of its 8 routers take at least 0.0 GB, and 0.0 GB are available; expected fewer "
              "routers, or less in section [router]");
  }
}

/// With a GB of addresses.
Ended checked(const std::string& words) { return braid("check " + words, "ulimit -v 1000000; "); }

/// Of so many routers, as a file.
std::string ring(std::size_t routers) {
  std::string text = R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">)";
  for (std::size_t r = 0; r < routers; ++r) text += "<node id='n" + std::to_string(r) + "'/>";
  for (std::size_t r = 0; r < routers; ++r) {
    text += "<edge source='n" + std::to_string(r) + "' target='n" + std::to_string((r + 1) % routers) + "'/>";
  }
  const std::string file = temporary_file("ring.graphml");
  std::ofstream(file) << text << "</graph></graphml>";
  return file;
}

void expect_refused(const std::string& words, const std::string& why) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
#endif
  const Ended ended = checked(words);
  EXPECT_EQ(ended.status, 2) << words;
  EXPECT_NE(ended.output.find(why), std::string::npos) << ended.output;
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
}

TEST(Memory, IsAskedForBeforeTheNetworkIs) {
  expect_refused(experiment("mesh_uniform") +
                     " --set topology.width=300 --set topology.height=300 --set router.vcs=16 --set "
                     "router.buffer_depth=64",
                 "routers take at least 3.");
  expect_refused(experiment("tree_sat") + " --set topology.levels=8 --set router.queue_packets=255",
                 "the buffers of its 131072 routers take at least 4.");
}

TEST(Memory, IsAskedForBeforeRoutingTablesAre) {
  const std::string words = experiment("custom_graph") + " --set topology.file=" + ring(20000);
  expect_refused(words, ": routing tables for 20000 routers take up to 1.6 GB, and ");
  expect_refused(words + " --set routing.algorithm=source_routed --set router.architecture=myrinet",
                 ": paths between 20000 routers take up to ");
}

}  // namespace
}  // namespace braid::test::memory_test
