// A processor that is reset in the middle of a blocking call: the thread's stack is gone, the network goes on. In every
// style, at every moment of a call; one case a process. scripts/nightly runs these under valgrind.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/tlm/sockets/extensions.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/style_platform.h"

namespace braid::test::unwound_call_test {
namespace {

using sc_core::sc_time;

/// Made when it is asked for: nobody could choose SystemC's time resolution after it.
sc_time one_ns() { return {1, sc_core::SC_NS}; }

/// Of SC_WARNINGs "/braid/tlm/withdrawn".
unsigned& said() {
  static unsigned count = 0;
  return count;
}
void count_warnings() {
  said() = 0;
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions& actions) {
    if (std::string(r.get_msg_type()) == "/braid/tlm/withdrawn") {
      ++said();
    } else {
      sc_core::sc_report_handler::default_handler(r, actions);
    }
  });
}

/// A processor: writes a block of its number, reads it back, for ever, from and to its stack. It starts anew with the
/// next number when it is reset.
struct Processor : sc_core::sc_module {
  static constexpr unsigned kBytes = 48, kBlocks = 16;
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};
  sc_core::sc_process_handle process;
  unsigned starts = 0, rounds = 0, wrong = 0;
  bool ordered = false, stopped = false;

  SC_HAS_PROCESS(Processor);
  explicit Processor(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_THREAD(act);
    process = sc_core::sc_get_current_process_handle();
  }

 private:
  void act() {
    const unsigned number = ++starts;
    while (!stopped) {
      const std::uint64_t address = 0x1000 + (number % kBlocks) * kBytes;
      std::vector<unsigned char> block(kBytes, static_cast<unsigned char>(number));
      unsigned char back[kBytes] = {};
      call(tlm::TLM_WRITE_COMMAND, address, block.data());
      call(tlm::TLM_READ_COMMAND, address, back);
      for (const unsigned char byte : back) wrong += byte == static_cast<unsigned char>(number) ? 0 : 1;
      ++rounds;
    }
  }
  void call(tlm::tlm_command command, std::uint64_t address, unsigned char* data) {
    tlm::tlm_generic_payload p;
    TestClient<>::fill(p, command, address, data, kBytes);
    if (ordered) p.set_extension(new models::OrderExtension(3));
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, delay);
    wrong += p.is_response_ok() ? 0 : 1;
    wait(delay);
  }
};

/// Where the processor is at node 0 and its memory at node 5; another client and another memory are held to plain
/// arrays meanwhile.
struct UnwoundPlatform {
  explicit UnwoundPlatform(const std::string& style, unsigned outstanding = 16) {
    models::Experiment e = styled(tlm_network("hybrid"), style);
    e.set("tlm.outstanding", outstanding);
    platform = std::make_unique<StylePlatform>(e, 1);
    processor.socket.bind(checker.target_socket);
    platform->net().enter(checker.initiator_socket, 0);
    count_warnings();
  }
  /// In a thread, as killing and resetting ask for.
  static void run(const std::function<void()>& act) {
    bool done = false;
    sc_core::sc_spawn([&] { act(), done = true; });
    for (int us = 0; us < 10000 && !done; ++us) sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_TRUE(done);
  }
  void come_to_rest() {
    processor.stopped = true;
    sc_core::sc_start(sc_time(2, sc_core::SC_US));
  }
  std::unique_ptr<StylePlatform> platform;
  Processor processor{"processor"};
  models::ProtocolChecker<> checker{"checker"};
};

class UnwoundCall : public testing::TestWithParam<const char*> {
 protected:
  /// The target is in the thread that is killed, and dies with it.
  static bool is_loosely_timed() { return std::string(GetParam()) == "loosely_timed"; }
};
INSTANTIATE_TEST_SUITE_P(Tlm, UnwoundCall, testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                         [](const auto& c) { return std::string(c.param); });

