// How many registers a cable has, by the places that it joins; links of one cycle have none. And what is in
// a modelled router's messages: circuits between routers have number 0.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "models/pins/modelled_router.h"
#include "tb/tests/support/pin_mesh.h"

namespace braid::test::cable_lengths_test {
namespace {

using models::Experiment;
using models::pins::CableLength;
using models::pins::RouterPlace;

constexpr std::uint32_t kEast = 0, kWest = 1, kLocal = 4;

Experiment row(std::uint32_t link, std::uint32_t credit) {
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 1);
  e.set("topology.link_latency_cycles", link).set("router.credit_delay_cycles", credit);
  return e;
}

/// docs/pins.md: a link of n cycles has n - 1 registers, and its credits come back by a wire as long, with
/// credit_delay_cycles - 2 more. The router's output register is the first of a link's; two of credits are in routers.
TEST(CableLengths, AreThoseOfTheLinkAndOfItsCredits) {
  struct Case {
    std::uint32_t link, credit;
    std::size_t flits, credits;
  };
  for (const Case& c : {Case{1, 2, 0, 0}, Case{2, 2, 1, 1}, Case{5, 2, 4, 4}, Case{1, 3, 0, 1}, Case{1, 6, 0, 4},
                        Case{3, 4, 2, 4}, Case{4, 3, 3, 4}}) {
    const RouterPlace west(row(c.link, c.credit), "0,0"), east(row(c.link, c.credit), "1,0");
    for (const auto& [from, port, to, back] :
         {std::make_tuple(&west, kEast, &east, kWest), {&east, kWest, &west, kEast}}) {
      const CableLength length = cable_length(*from, port, *to, back);
      EXPECT_EQ(length.flits, c.flits) << c.link << " " << c.credit;
      EXPECT_EQ(length.credits, c.credits) << c.link << " " << c.credit;
    }
  }
}

/// Ports that lead nowhere in the experiment, which somebody joins all the same, are joined by wires of one cycle.
TEST(CableLengths, OfPortsWithoutALinkAreThoseOfOneCycle) {
  const RouterPlace west(row(5, 3), "0,0"), east(row(5, 3), "2,0");
  EXPECT_EQ(cable_length(west, kWest, east, kEast).flits, 0U);
  EXPECT_EQ(cable_length(west, kWest, east, kEast).credits, 1U);
  EXPECT_EQ(cable_length(west, kEast, east, kEast).flits, 4U) << "one end says it for flits,";
  EXPECT_EQ(cable_length(west, kEast, east, kEast).credits, 1U);
  EXPECT_EQ(cable_length(west, kWest, east, kWest).flits, 0U);
  EXPECT_EQ(cable_length(west, kWest, east, kWest).credits, 5U) << "the other for credits";
  EXPECT_EQ(cable_length(west, kLocal, east, kLocal).flits, 0U);
}

TEST(CableLengths, AreNoneUntilSomebodyFillsThem) {
  const CableLength length{};
  EXPECT_EQ(length.flits, 0U);
  EXPECT_EQ(length.credits, 0U);
  const models::pins::CircuitStart start{};
  EXPECT_EQ(start.port, 0U);
  EXPECT_EQ(start.circuit, 0U);
  const models::pins::NetworkNode::Arrival arrival{};
  EXPECT_EQ(arrival.cycle, 0U);
  EXPECT_FALSE(arrival.on_circuit);
  EXPECT_TRUE(arrival.flits.empty());
}

int registers() {
  int count = 0;
  for (const sc_core::sc_object* object : sc_core::sc_get_top_level_objects())
    count += dynamic_cast<const models::pins::CableRegistersBase*>(object) != nullptr ? 1 : 0;
  return count;
}
/// Each of the two ways of each of two links.
int registers_of_a_row(std::uint32_t link, std::uint32_t credit) {
  const Experiment e = row(link, credit);
  models::pins::BraidRouter<64> a("a", e, "0,0"), b("b", e, "1,0"), c("c", e, "2,0");
  models::pins::Cables<64> cables;
  cables.join({&a, &b, &c}, {});
  return registers();
}
TEST(CableRegisters, AreNoneWhereThereIsNothingToDelay) { EXPECT_EQ(registers_of_a_row(1, 2), 0); }
TEST(CableRegisters, AreThereForEachWayOfALink) { EXPECT_EQ(registers_of_a_row(2, 2), 4); }
TEST(CableRegisters, AreThereForCreditsAlone) { EXPECT_EQ(registers_of_a_row(1, 3), 4); }

/// A router that is left to the user is left out, with the links that lead to it, and so is its node.
TEST(CableRegisters, AreNotMadeForWhatIsLeftToTheUser) {
  const Experiment e = row(2, 2);
  models::pins::BraidRouter<64> a("a", e, "0,0"), b("b", e, "1,0");
  models::pins::BraidNode<64> first("first", e, NodeId{0}), last("last", e, NodeId{2});
  models::pins::Cables<64> cables;
  cables.join({&a, &b, nullptr}, {&first, nullptr, &last});
  EXPECT_EQ(registers(), 2);
  EXPECT_EQ(first.link_valid_i[0].bind_count(), 1);
  EXPECT_EQ(last.link_valid_i[0].bind_count(), 0);
  EXPECT_EQ(b.link_valid_i[kEast].bind_count(), 0);
  EXPECT_EQ(b.link_valid_i[kWest].bind_count(), 1);
}

// ---------------------------------------------------------------- a modelled router

/// A search of the node in the middle of 3x3 for the one to its east: it leaves as the third number of a request says,
/// by the port there, with all its fields; circuits between routers have no number.
TEST(ModelledRouterSays, ASearchWithAllThatItIs) {
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 3);
  e.set("router.circuit_lanes", 3);
  const RouterPlace place(with_circuits(e), "1,1");
  models::pins::ModelledRouter router(place);
  models::hybrid::WireInputs in;
  models::hybrid::WireOutputs out;
  in.request = {true, kLocal, models::hybrid::ControlKind::kProbe, 0x1234, 0x0102, 2};
  int left = 0;
  for (int cycle = 0; cycle < 10; ++cycle) {
    router.clock_wires(in, out);
    in.request.valid = false;
    if (!out.control.valid) continue;
    ++left;
    EXPECT_EQ(out.control.port, kEast);
    EXPECT_EQ(out.control.kind, models::hybrid::ControlKind::kProbe);
    EXPECT_EQ(out.control.search, 0x1234U);
    EXPECT_EQ(out.control.destination, 0x0102U);
    EXPECT_EQ(out.control.circuit, 0U);
    EXPECT_FALSE(out.outcome);
    EXPECT_FALSE(out.success);
  }
  EXPECT_EQ(left, 1);
}

/// From the eastern router the circuit's acknowledgement comes: the search has succeeded, once.
TEST(ModelledRouterSays, HowASearchHasEnded) {
  for (const bool success : {true, false}) {
    Experiment e;
    e.set("topology.width", 2).set("topology.height", 1);
    const RouterPlace place(with_circuits(e), "0,0");
    models::pins::ModelledRouter router(place);
    models::hybrid::WireInputs in;
    models::hybrid::WireOutputs out;
    in.request = {true, kLocal, models::hybrid::ControlKind::kProbe, 1, 1, 0};
    std::vector<bool> ends;
    for (int cycle = 0; cycle < 20; ++cycle) {
      router.clock_wires(in, out);
      in.request.valid = in.control.valid = false;
      if (out.outcome) ends.push_back(out.success);
      EXPECT_TRUE(out.outcome || !out.success) << cycle;
      if (out.control.valid) {
        using Kind = models::hybrid::ControlKind;
        in.control = {true, kEast, success ? Kind::kAcknowledge : Kind::kBacktrack, 1, 1, 0};
      }
    }
    EXPECT_EQ(ends, std::vector<bool>{success});
  }
}

}  // namespace
}  // namespace braid::test::cable_lengths_test
