// Each rule of the base protocol: a stub that breaks it is reported under that rule and no other, one that keeps it is
// not. A case a process: SystemC elaborates once.
#include "models/tlm/checker/protocol_checker.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>
#include <stdexcept>
#include <systemc>

#include "tb/tests/support/tlm_stubs.h"

namespace braid::test::protocol_checker_test {

using models::ProtocolRule;
using sc_core::SC_NS;
using sc_core::sc_time;

DECLARE_EXTENDED_PHASE(kMine);
DECLARE_EXTENDED_PHASE(kOther);

/// One case: what the initiator does; it sets the target's answers first.
struct Breach {
  ProtocolRule rule;
  std::function<void(Hop<32>&)> act;
};

void ok(Payload& trans) { trans.set_response_status(tlm::TLM_OK_RESPONSE); }

/// The four phases as they should be, each by a call of its own.
void whole_transaction(Hop<32>& hop, Payload& trans) {
  hop.fw(trans, tlm::BEGIN_REQ);
  hop.bw(trans, tlm::END_REQ);
  ok(trans);
  hop.bw(trans, tlm::BEGIN_RESP);
  hop.fw(trans, tlm::END_RESP);
}

const std::vector<Breach>& breaches() {
  using R = ProtocolRule;
  static const std::vector<Breach> all{
      {R::kMemoryManager, [](Hop<32>& h) { h.fw(h.unmanaged(), tlm::BEGIN_REQ); }},
      {R::kReferenceCount, [](Hop<32>& h) { h.fw(h.unacquired(), tlm::BEGIN_REQ); }},
      {R::kMemoryManagerChanged,
       [](Hop<32>& h) {
         h.target.blocking = [&h](Payload& t, sc_time&) { t.set_mm(&h.pool), t.acquire(), ok(t); };
         h.b(h.unmanaged());
       }},
      {R::kExtensionLeft,
       [](Hop<32>& h) {
         h.target.blocking = [](Payload& t, sc_time&) { t.set_extension(new StubExtension), ok(t); };
         h.b(h.unmanaged());
       }},
      {R::kReusedInFlight,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::END_REQ), h.fw(t, tlm::BEGIN_REQ);
       }},
      {R::kDataPointer, [](Hop<32>& h) { h.fw(h.with([](Payload& t) { t.set_data_ptr(nullptr); }), tlm::BEGIN_REQ); }},
      {R::kDataLength, [](Hop<32>& h) { h.fw(h.with([](Payload& t) { t.set_data_length(0); }), tlm::BEGIN_REQ); }},
      {R::kByteEnableLength,
       [](Hop<32>& h) { h.fw(h.with([&](Payload& t) { t.set_byte_enable_ptr(h.enables.data()); }), tlm::BEGIN_REQ); }},
      {R::kStreamingWidth,
       [](Hop<32>& h) { h.fw(h.with([](Payload& t) { t.set_streaming_width(0); }), tlm::BEGIN_REQ); }},
      {R::kDmiHint, [](Hop<32>& h) { h.fw(h.with([](Payload& t) { t.set_dmi_allowed(true); }), tlm::BEGIN_REQ); }},
      {R::kInitialStatus, [](Hop<32>& h) { h.fw(h.with(ok), tlm::BEGIN_REQ); }},
      {R::kPayloadOption,
       [](Hop<32>& h) { h.fw(h.with([](Payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD); }), tlm::BEGIN_REQ); }},
      {R::kAttributeModified,
       [](Hop<32>& h) {
         h.target.blocking = [](Payload& t, sc_time&) { t.set_data_length(8), ok(t); };
         h.b(h.payload());
       }},
      {R::kWriteDataModified,
       [](Hop<32>& h) {
         h.target.blocking = [](Payload& t, sc_time&) { ++*t.get_data_ptr(), ok(t); };
         h.b(h.with([](Payload& t) { t.set_write(); }));
       }},
      {R::kByteEnablesModified,
       [](Hop<32>& h) {
         h.target.blocking = [](Payload& t, sc_time&) { *t.get_byte_enable_ptr() ^= 0xff, ok(t); };
         h.b(h.with([&](Payload& t) { t.set_byte_enable_ptr(h.enables.data()), t.set_byte_enable_length(4); }));
       }},
      {R::kNoResponseStatus,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::BEGIN_RESP);
       }},
      {R::kResponseModified,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), ok(t), h.bw(t, tlm::BEGIN_RESP), ++*t.get_data_ptr(), h.fw(t, tlm::END_RESP);
       }},
      {R::kPhaseDirection,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::END_RESP);
       }},
      {R::kPhaseOrder,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::END_REQ), h.fw(t, tlm::END_RESP);
       }},
      {R::kUnknownTransaction,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         whole_transaction(h, t), h.bw(t, tlm::BEGIN_RESP);
       }},
      {R::kRequestExclusion, [](Hop<32>& h) { h.fw(h.payload(), tlm::BEGIN_REQ), h.fw(h.payload(), tlm::BEGIN_REQ); }},
      {R::kResponseExclusion,
       [](Hop<32>& h) {
         Payload &a = h.payload(), &b = h.payload();
         h.fw(a, tlm::BEGIN_REQ), h.bw(a, tlm::END_REQ), h.fw(b, tlm::BEGIN_REQ), h.bw(b, tlm::END_REQ);
         ok(a), ok(b), h.bw(a, tlm::BEGIN_RESP), h.bw(b, tlm::BEGIN_RESP);
       }},
      {R::kTimeDecreased,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ, sc_time(5, SC_NS)), h.bw(t, tlm::END_REQ, sc_time(4, SC_NS));
       }},
      {R::kAcceptedButChanged,
       [](Hop<32>& h) {
         h.target.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time& delay) {
           delay += sc_time(1, SC_NS);
           return tlm::TLM_ACCEPTED;
         };
         h.fw(h.payload(), tlm::BEGIN_REQ);
       }},
      {R::kCompletedTooEarly,
       [](Hop<32>& h) {
         h.initiator.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::END_REQ);
       }},
      {R::kIgnorableOutside, [](Hop<32>& h) { h.fw(h.payload(), kMine); }},
      {R::kPhaseRepeated,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.fw(t, kMine), h.fw(t, kMine);
       }},
      {R::kNestedCall,
       [](Hop<32>& h) {
         h.target.non_blocking = [&h](Payload& t, tlm::tlm_phase&, sc_time&) {
           h.bw(t, tlm::END_REQ);
           return tlm::TLM_ACCEPTED;
         };
         h.fw(h.payload(), tlm::BEGIN_REQ);
       }},
      {R::kWaitInNonBlocking,
       [](Hop<32>& h) {
         h.target.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time&) {
           sc_core::wait(1, SC_NS);
           return tlm::TLM_ACCEPTED;
         };
         h.fw(h.payload(), tlm::BEGIN_REQ);
       }},
      {R::kBlockingInMethod,
       [](Hop<32>& h) {
         h.initiator.method = [&h] { h.b(h.payload()); };
         h.initiator.start_method.notify();
         sc_core::wait(1, SC_NS);
       }},
      {R::kMixedInterfaces,
       [](Hop<32>& h) {
         Payload& t = h.payload();
         h.fw(t, tlm::BEGIN_REQ), h.b(t);
       }},
      {R::kDmiInitial,
       [](Hop<32>& h) {
         tlm::tlm_dmi used;
         used.set_end_address(0xff);
         h.dmi(h.payload(), used);
       }},
      {R::kDmiCommand, [](Hop<32>& h) { h.dmi(h.with([](Payload& t) { t.set_command(tlm::TLM_IGNORE_COMMAND); })); }},
      {R::kDmiDescriptor,
       [](Hop<32>& h) {
         h.target.dmi = [&h](Payload&, tlm::tlm_dmi& d) {
           d.set_dmi_ptr(h.data.data()), d.allow_read_write(), d.set_start_address(0), d.set_end_address(0xff);
           return true;
         };
         EXPECT_TRUE(h.dmi(0xff));
         EXPECT_EQ(h.checker.monitor().count(), 0u) << "the last address of the range";
         EXPECT_TRUE(h.dmi(0x100));
       }},
      {R::kDmiInvalidation,
       [](Hop<32>& h) {
         h.invalidate(16, 16);
         EXPECT_EQ(h.checker.monitor().count(), 0u);
         h.invalidate(16, 15);
       }},
      {R::kDmiReentered,
       [](Hop<32>& h) {
         h.initiator.invalidated = [&h] { h.dmi(0); };
         h.invalidate(0, 16);
         EXPECT_FALSE(h.dmi(0)) << "afterwards it may";
       }},
      {R::kDebugPointer, [](Hop<32>& h) { h.debug(h.with([](Payload& t) { t.set_data_ptr(nullptr); })); }},
      {R::kDebugCount,
       [](Hop<32>& h) {
         h.target.debug_count = 4;
         h.debug(h.payload());
         EXPECT_EQ(h.checker.monitor().count(), 0u) << "all of four bytes";
         h.target.debug_count = 5;
         h.debug(h.payload());
       }},
      {R::kDirectModified,
       [](Hop<32>& h) {
         h.target.debugged = [](Payload& t) { t.set_data_length(3); };
         h.debug(h.payload());
       }},
      {R::kDirectOption,
       [](Hop<32>& h) {
         h.target.debugged = [](Payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); };
         h.debug(h.with([](Payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD); }));
         EXPECT_EQ(h.checker.monitor().count(), 0u) << "a full payload may be accepted";
         h.debug(h.payload());
       }},
      {R::kDirectWaited,
       [](Hop<32>& h) {
         h.target.debugged = [](Payload&) { sc_core::wait(sc_core::SC_ZERO_TIME); };
         h.debug(h.payload());
       }},
  };
  return all;
}

