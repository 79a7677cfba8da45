// The sockets of the styles without flits: what is written is read, by the rules, in about the time that flits take.
#include "models/tlm/estimated_interconnect.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "models/experiment/simulation.h"
#include "models/tlm/interconnect.h"
#include "models/tlm/protocol_checker.h"
#include "models/tlm/wire_format.h"
#include "tb/tests/support/style_platform.h"

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
sc_time time_of_a_read(const std::string& architecture, const std::string& style) {
  StylePlatform p(styled(tlm_network(architecture), style));
  sc_time taken;
  p.run_alone([&](TestClient<>& client) {
    unsigned char back[64] = {};
    tlm::tlm_generic_payload read;
    client.fill(read, tlm::TLM_READ_COMMAND, 0x1010, back, 64);
    const sc_time before = sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME;  // of now
    sc_time delay = sc_core::SC_ZERO_TIME;
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

TEST(StyleSocketsRefuse, WhatOnlyFlitsCanTell) {
  const auto refusal = [](const models::Experiment& e) {
    const auto topology = routing::make_topology(e);
    const auto routing = routing::make_routing(topology, e);
    try {
      const models::EstimatedInterconnect net("net", e, topology, *routing);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(tlm_network("hybrid")),
            "tlm.style = \"cycle_accurate\" is the engine's, with sockets of Interconnect; expected "
            "\"approximately_timed\" or \"loosely_timed\"");
  models::Experiment late = styled(tlm_network("hybrid"), "loosely_timed");
  late.set("tlm.timeout_cycles", 100);
  EXPECT_EQ(refusal(late), "tlm.timeout_cycles needs tlm.style = \"cycle_accurate\": no estimate loses a transaction");
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
