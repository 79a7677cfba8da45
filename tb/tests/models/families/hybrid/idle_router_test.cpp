// What stands in the registers and options of hybrid routers before anybody has written to them: counts are 0, nobody
// is named, nothing is true; and the fields that begin with something else, as docs/configuration.md has them.
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "models/families/hybrid/fork_allocation.h"
#include "models/families/hybrid/matching_switch_allocator.h"
#include "models/families/hybrid/oldest_first.h"
#include "models/families/hybrid/search_units.h"
#include "models/families/hybrid/setup_requests.h"
#include "models/families/hybrid/setup_sequencer.h"
#include "tb/tests/support/filled.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::idle_router_test {
namespace {

using namespace models;
using namespace models::hybrid;

using Fields = std::vector<std::size_t>;
const Fields kNoField;

/// Numbers of lanes and ports that are nobody's are kNone.
TEST(IdleRouter, HasVcsOfNobody) {
  EXPECT_EQ(InputVc{}.out_vc, kNone);
  EXPECT_EQ(filled_fields<InputVc>(), Fields{0});
  EXPECT_EQ(OutputVc{}.owner, kNone);
  EXPECT_EQ(filled_fields<OutputVc>(), Fields{0});
  EXPECT_EQ(filled_fields<VcGrant>(), kNoField);
  EXPECT_EQ(filled_fields<FlitArrival>(), kNoField);
  EXPECT_EQ(filled_fields<ControlMessage>(), kNoField);
  const Slice::Traversal crossing;
  EXPECT_EQ(crossing.in_vc, 0U);
  EXPECT_EQ(crossing.out_port, 0U);
}

TEST(IdleRouter, ForksNothing) {
  EXPECT_EQ(PacketForks::Branch{}.out_vc, kNone);
  EXPECT_EQ(filled_fields<PacketForks::Grant>(), kNoField);
  const PacketForks::Branch branch;
  EXPECT_EQ(branch.out_port + branch.vcs + branch.packet + branch.destinations + branch.sent, 0U);
  const PacketForks::Fork fork;
  EXPECT_EQ(fork.packet, kNone);
  EXPECT_EQ(fork.flits + fork.left, 0);
  EXPECT_TRUE(fork.branches.empty());
  EXPECT_EQ(ForkAllocation::VcGranted{}.out_vc, kNone);
  EXPECT_EQ(ForkAllocation::VcGranted{}.to.in_vc + ForkAllocation::VcGranted{}.to.branch, 0U);
}

TEST(IdleRouter, MatchesNoPorts) {
  PortMatching matching;
  EXPECT_EQ(matching.inputs() | matching.outputs(), 0U);
  EXPECT_EQ(matching.output_of(63), 0U);
  matching.add(63, 1);
  matching.add(0, 62);
  EXPECT_EQ(matching.inputs(), 1U | std::uint64_t{1} << 63);
  EXPECT_EQ(matching.outputs(), 2U | std::uint64_t{1} << 62);
  EXPECT_EQ(matching.output_of(63), 1U);
  EXPECT_EQ(matching.output_of(0), 62U);
  matching.clear();
  EXPECT_EQ(matching.inputs() | matching.outputs(), 0U);
  EXPECT_EQ(PortRequests{}.inputs, 0U);
}

TEST(IdleRouter, HasSeenNoSearch) {
  EXPECT_EQ(filled_fields<SetupUnits::Straps>(), kNoField);
  EXPECT_EQ(SetupUnits::History{}.in_vc, kNone);
  EXPECT_EQ(filled_fields<SetupUnits::History>(), Fields{1});
  EXPECT_EQ(SearchOutcome{}.ends, 1U) << "of a tear-down";
  EXPECT_EQ(filled_fields<SearchOutcome>(), Fields{4});
  const SetupAction action;
  EXPECT_EQ(action.cycle, UINT64_MAX);
  for (const VcIndex v : {action.release_in, action.release_out, action.reserve_in, action.reserve_out, action.send}) {
    EXPECT_EQ(v, kNone);
  }
  EXPECT_FALSE(action.done || action.success);
}

TEST(IdleRouter, HasCountedNoSearches) {
  EXPECT_EQ(filled_fields<SearchCounts>(), kNoField);
  EXPECT_EQ(SearchMessage{}.kind, SearchKind::kProbe);
  EXPECT_EQ(SearchMessage{}.lane + SearchMessage{}.stream + SearchMessage{}.attempt, 0U);
  EXPECT_FALSE(SearchMessage{}.entered);
  EXPECT_EQ(SearchUnits::UnderWay{}.cycle, 0U);
  EXPECT_EQ(filled_fields<SetupRequests::Asked>(), kNoField);
  EXPECT_EQ(CircuitEnd{}.link_latency_cycles, 1U);
  EXPECT_EQ(filled_fields<CircuitEnd>(), Fields{2});
  EXPECT_EQ(filled_fields<SetupSequencer::View>(), kNoField);
}

/// Nodes' turns begin with their first port; an engine that says nothing of it takes routers one by one.
TEST(IdleRouter, HasTurnsOfNobody) {
  EXPECT_EQ(filled_fields<NodeTurns::Turn>(), kNoField);
  const NodeTurns::Node node;
  EXPECT_EQ(node.first, 0U);
  EXPECT_EQ(node.ports, 0U);
  for (const NodeTurns::Turn& turn : {node.packets_out, node.packets_in, node.circuits_out, node.circuits_in}) {
    EXPECT_EQ(turn.next, 0U);
  }
  const CycleEngineKind kind;
  EXPECT_EQ(kind.routers_together, 1U);
  EXPECT_TRUE(kind.refusal == nullptr && kind.make == nullptr && kind.most_threads == nullptr);
}

/// docs/configuration.md.
TEST(IdleRouter, HasTheDefaultsOfItsKeys) {
  const hybrid::Options o;
  EXPECT_EQ(o.implementation, "model");
  EXPECT_EQ(o.rtl_routers, "all");
  EXPECT_EQ(o.stage_routers, "all");
  for (const auto& [value, expected] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{o.vcs, 4},
                                                            {o.buffer_depth, 8},
                                                            {o.reserved_depth, 1},
                                                            {o.shared_depth, 28},
                                                            {o.input_speedup, 1},
                                                            {o.output_speedup, 1},
                                                            {o.output_buffer, 0},
                                                            {o.credit_delay_cycles, 2},
                                                            {o.islip_iterations, 1},
                                                            {o.circuit_buffer_depth, 5},
                                                            {o.circuit_lanes, 1},
                                                            {o.circuit_burst_flits, 0},
                                                            {o.setup_retries, 8},
                                                            {o.setup_token_cycles, 1},
                                                            {o.reroute_at_cycle, 10000},
                                                            {o.reroute_every_cycles, 0}}) {
    EXPECT_EQ(value, expected);
  }
  EXPECT_EQ(o.internal_speedup, 1.0);
  EXPECT_TRUE(o.share_reserved_links);
  EXPECT_FALSE(o.buffer_bypass || o.lookahead || o.speculative || o.multicast || o.circuits);
  EXPECT_EQ(OldestFirstOptions{}.age_bits, 16U);
  EXPECT_EQ(AllocatorOptions{}.islip_iterations, 1U);
  const ArbiterContext of_nobody{};
  EXPECT_EQ(of_nobody.arbiters + of_nobody.requesters, 0U);
}

