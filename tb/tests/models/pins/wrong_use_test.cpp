// Wrong use of pins is told by the module's hierarchical name, the pin, and what to do.
#include <gtest/gtest.h>

#include "models/experiment/experiment.h"
#include "models/pins/braid_router.h"
#include "tb/tests/support/pin_mesh.h"
#include "tb/tests/support/router_wires.h"

namespace braid::test::wrong_use_test {
namespace {

using models::Experiment;
using models::hybrid::ControlKind;
using models::hybrid::WireInputs;
using models::hybrid::WireOutputs;

Experiment mesh(bool circuits = false) {
  Experiment e;
  e.set("topology.width", 3);
  e.set("topology.height", 3);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 3);
  if (!circuits) return e;
  e.open("stream");
  e.set("interface.switching", "circuit");
  return e;
}

/// What the first report says.
template <class Run>
std::string report_of(const Run& run) {
  try {
    run();
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), models::pins::kReportType);
    return report.get_msg();
  }
  return "nothing";
}
void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// A router whose outputs are bound.
struct Bench : sc_core::sc_module {
  Bench(const sc_core::sc_module_name& name, const Experiment& e, const std::string& at)
      : sc_module(name), router("router", e, at), in(router.place().shape.ports), out("out", in.valid.size()) {
    router.rst_ni(reset);
    out.drive_from(router);
  }
  void bind_all_but_valid() {
    router.clk_i(clock);
    for (std::size_t p = 0; p < in.valid.size(); ++p) {
      router.link_head_i[p](in.head[p]);
      router.link_tail_i[p](in.tail[p]);
      router.link_lane_i[p](in.lane[p]);
      router.link_data_i[p](in.data[p]);
      router.credit_i[p](in.credit[p]);
    }
  }
  sc_core::sc_signal<bool> clock{"clock"}, reset{"reset", true};
  models::pins::BraidRouter<64> router;
  InputSignals<64> in;
  models::pins::RouterSignals<64> out;
};
void run(double ns) { sc_core::sc_start(ns, sc_core::SC_NS); }

TEST(WrongPins, UnboundClock) {
  Bench b("bench", mesh(), "1,1");
  b.in.bind(b.router);
  expect_in(report_of([] { run(1); }), "bench.router: clk_i is not bound: bind the clock");
}
TEST(WrongPins, UnboundInput) {
  Bench b("bench", mesh(), "1,1");
  b.bind_all_but_valid();
  for (std::size_t p = 0; p < 5; ++p) {
    if (p != 2) b.router.link_valid_i[p](b.in.valid[p]);
  }
  expect_in(report_of([] { run(1); }),
            "bench.router: link_valid_i_2 is not bound: a flit that comes in at port 2 of router 1,1");
}
TEST(WrongPins, SignalsForFewerPorts) {
  Bench b("bench", mesh(), "1,1");
  b.bind_all_but_valid();
  Wires<bool> four("four", 4);
  b.router.link_valid_i(four);
  expect_in(report_of([] { run(1); }), "bench.router: link_valid_i_4 is not bound");
}
TEST(WrongPins, UnboundControlChannelOfARouterWithCircuits) {
  Bench b("bench", mesh(true), "1,1");
  b.router.clk_i(b.clock);
  for (std::size_t p = 0; p < 5; ++p) b.in.bind_link(b.router, p);
  expect_in(report_of([] { run(1); }), "bench.router: control_valid_i_0 is not bound: the control channel of port 0");
}
TEST(WrongPins, PortsOfTheEdgeNeedNoSignals) {
  Bench b("bench", mesh(), "0,0");  // no link to the west, none to the south
  b.router.clk_i(b.clock);
  for (const std::size_t p : {0, 2, 4}) b.in.bind_link(b.router, p);
  EXPECT_EQ(report_of([] { run(1); }), "nothing");
}
TEST(WrongPins, ClockThatNeverRises) {
  Bench b("bench", mesh(), "1,1");
  b.router.clk_i(b.clock);
  b.in.bind(b.router);
  expect_in(report_of([] {
              run(10);
              sc_core::sc_stop();
            }),
            "bench.router: clk_i has never risen");
}

