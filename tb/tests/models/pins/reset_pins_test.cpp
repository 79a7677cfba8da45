// What pins show in a reset: all outputs are 0, also those that keep their last value while nothing is valid. And what
// is said when the simulation ends. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/pin_mesh.h"
#include "tb/tests/support/pin_report.h"

namespace braid::test::reset_pins_test {
namespace {

using models::pins::LinkSignals;
using models::pins::RequestSignals;
using models::pins::RouterSignals;

/// The names of those that are not 0.
using Names = std::vector<std::string>;
template <class Signal>
void look(const Signal& signal, Names& names) {
  if (signal.read() != 0) names.emplace_back(signal.basename());
}
void look(const LinkSignals<64>& link, Names& names) {
  for (std::size_t p = 0; p < link.valid.size(); ++p) {
    look(link.valid[p], names);
    look(link.head[p], names);
    look(link.tail[p], names);
    look(link.lane[p], names);
    look(link.credit[p], names);
    if (link.data[p].read().or_reduce()) names.emplace_back(link.data[p].basename());
  }
}
void look(const RouterSignals<64>& router, Names& names) {
  look(router.link, names);
  for (std::size_t p = 0; p < router.control_valid.size(); ++p) look(router.control_valid[p], names);
  look(router.control_kind, names);
  look(router.control_search, names);
  look(router.control_destination, names);
  look(router.outcome_valid, names);
  look(router.outcome_success, names);
}
void look(const RequestSignals& request, Names& names) {
  look(request.request_valid, names);
  look(request.request_port, names);
  look(request.request_lane, names);
  look(request.request_kind, names);
  look(request.request_search, names);
  look(request.request_destination, names);
}

bool has(const Names& names, const std::string& part) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

TEST(PinsInAReset, AreAllNought) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  e = with_circuits(e);
  PinMesh<> m("mesh", e, modelled(e));
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 5) m.nodes[0]->send(NodeId{1}, flits_of(1, 3));
    if (cycle == 10) m.nodes[0]->request_circuit(NodeId{1}, 5);
    if (cycle == 60) m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), flits_of(2, 3));
  };
  const auto looked = [&] {
    Names names;
    for (const auto& router : m.routers) look(m.cables.outputs_of(*router), names);
    for (const auto& node : m.nodes) {
      const auto& signals = m.cables.outputs_of(*node);
      look(signals.link, names);
      look(signals.request, names);
    }
    return names;
  };
  m.run(100);
  const Names before = looked();
  EXPECT_TRUE(has(before, "router_0_0_link_data") && has(before, "router_0_0_link_tail"));
  EXPECT_TRUE(has(before, "router_0_0_link_lane")) << "of the circuit";
  EXPECT_TRUE(has(before, "router_0_0_control_search") && has(before, "node_0_request_search"));
  EXPECT_TRUE(has(before, "node_0_request_port") && has(before, "node_0_link_data"));
  m.at_edge = {};
  m.reset.write(false);
  sc_core::sc_start(5, sc_core::SC_NS);
  EXPECT_EQ(looked(), Names{});
}

/// A module that has been clocked, and one for which no time has passed.
TEST(PinsAtTheEnd, NeedAClockThatHasRisenOnlyWhereTimeHasPassed) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  PinMesh<> m("mesh", e, modelled(e));
  m.run(5);
  EXPECT_NO_THROW(sc_core::sc_stop());
}
TEST(PinsAtTheEnd, NeedNoClockWhereNoTimeHasPassed) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  models::pins::BraidNode<64> node("node", e, NodeId{0});
  models::pins::LinkSignals<64> in("in", 1);
  models::pins::NodeSignals<64> out("out", 1);
  sc_core::sc_signal<bool> still("still"), reset("reset", true);
  node.clk_i(still);
  node.rst_ni(reset);
  in.lead_to(node, 0, 0);
  out.drive_from(node);
  EXPECT_EQ(pin_report(0), "nothing");
  EXPECT_NO_THROW(sc_core::sc_stop());
}

}  // namespace
}  // namespace braid::test::reset_pins_test
