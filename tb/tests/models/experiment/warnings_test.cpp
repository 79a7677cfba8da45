// Every warning: what raises it and what does not yet.
#include "models/experiment/warnings.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace braid::test::warnings_test {
namespace {

using models::Results;
using models::TrafficClassResults;

/// A run that nothing is to be said against.
Results good() {
  Results r;
  r.classes.emplace_back();
  TrafficClassResults& c = r.classes.back();
  c.name = "packets";
  c.saturation = models::SaturationVerdict{};
  c.packet_latency_cycles = {40.0, 4.0};
  c.network_latency_cycles = {20.0, 1.0};
  c.queue_latency_mean_cycles = 20.0;
  return r;
}

/// "code of place", one after the other, "!" behind a grave one.
std::string said(const Results& r, int packet_flits = 0) {
  models::Experiment e;
  e.open("traffic");
  e.set("message.packet_flits", packet_flits);
  std::string all;
  for (const models::Warning& w : models::warnings_of(e, r)) {
    EXPECT_NE(w.text.find(w.place == "packets" ? "packets" : ""), std::string::npos);
    all += w.code + " of " + w.place + (models::is_grave(w) ? "! " : " ");
  }
  return all;
}

TEST(Warnings, OfAGoodRunThereAreNone) { EXPECT_EQ(said(good()), ""); }

TEST(Warnings, Unsteady) {
  Results r = good();
  r.steady = false;
  EXPECT_EQ(said(r), "unsteady of run! ");
}

TEST(Warnings, FallenBack) {
  Results r = good();
  r.setup.fell_back_to_packets = true;
  EXPECT_EQ(said(r), "") << "nobody tried";
  r.setup.attempted = true;
  EXPECT_EQ(said(r), "fallen_back of setup! ");
  r.setup.fell_back_to_packets = false;
  EXPECT_EQ(said(r), "");
}

TEST(Warnings, FallenBackSaysWhatHelpsAndBeforeAllElse) {
  Results r = good();
  r.steady = false;
  r.setup.attempted = r.setup.fell_back_to_packets = true;
  EXPECT_EQ(said(r), "fallen_back of setup! unsteady of run! ");
  EXPECT_NE(models::fallen_back(r.setup).text.find("more of router.circuit_lanes alone does not help"),
            std::string::npos);
  r.setup.lanes_that_would_do = 4;
  EXPECT_NE(models::fallen_back(r.setup).text.find("router.circuit_lanes = 4 was found to help"), std::string::npos);
}

TEST(Warnings, Limit) {
  Results r = good();
  models::Experiment e;
  e.open("traffic");
  const auto codes = [&] {
    std::string all;
    for (const models::Warning& w : models::warnings_of(e, r)) all += w.code + (models::is_grave(w) ? "! " : " ");
    return all;
  };
  r.classes[0].packet_latency_cycles = {40.0, 0.81};
  EXPECT_EQ(codes(), "");
  e.set("simulation.until", "latency 2 %");
  EXPECT_EQ(codes(), "limit! ") << "0.81 of 40 is more than 2 %";
  r.classes[0].packet_latency_cycles = {40.0, 0.79};
  EXPECT_EQ(codes(), "");
}

TEST(Warnings, SaturatedAndThenNothingOfLatency) {
  Results r = good();
  r.classes[0].saturation->saturated = true;
  r.classes[0].packet_latency_cycles.half_width_95 = models::kNotReliable;
  r.classes[0].queue_latency_mean_cycles = 1000.0;
  EXPECT_EQ(said(r), "saturated of packets! ");
}

TEST(Warnings, Starved) {
  Results r = good();
  r.classes[0].starvation = {1, 0.05, 3};
  EXPECT_EQ(said(r), "starved of packets! ");
  r.classes[0].starvation = {0, 0.1, 3};
  EXPECT_EQ(said(r), "");
}

TEST(Warnings, UnreliableOrWide) {
  Results r = good();
  r.classes[0].packet_latency_cycles.half_width_95 = 4.1;
  EXPECT_EQ(said(r), "wide of packets ");
  r.classes[0].packet_latency_cycles = {40.0, models::kNotReliable};
  EXPECT_EQ(said(r), "unreliable of packets! ");
}

TEST(Warnings, UnreliableForQueuesSaysHowLongItTakes) {
  Results r = good();
  r.classes[0].packet_latency_cycles = {40.0, models::kNotReliable};
  models::Experiment e;
  e.open("traffic");
  const auto text = [&] { return models::warnings_of(e, r).at(0).text; };
  EXPECT_NE(text().find("correlated"), std::string::npos);
  r.classes[0].cycles_wanted = 123456.0;
  EXPECT_NE(text().find("short beside the queues that packets wait in; it takes 1.2e+05 cycles"), std::string::npos);
  EXPECT_EQ(said(r), "unreliable of packets! ");
  r.classes[0].cycles_wanted = std::numeric_limits<double>::infinity();
  EXPECT_NE(text().find("never ran empty"), std::string::npos);
}

TEST(Warnings, QueuedButNotOfMessages) {
  Results r = good();
  r.classes[0].queue_latency_mean_cycles = 20.5;
  EXPECT_EQ(said(r), "queued of packets ");
  EXPECT_EQ(said(r, 4), "") << "those of a message always wait";
}

}  // namespace
}  // namespace braid::test::warnings_test
