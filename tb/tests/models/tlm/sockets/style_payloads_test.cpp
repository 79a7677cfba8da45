// What a payload says, in every style: byte enables, a target's status and hint, pushed writes, orders. One case a
// process.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "models/tlm/sockets/extensions.h"
#include "tb/tests/support/style_platform.h"

namespace braid::test::style_payloads_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;

/// A client at node 0, memories at 5 (0x1000) and 2 (0x8000).
struct Payloads {
  explicit Payloads(const std::string& style, bool dmi = false)
      : net([&] {
          models::Experiment e = styled(tlm_network("hybrid"), style);
          e.set("tlm.dmi", dmi);
          return e;
        }()) {
    net.enter(client.socket, 0);
    net.leave(5, far.socket);
    net.leave(2, near.socket);
  }
  void run(const std::function<void()>& act) {
    bool done = false;
    client.thread = [&] { act(), done = true; };
    sc_core::sc_start(sc_time(10000, SC_NS));
    EXPECT_TRUE(done) << "the client's thread is stuck";
    EXPECT_EQ(net.in_use(), 0U);
  }
  /// A blocking call; when it is over, annotation included.
  double call(tlm_generic_payload& p) {
    sc_time delay = sc_core::SC_ZERO_TIME;
    client.socket->b_transport(p, delay);
    return (sc_core::sc_time_stamp() + delay) / sc_time(1, SC_NS);
  }
  StyleNet net;
  TestClient<> client{"client"};
  TestMemory<> near{"near"}, far{"far"};
};

class StylePayloads : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, StylePayloads, testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                         [](const auto& c) { return std::string(c.param); });

using Eight = std::array<unsigned char, 8>;

/// Bytes that are not enabled stay, at the target and in the payload; the next payload has none.
TEST_P(StylePayloads, ByteEnablesSayWhichBytes) {
  Payloads s(GetParam());
  s.far.bytes.assign(4096, 0xaa);
  s.run([&] {
    Eight data{1, 2, 3, 4, 5, 6, 7, 8}, back{};
    std::array<unsigned char, 3> enables{0xff, 0, 0};
    for (const bool write : {true, false}) {
      tlm_generic_payload p;
      back.fill(0x55);
      s.client.fill(p, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, 0x1010,
                    write ? data.data() : back.data(), 8);
      p.set_byte_enable_ptr(enables.data());
      p.set_byte_enable_length(3);
      s.call(p);
      EXPECT_TRUE(p.is_response_ok());
      EXPECT_EQ(p.get_byte_enable_ptr(), enables.data());
    }
    EXPECT_EQ(back, (Eight{1, 0x55, 0x55, 4, 0x55, 0x55, 7, 0x55}));
    s.client.b(tlm::TLM_READ_COMMAND, 0x1010, back.data(), 8);
    EXPECT_EQ(back, (Eight{1, 0xaa, 0xaa, 4, 0xaa, 0xaa, 7, 0xaa}));
  });
}

/// The target's own, and a payload is as it was but for that: address, data and lengths.
TEST_P(StylePayloads, AStatusIsTheTargets) {
  Payloads s(GetParam());
  s.run([&] {
    for (const auto status : {tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                              tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE}) {
      s.far.status = status;
      Eight data{9, 8, 7};
      tlm_generic_payload p;
      s.client.fill(p, tlm::TLM_WRITE_COMMAND, 0x1200, data.data(), 8);
      s.call(p);
      EXPECT_EQ(p.get_response_status(), status);
      EXPECT_EQ(p.get_address(), 0x1200U);
      EXPECT_EQ(p.get_data_ptr(), data.data());
      EXPECT_EQ(p.get_data_length(), 8U);
      EXPECT_EQ(data, (Eight{9, 8, 7}));
      EXPECT_FALSE(p.is_dmi_allowed());
    }
  });
  EXPECT_EQ(s.far.addresses, (std::vector<std::uint64_t>(4, 0x200)));
}

