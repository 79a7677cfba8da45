// Files that users ask for: whole or not there, links followed, devices and FIFOs written through.
#include "models/observe/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "routing/base/input_error.h"
#include "routing/base/run_files.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
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
  return complaint([&] { models::check_writable(file); });
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

/// What it throws when it is finished; "": nothing.
template <class File, class... Error>
std::string refused_at_the_end(File& file, Error... error) {
  return complaint<std::runtime_error>([&] { file.finish(error...); });
}

/// While it is written its name has the process's number, so that two processes that write one file do not meet.
TEST(OutputFile, IsWrittenBesideItsPlaceUnderANameOfThisProcess) {
  const fs::path place = folder("beside");
  const std::string file = place / "f", number = std::to_string(getpid());
  write(place / "there", "old");
  fs::create_symlink("there", place / "link");
  const models::PendingFile none(file), link(place / "link"), device("/dev/null");
  EXPECT_EQ(none.name(), file + "." + number + ".tmp");
  EXPECT_EQ(link.name(), (place / "there").string() + "." + number + ".tmp");
  EXPECT_EQ(device.name(), "/dev/null");
  EXPECT_FALSE(none.through());
  EXPECT_FALSE(link.through());
  EXPECT_TRUE(device.through());
  std::ofstream(none.name()) << "what a process of this number has left behind";
  write(file, "new");
  EXPECT_EQ(content(file), "new");
}

/// Whoever opens it by name says how it went; what failed leaves nothing, and whoever is interrupted leaves no list of
/// signals of an FST either.
TEST(OutputFile, ThatOthersWriteTakesItsNameUnlessTheyFailed) {
  const fs::path place = folder("others");
  const std::string file = place / "f";
  const auto begin = [](const models::PendingFile& pending) { std::ofstream(pending.name()) << "written"; };
  {
    models::PendingFile failed(file);
    begin(failed);
    EXPECT_EQ(refused_at_the_end(failed, ENOSPC), file + ": cannot be written: No space left on device");
    EXPECT_EQ(entries(place), 0);
  }
  {
    models::PendingFile never_opened(file), whole(file);
    EXPECT_EQ(refused_at_the_end(never_opened, 0), file + ": cannot be written: No such file or directory");
    begin(whole);
    EXPECT_EQ(refused_at_the_end(whole, 0), "");
    models::PendingFile::remove_all();
  }
  EXPECT_EQ(content(file), "written");
  const models::PendingFile interrupted(file);
  begin(interrupted);
  std::ofstream(interrupted.name() + ".hier") << "signals";
  EXPECT_EQ(entries(place), 3);
  models::PendingFile::remove_all();
  EXPECT_EQ(entries(place), 1);
  EXPECT_EQ(content(file), "written");
}

TEST(OutputFile, LeavesTheListOfThoseThatAreNotFinishedInAnyOrder) {
  const fs::path place = folder("orders");
  for (const std::size_t gone : {0, 1, 2}) {
    std::vector<std::optional<models::PendingFile>> files(3);
    for (std::size_t i = 0; i < 3; ++i) {
      files[i].emplace(place / std::to_string(i));
      std::ofstream(files[i]->name()) << "half";
    }
    files[gone].reset();
    EXPECT_EQ(entries(place), 2) << gone;
    models::PendingFile::remove_all();
    EXPECT_EQ(entries(place), 0) << gone;
  }
}

/// errno's of the first write that failed, and that it did is no news.
TEST(OutputFile, KnowsTheFirstErrorAndKeepsIt) {
  OutputFile full("/dev/full");
  EXPECT_EQ(full.error(), 0);
  full.out() << "too much" << std::flush;
  EXPECT_EQ(full.error(), ENOSPC);
  errno = EPIPE;
  EXPECT_EQ(full.error(), ENOSPC);
  EXPECT_EQ(refused_at_the_end(full), "/dev/full: cannot be written: No space left on device");
}

/// Everybody may read it, and nobody run it, but for what the user's mask takes away.
TEST(OutputFile, HasTheModeThatTheUsersMaskLeaves) {
  const fs::path place = folder("modes");
  const mode_t usual = umask(0);
  write(place / "open", "");
  umask(027);
  write(place / "closed", "");
  umask(usual);
  EXPECT_EQ(fs::status(place / "open").permissions(), static_cast<fs::perms>(0666));
  EXPECT_EQ(fs::status(place / "closed").permissions(), static_cast<fs::perms>(0640));
}

/// More than a FIFO holds: the writer waits for its reader, which comes late and then sleeps.
TEST(OutputFile, WaitsForTheReaderOfAFifo) {
  const fs::path place = folder("slow");
  const std::string file = place / "pipe", text(300000, 'x');
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(70));
    std::ifstream in(file);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    read.assign(std::istreambuf_iterator<char>(in), {});
  });
  std::string why;
  try {
    write(file, text);
  } catch (const std::exception& e) {
    why = e.what();
  }
  reader.join();
  EXPECT_EQ(why, "");
  EXPECT_TRUE(read == text) << read.size() << " bytes";
}

/// Before a run: what it could not write in the end, and what another of its outputs is.
TEST(OutputFile, IsClaimedOnlyWhereItCanBeWrittenAndIsNoOthers) {
  const fs::path place = folder("claimed");
  RunFiles files;
  const RunFiles::Scope scope(files);
  const auto claim = [](const std::string& file, const std::string& what) -> std::string {
    try {
      return models::claim_output(file, what), "";
    } catch (const InputError& e) {
      return e.what();
    }
  };
  EXPECT_EQ(claim(place, "--json"), place.string() + ": cannot be written: is a directory");
  EXPECT_EQ(claim("", "--json"), "\"\": expected the name of a file");
  EXPECT_EQ(claim(place / "f", "--json"), "");
  EXPECT_NE(claim(place / "f", "log.file"), "");
  EXPECT_EQ(claim(place / "g", "log.file"), "");
  EXPECT_EQ(entries(place), 0);
}

}  // namespace
}  // namespace braid::test::output_file_test
