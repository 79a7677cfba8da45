// What an injection point does with schedulers that choose among packets: over an interface that has room for some of
// them, with a gate, with room behind it; over one that says when it is free; and with no nodes at all.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/injection/injection_point.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::point_selection_test {
namespace {

using models::PacketSlot;

bool all(PacketSlot) { return true; }
bool none(PacketSlot) { return false; }

/// Two classes, a and b, of the same priority.
models::Experiment two_classes() {
  return models::parse_experiment(
      "[[traffic]]\nname = \"a\"\n[[traffic]]\nname = \"b\"\n[interface]\nscheduler = \"classes\"\n", "e.toml");
}

/// An interface of one local port that has room for packets of some classes.
struct Interface final : models::PacketTransport {
  void send(std::size_t, PacketSlot packet) override { taken.push_back(packet); }
  std::size_t queued(std::size_t) const override { return waiting; }
  bool ready(std::size_t) const override { return is_ready; }
  bool ready_for(std::size_t, PacketSlot packet) const override { return open(packet); }
  bool notify_when_empty(const std::function<void(std::size_t)>& listener) override {
    ++asked_to_notify;
    tell = listener;
    return true;
  }
  std::function<bool(PacketSlot)> open = none;
  std::function<void(std::size_t)> tell;
  std::vector<PacketSlot> taken;
  std::size_t waiting = 0;
  bool is_ready = false;
  int asked_to_notify = 0;
};

struct Gate final : models::InjectionGate {
  bool open(NodeId) const override { return true; }
  void passed(NodeId) override { ++packets; }
  void end_cycle(std::uint64_t, const Waiting&) override {}
  int packets = 0;
};

struct Point {
  explicit Point(const char* scheduler, bool with_gate = false, std::uint32_t behind = 0) {
    experiment = two_classes();
    experiment.set("interface.scheduler", scheduler);
    if (with_gate) experiment.set("interface.fairness", "sat").set("interface.behind_gate_packets", behind);
    experiment.set("topology.width", 1).set("topology.height", 1);
    topology = routing::make_topology(experiment);
    point = std::make_unique<models::InjectionPoint>(below, with_gate ? &gate : nullptr, std::vector<NodeId>{NodeId{0}},
                                                     models::LocalPortMap(topology), experiment, store);
  }
  void send(std::uint8_t traffic_class) {
    const PacketSlot slot = pool.take();
    store[slot] = models::Packet{};
    store[slot].workload = store[slot].traffic_class = traffic_class;
    point->send(0, slot);
  }
  std::string taken() const {
    std::string text;
    for (const PacketSlot slot : below.taken) text += static_cast<char>('a' + store[slot].traffic_class);
    return text;
  }
  models::Experiment experiment;
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  Interface below;
  Gate gate;
  routing::Topology topology;
  std::unique_ptr<models::InjectionPoint> point;
};

/// A class that may not go holds up no other, and the interface is asked again in every cycle.
TEST(PointOfClasses, AsksForEachClassInEveryCycle) {
  Point p("classes");
  EXPECT_EQ(p.below.asked_to_notify, 0) << "it asks by itself";
  for (const std::uint8_t traffic_class : {0, 0, 1}) p.send(traffic_class);
  p.point->step();
  EXPECT_EQ(p.taken(), "");
  p.below.open = [&](PacketSlot slot) { return p.store[slot].traffic_class == 1; };
  p.point->step();
  EXPECT_EQ(p.taken(), "b");
  p.point->step();
  EXPECT_EQ(p.taken(), "b");
  p.below.open = all;
  p.point->step();
  p.point->step();
  EXPECT_EQ(p.taken(), "baa");
  EXPECT_EQ(p.point->waiting(), 0U);
}

/// With a queue behind the gate its room counts, and not what the link would take.
TEST(PointOfClasses, FillsTheQueueBehindTheGate) {
  Point p("classes", true, 2);
  for (const std::uint8_t traffic_class : {0, 0, 1}) p.send(traffic_class);
  p.below.waiting = 2;
  p.point->step();
  EXPECT_EQ(p.taken(), "") << "two wait there";
  p.below.waiting = 1;
  p.point->step();
  EXPECT_EQ(p.taken(), "b");
  EXPECT_EQ(p.gate.packets, 1);
  EXPECT_EQ(p.below.asked_to_notify, 0);
}

/// First in, first out chooses nothing: without a gate the interface tells when it is free.
TEST(PointOfFifo, IsToldWhenTheInterfaceIsFree) {
  EXPECT_EQ(Point("fifo").below.asked_to_notify, 1);
  EXPECT_EQ(Point("fifo", true).below.asked_to_notify, 0) << "a gate may open at any time";
}

/// ... and then looks at a queue of one packet, which it had refused; at one of none it does not.
TEST(PointOfFifo, SendsTheOnePacketThatWaitsWhenItIsTold) {
  Point p("fifo");
  p.send(0);
  p.point->step();
  p.below.is_ready = true;
  p.point->step();
  EXPECT_EQ(p.taken(), "") << "nobody has told it";
  p.below.tell(0);
  p.point->step();
  EXPECT_EQ(p.taken(), "a");
  p.below.tell(0);
  p.point->step();
  EXPECT_EQ(p.taken(), "a") << "nothing waits";
}

/// A slice of switches alone has no nodes: nothing waits there, and nothing is looked at.
TEST(PointOfNoNodes, HasNothing) {
  Point p("fifo");
  models::InjectionPoint point(p.below, nullptr, {}, models::LocalPortMap(p.topology), p.experiment, p.store);
  models::InjectionPoint other(p.below, nullptr, {}, models::LocalPortMap(p.topology), p.experiment, p.store);
  point.step();
  EXPECT_EQ(point.waiting(), 0U);
  std::vector<Report> reports;
  point.report(reports);
  EXPECT_TRUE(reports.empty());
  p.point->report(reports);
  EXPECT_EQ(reports.size(), 1U) << "one a local port";
  EXPECT_EQ(complaint<CheckpointError>([&] { restore(other, saved(point)); }), "");
}

}  // namespace
}  // namespace braid::test::point_selection_test
