// Modules alone on signals beside a network, under synthetic traffic and under a stream graph: each is shown, cycle by
// cycle, what one of the network's own kind reads, and must say the same. And the network of modules beside the fast
// one, register by register. The nightly runs a million cycles (BRAID_LOCKSTEP_CYCLES).
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/stages/myrinet/host_interface.h"
#include "models/stages/myrinet/in_transit_host.h"
#include "models/stages/myrinet/output_port.h"
#include "models/stages/myrinet/routing_control_unit.h"
#include "models/stages/myrinet/slack_buffer.h"
#include "tb/tests/support/lone_module.h"
#include "tb/tests/support/myrinet_modules.h"
#include "tb/tests/support/myrinet_references.h"

namespace braid::test::myrinet_lockstep_test {
namespace {

using models::Experiment;
using models::stages::myrinet::HostInterface;
using models::stages::myrinet::InTransitHost;
using models::stages::myrinet::kFlits;
using models::stages::myrinet::kGrants;
using models::stages::myrinet::kHeaders;
using models::stages::myrinet::kHosts;
using models::stages::myrinet::kSignals;
using models::stages::myrinet::kSteps;
using models::stages::myrinet::OutputPort;
using models::stages::myrinet::RoutingControlUnit;
using models::stages::myrinet::SlackBuffer;

std::uint64_t cycles() {
  const char* given = std::getenv("BRAID_LOCKSTEP_CYCLES");
  return given == nullptr ? 20000 : std::stoull(given);
}

/// Long packets over every switch's buffer, at a load that stops and waits.
Experiment busy_network() {
  Experiment e = irregular_myrinet(8, 0.4, "balanced", "every_switch");
  e.set("traffic.length", "bimodal");
  e.set("traffic.short_flits", 8);
  e.set("traffic.long_flits", 200);
  e.set("traffic.long_fraction", 0.3);
  return e;
}

/// A host a switch, few links: the messages of a stream graph rest at hosts on their way.
Experiment stream_graph() {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("topology.kind", "irregular");
  e.set("topology.switches", 16);
  e.set("topology.hosts", 1);
  e.set("topology.switch_ports", 4);
  e.set("interface.switching", "packet");
  e.set("stream.computation_scaling", 0.001);
  as_myrinet(e, "balanced", "every_switch");
  return e;
}

struct Driver {
  const char* name;
  Experiment (*experiment)();
  std::string place, link;  ///< whose units are followed, of host 5 or of the switch's link
  bool stops;               ///< that link's buffer fills

  /// The register of the link's unit of the switch.
  std::string at(const std::string& what) const { return place + "." + what + "_" + link; }
  /// Ports of the switch.
  unsigned ports(const Bench& network) const { return static_cast<unsigned>(network.topology.port_count(RouterId{1})); }
};
class MyrinetDriven : public testing::TestWithParam<Driver> {};
INSTANTIATE_TEST_SUITE_P(By, MyrinetDriven,
                         testing::Values(Driver{"synthetic_traffic", busy_network, "switch_s1", "link0", true},
                                         Driver{"stream_graph", stream_graph, "switch_s4", "link1", false}),
                         [](const auto& driver) { return driver.param.name; });

/// A module alone, and where its ports' twins are in the network.
class Shadow {
 public:
  struct Port {
    const char* name;
    std::string twin;
    std::size_t before;  ///< the step before which the twin is looked at; kSteps: when the cycle is over
  };
  Shadow(models::stages::Stage& module, std::vector<Port> inputs, std::vector<Port> outputs)
      : alone_(module), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

  void look(const MyrinetModules& network, std::size_t step) {
    for (const Port& port : inputs_) {
      if (port.before == step) alone_.set(port.name, network.at(port.twin));
    }
    for (const Port& port : outputs_) {
      if (port.before == step) expected_[port.name] = network.at(port.twin);
    }
  }
  void end(std::uint64_t cycle) {
    alone_.run_through(cycle);
    for (const Port& port : outputs_) {
      const std::uint64_t value = alone_.get(port.name);
      ASSERT_EQ(value, expected_[port.name]) << port.name << " in cycle " << cycle;
      changes_ += value != last_[port.name] ? 1 : 0;
      last_[port.name] = value;
    }
  }
  std::uint64_t changes() const { return changes_; }
  const LoneModule& alone() const { return alone_; }

