// Commands on a terminal: the bar of what takes longer than a tenth of a second is gone before anything is printed.
// (What a bar looks like: progress_bar_test.cpp.)
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::terminal_test {
namespace {

std::string on_a_terminal(const std::string& arguments) {
  const std::string command = "TERM=xterm script -qec \"" + kProgram + " " + arguments + "\" /dev/null </dev/null 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor)
  std::string all;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) all.append(buffer.data(), n);
  pclose(pipe);
  return all;
}

/// The last bar has gone where the first line begins, and none comes behind it.
void expect_gone(const std::string& all, const std::string& first_line) {
  const std::size_t begin = all.find(first_line);
  ASSERT_NE(begin, std::string::npos) << all;
  const std::string gone = "\r\x1b[K";
  ASSERT_GE(begin, gone.size());
  EXPECT_EQ(all.substr(begin - gone.size(), gone.size()), gone) << all;
  EXPECT_EQ(all.find('\x1b', begin), std::string::npos) << all;
}

/// Three streams out of a corner, which has two links: whoever tries orders tries all that they are given.
std::string crowded() {
  const std::string graph = temporary_file("crowded.toml");
  std::ofstream file(graph);
  file << "name = \"crowded\"\n";
  for (int a = 0; a < 4; ++a) file << "[[actor]]\nname = \"a" << a << "\"\nwork = 1\ntile = " << a << "\n";
  for (int to = 1; to < 4; ++to) file << "[[edge]]\nfrom = \"a0\"\nto = \"a" << to << "\"\n";
  return "circuits " + experiment("fm_radio") +
         " --set topology.width=2 --set topology.height=2 --set stream.graph=" + graph +
         " --set disjoint.finder=sequential";
}

TEST(Terminal, HasNoBarBesideTheAnswersOfFinders) {
  if (kBrief) GTEST_SKIP() << kLong;
  const std::string all = on_a_terminal(crowded() + " --set disjoint.sequential_orders=1000000");
  expect_gone(all, "crowded: 3 streams on mesh 2x2; ");
  EXPECT_NE(all.find("unknown"), std::string::npos) << all;
}

TEST(Terminal, HasNoBarBesideCountsOfLayouts) {
  if (kBrief) GTEST_SKIP() << kLong;
  expect_gone(on_a_terminal(crowded() + " --layouts 6000"), "crowded: 3 streams on mesh 2x2, 6000 random layouts");
}

/// Nothing moves for so long that the watchdog takes a while.
TEST(Terminal, HasNoBarBesideAVerdict) {
  if (kBrief) GTEST_SKIP() << kLong;
  const std::string all = on_a_terminal("run " + experiment("deadlock") + " --set simulation.watchdog_cycles=1200000" +
                                        " --set simulation.max_warmup_cycles=1000000000");
  expect_gone(all, "deadlock\r\n  cycles ");
  EXPECT_NE(all.find("braid: deadlock: no flit has moved"), std::string::npos) << all;
}

}  // namespace
}  // namespace braid::test::terminal_test
