// One packet, cycle by cycle, through each family in its own signals. A column is a cycle; it shows the registers after
// the clock edge that ends it, so what happens "in cycle 5" stands in column 4 when it is a wire or a register's use
// (link, ST, holds) and what a cycle writes stands in its own column. Drawings: docs/router.md, po2.md,
// sat-fairness.md, setup.md.
#include <gtest/gtest.h>

#include <fstream>

#include "tb/tests/support/trees.h"
#include "tb/tests/support/wave.h"

// clang-format off: rows under one ruler
namespace braid::test::family_waveform_test {
namespace {

using models::Experiment;

/// Two routers, one VC. Created in cycle 0, columns begin with cycle 1.
///   head: VC 1, LT 2, A: BW+RC 3, VA 4, SA 5, ST 6, LT 7, B: BW 8, VA 9, SA 10, ST 11, LT 12, node 13
///   tail:       LT 3, A: BW 4,          SA 6, ST 7, LT 8, B: BW 9,       SA 11, ST 12, LT 13, node 14
TEST(HybridWaveform, ShowsAPacketOfTwoFlitsAsDrawn) {
  Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("router.vcs", 1);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 2);
  Wave wave(bench);
  wave.run(16);
  const std::string a = "router_0_0.", b = "router_1_0.";
  //                                                    1234567890123456
  EXPECT_EQ(wave.row(a + "local0.link_valid"),         "1100000000000000") << "LT in 2 and 3";
  EXPECT_EQ(wave.row(a + "local0.link_flit"),          "0111111111111111") << "the wire keeps its last value";
  EXPECT_EQ(wave.row(a + "local0.vc0.count"),          "0012100000000000") << "BW 3, 4; SA 5, 6";
  EXPECT_EQ(wave.row(a + "local0.vc0.state"),          "0023300000000000") << "RC 3: waits; VA 4: active; tail's SA 6";
  EXPECT_EQ(wave.row(a + "east.st_valid"),             "0000110000000000") << "ST in 6 and 7";
  EXPECT_EQ(wave.row(a + "east.st_flit"),              "0000011111111111");
  EXPECT_EQ(wave.row(a + "east.vc0.credits"),          "8888766666678888") << "SA 5, 6; back for 13, 14";
  EXPECT_EQ(wave.row(b + "west.link_valid"),           "0000011000000000") << "LT in 7 and 8";
  EXPECT_EQ(wave.row(b + "west.vc0.count"),            "0000000121000000") << "BW 8, 9; SA 10, 11";
  EXPECT_EQ(wave.row(b + "west.vc0.state"),            "0000000233000000") << "RC 8, VA 9";
  EXPECT_EQ(wave.row(b + "local0.st_valid"),           "0000000001100000") << "ST in 11 and 12";
  EXPECT_EQ(wave.row(b + "local0.vc0.credits"),        "8888888887666788")
      << "SA 10, 11; the node takes the flits in 13, 14: back for 15, 16";
  EXPECT_EQ(wave.row(a + "local0.st_valid"), std::string(16, '0'));
  EXPECT_EQ(wave.row(a + "local0.st_circuit"), std::string(16, '0'));
}

/// Two packets from node 1 to node 0: the names on the link are the source and its count.
TEST(HybridWaveform, NamesPacketsBySourceAndSequence) {
  Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("router.vcs", 2);
  Bench bench(e);
  bench.run(1);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{1}, NodeId{0}, 1);
  Wave wave(bench);
  wave.run(10);
  // The second goes a cycle behind the first on the next VC: LT in 2 and 3, then in 7 and 8.
  EXPECT_EQ(wave.row("router_1_0.local0.link_vc"), "0111111111");
  EXPECT_EQ(wave.row("router_1_0.local0.link_source"), "1111111111");
  EXPECT_EQ(wave.row("router_1_0.local0.link_sequence"), "0111111111");
  EXPECT_EQ(wave.row("router_0_0.east.link_valid"), "0000011000");
  EXPECT_EQ(wave.at("router_0_0.east.link_sequence", 6), 0U);
  EXPECT_EQ(wave.at("router_0_0.east.link_sequence", 7), 1U);
  EXPECT_EQ(wave.at("router_1_0.west.st_sequence", 5), 0U);
  EXPECT_EQ(wave.at("router_1_0.west.st_sequence", 6), 1U);
  EXPECT_EQ(wave.at("router_1_0.west.st_source", 6), 1U);
}

