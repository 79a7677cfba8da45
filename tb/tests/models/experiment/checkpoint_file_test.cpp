// A library user's simulation saved at a time of its own and gone on with in another process, exact to the cycle; and
// what is refused there. Runs of the program: tb/python/test_checkpoints.py. One case a process.
#include "models/experiment/checkpoint_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "models/engine/engine.h"
#include "models/experiment/simulation.h"
#include "models/tlm/sockets/interconnect.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/tlm_memory.h"
#include "tb/tests/support/tlm_network.h"
#include "traffic/synthetic/injection.h"

namespace braid::test::checkpoint_file_test {
namespace {

using models::Experiment;
using models::Simulation;
using sc_core::sc_time;

constexpr double kPeriod = 1000.0;  // ps
sc_time cycles(double n) { return {n * kPeriod, sc_core::SC_PS}; }

/// In a process of its own, as SystemC elaborates once in one.
void elsewhere(const std::function<void()>& act) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    act();
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// What is said instead; empty: nothing.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

/// 3x2 routers, and nobody who sends unasked.
Experiment bare_mesh(const std::string& schedule) {
  Experiment e = uniform_mesh(0.0, 3, 2);
  e.set("simulation.schedule", schedule);
  return e;
}

Experiment from(Experiment e, const std::string& file) {
  e.set("checkpoint.from", file);
  return e;
}

class CheckpointSchedules : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, CheckpointSchedules, testing::Values("static", "process_per_stage"),
                         [](const auto& c) { return c.param; });

/// Three flits over two routers take 3 + 5 * 2 + (3 - 1) cycles (docs/router.md). Sent at the edge of cycle 10, that is
/// cycle 25; saved when 18 cycles have run, the edge of cycle 18 is at 0 and that of 25 seven periods later.
TEST_P(CheckpointSchedules, APacketUnderWayArrivesInItsCycle) {
  const std::string file = temporary_file("under_way.ckpt");
  const Experiment e = bare_mesh(GetParam());
  elsewhere([&] {
    Simulation simulation(e);
    models::Engine& engine = simulation.engine();
    sc_core::sc_start(cycles(10) + sc_time(1, sc_core::SC_PS));
    engine.send_packet(NodeId{0}, NodeId{1}, 3, 77);
    sc_core::sc_start(cycles(8) - sc_time(1, sc_core::SC_PS));
    EXPECT_EQ(engine.settled().now(), 18U);
    simulation.save_checkpoint(file);
  });
  Simulation simulation(from(e, file));
  models::Engine& engine = simulation.engine();
  EXPECT_EQ(engine.settled().now(), 18U);
  std::vector<std::uint64_t> arrived, tags;
  engine.on_delivery(NodeId{1}, [&](std::uint64_t cycle, const models::Packet& packet) {
    arrived.push_back(cycle);
    tags.push_back(packet.tag);
    EXPECT_EQ(sc_core::sc_time_stamp(), cycles(7));
  });
  sc_core::sc_start(cycles(7));
  EXPECT_TRUE(arrived.empty()) << "the edge of cycle 25 is still to come";
  EXPECT_EQ(engine.settled().now(), 25U);
  sc_core::sc_start(sc_time(1, sc_core::SC_PS));
  EXPECT_EQ(arrived, std::vector<std::uint64_t>{25});
  EXPECT_EQ(tags, std::vector<std::uint64_t>{77});
  EXPECT_EQ(simulation.counts().conservation.packets_delivered, 1U);
  std::filesystem::remove(file);
}

/// The clock's period is no register: the same cycles in half the time.
TEST(CheckpointFile, MayBeGoneOnWithByAnotherClock) {
  const std::string file = temporary_file("clock.ckpt");
  const Experiment e = bare_mesh("static");
  elsewhere([&] {
    Simulation simulation(e);
    models::Engine& engine = simulation.engine();
    sc_core::sc_start(sc_time(1, sc_core::SC_PS));
    engine.send_packet(NodeId{0}, NodeId{1}, 3);
    sc_core::sc_start(cycles(5) - sc_time(1, sc_core::SC_PS));
    simulation.save_checkpoint(file);
  });
  Simulation simulation(from(e, file));
  models::Engine& engine = simulation.engine(cycles(0.5));
  sc_time arrived;
  engine.on_delivery(NodeId{1}, [&](std::uint64_t, const models::Packet&) { arrived = sc_core::sc_time_stamp(); });
  sc_core::sc_start(cycles(20));
  EXPECT_EQ(arrived, cycles(5)) << "cycle 15, ten after the first";
  std::filesystem::remove(file);
}

/// An initiator at node 0, memories at nodes 5 and 2.
struct Platform {
  explicit Platform(const Experiment& e)
      : simulation(e), net("net", simulation.engine()), client("client"), near("near"), far("far", 4096, cycles(9)) {
    client.socket.bind(net.target(0));
    net.initiator(5).bind(far.socket);
    net.initiator(2).bind(near.socket);
  }
  Simulation simulation;
  models::Interconnect net;
  TestClient<> client;
  TestMemory<> near, far;
};

/// The memory is the user's; the network's next transaction takes what it takes in a network that went on.
TEST(CheckpointFile, OfAnInterconnectAtRestGoesOn) {
  const std::string file = temporary_file("tlm.ckpt"), note = temporary_file("tlm.txt");
  const Experiment e = tlm_network("hybrid");
  std::uint32_t word = 42;
  const auto write = [&word](Platform& p) {
    const sc_time::value_type begin = sc_core::sc_time_stamp().value();
    p.client.b(tlm::TLM_WRITE_COMMAND, 0x1000, &word, 4);
    return sc_time::from_value(sc_core::sc_time_stamp().value() - begin);
  };
  elsewhere([&] {
    Platform p(e);
    sc_time took;
    p.client.thread = [&] {
      write(p);
      sc_core::wait(cycles(1000) - sc_core::sc_time_stamp());
      took = write(p);
    };
    sc_core::sc_start(cycles(900));
    EXPECT_EQ(p.simulation.counts().conservation.packets_delivered, 2U);
    p.simulation.save_checkpoint(file);
    sc_core::sc_start(cycles(900));
    std::ofstream(note) << took.value();
  });
  Platform p(from(e, file));
  sc_time took;
  p.client.thread = [&] { took = write(p); };
  sc_core::sc_start(cycles(900));
  std::uint64_t expected = 0;
  std::ifstream(note) >> expected;
  EXPECT_GT(expected, cycles(30).value());
  EXPECT_EQ(took.value(), expected);
  EXPECT_EQ(p.simulation.counts().conservation.packets_delivered, 4U);
  EXPECT_TRUE(p.simulation.counts().conservation.holds());
  std::filesystem::remove(file);
  std::filesystem::remove(note);
}

/// With a request in the network, and with none there but one at the memory.
TEST(CheckpointFile, OfAnInterconnectWithTransactionsUnderWayIsRefused) {
  const std::string file = temporary_file("busy.ckpt");
  Platform p(tlm_network("hybrid"));
  std::uint32_t word = 42;
  bool at_memory = false;
  p.far.seen = [&](tlm::tlm_generic_payload&) { at_memory = true; };
  p.client.thread = [&] { p.client.b(tlm::TLM_WRITE_COMMAND, 0x1000, &word, 4); };
  const std::string says = file + ": no checkpoint can be made: net has 1 transactions under way: expected none";
  sc_core::sc_start(cycles(5));
  EXPECT_FALSE(at_memory);
  EXPECT_EQ(refusal([&] { p.simulation.save_checkpoint(file); }), says);
  while (!at_memory) sc_core::sc_start(cycles(1));
  EXPECT_EQ(refusal([&] { p.simulation.save_checkpoint(file); }), says);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(refusal([&] { p.simulation.save_checkpoint(file); }), "");
  EXPECT_TRUE(std::filesystem::remove(file));
}

TEST(CheckpointFile, InTheMiddleOfAMeasurementIsRefused) {
  const std::string file = temporary_file("measured.ckpt");
  Experiment e = uniform_mesh(0.1, 3, 2);
  e.set("simulation.batch_cycles", 100);
  Simulation simulation(e);
  simulation.begin_measurement();
  sc_core::sc_start(cycles(100));
  EXPECT_EQ(refusal([&] { simulation.save_checkpoint(file); }),
            file + ": no checkpoint can be made: a measurement is open: expected end_measurement before it");
  EXPECT_FALSE(std::filesystem::exists(file));
  simulation.end_measurement();
  simulation.save_checkpoint(file);
  EXPECT_TRUE(std::filesystem::remove(file));
}

/// A process of a user's who did not think of checkpoints.
class Forgetful final : public traffic::InjectionProcess {
 public:
  std::uint64_t next_gap(Random&) override { return gap_++; }
  std::unique_ptr<InjectionProcess> clone() const override { return std::make_unique<Forgetful>(*this); }

 private:
  std::uint64_t gap_ = 100;
};

/// Before the run, not after its warm-up; without a checkpoint it runs.
TEST(CheckpointFile, OfAPolicyThatHasNoneIsRefusedBeforeTheRun) {
  traffic::InjectionRegistry::instance().add(
      "forgetful", "for a test", [](const traffic::InjectionContext&) { return std::make_unique<Forgetful>(); });
  const std::string file = temporary_file("forgetful.ckpt");
  Experiment e = uniform_mesh(0.1, 3, 2);
  e.set("traffic.process", "forgetful");
  e.set("checkpoint.file", file);
  Simulation simulation(e);
  EXPECT_EQ(refusal([&] { (void)simulation.run(); }),
            file + ": no checkpoint can be made: this injection process has no checkpoint()");
  EXPECT_EQ(simulation.network().now(), 0U);
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace braid::test::checkpoint_file_test
