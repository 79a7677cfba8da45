// A node that serves fewer local ports in a cycle than it has (interface.*_flits), to the cycle: packets and circuits
// apart, ports in turn, and what a node does not take holds up the network and is not lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tb/tests/support/bench.h"

namespace braid::test::node_bandwidth_test {
namespace {

using models::PacketSlot;
using Cycles = std::vector<std::uint64_t>;
using Ways = std::vector<std::pair<std::size_t, std::size_t>>;  // nodes, from and to
using Bounds = std::map<std::string, std::uint32_t>;            // interface.KEY_flits

constexpr std::uint32_t kPorts = 4;

/// A 3x3 mesh with four local ports a node, and who sends and takes by hand. Node 4 is in the middle.
class Rig final : public models::CircuitUser, public models::PacketSink {
 public:
  explicit Rig(const Bounds& bounds, Ways circuits = {}) : ways_(std::move(circuits)) {
    experiment_.set("topology.width", 3);
    experiment_.set("topology.height", 3);
    experiment_.set("topology.local_ports", kPorts);
    if (!ways_.empty()) {
      experiment_.open("stream");
      experiment_.set("interface.switching", "circuit");
    }
    for (const auto& [key, flits] : bounds) experiment_.set("interface." + key + "_flits", flits);
    topology_ = routing::make_topology(experiment_);
    routing_ = routing::make_routing(topology_, experiment_);
    fabric_ = std::make_unique<models::hybrid::Fabric>(
        models::FabricContext{experiment_, topology_, *routing_, store_, slicing_});
    fabric_->set_sink(0, this);
    if (ways_.empty()) return;
    fabric_->set_up_circuits(*this);
    while (!fabric_->setup_done()) run(1);
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i, ++now_) {
      fabric_->compute(0, now_);
      fabric_->commit(0, now_);
      fabric_->end_cycle(now_);
    }
  }
  /// A message of a circuit, made in the cycle that has just ended.
  void send(std::uint32_t circuit, std::uint32_t flits) {
    const auto [port, lane] = starts_.at(circuit);
    fabric_->transport(0).send_on_circuit(port, lane, packet(ways_[circuit].second, circuit, flits));
  }
  void send_packet(std::size_t from, std::uint32_t port, std::size_t to, std::uint32_t flits = 1) {
    fabric_->transport(0).send(models::LocalPortMap(topology_).first[from] + port, packet(to, kPacket + port, flits));
  }
  std::uint64_t made() const { return now_ - 1; }  ///< of what is sent now
  models::hybrid::Fabric& fabric() { return *fabric_; }
  Cycles all_arrivals() const {
    Cycles all;
    for (const auto& [tag, cycles] : arrived) all.insert(all.end(), cycles.begin(), cycles.end());
    std::sort(all.begin(), all.end());
    return all;
  }

  std::vector<models::CircuitRequest> circuits() const override {
    std::vector<models::CircuitRequest> requests;
    for (const auto& [from, to] : ways_) requests.push_back({"stream", NodeId{from}, NodeId{to}});
    return requests;
  }
  void circuit_found(std::size_t, std::size_t port, std::uint32_t lane) override { starts_.emplace_back(port, lane); }
  void set_up(bool success) override { EXPECT_TRUE(success); }
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t cycle, PacketSlot packet) override {
    arrived[store_[packet].tag].push_back(cycle);
    pool_.give_back(packet);
  }
  void sent(std::uint64_t cycle, PacketSlot packet) override { left[store_[packet].tag].push_back(cycle); }

  static constexpr std::uint32_t kPacket = 90;  // and its local port: what tells packets from circuits
  std::map<std::uint32_t, Cycles> arrived;      // by circuit or kPacket + port
  std::map<std::uint32_t, Cycles> left;         // tails

 private:
  PacketSlot packet(std::size_t to, std::uint32_t tag, std::uint32_t flits) {
    const PacketSlot slot = pool_.take();
    store_[slot] = {};
    store_[slot].created = made();
    store_[slot].destination = NodeId{to};
    store_[slot].tag = tag;
    store_[slot].length_flits = static_cast<std::uint16_t>(flits);
    return slot;
  }

