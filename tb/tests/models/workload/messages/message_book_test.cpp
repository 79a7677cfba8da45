// What is counted of messages: a message is delivered with its last packet; latency over packets, by length and
// priority.
#include "models/workload/messages/message_book.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tb/tests/support/bench.h"

namespace braid::test::message_book_test {
namespace {

using namespace models;

constexpr double kUnit = 1.0 / 65536.0;  // what a normalized latency is cut off to

struct Book {
  MeasurementWindow window{true, 1000, 100};
  MessageStore store;
  MessageBook book{store, window};

  /// Delivers a packet of a message that was in the network for `network` cycles.
  void packet(std::uint32_t message, std::uint64_t cycle, std::uint64_t network = 5) {
    Packet p;
    p.message = message;
    p.injected = cycle - network;
    book.deliver(cycle, p);
  }
  /// A whole message of `packets` packets, all delivered `latency` cycles after it was made.
  void message(std::uint64_t cycle, std::uint32_t packets, std::uint64_t latency, bool priority = false) {
    const std::uint32_t slot = book.open(cycle, packets, priority);
    for (std::uint32_t p = 0; p < packets; ++p) packet(slot, cycle + latency);
  }
  MessageResults results() const { return book.statistics().results(); }
};

TEST(MessageBook, AMessageIsDeliveredWithItsLastPacket) {
  Book b;
  const std::uint32_t message = b.book.open(1000, 3, false);
  b.packet(message, 1010);
  b.packet(message, 1020);
  EXPECT_EQ(b.results().created, 1U);
  EXPECT_EQ(b.results().delivered, 0U) << "two of three";
  EXPECT_TRUE(b.results().by_length.empty());
  b.packet(message, 1030);
  const MessageResults r = b.results();
  EXPECT_EQ(r.delivered, 1U);
  EXPECT_EQ(r.latency_distribution.count, 1U);
  EXPECT_EQ(r.latency_distribution.max, 30.0);
  EXPECT_EQ(r.normalized_latency_cycles.mean, 10.0);
}

TEST(MessageBook, MessagesUnderWayAtOnceAreKeptApart) {
  Book b;
  const std::uint32_t one = b.book.open(1000, 2, false), two = b.book.open(1000, 2, false);
  EXPECT_NE(one, two);
  b.packet(one, 1010);
  b.packet(two, 1011);
  EXPECT_EQ(b.results().delivered, 0U);
  b.packet(two, 1020);
  EXPECT_EQ(b.results().delivered, 1U);
  EXPECT_EQ(b.results().latency_distribution.max, 20.0);
}

/// The second message takes the first one's slot.
TEST(MessageBook, ANewMessageBeginsAtZero) {
  Book b;
  b.message(1000, 2, 10);
  const std::uint32_t again = b.book.open(1050, 2, true);
  b.packet(again, 1060, 7);
  EXPECT_EQ(b.results().delivered, 1U);
  b.packet(again, 1070, 9);
  ASSERT_EQ(b.results().by_length.size(), 2U);
  EXPECT_EQ(b.results().by_length[1].network_latency_mean_cycles, 8.0);
}

TEST(MessageBook, AMessageOfTheWarmUpIsNotCounted) {
  Book b;
  b.window.open = false;
  const std::uint32_t early = b.book.open(990, 1, false);
  b.window.open = true;
  b.packet(early, 1010);
  const MessageResults r = b.results();
  EXPECT_EQ(r.created, 0U);
  EXPECT_EQ(r.delivered, 0U);
  EXPECT_EQ(r.latency_distribution.count, 0U);
}

TEST(MessageBook, AMessageOfTheWindowIsCountedWheneverItArrives) {
  Book b;
  const std::uint32_t late = b.book.open(1099, 1, false);
  b.window.open = false;
  b.packet(late, 9099);
  EXPECT_EQ(b.results().delivered, 1U);
  EXPECT_EQ(b.results().latency_distribution.max, 8000.0);
}

/// A message of which a packet is lost is never delivered; its slot is free when the last of the others is there, or
/// lost itself, and not before.
TEST(MessageBook, AMessageThatLosesAPacketIsNeverDelivered) {
  for (const bool lost_last : {false, true}) {
    Book b;
    const std::uint32_t message = b.book.open(1000, 3, false);
    const auto lose = [&] {
      Packet p;
      p.message = message;
      b.book.lost(p);
    };
    if (!lost_last) lose();
    b.packet(message, 1010);
    EXPECT_NE(b.book.open(1011, 1, false), message) << "it is still under way";
    b.packet(message, 1020);
    if (lost_last) {
      EXPECT_NE(b.book.open(1021, 1, false), message);
      lose();
    }
    EXPECT_EQ(b.results().delivered, 0U);
    EXPECT_EQ(b.book.open(1030, 1, true), message) << "its slot is the next one's";
    b.packet(message, 1040);
    const MessageResults r = b.results();
    EXPECT_EQ(r.delivered, 1U);
    ASSERT_EQ(r.by_length.size(), 1U);
    EXPECT_TRUE(r.by_length[0].priority);
    EXPECT_EQ(r.by_length[0].latency_mean_cycles, 10.0);
  }
}

// ---------------------------------------------------------------- figures

/// 10 / 1, 10 / 3 and 80 / 4: the mean is over messages, not of the sums.
TEST(NormalizedLatency, IsTheMeanOfLatencyOverPackets) {
  Book b;
  b.message(1000, 1, 10);
  b.message(1000, 3, 10);
  b.message(1000, 4, 80);
  EXPECT_NEAR(b.results().normalized_latency_cycles.mean, (10.0 + 10.0 / 3.0 + 20.0) / 3.0, kUnit);
}

/// Batches by cycle of creation: means 4, 6 and 14, an empty one between them; over the four messages 38 / 4.
TEST(NormalizedLatency, HasTheWidthOfItsBatches) {
  Book b;
  b.message(1000, 2, 8);
  b.message(1199, 1, 6);
  b.message(1300, 1, 10);
  b.message(1399, 1, 12 + 6);
  const Estimate e = b.results().normalized_latency_cycles;
  EXPECT_NEAR(e.mean, 38.0 / 4.0, kUnit);
  // 4, 6, 14: mean 8, variance (16 + 4 + 36) / 2 = 28.
  EXPECT_NEAR(e.half_width_95, 4.30265272974946 * std::sqrt(28.0 / 3.0), 1e-3);
}

TEST(ByLength, GroupsMessagesByPacketsAndPriority) {
  Book b;
  b.message(1000, 2, 20);
  b.message(1000, 2, 40);
  b.message(1000, 5, 100);
  b.message(1000, 2, 7, true);
  const MessageResults r = b.results();
  ASSERT_EQ(r.by_length.size(), 3U);
  const struct {
    std::uint32_t packets;
    bool priority;
    std::uint64_t messages;
    double latency;
  } expected[] = {{2, false, 2, 30.0}, {5, false, 1, 100.0}, {2, true, 1, 7.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(r.by_length[i].packets, expected[i].packets);
    EXPECT_EQ(r.by_length[i].priority, expected[i].priority);
    EXPECT_EQ(r.by_length[i].messages, expected[i].messages);
    EXPECT_EQ(r.by_length[i].latency_mean_cycles, expected[i].latency);
    EXPECT_EQ(r.by_length[i].network_latency_mean_cycles, 5.0) << "of a packet, not of a message";
  }
  EXPECT_EQ(r.created, 4U);
  EXPECT_EQ(r.delivered, 4U);
}

/// One book counts creations of all and the deliveries of none, as the source's slice does; two count deliveries.
TEST(MessageStatistics, MergedEqualOne) {
  const MeasurementWindow window{true, 0, 100};
  MessageStatistics one(window), source(window), left(window), right(window);
  for (std::uint32_t i = 0; i < 60; ++i) {
    Message m;
    m.created = 17 * i;
    m.packets = 1 + i % 4;
    m.priority = i % 5 == 0;
    m.network_latency_sum = 9 * i;
    one.created(m);
    source.created(m);
    MessageStatistics& slice = i < 12 ? left : right;
    for (MessageStatistics* s : {&one, &slice}) s->delivered(m.created + 3 * i, m);
  }
  MessageStatistics all(window);
  for (const MessageStatistics* s : {&source, &left, &right}) all.merge(*s);
  const MessageResults a = all.results(), b = one.results();
  EXPECT_EQ(a.created, 60U);
  EXPECT_EQ(a.delivered, 60U);
  EXPECT_EQ(a.normalized_latency_cycles.mean, b.normalized_latency_cycles.mean);
  EXPECT_EQ(a.normalized_latency_cycles.half_width_95, b.normalized_latency_cycles.half_width_95);
  EXPECT_EQ(a.latency_distribution.count, 60U);
  EXPECT_EQ(a.latency_distribution.p99, b.latency_distribution.p99);
  ASSERT_EQ(a.by_length.size(), 8U);
  ASSERT_EQ(b.by_length.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(a.by_length[i].messages, b.by_length[i].messages);
    EXPECT_EQ(a.by_length[i].latency_mean_cycles, b.by_length[i].latency_mean_cycles);
    EXPECT_EQ(a.by_length[i].network_latency_mean_cycles, b.by_length[i].network_latency_mean_cycles);
  }
}

/// Three packets of two flits over the ideal network: flits leave in the six cycles after the one of creation, the last
/// arrives in the seventh; each packet is two cycles in the network.
TEST(Messages, AreCutIntoPacketsOfTheirLength) {
  Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("router.architecture", "ideal");
  e.set("message.packet_flits", 2);
  Bench bench(e);
  bench.run(10);
  bench.network->window() = {true, 9, 1000};
  send_message(bench, NodeId{0}, NodeId{1}, 3, true);
  bench.run(6);
  EXPECT_EQ(sources_of(bench).message_results()->delivered, 0U);
  EXPECT_EQ(bench.delivered(), 2U);
  bench.run(1);
  const MessageResults r = *sources_of(bench).message_results();
  EXPECT_EQ(r.delivered, 1U);
  EXPECT_EQ(bench.delivered(), 3U);
  EXPECT_EQ(r.latency_distribution.max, 7.0);
  EXPECT_NEAR(r.normalized_latency_cycles.mean, 7.0 / 3.0, kUnit);
  ASSERT_EQ(r.by_length.size(), 1U);
  EXPECT_EQ(r.by_length[0].packets, 3U);
  EXPECT_TRUE(r.by_length[0].priority);
  EXPECT_EQ(r.by_length[0].network_latency_mean_cycles, 2.0);
  EXPECT_EQ(bench.network->conservation().flits_delivered, 6U);
}

TEST(Messages, HaveNoFiguresWithoutTheirLayer) {
  EXPECT_FALSE(sources_of(Bench(uniform_mesh(0.0, 2, 1))).message_results());
}

}  // namespace
}  // namespace braid::test::message_book_test
