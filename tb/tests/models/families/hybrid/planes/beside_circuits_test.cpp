// Packets in planes beside circuits, which go by lists in the same cycles: every register of either, from the first
// search on, against lists alone; engines that change at any cycle while circuits are set up, stand, share ports and
// move; and what packets may do in a cycle in which a circuit's flit goes, by hand.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/random.h"
#include "tb/tests/support/inner_registers.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::beside_circuits_test {
namespace {

using models::Experiment;

/// FM radio at full speed on circuits that share local ports, beside packets.
Experiment radio(std::uint32_t local_ports, std::uint32_t lanes, double packets = 0.3) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("stream.computation_scaling", 0.001);
  e.set("topology.local_ports", local_ports);
  e.set("router.circuit_lanes", lanes);
  add_traffic(e, packets);
  return e;
}

/// Streams to the right in every second row, and one that turns.
Experiment rows(std::uint32_t width, std::uint32_t height, double packets) {
  std::vector<Way> ways;
  for (std::uint32_t y = 0; y < height; y += 2) ways.push_back({y * width, y * width + width - 1});
  ways.push_back({width, (height - 1) * width + 1});
  Experiment e = tile_streams(width, height, 1, ways, 3);
  e.set("router.circuit_lanes", 4U);
  add_traffic(e, packets);
  return e;
}

TEST(BesideCircuits, PlanesHaveTheRegistersOfListsInEveryCycle) {
  for (const std::uint64_t change : {0U, 1U, 7U}) expect_same(rows(6, 5, 0.5), 260, change);
}

/// Of several lanes at a port, and where VCs and lanes of circuits together are the lanes of the usual router.
TEST(BesideCircuits, PlanesHaveThemWithAnyLanesAndPorts) {
  struct Case {
    std::uint32_t local_ports, lanes, vcs;
  };
  for (const Case& c : {Case{1, 1, 3}, Case{1, 4, 4}, Case{2, 4, 4}, Case{4, 1, 4}, Case{4, 2, 2}, Case{2, 8, 5}}) {
    SCOPED_TRACE(fmt::format("{} local ports, {} lanes, {} VCs", c.local_ports, c.lanes, c.vcs));
    Experiment e = radio(c.local_ports, c.lanes);
    e.set("router.vcs", c.vcs);
    expect_same(e, 300, 11);
  }
}

/// Reserved links are closed to packets from the cycle behind the search's message on.
TEST(BesideCircuits, PlanesLeaveClosedLinksAlone) {
  for (const char* arbiter : {"round_robin", "matrix"}) {
    Experiment e = rows(6, 5, 0.4);
    e.set("router.share_reserved_links", false);
    e.set("router.arbiter", arbiter);
    expect_same(e, 260, 0);
    expect_same(e, 260, 9);
  }
}

TEST(BesideCircuits, PlanesOfMoreThan64Routers) { expect_same(rows(17, 16, 0.2), 160, 0); }

TEST(BesideCircuits, PlanesOnThreads) { expect_same(rows(16, 32, 0.2), 120, 6, 2); }

/// A packet and a stream's items, one in so many cycles, want the same links, that of their source and the one to the
/// other router: what the stream leaves is the packet's, to the last cycle.
TEST(BesideCircuits, APacketHasTheCyclesThatTheCircuitLeaves) {
  for (const bool planes : {false, true}) {
    for (const std::uint32_t every : {1U, 2U, 4U}) {
      SCOPED_TRACE(fmt::format("{}, an item in {} cycles", planes ? "planes" : "lists", every));
      Experiment e = tile_streams(2, 1, 1, {{0, 1}}, every);
      e.set("interface.packet_items", 1);
      Side side(e, planes);
      side.bench.run(400);
      side.bench.network->send_packet(NodeId{0}, NodeId{1}, 200);
      side.bench.run(40);  // until its flits are all the way
      const auto use = [&] { return side.fabric.link_use(RouterId{0}, routing::kEast); };
      const auto before = use();
      side.bench.run(100);
      const auto after = use();
      EXPECT_EQ(after.circuit_flits - before.circuit_flits, 100U / every);
      EXPECT_EQ(after.packet_flits - before.packet_flits, 100U - 100U / every);
      EXPECT_EQ(side.fabric.plane_cycles(), planes ? 540U : 0U);
    }
  }
}

