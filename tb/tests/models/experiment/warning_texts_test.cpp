// Warnings word by word, which of them fail a strict run, and where a rule that ends a measurement has its bounds.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "models/experiment/mser.h"
#include "models/experiment/stopping_rule.h"
#include "models/experiment/warnings.h"
#include "models/workload/streams/stream_program.h"

namespace braid::test::warning_texts_test {
namespace {

using models::Results;
using models::StoppingRule;
using models::TrafficClassResults;
using models::Warning;

Results of_loads() {
  Results r;
  r.classes.emplace_back();
  TrafficClassResults& c = r.classes.back();
  c.name = "loads";
  c.saturation = models::SaturationVerdict{};
  c.accepted_flits_per_node_cycle = {0.25, 0.01};
  c.packet_latency_cycles = {40.0, 4.0};
  c.network_latency_cycles = {30.0, 1.0};
  c.queue_latency_mean_cycles = 10.0;
  return r;
}

std::vector<std::string> texts(const Results& r, const std::string& until = "") {
  models::Experiment e;
  e.open("traffic");
  if (!until.empty()) e.set("simulation.until", until);
  std::vector<std::string> all;
  for (const Warning& w : models::warnings_of(e, r)) all.push_back(w.code + " of " + w.place + ": " + w.text);
  return all;
}
using Texts = std::vector<std::string>;

TEST(WarningTexts, OfARunThatIsNotSteady) {
  Results r = of_loads();
  EXPECT_EQ(texts(r), Texts{});
  r.steady = false;
  EXPECT_EQ(texts(r),
            Texts{"unsteady of run: not steady: the warm-up limit came before latency and throughput settled"});
}

TEST(WarningTexts, OfASaturatedClassSayWhichTestHolds) {
  Results r = of_loads();
  models::SaturationVerdict& v = *r.classes[0].saturation;
  v.saturated = true;
  v.reason = "backlog grows";
  v.demanded = 0.5;
  EXPECT_EQ(texts(r), Texts{"saturated of loads: saturated: loads: backlog grows: 0.25 of 0.5 flits/node/cycle"});
  v.undrained_packets = 1;
  EXPECT_EQ(texts(r), Texts{"saturated of loads: saturated: loads born while measuring were still under way at the "
                            "drain limit"});
  v.saturated = false;
  EXPECT_EQ(texts(r), Texts{});
}

TEST(WarningTexts, OfStarvedNodesNameTheWorst) {
  Results r = of_loads();
  r.classes[0].starvation.nodes = 3;
  r.classes[0].starvation.least_share = 0.0625;
  r.classes[0].starvation.worst_node = 7;
  EXPECT_EQ(texts(r), Texts{"starved of loads: starved: 3 nodes sent less than a tenth of the loads that they made, "
                            "node 7 0.062 of it"});
}

/// A tenth of the mean is not wide; waits at the source as long as the way are not too long.
TEST(WarningTexts, OfLatencySayHowWellItIsKnown) {
  Results r = of_loads();
  r.classes[0].packet_latency_cycles = {40.0, 10.0};
  EXPECT_EQ(texts(r),
            Texts{"wide of loads: wide: the latency of loads is known to ± 25 % only: near saturation, or too "
                  "few packets; simulation.measure_cycles gives more"});
  r = of_loads();
  r.classes[0].queue_latency_mean_cycles = 30.0;
  EXPECT_EQ(texts(r), Texts{});
  r.classes[0].queue_latency_mean_cycles = 31.0;
  EXPECT_EQ(texts(r), Texts{"queued of loads: queued: loads wait longer at their sources than they travel: near "
                            "saturation, or sources that send in bursts"});
}

/// What the window was to know and does not; of a saturated run nobody waits for it.
TEST(WarningTexts, OfALimitSayHowFarItCame) {
  Results r = of_loads();
  r.measured_cycles = 3000;
  r.classes[0].packet_latency_cycles = {40.0, 2.0};
  EXPECT_EQ(texts(r, "latency 5 %"), Texts{}) << "two of forty";
  EXPECT_EQ(texts(r, "latency 4 %"),
            Texts{"limit of run: limit: \"latency 4 %\" was not reached in 3000 cycles: ± 5 %; "
                  "simulation.most_measure_cycles gives more"});
  EXPECT_EQ(texts(r, "accepted 3 %"),
            Texts{"limit of run: limit: \"accepted 3 %\" was not reached in 3000 cycles: ± 4 %; "
                  "simulation.most_measure_cycles gives more"});
  r.classes[0].packet_latency_cycles.half_width_95 = std::numeric_limits<double>::infinity();
  EXPECT_EQ(texts(r, "latency 4 %").front(),
            "limit of run: limit: \"latency 4 %\" was not reached in 3000 cycles: no interval to rely on; "
            "simulation.most_measure_cycles gives more");
  r.saturated = true;
  EXPECT_EQ(texts(r, "latency 4 %").size(), 1U) << "that of the interval";
}

/// Rates of a stream program that were not held, and its messages, by what it reports.
TEST(WarningTexts, OfAStreamProgram) {
  models::StreamResults stream;
  stream.untimed_messages = "a.str:3:7";
  stream.rates.emplace();
  stream.rates->push_back({"fast", 300.0, 250.0, false, 6, 4, 19, 70});
  stream.rates->push_back({"slow", 10.0, 10.0, true, 0, 100, 100, 1});
  const auto itself = [](const models::StreamResults& all) { return all; };
  Results r;
  r.workloads =
      FigureTable<models::StreamResults>().part("stream", "", "", itself, models::stream_figures()).of(stream);
  EXPECT_EQ(texts(r), (Texts{"untimed of a.str:3:7: untimed: a.str:3:7: portals: their messages are read, but take no "
                             "time",
                             "rate_not_held of fast: rate not held: fast put out 250 of 300 items/kilocycle, 6 firings "
                             "late, worst gap 19 cycles, deepest queue 70 items"}));
}

TEST(GraveWarnings, AreThoseThatMakeFiguresWorthless) {
  for (const char* grave :
       {"unsteady", "saturated", "starved", "fallen_back", "unreliable", "limit", "rate_not_held"}) {
    EXPECT_TRUE(models::is_grave({grave, "", ""})) << grave;
  }
  for (const char* light : {"wide", "queued", "untimed", "", "limits"}) {
    EXPECT_FALSE(models::is_grave({light, "", ""})) << light;
  }
}

// ---------------------------------------------------------------- when to end

TEST(StoppingRule, HasItsBounds) {
  EXPECT_EQ(StoppingRule::of("iterations 1")->iterations, 1U);
  EXPECT_EQ(StoppingRule::of("iterations 1000000")->iterations, 1000000U);
  EXPECT_DOUBLE_EQ(StoppingRule::of("latency 99.9 %")->share, 0.999);
  EXPECT_DOUBLE_EQ(StoppingRule::of("accepted 0.001 %")->share, 0.00001);
  EXPECT_EQ(StoppingRule::of("latency 5 %")->figure, StoppingRule::Figure::kLatency);
  EXPECT_DOUBLE_EQ(StoppingRule().share, 0.01);
  for (const char* wrong : {"latency -1 %", "latency nan %", "latency 1 %%", "iterations 1 2", "iterations x",
                            "iteration 3", "latency 1 percent", "accepted"}) {
    EXPECT_THROW(StoppingRule::of(wrong), InputError) << wrong;
  }
}

/// The widest of all classes, over its own mean; of nothing, or where there is no interval, without end.
TEST(StoppingRule, GoesByTheWidestInterval) {
  std::vector<TrafficClassResults> classes(2);
  classes[0].packet_latency_cycles = {40.0, 2.0};
  classes[1].packet_latency_cycles = {10.0, 1.0};
  classes[0].accepted_flits_per_node_cycle = {0.5, 0.1};
  classes[1].accepted_flits_per_node_cycle = {0.5, 0.0};
  EXPECT_DOUBLE_EQ(StoppingRule::of("latency 5 %")->widest(classes), 0.1);
  EXPECT_DOUBLE_EQ(StoppingRule::of("accepted 5 %")->widest(classes), 0.2);
  EXPECT_TRUE(StoppingRule::of("latency 10 %")->holds(classes)) << "exactly so wide";
  EXPECT_FALSE(StoppingRule::of("latency 9.9 %")->holds(classes));
  classes[1].packet_latency_cycles = {0.0, 0.0};
  EXPECT_EQ(StoppingRule::of("latency 5 %")->widest(classes), std::numeric_limits<double>::infinity());
  EXPECT_EQ(StoppingRule::of("latency 5 %")->widest({}), std::numeric_limits<double>::infinity());
}

/// A window of 2500 cycles at ten iterations a kilocycle holds 25; what another workload says is not asked.
TEST(StoppingRule, CountsIterationsOfTheStreamProgram) {
  models::StreamResults stream;
  stream.iterations_per_kilocycle = {10.0, 0.5};
  const auto itself = [](const models::StreamResults& all) { return all; };
  const auto reported = [&](const char* name) {
    return FigureTable<models::StreamResults>().part(name, "", "", itself, models::stream_figures()).of(stream);
  };
  const StoppingRule rule = *StoppingRule::of("iterations 25");
  EXPECT_DOUBLE_EQ(StoppingRule::iterations_in(reported("stream"), 2500), 25.0);
  EXPECT_EQ(StoppingRule::iterations_in(reported("other"), 2500), 0.0);
  EXPECT_TRUE(rule.holds(reported("stream"), 2500));
  EXPECT_FALSE(rule.holds(reported("stream"), 2499));
  EXPECT_FALSE(rule.holds(reported("other"), 2500));
}

/// The cut may come in the middle, and no later: of twenty groups of five the first ten are high, or the first eleven.
TEST(Mser5, CutsOffNoMoreThanTheFirstHalf) {
  for (const std::size_t high : {10U, 11U}) {
    std::vector<double> series;
    for (std::size_t group = 0; group < 20; ++group) {
      for (int i = 0; i < 5; ++i) series.push_back((group < high ? 100.0 : 10.0) + (group % 2 == 0 ? 0.5 : -0.5));
    }
    const auto cut = models::mser5(series);
    EXPECT_EQ(cut.has_value(), high == 10);
    if (cut) {
      EXPECT_EQ(*cut, 50U);
    }
  }
  EXPECT_TRUE(models::mser5(std::vector<double>(50, 1.0)).has_value()) << "ten groups are enough";
  EXPECT_EQ(models::mser5(std::vector<double>(54, 1.0)), models::mser5(std::vector<double>(50, 1.0)));
}

}  // namespace
}  // namespace braid::test::warning_texts_test
