// The registers of PO2 routers by themselves: what a port counts in each of its uses, what a router says of its pool,
// what is made of its options, and that routers sleep when they have made their offers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_registers_test {
namespace {

using models::Experiment;
using models::po2::Buffer;
using models::po2::Options;
using models::po2::Port;
using models::po2::Router;

/// Busy, waiting, coming and going cycles.
std::vector<std::uint64_t> counts(const Port& port) {
  return {port.busy_cycles, port.waiting_cycles, port.coming_cycles, port.going_cycles};
}
using Counts = std::vector<std::uint64_t>;

/// A port in each use for another number of cycles: 10, 5, 3, 2, 7 and 11.
TEST(Po2Port, CountsTheCyclesOfEachUse) {
  Port port;
  port.count_to(10);
  EXPECT_EQ(counts(port), (Counts{0, 0, 0, 0})) << "nobody wants it";
  EXPECT_EQ(port.since, 10U);
  port.wanted = 2;
  port.count_to(15);
  EXPECT_EQ(counts(port), (Counts{0, 5, 0, 0})) << "idle, however many want it";
  port.use = Port::Use::kSending;
  EXPECT_TRUE(port.goes_out());
  port.count_to(18);
  EXPECT_EQ(counts(port), (Counts{3, 5, 0, 3}));
  port.use = Port::Use::kReceiving;
  EXPECT_FALSE(port.goes_out());
  port.count_to(20);
  EXPECT_EQ(counts(port), (Counts{5, 5, 2, 3}));
  port.use = Port::Use::kRejected;
  EXPECT_FALSE(port.goes_out()) << "the far end offers";
  port.count_to(27);
  EXPECT_EQ(counts(port), (Counts{12, 5, 2, 3}));
  port.sent_last = true;
  EXPECT_TRUE(port.goes_out());
  port.count_to(38);
  EXPECT_EQ(counts(port), (Counts{23, 5, 2, 14}));
  for (const std::uint64_t before : {38U, 37U, 0U}) {
    port.count_to(before);
    EXPECT_EQ(counts(port), (Counts{23, 5, 2, 14}));
    EXPECT_EQ(port.since, 38U);
  }
  port.use = Port::Use::kIdle;
  EXPECT_FALSE(port.goes_out());
}

/// Three ports, and packets in buffers 4, 7 and 9 that want one each; 9 is being rejected.
Router waiting_router() {
  Router router;
  router.buffers.resize(64);
  router.ports.resize(3);
  router.offers.resize(3);
  router.idle = 0b111;
  router.free = ~std::uint64_t{0};
  std::uint64_t wants = 1;
  for (const std::uint8_t b : {4, 7, 9}) {
    router.buffers[b].state = Buffer::State::kWaiting;
    router.buffers[b].message = 100U + b;
    router.buffers[b].wants = wants;
    router.waiting.push_back(b);
    router.free &= ~(std::uint64_t{1} << b);
    wants *= 2;
  }
  router.buffers[9].trying = true;
  return router;
}
constexpr std::uint64_t bit(unsigned b) { return std::uint64_t{1} << b; }

TEST(Po2Router, KnowsWhoWasHeldOff) {
  Router router = waiting_router();
  EXPECT_EQ(router.held_off(5), bit(4) | bit(7)) << "no offer was ever made; who is on trial waits for nothing";
  router.offers[0].cycle = 5;
  router.offers[0].buffer = 4;
  EXPECT_EQ(router.held_off(5), bit(7)) << "one was made for 4";
  EXPECT_EQ(router.held_off(6), bit(4) | bit(7)) << "in another cycle";
  router.buffers[4].wants = 0b011;
  EXPECT_EQ(router.held_off(5), bit(7)) << "at one of its ports is enough";
  router.buffers[7].wants = 0b001;
  EXPECT_EQ(router.held_off(5), 0U) << "its port is another's";
  router.offers[0].inject = true;  // of the node: buffer 4 is not in it
  EXPECT_EQ(router.held_off(5), bit(4)) << "port 1 is open to it";
  router.idle = 0b001;
  EXPECT_EQ(router.held_off(5), 0U) << "port 1 is in use";
}

TEST(Po2Router, CountsItsPoolAndItsPorts) {
  Router router = waiting_router();
  EXPECT_EQ(router.held(), 3U);
  EXPECT_EQ(router.coming(), 0U);
  EXPECT_EQ(router.going(), 0U);
  router.ports[0].use = Port::Use::kReceiving;
  router.ports[1].use = Port::Use::kSending;
  router.ports[2].use = Port::Use::kReceiving;
  EXPECT_EQ(router.coming(), 2U);
  EXPECT_EQ(router.going(), 1U);
  router.free = 0;
  EXPECT_EQ(router.held(), 64U);
}

/// A packet of a message counts from its header's first flit until it begins to leave.
TEST(Po2Router, HoldsAMessageUntilItsPacketLeaves) {
  Router router = waiting_router();
  EXPECT_TRUE(router.holds_waiting(107));
  EXPECT_FALSE(router.holds_waiting(108));
  router.buffers[7].state = Buffer::State::kArriving;
  EXPECT_TRUE(router.holds_waiting(107));
  for (const Buffer::State gone : {Buffer::State::kLeaving, Buffer::State::kFree}) {
    router.buffers[7].state = gone;
    EXPECT_FALSE(router.holds_waiting(107));
  }
  EXPECT_TRUE(router.holds_waiting(104));
}

/// Of pools of every size that there is at the ends, and of ports that are wired.
TEST(Po2Router, BeginsWithAFreePoolAndIdlePorts) {
  for (const std::size_t buffers : {1U, 2U, 63U, 64U}) {
    Experiment e = small_po2(3, 2);
    e.set("po2.buffers", static_cast<std::int64_t>(buffers));
    const Bench bench(e);
    for (std::size_t r = 0; r < 6; ++r) {
      const Router& router = po2_fabric(bench).routers()[r];
      ASSERT_EQ(router.buffers.size(), buffers);
      EXPECT_EQ(router.held(), 0U);
      EXPECT_EQ(static_cast<std::size_t>(__builtin_popcountll(router.free)), buffers);
      EXPECT_TRUE(router.waiting.empty());
      EXPECT_EQ(router.held_off(0), 0U);
      for (std::size_t p = 0; p < router.ports.size(); ++p) {
        const routing::PortKind kind = bench.topology.port(RouterId{r}, PortId{p}).kind;
        EXPECT_EQ((router.idle >> p) & 1, kind == routing::PortKind::kUnconnected ? 0U : 1U) << r << " " << p;
        EXPECT_EQ((router.local >> p) & 1, kind == routing::PortKind::kLocal ? 1U : 0U) << r << " " << p;
        EXPECT_EQ(router.offers[p].cycle, models::po2::Offer::kNever);
        EXPECT_EQ(counts(router.ports[p]), (Counts{0, 0, 0, 0}));
      }
    }
  }
}

/// docs/configuration.md: the ends of each range are read, a step outside is refused.
TEST(Po2Options, HaveTheirRanges) {
  const auto read = [](const char* key, const auto& value) {
    Experiment e;
    e.set(key, value);
    return models::po2::options().read(e);
  };
  const auto said = [&](const char* key, const auto& value) { return complaint([&] { (void)read(key, value); }); };
  struct Range {
    const char* key;
    std::int64_t least, most;
    std::uint32_t Options::* field;
  };
  for (const Range& r :
       {Range{"po2.buffers", 1, 64, &Options::buffers}, Range{"po2.header_cycles", 1, 10000, &Options::header_cycles},
        Range{"po2.inject_overhead_cycles", 0, 10000, &Options::inject_overhead_cycles},
        Range{"po2.eject_overhead_cycles", 0, 10000, &Options::eject_overhead_cycles},
        Range{"po2.acknowledge_cycles", 0, 10000, &Options::acknowledge_cycles},
        Range{"po2.crossbar_in_ports", 0, 64, &Options::crossbar_in_ports},
        Range{"po2.crossbar_out_ports", 0, 64, &Options::crossbar_out_ports},
        Range{"po2.switch_cycles", 0, 100000, &Options::switch_cycles},
        Range{"po2.miss_cycles", 0, 100000, &Options::miss_cycles},
        Range{"po2.cached_messages", 1, 1000, &Options::cached_messages}}) {
    const std::string expected = ": expected integer, " + std::to_string(r.least) + " to " + std::to_string(r.most);
    EXPECT_EQ(read(r.key, r.least).*r.field, r.least) << r.key;
    EXPECT_EQ(read(r.key, r.most).*r.field, r.most) << r.key;
    EXPECT_EQ(said(r.key, r.least - 1), r.key + (" = " + std::to_string(r.least - 1)) + expected);
    EXPECT_EQ(said(r.key, r.most + 1), r.key + (" = " + std::to_string(r.most + 1)) + expected);
  }
  EXPECT_EQ(read("po2.error_rate", 0.0).error_rate, 0.0);
  EXPECT_EQ(read("po2.error_rate", 0.9).error_rate, 0.9);
  EXPECT_NE(said("po2.error_rate", 0.901), "");
  EXPECT_NE(said("po2.error_rate", -0.001), "");
}

/// What no experiment says: the paper's numbers, and none of the mechanisms beside it.
TEST(Po2Options, AreThePapersWhereNothingIsSaid) {
  const Options o = models::po2::options().read(Experiment());
  EXPECT_EQ(o.buffers, 20U);
  EXPECT_EQ(o.header_cycles, 12U);
  EXPECT_EQ(o.inject_overhead_cycles, 80U);
  EXPECT_EQ(o.eject_overhead_cycles, 20U);
  EXPECT_EQ(o.acknowledge_cycles, 20U);
  EXPECT_TRUE(o.reject_same_message);
  EXPECT_EQ(o.port_discipline, models::po2::PortDiscipline::kPassRefused);
  EXPECT_EQ(o.rejection, models::po2::Rejection::kSeen);
  EXPECT_EQ(o.error_rate, 0.0);
  EXPECT_EQ(o.crossbar_in_ports, 0U);
  EXPECT_EQ(o.crossbar_out_ports, 0U);
  EXPECT_EQ(o.switch_cycles, 0U);
  EXPECT_EQ(o.miss_cycles, 0U);
  EXPECT_EQ(o.cached_messages, 1U);
  EXPECT_EQ(o.avoidance, "none");
  EXPECT_EQ(models::po2::beyond_avoidance(o), "");
}

/// The routers' registers as a checkpoint has them.
std::string registers_of(const Bench& bench) {
  Checkpoint c;
  c.set_network(bench.topology.node_count(), bench.topology.router_count());
  bench.network->fabric().checkpoint(c);
  return c.bytes();
}
std::size_t bytes_that_differ(const std::string& one, const std::string& other) {
  EXPECT_EQ(one.size(), other.size());
  std::size_t differ = 0;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) differ += one[i] != other[i] ? 1 : 0;
  return differ;
}

