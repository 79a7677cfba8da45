// What stands in the structs of fabrics, lines and runs before anybody has written to them: counts are 0, nothing is
// true, nobody is named; and the few fields that begin with something else. (Results and workloads:
// tests/models/workload/nothing_yet_test.cpp.)
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "models/engine/network.h"
#include "models/engine/schedule.h"
#include "models/engine/watchdog.h"
#include "models/engine/waveform.h"
#include "models/event_lines/broadcast_line.h"
#include "models/experiment/checkpoint_file.h"
#include "models/experiment/energy.h"
#include "models/experiment/energy_model.h"
#include "models/experiment/measurement.h"
#include "models/experiment/stopping_rule.h"
#include "models/fabric/circuits.h"
#include "models/fabric/fabric.h"
#include "models/fabric/flit.h"
#include "models/fabric/node_bandwidth.h"
#include "models/fabric/packet_log.h"
#include "models/fabric/router_range.h"
#include "models/fabric/router_storage.h"
#include "models/fabric/router_timing.h"
#include "models/fabric/subnets.h"
#include "models/fabric/trace_options.h"
#include "models/fabric/wiring.h"
#include "tb/tests/support/filled.h"

namespace braid::test::nothing_moves_yet_test {
namespace {

using namespace models;

using Fields = std::vector<std::size_t>;
const Fields kNoField;

TEST(NothingMovesYet, IsWhatAFabricCounts) {
  EXPECT_EQ(filled_fields<Fabric::Counters>(), kNoField);
  EXPECT_EQ(filled_fields<Fabric::Census>(), kNoField);
  EXPECT_EQ(filled_fields<Fabric::LinkUse>(), kNoField);
  EXPECT_EQ(filled_fields<Fabric::Engines>(), kNoField);
  EXPECT_EQ(filled_fields<RouterRange>(), kNoField);
  EXPECT_EQ(filled_fields<Conservation>(), kNoField);
  EXPECT_TRUE(Conservation{}.holds());
  EXPECT_EQ(filled_fields<Network::Oldest>(), kNoField);
  EXPECT_EQ(filled_fields<FabricFamily::Cut>(), (Fields{0, 1})) << "a slice, of routers that may be parted";
  EXPECT_EQ(FabricFamily::Cut{}.slices, 1U);
  EXPECT_EQ(FabricFamily::Cut{}.together, 1U);
}

TEST(NothingMovesYet, IsWhatCircuitsCount) {
  EXPECT_EQ(filled_fields<CircuitRequest>(), kNoField);
  EXPECT_EQ(filled_fields<CircuitResult>(), kNoField);
  EXPECT_EQ(filled_fields<CircuitResult::Step>(), kNoField);
  EXPECT_EQ(filled_fields<SearchesAtOnce>(), kNoField);
  EXPECT_EQ(filled_fields<SetupResults>(), kNoField);
  EXPECT_EQ(filled_fields<RerouteResults>(), kNoField);
  EXPECT_EQ(filled_fields<Move>(), Fields{10});
  EXPECT_TRUE(Move{}.avoids) << "a path has no link that it should not have until one is found";
  EXPECT_EQ(Move{}.standstill_cycles(), 0U);
}

TEST(NothingMovesYet, IsInAPacketThatNobodyHasMade) {
  const Packet packet;
  EXPECT_EQ(filled_fields<Packet>(), (Fields{5, 6, 7, 8, 10, 16}));
  EXPECT_EQ(packet.tag, kNoTag);
  EXPECT_EQ(packet.tag_sequence, kNoTag);
  EXPECT_EQ(packet.message, kNoMessage);
  EXPECT_EQ(packet.length_flits, 1U);
  EXPECT_EQ(packet.workload, kNoWorkload);
  EXPECT_EQ(packet.route, routing::kNoRoute);
  const Flit flit;
  EXPECT_EQ(flit.packet(), 0U);
  EXPECT_EQ(flit.sequence() + flit.vc(), 0U);
  EXPECT_FALSE(flit.head() || flit.tail());
  EXPECT_EQ(filled_fields<PacketRecord>(), Fields{0}) << "its packet, as above";
  EXPECT_FALSE(PacketRecord{}.over());
  EXPECT_EQ(filled_fields<PacketRecord::Rest>(), kNoField);
}

TEST(NothingMovesYet, IsHowPortsBeginToBeNumbered) {
  EXPECT_EQ(filled_fields<LocalPort>(), kNoField);
  EXPECT_EQ(filled_fields<Link>(), (Fields{0, 1}));
  EXPECT_EQ(Link{}.target, kNone) << "it leads nowhere";
  EXPECT_EQ(Link{}.latency_cycles, 1U);
  const PortNumbering none;
  EXPECT_EQ(none.router_count(), 0U);
  EXPECT_EQ(none.router_port_count(), 0U);
  EXPECT_EQ(none.port_stride(), 1U);
  EXPECT_EQ(none.port_of(5), 0U) << "a router has one number";
  EXPECT_TRUE(none.is_injection_port(0));
}

/// Of a family that says nothing more.
TEST(NothingMovesYet, IsWhatAFamilySaysOfItsRouters) {
  EXPECT_EQ(filled_fields<RouterStorage>(), (Fields{0, 5}));
  EXPECT_EQ(RouterStorage{}.vcs, 1U);
  EXPECT_TRUE(RouterStorage{}.fitted);
  EXPECT_EQ(filled_fields<ChannelTiming>(), kNoField);
  EXPECT_EQ(filled_fields<SlackBuffers>(), kNoField);
  EXPECT_EQ(filled_fields<RouterTiming>(), Fields{7});
  EXPECT_TRUE(RouterTiming{}.link_latency);
  EXPECT_EQ(filled_fields<NodeBandwidth>(), kNoField);
  EXPECT_FALSE(NodeBandwidth{}.bounded());
  EXPECT_EQ(filled_fields<ShownBuffers>(), Fields{2}) << "its unit";
}

TEST(NothingMovesYet, IsOnABroadcastLine) {
  EXPECT_EQ(filled_fields<BroadcastLine::Progress>(), kNoField);
  const BroadcastWire wire;
  EXPECT_EQ(wire.to + wire.cycles, 0U);
  EXPECT_EQ(wire.arrived + wire.received, 0U);
  EXPECT_EQ(wire.driven_last, BroadcastWire::kNever);
  EXPECT_EQ(wire.arrived_last, BroadcastWire::kNever);
  const BroadcastUnit unit(true, true, 1);
  EXPECT_EQ(unit.begun() + unit.handled() + unit.finished(), 0U);
  EXPECT_EQ(unit.state(), BroadcastUnit::State::kIdle);
  EXPECT_TRUE(unit.in().empty() && unit.at_once().empty() && unit.when_done().empty());
}

/// As docs/configuration.md has it: a fabric of one network, a static schedule of one thread, nothing written.
TEST(NothingMovesYet, IsAskedForByAnExperimentThatSaysNothing) {
  EXPECT_EQ(filled_fields<SubnetOptions>(), Fields{0});
  EXPECT_EQ(SubnetOptions{}.subnets, 1U);
  EXPECT_EQ(filled_fields<ScheduleOptions>(), Fields{1});
  EXPECT_EQ(ScheduleOptions{}.threads, 1U);
  EXPECT_EQ(filled_fields<WatchdogOptions>(), Fields{0});
  EXPECT_EQ(WatchdogOptions{}.watchdog_cycles, 10000U);
  EXPECT_EQ(filled_fields<WaveformOptions>(), (Fields{1, 3}));
  EXPECT_EQ(WaveformOptions{}.routers, "all");
  EXPECT_EQ(WaveformOptions{}.to_cycle, 2000U);
  EXPECT_EQ(filled_fields<CheckpointOptions>(), kNoField);
  EXPECT_EQ(filled_fields<RecordOptions>(), kNoField);
  EXPECT_EQ(filled_fields<LogOptions>(), Fields{1});
  EXPECT_TRUE(LogOptions{}.path);
  EXPECT_EQ(filled_fields<WatchOptions>(), Fields{1});
  EXPECT_EQ(WatchOptions{}.file, "-");
  EXPECT_EQ(filled_fields<PacketLog::Fates>(), kNoField);
  EXPECT_EQ(PacketLog(PacketLog::Fates{}).now(), 0U) << "no cycle has run";
  EXPECT_EQ(filled_fields<StoppingRule>(), Fields{1});
  EXPECT_EQ(StoppingRule{}.share, 0.01);
}

TEST(NothingMovesYet, IsMeasuredWithWhatTheManualSays) {
  const MeasurementOptions o;
  EXPECT_EQ(filled_fields<MeasurementOptions>(), (Fields{0, 1, 2, 3, 5, 7, 8}));
  EXPECT_EQ(o.batch_cycles, 1000U);
  EXPECT_EQ(o.min_warmup_cycles, 1000U);
  EXPECT_EQ(o.max_warmup_cycles, 50000U);
  EXPECT_EQ(o.warmup_tolerance, 0.05);
  EXPECT_EQ(o.measure_cycles, 20000U);
  EXPECT_EQ(o.most_measure_cycles, 1000000U);
  EXPECT_EQ(o.max_drain_cycles, 20000U);
  const EnergyOptions energy;
  EXPECT_EQ(filled_fields<EnergyOptions>(), (Fields{1, 2, 3, 4}));
  EXPECT_EQ(energy.flit_bits, 64U);
  EXPECT_EQ(energy.link_mm, 1.0);
  EXPECT_EQ(energy.clock_ghz, 1.0);
  EXPECT_EQ(energy.packet_flits, 16U);
  const RouterBuild router;  // a mesh's, of hybrid routers without circuits
  EXPECT_EQ(filled_fields<RouterBuild>(), (Fields{0, 1, 2, 3, 5}));
  EXPECT_EQ(router.ports, 5U);
  EXPECT_EQ(router.vcs, 4U);
  EXPECT_EQ(router.buffers, 5U);
  EXPECT_EQ(router.buffer_flits, 32U);
  EXPECT_EQ(router.flit_bits, 64U);
}

}  // namespace
}  // namespace braid::test::nothing_moves_yet_test
