// What the program is as a process: its exit status whatever becomes of its standard error, its files whatever becomes
// of it.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "tb/tests/support/output_options.h"

namespace braid::test::process_test {
namespace {

namespace fs = std::filesystem;

const char* const kShort = " --quiet --set simulation.measure_cycles=1000 --set simulation.max_warmup_cycles=1000";

struct Case {
  std::string arguments;
  int status;
};

std::vector<Case> cases() {
  return {{"run /nowhere.toml", 2},
          {"nonesuch", 2},
          {"run " + experiment("deadlock") + " --quiet", 3},
          {"run " + experiment("mesh_uniform") + kShort + " --json /dev/full", 1},
          {"run " + experiment("mesh_uniform") + " --set simulation.measure_cycles=1000 --threads 64", 0},
          {"list", 0}};
}

TEST(StandardError, ThatCannotBeWrittenChangesNoStatus) {
  for (const Case& c : cases()) {
    for (const char* closed : {" 2>/dev/full", " 2>&-", " 2>/dev/null </dev/null"}) {
      EXPECT_EQ(braid(c.arguments + " >/dev/null" + closed).status, c.status) << c.arguments << closed;
    }
  }
}

TEST(StandardError, ThatNobodyReadsChangesNoStatus) {
  const std::string file = temporary_file("status");
  for (const Case& c : cases()) {
    const std::string command = "{ sleep 0.1; " + kProgram + " " + c.arguments + " >/dev/null; echo $? >" + file +
                                "; } 2>&1 | true; sleep 0.1; while [ ! -s " + file + " ]; do sleep 0.1; done";
    fs::remove(file);
    ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(bugprone-command-processor)
    EXPECT_EQ(content(file), std::to_string(c.status) + "\n") << c.arguments;
  }
}

TEST(StandardError, ThatIsClosedIsNoFileOfTheRun) {
  const std::string file = temporary_file("closed.json");
  EXPECT_EQ(
      braid("run " + experiment("mesh_uniform") + kShort + " --threads 64 --json " + file + " 2>&- >&- <&-").status, 0);
  EXPECT_NO_THROW((void)boost::json::parse(content(file)));
  const std::string csv = temporary_file("closed.csv");
  EXPECT_EQ(braid("run " + experiment("mesh_uniform") + " --set simulation.measure_cycles=1000 --threads 64 --log " +
                  csv + " 2>&- >&- <&-")
                .status,
            1)
      << "its table could not be printed";
  EXPECT_EQ(content(csv).rfind("kind,", 0), 0U);
}

/// An endless run with a waveform, until `then` ends it; $pid is the run's.
Ended endless(const Folder& folder, const std::string& options, const std::string& then) {
  return braid("run " + experiment("mesh_uniform") + " --quiet --set simulation.measure_cycles=1000000000 " +
               "--set trace.to_cycle=1000000000 " + options + " & pid=$!; while [ -z \"$(find " +
               folder.place.string() + " -name '*.tmp*' -size +8k)\" ]; do sleep 0.05; done; " + then);
}

TEST(Process, ThatIsKilledLeavesNoHalfWaveform) {
  const Folder folder;
  const std::string wave = folder.place / "w.vcd";
  std::ofstream(wave) << "old";
  EXPECT_EQ(endless(folder, "--trace " + wave, "kill -KILL $pid; wait $pid").status, 137);
  EXPECT_EQ(content(wave), "old");
}

TEST(Process, ThatIsInterruptedLeavesNothingOfAWaveform) {
  const Folder folder;
  const auto before = folder.names();
  for (const char* wave : {"w.vcd", "w.fst"}) {
    const Ended ended = endless(folder, "--trace " + (folder.place / wave).string(), "kill -TERM $pid; wait $pid");
    EXPECT_EQ(ended.status, 130);
    EXPECT_EQ(ended.output, "braid: interrupted; nothing was written\n");
    EXPECT_EQ(folder.names(), before) << wave;
  }
}

/// A checkpoint is complete long before the run's end.
TEST(Process, ThatIsInterruptedSaysWhatItHasWritten) {
  const Folder folder;
  const std::string from = folder.from, wave = folder.place / "w.vcd";
  const Ended ended = endless(folder, "--trace " + wave + " --checkpoint " + from,
                              "while [ ! -e " + from + " ]; do sleep 0.05; done; sleep 0.2; kill -INT $pid; wait $pid");
  EXPECT_EQ(ended.status, 130);
  EXPECT_EQ(ended.output, "braid: interrupted; written before: " + from + "\n");
}

/// SIGINT after so many seconds.
Ended interrupted(const std::string& arguments, const std::string& after) {
  return braid(arguments + " & pid=$!; sleep " + after + "; " + interrupted_within(3));
}

class LongComputation : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Kinds, LongComputation,
    testing::Values(
        "mesh_uniform --set interface.fairness=sat --set sat.carrier=diamond_ring --set sat.moves=1000000000",
        "broadcast --set broadcast.placement=annealed --set broadcast.moves=1000000000",
        "mesh_uniform --set topology.kind=hexagonal --set topology.edge=100 --set routing.algorithm=table",
        "mesh_uniform --set topology.width=256 --set topology.height=256 --set "
        "routing.algorithm=best_paths --set router.vcs=16",
        "mesh_uniform --set topology.kind=hexagonal --set topology.edge=150 --set routing.algorithm=table --set "
        "interface.fairness=sat --set sat.carrier=spanning_tree",
        "mesh_uniform --set topology.kind=hexagonal --set topology.edge=150 --set routing.algorithm=table --set "
        "traffic.pattern=local --set traffic.local_radius=100",
        "mesh_uniform --set topology.width=256 --set topology.height=256 --set simulation.schedule=process_per_stage"),
    [](const auto& i) { return "case_" + std::to_string(i.index); });

TEST_P(LongComputation, IsInterruptedAtOnce) {
  const std::string name = std::string(GetParam()).substr(0, std::string(GetParam()).find(' '));
  const Ended ended =
      interrupted("run " + experiment(name) + std::string(GetParam()).substr(name.size()) + " --quiet", "3");
  EXPECT_EQ(ended.status, 130) << ended.output;
  EXPECT_EQ(ended.output, "braid: interrupted; nothing was written\n");
}

TEST(Process, ThatBeginsALargeWaveformIsInterruptedAtOnce) {
  const Folder folder;
  const auto before = folder.names();
  const Ended ended =
      interrupted("run " + experiment("mesh_uniform") + " --quiet --set topology.width=256 --set topology.height=256" +
                      " --trace " + (folder.place / "w.fst").string(),
                  "3");
  EXPECT_EQ(ended.status, 130) << ended.output;
  EXPECT_EQ(ended.output, "braid: interrupted; nothing was written\n");
  EXPECT_EQ(folder.names(), before);
}

/// Nobody ever opens the other end.
TEST(Process, ThatWaitsForAPipeIsInterruptedAtOnce) {
  const Folder folder;
  const std::string pipe = folder.place / "pipe", run = "run " + experiment("mesh_uniform") + kShort;
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& arguments : {"run " + pipe, run + " --from " + pipe, run + " --checkpoint " + pipe,
                                       run + " --watch source=1 --set watch.file=" + pipe, run + " --json " + pipe}) {
    const Ended ended = interrupted(arguments, "1");
    EXPECT_EQ(ended.status, 130) << arguments << ended.output;
    EXPECT_EQ(ended.output.rfind("braid: interrupted", 0), 0U) << ended.output;
  }
}

