// What a target is handed of a debug access and of a request for direct memory, and what its initiator has back where
// there is none: nothing of the access before. In every style; one case a process.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tb/tests/support/style_platform.h"
#include "tb/tests/support/tlm_stubs.h"

namespace braid::test::direct_accesses_test {
namespace {

/// An initiator at node 0; a target at node 5 with 256 bytes from 0x1000 on, and nobody else.
struct DirectPlatform {
  explicit DirectPlatform(const std::string& style, bool dmi = true)
      : net([&] {
          models::Experiment e = styled(tlm_network("hybrid"), style);
          e.set("tlm.map", "5: 0x1000 +0x100");
          e.set("tlm.dmi", dmi);
          return e;
        }()) {
    net.enter(initiator.socket, 0);
    net.leave(5, target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  StyleNet net;
  StubInitiator<32> initiator{"initiator"};
  StubTarget<32> target{"target"};
};

class DirectAccesses : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, DirectAccesses, testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                         [](const auto& c) { return std::string(c.param); });

/// Whole or cut at the range's end: command, bytes and extensions are the initiator's; what the target
/// counts comes back.
TEST_P(DirectAccesses, OfDebugAreTheInitiators) {
  DirectPlatform p(GetParam());
  std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  StubExtension extension;
  for (const auto command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
    for (const auto& [address, length] : {std::pair{0x1010U, 8U}, {0x10f8U, 8U}, {0x10f9U, 7U}, {0x10ffU, 1U}}) {
      Payload t;
      t.set_command(command);
      t.set_address(address);
      t.set_data_ptr(data.data());
      t.set_data_length(8);
      t.set_streaming_width(8);
      t.set_extension(&extension);
      p.target.debug_count = length - 1;
      bool seen = false;
      p.target.debugged = [&, at = address, bytes = length](Payload& d) {
        seen = true;
        EXPECT_EQ(d.get_command(), command);
        EXPECT_EQ(d.get_address(), at - 0x1000) << "an offset";
        EXPECT_EQ(d.get_data_length(), bytes);
        EXPECT_EQ(d.get_data_ptr(), data.data()) << "no copy";
        EXPECT_EQ(d.get_streaming_width(), 8U);
        EXPECT_NE(d.get_extension<StubExtension>(), nullptr);
      };
      EXPECT_EQ(p.initiator.socket->transport_dbg(t), length - 1) << address;
      EXPECT_TRUE(seen);
      EXPECT_EQ(t.get_address(), address);
      EXPECT_EQ(t.get_data_length(), 8U);
      t.clear_extension(&extension);
    }
  }
}

/// Of no bytes, and of an address that leads nowhere.
TEST_P(DirectAccesses, OfDebugMayBeOfNothing) {
  DirectPlatform p(GetParam());
  unsigned seen = 0;
  p.target.debugged = [&](Payload& d) {
    EXPECT_EQ(d.get_data_length(), 0U);
    ++seen;
  };
  p.target.debug_count = 5;
  Payload t;
  t.set_read();
  t.set_address(0x10ff);
  EXPECT_EQ(p.initiator.socket->transport_dbg(t), 5U);
  EXPECT_EQ(seen, 1U);
  for (const std::uint64_t nowhere : {std::uint64_t{0xfff}, std::uint64_t{0x1100}, ~std::uint64_t{0}}) {
    t.set_address(nowhere);
    EXPECT_EQ(p.initiator.socket->transport_dbg(t), 0U) << nowhere;
  }
  EXPECT_EQ(seen, 1U);
}

/// IEEE 1666-2011, 11.2.5: a descriptor that is handed over is as its init() leaves it, whatever it has been.
void expect_initial(const tlm::tlm_dmi& d) {
  const tlm::tlm_dmi initial;
  EXPECT_EQ(d.get_dmi_ptr(), initial.get_dmi_ptr());
  EXPECT_EQ(d.get_granted_access(), initial.get_granted_access());
  EXPECT_EQ(d.get_read_latency(), initial.get_read_latency());
  EXPECT_EQ(d.get_write_latency(), initial.get_write_latency());
}
TEST_P(DirectAccesses, OfMemoryBeginWithANewDescriptor) {
  DirectPlatform p(GetParam());
  unsigned char byte = 0;
  const auto ask = [&](std::uint64_t address, bool expected) {
    tlm::tlm_dmi d;
    d.set_dmi_ptr(&byte);
    d.allow_read_write();
    d.set_start_address(1);
    d.set_end_address(2);
    d.set_read_latency(sc_core::sc_time(3, sc_core::SC_NS));
    d.set_write_latency(sc_core::sc_time(4, sc_core::SC_NS));
    Payload t;
    t.set_read();
    t.set_address(address);
    EXPECT_EQ(p.initiator.socket->get_direct_mem_ptr(t, d), expected);
    return d;
  };
  bool seen = false;
  p.target.dmi = [&](Payload&, tlm::tlm_dmi& d) {
    seen = true;
    expect_initial(d);
    EXPECT_EQ(d.get_start_address(), 0U);
    EXPECT_EQ(d.get_end_address(), ~sc_dt::uint64{0});
    d.set_dmi_ptr(&byte);
    d.allow_read();
    d.set_read_latency(sc_core::sc_time(7, sc_core::SC_NS));
    return true;
  };
  const tlm::tlm_dmi granted = ask(0x1020, true);
  EXPECT_TRUE(seen);
  EXPECT_EQ(granted.get_dmi_ptr(), &byte);
  EXPECT_TRUE(granted.is_read_allowed());
  EXPECT_FALSE(granted.is_write_allowed());
  EXPECT_EQ(granted.get_read_latency(), sc_core::sc_time(7, sc_core::SC_NS));
  EXPECT_EQ(granted.get_start_address(), 0x1000U);
  EXPECT_EQ(granted.get_end_address(), 0x10ffU);
  const tlm::tlm_dmi nowhere = ask(0x2000, false);
  expect_initial(nowhere);
  EXPECT_EQ(nowhere.get_start_address(), 0x2000U);
  EXPECT_EQ(nowhere.get_end_address(), 0x2000U);
}

TEST_P(DirectAccesses, OfMemoryThatIsRefusedSayNothing) {
  DirectPlatform p(GetParam(), false);
  unsigned char byte = 0;
  tlm::tlm_dmi d;
  d.set_dmi_ptr(&byte);
  d.allow_write();
  Payload t;
  t.set_read();
  t.set_address(0x1020);
  p.target.dmi = [](Payload&, tlm::tlm_dmi&) {
    ADD_FAILURE() << "nobody is asked";
    return true;
  };
  EXPECT_FALSE(p.initiator.socket->get_direct_mem_ptr(t, d));
  expect_initial(d);
  EXPECT_EQ(d.get_start_address(), 0U);
  EXPECT_EQ(d.get_end_address(), ~sc_dt::uint64{0});
}

}  // namespace
}  // namespace braid::test::direct_accesses_test
