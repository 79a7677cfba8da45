// Modules alone write as many bits on each output as its channel in a network has, and as its page in
// docs/hardware-view says. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "models/stages/hybrid/setup_sequencer.h"
#include "models/stages/ideal/link_scheduler.h"
#include "models/stages/ideal/links.h"
#include "models/stages/ideal/receiver.h"
#include "models/stages/lines/station.h"
#include "models/stages/myrinet/host_interface.h"
#include "models/stages/myrinet/in_transit_host.h"
#include "models/stages/myrinet/output_port.h"
#include "models/stages/myrinet/routing_control_unit.h"
#include "models/stages/myrinet/slack_buffer.h"
#include "models/stages/sat/home.h"
#include "models/stages/sat/station.h"
#include "tb/tests/support/lone_module.h"

namespace braid::test::output_widths_test {
namespace {

namespace stages = models::stages;
using Widths = std::map<std::string, unsigned>;

/// After an edge.
void expect_widths(stages::Stage& module, const Widths& wanted) {
  LoneModule alone(module);
  alone.edge();
  Widths written;
  for (const auto& [port, width] : wanted) written[port] = alone.wire(port).read().width();
  EXPECT_EQ(written, wanted);
}

TEST(WidthsOfMyrinetsUnits, AreThoseOfTheSlackBuffer) {
  stages::myrinet::SlackBuffer unit("unit", models::myrinet::Options{});
  expect_widths(unit, {{"flits_o", 16}, {"stop_o", 1}});
}
TEST(WidthsOfMyrinetsUnits, AreThoseOfTheRoutingControlUnit) {
  stages::myrinet::RoutingControlUnit unit("unit", 8, models::myrinet::Timing{});
  expect_widths(unit, {{"taken_o", 1}, {"request_o", 8}, {"state_o", 2}});
}
TEST(WidthsOfMyrinetsUnits, AreThoseOfTheOutputPort) {
  stages::myrinet::OutputPort unit("unit", 8, models::myrinet::Timing{});
  expect_widths(unit, {{"grant_o", 8}, {"sends_o", 1}});
}
TEST(WidthsOfMyrinetsUnits, AreThoseOfTheHostInterface) {
  stages::myrinet::HostInterface unit("unit");
  expect_widths(unit, {{"sends_o", 1}, {"ready_o", 1}});
}
TEST(WidthsOfMyrinetsUnits, AreThoseOfTheInTransitHost) {
  stages::myrinet::InTransitHost unit("unit", models::TransitTimes{44, 32, false});
  expect_widths(unit, {{"state_o", 3}, {"packets_o", 16}, {"sends_on_o", 1}, {"sends_own_o", 1}});
}

TEST(WidthsOfTheIdealNetworksUnits, AreThoseOfTheReceiver) {
  stages::ideal::Receiver unit("unit", 1, true);
  expect_widths(unit, {{"takes_o", 16}, {"held_o", 16}});
}
TEST(WidthsOfTheIdealNetworksUnits, AreThoseOfTheLinks) {
  stages::ideal::Links unit("unit", 3);
  expect_widths(unit, {{"comes_o_0", 16}, {"comes_o_2", 16}});
}
TEST(WidthsOfTheIdealNetworksUnits, AreThoseOfTheScheduler) {
  stages::ideal::LinkScheduler unit("unit", {1, 1, 1}, {1, 1, 1}, false);
  expect_widths(unit, {{"sends_o_0", 3}, {"sends_o_2", 3}});
}

TEST(WidthsBesideTheNetwork, AreThoseOfASatStation) {
  stages::sat::Station unit("unit", models::SatThresholds{1, 2});
  expect_widths(unit, {{"satisfied_o", 1}, {"open_o", 1}, {"starved_o", 1}, {"holds_o", 1}, {"sent_o", 32}});
}
TEST(WidthsBesideTheNetwork, AreThoseOfTheHomeStation) {
  stages::sat::Home unit("unit", 3);
  expect_widths(unit, {{"l_o", 32}, {"k_o", 32}});
}
/// Two wires at once, one when it is done.
TEST(WidthsBesideTheNetwork, AreThoseOfABroadcastsStation) {
  stages::lines::StationShape shape;
  shape.in = 1;
  shape.at_once = 2;
  shape.when_done = 1;
  stages::lines::Station unit("unit", shape);
  expect_widths(unit, {{"drive_o", 3}, {"state_o", 2}, {"begun_o", 32}, {"finished_o", 32}});
}
TEST(WidthsBesideTheNetwork, AreThoseOfTheSetupSequencer) {
  stages::hybrid::SetupSequencer unit("unit", {{"a", NodeId{0U}, NodeId{5U}}}, models::hybrid::Options{}, 1);
  expect_widths(unit, {{"request_valid_o", 1},
                       {"request_kind_o", 2},
                       {"request_stream_o", 32},
                       {"state_o", 2},
                       {"order_o", 32},
                       {"stream_o", 32},
                       {"standing_o", 32}});
}

}  // namespace
}  // namespace braid::test::output_widths_test
