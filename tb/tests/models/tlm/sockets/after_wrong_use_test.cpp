// What happens after wrong use where whoever handles reports goes on: the call is answered, what was wrong counts for
// nothing, and all else works. One case a process.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/phases_platform.h"

namespace braid::test::after_wrong_use_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using Lines = std::vector<std::string>;

/// Errors in the use of sockets; whoever handles them goes on.
Lines& said() {
  static Lines all;
  return all;
}
void listen() {
  said().clear();
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions& actions) {
    if (std::string(r.get_msg_type()) == "/braid/tlm/use") {
      said().emplace_back(r.get_msg());
    } else {
      sc_core::sc_report_handler::default_handler(r, actions);
    }
  });
}

class AfterWrongPhases : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, AfterWrongPhases, testing::Values("cycle_accurate", "approximately_timed"),
                         [](const auto& c) { return std::string(c.param); });

/// Its response is open until it says END_RESP, and the next one waits for that.
TEST_P(AfterWrongPhases, AnInitiatorMayEndTheResponseAllTheSame) {
  listen();
  PhasesPlatform p(GetParam());
  std::vector<Payload*> responses;
  p.client.non_blocking = [&](Payload& t, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    responses.push_back(&t);
    return responses.size() == 1 ? tlm::TLM_UPDATED : tlm::TLM_COMPLETED;  // the first with BEGIN_RESP, as it came
  };
  p.run([&] {
    EXPECT_EQ(p.bw(tlm::END_REQ), "");
    Payload& second = p.pool.take();
    std::uint32_t word = 0;
    TestClient<>::fill(second, tlm::TLM_READ_COMMAND, 0x1020, &word, 4);
    Payload* const first = p.request;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    p.client.socket->nb_transport_fw(second, phase, delay);
    sc_core::wait(sc_time(200, SC_NS));
    ASSERT_NE(p.request, first);
    EXPECT_EQ(p.bw(*first, tlm::BEGIN_RESP), "");
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    sc_core::wait(sc_time(200, SC_NS));
    EXPECT_EQ(responses, std::vector<Payload*>{&p.payload()}) << "the second waits";
    EXPECT_EQ(said(),
              Lines{"net.target_0: BEGIN_RESP was answered with TLM_UPDATED and BEGIN_RESP; expected END_RESP"});
    EXPECT_EQ(p.fw(tlm::END_RESP), "");
    sc_core::wait(sc_time(10, SC_NS));
    EXPECT_EQ(responses, (std::vector<Payload*>{&p.payload(), &second}));
  });
  EXPECT_EQ(said().size(), 1U);
  EXPECT_EQ(p.net.in_use(), 0U);
}

/// It has the request still, and answers it.
TEST_P(AfterWrongPhases, ATargetMayAnswerTheRequestAllTheSame) {
  listen();
  PhasesPlatform p(GetParam());
  p.target.non_blocking = [&](Payload& t, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    p.request = &t;
    return tlm::TLM_UPDATED;
  };
  p.run([&] {
    EXPECT_EQ(p.bw(tlm::BEGIN_REQ), "");
    EXPECT_EQ(p.bw(tlm::END_REQ), "");
    EXPECT_EQ(p.bw(tlm::END_REQ), "");
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
    EXPECT_EQ(p.fw(tlm::END_REQ), "");
  });
  const std::string direction = "net.initiator_5: BEGIN_REQ from a target; expected END_REQ or BEGIN_RESP";
  EXPECT_EQ(said(),
            (Lines{direction, direction,
                   "net.initiator_5: END_REQ of a payload that this target does not hold, or has ended or answered",
                   "net.initiator_5: BEGIN_RESP of a payload that this target does not hold, or has answered",
                   "net.target_0: END_REQ from an initiator; expected BEGIN_REQ or END_RESP"}));
  p.expect_one_answer();
}

