// Allocators of many routers: each router is granted what an allocator of its own grants it, in whatever range of
// routers it is, and nothing that a router asks for comes near another one's registers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/families/hybrid/circuit_allocator.h"
#include "models/families/hybrid/speculation.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "routing/base/random.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/saved.h"

namespace braid::test::allocator_ranges_test {
namespace {

using namespace models;
using namespace models::hybrid;
using Grants = std::vector<std::pair<VcIndex, VcIndex>>;  // input VC, output VC or 0

constexpr std::uint32_t kRouters = 25, kPorts = 5, kVcs = 3;

/// A mesh of 5x5, whose registers are drawn.
struct Drawn {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 5);
    c.set("topology.height", 5);
    return c;
  }
  static models::hybrid::Options options(std::uint32_t circuits) {
    models::hybrid::Options o;
    o.vcs = kVcs;
    o.circuits = circuits != 0;
    o.circuit_lanes = circuits;
    return o;
  }
  explicit Drawn(std::uint32_t circuits = 0) : bank(topology, options(circuits), 3) { waiting.reserve(1000); }
  PortIndex port(std::uint32_t router, std::uint32_t p) const { return bank.port_index(RouterId{router}, PortId{p}); }

  /// Flits with an output VC ask for the switch.
  void draw_requests(Random& random, std::uint32_t first_lane, std::uint32_t end_lane) {
    for (std::uint32_t r = 0; r < kRouters; ++r) {
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        bank.switch_requests[port(r, p)] = 0;
        for (std::uint32_t lane = first_lane; lane < end_lane; ++lane) {
          if (random.below(2) == 0) continue;
          const VcIndex v = bank.vc_index(port(r, p), lane);
          bank.input_vcs[v].out_vc =
              bank.vc_index(port(r, static_cast<std::uint32_t>(random.below(kPorts))), first_lane);
          bank.switch_requests[port(r, p)] |= VcMask{1} << lane;
        }
      }
    }
  }
  /// Heads wait, with up to three ways on.
  void draw_heads(Random& random) {
    waiting.clear();
    for (std::uint32_t r = 0; r < kRouters; ++r) {
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        bank.free_vcs[port(r, p)] = static_cast<VcMask>(random.below(1U << kVcs));
        for (std::uint32_t lane = 0; lane < kVcs; ++lane) {
          if (random.below(2) == 0) continue;
          const VcIndex v = bank.vc_index(port(r, p), lane);
          bank.ways[v] = static_cast<std::uint8_t>(1 + random.below(3));
          for (std::uint32_t way = 0; way < bank.ways[v]; ++way) {
            bank.candidates(v)[way] = {PortId{random.below(kPorts)}, static_cast<std::uint8_t>(random.below(2)),
                                       static_cast<VcMask>(1 + random.below((1U << kVcs) - 1))};
          }
          waiting.push(v);
        }
      }
    }
  }
  /// Input ports of these routers that ask, counted from the first.
  WakeSet asking(RouterRange range) const {
    WakeSet ports;
    ports.resize(std::size_t{range.last - range.first} * bank.port_stride());
    for (PortIndex p = range.first * bank.port_stride(); p < range.last * bank.port_stride(); ++p) {
      if (bank.switch_requests[p] != 0) ports.insert(p - range.first * bank.port_stride());
    }
    return ports;
  }
  WorkList<VcIndex> heads(RouterRange range) const {
    WorkList<VcIndex> of_range;
    of_range.reserve(1000);
    for (const VcIndex v : waiting) {
      const std::uint32_t router = bank.router_of(bank.port_of_vc(v)).value;
      if (router >= range.first && router < range.last) of_range.push(v);
    }
    return of_range;
  }

  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank;
  WorkList<VcIndex> waiting;
};

Grants sorted(const WorkList<VcIndex>& grants) {
  Grants all;
  for (const VcIndex v : grants) all.emplace_back(v, 0);
  std::sort(all.begin(), all.end());
  return all;
}

/// All routers; from the eighth on; and each by itself.
std::vector<std::vector<RouterRange>> cuts() {
  std::vector<std::vector<RouterRange>> all{{{0, kRouters}}, {{0, 7}, {7, kRouters}}, {}};
  for (std::uint32_t r = 0; r < kRouters; ++r) all.back().push_back({r, r + 1});
  return all;
}

/// `make(range)` an allocator; `grants(allocator, range)` of a cycle; `draw(random)` what is asked for in it.
template <class Make, class Draw, class GrantsOf>
void expect_alike(const std::string& name, std::size_t least, Make make, Draw draw, GrantsOf grants_of) {
  using Allocator = decltype(make(RouterRange{0, 1}));
  std::vector<std::vector<std::pair<RouterRange, Allocator>>> of_cuts;
  for (const auto& cut : cuts()) {
    of_cuts.emplace_back();
    for (const RouterRange& range : cut) of_cuts.back().emplace_back(range, make(range));
  }
  Random random(3, name);
  std::size_t granted = 0;
  for (std::uint64_t cycle = 0; cycle < 60; ++cycle) {
    draw(random);
    std::vector<Grants> all;
    for (auto& cut : of_cuts) {
      all.emplace_back();
      for (auto& [range, allocator] : cut) {
        const Grants of_range = grants_of(*allocator, range, cycle);
        all.back().insert(all.back().end(), of_range.begin(), of_range.end());
      }
      std::sort(all.back().begin(), all.back().end());
    }
    ASSERT_EQ(all[0], all[2]) << name << ", all routers, cycle " << cycle;
    ASSERT_EQ(all[1], all[2]) << name << ", two parts, cycle " << cycle;
    granted += all[0].size();
  }
  EXPECT_GT(granted, least) << name;
}

