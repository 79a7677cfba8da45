// Packets by TLM-1's interfaces.
#include "models/tlm/sockets/packet_port.h"

#include <gtest/gtest.h>

#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test::packet_port_test {
namespace {

struct Producer : sc_core::sc_module {
  sc_core::sc_port<tlm::tlm_put_if<models::SentPacket>> out{"out"};
  SC_HAS_PROCESS(Producer);
  explicit Producer(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(act); }
  void act() {
    for (std::uint32_t i = 0; i < 3; ++i) {
      out->put({NodeId{4}, i + 1, 10 + i});
      EXPECT_TRUE(out->nb_can_put());
      wait(50, sc_core::SC_NS);
    }
  }
};

struct Monitor : tlm::tlm_analysis_if<models::DeliveredPacket> {
  std::vector<models::DeliveredPacket> packets;
  std::vector<sc_core::sc_time> times;
  void write(const models::DeliveredPacket& packet) override {
    packets.push_back(packet);
    times.push_back(sc_core::sc_time_stamp());
  }
};

TEST(PacketPort, CarriesPacketsWithTheirTags) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 2);
  Bench bench(e);
  const auto engine = models::make_engine(*bench.network);
  models::PacketPort from("from", *engine, NodeId{0}), to("to", *engine, NodeId{4});
  Producer producer("producer");
  Monitor monitor;
  producer.out.bind(from.send);
  to.delivered.bind(monitor);
  sc_core::sc_start(300, sc_core::SC_NS);
  ASSERT_EQ(monitor.packets.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(monitor.packets[i].tag, 10 + i);
    EXPECT_EQ(monitor.packets[i].flits, 1 + i);
    EXPECT_EQ(monitor.packets[i].from, NodeId{0});
    EXPECT_EQ(monitor.times[i], sc_core::sc_time(static_cast<double>(monitor.packets[i].cycle), sc_core::SC_NS));
  }
  EXPECT_EQ(monitor.packets[1].cycle - monitor.packets[0].cycle, 51U) << "50 cycles later, a flit longer";
}

/// By the calls that do not wait, which nobody ever has to: one flit without a tag, unless it is said.
struct QuickProducer : sc_core::sc_module {
  sc_core::sc_port<tlm::tlm_put_if<models::SentPacket>> out{"out"};
  SC_HAS_PROCESS(QuickProducer);
  explicit QuickProducer(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(act); }
  void act() {
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(out->nb_can_put());
      EXPECT_TRUE(out->nb_put({NodeId{4}}));
    }
    EXPECT_STREQ(out->ok_to_put().basename(), "always");
  }
};
TEST(PacketPort, TakesAnyNumberOfPacketsAtOnce) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 2);
  Bench bench(e);
  const auto engine = models::make_engine(*bench.network);
  models::PacketPort from("from", *engine, NodeId{0}), to("to", *engine, NodeId{4});
  QuickProducer producer("producer");
  Monitor monitor;
  producer.out.bind(from.send);
  to.delivered.bind(monitor);
  sc_core::sc_start(300, sc_core::SC_NS);
  ASSERT_EQ(monitor.packets.size(), 100U);
  for (const models::DeliveredPacket& packet : monitor.packets) {
    EXPECT_EQ(packet.flits, 1U);
    EXPECT_EQ(packet.tag, models::kNoTag);
  }
  const models::DeliveredPacket none;
  EXPECT_EQ(none.cycle, 0U);
  EXPECT_EQ(none.flits, 0U);
  EXPECT_EQ(none.tag, models::kNoTag);
}

}  // namespace
}  // namespace braid::test::packet_port_test
