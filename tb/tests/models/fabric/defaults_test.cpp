// What a family, a transport, a scheduler or a policy is taken to do while it says nothing else: the least that each
// has to say is written down here, and nothing more.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/event_lines/event_line.h"
#include "models/fabric/fabric.h"
#include "models/injection/injection_point.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"

namespace braid::test::defaults_test {
namespace {

using namespace models;

struct Least final : Fabric {
  PacketTransport& transport(std::size_t) override { throw std::logic_error("none"); }
  void set_sink(std::size_t, PacketSink*) override {}
  void compute(std::size_t, std::uint64_t) override {}
  void commit(std::size_t, std::uint64_t) override {}
  Counters counters() const override { return {}; }
  Census census() const override { return {}; }
  LinkUse link_use(RouterId, PortId) const override { return {}; }
  std::string describe_waiting() const override { return ""; }
  void for_each_front(const std::function<void(PacketSlot)>&) const override {}
};
struct LeastFamily final : FabricFamily {
  std::unique_ptr<Fabric> make(const FabricContext&) const override { return std::make_unique<Least>(); }
};
struct LeastTransport final : PacketTransport {
  std::size_t packets = 0;
  void send(std::size_t, PacketSlot) override {}
  std::size_t queued(std::size_t) const override { return packets; }
};
struct LeastSink final : PacketSink {
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t, PacketSlot) override {}
  void sent(std::uint64_t, PacketSlot) override {}
};
struct LeastScheduler final : InjectionScheduler {
  void push(PacketSlot) override {}
  PacketSlot pop() override { return 0; }
  std::size_t size() const override { return 0; }
};
struct LeastGate final : InjectionGate {
  bool open(NodeId) const override { return true; }
  void passed(NodeId) override {}
  void end_cycle(std::uint64_t, const Waiting&) override {}
};
struct LeastLine final : EventLine {
  void step(std::uint64_t, Stops&) override {}
  std::uint64_t unheld_interval_cycles() const override { return 0; }
  std::unique_ptr<SignalSource> signals(SignalTable&) const override { return nullptr; }
};
struct LeastUser final : CircuitUser {
  std::vector<CircuitRequest> circuits() const override { return {}; }
  void circuit_found(std::size_t, std::size_t, std::uint32_t) override {}
  void set_up(bool) override {}
};

/// What it throws; "": nothing.
std::string thrown(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(Defaults, OfAFabricAreOneNetworkWithNothingToSee) {
  Least fabric;
  EXPECT_TRUE(fabric.begin_cycle(0)) << "each cycle has two halves";
  EXPECT_FALSE(fabric.transfers_under_way());
  EXPECT_EQ(fabric.subnets(), 1U);
  EXPECT_EQ(&fabric.subnet(0), &fabric);
  EXPECT_EQ(fabric.shown_vcs(), 1U);
  EXPECT_EQ(fabric.buffered(RouterId{0}, PortId{0}, 0), 0U);
  EXPECT_EQ(fabric.credits(RouterId{0}, PortId{0}, 0), 0U);
  EXPECT_EQ(fabric.clock_period_ps(), 1000U) << "a nanosecond";
  EXPECT_FALSE(fabric.fixes_clock());
  EXPECT_TRUE(fabric.report().figures.empty());
  EXPECT_TRUE(fabric.reroute_report().figures.empty());
  EXPECT_FALSE(fabric.engines());
  EXPECT_EQ(fabric.own_slots(), nullptr);
  SignalTable table;
  EXPECT_EQ(fabric.signals(table, {}), nullptr);
  EXPECT_EQ(fabric.counters().flit_hops + fabric.counters().flits_injected + fabric.counters().flits_delivered, 0U);
  EXPECT_EQ(fabric.counters().flits_copied + fabric.counters().flits_lost, 0U);
  EXPECT_EQ(fabric.census().packets + fabric.census().flits, 0U);
  const Fabric::LinkUse use = fabric.link_use(RouterId{0}, PortId{0});
  EXPECT_EQ(use.packet_flits + use.circuit_flits, 0U);
  EXPECT_FALSE(use.stopped_cycles);
  Checkpoint c;
  EXPECT_EQ(thrown([&] { fabric.checkpoint(c); }), "this router architecture has no checkpoint()");
}

TEST(Defaults, OfAFabricHaveNoCircuitsAndNoCopies) {
  Least fabric;
  LeastUser user;
  const std::string none =
      "interface.switching = \"circuit\" needs router.architecture = \"hybrid\": other routers have no circuits";
  EXPECT_EQ(thrown([&] { fabric.set_up_circuits(user); }), none);
  EXPECT_EQ(thrown([&] { (void)fabric.circuits_would_stand({}); }), none);
  EXPECT_EQ(thrown([&] { (void)fabric.change_circuits(); }), none);
  EXPECT_EQ(
      thrown([&] { fabric.copy_packets("a.b = c", 4); }),
      "a.b = c: routers of this architecture give a packet one way on; expected router.architecture = \"hybrid\"");
  EXPECT_EQ(fabric.circuit_lanes(), 0U);
  EXPECT_EQ(fabric.lanes_that_would_do({}), 0U);
  EXPECT_TRUE(fabric.setup_done());
  EXPECT_FALSE(fabric.setup_results().attempted);
  EXPECT_FALSE(fabric.setup_results().fell_back_to_packets);
  EXPECT_EQ(fabric.setup_results().orders_tried + fabric.setup_results().lanes_that_would_do, 0U);
  EXPECT_EQ(fabric.setup_results().total_cycles, 0U);
  EXPECT_FALSE(user.takes_all());
  EXPECT_EQ(user.waiting_items(0), 0U);
  EXPECT_EQ(thrown([&] { user.circuit_joined(0, 1); }), "these circuits have nothing in common");
  EXPECT_EQ(thrown([&] { user.stop(0); }), "these circuits do not move");
  EXPECT_EQ(thrown([&] { user.go_on(0); }), "these circuits do not move");
}

TEST(Defaults, OfAFamilyRefuseWhatItDoesNotKnow) {
  const LeastFamily family;
  const Bench bench(uniform_mesh(0.0, 3, 2));
  for (const auto& [wanted, slices] : {std::pair(0U, 1U), std::pair(1U, 1U), std::pair(6U, 6U), std::pair(7U, 6U)}) {
    EXPECT_EQ(family.slices(bench.experiment, wanted, 6), slices) << wanted;
    const FabricFamily::Cut cut = family.cut(bench.experiment, bench.topology, *bench.routing, wanted);
    EXPECT_EQ(cut.slices, slices) << wanted;
    EXPECT_EQ(cut.together, 1U);
  }
  EXPECT_FALSE(family.one_thread(bench.experiment));
  EXPECT_FALSE(family.shown_buffers().occupancy);
  EXPECT_FALSE(family.shown_buffers().credits);
  EXPECT_STREQ(family.shown_buffers().unit, "flits");
  EXPECT_EQ(family.faster_links(), FasterLinks::kRefused);
  EXPECT_FALSE(family.one_way_links());
  EXPECT_FALSE(family.loses_links());
  EXPECT_EQ(family.fabric_bytes(bench.experiment, bench.topology, *bench.routing), 6U * 64U);
}

TEST(Defaults, OfATransportKnowOnlyWhatIsQueued) {
  LeastTransport transport;
  EXPECT_TRUE(transport.ready(0));
  EXPECT_TRUE(transport.ready_for(0, 1));
  transport.packets = 1;
  EXPECT_FALSE(transport.ready(0));
  EXPECT_FALSE(transport.ready_for(0, 1));
  EXPECT_FALSE(transport.recall(0));
  EXPECT_FALSE(transport.notify_when_empty([](std::size_t) {}));
  EXPECT_FALSE(transport.cuts_through());
  EXPECT_EQ(thrown([&] { transport.send_copies(0, {}); }), "this network copies no packets");
  EXPECT_EQ(thrown([&] { transport.send_on_circuit(0, 0, 0); }), "this network has no circuits");
  EXPECT_EQ(thrown([&] { transport.send_on_tree(0, 0, {}); }), "this network has no circuits that fork");
  EXPECT_EQ(thrown([&] { (void)transport.missing(0, 0, 1); }),
            "this network does not tell how much of a packet has come");
  LeastSink sink;
  sink.head(0, 0);
  sink.cut(0, 0, 1);
  EXPECT_EQ(thrown([&] { sink.lost(0, 0); }), "this network loses no packets");
}

TEST(Defaults, OfPoliciesChooseNothingAndSayNothing) {
  LeastScheduler scheduler;
  Checkpoint c;
  EXPECT_FALSE(scheduler.selects());
  EXPECT_TRUE(scheduler.select([](PacketSlot) { return false; })) << "the first one, whoever may go";
  EXPECT_FALSE(scheduler.preempts());
  EXPECT_TRUE(scheduler.report().figures.empty());
  EXPECT_EQ(thrown([&] { scheduler.checkpoint(c); }), "this interface.scheduler has no checkpoint()");
  LeastGate gate;
  EXPECT_EQ(gate.complaint(1'000'000, [](NodeId) { return std::size_t{9}; }), "");
  EXPECT_TRUE(gate.report().figures.empty());
  SignalTable table;
  EXPECT_EQ(gate.signals(table), nullptr);
  EXPECT_EQ(thrown([&] { gate.checkpoint(c); }), "this interface.fairness has no checkpoint()");
  LeastLine line;
  EXPECT_EQ(thrown([&] { line.checkpoint(c); }), "this sat.carrier has no checkpoint()");
  EXPECT_EQ(c.bytes(), "");
}

}  // namespace
}  // namespace braid::test::defaults_test