 private:
  LoneModule alone_;
  std::vector<Port> inputs_, outputs_;
  std::map<std::string, std::uint64_t> expected_, last_;
  std::uint64_t changes_ = 0;
};

/// `check(cycle)`: after each edge of the module.
void expect_follows(Shadow& shadow, MyrinetModules& network,
                    const std::function<void(std::uint64_t cycle)>& check = nullptr) {
  elaborate();
  for (std::uint64_t cycle = 0; cycle < cycles(); ++cycle) {
    network.begin();
    for (std::size_t s = 0; s < network.steps(); ++s) {
      shadow.look(network, s);
      network.step(s);
    }
    shadow.end(cycle);
    if (check) check(cycle);
    if (testing::Test::HasFatalFailure()) return;
    network.network->end_cycle();
  }
  EXPECT_GT(shadow.changes(), cycles() / 1000) << "something happened";
}

TEST_P(MyrinetDriven, OfASlackBufferAlone) {
  const Driver& driver = GetParam();
  MyrinetModules network(driver.experiment());
  SlackBuffer unit("unit", models::myrinet::Options{});
  Shadow shadow(unit,
                {{"arrive_i", driver.at("arrive"), kSignals},
                 {"taken_i", driver.at("taken"), kSignals},
                 {"leave_i", driver.at("leave"), kSignals}},
                {{"flits_o", driver.at("flits"), kSteps}, {"stop_o", driver.at("stop"), kSteps}});
  SlackReference reference;
  expect_follows(shadow, network, [&](std::uint64_t cycle) { reference.check(shadow.alone(), cycle); });
  if (driver.stops) {
    EXPECT_GT(reference.stops(), 0U);
  }
}

TEST_P(MyrinetDriven, OfARoutingControlUnitAlone) {
  const Driver& driver = GetParam();
  MyrinetModules network(driver.experiment());
  RoutingControlUnit unit("unit", driver.ports(network), models::myrinet::Timing{});
  Shadow shadow(unit,
                {{"header_i", driver.at("header"), kHeaders},
                 {"port_i", driver.at("named"), kHeaders},
                 {"granted_i", driver.at("granted"), kHeaders}},
                {{"taken_o", driver.at("taken"), kGrants},
                 {"request_o", driver.at("request"), kGrants},
                 {"state_o", driver.at("state"), kGrants}});
  expect_follows(shadow, network);
}

TEST_P(MyrinetDriven, OfAnOutputPortAlone) {
  const Driver& driver = GetParam();
  MyrinetModules network(driver.experiment());
  OutputPort unit("unit", driver.ports(network), models::myrinet::Timing{});
  Shadow shadow(unit,
                {{"request_i", driver.at("requests"), kGrants},
                 {"flit_i", driver.at("flit"), kFlits},
                 {"tail_i", driver.at("tail"), kFlits},
                 {"go_i", driver.at("go"), kFlits}},
                {{"grant_o", driver.at("grant"), kSteps}, {"sends_o", driver.at("sends"), kSteps}});
  expect_follows(shadow, network);
}

TEST_P(MyrinetDriven, OfAHostInterfaceAlone) {
  MyrinetModules network(GetParam().experiment());
  HostInterface unit("unit");
  Shadow shadow(unit,
                {{"packet_i", "host_5.packet", kGrants},
                 {"length_i", "host_5.length", kGrants},
                 {"flit_i", "host_5.flit", kFlits},
                 {"go_i", "host_5.go", kFlits}},
                {{"sends_o", "host_5.sends", kSteps}});
  expect_follows(shadow, network);
}

TEST_P(MyrinetDriven, OfAnInTransitHostAlone) {
  MyrinetModules network(GetParam().experiment());
  InTransitHost unit("unit", models::TransitTimes{44, 32});
  Shadow shadow(
      unit, {{"mark_i", "host_5.mark", kHosts}, {"own_i", "host_5.own", kHosts}, {"ready_i", "host_5.ready", kHosts}},
      {{"state_o", "host_5.state", kSteps},
       {"packets_o", "host_5.packets", kSteps},
       {"sends_on_o", "host_5.sends_on", kSteps},
       {"sends_own_o", "host_5.sends_own", kSteps}});
  InTransitReference reference;
  expect_follows(shadow, network, [&](std::uint64_t cycle) { reference.check(shadow.alone(), cycle); });
  EXPECT_GE(reference.sent_on(), 3U);
}

/// Links of the busy network stop, so that bytes come later than their times.
TEST_P(MyrinetDriven, OfAnInTransitHostThatCountsBytesAlone) {
  Experiment e = GetParam().experiment();
  e.set("in_transit.detection", "bytes");
  MyrinetModules network(e);
  InTransitHost unit("unit", models::TransitTimes{44, 32, true});
  Shadow shadow(unit,
                {{"mark_i", "host_5.mark", kHosts},
                 {"here_i", "host_5.here", kHosts},
                 {"tail_i", "host_5.tail", kHosts},
                 {"own_i", "host_5.own", kHosts},
                 {"ready_i", "host_5.ready", kHosts}},
                {{"state_o", "host_5.state", kSteps},
                 {"packets_o", "host_5.packets", kSteps},
                 {"sends_on_o", "host_5.sends_on", kSteps},
                 {"sends_own_o", "host_5.sends_own", kSteps}});
  expect_follows(shadow, network);
}

/// All that can be read of the registers of a network.
void expect_same_registers(const Bench& fast, const Bench& modules, std::uint64_t cycle) {
  const models::myrinet::Slice &a = myrinet_of(fast).slice(), &b = myrinet_of(modules).slice();
  for (std::size_t c = 0; c < a.channels().size(); ++c) {
    const models::myrinet::Channel &x = a.channels()[c], &y = b.channels()[c];
    ASSERT_EQ(x.go, y.go) << "channel " << c << " in cycle " << cycle;
    ASSERT_EQ(x.stopping, y.stopping) << "channel " << c << " in cycle " << cycle;
    ASSERT_EQ(x.sent.at(cycle), y.sent.at(cycle)) << "channel " << c << " in cycle " << cycle;
    ASSERT_EQ(x.occupancy(cycle), y.occupancy(cycle)) << "channel " << c << " in cycle " << cycle;
    ASSERT_EQ(a.inputs()[c].state, b.inputs()[c].state) << "input " << c << " in cycle " << cycle;
    ASSERT_EQ(a.inputs()[c].output, b.inputs()[c].output) << "input " << c << " in cycle " << cycle;
  }
  for (std::size_t i = 0; i < a.interfaces().size(); ++i) {
    const models::TransitBuffer &x = fast.network->in_transit().front()->buffer(i),
                                &y = modules.network->in_transit().front()->buffer(i);
    ASSERT_EQ(x.resting.size(), y.resting.size()) << "host " << i << " in cycle " << cycle;
    ASSERT_EQ(x.leaving, y.leaving) << "host " << i << " in cycle " << cycle;
  }
}

void expect_lockstep(const Experiment& e) {
  MyrinetModules modules(e);
  Bench fast(e);
  elaborate();
  for (std::uint64_t cycle = 0; cycle < cycles(); ++cycle) {
    fast.run(1);
    modules.advance(1);
    expect_same_registers(fast, modules, cycle);
    if (testing::Test::HasFatalFailure()) return;
  }
  expect_same_run(fast, modules, "at the end");
  EXPECT_GT(fast.delivered(), cycles() / 100);
}

TEST(MyrinetLockstep, OfModulesThatCountBytesWithTheFastNetwork) {
  Experiment e = busy_network();
  e.set("in_transit.detection", "bytes");
  expect_lockstep(e);
}

TEST(MyrinetLockstep, OfANetworkOfModulesWithTheFastOne) {
  Experiment e = busy_network();
  e.set("failure.router", "s0");
  e.set("failure.port", "link0");
  e.set("failure.cycle", 5000);
  e.set("failure.recompute_ns", 6250.0);
  MyrinetModules modules(e);
  Bench fast(e);
  elaborate();
  for (std::uint64_t cycle = 0; cycle < cycles(); ++cycle) {
    fast.run(1);
    modules.advance(1);
    expect_same_registers(fast, modules, cycle);
    if (HasFatalFailure()) return;
  }
  expect_same_run(fast, modules, "at the end");
  EXPECT_GT(fast.delivered(), cycles() / 100);
  EXPECT_GT(fast.network->conservation().packets_lost.value_or(0), 0U);
}

}  // namespace
}  // namespace braid::test::myrinet_lockstep_test
