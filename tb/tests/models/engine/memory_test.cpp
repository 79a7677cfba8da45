// Whether a network fits the memory, before it is asked for.
#include "models/engine/memory.h"

#include <gtest/gtest.h>

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

TEST(Memory, IsAskedForBeforeTheNetworkIs) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
#endif
  const Ended ended = braid("check " + experiment("mesh_uniform") +
                                " --set topology.width=300 --set topology.height=300 --set "
                                "router.vcs=16 --set router.buffer_depth=64",
                            "ulimit -v 900000; ");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.output.find("routers take at least 3."), std::string::npos) << ended.output;
}

}  // namespace
}  // namespace braid::test::memory_test