/// More ways to break a rule, where it says more than one thing.
const std::vector<std::pair<const char*, Breach>>& other_breaches() {
  using R = ProtocolRule;
  const auto wait = [] { sc_core::wait(1, SC_NS); };
  const auto completed = [](Payload& t, tlm::tlm_phase&, sc_time&) {
    ok(t);
    return tlm::TLM_COMPLETED;
  };
  static const std::vector<std::pair<const char*, Breach>> all{
      {"a_modified_command",
       {R::kAttributeModified,
        [](Hop<32>& h) {
          h.target.blocking = [](Payload& t, sc_time&) { t.set_command(tlm::TLM_IGNORE_COMMAND), ok(t); };
          h.b(h.payload());
        }}},
      {"a_modified_data_pointer",
       {R::kAttributeModified,
        [](Hop<32>& h) {
          h.target.blocking = [](Payload& t, sc_time&) { t.set_data_ptr(t.get_data_ptr() + 1), ok(t); };
          h.b(h.payload());
        }}},
      {"a_modified_byte_enables",
       {R::kAttributeModified,
        [](Hop<32>& h) {
          h.target.blocking = [](Payload& t, sc_time&) { t.set_byte_enable_ptr(t.get_data_ptr()), ok(t); };
          h.b(h.payload());
        }}},
      {"a_modified_byte_enable_length",
       {R::kAttributeModified,
        [](Hop<32>& h) {
          h.target.blocking = [](Payload& t, sc_time&) { t.set_byte_enable_length(3), ok(t); };
          h.b(h.payload());
        }}},
      {"a_modified_streaming_width",
       {R::kAttributeModified,
        [](Hop<32>& h) {
          h.target.blocking = [](Payload& t, sc_time&) { t.set_streaming_width(2), ok(t); };
          h.b(h.payload());
        }}},
      {"an_ignorable_phase_after_the_end",
       {R::kIgnorableOutside,
        [](Hop<32>& h) {
          Payload& t = h.payload();
          whole_transaction(h, t), h.bw(t, kMine);
        }}},
      {"a_return_with_the_phase_of_the_call",
       {R::kPhaseRepeated,
        [](Hop<32>& h) {
          Payload& t = h.payload();
          h.fw(t, tlm::BEGIN_REQ);
          h.target.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time&) { return tlm::TLM_UPDATED; };
          h.fw(t, kMine);
        }}},
      {"an_ignorable_phase_back_in_time",
       {R::kTimeDecreased,
        [](Hop<32>& h) {
          Payload& t = h.payload();
          h.fw(t, tlm::BEGIN_REQ, sc_time(5, SC_NS)), h.fw(t, kMine, sc_time(4, SC_NS));
        }}},
      {"an_ignorable_phase_in_b_transport",
       {R::kMixedInterfaces,
        [](Hop<32>& h) {
          h.target.blocking = [&h](Payload& t, sc_time&) { h.bw(t, kMine), ok(t); };
          h.b(h.payload());
        }}},
      {"backward_leads_to_forward",
       {R::kNestedCall,
        [](Hop<32>& h) {
          Payload& t = h.payload();
          h.fw(t, tlm::BEGIN_REQ), h.bw(t, tlm::END_REQ), ok(t);
          h.initiator.non_blocking = [&h](Payload& seen, tlm::tlm_phase&, sc_time&) {
            h.fw(seen, tlm::END_RESP);
            return tlm::TLM_ACCEPTED;
          };
          h.bw(t, tlm::BEGIN_RESP);
        }}},
      {"nb_transport_leads_to_b_transport",
       {R::kNestedCall,
        [](Hop<32>& h) {
          Payload &t = h.payload(), &other = h.payload();
          h.fw(t, tlm::BEGIN_REQ);
          h.initiator.non_blocking = [&](Payload&, tlm::tlm_phase&, sc_time&) {
            h.b(other);
            return tlm::TLM_ACCEPTED;
          };
          h.bw(t, tlm::END_REQ);
        }}},
      {"an_ignorable_phase_completes",
       {R::kCompletedTooEarly,
        [completed](Hop<32>& h) {
          Payload& t = h.payload();
          h.fw(t, tlm::BEGIN_REQ);
          h.target.non_blocking = completed;
          h.fw(t, kMine);
        }}},
      {"completion_beside_a_response",
       {R::kResponseExclusion,
        [completed](Hop<32>& h) {
          Payload &a = h.payload(), &b = h.payload();
          h.fw(a, tlm::BEGIN_REQ), ok(a), h.bw(a, tlm::BEGIN_RESP);
          h.target.non_blocking = completed;
          h.fw(b, tlm::BEGIN_REQ);
        }}},
      {"an_option_set_in_flight",
       {R::kPayloadOption,
        [](Hop<32>& h) {
          h.target.blocking = [](Payload& t, sc_time&) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD), ok(t); };
          h.b(h.payload());
        }}},
      {"dmi_changes_the_command",
       {R::kDirectModified,
        [](Hop<32>& h) {
          h.target.dmi = [](Payload& t, tlm::tlm_dmi&) { return t.set_write(), false; };
          h.dmi(h.payload());
        }}},
      {"debug_changes_the_data_of_a_write",
       {R::kDirectModified,
        [](Hop<32>& h) {
          h.target.debugged = [](Payload& t) { ++t.get_data_ptr()[3]; };
          h.debug(h.payload());
          EXPECT_EQ(h.checker.monitor().count(), 0u) << "those of a read it may";
          h.debug(h.with([](Payload& t) { t.set_write(); }));
        }}},
      {"debug_asked_with_an_option_of_answers",
       {R::kDirectOption,
        [](Hop<32>& h) { h.debug(h.with([](Payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); })); }}},
      {"dmi_asked_with_an_option_of_answers",
       {R::kDirectOption,
        [](Hop<32>& h) { h.dmi(h.with([](Payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); })); }}},
      {"get_direct_mem_ptr_waits",
       {R::kDirectWaited,
        [wait](Hop<32>& h) {
          h.target.dmi = [wait](Payload&, tlm::tlm_dmi&) { return wait(), false; };
          h.dmi(h.payload());
        }}},
      {"invalidation_waits",
       {R::kDirectWaited,
        [wait](Hop<32>& h) {
          h.initiator.invalidated = wait;
          h.invalidate(0, 16);
        }}},
  };
  return all;
}

