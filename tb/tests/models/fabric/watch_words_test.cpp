// What may be watched, word by word: which packets it keeps records of, which have a line, what its rows in a waveform
// are; and what is refused. What is told of them: packet_watch_events_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/packet_watch.h"
#include "models/observe/signals.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/lone_log.h"

namespace braid::test::watch_words_test {
namespace {

using models::Packet;
using models::PacketLog;
using models::PacketRecord;
using models::PacketWatch;
using models::Signal;

routing::Topology row_of_three() {
  Configuration c;
  c.set("topology.width", 3);
  c.set("topology.height", 1);
  return routing::make_topology(c);
}

/// Packets as SOURCE.SEQUENCE, of three sources and of three sequences, one of which is the last that there may be.
const std::vector<std::pair<std::uint32_t, std::uint32_t>> kPackets{{0, 0}, {1, 0}, {1, 4}, {2, 4}, {2, UINT32_MAX}};

std::string name(const std::pair<std::uint32_t, std::uint32_t>& packet) {
  return std::to_string(packet.first) + "." + std::to_string(packet.second);
}

/// Which of them need a record.
std::string wanted(const std::string& what) {
  const routing::Topology topology = row_of_three();
  const PacketWatch watch(topology, what);
  std::string all;
  for (const auto& one : kPackets) {
    if (watch.wants(packet_made(5, one.first, one.second, 0))) all += (all.empty() ? "" : " ") + name(one);
  }
  return all;
}

TEST(WatchWords, SayWhichPacketsNeedARecord) {
  EXPECT_EQ(wanted("packet=1.4"), "1.4");
  EXPECT_EQ(wanted("packet=2.0"), "");
  EXPECT_EQ(wanted("packet=2.4294967295"), "2.4294967295");
  EXPECT_EQ(wanted("source=2"), "2.4 2.4294967295");
  EXPECT_EQ(wanted("source=0 packet=1.0"), "0.0 1.0");
  EXPECT_EQ(wanted("  source=1\tsource=1 "), "1.0 1.4");
  EXPECT_EQ(wanted("router=1,0"), "0.0 1.0 1.4 2.4 2.4294967295") << "any may come there";
  EXPECT_EQ(wanted("packet=1.4 router=2,0"), wanted("router=0,0"));
}

/// Of packet 1.4, made at 1,0 for node 2 and routed at 1,0 and 2,0; and of one that was routed nowhere.
TEST(WatchWords, SayWhichPacketsHaveALine) {
  const routing::Topology topology = row_of_three();
  PacketRecord moved, still;
  moved.packet = still.packet = packet_made(5, 1, 4, 2);
  moved.path = {{10, RouterId{1}, PortId{4}}, {15, RouterId{2}, PortId{1}}};
  const auto shown = [&](const std::string& what) {
    const PacketWatch watch(topology, what);
    return std::string(watch.shows(moved) ? "m" : "") + (watch.shows(still) ? "s" : "");
  };
  EXPECT_EQ(shown("packet=1.4"), "ms");
  EXPECT_EQ(shown("source=1"), "ms");
  EXPECT_EQ(shown("packet=1.5 source=0 packet=0.4"), "");
  EXPECT_EQ(shown("router=1,0"), "m");
  EXPECT_EQ(shown("router=2,0"), "m");
  EXPECT_EQ(shown("router=0,0"), "");
  EXPECT_EQ(shown("router=0,0 router=2,0"), "m");
  EXPECT_EQ(shown("router=0,0 packet=1.4"), "ms");
}

/// A packet's row names its place and follows it; those of sources and routers are numbers.
TEST(WatchWords, AreRowsOfTheirKind) {
  const routing::Topology topology = row_of_three();
  LoneLog log(PacketLog::Fates{});
  const PacketWatch watch(topology, "source=2 packet=1.4 router=1,0 packet=0.0");
  models::SignalTable table;
  const auto rows = watch.signals(table, log.log);
  ASSERT_EQ(table.signals().size(), 4U);
  const std::vector<std::string> names{"source_2", "packet_1_4", "router_1_0", "packet_0_0"};
  for (std::size_t i = 0; i < 4; ++i) {
    const Signal& s = table.signals()[i];
    EXPECT_EQ(s.scope, "watch");
    EXPECT_EQ(s.name, names[i]);
    EXPECT_EQ(s.bits, 32U);
    EXPECT_TRUE(s.shown);
    const bool of_packet = i % 2 == 1;
    EXPECT_EQ(s.kind == Signal::Kind::kPhase, of_packet) << s.name;
    EXPECT_EQ(s.kind == Signal().kind, !of_packet) << s.name;
    EXPECT_EQ(s.question, of_packet ? &models::kWherePacket : nullptr) << s.name;
    EXPECT_EQ(s.values != nullptr, of_packet) << s.name;
    EXPECT_EQ(s.follows, !of_packet ? 0 : i == 1 ? models::packet_number(1, 4) : models::packet_number(0, 0));
  }
  const models::SignalValues& places = *table.signals()[1].values;
  EXPECT_EQ(places.values, (std::vector<std::string>{"not_in_the_network", "source_queue", "0,0", "1,0", "2,0"}))
      << "no packet rests in this network";
}

/// A packet under way that nobody watches counts nowhere, one that is over neither.
TEST(WatchWords, CountWhatIsUnderWay) {
  const routing::Topology topology = row_of_three();
  LoneLog log(PacketLog::Fates{});
  const PacketWatch watch(topology, "source=1 packet=1.4 router=1,0");
  models::SignalTable table;
  const auto rows = watch.signals(table, log.log);
  const auto values = [&] {
    rows->sample(50);
    std::vector<std::uint64_t> all;
    for (const Signal& s : table.signals()) all.push_back(s.value);
    return all;
  };
  using Values = std::vector<std::uint64_t>;
  EXPECT_EQ(values(), (Values{0, 0, 0}));
  PacketRecord& other = *log.add(packet_made(5, 2, 4, 0)).record;
  PacketRecord& same_source = *log.add(packet_made(5, 1, 3, 0)).record;
  EXPECT_EQ(values(), (Values{1, 0, 0})) << "2.4 and 1.3 are not 1.4";
  other.path = {{10, RouterId{1}, PortId{0}}};
  EXPECT_EQ(values(), (Values{1, 0, 1}));
  same_source.path = {{10, RouterId{1}, PortId{0}}, {11, RouterId{0}, PortId{0}}};
  EXPECT_EQ(values(), (Values{1, 0, 1})) << "it has gone on";
  PacketRecord& watched = *log.add(packet_made(5, 1, 4, 0)).record;
  EXPECT_EQ(values(), (Values{2, 1, 1}));
  watched.path = {{12, RouterId{0}, PortId{4}}};
  EXPECT_EQ(values(), (Values{2, 2, 1}));
  other.delivered = 20;
  watched.lost = 30;
  EXPECT_EQ(values(), (Values{1, 0, 0}));
}

TEST(WatchWords, AreRefusedAsAWholeWord) {
  const routing::Topology topology = row_of_three();
  const auto said = [&](const std::string& what) {
    return complaint([&] { const PacketWatch watch(topology, what); });
  };
  const std::string things = "; known: packet, source, router", numbers = ", numbers from 0, nodes up to 2";
  EXPECT_EQ(said("router"), "watch.what: unknown router \"\"");
  EXPECT_EQ(said("router="), "watch.what: unknown router \"\"");
  EXPECT_EQ(said("router=router"), "watch.what: unknown router \"router\"");
  EXPECT_EQ(said("=1"), "watch.what: unknown thing \"\"" + things);
  EXPECT_EQ(said("link=1"), "watch.what: unknown thing \"link\"" + things);
  EXPECT_EQ(said("router=1,0 link=1"), "watch.what: unknown thing \"link\"" + things) << "the second word";
  for (const char* word : {"source", "source=", "source=3", "source=x", "source=1x", "source=1.4"}) {
    EXPECT_EQ(said(word), std::string("watch.what: ") + word + ": expected source=NODE" + numbers);
  }
  for (const char* word : {"packet=3.0", "packet=0.99999999999999999999999", "packet=99999999999999999999999.0"}) {
    EXPECT_EQ(said(word), std::string("watch.what: ") + word + ": expected packet=SOURCE.SEQUENCE" + numbers);
  }
  EXPECT_EQ(said("source=2 packet=2.4294967295 router=2,0"), "");
}

}  // namespace
}  // namespace braid::test::watch_words_test
