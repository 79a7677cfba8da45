// Circuits that share a local port, to the cycle (docs/router.md, "A local port that circuits share"): with k of them
// on a link each has one cycle in k, and one that cannot go holds up no other.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tb/tests/support/bench.h"

namespace braid::test::local_port_test {
namespace {

using models::PacketSlot;
using models::hybrid::kNone;
using models::hybrid::VcIndex;
using Ways = std::vector<std::pair<std::size_t, std::size_t>>;  // nodes, from and to

/// Circuits on a 3x3 mesh, and who sends and takes messages on them by hand. Node 4 is in the middle.
class Rig final : public models::CircuitUser, public models::PacketSink {
 public:
  Rig(std::uint32_t local_ports, std::uint32_t lanes, const Ways& ways, bool share = true) : ways_(ways) {
    experiment_.set("topology.width", 3);
    experiment_.set("topology.height", 3);
    experiment_.set("topology.local_ports", local_ports);
    experiment_.open("stream");
    experiment_.set("interface.switching", "circuit");
    experiment_.set("router.circuit_lanes", lanes);
    experiment_.set("router.share_reserved_links", share);
    experiment_.set("setup.retries", 0);
    topology_ = routing::make_topology(experiment_);
    routing_ = routing::make_routing(topology_, experiment_);
    fabric_ = std::make_unique<models::hybrid::Fabric>(
        models::FabricContext{experiment_, topology_, *routing_, store_, slicing_});
    fabric_->set_sink(0, this);
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
    const auto [port, lane] = starts.at(circuit);
    fabric_->transport(0).send_on_circuit(port, lane, packet(ways_[circuit].second, circuit, flits));
  }
  void send_packet(std::size_t from, std::size_t to) {
    fabric_->transport(0).send(models::LocalPortMap(topology_).first[from], packet(to, kPacket, 1));
  }
  /// Cycles in which its messages arrived.
  std::vector<std::uint64_t> arrivals(std::uint32_t circuit) const {
    const auto found = arrived.find(circuit);
    return found == arrived.end() ? std::vector<std::uint64_t>{} : found->second;
  }

  std::vector<models::CircuitRequest> circuits() const override {
    std::vector<models::CircuitRequest> requests;
    for (const auto& [from, to] : ways_) requests.push_back({"stream", NodeId{from}, NodeId{to}});
    return requests;
  }
  void circuit_found(std::size_t, std::size_t port, std::uint32_t lane) override { starts.emplace_back(port, lane); }
  void set_up(bool success) override { stands = success; }
  bool admit(PacketSlot packet) override { return shut.count(store_[packet].tag) == 0; }
  void deliver(std::uint64_t cycle, PacketSlot packet) override {
    arrived[store_[packet].tag].push_back(cycle);
    pool_.give_back(packet);
  }
  void sent(std::uint64_t, PacketSlot) override {}

  models::hybrid::Fabric& fabric() { return *fabric_; }
  std::uint64_t made() const { return now_ - 1; }  ///< of what is sent now

