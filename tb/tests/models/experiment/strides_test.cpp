// How many cycles a run asks for at once: few where they take long, so that whoever waits is told and can break off;
// more and more where they do not. A runner that takes as long as a script says has no SystemC and no clock of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "models/engine/cycle_runner.h"
#include "models/experiment/measured_run.h"
#include "tb/tests/support/loads.h"

namespace braid::test::strides_test {
namespace {

using models::Experiment;
using models::Progress;
using Numbers = std::vector<std::uint64_t>;

/// Milliseconds that the calls take, by their number from 0; others take no time.
using Script = std::map<std::size_t, int>;

class Scripted final : public models::CycleRunner {
 public:
  Scripted(models::Network& network, Script script) : network_(network), script_(std::move(script)) {}
  void run(std::uint64_t cycles) override {
    const auto found = script_.find(calls.size());
    calls.push_back(cycles);
    for (std::uint64_t i = 0; i < cycles; ++i) network_.cycle();
    if (found != script_.end()) std::this_thread::sleep_for(std::chrono::milliseconds(found->second));
  }
  Numbers calls;

 private:
  models::Network& network_;
  Script script_;
};

struct ScriptedRun {
  Numbers calls;
  std::vector<std::string> told;

  ScriptedRun(const Experiment& e, const Script& script, std::size_t most_calls = 100) {
    bool elaborated = false;
    models::MeasuredRun run(e, [&](const Progress& p) {
      if (elaborated)
        told.push_back(std::string(p.phase) + " " + std::to_string(p.cycle) + " of " +
                       std::to_string(p.expected_cycles));
      return true;
    });
    elaborated = true;
    std::unique_ptr<Scripted> runner;
    const models::Results& results = run.run_to_end([&] {
      run.start([&](models::Network& network) -> models::CycleRunner& {
        runner = std::make_unique<Scripted>(network, script);
        return *runner;
      });
    });
    EXPECT_TRUE(results.conservation.holds());
    calls = runner->calls;
    calls.resize(std::min(calls.size(), most_calls));
  }
};

/// A machine that others use may take longer than the script says: then once more.
void expect_calls(const Script& script, const Numbers& expected) {
  Numbers calls;
  for (int tries = 0; tries < 10 && calls != expected; ++tries)
    calls = ScriptedRun(even_load(), script, expected.size()).calls;
  EXPECT_EQ(calls, expected);
}

/// Batches of 100 cycles: twice as many each time, as long as there are so many left; what is left of a batch says
/// nothing of the next one.
TEST(Strides, AreTwiceAsLongWhereTheyTakeNoTime) { expect_calls({}, {1, 2, 4, 8, 16, 32, 37, 64, 36, 100, 100, 100}); }

TEST(Strides, AreHalfAsLongWhereTheyTakeMoreThanATwentiethOfASecond) {
  expect_calls({{4, 60}}, {1, 2, 4, 8, 16, 8, 16, 32, 13, 64, 36});
}

TEST(Strides, AreOneCycleAtLeast) { expect_calls({{0, 60}, {1, 60}}, {1, 1, 1, 2, 4, 8, 16, 32, 35}); }

TEST(Strides, StayAsTheyAreInBetween) { expect_calls({{3, 25}, {4, 25}}, {1, 2, 4, 8, 8, 8, 16, 32, 21, 64, 36}); }

/// What is left of a batch may take long, too: half of what would have been.
TEST(Strides, AreHalfAsLongBehindALastOneThatTookLong) {
  expect_calls({{6, 60}}, {1, 2, 4, 8, 16, 32, 37, 32, 64, 4, 100});
}

/// Nobody is told before a tenth of a second has passed since the last time.
TEST(Strides, TellWhenATenthOfASecondHasPassed) {
  EXPECT_TRUE(ScriptedRun(even_load(), {}).told.empty()) << "all of it takes less";
  std::vector<std::string> told;
  for (int tries = 0; tries < 10 && told.size() != 1; ++tries) told = ScriptedRun(even_load(), {{1, 120}}).told;
  EXPECT_EQ(told, std::vector<std::string>{"warm-up 3 of 800"});
}

/// What takes a twentieth of a second each is told of once, when there have been more than two.
TEST(Strides, ThatAreShortAreToldOfTogether) {
  std::vector<std::string> told;
  for (int tries = 0; tries < 10 && told.size() != 1; ++tries) {
    told = ScriptedRun(even_load(), {{0, 40}, {1, 40}, {2, 40}, {3, 40}}).told;
  }
  EXPECT_EQ(told, std::vector<std::string>{"warm-up 3 of 800"});
}

/// A stream's circuit is searched for first, cycle by cycle; the warm-up of three batches and the 500 measured cycles
/// that are expected come on top of nothing yet.
TEST(Strides, OfASetUpAreACycleAndAreToldOf) {
  Experiment e = short_run(streaming(stream_pair(10, 1, 4, 4, 3), 4));
  e.set("interface.switching", "circuit");
  const ScriptedRun run(e, {{2, 120}});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(run.calls.at(i), 1U) << i;
  ASSERT_FALSE(run.told.empty());
  EXPECT_EQ(run.told.front(), "set-up 3 of 800");
}

}  // namespace
}  // namespace braid::test::strides_test
