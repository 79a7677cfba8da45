// What wires of a router must not do, a rule at a time, without SystemC: the rules of links by themselves, what a
// modelled router is told of circuits, and experiments whose routers have no pins.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/pins/modelled_router.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::wrong_wires_test {
namespace {

using models::Experiment;
using models::hybrid::ControlKind;
using models::hybrid::FlitWires;
using models::hybrid::WireError;
using models::hybrid::WireInputs;
using models::hybrid::WireOutputs;
using models::pins::LinkRules;
using models::pins::RouterPlace;
using routing::PortKind;

/// Two VCs of 3 flits; with circuits three start at a local port, and each has 5 flits.
Experiment small(bool circuits) {
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 3);
  e.set("router.vcs", 2).set("router.buffer_depth", 3);
  if (!circuits) return e;
  e.open("stream");
  e.set("interface.switching", "circuit");
  e.set("router.circuit_lanes", 3);
  return e;
}

constexpr std::uint32_t kEast = 0, kWest = 1, kNorth = 2, kLocal = 4;

FlitWires wires_of(bool head, bool tail, std::uint32_t lane) {
  FlitWires flit;
  flit.valid = true;
  flit.head = head;
  flit.tail = tail;
  flit.lane = lane;
  return flit;
}

TEST(RouterPlace, HasLanesAndBuffersForPacketsAndCircuits) {
  const RouterPlace plain(small(false), "0,0"), place(small(true), "0,0");
  const std::vector<PortKind> kinds{PortKind::kNetwork,     PortKind::kUnconnected, PortKind::kNetwork,
                                    PortKind::kUnconnected, PortKind::kLocal,       PortKind::kUnconnected};
  for (std::uint32_t p = 0; p < kinds.size(); ++p) {
    EXPECT_EQ(place.kind(p), kinds[p]) << p;
    EXPECT_EQ(place.wired(p), kinds[p] != PortKind::kUnconnected) << p;
  }
  EXPECT_EQ(plain.lanes(kEast), 2U);
  EXPECT_EQ(plain.lanes(kLocal), 2U);
  EXPECT_EQ(place.lanes(kEast), 2U + 1) << "one circuit a link between routers";
  EXPECT_EQ(place.lanes(kLocal), 2U + 3);
  EXPECT_EQ(place.depth(1), 3U);
  EXPECT_EQ(place.depth(2), 5U);
}

struct Link {
  explicit Link(bool circuits = false, bool on_circuits = true)
      : place(small(circuits), "0,0"), rules(place, on_circuits) {}
  std::string in(std::uint32_t port, bool head, bool tail, std::uint32_t lane = 0) {
    return complaint<WireError>([&] { rules.flit_in(port, wires_of(head, tail, lane)); });
  }
  std::string credits(std::uint32_t port, std::uint32_t lanes) {
    return complaint<WireError>([&] { rules.credits_in(port, lanes); });
  }
  RouterPlace place;
  LinkRules rules;
};

TEST(LinkRules, ALaneTakesAsManyFlitsAsItHasRoomFor) {
  Link link;
  for (const bool head : {true, false, false}) EXPECT_EQ(link.in(kEast, head, false, 1), "");
  const std::string full =
      "link_valid_i[0]: a flit comes on lane 1 though its buffer of 3 flits is full; the sender has to wait for "
      "credit_o[0]";
  EXPECT_EQ(link.in(kEast, false, true, 1), full);
  EXPECT_EQ(link.in(kEast, true, true, 0), "") << "the other lane has room of its own";
  EXPECT_EQ(link.in(kNorth, true, true, 1), "") << "and the other port";
  link.rules.credits_out(kEast, 0b11);
  EXPECT_EQ(link.in(kEast, false, true, 1), "");
  EXPECT_EQ(link.in(kEast, true, true, 1), full) << "a credit is one flit";
  for (int flit = 0; flit < 3; ++flit) EXPECT_EQ(link.in(kEast, true, true, 0), "") << flit;
  EXPECT_NE(link.in(kEast, true, true, 0), "");
}

TEST(LinkRules, ACreditIsForAFlitThatIsOut) {
  Link link;
  EXPECT_EQ(link.credits(kEast, 0), "");
  for (int flit = 0; flit < 2; ++flit) link.rules.flit_out(kEast, 1);
  link.rules.flit_out(kEast, 0);
  EXPECT_EQ(link.credits(kEast, 0b11), "");
  EXPECT_EQ(link.credits(kEast, 0b10), "");
  for (const std::uint32_t lane : {0U, 1U, 2U, 31U}) {
    EXPECT_EQ(link.credits(kEast, 1U << lane), "credit_i[0]: a credit for lane " + std::to_string(lane) +
                                                   ", on which no flit is out; expected one a flit");
  }
  EXPECT_NE(link.credits(kWest, 1), "") << "nothing is there";
}

