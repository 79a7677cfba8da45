// A channel has as many bits as it says, and nothing beyond them: what lies behind a router's last port, buffer or row
// is somebody else's. (SystemC's vectors hold words of 32 bits, in which there is room for more.) One case a process
// (SystemC elaborates once).
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "models/stages/hybrid/router_channels.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/network_of_modules.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::clean_channels_test {
namespace {

using models::Experiment;
using models::stages::Bits;
using models::stages::RegisterChannel;

/// Those bits that a channel says it has, and no others.
Bits told(const RegisterChannel& channel) {
  const Bits& shown = channel.read();
  Bits bits(channel.width());
  for (unsigned i = 0; i < channel.width(); ++i) bits.set(i, shown[i]);
  return bits;
}

void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<const RegisterChannel*>& found) {
  for (const sc_core::sc_object* object : objects) {
    if (const auto* channel = dynamic_cast<const RegisterChannel*>(object)) found.push_back(channel);
    collect(object->get_child_objects(), found);
  }
}
std::vector<const RegisterChannel*> all_channels() {
  std::vector<const RegisterChannel*> found;
  collect(sc_core::sc_get_top_level_objects(), found);
  return found;
}

struct Case {
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
  const char* name;
  std::function<Experiment()> experiment;
};

Experiment busy(Experiment e, double rate = 0.5) {
  add_traffic(e, rate);
  return e;
}
Experiment on_a_line() {
  Experiment e = uniform_mesh(0.1, 3, 1);
  e.open("broadcast");
  e.set("broadcast.medium", "line");
  return e;
}
Experiment of_circuits() {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("topology.local_ports", 1).set("router.circuit_lanes", 3);
  return busy(e, 0.3);
}
Experiment of_escapes() {
  Experiment e = uniform_mesh(0.5, 3, 3);
  e.set("routing.algorithm", "minimal_adaptive").set("router.vcs", 3);
  return e;
}

class CleanChannels : public testing::TestWithParam<Case> {};

TEST_P(CleanChannels, ShowNothingBeyondTheirBits) {
  NetworkOfModules network("network", GetParam().experiment());
  elaborate();
  const std::vector<const RegisterChannel*> channels = all_channels();
  ASSERT_GT(channels.size(), 10U);
  for (int cycle = 0; cycle < 60; ++cycle) {
    network.cycle(ProcessOrder::kMade, [&](std::size_t) {
      if (cycle % 4 != 3) return;
      for (const RegisterChannel* channel : channels) {
        ASSERT_EQ(channel->read(), told(*channel)) << channel->name() << ", cycle " << cycle;
      }
    });
    if (HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Of, CleanChannels,
                         testing::Values(Case{"circuits", of_circuits}, Case{"escapes", of_escapes},
                                         Case{"virtual_cut_through",
                                              [] { return busy(in_family("virtual_cut_through")); }},
                                         Case{"po2",
                                              [] {
                                                Experiment e = busy(in_family("po2"));
                                                e.set("po2.buffers", 5).set("po2.avoidance", "up_down_escape");
                                                return e;
                                              }},
                                         Case{"myrinet", [] { return irregular_myrinet(4, 0.2, "up_down", "none"); }},
                                         Case{"ideal",
                                              [] {
                                                Experiment e = uniform_mesh(0.5, 3, 1);
                                                e.set("router.architecture", "ideal");
                                                return e;
                                              }},
                                         Case{"sat", [] { return with_sat(uniform_mesh(0.3, 3, 1), "ring", 1, 2); }},
                                         Case{"broadcast_line", on_a_line}),
                         [](const auto& c) { return std::string(c.param.name); });

// ---------------------------------------------------------------- of fewer ports than there are

/// The channels of a router of which only the first ports are seen: what the others have is not on them.
class FirstPorts : public testing::TestWithParam<unsigned> {};

TEST_P(FirstPorts, HaveNothingOfTheOthers) {
  const unsigned ports = GetParam();
  const Bench bench(of_circuits(), 16);
  models::hybrid::Fabric& fabric = models::hybrid::of(bench.network->fabric());
  models::hybrid::Slice& slice = fabric.slice(5);
  for (models::PortIndex p = 0; p < slice.bank().input_port_count(); ++p) slice.setup().avoid(p);
  models::stages::hybrid::RouterShape shape;
  shape.ports = ports;
  shape.vcs = slice.bank().vcs();
  shape.circuit_lanes = slice.bank().circuit_lanes();
  models::stages::StepClocks clocks(1);
  models::stages::hybrid::RouterChannels router(slice, RouterId{5U}, shape, clocks[0]);
  elaborate();
  for (const RegisterChannel* channel : all_channels()) {
    if (channel == &router.nodes.ready) continue;  // of the node's ports, wherever they are
    EXPECT_EQ(channel->read(), told(*channel)) << channel->name();
  }
  const std::uint64_t all = (1U << ports) - 1, network = 0b01111, local = 0b10000;
  EXPECT_EQ(router.setup().network_ports.read(), Bits(ports, network & all));
  EXPECT_EQ(router.setup().local_ports.read(), Bits(ports, local & all));
  EXPECT_EQ(router.setup().avoid_ports.read(), Bits(ports, all));
  EXPECT_EQ(router.escape_ports.read(), Bits(ports, network & all));
  EXPECT_EQ(router.free.read(), Bits(ports * shape.vcs, (std::uint64_t{1} << ports * shape.vcs) - 1));
  EXPECT_EQ(router.taken_outputs.read(), Bits(ports));
  EXPECT_EQ(router.units.circuit_credit.read().width(), ports * shape.circuit_lanes);
}
INSTANTIATE_TEST_SUITE_P(Of, FirstPorts, testing::Range(1U, 6U));

}  // namespace
}  // namespace braid::test::clean_channels_test
