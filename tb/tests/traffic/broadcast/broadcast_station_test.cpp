// One position of a broadcast, message by message; and the parts that schemes give positions.
#include "traffic/broadcast/broadcast_station.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "routing/base/checkpoint.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/complaint.h"
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::test::broadcast_station_test {
namespace {

using namespace traffic;
using Ints = std::vector<std::uint32_t>;
using Kind = BroadcastStation::Step::Kind;

/// "kind broadcast other" of each step; `other` only where it counts.
std::vector<std::string> told(const BroadcastStation::Steps& steps) {
  std::vector<std::string> all;
  for (const auto& s : steps) {
    const char* const names[] = {"tell", "tell all", "handle", "again", "complete", "done"};
    std::string text = names[static_cast<int>(s.kind)] + (" " + std::to_string(s.broadcast));
    if (s.kind == Kind::kTell || s.kind == Kind::kAgain) text += " " + std::to_string(s.other);
    all.push_back(text);
  }
  return all;
}
using Told = std::vector<std::string>;

std::string refusal(BroadcastStation& station, std::uint32_t broadcast, std::uint32_t from) {
  return complaint<BroadcastError>([&] { station.hear(broadcast, from); });
}

/// Hears 0 and 3, tells 4 and 5 at once and 0 in the end.
const BroadcastPart kInner{"inner", {0, 3}, {4, 5}, {0}, false};
const BroadcastPart kRoot{"root", {1, 2}, {1, 2}, {}, false};

TEST(BroadcastStation, TellsWhatItKnowsOfABroadcast) {
  BroadcastStation station(7, kInner, false);
  EXPECT_EQ(station.position(), 7U);
  EXPECT_FALSE(station.progress(4).begun);
  EXPECT_FALSE(station.progress(4).done);
  EXPECT_EQ(station.progress(4).heard, Ints{});
  EXPECT_FALSE(station.has_begun(4));
  EXPECT_EQ(station.under_way(), 0U);
  EXPECT_EQ(told(station.hear(4, 3)), (Told{"tell 4 4", "tell 4 5", "handle 4"}));
  EXPECT_TRUE(station.progress(4).begun);
  EXPECT_FALSE(station.progress(4).done);
  EXPECT_EQ(station.progress(4).heard, Ints{3});
  EXPECT_TRUE(station.has_begun(4));
  EXPECT_FALSE(station.has_begun(3));
  EXPECT_EQ(station.under_way(), 1U);
  EXPECT_EQ(told(station.hear(4, 0)), Told{});
  EXPECT_EQ(station.progress(4).heard, (Ints{3, 0})) << "as they came";
  EXPECT_EQ(told(station.handled(4)), (Told{"tell 4 0", "done 4"}));
  EXPECT_TRUE(station.progress(4).begun);
  EXPECT_TRUE(station.progress(4).done);
  EXPECT_EQ(station.progress(4).heard, kInner.heard);
  EXPECT_EQ(station.under_way(), 0U);
  EXPECT_TRUE(station.has_begun(4));
}

/// The event first, or the last message first: what comes last ends it.
TEST(BroadcastStation, EndsWithTheEventAndEveryMessage) {
  BroadcastStation station(7, kInner, false);
  EXPECT_EQ(told(station.hear(0, 0)), (Told{"tell 0 4", "tell 0 5", "handle 0"}));
  EXPECT_EQ(told(station.handled(0)), Told{});
  EXPECT_EQ(told(station.hear(0, 3)), (Told{"tell 0 0", "done 0"}));
  BroadcastStation root(0, kRoot, false);
  EXPECT_EQ(told(root.begin(0)), (Told{"tell 0 1", "tell 0 2", "handle 0"}));
  EXPECT_EQ(told(root.hear(0, 2)), Told{});
  EXPECT_EQ(told(root.handled(0)), Told{});
  EXPECT_EQ(told(root.hear(0, 1)), (Told{"complete 0", "done 0"}));
}

/// Done in any order; those below the first that is not done are one number.
TEST(BroadcastStation, KeepsBroadcastsApart) {
  BroadcastStation station(7, kInner, false);
  const auto all_of = [&](std::uint32_t b) {
    station.hear(b, 0);
    station.hear(b, 3);
    station.handled(b);
  };
  for (const std::uint32_t b : {2U, 0U, 3U}) all_of(b);
  EXPECT_TRUE(station.progress(0).done);
  EXPECT_FALSE(station.progress(1).begun);
  EXPECT_TRUE(station.progress(2).done);
  EXPECT_TRUE(station.progress(3).done);
  EXPECT_FALSE(station.progress(4).begun);
  EXPECT_EQ(refusal(station, 2, 0),
            "position 7 (inner) was told of broadcast 2 by position 0, after it was done with it");
  all_of(1);
  for (std::uint32_t b = 0; b < 4; ++b) EXPECT_TRUE(station.progress(b).done) << b;
  EXPECT_FALSE(station.has_begun(4));
  EXPECT_EQ(told(station.hear(4, 0)).size(), 3U);
  EXPECT_EQ(told(station.hear(9, 0)).size(), 3U) << "one more, beside it";
  EXPECT_EQ(station.under_way(), 2U);
}

/// What comes too early is put aside, and taken up when all before it has been handled.
TEST(BroadcastStation, SequencedPutsAsideWhatIsNotDue) {
  BroadcastStation station(7, kInner, true);
  EXPECT_EQ(told(station.hear(2, 0)), Told{});
  EXPECT_EQ(told(station.hear(1, 3)), Told{});
  EXPECT_EQ(told(station.hear(1, 0)), Told{});
  EXPECT_FALSE(station.has_begun(1));
  EXPECT_EQ(refusal(station, 1, 3), "position 7 (inner) was told of broadcast 1 by position 3, once more");
  EXPECT_EQ(told(station.hear(0, 0)).size(), 3U);
  EXPECT_EQ(told(station.handled(0)), (Told{"again 1 3", "again 1 0"})) << "not yet done, but handled";
  EXPECT_EQ(told(station.hear_again(1, 3)), (Told{"tell 1 4", "tell 1 5", "handle 1"}));
  EXPECT_EQ(told(station.hear_again(1, 0)), Told{});
  EXPECT_EQ(told(station.handled(1)), (Told{"again 2 0", "tell 1 0", "done 1"}));
  EXPECT_EQ(told(station.hear_again(2, 0)).size(), 3U);
  EXPECT_EQ(told(station.hear(0, 3)), (Told{"tell 0 0", "done 0"})) << "late, but of one that has begun";
  BroadcastStation as_it_comes(7, kInner, false);
  EXPECT_EQ(told(as_it_comes.hear(2, 0)).size(), 3U);
}

/// As in an all-reduce: messages may be there before it begins, which none of them does.
TEST(BroadcastStation, ThatBeginsItselfWaitsForNobody) {
  BroadcastStation station(7, kInner, false, true);
  EXPECT_EQ(told(station.hear(0, 3)), Told{});
  EXPECT_TRUE(station.has_begun(0)) << "it has heard";
  EXPECT_EQ(told(station.begin(0)), (Told{"tell 0 4", "tell 0 5", "handle 0"}));
  EXPECT_EQ(told(station.handled(0)), Told{});
  EXPECT_EQ(told(station.hear(0, 0)), (Told{"tell 0 0", "done 0"}));
  BroadcastStation root(0, kRoot, false, true);
  EXPECT_EQ(refusal(root, 0, 1), "");
  BroadcastStation begun(0, kRoot, false);
  EXPECT_EQ(refusal(begun, 0, 1), "position 0 (root) was told of broadcast 0 by position 1, before it began");
}

/// One packet to all of them, which is none where there is nobody.
TEST(BroadcastStation, TellsAllByOnePacket) {
  BroadcastPart part = kRoot;
  part.by_one_packet = true;
  BroadcastStation root(0, part, false);
  EXPECT_EQ(told(root.begin(0)), (Told{"tell all 0", "handle 0"}));
  part.told_at_once.clear();
  EXPECT_EQ(told(root.begin(1)), Told{"handle 1"});
}

TEST(BroadcastStation, GivesUpOnAcknowledgements) {
  BroadcastStation root(0, kRoot, false);
  (void)root.begin(0);
  root.give_up(0);
  EXPECT_EQ(root.under_way(), 0U);
  EXPECT_EQ(told(root.handled(0)), Told{}) << "nobody waits for it";
  EXPECT_EQ(refusal(root, 0, 1), "position 0 (root) was told of broadcast 0 by position 1, after it was done with it");
}

/// All of it: what is under way and what of it was heard and handled, what was put aside, what is done.
TEST(BroadcastStation, GoesOnFromACheckpoint) {
  BroadcastStation station(7, kInner, true);
  for (const std::uint32_t b : {0U, 1U}) {
    (void)station.hear(b, 0);
    (void)station.handled(b);
  }
  (void)station.hear(1, 3);  // done, before the first
  (void)station.hear(2, 3);
  (void)station.hear(4, 0);  // not due
  Checkpoint saved;
  station.checkpoint(saved);
  BroadcastStation again(7, kInner, true);
  Checkpoint from(saved.bytes());
  again.checkpoint(from);
  EXPECT_EQ(again.under_way(), 2U);
  EXPECT_EQ(again.progress(0).heard, Ints{0});
  EXPECT_FALSE(again.progress(0).done);
  EXPECT_TRUE(again.progress(1).done);
  EXPECT_EQ(again.progress(2).heard, Ints{3});
  EXPECT_EQ(refusal(again, 4, 0), "position 7 (inner) was told of broadcast 4 by position 0, once more");
  EXPECT_EQ(told(again.hear(3, 0)), Told{}) << "2 has not been handled";
  EXPECT_EQ(told(again.hear(0, 3)), (Told{"tell 0 0", "done 0"})) << "it was handled";
  EXPECT_EQ(told(again.handled(2)), Told{"again 3 0"});
  EXPECT_EQ(told(again.hear_again(3, 0)).size(), 3U);
  EXPECT_EQ(told(again.handled(3)), Told{"again 4 0"});
  EXPECT_EQ(told(again.hear(2, 0)), (Told{"tell 2 0", "done 2"}));
  EXPECT_FALSE(again.progress(5).begun);
}

/// Over two links a position may be told twice, not three times.
TEST(BroadcastStation, HearsOnceOverEachLink) {
  const BroadcastPart twice{"gather", {4, 4, 5}, {}, {0}, false};
  BroadcastStation station(1, twice, false);
  EXPECT_EQ(refusal(station, 0, 4), "");
  EXPECT_EQ(refusal(station, 0, 4), "");
  EXPECT_EQ(refusal(station, 0, 4), "position 1 (gather) was told of broadcast 0 by position 4, once more");
  EXPECT_EQ(refusal(station, 0, 6), "position 1 (gather) was told of broadcast 0 by position 6, whom it does not hear");
  EXPECT_EQ(told(station.handled(0)), Told{});
  EXPECT_EQ(told(station.hear(0, 5)), (Told{"tell 0 0", "done 0"}));
}

std::string roles(const char* name, std::uint32_t positions, const Configuration& c = {}) {
  const auto scheme = BroadcastSchemeRegistry::instance().make(name, {positions, routing::Topology{}, NodeId{0}, c});
  std::string all;
  for (const BroadcastPart& part : scheme->parts()) all += (all.empty() ? "" : " ") + part.role;
  return all;
}

TEST(BroadcastScheme, PositionsHaveTheRolesOfThePaper) {
  Configuration c;
  c.set("broadcast.arity", 2);
  EXPECT_EQ(roles("diamond_ring", 9, c), "root gather gather centre centre centre centre scatter scatter");
  EXPECT_EQ(roles("balanced_tree", 6, c), "root inner inner leaf leaf leaf");
  EXPECT_EQ(roles("balanced_tree", 5, c), "root inner leaf leaf leaf");
  c.set("broadcast.arity", 1);
  EXPECT_EQ(roles("balanced_tree", 3, c), "root inner leaf");
  EXPECT_EQ(roles("unicast", 3), "root leaf leaf");
  EXPECT_EQ(roles("router_multicast", 3), "root leaf leaf");
}

TEST(BroadcastScheme, OnlyAMulticastIsCopiedByRouters) {
  const auto scheme = [](const char* name) {
    return BroadcastSchemeRegistry::instance().make(name, {4, routing::Topology{}, NodeId{0}, Configuration{}});
  };
  const auto multicast = scheme("router_multicast"), unicast = scheme("unicast");
  EXPECT_TRUE(copies_packets(multicast->parts()));
  EXPECT_FALSE(copies_packets(unicast->parts()));
  EXPECT_EQ(message_count(multicast->parts()), 1U + 3) << "one packet, three answers";
  EXPECT_EQ(message_count(unicast->parts()), 3U + 3);
  EXPECT_EQ(longest_path(multicast->parts()), 2U);
  EXPECT_NO_THROW(refuse_copies(unicast->parts(), "a line"));
  EXPECT_THROW(refuse_copies(multicast->parts(), "a line"), InputError);
  const auto nobody = BroadcastSchemeRegistry::instance().make("router_multicast",
                                                               {1, routing::Topology{}, NodeId{0}, Configuration{}});
  EXPECT_EQ(message_count(nobody->parts()), 0U);
}

}  // namespace
}  // namespace braid::test::broadcast_station_test
