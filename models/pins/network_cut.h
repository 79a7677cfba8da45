// A running network with routers cut out: where `router.implementation = "pins"` the links of the routers that
// `router.rtl_routers` names come out as pins, for routers of the user's own. All others, the nodes and their traffic
// run behind them, with the same cycles. docs/pins.md
//
//   Simulation simulation(e);                                  // router.implementation = "pins", rtl_routers = "1,1"
//   pins::NetworkCut<64> cut("cut", simulation.engine());
//   pins::BraidRouter<64> router("router", e, "1,1");          // or RtlRouter, or your own
//   router.clk_i(cut.clk); router.rst_ni(cut.rst_n);
//   cables.join(cut.at("1,1"), router);
//   simulation.run();                                          // or sc_start
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/engine/engine.h"
#include "models/pins/router_seat.h"
#include "routing/base/input_error.h"

namespace braid::models::pins {

/// All that does not depend on the width of a flit.
class NetworkCutBase : public sc_core::sc_module {
 public:
  /// The network's clock, whose rising edges are its cycles: edge n ends cycle n.
  sc_core::sc_clock clk;
  /// Reset of the routers, active low: up from the middle of cycle 0 on.
  sc_core::sc_signal<bool> rst_n{"rst_n", false};

  SC_HAS_PROCESS(NetworkCutBase);

 protected:
  /// Before the first sc_start.
  NetworkCutBase(const sc_core::sc_module_name& name, Engine& engine);
  /// The routers that the network has not. Throws InputError where it has them all, or is of another family.
  std::vector<CutRouter*> routers() const;
  /// "seat_1_1"
  static std::string seat_name(const CutRouter& router);
  void add(RouterSeatBase& seat);

  Engine& engine_;

 private:
  void fell() { taken_.notify(sc_core::SC_ZERO_TIME); }
  void give();

  sc_core::sc_clock fall_;                   // rises where clk falls: the seats read their pins
  sc_core::sc_signal<bool> on_{"on", true};  // the seats are not reset
  sc_core::sc_event taken_{"taken"};         // all seats have read
  std::vector<RouterSeatBase*> seats_;
};

template <int FlitWidth = 64>
class NetworkCut final : public NetworkCutBase {
 public:
  using Seat = RouterSeat<FlitWidth>;

  /// Throws InputError.
  NetworkCut(const sc_core::sc_module_name& name, Engine& engine) : NetworkCutBase(name, engine) {
    for (CutRouter* router : routers()) {
      seats_.push_back(std::make_unique<Seat>(seat_name(*router).c_str(), engine, *router));
      add(*seats_.back());
    }
  }
  const std::vector<std::unique_ptr<Seat>>& seats() const { return seats_; }
  /// Where router "1,1" was. Throws InputError where the network has it, or nobody has.
  Seat& at(const std::string& router) const {
    std::vector<std::string> names;
    for (const auto& seat : seats_) {
      names.push_back(seat->router_name());
      if (names.back() == router) return *seat;
    }
    throw InputError(unknown_name("router", router, names));
  }

 private:
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace braid::models::pins
