#include "models/observe/sorted_runs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::sorted_runs_test {
namespace {

namespace fs = std::filesystem;
using models::SortedRuns;

/// So much a call of pwrite() and pread() moves: the kernel may take less than it is asked to, and a signal may come.
std::size_t most_at_once = SIZE_MAX;
bool interrupted = false;  // every other call of pwrite()
std::size_t calls = 0;
bool takes_nothing = false;  // pwrite(), and says no error
int reading_fails = 0;       // with that error
std::size_t reads = 0, largest_read = 0;

/// 5,000 items with 100 keys, long and empty ones, none in the order of its key.
void fill(SortedRuns& runs) {
  for (std::uint64_t i = 0; i < 5000; ++i) {
    runs.add({i * 37 % 10, i * 17 % 10, 0}, std::string(i % 500, 'x') + std::to_string(i));
  }
}

std::vector<std::string> in_order(const SortedRuns& runs) {
  std::vector<std::string> items;
  runs.each([&](const SortedRuns::Key& key, std::string_view item) {
    items.push_back(std::to_string(key[0]) + "." + std::to_string(key[1]) + " " + std::string(item));
  });
  return items;
}

TEST(SortedRuns, OfAFileAreThoseOfMemory) {
  SortedRuns memory("-", std::size_t{64} << 20), file(temporary_file("runs.csv"), 10000);
  fill(memory);
  fill(file);
  const std::vector<std::string> expected = in_order(memory);
  ASSERT_EQ(expected.size(), 5000U);
  EXPECT_EQ(file.size(), 5000U);
  EXPECT_EQ(in_order(file), expected);
  EXPECT_EQ(in_order(file), expected) << "again";
  EXPECT_EQ(expected[0], "0.0 0") << "equal keys as they were added";
  EXPECT_EQ(expected[1].substr(0, 4), "0.0 ");
  EXPECT_EQ(expected[1].substr(expected[1].size() - 2), "10");
  EXPECT_EQ(expected.back().substr(0, 4), "9.9 ");
  file.check();
}

TEST(SortedRuns, LeaveNoNameAndSayWhyTheyCannotBeKept) {
  const std::filesystem::path folder = temporary_file("runs");
  std::filesystem::create_directory(folder);
  SortedRuns runs((folder / "log.csv").string(), 1000);
  fill(runs);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
  SortedRuns nowhere((folder / "log.csv").string(), 1000);
  fill(nowhere);
  try {
    nowhere.check();
    FAIL() << "there is no such folder";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(e.what(), (folder / "log.csv").string() + ": cannot be written: No such file or directory");
  }
}

/// As docs/packet-log.md says. Beside a file in a folder that is not there nothing goes into a file.
TEST(SortedRuns, HoldEightMegabytesInMemory) {
  const std::filesystem::path nowhere = temporary_file("not_there");
  SortedRuns runs((nowhere / "log.csv").string());
  const std::string half_a_megabyte(std::size_t{1} << 19, 'x');
  for (std::uint64_t i = 0; i < 15; ++i) runs.add({i, 0, 0}, half_a_megabyte);
  EXPECT_NO_THROW(runs.check()) << "7.5 MB";
  runs.add({15, 0, 0}, half_a_megabyte);
  EXPECT_THROW(runs.check(), std::runtime_error) << "8 MB and their keys";
}

std::string problem_of(const SortedRuns& runs) {
  return complaint<std::runtime_error>([&] { runs.check(); });
}

/// Number and former name of the file that has the runs.
std::pair<int, std::string> file_of_runs() {
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string name = fs::read_symlink(entry.path(), gone).string();
    if (name.find("/.braid.") != std::string::npos) return {std::stoi(entry.path().filename().string()), name};
  }
  return {-1, ""};
}

using Items = std::vector<std::pair<SortedRuns::Key, std::string>>;

