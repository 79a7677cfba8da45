// The program as its users meet it: exit status, messages, files, schedules.
#include "tb/tests/support/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::program_test {
namespace {

/// One batch to two of warm-up, two measured.
std::string in_batches_of(int cycles) {
  const std::string batch = std::to_string(cycles), two = std::to_string(2 * cycles);
  return " --set simulation.batch_cycles=" + batch + " --set simulation.measure_cycles=" + two +
         " --set simulation.min_warmup_cycles=" + batch + " --set simulation.max_warmup_cycles=" + two + " ";
}
const std::string kShort = in_batches_of(1000);

TEST(Program, GivesTheSameHashUnderEverySchedule) {
  const std::string by_queues =
      " --set topology.kind=dragonfly --set routing.algorithm=ugal --set traffic.pattern=next_group "
      "--set traffic.rate_flits_per_node_cycle=0.2";
  for (const std::string& name :
       {experiment("mesh_uniform"), experiment("mixed"), experiment("torus_tornado"), experiment("tree_sat"),
        experiment("po2_hexagonal"), experiment("mesh_uniform") + by_queues}) {
    const std::string run = name + in_batches_of(kSanitized ? 200 : 1000);
    const auto hash = results(run)["packet_hash"].as_string();
    EXPECT_EQ(results(run + "--set simulation.schedule=process_per_stage")["packet_hash"].as_string(), hash) << name;
    EXPECT_EQ(results(run + "--threads 2")["packet_hash"].as_string(), hash) << name;
    EXPECT_EQ(results(run + "--threads 3")["packet_hash"].as_string(), hash) << name;
  }
}

TEST(Program, HashDependsOnTheSeed) {
  const std::string run = experiment("mesh_uniform") + kShort;
  EXPECT_NE(results(run)["packet_hash"].as_string(),
            results(run + "--set experiment.seed=2 ")["packet_hash"].as_string());
}

/// What is in the waveform is in wave_test.cpp, and of an .fst in tb/python/papers/po2/test_po2_waveform.py.
TEST(Program, TracingChangesNoResult) {
  for (const char* ending : {"vcd", "fst"}) {
    const std::string run = experiment(ending == std::string("vcd") ? "fm_radio" : "po2_hexagonal") + kShort;
    boost::json::object without = results(run);
    const std::string stem = temporary_file("wave_") + ending, file = stem + "." + ending;
    boost::json::object with = results(run + "--trace " + file);
    EXPECT_EQ(std::string(with.at("configuration").at("trace").at("file").as_string()), file);
    for (boost::json::object* all : {&with, &without}) {
      all->erase("wall_seconds");
      all->at("configuration").as_object().erase("trace");
    }
    EXPECT_EQ(with, without);
    EXPECT_GT(std::filesystem::file_size(file), 1000U);
    EXPECT_NE(content(stem + ".gtkw").find("network.cycle"), std::string::npos);
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

/// A check sees what otherwise only a simulation with sockets would.
TEST(Program, AnAddressMapWithOverlapsIsRefused) {
  const std::string file = temporary_file("map.toml");
  std::ofstream(file) << "[tlm]\nmap = \"5: 0x1000 +4K, 2: 0x1fff +4K\"\n";
  for (const char* command : {"check ", "run "}) {
    const Ended refused = braid(command + file);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.output.find(file + ":2:7: tlm.map: 0x1000 .. 0x1fff of node 5 and 0x1fff .. 0x2ffe of node 2 "
                                         "overlap; expected ranges apart"),
              std::string::npos)
        << refused.output;
  }
  const Ended good = braid("check " + file + " --set 'tlm.map=5: 0x1000 +4K, 2: 0x2000 +4K'");
  EXPECT_EQ(good.status, 0) << good.output;
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

/// What is long is cut, what is no text is said so, and nothing that a terminal would obey comes through.
TEST(Program, SaysInOneShortLineWhatIsWrong) {
  const std::string mesh = experiment("mesh_uniform"), key(100000, 'k');
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"run " + mesh + " --json ''", "--json: expected the name of a file"},
      {"check " + mesh + " --trace ''", "--trace: expected the name of a file"},
      {"check " + mesh + " --log ''", "--log: expected the name of a file"},
      {"check " + mesh + " --json r.json",
       "--json: expected braid run, paths, circuits, partition, graph, styles, modules, results, chakra; see"},
      {"paths " + mesh + " --log l.csv", "--log: expected braid run, check; see braid --help"},
      {"check " + mesh + " --threads=-1", "--set simulation.threads=-1: simulation.threads = -1: expected integer"},
      {"check " + mesh + " --threads many", "--set simulation.threads=many: simulation.threads = \"many\": expected"},
      {"check " + mesh + " --set 'router.vcs=2\nx=1'", "--set router.vcs=2 x=1: expected one line"},
      {"check " + mesh + " --set 'routing.algorithm=\x1b[31m'", "--set routing.algorithm=\\x1b[31m: expected one line"},
      {"check " + mesh + " --set " + key + ".k=1", "--set kkkk"},
      {"check " + mesh + " --set router." + key + "=1", "--set router.kkkk"},
      {"check " + mesh + " --set topology.kind=graph --set topology.file=/",
       "--set topology.file=/: topology.file: /: cannot be read, as it is a directory"},
      {"check 'a\x1b[2J.toml'", "a\\x1b[2J.toml: cannot be read"},
      {"check /dev/zero", "/dev/zero: cannot be read, as it is a device: expected an experiment"},
      {"check /", "/: cannot be read, as it is a directory: expected an experiment"},
      {"check " + mesh + " --" + key, "unrecognised option"},
      {key + " " + mesh, "unknown command \"kkkk"}};
  for (const auto& [arguments, says] : mistakes) {
    const Ended ended = braid(arguments);
    EXPECT_EQ(ended.status, 2) << arguments.substr(0, 200);
    EXPECT_EQ(ended.output.rfind("braid: " + says, 0), 0U) << ended.output;
    EXPECT_EQ(printable(ended.output), ended.output.substr(0, ended.output.size() - 1) + "\\x0a");
    EXPECT_LT(ended.output.size(), 800U);
  }
}

class Signals : public testing::TestWithParam<const char*> {};

/// Waits until something of a waveform is written beside its place.
std::string until_written(const std::string& wave) {
  return "while ! ls -s " + wave + ".*.tmp 2>/dev/null | grep -q '^ *[1-9]'; do sleep 0.1; done; ";
}

TEST_P(Signals, EndTheRunAndLeaveNoFile) {
  const std::string folder = temporary_file(std::string("interrupted_") + GetParam());
  std::filesystem::create_directories(folder);
  const Ended ended =
      braid("run " + experiment("mesh_uniform") + " --set simulation.measure_cycles=1000000000 --json " + folder +
            "/r.json --trace " + folder + "/t.vcd & pid=$!; " + until_written(folder + "/t.vcd") + "kill -" +
            GetParam() + " $pid; wait $pid");
  EXPECT_EQ(ended.status, 130) << ended.output;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Signals, testing::Values("INT", "TERM", "HUP"), [](const auto& i) { return i.param; });

TEST(Program, ThreadsAreAsManyAsAskedFor) {
  const std::string run = experiment("mesh_uniform") + " --set simulation.measure_cycles=1000 --threads ";
  const auto echoed = [&](const char* threads) {
    return results(run + threads)["configuration"].as_object()["simulation"].as_object()["threads"].as_int64();
  };
  EXPECT_EQ(echoed("1"), 1);
  EXPECT_EQ(echoed("3"), 3);
}

/// More than there are cores share them: 32 on one core end soon, and the user is told.
TEST(Program, ThreadsBeyondTheCoresShareThem) {
  const std::string run = "run " + experiment("mesh_uniform") + kShort + "--json - ";
  const Ended one = braid(run), all = braid(run + "--threads 32", "taskset -c 0 ");
  EXPECT_EQ(all.status, 0);
  EXPECT_NE(all.output.find("simulation.threads = 32: 1 run, one for each core"), std::string::npos) << all.output;
  const auto hash = [](const std::string& text) { return text.substr(text.find("packet_hash"), 36); };
  EXPECT_EQ(hash(all.output), hash(one.output));
}

/// An interrupt is heard in the midst of a step, however long the network takes for it.
TEST(Program, AnInterruptOfALargeNetworkIsHeardAtOnce) {
  const std::string wave = temporary_file("large.vcd");
  const Ended ended = braid("run " + experiment("mesh_uniform") + " --set topology.width=24 --set topology.height=24 " +
                            "--set traffic.rate_flits_per_node_cycle=0.4 --set simulation.measure_cycles=1000000000 " +
                            "--trace " + wave + " & pid=$!; " + until_written(wave) + interrupted_within(4));
  EXPECT_EQ(ended.status, 130) << ended.output;
}

/// So is one before the first cycle: paths of a large network take minutes, most of them in a solver's hands.
class SignalsWhilePathsAreComputed : public testing::TestWithParam<const char*> {};

TEST_P(SignalsWhilePathsAreComputed, AreHeardAtOnce) {
  const std::string network =
      experiment("irregular") + " --set topology.switches=1024 --set routing.paths=" + GetParam();
  for (const char* command : {"run ", "check ", "paths "}) {
    const Ended ended = braid(command + network + " & pid=$!; sleep 2; " + interrupted_within(3));
    EXPECT_EQ(ended.status, 130) << command << ended.output;
    EXPECT_EQ(ended.output, "braid: interrupted; nothing was written\n");
  }
}
INSTANTIATE_TEST_SUITE_P(Computations, SignalsWhilePathsAreComputed,
                         testing::Values("balanced", "balanced_lp", "smart"),
                         [](const auto& i) { return std::string(i.param); });

TEST(Program, ReferencesAreCurrent) {
  for (const auto& [list, file] : {std::pair{"list configuration", "docs/configuration.md"},
                                   {"list figures", "docs/results.md"},
                                   {"list schema", "docs/results.schema.json"}}) {
    EXPECT_EQ(braid(list).output, content(source_file(file))) << "run: braid " << list << " > " << file;
  }
}

TEST(Program, PathsShowsCircuits) {
  const Ended ended = braid("paths " + experiment("fm_radio"));
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.output.find("circuits on each link (most on a link: 1)"), std::string::npos) << ended.output;
}

}  // namespace
}  // namespace braid::test::program_test
