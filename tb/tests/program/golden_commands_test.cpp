// What the program prints: command lines, good and bad ones, of every command that is in C++, with their exit status,
// the number of lines and a checksum. They stand in tb/golden/commands, one beside what it prints;
// BRAID_UPDATE_GOLDEN=1 in the environment writes that anew. A new command line is added there without an outcome.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tb/tests/support/golden.h"
#include "tb/tests/support/program.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/summary.h"

namespace braid::test::golden_commands_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeparator = "  ->  ";

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(source_file("tb/golden/commands/" + file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, line.find(kSeparator)));
  return lines;
}

std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(source_file("tb/golden/commands"))) {
    all.push_back(entry.path().filename().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

class Commands : public testing::TestWithParam<std::string> {};

TEST_P(Commands, PrintWhatTheyPrinted) {
  if (kBrief) GTEST_SKIP() << kLong;
  const std::string root = source_file("");
  std::string text;
  for (const std::string& line : lines_of(GetParam())) {
    const Ended ended = braid(line + " </dev/null", "cd '" + root + "' && ");
    text += line + kSeparator + summary("status " + std::to_string(ended.status), ended.output, root);
  }
  expect_golden(text, "commands/" + GetParam());
}
INSTANTIATE_TEST_SUITE_P(Golden, Commands, testing::ValuesIn(files()),
                         [](const auto& c) { return c.param.substr(0, c.param.find('.')); });

}  // namespace
}  // namespace braid::test::golden_commands_test
