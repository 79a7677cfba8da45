// Modules alone on signals beside a network: each is shown, cycle by cycle, what one of the network's own kind reads,
// and must say the same. And the network of modules beside the fast one, register by register. The nightly runs a
// million cycles (BRAID_LOCKSTEP_CYCLES).
#include <gtest/gtest.h>

#include <cstdlib>
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

 private:
  LoneModule alone_;
  std::vector<Port> inputs_, outputs_;
  std::map<std::string, std::uint64_t> expected_, last_;
  std::uint64_t changes_ = 0;
};

void expect_follows(Shadow& shadow, MyrinetModules& network) {
  elaborate();
  for (std::uint64_t cycle = 0; cycle < cycles(); ++cycle) {
    network.begin();
    for (std::size_t s = 0; s < network.steps(); ++s) {
      shadow.look(network, s);
      network.step(s);
    }
    shadow.end(cycle);
    if (testing::Test::HasFatalFailure()) return;
    network.network->end_cycle();
  }
  EXPECT_GT(shadow.changes(), cycles() / 1000) << "something happened";
}

TEST(MyrinetLockstep, OfASlackBufferAlone) {
  MyrinetModules network(busy_network());
  SlackBuffer unit("unit", models::myrinet::Options{});
  Shadow shadow(unit,
                {{"arrive_i", "switch_s1.arrive_link0", kSignals},
                 {"taken_i", "switch_s1.taken_link0", kSignals},
                 {"leave_i", "switch_s1.leave_link0", kSignals}},
                {{"flits_o", "switch_s1.flits_link0", kSteps}, {"stop_o", "switch_s1.stop_link0", kSteps}});
  expect_follows(shadow, network);
}

TEST(MyrinetLockstep, OfARoutingControlUnitAlone) {
  MyrinetModules network(busy_network());
  RoutingControlUnit unit("unit", 8, models::myrinet::Timing{});
  Shadow shadow(unit,
                {{"header_i", "switch_s1.header_link0", kHeaders},
                 {"port_i", "switch_s1.named_link0", kHeaders},
                 {"granted_i", "switch_s1.granted_link0", kHeaders}},
                {{"taken_o", "switch_s1.taken_link0", kGrants},
                 {"request_o", "switch_s1.request_link0", kGrants},
                 {"state_o", "switch_s1.state_link0", kGrants}});
  expect_follows(shadow, network);
}

TEST(MyrinetLockstep, OfAnOutputPortAlone) {
  MyrinetModules network(busy_network());
  OutputPort unit("unit", 8, models::myrinet::Timing{});
  Shadow shadow(unit,
                {{"request_i", "switch_s1.requests_link0", kGrants},
                 {"flit_i", "switch_s1.flit_link0", kFlits},
                 {"tail_i", "switch_s1.tail_link0", kFlits},
                 {"go_i", "switch_s1.go_link0", kFlits}},
                {{"grant_o", "switch_s1.grant_link0", kSteps}, {"sends_o", "switch_s1.sends_link0", kSteps}});
  expect_follows(shadow, network);
}

TEST(MyrinetLockstep, OfAHostInterfaceAlone) {
  MyrinetModules network(busy_network());
  HostInterface unit("unit");
  Shadow shadow(unit,
                {{"packet_i", "host_5.packet", kGrants},
                 {"length_i", "host_5.length", kGrants},
                 {"flit_i", "host_5.flit", kFlits},
                 {"go_i", "host_5.go", kFlits}},
                {{"sends_o", "host_5.sends", kSteps}});
  expect_follows(shadow, network);
}

TEST(MyrinetLockstep, OfAnInTransitHostAlone) {
  MyrinetModules network(busy_network());
  InTransitHost unit("unit", models::TransitTimes{44, 32});
  Shadow shadow(
      unit, {{"mark_i", "host_5.mark", kHosts}, {"own_i", "host_5.own", kHosts}, {"ready_i", "host_5.ready", kHosts}},
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
