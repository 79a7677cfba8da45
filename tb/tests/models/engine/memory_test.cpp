// Whether a network fits the memory, before it is asked for.
#include "models/engine/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/program.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::memory_test {
namespace {

TEST(MemoryOfANetwork, IsEnoughToTheByte) {
  const routing::Topology topology = grid_of("mesh", 4, 2);
  EXPECT_NO_THROW(models::check_memory(topology, 40000, 40000));
  try {
    models::check_memory(topology, 40000000, 39999999);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "mesh 4x2: the buffers of its 8 routers take at least 0.0 GB, and 0.0 GB are available; expected fewer "
              "routers, or less in section [router]");
  }
}

/// With a GB of addresses.
constexpr const char* kOneGigabyte = "ulimit -v 1000000; ";

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

/// `command`: with what names the experiment.
void expect_refused(const std::string& command, const std::string& why) {
  const Ended ended = braid(command, kOneGigabyte);
  EXPECT_EQ(ended.status, 2) << command;
  EXPECT_NE(ended.output.find(why), std::string::npos) << ended.output;
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
}

class Memory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
  }
};

TEST_F(Memory, IsAskedForBeforeTheTopologyIs) {
  const std::string mesh = "check " + experiment("mesh_uniform") + " --set topology.width=1024 --set topology.height=";
  expect_refused(mesh + "1024 --set topology.local_ports=60", ": the ports of its 1048576 routers take up to 3.");
  const std::string tree = "check " + experiment("tree_sat") + " --set topology.arity=2 --set topology.levels=20";
  expect_refused(tree, ": the ports of its 10485760 routers take up to 2.");
}

TEST_F(Memory, IsAskedForBeforeTheNetworkIs) {
  expect_refused("check " + experiment("mesh_uniform") +
                     " --set topology.width=300 --set topology.height=300 --set router.vcs=16 --set "
                     "router.buffer_depth=64",
                 "the buffers of its 90000 routers take at least 4.");
  expect_refused("check " + experiment("tree_sat") + " --set topology.levels=8 --set router.queue_packets=255",
                 "the buffers of its 131072 routers take at least 4.");
  expect_refused("check " + experiment("po2_hexagonal") +
                     " --set topology.edge=200 --set topology.local_ports=20 --set po2.buffers=64",
                 "the buffers of its 119401 routers take at least ");
}

/// Modules, ports and channels are a hundred times the registers of a router: the first one is weighed.
TEST_F(Memory, IsAskedForBeforeTheModulesAre) {
  expect_refused("run " + experiment("mesh_uniform") +
                     " --set topology.width=100 --set topology.height=100 --set "
                     "simulation.schedule=process_per_stage --quiet",
                 "simulation.schedule = \"process_per_stage\": modules of 10000 routers take about ");
}

/// What looks at a network needs no row of its routing tables; a run may come to need one for each destination.
TEST_F(Memory, IsAskedForRoutingTablesWhenARunBegins) {
  const std::string words = experiment("mesh_uniform") +
                            " --set topology.kind=hexagonal --set topology.edge=117 --set routing.algorithm=table";
  EXPECT_EQ(braid("check " + words, "ulimit -v 2000000; ").status, 0);
  expect_refused("run " + words, ": routing tables for 40717 routers take up to 3.3 GB, and ");
  expect_refused("check " + experiment("custom_graph") + " --set topology.file=" + ring(40000) +
                     " --set routing.algorithm=source_routed --set router.architecture=myrinet",
                 ": paths between 40000 routers take up to ");
}

/// Rows for every destination would be 3.2 GB; here 2,000 packets begin in ten cycles.
TEST_F(Memory, IsAskedForByTheRouterOnARing) {
  const Ended ended = braid("run " + experiment("custom_graph") + " --set topology.file=" + ring(40000) +
                                " --set traffic.rate_flits_per_node_cycle=0.02 --set simulation.min_warmup_cycles=0 "
                                "--set simulation.max_warmup_cycles=0 --set simulation.batch_cycles=10 --set "
                                "simulation.measure_cycles=10 --set simulation.max_drain_cycles=0 --quiet",
                            "ulimit -v 1500000; ");
  EXPECT_EQ(ended.status, 0) << ended.output;
}

}  // namespace
}  // namespace braid::test::memory_test
