// The registers of virtual cut-through routers by themselves: queues are rings of as many places as a power of two has,
// credits and the masks made of them, and how long a packet is on a link.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/cut_through.h"

namespace braid::test::cut_through_bank_test {
namespace {

using models::kNone;
using models::PortIndex;
using models::virtual_cut_through::Bank;
using models::virtual_cut_through::Occupancy;
using models::virtual_cut_through::PortMask;
using models::virtual_cut_through::QueuedPacket;

QueuedPacket packet(std::uint32_t slot) { return {slot, NodeId{0}, NodeId{1}, 5, 0}; }

/// Full and empty again, three times, beside a neighbour that keeps its own.
TEST(CutThroughQueue, IsARingOfAPowerOfTwo) {
  const Bench mesh(vct_grid("mesh", 0.0));
  for (const auto& [packets, depth] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {255, 256}}) {
    Bank bank(mesh.topology, packets, 1);
    EXPECT_EQ(bank.depth(), depth);
    const PortIndex in = 5;
    bank.push(in + 1, packet(7000));
    std::uint32_t next = 0;
    for (int turn = 0; turn < 3; ++turn) {
      const std::uint32_t first = next;
      for (std::uint32_t i = 0; i < packets; ++i) bank.push(in, packet(next++));
      EXPECT_EQ(bank.queues[in].count, packets);
      for (std::uint32_t i = 0; i < packets; ++i) ASSERT_EQ(bank.queued(in, i).slot, first + i) << packets;
      for (std::uint32_t i = 0; i < packets; ++i) {
        ASSERT_EQ(bank.front(in).slot, first + i) << packets;
        bank.pop(in);
      }
      EXPECT_EQ(bank.queues[in].count, 0U);
    }
    EXPECT_EQ(bank.front(in + 1).slot, 7000U);
    EXPECT_EQ(bank.queues[in + 1].count, 1U);
  }
}

/// Every output that is wired has credits, for a node's as many as can be counted; two of them are room for a packet
/// that enters a ring.
TEST(CutThroughCredits, AreThoseOfTheQueuesAtTheFarEnds) {
  const Bench mesh(vct_grid("mesh", 0.0));
  for (const std::uint32_t packets : {1U, 2U, 3U, 254U}) {
    const Bank bank(mesh.topology, packets, 1);
    ASSERT_EQ(bank.credits.size(), bank.links.size());
    for (std::uint32_t r = 0; r < 64; ++r) {
      const auto& router = bank.routers[r];
      EXPECT_EQ(router.free_outputs, ~PortMask{0});
      EXPECT_EQ(router.asked | router.choosing, 0U);
      for (std::uint32_t p = 0; p < bank.port_stride(); ++p) {
        const PortIndex out = bank.port_index(RouterId{r}, PortId{p});
        const bool wired = bank.links[out].target != kNone, to_node = wired && bank.links[out].to_node;
        if (wired) {
          EXPECT_EQ(bank.credits[out], to_node ? std::uint32_t{Bank::kNoLimit} : packets) << out;
        }
        EXPECT_EQ((router.credited >> p) & 1, wired ? 1U : 0U) << out;
        EXPECT_EQ((router.roomy >> p) & 1, wired && (to_node || packets > 1) ? 1U : 0U) << out;
        EXPECT_EQ(bank.next_turn[out], 0U);
        EXPECT_EQ(bank.flits_sent[out], 0U);
        EXPECT_EQ(bank.through[out] | bank.entering[out], 0U);
      }
    }
    for (std::size_t local = 0; local < 64; ++local) EXPECT_EQ(bank.credits[bank.injection_port(local)], packets);
  }
}

/// Ties are drawn by each router from a stream of its own, which the seed makes.
TEST(CutThroughTies, AreDrawnFromAStreamARouter) {
  const Bench mesh(vct_grid("mesh", 0.0));
  const Bank one(mesh.topology, 4, 1), same(mesh.topology, 4, 1), other(mesh.topology, 4, 2);
  for (std::size_t r = 0; r < 64; ++r) {
    EXPECT_EQ(one.routers[r].random.nth(0), same.routers[r].random.nth(0));
    EXPECT_NE(one.routers[r].random.nth(0), other.routers[r].random.nth(0));
    if (r != 0) {
      EXPECT_NE(one.routers[r].random.nth(0), one.routers[0].random.nth(0)) << r;
    }
  }
}

/// Links within the tree take two and four flits a cycle, those of the nodes one.
TEST(CutThroughSpeeds, AreThoseOfTheLinks) {
  const Bench tree(vct_fat_tree(0.0));
  Bank bank(tree.topology, 3, 1);
  ASSERT_TRUE(bank.has_fast_links());
  std::size_t of_speed[5] = {};
  for (std::size_t r = 0; r < tree.topology.router_count(); ++r) {
    for (std::size_t p = 0; p < tree.topology.port_count(RouterId{r}); ++p) {
      const PortIndex out = bank.port_index(RouterId{r}, PortId{p});
      const std::uint32_t speed = tree.topology.port(RouterId{r}, PortId{p}).flits_per_cycle;
      EXPECT_EQ(bank.speed(out), speed) << out;
      ASSERT_LE(speed, 4U);
      ++of_speed[speed];
      for (std::uint32_t flits = 1; flits < 10; ++flits) {
        const std::uint32_t cycles = bank.cycles_on(out, flits);
        EXPECT_GE(cycles * speed, flits);
        EXPECT_LT((cycles - 1) * speed, flits) << "not a cycle more";
      }
    }
  }
  EXPECT_EQ(of_speed[2], 8U) << "four links below, both ends";
  EXPECT_EQ(of_speed[4], 4U) << "two links above";
  EXPECT_EQ(bank.speed(static_cast<PortIndex>(bank.injection_port(0))), 1U);
  EXPECT_EQ(bank.cycles_on(static_cast<PortIndex>(bank.injection_port(7)), 9), 9U);
  for (std::uint32_t i = 0; i < 3; ++i) bank.whole_at(6, i) = 100 + i;
  bank.push(6, packet(1));
  bank.pop(6);
  EXPECT_EQ(bank.whole_at(6, 0), 101U) << "it goes with its packet's place";
  EXPECT_EQ(bank.whole_at(6, 1), 102U);
  const Bench mesh(vct_grid("mesh", 0.0));
  EXPECT_FALSE(Bank(mesh.topology, 3, 1).has_fast_links());
}

/// Flits of two packets of 16 and 8, one being sent, one leaving; what is not sent yet or has gone on does not count,
/// and there are never fewer than none.
TEST(CutThroughOccupancy, IsWhatHasComeAndNotGone) {
  Occupancy o;
  o.granted_flits = 24;
  EXPECT_EQ(o.flits(50), 24U) << "all is there";
  o.sent_at = 58;
  EXPECT_EQ(o.flits(50), 16U);
  EXPECT_EQ(o.flits(57), 23U);
  EXPECT_EQ(o.flits(58), 24U);
  o.leaving_flits = 16;
  o.free_at = 60;
  EXPECT_EQ(o.flits(44), 10U) << "none of the leaving one's credits counts yet, and 14 are not sent";
  EXPECT_EQ(o.flits(45), 10U) << "13 are not sent, one is back";
  EXPECT_EQ(o.flits(59), 24U - 15);
  EXPECT_EQ(o.flits(60), 24U) << "from then on its buffer is given back";
  o.granted_flits = 3;
  EXPECT_EQ(o.flits(50), 0U);
}

}  // namespace
}  // namespace braid::test::cut_through_bank_test
