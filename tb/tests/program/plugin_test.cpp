// braid --plugin: what a plugin brings, and what is refused before anything of it runs. Against the installed package,
// and with every kind of policy: tb/python/package.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/places.h"
#include "tb/tests/support/program.h"

namespace braid::test::plugin_test {
namespace {

using namespace std::string_literals;

std::string plugin(const std::string& name) { return std::string(kPluginFolder) + "/lib" + name + ".so"; }
std::string with(const std::string& file) { return " --plugin " + file + " "; }

/// What `braid list` says against a plugin: one line, status 2, nothing listed.
std::string refusal(const std::string& arguments) {
  const Ended ended = braid("list" + arguments);
  EXPECT_EQ(ended.status, 2) << ended.output;
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
  return ended.output;
}

/// A copy of the plugin with another text of the same length in it.
std::string changed(const std::string& name, const std::string& from, const std::string& to) {
  std::string bytes = content(plugin("opposite"));
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(from.size(), to.size());
  bytes.replace(at, from.size(), to);
  const std::string file = temporary_file(name) + ".so";
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

TEST(Plugin, ItsPolicyIsListedWithItsOriginAndRuns) {
  EXPECT_NE(braid("list traffic.pattern" + with(plugin("opposite")))
                .output.find("  opposite                 the node of the other end (from libopposite.so)\n"),
            std::string::npos);
  EXPECT_EQ(braid("list traffic.pattern").output.find("opposite"), std::string::npos);
  const std::string run = experiment("mesh_uniform") + with(plugin("opposite")) +
                          "--set traffic.pattern=opposite --set topology.width=4 --set topology.height=4";
  EXPECT_NE(braid("check " + run).output.find(": good (mesh 4x4, 16 nodes"), std::string::npos);
  const boost::json::object all = results(run);
  const boost::json::value expected = {
      {{"file", plugin("opposite")}, {"policies", {{{"axis", "traffic pattern"}, {"name", "opposite"}}}}}};
  EXPECT_EQ(all.at("plugins"), expected);
  double links = 0;  // a node of a 4x4 mesh sends to 15 - its number: |3 - 2x| + |3 - 2y| links
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) links += std::abs(3 - 2 * x) + std::abs(3 - 2 * y);
  }
  const double measured = all.at("classes").as_array()[0].at("hops_mean_links").to_number<double>();
  EXPECT_NEAR(measured, links / 16, 0.1);
}

TEST(Plugin, AloneItChangesNoResult) {
  const std::string run = experiment("mesh_uniform") + " --set simulation.measure_cycles=10000";
  boost::json::object without = results(run), with_it = results(run + with(plugin("opposite")));
  EXPECT_FALSE(without.contains("plugins"));
  EXPECT_EQ(with_it.at("plugins").as_array().size(), 1U);
  for (boost::json::object* all : {&without, &with_it}) all->erase("wall_seconds");
  with_it.erase("plugins");
  EXPECT_EQ(with_it, without);
}

TEST(Plugin, WhatIsNoneIsRefused) {
  const std::string text = temporary_file("text") + ".so";
  std::ofstream(text) << "nothing";
  EXPECT_NE(refusal(with(text)).find(text + ": is no plugin of Braid: expected a library that links Braid::plugin"),
            std::string::npos);
  EXPECT_NE(refusal(with(kProgram)).find("is no plugin of Braid"), std::string::npos) << "the program itself";
  EXPECT_NE(refusal(with("/no/such/libmine.so")).find("/no/such/libmine.so: cannot be read"), std::string::npos);
  EXPECT_NE(refusal(with(kPluginFolder)).find("cannot be read"), std::string::npos) << "a folder";
  EXPECT_NE(refusal(with("libc.so.6")).find("cannot be read"), std::string::npos) << "one of the system's by its name";
}

TEST(Plugin, OneOfAnotherBraidIsRefused) {
  const std::string other = changed("other", "(interface ", "(interfacf ");
  const std::string said = refusal(with(other));
  EXPECT_NE(said.find(other + ": was built against Braid " BRAID_VERSION " (interfacf "), std::string::npos) << said;
  EXPECT_NE(said.find("), this is Braid " BRAID_VERSION " (interface "), std::string::npos) << said;
  const std::string same = changed("same", "the node of the other end", "the mode of the other end");
  EXPECT_NE(braid("list traffic.pattern" + with(same)).output.find("the mode of"), std::string::npos);
}

TEST(Plugin, ANameThatIsThereIsRefused) {
  EXPECT_EQ(
      refusal(with(plugin("uniform"))),
      "braid: traffic pattern \"uniform\" is registered twice: by the program itself and by libuniform.so; expected "
      "another name for one of them\n");
  const std::string copy = changed("copy", "the node of the other end", "the mode of the other end");
  const std::string said = refusal(with(plugin("opposite")) + with(copy));
  EXPECT_NE(said.find("twice: by libopposite.so and by " + std::filesystem::path(copy).filename().string()),
            std::string::npos)
      << said;
  EXPECT_NE(refusal(with(plugin("opposite")) + with(plugin("opposite"))).find("expected each library once"),
            std::string::npos);
}

/// A plugin that does this when it registers, or when it is used. One line that names its file.
std::string wrong(const std::string& what, const std::string& command, int status, const std::string& by = "wrong") {
  setenv("BRAID_TEST_WRONG", what.c_str(), 1);
  const Ended ended = braid(command + with(plugin(by)));
  unsetenv("BRAID_TEST_WRONG");
  EXPECT_EQ(ended.status, status) << what << ": " << ended.output;
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << what << ": " << ended.output;
  EXPECT_NE(ended.output.find("lib" + by + ".so"), std::string::npos) << what << ": " << ended.output;
  EXPECT_EQ(ended.output.find('\x1b'), std::string::npos) << what;
  return ended.output;
}

TEST(Plugin, OneThatDoesNotRegisterIsNamed) {
  const std::string file = "braid: --plugin " + plugin("wrong") + ": ";
  EXPECT_EQ(wrong("throw", "list", 2), file + "throws while it is loaded: no luck\n");
  EXPECT_EQ(wrong("throw_number", "list", 2), file + "throws what is no std::exception while it is loaded\n");
  EXPECT_EQ(wrong("exit", "list", 2), file + "ends the program while it is loaded\n");
  for (const char* what : {"name", "summary"}) {
    const std::string says =
        " of libwrong.so has control characters in its name or texts, or no name: expected one line";
    EXPECT_NE(wrong(what, "list", 2).find(says), std::string::npos) << what;
  }
}

TEST(Plugin, OneWhosePolicyIsNoneIsNamed) {
  const std::string run = "run " + experiment("mesh_uniform") + " --quiet --set traffic.pattern=wrong ";
  EXPECT_NE(wrong("null", run, 2).find("traffic pattern \"wrong\" of libwrong.so has no factory"), std::string::npos);
  EXPECT_NE(wrong("make_nothing", run, 2).find("of libwrong.so has a factory that makes nothing"), std::string::npos);
  EXPECT_NE(wrong("make_number", run, 1).find("what was thrown is no std::exception (--plugin "), std::string::npos);
}

TEST(Plugin, OneThatFailsInMidRunIsNamed) {
  const std::string run = "run " + experiment("mesh_uniform") + " --quiet --set traffic.pattern=wrong ";
  EXPECT_NE(wrong("throw_late", run, 1).find("out of luck"), std::string::npos);
  (void)wrong("throw_number_late", run, 1);
}

/// The end of a file's name is what says which plugin it is.
TEST(Plugin, IsNamedWholeHoweverLongItsPath) {
  const std::string folder = temporary_file(std::string(120, 'd'));
  std::filesystem::create_directory(folder);
  const std::string file = folder + "/libwrong.so";
  std::filesystem::copy_file(plugin("wrong"), file);
  setenv("BRAID_TEST_WRONG", "throw_late", 1);
  const Ended ended = braid("run " + experiment("mesh_uniform") + " --quiet --set traffic.pattern=wrong" + with(file));
  unsetenv("BRAID_TEST_WRONG");
  std::filesystem::remove_all(folder);
  const std::string end = " (--plugin " + file + ")\n";
  ASSERT_GT(ended.output.size(), end.size());
  EXPECT_EQ(ended.output.substr(ended.output.size() - end.size()), end);
}

/// A module in a stage's place: made, elaborated and run by the kernel or by the static schedule.
TEST(Plugin, OneWhoseStageFailsIsNamed) {
  const std::string stages = "run " + experiment("mesh_uniform") + " --quiet --set stage.switch_allocator=wrong ";
  const auto by_stage = [](const std::string& what, const std::string& run, int status) {
    return wrong(what, run, status, "wrong_stage");
  };
  for (const char* schedule : {"static", "process_per_stage"}) {
    const std::string run = stages + "--set simulation.schedule=" + schedule + " ";
    EXPECT_NE(by_stage("null", run, 2).find("\"wrong\" of libwrong_stage.so has no factory"), std::string::npos);
    EXPECT_NE(by_stage("make_nothing", run, 2).find("of libwrong_stage.so has a factory that makes nothing"),
              std::string::npos);
    for (const char* when : {"made", "elaborated", "late"}) {
      EXPECT_NE(by_stage(std::string("throw_") + when, run, 1).find("out of"), std::string::npos);
      (void)by_stage(std::string("number_") + when, run, 1);
      EXPECT_NE(by_stage(std::string("exit_") + when, run, 1).find("has ended the program before its end"),
                std::string::npos);
    }
  }
}

/// What is half written when a plugin ends the program goes with it.
TEST(Plugin, OneThatEndsTheProgramLeavesNoFile) {
  const std::string folder = temporary_file("ended");
  std::filesystem::create_directory(folder);
  const std::string run = "run " + experiment("mesh_uniform") + " --quiet --set stage.switch_allocator=wrong ";
  EXPECT_NE(wrong("exit_late", run + "--trace " + folder + "/w.vcd", 1, "wrong_stage").find("has ended the program"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Plugin, OneThatCannotBeLoadedIsRefused) {
  const std::string said = refusal(with(plugin("missing")));
  EXPECT_NE(said.find("libmissing.so: cannot be loaded: "), std::string::npos) << said;
  EXPECT_NE(said.find("nobody_has_this"), std::string::npos) << "the missing symbol";
  const std::string bytes = content(plugin("opposite"));
  const std::size_t stamp = bytes.find("braid_plugin_stamp=");
  const std::string cut = temporary_file("cut") + ".so";
  std::ofstream(cut, std::ios::binary) << bytes.substr(0, stamp + 100);
  EXPECT_NE(refusal(with(cut)).find(cut + ": ends too early: expected a whole library"), std::string::npos);
}

TEST(Plugin, ABareNameIsAFileOfThisFolder) {
  const std::string there = "cd " + std::string(kPluginFolder) + " && ";
  EXPECT_NE(braid("list traffic.pattern --plugin libopposite.so", there).output.find("(from libopposite.so)"),
            std::string::npos);
}

TEST(Plugin, TwoBringBothOfTheirs) {
  const std::string copy = changed("second", "opposite\0"s, "antipode\0"s);
  const std::string listed = braid("list traffic.pattern" + with(plugin("opposite")) + with(copy)).output;
  EXPECT_NE(listed.find("opposite "), std::string::npos) << listed;
  EXPECT_NE(listed.find("antipode "), std::string::npos) << listed;
}

}  // namespace
}  // namespace braid::test::plugin_test
