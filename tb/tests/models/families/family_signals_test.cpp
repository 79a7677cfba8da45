// The rows of a waveform, family by family: their bits, which are as many as their values need, which of them the save
// file opens on, and which questions they answer.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tb/tests/support/families.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::family_signals_test {
namespace {

using models::Experiment;
using models::Signal;

struct Table {
  explicit Table(const Experiment& e) : bench(e) {
    std::vector<RouterId> routers;
    for (std::size_t r = 0; r < bench.topology.router_count(); ++r) routers.emplace_back(r);
    source = bench.network->fabric().signals(table, routers);
  }
  /// NAME BITS [shown] [packet] [stall] [QUESTION...] of each row of a scope.
  std::vector<std::string> of(const std::string& scope) const {
    std::vector<std::string> all;
    for (const Signal& s : table.signals()) {
      if (s.scope != scope) continue;
      std::string row = s.name + " " + std::to_string(s.bits) + (s.shown ? " shown" : "");
      if (s.kind == Signal::Kind::kPacket) row += " packet";
      if (s.kind == Signal::Kind::kStall) row += " stall";
      for (const models::Question* question : {s.question, s.second}) {
        if (question != nullptr) row += " " + question->name;
      }
      all.push_back(row);
    }
    return all;
  }
  const std::string& first_scope() const { return table.signals().front().scope; }

  Bench bench;
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;
};
using Rows = std::vector<std::string>;

/// Of an input port and the output port beside it. 255 packets at most are in a queue; a node has 20 bits in a packet's
/// number.
TEST(FamilySignals, OfCutThroughRouters) {
  const Table table(in_family("virtual_cut_through"));
  EXPECT_EQ(table.of(table.first_scope()),
            (Rows{"packets 8 shown stalls", "packet 52 packet stalls", "head_source 20", "head_sequence 32",
                  "leaving 1 shown", "stall 4 stall stalls", "out 7 stalls", "held_by 52 packet stalls", "busy 1 shown",
                  "crossing 52 packet", "credits 8"}));
}

/// Four states of an input; a slack buffer of 65535 flits at most.
TEST(FamilySignals, OfMyrinetSwitches) {
  const Table table(in_family("myrinet"));
  EXPECT_EQ(table.of(table.first_scope()),
            (Rows{"state 2 shown", "flits 16 shown stalls", "stop 1 shown stalls", "packet 52 packet stalls",
                  "head_source 20", "head_sequence 32", "stall 4 stall stalls", "out 7 stalls",
                  "held_by 52 packet stalls", "sends 1 shown", "sending 52 packet", "go 1", "taken 1 shown"}));
}

/// 64 buffers at most, numbered by 6 bits and counted by 7; a port is wanted by all of them and a node's queue. Four
/// states, uses and refusals, three classes, a bit a port of the router's five.
TEST(FamilySignals, OfPo2Routers) {
  const Table table(small_po2(2, 1));
  EXPECT_EQ(table.of("router_0_0"), (Rows{"buffers_taken 7 shown pool", "waiting 7 pool"}));
  const Rows port{"use 2 shown",          "buffer 6",         "sent_last 1", "wanted 7",
                  "busy_waiting 1 shown", "packet 52 packet", "offer 1"};
  EXPECT_EQ(table.of("router_0_0.east"), port);
  Rows local = port;
  for (const char* row : {"refusal 2 pool", "refused_message 32 pool", "held_by 52 packet pool"})
    local.emplace_back(row);
  EXPECT_EQ(table.of("router_0_0.local0"), local);
  for (const char* unconnected : {"west", "north", "south"}) {
    EXPECT_EQ(table.of(std::string("router_0_0.") + unconnected), Rows{}) << unconnected;
  }
  Rows buffer = table.of("router_0_0.buffer19");
  ASSERT_EQ(buffer.size(), 11U);
  EXPECT_EQ(buffer[2].rfind("source ", 0), 0U);
  buffer.erase(buffer.begin() + 2);
  EXPECT_EQ(buffer, (Rows{"state 2 shown pool", "pool_class 2 pool", "sequence 32", "message 32 pool", "wants 5",
                          "packet 52 packet stalls pool", "stall 4 stall stalls", "out 7 stalls",
                          "held_by 52 packet stalls pool", "refusal 2 pool"}));
  EXPECT_EQ(table.of("router_0_0.buffer20"), Rows{}) << "it has 20";
}

TEST(FamilySignals, OfTheIdealNetwork) {
  Experiment e = in_family("ideal");
  const Rows always{"queued 16 shown", "sends0 52 packet", "comes 52 packet"};
  EXPECT_EQ(Table(e).of("node_63"), always);
  e.set("router.queue_at_receiver", true);
  Rows queued = always;
  queued.emplace_back("held 16 shown");
  EXPECT_EQ(Table(e).of("node_0"), queued);
}

}  // namespace
}  // namespace braid::test::family_signals_test
