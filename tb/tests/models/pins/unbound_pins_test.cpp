// Pins that nobody has bound: all those that are needed are told of, each with what it is for; all others are tied to
// 0. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/cut_mesh.h"
#include "tb/tests/support/pin_mesh.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::unbound_pins_test {
namespace {

using Lines = std::vector<std::string>;

/// Reports of pins; whoever handles them goes on.
Lines& said() {
  static Lines all;
  return all;
}
void listen() {
  said().clear();
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions& actions) {
    if (std::string(r.get_msg_type()) == models::pins::kReportType) {
      said().emplace_back(r.get_msg());
    } else {
      sc_core::sc_report_handler::default_handler(r, actions);
    }
  });
}

class Expected {
 public:
  explicit Expected(std::string module) : module_(std::move(module)) {}
  void pins(const Lines& names, const std::string& why, const std::string& port = {}) {
    for (const std::string& name : names) lines.push_back(module_ + ": " + name + port + " is not bound: " + why);
  }
  void clock() {
    pins({"clk_i"}, "bind the clock, whose rising edges are the cycles");
    pins({"rst_ni"}, "bind the reset, active low; a signal that is true keeps the module out of reset");
  }
  void link(std::uint32_t i, const std::string& in, const std::string& out, const std::string& credit_out,
            const std::string& credit_in) {
    const std::string port = "_" + std::to_string(i);
    pins({"link_valid_i", "link_head_i", "link_tail_i", "link_lane_i"}, in, port);
    pins({"credit_o"}, credit_out, port);
    pins({"link_valid_o", "link_head_o", "link_tail_o", "link_lane_o"}, out, port);
    pins({"credit_i"}, credit_in, port);
    pins({"link_data_i"}, "data of " + in, port);
    pins({"link_data_o"}, "data of " + out, port);
  }
  void requests() {
    pins({"request_valid_o", "request_port_o", "request_lane_o", "request_kind_o", "request_search_o",
          "request_destination_o"},
         "requests to the router's set-up unit: this experiment has circuits");
    pins({"outcome_valid_i", "outcome_success_i"}, "how a search has ended: this experiment has circuits");
  }
  Lines lines;

 private:
  std::string module_;
};

models::Experiment two_routers(bool circuits) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  return circuits ? with_circuits(e) : e;
}

/// Of a node: two local ports, 4 and 5 of its router.
void expect_of_a_node(bool circuits) {
  listen();
  models::Experiment e = two_routers(circuits);
  e.set("topology.local_ports", 2);
  const models::pins::BraidNode<64> node("node", e, NodeId{1});
  sc_core::sc_start(10, sc_core::SC_NS);
  Expected expected("node");
  expected.clock();
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::string router = "port " + std::to_string(4 + i) + " of router 1,0";
    expected.link(i, "flits from " + router, "flits to " + router, "credits back to " + router,
                  "credits from " + router);
  }
  if (circuits) expected.requests();
  EXPECT_EQ(said(), expected.lines);
}
TEST(UnboundPins, OfANodeAreThoseOfItsPorts) { expect_of_a_node(false); }
TEST(UnboundPins, OfANodeWithCircuitsAreAlsoItsRequests) { expect_of_a_node(true); }

/// Of a router: it has a link to the east, port 0, and a node, port 4.
void expect_of_a_router(bool circuits) {
  listen();
  const models::pins::BraidRouter<64> router("router", two_routers(circuits), "0,0");
  sc_core::sc_start(10, sc_core::SC_NS);
  Expected expected("router");
  expected.clock();
  for (const std::uint32_t p : {0U, 4U}) {
    const std::string port = "port " + std::to_string(p) + " of router 0,0";
    expected.link(
        p, "a flit that comes in at " + port, "a flit that leaves by " + port,
        "credits back to whoever sends to " + port,
        "credits from whoever takes flits of " + port + "; without them it sends no more than the buffers there hold");
  }
  if (circuits) {
    expected.pins({"control_valid_i", "control_kind_i", "control_search_i", "control_destination_i", "control_valid_o"},
                  "the control channel of port 0: this experiment has circuits", "_0");
    expected.pins({"control_kind_o", "control_search_o", "control_destination_o"},
                  "the message of control_valid_o: this experiment has circuits");
    expected.pins({"request_valid_i", "request_port_i", "request_lane_i", "request_kind_i", "request_search_i",
                   "request_destination_i"},
                  "a node's request: this experiment has circuits; where no node asks, bind a signal that stays 0");
    expected.pins({"outcome_valid_o", "outcome_success_o"}, "how a search has ended: this experiment has circuits");
  }
  EXPECT_EQ(said(), expected.lines);
}
TEST(UnboundPins, OfARouterAreThoseOfItsLinks) { expect_of_a_router(false); }
TEST(UnboundPins, OfARouterWithCircuitsAreAlsoThoseOfTheSetUp) { expect_of_a_router(true); }

/// Of the place where a router was, at the corner: ports 0 and 2 lead to routers, 4 to its node. Its clock is the
/// cut's.
void expect_of_a_seat(bool circuits) {
  listen();
  const models::Experiment e = circuits ? tile_streams(4, 4, 1, {{0, 1}}) : uniform_mesh(0.0, 4, 4);
  models::Simulation simulation(cut_at(e, "0,0"));
  const models::pins::NetworkCut<64> cut("cut", simulation.engine());
  sc_core::sc_start(10, sc_core::SC_NS);
  Expected expected("cut.seat_0_0");
  const std::string router = "router 0,0, whose place is here: bind the pins of yours (Cables::join)";
  for (const std::uint32_t p : {0U, 2U, 4U}) {
    const std::string why = "port " + std::to_string(p) + " of " + router;
    expected.link(p, why, why, why, why);
    if (circuits && p != 4) {
      expected.pins(
          {"control_valid_i", "control_valid_o", "control_kind_o", "control_search_o", "control_destination_o"}, why,
          "_" + std::to_string(p));
    }
  }
  if (circuits) {
    expected.pins({"control_kind_i", "control_search_i", "control_destination_i"}, router);
    expected.requests();
  }
  EXPECT_EQ(said(), expected.lines);
}
TEST(UnboundPins, OfACutAreThoseOfTheLinks) { expect_of_a_seat(false); }
TEST(UnboundPins, OfACutWithCircuitsAreAlsoThoseOfTheSetUp) { expect_of_a_seat(true); }

}  // namespace
}  // namespace braid::test::unbound_pins_test
