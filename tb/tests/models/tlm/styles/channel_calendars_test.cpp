// Reservations of the approximately timed style against books kept cycle by cycle.
#include "models/tlm/styles/channel_calendars.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "routing/base/random.h"

namespace braid::test::channel_calendars_test {

using models::FlitCalendar;
using models::PacketCalendar;

/// The cycles that `flits` flits take from `from` on, none of them in either book.
FlitCalendar::Flits book(std::set<std::uint64_t>& a, std::set<std::uint64_t>& b, std::uint64_t from,
                         std::uint32_t flits, std::uint64_t tail_from) {
  FlitCalendar::Flits taken{};
  std::uint64_t at = from;
  for (std::uint32_t i = 0; i < flits; ++i, ++at) {
    if (i + 1 == flits) at = std::max(at, tail_from);
    while (a.count(at) != 0 || b.count(at) != 0) ++at;
    a.insert(at);
    b.insert(at);
    if (i == 0) taken.head = at;
    taken.tail = at;
  }
  return taken;
}

TEST(FlitCalendar, TakesTheCyclesThatABookOfEveryCycleGives) {
  Random random(3);
  std::vector<FlitCalendar> calendars(3);
  std::vector<std::set<std::uint64_t>> books(3);
  std::uint64_t now = 0;
  for (int i = 0; i < 20000; ++i) {
    now += random.below(12);
    const std::size_t a = random.below(3), b = random.below(3);
    const std::uint64_t from = now + random.below(150), tail_from = from + random.below(90);
    const auto flits = static_cast<std::uint32_t>(1 + random.below(random.below(20) == 0 ? 100 : 6));
    std::uint64_t free = from;
    while (books[a].count(free) != 0 || books[b].count(free) != 0) ++free;
    ASSERT_EQ(FlitCalendar::first_free(calendars[a], calendars[b], from), free);
    const auto taken = FlitCalendar::take(calendars[a], calendars[b], from, flits, tail_from);
    const auto expected = book(books[a], books[b], from, flits, tail_from);
    ASSERT_EQ(taken.head, expected.head) << "packet " << i;
    ASSERT_EQ(taken.tail, expected.tail) << "packet " << i;
  }
}

TEST(FlitCalendar, ALaterPacketFillsAGapAndNoCycleTwice) {
  FlitCalendar link;
  EXPECT_EQ(FlitCalendar::take(link, link, 10, 4, 0).tail, 13u);
  const auto split = FlitCalendar::take(link, link, 8, 4, 0);
  EXPECT_EQ(split.head, 8u);
  EXPECT_EQ(split.tail, 15u) << "8, 9, then 14, 15";
  EXPECT_EQ(FlitCalendar::take(link, link, 8, 1, 0).head, 16u);
}

TEST(FlitCalendar, WhatLiesFarBackCountsAsTaken) {
  FlitCalendar link;
  const std::uint64_t far = 100 * 64;
  EXPECT_EQ(FlitCalendar::take(link, link, far, 1, 0).head, far);
  const std::uint64_t first_kept = (far / 64 + 2 - FlitCalendar::kWords) * 64;
  EXPECT_EQ(FlitCalendar::take(link, link, 0, 1, 0).head, first_kept);
}

/// Packets told of in any order within a window; in the end each has its place of first come, first served.
TEST(PacketCalendar, IsFirstComeFirstServedHoweverPacketsAreToldOf) {
  struct Packet {
    std::uint64_t arrival, cycles;
    std::size_t told;
  };
  Random random(11);
  std::vector<Packet> packets;
  std::uint64_t arrival = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    arrival += random.below(14);
    packets.push_back({arrival, 1 + random.below(10), i});
  }
  std::vector<Packet> order = packets;
  for (std::size_t i = 0; i + 8 < order.size(); ++i) std::swap(order[i], order[i + random.below(8)]);

  PacketCalendar link;
  std::uint64_t told = 0, moved = 0;
  for (const Packet& p : order) {
    const std::uint64_t begin = link.start(p.arrival);
    ASSERT_GE(begin, p.arrival);
    moved += link.take(p.arrival, begin, p.cycles);
    told += begin - p.arrival;
  }
  std::stable_sort(order.begin(), order.end(), [](const Packet& a, const Packet& b) { return a.arrival < b.arrival; });
  std::uint64_t free = 0, waited = 0;
  for (const Packet& p : order) {
    const std::uint64_t begin = std::max(free, p.arrival);
    waited += begin - p.arrival;
    free = begin + p.cycles;
  }
  EXPECT_EQ(told + moved, waited) << "every cycle of waiting is told to somebody, once";
  EXPECT_GT(moved, 100u);
  EXPECT_EQ(link.start(arrival), std::max(free, arrival));
}

