// Stages of a cut-through router alone, port by port, and where the router is the first one of its network
// (docs/hardware-view/virtual_cut_through.md). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/stages/virtual_cut_through/input_queue.h"
#include "models/stages/virtual_cut_through/network_interface.h"
#include "models/stages/virtual_cut_through/output_arbiter.h"
#include "models/stages/virtual_cut_through/output_unit.h"
#include "tb/tests/support/stage_on_signals.h"
#include "tb/tests/support/trees.h"

namespace braid::test::first_router_test {
namespace {

using namespace models::stages::virtual_cut_through;  // NOLINT(google-build-using-namespace)

constexpr unsigned kPorts = 5, kEast = 0, kWest = 1, kLocal = 4;

models::Experiment torus() {
  models::Experiment e = vct_grid("torus", 0.0);
  e.set("topology.width", 3).set("topology.height", 3);
  return e;
}
models::Experiment row() {
  models::Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", 3).set("topology.height", 1);
  return e;
}

template <class Module>
struct Alone {
  Alone(const models::Experiment& e, std::size_t router)
      : bench(e), module("stage", Place{bench.topology, *bench.routing, bench.experiment, RouterId{router}}) {}
  Bench bench;
  Module module;
  StageOnSignals wires{module};
};

// ---------------------------------------------------------------- output arbiter

struct Arbiter : Alone<OutputArbiter> {
  Arbiter() : Alone(torus(), 4) {
    for (unsigned p = 0; p < kPorts; ++p) {
      wires.set("free_i", p);
      wires.set("head_flits_i", p, 5, kFlitBits);
    }
  }
  void buffers(unsigned out, std::uint64_t count) { wires.set("credits_i", out, count, kCountBits); }
  /// All grants of a cycle, [output][input].
  std::uint64_t granted() {
    wires.run();
    return wires.get("grant_o", 0, kPorts * kPorts);
  }
  static std::uint64_t crosses(unsigned in, unsigned out) { return std::uint64_t{1} << (out * kPorts + in); }
};

/// A head at each input for each output: it is granted while the output has one buffer at least, or two where it would
/// enter a ring; not when it has fewer again.
TEST(OutputArbiterPorts, HaveTheirOwnBuffers) {
  Arbiter a;
  for (unsigned out = 0; out < kPorts; ++out) {
    for (unsigned in = 0; in < kPorts; ++in) {
      if (in == out) continue;
      for (const char* list : {"through_i", "entering_i"}) {
        const bool enters = std::string(list) == "entering_i";
        a.wires.set(list, out * kPorts + in);
        for (const std::uint64_t count : {0U, 1U, 2U, 1U, 0U, 3U, 0U}) {
          a.buffers(out, count);
          const bool goes = count > (enters ? 1U : 0U);
          EXPECT_EQ(a.granted(), goes ? Arbiter::crosses(in, out) : 0U) << list << in << out << ", " << count;
        }
        a.wires.set(list, out * kPorts + in, 0);
        EXPECT_EQ(a.granted(), 0U) << "nobody asks";
      }
    }
  }
}

/// Five heads for five outputs cross at once, each an output further.
TEST(OutputArbiterPorts, AreGrantedAtOnceWhereNoTwoMeet) {
  Arbiter a;
  std::uint64_t all = 0;
  for (unsigned in = 0; in < kPorts; ++in) {
    const unsigned out = (in + 1) % kPorts;
    a.wires.set("through_i", out * kPorts + in);
    a.buffers(out, 1);
    all |= Arbiter::crosses(in, out);
  }
  EXPECT_EQ(a.granted(), all);
  for (unsigned p = 0; p < kPorts; ++p) {
    a.wires.set("free_i", p, 0);
    EXPECT_EQ(a.granted(), all & ~Arbiter::crosses((p + kPorts - 1) % kPorts, p)) << p;
    a.wires.set("free_i", p);
  }
}

/// Heads that may choose, one at each input between two outputs: the one with fewer flits behind it, whether that has a
/// buffer or not (docs/sat-fairness.md).
TEST(OutputArbiterPorts, AreChosenByWhatIsBehindThem) {
  Arbiter a;
  for (unsigned p = 0; p < kPorts; ++p) a.buffers(p, 2);
  for (unsigned in = 0; in < kPorts; ++in) {
    const unsigned one = (in + 1) % kPorts, other = (in + 3) % kPorts;
    a.wires.set("choosing_i", in);
    a.wires.set("ways_i", in * kPorts + one);
    a.wires.set("ways_i", in * kPorts + other);
    for (const bool first : {true, false}) {
      a.wires.set("occupancy_i", one, first ? 3 : 40, kSpaceBits);
      a.wires.set("occupancy_i", other, first ? 40 : 3, kSpaceBits);
      EXPECT_EQ(a.granted(), Arbiter::crosses(in, first ? one : other)) << in;
    }
    a.buffers(other, 0);
    EXPECT_EQ(a.granted(), 0U) << "busy ports included: it waits for that one";
    a.buffers(other, 2);
    a.wires.set("choosing_i", in, 0);
    for (const unsigned out : {one, other}) {
      a.wires.set("ways_i", in * kPorts + out, 0);
      a.wires.set("occupancy_i", out, 0, kSpaceBits);
    }
  }
  EXPECT_EQ(a.granted(), 0U);
}

// ---------------------------------------------------------------- output unit

/// Packets of different lengths cross in one cycle, and credits of different ages come in one.
TEST(OutputUnitPorts, CountEachTheirOwn) {
  Alone<OutputUnit> a(torus(), 4);
  const unsigned flits[] = {3, 6, 4, 5, 2};
  for (unsigned in = 0; in < kPorts; ++in) {
    a.wires.set("head_flits_i", in, flits[in], kFlitBits);
    a.wires.set("grant_i", (in + 1) % kPorts * kPorts + in);
  }
  a.wires.run();
  for (unsigned in = 0; in < kPorts; ++in) a.wires.set("grant_i", (in + 1) % kPorts * kPorts + in, 0);
  for (unsigned cycle = 0; cycle < 8; ++cycle) {
    for (unsigned in = 0; in < kPorts; ++in) {
      const unsigned out = (in + 1) % kPorts;
      EXPECT_EQ(a.wires.get("free_o", out), cycle + 1 >= flits[in] ? 1U : 0U) << in << " in " << cycle;
      EXPECT_EQ(a.wires.get("leaves_o", in), cycle + 1 == flits[in] ? 1U : 0U) << in << " in " << cycle;
      if (out != kLocal) {
        EXPECT_EQ(a.wires.get("credits_o", out, kCountBits), 3U) << "of 4";
      }
    }
    a.wires.run();
  }
  for (unsigned out = 0; out < kLocal; ++out) {
    a.wires.set("credit_flits_i", out, 3, kFlitBits);
    a.wires.set("credit_wait_i", out, 2 + out, kFlitBits);
  }
  a.wires.run();
  for (unsigned out = 0; out < kLocal; ++out) a.wires.set("credit_wait_i", out, 0, kFlitBits);
  for (unsigned cycle = 0; cycle < 7; ++cycle) {
    for (unsigned out = 0; out < kLocal; ++out) {
      EXPECT_EQ(a.wires.get("credits_o", out, kCountBits), cycle >= 1 + out ? 4U : 3U) << out << " in " << cycle;
    }
    a.wires.run();
  }
}

// ---------------------------------------------------------------- the first router of a network

/// Router 0 of a row: heads that have come are there once, however long one waits.
TEST(FirstRouter, TakesAHeadOnce) {
  Alone<InputQueue> a(row(), 0);
  for (const unsigned port : {kEast, kLocal}) {
    a.wires.set("link_destination_i", port, port == kEast ? 0 : 2, kNodeBits);
    a.wires.set("link_flits_i", port, 7 + port, kFlitBits);
    a.wires.set("link_valid_i", port);
  }
  a.wires.run();
  for (const unsigned port : {kEast, kLocal}) a.wires.set("link_valid_i", port, 0);
  for (int cycle = 0; cycle < 70; ++cycle) {
    for (unsigned port = 0; port < kPorts; ++port) {
      const bool has = port == kEast || port == kLocal;
      ASSERT_EQ(a.wires.get("count_o", port, kCountBits), has ? 1U : 0U) << port << " in " << cycle;
      ASSERT_EQ(a.wires.get("head_flits_o", port, kFlitBits), has ? 7U + port : 0U);
    }
    ASSERT_EQ(a.wires.get("through_o", 0, 25), std::uint64_t{1} << (kLocal * 5 + kEast) | 1U << (kEast * 5 + kLocal));
    a.wires.run();
  }
}

/// Its node's packets leave, and their tails are over, as elsewhere.
TEST(FirstRouter, SendsItsNodesPackets) {
  Alone<NetworkInterface> a(row(), 0);
  a.wires.set("packet_flits_i", 0, 3, kFlitBits);
  a.wires.set("packet_valid_i", 0);
  a.wires.run();
  a.wires.set("packet_valid_i", 0, 0);
  const unsigned heads[] = {1, 0, 0, 0}, tails[] = {0, 0, 1, 0}, ready[] = {0, 0, 1, 1};
  for (int cycle = 0; cycle < 4; ++cycle) {
    EXPECT_EQ(a.wires.get("head_o", 0), heads[cycle]) << cycle;
    EXPECT_EQ(a.wires.get("tail_o", 0), tails[cycle]) << cycle;
    EXPECT_EQ(a.wires.get("ready_o", 0), ready[cycle]) << cycle;
    a.wires.run();
  }
}

/// Two ports of a node: each its own packet, of its own length, and its own buffers.
TEST(PortsOfANode, SendTheirOwnPackets) {
  models::Experiment e = row();
  e.set("topology.local_ports", 2);
  Alone<NetworkInterface> a(e, 1);
  const unsigned flits[] = {2, 5};
  for (const unsigned i : {0U, 1U}) {
    a.wires.set("packet_flits_i", i, flits[i], kFlitBits);
    a.wires.set("packet_valid_i", i);
  }
  a.wires.run();
  for (const unsigned i : {0U, 1U}) a.wires.set("packet_valid_i", i, 0);
  for (unsigned cycle = 0; cycle < 7; ++cycle) {
    for (const unsigned i : {0U, 1U}) {
      EXPECT_EQ(a.wires.get("head_o", i), cycle == 0 ? 1U : 0U) << i << " in " << cycle;
      EXPECT_EQ(a.wires.get("tail_o", i), cycle + 1 == flits[i] ? 1U : 0U) << i << " in " << cycle;
    }
    a.wires.run();
  }
  // Three more from the second: it has four buffers in the router's queue, and then none until one is back.
  for (int packet = 0; packet < 4; ++packet) {
    a.wires.set("packet_flits_i", 1, 1, kFlitBits);
    a.wires.set("packet_valid_i", 1);
    a.wires.run();
    EXPECT_EQ(a.wires.get("head_o", 1), packet < 3 ? 1U : 0U) << packet;
  }
  a.wires.set("packet_valid_i", 1, 0);
  a.wires.set("buffer_back_i", 0);
  a.wires.run(2);
  EXPECT_EQ(a.wires.get("head_o", 1), 0U) << "the other port's";
  a.wires.set("buffer_back_i", 0, 0);
  a.wires.set("buffer_back_i", 1);
  a.wires.run();
  a.wires.set("buffer_back_i", 1, 0);
  a.wires.run();
  EXPECT_EQ(a.wires.get("head_o", 1), 1U);
}

}  // namespace
}  // namespace braid::test::first_router_test
