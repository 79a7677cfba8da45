// A stage of a hybrid router. Where all its ports are bound to registers of one router's bank, it calls that router's
// stage function, the one that the static schedule calls; else it works on what its ports carry.
#pragma once

#include "models/families/hybrid/slice.h"
#include "models/stages/base/bit_ports.h"
#include "models/stages/base/stage.h"
#include "models/stages/hybrid/router_shape.h"

namespace braid::models::stages::hybrid {

using models::hybrid::Slice;
using stages::InBits;
using stages::OutBits;
using stages::PortSignals;
class AloneRouter;

class RouterStage : public Stage {
 public:
  /// The registers of its router; null: it works on its ports alone, in every cycle.
  using Looked = Slice;
  Slice* looked() const { return slice_; }
  /// has_work() of a final class, without a look at the stage itself.
  template <class S>
  static bool has_work_in(S& stage, Slice* slice, std::uint64_t cycle) {
    return slice == nullptr || stage.S::has_work_on_bank(*slice, cycle);
  }
  /// on_bank() likewise. There are registers.
  template <class S>
  static void run_in(S& stage, Slice* slice, std::uint64_t cycle) {
    stage.S::on_bank(*slice, cycle);
  }
  bool has_work(std::uint64_t cycle) override { return slice_ == nullptr || has_work_on_bank(*slice_, cycle); }
  /// Does the model's own stage function run in this seat?
  virtual bool is_modelled() const { return false; }

 protected:
  RouterStage(const sc_core::sc_module_name& name, const RouterShape& shape) : Stage(name), shape_(shape) {}

  /// The stage's part of a cycle, in a network. A stage of somebody else's knows its ports only, and works every cycle.
  virtual void on_bank(Slice& /*slice*/, std::uint64_t cycle) { on_ports(cycle); }
  virtual bool has_work_on_bank(Slice& /*slice*/, std::uint64_t /*cycle*/) { return true; }
  /// ... alone, by its ports: reads all inputs, writes all outputs.
  virtual void on_ports(std::uint64_t cycle) = 0;
  void end_of_elaboration() override;
  void step(std::uint64_t cycle) override {
    if (slice_ != nullptr) return on_bank(*slice_, cycle);
    on_ports(cycle);
  }

  /// join() of a final class: its stage function is called without a look at what class it is. On its ports alone it
  /// runs by its process.
  template <class S>
  void join_as(StepClock& clock, S& unit) {
    if (slice_ == nullptr) return clock.add(unit);
    clock.add_in_place(unit);
    call_as<S>();
  }
  /// ... of one that is made of registers.
  template <class S>
  void join_registers_as(StepClock& clock, S& unit) {
    if (slice_ == nullptr) return clock.add(unit);
    clock.add_registers(unit);
    call_as<S>();
  }

 private:
  template <class S>
  void call_as() {
    if (slice_ == nullptr) return;
    call([](Stage& stage, std::uint64_t cycle) {
      auto& self = static_cast<S&>(stage);
      self.on_bank(*self.slice_, cycle);
    });
  }

  Slice* slice_ = nullptr;

 protected:
  const RouterShape shape_;
};

}  // namespace braid::models::stages::hybrid
