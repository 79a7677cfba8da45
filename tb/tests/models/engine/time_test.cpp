// Simulated time and cycles agree for whoever looks: at the edge of cycle n, n periods of time, cycle n is done, in
// whatever delta one asks, under both schedules; and what it delivered is handed over there. One case a process.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/engine/engine.h"
#include "models/experiment/simulation.h"
#include "models/workload/broadcast/broadcast_workload.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::time_test {
namespace {

using models::Engine;
using models::Experiment;
using sc_core::sc_time;

constexpr double kPeriod = 1000.0;  // ps

/// Looks at the network at chosen times, in the first delta of that time or some later ones.
class Looker : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Looker);
  Looker(const char* name, Engine& engine, std::vector<double> times_ps, unsigned deltas)
      : sc_module(name), engine_(engine), times_(std::move(times_ps)), deltas_(deltas) {
    SC_THREAD(look);
  }
  std::vector<std::uint64_t> seen;

 private:
  void look() {
    for (const double time : times_) {
      wait(sc_time(time, sc_core::SC_PS) - sc_core::sc_time_stamp());
      for (unsigned d = 0; d < deltas_; ++d) wait(sc_core::SC_ZERO_TIME);
      seen.push_back(engine_.settled().now());
    }
  }
  Engine& engine_;
  std::vector<double> times_;
  unsigned deltas_;
};

/// A thread that does it.
class Script : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Script);
  explicit Script(std::function<void()> act) : sc_module(sc_core::sc_module_name("script")), act_(std::move(act)) {
    SC_THREAD(run);
  }

 private:
  void run() { act_(); }
  std::function<void()> act_;
};

Experiment with_schedule(Experiment e, const std::string& schedule, std::int64_t threads = 1) {
  e.set("simulation.schedule", schedule);
  if (threads > 1) e.set("simulation.threads", threads);
  e.set("simulation.batch_cycles", 100);
  return e;
}

/// 3x2 routers, and nobody who sends unasked.
Experiment bare_mesh() {
  Experiment e;
  e.set("topology.width", 3);
  e.set("topology.height", 2);
  return e;
}

std::unique_ptr<Engine> engine_for(const Bench& bench) { return models::make_engine(*bench.network); }

std::size_t slices(const std::string& schedule) { return schedule == "static" ? 1 : 6; }

struct Case {
  const char* schedule;
  unsigned deltas;
};

class Looking : public testing::TestWithParam<Case> {};

/// 1 ps before an edge the cycle is not done; at the edge it is, in every delta.
TEST_P(Looking, AtAnEdgeSeesItsCycleDone) {
  const auto [schedule, deltas] = GetParam();
  Bench bench(with_schedule(uniform_mesh(0.1, 3, 2), schedule), slices(schedule));
  const auto engine = engine_for(bench);
  Looker looker("looker", *engine, {6999, 7000, 7001, 7999, 8000, 200000, 200999}, deltas);
  sc_core::sc_start(sc_time(300, sc_core::SC_NS));
  EXPECT_EQ(looker.seen, (std::vector<std::uint64_t>{7, 8, 8, 8, 9, 201, 201}));
  EXPECT_EQ(engine->settled().now(), 300U);
}
INSTANTIATE_TEST_SUITE_P(Time, Looking,
                         testing::Values(Case{"static", 0}, Case{"static", 1}, Case{"static", 5},
                                         Case{"process_per_stage", 0}, Case{"process_per_stage", 1},
                                         Case{"process_per_stage", 2}, Case{"process_per_stage", 3},
                                         Case{"process_per_stage", 5}),
                         [](const auto& c) { return c.param.schedule + std::to_string(c.param.deltas); });

/// A method that looks at every edge, made before the engine or behind it, in whatever order the kernel runs them. What
/// is sent before the next edge goes in the next cycle.
class LookingMethod : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(LookingMethod);
  explicit LookingMethod(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(look); }
  Engine* engine = nullptr;
  std::vector<std::uint64_t> seen;

 private:
  void look() {
    next_trigger(sc_time(kPeriod, sc_core::SC_PS));
    if (sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME) return;
    seen.push_back(engine->settled().now());
  }
};

