// What no module of a hybrid router is, is refused when the modules are made; and a network of one router is one of
// modules, too. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/network_of_modules.h"

namespace braid::test::refused_modules_test {
namespace {

using models::Experiment;

std::string said(const std::string& key, const OptionValue& value) {
  Experiment e = uniform_mesh(0.1, 2, 2);
  e.set(key, value);
  return complaint([&] { const NetworkOfModules network("network", e); });
}

TEST(ModulesOfAHybridRouter, AreNoneOfARouterThatSpeculates) {
  EXPECT_EQ(said("router.speculative", true),
            "router.speculative: no module asks for the switch and for a VC at once; expected false, or "
            "simulation.schedule = \"static\"");
}

TEST(ModulesOfAHybridRouter, AreNoneOfARouterThatLooksAhead) {
  EXPECT_EQ(said("router.lookahead", true),
            "router.lookahead: no module writes a buffer and asks for a VC at once; expected false, or "
            "simulation.schedule = \"static\"");
}

TEST(ModulesOfAHybridRouter, AreNoneOfARouterThatIsFasterInside) {
  const std::string text = said("router.internal_speedup", std::uint32_t{2});
  EXPECT_NE(text.find("no module has several ports of the crossbar a port, nor several steps a cycle"),
            std::string::npos)
      << text;
}

/// Two nodes at one router.
TEST(ModulesOfAHybridRouter, AreThoseOfTheOnlyOne) {
  Experiment e = uniform_mesh(0.3, 1, 1);
  e.set("topology.concentration", 2);
  Bench fast(e);
  NetworkOfModules network("network", e);
  elaborate();
  fast.run(200);
  for (int cycle = 0; cycle < 200; ++cycle) network.cycle(ProcessOrder::kReversed);
  EXPECT_GT(fast.delivered(), 10U);
  EXPECT_EQ(network.network().merged_statistics().packet_hash(), fast.network->merged_statistics().packet_hash());
}

}  // namespace
}  // namespace braid::test::refused_modules_test
