// router.arbiter = "oldest_first": who wins by the registers of one router, which cycle that saves on a row, and what
// does not know ages.
#include <gtest/gtest.h>

#include "models/families/hybrid/with_arbiter.h"
#include "routing/base/random.h"
#include "tb/tests/support/one_router.h"

namespace braid::test::oldest_first_test {
namespace {

using namespace models;
using namespace models::hybrid;
using namespace one_router;

/// The oldest, of ages that stay at 2^bits - 1; among equals the first from the pointer on.
TEST(OldestFirst, MatchesAScan) {
  for (const unsigned bits : {1U, 3U, 20U}) {
    constexpr unsigned kN = 11;
    OldestFirstArbiters arbiters(2, kN, bits);
    const std::uint64_t highest = (1U << bits) - 1;
    Random random(bits);
    unsigned pointer = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<std::uint64_t> ages;
      for (unsigned r = 0; r < kN; ++r) ages.push_back(random.below(4) == 0 ? random() : random.below(12));
      unsigned winner = 0;
      for (unsigned r = 1; r < kN; ++r) {
        const std::uint64_t best = std::min(ages[winner], highest), own = std::min(ages[r], highest);
        const bool sooner = (r + kN - pointer) % kN < (winner + kN - pointer) % kN;
        if (own > best || (own == best && sooner)) winner = r;
      }
      for (unsigned r = 0; r < kN; ++r) {
        if (r == winner) continue;
        ASSERT_LT(arbiters.rank(1, winner, ages[winner]), arbiters.rank(1, r, ages[r])) << bits << " bits";
      }
      if (random.below(3) == 0) continue;
      arbiters.use(1, winner);
      pointer = (winner + 1) % kN;
    }
  }
}

/// Packets of known birth at the fronts of input VCs.
struct Aged : Router {
  PacketStore store;
  PacketStore::Pool pool{store};
  Configuration configuration;

  using Router::Router;
  /// The packet at the front of a lane of an input port.
  void put(std::uint32_t port, std::uint32_t lane, std::uint64_t created) {
    const PacketSlot slot = pool.take();
    store[slot].created = created;
    const VcIndex v = vc(port, lane);
    bank->buffer(v)[bank->input_vcs[v].first] = Flit(slot, 0, 1, lane);
  }
  AllocatorOptions with_packets() {
    AllocatorOptions all = allocator("oldest_first");
    all.configuration = &configuration;
    all.packets = &store;
    return all;
  }
  std::unique_ptr<SwitchAllocator> switches() {
    return SwitchAllocatorRegistry::instance().make("separable_input_first", with_packets());
  }
};

std::string order_of(SwitchAllocator& allocator, const Router& router, int grants, std::uint64_t cycle) {
  std::string order;
  for (int i = 0; i < grants; ++i) order += granted(allocator, router, nullptr, nullptr, cycle);
  return order;
}

/// Inputs 1 and 3 are of the same age and go in turn; input 0 is younger and gets nothing.
TEST(OldestFirst, ServesTheOldestAndEqualsInTurn) {
  Aged router;
  const auto sa = router.switches();
  router.request({{0, 0, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}});
  router.put(0, 0, 21);
  router.put(1, 0, 20);
  router.put(3, 0, 20);
  EXPECT_EQ(order_of(*sa, router, 4, 100), "1.0 3.0 1.0 3.0 ");
}

/// An input offers the VC of its oldest packet.
TEST(OldestFirst, OffersTheOldestPacketOfAnInput) {
  Aged router;
  const auto sa = router.switches();
  router.request({{0, 0, kLocal}, {0, 1, kLocal}, {1, 0, kLocal}});
  router.put(0, 0, 50);
  router.put(0, 1, 10);
  router.put(1, 0, 11);
  EXPECT_EQ(order_of(*sa, router, 3, 100), "0.1 0.1 0.1 ");
}

/// Four bits: in cycle 64 both are 15 cycles old or more and go in turn; in cycle 63 the younger one is 14.
TEST(OldestFirst, CountsNoFurtherThanItsBits) {
  Aged router;
  router.configuration.set("router.age_bits", 4);
  const auto sa = router.switches();
  router.request({{0, 0, kLocal}, {1, 0, kLocal}});
  router.put(0, 0, 49);
  router.put(1, 0, 1);
  EXPECT_EQ(order_of(*sa, router, 3, 63), "1.0 1.0 1.0 ");
  EXPECT_EQ(order_of(*sa, router, 4, 64), "0.0 1.0 0.0 1.0 ");
}

/// A flit that is on its way past an empty buffer is of the packet whose flit left it last.
TEST(OldestFirst, KnowsThePacketWhoseFlitPassesTheBuffer) {
  for (const std::uint8_t first : {0, 5}) {
    Aged router;
    const auto sa = router.switches();
    router.request({{0, 0, kLocal}, {1, 0, kLocal}});
    InputVc& passing = router.bank->input_vcs[router.vc(1, 0)];
    passing.first = first;
    router.put(1, 0, 10);
    router.bank->pop(router.vc(1, 0));
    router.put(1, 0, 90);  // what stands at the read pointer is of nobody
    router.put(0, 0, 20);
    ASSERT_EQ(passing.count, 0);
    EXPECT_EQ(order_of(*sa, router, 2, 100), "1.0 1.0 ");
  }
}

/// An output VC goes to the oldest head.
TEST(OldestFirst, GivesAnOutputVcToTheOldestHead) {
  Aged router(1);
  const auto va = VcAllocatorRegistry::instance().make("separable_input_first", router.with_packets());
  WorkList<VcIndex> heads;
  heads.reserve(8);
  for (const std::uint32_t port : {0U, 1U, 3U}) {
    router.wait(router.vc(port, 0), {{PortId{2}, 0, 1}});
    router.bank->input_vcs[router.vc(port, 0)].count = 1;
    heads.push(router.vc(port, 0));
  }
  router.put(0, 0, 40);
  router.put(1, 0, 30);
  router.put(3, 0, 10);
  for (int i = 0; i < 3; ++i) {
    WorkList<VcGrant> grants;
    grants.reserve(8);
    va->allocate({*router.bank, heads, 100}, grants);
    ASSERT_EQ(grants.size(), 1U);
    EXPECT_EQ(grants[0].in_vc, router.vc(3, 0));
  }
}

/// A row of three routers, one VC. In cycle b node 1 makes packets of 4 and of 2 flits for node 2, in b + 1 node 0 one
/// of a single flit. The long one has VA in b + 4, its tail SA in b + 8; the head behind it has RC in b + 9, VA in
/// b + 10. That from node 0 has VA at router 1 in (b + 1) + 9 = b + 10, too (docs/router.md). Nine cycles from VA on a
/// flit is at node 2; one more if it comes to router 2 in the cycle in which the tail before it is granted there, and
/// so stands behind it. In turn node 0's is next: it is there in b + 19, and the other packet, with VA in b + 12, in
/// b + 22 with its head and in b + 23 with its tail. By age node 1's goes first: head in b + 19, tail in b + 20; the
/// single flit has VA in b + 13 and is there in b + 23.
TEST(OldestFirst, LetsTheOlderPacketGoFirst) {
  for (const bool by_age : {false, true}) {
    Experiment e = uniform_mesh(0.0, 3, 1);
    e.set("router.vcs", 1);
    if (by_age) e.set("router.arbiter", "oldest_first");
    Bench bench(e);
    bench.run(10);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 2);
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 1);
    std::vector<std::uint64_t> arrivals;
    for (std::uint64_t cycle = 1; arrivals.size() < 3 && cycle < 100; ++cycle) {
      bench.run(1);
      while (arrivals.size() < bench.delivered()) arrivals.push_back(cycle + 1);
    }
    EXPECT_EQ(arrivals, by_age ? (std::vector<std::uint64_t>{16, 20, 23}) : (std::vector<std::uint64_t>{16, 19, 23}));
  }
}

