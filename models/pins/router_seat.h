// The pins around a router that a running network has not: what the network sends it leaves by them, _o for the
// router's _i. models/pins/network_cut.h
#pragma once

#include "models/engine/engine.h"
#include "models/pins/control_ends.h"
#include "models/pins/cut_router.h"
#include "models/pins/request_ends.h"

namespace braid::models::pins {

/// An end of a link for each port of the router; control channel and requests beside them. Its clock is the cut's.
class RouterSeatBase : public RequestEnds, public ControlEnds {
 public:
  PinVector<In<bool>> control_valid_i;
  In<KindBits> control_kind_i{"control_kind_i"};
  In<SearchBits> control_search_i{"control_search_i"};
  In<NodeBits> control_destination_i{"control_destination_i"};

  const RouterPlace& place() const { return router_.place(); }
  /// "1,1"
  const std::string& router_name() const { return place().topology.router_names[place().router.value]; }
  /// Writes what the router's inputs are in the next cycle. After all seats have read what their routers' outputs are.
  void give();
  /// A search or tear-down has ended here in the last cycle.
  bool ended() const { return ended_; }

 protected:
  RouterSeatBase(const sc_core::sc_module_name& name, Engine& engine, CutRouter& router, std::uint32_t flit_width);
  void enter_reset() override {}
  void clock_edge() override;
  void check_pins() override;
  void changed() override;

 private:
  void read_control();
  void expect_answer(std::uint64_t cycle);

  Engine& engine_;
  CutRouter& router_;
  hybrid::WireOutputs from_router_;
  hybrid::WireInputs to_router_;
  bool ended_ = false, heard_ = false;
  std::uint64_t first_given_ = ~std::uint64_t{0};
};

template <int FlitWidth>
class RouterSeat final : public WithFlitData<FlitWidth, RouterSeatBase> {
 public:
  static_assert(FlitWidth >= 64, "the flits of a running network are named by 64 bits of their data");
  RouterSeat(const sc_core::sc_module_name& name, Engine& engine, CutRouter& router)
      : WithFlitData<FlitWidth, RouterSeatBase>(name, engine, router, std::uint32_t{FlitWidth}) {}
};

}  // namespace braid::models::pins
