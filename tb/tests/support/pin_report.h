// Reports of modules with pins, as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <systemc>

#include "models/pins/clocked_pins.h"

namespace braid::test {

/// The first one that is made while the simulation runs for so many ns; "nothing": none.
inline std::string pin_report(double ns) {
  try {
    sc_core::sc_start(ns, sc_core::SC_NS);
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), models::pins::kReportType);
    return report.get_msg();
  }
  return "nothing";
}
inline void expect_in_report(const std::string& report, const std::string& part) {
  EXPECT_NE(report.find(part), std::string::npos) << report;
}

}  // namespace braid::test
