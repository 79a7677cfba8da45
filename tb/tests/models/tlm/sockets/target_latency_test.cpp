// How long a blocking read takes whose target takes its time, by waiting or by annotating it, called at once or ahead
// of simulated time: in every style the ways there and back and the target's own time, to the cycle. One case a
// process.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tb/tests/support/style_platform.h"

namespace braid::test::target_latency_test {
namespace {

using sc_core::sc_time;

sc_time ns(double count) { return {count, sc_core::SC_NS}; }
/// From node 0 to node 5 and back over four routers: docs/router.md, 3 + 5 R + L - 1; four flits there, three back.
constexpr double kThere = 3 + 5 * 4 + 3, kBack = 3 + 5 * 4 + 2;

class TargetLatency : public testing::TestWithParam<std::tuple<const char*, bool>> {};
INSTANTIATE_TEST_SUITE_P(Tlm, TargetLatency,
                         testing::Combine(testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                                          testing::Bool()),
                         [](const auto& c) {
                           return std::string(std::get<0>(c.param)) +
                                  (std::get<1>(c.param) ? "_that_waits" : "_that_annotates");
                         });

TEST_P(TargetLatency, IsBetweenTheWays) {
  const auto& [style, waits] = GetParam();
  StyleNet net(styled(tlm_network("hybrid"), style));
  TestClient<> client("client");
  TestMemory<> far("far"), near("near");
  net.enter(client.socket, 0);
  net.leave(5, far.socket);
  net.leave(2, near.socket);
  far.waits = waits;
  bool done = false;
  client.thread = [&] {
    for (const double ahead : {0.0, 7.0}) {  // less than the 1,024 cycles after which loads are known
      for (const double latency : {0.0, 40.0, 41.5}) {
        far.latency = ns(latency);
        std::uint32_t word = 0;
        tlm::tlm_generic_payload p;
        client.fill(p, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
        sc_time delay = ns(ahead);
        const sc_time before = sc_core::sc_time_stamp() + sc_core::SC_ZERO_TIME;  // of now
        client.socket->b_transport(p, delay);
        const double taken = (sc_core::sc_time_stamp() + delay - before) / ns(1);
        // An answer in the middle of a cycle goes with the others of the cycle.
        const double whole = latency - (latency == 41.5 ? 0.5 : 0);
        EXPECT_EQ(taken, ahead + kThere + whole + kBack) << ahead << " " << latency;
        sc_core::wait(delay + ns(8));  // at an edge of a cycle again
        const double off = sc_core::sc_time_stamp() / ns(1);
        sc_core::wait(ns(100.0 * (static_cast<int>(off / 100) + 1) - off));
      }
    }
    done = true;
  };
  sc_core::sc_start(ns(5000));
  EXPECT_TRUE(done);
  EXPECT_EQ(net.in_use(), 0U);
}

}  // namespace
}  // namespace braid::test::target_latency_test
