// What stays as it is: pins keep their value while nothing is valid, a module that has reported is silent, and a change
// in the time step of an edge is one only from the second edge on. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/cut_mesh.h"
#include "tb/tests/support/late_copy.h"
#include "tb/tests/support/lone_node.h"
#include "tb/tests/support/pin_mesh.h"
#include "tb/tests/support/router_wires.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::still_pins_test {
namespace {

using models::hybrid::WireError;
using models::hybrid::WireInputs;
using models::hybrid::WireOutputs;

/// A valid pin and what stands beside it, looked at in every cycle.
class Beside {
 public:
  template <class... Pins>
  Beside(std::string name, std::function<bool()> valid, const Pins&... pins)
      : name_(std::move(name)),
        valid_(std::move(valid)),
        read_([&pins...] { return std::vector<std::string>{text(pins.read())...}; }) {}
  void look() {
    const std::vector<std::string> now = read_();
    if (!valid_()) {
      EXPECT_EQ(now, last_.empty() ? now : last_) << name_;
      return;
    }
    last_ = now;
    ++valid_cycles;
  }
  std::uint64_t valid_cycles = 0;

 private:
  static std::string text(bool pin) { return pin ? "1" : "0"; }
  template <class Pin>
  static std::string text(const Pin& pin) {
    return pin.to_string();
  }
  std::string name_;
  std::function<bool()> valid_;
  std::function<std::vector<std::string>()> read_;
  std::vector<std::string> last_;  // when it was valid
};

template <class Valid, class... Pins>
void add(std::vector<Beside>& all, const Valid& valid, const Pins&... pins) {
  all.emplace_back(std::string(valid.name()), [&valid] { return valid.read(); }, pins...);
}
template <class Module>
void add_links(std::vector<Beside>& all, Module& m, std::size_t ports) {
  for (std::size_t p = 0; p < ports; ++p)
    add(all, m.link_valid_i[p], m.link_head_i[p], m.link_tail_i[p], m.link_lane_i[p], m.link_data_i[p]);
}
void add_router(std::vector<Beside>& all, models::pins::RouterModule<64>& r, bool channel_a_port) {
  const std::uint32_t ports = r.place().shape.ports;
  add_links(all, r, ports);
  for (std::uint32_t p = 0; p < ports && channel_a_port; ++p)
    add(all, r.control_valid_i[p], r.control_kind_i[p], r.control_search_i[p], r.control_destination_i[p]);
  const auto sends = [&r] {
    return std::any_of(r.control_valid_o.begin(), r.control_valid_o.end(), [](const auto& pin) { return pin.read(); });
  };
  all.emplace_back(std::string(r.name()), sends, r.control_kind_o, r.control_search_o, r.control_destination_o);
  add(all, r.request_valid_i, r.request_port_i, r.request_lane_i, r.request_kind_i, r.request_search_i,
      r.request_destination_i);
}
std::uint64_t valid_cycles(const std::vector<Beside>& all) {
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Beside& pins) { return sum + pins.valid_cycles; });
}

/// Of routers, nodes and the registers of cables, by the pins that they lead to.
void expect_kept(std::uint32_t link_cycles) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 2).set("topology.link_latency_cycles", link_cycles);
  e = with_circuits(e);
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<Beside> routers, nodes;
  for (const auto& r : m.routers) add_router(routers, *r, link_cycles > 1);
  for (const auto& n : m.nodes) add_links(nodes, *n, n->ports().size());
  m.at_edge = [&](std::uint64_t cycle) {
    for (std::vector<Beside>* all : {&routers, &nodes}) {
      for (Beside& pins : *all) pins.look();
    }
    if (cycle == 5) m.nodes[0]->request_circuit(NodeId{5}, 0x1234);
    if (cycle == 60) m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), {{0x7777}, {0x8888, 0}});
    if (cycle == 100) m.nodes[0]->tear_down(*m.nodes[0]->circuit(), 0x1235);
    if (cycle % 40 == 7) {
      for (std::size_t n = 0; n < 6; ++n) m.nodes[n]->send(NodeId{(n + 2) % 6}, flits_of(cycle + n, 3));
    }
  };
  m.run(200);
  EXPECT_GT(valid_cycles(nodes), 50U);
  EXPECT_GT(valid_cycles(routers), 100U);
}
TEST(PinsKeepTheirValue, WhereNothingIsValid) { expect_kept(1); }
TEST(PinsKeepTheirValue, WhereNothingIsValidOnLongCables) { expect_kept(3); }