/// The bounds that other files and docs name.
TEST(IdleRouter, HasBounds) {
  EXPECT_EQ(kMostCircuitLanes, 16U);
  EXPECT_EQ(kMostSpeedup, 16U);
  EXPECT_EQ(kMostDepth, 256U);
  EXPECT_EQ(kMostCountedIn7Bits, 127U);
  EXPECT_EQ(kLongestBurst, 65535U);
  EXPECT_EQ(kAvoids, 32768U) << "the highest of 16 bits";
  EXPECT_EQ(kMaxSearches, 32767U) << "the others";
}

// ---------------------------------------------------------------- a network that has not run

TEST(IdleFabric, HasMovedNothing) {
  for (const bool circuits : {false, true}) {
    const Bench bench(circuits ? tile_streams(3, 1, 1, {{0, 2}}) : uniform_mesh(0.0, 8, 8));
    auto& fabric = hybrid::of(bench.network->fabric());
    EXPECT_EQ(fabric.plane_cycles(), 0U);
    EXPECT_TRUE(fabric.has_planes());
    EXPECT_FALSE(fabric.transfers_under_way());
    const auto counted = fabric.counters();
    EXPECT_EQ(counted.flit_hops + counted.flits_copied + counted.flits_injected + counted.flits_delivered, 0U);
    const Slice& slice = fabric.slice(0);
    EXPECT_EQ(slice.switch_traversals(), 0U);
    EXPECT_EQ(slice.flits_copied(), 0U);
    EXPECT_EQ(slice.heads_to_route(), 0U);
    EXPECT_EQ(slice.interfaces().flits_injected(), 0U);
    EXPECT_EQ(slice.interfaces().flits_delivered(), 0U);
    EXPECT_FALSE(slice.interfaces().bounded());
    EXPECT_FALSE(slice.interfaces().at_work());
    EXPECT_EQ(slice.interfaces().packets_queued(), 0U);
    EXPECT_FALSE(slice.notes_injections());
    EXPECT_EQ(slice.output_buffers(), nullptr);
    EXPECT_EQ(slice.packet_forks(), nullptr);
    EXPECT_EQ(slice.forks(), nullptr);
    EXPECT_EQ(slice.bank().shared_buffers(), nullptr);
    EXPECT_EQ(fabric.forks(), nullptr);
    EXPECT_EQ(fabric.packet_forks(), nullptr);
    EXPECT_EQ(fabric.parallel_setup(), nullptr);
    EXPECT_EQ(fabric.setup_sequencer() != nullptr, circuits);
    EXPECT_EQ(fabric.any_set_up(), circuits);
    EXPECT_EQ(fabric.stand_in(RouterId{0}), nullptr);
    EXPECT_EQ(fabric.circuit_lanes(), circuits ? 1U : 0U);
    EXPECT_EQ(fabric.shown_vcs(), 4U);
    if (circuits) continue;
    EXPECT_FALSE(fabric.setup_results().attempted);
    EXPECT_TRUE(fabric.setup_done()) << "none is wanted";
    EXPECT_TRUE(fabric.reroute_report().figures.empty());
  }
}