TEST(Process, ReadsNoDeviceAsCheckpointOrPlugin) {
  for (const char* option : {" --from ", " --plugin "}) {
    for (const char* file : {"/dev/zero", "/proc/self/mem"}) {
      const Ended ended = braid("run " + experiment("mesh_uniform") + option + file);
      EXPECT_EQ(ended.status, 2) << option << file;
      EXPECT_NE(ended.output.find("cannot be read"), std::string::npos) << ended.output;
    }
  }
  const Ended endless = braid("run " + experiment("mesh_uniform") + " --from /dev/stdin </dev/zero");
  EXPECT_EQ(endless.status, 2) << endless.output;
  const Ended piped = braid("run " + experiment("mesh_uniform") + " --from /dev/stdin", "cat /dev/zero | ");
  EXPECT_NE(piped.output.find("is no checkpoint"), std::string::npos) << piped.output;
}

TEST(Process, TwoThatTraceIntoOneFileLeaveTheWaveformOfOne) {
  const Folder folder;
  const std::string wave = folder.place / "w.vcd";
  const auto run = [&](int seed) {
    return "run " + experiment("mesh_uniform") + kShort + " --trace " + wave +
           " --set experiment.seed=" + std::to_string(seed);
  };
  std::set<std::string> alone;
  for (const int seed : {1, 2}) {
    ASSERT_EQ(braid(run(seed)).status, 0);
    alone.insert(content(wave));
    fs::remove(wave);
  }
  EXPECT_EQ(alone.size(), 2U);
  EXPECT_EQ(braid(run(1) + " & " + kProgram + " " + run(2) + "; wait").status, 0);
  EXPECT_EQ(alone.count(content(wave)), 1U) << "a mixture";
}

TEST(Process, AWaveformFollowsASymbolicLink) {
  const Folder folder;
  for (const char* ending : {".vcd", ".fst"}) {
    const fs::path target = folder.place / "target", link = folder.place / (std::string("w") + ending);
    std::ofstream(target) << "old";
    fs::create_symlink(target, link);
    EXPECT_EQ(braid("run " + experiment("mesh_uniform") + kShort + " --trace " + link.string()).status, 0);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_GT(fs::file_size(target), 10'000U);
  }
}

/// Whoever reads standard output has gone: the files are there, and nothing else.
TEST(Process, WhoseTableNobodyReadsWritesItsFiles) {
  const Folder folder;
  const std::string json = folder.place / "r.json", status = folder.place / "status";
  const std::string run =
      "run " + experiment("mesh_uniform") + " --set simulation.measure_cycles=1000 --watch router=3,3 --json " + json;
  (void)braid(run + " 2>&1; echo $? > " + status + "; } | { true", "sleep 0.1; ");
  EXPECT_EQ(content(status), "141\n");
  EXPECT_NO_THROW((void)boost::json::parse(content(json)));
  fs::remove(json);
  EXPECT_EQ(braid(run + " >/dev/full").status, 1);
  EXPECT_NO_THROW((void)boost::json::parse(content(json)));
}

/// A pipe whose reader goes away in the midst of it.
TEST(Process, WhosePipeNobodyReadsAnyMoreLeavesNoHalfFile) {
  const Folder folder;
  const std::string log = folder.place / "l.csv", wave = folder.place / "w.vcd";
  ASSERT_EQ(mkfifo(log.c_str(), 0600), 0);
  const Ended ended = braid("run " + experiment("mesh_uniform") + " --quiet --log " + log + " --trace " + wave,
                            "head -c 10 " + log + " >/dev/null & ");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.output, "braid: " + log + ": cannot be written: Broken pipe\n");
  for (const std::string& name : folder.names()) EXPECT_EQ(name.find(".tmp"), std::string::npos) << name;
}

}  // namespace
}  // namespace braid::test::process_test
