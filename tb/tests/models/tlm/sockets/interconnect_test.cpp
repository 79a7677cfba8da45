// A network as the interconnect between initiators and targets: what arrives, when, in which order, and what is
// refused. One case a process.
#include "models/tlm/sockets/interconnect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "models/tlm/checker/protocol_checker.h"
#include "models/tlm/sockets/extensions.h"
#include "routing/base/random.h"
#include "tb/tests/support/tlm_memory.h"
#include "tb/tests/support/tlm_network.h"

namespace braid::test::interconnect_test {
namespace {

using models::Experiment;
using models::Interconnect;
using models::Simulation;
using sc_core::sc_time;
using tlm::tlm_generic_payload;

/// An initiator at node 0, memories at nodes 5 (0x1000) and 2 (0x8000).
struct Platform {
  explicit Platform(const Experiment& e)
      : simulation(e), net("net", simulation.engine()), client("client"), near("near"), far("far") {
    client.socket.bind(net.target(0));
    net.initiator(5).bind(far.socket);
    net.initiator(2).bind(near.socket);
  }
  /// The client's thread does it; a microsecond later all is at rest.
  void run(const std::function<void()>& act) {
    bool done = false;
    client.thread = [&] { act(), done = true; };
    for (int us = 0; us < 1000 && !done; ++us) sc_core::sc_start(sc_time(1, sc_core::SC_US));
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_TRUE(done) << "the client's thread is stuck";
    EXPECT_EQ(net.in_use(), 0U);
    EXPECT_TRUE(simulation.counts().conservation.holds());
  }
  Simulation simulation;
  Interconnect net;
  TestClient<> client;
  TestMemory<> near, far;
};

std::vector<unsigned char> bytes_of(Random& random, std::size_t count) {
  std::vector<unsigned char> all(count);
  for (unsigned char& b : all) b = static_cast<unsigned char>(random.below(256));
  return all;
}

struct Where {
  const char* architecture;
  const char* schedule;
};
class Everywhere : public testing::TestWithParam<Where> {};
INSTANTIATE_TEST_SUITE_P(Tlm, Everywhere,
                         testing::Values(Where{"hybrid", "static"}, Where{"hybrid", "threads"},
                                         Where{"hybrid", "process_per_stage"}, Where{"virtual_cut_through", "static"},
                                         Where{"virtual_cut_through", "process_per_stage"}, Where{"po2", "static"},
                                         Where{"po2", "process_per_stage"}, Where{"myrinet", "static"},
                                         Where{"ideal", "static"}, Where{"ideal", "process_per_stage"}),
                         [](const auto& c) { return std::string(c.param.architecture) + "_" + c.param.schedule; });

TEST_P(Everywhere, WhatIsWrittenIsRead) {
  Platform p(tlm_network(GetParam().architecture, GetParam().schedule));
  Random random(1, "bytes");
  p.run([&] {
    for (const unsigned length : {1U, 4U, 7U, 64U, 300U, 4096U}) {
      const std::vector<unsigned char> data = bytes_of(random, length);
      std::vector<unsigned char> back(length);
      const std::uint64_t base = length % 2 == 0 ? 0x1000 : 0x8010;
      p.client.b(tlm::TLM_WRITE_COMMAND, base, const_cast<unsigned char*>(data.data()), length);
      p.client.b(tlm::TLM_READ_COMMAND, base, back.data(), length);
      EXPECT_EQ(back, data);
    }
  });
  EXPECT_EQ(p.far.addresses, (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 0, 0, 0})) << "offsets in the range";
  EXPECT_EQ(p.near.addresses, (std::vector<std::uint64_t>{0x10, 0x10, 0x10, 0x10}));
}

/// A program of requests that do not wait for one another, held to a plain array; three initiators, each in its third
/// of a memory, checkers before and behind the network, targets that are slow, annotate or answer at once.
struct RandomProgram {
  static constexpr unsigned kInitiators = 3, kThird = 1024;
  explicit RandomProgram(const Experiment& e) : simulation(e), net("net", simulation.engine()) {
    for (unsigned i = 0; i < kInitiators; ++i) {
      const std::string number = std::to_string(i);
      clients.push_back(std::make_unique<TestClient<>>(("client_" + number).c_str()));
      checkers.push_back(std::make_unique<models::ProtocolChecker<>>(("before_" + number).c_str()));
      clients[i]->socket.bind(checkers.back()->target_socket);
      checkers.back()->initiator_socket.bind(net.target(i == 2 ? 1 : 0));  // two initiators at one node
      clients[i]->thread = [this, i] { act(i); };
      clients[i]->answered = [this](tlm_generic_payload& p) { check(p); };
    }
    clients[1]->response_delay = [this] { return sc_time(static_cast<double>(random.below(5000)), sc_core::SC_PS); };
    for (const std::size_t node : {std::size_t{5}, std::size_t{2}}) {
      const std::string number = std::to_string(node);
      memories.push_back(std::make_unique<TestMemory<>>(("memory_" + number).c_str()));
      checkers.push_back(std::make_unique<models::ProtocolChecker<>>(("behind_" + number).c_str()));
      net.initiator(node).bind(checkers.back()->target_socket);
      checkers.back()->initiator_socket.bind(memories.back()->socket);
      expected.emplace_back(4096);
    }
    memories[0]->latency = sc_time(3300, sc_core::SC_PS);
    memories[1]->waits = false;
    memories[1]->latency = sc_time(1700, sc_core::SC_PS);
  }
  struct Expected {
    std::vector<unsigned char> data, read;
  };
  void act(unsigned i) {
    Random mine(7, "client " + std::to_string(i));
    for (unsigned n = 0; n < transactions; ++n) {
      tlm_generic_payload& p = clients[i]->pool.take();
      const unsigned length = 1 + static_cast<unsigned>(mine.below(mine.below(4) == 0 ? 200 : 16));
      const unsigned memory = static_cast<unsigned>(mine.below(2));
      const std::uint64_t offset = i * kThird + mine.below(kThird - length + 1);
      auto& record = records[&p];
      record.data = bytes_of(mine, length);
      const bool write = mine.below(2) == 0;
      clients[i]->fill(p, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                       (memory == 0 ? 0x1000 : 0x8000) + offset, record.data.data(), length);
      carry_out_here(p, record, expected[memory], offset);
      sc_time delay(static_cast<double>(mine.below(3)) * 700, sc_core::SC_PS);
      ++begun;
      clients[i]->send(p, delay);
      if (mine.below(2) == 0) sc_core::wait(sc_time(static_cast<double>(mine.below(9000)), sc_core::SC_PS));
    }
  }
  static void carry_out_here(tlm_generic_payload& p, Expected& record, std::vector<unsigned char>& memory,
                             std::uint64_t offset) {
    for (unsigned b = 0; b < p.get_data_length(); ++b) {
      if (p.is_write()) memory[offset + b] = record.data[b];
    }
    record.read.assign(memory.begin() + static_cast<std::ptrdiff_t>(offset),
                       memory.begin() + static_cast<std::ptrdiff_t>(offset + p.get_data_length()));
  }
  void check(tlm_generic_payload& p) {
    EXPECT_TRUE(p.is_response_ok());
    const Expected& record = records.at(&p);
    EXPECT_EQ(record.data, record.read) << "a read sees the writes before it, and none after it";
    ++answered;
  }
  std::uint64_t breaches() const {
    return std::accumulate(checkers.begin(), checkers.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& c) { return sum + c->monitor().count(); });
  }

