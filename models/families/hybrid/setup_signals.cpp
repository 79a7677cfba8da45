#include "models/families/hybrid/setup_signals.h"

#include "models/fabric/signal_names.h"

namespace braid::models::hybrid {
namespace {

const SignalValues kPhaseNames{"setup_phase", {"done", "passes token", "searches", "tears down"}};

}  // namespace

const Question kHowSetUp{"setup", "how did the set-up go"};
const SignalValues kControlNames{"control", {"-", "PROBE", "BACKTRACK", "ACKNOWLEDGE", "TEAR_DOWN"}};

SetupSignals::SetupSignals(const Fabric& fabric, const SetupSequencer& sequencer, SignalTable& table)
    : fabric_(fabric), sequencer_(sequencer), routers_(router_names(fabric.topology())) {
  phase_ = table.add_named("setup", "phase", 2, kPhaseNames)->answers(kHowSetUp);
  phase_->kind = Signal::Kind::kPhase;
  order_ = table.add("setup", "order", 16)->answers(kHowSetUp);
  stream_ = table.add("setup", "stream", 16)->answers(kHowSetUp);
  standing_ = table.add("setup", "standing", 16)->answers(kHowSetUp);
  message_ = table.add_named("setup", "message", 3, kControlNames)->answers(kHowSetUp);
  at_ = table.add_named("setup", "message_at", 20, routers_)->answers(kHowSetUp);
}

void SetupSignals::clear() { message_->value = at_->value = 0; }

void SetupSignals::take(const ControlMessage& message) {
  message_->value = static_cast<std::uint64_t>(message.kind) + 1;
  at_->value = fabric_.bank().router_of(message.port).value + 1;
}

void SetupSignals::sample() {
  const SetupSequencer::View view = sequencer_.view();
  phase_->value = static_cast<std::uint64_t>(view.phase);
  order_->value = view.order;
  stream_->value = view.stream;
  standing_->value = view.standing;
}

}  // namespace braid::models::hybrid
