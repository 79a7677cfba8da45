// Routers of modules in a network of another schedule, half by half, and what all the stages of a router have in common
// (docs/hardware-view.md; docs/hardware-view/replaced.md). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "models/stages/hybrid/alone_router.h"
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/input_unit.h"
#include "models/stages/hybrid/network_interface.h"
#include "models/stages/hybrid/output_unit.h"
#include "models/stages/hybrid/route_unit.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/switch_traversal.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/network_of_modules.h"

namespace braid::test::seats_and_halves_test {
namespace {

using models::Experiment;
using models::stages::Bits;
using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)

// ---------------------------------------------------------------- a seat that somebody else has

/// A switch allocator that grants a request after the other whose ports are both left.
class Greedy final : public SwitchAllocatorPorts {
 public:
  explicit Greedy(const StageSeat& seat) : SwitchAllocatorPorts(seat.name, seat.shape) {}

 private:
  void on_ports(std::uint64_t) override {
    const Bits &request = request_i->read(), &out_port = out_port_i->read();
    std::uint64_t inputs = taken_inputs_i->read().word(), outputs = taken_outputs_i->read().word();
    Bits grant(shape_.input_vcs());
    for (unsigned i = 0; i < shape_.input_vcs(); ++i) {
      const std::uint64_t in = std::uint64_t{1} << (i / shape_.vcs);
      const std::uint64_t out = std::uint64_t{1} << out_port.field(i * shape_.port_bits(), shape_.port_bits());
      if (!request[i] || (inputs & in) != 0 || (outputs & out) != 0) continue;
      inputs |= in;
      outputs |= out;
      grant.set(i);
    }
    grant_o->write(grant);
  }
};

Experiment with_greedy(Experiment e, const char* routers) {
  StageRegistry<SwitchAllocatorPorts>::instance().add(
      "greedy_here", "of this test", [](const StageSeat& seat) { return std::make_unique<Greedy>(seat); });
  e.set("stage.switch_allocator", "greedy_here").set("stage.routers", routers);
  return e;
}

/// The first half computes grants from registers and leaves these alone; the second half carries them out. So it is
/// with a router's own stages, and with modules in their place.
TEST(RouterOfModulesInHalves, ComputesGrantsThenChangesRegisters) {
  Bench bench(with_greedy(uniform_mesh(0.6, 3, 1), "1,0"), 3);
  models::Network& network = *bench.network;
  elaborate();
  models::Fabric& fabric = network.fabric();
  models::hybrid::Slice& middle = models::hybrid::of(fabric).slice(1);
  const auto flits = [&] {
    std::uint64_t all = 0;
    middle.for_each_input_port([&](models::PortIndex port) {
      for (std::uint32_t v = 0; v < middle.bank().vcs(); ++v) {
        all += middle.bank().input_vcs[middle.bank().vc_index(port, v)].count;
      }
    });
    return all;
  };
  unsigned granting = 0, crossing = 0, changing = 0;
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t cycle = network.now(), before = flits();
    for (std::size_t s = 0; s < 3; ++s) fabric.compute(s, cycle);
    EXPECT_EQ(flits(), before) << "buffers are written behind the edge, cycle " << cycle;
    EXPECT_TRUE(middle.switch_register().empty()) << "what was in it is on the links";
    granting += middle.switch_grants().empty() ? 0 : 1;
    for (std::size_t s = 0; s < 3; ++s) {
      fabric.commit(s, cycle);
      network.run_nodes(s);
    }
    EXPECT_TRUE(middle.switch_grants().empty()) << "they are carried out, cycle " << cycle;
    EXPECT_TRUE(middle.vc_grants().empty());
    crossing += middle.switch_register().empty() ? 0 : 1;
    changing += flits() == before ? 0 : 1;
    network.end_cycle();
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(granting, 150U);
  EXPECT_EQ(crossing, granting) << "each grant crosses in the cycle after";
  EXPECT_GT(changing, 100U);
  EXPECT_GT(bench.delivered(), 50U);
}

/// Ports that circuits' flits take are shut to packets in that cycle and open again behind it, whoever allocates.
TEST(RouterOfModulesWithCircuits, OpensItsPortsBehindEachCycle) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("stream.computation_scaling", 0.001).set("topology.local_ports", 1).set("router.circuit_lanes", 4);
  add_traffic(e, 0.3);
  NetworkOfModules network("network", with_greedy(e, "1,1 2,1"));
  elaborate();
  unsigned shut = 0, granted = 0;
  const auto read = [](const char* port) {
    return dynamic_cast<InBits&>(
               *sc_core::sc_find_object((std::string("network.router_1_1.switch_allocator.") + port).c_str()))
        ->read()
        .any();
  };
  auto& grant = dynamic_cast<OutBits&>(*sc_core::sc_find_object("network.router_1_1.switch_allocator.grant_o"));
  for (int cycle = 0; cycle < 1500; ++cycle) {
    network.cycle(ProcessOrder::kMade, [&](std::size_t step) {
      if (step == 1) shut += read("taken_inputs_i") ? 1 : 0;
      if (step == 2) granted += grant->read().any() ? 1 : 0;
      if (step == network.clocks().size()) {
        EXPECT_FALSE(read("taken_inputs_i") || read("taken_outputs_i")) << cycle;
      }
    });
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(shut, 300U);
  EXPECT_GT(granted, 200U);
  EXPECT_TRUE(network.network().conservation().holds());
}

/// VCs that share buffers are counted by the output units' module as by the static schedule.
TEST(ModulesOfSharedBuffers, AreTheStaticSchedule) {
  Experiment e = uniform_mesh(0.6, 3, 3);
  e.set("router.buffers", "shared");
  Bench fast(e);
  NetworkOfModules network("network", e);
  elaborate();
  fast.run(1500);
  for (int cycle = 0; cycle < 1500; ++cycle) network.cycle(ProcessOrder::kReversed);
  EXPECT_GT(fast.delivered(), 500U);
  EXPECT_EQ(network.network().merged_statistics().packet_hash(), fast.network->merged_statistics().packet_hash());
}

// ---------------------------------------------------------------- what stages are

/// Input and output units are registers, and one function changes all of a step's; no other stage's does.
TEST(StagesOfARouter, ThatAreRegistersChangeTogether) {
  EXPECT_TRUE(InputUnit::kTogether);
  EXPECT_TRUE(OutputUnit::kTogether);
  EXPECT_FALSE(RouteUnit::kTogether);
  EXPECT_FALSE(NetworkInterface::kTogether);
  EXPECT_FALSE(SwitchTraversal::kTogether);
  EXPECT_FALSE(VcAllocator::kTogether);
  EXPECT_FALSE(SwitchAllocator::kTogether);
  EXPECT_FALSE(CircuitUnit::kTogether);
  EXPECT_FALSE(SetupUnit::kTogether);
}

TEST(StagesOfARouter, OfTheModelSaySo) {
  const RouterShape shape;
  RouterShape circuits;
  circuits.circuit_lanes = 1;
  const VcAllocator vcs("vcs", shape);
  const SwitchAllocator crossbar("crossbar", shape);
  const CircuitUnit circuit("circuit", circuits);
  const SetupUnit setup("setup", circuits);
  EXPECT_TRUE(vcs.is_modelled());
  EXPECT_TRUE(crossbar.is_modelled());
  EXPECT_TRUE(circuit.is_modelled());
  EXPECT_TRUE(setup.is_modelled());
  const StageSeat seat{"greedy", shape, Configuration(), routing::Topology(), RouterId{0U}};
  EXPECT_FALSE(Greedy(seat).is_modelled()) << "somebody else's";
}

/// The RTL's VC allocator shows what a head has chosen where it gets nothing, too: there nothing is compared.
TEST(StagesOfARouter, CompareTheChoicesOfHeadsThatAreGranted) {
  const std::vector<Qualified> of_vcs = VcAllocatorPorts::qualified();
  ASSERT_EQ(of_vcs.size(), 2U);
  EXPECT_STREQ(of_vcs[0].output, "port_o");
  EXPECT_STREQ(of_vcs[1].output, "vc_o");
  for (const Qualified& q : of_vcs) {
    EXPECT_STREQ(q.by, "grant_o");
    EXPECT_FALSE(q.any) << "head by head";
  }
  EXPECT_FALSE(VcAllocatorPorts::kRegistersLate);
}

// ---------------------------------------------------------------- shapes and places

/// The router of docs/configuration.md where nothing is said.
TEST(ShapeOfARouter, IsThatOfTheDefaults) {
  const RouterShape shape;
  const models::hybrid::Options options;
  EXPECT_EQ(shape.ports, 5U) << "of a mesh";
  EXPECT_EQ(shape.vcs, options.vcs);
  EXPECT_EQ(shape.depth, options.buffer_depth);
  EXPECT_EQ(shape.circuit_lanes, 0U);
  EXPECT_FALSE(shape.escape);
  EXPECT_EQ(shape.vcs, 4U);
  EXPECT_EQ(shape.depth, 8U);
}

/// What the routing algorithm offers is a bit of the route on the wires, and that bit the same offer again.
TEST(ShapeOfARouter, GivesEachWayOfTheRoutingAlgorithmBack) {
  for (const char* algorithm : {"x_first", "minimal_adaptive"}) {
    Experiment e = uniform_mesh(0.0, 4, 4);
    e.set("routing.algorithm", algorithm).set("router.vcs", 3);
    const AlonePlace place(e, "1,2");
    const RouterShape shape = place.shape();
    std::vector<routing::Candidate> candidates(place.routing->max_candidates());
    for (std::size_t to = 0; to < place.topology.node_count(); ++to) {
      routing::CandidateList list(candidates.data());
      routing::RouteQuery query{};
      query.router = place.router;
      query.in_port = PortId{4U};
      query.source = NodeId{9U};
      query.destination = NodeId{to};
      place.routing->route(query, list);
      ASSERT_GT(list.size(), 0U);
      for (const routing::Candidate& way : list) {
        const unsigned bit = shape.candidate_bit(way);
        const bool network = way.port.value < 4;
        const routing::Candidate back = shape.candidate(bit, network && shape.escape);
        EXPECT_EQ(back.port, way.port) << algorithm << " to " << to;
        EXPECT_EQ(back.vcs, way.vcs) << algorithm << " to " << to;
        EXPECT_EQ(back.priority, way.priority) << algorithm << " to " << to;
      }
    }
  }
}

/// Ports do not tell how old a packet is: who goes by ages cannot stand alone. And a place has a circuit lane at least,
/// as the option has.
TEST(PlaceOfAStageAlone, KnowsNoAges) {
  models::hybrid::Options options;
  options.arbiter = "oldest_first";
  const auto place = std::make_shared<const AlonePlace>(RouterShape{}, options);
  EXPECT_EQ(place->options.circuit_lanes, 1U);
  EXPECT_FALSE(place->options.circuits);
  EXPECT_EQ(complaint([&] { AloneRouter router(place); }),
            "router.arbiter = \"oldest_first\": pins do not tell how old a packet is; expected \"round_robin\"");
  options.arbiter = "matrix";
  EXPECT_EQ(complaint([&] { AloneRouter router(std::make_shared<const AlonePlace>(RouterShape{}, options)); }), "");
}

/// What it sends goes by channels of its own, one to each neighbour and one back to itself, none of them a neighbour's.
TEST(PlaceOfAStageAlone, HasChannelsOfItsOwn) {
  AloneRouter router(std::make_shared<const AlonePlace>(RouterShape{}));
  std::vector<models::hybrid::Channel*> channels;
  router.for_each_outgoing([&](models::hybrid::Channel& channel) { channels.push_back(&channel); });
  ASSERT_EQ(channels.size(), 6U);
  for (std::size_t r = 0; r < 6; ++r) {
    models::hybrid::Channel& to = router.slice().channel_for(RouterId{r});
    EXPECT_EQ(std::count(channels.begin(), channels.end(), &to), 1) << r;
    EXPECT_EQ(&to == router.slice().incoming().front(), r == 0) << r;
  }
  EXPECT_EQ(router.slice().incoming().size(), 1U) << "nobody sends to it but itself";
}

}  // namespace
}  // namespace braid::test::seats_and_halves_test