  Simulation simulation;
  Interconnect net;
  Random random{3, "delays"};
  std::vector<std::unique_ptr<TestClient<>>> clients;
  std::vector<std::unique_ptr<models::ProtocolChecker<>>> checkers;
  std::vector<std::unique_ptr<TestMemory<>>> memories;
  std::vector<std::vector<unsigned char>> expected;
  std::map<tlm_generic_payload*, Expected> records;
  unsigned transactions = 300, begun = 0, answered = 0;
};

TEST_P(Everywhere, ARandomProgramKeepsProtocolOrderAndData) {
  RandomProgram program(tlm_network(GetParam().architecture, GetParam().schedule));
  for (int us = 0; us < 200 && program.answered < 900; ++us) sc_core::sc_start(sc_time(1, sc_core::SC_US));
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(program.begun, 900U);
  EXPECT_EQ(program.answered, 900U);
  EXPECT_EQ(program.breaches(), 0U);
  EXPECT_EQ(program.memories[0]->bytes, program.expected[0]);
  EXPECT_EQ(program.memories[1]->bytes, program.expected[1]);
  EXPECT_EQ(program.net.in_use(), 0U);
  for (const auto& client : program.clients) EXPECT_EQ(client->pool.in_use(), 0U) << "every reference was released";
  EXPECT_TRUE(program.simulation.counts().conservation.holds());
}

