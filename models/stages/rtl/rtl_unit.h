// A stage of the RTL tied to the ports of a module, by their names: as the stage of a modelled router, or beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/rtl/stage_wires.h"
#include "models/stages/base/bits.h"
#include "models/stages/hybrid/stage_seat.h"

namespace braid::models::stages::rtl {

using hybrid::Qualified;
using hybrid::StageSeat;
using models::hybrid::WiredStage;

class RtlUnit {
 public:
  /// Loads the stage of that name that fits the seat. Throws InputError.
  RtlUnit(const StageSeat& seat, const std::string& stage);

  /// Finds the module's ports. Throws std::logic_error where the RTL has one that the module has not.
  void tie(const sc_core::sc_module& module);
  /// Puts what the module's inputs carry on those of the RTL, and has its wires follow.
  void take_inputs();
  void clock() { unit_->clock(); }
  /// Writes the module's outputs of a kind.
  void write_outputs(WiredStage::Kind kind);
  /// Outputs of a kind against those that the model has written. Throws LockstepError at the first difference.
  void compare(WiredStage::Kind kind, const std::vector<Qualified>& qualified, std::uint64_t cycle);

 private:
  struct Tied {
    const WiredStage::Port* port;
    sc_core::sc_in<Bits>* in = nullptr;    // of inputs
    sc_core::sc_out<Bits>* out = nullptr;  // of outputs
    Bits value{};                          // of the RTL
  };
  void read(Tied& tied) const;
  /// The bits of an output that mean something.
  Bits meaning(const Tied& tied, const std::vector<Qualified>& qualified) const;

  std::string where_;  // "router 1,2"
  std::string stage_;
  std::unique_ptr<WiredStage> unit_;
  std::vector<Tied> tied_;
};

}  // namespace braid::models::stages::rtl
