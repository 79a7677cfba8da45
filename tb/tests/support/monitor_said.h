// What a checker says of what a test does on its hop, in the order in which it is said.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/tlm_stubs.h"

namespace braid::test {

using Act = std::function<void(Hop<32>&)>;
using Reports = std::vector<std::pair<std::string, std::string>>;  // rule, what

struct Said {
  const char* name;
  Act act;
  Reports reports;
};

inline void well(Payload& trans) { trans.set_response_status(tlm::TLM_OK_RESPONSE); }
inline tlm::tlm_sync_enum completed(Payload& trans, tlm::tlm_phase&, sc_core::sc_time&) {
  well(trans);
  return tlm::TLM_COMPLETED;
}
/// Answers with this phase in the return.
inline auto updated(tlm::tlm_phase with) {
  return [with](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = with;
    return tlm::TLM_UPDATED;
  };
}

inline void expect_said(const Said& said) {
  Hop<32> hop;
  hop.run([&] { said.act(hop); });
  for (std::size_t i = 0; i < std::min(said.reports.size(), hop.reports().size()); ++i) {
    const auto& [rule, what] = said.reports[i];
    EXPECT_EQ(hop.reports()[i].first, "/braid/tlm/" + rule);
    const std::string text = hop.reports()[i].second, begin = "hop.checker: " + what + "; expected: ";
    EXPECT_EQ(text.substr(0, begin.size()), begin) << text;
  }
  EXPECT_EQ(hop.reports().size(), said.reports.size());
  EXPECT_EQ(hop.checker.monitor().count(), said.reports.size());
}

}  // namespace braid::test
