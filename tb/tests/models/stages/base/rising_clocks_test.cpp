// The clocks of a network of modules, moved by hand through the kernel: in a step in which no stage has anything to do
// nobody is woken, and it takes no delta (docs/hardware-view.md). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>

#include "models/stages/hybrid/input_unit.h"
#include "models/stages/hybrid/output_unit.h"
#include "models/stages/hybrid/switch_traversal.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/network_of_modules.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/trees.h"

namespace braid::test::rising_clocks_test {
namespace {

using models::Experiment;
using Steps = std::set<std::size_t>;

/// The steps whose clocks woke anybody in this cycle.
Steps cycle(NetworkOfModules& network) {
  Steps woke;
  models::stages::StepClocks& clocks = network.clocks();
  clocks.begin(network.network().now());
  for (std::size_t s = 0; s < clocks.size(); ++s) {
    if (!clocks[s].rise()) continue;
    woke.insert(s);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  network.network().end_cycle();
  return woke;
}

struct Case {
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
  const char* name;
  std::function<Experiment()> experiment;
  Steps always;  ///< what does not say whether it has anything to do: what is behind the interfaces, say
  Steps never;   ///< what no packet needs
};

Experiment silent(const char* architecture) {
  Experiment e = uniform_mesh(0.0, 3, 2);
  e.set("router.architecture", architecture);
  return e;
}

class RisingClocks : public testing::TestWithParam<Case> {};

/// A packet goes through the network; before and afterwards nobody has anything to do. It comes when it comes in a
/// network that is stepped without modules.
TEST_P(RisingClocks, WakeNobodyWhereNothingIsToBeDone) {
  const Case& c = GetParam();
  Experiment e = c.experiment();
  Bench fast(e);
  NetworkOfModules network("network", e);
  elaborate();
  for (int i = 0; i < 10; ++i) ASSERT_EQ(cycle(network), c.always) << "before, " << i;
  fast.run(10);
  const NodeId last{network.network().topology().node_count() - 1};
  network.network().send_packet(NodeId{0U}, last, 4);
  fast.network->send_packet(NodeId{0U}, last, 4);
  Steps woke;
  std::uint64_t arrived = 0;
  for (std::uint64_t i = 0; i < 800; ++i) {
    const Steps now = cycle(network);
    woke.insert(now.begin(), now.end());
    if (arrived == 0 && network.network().conservation().packets_delivered == 1) arrived = i + 1;
    fast.run(1);
    ASSERT_EQ(network.network().conservation().packets_delivered, fast.delivered()) << i;
  }
  EXPECT_GT(arrived, 4U);
  for (std::size_t s = 0; s < network.clocks().size(); ++s) {
    EXPECT_EQ(woke.count(s), c.never.count(s) == 0 ? 1U : 0U) << "step " << s;
  }
  for (int i = 0; i < 10; ++i) ASSERT_EQ(cycle(network), c.always) << "afterwards, " << i;
}
INSTANTIATE_TEST_SUITE_P(Of, RisingClocks,
                         testing::Values(Case{"hybrid", [] { return silent("hybrid"); }, {5}, {6}},
                                         Case{"virtual_cut_through", [] { return vct_grid("mesh", 0.0); }, {3}, {4}},
                                         Case{"po2", [] { return small_po2(3, 2); }, {4}, {5}},
                                         Case{"myrinet", [] { return myrinet_row(3); }, {0, 2, 6}, {7, 8}},
                                         Case{"ideal", [] { return silent("ideal"); }, {0, 2, 3, 4}, {5}}),
                         [](const auto& c) { return std::string(c.param.name); });

/// Stages on signals of a testbench have work in every cycle: a step's clock runs them by their processes.
TEST(RisingClockOfATestbench, RunsStagesOnTheirPortsAlone) {
  using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)
  models::stages::StepClocks clocks(1);
  const RouterShape shape;
  SwitchTraversal traversal("traversal", shape);
  InputUnit input("input", shape);
  OutputUnit output("output", shape);
  traversal.clk_i(clocks[0]), input.clk_i(clocks[0]), output.clk_i(clocks[0]);
  PortSignals of_traversal(traversal), of_input(input), of_output(output);
  elaborate();
  of_traversal.set("grant_i", 2);
  of_traversal.set("out_port_i", 2 * 3, 3, 4);
  of_output.set("vc_granted_i", 7);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  clocks.begin(0);
  EXPECT_TRUE(clocks[0].rise());
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_EQ(of_traversal.read("link_valid_o"), models::stages::Bits(5, 1U << 4));
  EXPECT_EQ(of_output.read("free_o"), models::stages::Bits(20, 0xfffff & ~(1U << 7)));
  EXPECT_EQ(of_input.read("ready_o"), models::stages::Bits(20));
  for (models::stages::Stage* stage : clocks[0].stages()) EXPECT_TRUE(stage->has_work(1));
}

}  // namespace
}  // namespace braid::test::rising_clocks_test
