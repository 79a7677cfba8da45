// One stage of the hardware view on the bench, with what it is made from (on_signals.h).
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "tb/tests/support/on_signals.h"

namespace braid::test {

template <class Stage>
struct OwnedStage {
  template <class... Arguments>
  explicit OwnedStage(Arguments&&... arguments) : stage("stage", std::forward<Arguments>(arguments)...) {}
  Stage stage;
};

/// `Stage`: a module with ports of bits and a clk_i.
template <class Stage>
struct StageBench : OwnedStage<Stage>, OnSignals {
  template <class... Arguments>
  explicit StageBench(Arguments&&... arguments)
      : OwnedStage<Stage>(std::forward<Arguments>(arguments)...), OnSignals(OwnedStage<Stage>::stage) {}
};

}  // namespace braid::test