/// Clocks one router a signal assignment later than its neighbours.
struct LateClock : sc_core::sc_module {
  SC_HAS_PROCESS(LateClock);
  /// `driven_first`: inputs are written before the copy of the clock is.
  LateClock(const sc_core::sc_module_name& name, int stages, bool driven_first = false)
      : sc_module(name), bench("bench", mesh(), "1,1"), copies("late", static_cast<std::size_t>(stages)) {
    bench.router.clk_i(stages == 0 ? static_cast<const sc_core::sc_signal_in_if<bool>&>(clock)
                                   : copies[copies.size() - 1]);
    bench.in.bind(bench.router);
    if (driven_first) {
      SC_METHOD(drive);
      sensitive << clock;
      dont_initialize();
    }
    SC_METHOD(copy);
    sensitive << clock;
    for (auto& c : copies) sensitive << c;
    if (driven_first) return;
    SC_METHOD(drive);
    sensitive << clock.posedge_event();
    dont_initialize();
  }
  void copy() {
    for (std::size_t i = 0; i < copies.size(); ++i) copies[i].write(i == 0 ? clock.read() : copies[i - 1].read());
  }
  void drive() {
    if (!clock.read()) return;
    WireInputs in;
    in.links[1].valid = ++cycle == 5;
    in.links[1].head = in.links[1].tail = true;
    in.links[1].data[0] = 0x0101;
    bench.in.write(in);
  }
  sc_core::sc_clock clock{"clock", 2, sc_core::SC_NS};
  Bench bench;
  Wires<bool> copies;
  int cycle = 0;
};
TEST(WrongPins, DeltaCycleMissedByOneAssignment) {
  LateClock late("late", 1);
  const std::string report = report_of([] { run(30); });
  expect_in(report, "late.bench.router: cycle 4: a delta cycle is missed");
  expect_in(report, "Bind clk_i to the clock of the modules around it");
}
TEST(WrongPins, DeltaCycleMissedThoughTheEdgeIsSeenBeforeTheInput) {
  LateClock late("late", 1, true);
  expect_in(report_of([] { run(30); }), "late.bench.router: cycle 5: a delta cycle is missed");
}
TEST(WrongPins, DeltaCycleMissedByTwoAssignments) {
  LateClock late("late", 2);
  expect_in(report_of([] { run(30); }), "a delta cycle is missed");
}
TEST(WrongPins, SameClockMissesNone) {
  LateClock late("late", 0);
  EXPECT_EQ(report_of([] { run(30); }), "nothing");
}

TEST(WrongPins, StrapOfAnotherRouter) {
  LateClock late("late", 0);
  sc_core::sc_signal<models::pins::CoordinateBits> x;
  x.write(2);
  late.bench.router.x_i(x);
  expect_in(report_of([] { run(30); }), "late.bench.router: cycle 0: x_i = 2: router 1,1 of the experiment has 1");
}

// ---------------------------------------------------------------- what the wires must not do

/// A modelled router alone, without SystemC.
struct Router {
  explicit Router(const Experiment& e) : place(e, "1,1"), router(place) {}
  std::string complaint(const WireInputs& in) {
    try {
      router.clock_wires(in, out);
    } catch (const models::hybrid::WireError& error) {
      return error.what();
    }
    return "nothing";
  }
  models::pins::RouterPlace place;
  models::pins::ModelledRouter router;
  WireOutputs out;
};
WireInputs flit(std::uint32_t port, bool head, bool tail, std::uint32_t lane = 0, std::uint64_t data = 0x0101) {
  WireInputs in;
  in.links[port] = {true, head, tail, lane, {data}};
  return in;
}