TEST_P(UnwoundCall, AResetWithdrawsItsTransaction) {
  UnwoundPlatform u(GetParam());
  u.platform->start(500, 7);
  UnwoundPlatform::run([&] {
    for (unsigned i = 0; i < 400; ++i) {  // each at its own moment of the round that the processor is in
      sc_core::wait(sc_time(100.0 + i % 130, sc_core::SC_NS) + sc_time(i % 3 * 333.0, sc_core::SC_PS));
      u.processor.process.reset();
    }
  });
  const unsigned rounds = u.processor.rounds;
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_GT(u.processor.rounds, rounds) << "the processor runs after its last reset";
  u.come_to_rest();
  EXPECT_EQ(u.processor.starts, 401U);
  EXPECT_EQ(u.processor.wrong, 0U);
  EXPECT_GT(u.platform->net().withdrawn(), is_loosely_timed() ? 100U : 300U) << "others were between two calls";
  EXPECT_LE(u.platform->net().withdrawn(), 400U) << "one a reset at most";
  EXPECT_EQ(said(), 1U);
  EXPECT_EQ(u.platform->in_use(), 0U);
  EXPECT_EQ(u.platform->answered(), 500U);
  EXPECT_EQ(u.platform->breaches() + u.checker.monitor().count(), 0U);
}

/// Threads that are killed, each in its only call; a write that was sent reaches its memory as a whole.
TEST_P(UnwoundCall, AKillWithdrawsItsTransaction) {
  UnwoundPlatform u(GetParam());
  u.processor.stopped = true;
  constexpr unsigned kThreads = 120;
  UnwoundPlatform::run([&] {
    for (unsigned i = 1; i <= kThreads; ++i) {
      auto thread = sc_core::sc_spawn([&u, i] {
        std::vector<unsigned char> data(16, static_cast<unsigned char>(i));
        tlm::tlm_generic_payload p;
        TestClient<>::fill(p, tlm::TLM_WRITE_COMMAND, 0x1000 + 16 * (i - 1), data.data(), 16);
        sc_time delay = sc_core::SC_ZERO_TIME;
        u.processor.socket->b_transport(p, delay);
      });
      sc_core::wait(one_ns() * i);
      thread.kill();
    }
    sc_core::wait(sc_time(1, sc_core::SC_US));
  });
  unsigned whole = 0;
  for (unsigned i = 1; i <= kThreads; ++i) {
    const auto* block = u.platform->memory(0).data() + 16 * (i - 1);
    const std::vector<unsigned char> there(block, block + 16);
    const bool is = there == std::vector<unsigned char>(16, static_cast<unsigned char>(i));
    whole += is ? 1 : 0;
    EXPECT_TRUE(is || (is_loosely_timed() && there == std::vector<unsigned char>(16))) << i;
  }
  EXPECT_EQ(whole + (is_loosely_timed() ? u.platform->net().withdrawn() : 0U), kThreads);
  EXPECT_GT(u.platform->net().withdrawn(), 2U);
  EXPECT_EQ(said(), 1U);
  EXPECT_EQ(u.platform->in_use(), 0U);
}

/// What waits for an initiator's turn, or for its place in an order, is withdrawn as well, and holds nobody up.
TEST_P(UnwoundCall, AResetOfOneThatHasNotBeenSent) {
  UnwoundPlatform u(GetParam(), 1);
  u.processor.ordered = true;
  std::vector<unsigned> order;
  for (unsigned i = 0; i < 3; ++i) {
    sc_core::sc_spawn([&u, &order, i] {
      sc_core::wait(one_ns() * (1 + i));
      unsigned char data[8] = {};
      tlm::tlm_generic_payload p;
      TestClient<>::fill(p, tlm::TLM_READ_COMMAND, i == 1 ? 0x1800 : 0x8800, data, 8);
      p.set_extension(new models::OrderExtension(3));
      sc_time delay = sc_core::SC_ZERO_TIME;
      u.processor.socket->b_transport(p, delay);
      sc_core::wait(delay);
      order.push_back(i);
    });
  }
  UnwoundPlatform::run([&] {
    for (unsigned i = 0; i < 40; ++i) {
      sc_core::wait(one_ns() * 2);
      u.processor.process.reset();
    }
  });
  u.come_to_rest();
  EXPECT_EQ(order.size(), 3U) << "others of the initiator are answered";
  EXPECT_EQ(u.processor.wrong, 0U);
  EXPECT_EQ(u.platform->in_use(), 0U);
}

