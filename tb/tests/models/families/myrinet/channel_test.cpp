// What a channel of Myrinet-like switches counts, flit by flit, and whose turn it is at an output port.
#include "models/families/myrinet/channel.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/families/myrinet/slice.h"

namespace braid::test::myrinet_channel_test {
namespace {

using models::kNone;
using models::myrinet::Channel;
using models::myrinet::Output;
using models::myrinet::Passing;
using models::myrinet::RunningCount;

/// It counts a cycle in which it runs from the start of the next one on.
TEST(RunningCount, GrowsByOneInEachCycleInWhichItRuns) {
  RunningCount count;
  EXPECT_EQ(count.at(50), 0U);
  EXPECT_FALSE(count.running());
  count.start(10);
  EXPECT_TRUE(count.running());
  EXPECT_EQ(count.at(10), 0U);
  EXPECT_EQ(count.at(11), 1U);
  EXPECT_EQ(count.at(15), 5U);
  count.stop(15);
  EXPECT_FALSE(count.running());
  EXPECT_EQ(count.at(15), 5U);
  EXPECT_EQ(count.at(99), 5U);
  count.add(3);
  EXPECT_EQ(count.at(99), 8U);
  count.start(20);
  EXPECT_EQ(count.at(22), 10U) << "on from what it was";
  count.add(1);
  EXPECT_EQ(count.at(22), 11U);
  count.stop(22);
  EXPECT_EQ(count.at(30), 11U);
}

/// Two flits of header and five of payload, the first of them number 100 of its channel.
Passing seven() {
  Passing p;
  p.header = 2;
  p.flits = 7;
  p.first = 100;
  return p;
}

TEST(PassingPacket, KnowsHowManyOfTheFlitsBeforeANumberAreItsPayload) {
  const Passing p = seven();
  EXPECT_EQ(p.payload(), 5U);
  EXPECT_EQ(p.end(), 107U);
  EXPECT_FALSE(p.only_end_sign());
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> cases = {{0, 0},   {100, 0}, {101, 0}, {102, 0},
                                                                      {103, 1}, {106, 4}, {107, 5}, {108, 5}};
  for (const auto& [number, payload] : cases) EXPECT_EQ(p.payload_before(number), payload) << number;
}

/// The last flit that is left is an end sign, and no payload; of a packet cut within its header nothing else is left.
TEST(PassingPacket, EndsWithAnEndSignWhereItIsCut) {
  Passing p = seven();
  p.shorten(2);
  EXPECT_TRUE(p.cut);
  EXPECT_EQ(p.flits, 5U);
  EXPECT_EQ(p.header, 2U);
  EXPECT_EQ(p.payload(), 2U);
  EXPECT_EQ(p.payload_before(107), 2U);
  EXPECT_FALSE(p.only_end_sign());
  p.shorten(2);
  EXPECT_EQ(p.flits, 3U);
  EXPECT_EQ(p.header, 2U);
  EXPECT_EQ(p.payload(), 0U);
  p.shorten(1);
  EXPECT_EQ(p.header, 1U) << "the end sign takes the place of a header's flit";
  EXPECT_EQ(p.payload(), 0U);
  EXPECT_FALSE(p.only_end_sign());
  p.shorten(1);
  EXPECT_EQ(p.flits, 1U);
  EXPECT_EQ(p.header, 0U);
  EXPECT_TRUE(p.only_end_sign());
  Passing one;
  one.flits = 1;
  EXPECT_FALSE(one.only_end_sign()) << "a flit of payload";
}

/// What was never begun has no flit.
TEST(PassingPacket, IsOfNoFlitBeforeItIsBegun) {
  const Passing none;
  EXPECT_EQ(none.flits, 0U);
  EXPECT_EQ(none.payload(), 0U);
  EXPECT_EQ(none.end(), 0U);
  EXPECT_EQ(none.payload_before(100), 0U);
  EXPECT_FALSE(none.only_end_sign());
  EXPECT_EQ(none.route, routing::kNoRoute);
  EXPECT_EQ(none.hop, 0U);
}

/// A channel before its first packet: it may send, has sent nothing, and nothing is at its far end.
TEST(MyrinetChannel, BeginsWithNothingAndMaySend) {
  const Channel c;
  EXPECT_FALSE(c.open);
  EXPECT_TRUE(c.go);
  EXPECT_FALSE(c.stopping);
  EXPECT_FALSE(c.dead);
  EXPECT_FALSE(c.to_node);
  EXPECT_FALSE(c.from_node);
  EXPECT_EQ(c.target, kNone);
  EXPECT_EQ(c.source, kNone);
  EXPECT_TRUE(c.passing.empty());
  for (const RunningCount* count : {&c.sent, &c.stopped, &c.arrived, &c.left}) {
    EXPECT_FALSE(count->running());
    EXPECT_EQ(count->at(1000), 0U);
  }
  EXPECT_EQ(c.occupancy(1000), 0U);
  EXPECT_EQ(c.lost(1000), 0U);
  EXPECT_EQ(c.payload_of_gone, 0U);
  EXPECT_EQ(c.sent_before, 0U);
  EXPECT_FALSE(c.tail_noted);
}

/// It begins with port 0, and nobody has it.
TEST(MyrinetOutput, IsFreeBeforeItsFirstGrant) {
  Output output;
  EXPECT_EQ(output.input, kNone);
  EXPECT_EQ(output.asked, 0U);
  output.asked = 0b11;
  EXPECT_EQ(output.grant(), 0U);
  const models::myrinet::Input input;
  EXPECT_EQ(input.state, models::myrinet::Input::State::kIdle);
  EXPECT_EQ(input.output, kNone);
  EXPECT_EQ(input.taken, 0U) << "no header was";
}

TEST(MyrinetChannel, SendsWhatItHasBegunWhileItMayAndSomethingIsThere) {
  Channel c;
  EXPECT_FALSE(c.sends(1)) << "no packet";
  EXPECT_FALSE(c.has_sent_all(5));
  c.tail_noted = true;
  c.sent.add(100);
  c.begin(seven(), 3);
  EXPECT_TRUE(c.open);
  EXPECT_FALSE(c.tail_noted);
  EXPECT_EQ(c.source, 3U);
  EXPECT_EQ(c.passing.size(), 1U);
  EXPECT_TRUE(c.sends(1));
  EXPECT_FALSE(c.sends(0));
  c.go = false;
  EXPECT_FALSE(c.sends(1));
  EXPECT_EQ(c.unsent(5), 7U);
  c.sent.add(6);
  EXPECT_FALSE(c.has_sent_all(5));
  c.sent.add(1);
  EXPECT_EQ(c.unsent(5), 0U);
  EXPECT_TRUE(c.has_sent_all(5));
  c.arrived.add(5);
  c.left.add(3);
  EXPECT_EQ(c.occupancy(5), 2U);
  EXPECT_EQ(c.lost(5), 0U);
}

/// Its link went down when 4 flits had been sent, two of them payload: what follows goes into the void.
TEST(MyrinetChannel, LosesWhatItSendsWhileItsLinkIsDown) {
  Channel c;
  c.sent.add(100);
  c.begin(seven(), kNone);
  c.sent.add(4);
  c.dead = true;
  c.sent_before = 104;
  c.payload_lost = 10;  // of others
  EXPECT_EQ(c.lost(0), 10U);
  c.sent.add(2);
  EXPECT_EQ(c.payload_into_void(0), 2U);
  EXPECT_EQ(c.lost(0), 12U);
  c.open = false;
  EXPECT_EQ(c.lost(0), 10U) << "what it has sent whole is counted by then";
  c.begin(seven(), kNone);
  EXPECT_EQ(c.passing.size(), 1U) << "and nothing comes any more";
}

/// Of 64 ports: behind the last winner, and from the first one again.
TEST(MyrinetOutput, IsGrantedInTurn) {
  Output output;
  const auto bit = [](unsigned port) { return std::uint64_t{1} << port; };
  output.asked = bit(0) | bit(5) | bit(63);
  for (const std::uint32_t winner : {0U, 5U, 63U}) {
    EXPECT_EQ(output.grant(), winner);
    EXPECT_EQ(output.last, winner + 1);
    EXPECT_EQ(output.asked & bit(winner), 0U) << "it asks no more";
  }
  output.asked = bit(63) | bit(7);
  EXPECT_EQ(output.grant(), 7U) << "behind 63 comes 0";
  output.asked = bit(7) | bit(6);
  EXPECT_EQ(output.grant(), 6U) << "nobody asks behind 7";
  output.asked = bit(6) | bit(7) | bit(8);
  EXPECT_EQ(output.grant(), 7U);
  EXPECT_EQ(output.asked, bit(6) | bit(8));
}

}  // namespace
}  // namespace braid::test::myrinet_channel_test