class LookingMethods : public testing::TestWithParam<const char*> {};

TEST_P(LookingMethods, SeeEachCycleDoneOnce) {
  Bench bench(with_schedule(uniform_mesh(0.1, 3, 2), GetParam()), slices(GetParam()));
  LookingMethod before("before");
  const auto engine = engine_for(bench);
  LookingMethod behind("behind");
  before.engine = behind.engine = engine.get();
  const auto from = [](std::uint32_t cycle) { return NodeId{cycle % 6}; };
  const auto to = [](std::uint32_t cycle) { return NodeId{(cycle + 2) % 6}; };
  Script script([&] {
    for (std::uint32_t cycle = 0; cycle < 40; ++cycle) {
      sc_core::wait(sc_time((cycle + 0.5) * kPeriod, sc_core::SC_PS) - sc_core::sc_time_stamp());
      engine->send_packet(from(cycle), to(cycle), 1);
    }
  });
  sc_core::sc_start(sc_time(50, sc_core::SC_NS));
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t edge = 1; edge < 50; ++edge) wanted.push_back(edge + 1);
  EXPECT_EQ(before.seen, wanted);
  EXPECT_EQ(behind.seen, wanted);
  EXPECT_EQ(engine->settled().now(), 50U);
  Bench alone(uniform_mesh(0.1, 3, 2));
  for (std::uint32_t cycle = 0; cycle < 50; ++cycle) {
    alone.run(1);
    if (cycle < 40) alone.network->send_packet(from(cycle), to(cycle), 1);
  }
  EXPECT_GT(alone.delivered(), 10U);
  EXPECT_EQ(bench.network->merged_statistics().packet_hash(), alone.network->merged_statistics().packet_hash());
  EXPECT_EQ(bench.network->flit_hops(), alone.network->flit_hops());
}
INSTANTIATE_TEST_SUITE_P(Time, LookingMethods, testing::Values("static", "process_per_stage"),
                         [](const auto& c) { return std::string(c.param); });

class Schedules : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Time, Schedules, testing::Values("static", "process_per_stage"),
                         [](const auto& c) { return c.param; });

struct Handed {
  sc_time time;
  std::uint64_t cycle, tag;
};

/// A packet over one hop, alone: as many cycles on its way as a bench without SystemC counts; handed over at the edge
/// of the cycle in which its tail came, not a cycle before.
TEST_P(Schedules, ADeliveryIsHandedOverAtTheEdgeOfItsCycle) {
  const auto alone = [](std::uint64_t until) {
    Bench bench(with_schedule(uniform_mesh(0.0, 3, 2), "static"));
    bench.run(11);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 3);
    bench.run(until);
    return bench.delivered();
  };
  std::uint64_t latency = 0;
  while (alone(latency) == 0) ++latency;  // of cycles after the send, the last is that of delivery: 10 + latency
  Bench bench(with_schedule(bare_mesh(), GetParam()), slices(GetParam()));
  const auto engine = engine_for(bench);
  std::vector<Handed> handed;
  engine->on_delivery(NodeId{1}, [&](std::uint64_t cycle, const models::Packet& packet) {
    handed.push_back({sc_core::sc_time_stamp(), cycle, packet.tag});
    EXPECT_EQ(engine->settled().now(), cycle + 1);
  });
  Script script([&] {
    sc_core::wait(sc_time(10 * kPeriod + 400, sc_core::SC_PS));
    engine->send_packet(NodeId{0}, NodeId{1}, 3, 77);
  });
  sc_core::sc_start(sc_time(kPeriod * static_cast<double>(10 + latency), sc_core::SC_PS));
  EXPECT_TRUE(handed.empty()) << "the edge is still to come";
  sc_core::sc_start(sc_time(1, sc_core::SC_PS));
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_EQ(handed[0].time, sc_time(kPeriod * static_cast<double>(10 + latency), sc_core::SC_PS));
  EXPECT_EQ(handed[0].cycle, 10 + latency);
  EXPECT_EQ(handed[0].tag, 77U);
}