TEST(WrongWires, FlitWithoutRoom) {
  Router r(mesh());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(r.complaint(flit(0, i == 0, false)), "nothing");
  // The head is granted the switch at the third edge after it came; its credit would be back later still.
  expect_in(r.complaint(flit(0, false, false)), "link_valid_i[0]: a flit comes on lane 0 though its buffer of 3 flits");
}
TEST(WrongWires, LaneThatIsNot) {
  Router r(mesh());
  expect_in(r.complaint(flit(0, true, true, 2)), "link_lane_i[0] = 2: expected 0 to 1");
}
TEST(WrongWires, BodyWithoutHeadAndHeadWithoutTail) {
  Router r(mesh());
  expect_in(r.complaint(flit(0, false, true)), "link_head_i[0] = 0 on lane 0: a packet begins with its head");
  EXPECT_EQ(r.complaint(flit(3, true, false)), "nothing");
  expect_in(r.complaint(flit(3, true, false)), "link_head_i[3] = 1 on lane 0: the packet before has had no tail");
}
TEST(WrongWires, DestinationThatIsNot) {
  Router r(mesh());
  expect_in(r.complaint(flit(4, true, true, 0, 0x0103)), "a head is for node 0x103 (its lowest 16 bits)");
}
TEST(WrongWires, CreditForNoFlit) {
  Router r(mesh());
  WireInputs in;
  in.credits[2] = 2;
  expect_in(r.complaint(in), "credit_i[2]: a credit for lane 1, on which no flit is out");
}
TEST(WrongWires, FlitWithoutCircuit) {
  Router r(mesh(true));
  expect_in(r.complaint(flit(1, true, true, 2)),
            "link_valid_i[1]: a flit comes on lane 2, but no circuit stands there");
}
TEST(WrongWires, ControlOfNoSearch) {
  Router r(mesh(true));
  WireInputs in;
  in.control = {true, 1, ControlKind::kAcknowledge, 1, 0, 0};
  expect_in(r.complaint(in), "control_valid_i: an answer over port 1, over which no search has gone");
  in.control = {true, 1, ControlKind::kTearDown, 1, 0, 0};
  expect_in(r.complaint(in), "control_valid_i: a tear-down of circuit 0 of port 1, where none comes in");
  in.control = {true, 1, ControlKind::kProbe, 0, 0, 0};
  expect_in(r.complaint(in), "control_valid_i: searches are numbered from 1");
}
TEST(WrongWires, PlacesThatAreNot) {
  EXPECT_THROW(models::pins::RouterPlace(mesh(), "3,3"), InputError);
  Experiment e = mesh();
  e.set("router.architecture", "virtual_cut_through");
  EXPECT_THROW(models::pins::RouterPlace(e, "1,1"), InputError);
  const models::pins::RouterPlace place(mesh(), "1,1");
  models::pins::NetworkNode node(place, NodeId{4});
  EXPECT_THROW(node.check(NodeId{9}, flits_of(0, 1)), std::invalid_argument);
  EXPECT_THROW(node.check(NodeId{0}, {}), std::invalid_argument);
  EXPECT_THROW(node.check_search(1), std::invalid_argument) << "no circuits";
}
/// Refused where it is asked for, not cycles later.
TEST(WrongPins, SearchesThatAreNone) {
  models::pins::BraidNode<64> with("with", mesh(true), NodeId{4}), without("without", mesh(), NodeId{4});
  EXPECT_THROW(without.request_circuit(NodeId{0}, 1), std::invalid_argument);
  EXPECT_THROW(without.tear_down({}, 1), std::invalid_argument);
  EXPECT_THROW(with.request_circuit(NodeId{0}, 0), std::invalid_argument) << "they are numbered from 1";
  EXPECT_THROW(with.tear_down({}, 0), std::invalid_argument);
  EXPECT_NO_THROW(with.request_circuit(NodeId{0}, 1));
  EXPECT_NO_THROW(with.tear_down({}, 1));
}
/// Pins do not tell what a packet drew: the fixed rule by itself, and no other.
TEST(WrongWires, TiesThatPacketsDraw) {
  Experiment e = mesh();
  e.set("topology.kind", "torus").set("topology.width", 4).set("topology.height", 4);
  EXPECT_EQ(models::pins::RouterPlace(e, "1,1").routing->draws(), 1U);
  e.set("routing.ties", "drawn");
  EXPECT_THROW(models::pins::RouterPlace(e, "1,1"), InputError);
  e.set("routing.ties", "fixed").set("routing.datelines", "two_drawn");
  EXPECT_THROW(models::pins::RouterPlace(e, "1,1"), InputError);
}
/// Nor how old a packet is.
TEST(WrongWires, ArbitersThatGoByAge) {
  Experiment e = mesh();
  e.set("router.arbiter", "oldest_first");
  try {
    Router router(e);
    FAIL();
  } catch (const InputError& error) {
    expect_in(error.what(), "router.arbiter = \"oldest_first\": pins do not tell how old a packet is");
  }
}
TEST(WrongWires, CablesOfARouterWithTwoNodes) {
  Experiment e;
  e.set("topology.kind", "irregular");
  e.set("topology.switches", 4);
  e.set("topology.switch_ports", 6);
  e.set("topology.hosts", 2);
  e.set("routing.algorithm", "table");
  EXPECT_NO_THROW(models::pins::check_one_node(models::pins::RouterPlace(e, "s0"))) << "without circuits";
  e.open("stream");
  e.set("interface.switching", "circuit");
  EXPECT_THROW(models::pins::check_one_node(models::pins::RouterPlace(e, "s0")), InputError);
}

}  // namespace
}  // namespace braid::test::wrong_use_test
