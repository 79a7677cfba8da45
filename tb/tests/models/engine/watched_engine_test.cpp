// Who looks at an engine's network from elsewhere: watchers that look when they are asked, processes that wait for a
// register, and a network whose caller has left out the begin of a cycle.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/engine/engine.h"
#include "models/engine/slice_threads.h"
#include "models/fabric/packet_log.h"
#include "models/stages/base/register_channel.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::watched_engine_test {
namespace {

using models::Engine;
using models::Experiment;

/// Looks at the network when it is asked for what it has, and sends then: no part of the cycle to come has run.
struct Sender final : models::Watcher {
  explicit Sender(Engine& of) : engine(of) {}
  bool waits() const override { return true; }
  void flush(std::uint64_t) override {
    seen.push_back(engine.settled().now());
    if (seen.size() == 3) engine.settled().send_packet(NodeId{0}, NodeId{1}, 1);
  }
  void look(std::uint64_t) override {}
  Engine& engine;
  std::vector<std::uint64_t> seen;
};

TEST(StaticEngine, MayBeLookedAtByAWatcherThatItAsks) {
  Bench bench(uniform_mesh(0.0, 3, 2));
  const auto made = models::make_static_engine(*bench.network);
  Engine& engine = *made;
  Sender sender(engine);
  engine.watch(sender);
  std::vector<std::uint64_t> created;
  engine.on_delivery(NodeId{1}, [&](std::uint64_t cycle, const models::Packet& packet) {
    created.push_back(packet.created);
    EXPECT_EQ(cycle, 1U + 13U);
  });
  engine.run(30);
  ASSERT_GE(sender.seen.size(), 30U);
  for (std::uint64_t cycle = 0; cycle < 30; ++cycle) EXPECT_EQ(sender.seen[cycle], cycle);
  EXPECT_EQ(created, std::vector<std::uint64_t>{1}) << "before cycle 2";
  EXPECT_EQ(bench.network->now(), 30U);
}

/// Counts how often one of these registers has changed.
class Waiting final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Waiting);
  Waiting(const sc_core::sc_module_name& name, const std::vector<models::stages::RegisterChannel*>& channels)
      : sc_module(name) {
    SC_METHOD(count);
    dont_initialize();
    for (const models::stages::RegisterChannel* channel : channels) sensitive << channel->value_changed_event();
  }
  int changes = 0;

 private:
  void count() { ++changes; }
};

void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<models::stages::RegisterChannel*>& channels) {
  for (sc_core::sc_object* object : objects) {
    if (auto* channel = dynamic_cast<models::stages::RegisterChannel*>(object)) channels.push_back(channel);
    collect(object->get_child_objects(), channels);
  }
}

/// A process that is sensitive to registers runs when a packet has changed them, and not else.
TEST(ProcessPerStageEngine, WakesWhoWaitsForARegister) {
  Bench bench(uniform_mesh(0.0, 3, 2), 6);
  const auto engine = models::make_process_per_stage_engine(*bench.network);
  std::vector<models::stages::RegisterChannel*> channels;
  collect(sc_core::sc_get_top_level_objects(), channels);
  ASSERT_FALSE(channels.empty());
  const Waiting waiting("waiting", channels);
  engine->run(20);
  const int idle = waiting.changes;
  engine->send_packet(NodeId{0}, NodeId{1}, 4);
  engine->run(40);
  EXPECT_GT(waiting.changes, idle + 4);
  const int after = waiting.changes;
  engine->run(40);
  EXPECT_EQ(waiting.changes, after) << "nothing moves any more";
}

/// Whoever leaves out the begin of a cycle has all cycles in two halves, on threads, too.
TEST(Cycles, WithoutTheirBeginHaveTwoHalves) {
  Bench begun(uniform_mesh(0.3, 4, 4)), left_out(uniform_mesh(0.3, 4, 4), 2);
  begun.run(200);
  EXPECT_TRUE(left_out.network->has_first_half());
  models::SliceThreads threads(*left_out.network, 2);
  for (int cycle = 0; cycle < 200; ++cycle) {
    threads.cycle();
    left_out.network->end_cycle();
  }
  EXPECT_EQ(left_out.network->merged_statistics().packet_hash(), begun.network->merged_statistics().packet_hash());
  EXPECT_GT(begun.delivered(), 100U);
}

// ---------------------------------------------------------------- what is recorded of packets

/// A log has the column of losses where a link may lose packets, and that of rests where they rest.
TEST(RecordedPackets, HaveTheFatesThatTheyMayHave) {
  const auto fates = [](Experiment e) {
    e.set("log.file", "packets.csv");
    const Bench bench(e);
    const models::PacketLog::Fates& of = bench.network->packet_log()->fates();
    return std::string(of.losses ? "losses " : "") + (of.rests ? "rests" : "");
  };
  Experiment failing = irregular_myrinet(8, 0.0, "up_down", "none");
  failing.open("failure");
  failing.set("failure.router", "s0").set("failure.port", "link0").set("failure.cycle", 5);
  EXPECT_EQ(fates(uniform_mesh(0.0, 2, 1)), "");
  EXPECT_EQ(fates(irregular_myrinet(8, 0.0, "up_down", "none")), "");
  EXPECT_EQ(fates(failing), "losses ");
  EXPECT_EQ(fates(irregular_myrinet(8, 0.0, "balanced", "every_switch")), "rests");
}

/// Where nobody asks for a record there is none; who is watched has one, and nobody else.
TEST(RecordedPackets, AreThoseThatSomebodyAskedFor) {
  Experiment e = uniform_mesh(0.0, 3, 1);
  EXPECT_EQ(Bench(e).network->packet_log(), nullptr);
  EXPECT_EQ(Bench(e).network->watch(), nullptr);
  Experiment flows = e, log = e, watched = e;
  flows.open("results");
  flows.set("results.link_flows", true);
  log.set("log.file", "packets.csv");
  watched.set("watch.what", "source=1");
  const auto recorded = [](const Experiment& with) {
    Bench bench(with);
    bench.run(2);
    for (const std::uint32_t from : {0U, 1U, 2U}) bench.network->send_packet(NodeId{from}, NodeId{(from + 1) % 3}, 1);
    bench.run(60);
    std::size_t all = 0;
    bench.network->packet_log()->each(bench.network->store(),
                                      [&](const models::PacketRecord&, const models::Packet&) { ++all; });
    return all;
  };
  EXPECT_EQ(recorded(flows), 3U);
  EXPECT_EQ(recorded(log), 3U);
  EXPECT_EQ(recorded(watched), 1U);
}

/// In-transit buffers have delays in nanoseconds, whatever the routers are: the clock's period is theirs.
TEST(Clocks, OfNetworksWithInTransitBuffersAreFixed) {
  Experiment e = uniform_mesh(0.0, 4, 4);
  e.set("routing.algorithm", "source_routed").set("routing.paths", "random").set("routing.in_transit", "minimum");
  const Bench bench(e);
  const std::uint64_t own = bench.network->fabric().clock_period_ps();
  EXPECT_EQ(complaint([&] { bench.network->set_clock_period_ps(own); }), "");
  EXPECT_EQ(complaint([&] { bench.network->set_clock_period_ps(own + 1); }),
            "a clock period of " + std::to_string(own + 1) + " ps: this network's is " + std::to_string(own) +
                " ps, as delays in it are in nanoseconds");
  EXPECT_EQ(bench.network->clock_period_ps(), own);
}

}  // namespace
}  // namespace braid::test::watched_engine_test