/// The same program of sends and replies from callbacks gives the same packets at the same cycles.
std::uint64_t hash_of_conversation(const std::string& schedule, std::size_t slices) {
  Bench bench(with_schedule(uniform_mesh(0.2, 3, 2), schedule), slices);
  const auto engine = engine_for(bench);
  for (std::size_t n = 0; n < 6; ++n) {
    engine->on_delivery(NodeId{n}, [&engine](std::uint64_t, const models::Packet& packet) {
      if (packet.tag > 0 && packet.tag < 50) {
        engine->send_packet(packet.destination, packet.source, 2, packet.tag - 1);
      }
    });
  }
  engine->send_packet(NodeId{0}, NodeId{5}, 4, 40);
  Script script([&engine] {
    for (unsigned i = 0; i < 20; ++i) {
      sc_core::wait(sc_time(7.3, sc_core::SC_NS));
      engine->send_packet(NodeId{i % 6}, NodeId{(i + 1) % 6}, 3, 3);
    }
  });
  for (int i = 0; i < 10; ++i) sc_core::sc_start(sc_time(49.9, sc_core::SC_NS));
  EXPECT_EQ(engine->settled().now(), 499U);
  EXPECT_TRUE(bench.network->conservation().holds());
  return bench.network->merged_statistics().packet_hash();
}

constexpr std::uint64_t kHashOfConversation = 3141938254074270872;  // of the static schedule

TEST(Conversation, HasTheHashOfTheStaticSchedule) { EXPECT_EQ(hash_of_conversation("static", 1), kHashOfConversation); }
TEST(Conversation, HasTheHashUnderThreads) { EXPECT_EQ(hash_of_conversation("static", 3), kHashOfConversation); }
TEST(Conversation, HasTheHashWithAProcessAStage) {
  EXPECT_EQ(hash_of_conversation("process_per_stage", 6), kHashOfConversation);
}

/// Bound or not: callbacks and looks change nothing of what the sources' packets do.
TEST_P(Schedules, LookingChangesNoPacket) {
  Bench unbound(uniform_mesh(0.3, 3, 2));
  unbound.run(1000);
  Bench bench(with_schedule(uniform_mesh(0.3, 3, 2), GetParam()), slices(GetParam()));
  const auto engine = engine_for(bench);
  std::uint64_t delivered = 0;
  for (std::size_t n = 0; n < 6; ++n) engine->on_delivery(NodeId{n}, [&](std::uint64_t, const auto&) { ++delivered; });
  Looker looker("looker", *engine, {1500, 123000, 123001, 700000}, 1);
  for (int i = 0; i < 7; ++i) sc_core::sc_start(sc_time(i == 0 ? 400 : 100, sc_core::SC_NS));
  EXPECT_EQ(engine->settled().now(), 1000U);
  EXPECT_EQ(bench.network->merged_statistics().packet_hash(), unbound.network->merged_statistics().packet_hash());
  EXPECT_GT(delivered, 100U);
  EXPECT_EQ(delivered, bench.delivered());
}

/// Nobody waits: no matter how long, the kernel is asked 64 cycles apart; with a delivery to wait for each cycle.
TEST(StaticTime, RunsDecoupledOnlyWhileNobodyWaits) {
  Bench bench(bare_mesh());
  const auto engine = engine_for(bench);
  engine->on_delivery(NodeId{1}, [](std::uint64_t, const auto&) {});
  sc_core::sc_start(sc_time(6400, sc_core::SC_NS));
  const sc_dt::uint64 idle = sc_core::sc_delta_count();
  EXPECT_GE(idle, 100U);
  EXPECT_LE(idle, 102U);
  engine->send_packet(NodeId{0}, NodeId{1}, 65535);
  sc_core::sc_start(sc_time(6400, sc_core::SC_NS));
  EXPECT_GE(sc_core::sc_delta_count() - idle, 2 * 6400U) << "an edge and a hand-over each";
}

