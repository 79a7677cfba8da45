// Queues of finite depth for streams pushed in packets (interface.ejection_queue_items): to the item and to the cycle
// when a queue is full, what waits then and where, in whose turn it goes on, and what the watchdog says when it never
// does.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/engine/watchdog.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/refusal.h"

namespace braid::test::ejection_queue_test {
namespace {

using models::Experiment;
using models::PacketSlot;
using models::ReceiveQueue;
using Items = std::vector<std::uint64_t>;  // by cycle

// ---------------------------------------------------------------- one queue

TEST(ReceiveQueue, AdmitsToTheLastItemAndNotBeyond) {
  ReceiveQueue queue(2);
  EXPECT_FALSE(queue.admit(0, 4, 4, 5)) << "2 + 4 items";
  EXPECT_TRUE(queue.admit(0, 4, 4, 6));
  EXPECT_FALSE(queue.admit(1, 1, 4, 6)) << "its tail is not here, its room is taken";
  queue.arrive(0, 4);
  EXPECT_EQ(queue.items(), 6U);
  EXPECT_FALSE(queue.admit(1, 1, 4, 6));
  queue.consume(3);
  EXPECT_TRUE(queue.admit(1, 3, 4, 6));
}

/// Packets 1 and 2 have overtaken 0: it keeps room for four items, and so gets in whatever they take.
TEST(ReceiveQueue, KeepsRoomForPacketsThatWereOvertaken) {
  ReceiveQueue queue;
  EXPECT_FALSE(queue.admit(2, 2, 4, 9)) << "two packets of four are missing before it";
  EXPECT_TRUE(queue.admit(2, 2, 4, 10));
  queue.arrive(2, 2);
  EXPECT_FALSE(queue.admit(1, 4, 4, 9)) << "2 early ones, 4 kept for packet 0, 4 of its own";
  EXPECT_TRUE(queue.admit(1, 4, 4, 10));
  EXPECT_FALSE(queue.admit(3, 1, 4, 10));
  EXPECT_TRUE(queue.admit(0, 4, 4, 10));
  queue.arrive(0, 4);
  queue.arrive(1, 4);
  EXPECT_EQ(queue.items(), 10U);
}

// ---------------------------------------------------------------- back-pressure, to the cycle

/// a puts out an item in every cycle, b takes one and computes for so long that it takes no second one here.
Experiment stopped(std::uint32_t queue_items, std::uint32_t work = 1000) {
  Experiment e = streaming(stream_pair(1, work, 1, 1));
  e.set("router.vcs", 1);
  e.set("router.buffer_depth", 2);
  e.set("interface.packet_items", 1);
  e.set("interface.stream_queue_items", 5);
  if (queue_items != 0) e.set("interface.ejection_queue_items", queue_items);
  return e;
}

Items delivered_items(const Experiment& e, std::uint64_t cycles) {
  Bench bench(e);
  Items items;
  for (std::uint64_t c = 0; c < cycles; ++c) {
    bench.run(1);
    items.push_back(program_of(bench).edges()[0].delivered_items);
  }
  EXPECT_TRUE(bench.network->conservation().holds());
  return items;
}

class Depth : public testing::TestWithParam<std::uint32_t> {};

/// b has one item and computes; one that its next firing sees and N more are let in as if there was room for all, then
/// none until b takes the next, and that one in the cycle after it.
TEST_P(Depth, LetsInWhatAFiringSeesAndSoManyMore) {
  const std::uint64_t most = 2 + GetParam();
  const Items free = delivered_items(stopped(0), 1000), held = delivered_items(stopped(GetParam()), 1100);
  const auto begun = static_cast<std::uint64_t>(std::find(free.begin(), free.end(), 1U) - free.begin());
  ASSERT_LT(begun, 20U);
  for (std::uint64_t c = 0; c < begun + 1001; ++c) {
    const std::uint64_t expected = c < free.size() ? std::min(free[c], most) : most;
    ASSERT_EQ(held[c], expected) << "in cycle " << c;
  }
  EXPECT_EQ(held[begun + 1001], most + 1) << "b took its second item in the cycle before";
  EXPECT_EQ(held[begun + 1050], most + 1);
}

/// Behind the full queue two flits fill each of three buffers (of the node, and of the two routers' inputs), two
/// packets wait for the injection link, five items in a's queue, and a stands still with the next one.
TEST_P(Depth, HoldsTheRestInTheNetworkBackToTheSource) {
  Bench bench(stopped(GetParam()));
  bench.run(900);
  const auto& edge = program_of(bench).edges()[0];
  EXPECT_EQ(edge.received.items(), 1 + GetParam());
  EXPECT_EQ(bench.network->flits_in_network(), 3U * 2U);
  EXPECT_EQ(edge.unsent_packets, 2U);
  EXPECT_EQ(program_of(bench).actors()[0].firings, 2 + GetParam() + 3 * 2 + 2 + 5);
  EXPECT_TRUE(bench.network->conservation().holds());
}
INSTANTIATE_TEST_SUITE_P(Items, Depth, testing::Values(1U, 2U, 4U, 13U));

/// A packet of a user's own (TLM, a program around the network) is nobody's item: its node takes it, while another
/// node's queue is full.
TEST(EjectionQueue, LetsInWhatBelongsToNoStream) {
  Bench bench(stopped(2));
  const NodeId a = program_of(bench).actors()[0].node;
  bench.run(10);
  const std::uint64_t before = bench.delivered();
  bench.network->send_packet(program_of(bench).actors()[1].node, a, 3);
  bench.run(20);
  EXPECT_GT(bench.delivered(), before);
  EXPECT_TRUE(bench.network->conservation().holds());
}

/// The most items that ever wait without a bound, less what a firing sees: a queue of so many is never full, of one
/// less it is.
TEST(EjectionQueue, IsFullAtTheItemThatIsTooMuch) {
  const auto run = [](std::uint32_t queue_items) {
    Experiment e = streaming(stream_pair(90, 29, 12, 4));
    e.set("interface.packet_items", 1);
    if (queue_items != 0) e.set("interface.ejection_queue_items", queue_items);
    Bench bench(e);
    Items items;
    for (int c = 0; c < 2000; ++c) {
      bench.run(1);
      items.push_back(program_of(bench).edges()[0].delivered_items);
    }
    return std::pair(items, program_of(bench).edges()[0].received.most_items());
  };
  const auto [free, most] = run(0);
  ASSERT_EQ(most, 8U) << "b takes the first four of a's twelve when they are here, the others come while it computes";
  EXPECT_EQ(run(4).first, free);
  EXPECT_NE(run(3).first, free);
}

/// a puts out twelve items at a time, which are refused; b takes them and waits for the next twelve. Nothing is full
/// then.
TEST(EjectionQueue, ThatWasFullOnceIsNotSaidToBlock) {
  Experiment e = streaming(stream_pair(300, 29, 12, 4));
  e.set("interface.packet_items", 1);
  e.set("interface.ejection_queue_items", 1);
  Bench bench(e);
  using State = models::StreamProgram::Actor::State;
  int refused = 0, idle = 0;
  for (int c = 0; c < 2000; ++c) {
    bench.run(1);
    refused += program_of(bench).edges()[0].refused ? 1 : 0;
    if (refused == 0 || bench.network->flits_in_network() != 0) continue;
    if (program_of(bench).actors()[1].state != State::kWaiting) continue;
    ++idle;
    ASSERT_EQ(program_of(bench).blocked(), "") << "in cycle " << c;
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(idle, 500);
}

// ---------------------------------------------------------------- the ports of a node

/// Two nodes in a row, and a receiver that refuses packets by their tag.
class Rig final : public models::PacketSink {
 public:
  explicit Rig(std::uint32_t vcs) {
    experiment_.set("topology.width", 2);
    experiment_.set("topology.height", 1);
    experiment_.set("router.vcs", vcs);
    experiment_.open("stream");
    experiment_.set("interface.ejection_queue_items", 1);
    topology_ = routing::make_topology(experiment_);
    routing_ = routing::make_routing(topology_, experiment_);
    fabric_ = std::make_unique<models::hybrid::Fabric>(
        models::FabricContext{experiment_, topology_, *routing_, store_, slicing_});
    fabric_->set_sink(0, this);
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i, ++now_) {
      fabric_->compute(0, now_);
      fabric_->commit(0, now_);
      fabric_->end_cycle(now_);
    }
  }
  void send(std::uint32_t tag, std::uint32_t flits) {
    const PacketSlot slot = pool_.take();
    store_[slot] = {};
    store_[slot].created = now_ - 1;
    store_[slot].destination = NodeId{1};
    store_[slot].tag = tag;
    store_[slot].length_flits = static_cast<std::uint16_t>(flits);
    fabric_->transport(0).send(0, slot);
  }
  bool admit(PacketSlot packet) override { return refused.count(store_[packet].tag) == 0; }
  void deliver(std::uint64_t cycle, PacketSlot packet) override {
    arrived[store_[packet].tag] = cycle;
    pool_.give_back(packet);
  }
  void sent(std::uint64_t, PacketSlot) override {}
  std::uint64_t now() const { return now_; }
  std::uint64_t flits() const { return fabric_->census().flits; }

  std::set<std::uint32_t> refused;
  std::map<std::uint32_t, std::uint64_t> arrived;  // by tag

 private:
  models::Experiment experiment_;
  routing::Topology topology_;
  std::unique_ptr<routing::RoutingAlgorithm> routing_;
  models::PacketStore store_;
  models::PacketStore::Pool pool_{store_};
  models::Slicing slicing_{2, 1};
  std::unique_ptr<models::hybrid::Fabric> fabric_;
  std::uint64_t now_ = 0;
};

/// Tags 1 and 2, three flits each, one behind the other; cycles of arrival when some are refused up to cycle 100.
std::map<std::uint32_t, std::uint64_t> arrivals(std::uint32_t vcs, const std::set<std::uint32_t>& refused) {
  Rig rig(vcs);
  rig.refused = refused;
  rig.send(1, 3);
  rig.send(2, 3);
  rig.run(100);
  EXPECT_EQ(rig.flits(), 6 - 3 * rig.arrived.size());
  rig.refused.clear();
  rig.run(50);
  EXPECT_EQ(rig.flits(), 0U);
  return rig.arrived;
}

TEST(EjectionPort, ARefusedPacketHoldsUpItsOwnVcOnly) {
  const auto free = arrivals(2, {});
  EXPECT_EQ(arrivals(2, {1}).at(2), free.at(2));
  EXPECT_EQ(arrivals(2, {1}).at(1), 100U + 2) << "a flit a cycle, from the first that asks again";
  EXPECT_EQ(arrivals(1, {1}).at(1), 100U + 2);
  EXPECT_EQ(arrivals(1, {1}).at(2), 100U + 5) << "behind it on the same VC";
}

/// Both wait; then the port takes a flit of each in turn.
TEST(EjectionPort, TakesAFlitACycleOfItsVcsInTurn) {
  const auto both = arrivals(2, {1, 2});
  EXPECT_EQ(std::min(both.at(1), both.at(2)), 100U + 4);
  EXPECT_EQ(std::max(both.at(1), both.at(2)), 100U + 5);
}

// ---------------------------------------------------------------- streams that block each other

/// a gives items to d at once, and to d by way of c, who collects ten of them first; all in a row with one VC, so that
/// what a and c send to d shares the last link.
Experiment two_ways(std::uint32_t queue_items) {
  const std::string file = temporary_file("two_ways.toml");
  std::ofstream out(file);
  out << "name = \"two ways\"\n";
  for (const char* actor : {"a", "c", "d"}) {
    out << "[[actor]]\nname = \"" << actor << "\"\nwork = 1\ntile = " << (*actor == 'a' ? 0 : *actor - 'b') << "\n";
  }
  const auto edge = [&](const char* from, const char* to, int push, int pop) {
    out << "[[edge]]\nfrom = \"" << from << "\"\nto = \"" << to << "\"\npush = " << push << "\npop = " << pop << "\n";
  };
  edge("a", "c", 1, 30);
  edge("a", "d", 1, 1);
  edge("c", "d", 30, 1);
  out.close();
  Experiment e = streaming(file, 3);
  e.set("router.vcs", 1);
  e.set("router.buffer_depth", 2);
  e.set("interface.packet_items", 1);
  e.set("interface.ejection_queue_items", queue_items);
  return e;
}

TEST(EjectionQueue, ThatIsTooSmallBlocksStreamsThatShareAVcAndTheWatchdogSaysWhich) {
  Bench bench(two_ways(4));
  models::WatchdogOptions limits;
  limits.watchdog_cycles = 100;
  models::Watchdog watchdog(*bench.network, limits);
  std::string said;
  for (int c = 0; c < 2000 && said.empty(); ++c) {
    bench.run(1);
    try {
      watchdog.check();
    } catch (const models::DeadlockError& error) {
      said = error.what();
    }
  }
  EXPECT_NE(
      said.find(" are in the network\n  pushed streams block each other: the queue of a -> d at node 2 is full, and d "
                "waits for items of c -> d, which cannot pass (interface.ejection_queue_items = 4); expected more "
                "items, 0 (unbounded), more VCs or interface.transfer = \"pull\"\n"),
      std::string::npos)
      << said;
  EXPECT_EQ(program_of(bench).actors()[2].firings, 0U);
}

/// Thirty items wait while c collects as many.
TEST(EjectionQueue, ThatHoldsWhatMustWaitDoesNotBlock) {
  Bench bench(two_ways(30));
  bench.run(4000);
  EXPECT_GT(program_of(bench).actors()[2].firings, 400U);
  EXPECT_EQ(program_of(bench).blocked(), "");
}

// ---------------------------------------------------------------- what is refused

TEST(EjectionQueue, HasRoomForAPacketBesideItemsTooFewForAFiring) {
  Experiment e = streaming(stream_pair(1, 1, 3, 3));
  e.set("interface.packet_items", 8);
  e.set("interface.ejection_queue_items", 7);
  EXPECT_EQ(refusal(e), "");
  Bench bench(e);
  bench.run(2000);
  EXPECT_GT(program_of(bench).actors()[1].firings, 100U);
  e.set("interface.ejection_queue_items", 6);
  EXPECT_EQ(
      refusal(e),
      "interface.ejection_queue_items = 6: a packet of interface.packet_items = 8 would find no room beside items "
      "too few for a firing; expected at least 7, or 0 (unbounded)");
}

/// a gives an item to d in every firing, and d waits for the first that comes by way of c1, c2 and c3, for which a has
/// to fire a hundred times: twelve of d's items wait at a, one is what d sees.
TEST(EjectionQueue, HasRoomForBranchesThatMeetAgain) {
  const std::string file = temporary_file("longer_way.toml");
  std::ofstream out(file);
  out << "name = \"longer way\"\n";
  for (const char* actor : {"a", "c1", "c2", "c3", "d"}) out << "[[actor]]\nname = \"" << actor << "\"\nwork = 1\n";
  const auto edge = [&](const char* from, const char* to, int push, int pop) {
    out << "[[edge]]\nfrom = \"" << from << "\"\nto = \"" << to << "\"\npush = " << push << "\npop = " << pop << "\n";
  };
  edge("a", "c1", 1, 10);
  edge("c1", "c2", 1, 10);
  edge("c2", "c3", 10, 1);
  edge("c3", "d", 10, 1);
  edge("a", "d", 1, 1);
  out.close();
  Experiment e = streaming(file, 5);
  e.set("interface.packet_items", 1);
  e.set("interface.stream_queue_items", 12);
  e.set("interface.ejection_queue_items", 86);
  EXPECT_EQ(
      refusal(e),
      "interface.ejection_queue_items = 86: actor a would wait for ever for room on edge a -> d; expected at least "
      "87 beside interface.stream_queue_items = 12");
  e.set("interface.ejection_queue_items", 87);
  EXPECT_EQ(refusal(e), "");
}

}  // namespace
}  // namespace braid::test::ejection_queue_test