/// A hint at direct memory goes where tlm.dmi lets it, by calls and by phases.
void expect_hint(const char* style, bool dmi) {
  Payloads s(style, dmi);
  s.far.seen = [](tlm_generic_payload& p) { p.set_dmi_allowed(true); };
  bool by_phases = !dmi;
  s.client.answered = [&](tlm_generic_payload& p) { by_phases = p.is_dmi_allowed(); };
  s.run([&] {
    std::uint32_t word = 0;
    tlm_generic_payload p;
    s.client.fill(p, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    s.call(p);
    EXPECT_EQ(p.is_dmi_allowed(), dmi);
    tlm_generic_payload& q = s.client.pool.take();
    s.client.fill(q, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    s.client.send(q);
    sc_core::wait(sc_time(500, SC_NS));
  });
  EXPECT_EQ(by_phases, dmi);
}
TEST_P(StylePayloads, AHintAtDirectMemoryComes) { expect_hint(GetParam(), true); }
TEST_P(StylePayloads, AHintAtDirectMemoryIsKeptBack) { expect_hint(GetParam(), false); }

/// 24 + 4 bytes are five flits to node 5, over four routers: docs/router.md, 3 + 5 R + L - 1. The target, which takes
/// 40 ns, is not waited for where flits tell that they have left; docs/tlm-styles.md: approximately timed the answer is
/// there at the edge after the target's, loosely timed with it; over the network it does not go.
TEST_P(StylePayloads, APushedWriteHasNoResponse) {
  constexpr double kThere = 3 + 5 * 4 + 4;
  const std::string style = GetParam();
  Payloads s(style);
  s.far.latency = sc_time(40, SC_NS);
  s.far.waits = false;
  double over = 0;
  s.run([&] {
    std::uint32_t word = 0x01020304;
    tlm_generic_payload p;
    models::StreamExtension pushed;
    s.client.fill(p, tlm::TLM_WRITE_COMMAND, 0x1000, &word, 4);
    p.set_extension(&pushed);
    over = s.call(p);
    EXPECT_TRUE(p.is_response_ok());
    p.clear_extension(&pushed);
    if (style == "cycle_accurate") {
      EXPECT_LT(over, 20);
    } else {
      EXPECT_EQ(over, kThere + 40 + (style == "loosely_timed" ? 0 : 1)) << style;
    }
    sc_core::wait(sc_time(200, SC_NS));
    EXPECT_EQ(s.far.bytes[0], 4);
    // A read with the extension is a read.
    p.set_read();
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    models::StreamExtension again;
    p.set_extension(&again);
    word = 0;
    const double begin = sc_core::sc_time_stamp() / sc_time(1, SC_NS);
    EXPECT_GE(s.call(p) - begin, (3 + 5 * 4 + 3) + 40 + (3 + 5 * 4 + 2));
    EXPECT_EQ(word, 0x01020304U);
    p.clear_extension(&again);
  });
}

/// The slow target first, the quick one second: with one id the quick answer waits, with two ids or none it does not.
std::vector<std::uint64_t> answers(const char* style, std::uint32_t first_id, std::uint32_t second_id) {
  Payloads s(style);
  s.far.latency = sc_time(300, SC_NS);
  std::vector<std::uint64_t> order;
  s.client.answered = [&](tlm_generic_payload& p) { order.push_back(p.get_address()); };
  std::array<std::uint32_t, 2> words{};
  s.run([&] {
    for (std::size_t i = 0; i < 2; ++i) {
      tlm_generic_payload& p = s.client.pool.take();
      s.client.fill(p, tlm::TLM_READ_COMMAND, i == 0 ? 0x1000 : 0x8000, &words[i], 4);
      const std::uint32_t id = i == 0 ? first_id : second_id;
      if (id > 0) p.set_auto_extension(new models::OrderExtension(id));
      s.client.send(p);
    }
    sc_core::wait(sc_time(1000, SC_NS));
  });
  return order;
}
using Addresses = std::vector<std::uint64_t>;
TEST_P(StylePayloads, AnswersOfOneIdComeInItsOrder) {
  EXPECT_EQ(answers(GetParam(), 9, 9), (Addresses{0x1000, 0x8000}));
}
TEST_P(StylePayloads, AnswersOfTwoIdsDoNotWait) { EXPECT_EQ(answers(GetParam(), 9, 8), (Addresses{0x8000, 0x1000})); }
TEST_P(StylePayloads, AnswersWithoutAnIdDoNotWait) {
  EXPECT_EQ(answers(GetParam(), 0, 0), (Addresses{0x8000, 0x1000}));
}

}  // namespace
}  // namespace braid::test::style_payloads_test
