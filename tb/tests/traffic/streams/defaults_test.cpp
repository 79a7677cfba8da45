// What holds of graphs, queues and variants where nobody says anything else.
#include <gtest/gtest.h>

#include "traffic/replay/ordered_trace.h"
#include "traffic/streams/queue_room.h"
#include "traffic/streams/stream_graph.h"
#include "traffic/streams/variants.h"

namespace braid::test::traffic_defaults_test {
namespace {

using namespace traffic;

/// An item a firing is put out, taken and seen; none is there at first, none is a copy.
TEST(TrafficDefaults, AnEdgeCarriesAnItemAFiring) {
  const StreamEdge edge;
  EXPECT_EQ(edge.from, 0U);
  EXPECT_EQ(edge.to, 0U);
  EXPECT_EQ(edge.push, 1U);
  EXPECT_EQ(edge.pop, 1U);
  EXPECT_EQ(edge.peek, 1U);
  EXPECT_FALSE(edge.group);
  EXPECT_EQ(edge.initial, 0U);
  EXPECT_EQ(seen_items(edge), 1U);
  const Actor actor;
  EXPECT_EQ(actor.work_cycles, 0U);
  EXPECT_FALSE(actor.placement);
}

/// No bound, items go one by one and every copy by itself.
TEST(TrafficDefaults, QueuesHaveNoBounds) {
  const QueueRoom room;
  EXPECT_EQ(room.source, 0U);
  EXPECT_EQ(room.destination, 0U);
  EXPECT_EQ(room.packet, 1U);
  EXPECT_EQ(room.block, 1U);
  EXPECT_EQ(room.beyond, 0U);
  EXPECT_FALSE(room.copies_together);
}

/// A cycle a unit of work, an item a cycle; any number of streams, on one tile after the other.
TEST(TrafficDefaults, AVariantIsTheProgramAsItIs) {
  const Pace pace;
  EXPECT_EQ(pace.computation_scaling, 1.0);
  EXPECT_EQ(pace.node_sends, 1U);
  EXPECT_EQ(pace.node_takes, 1U);
  EXPECT_FALSE(pace.trees);
  const VariantOptions options;
  EXPECT_EQ(options.degree, 0U);
  EXPECT_TRUE(options.relays);
  const Variant variant;
  EXPECT_EQ(variant.tiles, 0U);
  EXPECT_EQ(variant.degree, 0U);
  EXPECT_EQ(variant.steady_states, 1.0);
  EXPECT_EQ(variant.cycles, 0.0);
  EXPECT_EQ(variant.bottleneck_work, 0.0);
}

TEST(TrafficDefaults, APlanHasNoRemedy) {
  const StreamGraphPlan plan;
  EXPECT_FALSE(plan.steady_states);
  EXPECT_FALSE(plan.packets);
  EXPECT_EQ(plan.remedy.taken + plan.remedy.why, "");
  EXPECT_EQ(plan.remedy.degree, 0U);
  EXPECT_EQ(plan.remedy.tiles, 0U);
  EXPECT_EQ(plan.remedy.layout, 0U);
  EXPECT_EQ(plan.remedy.tried, 0U);
  EXPECT_EQ(plan.remedy.least_cycles, 0.0);
  EXPECT_EQ(plan.remedy.least_cycles_asked, 0.0);
  EXPECT_FALSE(plan.remedy.packets_least_cycles);
}

/// A packet of a flit, of the first class, at no time that is known, after nobody.
TEST(TrafficDefaults, APacketOfATraceIsOneFlit) {
  const TraceRecord record;
  EXPECT_EQ(record.id, 0U);
  EXPECT_FALSE(record.cycle);
  EXPECT_EQ(record.source, 0U);
  EXPECT_EQ(record.destination, 0U);
  EXPECT_EQ(record.flits, 1U);
  EXPECT_EQ(record.traffic_class, 0U);
  EXPECT_TRUE(record.after.empty());
  EXPECT_EQ(record.delay, 0U);
  const OrderedTrace::Next next;
  EXPECT_EQ(next.position, 0U);
  EXPECT_FALSE(next.local);
  const TraceUse use;
  EXPECT_EQ(use.nodes, 0U);
  EXPECT_EQ(use.window, 1U);
  EXPECT_FALSE(use.by_time);
  EXPECT_EQ(TraceHeader{}.nodes, 0U);
}

}  // namespace
}  // namespace braid::test::traffic_defaults_test
