// Pins that whoever binds them can get wrong, one by one: straps of another router, and inputs that change at the wrong
// time, of a router and of a node. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "models/pins/braid_router.h"
#include "tb/tests/support/late_copy.h"
#include "tb/tests/support/pin_mesh.h"
#include "tb/tests/support/pin_report.h"
#include "tb/tests/support/router_wires.h"

namespace braid::test::watched_pins_test {
namespace {

using models::Experiment;

/// In the middle of its mesh, whose links circuits share with nobody.
Experiment three_by_four() {
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 4);
  e.set("router.share_reserved_links", false);
  return with_circuits(e);
}

/// A router all of whose pins are bound but for the straps.
struct Bench : sc_core::sc_module {
  explicit Bench(const sc_core::sc_module_name& name)
      : sc_module(name), router("router", three_by_four(), "1,2"), in(5), out("out", 5) {
    router.rst_ni(reset);
    in.bind(router);
    out.drive_from(router);
  }
  sc_core::sc_signal<bool> reset{"reset", true};
  models::pins::BraidRouter<64> router;
  InputSignals<64> in;
  models::pins::RouterSignals<64> out;
};

// ---------------------------------------------------------------- straps

struct Straps {
  explicit Straps(unsigned x = 1, unsigned y = 2, unsigned network = 0b1111, unsigned local = 0b10000,
                  bool share = false) {
    bench.router.clk_i(clock);
    bench.router.x_i(x_i);
    bench.router.y_i(y_i);
    bench.router.network_ports_i(network_ports_i);
    bench.router.local_ports_i(local_ports_i);
    bench.router.share_reserved_i(share_reserved_i);
    x_i.write(x);
    y_i.write(y);
    network_ports_i.write(network);
    local_ports_i.write(local);
    share_reserved_i.write(share);
  }
  static std::string report() { return pin_report(10); }
  sc_core::sc_clock clock{"clock", 2, sc_core::SC_NS};
  sc_core::sc_signal<models::pins::CoordinateBits> x_i, y_i;
  sc_core::sc_signal<models::pins::PortSet> network_ports_i, local_ports_i;
  sc_core::sc_signal<bool> share_reserved_i;
  Bench bench{"bench"};
};
std::string wrong_strap(const std::string& pin, unsigned value, unsigned expected) {
  return "bench.router: cycle 0: " + pin + " = " + std::to_string(value) + ": router 1,2 of the experiment has " +
         std::to_string(expected) + "; leave the pin unbound, or tie it to that";
}

TEST(PinStraps, AreThoseOfTheRoutersPlace) {
  const Straps right;
  EXPECT_EQ(Straps::report(), "nothing");
}
TEST(PinStraps, MayAllBeNought) {
  const Straps nought(0, 0, 0, 0);
  EXPECT_EQ(Straps::report(), "nothing") << "as if they were not bound";
}
TEST(PinStraps, SayTheColumn) {
  const Straps wrong(2);
  expect_in_report(Straps::report(), wrong_strap("x_i", 2, 1));
}
TEST(PinStraps, SayTheRow) {
  const Straps wrong(1, 1);
  expect_in_report(Straps::report(), wrong_strap("y_i", 1, 2));
}
TEST(PinStraps, SayWhichPortsLeadToRouters) {
  const Straps wrong(1, 2, 0b1011);
  expect_in_report(Straps::report(), wrong_strap("network_ports_i", 0b1011, 0b1111));
}
TEST(PinStraps, SayWhichPortsLeadToNodes) {
  const Straps wrong(1, 2, 0b1111, 0b110000);
  expect_in_report(Straps::report(), wrong_strap("local_ports_i", 0b110000, 0b10000));
}
TEST(PinStraps, SayWhetherReservedLinksAreShared) {
  const Straps wrong(1, 2, 0b1111, 0b10000, true);
  expect_in_report(Straps::report(), wrong_strap("share_reserved_i", 1, 0));
}

// ---------------------------------------------------------------- a clock that is an assignment late

void expect_late(LateCopy& late, const std::string& module, const std::function<void()>& change) {
  late.change = change;
  const std::string report = pin_report(30);
  expect_in_report(report, module + ": cycle ");
  expect_in_report(report, ": a delta cycle is missed");
}

class RouterPinsAreWatched : public testing::TestWithParam<const char*> {};
TEST_P(RouterPinsAreWatched, ForChangesBeforeTheEdgeIsSeen) {
  LateCopy late("late");
  Bench bench("bench");
  bench.router.clk_i(late.copy);
  expect_late(late, "bench.router", [&] {
    const std::string pin = GetParam();
    if (pin == "link") bench.in.valid[3].write(true);
    if (pin == "credit") bench.in.credit[4].write(1);
    if (pin == "control") bench.in.control_valid[3].write(true);
    if (pin == "request") bench.in.request_valid.write(true);
  });
}
INSTANTIATE_TEST_SUITE_P(Pins, RouterPinsAreWatched, testing::Values("link", "credit", "control", "request"),
                         [](const auto& c) { return c.param; });

class NodePinsAreWatched : public testing::TestWithParam<const char*> {};
TEST_P(NodePinsAreWatched, ForChangesBeforeTheEdgeIsSeen) {
  LateCopy late("late");
  models::pins::BraidNode<64> node("node", three_by_four(), NodeId{7});
  models::pins::LinkSignals<64> in("in", 1);
  models::pins::NodeSignals<64> out("out", 1);
  sc_core::sc_signal<bool> reset("reset", true), ended("ended"), success("success");
  node.clk_i(late.copy);
  node.rst_ni(reset);
  in.lead_to(node, 0, 0);
  out.drive_from(node);
  node.outcome_valid_i(ended);
  node.outcome_success_i(success);
  expect_late(late, "node", [&] {
    const std::string pin = GetParam();
    if (pin == "link") in.valid[0].write(true);
    if (pin == "credit") in.credit[0].write(1);
    if (pin == "outcome") ended.write(true);
  });
}
INSTANTIATE_TEST_SUITE_P(Pins, NodePinsAreWatched, testing::Values("link", "credit", "outcome"),
                         [](const auto& c) { return c.param; });

}  // namespace
}  // namespace braid::test::watched_pins_test