/// Of the place of a router in a running network, requests and control messages among it.
TEST(PinsKeepTheirValue, WhereNothingIsValidAtACut) {
  models::Experiment e = tile_streams(4, 4, 4, {{5, 6}, {5, 6}, {4, 6}, {5, 7}, {1, 5}});
  add_traffic(e, 0.2);
  CutMesh cut(cut_at(e, "1,1"));
  std::vector<Beside> pins;
  add_router(pins, *cut.routers[0], true);
  const double period = cut.engine.period() / sc_core::sc_time(1, sc_core::SC_NS);
  sc_core::sc_start(period / 4, sc_core::SC_NS);
  for (int cycle = 0; cycle < 600; ++cycle) {
    sc_core::sc_start(period, sc_core::SC_NS);
    for (Beside& pin : pins) pin.look();
  }
  EXPECT_GT(pins.back().valid_cycles, 2U) << "requests of the node";
  EXPECT_GT(valid_cycles(pins), 100U);
}

/// What nobody has reset and nothing has been valid on is nobody's to write: it is as whoever bound it has left it.
TEST(PinsKeepTheirValue, WhereNothingWasEverValid) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  e = with_circuits(e);
  sc_core::sc_signal<bool> reset("reset", true), ended("ended"), success("success");
  sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
  models::pins::BraidNode<64> node("node", e, NodeId{0});
  models::pins::BraidRouter<64> router("router", e, "0,0");
  models::pins::LinkSignals<64> to_node("to_node", 1);
  models::pins::NodeSignals<64> of_node("of_node", 1);
  InputSignals<64> to_router(router.place().shape.ports);
  models::pins::RouterSignals<64> of_router("of_router", router.place().shape.ports);
  node.clk_i(clock), router.clk_i(clock);
  node.rst_ni(reset), router.rst_ni(reset);
  to_node.lead_to(node, 0, 0);
  of_node.drive_from(node);
  node.outcome_valid_i(ended);
  node.outcome_success_i(success);
  to_router.bind(router);
  of_router.drive_from(router);
  of_node.link.lane[0].write(3), of_node.link.data[0].write(5), of_node.request.request_search.write(7);
  of_router.link.lane[0].write(3), of_router.link.data[0].write(5), of_router.control_search.write(7);
  sc_core::sc_start(20, sc_core::SC_NS);
  EXPECT_EQ(node.cycles() + router.cycles(), 2U * 10);
  for (const models::pins::LinkSignals<64>* link : {&of_node.link, &of_router.link}) {
    EXPECT_EQ(link->lane[0].read(), 3U);
    EXPECT_EQ(link->data[0].read().to_uint64(), 5U);
  }
  EXPECT_EQ(of_node.request.request_search.read(), 7U);
  EXPECT_EQ(of_router.control_search.read(), 7U);
}

/// In the time step of the first edge whatever drives inputs may be still to be initialized: a change is an error from
/// the second edge on, whether it comes before the edge is seen or with it.
std::string changed_at(int edge, bool with_the_edge) {
  LateCopy late("late", edge);
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3);
  models::pins::BraidNode<64> node("node", e, NodeId{4});
  models::pins::LinkSignals<64> in("in", 1);
  models::pins::NodeSignals<64> out("out", 1);
  sc_core::sc_signal<bool> reset("reset", true);
  node.clk_i(with_the_edge ? late.copy : late.copy_of_copy);
  node.rst_ni(reset);
  in.lead_to(node, 0, 0);
  out.drive_from(node);
  late.change = [&] {  // a packet of one flit a cycle from then on
    in.head[0].write(true);
    in.tail[0].write(true);
    in.valid[0].write(true);
  };
  return pin_report(12);
}
TEST(PinsMayChange, WithTheFirstEdge) { EXPECT_EQ(changed_at(1, true), "nothing"); }
TEST(PinsMayChange, BeforeTheFirstEdgeIsSeen) { EXPECT_EQ(changed_at(1, false), "nothing"); }
TEST(PinsMayNotChange, BeforeTheSecondEdgeIsSeen) {
  expect_in_report(changed_at(2, false), "node: cycle 1: a delta cycle is missed");
}
TEST(PinsMayNotChange, WithTheSecondEdge) {
  const std::string report = changed_at(2, true);
  expect_in_report(report, "node: cycle ");
  expect_in_report(report, ": a delta cycle is missed");
}

/// Whoever handles reports may go on: what is wrong is said once, with its cycle, and no cycle is counted any more.
TEST(PinsThatHaveReported, AreSilent) {
  static std::vector<std::string> said;
  said.clear();
  sc_core::sc_report_handler::set_handler(
      [](const sc_core::sc_report& r, const sc_core::sc_actions&) { said.emplace_back(r.get_msg()); });
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
  sc_core::sc_signal<bool> reset("reset", true);
  models::pins::BraidNode<64> node("node", e, NodeId{0});
  models::pins::LinkSignals<64> in("in", 1);
  models::pins::NodeSignals<64> out("out", 1);
  node.clk_i(clock);
  node.rst_ni(reset);
  in.lead_to(node, 0, 0);
  out.drive_from(node);
  sc_core::sc_start(5, sc_core::SC_NS);  // edges at 0, 2 and 4
  EXPECT_EQ(node.cycles(), 3U);
  in.credit[0].write(4);  // for a flit that nobody has sent
  sc_core::sc_start(2, sc_core::SC_NS);
  EXPECT_EQ(said,
            (std::vector<std::string>{
                "node: cycle 3: credit_i[4]: a credit for lane 2, on which no flit is out; expected one a flit"}));
  EXPECT_EQ(node.cycles(), 4U);
  sc_core::sc_start(10, sc_core::SC_NS);
  EXPECT_EQ(said.size(), 1U);
  EXPECT_EQ(node.cycles(), 4U);
  reset.write(false);
  sc_core::sc_start(4, sc_core::SC_NS);
  EXPECT_EQ(node.cycles(), 0U);
  reset.write(true);
  sc_core::sc_start(4, sc_core::SC_NS);
  EXPECT_EQ(node.cycles(), 0U) << "it has failed";
}