/// Circuits' flits are lists' work whichever engine has the packets: however many there are, they choose none.
TEST(BesideCircuits, FlitsOfCircuitsChooseNoEngine) {
  for (const double packets : {0.0, 0.5}) {
    Bench bench(with_either(rows(8, 8, packets)));
    bench.run(1500);
    const auto& fabric = models::hybrid::of(bench.network->fabric());
    EXPECT_GT(fabric.link_use(RouterId{0}, routing::kEast).circuit_flits, 300U);
    EXPECT_EQ(fabric.plane_cycles() > 0, packets > 0) << packets;
  }
}

/// Any streams between any tiles of a small mesh, with what circuits and packets have of options.
Experiment drawn(Random& random) {
  const auto one_of = [&](const std::vector<std::uint32_t>& values) { return values[random.below(values.size())]; };
  const std::uint32_t width = one_of({3, 4, 5}), height = one_of({3, 4});
  std::vector<std::size_t> order(width * height);  // streams go from a tile to one behind it: they are no ring
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<Way> ways(1 + random.below(12));
  for (Way& way : ways) {
    const std::uint64_t to = 1 + random.below(order.size() - 1);
    way = {order[random.below(to)], order[to]};
  }
  Experiment e = tile_streams(width, height, one_of({1, 1, 2, 4}), ways, one_of({1, 3, 20}));
  e.set("router.circuit_lanes", one_of({1, 2, 4, 6}));
  e.set("router.vcs", one_of({1, 2, 3, 4, 4, 6}));
  e.set("router.share_reserved_links", random.below(3) != 0);
  e.set("router.arbiter", std::string(random.below(3) != 0 ? "round_robin" : "matrix"));
  e.set("router.credit_delay_cycles", one_of({2, 2, 4}));
  e.set("router.circuit_buffer_depth", one_of({1, 3, 5}));
  e.set("topology.link_latency_cycles", one_of({1, 1, 2, 5}));
  e.set("interface.receive_queue_items", one_of({8, 128}));
  e.set("routing.algorithm", std::string(random.below(3) != 0 ? "x_first" : "west_first"));
  if (random.below(4) == 0) {
    e.set("setup.searches", std::string("parallel"));
  } else if (random.below(3) == 0) {
    const bool all = random.below(2) == 0;
    e.set("setup.reroute", std::string(all ? "all" : "each"));
    if (all) e.set("interface.receive_queue_items", 0U);
    e.set("setup.reroute_at_cycle", one_of({200, 400}));
    e.set("setup.reroute_every_cycles", one_of({0, 100}));
  }
  add_traffic(e, 0.1 * static_cast<double>(1 + random.below(8)));
  e.set("traffic.flits", one_of({1, 4, 9}));
  return e;
}

/// Engines that change at cycles drawn at random, against lists alone. Nobody looks at registers between.
TEST(BesideCircuits, EnginesMayChangeAtAnyCycle) {
  const std::uint64_t wanted = networks(kBrief ? 2 : 24);
  std::uint64_t on_circuits = 0;
  for (std::uint64_t number = 0; number < wanted; ++number) {
    SCOPED_TRACE("network " + std::to_string(number));
    Random random(number, "beside_circuits");
    const Experiment e = drawn(random);
    Side lists(e, false), both(e, true);
    ASSERT_TRUE(both.fabric.has_planes());
    ASSERT_NO_FATAL_FAILURE(
        expect_same_with_changes(lists, both, 1200, [&](std::uint64_t bound) { return random.below(bound); }));
    ASSERT_EQ(Difference(lists, both).first(), "");
    on_circuits += lists.bench.network->setup_results().circuits.size();
  }
  EXPECT_GT(on_circuits, wanted) << "hardly any circuit stood";
}

}  // namespace
}  // namespace braid::test::beside_circuits_test
