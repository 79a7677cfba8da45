// An experiment as a process, under the static schedule and as a network of modules.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/program.h"

namespace braid::test {

/// The whole results are equal, but for what names the schedule and the engine. `run`: as results() takes it, a blank
/// behind.
inline void expect_same_results(const std::string& run) {
  boost::json::object fast = results(run);
  boost::json::object modules = results(run + "--set simulation.schedule=process_per_stage");
  for (boost::json::object* all : {&fast, &modules}) {
    all->erase("configuration");
    all->erase("wall_seconds");
    all->erase("engines");
  }
  EXPECT_EQ(fast, modules) << run;
}

}  // namespace braid::test