// ---------------------------------------------------------------- without SystemC

/// What the router says to its node keeps the rules of links, too.
TEST(NetworkNodeRules, OfWhatItsRouterSays) {
  LoneNode lone;
  const auto says = [&](const WireOutputs& router) { return complaint<WireError>([&] { lone.clock(router); }); };
  WireOutputs credit;
  credit.credits[LoneNode::kSecond] = 2;
  const std::string none = "credit_i[5]: a credit for lane 1, on which no flit is out; expected one a flit";
  EXPECT_EQ(says(credit), none);
  lone.node.send(1, NodeId{0}, flits_of(1, 1));
  lone.node.send(2, NodeId{0}, flits_of(2, 1));
  lone.clocks(10);
  ASSERT_EQ(lone.left[LoneNode::kSecond].size(), 1U);
  credit.credits[LoneNode::kSecond] = 1U << lone.left[LoneNode::kSecond][0].lane;
  EXPECT_EQ(says(credit), "");
  EXPECT_NE(says(credit), "") << "once";
  WireOutputs body;
  put_flit(body, LoneNode::kFirst, false, true, 0, 5);
  EXPECT_EQ(says(body), "link_head_i[4] = 0 on lane 0: a packet begins with its head");
  WireOutputs far;
  put_flit(far, LoneNode::kFirst, true, true, 2, 5);
  EXPECT_EQ(says(far), "link_lane_i[4] = 2: expected 0 to 1");
}

/// Its buffers have three flits; whoever is given no credit has to wait, and each credit is a flit's room.
TEST(NetworkNodeRules, OfRoomThatCreditsGiveBack) {
  LoneNode lone(true);  // on a circuit, whose packets the node need not take
  lone.node.callbacks.room = [](const auto&) { return false; };
  const auto says = [&](bool head, bool tail) {
    WireOutputs router;
    put_flit(router, LoneNode::kFirst, head, tail, 2, 9);
    return complaint<WireError>([&] { lone.clock(router); });
  };
  const std::uint32_t depth = lone.place.depth(2);
  for (std::uint32_t i = 0; i < depth; ++i) EXPECT_EQ(says(i == 0, i + 1 == depth), "") << i;
  EXPECT_EQ(says(true, true), "link_valid_i[4]: a flit comes on lane 2 though its buffer of " + std::to_string(depth) +
                                  " flits is full; the sender has to wait for credit_o[4]");
  lone.node.callbacks.room = [](const auto&) { return true; };
  lone.clocks(20);
  EXPECT_EQ((lone.credits[{LoneNode::kFirst, 2}]), depth);
  for (std::uint32_t i = 0; i < depth; ++i) EXPECT_EQ(says(i == 0, i + 1 == depth), "") << i;
}

/// What was inside is forgotten by the first of two resets: the nine flits that come then have places of their own, and
/// leave with their own data.
TEST(ModelledRouterReset, ForgetsFlitsAsOftenAsThereIsOne) {
  const models::pins::RouterPlace place(of_nodes(false), "1,1");
  models::pins::ModelledRouter router(place);
  WireOutputs out;
  std::vector<std::uint64_t> left;
  const auto clock = [&](const WireInputs& in) {
    router.clock_wires(in, out);
    for (const models::hybrid::FlitWires& link : out.links) {
      if (link.valid) left.push_back(link.data[1]);
    }
  };
  // Straight on: from the west for (2, 1), from the north for (1, 0), from the south for (1, 2).
  const auto three_a_port = [&](const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ports) {
    for (std::uint32_t flit = 0; flit < 3; ++flit) {
      WireInputs in;
      for (const auto& [port, to] : ports)
        in.links[port] = {true, flit == 0, flit == 2, 0, {flit == 0 ? to : 0, 3 * port + flit}};
      clock(in);
    }
  };
  three_a_port({{1, 0x0102}});
  for (int i = 0; i < 2; ++i) router.reset_wires(place.straps);
  three_a_port({{1, 0x0102}, {2, 0x0001}, {3, 0x0201}});
  for (int i = 0; i < 20; ++i) clock({});
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::uint64_t>{3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

}  // namespace
}  // namespace braid::test::still_pins_test
