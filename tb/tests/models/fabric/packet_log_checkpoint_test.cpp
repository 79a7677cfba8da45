// What of a packet log is in a checkpoint: records of packets under way by their page, those that have left memory
// behind them, and nothing that names a packet that is not there. Columns: packet_log_lines_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/fabric/packet_log.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/lone_log.h"

namespace braid::test::packet_log_checkpoint_test {
namespace {

using models::Packet;
using models::PacketLog;
using models::PacketRecord;

struct Log : LoneLog {
  Log() : LoneLog(PacketLog::Fates{}) {}
  std::string saved() {
    Checkpoint c;
    log.checkpoint(c, store);
    return c.bytes();
  }
  std::string said(const std::string& bytes) {
    Checkpoint c(bytes);
    return complaint<CheckpointError>([&] {
      log.checkpoint(c, store);
      c.finish();
    });
  }
  /// Numbers of the packets of all records, in order; a '.' behind those that are over.
  std::string names() const {
    std::string text;
    log.each(store, [&](const PacketRecord& record, const Packet& packet) {
      text += (text.empty() ? "" : " ") + std::to_string(packet.sequence) + (record.over() ? "." : "");
    });
    return text;
  }
};

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Packets 0 to 5, of which the even ones are over: 0 delivered, 2 lost, 4 delivered.
void add_six(Log& log) {
  for (std::uint32_t sequence = 0; sequence < 6; ++sequence) {
    PacketRecord& record = *log.add(packet_made(10 + sequence, 1, sequence, 0)).record;
    if (sequence == 2) record.lost = 90;
    if (sequence == 0 || sequence == 4) record.delivered = 80;
  }
}

/// Where records stay in memory, all are their page's.
TEST(PacketLogCheckpoint, HasAllRecordsOfAPage) {
  Log log, other;
  add_six(log);
  const std::string bytes = log.saved();
  EXPECT_EQ(number_at(bytes, 0), 6U);
  EXPECT_EQ(number_at(bytes, bytes.size() - 8), 0U) << "none has left memory";
  EXPECT_EQ(log.held(), 6U);
  for (int i = 0; i < 6; ++i) other.pool.take();
  other.log.page(0);
  EXPECT_EQ(other.said(bytes), "");
  EXPECT_EQ(other.held(), 6U);
  for (models::PacketSlot slot = 0; slot < 6; ++slot) {
    EXPECT_EQ(other.store[slot].record != nullptr, slot % 2 == 1) << "packets under way have theirs again";
  }
}

/// Where they stream, those that are over leave memory before it is saved, but for those that nobody wants.
TEST(PacketLogCheckpoint, MovesOutWhatIsOverWhereRecordsStream) {
  Log log, streamed, memory;
  log.log.stream(temporary_file("saved.csv"), [](const PacketRecord& r) { return r.packet.sequence != 0; });
  add_six(log);
  const std::string bytes = log.saved();
  EXPECT_EQ(log.held(), 3U);
  EXPECT_EQ(number_at(bytes, 0), 3U) << "under way";
  EXPECT_EQ(log.names(), "1 2. 3 4. 5");
  EXPECT_EQ(log.saved(), bytes) << "once more";
  streamed.log.stream(temporary_file("restored.csv"), [](const PacketRecord&) { return true; });
  for (Log* other : {&streamed, &memory}) {
    for (int i = 0; i < 6; ++i) {
      const models::PacketSlot slot = other->pool.take();
      other->store[slot] = log.store[slot];
    }
    other->log.page(0);
    EXPECT_EQ(other->said(bytes), "");
    EXPECT_EQ(other->names(), "1 2. 3 4. 5");
  }
  EXPECT_EQ(streamed.saved(), bytes);
}

/// Thousands that have left memory leave it again where they are restored.
TEST(PacketLogCheckpoint, KeepsMemorySmallWhileItIsRestored) {
  Log log, streamed;
  log.log.stream(temporary_file("many.csv"), [](const PacketRecord&) { return true; });
  streamed.log.stream(temporary_file("again.csv"), [](const PacketRecord&) { return true; });
  for (std::uint32_t sequence = 0; sequence < 5000; ++sequence) {
    log.add(packet_made(sequence, 0, sequence, 1)).record->delivered = sequence + 9;
  }
  const std::string bytes = log.saved();
  EXPECT_EQ(log.held(), 0U);
  streamed.log.page(0);
  EXPECT_EQ(streamed.said(bytes), "");
  EXPECT_LT(streamed.held(), 4096U);
  std::uint32_t told = 0;
  streamed.log.each(streamed.store,
                    [&](const PacketRecord& record, const Packet&) { EXPECT_EQ(record.packet.sequence, told++); });
  EXPECT_EQ(told, 5000U);
}

/// A block of the store has 4096 packets: the record of one under way names one of them. One that is over has none.
TEST(PacketLogCheckpoint, NamesPacketsThatAreThere) {
  for (const bool over : {false, true}) {
    for (const models::PacketSlot slot : {4095U, 4096U}) {
      Log log, other;
      PacketRecord& record = *log.add(packet_made(5, 0, 7, 1)).record;
      record.slot = slot;
      if (over) record.delivered = 30;
      other.pool.take();
      other.log.page(0);
      EXPECT_EQ(other.said(log.saved()), !over && slot == 4096 ? "packet 4096, here are 4096" : "") << slot << over;
    }
  }
}

/// Of two pages, each its own.
TEST(PacketLogCheckpoint, HasAPageASlice) {
  Log log, other;
  for (const std::size_t slice : {0U, 1U, 1U, 3U}) {
    const models::PacketSlot slot = log.pool.take();
    log.store[slot] = packet_made(slot, 0, slot, 1);
    log.log.page(slice).open(log.store[slot], slot);
    other.pool.take();
  }
  other.log.page(3);
  EXPECT_EQ(other.said(log.saved()), "");
  std::vector<std::size_t> records;
  for (const PacketLog::Page& page : other.log.pages()) records.push_back(page.records().size());
  EXPECT_EQ(records, (std::vector<std::size_t>{1, 2, 0, 1}));
}

// ---------------------------------------------------------------- columns at the ends of what they count

routing::Topology row_of_four() {
  Configuration c;
  c.set("topology.width", 4);
  c.set("topology.height", 1);
  return routing::make_topology(c);
}

/// Values of a column, line by line; 999 for none.
std::vector<std::uint64_t> column(const Log& log, const std::string& name) {
  std::vector<std::uint64_t> all;
  log.log.columns(
      row_of_four(), log.store, [](const Packet&) { return std::string("k"); },
      [&](const PacketLog::Columns& c) {
        for (const auto& one : c.numbers) {
          if (one.name != name) continue;
          for (const auto& value : one.values) all.push_back(value.value_or(999));
        }
      });
  return all;
}
using Values = std::vector<std::uint64_t>;

/// In a row of four routers, to node 3: the first step away from it, the last one, none; on arrival nothing is counted.
TEST(PacketLogColumns, CountAStepAwayWhereverItIs) {
  Log log;
  const auto path = [&](std::uint32_t sequence, const std::vector<std::uint32_t>& routers) {
    PacketRecord& record = *log.add(packet_made(5, 0, sequence, 3)).record;
    for (const std::uint32_t r : routers) record.path.push_back({10, RouterId{r}, PortId{0}});
  };
  path(0, {});
  path(1, {1});
  path(2, {1, 0});
  path(3, {1, 0, 1});
  path(4, {1, 2, 3});
  path(5, {1, 2, 3, 2});
  path(6, {2, 1, 0, 1, 2, 3});
  EXPECT_EQ(column(log, "deroutes"), (Values{0, 0, 1, 1, 0, 1, 2}));
  EXPECT_EQ(column(log, "routers"), (Values{0, 1, 2, 3, 3, 4, 6}));
}

/// A message may be of one packet, number 0, and a stream number 0, too.
TEST(PacketLogColumns, HaveNumbersThatAreZero) {
  Log log;
  for (const std::uint32_t packets : {0U, 1U, 2U}) {
    Packet packet = packet_made(5, 0, packets, 3);
    packet.tag = packet.tag_sequence = packets == 1 ? 0 : models::kNoTag;
    log.add(packet).record->message_packets = packets;
  }
  EXPECT_EQ(column(log, "message"), (Values{999, 0, 0}));
  EXPECT_EQ(column(log, "message_packets"), (Values{999, 1, 2}));
  EXPECT_EQ(column(log, "stream"), (Values{999, 0, 999}));
  EXPECT_EQ(column(log, "stream_packet"), (Values{999, 0, 999}));
}

/// The head may be on its link in cycle 1; in 0 none is, for it leaves in a later cycle than it is made in.
TEST(PacketLogColumns, HaveNoInjectionBeforeCycleOne) {
  Log log;
  for (const std::uint32_t injected : {0U, 1U}) {
    Packet packet = packet_made(0, 0, injected, 3);
    packet.injected = injected;
    log.add(packet);
  }
  EXPECT_EQ(column(log, "injected"), (Values{999, 1}));
}

}  // namespace
}  // namespace braid::test::packet_log_checkpoint_test
