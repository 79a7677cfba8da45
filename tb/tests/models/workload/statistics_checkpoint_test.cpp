// Counts of packets that come from a checkpoint: those of another network are refused.
#include <gtest/gtest.h>

#include <string>

#include "models/workload/statistics.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::statistics_checkpoint_test {
namespace {

using namespace models;

/// What a checkpoint of another network would bring: counts by other nodes, queues of other nodes, flows that nobody
/// asked for, or none where somebody did.
TEST(StatisticsCheckpoint, OfAnotherNetworkIsRefused) {
  const MeasurementWindow window{true, 0, 1000};
  const auto refusal = [&](Statistics& from, Statistics& into) -> std::string {
    Checkpoint saves;
    from.checkpoint(saves);
    return complaint<CheckpointError>([&] {
      Checkpoint restores(saves.bytes());
      into.checkpoint(restores);
      restores.finish();
    });
  };
  Packet made, arrived;
  arrived.measured = true;
  Statistics nodes_4(window, 4), also_4(window, 4), created_5(window, 5), sent_5(window, 5);
  created_5.created(made);
  sent_5.sent(3, made);
  const MeasurementWindow closed{false, 0, 1000};
  Statistics waited_5(closed, 5);
  waited_5.delivered(9, arrived);
  nodes_4.created(made);
  nodes_4.sent(2, made);
  nodes_4.delivered(9, made);
  const std::string before = "no network is in such a state: ";
  EXPECT_EQ(refusal(nodes_4, also_4), "");
  EXPECT_EQ(also_4.packet_hash(), nodes_4.packet_hash());
  EXPECT_EQ(also_4.packets_created(), 1U);
  EXPECT_EQ(also_4.packets_delivered(), 1U);
  EXPECT_EQ(also_4.measured_delivered(), 1U);
  for (Statistics* of_5 : {&created_5, &sent_5}) {
    Statistics into(window, 4);
    EXPECT_EQ(refusal(*of_5, into), before + "counts of other nodes");
  }
  Statistics into(window, 4);
  EXPECT_EQ(refusal(waited_5, into), before + "queues of other nodes");
  ResultsOptions with_flows;
  with_flows.flows = true;
  Statistics flows(window, 4, {"packets"}, with_flows), none(window, 4);
  EXPECT_EQ(refusal(flows, none), before + "counts of flows");
  Statistics again(window, 4, {"packets"}, with_flows), plain(window, 4);
  EXPECT_EQ(refusal(plain, again), before + "counts of flows");
}

}  // namespace
}  // namespace braid::test::statistics_checkpoint_test
