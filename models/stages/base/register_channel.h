// What passes between two stages of a network: registers and wires that lie in the bank of the family, as a channel
// that ports bind to. Stages of the network itself work on the bank: nothing is copied. For everybody else the channel
// is a signal of Bits: read() puts together what is there, what is written takes effect in the update phase.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <utility>

#include "models/stages/base/bits.h"

namespace braid::models::stages {

/// Whose registers they are: those of one router, say. A family's stages know which of its things it is.
class Bank {
 public:
  virtual ~Bank() = default;
};

class RegisterChannel final : public sc_core::sc_prim_channel, public sc_core::sc_signal_inout_if<Bits> {
 public:
  /// Reads the bank: `bits` has the channel's width and is clear.
  using Gather = std::function<void(Bits& bits)>;
  /// Writes it.
  using Scatter = std::function<void(const Bits& bits)>;

  RegisterChannel(const char* name, unsigned width, Bank& bank, Gather gather, Scatter scatter = nullptr)
      : sc_prim_channel(name),
        bank_(bank),
        gather_(std::move(gather)),
        scatter_(std::move(scatter)),
        value_(width),
        next_(width) {}
  ~RegisterChannel() override;
  const char* kind() const override { return "register_channel"; }

  Bank& bank() const { return bank_; }
  unsigned width() const { return value_.width(); }
  /// Writes the bank at once.
  void load(const Bits& bits) {
    if (scatter_) scatter_(bits);
  }
  /// At the end of a cycle: shows what is in the channels that anybody has ever read, or waits for, and tells those who
  /// wait for a change of it. (Waveforms look at the value where they found it at first.)
  static void settle_watched();

  const Bits& read() const override;
  const Bits& get_data_ref() const override { return read(); }
  void write(const Bits& bits) override;
  /// From now on what is written is there at once: somebody calls the stage that writes, outside of the kernel's
  /// phases.
  void take_at_once() { at_once_ = true; }
  const sc_core::sc_event& default_event() const override { return value_changed_event(); }
  const sc_core::sc_event& value_changed_event() const override {
    watch();
    if (!changed_) changed_ = std::make_unique<sc_core::sc_event>();
    return *changed_;
  }
  bool event() const override { return changed_ && changed_->triggered(); }
  sc_core::sc_writer_policy get_writer_policy() const override { return sc_core::SC_MANY_WRITERS; }

 private:
  void update() override;
  void watch() const;
  void settle();

  Bank& bank_;
  Gather gather_;
  Scatter scatter_;
  mutable Bits value_;
  mutable bool watched_ = false;
  Bits next_;
  bool at_once_ = false;
  mutable std::unique_ptr<sc_core::sc_event> changed_;  // null: nobody waits for it
};

}  // namespace braid::models::stages
