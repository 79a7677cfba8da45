// The files of one run: which of them may be written, by whatever name.
#include "routing/base/run_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "routing/base/input_error.h"
#include "routing/base/text_file.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::run_files_test {
namespace {

namespace fs = std::filesystem;

struct Place {
  fs::path folder = temporary_file("run_files");
  Place() {
    fs::remove_all(folder);
    fs::create_directories(folder / "inner");
    std::ofstream(folder / "there") << "text";
    fs::create_symlink("there", folder / "link");
    fs::create_symlink("../missing", folder / "inner" / "dangling");
    fs::create_symlink("inner", folder / "other_inner");
    fs::create_hard_link(folder / "there", folder / "hard");
  }
  ~Place() { fs::remove_all(folder); }
  std::string operator/(const std::string& name) const { return folder / name; }
};

template <class Work>
std::string refusal(const Work& work) {
  return complaint([&] { work(); });
}

TEST(RunFiles, NoOutputIsAFileThatIsRead) {
  const Place place;
  RunFiles files;
  const RunFiles::Scope scope(files);
  (void)read_text(place / "there", "a text");
  for (const std::string name : {"there", "link", "hard", "./there", "inner/../there"}) {
    EXPECT_NE(refusal([&] { RunFiles::write(place / name, "--json"); }).find("this run reads it"), std::string::npos);
    EXPECT_NE(refusal([&] { RunFiles::check_not_read(place / name); }).find("this run reads it"), std::string::npos);
  }
  EXPECT_EQ(refusal([&] { RunFiles::write(place / "missing", "--json"); }), "");
  EXPECT_EQ(refusal([&] { RunFiles::check_not_read(place / "missing"); }), "");
}

TEST(RunFiles, NoFileThatIsReadIsAnOutput) {
  const Place place;
  RunFiles files;
  const RunFiles::Scope scope(files);
  RunFiles::write(place / "hard", "--json");
  EXPECT_EQ(refusal([&] { (void)read_text(place / "link", "a text"); }),
            (place / "hard") + ": cannot be written: this run reads it, as " + (place / "link") +
                "; expected another file for --json");
}

/// There is none yet: what it is called in which folder says which it will be.
TEST(RunFiles, NoTwoOutputsAreOneFile) {
  const Place place;
  RunFiles files;
  const RunFiles::Scope scope(files);
  RunFiles::write(place / "missing", "--json");
  RunFiles::write(place / "link", "--dot");
  const auto said = [&](const std::string& name) {
    return refusal([&] { RunFiles::write(place / name, "log.file"); });
  };
  EXPECT_EQ(said("missing"),
            (place / "missing") + ": --json and log.file would write the same file: expected a file for each");
  EXPECT_NE(said("inner/dangling"), "");
  EXPECT_NE(said("other_inner/dangling"), "");
  EXPECT_NE(said("other_inner/../missing"), "");
  EXPECT_NE(said("there"), "");
  EXPECT_NE(said("hard"), "");
  EXPECT_EQ(said("inner/missing"), "") << "of another folder";
  EXPECT_EQ(refusal([&] { RunFiles::write(place / "missing", "--json"); }), "") << "says so again";
}

TEST(RunFiles, OnePipeIsForOneOutputADeviceForAll) {
  const Place place;
  ASSERT_EQ(mkfifo((place / "pipe").c_str(), 0600), 0);
  RunFiles files;
  const RunFiles::Scope scope(files);
  for (const std::string& file : {place / "pipe", std::string("-"), std::string("/dev/null")}) {
    RunFiles::write(file, "--json");
    const std::string said = refusal([&] { RunFiles::write(file, "--dot"); });
    EXPECT_EQ(said.find("expected a file for each") == std::string::npos, file == "/dev/null") << said;
  }
}

/// Whether there is a file at its end or not; a circle of links has no end.
TEST(RunFiles, AChainOfLinksLeadsToItsLast) {
  const Place place;
  fs::create_symlink("link", place.folder / "second");
  fs::create_symlink(place.folder / "second", place.folder / "inner" / "absolute");
  fs::create_symlink("right", place.folder / "left");
  fs::create_symlink("left", place.folder / "right");
  EXPECT_EQ(link_target(place / "there").string(), place / "there");
  EXPECT_EQ(link_target(place / "nothing").string(), place / "nothing");
  EXPECT_EQ(link_target(place / "link").string(), place / "there");
  EXPECT_EQ(link_target(place / "inner/absolute").string(), place / "there");
  EXPECT_EQ(link_target(place / "inner/dangling").string(), place / "inner/../missing");
  const std::string round = link_target(place / "left").string();
  EXPECT_TRUE(round == place / "left" || round == place / "right") << round;
  for (int i = 0; i < 40; ++i)
    fs::create_symlink("l" + std::to_string(i + 1), place.folder / ("l" + std::to_string(i)));
  std::ofstream(place / "l40") << "as many as the kernel follows";
  EXPECT_EQ(link_target(place / "l0").string(), place / "l40");
}

TEST(RunFiles, AScopeInsideAnotherTellsTheOuterOne) {
  const Place place;
  RunFiles outer, inner;
  {
    const RunFiles::Scope scope(outer);
    {
      const RunFiles::Scope second(inner);
      (void)read_text(place / "there", "a text");
    }
    EXPECT_NE(refusal([&] { RunFiles::check_not_read(place / "hard"); }), "");
    EXPECT_TRUE(RunFiles::written_so_far().empty());
    RunFiles::note_written("w");
    EXPECT_EQ(RunFiles::written_so_far(), std::vector<std::string>{"w"});
  }
  EXPECT_TRUE(RunFiles::written_so_far().empty()) << "nobody's";
  EXPECT_EQ(outer.written(), std::vector<std::string>{"w"});
  EXPECT_TRUE(inner.written().empty());
  EXPECT_EQ(refusal([&] { RunFiles::check_not_read(place / "hard"); }), "") << "nobody's";
}

}  // namespace
}  // namespace braid::test::run_files_test