TEST(LinkRules, APacketHasAHeadAndATail) {
  Link link;
  const std::string no_head = "link_head_i[0] = 0 on lane 0: a packet begins with its head",
                    no_tail = "link_head_i[0] = 1 on lane 0: the packet before has had no tail";
  EXPECT_EQ(link.in(kEast, false, true), no_head);
  EXPECT_EQ(link.in(kEast, true, false), "");
  EXPECT_EQ(link.in(kEast, true, true), no_tail);
  EXPECT_EQ(link.in(kEast, true, true, 1), "") << "lanes have packets of their own";
  EXPECT_EQ(link.in(kEast, false, true), "");
  EXPECT_EQ(link.in(kEast, false, true), no_head);
  EXPECT_EQ(link.in(kEast, true, true), "") << "whoever was refused took no room";
}

TEST(LinkRules, OnlyLinksAndLanesThatAreThereBringFlits) {
  Link plain, link(true);
  EXPECT_EQ(plain.in(kWest, true, true), "link_valid_i[1] is up, but router 0,0 has no link there: leave the pin at 0");
  EXPECT_EQ(plain.in(kEast, true, true, 2), "link_lane_i[0] = 2: expected 0 to 1");
  EXPECT_EQ(link.in(kEast, true, true, 2), "");
  EXPECT_EQ(link.in(kEast, true, true, 3), "link_lane_i[0] = 3: expected 0 to 2");
  EXPECT_EQ(link.in(kLocal, true, true, 4), "");
  EXPECT_EQ(link.in(kLocal, true, true, 5), "link_lane_i[4] = 5: expected 0 to 4");
}

/// A router takes a circuit's flits as they come; to a node they are packets.
TEST(LinkRules, FlitsOnCircuitsArePacketsToWhoeverLooks) {
  Link router(true, false), node(true, true);
  for (int flit = 0; flit < 5; ++flit) EXPECT_EQ(router.in(kLocal, flit % 2 == 1, false, 2), "") << flit;
  EXPECT_NE(router.in(kLocal, false, false, 2).find("its buffer of 5 flits is full"), std::string::npos);
  EXPECT_NE(router.in(kLocal, false, false, 1), "") << "a VC's packet has a head all the same";
  EXPECT_EQ(node.in(kLocal, false, true, 2), "link_head_i[4] = 0 on lane 2: a packet begins with its head");
  EXPECT_EQ(node.in(kLocal, true, true, 2), "");
}

TEST(LinkRules, ForgetAllInAReset) {
  Link link;
  for (const bool head : {true, false, false}) EXPECT_EQ(link.in(kEast, head, false), "");
  link.rules.flit_out(kEast, 0);
  link.rules.reset();
  EXPECT_NE(link.credits(kEast, 1), "");
  EXPECT_NE(link.in(kEast, false, true), "") << "no packet has begun";
  for (int flit = 0; flit < 3; ++flit) EXPECT_EQ(link.in(kEast, true, true), "") << flit;
}

// ---------------------------------------------------------------- a modelled router

struct Modelled {
  explicit Modelled(bool circuits, const std::string& at = "1,1") : place(small(circuits), at), router(place) {}
  std::string says(const WireInputs& in) {
    return complaint<WireError>([&] { router.clock_wires(in, out); });
  }
  /// A message on the control channel.
  std::string told(std::uint32_t port, ControlKind kind, std::uint32_t search, std::uint32_t destination,
                   std::uint32_t circuit = 0) {
    WireInputs in;
    in.control = {true, port, kind, search, destination, circuit};
    return says(in);
  }
  /// The node's request.
  std::string asked(std::uint32_t port, ControlKind kind, std::uint32_t search, std::uint32_t destination,
                    std::uint32_t circuit = 0) {
    WireInputs in;
    in.request = {true, port, kind, search, destination, circuit};
    return says(in);
  }
  RouterPlace place;
  models::pins::ModelledRouter router;
  WireOutputs out;
};

