// Why a packet stands still beside circuits (stall_signals.h): "circuit first" is that a circuit's flit leaves its
// input port, or crosses to its output port, and nothing else is; and who has what it waits for. Held to the other rows
// of the waveform. (Packets alone: stall_rules_test.cpp.)
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tb/tests/support/wave.h"

namespace braid::test::stall_circuits_test {
namespace {

using models::Experiment;

constexpr std::uint64_t kActive = 3;                                                    // of a VC
constexpr std::uint64_t kMoves = 1, kNoCredit = 6, kCircuitFirst = 7, kLostSwitch = 8;  // of its stall
constexpr std::uint64_t kCycles = 400;

/// A circuit over three routers of a row in a 3x3 mesh, busy three cycles of four, beside packets.
Experiment busy_circuit(std::uint32_t vcs, bool share) {
  const std::string file = temporary_file("busy.toml");
  std::ofstream(file) << "name = \"busy\"\n[[actor]]\nname = \"a\"\nwork = 21\ntile = 3\n"
                         "[[actor]]\nname = \"b\"\nwork = 1\ntile = 5\n[[edge]]\nfrom = \"a\"\nto = \"b\"\n"
                         "push = 16\npop = 16\n";
  Experiment e = stream_mesh("", 3, 3);
  e.set("stream.graph", file);
  e.set("topology.local_ports", 1);
  e.set("router.vcs", vcs);
  e.set("router.share_reserved_links", share);
  add_traffic(e, 0.4);
  return e;
}

struct Seen {
  std::size_t by_input = 0, by_output = 0, lost = 0, held_by_circuit = 0;
};

/// The packet that crosses to a port.
std::uint64_t crossing(const Wave& wave, const std::string& port, std::uint64_t cycle) {
  return models::packet_number(static_cast<std::uint32_t>(wave.at(port + "st_source", cycle)),
                               static_cast<std::uint32_t>(wave.at(port + "st_sequence", cycle)));
}

void expect_rules(std::uint32_t vcs, bool share, Seen& seen) {
  Bench bench(busy_circuit(vcs, share));
  bench.run(100);
  EXPECT_TRUE(bench.network->setup_done());
  const auto& bank = models::hybrid::of(bench.network->fabric()).bank();
  Wave wave(bench);
  wave.run(kCycles);
  const std::uint64_t first = bench.network->now() - kCycles;
  for (std::size_t r = 0; r < bench.topology.router_count(); ++r) {
    std::string router = "router_" + bench.topology.router_names[r] + ".";
    std::replace(router.begin(), router.end(), ',', '_');
    std::vector<std::string> ports;
    for (std::size_t p = 0; p < bench.topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = bench.topology.port(RouterId{r}, PortId{p});
      ports.push_back(port.kind == routing::PortKind::kUnconnected ? "" : router + port.name + ".");
    }
    for (const std::string& port : ports) {
      for (std::uint32_t v = 0; !port.empty() && v < vcs; ++v) {
        const std::string vc = port + "vc" + std::to_string(v) + ".";
        for (std::uint64_t cycle = first + 1; cycle < first + kCycles; ++cycle) {
          const std::uint64_t stall = wave.at(vc + "stall", cycle);
          const bool asked = wave.at(vc + "count", cycle - 1) > 0 && wave.at(vc + "state", cycle - 1) == kActive;
          if (!asked) continue;
          const std::string where = vc + " in cycle " + std::to_string(cycle);
          if (wave.at(vc + "out_credits", cycle - 1) == 0) {
            EXPECT_EQ(stall, kNoCredit) << where;
            continue;
          }
          const std::uint64_t out_number = wave.at(vc + "out", cycle - 1) - 1;
          const std::string& out = ports[out_number];
          const bool closed = bank.closed_outputs[bank.port_index(RouterId{r}, PortId{out_number})];
          const bool crosses = wave.at(out + "st_valid", cycle) != 0;
          const bool to_output = crosses && wave.at(out + "st_circuit", cycle) != 0;
          const bool from_input = wave.at(port + "circuit.stall", cycle) == kMoves;
          if (stall == kMoves) {
            EXPECT_TRUE(crosses && !to_output && !from_input && !closed) << where;
            continue;
          }
          EXPECT_EQ(stall, closed || to_output || from_input ? kCircuitFirst : kLostSwitch) << where;
          const std::uint64_t held_by = wave.at(vc + "held_by", cycle);
          if (crosses) {
            EXPECT_EQ(held_by, crossing(wave, out, cycle)) << where;
          } else if (from_input) {
            const auto taken = std::find_if(ports.begin(), ports.end(), [&](const std::string& p) {
              return !p.empty() && wave.at(p + "st_valid", cycle) != 0 && wave.at(p + "st_circuit", cycle) != 0;
            });
            ASSERT_NE(taken, ports.end()) << where;
            EXPECT_EQ(held_by, crossing(wave, *taken, cycle)) << where;
          }
          seen.by_input += from_input && !to_output && !closed ? 1 : 0;
          seen.by_output += to_output && !from_input && !closed ? 1 : 0;
          seen.lost += stall == kLostSwitch ? 1 : 0;
          seen.held_by_circuit += from_input && !crosses ? 1 : 0;
        }
        // Of a circuit there is no packet before it.
        for (std::uint64_t cycle = first + 1; v == 0 && cycle < first + kCycles; ++cycle) {
          EXPECT_NE(wave.at(port + "circuit.stall", cycle), kCircuitFirst) << port << " in cycle " << cycle;
        }
      }
    }
  }
}

TEST(StallRules, TellACircuitThatGoesFirst) {
  Seen seen;
  expect_rules(4, true, seen);
  EXPECT_GT(seen.by_input, 0U) << "from its input port alone";
  EXPECT_GT(seen.by_output, 0U) << "to its output port alone";
  EXPECT_GT(seen.lost, 0U);
  EXPECT_GT(seen.held_by_circuit, 0U);
}

TEST(StallRules, TellACircuitThatGoesFirstWithOneVc) {
  Seen seen;
  expect_rules(1, true, seen);
  EXPECT_GT(seen.by_input + seen.by_output, 0U);
}

}  // namespace
}  // namespace braid::test::stall_circuits_test
