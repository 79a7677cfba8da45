// What the monitor knows of a transaction from call to call: when a change of its attributes is seen, whose request and
// whose response is open, and when it is over. A case a process: SystemC elaborates once.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "tb/tests/support/monitor_said.h"

namespace braid::test::monitor_flights_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

DECLARE_EXTENDED_PHASE(kHint);

struct SecondExtension : tlm::tlm_extension<SecondExtension> {
  tlm_extension_base* clone() const override { return new SecondExtension(*this); }
  void copy_from(const tlm_extension_base&) override {}
};

/// A write of four bytes with as many byte enables.
Payload& write(Hop<32>& h) {
  return h.with([&](Payload& t) {
    t.set_write();
    t.set_byte_enable_ptr(h.enables.data());
    t.set_byte_enable_length(4);
  });
}
tlm::tlm_sync_enum change_data(Payload& t, tlm::tlm_phase&, sc_time&) {
  ++t.get_data_ptr()[3];
  return tlm::TLM_ACCEPTED;
}
const Reports kWriteChanged{{"write_data_modified", "the data of a write was changed in flight"}};
const std::pair<std::string, std::string> kWrite = kWriteChanged[0];
const std::pair<std::string, std::string> kEnables{"byte_enables_modified", "byte enables were changed in flight"};
const std::pair<std::string, std::string> kAttribute{"attribute_modified", "an attribute was changed in flight"};
const std::pair<std::string, std::string> kAnswer{"response_modified",
                                                  "status or data was changed after the response had begun"};
std::pair<std::string, std::string> nobody_holds(const std::string& where) {
  return {"reference_count", where + " of a transaction that nobody has acquired"};
}
std::pair<std::string, std::string> no_manager(const std::string& where) {
  return {"memory_manager", where + " of a transaction without a memory manager"};
}
std::pair<std::string, std::string> back(const std::string& where, int from, int to) {
  return {"time_decreased",
          where + " at " + std::to_string(to) + " ns, after a call or return at " + std::to_string(from) + " ns"};
}
/// Takes `ns` back, and answers with this status and phase.
auto earlier(int ns, tlm::tlm_sync_enum status, tlm::tlm_phase with) {
  return [=](Payload& t, tlm::tlm_phase& phase, sc_time& delay) {
    delay -= sc_time(ns, SC_NS);
    phase = with;
    well(t);
    return status;
  };
}