Experiment circuit_of_two(const std::string& work) {
  const std::string file = temporary_file("two.toml");
  std::ofstream(file)
      << "name = \"two\"\n[[actor]]\nname = \"a\"\nwork = " << work << "\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 1\n"
      << "tile = 1\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 1\npop = 1\n";
  Experiment e = stream_mesh("", 2, 1);
  e.set("stream.graph", file);
  return e;
}

/// Set-up between neighbours. Request in cycle 0, PROBE at s in 1, on the channel 2, at d in 3, ACKNOWLEDGE on the
/// channel in 4, at s in 5: ready. Columns begin with cycle 0.
TEST(SetupWaveform, ShowsProbeAndAcknowledgeAsDrawn) {
  Bench bench(circuit_of_two("1000"));
  Wave wave(bench);
  wave.run(8);
  const std::string s = "router_0_0.", d = "router_1_0.";
  //                                               01234567
  EXPECT_EQ(wave.row(s + "local0.control"),       "10000000") << "PROBE at s in cycle 1";
  EXPECT_EQ(wave.row(d + "west.control"),         "00100000") << "PROBE at d in cycle 3";
  EXPECT_EQ(wave.row(s + "east.control"),         "00003000") << "ACKNOWLEDGE at s in cycle 5";
  EXPECT_EQ(wave.row(s + "local0.circuit_out"),   "+0000000") << "63: none; port 0, east, reserved in cycle 1";
  EXPECT_EQ(wave.at(s + "local0.circuit_out", 0), 63U);
  EXPECT_EQ(wave.row(d + "west.circuit_out"),     "+++44444") << "port 4, local0, reserved in cycle 3";
  EXPECT_EQ(wave.row(s + "setup.search"),         "01111111");
  EXPECT_EQ(wave.row(s + "setup.tried_ports"),    "01111111") << "port 0";
  EXPECT_EQ(wave.row(d + "setup.search"),         "00011111");
}

/// A circuit's flit: LT t, ST at A t + 1, LT t + 2, ST at B t + 3; the buffer never holds it after the edge.
TEST(CircuitWaveform, ShowsTwoCyclesAHop) {
  Bench bench(circuit_of_two("50"));
  Wave wave(bench);
  wave.run(200);
  const std::string a = "router_0_0.", b = "router_1_0.";
  const std::string link = wave.row(a + "local0.link_valid");
  const std::size_t t = link.find('1');
  ASSERT_NE(t, std::string::npos);
  ASSERT_LT(t + 10, link.size());
  EXPECT_EQ(link.substr(t, 10), "1000000000");
  EXPECT_EQ(wave.row(a + "local0.link_circuit").substr(t, 2), "10");
  EXPECT_EQ(wave.row(a + "east.st_valid").substr(t, 10), "0100000000");
  EXPECT_EQ(wave.row(a + "east.st_circuit").substr(t, 3), "010");
  EXPECT_EQ(wave.row(b + "west.link_valid").substr(t, 10), "0010000000");
  EXPECT_EQ(wave.row(b + "local0.st_valid").substr(t, 10), "0001000000");
  // SA at A in the cycle of LT, t + 1 by columns; ST at B in t + 4: the credit counts in t + 6, column t + 5.
  EXPECT_EQ(wave.row(a + "east.circuit.credits").substr(t, 8), "54444555");
  EXPECT_EQ(wave.row(a + "local0.circuit.count"), std::string(200, '0'));
}

