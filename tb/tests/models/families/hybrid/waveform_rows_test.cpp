// The rows of a waveform of hybrid routers: which there are, of how many bits, what they name, and which question each
// helps to answer; of circuits that share a local port, by lanes. What they show: setup_waveform_test.cpp,
// stall_rules_test.cpp.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tb/tests/support/tile_streams.h"
#include "tb/tests/support/wave.h"

namespace braid::test::waveform_rows_test {
namespace {

using models::Experiment;
using models::Signal;

/// The rows of a network's routers, by scope and name.
struct Declared {
  explicit Declared(Bench& bench) {
    std::vector<RouterId> routers;
    for (std::size_t r = 0; r < bench.topology.router_count(); ++r) routers.push_back(RouterId{r});
    source = bench.network->fabric().signals(table, routers);
    for (const Signal& s : table.signals()) rows[s.scope + "." + s.name] = &s;
  }
  bool has(const std::string& row) const { return rows.count(row) != 0; }
  const Signal& at(const std::string& row) const {
    EXPECT_TRUE(has(row)) << row;
    return has(row) ? *rows.at(row) : none;
  }
  std::size_t in_scope(const std::string& scope) const {
    std::size_t count = 0;
    for (const Signal& s : table.signals()) count += s.scope == scope ? 1 : 0;
    return count;
  }
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;
  std::map<std::string, const Signal*> rows;
  Signal none;
};

/// A row of two routers; with a stream on circuits or with traffic alone.
Experiment row(std::uint32_t lanes, std::uint32_t depth = 8) {
  Experiment e = lanes == 0 ? uniform_mesh(0.0, 2, 1) : tile_streams(2, 1, 1, {{0, 1}});
  if (lanes > 1) e.set("router.circuit_lanes", lanes);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", depth);
  return e;
}

/// What is on a link and in an ST register: a flit of a packet of 32 bits of a node of 16, on one of 32 lanes.
TEST(WaveformRows, OfAPortHaveTheirBits) {
  for (const std::uint32_t lanes : {0U, 1U, 2U}) {
    Bench bench(row(lanes));
    const Declared rows(bench);
    for (const char* port : {"router_0_0.east.", "router_0_0.local0.", "router_1_0.west.", "router_1_0.local0."}) {
      const auto bits = [&](const char* name) { return rows.at(std::string(port) + name).bits; };
      for (const char* one : {"link_valid", "link_circuit", "st_valid", "st_circuit"}) EXPECT_EQ(bits(one), 1U) << one;
      for (const char* node : {"link_source", "st_source", "link_flit", "st_flit"}) EXPECT_EQ(bits(node), 16U) << node;
      for (const char* number : {"link_sequence", "st_sequence"}) EXPECT_EQ(bits(number), 32U) << number;
      EXPECT_EQ(bits("link_vc"), 5U);
      EXPECT_EQ(bits("control"), 3U);
      EXPECT_EQ(bits("link_packet"), models::kPacketBits);
      EXPECT_EQ(rows.at(std::string(port) + "link_packet").kind, Signal::Kind::kPacket);
      for (const char* shown : {"link_valid", "st_valid", "control"}) {
        EXPECT_TRUE(rows.at(std::string(port) + shown).shown) << shown;
      }
      for (const char* not_shown : {"link_circuit", "link_vc", "link_source", "st_flit", "link_packet"}) {
        EXPECT_FALSE(rows.at(std::string(port) + not_shown).shown) << not_shown;
      }
      const bool several = lanes == 2 && std::string(port).find("local") != std::string::npos;
      EXPECT_EQ(rows.has(std::string(port) + "circuit_out"), !several) << port << lanes;
      EXPECT_EQ(rows.in_scope(std::string(port, std::string(port).size() - 1)), several ? 13U : 14U) << port << lanes;
    }
    EXPECT_FALSE(rows.has("router_0_0.west.link_valid")) << "nothing is there";
  }
}

/// Of a VC and of a circuit's lane: seven bits and more count the flits of a buffer.
TEST(WaveformRows, OfAVcHaveTheirBits) {
  for (const auto& [depth, bits] : {std::pair(8U, 7U), std::pair(128U, 8U), std::pair(256U, 9U)}) {
    Bench bench(row(1, depth));
    const Declared rows(bench);
    for (const char* vc : {"router_0_0.east.vc0.", "router_0_0.east.vc1.", "router_0_0.east.circuit.",
                           "router_1_0.local0.vc1.", "router_1_0.local0.circuit."}) {
      const auto at = [&](const char* name) -> const Signal& { return rows.at(std::string(vc) + name); };
      EXPECT_EQ(at("state").bits, 2U);
      EXPECT_TRUE(at("state").shown);
      ASSERT_NE(at("state").values, nullptr);
      EXPECT_EQ(at("state").values->values,
                (std::vector<std::string>{"idle", "needs_route", "waits_for_vc", "active"}));
      for (const char* count : {"count", "credits", "out_credits"}) EXPECT_EQ(at(count).bits, bits) << vc << count;
      EXPECT_EQ(at("stall").bits, 4U);
      EXPECT_EQ(at("out").bits, 7U);
      for (const char* packet : {"packet", "held_by"}) EXPECT_EQ(at(packet).kind, Signal::Kind::kPacket) << packet;
      for (const char* why : {"stall", "packet", "out", "out_credits", "held_by"}) {
        EXPECT_TRUE(at(why).helps(models::kWhyStalled)) << why;
      }
      for (const char* other : {"state", "count", "credits"}) EXPECT_FALSE(at(other).helps(models::kWhyStalled));
      EXPECT_EQ(at("stall").values->first_stall, 4U) << "moves, gets VC and routes are no stalls";
      EXPECT_EQ(at("stall").values->values[4], "VC taken");
    }
    EXPECT_FALSE(rows.has("router_0_0.east.vc2.state")) << "there are two";
  }
}

/// The set-up as a whole, a router's unit, and rows of the circuit table; without circuits wanted none of the first
/// two.
TEST(WaveformRows, OfTheSetUpHelpToTellHowItWent) {
  Bench with(row(1)), without(row(0));
  const Declared rows(with), none(without);
  const std::map<std::string, unsigned> bits{
      {"setup.phase", 2},   {"setup.order", 16},      {"setup.stream", 16},           {"setup.standing", 16},
      {"setup.message", 3}, {"setup.message_at", 20}, {"router_0_0.setup.search", 16}};
  for (const auto& [name, count] : bits) {
    EXPECT_EQ(rows.at(name).bits, count) << name;
    EXPECT_FALSE(none.has(name)) << name;
    ASSERT_NE(rows.at(name).question, nullptr) << name;
    EXPECT_EQ(rows.at(name).question->name, "setup") << name;
  }
  EXPECT_EQ(rows.at("router_0_0.setup.tried_ports").bits, with.topology.port_count(RouterId{0})) << "a bit a port";
  EXPECT_EQ(rows.at("setup.phase").kind, Signal::Kind::kPhase);
  for (const char* row : {"router_0_0.east.control", "router_0_0.east.circuit_out", "router_0_0.setup.tried_ports"}) {
    ASSERT_NE(rows.at(row).question, nullptr) << row;
    EXPECT_EQ(rows.at(row).question->name, "setup") << row;
  }
  for (const char* row : {"router_0_0.east.control", "router_0_0.east.circuit_out"}) {
    EXPECT_EQ(none.at(row).question, nullptr) << row << ": nobody asks";
  }
  EXPECT_EQ(rows.at("router_0_0.east.control").values->values,
            (std::vector<std::string>{"-", "PROBE", "BACKTRACK", "ACKNOWLEDGE", "TEAR_DOWN"}));
  EXPECT_EQ(rows.at("setup.message_at").values->values, (std::vector<std::string>{"-", "0,0", "1,0"}));
}

TEST(WaveformRows, OfSearchesAtOnceNameTheirMessages) {
  Experiment e = row(1);
  e.set("setup.searches", "parallel");
  Bench bench(e);
  const Declared rows(bench);
  EXPECT_EQ(rows.at("router_0_0.east.control").values->values,
            (std::vector<std::string>{"-", "RIP_UP", "RIPPED_UP", "ACKNOWLEDGE", "BACKTRACK", "PROBE"}));
  EXPECT_FALSE(rows.has("setup.phase")) << "there is no token";
}

/// Two streams of the node in the middle of a row, one each way. At local ports each lane has rows of its own,
/// elsewhere there is one.
TEST(WaveformRows, OfCircuitsThatShareALocalPortAreByLane) {
  Experiment e = tile_streams(3, 1, 1, {{1, 2}, {1, 0}});
  e.set("router.circuit_lanes", 2);
  Bench bench(e);
  bench.run(40);
  ASSERT_FALSE(bench.network->setup_results().fell_back_to_packets);
  Wave wave(bench);
  wave.run(1);
  const auto at = [&](const std::string& row) { return wave.at(row, 40); };
  EXPECT_EQ(at("router_1_0.local0.circuit0.circuit_out"), 0U) << "east";
  EXPECT_EQ(at("router_1_0.local0.circuit1.circuit_out"), 1U) << "west";
  EXPECT_EQ(at("router_1_0.east.circuit_out"), 63U) << "nothing comes in there";
  EXPECT_EQ(at("router_2_0.west.circuit_out"), 4U) << "to its node";
  EXPECT_EQ(at("router_0_0.east.circuit_out"), 4U) << "to its node";
  EXPECT_EQ(at("router_0_0.local0.circuit0.circuit_out"), 63U);
  EXPECT_EQ(at("router_0_0.local0.circuit1.circuit_out"), 63U);
  for (const char* lane : {"circuit0", "circuit1"}) {
    EXPECT_EQ(at(std::string("router_1_0.local0.") + lane + ".state"), 3U) << lane;
    EXPECT_EQ(at(std::string("router_0_0.local0.") + lane + ".state"), 0U) << lane;
    EXPECT_EQ(at(std::string("router_1_0.local0.") + lane + ".credits"), 5U) << lane;
    EXPECT_EQ(at(std::string("router_1_0.local0.") + lane + ".count"), 0U) << lane;
  }
  EXPECT_EQ(at("router_2_0.west.circuit.state"), 3U);
  EXPECT_EQ(at("router_1_0.local0.vc3.credits"), 8U);
  EXPECT_EQ(at("router_0_0.setup.search"), 2U) << "the second search's";
  EXPECT_EQ(at("router_1_0.setup.search"), 2U);
  EXPECT_EQ(at("router_2_0.setup.search"), 1U);
  EXPECT_EQ(at("router_1_0.setup.tried_ports"), 2U) << "west";
  EXPECT_EQ(at("router_2_0.setup.tried_ports"), 0U) << "an ejection lane is no port tried";
}

/// Some routers' rows alone: the others are not looked at.
TEST(WaveformRows, AreOfTheRoutersThatAreWanted) {
  Bench bench(tile_streams(3, 1, 1, {{0, 2}}, 5));
  models::SignalTable table;
  const auto source = bench.network->fabric().signals(table, {RouterId{1}});
  for (const Signal& s : table.signals()) {
    EXPECT_TRUE(s.scope.rfind("router_1_0", 0) == 0 || s.scope == "setup") << s.scope;
  }
  bool seen = false;
  for (int cycle = 0; cycle < 200; ++cycle) {
    const std::uint64_t now = bench.network->now();
    bench.run(1);
    source->sample(now);
    for (const Signal& s : table.signals()) seen = seen || (s.name == "link_valid" && s.value == 1);
  }
  EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace braid::test::waveform_rows_test