/// Long items among short ones, three numbers in each key; the third is the item's own.
Items mixed() {
  Items items;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::size_t size = i == 1500 ? 600000 : i % 100 == 7 ? 60000 : 700;
    items.push_back({{i * 37 % 7, i * 17 % 11, 3000 - i}, std::string(size, static_cast<char>('a' + i % 26))});
  }
  return items;
}
Items taken(const SortedRuns& runs) {
  Items items;
  runs.each([&](const SortedRuns::Key& key, std::string_view item) { items.emplace_back(key, item); });
  return items;
}

/// Runs of a megabyte, of which a quarter is read at a time: items lie across the ends of what is read, and one is
/// longer than it.
TEST(SortedRuns, AreReadInPiecesThatCutThroughItems) {
  Items items = mixed();
  SortedRuns runs(temporary_file("pieces.csv"), std::size_t{1} << 20);
  for (const auto& [key, item] : items) runs.add(key, item);
  std::sort(items.begin(), items.end());
  EXPECT_TRUE(taken(runs) == items);
  EXPECT_TRUE(taken(runs) == items) << "again";
  EXPECT_EQ(problem_of(runs), "");
}

/// A kernel that moves 999 bytes a call, and is interrupted before every other one.
TEST(SortedRuns, AreWholeHoweverLittleACallWritesOrReads) {
  Items items;
  for (std::uint64_t i = 0; i < 300; ++i) items.push_back({{i * 7 % 10, i, 0}, std::string(50, static_cast<char>(i))});
  SortedRuns runs(temporary_file("little.csv"), 5000);
  most_at_once = 999;
  interrupted = true;
  for (const auto& [key, item] : items) runs.add(key, item);
  const Items all = taken(runs);
  most_at_once = SIZE_MAX;
  interrupted = false;
  std::sort(items.begin(), items.end());
  EXPECT_TRUE(all == items);
  EXPECT_EQ(problem_of(runs), "");
}

/// A disk that is full in the middle of the first run. Nothing is kept from then on.
TEST(SortedRuns, SayWhyARunIsNotWhole) {
  const std::string file = temporary_file("full.csv");
  SortedRuns runs(file, 10000);
  runs.add({0, 0, 0}, std::string(9000, 'x'));
  struct rlimit usual = {};
  getrlimit(RLIMIT_FSIZE, &usual);
  const struct rlimit small = {5000, usual.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  runs.add({1, 0, 0}, std::string(9000, 'x'));
  setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(problem_of(runs), file + ": cannot be written: File too large");
  runs.add({2, 0, 0}, "x");
  EXPECT_EQ(runs.size(), 2U);
}

/// Something has cut the file.
TEST(SortedRuns, SayThatTheyCannotBeReadAgain) {
  const std::string file = temporary_file("cut.csv");
  SortedRuns runs(file, 10000);
  fill(runs);
  ASSERT_EQ(problem_of(runs), "");
  ASSERT_EQ(ftruncate(file_of_runs().first, 5000), 0);
  EXPECT_LT(in_order(runs).size(), 5000U);
  EXPECT_EQ(problem_of(runs), file + ": cannot be written: Input/output error");
}

/// A head of 32 bytes and an item of 64, by a kernel that reads 32 a call: what is whole before the cut is taken.
TEST(SortedRuns, GiveWhatIsWholeBeforeTheCut) {
  const std::string file = temporary_file("whole.csv");
  SortedRuns runs(file, 300);
  for (std::uint64_t i = 0; i < 3; ++i) runs.add({i, 0, 0}, std::string(64, static_cast<char>('a' + i)));
  ASSERT_EQ(problem_of(runs), "");
  ASSERT_EQ(ftruncate(file_of_runs().first, 2 * (32 + 64)), 0);
  most_at_once = 32;
  const Items items = taken(runs);
  most_at_once = SIZE_MAX;
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].second, std::string(64, 'a'));
  EXPECT_EQ(items[1].second, std::string(64, 'b'));
  EXPECT_EQ(problem_of(runs), file + ": cannot be written: Input/output error");
}

