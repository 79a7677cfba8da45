// Files that users ask for: whole or not there, links followed, devices and FIFOs written through.
#include "models/observe/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>

#include "routing/base/input_error.h"
#include "routing/base/run_files.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::output_file_test {
namespace {

namespace fs = std::filesystem;
using models::OutputFile;

/// A folder of this case alone.
fs::path folder(const std::string& name) {
  const fs::path place = temporary_file(name);
  fs::remove_all(place);
  fs::create_directories(place);
  return place;
}
std::ptrdiff_t entries(const fs::path& place) {
  return std::distance(fs::directory_iterator(place), fs::directory_iterator());
}
void write(const std::string& file, const std::string& text) {
  OutputFile output(file);
  output.out() << text;
  output.finish();
}
std::string refusal(const std::string& file) {
  try {
    models::check_writable(file);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(OutputFile, IsThereOnlyWhenItIsFinished) {
  const fs::path place = folder("unfinished");
  const std::string file = place / "f";
  {
    OutputFile output(file);
    output.out() << "half";
    EXPECT_FALSE(fs::exists(file));
  }
  EXPECT_EQ(entries(place), 0);
  write(file, "first");
  {
    OutputFile output(file);
    output.out() << "half";
  }
  EXPECT_EQ(content(file), "first") << "what was there stays";
  write(file, "second");
  EXPECT_EQ(content(file), "second");
  EXPECT_EQ(entries(place), 1);
}

/// As the handler of a signal does that ends the program there and then.
TEST(OutputFile, IsRemovedWithAllOthersThatAreNotFinished) {
  const fs::path place = folder("removed");
  write(place / "done", "whole");
  OutputFile first(place / "a"), second(place / "b");
  {
    OutputFile gone(place / "c");
    gone.out() << "half";
  }
  OutputFile device("/dev/null");
  first.out() << "half" << std::flush;
  EXPECT_EQ(entries(place), 3);
  models::PendingFile::remove_all();
  EXPECT_EQ(entries(place), 1);
  EXPECT_EQ(content(place / "done"), "whole");
  EXPECT_TRUE(fs::exists("/dev/null"));
}

TEST(OutputFile, FollowsSymbolicLinksToFilesThatAreAndAreNot) {
  const fs::path place = folder("links");
  write(place / "there", "old");
  fs::create_symlink("there", place / "one");
  fs::create_symlink("one", place / "two");
  fs::create_symlink("missing", place / "dangling");
  write(place / "two", "new");
  write(place / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(place / "two"));
  EXPECT_TRUE(fs::is_symlink(place / "one"));
  EXPECT_TRUE(fs::is_symlink(place / "dangling"));
  EXPECT_EQ(content(place / "there"), "new");
  EXPECT_EQ(content(place / "missing"), "made");
  EXPECT_EQ(entries(place), 5);
}

TEST(OutputFile, WritesThroughAFifo) {
  const fs::path place = folder("fifo");
  const std::string file = place / "pipe";
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(file); });
  write(file, "through");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(file));
  EXPECT_EQ(entries(place), 1);
}

TEST(OutputFile, SaysWhyItIsNotWhole) {
  try {
    write("/dev/full", "too much");
    ADD_FAILURE() << "a full device took it";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "/dev/full: cannot be written: No space left on device");
  }
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

/// By the name that the user gave, in the order in which they were finished: what the program says when it is
/// interrupted.
TEST(OutputFile, IsAmongWhatTheRunHasWrittenOnceItIsFinished) {
  const fs::path place = folder("noted");
  RunFiles files;
  const RunFiles::Scope scope(files);
  OutputFile first(place / "a"), second(place / "b"), dropped(place / "c");
  EXPECT_TRUE(files.written().empty());
  second.finish();
  first.finish();
  EXPECT_EQ(files.written(), (std::vector<std::string>{place / "b", place / "a"}));
}

TEST(OutputFile, IsRefusedBeforeAnythingIsWritten) {
  const fs::path place = folder("refused");
  EXPECT_EQ(refusal(""), "\"\": expected the name of a file");
  EXPECT_EQ(refusal(place), place.string() + ": cannot be written: is a directory");
  const std::string lost = place / "no" / "f";
  EXPECT_EQ(refusal(lost), lost + ": cannot be written: No such file or directory");
  EXPECT_EQ(refusal(place / "f"), "");
  EXPECT_EQ(refusal("/dev/null"), "");
  EXPECT_EQ(entries(place), 0);
  const std::string longest = place / std::string(238, 'n'), longer = longest + "n";
  EXPECT_EQ(refusal(longest), "");
  EXPECT_EQ(refusal(longer), longer + ": cannot be written: File name too long");
  const std::string loop = place / "loop";
  fs::create_symlink("loop", loop);
  EXPECT_EQ(refusal(loop), loop + ": cannot be written: Too many levels of symbolic links");
}

}  // namespace
}  // namespace braid::test::output_file_test
