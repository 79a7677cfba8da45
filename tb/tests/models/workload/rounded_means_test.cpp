// Which deviations of batch means are rounding; what a packet of nobody is; and a node that a matrix gives nothing to
// send, whatever its process would do.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/workload/batch_means.h"
#include "tb/tests/support/bench.h"

namespace braid::test::rounded_means_test {
namespace {

using models::batch_means;
using models::BatchSum;

/// Eight means of 1 and a little more, in turn: half of the step is the deviation of each.
models::BatchMeans of_steps(double step) {
  std::vector<BatchSum> batches;
  for (int i = 0; i < 8; ++i) batches.push_back({i % 2 == 0 ? 1.0 : 1.0 + step, 1.0});
  return batch_means(batches);
}

/// Less than 1e-13 of the largest mean in the root of the mean square is rounding, more is none.
TEST(RoundedMeans, DeviateByLessThanATenThousandBillionth) {
  EXPECT_EQ(of_steps(1e-13).standard_error, 0.0) << "half of 1e-13 each";
  EXPECT_GT(of_steps(3e-13).standard_error, 0.0) << "half as much again as 1e-13";
  std::vector<BatchSum> large;
  for (int i = 0; i < 8; ++i) large.push_back({-1000.0 * (i % 2 == 0 ? 1.0 : 1.0 + 1e-13), 1.0});
  EXPECT_EQ(batch_means(large).standard_error, 0.0) << "of the largest, whatever its sign";
}

/// Half as many means with the same deviations deviate as much: the bound is of each.
TEST(RoundedMeans, AreBoundedEachWhateverTheirNumber) {
  for (const std::size_t n : {2U, 7U, 40U}) {
    std::vector<BatchSum> below, above;
    for (std::size_t i = 0; i < n; ++i) {
      below.push_back({i % 2 == 0 ? 1.0 : 1.0 + 1.6e-13, 1.0});
      above.push_back({i % 2 == 0 ? 1.0 : 1.0 + 2.6e-13, 1.0});
    }
    EXPECT_EQ(batch_means(below).standard_error, 0.0) << n;
    EXPECT_GT(batch_means(above).standard_error, 0.0) << n;
  }
}

// ---------------------------------------------------------------- packets of nobody

/// A user's own packet is of no workload, of no stream and of kind 0, in the class that was said.
TEST(PacketsOfNobody, AreOfKindZero) {
  models::Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.run(5);
  bench.network->send_packet(NodeId{1}, NodeId{0}, 3);
  bench.run(50);
  std::size_t packets = 0;
  bench.network->packet_log()->each(bench.network->store(),
                                    [&](const models::PacketRecord& record, const models::Packet& packet) {
                                      ++packets;
                                      EXPECT_EQ(packet.kind, 0U);
                                      EXPECT_EQ(packet.workload, models::kNoWorkload);
                                      EXPECT_EQ(packet.tag, models::kNoTag);
                                      EXPECT_EQ(packet.message, models::kNoMessage);
                                      EXPECT_EQ(packet.traffic_class, 0U);
                                      EXPECT_EQ(packet.length_flits, 3U);
                                      EXPECT_TRUE(record.delivered.has_value());
                                    });
  EXPECT_EQ(packets, 1U);
}

// ---------------------------------------------------------------- nodes without a rate

/// Node 1 has nothing to send: not even where a source always has a packet.
TEST(NodesWithoutARate, AreSilentUnderEveryProcess) {
  const std::string file = temporary_file("rates.csv");
  std::ofstream(file) << "from,to,rate\n0,1,0.25\n2,0,0.25\n";
  for (const char* process : {"bernoulli", "constant", "saturated"}) {
    const models::Experiment e = models::parse_experiment(
        "[topology]\nwidth = 3\nheight = 1\n[interface]\nsource_queue_packets = 2\n[traffic]\npattern = \"matrix\"\n"
        "file = \"" +
            file + "\"\nlength = \"fixed\"\nflits = 2\nprocess = \"" + process + "\"\n",
        "e.toml");
    Bench bench(e);
    bench.network->window() = {true, 0, 1000};
    bench.run(1000);
    const auto sent = bench.network->merged_statistics().results(1000).at(0).injected_packets_by_node;
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_GT(sent[0], 50U) << process;
    EXPECT_EQ(sent[1], 0U) << process;
    EXPECT_GT(sent[2], 50U) << process;
  }
}

}  // namespace
}  // namespace braid::test::rounded_means_test
