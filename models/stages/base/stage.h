// A stage of a router, or a unit of a mechanism, as a SystemC module: it reads its input ports at the edge of its clock
// and writes its output ports, once a cycle.
#pragma once

#include <cstdint>
#include <systemc>

#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"

namespace braid::models::stages {

class Stage : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};

  /// What tells of work, if its clock can have it beside the stage; void: has_work() does.
  using Looked = void;
  /// Has the class a function that runs all of a step, by what tells of their work: run_all()?
  static constexpr bool kTogether = false;
  /// May it do anything in the cycle whose step comes next? False: it sleeps over it.
  virtual bool has_work(std::uint64_t /*cycle*/) { return true; }
  /// Runs, though its clock does not rise.
  void wake() { wake_.notify(); }

  /// Asks for the memory of what wake(), the kernel and run() will look at: the event, what lies behind it, and the
  /// process behind its name. Many stages at a time, so that one does not wait for another's.
  void fetch() const {
    constexpr std::size_t kLine = 64, kName = 2 * kLine, kProcess = 6 * kLine;
    const auto* const event = reinterpret_cast<const char*>(&wake_);
    for (std::size_t at = 0; at < sizeof wake_ + kLine; at += kLine) __builtin_prefetch(event + at);
    const auto* const process = reinterpret_cast<const char*>(process_);
    for (std::size_t at = kName; at < kProcess; at += kLine) __builtin_prefetch(process + at);
  }

  /// The stage's part of the edge's cycle, unless it has run.
  void run() {
    const std::uint64_t cycle = *cycle_;
    if (next_ > cycle) return;
    next_ = cycle + 1;
    step_(*this, cycle);
  }

 protected:
  explicit Stage(const sc_core::sc_module_name& name);

  /// One cycle.
  virtual void step(std::uint64_t cycle) = 0;
  void end_of_elaboration() override;
  /// What run() calls, by a pointer that lies beside what run() looks at. step(), unless a class knows it better.
  using StepFunction = void (*)(Stage& stage, std::uint64_t cycle);
  void call(StepFunction function) { step_ = function; }
  /// Of a final class: `clock.add(*this)`, so that it is asked for work without a call.
  virtual void join(StepClock& clock) { clock.add(*this); }
  /// The bank that all ports but clk_i are bound to, optional ones aside; null: some are bound to other signals. At the
  /// end of elaboration.
  Bank* bank() const;

 private:
  const sc_core::sc_object* process_ = nullptr;
  sc_core::sc_event wake_{"wake"};
  std::uint64_t next_ = 0;               // the first cycle that has not run
  const std::uint64_t* cycle_ = &next_;  // whose edge it is; by a clock that counts none always the next
  StepFunction step_ = [](Stage& stage, std::uint64_t cycle) { stage.step(cycle); };
};

}  // namespace braid::models::stages
