// What a network of hybrid routers says to registers of routers, links and set-up units that no network has, each
// changed by itself in one that runs.
#include <gtest/gtest.h>

#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/by_hand.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::restored_network_test {
namespace {

using models::Experiment;
using models::hybrid::Channel;
using models::hybrid::ControlKind;
using models::hybrid::ControlMessage;
using models::hybrid::Fabric;
using models::hybrid::kNone;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;

/// What another network of the same configuration says to these registers.
std::string refused(Bench& bench, std::size_t slices = 1) {
  const Bench other(bench.experiment, slices);
  return complaint<CheckpointError>([&] { restore(*other.network, saved(*bench.network)); });
}

// ---------------------------------------------------------------- routers

/// An input VC of the first router of a mesh of 4x4, at a corner, has an output VC. In its place it gets this one, and
/// both sides know.
std::string with_output(const std::function<VcIndex(const RouterBank&, VcIndex)>& other) {
  Bench bench(uniform_mesh(0.4, 4, 4));
  auto& bank = const_cast<RouterBank&>(models::hybrid::of(bench.network->fabric()).bank());
  bench.run(100);
  for (int cycle = 0; cycle < 400; ++cycle, bench.run(1)) {
    (void)models::hybrid::of(bench.network->fabric()).bank();  // registers are up to date
    for (VcIndex v = 0; v < bank.vc_index(bank.port_stride(), 0); ++v) {
      const VcIndex before = bank.input_vcs[v].out_vc;
      if (before == kNone) continue;
      EXPECT_EQ(refused(bench), "");
      const VcIndex now = other(bank, before);
      if (now == kNone) continue;
      bank.output_vcs[before].owner = kNone;
      bank.output_vcs[now].owner = v;
      bank.input_vcs[v].out_vc = now;
      return refused(bench);
    }
  }
  return "no such VC";
}

/// One that nobody has, of an output port.
VcIndex free_vc(const RouterBank& bank, PortIndex port) {
  for (std::uint32_t lane = 0; lane < bank.vcs(); ++lane) {
    if (bank.output_vcs[bank.vc_index(port, lane)].owner == kNone) return bank.vc_index(port, lane);
  }
  return kNone;
}

TEST(RestoredRouter, SendsAPacketOnByAPortOfItsOwnThatLeadsOn) {
  const std::string elsewhere = no_such_state("a packet that leaves another router");
  EXPECT_EQ(with_output([](const RouterBank& bank, VcIndex before) { return free_vc(bank, bank.port_of_vc(before)); }),
            "")
      << "another VC of the same port";
  EXPECT_EQ(with_output([](const RouterBank& bank, VcIndex) {
              return free_vc(bank, bank.port_index(RouterId{1}, routing::kEast));
            }),
            elsewhere);
  EXPECT_EQ(with_output([](const RouterBank& bank, VcIndex) {
              return free_vc(bank, bank.port_index(RouterId{0}, routing::kWest));
            }),
            elsewhere)
      << "at the rim of the mesh";
  EXPECT_EQ(with_output([](const RouterBank& bank, VcIndex) { return free_vc(bank, bank.injection_port(0)); }),
            elsewhere)
      << "of a node";
}

// ---------------------------------------------------------------- links

/// A circuit in a row of three routers, each a slice, whose stream runs; something more is on its way to the one in the
/// middle.
class Row {
 public:
  Row() { bench_.run(200); }
  const RouterBank& bank() { return fabric().bank(); }
  VcIndex lane_zero(PortIndex port) { return bank().vc_index(port, 0); }
  PortIndex first_port(std::size_t router) { return bank().port_index(RouterId{router}, PortId{std::size_t{0}}); }
  /// `put` it into a slot of what the middle router sends to itself.
  std::string with(const std::function<void(Channel::Slot&)>& put) {
    put(fabric().slice(1).outgoing().front()->slots().front());
    return refused(bench_, 3);
  }