/// Who is woken shows in two places: its own, and that somebody is. Both are as before when it has had its cycle.
TEST(Po2Wakes, EndWithTheCycleInWhichOffersAreMade) {
  Bench bench(small_po2(2, 1));
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(100);
  EXPECT_EQ(bench.delivered(), 1U);
  models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
  for (int again = 0; again < 2; ++again) {
    const std::string asleep = registers_of(bench);
    slice.wake(0);
    const std::string one = registers_of(bench);
    EXPECT_EQ(bytes_that_differ(asleep, one), 2U);
    slice.wake(1);
    EXPECT_EQ(bytes_that_differ(one, registers_of(bench)), 1U) << "somebody is awake already";
    bench.run(1);
  }
}

/// In two slices, each of which wakes routers of the other: a list of them is forgotten when it was read, and not only
/// behind a checkpoint.
TEST(Po2Wakes, AreForgottenWhenTheyWereRead) {
  Bench never(small_po2(4, 1), 2), always(small_po2(4, 1), 2);
  for (const Bench* bench : {&never, &always}) {
    for (std::size_t from = 0; from < 4; ++from) bench->network->send_packet(NodeId{from}, NodeId{3 - from}, 4);
  }
  for (int cycle = 0; cycle < 300; ++cycle) {
    never.run(1);
    always.run(1);
    (void)registers_of(always);
  }
  EXPECT_EQ(never.delivered(), 4U);
  EXPECT_EQ(registers_of(never), registers_of(always));
}

}  // namespace
}  // namespace braid::test::po2_registers_test
