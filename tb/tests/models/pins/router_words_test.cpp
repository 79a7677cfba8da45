// What a modelled router makes of rare words at its pins: heads that the routing does not lead on, messages for places
// that are not there, and the acknowledgement of no search, with which the numbers of searches begin anew.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/pins/modelled_router.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/pin_mesh.h"

namespace braid::test::router_words_test {
namespace {

using models::Experiment;
using models::hybrid::ControlKind;
using models::hybrid::ControlWires;
using models::hybrid::WireError;
using models::hybrid::WireInputs;
using models::hybrid::WireOutputs;
using models::pins::ModelledRouter;
using models::pins::RouterPlace;

constexpr std::uint32_t kEast = 0, kWest = 1, kNorth = 2, kSouth = 3, kLocal = 4;

/// Under up*/down* routing nothing that has come down goes up again. Of a switch that is nobody's parent all links lead
/// up: what comes by them is for its own node.
TEST(RouterWords, AHeadIsForANodeToWhichTheRoutingLeads) {
  Experiment e;
  e.set("topology.kind", "irregular").set("topology.switches", 8).set("topology.switch_ports", 6);
  e.set("topology.hosts", 1).set("routing.algorithm", "table");
  const RouterPlace place(e, "s5");
  const std::uint32_t local = static_cast<std::uint32_t>(place.topology.nodes[5].front().port.value);
  const auto head = [&](std::uint32_t port, std::uint64_t node) {
    ModelledRouter router(place);
    WireInputs in;
    WireOutputs out;
    in.links[port] = {true, true, true, 0, {node}};
    return complaint<WireError>([&] { router.clock_wires(in, out); });
  };
  std::vector<std::uint32_t> links;
  for (std::uint32_t p = 0; p < place.shape.ports; ++p) {
    if (place.kind(p) == routing::PortKind::kNetwork) links.push_back(p);
  }
  ASSERT_GE(links.size(), 2U);
  for (std::uint64_t node = 0; node < 8; ++node) {
    EXPECT_EQ(head(local, node), "") << node;
    EXPECT_TRUE(place.leads_on(local, 0, NodeId{node}));
    for (const std::uint32_t port : links) {
      EXPECT_EQ(place.leads_on(port, 0, NodeId{node}), node == 5);
      EXPECT_EQ(head(port, node), node == 5 ? ""
                                            : "link_data_i[" + std::to_string(port) + "]: a head is for node 0x" +
                                                  std::to_string(node) + "; from there the routing has no way to it");
    }
  }
}

/// The middle router of 3x3, clocked until it is still.
struct Middle {
  Middle()
      : place(
            [] {
              Experiment e;
              e.set("topology.width", 3).set("topology.height", 3);
              e.set("router.circuit_lanes", 2);
              return with_circuits(e);
            }(),
            "1,1"),
        router(place) {}
  /// What is complained of; `said`: its messages, and ends of searches as true or false.
  std::string clock(const ControlWires& control = {}, const ControlWires& request = {}) {
    WireInputs in;
    WireOutputs out;
    in.control = control;
    in.request = request;
    const std::string complained = complaint<WireError>([&] { router.clock_wires(in, out); });
    if (out.control.valid) said.push_back(out.control);
    if (out.outcome) ended.push_back(out.success);
    return complained;
  }
  std::string told(std::uint32_t port, ControlKind kind, std::uint32_t search, std::uint32_t destination) {
    const std::string complained = clock({true, port, kind, search, destination, 0});
    for (int cycle = 0; cycle < 8; ++cycle) EXPECT_EQ(clock(), "");
    return complained;
  }
  RouterPlace place;
  ModelledRouter router;
  std::vector<ControlWires> said;
  std::vector<bool> ended;
};

/// Of 3x3 the places (0, 3) and (3, 0) are not there; the first has the number of nodes that there are.
TEST(RouterWords, AProbeIsForANodeThatThereIs) {
  Middle m;
  for (const auto& [code, text] : {std::pair{0x0300U, "0x300"}, {0x0003U, "0x3"}, {0x0303U, "0x303"}}) {
    EXPECT_EQ(m.told(kWest, ControlKind::kProbe, 5, code),
              "control_valid_i: a probe for node " + std::string(text) + ", which the network has not");
  }
  EXPECT_EQ(m.told(kWest, ControlKind::kProbe, 5, 0x0202), "");
  ASSERT_EQ(m.said.size(), 1U);
  EXPECT_EQ(m.said[0].kind, ControlKind::kProbe);
  EXPECT_EQ(m.said[0].destination, 0x0202U);
}

/// Of other messages nobody looks where they are for: places that are not there do no harm.
TEST(RouterWords, OtherMessagesAreForWhomeverTheirSearchWas) {
  for (const std::uint32_t nowhere : {0x0300U, 0x0003U, 0xffffU}) {
    Middle m;
    EXPECT_EQ(m.told(kWest, ControlKind::kProbe, 5, 0x0102), "");
    ASSERT_EQ(m.said.size(), 1U);
    EXPECT_EQ(m.said[0].port, kEast);
    EXPECT_EQ(m.told(kEast, ControlKind::kAcknowledge, 5, nowhere), "");
    ASSERT_EQ(m.said.size(), 2U);
    EXPECT_EQ(m.said[1].port, kWest);
    EXPECT_EQ(m.said[1].kind, ControlKind::kAcknowledge);
    // 0 for what is not there; counted row by row (3, 0) is node 3, at (0, 1).
    const std::uint32_t passed_on = nowhere == 0x0003U ? 0x0100U : 0U;
    EXPECT_EQ(m.said[1].destination, passed_on);
    EXPECT_EQ(m.told(kWest, ControlKind::kTearDown, 6, nowhere), "");
    ASSERT_EQ(m.said.size(), 3U);
    EXPECT_EQ(m.said[2].port, kEast);
    EXPECT_EQ(m.said[2].kind, ControlKind::kTearDown);
    EXPECT_EQ(m.said[2].search, 6U);
    EXPECT_EQ(m.said[2].destination, passed_on);
    EXPECT_EQ(m.told(kWest, ControlKind::kTearDown, 7, nowhere),
              "control_valid_i: a tear-down of circuit 0 of port 1, where none comes in")
        << "it is gone";
  }
}

/// A search that comes a second time goes back to where it comes from; after an acknowledgement of search 0, which
/// needs no search and goes nowhere, its number is a new one's.
TEST(RouterWords, AnAcknowledgementOfNoSearchMakesNumbersNew) {
  Middle m;
  EXPECT_EQ(m.told(kWest, ControlKind::kProbe, 5, 0x0102), "");
  EXPECT_EQ(m.told(kNorth, ControlKind::kProbe, 5, 0x0102), "");
  ASSERT_EQ(m.said.size(), 2U);
  EXPECT_EQ(m.said[1].port, kNorth);
  EXPECT_EQ(m.said[1].kind, ControlKind::kBacktrack) << "it has been here";
  EXPECT_EQ(m.told(kSouth, ControlKind::kAcknowledge, 0, 0), "") << "over a port that nothing has gone over";
  EXPECT_EQ(m.said.size(), 2U);
  EXPECT_EQ(m.told(kNorth, ControlKind::kProbe, 5, 0x0001), "");
  ASSERT_EQ(m.said.size(), 3U);
  EXPECT_EQ(m.said[2].port, kSouth) << "straight on to (1, 0)";
  EXPECT_EQ(m.said[2].kind, ControlKind::kProbe);
}

/// The node's own search that comes back has failed, by whichever of its lanes; lane 2 is none.
TEST(RouterWords, ANodesSearchEndsAtItsRouter) {
  for (const std::uint32_t lane : {0U, 1U}) {
    Middle m;
    EXPECT_EQ(m.clock({}, {true, kLocal, ControlKind::kProbe, 1, 0x0102, lane}), "");
    for (int cycle = 0; cycle < 8; ++cycle) m.clock();
    ASSERT_EQ(m.said.size(), 1U);
    EXPECT_EQ(m.told(kEast, ControlKind::kAcknowledge, 1, 0x0102), "");
    EXPECT_EQ(m.ended, std::vector<bool>{true});
    EXPECT_EQ(
        m.clock({}, {true, kLocal, ControlKind::kTearDown, 2, 0, 1 - lane}),
        "request_valid_i: a tear-down of circuit " + std::to_string(1 - lane) + " of port 4, where none comes in");
    EXPECT_EQ(m.clock({}, {true, kLocal, ControlKind::kTearDown, 2, 0, 2}), "request_valid_i: no circuit 2 at port 4");
    EXPECT_EQ(m.clock({}, {true, kLocal, ControlKind::kTearDown, 2, 0, lane}), "");
  }
}

}  // namespace
}  // namespace braid::test::router_words_test
