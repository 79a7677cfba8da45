// The program as its users meet it: exit status, messages, files, schedules.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <boost/json.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tb/tests/support/bench.h"

namespace braid::test {
namespace {

struct Ended {
  int status = 0;
  std::string output;  // both streams
};

Ended braid(const std::string& arguments) {
  const std::string command = std::string(BRAID_PROGRAM) + " " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor)
  Ended ended;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ended.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

std::string experiment(const std::string& name) { return source_file("tb/experiments/" + name + ".toml"); }
const std::string kShort =
    " --set simulation.batch_cycles=1000 --set simulation.measure_cycles=2000 --set simulation.max_warmup_cycles=2000 ";

boost::json::object results(const std::string& arguments) {
  const Ended ended = braid("run " + arguments + " --quiet --json -");
  EXPECT_EQ(ended.status, 0) << ended.output;
  return boost::json::parse(ended.output).as_object();
}

TEST(Program, GivesTheSameHashUnderEverySchedule) {
  for (const char* name : {"mesh_uniform", "mixed", "torus_tornado", "tree_sat", "po2_hexagonal"}) {
    const std::string run = experiment(name) + kShort;
    const auto hash = results(run)["packet_hash"].as_string();
    EXPECT_EQ(results(run + "--set simulation.schedule=process_per_stage")["packet_hash"].as_string(), hash) << name;
    EXPECT_EQ(results(run + "--threads 2")["packet_hash"].as_string(), hash) << name;
    EXPECT_EQ(results(run + "--threads 3")["packet_hash"].as_string(), hash) << name;
  }
}

TEST(Program, TracingChangesNothing) {
  for (const char* ending : {"vcd", "fst"}) {
    const std::string run = experiment(ending == std::string("vcd") ? "fm_radio" : "po2_hexagonal") + kShort;
    const auto hash = results(run)["packet_hash"].as_string();
    const std::string stem = temporary_file("wave_") + ending, file = stem + "." + ending;
    EXPECT_EQ(results(run + "--trace " + file)["packet_hash"].as_string(), hash);
    EXPECT_GT(std::filesystem::file_size(file), 1000U);
    EXPECT_GT(std::filesystem::file_size(stem + ".gtkw"), 1000U);
  }
}

TEST(Program, DeadlockIsNamedByTheWatchdog) {
  const Ended ended = braid("run " + experiment("deadlock"));
  EXPECT_EQ(ended.status, 3);
  EXPECT_NE(ended.output.find("cycle of"), std::string::npos) << ended.output;
  EXPECT_NE(ended.output.find("router a port da vc 0: packet"), std::string::npos) << ended.output;
  const Ended refused = braid("check " + experiment("deadlock") + " --set routing.allow_deadlock=false");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("wait for each other in a cycle"), std::string::npos) << refused.output;
}

TEST(Program, DeadSatStationEndsTheRunByName) {
  for (const char* name : {"tree_sat", "mesh_uniform"}) {
    const Ended ended = braid("run " + experiment(name) + " --set interface.fairness=sat --set sat.dead_nodes=[5]");
    EXPECT_EQ(ended.status, 3) << ended.output;
    EXPECT_NE(ended.output.find("dead SAT station: node 5 has held the SAT signal"), std::string::npos) << ended.output;
  }
}

/// The signal's way in the waveform: each wire of the ring is high for one cycle, one after the other.
TEST(Program, SatWiresAreInTheWaveform) {
  for (const auto& [family, topology] : std::vector<std::pair<std::string, std::string>>{
           {"tree_sat", ""}, {"mesh_uniform", " --set interface.fairness=sat"}}) {
    const std::string file = temporary_file("sat_" + family + ".vcd");
    const Ended ended = braid("run " + experiment(family) + kShort + topology + " --quiet --trace " + file);
    EXPECT_EQ(ended.status, 0) << ended.output;
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    const bool tree = family == "tree_sat";
    for (const char* wire : {tree ? "node0_to_0_0" : "0_0_to_1_0", tree ? "0_0_to_node1" : "1_0_to_2_0"}) {
      const std::size_t at = text.str().find(wire);
      ASSERT_NE(at, std::string::npos) << wire;
      const std::size_t line = text.str().rfind('\n', at) + 1;
      std::istringstream words(text.str().substr(line));
      std::string var, type, bits, code;
      words >> var >> type >> bits >> code;  // $var wire 1 CODE name
      EXPECT_NE(text.str().find("\n1" + code + "\n"), std::string::npos) << wire << " is never high";
    }
    EXPECT_NE(text.str().find(" holds "), std::string::npos);
  }
}

TEST(Program, BadInputWritesNothing) {
  const std::string file = temporary_file("never.json");
  const Ended ended = braid("run " + experiment("mesh_uniform") + " --set router.vcs=17 --json " + file);
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.output, "braid: --set router.vcs=17: router.vcs = 17: expected integer, 1 to 16\n");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Program, CommandLineMistakesGetOneLine) {
  for (const char* arguments : {"rnu x.toml", "run", "run a b", "run --wrong x", "run /nowhere.toml", "list colours",
                                "check x.toml --set novalue"}) {
    const Ended ended = braid(arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
  }
  EXPECT_EQ(braid("--help").status, 0);
  EXPECT_EQ(braid("--version").output, std::string("braid ") + BRAID_VERSION + "\n");
  EXPECT_NE(braid("rnu x").output.find("did you mean \"run\"?"), std::string::npos);
}

TEST(Program, InterruptLeavesNoFile) {
  const std::string folder = temporary_file("interrupted");
  std::filesystem::create_directories(folder);
  const Ended ended =
      braid("run " + experiment("mesh_uniform") + " --set simulation.measure_cycles=1000000000 --json " + folder +
            "/r.json --trace " + folder + "/t.vcd & pid=$!; while [ ! -s " + folder +
            "/t.vcd ]; do sleep 0.1; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(ended.status, 130) << ended.output;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Program, ReferenceIsCurrent) {
  std::ifstream in(source_file("docs/configuration.md"));
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(braid("list configuration").output, text.str()) << "run: braid list configuration > docs/configuration.md";
}

TEST(Program, PathsShowsCircuits) {
  const Ended ended = braid("paths " + experiment("fm_radio"));
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.output.find("circuits on each link (most on a link: 1)"), std::string::npos) << ended.output;
}

}  // namespace
}  // namespace braid::test
