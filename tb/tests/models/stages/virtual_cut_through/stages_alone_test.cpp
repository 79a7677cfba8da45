// The stages of a cut-through router alone, their ports on signals (docs/hardware-view/virtual_cut_through.md): the
// middle router of a row of three, packets of five flits. Turns, room and bubbles to the packet, transfers to the
// cycle.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/stages/virtual_cut_through/input_queue.h"
#include "models/stages/virtual_cut_through/network_interface.h"
#include "models/stages/virtual_cut_through/output_arbiter.h"
#include "models/stages/virtual_cut_through/output_unit.h"
#include "tb/tests/support/module_wires.h"
#include "tb/tests/support/trees.h"

namespace braid::test::cut_through_stages_test {
namespace {

using models::stages::Bits;
using namespace models::stages::virtual_cut_through;  // NOLINT(google-build-using-namespace)

struct Row {
  explicit Row(const char* kind = "mesh") : bench(network(kind)) {
    for (unsigned p = 0; p < ports(); ++p) {
      const routing::Port& port = bench.topology.port(RouterId{1}, PortId{p});
      if (port.kind != routing::PortKind::kNetwork) {
        local = p;
      } else if (port.name == "east") {
        east = p;
      } else if (port.name == "west") {
        west = p;
      }
    }
  }
  static models::Experiment network(const char* kind) {
    models::Experiment e = vct_grid(kind, 0.0);
    e.set("topology.width", 3);
    e.set("topology.height", std::string(kind) == "torus" ? 3 : 1);
    return e;
  }
  unsigned ports() const { return static_cast<unsigned>(bench.topology.port_count(RouterId{1})); }
  Place place() const { return {bench.topology, *bench.routing, bench.experiment, RouterId{1}}; }
  std::uint64_t all(unsigned width, std::uint64_t value) const {
    std::uint64_t bits = 0;
    for (unsigned p = 0; p < ports(); ++p) bits |= value << (p * width);
    return bits;
  }
  /// Bit of [output][input].
  std::uint64_t asks(unsigned in, unsigned out) const { return std::uint64_t{1} << (out * ports() + in); }

