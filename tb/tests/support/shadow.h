// A stage of a router in a network, and beside it another one that has nothing but its ports: what the second writes is
// what the first has, in every cycle. So ports carry all that a stage reads, and channels show what it writes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "models/stages/hybrid/alone_router.h"
#include "models/stages/hybrid/router_stage.h"
#include "tb/tests/support/network_of_modules.h"

namespace braid::test::shadows {

using namespace models::stages::hybrid;
using models::Experiment;
using models::stages::Bits;

/// Steps of a cycle (models/stages/hybrid/router.h).
constexpr std::size_t kTraversal = 0, kSwitchAllocation = 1, kBufferWrite = 2, kRoute = 3;

template <class Port>
Port& port_of(const std::string& module, const std::string& name) {
  return dynamic_cast<Port&>(*sc_core::sc_find_object((module + "." + name).c_str()));
}

template <class Unit>
class Shadow {
 public:
  /// `own`: the stage in the network. `apart`: an input that is not to be what that has.
  template <class... Arguments>
  Shadow(std::string own, models::stages::StepClock& clock, const std::string& apart, Arguments&&... arguments)
      : own_(std::move(own)), unit_("shadow", std::forward<Arguments>(arguments)...) {
    unit_.clk_i(clock);
    for (sc_core::sc_object* child : unit_.get_child_objects()) {
      auto* in = dynamic_cast<InBits*>(child);
      if (in != nullptr && in->basename() != apart) in->bind(port_of<InBits>(own_, in->basename()));
    }
    wires_ = std::make_unique<PortSignals>(unit_);
  }
  PortSignals& wires() { return *wires_; }
  /// Compares what both have on these output ports; counts those cycles in which there is something.
  void compare(std::initializer_list<const char*> ports, std::uint64_t cycle) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // what it has written is on its signals
    for (const char* port : ports) {
      const Bits there = port_of<OutBits>(own_, port)->read();
      ASSERT_EQ(wires_->read(port), there) << port << ", cycle " << cycle;
      seen_[port] += there.any() ? 1 : 0;
    }
  }
  /// `but`: a port that rests in this router.
  void expect_seen(std::uint64_t times, const std::string& but = "") const {
    for (const auto& [port, count] : seen_) {
      if (port == but) continue;
      EXPECT_GT(count, times) << port << " rested";
    }
  }

 private:
  const std::string own_;
  Unit unit_;
  std::unique_ptr<PortSignals> wires_;
  std::map<std::string, std::uint64_t> seen_;
};

/// `scripts/nightly stages` has more.
inline std::uint64_t cycles(std::uint64_t usual) {
  const char* wanted = std::getenv("BRAID_STAGE_CYCLES");
  return wanted == nullptr ? usual : std::stoull(wanted);
}

inline Experiment busy_mesh() {
  Experiment e = uniform_mesh(0.6, 3, 3);
  e.set("router.buffer_depth", 3);
  e.set("routing.algorithm", "minimal_adaptive");
  return e;
}

inline Experiment circuits(unsigned lanes = 4) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  add_traffic(e, 0.3);
  e.set("stream.computation_scaling", 0.001);
  e.set("topology.local_ports", 1);
  e.set("router.circuit_lanes", lanes);
  return e;
}

inline const std::string kRouter = "network.router_1_1.";

}  // namespace braid::test::shadows