 private:
  Fabric& fabric() { return models::hybrid::of(bench_.network->fabric()); }
  Experiment experiment_ = tile_streams(3, 1, 1, {{0, 2}}, 3);
  Bench bench_{experiment_, 3};
};

/// A flit more than there are: it is none of what the registers are held to, one by one, but the sum is wrong.
const std::string kOneMore = no_such_state("packets or flits that do not add up");

models::Flit flit_on(std::uint32_t lane) { return models::Flit(0, 0, 2, lane); }

TEST(RestoredLink, BringsFlitsToPortsOfTheSlicesRouters) {
  const std::string nowhere = no_such_state("a flit on the way to no router");
  Row row;
  const PortIndex first = row.first_port(1), behind = row.first_port(2);
  const auto to = [](VcIndex target) {
    return Row().with([&](Channel::Slot& slot) { slot.packets.push({flit_on(0), target}); });
  };
  EXPECT_EQ(Row().with([](Channel::Slot&) {}), "");
  EXPECT_EQ(to(row.lane_zero(first)), kOneMore);
  EXPECT_EQ(to(row.lane_zero(behind - 1)), kOneMore);
  EXPECT_EQ(to(row.lane_zero(first - 1)), nowhere) << "of the router before";
  EXPECT_EQ(to(row.lane_zero(behind)), nowhere) << "of the router behind";
  EXPECT_EQ(to(row.lane_zero(first) + 1), nowhere) << "a port is named by its first VC";
}

TEST(RestoredLink, BringsFlitsOnLanesOfTheirKind) {
  Row row;
  const VcIndex local = row.lane_zero(row.first_port(1) + routing::kFirstGridLocalPort.value),
                west = row.lane_zero(row.first_port(1) + routing::kWest.value);
  const std::uint32_t circuit = row.bank().circuit_lane(), lanes = row.bank().lanes();
  ASSERT_EQ(circuit, 4U);
  ASSERT_EQ(lanes, 5U);
  const auto packet = [](std::uint32_t lane, VcIndex target) {
    return Row().with([&](Channel::Slot& slot) { slot.packets.push({flit_on(lane), target}); });
  };
  const auto on_circuit = [](std::uint32_t lane, VcIndex target) {
    return Row().with([&](Channel::Slot& slot) { slot.circuits.push({flit_on(lane), target}); });
  };
  const std::string ends = no_such_state("a flit on a circuit that ends");
  EXPECT_EQ(packet(circuit - 1, west), kOneMore);
  EXPECT_EQ(packet(circuit, west), no_such_state("a packet's flit on a circuit"));
  EXPECT_EQ(packet(lanes, west), here("lane", lanes, lanes));
  EXPECT_EQ(on_circuit(circuit, west), kOneMore) << "the stream comes by";
  EXPECT_EQ(on_circuit(circuit, local), ends) << "none begins at the middle node";
  EXPECT_EQ(on_circuit(circuit - 1, west), ends) << "no lane of circuits";
  EXPECT_EQ(on_circuit(lanes, west), here("lane", lanes, lanes));
}

TEST(RestoredLink, BringsFlitsToNodesOfTheSliceAndCreditsToOutputs) {
  const std::string nobody = no_such_state("a flit on the way to no node");
  const auto to = [](std::uint32_t node, std::uint32_t lane) {
    return Row().with([&](Channel::Slot& slot) { slot.ejections.push({flit_on(lane), node}); });
  };
  EXPECT_EQ(to(0, 0), nobody);
  EXPECT_EQ(to(1, 0), kOneMore);
  EXPECT_EQ(to(1, 4), kOneMore);
  EXPECT_EQ(to(1, 5), here("lane", 5, 5));
  EXPECT_EQ(to(2, 0), nobody);
  Row row;
  const std::size_t outputs = row.bank().output_vc_count();
  const auto credit = [](std::size_t output) {
    return Row().with([&](Channel::Slot& slot) { slot.credits.push(static_cast<VcIndex>(output)); });
  };
  EXPECT_EQ(credit(outputs - 1), "");
  EXPECT_EQ(credit(outputs), here("output VC", outputs, outputs));
}

// ---------------------------------------------------------------- set-up units

TEST(RestoredSetupUnits, HaveSeenTheirSearchOnALane) {
  Bench bench(tile_streams(3, 3, 2, {{0, 2}, {3, 5}}));
  bench.run(300);
  Fabric& fabric = models::hybrid::of(bench.network->fabric());
  auto& history = const_cast<models::hybrid::SetupUnits::History&>(
      fabric.setup_units().history(RouterId{bench.topology.router_count() - 1}));
  const std::size_t lanes = fabric.bank().input_vc_count();
  EXPECT_EQ(history.in_vc, kNone) << "no search has come there";
  EXPECT_EQ(history.search, 0U);
  EXPECT_EQ(history.tried, 0U);
  EXPECT_EQ(history.tree, 0U);
  EXPECT_FALSE(history.on_tree);
  EXPECT_FALSE(history.follows);
  history.in_vc = static_cast<std::uint32_t>(lanes - 1);
  EXPECT_EQ(refused(bench), "");
  history.in_vc = static_cast<std::uint32_t>(lanes);
  EXPECT_EQ(refused(bench), here("circuit lane", lanes, lanes));
}

/// With a message for the first router's unit on its way, in a row of three nodes of which the last has a stream.
std::string with_message(const ControlMessage& message) {
  Bench bench(tile_streams(3, 1, 1, {{0, 2}}));
  bench.run(50);
  models::hybrid::of(bench.network->fabric()).slice(0).send_local_control(bench.network->now() - 1, message);
  return refused(bench);
}

TEST(RestoredChannel, HasMessagesThatUnitsKnow) {
  const Bench bench(tile_streams(3, 1, 1, {{0, 2}}));
  const auto ports = static_cast<std::uint32_t>(models::hybrid::of(bench.network->fabric()).bank().router_port_count());
  constexpr ControlKind kProbe = ControlKind::kProbe, kDown = ControlKind::kTearDown;
  const NodeId end{2}, none{1};
  EXPECT_EQ(with_message({ports - 1, kProbe, 1, end}), "");
  EXPECT_EQ(with_message({ports, kProbe, 1, end}), here("port", ports, ports));
  EXPECT_EQ(with_message({0, kDown, 1, end}), "");
  EXPECT_EQ(with_message({0, static_cast<ControlKind>(4), 1, end}), here("kind of message", 4, 4));
  EXPECT_EQ(with_message({0, kProbe, 1, end, 1}), here("circuit", 1, 1));
  const std::string nobody = no_such_state("a search for a node that has no streams");
  EXPECT_EQ(with_message({0, kProbe, 1, none}), nobody);
  EXPECT_EQ(with_message({0, ControlKind::kBacktrack, 1, none}), nobody);
  EXPECT_EQ(with_message({0, ControlKind::kAcknowledge, 1, none}), "") << "nobody asks where it was to go";
  EXPECT_EQ(with_message({0, kDown, 1, none}), "");
}

}  // namespace
}  // namespace braid::test::restored_network_test