TEST(ModelledRouter, HearsOfCircuitsOnlyWhereThereAreSome) {
  Modelled plain(false), edge(true, "0,0"), middle(true);
  EXPECT_EQ(plain.told(kWest, ControlKind::kProbe, 1, 0), "control_valid_i: no circuit 0 at port 1");
  EXPECT_EQ(edge.told(kWest, ControlKind::kProbe, 1, 0), "control_valid_i: no circuit 0 at port 1") << "the edge";
  EXPECT_EQ(middle.told(kWest, ControlKind::kProbe, 1, 0, 1), "control_valid_i: no circuit 1 at port 1");
  EXPECT_EQ(middle.asked(kLocal, ControlKind::kProbe, 1, 0, 3), "request_valid_i: no circuit 3 at port 4");
  EXPECT_EQ(middle.asked(kLocal, ControlKind::kProbe, 1, 0, 2), "") << "the last of three";
}

TEST(ModelledRouter, HearsOnlyWhatASearchOrACircuitLeadsTo) {
  Modelled r(true);
  for (const ControlKind answer : {ControlKind::kBacktrack, ControlKind::kAcknowledge}) {
    EXPECT_EQ(r.told(kNorth, answer, 5, 0), "control_valid_i: an answer over port 2, over which no search has gone");
  }
  EXPECT_EQ(r.asked(kLocal, ControlKind::kTearDown, 5, 0, 1),
            "request_valid_i: a tear-down of circuit 1 of port 4, where none comes in");
  EXPECT_EQ(r.told(kWest, ControlKind::kProbe, 5, 0x0103),
            "control_valid_i: a probe for node 0x103, which the network has not");
  EXPECT_EQ(r.asked(kLocal, ControlKind::kProbe, 0, 0x0202), "request_valid_i: searches are numbered from 1");
  EXPECT_EQ(r.told(kWest, ControlKind::kProbe, 5, 0x0102), "");
}

/// Under table routing a destination is its number, else its place.
TEST(ModelledRouter, TakesHeadsForNodesThatThereAre) {
  Experiment e;
  e.set("topology.kind", "graph").set("topology.file", source_file("tb/experiments/ring.graphml"));
  e.set("routing.algorithm", "table").set("routing.table_file", source_file("tb/experiments/ring_clockwise.txt"));
  e.set("routing.allow_deadlock", true);
  const RouterPlace place(e, routing::make_topology(e).router_names[0]);
  ASSERT_EQ(place.topology.node_count(), 4U);
  const auto head_for = [](models::pins::ModelledRouter& router, std::uint32_t port, std::uint64_t code) {
    WireInputs in;
    in.links[port] = wires_of(true, true, 0);
    in.links[port].data[0] = 0xabcd0000 | code;
    WireOutputs out;
    return complaint<WireError>([&] { router.clock_wires(in, out); });
  };
  const auto local = static_cast<std::uint32_t>(place.topology.nodes[0].front().port.value);
  const std::string port = "link_data_i[" + std::to_string(local) + "]: a head is for node ";
  models::pins::ModelledRouter by_number(place);
  EXPECT_EQ(head_for(by_number, local, 3), "");
  EXPECT_EQ(head_for(by_number, local, 4), port + "0x4 (its lowest 16 bits); the network has none of that number");
  Modelled by_place(false);
  EXPECT_EQ(head_for(by_place.router, kLocal, 0x0202), "");
  for (const auto& [code, text] : {std::pair{0x0300U, "0x300"}, {0x0013U, "0x13"}}) {
    EXPECT_EQ(head_for(by_place.router, kLocal, code),
              "link_data_i[4]: a head is for node " + std::string(text) +
                  " (its lowest 16 bits); the network has none of that place, y << 8 | x");
  }
}