/// Cycles that a packet of so many flits takes when it is alone.
std::uint64_t alone(const std::string& architecture, std::size_t from, std::size_t to, std::uint32_t flits) {
  Bench bench(tlm_network(architecture));
  bench.run(10);
  bench.network->send_packet(NodeId{from}, NodeId{to}, flits);
  const std::uint64_t begin = bench.network->now() - 1;
  while (bench.delivered() == 0) bench.run(1);
  return bench.network->now() - 1 - begin;
}

/// Flits, by hand: a read of 4 bytes has a header of 24 bytes, 3 flits of 8, and the packet's first; its response 8 and
/// 4 bytes, 2 flits, and the packet's first. Answered in the same cycle, the round trip is the two on their own.
TEST_P(Everywhere, AReadTakesTheCyclesOfItsTwoPackets) {
  const std::string architecture = GetParam().architecture;
  const std::uint64_t cycles = alone(architecture, 0, 5, 4) + alone(architecture, 5, 0, 3);
  Platform p(tlm_network(architecture, GetParam().schedule));
  const sc_time period = p.simulation.engine().period();
  sc_time took;
  p.run([&] {
    std::uint32_t word = 0;
    sc_core::wait(period * 20);
    const sc_time begin = sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME;  // of now
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    took = sc_core::sc_time_stamp() - begin;
  });
  EXPECT_EQ(took, period * static_cast<double>(cycles));
}

/// 200 bytes written with 16 byte enables: 24 + 2 + 200 bytes are 226; packets of at most 4 flits carry 24 bytes each.
TEST(Flits, OfAMessageAreThoseOfItsPackets) {
  Experiment e = tlm_network("hybrid");
  e.set("tlm.packet_flits", 4);
  Platform p(e);
  p.run([&] {
    std::array<unsigned char, 200> data{};
    std::array<unsigned char, 16> enables{};
    tlm_generic_payload w;
    p.client.fill(w, tlm::TLM_WRITE_COMMAND, 0x1000, data.data(), 200);
    w.set_byte_enable_ptr(enables.data());
    w.set_byte_enable_length(16);
    sc_time delay;
    p.client.socket->b_transport(w, delay);
  });
  const auto counts = p.simulation.counts();
  EXPECT_EQ(counts.conservation.packets_created, 10U + 1U);  // 9 of 24 bytes and one of 10; a response
  EXPECT_EQ(counts.conservation.flits_delivered, 9U * 4 + 1 + 2 + 2U);
}

