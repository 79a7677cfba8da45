// A router that a running network has not: `router.implementation = "pins"`. What its neighbours and nodes send it is
// for whoever drives its pins, and what comes from there goes on to them, cycle by cycle (network_cut.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/families/hybrid/stand_in.h"
#include "models/pins/cut_circuits.h"
#include "models/pins/link_rules.h"
#include "models/pins/lone_router.h"
#include "models/rtl/wires.h"

namespace braid::models::pins {

class CutRouter final : public hybrid::StandIn {
 public:
  /// Throws InputError (RouterPlace). So does the first sc_start, if nobody has called bind().
  explicit CutRouter(const hybrid::Seat& seat);
  ~CutRouter() override;

  // The network's side. begin() throws std::logic_error where the pins have not been read since the last cycle.
  bool begin(std::uint64_t cycle) override;
  void commit(std::uint64_t cycle) override;
  void show() override {}
  void for_each_held(const std::function<void(const Flit&)>& visit) const override;
  void for_each_gone(const std::function<void(const Flit&)>& visit) const override;

  // The pins' side, after each cycle: take() of all routers, then give() of all.
  /// From now on somebody drives the pins, with flits of so many bits: 64 at least.
  void bind(std::uint32_t flit_width);
  /// What the router's outputs are after the edge that ended `cycle`. True: a search or tear-down has ended here.
  /// Throws WireError.
  bool take(std::uint64_t cycle, const hybrid::WireOutputs& router);
  /// What its inputs are in `cycle`.
  void give(std::uint64_t cycle, hybrid::WireInputs& router);

  const RouterPlace& place() const { return place_; }

 private:
  class Elaboration;
  void check_bound() const;
  Flit leave(std::uint32_t port, const hybrid::FlitWires& wires);
  hybrid::ControlPins control(const hybrid::ControlWires& wires) const;

  std::unique_ptr<Elaboration> elaboration_;
  RouterPlace place_;
  LinkRules rules_;
  hybrid::RouterPins pins_;
  const PacketStore& store_;
  std::optional<hybrid::FlitCodec> codec_;  // none: nobody drives the pins
  CutCircuits circuits_;
  struct Inside {
    Flit flit;
    std::uint64_t from = 0;  ///< the cycle in which it leaves the link's registers, where it is counted until then
  };
  std::unordered_map<std::uint64_t, Inside> inside_;  // [packet, sequence]
  std::vector<Inside> gone_;                          // left before that cycle
  hybrid::RouterInputs inputs_;                       // of the cycle that is given_
  std::uint64_t given_ = 0;
  std::uint64_t committed_ = 0;  // cycles
};

}  // namespace braid::models::pins
