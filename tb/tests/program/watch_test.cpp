// What `braid run` says of packets, links and doubts, and how wide it says it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::watch_test {
namespace {

const std::string kShort =
    " --set simulation.batch_cycles=500 --set simulation.measure_cycles=1000 --set simulation.min_warmup_cycles=0 "
    "--set simulation.max_warmup_cycles=1000 ";

/// Characters of the longest line; a continuation byte of UTF-8 is none.
std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto characters = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
    most = std::max(most, static_cast<std::size_t>(characters));
  }
  return most;
}

TEST(WatchOption, SaysTheSameUnderEverySchedule) {
  for (const char* name : {"mesh_uniform", "tree_sat", "po2_hexagonal"}) {
    const std::string router = name == std::string("mesh_uniform") ? " router=3,3" : "";
    const std::string run = "run " + experiment(name) + kShort + "--quiet --watch 'source=3 packet=5.2" + router + "' ";
    const std::string lines = braid(run).output;
    EXPECT_GT(std::count(lines.begin(), lines.end(), '\n'), 10) << lines;
    EXPECT_EQ(braid(run + "--threads 3").output, lines) << name;
    EXPECT_EQ(braid(run + "--set simulation.schedule=process_per_stage").output, lines) << name;
  }
}

TEST(WatchOption, ChangesNoResultAndHasARowInTheWaveform) {
  const std::string run = experiment("mesh_uniform") + kShort, file = temporary_file("watch.txt"),
                    wave = temporary_file("watched.vcd");
  const std::string watch = "--watch 'packet=3.17 source=4 router=1,1' --set watch.file=" + file + " --trace " + wave;
  EXPECT_EQ(results(run + watch)["packet_hash"], results(run)["packet_hash"]);
  EXPECT_NE(content(file).find("delivered at node"), std::string::npos);
  const std::string save = content(wave.substr(0, wave.size() - 3) + "gtkw");
  for (const char* row : {"watch.packet_3_17", "watch.source_4", "watch.router_1_1"}) {
    EXPECT_NE(save.find(row), std::string::npos) << save;
  }
  EXPECT_NE(content(wave.substr(0, wave.size() - 3) + "watch_place.txt").find("\n0000000b 1,1\n"), std::string::npos);
}

TEST(WatchOption, DoesNotMixWithJsonAndNamesWhatIsNotThere) {
  const std::string run = "run " + experiment("mesh_uniform") + kShort;
  const Ended mixed = braid(run + "--json - --watch source=3");
  EXPECT_EQ(mixed.status, 2);
  EXPECT_EQ(mixed.output,
            "braid: --json - and the watched packets both go to standard output: expected a file for watch.file\n");
  EXPECT_EQ(braid(run + "--watch source=64").status, 2);
  EXPECT_EQ(braid("check " + experiment("mesh_uniform") + " --set watch.what=source=64").status, 2);
  const Ended nowhere = braid(run + "--watch source=3 --set watch.file=/nowhere/w");
  EXPECT_EQ(nowhere.output.rfind("braid: /nowhere/w: cannot be written", 0), 0U) << nowhere.output;
}

TEST(WatchOption, IsWrittenWhenTheWatchdogEndsTheRun) {
  const Ended ended = braid("run " + experiment("deadlock") + " --quiet --watch source=0");
  EXPECT_EQ(ended.status, 3);
  EXPECT_NE(ended.output.find("not at the next router when the run ended"), std::string::npos) << ended.output;
}

TEST(Busiest, LinksAreNamedWithTheFlowsThatShareThem) {
  const std::string text =
      braid("run " + experiment("mesh_uniform") + kShort + "--set traffic.pattern=transpose").output;
  const std::size_t at = text.find("busiest links: ");
  ASSERT_NE(at, std::string::npos) << text;
  const std::string table = text.substr(at);
  EXPECT_NE(table.find(" flows of 7 nodes to 7: "), std::string::npos) << table;
  std::smatch sharers;
  ASSERT_TRUE(std::regex_search(table, sharers, std::regex(": (\\d+ -> \\d+) 14 %,\\s+(\\d+ -> \\d+) 14 %"))) << table;
  EXPECT_NE(sharers[1], sharers[2]) << table;
  const std::string streams = braid("run " + experiment("fm_radio") + kShort).output;
  EXPECT_NE(streams.find("1 flow of 1 node to 1: "), std::string::npos) << streams;
}

/// An 8x8 mesh with X first takes 0.41 flits a node and cycle of uniform traffic. At 0.43 the drain limit is far, and
/// the backlog grows.
TEST(Doubt, IsSaidNearSaturationAndBeyondIt) {
  const std::string run = "run " + experiment("mesh_uniform") + kShort + "--set traffic.rate_flits_per_node_cycle=";
  const std::string beyond = braid(run + "0.9 --set simulation.max_drain_cycles=100").output;
  EXPECT_NE(beyond.find("\nsaturated: "), std::string::npos);
  std::istringstream lines(beyond);
  std::size_t marked = 0;
  for (std::string line; std::getline(lines, line);) marked += line.find("(of those delivered)") != std::string::npos;
  EXPECT_EQ(marked, 6U) << beyond;
  const std::string below = braid(run + "0.1").output;
  const auto at = [](const std::string& rate) {
    return braid("run " + experiment("mesh_uniform") + " --set traffic.rate_flits_per_node_cycle=" + rate).output;
  };
  EXPECT_NE(at("0.43").find("\nsaturated: packets: accepted below offered: "), std::string::npos) << at("0.43");
  const std::string near = at("0.41");
  EXPECT_EQ(near.find("\nsaturated: "), std::string::npos);
  EXPECT_NE(near.find("\ninterval not reliable: the window is short beside the queues that packets"), std::string::npos)
      << near;
  for (const char* doubt : {"(of those delivered)", "\nwide: ", "\nqueued: ", "\ninterval"}) {
    EXPECT_EQ(below.find(doubt), std::string::npos) << below;
  }
}

TEST(Width, IsEightyColumnsOrWhatTheTerminalHas) {
  for (const char* name : {"mesh_uniform", "mesh_messages", "tree_sat", "po2_hexagonal", "fm_radio"}) {
    const std::string run = "run " + experiment(name) + kShort;
    EXPECT_LE(widest(braid(run).output), 80U) << name;
    setenv("COLUMNS", "60", 1);
    EXPECT_LE(widest(braid(run).output), 76U) << name;  // a name of 36 characters, one of 23 with its number
    unsetenv("COLUMNS");
  }
  EXPECT_LE(widest(braid("paths " + experiment("mesh_uniform")).output), 80U);
  EXPECT_LE(widest(braid("--help").output), 80U);
  setenv("COLUMNS", "80", 1);
  EXPECT_LE(widest(braid("list").output), 80U);
  unsetenv("COLUMNS");
}

TEST(Manual, NamesEveryAxis) {
  std::istringstream list(braid("list").output);
  const std::string help = braid("--help").output;
  for (std::string line; std::getline(list, line);) {
    if (line[0] == ' ') continue;
    EXPECT_NE(help.find("    " + line + " "), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace braid::test::watch_test
