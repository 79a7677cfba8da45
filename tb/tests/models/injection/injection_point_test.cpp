// The injection point by itself, above an interface made of paper: when a packet goes down, and when one comes back.
#include "models/injection/injection_point.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "routing/base/checkpoint.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::injection_point_test {
namespace {

using namespace models;

/// An interface that takes packets while `open`; its front packet can be taken back until it begins to leave.
struct Interface final : PacketTransport {
  std::vector<std::vector<PacketSlot>> queues{2};  // [local port]
  std::vector<PacketSlot> taken;                   // in order, all ports
  std::vector<bool> open{true, true};
  bool leaving = false;
  bool notifies = false;
  std::function<void(std::size_t)> tell;  // whom it notifies
  std::vector<std::string> circuits;      // what was sent on circuits

  void send_on_circuit(std::size_t port, std::uint32_t lane, PacketSlot packet) override {
    circuits.push_back(std::to_string(port) + "/" + std::to_string(lane) + ": " + std::to_string(packet));
  }
  void send_on_tree(std::size_t port, std::uint32_t lane, const std::vector<Copy>& copies) override {
    std::string text = std::to_string(port) + "/" + std::to_string(lane) + ":";
    for (const Copy& c : copies) text += " " + std::to_string(c.circuit) + "=" + std::to_string(c.packet);
    circuits.push_back(text);
  }
  bool notify_when_empty(const std::function<void(std::size_t)>& listener) override {
    tell = listener;
    return notifies;
  }
  void send(std::size_t port, PacketSlot packet) override {
    queues[port].push_back(packet);
    taken.push_back(packet);
  }
  std::size_t queued(std::size_t port) const override { return queues[port].size(); }
  bool ready(std::size_t port) const override { return open[port] && queues[port].empty(); }
  std::optional<PacketSlot> recall(std::size_t port) override {
    if (queues[port].empty() || leaving) return std::nullopt;
    const PacketSlot packet = queues[port].front();
    queues[port].erase(queues[port].begin());
    return packet;
  }
  void leave(std::size_t port) { queues[port].clear(); }
};

struct Gate final : InjectionGate {
  bool is_open = true;
  int packets = 0;
  bool open(NodeId) const override { return is_open; }
  void passed(NodeId) override { ++packets; }
  void end_cycle(std::uint64_t, const Waiting&) override {}
};

/// One node with two local ports. Packets are numbered from 0 in the order in which they are made.
struct Point {
  Configuration experiment;
  PacketStore store;
  PacketStore::Pool pool{store};
  Interface below;
  Gate gate;
  routing::Topology topology;
  std::unique_ptr<InjectionPoint> point;

