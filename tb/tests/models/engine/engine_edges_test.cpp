// Engines at their edges: of a network that was restored, of several in a simulation, of clocks that SystemC cannot
// tell apart; how often the kernel is asked, and what is said of packets that cannot be.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/engine/engine.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/saved.h"

namespace braid::test::engine_edges_test {
namespace {

using models::Engine;
using models::Experiment;
using sc_core::sc_time;

Experiment with_schedule(Experiment e, const std::string& schedule) {
  e.set("simulation.schedule", schedule);
  return e;
}
std::size_t slices(const std::string& schedule) { return schedule == "static" ? 1 : 6; }
sc_time ps(double time) { return sc_time(time, sc_core::SC_PS); }

class EdgesOfSchedules : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Under, EdgesOfSchedules, testing::Values("static", "process_per_stage"),
                         [](const auto& c) { return c.param; });

/// Saved after 100 cycles: time begins anew, the cycles do not, and each is seen at its edge.
TEST_P(EdgesOfSchedules, OfARestoredNetworkCountItsCyclesFromTimeNought) {
  const Experiment e = with_schedule(uniform_mesh(0.2, 3, 2), GetParam());
  Bench before(e, slices(GetParam())), after(e, slices(GetParam()));
  before.run(100);
  restore(*after.network, saved(*before.network));
  const auto engine = models::make_engine(*after.network);
  EXPECT_EQ(engine->settled().now(), 100U) << "none has run";
  std::vector<std::pair<std::uint64_t, sc_time>> seen;
  engine->on_cycle([&](std::uint64_t cycle) { seen.emplace_back(cycle, sc_core::sc_time_stamp()); });
  engine->run(3);
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint64_t, sc_time>>{{100, ps(0)}, {101, ps(1000)}, {102, ps(2000)}}));
  EXPECT_EQ(engine->settled().now(), 103U);
  sc_core::sc_start(ps(1));
  EXPECT_EQ(engine->settled().now(), 104U) << "a picosecond into cycle 103";
  EXPECT_EQ(engine->to_next_edge(), ps(999));
  before.run(4);
  EXPECT_EQ(after.network->merged_statistics().packet_hash(), before.network->merged_statistics().packet_hash());
}

/// ... and what is sent to it is handed over at the edge of the cycle in which it came: 13 cycles over two routers.
TEST_P(EdgesOfSchedules, OfARestoredNetworkHandOverAtTheEdge) {
  const Experiment e = with_schedule(uniform_mesh(0.0, 3, 2), GetParam());
  Bench before(e, slices(GetParam())), after(e, slices(GetParam()));
  before.run(100);
  restore(*after.network, saved(*before.network));
  const auto engine = models::make_engine(*after.network);
  std::vector<std::pair<std::uint64_t, sc_time>> handed;
  engine->on_delivery(NodeId{1}, [&](std::uint64_t cycle, const models::Packet& packet) {
    EXPECT_EQ(packet.created, 99U);
    handed.emplace_back(cycle, sc_core::sc_time_stamp());
  });
  engine->send_packet(NodeId{0}, NodeId{1}, 1);
  engine->run(200);
  EXPECT_EQ(handed, (std::vector<std::pair<std::uint64_t, sc_time>>{{112, ps(12000)}}));
}

/// Any number of networks has modules of its own.
TEST_P(EdgesOfSchedules, OfSeveralNetworksHaveNamesOfTheirOwn) {
  std::vector<std::unique_ptr<Bench>> benches;
  std::vector<std::unique_ptr<Engine>> engines;
  for (int i = 0; i < 4; ++i) {
    benches.push_back(std::make_unique<Bench>(with_schedule(uniform_mesh(0.0, 3, 2), GetParam()), slices(GetParam())));
    engines.push_back(models::make_engine(*benches.back()->network));
  }
  for (const char* name : {"network", "network_1", "network_2", "network_3"}) {
    EXPECT_NE(sc_core::sc_find_object(name), nullptr) << name;
  }
  for (const char* name : {"network_0", "network_4"}) EXPECT_EQ(sc_core::sc_find_object(name), nullptr) << name;
}

/// With nobody to wait for, an activation each 64 cycles, the first in cycle 0. With an observer two cycles are never
/// one activation.
TEST(StaticEngine, IsActivatedEachSixtyFourCycles) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  const auto engine = models::make_static_engine(*bench.network);
  engine->run(64 * 1000);
  const auto idle = sc_core::sc_delta_count();
  EXPECT_GE(idle, 1000U);
  EXPECT_LE(idle, 1002U);
  EXPECT_EQ(bench.network->now(), 64000U);
}

