// What a watch tells of packets whose records are made by hand: every event, on which side of which cycle it is told,
// and the rows of a waveform (docs/packet-log.md, "Watching a few packets"). Networks: packet_watch_test.cpp.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "models/fabric/packet_watch.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/lone_log.h"

namespace braid::test::packet_watch_events_test {
namespace {

using models::PacketLog;
using models::PacketRecord;
using Lines = std::vector<std::string>;

routing::Topology row_of_three() {
  Configuration c;
  c.set("topology.width", 3);
  c.set("topology.height", 1);
  return routing::make_topology(c);
}

std::string line(std::uint64_t cycle, std::uint64_t after, const std::string& packet, const std::string& event) {
  std::ostringstream text;
  text << std::right << std::setw(10) << cycle << "  " << std::setw(6) << "+" + std::to_string(after) << "  "
       << std::left << std::setw(12) << packet << "  " << event;
  return text.str();
}

/// Three routers in a row, a node each.
struct Watched : LoneLog {
  routing::Topology topology = row_of_three();

  Watched() : LoneLog({true, true}) {}
  PortId port(std::uint32_t router, const std::string& name) const {
    std::size_t p = 0;
    while (topology.port(RouterId{router}, PortId{p}).name != name) ++p;
    return PortId{p};
  }
  PacketRecord::Visit visit(std::uint64_t cycle, std::uint32_t router, const std::string& in) const {
    return {cycle, RouterId{router}, port(router, in)};
  }
  /// In the run whose last cycle is `last`; without the heading.
  Lines lines(const std::string& what, std::uint64_t last) {
    log.end_cycle(last);
    Lines all;
    models::PacketWatch(topology, what).each_line(log, store, "-", [&](std::string_view one) {
      all.emplace_back(one);
    });
    all.erase(all.begin());
    return all;
  }
  /// A packet from node 1 to node 2 that rests at node 1 first, for whose link it waits or not.
  PacketRecord& rests(std::uint64_t begins) {
    models::Packet packet = packet_made(5, 1, 4, 2);
    packet.injected = 8;
    packet.routers = 3;
    PacketRecord& record = *add(packet).record;
    record.path = {visit(10, 1, "local0"), visit(60, 1, "local0"), visit(70, 2, "west")};
    record.rests = {{NodeId{1}, 20, 30, 40, begins}};
    record.left_queue = 9;
    record.delivered = 75;
    return record;
  }
};

TEST(WatchedEvents, AreAllThatHappensToAPacketThatRests) {
  Watched w;
  w.rests(55);
  const Lines all{line(5, 0, "1.4", "made for node 2, 1 flits"),
                  line(8, 3, "1.4", "head on the injection link"),
                  line(9, 1, "1.4", "tail out of the source queue"),
                  line(10, 1, "1.4", "routed at 1,0 from local0, leaves for the in-transit buffer of node 1"),
                  line(20, 10, "1.4", "detection begins in the in-transit buffer of node 1"),
                  line(30, 10, "1.4", "is known to be in transit; programming begins at node 1"),
                  line(40, 10, "1.4", "waits for the link of node 1"),
                  line(55, 15, "1.4", "begins its next leg at node 1"),
                  line(60, 5, "1.4", "routed at 1,0 from local0, leaves by east"),
                  line(70, 10, "1.4", "routed at 2,0 from west"),
                  line(75, 5, "1.4", "delivered at node 2, latency 70, 3 routers")};
  EXPECT_EQ(w.lines("source=1", 99), all);
  EXPECT_EQ(w.lines("packet=1.4", 99), all);
  EXPECT_EQ(w.lines("packet=1.3 packet=0.4", 99), Lines{});
  EXPECT_EQ(w.lines("router=1,0", 99), Lines(all.begin() + 3, all.begin() + 9)) << "and at its node";
  EXPECT_EQ(w.lines("router=2,0", 99), Lines(all.begin() + 9, all.begin() + 10));
  EXPECT_EQ(w.lines("router=0,0", 99), Lines{});
  EXPECT_EQ(w.lines("router=2,0 source=1", 99), all);
}

/// The line that says that it waits is left out where it need not.
TEST(WatchedEvents, SayThatItWaitsForTheLinkOnlyIfItDoes) {
  Watched w;
  w.rests(40);
  const Lines lines = w.lines("router=1,0", 99);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[2], line(30, 10, "1.4", "is known to be in transit; programming begins at node 1"));
  EXPECT_EQ(lines[3], line(40, 10, "1.4", "begins its next leg at node 1"));
}

/// A cycle that has not run is not told: at N - 1 and at N.
TEST(WatchedEvents, OfARestAreToldOnceTheirCycleHasRun) {
  for (const auto& [last, events] : {std::pair(29, 2U), std::pair(30, 3U), std::pair(39, 3U), std::pair(40, 4U),
                                     std::pair(54, 4U), std::pair(55, 5U)}) {
    Watched w;
    PacketRecord& record = w.rests(55);
    record.path.resize(1);
    record.delivered.reset();
    EXPECT_EQ(w.lines("router=1,0", static_cast<std::uint64_t>(last)).size(), events) << last;
  }
}

/// Which of its visits a packet left for the buffer: the last before its mark was there. A mark in the cycle in which
/// it is routed again is of the visit before.
TEST(WatchedEvents, NameTheBufferBehindTheVisitThatItFollows) {
  const std::string to_buffer = ", leaves for the in-transit buffer of node 1";
  for (const auto& [here, first] :
       {std::pair(10, false), std::pair(11, true), std::pair(60, true), std::pair(61, false)}) {
    Watched w;
    PacketRecord& record = w.rests(0);
    record.rests[0] = {NodeId{1}, static_cast<std::uint64_t>(here), 200, 300, 0};
    const Lines lines = w.lines("router=1,0", 99);
    std::size_t told = 0;
    for (const std::string& one : lines) {
      if (one.find(to_buffer) == std::string::npos) continue;
      ++told;
      EXPECT_EQ(one.find("        10 ") == 0, first) << one;
    }
    EXPECT_EQ(told, here == 10 ? 0U : 1U) << here;
  }
}

TEST(WatchedEvents, SayHowAPacketEnded) {
  Watched w;
  PacketRecord& lost = *w.add(packet_made(5, 0, 0, 2)).record;
  lost.path = {w.visit(10, 0, "local0")};
  lost.lost = 30;
  PacketRecord& under_way = *w.add(packet_made(6, 0, 1, 2)).record;
  under_way.path = {w.visit(11, 0, "local0"), w.visit(16, 1, "west")};
  w.add(packet_made(7, 0, 2, 2));
  EXPECT_EQ(w.lines("source=0", 99),
            (Lines{line(5, 0, "0.0", "made for node 2, 1 flits"), line(6, 0, "0.1", "made for node 2, 1 flits"),
                   line(7, 0, "0.2", "made for node 2, 1 flits"),
                   line(10, 5, "0.0", "routed at 0,0 from local0, and is lost"),
                   line(11, 5, "0.1", "routed at 0,0 from local0, leaves by east"),
                   line(16, 5, "0.1", "routed at 1,0 from west, not at the next router when the run ended"),
                   line(30, 20, "0.0", "lost: the last of it is gone")}));
}

/// Of one cycle they stand in the order of a packet's life, and packets by their source and number.
TEST(WatchedEvents, OfOneCycleKeepTheirOrder) {
  Watched w;
  for (const std::uint32_t sequence : {12, 2}) {
    models::Packet packet = packet_made(5, 0, sequence, 1);
    packet.injected = 5;
    packet.routers = 2;
    PacketRecord& record = *w.add(packet).record;
    record.path = {w.visit(5, 0, "local0"), w.visit(5, 1, "west")};
    record.left_queue = record.delivered = 5;
  }
  Lines expected;
  for (const std::string packet : {"0.2", "0.12"}) {
    for (const char* event :
         {"made for node 1, 1 flits", "head on the injection link", "routed at 0,0 from local0, leaves by east",
          "routed at 1,0 from west", "tail out of the source queue", "delivered at node 1, latency 0, 2 routers"}) {
      expected.push_back(line(5, 0, packet, event));
    }
  }
  EXPECT_EQ(w.lines("source=0", 99), expected);
}

/// 0: not in the network, 1: in its source's queue, from 2 on routers, behind them four states a node.
TEST(WatchedRows, SayWherePacketsAreAndHowMany) {
  Watched w;
  PacketRecord& first = *w.add(packet_made(1, 1, 0, 2)).record;
  PacketRecord& second = *w.add(packet_made(1, 1, 1, 2)).record;
  w.add(packet_made(1, 0, 0, 2));
  const models::PacketWatch watch(w.topology, "packet=1.1 source=1 router=1,0 router=2,0 packet=2.0");
  models::SignalTable table;
  const auto rows = watch.signals(table, w.log);
  const auto at = [&](std::uint64_t cycle) {
    rows->sample(cycle);
    std::vector<std::uint64_t> values;
    for (const models::Signal& signal : table.signals()) values.push_back(signal.value);
    return values;
  };
  using Values = std::vector<std::uint64_t>;
  ASSERT_EQ(table.signals().size(), 5U);
  EXPECT_EQ(table.signals()[0].scope + "." + table.signals()[0].name, "watch.packet_1_1");
  EXPECT_EQ(table.signals()[2].name, "router_1_0");
  EXPECT_EQ(table.signals()[0].follows, models::packet_number(1, 1));
  EXPECT_EQ(table.signals()[1].follows, 0U);
  EXPECT_EQ(at(1), (Values{1, 2, 0, 0, 0}));
  first.path = {w.visit(3, 1, "local0")};
  second.path = {w.visit(2, 1, "local0")};
  EXPECT_EQ(at(3), (Values{2 + 1, 2, 2, 0, 0}));
  first.path.push_back(w.visit(4, 2, "west"));
  second.rests = {{NodeId{1}, 4, 6, 8, 0}};
  EXPECT_EQ(at(4), (Values{5 + 4, 2, 1, 1, 0})) << "detecting";
  EXPECT_EQ(at(5)[0], 5U + 4U);
  EXPECT_EQ(at(6)[0], 5U + 4U + 1U) << "programming";
  EXPECT_EQ(at(7)[0], 5U + 4U + 1U);
  EXPECT_EQ(at(8)[0], 5U + 4U + 2U) << "waits for the link";
  second.rests[0].begins = 10;
  EXPECT_EQ(at(9)[0], 5U + 4U + 2U);
  EXPECT_EQ(at(10)[0], 5U + 4U + 3U) << "sending";
  second.path.push_back(w.visit(12, 1, "local0"));
  EXPECT_EQ(at(12), (Values{2 + 1, 2, 1, 1, 0}));
  first.delivered = 13;
  EXPECT_EQ(at(13), (Values{2 + 1, 1, 1, 0, 0}));
  second.lost = 14;
  EXPECT_EQ(at(14), (Values{0, 0, 0, 0, 0}));
  const models::SignalValues& names = *table.signals()[0].values;
  EXPECT_EQ(names.values.size(), 2U + 3U + 3U * 4U);
  EXPECT_EQ(names.values[5 + 4 + 2], "node 1 waits for the link");
  EXPECT_EQ(names.values[4], "2,0");
}

}  // namespace
}  // namespace braid::test::packet_watch_events_test
