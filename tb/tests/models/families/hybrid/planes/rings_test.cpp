// The rings of packets that wait in the VCs of planes: first in, first out, whatever their number and their slots.
#include <gtest/gtest.h>

#include <deque>

// Vectors are handed over among functions that are compiled into each other.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "models/families/hybrid/planes/packets.h"

namespace braid::test::planes_rings {
namespace {

using models::hybrid::planes::PacketRings;

/// Ring 1 of three, of packets that come and are routed in turn; `first`: the slot of the first.
void expect_order(PacketRings& rings, models::PacketSlot first, unsigned most_waiting) {
  std::deque<models::PacketSlot> waiting;
  models::PacketSlot next = first;
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

TEST(PacketRings, HavePlacesForPacketsOfAnySlot) {
  PacketRings rings;
  rings.resize(3);
  rings.push_one(0, 7);
  expect_order(rings, 65'000, 2);
  rings.push_one(2, 4'000'000'000U);
  EXPECT_EQ(rings.route_next(0), 7U);
  EXPECT_EQ(rings.route_next(2), 4'000'000'000U);
  rings.clear();
  rings.push_one(0, 70'000);
  EXPECT_EQ(rings.route_next(0), 70'000U);
}

}  // namespace
}  // namespace braid::test::planes_rings
