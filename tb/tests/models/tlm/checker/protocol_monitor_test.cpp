// What the checker says of a breach, in full: rule, where, what, address; and that it says nothing of what looks like a
// breach and is none. A case a process: SystemC elaborates once.
#include <gtest/gtest.h>

#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "tb/tests/support/monitor_said.h"

namespace braid::test::protocol_monitor_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

DECLARE_EXTENDED_PHASE(kHint);

tlm::tlm_dmi granted(unsigned char* data, std::uint64_t first, std::uint64_t last) {
  tlm::tlm_dmi d;
  d.set_dmi_ptr(data);
  d.allow_read();
  d.set_start_address(first);
  d.set_end_address(last);
  return d;
}

std::vector<Said> all_said() {
  return {
      // Nothing is wrong.
      {"a_request_after_one_that_was_completed",
       [](auto& h) {
         h.target.non_blocking = completed;
         h.fw(h.payload(), tlm::BEGIN_REQ);
         h.target.non_blocking = {};
         h.fw(h.payload(), tlm::BEGIN_REQ);
       },
       {}},
      {"a_request_after_an_end_in_the_return",
       [](auto& h) {
         h.target.non_blocking = updated(tlm::END_REQ);
         h.fw(h.payload(), tlm::BEGIN_REQ), h.fw(h.payload(), tlm::BEGIN_REQ);
       },
       {}},
      {"a_response_after_one_that_was_completed_or_ended_in_the_return",
       [](auto& h) {
         Payload &a = h.payload(), &b = h.payload(), &c = h.payload();
         for (Payload* t : {&a, &b, &c}) h.fw(*t, tlm::BEGIN_REQ), h.bw(*t, tlm::END_REQ), well(*t);
         h.initiator.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
         h.bw(a, tlm::BEGIN_RESP);
         h.initiator.non_blocking = updated(tlm::END_RESP);
         h.bw(b, tlm::BEGIN_RESP);
         h.initiator.non_blocking = {};
         h.bw(c, tlm::BEGIN_RESP), h.fw(c, tlm::END_RESP);
         EXPECT_EQ(h.checker.monitor().completed(), 3U);
         EXPECT_EQ(h.checker.monitor().in_flight(), 0U);
       },
       {}},
      {"ignored_commands_have_no_data",
       [](auto& h) {
         h.b(h.with([](Payload& t) {
           t.set_command(tlm::TLM_IGNORE_COMMAND), t.set_data_ptr(nullptr), t.set_data_length(0);
         }));
       },
       {}},
      {"a_read_gets_its_data_and_a_write_has_no_more_than_its_length",
       [](auto& h) {
         h.target.blocking = [](Payload& t, sc_time&) { ++t.get_data_ptr()[t.is_read() ? 3 : 4], well(t); };
         h.b(h.payload()), h.b(h.with([](Payload& t) { t.set_write(); }));
       },
       {}},
      {"the_same_time_is_not_back",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ, sc_time(5, SC_NS)), h.bw(t, tlm::END_REQ, sc_time(5, SC_NS));
       },
       {}},
      {"a_hint_once_more_after_another_phase",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.fw(t, kHint), h.bw(t, tlm::END_REQ), h.bw(t, kHint), well(t);
         h.bw(t, tlm::BEGIN_RESP), h.bw(t, kHint), h.fw(t, tlm::END_RESP);
       },
       {}},
      {"direct_memory_at_the_range_s_edges",
       [](auto& h) {
         h.target.dmi = [&h](Payload&, tlm::tlm_dmi& d) { return d = granted(h.data.data(), 0x10, 0x1f), true; };
         EXPECT_TRUE(h.dmi(0x10) && h.dmi(0x1f));
         h.target.dmi = [](Payload&, tlm::tlm_dmi& d) { return d.set_start_address(9), false; };
         h.dmi(0);
       },
       {}},
      {"debug_without_bytes",
       [](auto& h) { h.debug(h.with([](Payload& t) { t.set_data_ptr(nullptr), t.set_data_length(0); })); },
       {}},
      // Something is.
      {"no_data",
       [](auto& h) {
         h.fw(h.with([](Payload& t) { t.set_address(0x1234), t.set_data_ptr(nullptr), t.set_data_length(0); }),
              tlm::BEGIN_REQ);
       },
       {{"data_pointer", "BEGIN_REQ with data pointer null"}, {"data_length", "BEGIN_REQ with data length 0"}}},
      {"back_in_time",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ, sc_time(5, SC_NS)), h.bw(t, tlm::END_REQ, sc_time(4, SC_NS)), well(t);
         h.bw(t, tlm::BEGIN_RESP, sc_time(4, SC_NS)), h.fw(t, tlm::END_RESP, sc_time(3, SC_NS));
       },
       {{"time_decreased", "nb_transport_bw at 4 ns, after a call or return at 5 ns"},
        {"time_decreased", "nb_transport_fw at 3 ns, after a call or return at 4 ns"}}},
      {"back_in_time_in_b_transport",
       [](auto& h) {
         h.target.blocking = [](Payload& t, sc_time& delay) { delay -= sc_time(1, SC_NS), well(t); };
         h.b(h.payload(), sc_time(3, SC_NS));
       },
       {{"time_decreased", "return of b_transport at 2 ns, after a call or return at 3 ns"}}},
      {"phases_out_of_order",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::END_REQ), h.bw(t, tlm::END_REQ), well(t);
         h.bw(t, tlm::BEGIN_RESP), h.bw(t, tlm::END_REQ);
       },
       {{"phase_order", "nb_transport_bw with END_REQ after END_REQ"},
        {"phase_order", "nb_transport_bw with END_REQ after BEGIN_RESP"}}},
      {"phases_of_the_other_side",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.fw(t, tlm::END_REQ), h.fw(t, tlm::BEGIN_RESP), h.bw(t, tlm::BEGIN_REQ);
       },
       {{"phase_direction", "nb_transport_fw with END_REQ"},
        {"phase_direction", "nb_transport_fw with BEGIN_RESP"},
        {"phase_direction", "nb_transport_bw with BEGIN_REQ"}}},
      {"ends_of_nothing",
       [](auto& h) { h.fw(h.payload(), tlm::END_RESP), h.bw(h.payload(), tlm::END_REQ), h.bw(h.payload(), kHint); },
       {{"unknown_transaction", "nb_transport_fw of a transaction not in flight"},
        {"unknown_transaction", "nb_transport_bw of a transaction not in flight"},
        {"ignorable_outside", "nb_transport_bw with kHint of a transaction not in flight"}}},
      {"an_end_before_its_beginning",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.fw(t, tlm::END_RESP);
       },
       {{"phase_order", "nb_transport_fw with END_RESP before BEGIN_RESP"}}},
      {"one_object_in_both_interfaces",
       [](auto& h) {
         h.target.blocking = [&h](Payload& t, sc_time&) { h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::END_REQ), well(t); };
         h.b(h.payload());
       },
       {{"mixed_interfaces", "nb_transport_fw of a transaction that is in b_transport"},
        {"unknown_transaction", "nb_transport_bw of a transaction not in flight"}}},
      {"one_object_in_two_calls",
       [](auto& h) {
         bool once = false;
         h.target.blocking = [&h, &once](Payload& t, sc_time&) {
           if (!std::exchange(once, true)) h.b(t);
           well(t);
         };
         h.b(h.payload());
       },
       {{"reused_in_flight", "b_transport of a transaction in flight"}}},
      {"nobody_holds_it",
       [](auto& h) { h.b(h.unacquired()); },
       {{"reference_count", "b_transport of a transaction that nobody has acquired"}}},
      {"accepted_with_another_phase_or_delay",
       [](auto& h) {
         Payload& t = h.payload();
         h.target.non_blocking = [](Payload&, tlm::tlm_phase& phase, sc_time&) {
           return phase = tlm::END_REQ, tlm::TLM_ACCEPTED;
         };
         h.fw(t, tlm::BEGIN_REQ);
         h.initiator.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time& delay) {
           return delay = sc_time(1, SC_NS), tlm::TLM_ACCEPTED;
         };
         h.bw(t, tlm::END_REQ);
       },
       {{"accepted_but_changed", "return of nb_transport_fw, accepted, with another phase or delay"},
        {"accepted_but_changed", "return of nb_transport_bw, accepted, with another phase or delay"}}},
      {"a_delta_cycle_in_a_call",
       [](auto& h) {
         Payload& t = h.payload();
         const auto wait = [](Payload&, tlm::tlm_phase&, sc_time&) {
           return sc_core::wait(sc_core::SC_ZERO_TIME), tlm::TLM_ACCEPTED;
         };
         h.target.non_blocking = wait;
         h.fw(t, tlm::BEGIN_REQ);
         h.initiator.non_blocking = wait;
         h.bw(t, tlm::END_REQ);
       },
       {{"wait_in_non_blocking", "return of nb_transport_fw later than its call"},
        {"wait_in_non_blocking", "return of nb_transport_bw later than its call"}}},
      {"another_status_after_the_response",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), well(t), h.bw(t, tlm::BEGIN_RESP);
         t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE), h.fw(t, tlm::END_RESP);
       },
       {{"response_modified", "status or data was changed after the response had begun"}}},
      {"descriptors_that_were_used",
       [](auto& h) {
         std::vector<tlm::tlm_dmi> used(6);
         used[0].set_dmi_ptr(h.data.data()), used[1].allow_write(), used[2].set_start_address(1);
         used[3].set_end_address(1), used[4].set_read_latency(sc_time(1, SC_NS));
         used[5].set_write_latency(sc_time(1, SC_NS));
         for (const tlm::tlm_dmi& d : used) h.dmi(h.payload(), d);
       },
       Reports(6, {"dmi_initial", "get_direct_mem_ptr with a descriptor that has been used"})},
      {"descriptors_that_grant_nothing",
       [](auto& h) {
         std::vector<tlm::tlm_dmi> all(3, granted(h.data.data(), 0x10, 0x1f));
         all[0].set_dmi_ptr(nullptr), all[1].allow_none();
         h.target.dmi = [&](Payload&, tlm::tlm_dmi& d) { return d = all[0], true; };
         h.dmi(0x10);
         h.target.dmi = [&](Payload&, tlm::tlm_dmi& d) { return d = all[1], true; };
         h.dmi(0x10);
         h.target.dmi = [&](Payload&, tlm::tlm_dmi& d) { return d = all[2], true; };
         h.dmi(0xf);
       },
       {{"dmi_descriptor", "DMI granted for 0x10 with pointer null, access some, range 0x10 .. 0x1f"},
        {"dmi_descriptor", "DMI granted for 0x10 with pointer set, access none, range 0x10 .. 0x1f"},
        {"dmi_descriptor", "DMI granted for 0xf with pointer set, access some, range 0x10 .. 0x1f"}}},
      {"debug_that_changes_what_it_was_given",
       [](auto& h) {
         h.target.debugged = [](Payload& t) { t.set_write(); };
         h.debug(h.payload());
         h.target.debugged = [](Payload& t) { t.set_data_ptr(t.get_data_ptr() + 1); };
         h.debug(h.payload());
         h.target.debugged = {};
         h.target.debug_count = 5;
         h.debug(h.payload());
         h.invalidate(0x10, 0xf);
       },
       {{"direct_modified", "transport_dbg changed command, data pointer or length"},
        {"direct_modified", "transport_dbg changed command, data pointer or length"},
        {"debug_count", "transport_dbg returned 5 bytes of 4"},
        {"dmi_invalidation", "DMI invalidated from 0x10 to 0xf"}}},
  };
}

