// What a packet gets where it is made: its number among those of its node, its local port in turn, what it draws; in
// one network, and in one of several side by side, where each counts for itself.
#include "models/workload/outlet.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "models/experiment/experiment.h"
#include "models/fabric/fabric.h"

namespace braid::test::outlet_test {
namespace {

using models::ClassSubnets;
using models::Outlet;
using models::Packet;
using models::PacketSlot;

/// Notes by which port packets go.
struct Noted final : models::PacketTransport {
  void send(std::size_t port, PacketSlot packet) override { sent.emplace_back(port, packet); }
  void send_copies(std::size_t port, const std::vector<PacketSlot>& packets) override {
    for (const PacketSlot packet : packets) sent.emplace_back(port, packet);
    ++copied;
  }
  std::size_t queued(std::size_t) const override { return 0; }
  bool ready(std::size_t port) const override { return open.count(port) > 0; }
  std::vector<std::pair<std::size_t, PacketSlot>> sent;
  std::set<std::size_t> open;
  int copied = 0;
};

routing::Topology two_nodes() {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1).set("topology.local_ports", 3);
  return routing::make_topology(e);
}

using Numbers = std::vector<std::uint32_t>;

/// Two nodes of three local ports each: 0 to 2 and 3 to 5, and 6 more in the next subnet.
struct Made {
  explicit Made(std::uint32_t subnets = 1, const ClassSubnets& of_class = {})
      : next_sequence(2 * subnets),
        outlet({store, pool, transport, statistics, nullptr, ports, next_sequence, Random(7, "draws"), subnets, 6,
                Random(7, "subnets")},
               5, {1, 0}, of_class) {}
  /// Sends so many; their numbers.
  Numbers send(std::uint32_t from, std::uint32_t packets, std::uint8_t traffic_class = 0) {
    Numbers all;
    for (std::uint32_t i = 0; i < packets; ++i) {
      const std::size_t port = outlet.next_port(NodeId{from}, traffic_class);
      const std::uint32_t number = outlet.next_sequence(NodeId{from}, traffic_class);
      outlet.send(9, 3, NodeId{from}, NodeId{1 - from}, 4, 77, traffic_class);
      EXPECT_EQ(transport.sent.back().first, port) << "as it was said before";
      EXPECT_EQ(last().sequence, number);
      EXPECT_EQ(outlet.port_of(last()), port);
      all.push_back(last().sequence);
      drawn.push_back(last().draw);
    }
    return all;
  }
  const Packet& last() const { return outlet[transport.sent.back().second]; }
  Numbers ports_taken() const {
    Numbers all;
    for (const auto& [port, packet] : transport.sent) all.push_back(static_cast<std::uint32_t>(port));
    return all;
  }