/// A switch of four nodes, three flits. Created 0; head on the injection link in 1 and in the queue; granted in 2; the
/// tail leaves in 4 and is at its node. Columns begin with cycle 1.
TEST(CutThroughWaveform, ShowsAPacketInOneSwitch) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  bench.network->send_packet(NodeId{2}, NodeId{1}, 3);
  Wave wave(bench);
  wave.run(6);
  EXPECT_EQ(bench.delivered(), 1U);
  const std::string in = "router_0_0.node2.", out = "router_0_0.node1.";
  //                                        123456
  EXPECT_EQ(wave.row(in + "packets"),      "111000");
  EXPECT_EQ(wave.row(in + "leaving"),      "011000");
  EXPECT_EQ(wave.row(in + "head_source"),  "222222");
  EXPECT_EQ(wave.row(out + "busy"),        "011000");
  EXPECT_EQ(wave.row(in + "busy"),         "000000");
  EXPECT_EQ(wave.row(out + "packets"),     "000000");
}

/// Across two switches of a mesh with links of two cycles, four flits: A grants in 2, the head is in B's queue at the
/// end of 3, B grants in 4; A's port is busy 2 to 5, B's 4 to 7. B's tail leaves in 7, and the credit, a cycle of delay
/// and a second one on the wire, counts in 9.
TEST(CutThroughWaveform, ShowsAPacketAcrossALinkOfTwoCycles) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", 2);
  e.set("topology.height", 1);
  e.set("topology.link_latency_cycles", 2);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  Wave wave(bench);
  wave.run(10);
  const std::string a = "router_0_0.", b = "router_1_0.";
  // The second packet, of one flit: on the injection link in 5, granted by A in 6; in B's queue at the end of 7, when
  // the first is out; granted by B in 8: its credit counts in 10. A transfer of one cycle leaves no trace in `busy`.
  //                                              1234567890
  EXPECT_EQ(wave.row(a + "local0.packets"),      "1111100000");
  EXPECT_EQ(wave.row(a + "local0.leaving"),      "0111000000");
  EXPECT_EQ(wave.row(a + "east.busy"),           "0111000000");
  EXPECT_EQ(wave.row(a + "east.credits"),        "4333322344");
  EXPECT_EQ(wave.row(b + "west.packets"),        "0011111000");
  EXPECT_EQ(wave.row(b + "west.leaving"),        "0001110000");
  EXPECT_EQ(wave.row(b + "local0.busy"),         "0001110000");
  EXPECT_EQ(wave.row(b + "west.head_sequence"),  "0000001111");
}

/// PO2 with small numbers: inject 3, header 2, eject 1, acknowledge 2, four flits. Node's port 0 to 7, header in by 5,
/// link 5 to 11, header at the neighbour by 7, its node's port 7 to 12. Columns begin with cycle 0.
TEST(Po2Waveform, ShowsAPacketToANeighbour) {
  Experiment e;
  e.set("topology.kind", "hexagonal");
  e.set("topology.edge", 3);
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", "deterministic");
  e.set("routing.allow_deadlock", true);
  e.set("po2.inject_overhead_cycles", 3);
  e.set("po2.header_cycles", 2);
  e.set("po2.eject_overhead_cycles", 1);
  e.set("po2.acknowledge_cycles", 2);
  e.open("traffic");
  e.set("traffic.rate_flits_per_node_cycle", 0.0);
  Bench bench(e);
  Wave wave(bench);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  wave.run(13);
  const std::string a = "router_" + models::identifier(bench.topology.router_names[0]) + ".";
  const std::string b = "router_" + models::identifier(bench.topology.router_names[1]) + ".";
  //                                           0123456789012
  EXPECT_EQ(wave.row(a + "local0.use"),       "2222220000000") << "injects until 7";
  EXPECT_EQ(wave.row(a + "local0.offer"),     "1000000000000");
  EXPECT_EQ(wave.row(a + "local0.wanted"),    "1111110000000") << "by its queue";
  EXPECT_EQ(wave.row(a + "east.use"),         "0000011111000") << "sends 5 to 11";
  EXPECT_EQ(wave.row(a + "east.offer"),       "0000010000000");
  EXPECT_EQ(wave.row(a + "east.wanted"),      "0000100000000");
  EXPECT_EQ(wave.row(a + "east.sent_last"),   "0000011111111");
  EXPECT_EQ(wave.row(b + "west.use"),         "0000022222000") << "receives 5 to 11";
  EXPECT_EQ(wave.row(b + "west.sent_last"),   "0000000000000");
  EXPECT_EQ(wave.row(b + "local0.use"),       "0000000111100") << "ejects 7 to 12";
  EXPECT_EQ(wave.row(a + "buffer0.state"),    "1111233333000") << "arriving, waiting, leaving, free";
  EXPECT_EQ(wave.row(b + "buffer0.state"),    "0000012333300");
  EXPECT_EQ(wave.row(a + "buffers_taken"),    "1111111111000");
  EXPECT_EQ(wave.row(b + "buffers_taken"),    "0000011111100");
  EXPECT_EQ(wave.row(a + "waiting"),          "0000100000000");
  EXPECT_EQ(wave.row(b + "waiting"),          "0000001000000");
  EXPECT_EQ(wave.row(b + "buffer0.pool_class"), "0000000000000");
  EXPECT_EQ(bench.delivered(), 1U);
}

