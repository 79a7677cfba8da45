// How many transactions of an initiator are under way at once: each takes one place (tlm.outstanding) and gives it back
// once, however it ends. One place here, so that one too few stops everything. One case a process.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "models/tlm/sockets/extensions.h"
#include "models/tlm/sockets/interconnect.h"
#include "tb/tests/support/tlm_memory.h"
#include "tb/tests/support/tlm_network.h"

namespace braid::test::outstanding_test {
namespace {

using models::Experiment;
using sc_core::SC_NS;
using sc_core::sc_time;

sc_time ns(int count) { return {static_cast<double>(count), SC_NS}; }

/// An initiator at node 0, a memory at node 5.
struct OnePlace {
  explicit OnePlace(std::uint64_t timeout_cycles = 0)
      : simulation([&] {
          Experiment e = tlm_network("hybrid");
          e.set("tlm.map", "5: 0x1000 +4K");
          e.set("tlm.outstanding", 1);
          e.set("tlm.timeout_cycles", timeout_cycles);
          return e;
        }()) {
    client.socket.bind(net.target(0));
    net.initiator(5).bind(far.socket);
  }
  /// In the client's thread; a few microseconds are enough for it.
  void run(const std::function<void()>& act) {
    bool done = false;
    client.thread = [&] { act(), done = true; };
    sc_core::sc_start(ns(20000));
    EXPECT_TRUE(done) << "the client's thread is stuck";
    EXPECT_EQ(net.in_use(), 0U);
    EXPECT_TRUE(simulation.counts().conservation.holds());
  }
  models::Simulation simulation;
  models::Interconnect net{"net", simulation.engine()};
  TestClient<> client{"client"};
  TestMemory<> far{"far"};
};

/// A stream write is under way until its last flit has left: three in a row have left before the first is carried out.
TEST(OutstandingPlaces, OfStreamWritesAreFreeWhenTheyHaveLeft) {
  OnePlace p;
  p.far.latency = ns(400);
  p.run([&] {
    for (std::uint32_t word = 1; word <= 3; ++word) {
      tlm::tlm_generic_payload t;
      models::StreamExtension stream;
      p.client.fill(t, tlm::TLM_WRITE_COMMAND, 0x1000 + 4 * word, &word, 4);
      t.set_extension(&stream);
      sc_time delay;
      p.client.socket->b_transport(t, delay);
      EXPECT_TRUE(t.is_response_ok());
      t.clear_extension(&stream);
    }
    EXPECT_LT(sc_core::sc_time_stamp(), ns(400));
    std::uint32_t word = 0;
    p.client.b(tlm::TLM_READ_COMMAND, 0x1008, &word, 4);
    EXPECT_EQ(word, 2U);
  });
  EXPECT_EQ(p.far.addresses, (std::vector<std::uint64_t>{4, 8, 12, 8}));
}

/// A time-out gives the place back; the response that comes when it is over does not do so again. Then two requests go
/// one after the other, as before.
TEST(OutstandingPlaces, OfATimeOutAreGivenBackOnce) {
  OnePlace p(100);
  p.far.latency = ns(500);
  std::vector<sc_time> seen;
  p.far.seen = [&](tlm::tlm_generic_payload&) { seen.push_back(sc_core::sc_time_stamp()); };
  p.run([&] {
    std::uint32_t word = 0;
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4, tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(100));
    sc_core::wait(ns(1000));  // its response has come
    p.far.latency = ns(20);
    p.client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    std::array<std::uint32_t, 2> words{};
    for (std::uint32_t& w : words) {
      tlm::tlm_generic_payload& t = p.client.pool.take();
      p.client.fill(t, tlm::TLM_READ_COMMAND, 0x1000, &w, 4);
      p.client.send(t);
    }
    sc_core::wait(ns(1000));
  });
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_GT(seen[3] - seen[2], ns(20)) << "the second waits until the first is answered";
}

/// Who keeps a network from being saved, and with how much.
TEST(OutstandingPlaces, AreWhatTheInterconnectHasInHand) {
  OnePlace p;
  p.far.latency = ns(100);
  EXPECT_EQ(p.simulation.engine().in_hand(), "");
  p.run([&] {
    std::array<std::uint32_t, 2> words{};
    for (std::uint32_t& w : words) {
      tlm::tlm_generic_payload& t = p.client.pool.take();
      p.client.fill(t, tlm::TLM_READ_COMMAND, 0x1000, &w, 4);
      p.client.send(t);
    }
    sc_core::wait(ns(50));
    EXPECT_EQ(p.simulation.engine().in_hand(), "net has 2 transactions under way: expected none");
    sc_core::wait(ns(120));
    EXPECT_EQ(p.simulation.engine().in_hand(), "net has 1 transactions under way: expected none");
    sc_core::wait(ns(1000));
    EXPECT_EQ(p.simulation.engine().in_hand(), "");
  });
}

/// An address that leads nowhere takes no place, and so gives none back.
TEST(OutstandingPlaces, OfRefusedRequestsAreNone) {
  OnePlace p;
  p.far.latency = ns(100);
  p.run([&] {
    std::uint32_t word = 0;
    for (int i = 0; i < 3; ++i) {
      p.client.b(tlm::TLM_READ_COMMAND, 0x9000, &word, 4, tlm::TLM_ADDRESS_ERROR_RESPONSE);
      p.client.b(tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    }
  });
  EXPECT_EQ(p.far.addresses.size(), 3U);
}

}  // namespace
}  // namespace braid::test::outstanding_test
