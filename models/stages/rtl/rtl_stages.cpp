// "rtl" and "lockstep" in the seats of stages: the Verilated modules of hw/.
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "models/stages/rtl/rtl_unit.h"

namespace braid::models::stages::rtl {
namespace {

using hybrid::Slice;

/// The option is "stage." and the RTL's name.
template <class Ports>
std::string stage_name() {
  return std::string(Ports::axis()).substr(std::string("stage.").size());
}

/// The RTL in the model's place.
template <class Ports>
class RtlStage final : public Ports {
 public:
  explicit RtlStage(const StageSeat& seat) : Ports(seat.name, seat.shape), unit_(seat, stage_name<Ports>()) {}

 private:
  void end_of_elaboration() override {
    Ports::end_of_elaboration();
    unit_.tie(*this);
  }
  void on_ports(std::uint64_t) override {
    unit_.take_inputs();
    unit_.write_outputs(WiredStage::Kind::kWire);
    unit_.clock();
    unit_.write_outputs(WiredStage::Kind::kRegister);
  }

  RtlUnit unit_;
};

/// The RTL beside the model, whose outputs count.
template <class Ports>
class LockstepStage final : public Ports {
 public:
  explicit LockstepStage(const StageSeat& seat) : Ports(seat.name, seat.shape), unit_(seat, stage_name<Ports>()) {}
  bool is_modelled() const override { return true; }

 private:
  void end_of_elaboration() override {
    Ports::end_of_elaboration();
    unit_.tie(*this);
  }
  void on_bank(Slice& slice, std::uint64_t cycle) override {
    if (Ports::kRegistersLate && cycle != 0) compare(WiredStage::Kind::kRegister, cycle - 1);
    unit_.take_inputs();
    Ports::modelled(slice, cycle);
    compare(WiredStage::Kind::kWire, cycle);
    unit_.clock();
    if (!Ports::kRegistersLate) compare(WiredStage::Kind::kRegister, cycle);
  }
  void on_ports(std::uint64_t) override {
    throw std::logic_error(std::string(this->name()) + ": lockstep is for a stage in a network");
  }
  void compare(WiredStage::Kind kind, std::uint64_t cycle) { unit_.compare(kind, Ports::qualified(), cycle); }

  RtlUnit unit_;
};

template <class Ports>
bool add_rtl() {
  auto& stages = hybrid::StageRegistry<Ports>::instance();
  return stages.add("rtl", "the Verilated module of hw/ in the model's place", [](const StageSeat& seat) {
    return std::make_unique<RtlStage<Ports>>(seat);
  }) && stages.add("lockstep", "model and RTL, all outputs compared in every cycle", [](const StageSeat& seat) {
    return std::make_unique<LockstepStage<Ports>>(seat);
  });
}

const bool rtl_stages_registered = add_rtl<hybrid::VcAllocatorPorts>() && add_rtl<hybrid::SwitchAllocatorPorts>() &&
                                   add_rtl<hybrid::SetupUnitPorts>() && add_rtl<hybrid::CircuitUnitPorts>();

}  // namespace
}  // namespace braid::models::stages::rtl