std::vector<Said> changes() {
  return {
      {"in_the_call_of_the_beginning",
       [](auto& h) { h.target.non_blocking = change_data, h.fw(write(h), tlm::BEGIN_REQ); }, kWriteChanged},
      {"in_a_call_back",
       [](auto& h) {
         Payload& t = write(h);
         h.fw(t, tlm::BEGIN_REQ), h.initiator.non_blocking = change_data, h.bw(t, tlm::END_REQ);
       },
       kWriteChanged},
      {"between_two_calls_at_the_beginning_and_at_the_end_of_the_second",
       [](auto& h) {
         Payload& t = write(h);
         h.fw(t, tlm::BEGIN_REQ), ++h.data[3], h.bw(t, tlm::END_REQ);
       },
       {kWrite, kWrite}},
      {"before_the_last_call_of_a_write",
       [](auto& h) {
         Payload& t = write(h);
         h.fw(t, tlm::BEGIN_REQ), well(t), h.bw(t, tlm::BEGIN_RESP), ++h.data[3], h.fw(t, tlm::END_RESP);
       },
       kWriteChanged},
      {"behind_the_last_byte",
       [](auto& h) {
         Payload& t = write(h);
         h.fw(t, tlm::BEGIN_REQ), ++h.data[4], h.bw(t, tlm::END_REQ);
       },
       {}},
      {"of_byte_enables_in_every_place",
       [](auto& h) {
         for (unsigned char& enable : h.enables) {
           Payload& t = write(h);
           h.target.blocking = [&enable](Payload& p, sc_time&) { enable ^= 0xff, well(p); };
           h.b(t);
         }
       },
       {kEnables, kEnables, kEnables, kEnables}},
      {"of_data_and_byte_enables",
       [](auto& h) {
         h.target.blocking = [&h](Payload& p, sc_time&) { ++h.data[0], h.enables[0] = 0, well(p); };
         h.b(write(h));
       },
       {kWrite, kEnables}},
      {"of_a_read_into_a_write",
       [](auto& h) {
         h.target.blocking = [](Payload& t, sc_time&) { t.set_write(), well(t); };
         h.b(h.payload());
       },
       {kAttribute}},
      {"of_a_write_into_a_read_and_of_its_data",
       [](auto& h) {
         h.target.blocking = [](Payload& t, sc_time&) { t.set_read(), ++t.get_data_ptr()[0], well(t); };
         h.b(write(h));
       },
       {kAttribute}},
      {"of_the_manager_and_the_option_and_an_attribute",
       [](auto& h) {
         h.target.blocking = [](Payload& t, sc_time&) {
           t.set_mm(nullptr), t.set_gp_option(tlm::TLM_FULL_PAYLOAD), t.set_data_length(5), well(t);
         };
         h.b(h.payload());
       },
       {{"memory_manager_changed", "the memory manager was set or taken away in flight"},
        {"payload_option", "the payload option was changed in flight"},
        kAttribute}},
      {"of_the_status_of_a_write_after_its_response",
       [](auto& h) {
         Payload& t = write(h);
         h.fw(t, tlm::BEGIN_REQ), well(t), h.bw(t, tlm::BEGIN_RESP);
         t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE), h.fw(t, tlm::END_RESP);
       },
       {kAnswer}},
      {"of_data_that_are_read_before_the_response",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), ++h.data[0], h.bw(t, tlm::END_REQ), ++h.data[1], well(t);
         h.bw(t, tlm::BEGIN_RESP), h.fw(t, tlm::END_RESP);
       },
       {}},
      {"of_data_that_are_read_in_the_call_of_the_response",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), well(t), h.initiator.non_blocking = change_data, h.bw(t, tlm::BEGIN_RESP);
       },
       {kAnswer}},
      {"of_nothing_where_data_are_ignored",
       [](auto& h) {
         h.b(h.with([](Payload& t) { t.set_command(tlm::TLM_IGNORE_COMMAND), t.set_data_ptr(nullptr); }));
       },
       {}},
      {"of_the_second_of_two_extensions",
       [](auto& h) {
         StubExtension own;
         Payload& t = h.unmanaged();
         t.set_extension(&own);
         SecondExtension others;
         h.target.blocking = [&](Payload& p, sc_time&) { p.set_extension(&others), well(p); };
         h.b(t);
         t.clear_extension(&own), t.clear_extension(&others);
       },
       {{"extension_left", "an extension is left on a transaction without a memory manager"}}},
      {"of_two_extensions_are_said_once",
       [](auto& h) {
         StubExtension one;
         SecondExtension other;
         Payload& t = h.unmanaged();
         h.target.blocking = [&](Payload& p, sc_time&) { p.set_extension(&one), p.set_extension(&other), well(p); };
         h.b(t);
         t.clear_extension(&one), t.clear_extension(&other);
       },
       {{"extension_left", "an extension is left on a transaction without a memory manager"}}},
      {"of_an_extension_that_is_cleared",
       [](auto& h) {
         StubExtension own;
         Payload& t = h.unmanaged();
         t.set_extension(&own);
         h.target.blocking = [&](Payload& p, sc_time&) { p.clear_extension(&own), well(p); };
         h.b(t);
       },
       {}},
      {"of_an_extension_with_a_manager",
       [](auto& h) {
         StubExtension left;
         Payload& t = h.payload();
         h.target.blocking = [&](Payload& p, sc_time&) { p.set_extension(&left), well(p); };
         h.b(t);
         t.clear_extension(&left);
       },
       {}},
  };
}