/// A head of 32 bytes and an item of 64: a cut leaves out the item that it goes through, be it by a byte.
TEST(SortedRuns, GiveNoItemThatIsCut) {
  struct Case {
    off_t bytes;
    std::size_t whole;
  };
  for (const Case& c : {Case{2 * 96 + 95, 2}, Case{2 * 96 + 33, 2}, Case{2 * 96 + 32, 2}, Case{2 * 96 + 31, 2},
                        Case{2 * 96 - 1, 1}, Case{95, 0}, Case{31, 0}}) {
    const std::string file = temporary_file("through.csv");
    SortedRuns runs(file, 300);
    for (std::uint64_t i = 0; i < 3; ++i) runs.add({i, 0, 0}, std::string(64, static_cast<char>('a' + i)));
    ASSERT_EQ(problem_of(runs), "");
    ASSERT_EQ(ftruncate(file_of_runs().first, c.bytes), 0);
    EXPECT_EQ(taken(runs).size(), c.whole) << c.bytes;
    EXPECT_EQ(problem_of(runs), file + ": cannot be written: Input/output error") << c.bytes;
  }
}

/// Where standard input is closed, the file gets its number.
TEST(SortedRuns, MayLieInFileNumberNought) {
  const int input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  {
    SortedRuns memory("-", std::size_t{64} << 20), file(temporary_file("nought.csv"), 10000);
    fill(memory);
    fill(file);
    EXPECT_EQ(problem_of(file), "");
    EXPECT_EQ(file_of_runs().first, 0);
    EXPECT_TRUE(in_order(file) == in_order(memory));
  }
  EXPECT_EQ(file_of_runs().first, -1);
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), -1) << "it is closed with the runs";
  if (input < 0) return;
  dup2(input, STDIN_FILENO);
  close(input);
}

/// Beside the file, links followed, where there will be room for it; else where temporary files go.
TEST(SortedRuns, LieBesideTheFileOrAmongTemporaryFiles) {
  const fs::path place = temporary_file("places");
  fs::remove_all(place);
  for (const char* folder : {"real", "temporary"}) fs::create_directories(place / folder);
  const fs::path whole = fs::canonical(place), started_in = fs::current_path();
  fs::create_symlink("real/log.csv", whole / "link.csv");
  const char* const usual = std::getenv("TMPDIR");
  const std::string usual_text = usual == nullptr ? "" : usual;
  setenv("TMPDIR", (whole / "temporary").c_str(), 1);
  fs::current_path(whole);
  const std::array<std::pair<std::string, fs::path>, 6> cases{{{whole / "log.csv", whole},
                                                               {"log.csv", whole},
                                                               {"real/log.csv", whole / "real"},
                                                               {whole / "link.csv", whole / "real"},
                                                               {"-", whole / "temporary"},
                                                               {"/dev/null", whole / "temporary"}}};
  for (const auto& [file, folder] : cases) {
    SortedRuns runs(file, 100);
    runs.add({0, 0, 0}, std::string(101, 'x'));
    EXPECT_EQ(fs::path(file_of_runs().second).parent_path(), folder) << file;
  }
  fs::current_path(started_in);
  usual == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", usual_text.c_str(), 1);
  fs::remove_all(place);
}

/// What an item takes beside its text counts, too: its key, its place and its size.
TEST(SortedRuns, OfEmptyItemsHoldNoMoreInMemory) {
  constexpr std::size_t kEach = sizeof(SortedRuns::Key) + 2 * sizeof(std::size_t);
  SortedRuns runs(temporary_file("not_there") + "/log.csv", 10 * kEach);
  for (std::uint64_t i = 0; i < 10; ++i) runs.add({i, 0, 0}, "");
  EXPECT_EQ(problem_of(runs), "");
  runs.add({10, 0, 0}, "");
  EXPECT_NE(problem_of(runs), "") << "one more goes into a file, and there is no such folder";
}

/// Of the second run, whose file is there. Whatever errno was before.
TEST(SortedRuns, SayThatTheKernelTakesNothing) {
  const std::string file = temporary_file("nothing.csv");
  SortedRuns runs(file, 100);
  runs.add({0, 0, 0}, std::string(200, 'x'));
  ASSERT_EQ(problem_of(runs), "");
  errno = EPERM;
  takes_nothing = true;
  runs.add({1, 0, 0}, std::string(200, 'x'));
  takes_nothing = false;
  EXPECT_EQ(problem_of(runs), file + ": cannot be written: Input/output error");
}

