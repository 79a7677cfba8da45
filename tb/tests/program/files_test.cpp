// What the program leaves behind: nothing destroyed, nothing lost, nothing claimed.
#include <gtest/gtest.h>

#include <filesystem>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::files_test {
namespace {

namespace fs = std::filesystem;

const char* const kShort = " --set simulation.measure_cycles=2000 --set simulation.max_warmup_cycles=2000";

/// The waveform, the JSON and the log are most needed where a run ends in a deadlock.
TEST(Deadlock, LeavesWaveformJsonAndLogWithTheVerdict) {
  const std::string stem = temporary_file("verdict");
  const Ended ended = braid("run " + experiment("deadlock") + " --trace " + stem + ".fst --json " + stem +
                            ".json --log " + stem + ".csv");
  EXPECT_EQ(ended.status, 3) << ended.output;
  const boost::json::object all = boost::json::parse(content(stem + ".json")).as_object();
  const boost::json::object& verdict = all.at("verdict").as_object();
  EXPECT_EQ(verdict.at("what"), "deadlock");
  EXPECT_EQ(std::string(verdict.at("text").as_string()).rfind("deadlock: no flit has moved up to cycle ", 0), 0U);
  const boost::json::array& waiting = verdict.at("waiting").as_array();
  EXPECT_GE(waiting.size(), 4U) << "the ring's channels";
  for (const auto& line : waiting) EXPECT_NE(ended.output.find(line.as_string().c_str()), std::string::npos) << line;
  EXPECT_EQ(all.at("conservation").at("holds"), true);
  EXPECT_TRUE(all.at("classes").as_array().empty());
  EXPECT_GT(fs::file_size(stem + ".fst"), 1000U);
  EXPECT_TRUE(fs::exists(stem + ".gtkw"));
  EXPECT_NE(content(stem + ".csv").find("\nsynthetic,"), std::string::npos);
}

TEST(Deadlock, OfAFairnessLineIsAVerdictToo) {
  const std::string file = temporary_file("dead.json");
  const Ended ended = braid("run " + experiment("mesh_uniform") +
                            " --set interface.fairness=sat --set sat.dead_nodes=[5] --quiet --json " + file);
  EXPECT_EQ(ended.status, 3);
  const boost::json::value all = boost::json::parse(content(file));
  EXPECT_EQ(all.at("verdict").at("what"), "dead SAT station");
  EXPECT_TRUE(all.at("verdict").at("waiting").as_array().empty());
}

TEST(Files, ThatCannotBeWrittenAreRefusedBeforeTheRun) {
  const std::string lost = temporary_file("lost") + "/r";
  for (const std::string& option : {"--json " + lost + ".json", "--trace " + lost + ".vcd", "--log " + lost + ".csv"}) {
    const Ended ended = braid("run " + experiment("mesh_uniform") + kShort + " " + option);
    EXPECT_EQ(ended.status, 2) << option;
    EXPECT_NE(ended.output.find(": cannot be written: No such file or directory"), std::string::npos) << ended.output;
    EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
  }
}

/// `braid check` says what `braid run` would say before its first cycle.
TEST(Files, AreCheckedByCheckAsByRun) {
  for (const std::string setting : {"trace.file=/no/where.vcd", "trace.file=wave.png", "log.file=/no/where.csv",
                                    "trace.file=/tmp/w.vcd --set 'trace.routers=\"9,9\"'",
                                    "trace.file=/tmp/w.vcd --set trace.from_cycle=9 --set trace.to_cycle=8"}) {
    const std::string arguments = experiment("mesh_uniform") + " --set " + setting;
    const Ended check = braid("check " + arguments), run = braid("run " + arguments);
    EXPECT_EQ(check.status, 2) << setting << check.output;
    EXPECT_EQ(check.output, run.output);
  }
}

TEST(Files, OnAFullDiskEndTheRunWithItsReasonAfterTheTable) {
  const Ended ended = braid("run " + experiment("mesh_uniform") + kShort + " --json /dev/full");
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.output.find("packet_latency_cycles"), std::string::npos) << "the table comes all the same";
  EXPECT_NE(ended.output.find("braid: /dev/full: cannot be written: No space left on device\n"), std::string::npos);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(StandardOutput, ThatIsFullIsAFailure) {
  for (const std::string& command :
       {"run " + experiment("mesh_uniform") + kShort, "run " + experiment("mesh_uniform") + kShort + " --json -",
        std::string("list"), std::string("list configuration"), std::string("--help"), std::string("--version"),
        "paths " + experiment("mesh_uniform"), "check " + experiment("mesh_uniform")}) {
    const Ended ended = braid(command + " > /dev/full");
    EXPECT_EQ(ended.status, 1) << command;
    EXPECT_EQ(ended.output, "braid: standard output: cannot be written: No space left on device\n") << command;
  }
}

}  // namespace
}  // namespace braid::test::files_test
