// A switch allocator that is handed the ports of a crossbar (crossbar_ports.h): with a port of the crossbar for each of
// the router's it does what it does by itself, and of several routers each is done as if it were alone. What more ports
// bring: speedup_test.cpp.
#include "models/families/hybrid/crossbar_ports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "models/fabric/packet_store.h"
#include "routing/base/random.h"

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

}  // namespace
}  // namespace braid::test::crossbar_ports_test