TEST(ProtocolRules, EachHasItsPlaceAndABreachOfItsOwn) {
  ASSERT_EQ(models::protocol_rules().size(), models::kProtocolRules);
  std::set<std::string> names;
  for (std::size_t i = 0; i < models::kProtocolRules; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(models::protocol_rules()[i].rule), i);
    names.insert(models::protocol_rules()[i].name);
    ASSERT_LT(i, breaches().size()) << "no breach of " << models::protocol_rules()[i].name;
    EXPECT_EQ(static_cast<std::size_t>(breaches()[i].rule), i);
  }
  EXPECT_EQ(names.size(), models::kProtocolRules);
}

class ProtocolCheckerBreach : public testing::TestWithParam<std::size_t> {};

TEST_P(ProtocolCheckerBreach, IsReportedUnderItsRuleAndNoOther) {
  Hop<32> hop;
  const Breach& breach = breaches()[GetParam()];
  hop.run([&] { breach.act(hop); });
  for (const models::ProtocolRuleText& rule : models::protocol_rules()) {
    EXPECT_EQ(hop.checker.monitor().count(rule.rule), rule.rule == breach.rule ? 1u : 0u) << rule.name;
  }
  EXPECT_EQ(hop.checker.monitor().count(), 1u) << "of all rules";
  const models::ProtocolRuleText& text = models::protocol_rules()[GetParam()];
  ASSERT_EQ(hop.reports().size(), 1u);
  EXPECT_EQ(hop.reports()[0].first, std::string("/braid/tlm/") + text.name);
  EXPECT_EQ(hop.reports()[0].second.rfind("hop.checker: ", 0), 0u) << hop.reports()[0].second;
  EXPECT_NE(hop.reports()[0].second.find(std::string("(IEEE 1666-2011, ") + text.clause + ")"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Rules, ProtocolCheckerBreach, testing::Range<std::size_t>(0, models::kProtocolRules),
                         [](const auto& rule) { return std::string(models::protocol_rules()[rule.param].name); });

class ProtocolCheckerOtherBreach : public testing::TestWithParam<std::size_t> {};

TEST_P(ProtocolCheckerOtherBreach, IsReportedUnderItsRuleAndNoOther) {
  Hop<32> hop;
  const Breach& breach = other_breaches()[GetParam()].second;
  hop.run([&] { breach.act(hop); });
  for (const models::ProtocolRuleText& rule : models::protocol_rules()) {
    EXPECT_EQ(hop.checker.monitor().count(rule.rule), rule.rule == breach.rule ? 1u : 0u) << rule.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, ProtocolCheckerOtherBreach, testing::Range<std::size_t>(0, other_breaches().size()),
                         [](const auto& breach) { return std::string(other_breaches()[breach.param].first); });

/// A call that an exception has ended leads to nothing any more.
TEST(ProtocolChecker, KnowsThatACallIsOverAlsoByAnException) {
  Hop<32> hop;
  hop.run([&] {
    Payload& t = hop.payload();
    hop.target.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time&) -> tlm::tlm_sync_enum {
      throw std::runtime_error("over");
    };
    EXPECT_THROW(hop.fw(t, tlm::BEGIN_REQ), std::runtime_error);
    hop.bw(t, tlm::END_REQ);
    hop.initiator.invalidated = [] { throw std::runtime_error("over"); };
    EXPECT_THROW(hop.invalidate(0, 1), std::runtime_error);
    hop.dmi(0);
  });
  EXPECT_EQ(hop.checker.monitor().count(), 0u);
}

TEST(ProtocolChecker, IsSilentForWhatTheRulesAllow) {
  Hop<32> hop;
  hop.run([&] {
    Payload &a = hop.payload(), &b = hop.payload();
    whole_transaction(hop, a);
    hop.reset(a);
    whole_transaction(hop, a);  // the same object once it is over
    hop.reset(a);
    hop.fw(a, tlm::BEGIN_REQ);  // no END_REQ: the response implies it; then a request beside a response
    ok(a);
    hop.bw(a, tlm::BEGIN_RESP);
    hop.fw(b, tlm::BEGIN_REQ, sc_time(3, SC_NS));
    hop.fw(a, tlm::END_RESP);
    hop.bw(b, tlm::END_REQ, sc_time(3, SC_NS));
    ok(b);
    hop.initiator.non_blocking = [](Payload&, tlm::tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
    hop.bw(b, tlm::BEGIN_RESP, sc_time(3, SC_NS));
    hop.reset(b);
    hop.target.non_blocking = [](Payload& t, tlm::tlm_phase& phase, sc_time& delay) {
      phase = tlm::BEGIN_RESP, delay += sc_time(7, SC_NS), ok(t);
      return tlm::TLM_UPDATED;
    };
    hop.fw(b, tlm::BEGIN_REQ);
    hop.target.non_blocking = {};
    hop.fw(b, tlm::END_RESP, sc_time(7, SC_NS));
    hop.reset(b);
    hop.target.non_blocking = [](Payload& t, tlm::tlm_phase&, sc_time&) {
      ok(t);
      return tlm::TLM_COMPLETED;
    };
    hop.fw(b, tlm::BEGIN_REQ);
    hop.reset(b);
    hop.b(b);
    Payload& unmanaged = hop.unmanaged();
    StubExtension own;
    unmanaged.set_extension(&own);
    hop.b(unmanaged);
    unmanaged.clear_extension(&own);
    hop.debug(a);
  });
  EXPECT_EQ(hop.checker.monitor().count(), 0u);
  EXPECT_EQ(hop.checker.monitor().begun(), 8u);
  EXPECT_EQ(hop.checker.monitor().completed(), 8u);
  EXPECT_EQ(hop.checker.monitor().in_flight(), 0u);
}

TEST(ProtocolChecker, LetsIgnorablePhasesPass) {
  Hop<32> hop;
  hop.run([&] {
    Payload& t = hop.payload();
    hop.fw(t, tlm::BEGIN_REQ), hop.fw(t, kMine), hop.bw(t, kOther), hop.bw(t, tlm::END_REQ), hop.bw(t, kOther);
  });
  EXPECT_EQ(hop.checker.monitor().count(), 0u);
  EXPECT_EQ(hop.checker.monitor().in_flight(), 1u);
}

template <unsigned kBits>
void passes_everything_through() {
  Hop<kBits> hop;
  hop.run([&] {
    Payload& t = hop.payload();
    t.set_address(0x1234);
    hop.target.blocking = [&](Payload& seen, sc_time& delay) {
      EXPECT_EQ(&seen, &t);
      EXPECT_EQ(delay, sc_time(2, SC_NS));
      delay += sc_time(3, SC_NS);
      ok(seen);
    };
    EXPECT_EQ(hop.b(t, sc_time(2, SC_NS)), sc_time(5, SC_NS));
    hop.target.debug_count = 3;
    EXPECT_EQ(hop.debug(t), 3u);
  });
  EXPECT_EQ(hop.checker.monitor().count(), 0u);
}
TEST(ProtocolChecker, PassesEverythingThrough32Bits) { passes_everything_through<32>(); }
TEST(ProtocolChecker, PassesEverythingThrough64Bits) { passes_everything_through<64>(); }
TEST(ProtocolChecker, PassesEverythingThrough128Bits) { passes_everything_through<128>(); }

}  // namespace braid::test::protocol_checker_test
