// Names of packets under way in planes: who has free ones, and what is counted of a packet there.
#include "models/families/hybrid/planes/voyages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/fabric/packet_log.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::planes_voyages_test {
namespace {

using models::hybrid::planes::Voyage;
using models::hybrid::planes::VoyageId;
using models::hybrid::planes::Voyages;
using Free = Voyages::Free;

/// Nobody has a name that another has, or that is not there.
void expect_each_once(const Voyages& voyages, const std::vector<const Free*>& all) {
  std::vector<VoyageId> names;
  for (const Free* free : all) names.insert(names.end(), free->ids.begin(), free->ids.end());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "two have one name";
  EXPECT_TRUE(names.empty() || names.back() < voyages.size());
}

TEST(Voyages, AreAsManyAsASliceNeeds) {
  Voyages voyages;
  Free free{{}, 5}, other;
  EXPECT_TRUE(free.lacks());
  voyages.provide(free, free);
  EXPECT_EQ(free.ids.size(), 5U);
  EXPECT_EQ(voyages.size(), 5U);
  EXPECT_FALSE(free.lacks());
  free.ids.resize(2);
  voyages.provide(free, other);
  EXPECT_EQ(free.ids.size(), 5U);
  EXPECT_EQ(voyages.size(), 8U);
}

/// Who begins many and ends few gets those of who ends many: there are few more than are under way at once.
TEST(Voyages, GoFromWhoHasManyToWhoHasFew) {
  Voyages voyages;
  Free begins{{}, 3}, ends{{}, 2};
  for (int cycle = 0; cycle < 1000; ++cycle) {
    for (Free* free : {&begins, &ends}) {
      if (free->lacks()) voyages.provide(*free, free == &begins ? ends : begins);
    }
    ASSERT_FALSE(begins.lacks() || ends.lacks());
    expect_each_once(voyages, {&begins, &ends});
    for (int i = 0; i < 3; ++i) {
      ends.ids.push_back(begins.ids.back());
      begins.ids.pop_back();
    }
  }
  EXPECT_LT(voyages.size(), 25U);
}

/// Four times what is needed, beyond the giver's own need; then half of that.
TEST(Voyages, AreNotTakenFromWhoNeedsThem) {
  Voyages voyages;
  Free one{{}, 100}, two{{}, 4};
  voyages.provide(one, one);
  for (int i = 0; i < 15; ++i) one.ids.push_back(voyages.add({}));
  voyages.provide(two, one);
  EXPECT_EQ(one.ids.size(), 115U);
  EXPECT_EQ(two.ids.size(), 4U);
  one.ids.push_back(voyages.add({}));
  two.ids.pop_back();
  voyages.provide(two, one);
  EXPECT_EQ(one.ids.size(), 108U);
  EXPECT_EQ(two.ids.size(), 11U);
  expect_each_once(voyages, {&one, &two});
}

TEST(Voyages, KnowTheLengthOfPacketsThatNobodyLogs) {
  models::Packet packet;
  packet.destination = NodeId{7};
  packet.length_flits = 9;
  packet.routers = 3;
  Voyage voyage = models::hybrid::planes::voyage_of(packet, 70'000);
  EXPECT_EQ(voyage.packet, 70'000U);
  EXPECT_EQ(voyage.destination, NodeId{7});
  EXPECT_EQ(voyage.length_flits, 9U);
  EXPECT_EQ(voyage.routers, 0U);
  models::PacketRecord record;
  packet.record = &record;
  voyage = models::hybrid::planes::voyage_of(packet, 70'000);
  EXPECT_EQ(voyage.length_flits, 0U);
}

/// On threads no two are in one line of memory, whoever has which.
TEST(Voyages, AreApartOnThreads) {
  Voyages near, apart(true);
  std::vector<std::uintptr_t> lines;
  for (VoyageId id = 0; id < 9; ++id) {
    Voyage voyage;
    voyage.packet = 100 + id;
    EXPECT_EQ(near.add(voyage), id);
    EXPECT_EQ(apart.add(voyage), id);
  }
  EXPECT_EQ(near.size(), 9U);
  EXPECT_EQ(apart.size(), 9U);
  for (VoyageId id = 0; id < 9; ++id) {
    EXPECT_EQ(near.view()[id].packet, 100 + id);
    EXPECT_EQ(apart.view()[id].packet, 100 + id);
    lines.push_back(reinterpret_cast<std::uintptr_t>(&apart.view()[id]) / 64);
  }
  EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end());
  EXPECT_EQ(&near.view()[1] - &near.view()[0], 1);
}

TEST(Voyages, CountRoutersOnce) {
  models::PacketStore store;
  models::PacketStore::Pool pool(store);
  const models::PacketSlot slot = pool.take();
  store[slot].routers = 2;
  Voyages voyages;
  Voyage voyage;
  voyage.packet = slot;
  voyage.routers = 5;
  voyages.add(voyage);
  for (int look = 0; look < 2; ++look) {
    voyages.count_routers(store);
    EXPECT_EQ(store[slot].routers, 7U);
  }
}

/// Nodes of one slice send, mostly to those of the other.
TEST(Voyages, OfTrafficThatGoesOneWay) {
  models::Experiment e = uniform_mesh(0.2, 17, 16);
  std::vector<std::uint32_t> senders(256);
  for (std::uint32_t n = 0; n < senders.size(); ++n) senders[n] = n;
  e.set("traffic.senders", senders);
  e.set("traffic.pattern", std::string("hot_spot"));
  e.set("traffic.hot_nodes", std::vector<std::uint32_t>{256, 260, 263, 271});
  e.set("traffic.hot_fraction", 0.9);
  expect_same_registers(e, briefly(300), 2);
}

}  // namespace
}  // namespace braid::test::planes_voyages_test
