// A disk without room, by a limit of a file's size and by /dev/full: status 1, one line, and no file that is not whole.
#include <gtest/gtest.h>

#include "tb/tests/support/output_options.h"

namespace braid::test::full_disk_test {
namespace {

namespace fs = std::filesystem;

/// Every kind of output of these commands; a waveform in both formats, a log, too.
std::vector<Output> kinds_of(const std::string& command) {
  std::vector<Output> all = outputs_of(command);
  const std::vector<Output> named = all;
  for (Output o : named) {
    if (o.name == "trace") o.ending = ".fst";
    if (o.name == "log") o.ending = ".parquet";
    if (o.name == "trace" || o.name == "log") all.push_back(o);
  }
  return all;
}

class FullDiskOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Commands, FullDiskOf, testing::Values("run", "paths", "graph", "partition", "circuits"),
                         [](const auto& c) { return std::string(c.param); });

std::string call_of(const std::string& command, const Folder& folder) {
  const bool program = command == "graph" || command == "partition";
  const std::string input = command == "circuits" ? experiment("fm_radio")  // there are paths
                            : program             ? folder.program
                                                  : folder.experiment_file;
  return command + " " + input + " --quiet";
}

TEST_P(FullDiskOf, EveryOutputIsWholeOrNotThere) {
  const Folder folder;
  const auto before = folder.names();
  for (const Output& output : kinds_of(GetParam())) {
    const std::string file = folder.place / ("f" + output.ending);
    const std::string longer = output.ending == ".trace" ? " --set simulation.measure_cycles=8000" : "";  // 700 bytes
    for (const char* blocks : {"0", "1"}) {  // of 512 bytes
      const Ended ended =
          braid(call_of(GetParam(), folder) + longer + output.words + file, std::string("ulimit -f ") + blocks + "; ");
      EXPECT_EQ(ended.status, 1) << output.name << output.ending << ended.output;
      EXPECT_EQ(ended.output, "braid: " + file + ": cannot be written: File too large\n");
      EXPECT_EQ(folder.names(), before) << output.name << output.ending;
    }
  }
}

TEST_P(FullDiskOf, AFullDeviceIsSaidToBe) {
  const Folder folder;
  for (const Output& output : kinds_of(GetParam())) {
    const fs::path file = folder.place / ("f" + output.ending);
    fs::create_symlink("/dev/full", file);
    const Ended ended = braid(call_of(GetParam(), folder) + output.words + file.string());
    EXPECT_EQ(ended.status, output.ending == ".fst" ? 2 : 1) << output.name << output.ending << ended.output;
    EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
    EXPECT_NE(ended.output.find(output.ending == ".fst" ? "cannot go to a device" : "No space left on device"),
              std::string::npos)
        << ended.output;
    EXPECT_TRUE(fs::is_symlink(file));
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    fs::remove(file);
  }
}

/// From limits that nothing fits in to one that everything does: what is there is as long as without a limit.
class FullDiskInTheMidst : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, FullDiskInTheMidst, testing::Values(".vcd", ".fst"),
                         [](const auto& c) { return std::string(c.param).substr(1); });

TEST_P(FullDiskInTheMidst, OfAWaveformLeavesOnlyWholeFiles) {
  const Folder folder;
  const std::string wave = folder.place / ("w" + std::string(GetParam()));
  const std::string run = "run " + experiment("mesh_uniform") +
                          " --quiet --set simulation.measure_cycles=1000 --set simulation.warmup_tolerance=1.0 "
                          "--set trace.to_cycle=200 --trace " +
                          wave;
  ASSERT_EQ(braid(run).status, 0);
  std::map<std::string, std::uintmax_t> sizes;
  for (const std::string& name : folder.names()) sizes[name] = fs::file_size(folder.place / name);
  const std::size_t whole = sizes.size();
  std::set<int> statuses;
  for (std::size_t blocks = 2; blocks < 10'000; blocks += blocks / 2) {
    for (const auto& [name, size] : sizes) {
      if (name != "e.toml" && name != "p.str") fs::remove(folder.place / name);
    }
    const Ended ended = braid(run, "ulimit -f " + std::to_string(blocks) + "; ");
    statuses.insert(ended.status);
    EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), ended.status) << blocks << ended.output;
    for (const std::string& name : folder.names()) {
      ASSERT_EQ(sizes.count(name), 1U) << name;
      EXPECT_EQ(fs::file_size(folder.place / name), sizes[name]) << name << " with " << blocks << " blocks";
    }
    EXPECT_EQ(folder.names().size() == whole, ended.status == 0) << blocks;
  }
  EXPECT_EQ(statuses, (std::set<int>{0, 1}));
}

/// What was there before stays.
TEST(FullDisk, LeavesTheFileOfAnEarlierRun) {
  const Folder folder;
  for (const char* ending : {".vcd", ".fst"}) {
    const std::string wave = folder.place / ("w" + std::string(ending));
    std::ofstream(wave) << "old";
    const std::string run = "run " + experiment("mesh_uniform") + " --quiet --trace " + wave;
    EXPECT_EQ(braid(run, "ulimit -f 8; ").status, 1);
    EXPECT_EQ(content(wave), "old");
    EXPECT_EQ(braid(run + " --set trace.routers=none").status, 2);
    EXPECT_EQ(content(wave), "old");
  }
}

}  // namespace
}  // namespace braid::test::full_disk_test
