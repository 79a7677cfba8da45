// Each stage of a router and its shadow (tb/tests/support/shadow.h).
#include "tb/tests/support/shadow.h"

#include "models/stages/hybrid/input_unit.h"
#include "models/stages/hybrid/output_unit.h"
#include "models/stages/hybrid/route_unit.h"
#include "models/stages/hybrid/setup_sequencer.h"
#include "models/stages/hybrid/switch_traversal.h"

namespace braid::test::shadows {
namespace {

TEST(Shadow, OfTheInputUnitWritesWhatItHas) {
  NetworkOfModules network("network", busy_mesh());
  const AlonePlace place(busy_mesh(), "1,1");
  Shadow<InputUnit> shadow(kRouter + "input_unit", network.clocks()[kBufferWrite], "", place.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(2000); cycle < end && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step != kBufferWrite + 1) return;
      shadow.compare({"heads_o", "destination_o", "ready_o", "request_o", "out_port_o", "out_vc_o", "st_grant_o",
                      "st_in_lane_o", "st_out_port_o", "st_out_lane_o", "st_flit_o"},
                     cycle);
    });
  }
  shadow.expect_seen(500);
}

TEST(Shadow, OfTheRouteUnitWritesWhatItHas) {
  NetworkOfModules network("network", busy_mesh());
  Shadow<RouteUnit> shadow(kRouter + "route_unit", network.clocks()[kRoute], "vc_grant_i",
                           std::make_shared<const AlonePlace>(busy_mesh(), "1,1"));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(2000); cycle < end && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kBufferWrite) {  // the output units take the grants there
        shadow.wires()["vc_grant_i"].write(port_of<InBits>(kRouter + "input_unit", "vc_grant_i")->read());
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
      }
      if (step == kRoute + 1) shadow.compare({"waiting_o", "candidates_o"}, cycle);
    });
  }
  shadow.expect_seen(500);
}

TEST(Shadow, OfTheOutputUnitWritesWhatItHasUnderPacketsAndCircuits) {
  NetworkOfModules network("network", circuits());
  const AlonePlace place(circuits(), "1,1");
  Shadow<OutputUnit> shadow(kRouter + "output_unit", network.clocks()[kBufferWrite], "", place.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(4000); cycle < end && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kBufferWrite + 1) shadow.compare({"free_o", "credits_o", "circuit_credit_o"}, cycle);
    });
  }
  shadow.expect_seen(500);
}

TEST(Shadow, OfSwitchTraversalWritesWhatItHasUnderPacketsAndCircuits) {
  NetworkOfModules network("network", circuits());
  const AlonePlace place(circuits(), "1,1");
  Shadow<SwitchTraversal> shadow(kRouter + "switch_traversal", network.clocks()[kTraversal], "", place.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(4000); cycle < end && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kTraversal + 1) shadow.compare({"link_valid_o", "link_lane_o", "link_flit_o", "credit_o"}, cycle);
    });
  }
  shadow.expect_seen(500);
}

TEST(Shadow, OfTheSetupSequencerWritesWhatItHas) {
  NetworkOfModules network("network", circuits());
  Shadow<SetupSequencer> shadow("network.setup_sequencer", network.clocks()[network.clocks().size() - 1], "",
                                models::hybrid::of(network.network().fabric()).setup_requests().circuits(),
                                models::hybrid::read_options(circuits()), 1);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0; cycle < 4000 && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step != network.clocks().size()) return;
      shadow.compare({"request_valid_o", "request_stream_o", "state_o", "order_o", "stream_o", "standing_o"}, cycle);
    });
  }
  shadow.expect_seen(10);
  EXPECT_EQ(network.network().fabric().setup_results().circuits.size(), 18U);
}

/// What is on a port of the interfaces, or of ST, is on the other end's port in a later cycle.
TEST(Wires, BetweenARouterAndItsNodesCarryWhatWasSent) {
  NetworkOfModules network("network", busy_mesh());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const std::string node = kRouter + "network_interface", st = kRouter + "switch_traversal";
  const AlonePlace place(busy_mesh(), "1,1");
  const RouterShape shape = place.shape();
  constexpr unsigned kLocal = 4;
  /// Of the local port, as the wires are before a step.
  const auto at_local = [&](const Bits& bits) {
    const unsigned w = bits.width() / shape.ports;
    return std::pair(w > 64 ? bits.field(kLocal * w + 64, w - 64) : 0, bits.field(kLocal * w, std::min(w, 64U)));
  };
  using Value = std::pair<std::uint64_t, std::uint64_t>;
  std::map<std::string, std::vector<Value>> in, out;  // [port][cycle]
  for (int cycle = 0; cycle < 2000; ++cycle) {
    network.cycle(ProcessOrder::kMade, [&](std::size_t step) {
      if (step == 0) {
        for (const char* port : {"valid_i", "vc_i", "flit_i"}) {
          in[port].push_back(at_local(port_of<InBits>(kRouter + "input_unit", port)->read()));
        }
        for (const char* port : {"link_valid_i", "link_lane_i", "link_flit_i", "credit_i"}) {
          in[port].push_back(at_local(port_of<InBits>(node, port)->read()));
        }
        in["credit of the node"].push_back(at_local(port_of<InBits>(kRouter + "output_unit", "credit_i")->read()));
      }
      if (step != network.clocks().size()) return;
      for (const char* port : {"link_valid_o", "link_lane_o", "link_flit_o", "credit_o"}) {
        out[port].push_back(at_local(port_of<OutBits>(node, port)->read()));
        out[std::string("st ") + port].push_back(at_local(port_of<OutBits>(st, port)->read()));
      }
    });
  }
  const auto expect_later = [&](const std::string& from, const std::string& to, std::size_t cycles) {
    const std::vector<Value>&sent = out[from], &came = in[to];
    for (std::size_t c = cycles; c < came.size(); ++c) ASSERT_EQ(came[c], sent[c - cycles]) << to << ", cycle " << c;
    EXPECT_GT(std::count_if(sent.begin(), sent.end(), [](const Value& v) { return v != Value(); }), 200) << from;
  };
  expect_later("link_valid_o", "valid_i", 1);
  expect_later("link_lane_o", "vc_i", 1);
  expect_later("link_flit_o", "flit_i", 1);
  expect_later("credit_o", "credit of the node", 1);
  expect_later("st link_valid_o", "link_valid_i", 2);
  expect_later("st link_lane_o", "link_lane_i", 2);
  expect_later("st link_flit_o", "link_flit_i", 2);
  expect_later("st credit_o", "credit_i", 1);
}

}  // namespace
}  // namespace braid::test::shadows
