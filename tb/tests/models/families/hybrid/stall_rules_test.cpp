// Why a packet stands still (stall_signals.h), held to the other rows of a waveform: what was there the cycle before,
// and what crosses the switch now. One rule for each value.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "tb/tests/support/wave.h"

namespace braid::test::stall_rules_test {
namespace {

using models::Experiment;

// Of a VC, and of its stall.
constexpr std::uint64_t kNeedsRoute = 1, kWaitsForVc = 2, kActive = 3;
constexpr std::uint64_t kNothing = 0, kMoves = 1, kGetsVc = 2, kRoutes = 3, kVcTaken = 4, kLostVc = 5, kNoCredit = 6,
                        kLostSwitch = 8;

/// A network's rows, by router, port and VC.
class Rows {
 public:
  Rows(const Experiment& e, std::uint64_t cycles) : bench_(e), wave_(bench_) {
    wave_.run(cycles);
    const routing::Topology& topology = bench_.topology;
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      std::string router = "router_" + topology.router_names[r];
      std::replace(router.begin(), router.end(), ',', '_');
      routers.emplace_back();
      for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
        const routing::Port& port = topology.port(RouterId{r}, PortId{p});
        const bool there = port.kind != routing::PortKind::kUnconnected;
        routers.back().push_back(there ? router + "." + port.name + "." : "");
      }
    }
  }
  std::uint64_t at(const std::string& row, std::uint64_t cycle) const { return wave_.at(row, cycle); }
  /// The packet that crosses the switch to this port; 0: none.
  std::uint64_t crossing(const std::string& port, std::uint64_t cycle) const {
    if (at(port + "st_valid", cycle) == 0) return 0;
    return models::packet_number(at(port + "st_source", cycle),
                                 static_cast<std::uint32_t>(at(port + "st_sequence", cycle)));
  }

  std::vector<std::vector<std::string>> routers;  // [router][port] the port's scope, "": not there

 private:
  Bench bench_;
  Wave wave_;
};

/// Another VC of the router has this output port, and its packet is the one that is named.
bool holds(const Rows& rows, const std::vector<std::string>& ports, std::uint32_t vcs, std::uint64_t out,
           std::uint64_t packet, std::uint64_t cycle) {
  for (const std::string& port : ports) {
    for (std::uint32_t v = 0; !port.empty() && v < vcs; ++v) {
      const std::string vc = port + "vc" + std::to_string(v) + ".";
      if (rows.at(vc + "state", cycle) != kActive || rows.at(vc + "out", cycle) != out) continue;
      if (packet == 0 || rows.at(vc + "packet", cycle) == packet) return true;
    }
  }
  return false;
}

/// The packet of another VC of the same port that moves; 0: none does.
std::uint64_t moves_from(const Rows& rows, const std::string& port, std::uint32_t vcs, std::uint64_t cycle) {
  for (std::uint32_t v = 0; v < vcs; ++v) {
    const std::string vc = port + "vc" + std::to_string(v) + ".";
    if (rows.at(vc + "stall", cycle) == kMoves) return rows.at(vc + "packet", cycle - 1);
  }
  return 0;
}