TEST(WaitLog, WhoIsMovedBackWaitsTheLessFurtherOn) {
  models::WaitLog log;
  const auto other = log.add(50);
  log.end_packet();
  const auto first = log.add(0);
  log.add(30);
  const auto third = log.add(4);
  log.end_packet();
  log.add(1000);
  log.end_packet();
  EXPECT_EQ(log.lengthen(first, 20), 0u) << "30 at the second channel become 10";
  EXPECT_EQ(log.lengthen(first, 20), 6u) << "the 10, and 4 at the third; the next packet's are not its own";
  EXPECT_EQ(log.lengthen(third, 7), 7u) << "nothing comes behind the last one";
  EXPECT_EQ(log.lengthen(first, 8), 1u) << "and that it waits 7 there counts for later";
  EXPECT_EQ(log.lengthen(other, 3), 3u);
}

TEST(WaitLog, KnowsNothingOfPacketsOfLongAgo) {
  models::WaitLog log;
  const auto first = log.add(0);
  log.add(100);
  log.end_packet();
  for (int i = 0; i < 8000; ++i) log.add(5), log.end_packet();
  EXPECT_EQ(log.lengthen(first, 10), 0u);
  for (int i = 0; i < 200; ++i) log.add(5), log.end_packet();
  EXPECT_EQ(log.lengthen(first, 10), 10u);
}

/// It has 2^14 entries; one is known as long as it and the end behind the newest are among them.
TEST(WaitLog, KnowsAsManyAsItHasEntries) {
  constexpr int kEntries = 1 << 14;
  for (const auto& [told, late] : {std::pair{kEntries - 2, 0U}, {kEntries - 1, 10U}}) {
    models::WaitLog log;
    const auto first = log.add(0);
    for (int i = 1; i < told; ++i) log.add(5);
    EXPECT_EQ(log.lengthen(first, 10), late) << told;
  }
}

/// Waits have 32 bits, whose greatest number is the end of a packet: longer ones count as one less.
TEST(WaitLog, CountsWaitsUpTo32Bits) {
  constexpr std::uint64_t kMost = 0xfffffffe, kMore = std::uint64_t{1} << 40;
  models::WaitLog log;
  const auto first = log.add(0);
  const auto second = log.add(kMore);
  log.add(7);
  log.end_packet();
  EXPECT_EQ(log.lengthen(first, kMore), kMore - kMost - 7);
  EXPECT_EQ(log.lengthen(second, kMore), kMore) << "the third waits no more";
  EXPECT_EQ(log.lengthen(first, kMore), kMore - kMost) << "and the second as long as it can";
}

/// Two of one time stand in the order in which they were told of; with the end of the one before begins the next.
TEST(PacketCalendar, OfOneTimeTheFirstToldIsFirst) {
  PacketCalendar link;
  EXPECT_EQ(link.take(10, link.start(10), 5), 0u);
  EXPECT_EQ(link.start(10), 15u);
  EXPECT_EQ(link.start(15), 15u);
  EXPECT_EQ(link.start(16), 16u);
  EXPECT_EQ(link.start(9), 9u) << "before it";
  EXPECT_EQ(link.take(15, 15, 5), 0u) << "15 .. 19";
  EXPECT_EQ(link.take(10, link.start(10), 1), 1u) << "the one of 15 is moved back by a cycle";
  EXPECT_EQ(link.start(15), 21u);
}

TEST(PacketCalendar, TheQueueBehindIsFreeWhenThoseBeforeHaveLeft) {
  PacketCalendar link;
  models::WaitLog log;
  const auto first = link.turn(5);
  EXPECT_EQ(link.queue_free(first.place), 0u);
  link.take(first, 5, 4, log, log.add(0));
  link.leave_queue(first.place, 30);
  const auto second = link.turn(7);
  EXPECT_EQ(second.start, 9u);
  EXPECT_EQ(link.queue_free(second.place), 30u);
}