TEST(ByteEnablesAndStreamingWidth, AreTheTargets) {
  Platform p(tlm_network("hybrid"));
  p.far.bytes.assign(4096, 0xaa);
  p.run([&] {
    std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8}, back{};
    std::array<unsigned char, 4> enables{0xff, 0, 0, 0xff};
    tlm_generic_payload w;
    p.client.fill(w, tlm::TLM_WRITE_COMMAND, 0x1010, data.data(), 8);
    w.set_byte_enable_ptr(enables.data());
    w.set_byte_enable_length(4);
    sc_time delay;
    p.client.socket->b_transport(w, delay);
    back.fill(0x55);
    tlm_generic_payload r;
    p.client.fill(r, tlm::TLM_READ_COMMAND, 0x1010, back.data(), 8);
    r.set_byte_enable_ptr(enables.data());
    r.set_byte_enable_length(4);
    p.client.socket->b_transport(r, delay);
    EXPECT_EQ(back, (std::array<unsigned char, 8>{1, 0x55, 0x55, 4, 5, 0x55, 0x55, 8}));
    tlm_generic_payload s;
    p.client.fill(s, tlm::TLM_WRITE_COMMAND, 0x1ffc, data.data(), 8);  // 4 bytes before the range's end, twice
    s.set_streaming_width(4);
    p.client.socket->b_transport(s, delay);
    EXPECT_TRUE(s.is_response_ok());
  });
  const auto at = [&](std::size_t a, std::size_t n) {
    return std::vector<int>(p.far.bytes.begin() + static_cast<std::ptrdiff_t>(a),
                            p.far.bytes.begin() + static_cast<std::ptrdiff_t>(a + n));
  };
  EXPECT_EQ(at(0x10, 8), (std::vector<int>{1, 0xaa, 0xaa, 4, 5, 0xaa, 0xaa, 8}));
  EXPECT_EQ(at(0xffc, 4), (std::vector<int>{5, 6, 7, 8}));
}

TEST(Errors, AreResponseStatuses) {
  Experiment e = tlm_network("hybrid");
  e.set("tlm.most_bytes", 64);
  e.set("tlm.byte_enables", false);
  Platform p(e);
  p.run([&] {
    std::array<unsigned char, 128> data{};
    p.client.b(tlm::TLM_READ_COMMAND, 0xfff, data.data(), 1, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, data.data(), 1, tlm::TLM_OK_RESPONSE);
    p.client.b(tlm::TLM_READ_COMMAND, 0x1fff, data.data(), 1, tlm::TLM_OK_RESPONSE);
    p.client.b(tlm::TLM_READ_COMMAND, 0x2000, data.data(), 1, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    p.client.b(tlm::TLM_IGNORE_COMMAND, 0x1000, data.data(), 1, tlm::TLM_COMMAND_ERROR_RESPONSE);
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, data.data(), 64, tlm::TLM_OK_RESPONSE);
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, data.data(), 65, tlm::TLM_BURST_ERROR_RESPONSE);
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, data.data(), 0, tlm::TLM_BURST_ERROR_RESPONSE);
    tlm_generic_payload w;
    p.client.fill(w, tlm::TLM_WRITE_COMMAND, 0x1000, data.data(), 8);
    w.set_byte_enable_ptr(data.data());
    w.set_byte_enable_length(8);
    sc_time delay;
    p.client.socket->b_transport(w, delay);
    EXPECT_EQ(w.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  });
  EXPECT_EQ(p.far.addresses.size(), 3U) << "what is refused takes no flits";
}

/// Errors of a target come back as they are, and no data with them.
TEST(Errors, OfTargetsComeBack) {
  Platform p(tlm_network("hybrid"));
  p.far.bytes.assign(4096, 7);
  p.run([&] {
    for (const auto status :
         {tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE,
          tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE}) {
      p.far.status = status;
      std::uint32_t word = 1;
      p.client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4, status);
      EXPECT_EQ(word, 1U);
    }
  });
}

/// 100 cycles to a time-out; the far memory takes `latency`.
struct TimeOutPlatform : Platform {
  explicit TimeOutPlatform(const sc_time& latency)
      : Platform([] {
          Experiment e = tlm_network("hybrid");
          e.set("tlm.timeout_cycles", 100);
          return e;
        }()) {
    far.latency = latency;
  }
  /// Reads the far memory so many times, one after the other; what that took.
  sc_time read(int count, tlm::tlm_response_status expected, std::uint32_t& word) {
    const sc_time begin = sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME;  // of now
    for (int i = 0; i < count; ++i) client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4, expected);
    return sc_core::sc_time_stamp() - begin;
  }
};