/// From the west for the node in the east: flits leave on the other side with all of their data, and each gives back
/// its room in the buffer once. A reset forgets what is inside.
TEST(ModelledRouter, SendsFlitsOnWithTheirData) {
  Modelled r(false);
  const auto clocked = [&](const WireInputs& in) {
    EXPECT_EQ(r.says(in), "");
    return r.out;
  };
  for (const bool reset : {true, false}) {
    std::vector<FlitWires> left;
    std::uint32_t credits[2] = {};
    for (std::uint32_t cycle = 0; cycle < 20; ++cycle) {
      WireInputs in;
      if (cycle < 3) {
        in.links[kWest] = wires_of(cycle == 0, cycle == 2, 1);
        in.links[kWest].data = {cycle == 0 ? 0xab0102 : cycle, 100 + cycle, 200 + cycle, 300 + cycle};
      }
      const WireOutputs out = clocked(in);
      if (out.links[kEast].valid) left.push_back(out.links[kEast]);
      for (std::uint32_t lane = 0; lane < 2; ++lane) credits[lane] += out.credits[kWest] >> lane & 1;
      for (const std::uint32_t other : {kWest, kNorth, 3U, kLocal}) EXPECT_FALSE(out.links[other].valid) << other;
      if (reset && cycle == 2) {
        r.router.reset_wires(r.place.straps);
        r.out = {};
      }
    }
    if (reset) {
      EXPECT_TRUE(left.empty());
      EXPECT_EQ(credits[1], 0U);
      continue;
    }
    ASSERT_EQ(left.size(), 3U);
    for (std::uint32_t flit = 0; flit < 3; ++flit) {
      EXPECT_EQ(left[flit].head, flit == 0);
      EXPECT_EQ(left[flit].tail, flit == 2);
      EXPECT_EQ(left[flit].data,
                (models::hybrid::FlitData{flit == 0 ? 0xab0102 : flit, 100 + flit, 200 + flit, 300 + flit}));
    }
    EXPECT_EQ(credits[0], 0U);
    EXPECT_EQ(credits[1], 3U);
  }
}

// ---------------------------------------------------------------- experiments without pins

template <class Value>
std::string refused(bool circuits, const char* key, const Value& value) {
  Experiment e = small(circuits);
  e.set(key, value);
  return complaint([&] { const RouterPlace place(e, "1,1"); });
}

TEST(RouterPlace, IsRefusedWhereItsPinsCannotTellEnough) {
  EXPECT_EQ(refused(false, "router.vcs", 3), "");
  EXPECT_EQ(refused(false, "router.lookahead", true), "router.lookahead: flits at pins bring no route; expected false");
  EXPECT_EQ(refused(false, "router.input_speedup", 2),
            "router.input_speedup = 2: pins show one flit a port of the switch, and one step a cycle; expected 1");
  EXPECT_EQ(refused(true, "setup.paths", "sequential"),
            "setup.paths: who binds to pins sends the probes; expected \"routers\"");
  EXPECT_EQ(refused(true, "setup.reroute", "each"),
            "setup.reroute: circuits over pins are their user's to move; expected \"none\"");
  EXPECT_EQ(refused(false, "routing.algorithm", "odd_even"),
            "routing.algorithm: this one looks at a packet's source, which pins do not tell");
  for (const char* speedup : {"router.output_speedup", "router.internal_speedup"}) {
    EXPECT_NE(refused(false, speedup, 2).find("= 2: pins show one flit a port of the switch, and one step a cycle"),
              std::string::npos);
  }
  Experiment other = small(false);
  other.set("router.architecture", "virtual_cut_through").set("router.vcs", 1);
  EXPECT_EQ(complaint([&] { const RouterPlace place(other, "1,1"); }),
            "router.architecture = \"virtual_cut_through\" has no pins; expected \"hybrid\"");
  EXPECT_EQ(complaint([&] { const RouterPlace place(small(false), "1,3"); }).rfind("unknown router \"1,3\"", 0), 0U);
}

TEST(RouterPlace, IsRefusedWherePacketsDraw) {
  Experiment e = small(false);
  e.set("topology.kind", "torus").set("topology.width", 4).set("topology.height", 4).set("routing.ties", "drawn");
  EXPECT_EQ(complaint([&] { const RouterPlace place(e, "1,1"); }),
            "routing.algorithm: this one goes by what each packet drew, which pins do not tell; on a torus expected "
            "routing.ties = \"fixed\" and no routing.datelines = \"two_drawn\"");
}

/// A way on for a packet that comes in there: on a mesh everywhere, over ports that have links.
TEST(RouterPlace, KnowsWhereTheRoutingLeadsOn) {
  const RouterPlace place(small(false), "0,0");
  for (std::size_t node = 0; node < 9; ++node) EXPECT_TRUE(place.leads_on(kLocal, 1, NodeId{node})) << node;
  Experiment e = small(false);
  e.set("topology.kind", "graph").set("topology.file", source_file("tb/experiments/ring.graphml"));
  e.set("routing.algorithm", "table").set("routing.table_file", source_file("tb/experiments/ring_clockwise.txt"));
  e.set("routing.allow_deadlock", true);
  const std::string first = routing::make_topology(e).router_names[0];
  const RouterPlace ring(e, first);
  EXPECT_TRUE(ring.leads_on(0, 0, NodeId{2}));
}

}  // namespace
}  // namespace braid::test::wrong_wires_test