std::vector<Said> phases() {
  return {
      {"managers_are_asked_for_in_every_call",
       [](auto& h) {
         for (Payload* t : {&h.unacquired(), &h.unmanaged()}) {
           h.fw(*t, tlm::BEGIN_REQ), h.bw(*t, tlm::END_REQ), well(*t);
           h.bw(*t, tlm::BEGIN_RESP), h.fw(*t, tlm::END_RESP);
         }
       },
       {nobody_holds("nb_transport_fw"), nobody_holds("nb_transport_bw"), nobody_holds("nb_transport_bw"),
        nobody_holds("nb_transport_fw"), no_manager("nb_transport_fw"), no_manager("nb_transport_bw"),
        no_manager("nb_transport_bw"), no_manager("nb_transport_fw")}},
      {"one_reference_is_enough_and_blocking_calls_need_no_manager",
       [](auto& h) { h.fw(h.payload(), tlm::BEGIN_REQ), h.b(h.unmanaged()); },
       {}},
      {"times_go_back_in_returns_that_complete",
       [](auto& h) {
         h.target.non_blocking = earlier(2, tlm::TLM_COMPLETED, tlm::BEGIN_REQ);
         h.fw(h.payload(), tlm::BEGIN_REQ, sc_time(3, SC_NS));
         h.target.non_blocking = {};
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ, sc_time(4, SC_NS)), well(t);
         h.initiator.non_blocking = earlier(1, tlm::TLM_COMPLETED, tlm::BEGIN_RESP);
         h.bw(t, tlm::BEGIN_RESP, sc_time(6, SC_NS));
       },
       {back("return of nb_transport_fw", 3, 1), back("return of nb_transport_bw", 6, 5)}},
      {"times_go_back_in_returns_with_a_phase",
       [](auto& h) {
         h.target.non_blocking = earlier(2, tlm::TLM_UPDATED, tlm::END_REQ);
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ, sc_time(3, SC_NS)), h.target.non_blocking = {};
         h.initiator.non_blocking = earlier(1, tlm::TLM_UPDATED, tlm::END_RESP);
         h.bw(t, tlm::BEGIN_RESP, sc_time(6, SC_NS));
       },
       {back("return of nb_transport_fw", 3, 1), back("return of nb_transport_bw", 6, 5)}},
      {"a_time_counts_from_the_call_before_not_from_the_first",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ, sc_time(1, SC_NS)), h.bw(t, tlm::END_REQ, sc_time(9, SC_NS)), well(t);
         sc_core::wait(5, SC_NS);
         h.bw(t, tlm::BEGIN_RESP, sc_time(4, SC_NS)), h.fw(t, tlm::END_RESP, sc_time(3, SC_NS));
       },
       {back("nb_transport_fw", 9, 8)}},
      {"completion_of_a_request_needs_a_status",
       [](auto& h) {
         h.target.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
         h.fw(h.payload(), tlm::BEGIN_REQ);
         EXPECT_EQ(h.checker.monitor().completed(), 1U);
       },
       {{"no_response_status", "return of nb_transport_fw without a response status"}}},
      {"completion_of_other_phases_ends_it_too",
       [](auto& h) {
         Payload &a = h.payload(), &b = h.payload();
         h.fw(a, tlm::BEGIN_REQ), h.target.non_blocking = completed, h.fw(a, kHint), h.target.non_blocking = {};
         h.fw(b, tlm::BEGIN_REQ), h.initiator.non_blocking = completed, h.bw(b, tlm::END_REQ);
         EXPECT_EQ(h.checker.monitor().completed(), 2U);
         EXPECT_EQ(h.checker.monitor().in_flight(), 0U);
       },
       {{"completed_too_early", "TLM_COMPLETED from nb_transport_fw for kHint"},
        {"completed_too_early", "TLM_COMPLETED from nb_transport_bw for END_REQ"}}},
      {"completion_of_an_end_is_allowed",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), well(t), h.bw(t, tlm::BEGIN_RESP), h.target.non_blocking = completed;
         h.fw(t, tlm::END_RESP);
         EXPECT_EQ(h.checker.monitor().completed(), 1U) << "once";
       },
       {}},
      {"hints_in_returns_are_remembered",
       [](auto& h) {
         Payload& t = h.payload();
         h.target.non_blocking = updated(kHint), h.fw(t, tlm::BEGIN_REQ), h.target.non_blocking = {};
         h.bw(t, kHint), h.initiator.non_blocking = updated(kHint), h.bw(t, tlm::END_REQ);
         h.fw(t, kHint);
       },
       {{"phase_repeated", "nb_transport_bw with kHint once more"},
        {"phase_repeated", "nb_transport_fw with kHint once more"}}},
      {"hints_in_returns_go_back_in_time",
       [](auto& h) {
         Payload& t = h.payload();
         h.target.non_blocking = earlier(1, tlm::TLM_UPDATED, kHint);
         h.fw(t, tlm::BEGIN_REQ, sc_time(5, SC_NS)), h.target.non_blocking = {};
         h.initiator.non_blocking = earlier(2, tlm::TLM_UPDATED, kHint);
         h.bw(t, tlm::END_REQ, sc_time(6, SC_NS));
       },
       {back("return of nb_transport_fw", 5, 4), back("return of nb_transport_bw", 6, 4)}},
      {"hints_end_no_request",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.bw(t, kHint), h.fw(h.payload(), tlm::BEGIN_REQ);
       },
       {{"request_exclusion", "BEGIN_REQ while another request has not ended"}}},
      {"a_response_of_another_ends_no_request",
       [](auto& h) {
         Payload &a = h.payload(), &b = h.payload();
         h.fw(a, tlm::BEGIN_REQ), h.bw(a, tlm::END_REQ), h.fw(b, tlm::BEGIN_REQ), well(a);
         h.bw(a, tlm::BEGIN_RESP), h.fw(a, tlm::END_RESP), h.fw(h.payload(), tlm::BEGIN_REQ);
       },
       {{"request_exclusion", "BEGIN_REQ while another request has not ended"}}},
      {"the_end_of_another_ends_no_response",
       [](auto& h) {
         Payload &a = h.payload(), &b = h.payload(), &c = h.payload();
         for (Payload* t : {&a, &b, &c}) h.fw(*t, tlm::BEGIN_REQ), h.bw(*t, tlm::END_REQ), well(*t);
         h.bw(a, tlm::BEGIN_RESP), h.fw(b, tlm::END_RESP), h.bw(c, tlm::BEGIN_RESP);
       },
       {{"phase_order", "nb_transport_fw with END_RESP before BEGIN_RESP"},
        {"response_exclusion", "nb_transport_bw with BEGIN_RESP while another one has not ended"}}},
      {"a_response_once_more_is_out_of_order_alone",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), well(t), h.bw(t, tlm::BEGIN_RESP), h.bw(t, tlm::BEGIN_RESP);
       },
       {{"phase_order", "nb_transport_bw with BEGIN_RESP after BEGIN_RESP"}}},
      {"a_request_completed_beside_its_own_open_request_only",
       [](auto& h) {
         Payload& a = h.payload();
         h.fw(a, tlm::BEGIN_REQ), well(a), h.bw(a, tlm::BEGIN_RESP), h.fw(a, tlm::END_RESP);
         h.target.non_blocking = completed, h.fw(h.payload(), tlm::BEGIN_REQ);
       },
       {}},
      {"in_a_blocking_call_nothing_is_begun_or_ended",
       [](auto& h) {
         h.target.non_blocking = completed;
         h.target.blocking = [&h](Payload& t, sc_time&) {
           h.fw(t, tlm::BEGIN_REQ), h.fw(t, kHint), h.initiator.non_blocking = completed, h.bw(t, kHint);
           EXPECT_EQ(h.checker.monitor().in_flight(), 1U);
           EXPECT_EQ(h.checker.monitor().completed(), 0U);
         };
         h.b(h.payload());
         EXPECT_EQ(h.checker.monitor().begun(), 1U);
         EXPECT_EQ(h.checker.monitor().completed(), 1U);
       },
       {{"mixed_interfaces", "nb_transport_fw of a transaction that is in b_transport"},
        {"mixed_interfaces", "nb_transport_fw of a transaction that is in b_transport"},
        {"mixed_interfaces", "nb_transport_bw of a transaction that is in b_transport"}}},
      {"a_blocking_call_of_one_that_is_begun",
       [](auto& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.b(t);
         EXPECT_EQ(h.checker.monitor().in_flight(), 1U) << "the return of b_transport does not end it";
       },
       {{"mixed_interfaces", "b_transport of a transaction that is in nb_transport"}}},
      {"a_blocking_call_without_a_status",
       [](auto& h) { h.target.blocking = [](Payload&, sc_time&) {}, h.b(h.payload()); },
       {{"no_response_status", "return of b_transport without a response status"}}},
      {"a_blocking_call_in_either_call_of_phases",
       [](auto& h) {
         Payload &t = h.payload(), &u = h.unmanaged(), &v = h.unmanaged();
         h.target.non_blocking = [&](Payload&, tlm::tlm_phase&, sc_time&) { return h.b(u), tlm::TLM_ACCEPTED; };
         h.fw(t, tlm::BEGIN_REQ), h.target.non_blocking = {};
         h.initiator.non_blocking = [&](Payload&, tlm::tlm_phase&, sc_time&) { return h.b(v), tlm::TLM_ACCEPTED; };
         h.bw(t, tlm::END_REQ);
       },
       {{"nested_call", "b_transport inside nb_transport_fw"}, {"nested_call", "b_transport inside nb_transport_bw"}}},
      {"an_exception_ends_a_blocking_call",
       [](auto& h) {
         Payload& t = h.payload();
         h.target.blocking = [](Payload&, sc_time&) { throw std::runtime_error("over"); };
         EXPECT_THROW(h.b(t), std::runtime_error);
         EXPECT_EQ(h.checker.monitor().in_flight(), 0U);
         EXPECT_EQ(h.checker.monitor().begun(), 1U);
         EXPECT_EQ(h.checker.monitor().completed(), 0U);
         h.target.blocking = {}, h.b(t);
         EXPECT_EQ(h.checker.monitor().completed(), 1U);
       },
       {}},
      {"debug_and_direct_memory_with_each_option",
       [](auto& h) {
         for (const auto& [before, after] : {std::pair{tlm::TLM_MIN_PAYLOAD, tlm::TLM_FULL_PAYLOAD},
                                             {tlm::TLM_FULL_PAYLOAD, tlm::TLM_MIN_PAYLOAD},
                                             {tlm::TLM_FULL_PAYLOAD, tlm::TLM_FULL_PAYLOAD},
                                             {tlm::TLM_FULL_PAYLOAD, tlm::TLM_FULL_PAYLOAD_ACCEPTED},
                                             {tlm::TLM_MIN_PAYLOAD, tlm::TLM_FULL_PAYLOAD_ACCEPTED}}) {
           h.target.debugged = [after = after](Payload& t) { t.set_gp_option(after); };
           h.target.dmi = [after = after](Payload& t, tlm::tlm_dmi&) { return t.set_gp_option(after), false; };
           h.debug(h.with([before = before](Payload& t) { t.set_gp_option(before); }));
           h.dmi(h.with([before = before](Payload& t) { t.set_gp_option(before), t.set_write(); }));
         }
       },
       {{"direct_option", "transport_dbg changed the payload option"},
        {"direct_option", "get_direct_mem_ptr changed the payload option"},
        {"direct_option", "transport_dbg changed the payload option"},
        {"direct_option", "get_direct_mem_ptr changed the payload option"},
        {"direct_option", "transport_dbg changed the payload option"},
        {"direct_option", "get_direct_mem_ptr changed the payload option"}}},
      {"direct_accesses_that_are_wrong_from_the_start",
       [](auto& h) {
         h.debug(h.with([](Payload& t) { t.set_data_ptr(nullptr), t.set_data_length(1); }));
         h.debug(h.with([](Payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); }));
         h.dmi(h.with([](Payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); }));
         h.dmi(h.with([](Payload& t) { t.set_command(tlm::TLM_IGNORE_COMMAND); }));
         h.initiator.invalidated = [&h] { h.dmi(0); };
         h.invalidate(5, 5);
       },
       {{"debug_pointer", "transport_dbg with data pointer null"},
        {"direct_option", "transport_dbg with TLM_FULL_PAYLOAD_ACCEPTED"},
        {"direct_option", "get_direct_mem_ptr with TLM_FULL_PAYLOAD_ACCEPTED"},
        {"dmi_command", "get_direct_mem_ptr with the command ignore"},
        {"dmi_reentered", "get_direct_mem_ptr inside invalidate_direct_mem_ptr"}}},
      {"direct_accesses_that_wait",
       [](auto& h) {
         const auto wait = [] { sc_core::wait(1, SC_NS); };
         h.target.debugged = [wait](Payload&) { wait(); };
         h.target.dmi = [wait](Payload&, tlm::tlm_dmi&) { return wait(), false; };
         h.initiator.invalidated = wait;
         h.debug(h.payload()), h.dmi(h.payload()), h.invalidate(0, 1);
       },
       {{"direct_waited", "return of transport_dbg later than its call"},
        {"direct_waited", "return of get_direct_mem_ptr later than its call"},
        {"direct_waited", "return of invalidate_direct_mem_ptr later than its call"}}},
  };
}

