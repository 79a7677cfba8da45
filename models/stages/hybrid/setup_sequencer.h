// The token of set-up: which circuit is searched next, and what becomes of an order that fails. One for a network, in
// the step of its lines. The RTL has none: whoever holds the token drives request_valid_i of its routers.
#pragma once

#include <memory>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "models/stages/base/bit_ports.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/stage.h"

namespace braid::models::stages::hybrid {

constexpr unsigned kNumberBits = 32;

/// The sequencer's registers in a network, and the outcome that it watches.
class SequencerChannels final : public Bank {
 public:
  /// `clock`: of the step in which the sequencer runs.
  SequencerChannels(models::hybrid::Fabric& fabric, const StepClock& clock);
  models::hybrid::Fabric& fabric() const { return fabric_; }

 private:
  using View = models::hybrid::SetupSequencer::View;
  RegisterChannel& make(const char* name, unsigned width, RegisterChannel::Gather gather);
  RegisterChannel& make_number(const char* name, std::uint32_t View::* number);
  bool asks() const;

  models::hybrid::Fabric& fabric_;
  const StepClock& clock_;
  ModuleList<RegisterChannel> channels_;

 public:
  RegisterChannel& outcome_valid;    ///< [1] the last search or tear-down has ended
  RegisterChannel& outcome_success;  ///< [1] ... with a path
  RegisterChannel& request_valid;    ///< [1] a search or a tear-down begins
  RegisterChannel& request_kind;     ///< [2] models::hybrid::ControlKind
  RegisterChannel& request_stream;   ///< [32]
  RegisterChannel& state;            ///< [2] models::hybrid::SetupSequencer::View::Phase
  RegisterChannel& order;            ///< [32] from 1
  RegisterChannel& stream;           ///< [32] that the token is at
  RegisterChannel& standing;         ///< [32] circuits
};

class SetupSequencer final : public Stage {
 public:
  InBits outcome_valid_i{"outcome_valid_i", 1};
  InBits outcome_success_i{"outcome_success_i", 1};
  OutBits request_valid_o{"request_valid_o", 1};
  OutBits request_kind_o{"request_kind_o", 2};
  OutBits request_stream_o{"request_stream_o", kNumberBits};
  OutBits state_o{"state_o", 2};
  OutBits order_o{"order_o", kNumberBits};
  OutBits stream_o{"stream_o", kNumberBits};
  OutBits standing_o{"standing_o", kNumberBits};

  /// In a network.
  explicit SetupSequencer(const sc_core::sc_module_name& name);
  /// Alone, for these streams.
  SetupSequencer(const sc_core::sc_module_name& name, std::vector<CircuitRequest> streams,
                 const models::hybrid::Options& options, std::uint64_t seed);
  ~SetupSequencer() override;
  void bind(SequencerChannels& network);
  bool has_work(std::uint64_t) override { return fabric_ == nullptr || fabric_->any_set_up(); }

 private:
  class Alone;

  void end_of_elaboration() override;
  void step(std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle);

  models::hybrid::Fabric* fabric_ = nullptr;  // null: alone
  std::unique_ptr<Alone> alone_;
};

}  // namespace braid::models::stages::hybrid
