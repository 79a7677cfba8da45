// What arbiters keep, to the bit: whose turn it is, with the numbers at which it goes round, the place of a requester
// in the order of ages, and offers with the largest numbers that they have room for. What arbiters grant:
// allocator_test.cpp, oldest_first_test.cpp.
#include <gtest/gtest.h>

#include "models/families/hybrid/arbiter.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::arbiter_registers_test {
namespace {

using models::hybrid::MatrixArbiters;
using models::hybrid::Offer;
using models::hybrid::OldestFirstArbiters;
using models::hybrid::RoundRobinArbiters;
using models::hybrid::ShortOffer;

/// A pointer has as many bits as number the requesters, and goes round in them: engines that share the registers
/// (planes, fork_allocation.h) count so.
TEST(RoundRobinPointer, GoesRoundInTheBitsThatNumberTheRequesters) {
  struct Case {
    std::size_t requesters;
    std::uint16_t numbers;
  };
  for (const Case& c : {Case{1, 1}, Case{2, 2}, Case{3, 4}, Case{4, 4}, Case{5, 8}, Case{8, 8}, Case{9, 16},
                        Case{16, 16}, Case{33, 64}, Case{64, 64}, Case{65, 128}}) {
    RoundRobinArbiters arbiters(2, c.requesters);
    EXPECT_EQ(arbiters.pointers()[0], 0) << c.requesters;
    EXPECT_EQ(arbiters.pointers()[1], 0) << c.requesters;
    for (std::size_t winner = 0; winner < c.requesters; ++winner) {
      arbiters.use(1, static_cast<std::uint16_t>(winner));
      EXPECT_EQ(arbiters.pointers()[1], winner + 1 == c.numbers ? 0 : winner + 1) << c.requesters;
      EXPECT_EQ(arbiters.rank(1, arbiters.pointers()[1]), 0U) << c.requesters;
      EXPECT_EQ(arbiters.rank(1, winner), c.numbers - 1U) << c.requesters << ": it comes last";
    }
    EXPECT_EQ(arbiters.pointers()[0], 0) << "another arbiter's";
  }
}

TEST(RoundRobinPointer, NamesARequesterWhenItIsRestored) {
  for (const std::uint16_t numbers : {1, 2, 8, 64}) {
    RoundRobinArbiters arbiters(3, numbers);
    const std::string whole = saved(arbiters);
    arbiters.pointers()[2] = static_cast<std::uint16_t>(numbers - 1);
    EXPECT_EQ(complaint<CheckpointError>([&] { restore(arbiters, saved(arbiters)); }), "");
    arbiters.pointers()[2] = numbers;
    EXPECT_EQ(complaint<CheckpointError>([&] { saved(arbiters); }), here("turn of an arbiter", numbers, numbers));
    restore(arbiters, whole);
    EXPECT_EQ(arbiters.pointers()[2], 0);
  }
}

/// Each bank has so many arbiters, however many requesters: the next bank's checkpoint begins behind them.
TEST(Arbiters, SaveARegisterForEach) {
  RoundRobinArbiters five(5, 3), six(6, 3);
  EXPECT_NE(complaint<CheckpointError>([&] { restore(six, saved(five)); }), "");
  EXPECT_NE(complaint<CheckpointError>([&] { restore(five, saved(six)); }), "");
  MatrixArbiters matrix(2, 5), other(5, 2), more(2, 6);
  other.use(4, 0);
  EXPECT_NE(complaint<CheckpointError>([&] { restore(more, saved(matrix)); }), "");
  EXPECT_NE(complaint<CheckpointError>([&] { restore(matrix, saved(other)); }), "") << "ranks of two requesters";
}

/// Served ones go behind all others; those before them stay.
TEST(MatrixArbiter, MovesUpThoseBehindTheWinner) {
  MatrixArbiters arbiters(3, 4);
  const auto order = [&](std::size_t arbiter) {
    std::string text;
    for (std::uint32_t r = 0; r < 4; ++r) text += std::to_string(arbiters.rank(arbiter, r));
    return text;
  };
  EXPECT_EQ(order(1), "0123");
  arbiters.use(1, 1);
  EXPECT_EQ(order(1), "0312");
  arbiters.use(1, 3);
  EXPECT_EQ(order(1), "0213");
  arbiters.use(1, 3);
  EXPECT_EQ(order(1), "0213") << "it is the last already";
  arbiters.use(1, 0);
  EXPECT_EQ(order(1), "3102");
  EXPECT_EQ(order(0), "0123");
  EXPECT_EQ(order(2), "0123");
  EXPECT_EQ(arbiters.ranks()[1 * 4 + 3], 2) << "[arbiter * requesters + requester]";
}

/// The age counts more than the turn, which takes the bits that number the requesters: the place of requester r of age
/// a is (highest - a) * numbers + turn.
TEST(OldestFirstRank, IsTheYouthThenTheTurn) {
  struct Case {
    std::size_t requesters;
    std::uint32_t numbers;
  };
  for (const Case& c : {Case{1, 1}, Case{2, 2}, Case{5, 8}, Case{8, 8}, Case{9, 16}}) {
    for (const unsigned bits : {1U, 3U, 16U}) {
      OldestFirstArbiters arbiters(2, c.requesters, bits);
      const std::uint32_t highest = (1U << bits) - 1;
      const auto last = static_cast<std::uint32_t>(c.requesters - 1);
      EXPECT_EQ(arbiters.rank(1, last, 0), highest * c.numbers + last) << c.requesters << ", " << bits;
      EXPECT_EQ(arbiters.rank(1, last, 1), (highest - 1) * c.numbers + last);
      EXPECT_EQ(arbiters.rank(1, last, highest), last);
      EXPECT_EQ(arbiters.rank(1, last, highest + 1), last) << "it counts no further";
      arbiters.use(1, last);
      EXPECT_EQ(arbiters.rank(1, last, highest), c.numbers - 1) << "its turn was the last";
      EXPECT_EQ(arbiters.rank(0, last, highest), last) << "another arbiter's turn";
    }
  }
}

/// Requesters that are no packets go in turn.
TEST(OldestFirstRank, PicksInTurnWhoHasNoAge) {
  OldestFirstArbiters arbiters(1, 4, 4);
  EXPECT_EQ(arbiters.pick(0, 0b1010), 1U);
  arbiters.use(0, 1);
  EXPECT_EQ(arbiters.pick(0, 0b1010), 3U);
}

/// The lowest rank wins, whoever comes first; the sender is what was said, up to the largest number but one.
template <class Best>
void expect_best_of(std::uint32_t largest) {
  Best best;
  EXPECT_TRUE(best.empty());
  best.improve({largest, 5});
  EXPECT_FALSE(best.empty());
  EXPECT_EQ(best.from(), 5U);
  best.improve({largest - 1, largest});
  EXPECT_EQ(best.from(), largest);
  best.improve({largest, 0});
  EXPECT_EQ(best.from(), largest) << "a higher rank";
  best.improve({0, largest - 1});
  EXPECT_EQ(best.from(), largest - 1);
  best.improve({1, 0});
  EXPECT_EQ(best.from(), largest - 1);
  EXPECT_FALSE(Best(0, 0).empty());
  best = {};
  EXPECT_TRUE(best.empty());
}
/// Of two ranks the lower wins, whichever of their bits tells them apart; and each bit of a sender comes back.
template <class Best>
void expect_every_bit(unsigned bits) {
  for (unsigned bit = 0; bit < bits; ++bit) {
    const std::uint32_t high = std::uint32_t{1} << bit, low = high - 1;
    Best first(high, 1), second(low, 2);
    first.improve({low, 2});
    second.improve({high, 1});
    EXPECT_EQ(first.from(), 2U) << bit;
    EXPECT_EQ(second.from(), 2U) << bit;
    EXPECT_EQ(Best(low, high).from(), high) << bit;
    EXPECT_EQ(Best(high, low).from(), low) << bit;
    EXPECT_FALSE(Best(high, high).empty()) << bit;
  }
}
TEST(BestOffer, LooksAtEveryBitOfTheRank) {
  expect_every_bit<Offer>(32);
  expect_every_bit<ShortOffer>(16);
}
/// Of equal ranks the lower sender: arbiters have no equal ranks, offers of one arbiter have no equal senders.
TEST(BestOffer, IsEmptyInOneWordAlone) {
  EXPECT_TRUE(Offer().empty());
  EXPECT_TRUE(ShortOffer().empty());
  EXPECT_FALSE(Offer(UINT32_MAX, UINT32_MAX - 1).empty());
  EXPECT_FALSE(Offer(UINT32_MAX - 1, UINT32_MAX).empty());
  EXPECT_FALSE(ShortOffer(65535, 65534).empty());
  EXPECT_FALSE(ShortOffer(65534, 65535).empty());
  Offer tie(7, 4);
  tie.improve({7, 3});
  EXPECT_EQ(tie.from(), 3U);
  tie.improve({7, 4});
  EXPECT_EQ(tie.from(), 3U);
}

TEST(BestOffer, HasRoomForRanksAndSendersOf32Bits) { expect_best_of<Offer>(UINT32_MAX - 1); }
TEST(BestOffer, OfAShortWordHasRoomForNumbersBelow65535) { expect_best_of<ShortOffer>(65534); }

}  // namespace
}  // namespace braid::test::arbiter_registers_test