TEST_P(Schedules, AnObserverSeesEveryCycleAtItsTime) {
  Bench bench(with_schedule(uniform_mesh(0.1, 3, 2), GetParam()), slices(GetParam()));
  const auto engine = engine_for(bench);
  tlm::tlm_global_quantum::instance().set(sc_time(10, sc_core::SC_NS));  // that is for deliveries
  std::uint64_t next = 0;
  engine->on_cycle([&](std::uint64_t cycle) {
    EXPECT_EQ(cycle, next++);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(static_cast<double>(cycle) * kPeriod, sc_core::SC_PS));
  });
  engine->run(150);
  EXPECT_EQ(next, 150U);
}

/// TLM-2.0's quantum is how far initiators may run ahead; what comes to them comes in its own cycle.
TEST_P(Schedules, AGlobalQuantumChangesNothing) {
  Bench bench(with_schedule(bare_mesh(), GetParam()), slices(GetParam()));
  const auto engine = engine_for(bench);
  tlm::tlm_global_quantum::instance().set(sc_time(10, sc_core::SC_NS));
  std::vector<Handed> handed;
  engine->on_delivery(NodeId{1}, [&](std::uint64_t cycle, const models::Packet& packet) {
    handed.push_back({sc_core::sc_time_stamp(), cycle, packet.tag});
    if (handed.size() < 5) engine->send_packet(NodeId{0}, NodeId{1}, 1);
  });
  engine->send_packet(NodeId{0}, NodeId{1}, 1);
  sc_core::sc_start(sc_time(100, sc_core::SC_NS));
  ASSERT_EQ(handed.size(), 5U);
  for (const Handed& h : handed) EXPECT_EQ(h.time, sc_time(static_cast<double>(h.cycle) * kPeriod, sc_core::SC_PS));
}

TEST_P(Schedules, TheClocksPeriodIsTheUsers) {
  models::Simulation simulation(with_schedule(uniform_mesh(0.1, 3, 2), GetParam()));
  Engine& engine = simulation.engine(sc_time(2.5, sc_core::SC_NS));
  Looker looker("looker", engine, {24999, 25000}, 0);
  sc_core::sc_start(sc_time(50, sc_core::SC_NS));
  EXPECT_EQ(looker.seen, (std::vector<std::uint64_t>{10, 11}));
  EXPECT_EQ(simulation.network().now(), 20U);
  EXPECT_THROW(simulation.engine(sc_time(2, sc_core::SC_NS)), InputError);
}