  const routing::Topology topology = two_nodes();
  const models::LocalPortMap ports{topology};
  const models::MeasurementWindow window;
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  models::Statistics statistics{window, 2, {"one", "other"}};
  Noted transport;
  std::vector<std::uint32_t> next_sequence;
  std::vector<std::uint8_t> drawn;
  Outlet outlet;
};

TEST(Outlet, CountsTheNodesPacketsAndTakesItsPortsInTurn) {
  Made m;
  EXPECT_EQ(m.send(0, 4), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(m.send(1, 2), (Numbers{0, 1}));
  EXPECT_EQ(m.send(0, 1, 1), Numbers{4}) << "whatever the class";
  EXPECT_EQ(m.ports_taken(), (Numbers{0, 1, 2, 0, 3, 4, 1}));
  EXPECT_EQ(m.statistics.packets_created(), 7U);
}

TEST(Outlet, MakesAPacketOfItsWorkload) {
  Made m;
  m.send(1, 1);
  const Packet p = m.last();
  EXPECT_EQ(p.created, 9U);
  EXPECT_EQ(p.source, NodeId{1});
  EXPECT_EQ(p.destination, NodeId{0});
  EXPECT_EQ(p.length_flits, 4U);
  EXPECT_EQ(p.kind, 3U);
  EXPECT_EQ(p.workload, 5U);
  EXPECT_EQ(p.tag, 77U);
  EXPECT_EQ(p.traffic_class, 1U) << "the first of the workload is the second of all";
  EXPECT_EQ(p.injected, 0U);
  m.send(1, 1, 1);
  EXPECT_EQ(m.last().traffic_class, 0U);
  m.outlet.send(10, 0, NodeId{0}, NodeId{1}, 1);
  EXPECT_EQ(m.last().tag, models::kNoTag);
  EXPECT_EQ(m.last().traffic_class, 1U) << "of the first class, unless it is said";
}

/// Of its source and number, whoever else sends before it.
TEST(Outlet, DrawsTheSameInAnyOrderOfNodes) {
  Made one, other;
  one.send(0, 40);
  one.send(1, 40);
  for (int i = 0; i < 40; ++i) other.send(1, 1), other.send(0, 1);
  std::set<std::uint8_t> values;
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(one.drawn[i], other.drawn[2 * i + 1]) << i;
    EXPECT_EQ(one.drawn[40 + i], other.drawn[2 * i]) << i;
    values.insert(one.drawn[i]);
  }
  EXPECT_GT(values.size(), 20U) << "of 256";
}

TEST(Outlet, SendsCopiesByOnePort) {
  Made m;
  m.send(0, 1);
  m.outlet.send_copies(9, 2, NodeId{0}, {NodeId{1}, NodeId{0}, NodeId{1}}, 4, 8);
  EXPECT_EQ(m.transport.copied, 1);
  EXPECT_EQ(m.ports_taken(), (Numbers{0, 1, 1, 1})) << "the first one's";
  const Packet &second = m.outlet[m.transport.sent[2].second], &third = m.outlet[m.transport.sent[3].second];
  EXPECT_EQ(second.destination, NodeId{0});
  EXPECT_EQ(second.sequence, 2U);
  EXPECT_EQ(second.kind, 2U);
  EXPECT_EQ(second.tag, 8U);
  EXPECT_EQ(third.destination, NodeId{1});
  EXPECT_EQ(third.sequence, 3U);
}

/// Would a head leave at once? Asked of the node's own ports.
TEST(Outlet, CountsThePortsThatAreFree) {
  Made m;
  EXPECT_EQ(m.outlet.free_ports(NodeId{0}), 0U);
  m.transport.open = {0, 2, 4, 6};
  EXPECT_EQ(m.outlet.free_ports(NodeId{0}), 2U);
  EXPECT_EQ(m.outlet.free_ports(NodeId{1}), 1U);
}

// ---------------------------------------------------------------- several subnets

/// Packet i in subnet s of three has number 3 i + s, and takes ports and draws as if that were the only network.
TEST(OutletOfSubnets, CountsInEachForItself) {
  Made m(3, {{2}, {0}}), alone;
  alone.send(0, 5);
  EXPECT_EQ(m.send(0, 4, 0), (Numbers{2, 5, 8, 11}));
  EXPECT_EQ(m.send(0, 2, 1), (Numbers{0, 3}));
  EXPECT_EQ(m.send(0, 1, 0), Numbers{14});
  EXPECT_EQ(m.send(1, 2, 0), (Numbers{2, 5}));
  EXPECT_EQ(m.ports_taken(), (Numbers{12, 13, 14, 12, 0, 1, 13, 15, 16}));
  for (const auto& [here, there] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {3, 3}, {4, 0}, {5, 1}, {6, 4}}) {
    EXPECT_EQ(m.drawn[here], alone.drawn[there]) << here;
  }
  EXPECT_EQ(m.outlet.next_sequence(NodeId{0}), 17U) << "of the first class, unless it is said";
  EXPECT_EQ(m.outlet.next_port(NodeId{0}), 14U);
}

/// Those of the subnet of the first class.
TEST(OutletOfSubnets, CountsThePortsThatAreFreeThere) {
  Made m(3, {{2, 1}, {0}});
  m.transport.open = {0, 1, 2, 6, 7, 12, 14, 16};
  EXPECT_EQ(m.outlet.free_ports(NodeId{0}), 2U);
  EXPECT_EQ(m.outlet.free_ports(NodeId{1}), 1U);
}

/// A class of two subnets: each packet goes by one of them, by chance, half of them each; which one hangs on how many
/// its node has made, and on nobody else.
TEST(OutletOfSubnets, SharesAClassByChance) {
  Made one(3, {{0, 2}, {1}}), other(3, {{0, 2}, {1}});
  const Numbers numbers = one.send(0, 200);
  one.send(1, 50);
  Numbers of_subnet[3];
  for (const std::uint32_t number : numbers) of_subnet[number % 3].push_back(number / 3);
  EXPECT_TRUE(of_subnet[1].empty());
  EXPECT_NEAR(static_cast<double>(of_subnet[0].size()), 100.0, 35.0) << "five standard deviations";
  for (const Numbers& counts : of_subnet) {
    for (std::uint32_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], i) << "none is left out";
  }
  Numbers again;
  for (int i = 0; i < 200; ++i) {
    if (i % 4 == 0) other.send(1, 1);
    again.push_back(other.send(0, 1).front());
  }
  EXPECT_EQ(again, numbers);
}

}  // namespace
}  // namespace braid::test::outlet_test
