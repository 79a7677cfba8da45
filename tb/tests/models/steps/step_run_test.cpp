// What a run without SystemC says beside its results: which keys there are, what an experiment comes to, how a deadlock
// ends it.
#include "models/steps/step_run.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>
#include <string>

#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::step_run_test {
namespace {

using models::StepRun;

/// Each key with all that is said of it, and the schema of results.
TEST(StepRun, DeclaresKeysAndResults) {
  const boost::json::object all = boost::json::parse(StepRun::declared()).as_object();
  const auto option = [&](const char* section, const char* name) {
    boost::json::object found;
    for (const auto& one : all.at("options").as_array()) {
      if (one.at("section") == section && one.at("name") == name && found.empty()) found = one.as_object();
    }
    return found;
  };
  const boost::json::object flits = option("traffic", "flits");
  EXPECT_EQ(flits.at("expected"), "integer, 1 to 65535");
  EXPECT_EQ(flits.at("default"), 4);
  EXPECT_EQ(flits.at("meaning"), "of every one");
  EXPECT_EQ(flits.at("exists_with"), "traffic.length = \"fixed\"");
  const boost::json::object seed = option("experiment", "seed");
  EXPECT_EQ(seed.at("exists_with"), "");
  EXPECT_TRUE(option("traffic", "flit").empty());
  const boost::json::object& schema = all.at("schema").as_object();
  EXPECT_EQ(schema.at("title"), "Results of braid run");
  EXPECT_TRUE(schema.at("properties").as_object().contains("packet_hash"));
}

/// As a file and settings over it say; nobody has to send. What does not exist is refused with its place.
TEST(StepRun, SaysWhatAnExperimentComesTo) {
  const auto of = [](const std::string& text, const std::vector<std::string>& settings = {}) {
    return boost::json::parse(StepRun::configuration(text, "mine.toml", settings)).as_object();
  };
  EXPECT_EQ(of("[topology]\nwidth = 3\n").at("topology").at("width"), 3);
  EXPECT_EQ(of("[topology]\nwidth = 3\n", {"topology.width=5"}).at("topology").at("width"), 5);
  EXPECT_EQ(of("").count("traffic"), 0U);
  try {
    (void)StepRun::configuration("[topology]\nwidht = 3\n", "mine.toml", {});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).rfind("mine.toml:2:1: unknown key in [topology] \"widht\"", 0), 0U) << e.what();
  }
}

/// A deadlock is told beside the results, which have its verdict; a run that ends has none.
TEST(StepRun, TellsADeadlockBesideItsResults) {
  const std::string file = source_file("tb/experiments/deadlock.toml");
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const StepRun::Outcome stuck = StepRun::run(text.str(), file, {});
  EXPECT_EQ(stuck.deadlock.rfind("deadlock: no flit has moved", 0), 0U) << stuck.deadlock;
  const boost::json::object results = boost::json::parse(stuck.results).as_object();
  EXPECT_EQ(results.at("verdict").at("what"), "deadlock");
  EXPECT_EQ(results.at("links").as_array().size(), 0U);
  const StepRun::Outcome well = StepRun::run(
      "[topology]\nwidth = 2\nheight = 2\n[traffic]\n[simulation]\nmeasure_cycles = 1000\n", "mine.toml", {});
  EXPECT_EQ(well.deadlock, "");
  EXPECT_FALSE(boost::json::parse(well.results).as_object().contains("verdict"));
}

TEST(StepRun, RefusesAScheduleOfProcessesAndEventsOnAScreen) {
  const auto refused = [](const std::vector<std::string>& settings) -> std::string {
    return complaint([&] {
      (void)StepRun::run("[traffic]\n[simulation]\nmeasure_cycles = 1000\nmax_warmup_cycles = 1000\n", "mine.toml",
                         settings);
    });
  };
  EXPECT_EQ(refused({"simulation.schedule=process_per_stage"}),
            "simulation.schedule = \"process_per_stage\" needs SystemC: expected \"static\", or the program");
  EXPECT_EQ(refused({"watch.what=source=0"}), "watch.file = \"-\" is for the program: expected the name of a file");
  const std::string file = temporary_file("events.txt");
  EXPECT_EQ(refused({"watch.what=source=0", "watch.file=" + file}), "");
  EXPECT_TRUE(std::ifstream(file).good());
  EXPECT_EQ(refused({}), "");
}

}  // namespace
}  // namespace braid::test::step_run_test
