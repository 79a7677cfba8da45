// Requests and their replies at a node, by hand: who has room, who is served when, what is counted; and which classes
// keep such accounts at all.
#include "models/workload/synthetic/exchanges.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/workload/synthetic/class_options.h"
#include "routing/base/checkpoint.h"

namespace braid::test::exchanges_test {
namespace {

using models::ExchangeCounts;
using models::ExchangeEnds;
using models::ExchangeResults;
using models::SyntheticOptions;

TEST(ExchangeEnds, HaveRoomForAsManyAsTheBoundAndForAnyWithoutOne) {
  ExchangeEnds ends;
  EXPECT_TRUE(ends.room(1));
  ends.sent({7, 100, true});
  EXPECT_FALSE(ends.room(1));
  EXPECT_TRUE(ends.room(2));
  EXPECT_TRUE(ends.room(0)) << "no bound";
  ends.sent({8, 101, false});
  EXPECT_FALSE(ends.room(2));
  EXPECT_TRUE(ends.room(3));
  ends.answered(7);
  EXPECT_TRUE(ends.room(2)) << "one has come back";
  EXPECT_FALSE(ends.room(1));
}

/// Replies find their requests in whatever order they come, each once.
TEST(ExchangeEnds, GiveBackTheRequestThatAReplyAnswers) {
  ExchangeEnds ends;
  ends.sent({7, 100, true});
  ends.sent({8, 101, false});
  ends.sent({9, 102, true});
  const ExchangeEnds::Open middle = ends.answered(8);
  EXPECT_EQ(middle.sequence, 8U);
  EXPECT_EQ(middle.created, 101U);
  EXPECT_FALSE(middle.measured);
  const ExchangeEnds::Open first = ends.answered(7);
  EXPECT_EQ(first.created, 100U);
  EXPECT_TRUE(first.measured);
  EXPECT_THROW(ends.answered(8), CheckpointError) << "a reply to no request";
  EXPECT_EQ(ends.answered(9).created, 102U);
}

TEST(ExchangeEnds, HoldRequestsInTheirOrder) {
  ExchangeEnds ends;
  EXPECT_FALSE(ends.holds());
  for (const models::PacketSlot packet : {5, 3, 4}) ends.hold(packet);
  EXPECT_TRUE(ends.holds());
  EXPECT_EQ(ends.held(), 3U);
  EXPECT_EQ(ends.take_held(), 5U);
  EXPECT_EQ(ends.take_held(), 3U);
  EXPECT_EQ(ends.held(), 1U);
  EXPECT_EQ(ends.take_held(), 4U);
  EXPECT_FALSE(ends.holds());
}

/// Two servers, 10 cycles each: the first two of cycle 100 at once, the third when the first is free, in 110; the
/// fourth of cycle 105 in 110 with the other. In 200 both are free long since.
TEST(ExchangeEnds, AreServedByTheServerThatIsFreeFirst) {
  ExchangeEnds ends;
  EXPECT_EQ(ends.serve(100, 2, 10), 100U);
  EXPECT_EQ(ends.serve(100, 2, 10), 100U);
  EXPECT_EQ(ends.serve(100, 2, 10), 110U);
  EXPECT_EQ(ends.serve(105, 2, 10), 110U);
  EXPECT_EQ(ends.serve(105, 2, 10), 120U);
  EXPECT_EQ(ends.serve(200, 2, 10), 200U);
  ExchangeEnds one;
  EXPECT_EQ(one.serve(0, 1, 7), 0U);
  EXPECT_EQ(one.serve(6, 1, 7), 7U);
  EXPECT_EQ(one.serve(14, 1, 7), 14U) << "free in the very cycle";
}

/// All of it: what is held, how many are under way, when servers are free, which requests are open.
TEST(ExchangeEnds, GoThroughACheckpoint) {
  ExchangeEnds ends;
  ends.hold(2);
  ends.sent({7, 100, true});
  ends.serve(100, 1, 10);
  Checkpoint saves;
  saves.set_packets(3);
  ends.checkpoint(saves);
  ExchangeEnds restored;
  restored.sent({1, 1, false});
  Checkpoint restores(saves.bytes());
  restores.set_packets(3);
  restored.checkpoint(restores);
  restores.finish();
  EXPECT_EQ(restored.held(), 1U);
  EXPECT_TRUE(restored.room(2));
  EXPECT_FALSE(restored.room(1));
  EXPECT_EQ(restored.serve(100, 1, 10), 110U);
  EXPECT_EQ(restored.answered(7).created, 100U);
  EXPECT_EQ(restored.take_held(), 2U);
}

/// Of two slices; 8 servers over 1000 cycles.
TEST(ExchangeCounts, OfSlicesAreAddedAndBecomeMeans) {
  ExchangeCounts one, other;
  one.round_trips.add(30);
  one.served = 3;
  one.wait_sum = 12;
  one.busy_sum = 100;
  other.round_trips.add(50);
  other.round_trips.add(40);
  other.served = 5;
  other.wait_sum = 20;
  other.busy_sum = 700;
  one.merge(other);
  EXPECT_EQ(one.round_trips.count(), 3U);
  ExchangeResults r;
  r.name = "loads";
  r.counts = one;
  r.servers = 8.0;
  r.measured_cycles = 1000.0;
  const Report report = models::exchange_figures().of(r);
  EXPECT_EQ(report.get<std::string>("name"), "loads");
  EXPECT_EQ(report.get<std::uint64_t>("served"), 8U);
  EXPECT_DOUBLE_EQ(report.get<double>("service_wait_mean_cycles"), 4.0);
  EXPECT_DOUBLE_EQ(report.get<double>("servers_busy"), 0.1);
  EXPECT_EQ(report.get<Report>("round_trip_distribution_cycles").get<double>("mean"), 40.0);
  const Report none = models::exchange_figures().of(ExchangeResults{});
  EXPECT_TRUE(std::isnan(none.get<double>("service_wait_mean_cycles"))) << "nothing was served";
  EXPECT_EQ(none.get<double>("servers_busy"), 0.0);
}

/// Replies that nobody waits for and that have no name are sent without an account.
TEST(Exchanges, AreKeptOfRepliesThatAreBoundedOrServedOrNamed) {
  const auto kept = [](bool replies, std::uint32_t outstanding, std::uint64_t service, const char* name) {
    SyntheticOptions o;
    o.request_reply = replies;
    o.outstanding = outstanding;
    o.service_cycles = service;
    o.name = name;
    return models::has_exchanges(o);
  };
  EXPECT_FALSE(kept(true, 0, 0, ""));
  EXPECT_TRUE(kept(true, 1, 0, ""));
  EXPECT_TRUE(kept(true, 0, 1, ""));
  EXPECT_TRUE(kept(true, 0, 0, "loads"));
  EXPECT_FALSE(kept(false, 1, 1, "loads")) << "no replies";
}

TEST(Classes, AreNamedForThePacketsAndForTheRepliesThatHaveAName) {
  const auto names = [](bool replies, const char* name) {
    SyntheticOptions o;
    o.request_reply = replies;
    o.name = name;
    return models::class_names(o);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(false, ""), (Names{"packets"}));
  EXPECT_EQ(names(true, ""), (Names{"packets"}));
  EXPECT_EQ(names(false, "loads"), (Names{"loads"}));
  EXPECT_EQ(names(true, "loads"), (Names{"loads", "loads replies"}));
}

/// "packets" is class 0, whether or not somebody has it; then in the order of the sections, replies behind requests.
TEST(Classes, AreNumberedAsTheFiguresDo) {
  Configuration c;
  c.open("traffic");
  c.set("traffic.name", "loads");
  c.set("traffic.request_reply", true);
  const std::size_t second = c.repeat("traffic", {});
  Configuration other;
  other.open("traffic");
  other.set("traffic.name", "stores");
  c.take("traffic", second, other);
  const std::vector<models::ClassOfTraffic> all = models::classes_of_traffic(c);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].number, 1U);
  EXPECT_EQ(all[0].reply_number, 2U);
  EXPECT_EQ(all[1].number, 3U);
  EXPECT_FALSE(all[1].reply_number.has_value());
  Configuration plain;
  plain.open("traffic");
  ASSERT_EQ(models::classes_of_traffic(plain).size(), 1U);
  EXPECT_EQ(models::classes_of_traffic(plain)[0].number, 0U);
  EXPECT_TRUE(models::classes_of_traffic(Configuration{}).empty());
}

}  // namespace
}  // namespace braid::test::exchanges_test
