// A switch allocator that is handed the ports of a crossbar (crossbar_ports.h): with a port of the crossbar for each of
// the router's it does what it does by itself, and of several routers each is done as if it were alone. What more ports
// bring: speedup_test.cpp.
#include "models/families/hybrid/crossbar_ports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/packet_store.h"
#include "routing/base/random.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::crossbar_ports_test {
namespace {

using models::Flit;
using models::WakeSet;
using models::WorkList;
using models::hybrid::AllocatorOptions;
using models::hybrid::CrossbarPorts;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::SwitchAllocator;
using models::hybrid::SwitchAllocatorRegistry;
using models::hybrid::VcIndex;
using Grants = std::vector<VcIndex>;

/// Routers 3, 4 and 5 of a 3x3 mesh, five ports each, whose registers are drawn.
struct Drawn {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 3);
    c.set("topology.height", 3);
    return c;
  }
  static models::hybrid::Options options() {
    models::hybrid::Options o;
    o.vcs = kVcs;
    return o;
  }
  Drawn() {
    ports.resize(std::size_t{kLast - kFirst} * bank.port_stride());
    for (std::uint32_t i = 0; i < 20; ++i) {
      slots.push_back(pool.take());
      store[slots.back()] = {};
      store[slots.back()].created = 40 + i / 2;
    }
  }
  /// Requests of a cycle. A flit that is granted before it is in its buffer (router.buffer_bypass) finds it empty, and
  /// the last one of its packet behind the read pointer.
  void draw(Random& random) {
    ports.resize(std::size_t{kLast - kFirst} * bank.port_stride());
    for (std::size_t r = kFirst; r < kLast; ++r) {
      for (std::size_t p = 0; p < kPorts; ++p) {
        const PortIndex port = bank.port_index(RouterId{r}, PortId{p});
        bank.switch_requests[port] = 0;
        for (std::uint32_t lane = 0; lane < kVcs; ++lane) {
          if (random.below(3) == 0) continue;
          const VcIndex v = bank.vc_index(port, lane);
          models::hybrid::InputVc& vc = bank.input_vcs[v];
          vc.state = models::hybrid::VcState::kActive;
          vc.out_vc = bank.vc_index(bank.port_index(RouterId{r}, PortId{random.below(kPorts)}), lane);
          vc.first = static_cast<std::uint8_t>(random.below(8));
          vc.count = static_cast<std::uint16_t>(random.below(2));
          bank.buffer(v)[vc.first] = flit(random);
          bank.buffer(v)[(vc.first - 1U) & bank.depth_mask()] = flit(random);
          bank.switch_requests[port] |= VcMask{1} << lane;
        }
        if (bank.switch_requests[port] != 0) ports.insert(port - bank.port_index(RouterId{kFirst}, PortId{0U}));
      }
    }
  }
  AllocatorOptions made_for(const char* arbiter) const { return {&bank, {kFirst, kLast}, arbiter, 2, nullptr, &store}; }
  Grants grants_of(SwitchAllocator& allocator, std::uint64_t cycle) const {
    WorkList<VcIndex> grants;
    grants.reserve(256);
    allocator.allocate({bank, ports, nullptr, nullptr, nullptr, cycle}, grants);
    Grants all(grants.begin(), grants.end());
    std::sort(all.begin(), all.end());
    return all;
  }
  Flit flit(Random& random) const { return {slots[random.below(slots.size())], 0, 2, 0}; }

  static constexpr std::uint32_t kFirst = 3, kLast = 6, kVcs = 3;
  static constexpr std::size_t kPorts = 5;
  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank{topology, options(), 1};
  WakeSet ports;
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  std::vector<models::PacketSlot> slots;
};

TEST(CrossbarPorts, OneForEachOfTheRoutersChangeNothing) {
  for (const auto& [name, arbiter] :
       {std::pair("separable_input_first", "round_robin"), std::pair("separable_input_first", "matrix"),
        std::pair("separable_input_first", "oldest_first"), std::pair("islip", "round_robin"),
        std::pair("wavefront", "round_robin"), std::pair("maximum_size", "round_robin")}) {
    Drawn drawn;
    models::hybrid::Options options = Drawn::options();
    options.switch_allocator = name;
    const auto plain = SwitchAllocatorRegistry::instance().make(name, drawn.made_for(arbiter));
    CrossbarPorts ports(drawn.made_for(arbiter), options, nullptr);
    Random random(5, name);
    std::size_t granted = 0;
    for (std::uint64_t cycle = 100; cycle < 300; ++cycle) {
      drawn.draw(random);
      const Grants grants = drawn.grants_of(*plain, cycle);
      ASSERT_EQ(drawn.grants_of(ports, cycle), grants) << name << ", " << arbiter << ", cycle " << cycle;
      granted += grants.size();
    }
    EXPECT_GT(granted, 1000U) << name << ": the sample says too little";
  }
}

/// Allocators that have the ports of a router in a word have 64 of them: those of the largest router, times the larger
/// speed-up.
TEST(CrossbarPorts, AreAtMost64WhereTheyAreAWord) {
  struct Case {
    const char* allocator;
    std::uint32_t nodes, input, output;
    std::uint32_t refused;  // ports; 0: taken
    const char* by;
  };
  for (const Case& c :
       {Case{"wavefront", 32, 2, 1, 0, ""}, Case{"wavefront", 33, 2, 1, 66, "input_speedup = 2"},
        Case{"pim", 21, 1, 3, 0, ""}, Case{"pim", 22, 1, 3, 66, "output_speedup = 3"},
        Case{"maximum_size", 16, 4, 2, 0, ""}, Case{"maximum_size", 17, 4, 2, 68, "input_speedup = 4"},
        Case{"maximum_size", 17, 2, 4, 68, "output_speedup = 4"}, Case{"pim", 33, 2, 2, 66, "output_speedup = 2"},
        Case{"islip", 33, 2, 2, 0, ""}, Case{"separable_input_first", 33, 1, 2, 0, ""}}) {
    Configuration one;
    one.set("topology.kind", "flattened_butterfly");
    one.set("topology.sizes", std::vector<std::uint32_t>{1});
    one.set("topology.concentration", c.nodes);
    const routing::Topology topology = routing::make_topology(one);
    models::hybrid::Options options;
    options.switch_allocator = c.allocator;
    options.input_speedup = c.input;
    options.output_speedup = c.output;
    const RouterBank bank(topology, options, 1);
    const std::string said =
        complaint([&] { const CrossbarPorts ports({&bank, {0, 1}, "round_robin", 1}, options, nullptr); });
    EXPECT_EQ(said, c.refused == 0 ? ""
                                   : "router.switch_allocator = \"" + std::string(c.allocator) + "\": a crossbar of " +
                                         std::to_string(c.refused) + " ports by router." + c.by +
                                         "; expected at most 64 ports, or \"islip\" or \"separable_input_first\"")
        << c.nodes;
  }
}

}  // namespace
}  // namespace braid::test::crossbar_ports_test
