// Who sends how much: by a matrix each node at a rate of its own, in packets of their length; nobody who is not asked
// to; and messages in packets of their own length.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/bench.h"

namespace braid::test::senders_test {
namespace {

using Packets = std::vector<std::uint64_t>;

/// Of three nodes in a row: node 0 sends half a flit a cycle, node 1 nothing, node 2 a quarter, in packets of two.
std::string by_matrix(const std::string& more, const std::string& sections = "") {
  const std::string file = temporary_file("rates.csv");
  std::ofstream(file) << "from,to,rate\n0,1,0.25\n0,2,0.25\n2,0,0.25\n";
  return "[topology]\nwidth = 3\nheight = 1\n" + sections + "[traffic]\npattern = \"matrix\"\nfile = \"" + file +
         "\"\nprocess = \"constant\"\nlength = \"fixed\"\nflits = 2\n" + more;
}

/// Packets that each node has made in 800 cycles, all of one length.
Packets made(const std::string& text, std::uint32_t flits = 2) {
  models::Experiment e = models::parse_experiment(text, "e.toml");
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.run(800);
  Packets all(3);
  bench.network->packet_log()->each(bench.network->store(),
                                    [&](const models::PacketRecord&, const models::Packet& packet) {
                                      EXPECT_EQ(packet.length_flits, flits);
                                      ++all.at(packet.source.value);
                                    });
  return all;
}

/// A packet in four cycles, none, one in eight.
TEST(Senders, OfAMatrixHaveRatesOfTheirOwn) { EXPECT_EQ(made(by_matrix("")), (Packets{200, 0, 100})); }

TEST(Senders, AreThoseThatAreListed) {
  EXPECT_EQ(made(by_matrix("name = \"a\"\nsenders = [2, 1]\n")), (Packets{0, 0, 100}));
  const std::string uniform =
      "[topology]\nwidth = 3\nheight = 1\n[traffic]\nname = \"a\"\nprocess = \"constant\"\nlength = \"fixed\"\n"
      "flits = 2\nrate_flits_per_node_cycle = 0.5\n";
  EXPECT_EQ(made(uniform), (Packets{200, 200, 200}));
  EXPECT_EQ(made(uniform + "senders = [1]\n"), (Packets{0, 200, 0}));
}

/// A message of two packets of four flits each: half a flit a cycle is a message in 16 cycles, two packets.
TEST(Senders, OfMessagesMakeAsManyFlits) {
  EXPECT_EQ(made(by_matrix("", "[message]\npacket_flits = 4\n"), 4), (Packets{100, 0, 50}));
}

/// What a matrix says that a node sends is what it says of flows: the flits that were made.
TEST(Senders, OfAMatrixSaySo) {
  const Bench bench(models::parse_experiment(by_matrix(""), "e.toml"));
  const auto flows = sources_of(bench).flows(1000);
  ASSERT_EQ(flows.size(), 3U);
  for (const routing::Flow& flow : flows) EXPECT_DOUBLE_EQ(flow.weight, 0.25);
  EXPECT_EQ(flows[0].source, NodeId{0});
  EXPECT_EQ(flows[0].destination, NodeId{1});
  EXPECT_EQ(flows[2].source, NodeId{2});
  EXPECT_EQ(flows[2].destination, NodeId{0});
}

}  // namespace
}  // namespace braid::test::senders_test