TEST(SortedRuns, SayWhyTheyCannotBeReadAgain) {
  const std::string file = temporary_file("unread.csv");
  SortedRuns runs(file, 100);
  for (std::uint64_t i = 0; i < 3; ++i) runs.add({i, 0, 0}, std::string(200, 'x'));
  for (const int error : {EACCES, EPERM}) {
    reading_fails = error;
    EXPECT_TRUE(taken(runs).empty());
    reading_fails = 0;
    EXPECT_EQ(problem_of(runs), file + ": cannot be written: " + std::strerror(error));
  }
}

/// All runs together have 64 MB to be read into, the one in memory counted, too: of few runs each is read 256 kB at a
/// time, of very many 4 kB at least.
TEST(SortedRuns, AreReadInPiecesThatShareTheMemory) {
  const auto pieces = [](std::size_t run_count, std::size_t bytes) {
    SortedRuns runs(temporary_file("shared.csv"), 100);
    const std::string item(bytes, 'x');
    for (std::uint64_t i = 0; i < run_count; ++i) runs.add({i, 0, 0}, item);
    largest_read = 0;
    EXPECT_THROW(runs.each([](const SortedRuns::Key&, std::string_view) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
    return largest_read;
  };
  EXPECT_EQ(pieces(2, 300000), std::size_t{256} << 10) << "and the item's rest when it is asked for";
  EXPECT_EQ(pieces(511, 140000), (std::size_t{64} << 20) / 512);
  EXPECT_EQ(pieces(20000, 4100), 4096U);
}

/// A long item's rest is read as long as it is, and no more: a head and two of 600,000 bytes, of which 256 kB come with
/// the first piece.
TEST(SortedRuns, AreReadNoFurtherThanALongItem) {
  SortedRuns runs(temporary_file("long.csv"), 1200000);
  for (std::uint64_t i = 0; i < 3; ++i) runs.add({i, 0, 0}, std::string(600000, 'x'));
  largest_read = 0;
  EXPECT_EQ(taken(runs).size(), 3U);
  EXPECT_EQ(largest_read, 600000U - ((std::size_t{256} << 10) - 32));
}

/// An item of 50 bytes takes 90 in memory: 101 of them are more than 9000. So there are two runs, shorter than a piece.
TEST(SortedRuns, AreReadAtOnceWhereTheyAreShort) {
  SortedRuns runs(temporary_file("short.csv"), 9000);
  for (std::uint64_t i = 0; i < 300; ++i) runs.add({i * 7 % 300, 0, 0}, std::string(50, 'x'));
  reads = 0;
  EXPECT_EQ(taken(runs).size(), 300U);
  EXPECT_EQ(reads, 2U);
}

}  // namespace
}  // namespace braid::test::sorted_runs_test

// In place of the C library's, for whatever is linked with these tests; by other names, as headers may define those.
extern "C" {
ssize_t braid_test_pwrite(int descriptor, const void* data, size_t size, off_t at) __asm__("pwrite");
ssize_t braid_test_pread(int descriptor, void* data, size_t size, off_t at) __asm__("pread");
}
ssize_t braid_test_pwrite(int descriptor, const void* data, size_t size, off_t at) {
  using namespace braid::test::sorted_runs_test;
  if (takes_nothing) return 0;
  if (interrupted && ++calls % 2 == 1) {
    errno = EINTR;
    return -1;
  }
  return syscall(SYS_pwrite64, descriptor, data, std::min(size, most_at_once), at);
}
ssize_t braid_test_pread(int descriptor, void* data, size_t size, off_t at) {
  using namespace braid::test::sorted_runs_test;
  ++reads;
  largest_read = std::max(largest_read, size);
  if (reading_fails != 0) {
    errno = reading_fails;
    return -1;
  }
  return syscall(SYS_pread64, descriptor, data, std::min(size, most_at_once), at);
}
