// Stream writes whose thread is killed: what is sent goes on and is written as a whole, and its place among its
// initiator's outstanding ones is free as soon as it is when nobody is killed. One case a process.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "models/tlm/sockets/extensions.h"
#include "tb/tests/support/style_platform.h"

namespace braid::test::withdrawn_writes_test {
namespace {

using sc_core::sc_time;

sc_time ns(double count) { return {count, sc_core::SC_NS}; }

/// An initiator at node 0 with one place for what is under way, a memory at node 5.
struct OnePlace {
  explicit OnePlace(const std::string& style, std::uint64_t timeout_cycles = 0)
      : net([&] {
          models::Experiment e = styled(tlm_network("hybrid"), style);
          e.set("tlm.outstanding", 1);
          if (timeout_cycles > 0) e.set("tlm.timeout_cycles", timeout_cycles);
          return e;
        }()) {
    net.enter(client.socket, 0);
    net.leave(5, far.socket);
    net.leave(2, near.socket);
    sc_core::sc_report_handler::set_actions("/braid/tlm/withdrawn", sc_core::SC_DO_NOTHING);
  }
  /// A blocking write in a thread of its own, which is killed after `life`.
  void write_and_die(std::uint64_t address, unsigned char value, unsigned bytes, const sc_time& life) {
    auto thread = sc_core::sc_spawn([this, address, value, bytes] {
      std::vector<unsigned char> data(bytes, value);
      tlm::tlm_generic_payload p;
      TestClient<>::fill(p, tlm::TLM_WRITE_COMMAND, address, data.data(), bytes);
      p.set_extension(new models::StreamExtension);  // it goes with the payload
      sc_time delay;
      client.socket->b_transport(p, delay);
    });
    sc_core::wait(life);
    thread.kill();
  }
  void run(const std::function<void()>& act) {
    bool done = false;
    sc_core::sc_spawn([&] { act(), done = true; });
    sc_core::sc_start(ns(20000));
    EXPECT_TRUE(done) << "stuck";
    EXPECT_EQ(net.in_use(), 0U);
  }
  StyleNet net;
  TestClient<> client{"client"};
  TestMemory<> far{"far"}, near{"near"};
};

class WithdrawnWrites : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, WithdrawnWrites, testing::Values("cycle_accurate", "approximately_timed"),
                         [](const auto& c) { return std::string(c.param); });

/// At each moment of its way; then a read goes, and finds what was written.
TEST_P(WithdrawnWrites, GiveTheirPlaceBack) {
  OnePlace p(GetParam());
  p.run([&] {
    for (unsigned i = 1; i <= 40; ++i) {
      p.write_and_die(0x1000 + 16 * i, static_cast<unsigned char>(i), 16, ns(i) * 0.9);
      unsigned char back[16] = {};
      p.client.b(tlm::TLM_READ_COMMAND, 0x1000 + 16 * i, back, 16);
      EXPECT_EQ(std::vector<unsigned char>(back, back + 16),
                std::vector<unsigned char>(16, static_cast<unsigned char>(i)))
          << i;
    }
  });
  EXPECT_GT(p.net.withdrawn(), 3U);
}

/// One that waits for its place when it is killed is never sent, and the next one goes.
TEST_P(WithdrawnWrites, ThatWereNotSentAreNone) {
  OnePlace p(GetParam());
  p.far.latency = ns(200);
  p.run([&] {
    auto reader = sc_core::sc_spawn([&] {
      std::uint32_t word = 0;
      p.client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    });
    sc_core::wait(ns(10));
    p.write_and_die(0x8000, 7, 4, ns(50));
    sc_core::wait(ns(1000));
    std::uint32_t word = 0;
    p.client.b(tlm::TLM_READ_COMMAND, 0x8000, &word, 4);
    EXPECT_EQ(word, 0U);
    EXPECT_TRUE(reader.terminated());
  });
  EXPECT_EQ(p.near.addresses.size(), 1U) << "the read alone";
  EXPECT_EQ(p.net.withdrawn(), 1U);
}

/// A stream write that is answered with a time-out before it has left: its place is free then, once, and the slow
/// network brings the write all the same. 4,000 bytes are 538 flits; a time-out after 100 cycles.
TEST(TimedOutWrites, GiveTheirPlaceBackOnce) {
  OnePlace p("cycle_accurate", 100);
  p.run([&] {
    std::vector<unsigned char> data(4000, 9);
    tlm::tlm_generic_payload w;
    TestClient<>::fill(w, tlm::TLM_WRITE_COMMAND, 0x1000, data.data(), 4000);
    models::StreamExtension stream;
    w.set_extension(&stream);
    sc_time delay;
    p.client.socket->b_transport(w, delay);
    EXPECT_EQ(w.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(100));
    w.clear_extension(&stream);
    sc_core::wait(ns(2000));
    EXPECT_EQ(p.far.bytes[0] + p.far.bytes[3999], 9 + 9) << "it came";
    // One place still, not two: the second of two requests to a slow memory waits for the first to end.
    p.near.latency = ns(40);
    std::vector<sc_time> seen;
    p.near.seen = [&](tlm::tlm_generic_payload&) { seen.push_back(sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME); };
    std::uint32_t words[2] = {};
    for (std::uint32_t& word : words) {
      tlm::tlm_generic_payload& r = p.client.pool.take();
      TestClient<>::fill(r, tlm::TLM_READ_COMMAND, 0x8000, &word, 4);
      p.client.send(r);
    }
    sc_core::wait(ns(1000));
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_GT(seen[1] - seen[0], ns(40));
  });
}

}  // namespace
}  // namespace braid::test::withdrawn_writes_test