/// What slices share, where who makes them says nothing of it: policies have their defaults, mailboxes are apart,
/// packets know when they were made, and nothing forks.
TEST(IdleSlice, SharesWhatItMust) {
  const routing::Topology topology = routing::make_topology(uniform_mesh(0.0, 2, 2));
  const auto routing = routing::make_routing(topology, uniform_mesh(0.0, 2, 2));
  const hybrid::Options options;
  RouterBank bank(topology, options, 1);
  PacketStore store;
  SetupUnits setup(topology, bank, true);
  const std::vector<std::uint32_t> one(4);
  const Slice::Shared shared{bank, store, *routing, options, setup, one};
  EXPECT_EQ(shared.configuration, nullptr);
  EXPECT_FALSE(shared.shared_mailboxes);
  EXPECT_TRUE(shared.packets_have_ages);
  EXPECT_EQ(shared.forks, nullptr);
  Slice slice(shared, {1, 3});
  slice.build_wires();
  EXPECT_EQ(slice.interfaces().first_local_port(), 1U);
  EXPECT_EQ(slice.interfaces().last_local_port(), 3U);
  std::vector<PortIndex> ports;
  slice.for_each_input_port([&](PortIndex p) { ports.push_back(p); });
  ASSERT_EQ(ports.size(), 2U * bank.port_stride());
  EXPECT_EQ(ports.front(), bank.port_index(RouterId{1}, PortId{0U}));
  EXPECT_EQ(ports.back(), bank.port_index(RouterId{3}, PortId{0U}) - 1);
  EXPECT_FALSE(slice.any_traversal() || slice.any_waiting() || slice.any_head());
  EXPECT_FALSE(slice.buffer_bypass());
  EXPECT_EQ(&slice.options(), &options);
  EXPECT_EQ(&slice.setup(), &setup);
}

