// Model and RTL of one router side by side: every register and every output pin compared every cycle. The first
// difference ends the run with a report and a waveform that holds both.
#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/families/hybrid/slice.h"
#include "models/observe/wave_file.h"
#include "models/rtl/pin_router.h"
#include "models/rtl/router_pins.h"

namespace braid::models::hybrid {

/// what(): cycle, signal, both values, the last cycles of its port, and where the waveform is.
class LockstepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What an arbiter of the RTL holds, derived from the grants that the model's arbiters gave (their registers are their
/// own). Round robin: a row of ones after the last winner. Matrix: bit a * requesters + b, a < b: a before b.
class ArbiterShadow {
 public:
  ArbiterShadow(bool matrix, std::uint32_t requesters);
  void use(std::uint32_t winner);
  std::uint64_t word() const { return word_; }

 private:
  std::uint64_t all() const { return ~std::uint64_t{0} >> (64 - requesters_); }  // of 1 to 64

  bool matrix_;
  std::uint32_t requesters_;
  std::uint64_t word_ = 0;
};

class Lockstep {
 public:
  Lockstep(const RouterShape& shape, Slice& slice, SetupUnits& setup, const RouterBank& bank, const FlitCodec& codec,
           const RouterPins& pins, RouterId router, std::string name, std::string wave_file);

  /// Both as reset has left them, before any clock edge. Throws LockstepError.
  void compare_reset(const PinRouter& rtl);
  /// Between the two halves of a cycle: the model's grants are known and not yet applied.
  void take_grants();
  /// After both have had the clock edge that ends `cycle`. Throws LockstepError.
  void compare(std::uint64_t cycle, const RouterInputs& in, const PinRouter& rtl);

  /// After compare() of a cycle that could change nothing. Throws LockstepError if a register or pin changed.
  void expect_no_change(std::uint64_t cycle) const;
  /// The RTL's set-up unit holds a tear-down that waits for flits.
  bool tear_down_waits() const { return rtl_.router(RouterImage::kWaiting) != 0; }

  std::uint64_t cycles() const { return cycles_; }
  /// Writes the waveform of the last cycles of both without any difference; returns the names of the files.
  std::string save_waves() const { return write_waves(RouterImage::kControlOut); }

 private:
  void model(std::uint64_t cycle, const RouterInputs& in);
  void model_port(std::uint32_t port, const RouterInputs& in, const RouterOutputs& out);
  void model_setup(std::uint64_t cycle, const RouterInputs& in, const RouterOutputs& out);
  void model_circuits(std::uint32_t port);
  void put(std::uint64_t* words, const Flit& flit) const;
  std::uint64_t row(VcIndex circuit_lane) const;
  [[noreturn]] void report(std::uint64_t cycle, std::size_t word) const;
  std::deque<Signal> wave_signals() const;
  std::string write_waves(std::size_t word) const;

  RouterShape shape_;
  Slice& slice_;
  SetupUnits& setup_;
  const RouterBank& bank_;
  const FlitCodec& codec_;
  const RouterPins& pins_;
  RouterId router_;
  std::string name_;
  std::string wave_file_;                                        // of a difference
  std::vector<ArbiterShadow> va_inputs_, va_outputs_;            // [port * vcs + vc]
  std::vector<std::uint32_t> last_ports_;                        // [port * vcs + vc] that VA granted last
  std::vector<ArbiterShadow> sa_vcs_, sa_outputs_, sa_accepts_;  // [port]
  bool va_inputs_shown_ = true, va_outputs_shown_ = true, sa_outputs_shown_ = true, sa_accepts_shown_ = false;
  std::vector<ArbiterShadow> circuit_lanes_, circuit_outputs_;  // [port]; empty: nobody shares
  bool message_latched_ = false;                                // a control message is at the unit in this cycle
  bool was_waiting_ = false;
  RouterImage model_, rtl_;
  struct Moment {
    std::uint64_t cycle;
    std::vector<std::uint64_t> words;
  };
  std::vector<Moment> past_;  // a ring: model and RTL were equal
  std::uint64_t cycles_ = 0;
};

}  // namespace braid::models::hybrid