/// Not answered a cycle before the time-out; a late response changes nothing.
TEST(TimeOut, IsAGenericErrorAtItsCycle) {
  TimeOutPlatform p(sc_time(500, sc_core::SC_NS));
  p.run([&] {
    std::uint32_t word = 1, quick = 0;
    EXPECT_EQ(p.read(1, tlm::TLM_GENERIC_ERROR_RESPONSE, word), sc_time(100, sc_core::SC_NS));
    p.client.b(tlm::TLM_READ_COMMAND, 0x8000, &quick, 4);
    sc_core::wait(sc_time(1, sc_core::SC_US));
    EXPECT_EQ(word, 1U);
  });
}

/// The next two have its place when its time-out would have been: 100 cycles after its begin.
TEST(TimeOut, OfATransactionThatHasEndedHitsNobody) {
  TimeOutPlatform p(sc_time(20, sc_core::SC_NS));
  p.run([&] {
    std::uint32_t word = 1;
    EXPECT_GT(p.read(3, tlm::TLM_OK_RESPONSE, word), sc_time(100, sc_core::SC_NS));
  });
}

TEST(DebugTransport, TakesNoTime) {
  Platform p(tlm_network("hybrid"));
  p.far.bytes.resize(8192);  // more than its range
  p.far.bytes[4094] = 17;
  p.run([&] {
    std::array<unsigned char, 8> data{};
    tlm_generic_payload t;
    p.client.fill(t, tlm::TLM_READ_COMMAND, 0x1ffe, data.data(), 8);
    EXPECT_EQ(p.client.socket->transport_dbg(t), 2U) << "to the range's end";
    EXPECT_EQ(data[0], 17);
    EXPECT_EQ(t.get_address(), 0x1ffeU);
    EXPECT_EQ(t.get_data_length(), 8U);
    t.set_address(0x3000);
    EXPECT_EQ(p.client.socket->transport_dbg(t), 0U);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  });
  EXPECT_EQ(p.simulation.counts().conservation.packets_created, 0U);
}

bool asks_dmi(Platform& p, std::uint64_t address, tlm::tlm_dmi& dmi) {
  tlm_generic_payload t;
  std::uint32_t word = 0;
  p.client.fill(t, tlm::TLM_READ_COMMAND, address, &word, 4);
  return p.client.socket->get_direct_mem_ptr(t, dmi);
}

