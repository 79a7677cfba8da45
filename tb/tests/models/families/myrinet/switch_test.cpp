// Myrinet-like switches by exact cycle, as docs/in-transit-buffers.md draws them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::switch_test {
namespace {

using models::Experiment;

constexpr std::uint32_t kHostCable = 1, kLink = 8, kRouting = 24;

/// Cycles from the first flit on the injection link until the tail is at the destination, both included.
std::uint32_t zero_load(std::uint32_t switches, std::uint32_t flits) {
  return 2 * kHostCable + (switches - 1) * kLink + switches * kRouting + flits;
}

struct Way {
  std::uint32_t from, to, switches, flits;
};
class SwitchZeroLoad : public testing::TestWithParam<Way> {};

TEST_P(SwitchZeroLoad, IsCablesHeadersAndTheLength) {
  const Way way = GetParam();
  Bench bench(myrinet_row(4));
  bench.run(10);
  bench.network->send_packet(NodeId{way.from}, NodeId{way.to}, way.flits);
  const std::uint32_t cycles = zero_load(way.switches, way.flits);
  bench.run(cycles - 1);
  EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << cycles;
  const models::Conservation c = bench.network->conservation();
  EXPECT_TRUE(c.holds());
  EXPECT_EQ(c.flits_delivered, way.flits) << "headers do not count";
}
INSTANTIATE_TEST_SUITE_P(Ways, SwitchZeroLoad,
                         testing::Values(Way{0, 0, 1, 1}, Way{0, 0, 1, 512}, Way{0, 1, 2, 32}, Way{3, 1, 3, 512},
                                         Way{0, 3, 4, 1024}),
                         [](const auto& c) {
                           return std::to_string(c.param.from) + "to" + std::to_string(c.param.to) + "of" +
                                  std::to_string(c.param.flits);
                         });

/// Node 1 holds switch 1's output to the east while node 0's packet comes to it.
class BlockedSwitch : public testing::Test {
 protected:
  BlockedSwitch() : bench(myrinet_row(3)) {
    bench.run(kBegin);
    bench.network->send_packet(NodeId{1}, NodeId{2}, kFirst);
    bench.network->send_packet(NodeId{0}, NodeId{2}, kSecond);
  }
  /// Runs to the end of a cycle.
  void run_through(std::uint64_t cycle) { bench.run(cycle + 1 - bench.network->now()); }
  const models::myrinet::Channel& buffer() const { return into(bench, 1, routing::kWest); }