  Ways ways_;
  std::vector<std::pair<std::size_t, std::uint32_t>> starts_;  // [circuit] local port, lane
  models::Experiment experiment_;
  routing::Topology topology_;
  std::unique_ptr<routing::RoutingAlgorithm> routing_;
  models::PacketStore store_;
  models::PacketStore::Pool pool_{store_};
  models::Slicing slicing_{9, 1};
  std::unique_ptr<models::hybrid::Fabric> fabric_;
  std::uint64_t now_ = 0;
};

const Ways kOut{{4, 5}, {4, 3}, {4, 7}, {4, 1}};
const Ways kIn{{1, 4}, {3, 4}, {5, 4}, {7, 4}};
constexpr std::uint64_t kFlits = 3;
/// Of a circuit's message over two routers, alone.
constexpr std::uint64_t kAlone = 3 + 2 * 2 + kFlits - 1;

class Bound : public testing::TestWithParam<std::uint32_t> {
 protected:
  std::uint64_t flits() const { return GetParam(); }
};

/// A packet of three flits at each of four ports: the node sends so many flits a cycle, ports in turn, so flit f of
/// port p is the (4 f + p)-th.
TEST_P(Bound, OnPacketsSentServesPortsInTurn) {
  Rig rig({{"packet_injection", GetParam()}});
  const std::uint64_t made = rig.made();
  for (std::uint32_t p = 0; p < kPorts; ++p) rig.send_packet(4, p, p == 0 ? 5 : p == 1 ? 3 : p == 2 ? 7 : 1, 3);
  rig.run(100);
  for (std::uint32_t p = 0; p < kPorts; ++p) {
    const std::uint64_t before = 4 * 2 + p;  // flits before the tail
    EXPECT_EQ(rig.left[Rig::kPacket + p], Cycles{made + 1 + before / flits()}) << "port " << p;
  }
  EXPECT_EQ(rig.fabric().census().flits, 0U);
}

/// Four packets of one flit for one node from its four neighbours. Those that come while the node is at its bound wait:
/// each leaves when it has come and the one so many places before has gone.
TEST_P(Bound, OnPacketsTakenMakesThemWaitTheirTurn) {
  const auto arrivals = [](const Bounds& bounds) {
    Rig rig(bounds);
    for (const std::size_t from : {1, 3, 5, 7}) rig.send_packet(from, 0, 4);
    rig.run(100);
    EXPECT_EQ(rig.fabric().census().flits, 0U);
    return rig.all_arrivals();
  };
  Cycles expected = arrivals({});
  ASSERT_EQ(expected.size(), 4U);
  for (std::size_t i = GetParam(); i < expected.size(); ++i) {
    expected[i] = std::max(expected[i], expected[i - GetParam()] + 1);
  }
  EXPECT_EQ(arrivals({{"packet_ejection", GetParam()}}), expected);
}

/// 200 flits from each of four neighbours for a node that takes so many a cycle: what it does not take waits in the
/// network, nothing is lost, and it never takes more.
TEST_P(Bound, OnPacketsTakenHoldsUpTheNetwork) {
  Rig rig({{"packet_ejection", GetParam()}});
  for (int i = 0; i < 25; ++i) {
    for (const std::size_t from : {1, 3, 5, 7}) rig.send_packet(from, 0, 4, 8);
  }
  std::uint64_t before = 0, least = 1000;
  for (int cycle = 0; cycle < 150; ++cycle) {
    rig.run(1);
    const std::uint64_t now = rig.fabric().counters().flits_delivered;
    EXPECT_LE(now - before, flits());
    if (cycle >= 50) least = std::min(least, now - before);
    before = now;
  }
  if (GetParam() < 3) {
    EXPECT_EQ(least, flits()) << "enough waits at each port";
  }
  rig.run(1000);
  EXPECT_EQ(rig.fabric().counters().flits_delivered, 800U);
  EXPECT_EQ(rig.fabric().census().flits, 0U);
}