/// END_RESP where no response is open: accepted, and that is all.
TEST_P(AfterWrongPhases, AnEndOfNoResponseEndsNothing) {
  listen();
  PhasesPlatform p(GetParam());
  p.run([&] {
    EXPECT_EQ(p.fw(tlm::END_RESP), "");
    EXPECT_EQ(said(), Lines{"net.target_0: END_RESP for a payload of which no BEGIN_RESP is open"});
    EXPECT_EQ(p.net.in_use(), 1U);
    EXPECT_EQ(p.bw(tlm::BEGIN_RESP), "");
  });
  EXPECT_EQ(said().size(), 1U);
  p.expect_one_answer();
}

class AfterWrongPayloads : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, AfterWrongPayloads,
                         testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                         [](const auto& c) { return std::string(c.param); });

/// They are answered with an error, at once and without flits.
TEST_P(AfterWrongPayloads, TheyAreAnsweredWithAnError) {
  listen();
  StylePlatform platform(styled(tlm_network("hybrid"), GetParam()), 1);
  TestClient<> client("client");
  platform.net().enter(client.socket, 0);
  client.thread = [&] {
    std::array<unsigned char, 8> data{};
    client.b(tlm::TLM_READ_COMMAND, 0x1000, nullptr, 8, tlm::TLM_GENERIC_ERROR_RESPONSE);
    client.b(tlm::TLM_WRITE_COMMAND, 0x1ff9, data.data(), 8, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
    client.b(tlm::TLM_WRITE_COMMAND, 0x1ff8, data.data(), 8);
  };
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(said(), (Lines{"net.target_0: null data pointer; set_data_ptr() to get_data_length() bytes",
                           "net.target_0: 8 bytes from 0x1ff9 on go over the end of 0x1000 .. 0x1fff of node 5; cut "
                           "the payload there, or mend tlm.map"}));
  EXPECT_EQ(platform.in_use(), 0U);
}

/// Calls b_transport from a method.
struct MethodCaller : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<MethodCaller> socket{"socket"};
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  SC_HAS_PROCESS(MethodCaller);
  explicit MethodCaller(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(act); }
  void act() {
    std::uint32_t word = 0;
    tlm::tlm_generic_payload p;
    TestClient<>::fill(p, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    sc_time delay(5, SC_NS);
    socket->b_transport(p, delay);
    EXPECT_EQ(delay, sc_time(5, SC_NS));
    status = p.get_response_status();
  }
};
TEST_P(AfterWrongPhases, ABlockingCallOfAMethodIsAnsweredWithAnError) {
  listen();
  StylePlatform platform(styled(tlm_network("hybrid"), GetParam()), 1);
  MethodCaller caller("caller");
  platform.net().enter(caller.socket, 0);
  sc_core::sc_start(sc_time(200, SC_NS));
  EXPECT_EQ(caller.status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(said(), Lines{"net.target_0: b_transport outside of a thread, which cannot wait for the response; call it "
                          "from an SC_THREAD, or use nb_transport_fw"});
  EXPECT_EQ(platform.in_use(), 0U);
}

// ---------------------------------------------------------------- before the simulation runs

/// Everything that is wrong with the sockets is said, not only the first; what is right works.
TEST(AfterWrongBinding, AllThatIsWrongIsSaid) {
  listen();
  models::Experiment e = tlm_network("hybrid");
  e.set("tlm.map", "5: 0x1000 +4K, 2: 0x8000 +4K, 5: 0x4000 +4K, 5: 0x6000 +4K");
  models::Simulation simulation(e);
  models::Interconnect net("net", simulation.engine());
  TestClient<> client("client");
  TestMemory<> first("first"), second("second"), nowhere("nowhere");
  client.socket.bind(net.target(0));
  net.target(3);
  net.initiator(5).bind(first.socket);
  net.initiator(5).bind(second.socket);
  net.initiator(4).bind(nowhere.socket);
  client.thread = [&] {
    std::uint32_t word = 0;
    for (const std::uint64_t base : {0x1000U, 0x4000U, 0x6000U}) client.b(tlm::TLM_READ_COMMAND, base + 8, &word, 4);
  };
  sc_core::sc_start(sc_time(1000, SC_NS));
  const std::string unbound =
      "net.initiator_4: no address leads to node 4; give it a range in tlm.map, or bind no target there";
  const std::string ranges = "net: node 5 has 2 targets and 3 ranges in tlm.map; expected a range each";
  EXPECT_EQ(
      said(),
      (Lines{"net.target_3: is bound to nothing; bind a module of yours to it, or do not ask for the socket", unbound,
             ranges, ranges, ranges, "net: 0x8000 .. 0x8fff of node 2 leads to no target; bind one to initiator(2)"}));
  EXPECT_EQ(first.addresses, std::vector<std::uint64_t>{8});
  EXPECT_EQ(second.addresses, (std::vector<std::uint64_t>{8, 8})) << "the last takes what is left";
}

TEST(AfterWrongBinding, AMapThatCannotBeLeadsNowhere) {
  listen();
  models::Experiment e = tlm_network("hybrid");
  e.set("tlm.map", "5: 0x1000 +4K, 2: 0x1fff +4K");
  models::Simulation simulation(e);
  models::Interconnect net("net", simulation.engine());
  TestClient<> client("client");
  client.socket.bind(net.target(0));
  client.thread = [&] {
    std::uint32_t word = 0;
    client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  };
  sc_core::sc_start(sc_time(100, SC_NS));
  ASSERT_EQ(said().size(), 1U);
  EXPECT_NE(said()[0].find("overlap"), std::string::npos);
}

/// Where nothing could be made the error is thrown, too.
TEST(AfterWrongBinding, WhatIsNotThereIsThrown) {
  listen();
  models::Simulation simulation(tlm_network("hybrid")), plain(uniform_mesh(0.1, 3, 2));
  models::Interconnect net("net", simulation.engine());
  const std::string node = "node 6: expected 0 to 5";
  EXPECT_EQ(complaint([&] { net.target(6); }), node);
  EXPECT_EQ(complaint([&] { net.simple_initiator(6); }), node);
  EXPECT_EQ(complaint([&] { const models::Interconnect second("second", simulation.engine()); }),
            "the network has an Interconnect; expected one, with all its sockets");
  EXPECT_EQ(complaint([&] { const models::Interconnect none("none", plain.engine()); }),
            "the network carries no transactions: the experiment needs a section [tlm]");
  EXPECT_EQ(said(),
            (Lines{"net: target(6): no such node; expected 0 to 5", "net: initiator(6): no such node; expected 0 to 5",
                   "second: the network has an Interconnect; expected one, with all its sockets",
                   "none: the network carries no transactions: the experiment needs a section [tlm]"}));
}

// ---------------------------------------------------------------- at the end of a range

/// Bytes of a debug access: as many as there are up to the range's end, and the payload is as it was.
TEST(DebugAtTheEndOfARange, IsCutThere) {
  StylePlatform platform(styled(tlm_network("hybrid"), "cycle_accurate"), 1);
  TestClient<> client("client");
  platform.net().enter(client.socket, 0);
  client.thread = [&] {
    std::array<unsigned char, 16> data{};
    for (std::uint64_t address = 0x1ff0; address < 0x2000; ++address) {
      tlm::tlm_generic_payload p;
      client.fill(p, tlm::TLM_READ_COMMAND, address, data.data(), 8);
      EXPECT_EQ(client.socket->transport_dbg(p), std::min<std::uint64_t>(8, 0x2000 - address)) << address;
      EXPECT_EQ(p.get_data_length(), 8U);
    }
  };
  sc_core::sc_start(sc_time(10, SC_NS));
}

}  // namespace
}  // namespace braid::test::after_wrong_use_test
