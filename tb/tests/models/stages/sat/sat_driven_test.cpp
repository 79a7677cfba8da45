// A SAT station and the SAT line on SystemC signals, driven by synthetic traffic and by a stream graph: each stands
// alone beside a network of modules and is to write what its twin there writes, in every cycle (driven_module.h), and
// what a small reference here says. `scripts/nightly` runs a million cycles (BRAID_MODULE_CYCLES).
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/stages/sat/line.h"
#include "models/stages/sat/station.h"
#include "routing/topology/ring.h"
#include "tb/tests/support/driven_module.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_driven_test {
namespace {

using models::stages::sat::kCountBits;
using models::stages::sat::kPassedBits;
using models::stages::sat::Line;
using models::stages::sat::Station;

constexpr std::uint32_t kL = 3, kK = 5;

/// Bernoulli sources that all want a quarter of the nodes: stations hold the signal, and close.
models::Experiment synthetic(const char* carrier) {
  models::Experiment e = with_sat(vct_tree(2, 1.0), carrier, kL, kK);
  e.set("traffic.pattern", "hot_region");
  return e;
}

models::Experiment stream(const char* carrier) {
  models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("interface.switching", "packet");
  e.set("stream.computation_scaling", 0.001);
  return with_sat(e, carrier, kL, kK);
}

struct Driver {
  const char* name;
  models::Experiment (*experiment)(const char* carrier);
  const char* carrier;
  std::size_t node;     ///< whose station it is
  std::uint64_t moves;  ///< that an output makes in 3000 cycles, at least
  bool ring() const { return std::string(carrier) == "ring"; }
  /// Which bring the signal within a cycle.
  bool ring_of_units() const { return std::string(carrier) == "diamond_ring"; }
  models::Experiment made() const { return experiment(carrier); }
};

/// Counts packets since the signal left: below k the node may send, below l with more waiting it keeps the signal.
class StationReference {
 public:
  void check(const DrivenModule& station, std::uint64_t cycle) {
    if (station.bit("signal_now_i", 0)) holds_ = true;
    if (station.bit("signal_leaves_i", 0)) {
      holds_ = false;
      sent_ = 0;
    }
    if (station.bit("signal_i", 0)) holds_ = true;
    const bool was_open = sent_ < kK;
    sent_ += station.entry("passed_i", 0, kPassedBits);
    const bool keeps = sent_ < kL && station.bit("waiting_i", 0);
    ASSERT_EQ(station.entry("sent_o", 0, kCountBits), sent_) << "cycle " << cycle;
    ASSERT_EQ(station.bit("open_o", 0), sent_ < kK) << "cycle " << cycle;
    ASSERT_EQ(station.bit("satisfied_o", 0), !keeps) << "cycle " << cycle;
    ASSERT_EQ(station.bit("starved_o", 0), keeps) << "cycle " << cycle;
    ASSERT_EQ(station.bit("holds_o", 0), holds_) << "cycle " << cycle;
    closed_ += was_open && sent_ >= kK ? 1 : 0;
  }
  std::uint64_t closed() const { return closed_; }

 private:
  std::uint64_t sent_ = 0, closed_ = 0;
  bool holds_ = false;
};

/// The signal leaves a stop of the ring in the first cycle in which it is there and may; after N wires of a cycle each
/// the line brings it to the next one, and not after N - 1.
class RingReference {
 public:
  explicit RingReference(const routing::Topology& topology) : stops_(routing::virtual_ring(topology)) {}
  void check(const Line& line, std::uint64_t cycle) {
    const auto bit = [](const auto& ports, NodeId node) { return ports[node.value]->read()[0]; };
    const bool here = cycle >= there_from_, leaves = here && bit(line.satisfied_i, stops_[stop_].node);
    for (const routing::RingStop& stop : stops_) {
      const bool at = stop.node == stops_[stop_].node;
      ASSERT_EQ(bit(line.signal_leaves_o, stop.node), at && leaves)
          << "node " << stop.node.value << ", cycle " << cycle;
      ASSERT_EQ(bit(line.signal_now_o, stop.node), at && cycle == 0)
          << "node " << stop.node.value << ", cycle " << cycle;
      ASSERT_EQ(bit(line.signal_o, stop.node), at && cycle > 0 && cycle + 1 == there_from_)
          << "node " << stop.node.value << ", cycle " << cycle;
    }
    held_ += here && !leaves ? 1 : 0;
    if (!leaves) return;
    std::uint64_t wires = 0;
    for (const routing::RingWire& wire : stops_[stop_].wires) wires += wire.cycles;
    stop_ = (stop_ + 1) % stops_.size();
    there_from_ = cycle + wires + 1;
  }
  std::uint64_t held() const { return held_; }

 private:
  const std::vector<routing::RingStop> stops_;
  std::size_t stop_ = 0;
  std::uint64_t there_from_ = 0, held_ = 0;
};

class SatDriven : public testing::TestWithParam<Driver> {
 protected:
  static std::uint64_t cycles() {
    const char* const asked = std::getenv("BRAID_MODULE_CYCLES");
    return asked == nullptr ? 3000 : std::strtoull(asked, nullptr, 10);
  }
  static std::uint64_t moves() { return GetParam().moves * cycles() / 3000; }
};

/// At its edge a station takes what the line did in the cycle before and the packets of this one: its twin shows the
/// same before the line moves.
TEST_P(SatDriven, StationOnSignalsWritesWhatItsTwinDoes) {
  ModuleBench network(GetParam().made());
  Bench fast(GetParam().made());
  Station station("alone", {kL, kK});
  const std::size_t line = network.steps() - 2;
  DrivenModule driven(station, "network.sat.node" + std::to_string(GetParam().node), {line, line});
  StationReference reference;
  expect_follows(network, fast, driven, cycles(), nullptr,
                 [&](std::uint64_t cycle) { reference.check(driven, cycle); });
  driven.expect_moved(moves(), {"sent_o", "holds_o"});
  EXPECT_GT(reference.closed(), 0U);
}

TEST_P(SatDriven, LineOnSignalsWritesWhatItsTwinDoes) {
  ModuleBench network(GetParam().made());
  Bench fast(GetParam().made());
  Line line("alone", network.topology, network.experiment);
  DrivenModule driven(line, "network.sat.line", DrivenModule::around(network.steps() - 2));
  RingReference reference(network.topology);
  expect_follows(network, fast, driven, cycles(), nullptr, [&](std::uint64_t cycle) {
    if (GetParam().ring()) reference.check(line, cycle);
  });
  const std::string node = std::to_string(GetParam().node);
  const std::string comes = GetParam().ring_of_units() ? "signal_now_o_" : "signal_o_";
  driven.expect_moved(moves(), {comes + node, "signal_leaves_o_" + node, "wire_o_1"});
  if (GetParam().ring()) {
    EXPECT_GT(reference.held(), 0U) << "a station kept it";
  }
}

INSTANTIATE_TEST_SUITE_P(By, SatDriven,
                         testing::Values(Driver{"synthetic_traffic_ring", synthetic, "ring", 5, 10},
                                         Driver{"synthetic_traffic_tree", synthetic, "spanning_tree", 5, 10},
                                         Driver{"synthetic_traffic_diamond", synthetic, "diamond_ring", 5, 10},
                                         Driver{"stream_graph_ring", stream, "ring", 5, 10}),
                         [](const auto& driver) { return driver.param.name; });

}  // namespace
}  // namespace braid::test::sat_driven_test
