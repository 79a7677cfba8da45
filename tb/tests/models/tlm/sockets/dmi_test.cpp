// Direct memory through a network: addresses are the bus's on one side and offsets in a range on the other, and none
// leads beyond its range. In every style; one case a process.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/style_platform.h"

namespace braid::test::dmi_test {
namespace {

using Range = std::pair<std::uint64_t, std::uint64_t>;

struct Asker : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Asker> socket{"socket"};
  std::vector<Range> invalidated;
  explicit Asker(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_invalidate_direct_mem_ptr(this, &Asker::invalidate);
  }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { invalidated.emplace_back(first, last); }
  /// The range that is granted, or refused.
  Range ask(std::uint64_t address, bool expected) {
    tlm::tlm_generic_payload p;
    p.set_read();
    p.set_address(address);
    tlm::tlm_dmi dmi;
    dmi.set_start_address(77);  // of somebody before
    EXPECT_EQ(socket->get_direct_mem_ptr(p, dmi), expected) << address;
    EXPECT_EQ(p.get_address(), address) << "as it was";
    return {dmi.get_start_address(), dmi.get_end_address()};
  }
};

struct Giver : sc_core::sc_module {
  tlm_utils::simple_target_socket<Giver> socket{"socket"};
  std::vector<std::uint64_t> asked;
  Range gives{0, ~std::uint64_t{0}};
  bool granted = true;
  explicit Giver(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Giver::blocking);
    socket.register_get_direct_mem_ptr(this, &Giver::give);
    socket.register_transport_dbg(this, &Giver::debug);
  }
  unsigned debug(tlm::tlm_generic_payload& p) {
    asked.push_back(p.get_address());
    return p.get_data_length();
  }
  void blocking(tlm::tlm_generic_payload& p, sc_core::sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
  bool give(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
    asked.push_back(p.get_address());
    dmi.set_dmi_ptr(&byte_);
    dmi.set_start_address(gives.first);
    dmi.set_end_address(gives.second);
    dmi.allow_read_write();
    return granted;
  }

 private:
  unsigned char byte_ = 0;
};

/// Node 5 has two ranges and a target for each, node 2 one range.
struct DmiPlatform {
  explicit DmiPlatform(const std::string& style, bool dmi = true)
      : net([&] {
          models::Experiment e = styled(tlm_network("hybrid"), style);
          e.set("tlm.map", "5: 0x1000 +0x100, 2: 0x8000 +0x1000, 5: 0x4000 +0x10");
          e.set("tlm.dmi", dmi);
          return e;
        }()) {
    net.enter(first.socket, 0);
    net.enter(second.socket, 1);
    net.leave(5, low.socket);
    net.leave(5, high.socket);
    net.leave(2, other.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  StyleNet net;
  Asker first{"first"}, second{"second"};
  Giver low{"low"}, high{"high"}, other{"other"};
};

class DmiRanges : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, DmiRanges, testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                         [](const auto& c) { return std::string(c.param); });

TEST_P(DmiRanges, AreGrantedAsFarAsTheOneThatWasAskedForGoes) {
  DmiPlatform p(GetParam());
  EXPECT_EQ(p.first.ask(0x1000, true), (Range{0x1000, 0x10ff})) << "all that there is, cut to the range";
  EXPECT_EQ(p.first.ask(0x10ff, true), (Range{0x1000, 0x10ff}));
  EXPECT_EQ(p.second.ask(0x400f, true), (Range{0x4000, 0x400f}));
  EXPECT_EQ(p.low.asked, (std::vector<std::uint64_t>{0, 0xff})) << "offsets";
  EXPECT_EQ(p.high.asked, std::vector<std::uint64_t>{0xf});
  p.other.gives = {0x10, 0xfff};
  EXPECT_EQ(p.first.ask(0x8020, true), (Range{0x8010, 0x8fff}));
  p.other.gives = {0x20, 0x2f};
  EXPECT_EQ(p.first.ask(0x8020, true), (Range{0x8020, 0x802f}));
  p.other.gives = {0x2000, 0x3000};  // of no use
  EXPECT_EQ(p.first.ask(0x8020, true), (Range{0x8fff, 0x8fff}));
  p.other.granted = false;
  p.other.gives = {0x40, 0x4f};
  EXPECT_EQ(p.first.ask(0x8040, false), (Range{0x8040, 0x804f})) << "what is refused";
}

TEST_P(DmiRanges, AreRefusedForAnAddressThatLeadsNowhere) {
  DmiPlatform p(GetParam());
  for (const std::uint64_t address : {std::uint64_t{0xfff}, std::uint64_t{0x1100}, ~std::uint64_t{0}}) {
    EXPECT_EQ(p.first.ask(address, false), (Range{address, address}));
  }
}

TEST_P(DmiRanges, AreRefusedEverywhereWithoutTheOption) {
  DmiPlatform p(GetParam(), false);
  for (const std::uint64_t address : {0x1000U, 0xfffU}) {
    EXPECT_EQ(p.first.ask(address, false), (Range{0, ~std::uint64_t{0}}));
  }
  EXPECT_TRUE(p.low.asked.empty());
}

/// To every initiator, of the ranges of the target that says so and of no other.
TEST_P(DmiRanges, AreInvalidatedWhereTheyAreTheTargets) {
  DmiPlatform p(GetParam());
  const auto expect = [&](const std::vector<Range>& ranges) {
    EXPECT_EQ(p.first.invalidated, ranges);
    EXPECT_EQ(p.second.invalidated, ranges);
    p.first.invalidated.clear();
    p.second.invalidated.clear();
  };
  p.low.socket->invalidate_direct_mem_ptr(0, 0xf);
  expect({{0x1000, 0x100f}});
  p.low.socket->invalidate_direct_mem_ptr(0x10, ~std::uint64_t{0});
  expect({{0x1010, 0x10ff}});
  p.low.socket->invalidate_direct_mem_ptr(0xff, 0x100);
  expect({{0x10ff, 0x10ff}});
  p.low.socket->invalidate_direct_mem_ptr(0x100, 0x200);  // behind its range
  expect({});
  p.high.socket->invalidate_direct_mem_ptr(0, 0xff);
  expect({{0x4000, 0x400f}});
  p.other.socket->invalidate_direct_mem_ptr(0xfff, 0xfff);
  expect({{0x8fff, 0x8fff}});
}

/// Through sockets that take one module each; debug as well, a byte beyond the range cut off.
TEST(DmiThroughSimpleSockets, GoesBothWays) {
  models::Experiment e = tlm_network("hybrid");
  e.set("tlm.map", "3: 0x1000 +0x100");
  e.set("tlm.dmi", true);
  models::Simulation simulation(e);
  models::Interconnect net("net", simulation.engine());
  Asker asker("asker");
  Giver giver("giver");
  asker.socket.bind(net.simple_target<32>(0));
  net.simple_initiator<32>(3).bind(giver.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(asker.ask(0x1010, true), (Range{0x1000, 0x10ff}));
  giver.socket->invalidate_direct_mem_ptr(1, 2);
  EXPECT_EQ(asker.invalidated, (std::vector<Range>{{0x1001, 0x1002}}));
  unsigned char data[8] = {};
  tlm::tlm_generic_payload p;
  p.set_read();
  p.set_data_ptr(data);
  p.set_data_length(8);
  for (const auto& [address, bytes] : {std::pair{0x10f8U, 8U}, {0x10f9U, 7U}, {0x10ffU, 1U}, {0x1100U, 0U}}) {
    p.set_address(address);
    EXPECT_EQ(asker.socket->transport_dbg(p), bytes) << address;
    EXPECT_EQ(p.get_address(), address);
    EXPECT_EQ(p.get_data_length(), 8U);
  }
  EXPECT_EQ(giver.asked, (std::vector<std::uint64_t>{0x10, 0xf8, 0xf9, 0xff}));
}

}  // namespace
}  // namespace braid::test::dmi_test