/// What a target that sets the hint tells its initiator.
bool dmi_hint(Platform& p) {
  p.far.seen = [](tlm_generic_payload& t) { t.set_dmi_allowed(true); };
  std::uint32_t word = 0;
  tlm_generic_payload t;
  p.client.fill(t, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
  sc_time delay;
  p.client.socket->b_transport(t, delay);
  return t.is_dmi_allowed();
}

TEST(Dmi, IsGrantedAndInvalidatedWhereConfigured) {
  Experiment e = tlm_network("hybrid");
  e.set("tlm.dmi", true);
  Platform p(e);
  p.run([&] {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(asks_dmi(p, 0x1234, dmi));
    EXPECT_EQ(dmi.get_dmi_ptr(), p.far.bytes.data());
    EXPECT_EQ(dmi.get_start_address(), 0x1000U);
    EXPECT_EQ(dmi.get_end_address(), 0x1fffU);
    EXPECT_FALSE(asks_dmi(p, 0x3000, dmi));
    p.far.socket->invalidate_direct_mem_ptr(0, 100);
    EXPECT_EQ(p.client.invalidations, 1U);
    EXPECT_TRUE(dmi_hint(p));
  });
}

TEST(Dmi, IsRefusedElse) {
  Platform p(tlm_network("hybrid"));
  p.run([&] {
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(asks_dmi(p, 0x1234, dmi));
    EXPECT_EQ(dmi.get_end_address(), ~sc_dt::uint64{0});
    EXPECT_FALSE(dmi_hint(p));
  });
}

/// The slow target first, the quick one second: with one id the quick answer waits, without it does not.
std::vector<std::uint64_t> order_of_answers(bool with_id) {
  Platform p(tlm_network("hybrid"));
  p.far.latency = sc_time(300, sc_core::SC_NS);
  std::vector<std::uint64_t> answered;
  p.client.answered = [&](tlm_generic_payload& t) { answered.push_back(t.get_address()); };
  std::array<std::uint32_t, 2> words{};
  p.run([&] {
    for (std::size_t i = 0; i < 2; ++i) {
      tlm_generic_payload& t = p.client.pool.take();
      p.client.fill(t, tlm::TLM_READ_COMMAND, i == 0 ? 0x1000 : 0x8000, &words[i], 4);
      if (with_id) t.set_auto_extension(new models::OrderExtension(9));
      p.client.send(t);
    }
    sc_core::wait(sc_time(1, sc_core::SC_US));
  });
  return answered;
}

TEST(Order, OfAnIdIsThatOfTheRequests) {
  EXPECT_EQ(order_of_answers(true), (std::vector<std::uint64_t>{0x1000, 0x8000}));
}
TEST(Order, WithoutAnIdIsTheTargets) {
  EXPECT_EQ(order_of_answers(false), (std::vector<std::uint64_t>{0x8000, 0x1000}));
}

/// A third request waits for one of two to end.
TEST(Outstanding, HoldsRequestsBack) {
  Experiment e = tlm_network("hybrid");
  e.set("tlm.outstanding", 2);
  Platform p(e);
  p.far.latency = sc_time(400, sc_core::SC_NS);
  std::vector<sc_time> seen;
  p.near.seen = [&](tlm_generic_payload&) { seen.push_back(sc_core::sc_time_stamp()); };
  std::array<std::uint32_t, 4> words{};
  p.run([&] {
    for (std::size_t i = 0; i < 4; ++i) {
      tlm_generic_payload& t = p.client.pool.take();
      p.client.fill(t, tlm::TLM_READ_COMMAND, i < 2 ? 0x1000 : 0x8000, &words[i], 4);
      p.client.send(t);
    }
    sc_core::wait(sc_time(3, sc_core::SC_US));
  });
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_GT(seen[0], sc_time(400, sc_core::SC_NS));
}

/// A stream write is complete when it has left, long before the slow target has it; then the target's data is there.
TEST(Stream, WritesAreCompleteWhenTheyHaveLeft) {
  Platform p(tlm_network("hybrid"));
  p.far.latency = sc_time(300, sc_core::SC_NS);
  p.run([&] {
    std::uint32_t word = 0x01020304, back = 0;
    tlm_generic_payload t;
    models::StreamExtension stream;
    p.client.fill(t, tlm::TLM_WRITE_COMMAND, 0x1000, &word, 4);
    t.set_extension(&stream);
    sc_time delay;
    p.client.socket->b_transport(t, delay);
    EXPECT_TRUE(t.is_response_ok());
    EXPECT_LT(sc_core::sc_time_stamp(), sc_time(20, sc_core::SC_NS));
    t.clear_extension(&stream);
    word = 0;
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, &back, 4);
    EXPECT_EQ(back, 0x01020304U) << "behind the write";
  });
  EXPECT_EQ(p.simulation.counts().conservation.packets_created, 3U) << "no response to the stream write";
}

Experiment with_circuit() {
  Experiment e = tlm_network("hybrid");
  e.add("tlm.circuits", std::vector<std::uint32_t>{0, 5}, {});
  return e;
}

