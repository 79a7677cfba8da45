// A replayed trace: when its packets go, that it is the run that recorded it again, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/workload/replay/replay_workload.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::replay_test {
namespace {

using boost::json::object;

std::string written(const std::string& name, const std::string& text) {
  const std::string file = temporary_file(name);
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string trace_of(const std::string& name, const std::string& records) {
  return written(name, "braid-trace 1\nnodes 4\nclass packets\n" + records);
}

/// A 2x2 mesh that replays the trace, measured from cycle 0.
std::string replay(const std::string& trace, const std::string& by, const std::string& more = "") {
  return written(by + ".toml",
                 "[topology]\nwidth = 2\nheight = 2\n[simulation]\nbatch_cycles = 100\nmax_warmup_cycles = "
                 "0\nmin_warmup_cycles = 0\nmeasure_cycles = 1000\n[replay]\nfile = \"" +
                     trace + "\"\nby = \"" + by + "\"\n" + more);
}

/// The column of the log, in its order.
std::vector<std::uint64_t> column(const std::string& experiment, const std::string& name,
                                  const std::string& more = "") {
  const std::string log = temporary_file("replay.csv");
  const Ended ended = braid("run " + experiment + " --quiet --log " + log + " " + more);
  EXPECT_EQ(ended.status, 0) << ended.output;
  std::ifstream in(log);
  std::string line, cell;
  std::getline(in, line);
  std::istringstream head(line);
  std::size_t place = 0;
  while (std::getline(head, cell, ',') && cell != name) ++place;
  std::vector<std::uint64_t> all;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; i <= place; ++i) std::getline(cells, cell, ',');
    all.push_back(cell.empty() ? 0 : std::stoull(cell));
  }
  return all;
}
using Cycles = std::vector<std::uint64_t>;

const std::string kChain =
    "0 10 0 1 4 0\n"
    "1 20 1 3 2 0 after 0 delay 5\n"  // known where it arrives
    "2 20 2 0 1 0 after 1 delay 1\n"  // known a cycle later at another node
    "3 500 3 0 1 0 after 0,1 delay 3\n"
    "end 4\n";

TEST(Replay, ByTimeSendsAtTheCyclesOfTheTrace) {
  EXPECT_EQ(column(replay(trace_of("chain.trace", kChain), "time"), "created"), (Cycles{10, 20, 20, 500}));
}

TEST(Replay, ByDependencySendsWhenThoseBeforeHaveArrived) {
  const std::string e = replay(trace_of("chain.trace", kChain), "dependency");
  const Cycles created = column(e, "created"), delivered = column(e, "delivered"), source = column(e, "source");
  ASSERT_EQ(source, (Cycles{0, 1, 2, 3})) << "in this order they go";
  EXPECT_EQ(created[0], 10U);
  EXPECT_EQ(created[1], delivered[0] + 5);
  EXPECT_EQ(created[2], delivered[1] + 1);
  EXPECT_EQ(created[3], delivered[1] + 3);
}

TEST(Replay, ByBothSendsNotBeforeTheCycleEither) {
  const std::string e = replay(trace_of("chain.trace", kChain), "both");
  const Cycles created = column(e, "created"), delivered = column(e, "delivered");
  ASSERT_EQ(created.size(), 4U);
  EXPECT_EQ(created[1], delivered[0] + 5);
  EXPECT_GT(created[1], 20U) << "later than in the trace";
  EXPECT_EQ(created[3], 500U);
}

/// In the cycle of the arrival itself, as a reply does.
TEST(Replay, WithoutDelaySendsInTheCycleOfTheArrival) {
  const std::string e = replay(trace_of("now.trace", "0 10 0 1 4 0\n1 - 1 0 1 0 after 0\nend 2\n"), "dependency");
  EXPECT_EQ(column(e, "created").at(1), column(e, "delivered").at(0));
}

/// Read when what it comes after has long arrived, it still waits for its delay.
TEST(Replay, ReadLateKeepsItsDelay) {
  const std::string trace =
      trace_of("late.trace", "0 10 0 1 1 0\n1 10 2 3 1 0\n2 - 1 0 1 0 after 0 delay 300\nend 3\n");
  const std::string e = replay(trace, "dependency", "window = 2\n");
  EXPECT_EQ(column(e, "created").at(2), column(e, "delivered").at(0) + 300);
}

/// With a window of one packet each goes after the one before has arrived, and says that it would have gone sooner.
TEST(Replay, CountsWhatTheWindowHeldBack) {
  const std::string trace = trace_of("row.trace", "0 10 0 1 1 0\n1 11 2 3 1 0\n2 12 1 0 1 0\nend 3\n");
  const auto of_window = [&](int packets) {
    return results(replay(trace, "dependency", "window = " + std::to_string(packets) + "\n")).at("replay").as_object();
  };
  EXPECT_EQ(of_window(3).at("held_back_packets"), 0);
  EXPECT_EQ(of_window(1).at("held_back_packets"), 2);
  EXPECT_EQ(of_window(1).at("delivered_packets"), 3);
  EXPECT_EQ(of_window(1).at("trace_packets"), 3);
  EXPECT_DOUBLE_EQ(of_window(1).at("delivered_share").to_number<double>(), 1.0);
  const std::string one = replay(trace, "dependency", "window = 1\n");
  EXPECT_EQ(column(one, "created").at(1), column(one, "delivered").at(0) + 1);
  EXPECT_EQ(results(one).at("replay").at("last_delivery_cycle"), column(one, "delivered").back());
}

