// What stands in the columns of the packet log, record by record (docs/packet-log.md), how CSV writes them, and which
// records leave memory. Networks that fill it: packet_log_test.cpp; Parquet: tb/python/test_parquet_log.py.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/fabric/packet_log.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/lone_log.h"
#include "tb/tests/support/program.h"
#include "tb/tests/support/saved.h"

namespace braid::test::packet_log_lines_test {
namespace {

using models::Packet;
using models::PacketLog;
using models::PacketRecord;

routing::Topology torus_of_nine() {
  Configuration c;
  c.set("topology.kind", "torus");
  c.set("topology.width", 3);
  c.set("topology.height", 3);
  return routing::make_topology(c);
}

struct Log : LoneLog {
  routing::Topology topology = torus_of_nine();

  using LoneLog::LoneLog;
  /// Packets made in cycle `created` that are over, or not.
  void add_many(std::size_t packets, std::uint64_t created, bool over) {
    for (std::size_t i = 0; i < packets; ++i) {
      const Packet& packet = add(packet_made(created, i % 2, static_cast<std::uint32_t>(i), 8));
      if (over) packet.record->delivered = created + 1;
    }
  }
  void each_block(const PacketLog::TakeColumns& take, bool path = true) const {
    log.columns(topology, store, [](const Packet& packet) { return "k" + std::to_string(packet.kind); }, take, path);
  }
  /// A line each: the kind, then NAME=VALUE, and "-" for no value.
  std::vector<std::string> lines(bool path = true) const {
    std::vector<std::string> all;
    const auto take = [&](const PacketLog::Columns& c) {
      for (std::size_t row = 0; row < c.kind.size(); ++row) {
        std::string line = c.kind[row];
        for (const auto& column : c.numbers) {
          const auto& value = column.values.at(row);
          line += std::string(" ") + column.name + "=" + (value ? std::to_string(*value) : "-");
        }
        if (c.path) line += " path=" + c.path->at(row);
        if (c.rests) line += " rests=" + c.rests->at(row);
        all.push_back(line);
      }
    };
    each_block(take, path);
    return all;
  }
};

/// The first one in full, to node 2 by router 1 (twice, for it rested there), 0 (as far away as 1), 3 (further) and 0
/// again. In cycle 49, the last that has run, it is known at node 2; what is to come is not told.
TEST(PacketLogLines, HaveWhatBecameOfEachPacket) {
  Log log({true, true});
  Packet whole = packet_made(5, 1, 9, 2);
  whole.injected = 7;
  whole.tag = 20;
  whole.tag_sequence = 21;
  whole.length_flits = 4;
  whole.kind = 3;
  whole.priority = whole.measured = true;
  PacketRecord& record = *log.add(whole).record;
  record.first_of_message = 30;
  record.message_packets = 31;
  record.escapes = 2;
  record.left_queue = 8;
  record.delivered = 40;
  record.path = {{10, RouterId{1}, PortId{3}}, {12, RouterId{1}, PortId{4}}, {15, RouterId{0}, PortId{1}},
                 {16, RouterId{3}, PortId{0}}, {20, RouterId{0}, PortId{2}}, {25, RouterId{2}, PortId{1}}};
  record.rests = {{NodeId{1}, 11, 13, 14, 50}, {NodeId{2}, 30, 49, 50, 0}};
  log.add(packet_made(6, 0, 0, 1)).record->lost = 33;
  log.add(packet_made(5, 0, 2, 8)).injected = 12;  // under way: as it is now
  Packet& over = log.add(packet_made(5, 0, 1, 8));
  over.record->delivered = 9;
  over.injected = 99;  // somebody else's by now
  log.log.end_cycle(49);
  EXPECT_EQ(log.log.now(), 50U);
  const std::string nobodys = "message=- message_packets=- priority=0 stream=- stream_packet=- ";
  EXPECT_EQ(
      log.lines(),
      (std::vector<std::string>{
          "k0 " + nobodys +
              "source=0 destination=8 sequence=1 flits=1 created=5 measured=0 injected=- left_queue=- delivered=9 "
              "routers=0 deroutes=0 escapes=0 lost=- path= rests=",
          "k0 " + nobodys +
              "source=0 destination=8 sequence=2 flits=1 created=5 measured=0 injected=12 left_queue=- delivered=- "
              "routers=0 deroutes=0 escapes=0 lost=- path= rests=",
          "k3 message=30 message_packets=31 priority=1 stream=20 stream_packet=21 source=1 destination=2 sequence=9 "
          "flits=4 created=5 measured=1 injected=7 left_queue=8 delivered=40 routers=5 deroutes=2 escapes=2 lost=- "
          "path=1:3@10 1:4@12 0:1@15 3:0@16 0:2@20 2:1@25 rests=1@11-13-14- 2@30-49--",
          "k0 " + nobodys +
              "source=0 destination=1 sequence=0 flits=1 created=6 measured=0 injected=- left_queue=- delivered=- "
              "routers=0 deroutes=0 escapes=0 lost=33 path= rests="}));
}

TEST(PacketLogLines, HaveNoColumnsOfWhatCannotBe) {
  Log log(PacketLog::Fates{});
  log.add(packet_made(5, 0, 0, 8));
  EXPECT_EQ(log.lines(false),
            std::vector<std::string>{
                "k0 message=- message_packets=- priority=0 stream=- stream_packet=- source=0 destination=8 sequence=0 "
                "flits=1 created=5 measured=0 injected=- left_queue=- delivered=- routers=0 deroutes=0 escapes=0"});
}

/// As Parquet's row groups are: 65536 lines each, and none that is empty but where there is no line at all.
TEST(PacketLogLines, Come65536AtATime) {
  Log log(PacketLog::Fates{});
  const auto blocks = [&] {
    std::vector<std::size_t> sizes;
    log.each_block([&](const PacketLog::Columns& c) { sizes.push_back(c.kind.size()); });
    return sizes;
  };
  EXPECT_EQ(blocks(), std::vector<std::size_t>{0});
  log.add_many(65536, 1, true);
  EXPECT_EQ(blocks(), std::vector<std::size_t>{65536});
  log.add_many(1, 2, true);
  EXPECT_EQ(blocks(), (std::vector<std::size_t>{65536, 1}));
}

/// Of 3000 packets under way and others that are over: these leave once 4096 records are held, then once there are
/// twice as many as stayed. Of those that have left, the ones that are wanted are still told.
TEST(PacketLogStream, MovesRecordsOutOnceTheyAreMany) {
  Log log(PacketLog::Fates{});
  log.log.stream(temporary_file("moved.csv"), [](const PacketRecord& r) { return r.packet.source == NodeId{1}; });
  log.add_many(3000, 1, false);
  log.add_many(1095, 2, true);
  log.log.end_cycle(3);
  EXPECT_EQ(log.held(), 4095U);
  log.add_many(1, 3, true);
  log.log.end_cycle(4);
  EXPECT_EQ(log.held(), 3000U);
  log.add_many(2999, 4, true);
  log.log.end_cycle(5);
  EXPECT_EQ(log.held(), 5999U);
  log.add_many(1, 5, true);
  log.log.end_cycle(6);
  EXPECT_EQ(log.held(), 3000U);
  EXPECT_EQ(log.lines().size(), 3000U + 1095U / 2 + 2999U / 2) << "of node 1 alone where they have left";
  log.log.check();
}

/// Bytes of a log of one packet: of its page how many records there are, the record, and how many have left memory.
/// Here the record is one of these, which are over.
TEST(PacketLogStream, TakesBackWhatHasLeftMemoryIfItIsOver) {
  for (const bool over : {true, false}) {
    Log from(PacketLog::Fates{}), to(PacketLog::Fates{});
    PacketRecord& record = *from.add(packet_made(5, 0, 7, 8)).record;
    if (over) record.delivered = 30;
    Checkpoint saves;
    from.log.checkpoint(saves, from.store);
    std::string bytes = saves.bytes();
    ASSERT_EQ(bytes[0], 1);
    ASSERT_EQ(bytes[bytes.size() - 8], 0);
    bytes = std::string(8, '\0') + '\1' + std::string(7, '\0') + bytes.substr(8, bytes.size() - 16);
    to.log.page(0);
    Checkpoint restores(bytes);
    const std::string refused = complaint<CheckpointError>([&] {
      to.log.checkpoint(restores, to.store);
      restores.finish();
    });
    EXPECT_EQ(refused, over ? "" : no_such_state("a packet that is over and is not"));
    if (!over) continue;
    ASSERT_EQ(to.lines().size(), 1U);
    EXPECT_NE(to.lines()[0].find("sequence=7 flits=1 created=5 measured=0 injected=- left_queue=- delivered=30"),
              std::string::npos);
  }
}

/// Every other packet of a page is wanted: the others have no record.
TEST(PacketLogPage, HasRecordsOfWhatIsWantedAlone) {
  PacketLog log({}, [](const Packet& packet) { return packet.sequence % 2 == 1; });
  Packet even = packet_made(1, 0, 2, 1), odd = packet_made(1, 0, 3, 1);
  PacketLog::Page& page = log.page(2);
  EXPECT_EQ(log.pages().size(), 3U);
  page.open(even, 7);
  page.open(odd, 8);
  EXPECT_EQ(even.record, nullptr);
  ASSERT_NE(odd.record, nullptr);
  EXPECT_EQ(odd.record->slot, 8U);
  EXPECT_EQ(odd.record->packet.sequence, 3U);
  EXPECT_EQ(page.records().size(), 1U);
}

/// Routers and hosts write to a packet's record, if it has one; what becomes of a rest is that of the last one.
TEST(PacketLogRecord, IsWrittenWhereThereIsOne) {
  Log log({true, true});
  const Packet& logged = log.add(packet_made(5, 1, 9, 2));
  const Packet other = packet_made(5, 1, 8, 2);
  for (const Packet* packet : {&logged, &other}) {
    models::log_rest_moved(*packet, 1, 2);
    models::log_rest_ends(*packet, 3);
    models::log_visit(*packet, 10, RouterId{1}, PortId{3});
    models::log_rest(*packet, {NodeId{1}, 11, 13, 14});
    models::log_rest(*packet, {NodeId{2}, 30, 40, 50});
    models::log_rest_moved(*packet, 41, 52);
    models::log_rest_ends(*packet, 60);
  }
  EXPECT_EQ(other.record, nullptr);
  log.log.end_cycle(99);
  ASSERT_EQ(log.lines().size(), 1U);
  EXPECT_NE(log.lines()[0].find(" path=1:3@10 rests=1@11-13-14- 2@30-41-52-60"), std::string::npos) << log.lines()[0];
}

/// The file as text, of blocks of two lines and of one.
TEST(PacketLogCsv, HasOneHeaderAndNothingForWhatIsNotThere) {
  const std::string file = temporary_file("log.csv");
  PacketLog::Columns c;
  c.kind = {"a", "b"};
  c.numbers = {{"x", {1, std::nullopt}}, {"y", {std::nullopt, UINT64_MAX}}};
  PacketLog::Columns more = c;
  more.kind = {"c"};
  more.numbers = {{"x", {0}}, {"y", {7}}};
  models::write_packet_log(file, [&](const PacketLog::TakeColumns& take) {
    take(c);
    take(more);
  });
  EXPECT_EQ(content(file), "kind,x,y\na,1,\nb,,18446744073709551615\nc,0,7\n");
  c.path = {"p q", ""};
  models::write_packet_log(file, [&](const PacketLog::TakeColumns& take) { take(c); });
  EXPECT_EQ(content(file), "kind,x,y,path\na,1,,p q\nb,,18446744073709551615,\n");
  c.rests = {"r", "s t"};
  models::write_packet_log(file, [&](const PacketLog::TakeColumns& take) { take(c); });
  EXPECT_EQ(content(file), "kind,x,y,path,rests\na,1,,p q,r\nb,,18446744073709551615,,s t\n");
  c.path.reset();
  models::write_packet_log(file, [&](const PacketLog::TakeColumns& take) { take(c); });
  EXPECT_EQ(content(file), "kind,x,y,rests\na,1,,r\nb,,18446744073709551615,s t\n");
}

TEST(PacketLogCsv, IsRefusedByNamesThatAreEndingsAlone) {
  const auto refused = [](const std::string& file) {
    try {
      models::check_packet_log_name(file);
    } catch (const InputError& e) {
      return e.what() == file + ": a packet log is a .csv or a .parquet file";
    }
    return false;
  };
  for (const char* name : {".csv", ".parquet", "csv", "xcsv", "xparquet", "l.csv.gz"}) EXPECT_TRUE(refused(name));
  for (const char* name : {"l.csv", "l.parquet", "x.csv.parquet"}) EXPECT_FALSE(refused(temporary_file(name))) << name;
}

}  // namespace
}  // namespace braid::test::packet_log_lines_test