/// Each in its own modules, without a warning of SystemC's that names were changed.
TEST_P(Schedules, TwoNetworksInASimulationRunAsAlone) {
  const Experiment small = uniform_mesh(0.2, 3, 2), large = uniform_mesh(0.15, 4, 4);
  models::Simulation first(with_schedule(small, GetParam())), second(with_schedule(large, GetParam()));
  first.engine();
  second.engine(sc_time(2, sc_core::SC_NS));
  EXPECT_NE(sc_core::sc_find_object("network"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("network_1"), nullptr);
  EXPECT_EQ(sc_core::sc_report_handler::get_count(sc_core::SC_WARNING), 0);
  sc_core::sc_start(sc_time(800, sc_core::SC_NS));
  const auto expect_alone = [](models::Simulation& simulation, const Experiment& e, std::uint64_t cycles) {
    Bench alone(e);
    alone.run(cycles);
    EXPECT_EQ(simulation.counts().cycles, cycles);
    EXPECT_EQ(simulation.counts().packet_hash, alone.network->merged_statistics().packet_hash());
  };
  expect_alone(first, small, 800);
  expect_alone(second, large, 400);
}

/// A user's own sc_start between begin_measurement and end_measurement gives what a run of those cycles would.
TEST_P(Schedules, AUsersMeasurementIsThatOfARun) {
  models::Simulation simulation(with_schedule(uniform_mesh(0.2, 3, 2), GetParam()));
  simulation.engine();
  sc_core::sc_start(sc_time(150, sc_core::SC_NS));
  simulation.begin_measurement();
  sc_core::sc_start(sc_time(130, sc_core::SC_NS));
  EXPECT_THROW(simulation.end_measurement(), InputError) << "not whole batches of 100 cycles";
  sc_core::sc_start(sc_time(270, sc_core::SC_NS));
  const models::Results results = simulation.end_measurement();
  EXPECT_EQ(results.measured_cycles, 400U);
  EXPECT_EQ(results.cycles, 550U);
  Bench bench(uniform_mesh(0.2, 3, 2));
  bench.run(150);
  bench.network->window() = {true, 150, 100};
  bench.run(400);
  const auto expected = bench.network->merged_statistics().results(400);
  ASSERT_EQ(results.classes.size(), 1U);
  EXPECT_EQ(results.classes[0].accepted_flits_per_node_cycle.mean, expected[0].accepted_flits_per_node_cycle.mean);
  EXPECT_EQ(results.classes[0].packet_latency_cycles.mean, expected[0].packet_latency_cycles.mean);
  EXPECT_EQ(results.packet_hash, bench.network->merged_statistics().packet_hash());
  EXPECT_TRUE(results.conservation.holds());
}

/// Batches end inside the window, whoever runs the cycles: none of what was completed in it is left out.
TEST(Batches, AreWholeInAWindow) {
  Bench bench(in_family("hybrid"));
  bench.run(500);
  bench.network->window() = {true, 500, 1000};
  auto& workload = *bench.network->workload<models::BroadcastWorkload>();
  workload.begin_window();
  bench.run(5000);
  const models::BroadcastResults r = workload.results();
  EXPECT_GT(r.completed, 5U);
  EXPECT_NEAR(r.broadcasts_per_kilocycle.mean, static_cast<double>(r.completed) / 5.0, 1e-9);
}

/// Waveform and packet log of a simulation of the user's own.
TEST(Finish, WritesWhatIsLostElse) {
  Experiment e = with_schedule(uniform_mesh(0.2, 3, 2), "static");
  const std::string wave = temporary_file("time.vcd"), log = temporary_file("time.csv");
  e.set("trace.file", wave);
  e.set("log.file", log);
  {
    models::Simulation simulation(e);
    simulation.engine();
    sc_core::sc_start(sc_time(50, sc_core::SC_NS));
    simulation.finish();
  }
  EXPECT_GT(std::filesystem::file_size(wave), 100U);
  EXPECT_GT(std::filesystem::file_size(log), 100U);
}

TEST(WrongUse, OfPacketsAndPeriodsIsRefused) {
  Bench bench(uniform_mesh(0.0, 3, 2));
  const auto engine = engine_for(bench);
  EXPECT_THROW(engine->send_packet(NodeId{6}, NodeId{0}, 1), InputError);
  EXPECT_THROW(engine->send_packet(NodeId{0}, NodeId{6}, 1), InputError);
  EXPECT_THROW(engine->send_packet(NodeId{0}, NodeId{1}, 0), InputError);
  EXPECT_THROW(engine->send_packet(NodeId{0}, NodeId{1}, 65536), InputError);
  EXPECT_THROW(engine->on_delivery(NodeId{6}, {}), InputError);
  EXPECT_THROW(bench.network->set_clock_period_ps(1), InputError);
  Bench myrinet(myrinet_row(3));
  EXPECT_THROW(myrinet.network->set_clock_period_ps(1000), InputError) << "its delays are in nanoseconds";
  myrinet.network->set_clock_period_ps(6250);
}

}  // namespace
}  // namespace braid::test::time_test