/// The same of circuits, a message each in the same cycle: flit f of circuit c is the (4 f + c)-th.
TEST_P(Bound, OnCircuitsSentServesPortsInTurn) {
  Rig rig({{"circuit_injection", GetParam()}}, kOut);
  const std::uint64_t made = rig.made();
  for (std::uint32_t c = 0; c < 4; ++c) rig.send(c, kFlits);
  rig.run(100);
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint64_t before = 4 * (kFlits - 1) + c;
    EXPECT_EQ(rig.arrived[c], Cycles{made + 3 + 2 * 2 + before / flits()}) << "circuit " << c;
  }
}

TEST_P(Bound, OnCircuitsTakenServesPortsInTurn) {
  Rig rig({{"circuit_ejection", GetParam()}}, kIn);
  const std::uint64_t made = rig.made();
  for (std::uint32_t c = 0; c < 4; ++c) rig.send(c, kFlits);
  rig.run(100);
  Cycles expected;
  for (std::uint64_t c = 0; c < 4; ++c) expected.push_back(made + 3 + 2 * 2 + (4 * (kFlits - 1) + c) / flits());
  EXPECT_EQ(rig.all_arrivals(), expected);
}
INSTANTIATE_TEST_SUITE_P(Flits, Bound, testing::Range(1U, 5U));

/// Packets through one port, circuits through four: circuits go as if alone, and behind them, where every port has a
/// packet, one packet leaves a cycle.
TEST(NodeBandwidth, IsApartForPacketsAndCircuits) {
  Rig rig({{"packet_injection", 1}, {"packet_ejection", 1}}, kOut);
  const std::uint64_t made = rig.made();
  for (std::uint32_t c = 0; c < 4; ++c) rig.send(c, kFlits);
  for (std::uint32_t p = 0; p < kPorts; ++p) rig.send_packet(4, p, 5);
  rig.run(100);
  Cycles packets;
  for (std::uint32_t c = 0; c < 4; ++c) {
    EXPECT_EQ(rig.arrived[c], Cycles{made + kAlone});
    const Cycles& of_port = rig.left[Rig::kPacket + c];
    packets.insert(packets.end(), of_port.begin(), of_port.end());
  }
  std::sort(packets.begin(), packets.end());
  EXPECT_EQ(packets, (Cycles{made + 4, made + 5, made + 6, made + 7}));
}

/// Nobody starves: of ports that always have a packet each sends as many.
TEST(NodeBandwidth, IsSharedEquallyByPorts) {
  Rig rig({{"packet_injection", 3}});
  for (int i = 0; i < 100; ++i) {
    for (std::uint32_t p = 0; p < kPorts; ++p) rig.send_packet(4, p, p == 0 ? 5 : p == 1 ? 3 : p == 2 ? 7 : 1);
  }
  rig.run(80);
  for (std::uint32_t p = 0; p < kPorts; ++p) EXPECT_EQ(rig.left[Rig::kPacket + p].size(), 60U) << "port " << p;
}

/// A bound at or above the local ports changes nothing.
TEST(NodeBandwidth, OfAllPortsIsNone) {
  const auto all = [](const Bounds& bounds) {
    Rig rig(bounds, kIn);
    for (std::uint32_t c = 0; c < 4; ++c) rig.send(c, 9);
    for (const std::size_t from : {0, 2, 6, 8}) {
      for (std::uint32_t p = 0; p < kPorts; ++p) rig.send_packet(from, p, 4, 6);
    }
    rig.run(300);
    return std::pair(rig.arrived, rig.left);
  };
  EXPECT_EQ(all({{"packet_injection", 4}, {"packet_ejection", 64}, {"circuit_injection", 4}, {"circuit_ejection", 9}}),
            all({}));
}

}  // namespace
}  // namespace braid::test::node_bandwidth_test
