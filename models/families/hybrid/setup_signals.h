// What a waveform shows of path set-up as a whole: what the sequencer does, and where the one message under way is. The
// units' own registers are with their routers.
#pragma once

#include "models/families/hybrid/fabric.h"
#include "models/observe/signals.h"

namespace braid::models::hybrid {

/// "how did the set-up go"
extern const Question kHowSetUp;
/// Names of ControlKind + 1.
extern const SignalValues kControlNames;

class SetupSignals {
 public:
  /// Where circuits are wanted.
  SetupSignals(const Fabric& fabric, const SetupSequencer& sequencer, SignalTable& table);
  /// No message is under way ...
  void clear();
  /// ... but this one.
  void take(const ControlMessage& message);
  void sample();

 private:
  const Fabric& fabric_;
  const SetupSequencer& sequencer_;
  SignalValues routers_;
  Signal *phase_, *order_, *stream_, *standing_, *message_, *at_;
};

}  // namespace braid::models::hybrid
