// The rings of packets that wait in the VCs of planes: first in, first out, whatever their number and their names.
#include <gtest/gtest.h>

#include <deque>

// Vectors are handed over among functions that are compiled into each other.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "models/families/hybrid/planes/packets.h"

namespace braid::test::planes_rings {
namespace {

using models::hybrid::planes::PacketRings;
using models::hybrid::planes::VoyageId;

/// Ring 1 of three, of packets that come and are routed in turn; `first`: the name of the first.
void expect_order(PacketRings& rings, VoyageId first, unsigned most_waiting) {
  std::deque<VoyageId> waiting;
  VoyageId next = first;
  for (unsigned round = 0; round < 700; ++round) {  // more than a byte counts
    while (waiting.size() < most_waiting) {
      rings.push_one(1, next);
      waiting.push_back(next++);
      ASSERT_EQ(rings.from_last(1, 0), waiting.back());
    }
    for (unsigned i = 0; i < waiting.size(); ++i) ASSERT_EQ(rings.coming(1, i), waiting[i]);
    ASSERT_EQ(rings.route_next(1), waiting.front());
    ASSERT_EQ(rings.current(1), waiting.front());
    waiting.pop_front();
  }
  while (!waiting.empty()) {
    ASSERT_EQ(rings.route_next(1), waiting.front());
    waiting.pop_front();
  }
}

TEST(PacketRings, KeepTheOrderAndGrowWithWhatWaits) {
  PacketRings rings;
  rings.resize(3);
  for (const unsigned most : {1U, 3U, 4U, 9U, 2U}) expect_order(rings, 100 * most, most);
}

/// Small rings have 16 bits for a name: those of 65,536 voyages, and not of one more.
TEST(PacketRings, HavePlacesForEveryName) {
  for (const std::size_t voyages : {std::size_t{65'536}, std::size_t{65'537}, std::size_t{4'000'000'001}}) {
    PacketRings rings;
    rings.resize(3);
    const auto last = static_cast<VoyageId>(voyages - 1);
    rings.push_one(0, 7);
    rings.have_names_for(voyages);
    expect_order(rings, last - 800, 1);
    rings.push_one(2, last);
    EXPECT_EQ(rings.route_next(0), 7U);
    EXPECT_EQ(rings.route_next(2), last);
    rings.clear();
    rings.push_one(0, last);
    EXPECT_EQ(rings.route_next(0), last);
  }
}

}  // namespace
}  // namespace braid::test::planes_rings
