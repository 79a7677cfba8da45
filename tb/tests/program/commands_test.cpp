// The commands of the program by themselves: how many words each takes, and what a call is refused with.
#include "tb/braid/commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tb/braid/find_circuits.h"
#include "tb/braid/graph_files.h"
#include "tb/braid/manual.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/filled.h"
#include "tb/tests/support/program.h"

namespace braid::test::commands_test {
namespace {

/// As their synopses have it: one experiment, program or shell; of graph and modules more, of list and schema none.
TEST(Commands, TakeSoManyWords) {
  using Range = std::pair<std::size_t, std::size_t>;
  std::map<std::string, Range> expected{
      {"graph", {1, 1000}}, {"list", {0, 1}}, {"modules", {1, 2}}, {"new", {1, 2}}, {"schema", {0, 0}}};
  for (const char* one : {"check", "circuits", "completion", "partition", "paths", "run", "styles"}) {
    expected[one] = {1, 1};
  }
  for (const char* python : {"chakra", "compare", "import", "report", "results", "sweep", "watch"}) {
    expected[python] = {0, 1000};
  }
  std::map<std::string, Range> found;
  for (const tb::Command& command : tb::commands()) {
    EXPECT_TRUE(found.emplace(command.name, Range{command.least, command.most}).second) << command.name;
  }
  EXPECT_EQ(found, expected);
}

/// Nobody has asked for anything: one run with a table and no file.
TEST(Commands, HaveOptionsThatAskForNothing) {
  EXPECT_EQ(filled_fields<tb::Options>(), std::vector<std::size_t>{});
  EXPECT_TRUE(tb::Options{}.prints());
  EXPECT_EQ(filled_fields<tb::GraphCounts>(), std::vector<std::size_t>{});
  EXPECT_EQ(filled_fields<tb::FinderCounts>(), std::vector<std::size_t>{});
  EXPECT_EQ(tb::FinderAnswer{}.cpu_seconds, 0.0);
  const tb::Flag flag;
  EXPECT_FALSE(flag.quoted || flag.repeatable || flag.written);
  const tb::Command command{"new", nullptr};
  EXPECT_EQ(command.least, 1U);
  EXPECT_EQ(command.most, 1U);
}

/// A table is for people, a file in its place for who asks for it.
TEST(Commands, PrintUnlessTheyAreQuietOrAFileIsPrinted) {
  tb::Options options;
  options.outputs = {{"--json", "r.json"}, {"--dot", "g.dot"}};
  EXPECT_TRUE(options.prints());
  options.outputs = {{"--json", "r.json"}, {"--dot", "-"}};
  EXPECT_FALSE(options.prints());
  options.outputs.clear();
  options.quiet = true;
  EXPECT_FALSE(options.prints());
}

std::string said(const std::string& arguments) {
  const Ended ended = braid(arguments);
  EXPECT_EQ(ended.status, 2) << arguments;
  return ended.output;
}

/// Whose name is not the first word, with words behind it or none: Python would not see the options before it.
TEST(Commands, OfPythonComeFirst) {
  const std::string first = "braid: expected the command first, its options behind it; see braid --help\n";
  for (const char* call : {"--quiet sweep", "--quiet sweep a.toml", "-q watch a b c", "--quiet results"}) {
    EXPECT_EQ(said(call), first) << call;
  }
}

TEST(Commands, AreToldHowManyWords) {
  const auto expected = [](const std::string& command, const std::string& words) {
    return "braid: braid " + command + ": expected " + words + "; see braid --help\n";
  };
  EXPECT_EQ(said("schema a"), expected("schema", "no argument"));
  EXPECT_EQ(said("list a b"), expected("list", "at most one argument"));
  EXPECT_EQ(said("run a b"), expected("run", "one argument"));
  EXPECT_EQ(said("run"), expected("run", "one argument"));
  EXPECT_EQ(said("modules"), expected("modules", "one argument"));
  EXPECT_EQ(said("modules a b c"), expected("modules", "one argument"));
  EXPECT_EQ(said("new"), expected("new", "one argument"));
  EXPECT_EQ(said("graph"), expected("graph", "one argument"));
}

/// An empty word names nothing, wherever it stands.
TEST(Commands, AreToldThatAWordIsEmpty) {
  EXPECT_EQ(said("list ''"), "braid: braid list \"\": expected the name of an axis\n");
  EXPECT_EQ(said("run ''"), "braid: braid run \"\": expected the name of a file\n");
  EXPECT_EQ(said("graph a.str ''"), "braid: braid graph \"\": expected the name of a file\n");
  EXPECT_EQ(said("run " + experiment("mesh_uniform") + " --json ''"), "braid: --json: expected the name of a file\n");
  EXPECT_EQ(said("run " + experiment("mesh_uniform") + " --rtl ''"), "braid: --rtl: expected the name of a folder\n");
  EXPECT_EQ(said("run " + experiment("mesh_uniform") + " --stdin-filename ''"),
            "braid: --stdin-filename: expected the name of a file\n");
}

/// Six digits at most, of which the first may be noughts.
TEST(Commands, TakeSeedsOfSixDigits) {
  const std::string run = "run " + experiment("mesh_uniform") + " --trace x.vcd --seeds ";
  for (const char* good : {"2", "000002", "99999", "100000"}) {
    EXPECT_EQ(said(run + good).rfind("braid: --seeds: each seed would have trace.file", 0), 0U) << good;
  }
  for (const std::string wrong : {"0000002", "1", "000001", "100001", "999999", "-2", "+2", "0x2", "2e3"}) {
    EXPECT_EQ(said(run + "'" + wrong + "'"), "braid: --seeds " + wrong + ": expected integer, 2 to 100000\n");
  }
}

/// What an option sets is a text to the key, whatever signs are in it.
TEST(Commands, QuoteWhatTheirOptionsSet) {
  const std::string file = experiment("mesh_uniform");
  const std::string folder = temporary_file("q\"uo\\te d");
  std::filesystem::create_directories(folder);
  const Ended ended =
      braid("run " + file + " --set simulation.measure_cycles=1000 --quiet --log '" + folder + "/l.csv' --json -");
  ASSERT_EQ(ended.status, 0) << ended.output;
  const boost::json::object all = boost::json::parse(ended.output).as_object();
  EXPECT_EQ(all.at("configuration").at("log").at("file").as_string(), folder + "/l.csv");
  EXPECT_EQ(content(folder + "/l.csv").rfind("kind,", 0), 0U);
  std::filesystem::remove_all(folder);
}

/// A Python of the user's own that says how it was started.
std::string started(const std::string& environment, const std::string& arguments) {
  const std::string python = temporary_file("python");
  std::ofstream(python) << "#!/bin/sh\necho \"$BRAID_PROGRAM|$PYTHONSAFEPATH|$1|$3|$4|$5\"\n";
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const Ended ended = braid(arguments, "env " + environment + " BRAID_PYTHON=" + python + " ");
  EXPECT_EQ(ended.status, 0) << ended.output;
  return ended.output;
}

/// With the program's own name, unless the user says another; and never with what lies in the folder that they are in.
TEST(Commands, StartPythonWithTheProgramAndWithoutTheFolder) {
  const std::string self = std::filesystem::canonical(kProgram).string();
  const std::string unset = "-u BRAID_PROGRAM -u PYTHONSAFEPATH";
  EXPECT_EQ(started(unset, "sweep 'a b' --seeds"), self + "|1|-c|sweep|a b|--seeds\n");
  EXPECT_EQ(started(unset + " BRAID_PROGRAM=/mine", "watch"), "/mine|1|-c|watch||\n");
  EXPECT_EQ(started(unset + " PYTHONSAFEPATH=", "watch"), self + "|1|-c|watch||\n") << "an empty one would allow it";
  EXPECT_EQ(started(unset + " PYTHONSAFEPATH=0", "watch"), self + "|1|-c|watch||\n");
}

}  // namespace
}  // namespace braid::test::commands_test
