// What leaves a node in one cycle leaves it by the numbers of who made it, not by who came first in the cycle:
// initiator 0, target 0, initiator 1, target 1 and so on (models/tlm/carrier.h, send()). One case a process.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "tb/tests/support/style_platform.h"

namespace braid::test::turns_at_a_node_test {
namespace {

using sc_core::sc_time;

sc_time ns(double count) { return {count, sc_core::SC_NS}; }
/// A read of 4 bytes from node 0 to node 5, over four routers: docs/router.md, 3 + 5 R + L - 1; four flits there.
constexpr double kThere = 3 + 5 * 4 + 3;

struct Numbers {
  const char* name;
  const char* style;
  bool others_first;   ///< other initiators, of node 0, have the lower number
  bool targets_first;  ///< and other targets, of node 2
  bool request_first;
};
class TurnsAtANode : public testing::TestWithParam<Numbers> {};

/// In the cycle in which a request of node 0 comes to the target at node 5, which answers at once, an initiator there
/// makes a request, half a cycle later. Who is the first is not held up: the answer takes as long as alone, or the
/// request does.
TEST_P(TurnsAtANode, AreThoseOfTheirNumbers) {
  const Numbers& numbers = GetParam();
  StyleNet net(styled(tlm_network("hybrid"), numbers.style));
  TestClient<> caller("caller"), here("here");
  TestMemory<> memory("memory"), other("other");
  if (numbers.others_first) net.enter(caller.socket, 0);
  net.enter(here.socket, 5);
  if (!numbers.others_first) net.enter(caller.socket, 0);
  if (numbers.targets_first) net.leave(2, other.socket);
  net.leave(5, memory.socket);
  if (!numbers.targets_first) net.leave(2, other.socket);
  std::uint32_t words[2] = {};
  double answered = 0, seen = 0;
  caller.answered = [&](tlm::tlm_generic_payload&) { answered = sc_core::sc_time_stamp() / ns(1); };
  other.seen = [&](tlm::tlm_generic_payload&) { seen = sc_core::sc_time_stamp() / ns(1); };
  const auto read = [](TestClient<>& client, std::uint64_t address, std::uint32_t& word) {
    tlm::tlm_generic_payload& p = client.pool.take();
    client.fill(p, tlm::TLM_READ_COMMAND, address, &word, 4);
    client.send(p);
  };
  caller.thread = [&] { read(caller, 0x1000, words[0]); };
  here.thread = [&] {
    sc_core::wait(ns(kThere + 0.5));
    read(here, 0x8000, words[1]);
  };
  sc_core::sc_start(ns(500));
  // Alone: 8 + 4 bytes are three flits back over four routers; four flits to node 2 over two.
  const double answer_alone = kThere + 3 + 5 * 4 + 2, request_alone = kThere + 3 + 5 * 2 + 3;
  if (numbers.request_first) {
    EXPECT_EQ(seen, request_alone);
    EXPECT_GT(answered, answer_alone);
  } else {
    EXPECT_EQ(answered, answer_alone);
    EXPECT_GT(seen, request_alone);
  }
}

std::vector<Numbers> all_numbers() {
  std::vector<Numbers> all;
  for (const char* style : {"cycle_accurate", "approximately_timed"}) {
    all.push_back({"both_are_0", style, false, false, true});
    all.push_back({"initiator_1_and_target_0", style, true, false, false});
    all.push_back({"initiator_0_and_target_1", style, false, true, true});
    all.push_back({"both_are_1", style, true, true, true});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Tlm, TurnsAtANode, testing::ValuesIn(all_numbers()),
                         [](const auto& c) { return std::string(c.param.style) + "_" + c.param.name; });

class TurnsOfInitiators : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, TurnsOfInitiators, testing::Values("cycle_accurate", "approximately_timed"),
                         [](const auto& c) { return std::string(c.param); });

/// Three initiators of node 0, the last of which calls first in the cycle: requests come in the order of numbers, four
/// flits apart at least; what one has made comes in its own order.
TEST_P(TurnsOfInitiators, OfANodeAreThoseOfTheirNumbers) {
  StyleNet net(styled(tlm_network("hybrid"), GetParam()));
  std::vector<std::unique_ptr<TestClient<>>> clients;
  TestMemory<> memory("memory"), other("other");
  std::vector<std::uint32_t> words(6);
  std::vector<std::uint64_t> order;
  for (unsigned i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<TestClient<>>(("client_" + std::to_string(i)).c_str()));
    TestClient<>& client = *clients.back();
    net.enter(client.socket, 0);
    client.thread = [&client, &words, i] {
      sc_core::wait(ns(10.8 - 0.3 * i));
      for (unsigned n = 0; n < 2; ++n) {
        tlm::tlm_generic_payload& p = client.pool.take();
        client.fill(p, tlm::TLM_READ_COMMAND, 0x1000 + 16 * i + 4 * n, &words[2 * i + n], 4);
        client.send(p);
      }
    };
  }
  net.leave(5, memory.socket);
  net.leave(2, other.socket);
  memory.seen = [&](tlm::tlm_generic_payload& p) {
    if (p.get_address() % 16 == 0) order.push_back(p.get_address() / 16);
  };
  sc_core::sc_start(ns(500));
  EXPECT_EQ(order, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(memory.addresses.size(), 6U);
  for (std::size_t i = 0; i < memory.addresses.size(); ++i) {
    for (std::size_t k = i + 1; k < memory.addresses.size(); ++k) {
      const std::uint64_t a = memory.addresses[i], b = memory.addresses[k];
      EXPECT_FALSE(a / 16 == b / 16 && a > b) << "client " << a / 16;
    }
  }
}

}  // namespace
}  // namespace braid::test::turns_at_a_node_test