  Bench bench;
  sc_core::sc_signal<bool> clock;
  Wires wires;
  unsigned local = 99, east = 99, west = 99;
};

/// Field `i` of so many bits.
std::uint64_t field(const Wire& wire, unsigned i, unsigned width) { return wire.read().field(i * width, width); }
void put_field(Wire& wire, unsigned i, unsigned width, std::uint64_t value) {
  Bits bits = wire.read();
  bits.set(i * width, width, value);
  wire.write(bits);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

// ---------------------------------------------------------------- output arbiter

struct Arbiter : Row {
  explicit Arbiter(const char* kind = "mesh") : Row(kind), arbiter("arbiter", place()) {
    arbiter.clk_i(clock);
    arbiter.head_flits_i(head_flits);
    arbiter.through_i(through);
    arbiter.entering_i(entering);
    arbiter.choosing_i(choosing);
    arbiter.ways_i(ways);
    arbiter.free_i(free);
    arbiter.credits_i(credits);
    arbiter.occupancy_i(occupancy);
    arbiter.grant_o(grant);
    put(free, all(1, 1));
    for (unsigned p = 0; p < ports(); ++p) {
      put_field(head_flits, p, kFlitBits, 5);
      put_field(credits, p, kCountBits, 4);
    }
  }
  std::uint64_t granted() {
    edge(clock);
    return at(grant);
  }
  OutputArbiter arbiter;
  unsigned n = ports();
  Wire &head_flits = wires(n * kFlitBits), &through = wires(n * n), &entering = wires(n * n), &choosing = wires(n);
  Wire &ways = wires(n * n), &free = wires(n), &credits = wires(n * kCountBits), &occupancy = wires(n * kSpaceBits);
  Wire& grant = wires(n * n);
};

TEST(OutputArbiterModule, ServesHeadsInTurn) {
  Arbiter a;
  const std::uint64_t one = a.asks(a.west, a.east), other = a.asks(a.local, a.east);
  put(a.through, one | other);
  const std::uint64_t first = a.granted();
  EXPECT_TRUE(first == one || first == other);
  EXPECT_EQ(a.granted(), (one | other) ^ first);
  EXPECT_EQ(a.granted(), first);
}

TEST(OutputArbiterModule, GrantsOnlyAFreeOutputWithABuffer) {
  Arbiter a;
  put(a.through, a.asks(a.west, a.east));
  put_field(a.credits, a.east, kCountBits, 0);
  EXPECT_EQ(a.granted(), 0U) << "no buffer";
  put_field(a.credits, a.east, kCountBits, 1);
  EXPECT_EQ(a.granted(), a.asks(a.west, a.east)) << "one";
  put(a.free, a.all(1, 1) & ~(std::uint64_t{1} << a.east));
  EXPECT_EQ(a.granted(), 0U) << "a packet crosses";
}

TEST(OutputArbiterModule, LetsAHeadIntoARingOnlyWithABubble) {
  Arbiter a("torus");
  put(a.entering, a.asks(a.local, a.east));
  put_field(a.credits, a.east, kCountBits, 1);
  EXPECT_EQ(a.granted(), 0U) << "one buffer";
  put_field(a.credits, a.east, kCountBits, 2);
  EXPECT_EQ(a.granted(), a.asks(a.local, a.east)) << "two";
}

TEST(OutputArbiterModule, SendsAHeadThatMayChooseWhereTheFewestFlitsAre) {
  Arbiter a;
  put(a.choosing, std::uint64_t{1} << a.local);
  put_field(a.ways, a.local, a.n, (1U << a.east) | (1U << a.west));
  put_field(a.occupancy, a.east, kSpaceBits, 7);
  put_field(a.occupancy, a.west, kSpaceBits, 6);
  EXPECT_EQ(a.granted(), a.asks(a.local, a.west));
  put_field(a.occupancy, a.west, kSpaceBits, 8);
  EXPECT_EQ(a.granted(), a.asks(a.local, a.east));
}

// ---------------------------------------------------------------- output unit

struct Unit : Row {
  Unit() : unit("unit", place()) {
    unit.clk_i(clock);
    unit.head_flits_i(head_flits);
    unit.grant_i(grant);
    unit.credit_flits_i(credit_flits);
    unit.credit_wait_i(credit_wait);
    unit.free_o(free);
    unit.credits_o(credits);
    unit.occupancy_o(occupancy);
    unit.leaves_o(leaves);
    for (unsigned p = 0; p < ports(); ++p) put_field(head_flits, p, kFlitBits, 5);
  }
  void cycles(unsigned count) {
    for (unsigned i = 0; i < count; ++i) edge(clock);
  }
  void grant_east() {
    put(grant, asks(west, east));
    cycles(1);
    put(grant, 0);
  }
  std::uint64_t east_is_free() const { return field(free, east, 1); }
  std::uint64_t buffers() const { return field(credits, east, kCountBits); }
  OutputUnit unit;
  unsigned n = ports();
  Wire &head_flits = wires(n * kFlitBits), &grant = wires(n * n), &credit_flits = wires(n * kFlitBits);
  Wire &credit_wait = wires(n * kFlitBits), &free = wires(n), &credits = wires(n * kCountBits);
  Wire &occupancy = wires(n * kSpaceBits), &leaves = wires(n);
};

/// Granted in cycle t, five flits: the next grant can be in t + 5.
TEST(OutputUnitModule, IsFreeAgainAfterAsManyCyclesAsThePacketHasFlits) {
  Unit u;
  u.grant_east();
  EXPECT_EQ(u.east_is_free(), 0U) << "t";
  EXPECT_EQ(u.buffers(), 3U) << "of 4";
  u.cycles(3);
  EXPECT_EQ(u.east_is_free(), 0U) << "t + 3";
  EXPECT_EQ(at(u.leaves), 0U);
  u.cycles(1);
  EXPECT_EQ(u.east_is_free(), 1U) << "t + 4";
  EXPECT_EQ(at(u.leaves), std::uint64_t{1} << u.west);
  u.cycles(1);
  EXPECT_EQ(at(u.leaves), 0U) << "once";
}

TEST(OutputUnitModule, HasTheBufferBackWhenItsLastCreditCounts) {
  Unit u;
  u.grant_east();
  put_field(u.credit_flits, u.east, kFlitBits, 5);
  put_field(u.credit_wait, u.east, kFlitBits, 7);
  u.cycles(1);  // c
  put_field(u.credit_wait, u.east, kFlitBits, 0);
  u.cycles(5);
  EXPECT_EQ(u.buffers(), 3U) << "c + 5: it counts in c + 7";
  u.cycles(1);
  EXPECT_EQ(u.buffers(), 4U) << "c + 6, for the cycle after";
}

/// A flit a cycle goes there.
TEST(OutputUnitModule, CountsTheFlitsDownstreamAsTheyGo) {
  Unit u;
  u.grant_east();
  EXPECT_EQ(field(u.occupancy, u.east, kSpaceBits), 0U) << "t: the first is on the link at its end";
  u.cycles(2);
  EXPECT_EQ(field(u.occupancy, u.east, kSpaceBits), 2U);
  u.cycles(5);
  EXPECT_EQ(field(u.occupancy, u.east, kSpaceBits), 5U) << "all of it, until credits come back";
}

TEST(OutputUnitModule, IsSeenInAWaveform) {
  Unit u;
  const std::string file = temporary_file("output_unit");
  sc_core::sc_trace_file* wave = sc_core::sc_create_vcd_trace_file(file.c_str());
  wave->set_time_unit(1, sc_core::SC_NS);
  sc_core::sc_trace(wave, u.leaves, "leaves_o");
  u.grant_east();
  u.cycles(5);
  sc_core::sc_close_vcd_trace_file(wave);
  std::ifstream in(file + ".vcd");
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str().find("#7\n"), std::string::npos) << "t + 3";
  EXPECT_NE(text.str().find("#9\nb"), std::string::npos) << "t + 4" << text.str();
}

// ---------------------------------------------------------------- input queue

struct Queue : Row {
  explicit Queue(const char* kind = "mesh") : Row(kind), queue("queue", place()) {
    queue.clk_i(clock);
    queue.grant_i(grant);
    queue.link_source_i(source);
    queue.link_destination_i(destination);
    queue.link_flits_i(flits);
    queue.link_valid_i(valid);
    queue.leaves_i(leaves);
    queue.count_o(count);
    queue.head_flits_o(head_flits);
    queue.through_o(through);
    queue.entering_o(entering);
    queue.choosing_o(choosing);
    queue.ways_o(ways);
  }
  /// A cycle in which a head comes in.
  void come(unsigned port, std::uint64_t to, std::uint64_t length) {
    put_field(destination, port, kNodeBits, to);
    put_field(flits, port, kFlitBits, length);
    pulse(valid, std::uint64_t{1} << port);
  }
  void pulse(Wire& wire, std::uint64_t value) {
    put(wire, value);
    edge(clock);
    put(wire, 0);
  }
  InputQueue queue;
  unsigned n = ports();
  Wire &grant = wires(n * n), &source = wires(n * kNodeBits), &destination = wires(n * kNodeBits);
  Wire &flits = wires(n * kFlitBits), &valid = wires(n), &leaves = wires(n), &count = wires(n * kCountBits);
  Wire &head_flits = wires(n * kFlitBits), &through = wires(n * n), &entering = wires(n * n);
  Wire &choosing = wires(n), &ways = wires(n * n);
};

/// A head asks in the cycle after it came; one behind another when that one's tail has left.
TEST(InputQueueModule, RoutesTheFirstHeadAndTheNextWhenItsTailHasLeft) {
  Queue q;
  q.come(q.west, 2, 5);
  EXPECT_EQ(at(q.through), q.asks(q.west, q.east));
  EXPECT_EQ(field(q.head_flits, q.west, kFlitBits), 5U);
  q.come(q.west, 1, 9);
  EXPECT_EQ(field(q.count, q.west, kCountBits), 2U);
  EXPECT_EQ(at(q.through), q.asks(q.west, q.east)) << "the second waits";
  q.pulse(q.grant, q.asks(q.west, q.east));
  EXPECT_EQ(at(q.through), 0U) << "it asks no more";
  EXPECT_EQ(field(q.count, q.west, kCountBits), 2U) << "and is there until its tail has left";
  q.pulse(q.leaves, std::uint64_t{1} << q.west);
  EXPECT_EQ(field(q.count, q.west, kCountBits), 1U);
  EXPECT_EQ(at(q.through), q.asks(q.west, q.local)) << "to its own node";
  EXPECT_EQ(field(q.head_flits, q.west, kFlitBits), 9U);
}

/// routing.bubble: who comes by the ring stays in it, who comes from a node enters.
TEST(InputQueueModule, SaysWhichHeadsWouldEnterARing) {
  Queue q("torus");
  q.come(q.local, 2, 5);
  EXPECT_EQ(at(q.entering), q.asks(q.local, q.east));
  EXPECT_EQ(at(q.through), 0U);
  q.come(q.west, 2, 5);
  EXPECT_EQ(at(q.through), q.asks(q.west, q.east));
}

// ---------------------------------------------------------------- network interface

struct Interface : Row {
  Interface() : interface("interface", place()) {
    interface.clk_i(clock);
    interface.packet_flits_i(flits);
    interface.packet_valid_i(valid);
    interface.buffer_back_i(back);
    interface.head_o(head);
    interface.ready_o(ready);
    interface.tail_o(tail);
    put(flits, 5);
  }
  /// A cycle, with or without a packet from the node.
  void cycle(bool packet = false) {
    put(valid, packet ? 1 : 0);
    edge(clock);
    put(valid, 0);
  }
  NetworkInterface interface;
  Wire &flits = wires(kFlitBits), &valid = wires(1), &back = wires(1);
  Wire &head = wires(1), &ready = wires(1), &tail = wires(1);
};

TEST(NetworkInterfaceModule, SendsHeadsAsFarApartAsAPacketHasFlits) {
  Interface i;
  i.cycle(true);
  EXPECT_EQ(at(i.head), 1U) << "t";
  EXPECT_EQ(at(i.ready), 0U);
  i.cycle(true);
  for (int c = 2; c < 5; ++c) i.cycle();
  EXPECT_EQ(at(i.tail), 1U) << "t + 4";
  EXPECT_EQ(at(i.head), 0U);
  i.cycle();
  EXPECT_EQ(at(i.head), 1U) << "t + 5";
  EXPECT_EQ(at(i.tail), 0U);
}

/// Four buffers in the router's queue: the fifth packet waits until one is back.
TEST(NetworkInterfaceModule, WaitsForABuffer) {
  Interface i;
  for (int packet = 0; packet < 5; ++packet) i.cycle(true);
  unsigned heads = 1;
  for (int c = 0; c < 40; ++c) {
    i.cycle();
    heads += static_cast<unsigned>(at(i.head));
  }
  EXPECT_EQ(heads, 4U);
  put(i.back, 1);
  i.cycle();
  put(i.back, 0);
  EXPECT_EQ(at(i.head), 0U) << "free with this cycle";
  i.cycle();
  EXPECT_EQ(at(i.head), 1U);
}

}  // namespace
}  // namespace braid::test::cut_through_stages_test
