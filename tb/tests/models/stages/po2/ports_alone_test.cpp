// Each port's entry on the wires of a PO2 stage alone is its own: neighbours' entries say nothing to it, nor does what
// lies beyond the last port or buffer on wires that are wider. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

#include "models/stages/po2/buffer_pool.h"
#include "models/stages/po2/link_controller.h"
#include "models/stages/po2/message_scheduler.h"
#include "models/stages/po2/offer_unit.h"
#include "models/stages/po2/route_unit.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/po2_stage.h"

namespace braid::test::ports_alone_test {
namespace {

using namespace models::stages::po2;  // NOLINT(google-build-using-namespace)

constexpr unsigned kBufferBits = 5, kBuffers = 20;  // po2.buffers

struct Links : Po2Stage<LinkController> {
  Links() : Po2Stage(small_po2(3, 1)) {}
  /// A packet of so many flits out of a buffer.
  void offer(unsigned port, unsigned buffer, unsigned flits) {
    bench.set("offer_i", port);
    bench.set("far_grant_i", port);
    bench.set("offer_buffer_i", port, buffer, kBufferBits);
    bench.set("offer_flits_i", port, flits, 16);
  }
  /// ... into one.
  void comes(unsigned port, unsigned buffer, unsigned flits) {
    bench.set("far_offer_i", port);
    bench.set("grant_i", port);
    bench.set("grant_buffer_i", port, buffer, kBufferBits);
    bench.set("in_flits_i", port, flits, 16);
  }
};

/// L flits and 2 cycles of acknowledgement: ports that begin together end each in its own time.
TEST(LinkControllerPorts, AreBusyForTheirOwnPackets) {
  Links alone;
  StageOnSignals& b = alone.bench;
  alone.offer(kEastOf1, 7, 3);
  alone.comes(kWestOf1, 8, 5);
  b.set("inject_i", kNodeOf1);
  b.set("grant_i", kNodeOf1);
  b.set("grant_buffer_i", kNodeOf1, 11, kBufferBits);
  b.set("in_flits_i", kNodeOf1, 9, 16);
  for (int cycle = 0; cycle < 13; ++cycle) {
    b.run();
    b.set("offer_i", kEastOf1, 0);
    b.set("far_offer_i", kWestOf1, 0);
    b.set("inject_i", kNodeOf1, 0);
    EXPECT_EQ(b.get("sending_o", 0, kPortsOf1), cycle < 4 ? 1U << kEastOf1 : 0U) << cycle;
    EXPECT_EQ(b.get("receiving_o", 0, kPortsOf1),
              (cycle < 6 ? 1U << kWestOf1 : 0U) | (cycle < 11 ? 1U << kNodeOf1 : 0U))
        << cycle;
  }
}

/// What no port or buffer of the router is: one bit more on each input.
template <class Module>
void set_beyond(Po2Stage<Module>& alone, std::initializer_list<const char*> of_ports,
                std::initializer_list<const char*> of_buffers) {
  for (const char* port : of_ports) alone.bench.set(port, kPortsOf1);
  for (const char* port : of_buffers) alone.bench.set(port, kBuffers);
}

TEST(BeyondTheLastPort, NothingIsRouted) {
  Po2Stage<RouteUnit> alone(small_po2(3, 1));
  set_beyond(alone, {"grant_i"}, {"leaving_i"});
  alone.bench.set("buffer_i", kPortsOf1, 6, kBufferBits);
  for (int cycle = 0; cycle < 8; ++cycle) {
    alone.bench.run();
    EXPECT_FALSE(alone.bench.wire("waiting_o").read().any()) << cycle;
  }
}

TEST(BeyondTheLastPort, NothingIsOnALink) {
  Links alone;
  alone.offer(kPortsOf1, 6, 4);
  alone.comes(kPortsOf1, 7, 4);
  for (int cycle = 0; cycle < 3; ++cycle) {
    alone.bench.run();
    for (const char* port : {"incoming_o", "sending_o", "receiving_o", "leaving_o"}) {
      EXPECT_FALSE(alone.bench.wire(port).read().any()) << port;
    }
    EXPECT_EQ(alone.bench.get("idle_o", 0, kPortsOf1), 1U << kEastOf1 | 1U << kWestOf1 | 1U << kNodeOf1);
  }
}

TEST(BeyondTheLastPort, NothingGetsABuffer) {
  Po2Stage<BufferPool> alone(small_po2(3, 1));
  set_beyond(alone, {"incoming_i"}, {"leaving_i"});
  alone.bench.run(2);
  EXPECT_EQ(alone.bench.get("held_o", 0, kBufferBits), 0U);
  for (const char* port : {"grant_o", "refused_o", "blocking_o"}) {
    EXPECT_FALSE(alone.bench.wire(port).read().any()) << port;
  }
}

TEST(BeyondTheLastPort, NothingIsOffered) {
  Po2Stage<OfferUnit> alone(small_po2(3, 1));
  set_beyond(alone, {"idle_i", "queued_i"}, {"waiting_i", "blocking_i"});
  alone.bench.set("free_i", 0, 7, 3);
  alone.bench.run(2);
  for (const char* port : {"offer_o", "inject_o", "held_off_o"}) {
    EXPECT_FALSE(alone.bench.wire(port).read().any()) << port;
  }
}

TEST(BeyondTheLastPort, NoNodeHasAMessage) {
  Po2Stage<MessageScheduler> alone(small_po2(3, 1));
  set_beyond(alone, {"grant_i", "receiving_i"}, {});
  alone.bench.set("arrival_packets_i", kPortsOf1, 2, kArrivalBits);
  alone.bench.run(3);
  EXPECT_FALSE(alone.bench.wire("queued_o").read().any());
}

/// A thing of one has a bit all the same; a way is a port's number and one, or none; 0 to all buffers are held.
TEST(Po2RouterShape, NumbersWhatThereIs) {
  struct Case {
    std::uint32_t buffers;
    unsigned buffer_bits, held_bits;
  };
  for (const Case& c : {Case{1, 1, 1}, Case{2, 1, 2}, Case{3, 2, 2}, Case{4, 2, 3}, Case{5, 3, 3}, Case{7, 3, 3},
                        Case{8, 3, 4}, Case{20, 5, 5}}) {
    models::Experiment e = small_po2(3, 1);
    e.set("po2.buffers", c.buffers);
    const routing::Topology topology = routing::make_topology(e);
    const auto routing = routing::make_routing(topology, e);
    const models::stages::po2::RouterShape shape(Site{e, topology, *routing, RouterId{1}});
    EXPECT_EQ(shape.buffers, c.buffers);
    EXPECT_EQ(shape.buffer_bits(), c.buffer_bits) << c.buffers;
    EXPECT_EQ(shape.held_bits(), c.held_bits) << c.buffers;
    EXPECT_EQ(shape.ports, kPortsOf1);
    EXPECT_EQ(shape.way_bits(), 3U) << "of five ports and none";
    EXPECT_EQ(shape.ways, routing->max_candidates() + 1) << "and the escape";
  }
}

}  // namespace
}  // namespace braid::test::ports_alone_test