  static constexpr std::uint32_t kPacket = 99;
  std::vector<std::pair<std::size_t, std::uint32_t>> starts;    // [circuit] local port, lane
  std::map<std::uint32_t, std::vector<std::uint64_t>> arrived;  // [circuit] cycles
  std::set<std::uint32_t> shut;                                 // circuits whose receiver has no room
  bool stands = false;

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
  models::Experiment experiment_;
  routing::Topology topology_;
  std::unique_ptr<routing::RoutingAlgorithm> routing_;
  models::PacketStore store_;
  models::PacketStore::Pool pool_{store_};
  models::Slicing slicing_{9, 1};
  std::unique_ptr<models::hybrid::Fabric> fabric_;
  std::uint64_t now_ = 0;
};

Ways first(std::size_t count, const Ways& ways) {
  return {ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(count)};
}
const Ways kOut{{4, 5}, {4, 3}, {4, 7}, {4, 1}};  // east, west, and the other two
const Ways kIn{{1, 4}, {3, 4}, {5, 4}, {7, 4}};

constexpr std::uint64_t kFlits = 3;
/// Over two routers, alone: the message is there when its tail is.
constexpr std::uint64_t kAlone = 3 + 2 * 2 + kFlits - 1;

class SharedLink : public testing::TestWithParam<std::size_t> {};

/// k circuits, a message each in the same cycle: flits of them leave in turn.
TEST_P(SharedLink, OfInjectionGivesEachCircuitOneCycleInK) {
  const std::size_t k = GetParam();
  Rig rig(1, 4, first(k, kOut));
  ASSERT_TRUE(rig.stands);
  const std::uint64_t made = rig.made();
  for (std::uint32_t c = 0; c < k; ++c) rig.send(c, kFlits);
  for (std::uint32_t c = 0; c < k; ++c) {
    const std::uint64_t latency = 3 + 2 * 2 + k * (kFlits - 1) + c;
    rig.run(made + latency - rig.made() - 1);
    EXPECT_TRUE(rig.arrivals(c).empty()) << "circuit " << c << " of " << k << " at cycle N - 1";
    rig.run(1);
    EXPECT_EQ(rig.arrivals(c), std::vector<std::uint64_t>{made + latency}) << "circuit " << c << " of " << k;
  }
}

/// k circuits to one node, a message each in the same cycle: their flits meet at the router and cross it in turn.
TEST_P(SharedLink, OfEjectionGivesEachCircuitOneCycleInK) {
  const std::size_t k = GetParam();
  Rig rig(1, 4, first(k, kIn));
  ASSERT_TRUE(rig.stands);
  const std::uint64_t made = rig.made();
  for (std::uint32_t c = 0; c < k; ++c) rig.send(c, kFlits);
  rig.run(100);
  std::set<std::uint64_t> latencies, expected;
  for (std::uint32_t c = 0; c < k; ++c) {
    ASSERT_EQ(rig.arrivals(c).size(), 1U);
    latencies.insert(rig.arrivals(c)[0] - made);
    expected.insert(3 + 2 * 2 + k * (kFlits - 1) + c);
  }
  EXPECT_EQ(latencies, expected);
}
INSTANTIATE_TEST_SUITE_P(ByCircuits, SharedLink, testing::Range(std::size_t{1}, std::size_t{5}));

/// As many local ports as circuits: nobody shares, with one lane a port or with four.
TEST(LocalPorts, SpreadCircuitsBeforeTwoShareOne) {
  for (const std::uint32_t lanes : {1U, 4U}) {
    for (const Ways& ways : {kOut, kIn}) {
      Rig rig(4, lanes, ways);
      ASSERT_TRUE(rig.stands);
      const std::uint64_t made = rig.made();
      for (std::uint32_t c = 0; c < 4; ++c) rig.send(c, kFlits);
      rig.run(kAlone - 1);
      EXPECT_TRUE(rig.arrived.empty()) << "at cycle N - 1";
      rig.run(1);
      for (std::uint32_t c = 0; c < 4; ++c) EXPECT_EQ(rig.arrivals(c), std::vector<std::uint64_t>{made + kAlone});
    }
  }
}

TEST(LocalPorts, TakeTheFirstLaneOfEachBeforeASecond) {
  Rig rig(2, 3, kOut);
  using Start = std::pair<std::size_t, std::uint32_t>;
  const std::vector<Start> starts{{8, 0}, {9, 0}, {8, 1}, {9, 1}};  // ports 8 and 9 are node 4's
  EXPECT_EQ(rig.starts, starts);
  Rig ends(2, 3, kIn);
  const models::hybrid::RouterBank& bank = ends.fabric().bank();
  for (const std::uint32_t port : {4U, 5U}) {
    for (std::uint32_t c = 0; c < 3; ++c) {
      const VcIndex out = bank.circuit_vc(bank.port_index(RouterId{4}, PortId{port}), c);
      EXPECT_EQ(bank.circuit_in(out) != kNone, c < 2) << "port " << port << " lane " << c;
    }
  }
}

/// More circuits than lanes, at the source or at the destination: set-up fails as it does without a free local port.
TEST(LocalPorts, TakeNoMoreCircuitsThanLanes) {
  for (const Ways& ways : {kOut, kIn}) {
    EXPECT_TRUE(Rig(1, 4, ways).stands);
    EXPECT_FALSE(Rig(1, 3, ways).stands);
    EXPECT_TRUE(Rig(2, 2, ways).stands);
    EXPECT_FALSE(Rig(2, 1, ways).stands);
  }
}

/// The receiver of circuit 0 has no room, and its buffers are full back to the source. Circuit 1 shares the link that
/// they come in by, or go out by, and goes as if it were alone.
TEST(LocalPorts, HaveNoHeadOfLineBlocking) {
  for (const Ways& ways : {first(2, kOut), first(2, kIn)}) {
    Rig rig(1, 2, ways);
    ASSERT_TRUE(rig.stands);
    rig.shut = {0};
    for (int i = 0; i < 20; ++i) rig.send(0, 2);
    rig.run(200);
    EXPECT_TRUE(rig.arrived.empty());
    for (std::uint32_t flits : {1U, 9U}) {
      const std::uint64_t made = rig.made();
      rig.send(1, flits);
      const std::uint64_t latency = 3 + 2 * 2 + flits - 1;
      rig.run(latency - 1);
      EXPECT_EQ(rig.arrivals(1).size(), flits == 1 ? 0U : 1U) << "at cycle N - 1";
      rig.run(1);
      ASSERT_FALSE(rig.arrivals(1).empty());
      EXPECT_EQ(rig.arrivals(1).back(), made + latency);
    }
    rig.shut.clear();
    rig.run(100);
    EXPECT_EQ(rig.arrivals(0).size(), 20U) << "room: all come";
    EXPECT_EQ(rig.fabric().census().flits, 0U);
  }
}

/// The node takes a flit a cycle, of its circuits in turn: ten flits wait for each of two when room comes.
TEST(LocalPorts, HandTheNodeAFlitACycle) {
  Rig rig(1, 2, first(2, kIn));
  rig.shut = {0, 1};
  for (std::uint32_t c = 0; c < 2; ++c) {
    for (int i = 0; i < 3; ++i) rig.send(c, 1);
  }
  rig.run(50);
  rig.shut.clear();
  const std::uint64_t from = rig.made();
  rig.run(20);
  using Cycles = std::vector<std::uint64_t>;
  EXPECT_EQ(rig.arrivals(0), (Cycles{from + 1, from + 3, from + 5}));
  EXPECT_EQ(rig.arrivals(1), (Cycles{from + 2, from + 4, from + 6}));
}

/// A packet of the same node shares the injection link, and goes when the circuits' flits have: 13 cycles, and twice F.
TEST(LocalPorts, LetPacketsGoWhenCircuitsHave) {
  for (const std::uint64_t flits : {0U, 1U, 6U}) {
    Rig rig(1, 2, first(2, kOut));
    const std::uint64_t made = rig.made();
    for (std::uint32_t c = 0; c < 2 && flits != 0; ++c) rig.send(c, static_cast<std::uint32_t>(flits));
    rig.send_packet(4, 5);
    rig.run(100);
    EXPECT_EQ(rig.arrivals(Rig::kPacket), std::vector<std::uint64_t>{made + 3 + 5 * 2 + 2 * flits});
  }
}

/// A tear-down of one circuit leaves the others of its local ports.
TEST(LocalPorts, LoseOneCircuitInATearDown) {
  for (const Ways& ways : {first(2, kOut), first(2, kIn)}) {
    Rig rig(1, 2, ways, false);
    const models::hybrid::RouterBank& bank = rig.fabric().bank();
    const auto [port, lane] = rig.starts[1];
    const models::hybrid::PortIndex in = bank.wiring().local_ports[port].router_port;
    rig.fabric().slice(0).send_local_control(rig.made(),
                                             {in, models::hybrid::ControlKind::kTearDown, 9, NodeId{0}, lane});
    rig.run(5);
    std::size_t reserved = 0;
    for (models::hybrid::PortIndex p = 0; p < bank.input_port_count(); ++p) {
      reserved += bank.reserved(p) ? 1 : 0;
      EXPECT_EQ(bank.closed_outputs[p], bank.reserved(p)) << "closed to packets while one is left";
    }
    EXPECT_EQ(reserved, 2U) << "an output at each of two routers";
    EXPECT_EQ(bank.circuit_out(bank.circuit_vc(in, lane)), kNone);
    const std::uint64_t made = rig.made();
    rig.send(0, kFlits);
    rig.run(kAlone);
    EXPECT_EQ(rig.arrivals(0), std::vector<std::uint64_t>{made + kAlone});
  }
}

/// With share_reserved_links = false an ejection link is closed to packets until the last circuit has left it.
TEST(LocalPorts, AreClosedWhileOneCircuitIsLeft) {
  models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("topology.local_ports", 1);
  e.set("router.circuit_lanes", 4);
  e.set("router.share_reserved_links", false);
  Bench bench(e);
  const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  while (!bench.network->setup_done()) bench.run(1);
  ASSERT_FALSE(bench.network->setup_results().fell_back_to_packets);
  std::size_t shared = 0;
  for (models::hybrid::PortIndex p = 0; p < bank.input_port_count(); ++p) {
    EXPECT_EQ(bank.closed_outputs[p], bank.reserved(p));
    shared += bank.circuit_in(bank.circuit_vc(p, 1)) != kNone ? 1 : 0;
  }
  EXPECT_GT(shared, 0U);
}

}  // namespace
}  // namespace braid::test::local_port_test
