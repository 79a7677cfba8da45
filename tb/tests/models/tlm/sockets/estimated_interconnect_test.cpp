// The sockets of the styles without flits: what is written is read, by the rules, in about the time that flits take.
#include "models/tlm/sockets/estimated_interconnect.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "models/experiment/simulation.h"
#include "models/tlm/checker/protocol_checker.h"
#include "models/tlm/sockets/interconnect.h"
#include "models/tlm/wire_format.h"
#include "tb/tests/support/style_platform.h"
#include "tb/tests/support/tlm_stubs.h"

namespace braid::test::estimated_interconnect_test {

using sc_core::sc_time;

struct Where {
  const char* architecture;
  const char* style;
};
class StyleSockets : public testing::TestWithParam<Where> {
 protected:
  models::Experiment experiment() const { return styled(tlm_network(GetParam().architecture), GetParam().style); }
};
INSTANTIATE_TEST_SUITE_P(Tlm, StyleSockets,
                         testing::Values(Where{"hybrid", "cycle_accurate"},
                                         Where{"virtual_cut_through", "cycle_accurate"}, Where{"po2", "cycle_accurate"},
                                         Where{"hybrid", "approximately_timed"}, Where{"hybrid", "loosely_timed"},
                                         Where{"virtual_cut_through", "approximately_timed"},
                                         Where{"virtual_cut_through", "loosely_timed"},
                                         Where{"po2", "approximately_timed"}, Where{"po2", "loosely_timed"},
                                         Where{"ideal", "cycle_accurate"}, Where{"ideal", "approximately_timed"},
                                         Where{"ideal", "loosely_timed"}, Where{"myrinet", "cycle_accurate"},
                                         Where{"myrinet", "approximately_timed"}, Where{"myrinet", "loosely_timed"}),
                         [](const auto& c) { return std::string(c.param.architecture) + "_" + c.param.style; });

/// Of each of two clients: a few; in the nightly as many as make a million over all fifteen.
unsigned transactions() {
  const char* given = std::getenv("BRAID_TLM_TRANSACTIONS");
  return given == nullptr ? 400 : static_cast<unsigned>(std::stoul(given));
}

TEST_P(StyleSockets, ARandomProgramKeepsProtocolAndData) {
  StylePlatform p(experiment());
  p.start(transactions(), 7);
  p.run_to_the_end();
  EXPECT_EQ(p.answered(), 2 * transactions());
  EXPECT_EQ(p.breaches(), 0U);
  EXPECT_EQ(p.memory(0), p.expected(0));
  EXPECT_EQ(p.memory(1), p.expected(1)) << "so it is the same in every style";
  EXPECT_EQ(p.in_use(), 0U);
}

TEST_P(StyleSockets, BlockingCallsAreAnsweredWithWhatIsWrong) {
  StylePlatform p(experiment());
  p.run_alone([&](TestClient<>& client) {
    unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
    client.b(tlm::TLM_WRITE_COMMAND, 0x1010, data, 8);
    client.b(tlm::TLM_READ_COMMAND, 0x1010, back, 8);
    EXPECT_EQ(std::vector<unsigned char>(data, data + 8), std::vector<unsigned char>(back, back + 8));
    client.b(tlm::TLM_READ_COMMAND, 0x4000, back, 8, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    client.b(tlm::TLM_IGNORE_COMMAND, 0x1010, back, 8, tlm::TLM_COMMAND_ERROR_RESPONSE);
    std::vector<unsigned char> more(4097);
    client.b(tlm::TLM_READ_COMMAND, 0x1000, more.data(), 4097, tlm::TLM_BURST_ERROR_RESPONSE);
  });
  EXPECT_EQ(p.breaches(), 0U);
}

/// Alone in the network a blocking read takes the same simulated time in all styles.
sc_time time_of_a_read(const std::string& architecture, const std::string& style, unsigned bytes = 64,
                       sc_time delay = sc_core::SC_ZERO_TIME) {
  StylePlatform p(styled(tlm_network(architecture), style));
  sc_time taken;
  p.run_alone([&](TestClient<>& client) {
    std::vector<unsigned char> back(bytes);
    tlm::tlm_generic_payload read;
    client.fill(read, tlm::TLM_READ_COMMAND, 0x1010, back.data(), bytes);
    const sc_time before = sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME;  // of now
    client.socket->b_transport(read, delay);
    taken = sc_core::sc_time_stamp() + delay - before;
  });
  return taken;
}
/// Request 24 bytes: 4 flits over 4 routers; response 8 + 64 bytes: 10 flits. docs/router.md: 3 + 5 R + L - 1 each.
constexpr double kReadNs = (3 + 5 * 4 + 3) + (3 + 5 * 4 + 9);
TEST(StyleTime, OfAReadAloneCycleAccurate) {
  EXPECT_EQ(time_of_a_read("hybrid", "cycle_accurate"), sc_time(kReadNs, sc_core::SC_NS));
}
TEST(StyleTime, OfAReadAloneApproximatelyTimed) {
  EXPECT_EQ(time_of_a_read("hybrid", "approximately_timed"), sc_time(kReadNs, sc_core::SC_NS));
}
TEST(StyleTime, OfAReadAloneLooselyTimed) {
  EXPECT_EQ(time_of_a_read("hybrid", "loosely_timed"), sc_time(kReadNs, sc_core::SC_NS));
}

/// A call that is annotated with a time begins then.
TEST(StyleTime, OfAnAnnotatedReadCycleAccurate) {
  EXPECT_EQ(time_of_a_read("hybrid", "cycle_accurate", 64, sc_time(7, sc_core::SC_NS)),
            sc_time(7 + kReadNs, sc_core::SC_NS));
}
TEST(StyleTime, OfAnAnnotatedReadApproximatelyTimed) {
  EXPECT_EQ(time_of_a_read("hybrid", "approximately_timed", 64, sc_time(7, sc_core::SC_NS)),
            sc_time(7 + kReadNs, sc_core::SC_NS));
}
TEST(StyleTime, OfAnAnnotatedReadLooselyTimed) {
  EXPECT_EQ(time_of_a_read("hybrid", "loosely_timed", 64, sc_time(7, sc_core::SC_NS)),
            sc_time(7 + kReadNs, sc_core::SC_NS));
}

/// A response of 8 + 200 bytes is two packets, of 16 and 12 flits, in a row.
constexpr double kLongReadNs = (3 + 5 * 4 + 3) + (3 + 5 * 4 + 27);
TEST(StyleTime, OfALongReadAloneCycleAccurate) {
  EXPECT_EQ(time_of_a_read("hybrid", "cycle_accurate", 200), sc_time(kLongReadNs, sc_core::SC_NS));
}
TEST(StyleTime, OfALongReadAloneApproximatelyTimed) {
  EXPECT_EQ(time_of_a_read("hybrid", "approximately_timed", 200), sc_time(kLongReadNs, sc_core::SC_NS));
}
TEST(StyleTime, OfALongReadAloneLooselyTimed) {
  EXPECT_EQ(time_of_a_read("hybrid", "loosely_timed", 200), sc_time(kLongReadNs, sc_core::SC_NS));
}

/// 24 + 65,536 bytes are 547 packets in a row, of 8742 flits; the response is 2 flits. At time 0, where nothing is
/// known of loads, and the write's own must not count.
sc_time time_of_a_long_write(const std::string& style) {
  models::Experiment e = styled(tlm_network("hybrid"), style);
  e.set("tlm.most_bytes", 1 << 16).set("tlm.map", "5: 0 +64K");
  StyleNet net(e);
  TestClient<> client("client");
  TestMemory<> memory("memory", 1 << 16);
  net.enter(client.socket, 0);
  net.leave(5, memory.socket);
  sc_time taken;
  client.thread = [&] {
    std::vector<unsigned char> data(1 << 16, 7);
    tlm::tlm_generic_payload write;
    client.fill(write, tlm::TLM_WRITE_COMMAND, 0, data.data(), 1 << 16);
    sc_time delay = sc_core::SC_ZERO_TIME;
    client.socket->b_transport(write, delay);
    taken = sc_core::sc_time_stamp() + delay;
  };
  sc_core::sc_start(sc_time(20, sc_core::SC_US));
  return taken;
}
constexpr double kLongWriteNs = (3 + 5 * 4 + 8741) + (3 + 5 * 4 + 1);
TEST(StyleTime, OfALongWriteAloneCycleAccurate) {
  EXPECT_EQ(time_of_a_long_write("cycle_accurate"), sc_time(kLongWriteNs, sc_core::SC_NS));
}
TEST(StyleTime, OfALongWriteAloneApproximatelyTimed) {
  EXPECT_EQ(time_of_a_long_write("approximately_timed"), sc_time(kLongWriteNs, sc_core::SC_NS));
}
TEST(StyleTime, OfALongWriteAloneLooselyTimed) {
  EXPECT_EQ(time_of_a_long_write("loosely_timed"), sc_time(kLongWriteNs, sc_core::SC_NS));
}

/// An initiator at node 0 and, at node 5 from 0x1000 on, a target whose answers a test gives; approximately timed.
struct StubPlatform {
  explicit StubPlatform(unsigned outstanding = 16)
      : experiment([=] {
          models::Experiment e = styled(tlm_network("hybrid"), "approximately_timed");
          e.set("tlm.outstanding", outstanding);
          e.set("tlm.map", "5: 0x1000 +4K");
          return e;
        }()) {
    client.socket.bind(net.target(0));
    net.initiator(5).bind(target.socket);
    client.answered = [this](Payload&) { answers.push_back(sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME); };
    target.non_blocking = [this](Payload& p, tlm::tlm_phase& phase, sc_time&) {
      if (phase == tlm::BEGIN_REQ) requests.push_back(&p);
      return tlm::TLM_ACCEPTED;
    };
  }
  /// A read of 4 bytes: 4 flits there, 3 back.
  void send(const sc_time& delay = sc_core::SC_ZERO_TIME, std::uint64_t address = 0x1010) {
    Payload& p = client.pool.take();
    client.fill(p, tlm::TLM_READ_COMMAND, address, word, 4);
    client.send(p, delay);
  }
  void phase(Payload& p, tlm::tlm_phase phase) {
    sc_time delay;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    target.socket->nb_transport_bw(p, phase, delay);
  }
  void run(const std::function<void()>& act) {
    bool done = false;
    client.thread = [&] { act(), done = true; };
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_TRUE(done) << "the client's thread is stuck";
  }
  models::Experiment experiment;
  routing::Topology topology = routing::make_topology(experiment);
  std::unique_ptr<routing::RoutingAlgorithm> routing = routing::make_routing(topology, experiment);
  models::EstimatedInterconnect net{"net", experiment, topology, *routing};
  TestClient<> client{"client"};
  StubTarget<32> target{"target"};
  unsigned char word[4] = {};
  std::vector<Payload*> requests;
  std::vector<sc_time> answers;
};
/// From node 0 to 5 over 4 routers, and back: docs/router.md, 3 + 5 R + L - 1.
sc_time way_there() { return {3 + 5 * 4 + 3, sc_core::SC_NS}; }
sc_time way_back() { return {3 + 5 * 4 + 2, sc_core::SC_NS}; }

/// A request that is alone goes in its own call: the target has it after the way's cycles, not one earlier.
TEST(StyleStub, ARequestArrivesAtItsCycle) {
  StubPlatform s;
  s.run([&] {
    s.send();
    sc_core::wait(way_there() - sc_time(1, sc_core::SC_PS));
    EXPECT_EQ(s.requests.size(), 0U);
    sc_core::wait(sc_time(2, sc_core::SC_PS));
    EXPECT_EQ(s.requests.size(), 1U);
  });
}

TEST(StyleStub, AnAnnotatedRequestBeginsThen) {
  StubPlatform s;
  const sc_time delay(7, sc_core::SC_NS);
  s.run([&] {
    s.send(delay);
    sc_core::wait(delay + way_there() - sc_time(1, sc_core::SC_PS));
    EXPECT_EQ(s.requests.size(), 0U);
    sc_core::wait(sc_time(2, sc_core::SC_PS));
    EXPECT_EQ(s.requests.size(), 1U);
  });
}

/// BEGIN_RESP implies its END_REQ: the next request may follow.
TEST(StyleStub, ARefusedRequestIsAnsweredAtOnce) {
  StubPlatform s;
  s.run([&] {
    s.send(sc_core::SC_ZERO_TIME, 0x4000);
    s.send(sc_time(7, sc_core::SC_NS), 0x4000);
    s.send();
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(7, sc_core::SC_NS));
  });
  EXPECT_EQ(s.answers, (std::vector<sc_time>{sc_core::SC_ZERO_TIME, sc_time(7, sc_core::SC_NS)}));
  EXPECT_EQ(s.requests.size(), 1U);
}

/// END_REQ of all three, then responses in another order; each is answered after its own way back.
TEST(StyleStub, RequestsThatHaveEndedAreAnsweredInAnyOrder) {
  StubPlatform s;
  sc_time begin;
  s.run([&] {
    for (int i = 0; i < 3; ++i) s.send();
    for (std::size_t i = 0; i < 3; ++i) {
      sc_core::wait(sc_time(100, sc_core::SC_NS));
      ASSERT_EQ(s.requests.size(), i + 1) << "the next after END_REQ";
      s.phase(*s.requests[i], tlm::END_REQ);
    }
    sc_core::wait(sc_time(1, sc_core::SC_NS));
    begin = sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME;  // of now
    for (const std::size_t i : {2U, 0U, 1U}) {
      s.phase(*s.requests[i], tlm::BEGIN_RESP);
      sc_core::wait(sc_time(100, sc_core::SC_NS));
    }
  });
  ASSERT_EQ(s.answers.size(), 3U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(s.answers[i], begin + i * sc_time(100, sc_core::SC_NS) + way_back());
  EXPECT_EQ(s.net.in_use(), 0U);
  EXPECT_EQ(s.client.pool.in_use(), 0U);
}

TEST(StyleStub, ASecondAnswerIsWrongUse) {
  StubPlatform s;
  std::string second, stranger;
  s.run([&] {
    s.send();
    sc_core::wait(sc_time(100, sc_core::SC_NS));
    Payload& p = *s.requests.at(0);
    stranger = wrong_use([&] { s.phase(s.client.pool.take(), tlm::BEGIN_RESP); });
    s.phase(p, tlm::BEGIN_RESP);
    second = wrong_use([&] { s.phase(p, tlm::BEGIN_RESP); });
  });
  EXPECT_EQ(second, "net.initiator_5: BEGIN_RESP of a payload that this target does not hold, or has answered");
  EXPECT_EQ(stranger, second);
}

/// Two may be under way: the third goes when the first is back. The second's four flits follow the first's.
TEST(StyleStub, OutstandingHoldsRequestsBack) {
  StubPlatform s(2);
  std::vector<sc_time> arrivals;
  s.target.non_blocking = [&](Payload& p, tlm::tlm_phase&, sc_time&) {
    arrivals.push_back(sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME);  // of now
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  s.run([&] {
    for (int i = 0; i < 3; ++i) s.send();
    sc_core::wait(sc_time(200, sc_core::SC_NS));
  });
  EXPECT_EQ(arrivals, (std::vector<sc_time>{way_there(), way_there() + sc_time(4, sc_core::SC_NS),
                                            way_there() + way_back() + way_there()}));
  EXPECT_EQ(s.answers.size(), 3U);
}

std::string refusal(const models::Experiment& e, const sc_time& period = sc_core::SC_ZERO_TIME) {
  const auto topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  try {
    const models::EstimatedInterconnect net("net", e, topology, *routing, period);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(StyleSocketsRefuse, WhatOnlyFlitsCanTell) {
  EXPECT_EQ(refusal(tlm_network("hybrid")),
            "tlm.style = \"cycle_accurate\" is the engine's, with sockets of Interconnect; expected "
            "\"approximately_timed\" or \"loosely_timed\"");
  models::Experiment late = styled(tlm_network("hybrid"), "loosely_timed");
  late.set("tlm.timeout_cycles", 100);
  EXPECT_EQ(refusal(late), "tlm.timeout_cycles needs tlm.style = \"cycle_accurate\": no estimate loses a transaction");
}

TEST(StyleSocketsRefuse, NodesThatServeFewerPortsThanTheyHave) {
  for (const char* family : {"hybrid", "ideal"}) {
    for (const char* way : {"injection", "ejection"}) {
      models::Experiment few = styled(tlm_network(family), "loosely_timed");
      few.set(std::string("interface.packet_") + way + "_flits", 1);
      EXPECT_EQ(refusal(few), std::string("interface.packet_") + way +
                                  "_flits: only tlm.style = \"cycle_accurate\" keeps to it; the others take a node's "
                                  "local ports, so expected 0");
    }
  }
}

/// The period is the engine's: of the experiment, or the user's where the engine takes one.
TEST(StyleSocketsRefuse, APeriodThatTheEngineRefuses) {
  const models::Experiment hybrid = styled(tlm_network("hybrid"), "loosely_timed");
  EXPECT_EQ(refusal(hybrid), "");
  EXPECT_EQ(refusal(hybrid, sc_time(2.5, sc_core::SC_NS)), "");
  EXPECT_EQ(refusal(hybrid, sc_time(1, sc_core::SC_PS)), "a clock period of 1 ps: expected at least 2");
  const models::Experiment myrinet = styled(tlm_network("myrinet"), "loosely_timed");
  EXPECT_EQ(refusal(myrinet), "");
  EXPECT_NE(refusal(myrinet, sc_time(1, sc_core::SC_NS)).find("delays in it are in nanoseconds"), std::string::npos);
}

TEST(StyleSocketsRefuse, ANetworkThatTheEngineRefuses) {
  models::Experiment e = styled(tlm_network("myrinet"), "approximately_timed");
  e.set("routing.allow_deadlock", false);
  const std::string engines = [&] {
    try {
      const models::Simulation simulation(e);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  EXPECT_NE(engines, "");
  EXPECT_EQ(refusal(e), engines);
}

TEST(WireBytes, AreAsManyAsAreEncoded) {
  tlm::tlm_generic_payload p;
  std::vector<unsigned char> data(100), enables(13, 0xff);
  p.set_data_ptr(data.data());
  for (const unsigned length : {1U, 8U, 100U}) {
    for (const bool write : {false, true}) {
      for (const unsigned enabled : {0U, 1U, 8U, 13U}) {
        p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_data_length(length);
        p.set_byte_enable_ptr(enabled > 0 ? enables.data() : nullptr);
        p.set_byte_enable_length(enabled);
        models::WireBytes bytes;
        models::encode_request(p, false, bytes);
        EXPECT_EQ(models::request_bytes(p), bytes.size());
        for (const auto status : {tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE}) {
          p.set_response_status(status);
          models::encode_response(p, bytes);
          EXPECT_EQ(models::response_bytes(p), bytes.size());
        }
      }
    }
  }
}

}  // namespace braid::test::estimated_interconnect_test