class ProtocolMonitorSays : public testing::TestWithParam<std::size_t> {};

TEST_P(ProtocolMonitorSays, WhatIsWrongAndNothingElse) { expect_said(all_said()[GetParam()]); }

INSTANTIATE_TEST_SUITE_P(Cases, ProtocolMonitorSays, testing::Range<std::size_t>(0, all_said().size()),
                         [](const auto& c) { return std::string(all_said()[c.param].name); });

/// A whole line: who, what, the rule and its clause, the address.
TEST(ProtocolMonitor, NamesTheAddressOfATransaction) {
  Hop<32> hop;
  hop.run([&] {
    hop.fw(hop.with([](Payload& t) { t.set_address(0x1234), t.set_data_length(0); }), tlm::BEGIN_REQ);
    hop.invalidate(2, 1);
  });
  ASSERT_EQ(hop.reports().size(), 2U);
  EXPECT_EQ(hop.reports()[0].second,
            "hop.checker: BEGIN_REQ with data length 0; expected: the data length is at least 1, unless the command is "
            "ignore (IEEE 1666-2011, 14.12 d)) [address 0x1234]");
  EXPECT_EQ(hop.reports()[1].second,
            "hop.checker: DMI invalidated from 0x2 to 0x1; expected: an invalidated range begins before it ends (IEEE "
            "1666-2011, 11.2.6)")
      << "no transaction, no address";
}

}  // namespace
}  // namespace braid::test::protocol_monitor_test