TEST(AllocatorsOfManyRouters, GrantTheSwitchAsThoseOfOne) {
  Drawn drawn;
  for (const char* name : {"separable_input_first", "islip", "wavefront", "pim", "maximum_size"}) {
    for (const char* arbiter : {"round_robin", "matrix"}) {
      expect_alike(
          std::string(name) + arbiter, 3000,
          [&](RouterRange range) {
            return SwitchAllocatorRegistry::instance().make(name, {&drawn.bank, range, arbiter, 3});
          },
          [&](Random& random) { drawn.draw_requests(random, 0, kVcs); },
          [&](SwitchAllocator& allocator, RouterRange range, std::uint64_t cycle) {
            WorkList<VcIndex> grants;
            grants.reserve(1000);
            const WakeSet ports = drawn.asking(range);
            allocator.allocate({drawn.bank, ports, nullptr, nullptr, nullptr, cycle}, grants);
            return sorted(grants);
          });
    }
  }
}

TEST(AllocatorsOfManyRouters, GrantVcsAsThoseOfOne) {
  Drawn drawn;
  for (const char* name : {"separable_input_first", "islip"}) {
    for (const char* arbiter : {"round_robin", "matrix"}) {
      expect_alike(
          std::string(name) + arbiter, 2000,
          [&](RouterRange range) {
            return VcAllocatorRegistry::instance().make(name, {&drawn.bank, range, arbiter, 3});
          },
          [&](Random& random) { drawn.draw_heads(random); },
          [&](VcAllocator& allocator, RouterRange range, std::uint64_t cycle) {
            WorkList<VcGrant> grants;
            grants.reserve(1000);
            const WorkList<VcIndex> heads = drawn.heads(range);
            allocator.allocate({drawn.bank, heads, cycle}, grants);
            Grants all;
            for (const VcGrant& g : grants) all.emplace_back(g.in_vc, g.out_vc);
            return all;
          });
    }
  }
}

TEST(AllocatorsOfManyRouters, GrantCircuitsAsThoseOfOne) {
  for (const std::uint32_t lanes : {1U, 4U}) {
    Drawn drawn(lanes);
    expect_alike(
        "circuits" + std::to_string(lanes), 2000,
        [&](RouterRange range) { return std::make_unique<CircuitAllocator>(drawn.bank, range); },
        [&](Random& random) { drawn.draw_requests(random, kVcs, kVcs + lanes); },
        [&](CircuitAllocator& allocator, RouterRange range, std::uint64_t) {
          WorkList<VcIndex> grants;
          grants.reserve(1000);
          const WakeSet ports = drawn.asking(range);
          allocator.allocate(ports, {}, grants);
          return sorted(grants);
        });
  }
}

/// Of heads that all get a VC of the first way that they ask for, with room behind it.
TEST(AllocatorsOfManyRouters, LetHeadsSpeculateAsThoseOfOne) {
  Drawn drawn;
  expect_alike(
      "speculation", 1000, [&](RouterRange range) { return std::make_unique<Speculation>(drawn.bank, range); },
      [&](Random& random) { drawn.draw_heads(random); },
      [&](Speculation& speculation, RouterRange range, std::uint64_t) {
        WorkList<VcGrant> vcs;
        vcs.reserve(1000);
        const WorkList<VcIndex> heads = drawn.heads(range);
        for (const VcIndex v : heads) {
          const RouterId router = drawn.bank.router_of(drawn.bank.port_of_vc(v));
          vcs.push({v, drawn.bank.vc_index(drawn.bank.port_index(router, drawn.bank.candidates(v)->port), 0)});
        }
        WorkList<VcIndex> none;
        none.reserve(1);
        speculation.allocate(heads, none, vcs);
        Grants all = sorted(speculation.grants());
        speculation.grants().clear();
        return all;
      });
}

/// As many arbiters as checkpoints have: of so many, all at their first requester.
struct Turns {
  explicit Turns(const std::vector<std::size_t>& sizes) {
    for (const std::size_t size : sizes) banks.emplace_back(size);
  }
  std::vector<std::vector<std::uint16_t>> banks;
  void checkpoint(Checkpoint& c) {
    for (auto& bank : banks) c.array(bank.data(), bank.size());
  }
};

/// Two routers of eight port numbers and four lanes each.
TEST(AllocatorsOfManyRouters, HaveATurnForEachPortOrVc) {
  Drawn drawn;
  const AllocatorOptions two{&drawn.bank, {4, 6}, "round_robin", 1};
  const std::size_t ports = 2 * 8, vcs = ports * 4;
  const auto expect = [](auto& allocator, const std::vector<std::size_t>& sizes, const char* name) {
    Turns turns(sizes);
    EXPECT_EQ(saved(allocator), saved(turns)) << name;
    restore(allocator, saved(turns));
  };
  const auto of_switch = [&](const char* name, const std::vector<std::size_t>& sizes) {
    const auto allocator = SwitchAllocatorRegistry::instance().make(name, two);
    expect(*allocator, sizes, name);
  };
  of_switch("separable_input_first", {ports, ports});
  of_switch("islip", {ports, ports, ports});
  of_switch("wavefront", {ports});
  of_switch("maximum_size", {ports});
  for (const char* name : {"separable_input_first", "islip"}) {
    const auto allocator = VcAllocatorRegistry::instance().make(name, two);
    expect(*allocator, {vcs, vcs}, name);
  }
  Speculation speculation(drawn.bank, {4, 6});
  expect(speculation, {ports, ports}, "speculation");
  Drawn with_circuits(3);
  CircuitAllocator circuits(with_circuits.bank, {4, 6});
  expect(circuits, {ports, ports}, "circuits");
}

}  // namespace
}  // namespace braid::test::allocator_ranges_test