std::uint64_t circuit_flits(bool asked) {
  Platform p(with_circuit());
  p.run([&] {
    sc_core::wait(sc_time(2, sc_core::SC_US));
    EXPECT_TRUE(p.simulation.network().setup_done());
    std::array<unsigned char, 40> data{};
    tlm_generic_payload t;
    models::StreamExtension stream(asked);
    p.client.fill(t, tlm::TLM_WRITE_COMMAND, 0x1000, data.data(), 40);
    t.set_extension(&stream);
    sc_time delay;
    p.client.socket->b_transport(t, delay);
    EXPECT_TRUE(t.is_response_ok());
    t.clear_extension(&stream);
    sc_core::wait(sc_time(1, sc_core::SC_US));
    EXPECT_EQ(p.far.addresses.size(), 1U);
  });
  const models::Network& network = p.simulation.network();
  std::uint64_t flits = 0;
  for (std::size_t r = 0; r < network.topology().router_count(); ++r) {
    for (std::size_t port = 0; port < network.topology().port_count(RouterId{r}); ++port) {
      flits += network.fabric().link_use(RouterId{r}, PortId{port}).circuit_flits;
    }
  }
  return flits;
}

/// 24 + 40 bytes are 8 flits and the packet's first; node 0 to node 5 of 3x2 routers are 3 links and the ejection link.
TEST(Stream, GoesOverTheCircuitWhereAsked) { EXPECT_EQ(circuit_flits(true), 9U * 4); }
TEST(Stream, GoesInPacketsElse) { EXPECT_EQ(circuit_flits(false), 0U); }

/// No request, no wake: with initiators bound the kernel is asked as seldom as without.
TEST(Idle, SocketsCostNoDeltas) {
  Platform p(tlm_network("hybrid"));
  sc_core::sc_start(sc_time(6400, sc_core::SC_NS));
  EXPECT_LE(sc_core::sc_delta_count(), 104U);
  EXPECT_EQ(p.simulation.network().now(), 6400U);
}

/// Every kind and width of socket, on both sides, in one network.
TEST(Sockets, OfAllKindsAndWidthsWork) {
  Experiment e = tlm_network("hybrid");
  e.set("tlm.map", "3: 0 +4K, 4: 0x1000 +4K, 5: 0x2000 +2K, 5: 0x2800 +2K");
  Simulation simulation(e);
  Interconnect net("net", simulation.engine());
  TestClient<32> a("a");
  TestClient<64> b("b"), c("c");
  TestClient<128> d("d");
  TestMemory<32> at3("at3");
  TestMemory<64> at4("at4");
  TestMemory<128> low("low", 2048), high("high", 2048);
  a.socket.bind(net.simple_target<32>(0));
  b.socket.bind(net.target<64>(1));
  c.socket.bind(net.target<64>(1));
  d.socket.bind(net.target<128>(2));
  net.simple_initiator<32>(3).bind(at3.socket);
  net.initiator<64>(4).bind(at4.socket);
  net.initiator<128>(5).bind(low.socket);
  net.initiator<128>(5).bind(high.socket);
  unsigned done = 0;
  const auto program = [&done](auto& client, std::uint32_t value) {
    return [&client, value, &done] {
      for (const std::uint64_t address : {0x100U, 0x1100U, 0x2100U, 0x2900U}) {
        std::uint32_t word = value, back = 0;
        client.b(tlm::TLM_WRITE_COMMAND, address + 4 * value, &word, 4);
        client.b(tlm::TLM_READ_COMMAND, address + 4 * value, &back, 4);
        EXPECT_EQ(back, value);
      }
      ++done;
    };
  };
  a.thread = program(a, 1);
  b.thread = program(b, 2);
  c.thread = program(c, 3);
  d.thread = program(d, 4);
  sc_core::sc_start(sc_time(20, sc_core::SC_US));
  EXPECT_EQ(done, 4U);
  for (unsigned value = 1; value <= 4; ++value) {
    for (const auto* memory : {&at3.bytes, &at4.bytes, &low.bytes, &high.bytes}) {
      EXPECT_EQ((*memory)[0x100 + 4 * value], value);
    }
  }
}

}  // namespace
}  // namespace braid::test::interconnect_test
