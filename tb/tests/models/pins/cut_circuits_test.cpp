// Which circuits stand in a router of which only the pins are seen, without SystemC and without a network: what it is
// told and what it says, message by message. The middle router of a 3x3 mesh; two VCs, three circuits a local port.
#include "models/pins/cut_circuits.h"

#include <gtest/gtest.h>

#include <string>

#include "models/pins/lone_router.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/pin_mesh.h"

namespace braid::test::cut_circuits_test {
namespace {

using models::hybrid::ControlKind;
using models::hybrid::kNone;
using models::hybrid::VcIndex;
using models::hybrid::WireError;

constexpr std::uint32_t kEast = 0, kWest = 1, kNorth = 2, kSouth = 3, kLocal = 4, kVcs = 2;
constexpr std::size_t kHere = 4, kEastern = 5;  // nodes

struct Circuits {
  Circuits()
      : place(
            [] {
              models::Experiment e;
              e.set("topology.width", 3).set("topology.height", 3);
              e.set("router.vcs", kVcs).set("router.circuit_lanes", 3);
              return with_circuits(e);
            }(),
            "1,1") {}

  std::string clocked(const models::hybrid::RouterInputs& in, const models::hybrid::RouterOutputs& out = {}) {
    return complaint<WireError>([&] { circuits.clocked(cycle++, in, out); });
  }
  static models::hybrid::ControlPins message(std::uint32_t port, ControlKind kind, std::uint32_t search,
                                             std::size_t destination, std::uint32_t circuit) {
    return {true, port, kind, search, NodeId{destination}, circuit};
  }
  std::string told(std::uint32_t port, ControlKind kind, std::uint32_t search, std::size_t destination = kEastern) {
    models::hybrid::RouterInputs in;
    in.clear();
    in.control = message(port, kind, search, destination, 0);
    return clocked(in);
  }
  /// By the router's own node.
  std::string asked(ControlKind kind, std::uint32_t search, std::uint32_t circuit = 0) {
    models::hybrid::RouterInputs in;
    in.clear();
    in.request = message(kLocal, kind, search, kEastern, circuit);
    return clocked(in);
  }
  std::string says(std::uint32_t port, ControlKind kind, std::uint32_t search) {
    models::hybrid::RouterInputs in;
    in.clear();
    models::hybrid::RouterOutputs out;
    out.control = message(port, kind, search, circuits.destination().value, 0);  // goes on to where it is for
    return clocked(in, out);
  }
  std::string ends(bool success) {
    models::hybrid::RouterInputs in;
    in.clear();
    models::hybrid::RouterOutputs out;
    out.outcome = true;
    out.success = success;
    return clocked(in, out);
  }
  VcIndex lane(std::uint32_t port, std::uint32_t circuit = 0) {
    models::hybrid::RouterBank& bank = router.bank();
    return bank.circuit_vc(bank.port_index(place.router, PortId{std::size_t{port}}), circuit);
  }
  bool stands(VcIndex from, VcIndex to) {
    return router.bank().circuit_out(from) == to && router.bank().circuit_in(to) == from;
  }
  bool is_free(VcIndex in, VcIndex out) {
    return router.bank().circuit_out(in) == kNone && router.bank().circuit_in(out) == kNone;
  }
  models::hybrid::SearchOutcome& outcome() { return router.setup().outcome(); }

  models::pins::RouterPlace place;
  models::PacketStore store;
  models::pins::LoneRouter router{place, store};
  models::Slicing slicing{9, 1};
  models::FabricContext context{place.configuration, place.topology, *place.routing, store, slicing};
  models::pins::CutCircuits circuits{
      {context, place.options, router.slice(), router.setup(), router.bank(), place.router}};
  std::uint64_t cycle = 10;
};

const std::string kProbe = "a probe of the search that came here last, over a link that no circuit holds",
                  kAnswer = "an answer to where the search is from", kBack = "an answer to a search",
                  kTearDown = "a tear-down of the circuit, on the way that it takes";
std::string refused(std::uint32_t port, int kind, std::uint32_t search, const std::string& expected) {
  return "control_valid_i[" + std::to_string(port) + "]: a message of kind " + std::to_string(kind) + ", search " +
         std::to_string(search) + "; expected " + expected;
}

/// Only with the number that came last, and only over a link that is free.
TEST(CircuitsAtPins, AProbeThatGoesOnTakesTheLink) {
  Circuits c;
  EXPECT_EQ(c.told(kWest, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.circuits.destination(), NodeId{kEastern});
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 6), refused(kEast, 0, 6, kProbe));
  EXPECT_TRUE(c.is_free(c.lane(kWest), c.lane(kEast)));
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_TRUE(c.stands(c.lane(kWest), c.lane(kEast)));
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), refused(kEast, 0, 7, kProbe)) << "it is held";
  EXPECT_EQ(c.told(kNorth, ControlKind::kProbe, 8, 1), "");
  EXPECT_EQ(c.circuits.destination(), NodeId{1});
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 8), refused(kEast, 0, 8, kProbe)) << "by the first";
  EXPECT_EQ(c.says(kSouth, ControlKind::kProbe, 8), "");
  EXPECT_TRUE(c.stands(c.lane(kNorth), c.lane(kSouth)));
}

