// What the program is as a process: its exit status whatever becomes of its standard error, its files whatever becomes
// of it.
#include <gtest/gtest.h>

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
    const std::string command = "{ sleep 0.1; " BRAID_PROGRAM " " + c.arguments + " >/dev/null; echo $? >" + file +
                                "; } 2>&1 | true; sleep 0.1; while [ ! -s " + file + " ]; do sleep 0.1; done";
    fs::remove(file);
    ASSERT_EQ(std::system(command.c_str()),
              0);  // NOLINT(bugprone-command-processor,cert-env33-c,concurrency-mt-unsafe)
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
  EXPECT_EQ(braid(run(1) + " & " BRAID_PROGRAM " " + run(2) + "; wait").status, 0);
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

}  // namespace
}  // namespace braid::test::process_test
