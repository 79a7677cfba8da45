// Waveform files that cannot be written, are given up, or come after one that could not; and the scopes that one signal
// leaves open for the next.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "models/observe/fst_files.h"
#include "models/observe/signals.h"
#include "models/observe/wave_file.h"
#include "routing/base/input_error.h"
#include "routing/base/run_files.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/program.h"

namespace braid::test::wave_errors_test {
namespace {

namespace fs = std::filesystem;
using namespace models;

fs::path folder(const std::string& name) {
  const fs::path place = temporary_file(name);
  fs::remove_all(place);
  fs::create_directories(place);
  return place;
}

/// More signals than a stream's buffer has room for: their values go out in the cycle itself.
SignalTable many_signals() {
  SignalTable table;
  for (int i = 0; i < 2000; ++i) table.add("s", "x", 64);
  return table;
}

/// The disk is full in a cycle, and whoever looks later has had other errors in the meantime.
TEST(VcdFile, KeepsTheReasonOfTheWriteThatFailed) {
  const fs::path place = folder("full");
  fs::create_symlink("/dev/full", place / "t.vcd");
  SignalTable few;
  Signal* const one = few.add("s", "x", 64);
  const auto file = open_wave_file(place / "t.vcd", 1000);
  file->declare(few.signals());
  for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
    one->value = ~cycle;
    errno = 0;
    file->write(cycle);
    errno = EPERM;
  }
  EXPECT_EQ(complaint<std::runtime_error>([&] { file->check(); }),
            (place / "t.vcd").string() + ": cannot be written: No space left on device");
}

TEST(VcdFile, IsNoProblemWhileAllIsWritten) {
  const fs::path place = folder("well");
  SignalTable table = many_signals();
  const auto file = open_wave_file(place / "t.vcd", 1000);
  file->declare(table.signals());
  file->write(3);
  EXPECT_EQ(complaint<std::runtime_error>([&] { file->check(); }), "");
  EXPECT_FALSE(fs::exists(place / "t.vcd")) << "a look finishes nothing";
  file->finish();
  EXPECT_TRUE(fs::exists(place / "t.vcd"));
}

/// What failed earlier in this thread, of a file that is gone, is no error of this one.
TEST(FstFile, IsNotToBlameForTheOneBefore) {
  std::FILE* const full = std::fopen("/dev/full", "w");
  std::setvbuf(full, nullptr, _IONBF, 0);
  braid_fst_fwrite("abc", 1, 3, full);
  std::fclose(full);
  const fs::path place = folder("after");
  SignalTable table;
  table.add("s", "x", 1);
  const auto file = open_wave_file(place / "t.fst", 1000);
  file->declare(table.signals());
  file->write(0);
  EXPECT_EQ(complaint<std::runtime_error>([&] { file->finish(); }), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(place), fs::directory_iterator()), 1)
      << "the list of signals is in the file";
}

TEST(FstFile, ThatIsGivenUpLeavesNothing) {
  const fs::path place = folder("given_up");
  {
    SignalTable table = many_signals();
    const auto file = open_wave_file(place / "t.fst", 1000);
    file->declare(table.signals());
    file->write(0);
  }
  EXPECT_TRUE(fs::is_empty(place));
}

/// Where it would be written there is a folder.
TEST(FstFile, SaysWhyItCannotBeBegun) {
  const fs::path place = folder("begun");
  fs::create_directory(place / ("t.fst." + std::to_string(getpid()) + ".tmp"));
  EXPECT_EQ(complaint([&] { open_wave_file(place / "t.fst", 1000); }),
            (place / "t.fst").string() + ": cannot be written: Is a directory");
}

/// From one signal's scope to the next: as much as they share stays open.
TEST(Scopes, AreOpenedAndClosedBetweenSignals) {
  const fs::path place = folder("scopes");
  SignalTable table;
  for (const char* scope : {"a", "a.b", "a.b.c", "a.b", "a.d", "b", "a", "a"}) table.add(scope, "x", 1);
  const auto file = open_wave_file(place / "t.vcd", 1000);
  file->declare(table.signals());
  file->finish();
  std::string told;
  std::istringstream in(content(place / "t.vcd"));
  for (std::string word, kind, name; in >> word;) {
    if (word == "$scope" && in >> kind >> name && name != "SystemC") told += "(" + name + " ";
    if (word == "$upscope") told += ") ";
    if (word == "$var") told += "x ";
  }
  EXPECT_EQ(told, "(a x (b x (c x ) x ) (d x ) ) (b x ) (a x x ) ) ");
}

/// Nobody else writes what a waveform is written to.
TEST(WaveFile, IsClaimedWhenItIsOpened) {
  for (const char* ending : {"t.vcd", "t.fst"}) {
    const fs::path place = folder("claimed");
    RunFiles files;
    const RunFiles::Scope scope(files);
    check_wave_file(place / ending);
    EXPECT_EQ(
        complaint([&] { RunFiles::write(place / ending, "log.file"); }),
        (place / ending).string() + ": trace.file and log.file would write the same file: expected a file for each");
  }
}

}  // namespace
}  // namespace braid::test::wave_errors_test