class MonitorSeesChanges : public testing::TestWithParam<std::size_t> {};
TEST_P(MonitorSeesChanges, WhereTheyAreAndOnce) { expect_said(changes()[GetParam()]); }
INSTANTIATE_TEST_SUITE_P(Cases, MonitorSeesChanges, testing::Range<std::size_t>(0, changes().size()),
                         [](const auto& c) { return std::string(changes()[c.param].name); });

class MonitorKnowsPhases : public testing::TestWithParam<std::size_t> {};
TEST_P(MonitorKnowsPhases, OfEachTransaction) { expect_said(phases()[GetParam()]); }
INSTANTIATE_TEST_SUITE_P(Cases, MonitorKnowsPhases, testing::Range<std::size_t>(0, phases().size()),
                         [](const auto& c) { return std::string(phases()[c.param].name); });

/// Reports of one rule add up, and those of all.
TEST(MonitorCounts, EveryReportOfEveryRule) {
  Hop<32> hop;
  hop.run([&] {
    for (int i = 0; i < 3; ++i) hop.b(hop.with([](Payload& t) { t.set_streaming_width(0); }));
    for (int i = 0; i < 2; ++i) hop.invalidate(1, 0);
  });
  const auto& monitor = hop.checker.monitor();
  EXPECT_EQ(monitor.count(models::ProtocolRule::kStreamingWidth), 3U);
  EXPECT_EQ(monitor.count(models::ProtocolRule::kDmiInvalidation), 2U);
  EXPECT_EQ(monitor.count(), 5U);
  EXPECT_EQ(monitor.begun(), 3U);
  EXPECT_EQ(monitor.completed(), 3U);
}

}  // namespace
}  // namespace braid::test::monitor_flights_test
