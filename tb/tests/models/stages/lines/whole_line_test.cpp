// Stations and wires of a broadcast's line alone, beyond one broadcast and one wire (docs/hardware-view/lines.md). One
// case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "models/stages/lines/station.h"
#include "tb/tests/support/lone_module.h"

namespace braid::test::whole_line_test {
namespace {

using models::stages::lines::Station;
using models::stages::lines::StationShape;

/// The end of a line: it hears from one, and tells nobody.
TEST(ShapeOfAStation, IsThatOfALinesEnd) {
  const StationShape shape;
  EXPECT_FALSE(shape.is_root);
  EXPECT_EQ(shape.in, 1U);
  EXPECT_EQ(shape.at_once, 0U);
  EXPECT_EQ(shape.when_done, 0U);
  EXPECT_TRUE(shape.turn_round);
  EXPECT_EQ(shape.most_under_way, 1U);
}

struct Alone {
  explicit Alone(const StationShape& shape) : station("station", shape), bench(station) { bench.set("handled_i", 1); }
  std::uint64_t drives(std::uint64_t arrive = 0) {
    bench.set("arrive_i", arrive);
    bench.edge();
    bench.set("arrive_i", 0);
    return bench.get("drive_o");
  }
  Station station;
  LoneModule bench;
};

/// It hears from two and tells two at once, then one when both have come. Broadcast after broadcast, and its inputs may
/// come in any order: a pulse counts for the broadcast that its wire is at.
TEST(StationOfSeveralWires, TellsEachWireOncePerBroadcast) {
  Alone a({false, 2, 2, 1, true, 8});
  std::vector<unsigned> told(3);
  const auto count = [&](std::uint64_t driven) {
    for (unsigned wire = 0; wire < 3; ++wire) told[wire] += driven >> wire & 1;
  };
  for (std::uint64_t broadcast = 1; broadcast <= 5; ++broadcast) {
    const bool turned = broadcast % 2 == 0;
    count(a.drives(turned ? 0b10 : 0b01));
    for (int i = 0; i < 6; ++i) count(a.drives());
    EXPECT_EQ(told, (std::vector<unsigned>{static_cast<unsigned>(broadcast), static_cast<unsigned>(broadcast),
                                           static_cast<unsigned>(broadcast - 1)}))
        << "both at once, the third not yet";
    EXPECT_EQ(a.bench.get("begun_o"), broadcast);
    EXPECT_EQ(a.bench.get("finished_o"), broadcast - 1);
    count(a.drives(turned ? 0b01 : 0b10));
    for (int i = 0; i < 6; ++i) count(a.drives());
    EXPECT_EQ(told, std::vector<unsigned>(3, static_cast<unsigned>(broadcast)));
    EXPECT_EQ(a.bench.get("finished_o"), broadcast);
    EXPECT_EQ(a.bench.get("state_o"), 0U);
  }
}

/// What a station of another kind would hear from its node says nothing to one that is no root.
TEST(StationOfSeveralWires, BeginsNothingByItself) {
  Alone a({false, 1, 1, 0, true, 4});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(a.drives(), 0U);
  EXPECT_EQ(a.bench.get("begun_o"), 0U);
}

/// A root that waits for no answer is complete when it has begun: as many broadcasts as were asked for, and no more.
TEST(RootOfALine, BeginsAsManyAsWereAskedFor) {
  Alone root({true, 0, 1, 0, true, 1});
  std::uint64_t driven = 0;
  for (const std::uint64_t asked : {0U, 1U, 1U, 4U, 7U}) {
    root.bench.set("requested_i_0", asked);
    for (int i = 0; i < 12; ++i) driven += root.drives();
    EXPECT_EQ(driven, asked);
    EXPECT_EQ(root.bench.get("begun_o"), asked);
    EXPECT_EQ(root.bench.get("finished_o"), asked);
  }
}

}  // namespace
}  // namespace braid::test::whole_line_test