/// It comes a second time, by another port and for whoever: it has been here, and changes nothing.
TEST(CircuitsAtPins, AProbeThatHasBeenHereChangesNothing) {
  Circuits c;
  EXPECT_EQ(c.told(kWest, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.told(kNorth, ControlKind::kProbe, 7, 2), "");
  EXPECT_EQ(c.circuits.destination(), NodeId{kEastern});
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_TRUE(c.stands(c.lane(kWest), c.lane(kEast)));
}

TEST(CircuitsAtPins, ABacktrackFreesTheLinkAndIsCounted) {
  Circuits c;
  EXPECT_EQ(c.told(kEast, ControlKind::kBacktrack, 7), "") << "of no search here: counted all the same";
  EXPECT_EQ(c.told(kWest, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.told(kEast, ControlKind::kBacktrack, 7), "");
  EXPECT_TRUE(c.is_free(c.lane(kWest), c.lane(kEast)));
  EXPECT_EQ(c.outcome().backtracks, 2U);
  EXPECT_EQ(c.says(kNorth, ControlKind::kProbe, 7), "") << "another way";
  EXPECT_TRUE(c.stands(c.lane(kWest), c.lane(kNorth)));
  EXPECT_EQ(c.says(kWest, ControlKind::kBacktrack, 7), "");
}

/// Where it came from, and nowhere else; a router on the way takes no lane to its node.
TEST(CircuitsAtPins, AnAnswerGoesBackWhereTheSearchIsFrom) {
  Circuits c;
  EXPECT_EQ(c.says(kWest, ControlKind::kAcknowledge, 7), refused(kWest, 2, 7, kAnswer));
  EXPECT_EQ(c.says(kWest, ControlKind::kBacktrack, 7), refused(kWest, 1, 7, kBack));
  EXPECT_EQ(c.told(kWest, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.told(kEast, ControlKind::kAcknowledge, 7), "");
  EXPECT_EQ(c.says(kNorth, ControlKind::kAcknowledge, 7), refused(kNorth, 2, 7, kAnswer));
  EXPECT_EQ(c.says(kWest, ControlKind::kAcknowledge, 7), "");
  EXPECT_TRUE(c.stands(c.lane(kWest), c.lane(kEast)));
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(c.router.bank().circuit_in(c.lane(kLocal, i)), kNone) << i;
}

/// At its destination a circuit takes the first lane to the node that is free, of three; a fourth has none.
TEST(CircuitsAtPins, ACircuitEndsOnTheFirstFreeLane) {
  Circuits c;
  const std::uint32_t from[] = {kWest, kNorth, kSouth};
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(c.told(from[i], ControlKind::kProbe, 5 + i, kHere), "");
    EXPECT_EQ(c.says(from[i], ControlKind::kAcknowledge, 5 + i), "");
    EXPECT_TRUE(c.stands(c.lane(from[i]), c.lane(kLocal, i))) << i;
  }
  EXPECT_EQ(c.told(kEast, ControlKind::kProbe, 9, kHere), "");
  EXPECT_EQ(c.says(kEast, ControlKind::kAcknowledge, 9), "an acknowledgement, though no lane to the node is free");
}

/// The network's numbers begin anew: a search of a number that was here is another one, and nothing is known of the
/// last.
TEST(CircuitsAtPins, AnAcknowledgementOfNoSearchForgetsTheLast) {
  Circuits c;
  EXPECT_EQ(c.told(kWest, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.told(kWest, ControlKind::kAcknowledge, 3), "") << "of a search, which forgets nothing";
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.told(kEast, ControlKind::kBacktrack, 7), "");
  EXPECT_EQ(c.told(kWest, ControlKind::kAcknowledge, 0), "");
  EXPECT_EQ(c.says(kWest, ControlKind::kBacktrack, 7), refused(kWest, 1, 7, kBack));
  EXPECT_EQ(c.ends(false), "outcome_valid_i: no search, no tear-down has come here");
  EXPECT_EQ(c.told(kNorth, ControlKind::kProbe, 7, 1), "");
  EXPECT_EQ(c.circuits.destination(), NodeId{1});
  EXPECT_EQ(c.says(kSouth, ControlKind::kProbe, 7), "");
  EXPECT_TRUE(c.stands(c.lane(kNorth), c.lane(kSouth)));
}

/// On its way it frees the lanes that the circuit had, once; other circuits stay.
TEST(CircuitsAtPins, ATearDownGoesTheWayOfItsCircuit) {
  Circuits c;
  EXPECT_EQ(c.told(kWest, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.told(kNorth, ControlKind::kProbe, 8), "");
  EXPECT_EQ(c.says(kSouth, ControlKind::kProbe, 8), "");
  EXPECT_EQ(c.told(kWest, ControlKind::kTearDown, 9), "");
  EXPECT_EQ(c.says(kSouth, ControlKind::kTearDown, 9), refused(kSouth, 3, 9, kTearDown));
  EXPECT_EQ(c.says(kEast, ControlKind::kTearDown, 9), "");
  EXPECT_TRUE(c.is_free(c.lane(kWest), c.lane(kEast)));
  EXPECT_TRUE(c.stands(c.lane(kNorth), c.lane(kSouth)));
  EXPECT_EQ(c.says(kEast, ControlKind::kTearDown, 9), refused(kEast, 3, 9, kTearDown)) << "once";
}

/// A search that has ended here, with the cycle; a circuit from here to here takes both lanes of the node.
TEST(CircuitsAtPins, AnOutcomeIsOfTheSearchOrTheTearDownThatCame) {
  Circuits c;
  EXPECT_EQ(c.ends(true), "outcome_valid_i: no search, no tear-down has come here");
  EXPECT_FALSE(c.outcome().done);
  EXPECT_EQ(c.asked(ControlKind::kProbe, 7, 2), "");
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_TRUE(c.stands(c.lane(kLocal, 2), c.lane(kEast))) << "the lane that the node asks for";
  const std::uint64_t at = c.cycle;
  EXPECT_EQ(c.ends(true), "");
  EXPECT_TRUE(c.outcome().done);
  EXPECT_TRUE(c.outcome().success);
  EXPECT_EQ(c.outcome().cycle, at);
  EXPECT_TRUE(c.stands(c.lane(kLocal, 2), c.lane(kEast))) << "another router is its destination";
  EXPECT_EQ(c.router.bank().circuit_in(c.lane(kLocal)), kNone);
  EXPECT_EQ(c.ends(false), "") << "the same search, anew";
  EXPECT_FALSE(c.outcome().success);
  EXPECT_EQ(c.outcome().cycle, at + 1);
  EXPECT_EQ(c.asked(ControlKind::kTearDown, 8, 2), "");
  EXPECT_EQ(c.ends(true), "");
  EXPECT_TRUE(c.is_free(c.lane(kLocal, 2), c.lane(kEast))) << "a tear-down has its end here";
  EXPECT_EQ(c.router.bank().circuit_in(c.lane(kLocal)), kNone) << "and is no circuit that does";
}

TEST(CircuitsAtPins, ASearchForTheRoutersOwnNodeEndsHereIfItSucceeds) {
  Circuits c;
  models::hybrid::RouterInputs in;
  in.clear();
  in.request = Circuits::message(kLocal, ControlKind::kProbe, 7, kHere, 1);
  EXPECT_EQ(c.clocked(in), "");
  EXPECT_EQ(c.ends(false), "");
  EXPECT_EQ(c.router.bank().circuit_out(c.lane(kLocal, 1)), kNone) << "it has failed";
  EXPECT_EQ(c.ends(true), "");
  EXPECT_TRUE(c.stands(c.lane(kLocal, 1), c.lane(kLocal, 0)));
}

/// Messages go to routers; flits on lanes of circuits where one goes out, of packets anywhere.
TEST(CircuitsAtPins, FlitsLeaveWhereCircuitsDo) {
  Circuits c;
  const auto flit = [&](std::uint32_t port, std::uint32_t lane) {
    return complaint<WireError>([&] { c.circuits.check_flit(port, lane); });
  };
  EXPECT_EQ(c.told(kWest, ControlKind::kProbe, 7), "");
  EXPECT_EQ(c.says(kLocal, ControlKind::kProbe, 7), refused(kLocal, 0, 7, "a port to another router"));
  EXPECT_EQ(c.says(kEast, ControlKind::kProbe, 7), "");
  EXPECT_EQ(flit(kEast, kVcs), "");
  EXPECT_EQ(flit(kWest, kVcs), "link_lane_i[1] = 2: no circuit goes out on that lane");
  EXPECT_EQ(flit(kWest, kVcs - 1), "");
  EXPECT_EQ(flit(kLocal, kVcs + 2), "link_lane_i[4] = 4: no circuit goes out on that lane");
}

}  // namespace
}  // namespace braid::test::cut_circuits_test
