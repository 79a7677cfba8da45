// Nodes with two local ports in routers that are cut into slices: a packet that is sent at a port, as the transport
// numbers them, is in that port's queue and comes into the router by it.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::local_ports_test {
namespace {

using models::Experiment;

constexpr std::size_t kNodes = 3, kPorts = 2 * kNodes;

Experiment with_two_ports(Experiment e) {
  e.set("topology.local_ports", 2);
  return e;
}
/// A packet of node 0, in the first slot: whoever tests it sends it by the port that is tested.
models::PacketSlot packet(const Bench& bench) {
  bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
  return 0;
}

/// Ports 4 and 5 of a router of a row are its node's.
TEST(LocalPorts, OfPo2HaveTheirOwnQueues) {
  for (const std::size_t slices : {1U, 2U, 3U}) {
    for (std::size_t port = 0; port < kPorts; ++port) {
      Bench bench(with_two_ports(small_po2(kNodes, 1)), slices);
      models::po2::Fabric& fabric = models::po2::of(bench.network->fabric());
      const auto router = static_cast<std::uint32_t>(port / 2);
      models::po2::Slice& slice = fabric.slice(fabric.context().slicing.slice_of_router[router]);
      std::vector<std::size_t> told;
      slice.notify_when_empty([&](std::size_t number) { told.push_back(number); });
      const models::PacketSlot slot = packet(bench);
      for (std::size_t p = 0; p < kPorts; ++p) {  // wherever it was queued
        fabric.slice(fabric.context().slicing.slice_of_router[p / 2]).recall(p);
      }
      slice.send(port, slot);
      for (std::uint32_t r = 0; r < kNodes; ++r) {
        for (std::size_t p = 4; p < 6; ++p) {
          EXPECT_EQ(fabric.head(r, p).has_value(), r == router && p == 4 + port % 2) << port;
          EXPECT_EQ(fabric.routers()[r].ports[p].wanted, r == router && p == 4 + port % 2 ? 1U : 0U) << port;
        }
      }
      EXPECT_EQ(slice.queued(port), 1U);
      bench.run(1);
      EXPECT_EQ(fabric.routers()[router].ports[4 + port % 2].use, models::po2::Port::Use::kReceiving) << port;
      EXPECT_EQ(fabric.buffered(RouterId{router}, PortId{4 + port % 2}, 0), 1U) << port;
      bench.run(7);
      EXPECT_EQ(told, std::vector<std::size_t>{port});
    }
  }
}

/// Router r of three is of slice r * slices / 3, rounded as Slicing does.
TEST(LocalPorts, OfCutThroughRoutersHaveTheirOwnQueues) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", kNodes).set("topology.height", 1);
  for (const std::size_t slices : {1U, 2U, 3U}) {
    for (std::size_t port = 0; port < kPorts; ++port) {
      const Bench bench(with_two_ports(e), slices);
      auto& fabric = dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric());
      auto& slice = fabric.slice(models::Slicing(kNodes, slices).slice_of_router[port / 2]);
      const models::PacketSlot slot = packet(bench);
      slice.send(port, slot);
      if (port > 1) {  // node 0's own packet is in one of its two queues
        EXPECT_EQ(slice.queued(port), 1U) << port;
      }
      slice.inject(1);
      const auto& arrivals = slice.own_channel().at(1).arrivals;
      const models::PortIndex in = bank(bench).port_index(RouterId{port / 2}, PortId{4 + port % 2});
      std::size_t there = 0;
      for (const auto& arrival : arrivals) there += arrival.in_port == in ? 1 : 0;
      EXPECT_EQ(there, 1U) << port << " of " << slices;
      EXPECT_EQ(bank(bench).credits[bank(bench).injection_port(port)], 3U) << port;
    }
  }
}

}  // namespace
}  // namespace braid::test::local_ports_test
