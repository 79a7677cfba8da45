#include "models/fabric/packet_log.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test::packet_log_test {
namespace {

models::Experiment logged() {
  models::Experiment e = uniform_mesh(0.4, 4, 4);
  e.set("log.file", "unwritten.csv");
  e.set("traffic.flits", 1);
  return e;
}

void stream(const Bench& bench) {
  bench.network->packet_log()->stream(temporary_file("log.csv"), [](const models::PacketRecord&) { return true; });
}

/// All lines, as text.
std::string lines(const Bench& bench) {
  std::ostringstream text;
  const auto kind_of = [&](const models::Packet& packet) { return bench.network->kind_of(packet); };
  const auto take = [&](const models::PacketLog::Columns& c) {
    for (std::size_t row = 0; row < c.kind.size(); ++row) {
      text << c.kind[row];
      for (const auto& column : c.numbers) text << ' ' << column.name << '=' << column.values[row].value_or(UINT64_MAX);
      text << ' ' << c.path->at(row) << '\n';
    }
  };
  bench.network->packet_log()->columns(bench.topology, bench.network->store(), kind_of, take);
  return text.str();
}

std::size_t held(const Bench& bench) {
  std::size_t records = 0;
  for (const auto& page : bench.network->packet_log()->pages()) records += page.records().size();
  return records;
}

TEST(PacketLogStream, HasTheLinesOfOneInMemoryAndHoldsFewRecords) {
  Bench memory(logged());
  memory.run(6000);
  ASSERT_GT(held(memory), 30000U);
  const std::string expected = lines(memory);
  for (const std::size_t slices : {1, 3}) {
    Bench streamed(logged(), slices);
    stream(streamed);
    for (int i = 0; i < 12; ++i) {
      streamed.run(500);
      EXPECT_LT(held(streamed), 5000U) << slices << " slices";
    }
    EXPECT_TRUE(lines(streamed) == expected) << slices << " slices";
    EXPECT_TRUE(lines(streamed) == expected) << "again";
  }
}

TEST(PacketLogStream, GoesOnFromACheckpoint) {
  Bench whole(logged());
  stream(whole);
  whole.run(3000);
  Checkpoint saves;
  whole.network->checkpoint(saves);
  Bench streamed(logged()), memory(logged());
  stream(streamed);
  for (Bench* bench : {&streamed, &memory}) {
    Checkpoint restores(saves.bytes());
    bench->network->checkpoint(restores);
    restores.finish();
  }
  EXPECT_LT(held(streamed), 5000U);
  streamed.run(1000);
  memory.run(1000);
  whole.run(1000);
  EXPECT_TRUE(lines(streamed) == lines(whole));
  EXPECT_TRUE(lines(memory) == lines(whole));
}

}  // namespace
}  // namespace braid::test::packet_log_test