/// However often a place in the window is taken again: each goes in the cycle after the one before has arrived.
TEST(Replay, WithAWindowOfOneSendsOneAfterTheOther) {
  const std::string trace =
      trace_of("five.trace", "0 10 0 1 1 0\n1 11 2 3 1 0\n2 12 1 0 1 0\n3 13 3 2 1 0\n4 14 0 2 1 0\nend 5\n");
  const std::string e = replay(trace, "dependency", "window = 1\n");
  const Cycles created = column(e, "created"), delivered = column(e, "delivered");
  ASSERT_EQ(created.size(), 5U);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(created[i], delivered[i - 1] + 1) << i;
}

/// Packet 4 has the place of packet 0, which packet 1 came after; packet 5 has that of packet 1, and comes after a long
/// one, packet 3, and after 4: who followed packet 0 does not follow 4.
TEST(Replay, ForgetsWhoFollowedThePacketBeforeInItsPlace) {
  const std::string trace = trace_of("places.trace",
                                     "0 10 0 1 1 0\n1 - 1 0 1 0 after 0 delay 1\n2 11 2 3 1 0\n3 12 3 0 30 0\n"
                                     "4 13 2 0 1 0\n5 - 0 1 1 0 after 3,4\nend 6\n");
  const std::string e = replay(trace, "dependency", "window = 3\n");
  const Cycles created = column(e, "created"), delivered = column(e, "delivered"), flits = column(e, "flits");
  ASSERT_EQ(flits, (Cycles{1, 1, 1, 30, 1, 1})) << "in the order in which they go: 0, 2, 1, 3, 4, 5";
  EXPECT_LT(delivered[4], delivered[3]) << "the short one overtakes the long one";
  EXPECT_EQ(created[5], delivered[3]) << "as without the window";
}

TEST(Replay, TakesNoCheckpoint) {
  const std::string e = replay(trace_of("chain.trace", kChain), "dependency");
  const Ended ended = braid("run " + e + " --quiet --checkpoint " + temporary_file("at.ckpt"));
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.output.find("no checkpoint can be made: a replayed trace is read while the run goes on"),
            std::string::npos)
      << ended.output;
}

TEST(Replay, IsRefusedBeforeTheRunInOneLine) {
  const std::string bad = trace_of("bad.trace", "0 10 0 1 4 0\n1 9 0 1 4 0\nend 2\n");
  const std::string log = temporary_file("none.csv");
  const Ended ended = braid("run " + replay(bad, "time") + " --quiet --log " + log);
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.output, "braid: " + bad + ":5: cycle 9 after cycle 10: expected cycles that never fall\n");
  EXPECT_FALSE(std::ifstream(log).good());
  EXPECT_EQ(braid("check " + replay(bad, "time")).status, 2);
  const Ended missing = braid("check " + written("no.toml", "[replay]\n"));
  EXPECT_NE(missing.output.find("replay.file is missing: expected a trace"), std::string::npos) << missing.output;
}

/// A run reads on while somebody cuts the file: it says so instead of ending early, or in a thread.
TEST(Replay, NoticesThatTheFileHasChanged) {
  std::string records;
  for (int i = 0; i < 9000; ++i) records += std::to_string(i) + " " + std::to_string(i) + " 0 1 1 0\n";
  const std::string trace = trace_of("cut.trace", records + "end 9000\n");
  models::Experiment e = uniform_mesh(0.0, 2, 2);
  e.open("replay");
  e.set("replay.file", trace);
  Bench bench(e);
  std::filesystem::resize_file(trace, 80000);  // beyond the first block, which is read
  bench.run(9000);
  const auto& workloads = bench.network->workloads();
  const auto replay = std::find_if(workloads.begin(), workloads.end(), [](const auto& w) {
    return dynamic_cast<models::ReplayWorkload*>(w.get()) != nullptr;
  });
  ASSERT_NE(replay, workloads.end());
  try {
    (void)(*replay)->state();
    FAIL() << "the file is cut";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("breaks off"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("(it was good when the run began)"), std::string::npos) << error.what();
  }
}

/// In dependency on what never comes there is nothing to wait for: the file's order forbids it. A packet that waits for
/// one under way is no deadlock either.
TEST(Replay, WaitsLongWithoutBeingTakenForDead) {
  const std::string far = trace_of("far.trace", "0 900000 0 1 4 0\n1 - 1 0 1 0 after 0 delay 900000\nend 2\n");
  for (const char* by : {"dependency", "time"}) {
    const std::string e =
        replay(by == std::string("time") ? trace_of("far2.trace", "0 1900000 0 1 4 0\nend 1\n") : far, by);
    const object all = results(e + " --set simulation.measure_cycles=2000000");
    EXPECT_EQ(all.at("conservation").at("packets_in_flight"), 0);
    EXPECT_EQ(all.at("replay").at("delivered_share").to_number<double>(), 1.0);
  }
}

}  // namespace
}  // namespace braid::test::replay_test