  static constexpr std::uint64_t kBegin = 10, kFirst = 512, kSecond = 400;
  // The second packet's header is at switch 1 after two cables and a header; a cycle later its next flit is there.
  static constexpr std::uint64_t kHeader = kBegin + kHostCable + kRouting + kLink;
  static constexpr std::uint64_t kStop = kHeader + 56;
  Bench bench;
};

TEST_F(BlockedSwitch, TheBufferStopsItsSenderAtFiftySixFlits) {
  run_through(kStop - 1);
  EXPECT_FALSE(buffer().stopping);
  run_through(kStop);
  EXPECT_TRUE(buffer().stopping);
  EXPECT_EQ(buffer().occupancy(kStop), 56U);
  EXPECT_TRUE(buffer().go) << "the signal is under way";
  run_through(kStop + kLink - 1);
  EXPECT_TRUE(buffer().sent.running());
  run_through(kStop + kLink);
  EXPECT_FALSE(buffer().go);
  EXPECT_FALSE(buffer().sent.running());
}

TEST_F(BlockedSwitch, WhatIsOnTheLinkWhenStopComesStillFits) {
  std::uint64_t most = 0;
  for (std::uint64_t cycle = kBegin; cycle < 1200; ++cycle) {
    run_through(cycle);
    most = std::max(most, buffer().occupancy(cycle));
  }
  EXPECT_EQ(most, 56U + 2 * kLink - 1);
}

TEST_F(BlockedSwitch, ThePortIsFreeBehindTheTailAndTheNextHeaderIsRouted) {
  // 513 flits of the first packet (a header for switch 2) leave switch 1 from kBegin + 25 on.
  const std::uint64_t tail = kBegin + kHostCable + kRouting + kFirst;
  const std::uint64_t first_flit = tail + 1 + kRouting;
  const std::uint64_t delivered = first_flit + kLink + kRouting + kHostCable + kSecond - 1;
  run_through(delivered - 1);
  EXPECT_EQ(bench.delivered(), 1U);
  run_through(delivered);
  EXPECT_EQ(bench.delivered(), 2U) << "go came early enough to leave no gap";
}

TEST_F(BlockedSwitch, GoComesAtFortyFlits) {
  const std::uint64_t first_flit = kBegin + kHostCable + kRouting + kFirst + 1 + kRouting;
  const std::uint64_t forty = first_flit + (56 + 2 * kLink - 1 - 40);  // one leaves in each cycle
  run_through(forty - 1);
  EXPECT_TRUE(buffer().stopping);
  run_through(forty);
  EXPECT_FALSE(buffer().stopping);
  run_through(forty + kLink - 1);
  EXPECT_FALSE(buffer().sent.running());
  run_through(forty + kLink);
  EXPECT_TRUE(buffer().sent.running());
  EXPECT_EQ(buffer().stopped.at(forty + kLink), forty - kStop) << "cycles on which the packet was held";
}

/// The host of switch 1 passes a packet on while it comes. The buffer before it lets its sender go on when it is empty
/// (go_flits = 0), 200 cycles before more comes: the host has sent all that it has by then, and waits.
TEST(MyrinetInTransit, AHostSendsNothingThatHasNotCome) {
  Experiment e = myrinet_row(3, "every_switch");
  e.set("topology.link_latency_cycles", 100);
  e.set("router.slack_flits", 300);
  e.set("router.go_flits", 0);
  Bench bench(e);
  const auto& slice = myrinet_of(bench).slice();
  const models::PortIndex into_host = slice.wiring().local_ports[1].router_port;
  const auto &come = slice.channels()[into_host], &sent = slice.channels()[slice.wiring().injection_port(1)];
  bench.run(10);
  bench.network->send_packet(NodeId{1}, NodeId{1}, 512);  // has the port to the host
  bench.network->send_packet(NodeId{0}, NodeId{2}, 1500);
  while (bench.delivered() == 0 && bench.network->now() < 2000) bench.run(1);
  const std::uint64_t now = bench.network->now(), come_before = come.arrived.at(now), sent_before = sent.sent.at(now);
  std::uint64_t waited = 0;
  while (bench.delivered() < 2 && bench.network->now() < 6000) {
    bench.run(1);
    const std::uint64_t cycle = bench.network->now();
    ASSERT_LE(sent.sent.at(cycle) - sent_before, come.arrived.at(cycle) - come_before) << "in cycle " << cycle;
    waited += sent.open && sent.source == into_host && !sent.sent.running() ? 1 : 0;
  }
  EXPECT_EQ(bench.delivered(), 2U);
  EXPECT_GT(waited, 50U);
}

/// Nodes 0 and 2 and the host of switch 1 all send through switch 1 to its host: it goes round.
TEST(MyrinetSwitch, GrantsItsOutputRoundRobin) {
  Experiment e = myrinet_row(3);
  Bench bench(e);
  bench.run(10);
  for (const std::uint32_t node : {2U, 2U, 0U, 0U}) bench.network->send_packet(NodeId{node}, NodeId{1}, 64);
  bench.run(5000);
  EXPECT_EQ(bench.delivered(), 4U);
  // Ports: 0 east (from node 2), 1 west (from node 0). Both first headers come in one cycle: port 0, then 1, 0, 1.
  // A packet takes the output for 24 cycles of routing and 64 of flits.
  Bench again(e);
  again.run(10);
  for (const std::uint32_t node : {2U, 2U, 0U, 0U}) again.network->send_packet(NodeId{node}, NodeId{1}, 64);
  const std::uint32_t first = zero_load(2, 64);
  for (std::uint32_t i = 0; i < 4; ++i) {
    again.run(i == 0 ? first - 1 : kRouting + 64 - 1);
    EXPECT_EQ(again.delivered(), i) << "a cycle before packet " << i;
    again.run(1);
    EXPECT_EQ(again.delivered(), i + 1);
  }
}

void expect_refused(Experiment e, const std::string& key, const std::string& value, const std::string& text) {
  try {
    e.set(key, value);
    const Bench bench(e);
    ADD_FAILURE() << "not refused: " << key << " = " << value;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(MyrinetSwitch, RefusesWhatItCannotBe) {
  Experiment e = myrinet_row(3);
  e.set("router.slack_flits", 70);
  EXPECT_THROW(Bench{e}, InputError) << "56 + 2 * 8 - 1 = 71 meet there";
  e.set("router.slack_flits", 71);
  EXPECT_NO_THROW(Bench{e});
  e.set("router.go_flits", 56);
  EXPECT_THROW(Bench{e}, InputError);
  Experiment times = myrinet_row(3);
  times.set("router.routing_ns", 151.0);
  EXPECT_THROW(Bench{times}, InputError);
  times.set("router.routing_ns", 156.25);
  EXPECT_NO_THROW(Bench{times});
  Experiment vcs = myrinet_row(3);
  vcs.set("router.vcs", 2);
  EXPECT_THROW(Bench{vcs}, InputError);
  expect_refused(myrinet_row(3), "routing.algorithm", "x_first", "expected routing.algorithm = \"source_routed\"");
}

/// What each is refused for, and the last value that is not.
TEST(MyrinetSwitch, SaysWhatItExpects) {
  const auto said = [](const std::string& key, std::int64_t value) {
    Experiment e = myrinet_row(3);
    return complaint([&] {
      e.set(key, value);
      const Bench bench(e);
    });
  };
  EXPECT_EQ(said("router.slack_flits", 70),
            "router.slack_flits = 70: stop at 56 comes too late for a link this long; expected 71 or more");
  EXPECT_EQ(said("topology.link_latency_cycles", 13),
            "router.slack_flits = 80: stop at 56 comes too late for a link this long; expected 81 or more");
  EXPECT_EQ(said("topology.link_latency_cycles", 12), "");
  EXPECT_EQ(said("router.go_flits", 56), "router.go_flits = 56: expected less than router.stop_flits = 56");
  EXPECT_EQ(said("router.go_flits", 55), "");
  EXPECT_EQ(said("router.vcs", 2), "router.vcs = 2: Myrinet's links have no virtual channels; expected 1");
  EXPECT_EQ(said("topology.local_ports", 2),
            "topology.local_ports = 2: a host has one cable in a Myrinet network; expected 1");
}

/// docs/configuration.md: the ends of each range are read, a step outside is refused.
TEST(MyrinetOptions, HaveTheirRangesAndTheNumbersOfThePaper) {
  const auto read = [](const char* key, const auto& value) {
    Experiment e;
    e.set(key, value);
    return models::myrinet::options().read(e);
  };
  const auto said = [&](const char* key, const auto& value) { return complaint([&] { (void)read(key, value); }); };
  struct Range {
    const char* key;
    std::int64_t least, most;
    std::uint32_t models::myrinet::Options::* field;
  };
  for (const Range& r : {Range{"router.slack_flits", 2, 65535, &models::myrinet::Options::slack_flits},
                         Range{"router.stop_flits", 1, 65535, &models::myrinet::Options::stop_flits},
                         Range{"router.go_flits", 0, 65535, &models::myrinet::Options::go_flits}}) {
    const std::string expected = ": expected integer, " + std::to_string(r.least) + " to " + std::to_string(r.most);
    EXPECT_EQ(read(r.key, r.least).*r.field, r.least) << r.key;
    EXPECT_EQ(read(r.key, r.most).*r.field, r.most) << r.key;
    EXPECT_EQ(said(r.key, r.least - 1), r.key + (" = " + std::to_string(r.least - 1)) + expected);
    EXPECT_EQ(said(r.key, r.most + 1), r.key + (" = " + std::to_string(r.most + 1)) + expected);
  }
  EXPECT_EQ(read("router.flit_time_ns", 0.001).flit_time_ns, 0.001);
  EXPECT_EQ(read("router.flit_time_ns", 1e6).flit_time_ns, 1e6);
  EXPECT_EQ(read("router.routing_ns", 0.001).routing_ns, 0.001);
  EXPECT_EQ(read("router.routing_ns", 1e9).routing_ns, 1e9);
  for (const char* key : {"router.flit_time_ns", "router.routing_ns"}) {
    EXPECT_NE(said(key, 0.0009), "") << key;
    EXPECT_NE(said(key, 1.001e9), "") << key;
  }
  EXPECT_NE(said("router.flit_time_ns", 1.001e6), "");
  const models::myrinet::Options paper;  // section 4.1: 160 MB/s, 150 ns, 80 bytes, stop at 56, go at 40
  EXPECT_EQ(paper.flit_time_ns, 1000.0 / 160);
  EXPECT_EQ(paper.routing_ns, 150.0);
  EXPECT_EQ(paper.slack_flits, 80U);
  EXPECT_EQ(paper.stop_flits, 56U);
  EXPECT_EQ(paper.go_flits, 40U);
  const models::myrinet::Timing none, of_paper = models::myrinet::timing_of(paper);
  EXPECT_EQ(none.cycle_ps, of_paper.cycle_ps);
  EXPECT_EQ(none.routing_cycles, of_paper.routing_cycles);
}

/// A buffer stops its sender with `stop_flits`, and lets it go on with `go_flits`.
TEST(MyrinetSwitch, StopsAndGoesAtItsTwoMarks) {
  const models::myrinet::Options o;
  for (const bool stopping : {false, true}) {
    EXPECT_FALSE(o.stops(stopping, 40));
    EXPECT_EQ(o.stops(stopping, 41), stopping);
    EXPECT_EQ(o.stops(stopping, 55), stopping);
    EXPECT_TRUE(o.stops(stopping, 56));
  }
  const models::myrinet::Timing times = models::myrinet::timing_of(o);
  EXPECT_EQ(times.cycle_ps, 6250U);
  EXPECT_EQ(times.routing_cycles, 24U);
}

}  // namespace
}  // namespace braid::test::switch_test
