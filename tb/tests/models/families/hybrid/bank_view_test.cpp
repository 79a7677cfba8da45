// The arithmetic of a bank's numbering (router_bank.h): lanes of ports, places of buffers, rows of the circuit table,
// and the copy of the view that stages walk with, whose numbering is a constant for the usual router alone.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/families/hybrid/router_bank.h"

namespace braid::test::bank_view_test {
namespace {

using models::Flit;
using models::hybrid::BankView;
using models::hybrid::kNone;
using models::hybrid::Options;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;

TEST(BankView, OfNoBankNumbersNothing) {
  const BankView none;
  EXPECT_EQ(none.vcs() + none.circuit_lanes() + none.lanes() + none.circuit_lane(), 0U);
  EXPECT_FALSE(none.has_circuits());
  EXPECT_EQ(none.lane_stride(), 1U);
  EXPECT_EQ(none.depth_mask(), 0U);
  EXPECT_EQ(none.count_bits(), 7U);
  EXPECT_EQ(none.max_candidates(), 0U);
  EXPECT_EQ(none.router_port_count(), 0U);
  EXPECT_TRUE(none.is_numbered(0, 0));
}

/// One router with so many nodes, each by a port.
routing::Topology one_router(std::uint32_t nodes) {
  Configuration c;
  c.set("topology.kind", "flattened_butterfly");
  c.set("topology.sizes", std::vector<std::uint32_t>{1});
  c.set("topology.concentration", nodes);
  return routing::make_topology(c);
}
Options with(std::uint32_t vcs, std::uint32_t circuits = 0) {
  Options o;
  o.vcs = vcs;
  o.circuits = circuits != 0;
  o.circuit_lanes = circuits;
  return o;
}

/// Ports and lanes take the bits that number them; a stage sees the same numbers as everybody else, once.
TEST(BankView, IsNumberedAlikeInAStage) {
  struct Case {
    std::uint32_t nodes, vcs;
    unsigned port_bits, lane_bits;
  };
  for (const Case& c : {Case{8, 4, 3, 2}, Case{5, 3, 3, 2}, Case{8, 2, 3, 1}, Case{8, 5, 3, 3}, Case{4, 4, 2, 2},
                        Case{9, 4, 4, 2}, Case{16, 8, 4, 3}, Case{3, 16, 2, 4}, Case{2, 1, 1, 0}}) {
    const RouterBank bank(one_router(c.nodes), with(c.vcs), 1);
    const std::string what = std::to_string(c.nodes) + " ports, " + std::to_string(c.vcs) + " VCs";
    EXPECT_TRUE(bank.is_numbered(c.port_bits, c.lane_bits)) << what;
    EXPECT_FALSE(bank.is_numbered(c.port_bits + 1, c.lane_bits)) << what;
    EXPECT_FALSE(bank.is_numbered(c.port_bits, c.lane_bits + 1)) << what;
    int times = 0;
    models::hybrid::with_numbering(bank, [&](const BankView& view) {
      ++times;
      EXPECT_TRUE(view.is_numbered(c.port_bits, c.lane_bits)) << what;
      for (const PortIndex port : {PortIndex{0}, c.nodes - 1}) {
        const VcIndex v = view.vc_index(port, c.vcs - 1);
        EXPECT_EQ(v, port * (1U << c.lane_bits) + c.vcs - 1) << what;
        EXPECT_EQ(view.port_of_vc(v), port) << what;
        EXPECT_EQ(view.lane_of(v), c.vcs - 1) << what;
        EXPECT_EQ(view.port_of(port), port) << what;
        EXPECT_EQ(&view.input_vcs[v], &bank.input_vcs[v]) << what;
        EXPECT_EQ(view.buffer(v), bank.buffer(v)) << what;
        EXPECT_EQ(view.candidates(v), bank.candidates(v)) << what;
      }
    });
    EXPECT_EQ(times, 1) << what;
  }
}

/// Buffers of as many places as the next power of two, side by side; and as many candidates as routing gives.
TEST(BankView, HasABufferAndCandidatesForEachVc) {
  for (const auto& [depth, places] : {std::pair(1U, 1), std::pair(2U, 2), std::pair(5U, 8), std::pair(256U, 256)}) {
    Options o = with(3);
    o.buffer_depth = depth;
    const RouterBank bank(one_router(2), o, 3);
    EXPECT_EQ(bank.buffer(4) - bank.buffer(3), places);
    EXPECT_EQ(bank.candidates(4) - bank.candidates(3), 3);
    const VcIndex v = bank.vc_index(1, 2);
    std::uint32_t in = 0, out = 0;
    for (int round = 0; round < 3; ++round) {
      while (bank.input_vcs[v].count < depth) bank.push(v, Flit(in++, 0, 2, 0));
      for (std::uint32_t i = 0; i < depth; ++i) EXPECT_EQ(bank.buffered(v, i).packet(), out + i);
      for (std::uint32_t i = 0; i < (depth + 1) / 2; ++i) {
        EXPECT_EQ(bank.front(v).packet(), out);
        EXPECT_EQ(bank.pop(v).packet(), out++);
      }
      EXPECT_EQ(bank.input_vcs[v].count, depth - (depth + 1) / 2);
    }
    EXPECT_EQ(bank.input_vcs[v - 1].count + bank.input_vcs[v + 1].count, 0);
  }
}

/// Three circuits a port: a row of the table, read both ways; a port is reserved while one of its lanes is.
TEST(CircuitTable, IsReadBothWays) {
  const RouterBank bank(one_router(2), with(2, 3), 1);
  const VcIndex in = bank.circuit_vc(0, 1);
  EXPECT_EQ(bank.circuit_lane(), 2U);
  EXPECT_EQ(bank.lanes(), 5U);
  EXPECT_EQ(bank.lane_of(in), 3U);
  EXPECT_EQ(bank.circuit_of(in), 1U);
  EXPECT_FALSE(bank.is_circuit_lane(1));
  EXPECT_TRUE(bank.is_circuit_lane(2));
  for (std::uint32_t lane = 0; lane < 3; ++lane) {
    const VcIndex out = bank.circuit_vc(1, lane);
    EXPECT_FALSE(bank.reserved(1));
    bank.reserve(in, out);
    EXPECT_EQ(bank.circuit_out(in), out);
    EXPECT_EQ(bank.circuit_in(out), in);
    EXPECT_EQ(bank.input_vcs[in].state, models::hybrid::VcState::kActive);
    EXPECT_TRUE(bank.reserved(1)) << lane;
    EXPECT_FALSE(bank.reserved(0)) << lane;
    bank.release(in, out);
    EXPECT_EQ(bank.circuit_out(in), kNone);
    EXPECT_EQ(bank.circuit_in(out), kNone);
    EXPECT_EQ(bank.input_vcs[in].state, models::hybrid::VcState::kIdle);
  }
}

/// The first lane of each port, port by port, before the second of any.
TEST(CircuitTable, GivesTheFirstLaneOfAllPortsBeforeASecond) {
  const routing::Topology topology = one_router(3);
  const RouterBank bank(topology, with(2, 2), 1);
  std::vector<routing::Attachment> ports;
  for (std::size_t node = 0; node < 3; ++node) ports.push_back(topology.nodes[node].front());
  std::vector<VcIndex> asked;
  EXPECT_EQ(bank.first_lane(ports,
                            [&](VcIndex v) {
                              asked.push_back(v);
                              return false;
                            }),
            kNone);
  std::vector<VcIndex> expected;
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    for (const routing::Attachment& a : ports)
      expected.push_back(bank.circuit_vc(bank.port_index(a.router, a.port), lane));
  }
  EXPECT_EQ(asked, expected);
  EXPECT_EQ(bank.first_lane(ports, [&](VcIndex v) { return v == expected[4]; }), expected[4]);
}

}  // namespace
}  // namespace braid::test::bank_view_test
