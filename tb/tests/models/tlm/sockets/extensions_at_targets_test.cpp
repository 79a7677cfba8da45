// Extensions of a payload on its way to a target: in every style the target finds what they say, and the initiator has
// its own back; where the target is handed a payload of the network's, that is a copy, and none stays for the next
// transaction. One case a process.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tb/tests/support/style_platform.h"

namespace braid::test::extensions_at_targets_test {
namespace {

using Payload = tlm::tlm_generic_payload;

template <int kNumber>
struct Note : tlm::tlm_extension<Note<kNumber>> {
  explicit Note(int value = 0) : said(value) {}
  tlm::tlm_extension_base* clone() const override { return new Note(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { said = static_cast<const Note&>(other).said; }
  int said;
};
/// Of the initiator's alone: it is not copied.
struct Private : tlm::tlm_extension<Private> {
  tlm::tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const tlm::tlm_extension_base&) override {}
};

class ExtensionsAtTargets : public testing::TestWithParam<std::tuple<const char*, bool>> {};
INSTANTIATE_TEST_SUITE_P(Tlm, ExtensionsAtTargets,
                         testing::Combine(testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                                          testing::Bool()),
                         [](const auto& c) {
                           return std::string(std::get<0>(c.param)) +
                                  (std::get<1>(c.param) ? "_by_calls" : "_by_phases");
                         });

/// Three transactions, with none, with the second and with both notes; then none again.
TEST_P(ExtensionsAtTargets, SayWhatTheirInitiatorSays) {
  const auto& [style, by_calls] = GetParam();
  // Loosely timed, and by phases where nothing is in flits, a target is handed the initiator's own payload.
  const bool copied =
      std::string(style) == "cycle_accurate" || (std::string(style) == "approximately_timed" && by_calls);
  StyleNet net(styled(tlm_network("hybrid"), style));
  TestClient<> client("client");
  TestMemory<> far("far"), near("near");
  net.enter(client.socket, 0);
  net.leave(5, far.socket);
  net.leave(2, near.socket);
  Note<1> first(7);
  Note<2> second(8);
  Private own;
  std::vector<std::vector<int>> seen;
  far.seen = [&, is_copied = copied](Payload& p) {
    const auto* one = p.get_extension<Note<1>>();
    const auto* two = p.get_extension<Note<2>>();
    seen.push_back({one == nullptr ? 0 : one->said, two == nullptr ? 0 : two->said});
    EXPECT_EQ(one == &first, !is_copied && one != nullptr);
    EXPECT_EQ(two == &second, !is_copied && two != nullptr);
    EXPECT_EQ(p.get_extension<Private>() != nullptr, !is_copied && two != nullptr) << "nobody copies it";
  };
  std::uint32_t word = 0;
  bool done = false;
  client.thread = [&, calls = by_calls] {
    for (const int notes : {0, 1, 2, 0}) {
      Payload& p = client.pool.take();
      client.fill(p, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
      if (notes > 0) p.set_extension(&second), p.set_extension(&own);
      if (notes > 1) p.set_extension(&first);
      p.acquire();
      if (calls) {
        sc_core::sc_time delay;
        client.socket->b_transport(p, delay);
        sc_core::wait(delay);
        p.release();
      } else {
        client.send(p);
        sc_core::wait(sc_core::sc_time(300, sc_core::SC_NS));
      }
      EXPECT_EQ(p.get_extension<Note<2>>(), notes > 0 ? &second : nullptr);
      EXPECT_EQ(p.get_extension<Note<1>>(), notes > 1 ? &first : nullptr);
      p.clear_extension(&first), p.clear_extension(&second), p.clear_extension(&own);
      p.release();
    }
    done = true;
  };
  sc_core::sc_start(sc_core::sc_time(3, sc_core::SC_US));
  EXPECT_TRUE(done);
  EXPECT_EQ(seen, (std::vector<std::vector<int>>{{0, 0}, {0, 8}, {7, 8}, {0, 0}}));
  EXPECT_EQ(net.in_use(), 0U);
  EXPECT_EQ(client.pool.in_use(), 0U);
}

}  // namespace
}  // namespace braid::test::extensions_at_targets_test
