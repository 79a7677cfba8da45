// Results, counts and options that nobody has filled: counts are 0, lists are empty, nothing is true, and what was not
// sampled is no number. Whatever a run leaves out of them is then left out, and not 1.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/experiment/bottlenecks.h"
#include "models/experiment/energy.h"
#include "models/experiment/energy_model.h"
#include "models/experiment/link_results.h"
#include "models/experiment/measurement.h"
#include "models/experiment/stopping_rule.h"
#include "models/steps/step_network.h"
#include "models/workload/broadcast/broadcast_tally.h"
#include "models/workload/broadcast/task_processor.h"
#include "models/workload/messages/message_book.h"
#include "models/workload/replay/replay_workload.h"
#include "models/workload/streams/stream_bound.h"
#include "models/workload/streams/stream_changes.h"
#include "models/workload/streams/stream_plan.h"
#include "models/workload/synthetic/class_options.h"
#include "models/workload/synthetic/exchanges.h"
#include "tb/tests/support/filled.h"

namespace braid::test::nothing_yet_test {
namespace {

using namespace models;

using None = std::vector<std::size_t>;

TEST(NothingYet, IsCountedOfPackets) {
  EXPECT_EQ(filled_fields<Batch>(), None{});
  EXPECT_EQ(filled_fields<Statistics::Interval>(), None{});
  EXPECT_EQ(filled_fields<InjectionSpread>(), None{});
  EXPECT_EQ(filled_fields<LatencyBuckets>(), None{});
  EXPECT_EQ(filled_fields<FlowResult>(), None{});
  EXPECT_EQ(filled_fields<ResultsOptions>(), None{});
  EXPECT_EQ(filled_fields<StarvationVerdict>(), None{});
  EXPECT_EQ(filled_fields<SaturationEvidence>(), None{});
  EXPECT_EQ(filled_fields<SourceQueue>(), None{});
  EXPECT_EQ(filled_fields<BatchSum>(), None{});
  EXPECT_EQ(filled_fields<PercentileInterval>(), None{});
  EXPECT_EQ(SaturationVerdict{}.reason, "none");
  EXPECT_EQ(filled_fields<SaturationVerdict>(), (None{1})) << "that reason alone";
  EXPECT_TRUE(BatchMeans{}.reliable);
  EXPECT_EQ(filled_fields<BatchMeans>(), (None{3}));
  EXPECT_EQ(QueueLoad{}.idle, 1.0) << "a queue of nobody is idle";
  EXPECT_EQ(filled_fields<QueueLoad>(), (None{2}));
  EXPECT_TRUE(HeavyTraffic{}.reliable);
  EXPECT_EQ(filled_fields<HeavyTraffic>(), (None{0}));
  EXPECT_EQ(MeasurementWindow{}.batch_cycles, 1000U);
  EXPECT_EQ(filled_fields<MeasurementWindow>(), (None{2}));
  const TrafficClassResults c;
  EXPECT_EQ(c.offered_flits_per_node_cycle + c.flits_per_packet + c.cycles_wanted, 0.0);
  EXPECT_TRUE(std::isnan(c.queue_latency_mean_cycles) && std::isnan(c.hops_mean));
}

TEST(NothingYet, IsCountedOfMessagesAndExchanges) {
  EXPECT_EQ(filled_fields<Message>(), None{});
  EXPECT_EQ(filled_fields<MessageLengthResult>(), None{});
  EXPECT_EQ(filled_fields<ExchangeEnds::Open>(), None{});
  EXPECT_EQ(ExchangeCounts{}.served + ExchangeCounts{}.wait_sum + ExchangeCounts{}.busy_sum, 0U);
  EXPECT_EQ(ClassOfTraffic{}.number, 0U);
  EXPECT_FALSE(ClassOfTraffic{}.reply_number.has_value());
  EXPECT_EQ(filled_fields<ReplayResults>(), None{});
}

TEST(NothingYet, IsCountedOfStreamPrograms) {
  EXPECT_EQ(filled_fields<StreamEdgeResult>(), None{});
  EXPECT_EQ(filled_fields<StreamActorResult>(), None{});
  EXPECT_EQ(filled_fields<StreamBound>(), None{});
  EXPECT_EQ(filled_fields<MeasuredStreams>(), None{});
  EXPECT_EQ(filled_fields<Latencies>(), None{});
  EXPECT_EQ(Latencies{}.mean(), 0.0);
  EXPECT_EQ(filled_fields<RatedSource>(), None{});
  EXPECT_EQ(filled_fields<StreamRateResult>(), None{});
  EXPECT_EQ(filled_fields<RateWatch::Rate>(), None{});
  EXPECT_EQ(filled_fields<StreamChangeResult>(), None{});
  EXPECT_EQ(filled_fields<StreamChangeResult::Stream>(), None{});
  EXPECT_EQ(filled_fields<StreamChangeResults>(), None{});
  EXPECT_EQ(filled_fields<StreamChanges::Transfer>(), None{});
  EXPECT_FALSE(StreamPlan{}.on_packets);
  const StreamProgram::Edge edge;
  EXPECT_EQ(edge.source_port + edge.source_lane + edge.destination_port + edge.queued_items + edge.most_queued, 0U);
  EXPECT_EQ(edge.requested_blocks + edge.next_sequence + edge.unsent_packets + edge.packed_items, 0U);
  EXPECT_EQ(edge.promised_items + edge.outstanding_requests + edge.delivered_items, 0U);
  EXPECT_EQ(edge.handed_over, 0);
  EXPECT_FALSE(edge.stopped || edge.on_packets || edge.absent || edge.refused || edge.packet_port || edge.tree);
  const StreamProgram::Actor actor;
  EXPECT_EQ(actor.state, StreamProgram::Actor::State::kWaiting);
  EXPECT_EQ(actor.ready_cycle + actor.firings, 0U);
  EXPECT_EQ(actor.firing_cycles, 1U);
  EXPECT_EQ(actor.repetitions, 1U);
  EXPECT_FALSE(actor.held || actor.rate);
}

TEST(NothingYet, IsCountedOfBroadcasts) {
  const BroadcastResults r;
  EXPECT_EQ(r.positions + r.messages + r.longest_path + r.completed, 0U);
  EXPECT_TRUE(std::isnan(r.burst_rate));
  EXPECT_FALSE(r.completed_by_root.has_value());
  EXPECT_EQ(filled_fields<TaskOrder>(), None{});
  const TaskProcessor::Task task{TaskProcessor::Task::Kind::kStart, 0};
  EXPECT_EQ(task.from, 0U);
  EXPECT_EQ(task.word, 0U) << "no word: a message";
}

TEST(NothingYet, IsCountedOfARun) {
  EXPECT_EQ(filled_fields<LinkFlow>(), None{});
  EXPECT_EQ(filled_fields<LinkResult>(), None{});
  EXPECT_EQ(filled_fields<LinkCount>(), None{});
  EXPECT_EQ(filled_fields<SubnetResult>(), None{});
  EXPECT_EQ(filled_fields<Verdict>(), None{});
  EXPECT_EQ(filled_fields<Warning>(), None{});
  EXPECT_EQ(NodeLinkResult{}.ports, 1U);
  EXPECT_EQ(filled_fields<NodeLinkResult>(), (None{1}));
  EXPECT_EQ(filled_fields<EventEnergy>(), None{});
  EXPECT_EQ(filled_fields<RouterArea>(), None{});
  EXPECT_EQ(RouterArea{}.all(), 0.0);
  EXPECT_EQ(filled_fields<SwitchedFlits>(), None{});
  EXPECT_EQ(filled_fields<Bottleneck::Sharer>(), None{});
  EXPECT_EQ(Bottleneck{}.most_flits_per_cycle, 1U);
  EXPECT_EQ(filled_fields<Bottleneck>(), (None{8})) << "a link takes a flit";
  EXPECT_STREQ(Progress{}.phase, "");
  EXPECT_STREQ(Progress{}.counts, "cycle");
  EXPECT_EQ(Progress{}.cycle + Progress{}.expected_cycles, 0U);
  const Results r;
  EXPECT_EQ(r.cycles + r.warmup_cycles + r.measured_cycles + r.packet_hash + r.flit_hops, 0U);
  EXPECT_EQ(r.wall_seconds, 0.0);
  EXPECT_TRUE(r.steady) << "until somebody finds that it is not";
  EXPECT_FALSE(r.saturated || r.verdict || r.engines || r.subnets || r.setup.attempted);
  const StepNetwork::Arrival a;
  EXPECT_EQ(a.source + a.destination + a.traffic_class + a.routers + a.sequence, 0U);
  EXPECT_EQ(a.cycle + a.created + a.injected, 0U);
  EXPECT_EQ(a.flits, 1U);
  EXPECT_EQ(a.tag, StepNetwork::kNoTag);
  EXPECT_EQ(filled_fields<StepNetwork::Shape>(), None{});
}

}  // namespace
}  // namespace braid::test::nothing_yet_test