/// Counters of waveforms: 7 bits, and of deeper buffers one more than number their places, which may all be taken.
TEST(IdleBank, CountsFlitsInBitsOfItsDepth) {
  const routing::Topology topology = routing::make_topology(uniform_mesh(0.0, 2, 2));
  for (const auto& [depth, bits] : std::vector<std::pair<std::uint32_t, unsigned>>{
           {1, 7}, {8, 7}, {64, 7}, {65, 8}, {127, 8}, {128, 8}, {129, 9}, {256, 9}}) {
    hybrid::Options o;
    o.buffer_depth = depth;
    EXPECT_EQ(RouterBank(topology, o, 1).count_bits(), bits) << depth;
  }
}

/// Numbers of lanes and places are rounded up to powers of two; circuits' buffers count where there are circuits.
TEST(IdleBank, HasRoomForItsLanesAndFlits) {
  const routing::Topology topology = routing::make_topology(uniform_mesh(0.0, 2, 2));
  struct Case {
    std::uint32_t vcs, circuits, depth, circuit_depth, lane_stride, depth_mask;
  };
  for (const Case& c :
       {Case{1, 0, 1, 64, 1, 0}, Case{2, 0, 2, 64, 2, 1}, Case{3, 0, 3, 64, 4, 3}, Case{4, 0, 8, 64, 4, 7},
        Case{5, 0, 9, 64, 8, 15}, Case{16, 0, 8, 64, 16, 7}, Case{4, 1, 8, 5, 8, 7}, Case{3, 1, 8, 9, 4, 15},
        Case{3, 5, 4, 64, 8, 63}, Case{3, 6, 1, 1, 16, 0}, Case{16, 16, 2, 1, 32, 1}}) {
    hybrid::Options o;
    o.vcs = c.vcs;
    o.buffer_depth = c.depth;
    o.circuits = c.circuits != 0;
    o.circuit_lanes = c.circuits == 0 ? 7 : c.circuits;
    o.circuit_buffer_depth = c.circuit_depth;
    const RouterBank bank(topology, o, 2);
    const std::string what = std::to_string(c.vcs) + " VCs, " + std::to_string(c.circuits) + " circuits";
    EXPECT_EQ(bank.lane_stride(), c.lane_stride) << what;
    EXPECT_EQ(bank.depth_mask(), c.depth_mask) << what;
    EXPECT_EQ(bank.circuit_lanes(), c.circuits) << what;
    EXPECT_EQ(bank.has_circuits(), c.circuits != 0) << what;
    EXPECT_EQ(bank.lanes(), c.vcs + c.circuits) << what;
    EXPECT_EQ(bank.input_vc_count(), bank.router_port_count() * c.lane_stride) << what;
    EXPECT_EQ(bank.output_vc_count(), (bank.router_port_count() + 4) * c.lane_stride) << what << ": and four nodes'";
    EXPECT_EQ(bank.max_candidates(), 2U);
    for (const PortIndex p : {PortIndex{0}, bank.injection_port(3)}) {
      EXPECT_EQ(bank.free_vcs[p], (1U << c.vcs) - 1) << what;
      for (std::uint32_t lane = 0; lane < c.lane_stride; ++lane) {
        const OutputVc& out = bank.output_vcs[bank.vc_index(p, lane)];
        EXPECT_EQ(out.credits, lane < c.vcs ? c.depth : lane < c.vcs + c.circuits ? c.circuit_depth : 0U) << what;
        EXPECT_EQ(out.owner, kNone);
        EXPECT_EQ(bank.is_circuit_lane(lane), c.circuits != 0 && lane >= c.vcs) << what;
      }
    }
  }
}

}  // namespace
}  // namespace braid::test::idle_router_test