  explicit Point(const std::string& scheduler, bool with_gate = false, std::uint32_t behind_gate = 0,
                 bool notifies = false) {
    below.notifies = notifies;
    experiment.set("interface.scheduler", scheduler);
    experiment.set("message.packet_flits", 1);
    if (with_gate) experiment.set("interface.fairness", "sat");  // any gate: the options of having one
    experiment.set("interface.behind_gate_packets", behind_gate);
    experiment.set("topology.width", 1);
    experiment.set("topology.height", 1);
    experiment.set("topology.local_ports", 2);
    topology = routing::make_topology(experiment);
    point = std::make_unique<InjectionPoint>(below, with_gate ? &gate : nullptr, std::vector<NodeId>{NodeId{0}},
                                             LocalPortMap(topology), experiment, store);
  }
  void message(std::uint32_t id, std::uint32_t packets, std::size_t port = 0) {
    for (std::uint32_t p = 0; p < packets; ++p) {
      const PacketSlot slot = pool.take();
      store[slot] = Packet{};
      store[slot].message = id;
      point->send(port, slot);
    }
  }
};
using Slots = std::vector<PacketSlot>;

TEST(InjectionPoint, HandsDownOnePacketACycleInTheSchedulersOrder) {
  for (const auto& [scheduler, order] :
       std::vector<std::pair<std::string, Slots>>{{"fifo", {0, 1, 2, 3, 4, 5}},
                                                  {"round_robin", {0, 3, 5, 1, 4, 2}},
                                                  {"round_robin_front", {5, 3, 0, 4, 1, 2}},
                                                  {"shortest_first", {5, 3, 4, 0, 1, 2}},
                                                  {"alpha", {5, 3, 4, 0, 1, 2}}}) {
    Point p(scheduler);
    for (const std::uint32_t id : {0, 1, 2}) p.message(id, 3 - id);  // packets 0 1 2, 3 4, 5
    for (std::size_t i = 1; i <= 6; ++i) {
      p.point->step();
      ASSERT_EQ(p.below.taken.size(), i) << scheduler;
      EXPECT_EQ(p.point->waiting(), 6 - i);
      p.below.leave(0);
    }
    EXPECT_EQ(p.below.taken, order) << scheduler;
    p.point->step();
    EXPECT_EQ(p.below.taken.size(), 6U);
  }
}

TEST(InjectionPoint, WaitsUntilTheInterfaceIsReady) {
  Point p("fifo");
  p.below.open[0] = false;
  p.message(0, 2);
  for (int i = 0; i < 5; ++i) p.point->step();
  EXPECT_TRUE(p.below.taken.empty());
  EXPECT_EQ(p.point->queued(0), 2U);
  p.below.open[0] = true;
  p.point->step();
  p.point->step();
  EXPECT_EQ(p.below.taken, Slots{0}) << "the second waits for the first to leave";
  EXPECT_EQ(p.point->queued(0), 2U) << "one above, one below";
  EXPECT_EQ(p.point->waiting(0), 1U);
}

TEST(InjectionPoint, KeepsPortsApart) {
  Point p("fifo");
  p.below.open[0] = false;
  p.message(0, 1, 0);
  p.message(1, 2, 1);
  p.point->step();
  EXPECT_EQ(p.below.taken, Slots{1});
  EXPECT_EQ(p.point->waiting(0), 1U);
  EXPECT_EQ(p.point->waiting(1), 1U);
  EXPECT_EQ(p.point->waiting(), 2U);
}

TEST(InjectionPoint, PassesNothingThroughAClosedGateAndTellsItOfEachPacket) {
  Point p("fifo", true);
  p.gate.is_open = false;
  p.message(0, 2);
  p.point->step();
  EXPECT_TRUE(p.below.taken.empty());
  p.gate.is_open = true;
  p.point->step();
  EXPECT_EQ(p.gate.packets, 1);
  p.below.leave(0);
  p.gate.is_open = false;
  p.point->step();
  EXPECT_EQ(p.gate.packets, 1);
  p.gate.is_open = true;
  p.point->step();
  EXPECT_EQ(p.gate.packets, 2);
  EXPECT_EQ(p.below.taken, (Slots{0, 1}));
}

TEST(InjectionPoint, FillsItsQueueBehindTheGateAndNoMore) {
  Point p("fifo", true, 3);
  p.below.open[0] = false;  // the link is not asked for: the queue behind has room
  p.message(0, 5);
  for (int i = 0; i < 5; ++i) p.point->step();
  EXPECT_EQ(p.below.taken, (Slots{0, 1, 2}));
}

/// In the step in which the shorter message is there, the longer one's packet comes back and the other goes down.
TEST(InjectionPoint, TakesAPreemptedPacketBackInTheSameCycle) {
  for (const char* scheduler : {"shortest_first", "alpha", "round_robin_front"}) {
    Point p(scheduler);
    p.message(0, 3);
    p.point->step();
    EXPECT_EQ(p.below.queues[0], Slots{0});
    p.point->step();
    EXPECT_EQ(p.below.queues[0], Slots{0}) << scheduler << ": nothing preempts it";
    p.message(1, 1);
    p.point->step();
    EXPECT_EQ(p.below.queues[0], Slots{3}) << scheduler;
    EXPECT_EQ(p.point->waiting(), 3U);
    for (int i = 0; i < 3; ++i) {
      p.below.leave(0);
      p.point->step();
    }
    EXPECT_EQ(p.below.taken, (Slots{0, 3, 0, 1, 2})) << scheduler;
  }
}

TEST(InjectionPoint, LeavesAPacketThatHasBegunToLeave) {
  Point p("shortest_first");
  p.message(0, 3);
  p.point->step();
  p.below.leaving = true;
  p.message(1, 1);
  p.point->step();
  EXPECT_EQ(p.below.queues[0], Slots{0});
  p.below.leave(0);
  p.below.leaving = false;
  p.point->step();
  EXPECT_EQ(p.below.queues[0], Slots{3}) << "next in turn";
}

TEST(InjectionPoint, TakesNothingBackUnderFifoOrRoundRobin) {
  for (const char* scheduler : {"fifo", "round_robin"}) {
    Point p(scheduler);
    p.message(0, 3);
    p.point->step();
    p.message(1, 1);
    p.point->step();
    EXPECT_EQ(p.below.queues[0], Slots{0}) << scheduler;
  }
}

/// The SAT line counts packets that have passed the gate; one taken back would be counted twice.
TEST(InjectionPoint, TakesNothingBackThroughAGate) {
  Point p("shortest_first", true);
  p.message(0, 3);
  p.point->step();
  p.message(1, 1);
  p.point->step();
  EXPECT_EQ(p.below.queues[0], Slots{0});
  EXPECT_EQ(p.gate.packets, 1);
}

/// Circuits have links of their own: neither scheduler nor gate has a say.
TEST(InjectionPoint, LetsCircuitsPassAtOnce) {
  Point p("round_robin", true);
  p.gate.is_open = false;
  p.point->send_on_circuit(1, 3, 7);
  p.point->send_on_tree(0, 2, {{5, 8}, {6, 9}});
  EXPECT_EQ(p.below.circuits, (std::vector<std::string>{"1/3: 7", "0/2: 5=8 6=9"}));
  EXPECT_EQ(p.gate.packets, 0);
  EXPECT_EQ(p.point->waiting(), 0U);
  EXPECT_EQ(p.point->queued(1), 0U);
}

/// An interface that says when it can take one is not asked again until it has; where a gate may open at any time, it
/// is asked every cycle all the same.
TEST(InjectionPoint, WaitsForWhatTheInterfaceSaysUnlessThereIsAGate) {
  for (const bool gate : {false, true}) {
    Point p("fifo", gate, 0, true);
    p.below.open[0] = false;
    p.message(0, 2);
    p.point->step();
    p.below.open[0] = true;
    p.point->step();
    EXPECT_EQ(p.below.taken.size(), gate ? 1U : 0U);
    if (gate) continue;
    p.below.tell(1);  // nothing waits there
    p.point->step();
    EXPECT_TRUE(p.below.taken.empty());
    p.below.tell(0);
    p.point->step();
    EXPECT_EQ(p.below.taken, Slots{0});
    p.below.leave(0);
    p.point->step();
    EXPECT_EQ(p.below.taken, (Slots{0, 1})) << "it has not refused the second";
  }
}

/// The last word says which of the two queues are looked at: those with packets, and no third one. One that is not may
/// have packets: it waits for the interface.
TEST(InjectionPoint, IsRestoredWithQueuesToLookAtThatHavePackets) {
  Point busy("fifo"), idle("fifo");
  busy.message(0, 2, 1);
  const auto refusal = [](Point& from, char looked_at) -> std::string {
    std::string bytes = saved(*from.point);
    bytes[bytes.size() - 8] = looked_at;
    Point to("fifo");
    to.message(3, 1, 0);
    std::string refused = complaint<CheckpointError>([&] { restore(*to.point, bytes); });
    if (!refused.empty()) return refused;
    EXPECT_TRUE(saved(*to.point) == bytes);
    EXPECT_EQ(to.point->waiting(), from.point->waiting());
    to.point->step();
    EXPECT_EQ(to.below.taken.size(), looked_at == 0 ? 0U : 1U);
    return "";
  };
  EXPECT_EQ(saved(*busy.point)[saved(*busy.point).size() - 8], 2) << "the second one";
  EXPECT_EQ(refusal(busy, 2), "");
  EXPECT_EQ(refusal(busy, 0), "");
  EXPECT_EQ(refusal(idle, 0), "");
  const std::string empty = no_such_state("an empty queue that is busy");
  EXPECT_EQ(refusal(busy, 1), empty);
  EXPECT_EQ(refusal(busy, 3), empty);
  EXPECT_EQ(refusal(idle, 2), empty);
  EXPECT_EQ(refusal(busy, 6), "member of a set 1, here are 1");
}

}  // namespace
}  // namespace braid::test::injection_point_test