std::array<std::size_t, 9> expect_rules(std::uint32_t vcs, const char* allocator) {
  Experiment e = uniform_mesh(0.8, 3, 3);
  e.set("router.vcs", vcs);
  e.set("router.buffer_depth", 3);
  e.set("router.switch_allocator", allocator);
  constexpr std::uint64_t kCycles = 100;
  const Rows rows(e, kCycles);
  std::array<std::size_t, 9> seen{};
  for (const auto& ports : rows.routers) {
    for (const std::string& port : ports) {
      for (std::uint32_t v = 0; !port.empty() && v < vcs; ++v) {
        const std::string vc = port + "vc" + std::to_string(v) + ".";
        for (std::uint64_t cycle = 1; cycle < kCycles; ++cycle) {
          const auto before = [&](const char* row) { return rows.at(vc + row, cycle - 1); };
          const std::uint64_t stall = rows.at(vc + "stall", cycle), held_by = rows.at(vc + "held_by", cycle);
          const std::uint64_t count = before("count"), state = before("state"), out = before("out"),
                              credits = before("out_credits"), after = rows.at(vc + "state", cycle);
          const std::string where = vc + " in cycle " + std::to_string(cycle);
          if (stall >= seen.size()) {
            ADD_FAILURE() << where << ": stall " << stall;
            continue;
          }
          ++seen[stall];
          EXPECT_EQ(count == 0, stall == kNothing) << where;
          EXPECT_EQ(out != 0, state == kActive || state == kWaitsForVc) << where;
          const std::uint64_t crossing = out == 0 ? 0 : rows.crossing(ports[out - 1], cycle);
          switch (stall) {
            case kMoves:
              EXPECT_TRUE(state == kActive && credits > 0) << where;
              EXPECT_EQ(crossing, before("packet")) << where;
              break;
            case kGetsVc:
              EXPECT_TRUE(state == kWaitsForVc && after == kActive) << where;
              break;
            case kRoutes:
              EXPECT_EQ(state, kNeedsRoute) << where;
              break;
            case kVcTaken:
            case kLostVc:
              EXPECT_TRUE(state == kWaitsForVc && after == kWaitsForVc) << where;
              EXPECT_TRUE(held_by == 0 || holds(rows, ports, vcs, out, held_by, cycle)) << where;
              EXPECT_TRUE(held_by != 0 || !holds(rows, ports, vcs, out, 0, cycle)) << where;
              break;
            case kNoCredit:
              EXPECT_TRUE(state == kActive && credits == 0) << where;
              break;
            case kLostSwitch:
              EXPECT_TRUE(state == kActive && credits > 0) << where;
              EXPECT_EQ(held_by, crossing != 0 ? crossing : moves_from(rows, port, vcs, cycle)) << where;
              break;
            default:
              break;
          }
          if (stall < kVcTaken || stall == kNoCredit) {
            EXPECT_EQ(held_by, 0U) << where;
          }
        }
      }
    }
  }
  return seen;
}

TEST(StallRules, HoldInEveryCycleOfASaturatedMesh) {
  for (const auto& [vcs, allocator] :
       {std::pair(1U, "separable_input_first"), std::pair(2U, "separable_input_first"), std::pair(2U, "islip")}) {
    const auto seen = expect_rules(vcs, allocator);
    for (const std::uint64_t stall : {kNothing, kMoves, kGetsVc, kRoutes, kVcTaken, kLostVc, kNoCredit}) {
      EXPECT_GT(seen[stall], 0U) << stall << " with " << vcs << " VCs";
    }
    EXPECT_EQ(seen[kLostSwitch] > 0, vcs > 1) << "two packets on one link";
  }
}

/// A link that a circuit keeps to itself: a packet that has its VC and room behind it waits for the circuit, of which
/// no flit is anywhere.
TEST(StallRules, NameAClosedLink) {
  const std::string file = temporary_file("closed.toml");
  std::ofstream(file) << "name = \"silent\"\n[[actor]]\nname = \"a\"\nwork = 100000\ntile = 0\n"
                         "[[actor]]\nname = \"b\"\nwork = 1\ntile = 1\n[[edge]]\nfrom = \"a\"\nto = \"b\"\n";
  Experiment e = stream_mesh("", 2, 1);
  e.set("stream.graph", file);
  e.set("router.share_reserved_links", false);
  add_traffic(e, 0.0);
  Bench bench(e);
  bench.run(20);
  ASSERT_TRUE(bench.network->setup_done());
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  Wave wave(bench);
  wave.run(40);
  const std::string vc = "router_0_0.local0.vc0.", stall = wave.row(vc + "stall");
  const std::size_t gets_vc = stall.find('2');
  ASSERT_LT(gets_vc, 10U) << stall;
  EXPECT_EQ(stall, std::string(gets_vc, '0') + "2" + std::string(39 - gets_vc, '7')) << "circuit first";
  EXPECT_EQ(wave.row(vc + "held_by"), std::string(40, '0')) << "no packet has it";
  EXPECT_EQ(wave.row(vc + "out").substr(gets_vc), std::string(40 - gets_vc, '1')) << "east";
  EXPECT_EQ(wave.row(vc + "out_credits").substr(gets_vc), std::string(40 - gets_vc, '8'));
}

}  // namespace
}  // namespace braid::test::stall_rules_test
