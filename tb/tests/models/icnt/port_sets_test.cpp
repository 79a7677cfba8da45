// Sets of ports in words of 64 bits against sets of the library, at the words' ends; packets in lists; wires.
#include "models/icnt/port_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "models/icnt/packets.h"
#include "models/icnt/round_robin.h"
#include "models/icnt/wires.h"
#include "routing/base/random.h"

namespace braid::models::icnt {
namespace {

/// The first member from `from` on, past the last from the first again.
unsigned next_of(const std::set<unsigned>& members, unsigned from) {
  const auto found = members.lower_bound(from);
  return found != members.end() ? *found : *members.begin();
}

TEST(IcntPortSets, AreSetsOfAnySize) {
  Random random(5);
  for (const unsigned members : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 200U}) {
    constexpr std::size_t kSets = 3;
    PortSets sets(kSets, members);
    EXPECT_EQ(sets.words(), (members + 63) / 64) << members;
    std::vector<std::set<unsigned>> expected(kSets);
    for (int i = 0; i < 600; ++i) {
      const std::size_t s = random.below(kSets);
      const auto member = static_cast<unsigned>(i == 0 ? members - 1 : random.below(members));
      std::set<unsigned>& set = expected[s];
      if (set.count(member) == 0 && (set.size() < 5 || random.below(2) == 0)) {
        EXPECT_EQ(sets.insert(s, member), set.empty());
        set.insert(member);
      } else if (set.count(member) != 0) {
        EXPECT_EQ(sets.erase(s, member), set.size() == 1);
        set.erase(member);
      }
      for (std::size_t other = 0; other < kSets; ++other) {
        ASSERT_EQ(sets.size(other), expected[other].size());
        ASSERT_EQ(sets.empty(other), expected[other].empty());
      }
      ASSERT_EQ(sets.has(s, member), set.count(member) != 0);
      if (set.empty()) continue;
      const auto from = static_cast<unsigned>(random.below(members));
      ASSERT_EQ(sets.next(s, from), next_of(set, from)) << from << " of " << members;
      std::vector<unsigned> each;
      PortSets::each(sets.bits(s), sets.words(), [&](unsigned m) { each.push_back(m); });
      ASSERT_EQ(each, std::vector<unsigned>(set.begin(), set.end()));
    }
  }
}

TEST(IcntWorkSet, IsWalkedInOrderAndMembersMayLeaveMeanwhile) {
  for (const std::size_t members : {1U, 64U, 65U, 130U}) {
    WorkSet set(members);
    std::vector<std::size_t> all;
    for (std::size_t m = 0; m < members; m += 3) all.push_back(m);
    if (all.back() != members - 1) all.push_back(members - 1);
    for (auto m = all.rbegin(); m != all.rend(); ++m) set.insert(*m);
    set.insert(all.front());  // once more
    std::vector<std::size_t> walked, left;
    set.each([&](std::size_t m) {
      walked.push_back(m);
      if (m % 2 == 0) set.erase(m);
    });
    EXPECT_EQ(walked, all) << members;
    set.each([&](std::size_t m) { left.push_back(m); });
    all.erase(std::remove_if(all.begin(), all.end(), [](std::size_t m) { return m % 2 == 0; }), all.end());
    EXPECT_EQ(left, all) << members;
  }
}

TEST(IcntRoundRobin, DistancesGoAround) {
  EXPECT_EQ(distance(3, 3, 5), 0U);
  EXPECT_EQ(distance(4, 3, 5), 1U);
  EXPECT_EQ(distance(0, 3, 5), 2U);
  EXPECT_EQ(distance(2, 3, 5), 4U);
  EXPECT_EQ(distance(0, 0, 1), 0U);
}

TEST(IcntPackets, StandInListsInOrderAndAreUsedAgain) {
  PacketPool pool;
  PacketList one, other;
  std::vector<PacketId> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(pool.take());
  EXPECT_EQ(ids, (std::vector<PacketId>{0, 1, 2, 3}));
  pool.append(one, 2);
  EXPECT_EQ(one.first, 2U);
  EXPECT_EQ(one.last, 2U);
  pool.append(one, 0);
  pool.append(other, 3);
  pool.append(one, 1);
  EXPECT_EQ(one.count, 3U);
  EXPECT_EQ(one.last, 1U);
  for (const PacketId expected : {2U, 0U, 1U}) {
    EXPECT_EQ(one.first, expected);
    pool.drop_first(one);
  }
  EXPECT_EQ(one.count, 0U);
  pool.append(one, 3);  // which stands in the other, too: an empty list begins anew
  EXPECT_EQ(one.first, 3U);
  EXPECT_EQ(one.last, 3U);
  pool.give_back(1);
  pool.give_back(2);
  EXPECT_EQ(pool.take(), 2U);
  EXPECT_EQ(pool.take(), 1U);
  EXPECT_EQ(pool.take(), 4U);
}

/// What is written in cycle n to a wire of latency l is read in n + 1 + l; credits to routers after their delay beside.
TEST(IcntWires, BringFlitsAndCreditsInTheirCycles) {
  for (const unsigned longest : {1U, 2U, 3U, 7U, 1000U}) {
    for (const unsigned delay : {0U, 1U, 5U}) {
      Wires wires(delay, longest);
      constexpr std::uint64_t kBegin = 3;
      for (std::uint64_t i = 0; i < kBegin; ++i) wires.advance();
      wires.flit_to_router({7, 1}, longest);
      wires.flit_to_router({8, 1});
      wires.flit_to_node({9, 1});
      wires.credit_to_router(4, longest);
      wires.credit_to_router(6);
      wires.credit_to_node(5);
      for (std::uint64_t now = kBegin; now < kBegin + longest + delay + 4; ++now) {
        std::vector<std::uint32_t> flits, expected;
        for (const Flit& flit : wires.flits_at_routers()) flits.push_back(flit.place);
        if (now == kBegin + 1 + longest) expected.push_back(7);
        if (now == kBegin + 2) expected.push_back(8);
        EXPECT_EQ(flits, expected) << now << " " << longest;
        wires.flits_at_routers().clear();
        EXPECT_EQ(wires.flits_at_nodes().size(), now == kBegin + 2 ? 1U : 0U);
        wires.flits_at_nodes().clear();
        std::vector<std::uint32_t> credits;
        if (now == kBegin + 1 + longest + delay) credits.push_back(4);
        if (now == kBegin + 2 + delay) credits.push_back(6);
        EXPECT_EQ(wires.credits_at_routers(), credits) << now << " " << longest << " " << delay;
        wires.credits_at_routers().clear();
        EXPECT_EQ(wires.credits_at_nodes().size(), now == kBegin + 2 ? 1U : 0U);
        wires.credits_at_nodes().clear();
        EXPECT_EQ(wires.now(), now);
        wires.advance();
      }
    }
  }
}

}  // namespace
}  // namespace braid::models::icnt