std::uint64_t hash_of(const Experiment& e) {
  Bench bench(e);
  bench.run(2000);
  EXPECT_GT(bench.delivered(), 500U);
  return bench.network->merged_statistics().packet_hash();
}

/// With one bit all packets that are in a router are of the same age: round robin, packet for packet.
TEST(OldestFirst, OfOneBitIsRoundRobin) {
  for (const bool bypass : {false, true}) {
    Experiment e = uniform_mesh(0.5, 4, 4);
    e.set("router.buffer_bypass", bypass);
    const std::uint64_t in_turn = hash_of(e);
    e.set("router.arbiter", "oldest_first");
    EXPECT_NE(hash_of(e), in_turn);
    e.set("router.age_bits", 1);
    EXPECT_EQ(hash_of(e), in_turn);
  }
}

std::string refusal_of(const Experiment& e) {
  try {
    Bench bench(e);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OldestFirst, IsRefusedByWhatKnowsNoAges) {
  for (const char* key : {"router.vc_allocator", "router.switch_allocator"}) {
    Experiment e = uniform_mesh(0.1, 4, 4);
    e.set("router.arbiter", "oldest_first");
    e.set(key, "islip");
    EXPECT_NE(refusal_of(e).find("of the allocators only \"separable_input_first\" knows"), std::string::npos);
  }
  Experiment planes = uniform_mesh(0.1, 4, 4);
  planes.set("router.arbiter", "oldest_first");
  EXPECT_EQ(refusal_of(planes), "");
  planes.set("simulation.engine", "planes");
  EXPECT_EQ(refusal_of(planes),
            "simulation.engine = \"planes\" cannot run router.switch_allocator = \"separable_input_first\" with "
            "router.arbiter = \"oldest_first\"; expected \"auto\" or \"lists\"");
  Aged pins;
  AllocatorOptions no_packets = pins.with_packets();
  no_packets.packets = nullptr;
  EXPECT_THROW(SwitchAllocatorRegistry::instance().make("separable_input_first", no_packets), InputError);
}

}  // namespace
}  // namespace braid::test::oldest_first_test
