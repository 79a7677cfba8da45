// The pool alone, at signals: it admits in cycle N and refuses in N - 1 (docs/po2.md, docs/hardware-view/po2.md).
#include "models/stages/po2/buffer_pool.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tb/tests/support/po2_stage.h"

namespace braid::test::buffer_pool_test {
namespace {

using models::stages::po2::BufferPool;

models::Experiment pool_of(std::uint32_t buffers, const char* avoidance = "none") {
  models::Experiment e = small_po2(3, 1);
  e.set("po2.buffers", buffers);
  e.set("po2.avoidance", avoidance);
  return e;
}

/// One buffer. West's packet takes it in cycle 0; it leaves from 5 until its receipt is acknowledged before 11. East
/// asks from 1 on: refused in 10, let in in 11.
TEST(BufferPool, AdmitsInTheCycleInWhichABufferIsFreeAndRefusesInTheOneBefore) {
  Po2Stage<BufferPool> alone(pool_of(1));
  StageOnSignals& b = alone.bench;
  b.set("incoming_i", kWestOf1);
  b.run();
  EXPECT_EQ(b.get("grant_o", kWestOf1), 1U);
  EXPECT_EQ(b.get("buffer_o", kWestOf1), 0U);
  EXPECT_EQ(b.get("held_o", 0), 1U);
  EXPECT_EQ(b.get("free_o", 0), 0U);
  b.set("incoming_i", kWestOf1, 0);
  b.set("incoming_i", kEastOf1);
  for (std::uint64_t cycle = 1; cycle < 11; ++cycle) {
    if (cycle == 5) b.set("leaving_i", 0);
    b.run();
    EXPECT_EQ(b.get("grant_o", 0, kPortsOf1), 0U) << cycle;
    EXPECT_EQ(b.get("refused_o", 0, kPortsOf1), 1U << kEastOf1) << cycle;
    EXPECT_EQ(b.get("blocking_o", 0), cycle < 5 ? 1U : 0U) << cycle;
  }
  b.set("leaving_i", 0, 0);
  b.run();
  EXPECT_EQ(b.get("grant_o", 0, kPortsOf1), 1U << kEastOf1);
  EXPECT_EQ(b.get("refused_o", 0, kPortsOf1), 0U);
}

/// Two buffers, three packets in one cycle: those that have waited longest get in, of equals the lower port.
TEST(BufferPool, GivesItsLastBuffersByAgeThenByPort) {
  Po2Stage<BufferPool> alone(pool_of(2));
  StageOnSignals& b = alone.bench;
  const unsigned ports[] = {kEastOf1, kWestOf1, kNodeOf1};
  const std::uint64_t since[] = {9, 9, 7};
  for (int i = 0; i < 3; ++i) {
    b.set("incoming_i", ports[i]);
    b.set("since_i", ports[i], since[i], 64);
    b.set("message_i", ports[i], 100 + static_cast<unsigned>(i), 32);
  }
  b.run();
  EXPECT_EQ(b.get("grant_o", 0, kPortsOf1), (1U << kNodeOf1) | (1U << kEastOf1));
  EXPECT_EQ(b.get("refused_o", 0, kPortsOf1), 1U << kWestOf1);
  EXPECT_EQ(b.get("message_o", static_cast<unsigned>(b.get("buffer_o", kNodeOf1)), 32), 102U);
}

/// Of two packets of a message that come in one cycle the younger is refused.
TEST(BufferPool, LetsInOnePacketOfAMessageACycle) {
  Po2Stage<BufferPool> alone(pool_of(4));
  StageOnSignals& b = alone.bench;
  for (const unsigned port : {kEastOf1, kWestOf1}) {
    b.set("incoming_i", port);
    b.set("since_i", port, port == kEastOf1 ? 8 : 3, 64);
    b.set("message_i", port, 12, 32);
  }
  b.run();
  EXPECT_EQ(b.get("grant_o", 0, kPortsOf1), 1U << kWestOf1);
  EXPECT_EQ(b.get("refused_o", 0, kPortsOf1), 1U << kEastOf1);
}

TEST(BufferPool, WithoutTheRuleLetsInTwoPacketsOfAMessage) {
  models::Experiment e = pool_of(4);
  e.set("po2.reject_same_message", false);
  Po2Stage<BufferPool> alone(e);
  for (const unsigned port : {kEastOf1, kWestOf1}) {
    alone.bench.set("incoming_i", port);
    alone.bench.set("message_i", port, 12, 32);
  }
  alone.bench.run();
  EXPECT_EQ(alone.bench.get("grant_o", 0, kPortsOf1), 3U);
}

/// Three buffers, two of them kept: one regular packet fills the pool for its like, and one may escape up, one down.
TEST(BufferPool, KeepsABufferForEachWayOfEscape) {
  Po2Stage<BufferPool> alone(pool_of(3, "up_down_escape"));
  StageOnSignals& b = alone.bench;
  b.run();
  EXPECT_EQ(b.get("free_o", 0, 3), 7U);
  const unsigned steps[][3] = {{0, 1, 6}, {0, 0, 6}, {2, 1, 2},
                               {2, 0, 2}, {1, 1, 0}, {1, 0, 0}};  // class, let in, room
  for (const auto& [pool_class, let_in, room] : steps) {
    b.set("incoming_i", kEastOf1);
    b.set("class_i", kEastOf1, pool_class, 2);
    b.run();
    EXPECT_EQ(b.get("grant_o", kEastOf1), let_in) << "class " << pool_class;
    EXPECT_EQ(b.get("free_o", 0, 3), room) << "class " << pool_class;
  }
  EXPECT_EQ(b.get("held_o", 0, 2), 3U);
}

/// Its ports in a VCD: the grant of cycle 2 stands from 2 ns on.
TEST(BufferPool, IsSeenInAWave) {
  const std::string file = temporary_file("pool");
  {
    Po2Stage<BufferPool> alone(pool_of(20));
    sc_core::sc_trace_file* wave = sc_core::sc_create_vcd_trace_file(file.c_str());
    wave->set_time_unit(1, sc_core::SC_PS);
    sc_core::sc_trace(wave, alone.bench.wire("grant_o"), "grant_o");
    alone.bench.run(2);
    alone.bench.set("incoming_i", kWestOf1);
    alone.bench.run(2);
    sc_core::sc_close_vcd_trace_file(wave);
  }
  std::ifstream in(file + ".vcd");
  std::stringstream text;
  text << in.rdbuf();
  const std::size_t grant = text.str().find("#2000\nb10 ");
  EXPECT_NE(grant, std::string::npos) << text.str();
  EXPECT_EQ(text.str().find("b10 "), grant + 6) << "not before";
  std::remove((file + ".vcd").c_str());
}

}  // namespace
}  // namespace braid::test::buffer_pool_test
