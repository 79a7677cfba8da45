// No output destroys an input or another output. The cases are made from the tables of options.
#include <gtest/gtest.h>

#include "tb/tests/support/output_options.h"
#include "tb/tests/support/places.h"

namespace braid::test::outputs_test {
namespace {

namespace fs = std::filesystem;

void expect_refused(const std::string& arguments, const std::string& why) {
  const Ended ended = braid(arguments);
  EXPECT_EQ(ended.status, 2) << arguments << "\n" << ended.output;
  EXPECT_NE(ended.output.find(why), std::string::npos) << arguments << "\n" << ended.output;
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
}

/// Ways to name `target` once more, as a file `name`.
enum class Way { kSymbolic, kHard, kSpelling };
constexpr Way kWays[] = {Way::kSymbolic, Way::kHard, Way::kSpelling};

fs::path named(const fs::path& target, const fs::path& name, Way way) {
  fs::remove(name);
  if (way == Way::kHard) {
    fs::create_hard_link(target, name);
  } else {
    fs::create_symlink(target, name);
  }
  return way == Way::kSpelling ? name.parent_path() / "." / name.filename() : name;
}

class OutputsOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Commands, OutputsOf,
                         testing::Values("run", "check", "paths", "graph", "partition", "circuits", "styles",
                                         "modules"),
                         [](const auto& c) { return std::string(c.param); });

/// What the command reads on its command line.
std::string argument_of(const std::string& command, const Folder& folder) {
  return command == "graph" || command == "partition" ? folder.program : folder.experiment_file;
}

TEST_P(OutputsOf, EveryPairToOneFileIsRefused) {
  const Folder folder;
  const std::string call = std::string(GetParam()) + " " + argument_of(GetParam(), folder);
  const std::vector<Output> outputs = outputs_of(GetParam());
  const fs::path target = folder.place / "target";
  const auto first = [&](const Output& o) { return folder.place / ("a" + o.ending); };
  const auto second = [&](const Output& o) { return folder.place / ("b" + o.ending); };
  for (std::size_t a = 0; a < outputs.size(); ++a) {
    for (std::size_t b = a + 1; b < outputs.size(); ++b) {
      for (const Way way : kWays) {
        if (way == Way::kHard) std::ofstream(target) << "old";
        const fs::path one = named(target, first(outputs[a]), way), two = named(target, second(outputs[b]), way);
        expect_refused(call + outputs[a].words + one.string() + outputs[b].words + two.string(),
                       "expected a file for each");
        EXPECT_EQ(content(target), way == Way::kHard ? "old" : "");
        for (const fs::path& file : {one, two, target}) fs::remove(file);
      }
    }
  }
  EXPECT_EQ(folder.names(), (std::set<std::string>{"e.toml", "p.str"}));
}

TEST_P(OutputsOf, NoneMayBeAFileOfTheCommandLine) {
  const Folder folder;
  const std::string call = std::string(GetParam()) + " ";
  std::vector<std::string> inputs{argument_of(GetParam(), folder)};
  if (GetParam() != std::string("graph")) inputs = {folder.program, folder.experiment_file};
  if (GetParam() == std::string("partition")) inputs = {folder.program};
  for (const Output& output : outputs_of(GetParam())) {
    for (const std::string& input : inputs) {
      const std::string before = content(input);
      for (const Way way : kWays) {
        const fs::path name = named(input, folder.place / ("other" + output.ending), way);
        expect_refused(call + argument_of(GetParam(), folder) + output.words + name.string(), "this run reads it");
        fs::remove(name);
      }
      EXPECT_EQ(content(input), before) << output.name;
    }
  }
  EXPECT_EQ(folder.names(), (std::set<std::string>{"e.toml", "p.str"}));
}

/// Each key that names a file to read, in an experiment in which it exists.
TEST(Outputs, MayBeNoFileThatAKeyNames) {
  const Folder folder;
  const std::string input = folder.place / "read", file = folder.place / "of_key.toml";
  std::set<std::string> keys;
  for (const Declared& d : declared()) {
    if (d.option.expected() != "file name" || d.option.key() == "router.rtl_folder") continue;  // that is a folder
    if (d.option.key() == "disjoint.file") continue;  // needs a program: below
    keys.insert(d.option.key());
    const std::map<std::string, std::string> forms{{"stream.graph", ".str"}, {"replay.file", ".trace"}};
    const auto form = forms.find(d.option.key());
    const std::string ending = form == forms.end() ? "" : form->second;
    std::ofstream(input + ending) << "0 1\n";
    Sheet sheet = sheet_for(d.condition);
    sheet.values[d.option.key()] = "\"read" + ending + "\"";
    std::ofstream(file) << sheet.toml();
    for (const Output& output : outputs_of("run")) {
      if (output.name == "draw") continue;  // asked of a network that there is
      const fs::path name = named(input + ending, folder.place / ("other" + output.ending), Way::kHard);
      expect_refused("run " + file + output.words + name.string(), "this run reads it");
      EXPECT_EQ(content(input + ending), "0 1\n") << d.option.key() << output.name;
    }
  }
  EXPECT_GE(keys.size(), 4U);
}

TEST(Outputs, MayBeNoFileOfPaths) {
  const Folder folder;
  const std::string input = folder.place / "read", run = "run " + folder.experiment_file;
  std::ofstream(input) << "0 1\n";
  const std::string paths = " --set interface.switching=circuit --set setup.paths=listed --set disjoint.file=" + input;
  for (const Output& output : outputs_of("run")) {
    if (output.name == "draw") continue;  // asked of a network that there is
    const fs::path name = named(input, folder.place / ("other" + output.ending), Way::kHard);
    expect_refused(run + paths + output.words + name.string(), "this run reads it");
    EXPECT_EQ(content(input), "0 1\n") << output.name;
  }
}

TEST(Outputs, MayBeNoInputOfAnOption) {
  const Folder folder;
  const std::string run = "run " + experiment("mesh_uniform") + " --quiet --set simulation.measure_cycles=1000";
  ASSERT_EQ(braid(run + " --checkpoint " + folder.from).status, 0);
  const std::string plugin = folder.place / "libopposite.so", before = content(folder.from);
  fs::copy_file(std::string(kPluginFolder) + "/libopposite.so", plugin);
  const std::string code = content(plugin);
  for (const Output& output : outputs_of("run")) {
    if (output.name == "draw") continue;
    for (const std::string& input : {folder.from, plugin}) {
      const fs::path name = named(input, folder.place / ("other" + output.ending), Way::kSymbolic);
      const std::string words = input == plugin ? " --plugin " + plugin : " --from " + folder.from;
      expect_refused(run + words + output.words + name.string(), "this run reads it");
    }
  }
  EXPECT_EQ(content(folder.from), before);
  EXPECT_EQ(content(plugin), code);
}

/// The files beside a waveform are found by running: each must be refused to every other output, and kept as an input.
TEST(Outputs, MayBeNoFileBesideAWaveform) {
  const Folder folder;
  const std::string run =
      "run " + experiment("mesh_uniform") + " --quiet --watch packet=3.1 --set simulation.measure_cycles=1000 --trace ";
  for (const char* wave : {"w.vcd", "w.fst"}) {
    const fs::path place = folder.place / "waves";
    fs::create_directories(place);
    ASSERT_EQ(braid(run + (place / wave).string() + " > /dev/null").status, 0);
    std::set<std::string> beside;
    for (const auto& entry : fs::directory_iterator(place)) beside.insert(entry.path().filename());
    EXPECT_GE(beside.size(), 6U);
    fs::remove_all(place);
    fs::create_directories(place);
    for (const std::string& name : beside) {
      for (const Output& output : outputs_of("run")) {
        if (output.name == "trace" || output.name == "draw" || output.name == "watch.file") continue;
        const fs::path other = named(place / name, place / ("other" + output.ending), Way::kSymbolic);
        expect_refused(run + (place / wave).string() + output.words + other.string(), "expected a file for each");
        fs::remove(other);
      }
    }
    EXPECT_TRUE(fs::is_empty(place));
    fs::remove_all(place);
  }
}

TEST(Outputs, MayNotBeTheFileOfStandardOutput) {
  const Folder folder;
  const std::string out = folder.place / "out";
  const Ended ended = braid("run " + folder.experiment_file + " --json " + out + " 2>&1 > " + out);
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(content(out), "");
  EXPECT_NE(ended.output.find("standard output goes to this file"), std::string::npos) << ended.output;
}

TEST(Outputs, ToStandardOutputAreOneAtMost) {
  const Folder folder;
  expect_refused("graph " + folder.program + " --json - --dot -",
                 "both go to standard output: expected a file for each");
}

/// Nothing is lost in them.
TEST(Outputs, MayAllBeTheNullDevice) {
  const Folder folder;
  EXPECT_EQ(braid("graph " + folder.program + " --json /dev/null --dot /dev/null --graphml /dev/null").status, 0);
}

TEST(Outputs, GoThroughTheNamesOfStandardStreams) {
  const Folder folder;
  const Ended ended = braid("graph " + folder.program + " --quiet --json /dev/stdout | cat");
  EXPECT_EQ(ended.output.rfind("{\n  \"program\": \"braid\"", 0), 0U) << ended.output;
}

}  // namespace
}  // namespace braid::test::outputs_test