/// The SAT line round a switch of four nodes, as drawn: node 0 has the signal in cycle 0, wires 1 and 2, node 1 in 3.
TEST(SatRingWaveform, MovesAWireACycleAndStaysACycleAtAStation) {
  Experiment e = vct_tree(1, 0.0);
  e.set("interface.fairness", "sat");
  e.set("sat.carrier", "ring");
  Bench bench(e);
  Wave wave(bench);
  wave.run(14);
  // Columns show the next cycle: node n holds in 3 n, wires in 3 n + 1 and 3 n + 2; round in 12.
  //                                                      01234567890123
  EXPECT_EQ(wave.row("sat.line.node0_to_0_0"),           "10000000000010");
  EXPECT_EQ(wave.row("sat.line.0_0_to_node1"),           "01000000000001");
  EXPECT_EQ(wave.row("sat.node1.holds"),                 "00100000000000");
  EXPECT_EQ(wave.row("sat.line.node1_to_0_0"),           "00010000000000");
  EXPECT_EQ(wave.row("sat.line.0_0_to_node2"),           "00001000000000");
  EXPECT_EQ(wave.row("sat.node2.holds"),                 "00000100000000");
  EXPECT_EQ(wave.row("sat.line.node3_to_0_0"),           "00000000010000");
  EXPECT_EQ(wave.row("sat.line.0_0_to_node0"),           "00000000001000");
  EXPECT_EQ(wave.row("sat.node0.holds"),                 "00000000000100");
}

/// Over the spanning tree of one switch: down in cycle 0, at all nodes in 1, up in 2, down again in 3.
TEST(SatTreeWaveform, GoesDownToAllAndUpAgain) {
  Experiment e = vct_tree(1, 0.0);
  e.set("interface.fairness", "sat");
  e.set("sat.carrier", "spanning_tree");
  Bench bench(e);
  Wave wave(bench);
  wave.run(8);
  for (const char* n : {"node0", "node1", "node2", "node3"}) {
    const std::string node = n;
    EXPECT_EQ(wave.row("sat." + node + ".holds"), "10010010");
    EXPECT_EQ(wave.row("sat.line." + node + "_to_0_0"), "01001001");
    EXPECT_EQ(wave.row("sat.line.0_0_to_" + node), "00100100");
  }
}

/// k = 2: two packets of one flit pass in cycles 4 and 5 and close the station until the signal leaves it, in 15.
TEST(SatStationWaveform, ClosesAtKAndOpensWhenTheSignalLeaves) {
  Experiment e = vct_tree(1, 0.0);
  e.set("interface.fairness", "sat");
  e.set("sat.l", 1);
  e.set("sat.k", 2);
  Bench bench(e);
  bench.run(4);  // the signal has just left node 1, in cycle 3
  for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 1);
  Wave wave(bench);
  wave.run(16);
  // Packets go in 4 and 5; the signal is at node 1 in 15: the third goes in 16.
  //                                        4567890123456789
  EXPECT_EQ(wave.row("sat.node1.sent"),    "1222222222201111");
  EXPECT_EQ(wave.row("sat.node1.open"),    "1000000000011111");
  EXPECT_EQ(wave.row("sat.node1.holds"),   "0000000000100000");
}

}  // namespace
}  // namespace braid::test::family_waveform_test
