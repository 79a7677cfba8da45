// Packets that a link which goes down has lost: what becomes of their records and of the counts.
#include <gtest/gtest.h>

#include <cstdint>

#include "models/fabric/packet_log.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::lost_packets_test {
namespace {

/// A record of a lost packet is that of the packet as it was then: on its way, over so many switches; one of a packet
/// that came has its delivery. Each packet ends once.
TEST(LostPackets, HaveTheRecordOfWhereTheyWere) {
  models::Experiment e = irregular_myrinet(16, 0.3, "balanced", "minimum");
  const Bench intact(e);
  const routing::Port* cut = nullptr;
  for (const routing::Port& port : intact.topology.routers[0]) {
    if (port.kind == routing::PortKind::kNetwork) cut = &port;
  }
  ASSERT_NE(cut, nullptr);
  e.open("failure");
  e.set("failure.router", intact.topology.router_names[0]).set("failure.port", cut->name);
  e.set("failure.cycle", 2000).set("failure.recompute_ns", 6250.0);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.network->window() = {true, 0, 1000};
  bench.run(6000);
  std::uint64_t lost = 0, delivered = 0, measured = 0;
  bench.network->packet_log()->each(bench.network->store(),
                                    [&](const models::PacketRecord& record, const models::Packet& p) {
                                      delivered += record.delivered ? 1 : 0;
                                      if (!record.lost) return;
                                      ++lost;
                                      measured += p.measured ? 1 : 0;
                                      EXPECT_FALSE(record.delivered);
                                      EXPECT_GE(*record.lost, 2000U);
                                      EXPECT_GT(p.injected, p.created) << "it had left its host";
                                      EXPECT_EQ(p.routers, record.path.size()) << "over so many switches";
                                    });
  const models::Conservation c = bench.network->conservation();
  EXPECT_GT(lost, 0U);
  EXPECT_EQ(lost, c.packets_lost);
  EXPECT_EQ(delivered, c.packets_delivered);
  const models::Statistics all = bench.network->merged_statistics();
  EXPECT_EQ(all.packets_lost(), lost);
  EXPECT_EQ(all.measured_lost(), measured);
  EXPECT_EQ(measured, lost) << "all were made in the window";
  EXPECT_TRUE(c.holds());
}

}  // namespace
}  // namespace braid::test::lost_packets_test
