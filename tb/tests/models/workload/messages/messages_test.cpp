// Messages from the source to the last packet, under the schedulers of the network interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/po2_full_load.h"
#include "tb/tests/support/program.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::messages_test {
namespace {

using models::Experiment;

TEST(Messages, RunOnTheHybridMeshUnderEveryScheduler) {
  if (kBrief) GTEST_SKIP() << kLong;
  double fifo_short = 0.0;
  for (const char* scheduler : {"fifo", "alpha", "round_robin", "shortest_first", "round_robin_front"}) {
    Experiment e = uniform_mesh(0.35);
    e.set("message.packet_flits", 8);
    e.set("interface.scheduler", scheduler);
    e.set("traffic.length", "bursty");
    e.set("traffic.max_flits", 5);
    e.set("traffic.long_flits", 25);
    e.set("traffic.long_fraction", 0.1);
    Bench bench(e);
    bench.run(5000);
    bench.network->window() = {true, bench.network->now(), 1000};
    bench.run(30000);
    bench.network->window().open = false;
    bench.network->stop_sources();
    bench.run(30000);
    const models::MessageResults messages = *sources_of(bench).message_results();
    EXPECT_EQ(messages.created, messages.delivered) << scheduler;
    EXPECT_EQ(bench.network->conservation().packets_in_flight, 0U);
    ASSERT_EQ(messages.by_length.front().packets, 1U);
    const double short_latency = messages.by_length.front().latency_mean_cycles;
    if (fifo_short == 0.0) fifo_short = short_latency;
    if (std::string(scheduler) == "alpha") {
      EXPECT_LT(short_latency, 0.8 * fifo_short);
    }
  }
}

/// A row a packet, as the log of a run has them.
std::vector<std::map<std::string, std::string>> log_of(const std::string& experiment) {
  const std::string log = temporary_file("messages.csv");
  const Ended ended = braid("run " + experiment + " --quiet --log " + log);
  EXPECT_EQ(ended.status, 0) << ended.output;
  std::ifstream in(log);
  std::string line, cell;
  std::vector<std::string> names;
  std::getline(in, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::vector<std::map<std::string, std::string>> all;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    all.emplace_back();
    for (const std::string& name : names) std::getline(cells, all.back()[name], ',');
  }
  return all;
}

/// In the log a message has the number of its first packet, also where its packets are those of the second of two
/// subnets, whose numbers are odd. (A trace has the first one.)
TEST(Messages, HaveTheNumberOfTheirFirstPacket) {
  const std::string trace = temporary_file("other.trace"), experiment = temporary_file("messages.toml");
  std::ofstream(trace) << "braid-trace 1\nnodes 4\nclass packets\n0 10 0 1 1 0\nend 1\n";
  std::ofstream(experiment) << "[topology]\nwidth = 2\nheight = 2\n[network]\nsubnets = 2\n"
                               "[message]\npacket_flits = 2\n[traffic]\nlength = \"fixed\"\nflits = 3\n"
                               "rate_flits_per_node_cycle = 0.1\nsubnets = [1]\n[replay]\nsubnets = [0]\nfile = \""
                            << trace << "\"\n[simulation]\nbatch_cycles = 100\nmin_warmup_cycles = 0\n"
                            << "max_warmup_cycles = 0\nmeasure_cycles = 400\n";
  std::map<std::pair<std::string, int>, std::vector<int>> packets;  // of a source's message
  for (const auto& row : log_of(experiment)) {
    if (row.at("kind") != "synthetic") continue;
    EXPECT_EQ(row.at("message_packets"), "3");
    packets[{row.at("source"), std::stoi(row.at("message"))}].push_back(std::stoi(row.at("sequence")));
  }
  ASSERT_GT(packets.size(), 10U);
  for (auto& [message, numbers] : packets) {
    std::sort(numbers.begin(), numbers.end());
    const int first = message.second;
    EXPECT_EQ(first % 6, 1) << "three odd numbers a message";
    EXPECT_EQ(numbers, (std::vector<int>{first, first + 2, first + 4}));
  }
}

TEST(Messages, OfPriorityWaitLess) {
  Experiment e = po2(0.7, "best_paths");
  e.set("interface.scheduler", "alpha");
  e.set("message.alpha", 0.0);
  e.set("message.priority_fraction", 0.1);
  Bench bench(e);
  bench.run(50000);
  bench.network->window() = {true, bench.network->now(), 1000};
  bench.run(200000);
  const models::MessageResults messages = *sources_of(bench).message_results();
  double latency[2] = {}, count[2] = {};
  for (const models::MessageLengthResult& l : messages.by_length) {
    if (l.packets > 5) continue;
    latency[l.priority] += l.latency_mean_cycles * static_cast<double>(l.messages);
    count[l.priority] += static_cast<double>(l.messages);
  }
  EXPECT_NEAR(count[1] / (count[0] + count[1]), 0.1, 0.02);
  EXPECT_LT(latency[1] / count[1], 0.5 * latency[0] / count[0]);
  e.set("interface.scheduler", "fifo");
  EXPECT_THROW(models::Simulation{e}, InputError);
}

}  // namespace
}  // namespace braid::test::messages_test
