#include "models/observe/sorted_runs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test::sorted_runs_test {
namespace {

using models::SortedRuns;

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

}  // namespace
}  // namespace braid::test::sorted_runs_test
