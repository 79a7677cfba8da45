// Files that are read and written by name: what stays open, what two names of one file are, and what is said of them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "routing/base/run_files.h"
#include "routing/base/text_file.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::kept_open_test {
namespace {

namespace fs = std::filesystem;

/// The number that the next file gets that somebody opens.
int next_descriptor() {
  const int next = dup(STDERR_FILENO);
  close(next);
  return next;
}

TEST(KeptOpen, IsNoFileThatHasBeenRead) {
  const std::string file = temporary_file("read");
  std::ofstream(file) << "text";
  const int before = next_descriptor();
  EXPECT_EQ(read_text(file, "a text"), "text");
  EXPECT_EQ(next_descriptor(), before);
  EXPECT_NE(complaint([] { (void)read_text("/tmp", "a text"); }), "");
  EXPECT_EQ(next_descriptor(), before) << "nor one that has been refused";
}

/// Empty texts of one line and of several, and a text without escapes, end where they end: the key behind them is seen.
TEST(TomlDepth, SeesKeysBehindTextsOfNothing) {
  std::string deep;
  for (int i = 0; i < 16; ++i) deep += "a.";
  for (const std::string& text : {std::string(R"("")"), std::string("''"), std::string(R"("""""")"),
                                  std::string("''''''"), std::string(R"('\')"), std::string(R"("\\")")}) {
    EXPECT_NE(complaint([&] { check_toml_depth("x = [" + text + ", {" + deep + "a = 1}]", "e.toml"); }), "") << text;
  }
  EXPECT_NE(complaint([&] { check_toml_depth("x = \"never ended\n" + deep + "a = 1", "e.toml"); }), "")
      << "a text of one line ends there";
}

class InAFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::current_path(folder_);
    std::ofstream("there") << "text";
    fs::create_symlink("there", "link");
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  const fs::path before_ = fs::current_path(), folder_ = temporary_file("kept_open");
};
using RunFilesByName = InAFolder;

TEST_F(RunFilesByName, SayWhatTheyAreCalledWhereThatIsAnotherName) {
  RunFiles files;
  const RunFiles::Scope scope(files);
  (void)read_text("there", "a text");
  const auto write = [](const std::string& file, const std::string& what) {
    return complaint([&] { RunFiles::write(file, what); });
  };
  EXPECT_EQ(write("there", "--json"), "there: cannot be written: this run reads it; expected another file for --json");
  EXPECT_EQ(write("link", "--json"),
            "link: cannot be written: this run reads it, as there; expected another file for --json");
  EXPECT_EQ(complaint([] { RunFiles::check_not_read("link"); }),
            "link: cannot be written: this run reads it, as there; expected another file");
  EXPECT_EQ(complaint([] { RunFiles::check_not_read("there"); }),
            "there: cannot be written: this run reads it; expected another file");
  EXPECT_EQ(write("new", "--json"), "");
  EXPECT_EQ(write("new", "--dot"), "new: --json and --dot would write the same file: expected a file for each");
  EXPECT_EQ(write("./new", "--dot"),
            "./new: --json and --dot would write the same file, new: expected a file for each");
  EXPECT_EQ(write(folder_.string() + "/new", "--json"), "") << "the same output by another name";
  EXPECT_EQ(complaint([] { RunFiles::read("new"); }),
            "new: cannot be written: this run reads it; expected another file for --json");
  EXPECT_EQ(write("-", "--json"), "");
  EXPECT_EQ(write("-", "--json"), "") << "it says so again";
  EXPECT_EQ(write("-", "--dot"), "--json and --dot both go to standard output: expected a file for each");
}

/// While standard output is a file, that file is taken.
TEST_F(RunFilesByName, LeaveStandardOutputWhereItGoes) {
  testing::internal::CaptureStdout();  // to a file
  RunFiles files;
  std::string written, read, other;
  {
    const RunFiles::Scope scope(files);
    const std::string out = fs::read_symlink("/proc/self/fd/1").string();
    const bool gone = out.find(" (deleted)") != std::string::npos;
    const std::string name = gone ? "/proc/self/fd/1" : out;
    written = complaint([&] { RunFiles::write(name, "--json"); }).substr(name.size());
    read = complaint([&] { RunFiles::read(name); }).substr(name.size());
    other = complaint([&] { RunFiles::write("other", "--json"); });
  }
  (void)testing::internal::GetCapturedStdout();
  EXPECT_EQ(written, ": cannot be written: standard output goes to this file; expected another file for --json");
  EXPECT_EQ(read, ": cannot be read: standard output goes to this file");
  EXPECT_EQ(other, "");
}

/// A pipe has no name that leads to it: what stands for it stays.
TEST_F(RunFilesByName, LinksToAPipeLeadNowhereElse) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string name = "/proc/self/fd/" + std::to_string(ends[0]);
  EXPECT_EQ(link_target(name).string(), name);
  close(ends[0]);
  close(ends[1]);
}

/// Forty links are followed, as the kernel has it: the forty-first stays one.
TEST_F(RunFilesByName, FortyLinksAreFollowed) {
  for (int i = 0; i < 41; ++i) fs::create_symlink("l" + std::to_string(i + 1), "l" + std::to_string(i));
  EXPECT_EQ(link_target("l1").string(), "l41");
  EXPECT_EQ(link_target("l0").string(), "l40");
}

}  // namespace
}  // namespace braid::test::kept_open_test
