// What is known of a run that the watchdog has ended, and what a checkpoint's first lines are held to. One simulation a
// process.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "models/engine/deadlock_error.h"
#include "models/experiment/checkpoint_file.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/loads.h"

namespace braid::test::deadlocked_run_test {
namespace {

using models::Results;
using models::Simulation;

std::string of_file(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Its first line up to the colon is what it is; the others, without the blanks before them, are what waits for what.
/// Counts of the whole run are known, figures of measured cycles are not.
TEST(DeadlockedRun, HasItsVerdictAndTheCountsOfTheWholeRun) {
  Simulation simulation(models::read_experiment(source_file("tb/experiments/deadlock.toml")));
  std::string complaint;
  try {
    (void)simulation.run();
  } catch (const models::DeadlockError& e) {
    complaint = e.what();
  }
  const Results& r = simulation.results();
  ASSERT_TRUE(r.verdict.has_value());
  EXPECT_EQ(r.verdict->what, "deadlock");
  EXPECT_EQ(r.verdict->text, complaint.substr(0, complaint.find('\n')));
  EXPECT_EQ(r.verdict->text.rfind("deadlock: no flit has moved", 0), 0U) << r.verdict->text;
  ASSERT_GT(r.verdict->waiting.size(), 1U);
  for (const std::string& line : r.verdict->waiting) {
    ASSERT_FALSE(line.empty());
    EXPECT_NE(line.front(), ' ') << line;
    EXPECT_NE(complaint.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(r.cycles, simulation.network().now());
  EXPECT_GT(r.conservation.packets_in_flight, 0U);
  EXPECT_TRUE(r.conservation.holds());
  EXPECT_GT(r.flit_hops, 0U);
  EXPECT_TRUE(r.links.empty());
  EXPECT_TRUE(r.node_links.empty());
  EXPECT_TRUE(r.energy.empty());
  EXPECT_FALSE(r.subnets.has_value());
}

/// Three nodes make a packet a cycle each, one of them is sent: when the window closes in cycle 500, 499 have gone, 166
/// or 167 of each node, and the oldest that waits was made in cycle 166. In the window's 200 cycles each sent a third.
TEST(OverloadedRun, KnowsTheAgeOfTheOldestPacketThatWaits) {
  models::Experiment e = overload();
  e.set("simulation.max_warmup_cycles", 300)
      .set("simulation.measure_cycles", 200)
      .set("simulation.max_drain_cycles", 0);
  const Results r = Simulation(e).run();
  ASSERT_EQ(r.classes.size(), 1U);
  const models::StarvationVerdict& s = r.classes[0].starvation;
  EXPECT_NEAR(s.oldest_age_cycles, 500.0 - 166.0, 1.0);
  EXPECT_LT(s.oldest_source, 3U);
  EXPECT_FALSE(s.starved());
  EXPECT_NEAR(s.least_share, 1.0 / 3, 0.01);
}

/// A whole file is read back; one in which anything of the first lines is another is not, the cycle too, which nobody
/// else looks at.
TEST(CheckpointFile, IsHeldToEveryByteOfItsFirstLines) {
  const models::Experiment e = uniform_mesh(0.1, 2, 2);
  const std::string file = temporary_file("header.ckpt"), registers = "registers\nof two lines";
  models::write_checkpoint(file, e, 12345, registers);
  EXPECT_EQ(models::read_checkpoint(file, e), registers);
  const std::string whole = of_file(file);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(file, std::ios::binary) << text;
    return complaint([&] { (void)models::read_checkpoint(file, e); });
  };
  const std::string damaged = file + ": is damaged: ", wrong_sum = damaged + "its checksum is another one";
  EXPECT_EQ(with("\"cycle\":12345", "\"cycle\":12346").rfind(wrong_sum, 0), 0U);
  EXPECT_EQ(with("checksum ", "checksum\t").rfind(wrong_sum, 0), 0U);
  EXPECT_EQ(with("of two lines", "of too lines").rfind(wrong_sum, 0), 0U);
  EXPECT_EQ(with("of two lines", "of two line").rfind(damaged + "21 bytes in place of 22", 0), 0U);
  EXPECT_EQ(with("of two lines", "of two linesx").rfind(damaged + "23 bytes in place of 22", 0), 0U);
  EXPECT_EQ(with("{\"program\"", "[\"program\"").rfind(damaged + "its second line is not what it should be", 0), 0U);
  EXPECT_EQ(with("\"bytes\"", "\"bites\"").rfind(damaged + "its second line is not what it should be", 0), 0U);
  EXPECT_EQ(with("braid checkpoint 1\n", "braid checkpoint 2\n").rfind(file + ": is no checkpoint: expected a file", 0),
            0U);
  const std::string other = with("\"program\":\"", "\"program\":\"x");
  EXPECT_EQ(other.rfind(file + ": was made by x", 0), 0U) << other;
  EXPECT_EQ(with("\"program\":\"", "\"program\":\"\\u00e4").rfind(damaged + "its second line", 0), 0U)
      << "no such sign";
}

/// One key that differs is named, and how many more do.
TEST(CheckpointFile, SaysWhatDiffersInTheConfiguration) {
  const models::Experiment e = uniform_mesh(0.1, 2, 2);
  const std::string file = temporary_file("configuration.ckpt");
  models::write_checkpoint(file, e, 1, "r");
  const auto said = [&](const models::Experiment& other) {
    return complaint([&] { (void)models::read_checkpoint(file, other); });
  };
  const std::string before = file + ": was made under another configuration: ";
  EXPECT_EQ(said(e), "");
  models::Experiment other = e;
  other.set("router.vcs", 2);
  EXPECT_EQ(said(other), before + "router.vcs = 4 there, 2 here");
  other.set("topology.width", 3);
  EXPECT_NE(said(other).find(" (and 1 more)"), std::string::npos) << said(other);
  other = e;
  other.set("traffic.pattern", "hot_spot").set("traffic.hot_nodes", std::vector<std::uint32_t>{1});
  EXPECT_NE(said(other).find(" (and "), std::string::npos) << said(other);
  other = e;
  other.set("traffic.length", "bimodal");
  const std::string lengths = said(other);
  EXPECT_NE(lengths.find("traffic."), std::string::npos) << lengths;
  other = e;
  other.set("simulation.measure_cycles", 3000).set("energy.link_mm", 3.0).set("simulation.max_drain_cycles", 7);
  EXPECT_EQ(said(other), "") << "what does nothing before the measurement";
}

}  // namespace
}  // namespace braid::test::deadlocked_run_test
