// Networks that no estimate knows, each by itself, and those beside them that estimates do know: what is said, and that
// the style that moves flits is never asked.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/tlm/styles/packet_timing.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::refused_networks_test {
namespace {

models::Experiment cube(const char* family, const std::vector<std::uint32_t>& speeds) {
  models::Experiment e;
  e.set("topology.kind", "cube");
  e.add("topology.sizes", std::vector<std::uint32_t>{3, 2}, {});
  e.add("topology.link_speeds", speeds, {});
  e.set("router.architecture", family).set("routing.algorithm", "dimension_order");
  return e;
}
std::string said(const models::Experiment& e, const char* style) {
  models::Experiment styled = e;
  styled.set("tlm.style", style);
  return complaint([&] {
    const routing::Topology topology = routing::make_topology(styled);
    const auto routing = routing::make_routing(topology, styled);
    const auto timing = models::make_packet_timing(styled, topology, *routing);
    EXPECT_EQ(timing == nullptr, std::string(style) == models::kCycleAccurate);
  });
}

/// Links of two flits a cycle in one dimension are enough; where there are no routers, links do not count.
TEST(RefusedNetworks, HaveLinksThatTakeMoreThanAFlitACycle) {
  for (const char* style : {"approximately_timed", "loosely_timed"}) {
    const std::string refused =
        "tlm.style = \"" + std::string(style) +
        "\" takes every link for one of a flit a cycle, and mesh 3x2 has links of more; expected "
        "tlm.style = \"cycle_accurate\"";
    for (const auto& [speeds, is] :
         std::vector<std::pair<std::vector<std::uint32_t>, bool>>{{{1, 1}, false}, {{2, 1}, true}, {{1, 2}, true}}) {
      EXPECT_EQ(said(cube("virtual_cut_through", speeds), style), is ? refused : "") << style;
      EXPECT_EQ(said(cube("ideal", speeds), style), "") << style;
      EXPECT_EQ(said(cube("virtual_cut_through", speeds), models::kCycleAccurate), "");
    }
  }
}

/// Of styles that are not there the nearest is named; nothing else is looked at.
TEST(RefusedNetworks, AreNotLookedAtUnderAStyleThatThereIsNot) {
  const std::string unknown = said(cube("virtual_cut_through", {2, 1}), "cycle_acurate");
  EXPECT_EQ(unknown.rfind("unknown TLM coding style \"cycle_acurate\"", 0), 0U) << unknown;
}

}  // namespace
}  // namespace braid::test::refused_networks_test