/// Who begins to wait in the middle of 64 cycles is waited with from the next edge on: the kernel is asked then, and 64
/// cycles apart again, at the same edges as before, when all has been handed over.
TEST(StaticEngine, IsWokenAtTheNextEdge) {
  Bench bench(with_schedule(uniform_mesh(0.0, 2, 1), "static"));
  const auto engine = models::make_static_engine(*bench.network);
  std::vector<sc_time> handed;
  engine->on_delivery(NodeId{1},
                      [&](std::uint64_t, const models::Packet&) { handed.push_back(sc_core::sc_time_stamp()); });
  engine->run(10);
  engine->send_packet(NodeId{0}, NodeId{1}, 1);
  engine->run(20);
  EXPECT_EQ(handed, std::vector<sc_time>{ps(22000)}) << "created in 9, 13 cycles on its way";
}

/// A packet of no flits, or more than its header counts; a node that there is not. None is sent.
TEST(Packets, AreRefusedWithWhatWouldDo) {
  Bench bench(uniform_mesh(0.0, 3, 2));
  const auto engine = models::make_static_engine(*bench.network);
  const auto said = [&](std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
    return complaint([&] { engine->send_packet(NodeId{from}, NodeId{to}, flits); });
  };
  EXPECT_EQ(said(6, 0, 1), "node 6: expected 0 to 5");
  EXPECT_EQ(said(0, 7, 1), "node 7: expected 0 to 5");
  EXPECT_EQ(said(0, 1, 0), "a packet of 0 flits: expected 1 to 65535");
  EXPECT_EQ(said(0, 1, 65536), "a packet of 65536 flits: expected 1 to 65535");
  EXPECT_EQ(complaint([&] { engine->on_delivery(NodeId{6}, {}); }), "node 6: expected 0 to 5");
  EXPECT_EQ(bench.network->packets_created(), 0U);
  EXPECT_EQ(said(5, 0, 65535), "");
  EXPECT_EQ(said(0, 5, 1), "");
  EXPECT_EQ(bench.network->packets_created(), 2U);
}

/// SystemC's own main() calls it where a user has none: there is nothing to do, and that went well.
TEST(Main, OfSystemCsFindsNothingToDo) { EXPECT_EQ(sc_main(0, nullptr), 0); }

/// Two picoseconds are the least, as half a period is a time, too.
TEST(Clocks, HaveAPeriodOfTwoPicosecondsAtLeast) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  const auto said = [&](std::uint64_t period) {
    return complaint([&] { bench.network->set_clock_period_ps(period); });
  };
  EXPECT_EQ(said(0), "a clock period of 0 ps: expected at least 2");
  EXPECT_EQ(said(1), "a clock period of 1 ps: expected at least 2");
  EXPECT_EQ(bench.network->clock_period_ps(), 1000U) << "as it was";
  EXPECT_EQ(said(2), "");
  EXPECT_EQ(bench.network->clock_period_ps(), 2U);
}

class DeltaLong final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(DeltaLong);
  explicit DeltaLong(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

 private:
  void run() { wait(sc_core::SC_ZERO_TIME); }
};

/// It is made before time begins, be it by no more than a delta.
TEST(Engines, AreRefusedAfterTheFirstDelta) {
  if (kSanitized) GTEST_SKIP() << kThrownOnCoroutine;
  Bench bench(uniform_mesh(0.0, 2, 1));
  const DeltaLong module("module");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  ASSERT_GT(sc_core::sc_delta_count(), 0U);
  ASSERT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  std::string said;
  try {
    (void)models::make_static_engine(*bench.network);
  } catch (const sc_core::sc_report& report) {
    said = report.get_msg();
  }
  EXPECT_EQ(said,
            "network: made at 0 s, after its first cycles; make it before the first sc_start (Simulation::engine)");
}

/// A simulator whose time goes on in steps of 100 ps cannot have a clock of 1,050 ps.
TEST(Clocks, AreWholeStepsOfTheSimulatorsTime) {
  sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
  EXPECT_EQ(models::whole_period(1000), 10U);
  EXPECT_EQ(models::whole_period(100), 1U);
  const std::string expected =
      " ps is no multiple of SystemC's time resolution of 100 ps: expected a finer one (sc_set_time_resolution)";
  for (const std::uint64_t period : {1050U, 1001U, 999U, 99U, 10U}) {
    EXPECT_EQ(complaint([&] { models::whole_period(period); }),
              "the clock's period of " + std::to_string(period) + expected);
  }
}

/// ... and one of femtoseconds may be asked for a clock that the network does not have.
TEST(Clocks, AreWholePicoseconds) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  EXPECT_EQ(models::period_in_ps(sc_time(1000, sc_core::SC_FS)), 1U);
  EXPECT_EQ(models::period_in_ps(sc_time(6.25, sc_core::SC_NS)), 6250U);
  for (const double fs : {1001.0, 2500.0, 999.0}) {
    EXPECT_NE(complaint([&] {
                models::period_in_ps(sc_time(fs, sc_core::SC_FS));
              }).find("expected a whole number of picoseconds, at least 2"),
              std::string::npos)
        << fs;
  }
  EXPECT_EQ(models::whole_period(1000), 1000000U);
}

}  // namespace
}  // namespace braid::test::engine_edges_test