/// The response is there and waits for an earlier one of its id: it comes when the thread of that one is killed.
TEST_P(UnwoundCall, AKillLetsGoWhatWaitedForItsResponse) {
  if (is_loosely_timed()) GTEST_SKIP() << "each call is in its own thread, and has its own order";
  StyleNet net(styled(tlm_network("hybrid"), GetParam()));
  TestClient<> client("client");
  TestMemory<> slow("slow", 4096, one_ns() * 2000), fast("fast");
  net.enter(client.socket, 0);
  net.leave(5, slow.socket);
  net.leave(2, fast.socket);
  count_warnings();
  const auto read = [&](std::uint64_t address, sc_time& end) {
    unsigned char data[8] = {};
    tlm::tlm_generic_payload p;
    TestClient<>::fill(p, tlm::TLM_READ_COMMAND, address, data, 8);
    p.set_extension(new models::OrderExtension(3));
    sc_time delay = sc_core::SC_ZERO_TIME;
    client.socket->b_transport(p, delay);
    sc_core::wait(delay);
    end = sc_core::sc_time_stamp();
  };
  sc_time first, second;
  UnwoundPlatform::run([&] {
    auto killed = sc_core::sc_spawn([&] { read(0x1000, first); });
    sc_core::wait(one_ns() * 5);
    sc_core::sc_spawn([&] { read(0x8000, second); });
    sc_core::wait(one_ns() * 995);
    EXPECT_EQ(second, sc_core::SC_ZERO_TIME) << "it waits";
    killed.kill();
    sc_core::wait(one_ns());
    EXPECT_GE(second, one_ns() * 1000) << "it comes";
    sc_core::wait(one_ns() * 3000);
  });
  EXPECT_EQ(first, sc_core::SC_ZERO_TIME);
  EXPECT_EQ(net.in_use(), 0U);
}

/// start_of_simulation is no thread: a call that would have to wait is refused before anything is sent.
struct EarlyCaller : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<EarlyCaller> socket{"socket"};
  std::string error;
  explicit EarlyCaller(const sc_core::sc_module_name& name) : sc_module(name) {}
  void start_of_simulation() override {
    error = wrong_use([&] {
      std::vector<unsigned char> data(32, 9);
      tlm::tlm_generic_payload p;
      TestClient<>::fill(p, tlm::TLM_WRITE_COMMAND, 0x1000, data.data(), 32);
      sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(p, delay);
    });
  }
};

TEST_P(UnwoundCall, ACallFromStartOfSimulationIsRefused) {
  StylePlatform platform(styled(tlm_network("hybrid"), GetParam()), 1);
  EarlyCaller early("early");
  platform.net().enter(early.socket, 0);
  platform.start(100, 7);
  platform.run_to_the_end();
  EXPECT_NE(early.error, "");
  if (!is_loosely_timed()) {
    EXPECT_NE(early.error.find("net.target_0: b_transport outside of a thread"), std::string::npos) << early.error;
  }
  EXPECT_EQ(platform.memory(0), platform.expected(0)) << "nothing was sent";
  EXPECT_EQ(platform.answered(), 100U);
  EXPECT_EQ(platform.in_use(), 0U);
}

/// What the network refuses by an exception leaves nothing behind, by calls and by phases; the initiator catches it.
TEST_P(UnwoundCall, ARefusalThatThrowsLeavesNothing) {
  if (kSanitized) GTEST_SKIP() << kThrownOnCoroutine;
  StylePlatform platform(styled(tlm_network("hybrid"), GetParam()), 1);
  TestClient<> client("client");
  bool done = false;
  platform.net().enter(client.socket, 0);
  client.thread = [&] {
    unsigned char data[8] = {};
    EXPECT_NE(wrong_use([&] { client.b(tlm::TLM_READ_COMMAND, 0x1ffc, data, 8); }).find("go over the end"),
              std::string::npos);
    EXPECT_NE(wrong_use([&] { client.b(tlm::TLM_READ_COMMAND, 0x1000, nullptr, 8); }).find("null data pointer"),
              std::string::npos);
    for (const sc_time& delay : {sc_core::SC_ZERO_TIME, one_ns() * 7}) {
      tlm::tlm_generic_payload& p = client.pool.take();
      client.fill(p, tlm::TLM_READ_COMMAND, 0x1ffc, data, 8);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time annotated = delay;
      EXPECT_NE(wrong_use([&] { client.socket->nb_transport_fw(p, phase, annotated); }).find("go over the end"),
                std::string::npos);
      EXPECT_EQ(p.get_ref_count(), 1) << "the client's own";
      p.release();
    }
    done = true;
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_TRUE(done);
  EXPECT_EQ(platform.in_use(), 0U);
  EXPECT_EQ(platform.net().withdrawn(), 0U) << "nothing was sent";
}

}  // namespace
}  // namespace braid::test::unwound_call_test