/// Of one that is not said to have left, it is free at once; of several that of the one before counts.
TEST(PacketCalendar, TheQueueBehindIsFreeWhereNobodyHasSaidThatItIsNot) {
  PacketCalendar link;
  models::WaitLog log;
  link.take(link.turn(0), 0, 4, log, log.add(0));
  EXPECT_EQ(link.queue_free(link.turn(0).place), 0u);
  const auto second = link.turn(7);
  link.take(second, 7, 4, log, log.add(0));
  link.leave_queue(second.place, 40);
  EXPECT_EQ(link.queue_free(second.place), 0u);
  EXPECT_EQ(link.queue_free(link.turn(9).place), 40u);
}

/// Calendars that are asked of cycle 0 on have it, and 1,023 more; with the next one the first 64 are over.
TEST(FlitCalendar, HasSixteenWordsFromCycleZeroOn) {
  for (const auto& [far, first] : {std::pair<std::uint64_t, std::uint64_t>{0, 0}, {15 * 64 - 1, 0}, {15 * 64, 64}}) {
    FlitCalendar link, other;
    EXPECT_EQ(FlitCalendar::first_free(link, other, 0), 0u);
    EXPECT_EQ(FlitCalendar::take(link, link, far, 1, 0).head, far);
    EXPECT_EQ(FlitCalendar::first_free(link, other, 0), far == 0 ? 1 : first) << far;
  }
}

/// 64 flits in a row, 65 that do not fit a row, and a tail that is late: all by hand.
TEST(FlitCalendar, TakesRowsOf64) {
  for (const std::uint32_t flits : {63U, 64U, 65U, 128U, 129U}) {
    FlitCalendar link, input;
    const auto row = FlitCalendar::take(link, input, 10, flits, 0);
    EXPECT_EQ(row.head, 10u) << flits;
    EXPECT_EQ(row.tail, 9u + flits);
    EXPECT_EQ(FlitCalendar::first_free(link, link, 0), 0u);
    EXPECT_EQ(FlitCalendar::first_free(link, link, 10), 10u + flits);
    EXPECT_EQ(FlitCalendar::first_free(input, input, 10), 10u + flits) << "both are taken";
    FlitCalendar late;
    const auto tail = FlitCalendar::take(late, late, 10, flits, 500);
    EXPECT_EQ(tail.head, 10u);
    EXPECT_EQ(tail.tail, 500u) << flits;
    EXPECT_EQ(FlitCalendar::first_free(late, late, 10), 9u + flits) << "all but the last are in a row";
    EXPECT_EQ(FlitCalendar::first_free(late, late, 500), 501u);
    FlitCalendar just;
    EXPECT_EQ(FlitCalendar::take(just, just, 10, flits, 9 + flits).tail, 9u + flits) << "no later than it would be";
    EXPECT_EQ(FlitCalendar::first_free(just, just, 10), 10u + flits);
  }
}

TEST(PacketCalendar, ForgetsWhatIsOverAndNothingElse) {
  PacketCalendar link;
  models::WaitLog log;
  const auto first = link.turn(5);
  link.take(first, 5, 10, log, log.add(0));
  link.leave_queue(first.place, 30);
  for (std::uint64_t at = 100; at < 100 + 40 * 15; at += 40) link.take(at, at, 20);
  ASSERT_EQ(link.known(), 16u);
  link.forget(29);
  EXPECT_EQ(link.known(), 16u) << "the channel is free from 15 on, the queue behind it not before 30";
  EXPECT_EQ(link.start(6), 15u);
  for (int i = 0; i < 16; ++i) link.take(1000, link.start(1000), 20);  // as many as before, then it looks again
  link.forget(199);
  EXPECT_EQ(link.known(), 29u) << "the first, and the two that end in 120 and 160";
  EXPECT_EQ(link.start(181), 200u) << "the one of 180 .. 199 is known";
  EXPECT_EQ(link.start(1000), 1320u);
}

TEST(PacketCalendar, WhoComesFirstGoesBeforeOneThatIsKnownAndMovesItBack) {
  PacketCalendar link;
  EXPECT_EQ(link.take(20, 20, 10), 0u);
  EXPECT_EQ(link.start(15), 15u);
  EXPECT_EQ(link.take(15, 15, 10), 5u) << "20 .. 29 becomes 25 .. 34";
  EXPECT_EQ(link.start(20), 35u);
  EXPECT_EQ(link.take(1, link.start(1), 14), 0u) << "1 .. 14: in nobody's way";
}

}  // namespace braid::test::channel_calendars_test
