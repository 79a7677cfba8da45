// A stage of a given shape whose ports get their widths from the test (stage_bench.h).
#pragma once

#include <string>

#include "models/stages/hybrid/router_stage.h"
#include "tb/tests/support/stage_bench.h"

namespace braid::test {

template <class Stage>
struct PortBench : StageBench<Stage> {
  explicit PortBench(const models::stages::hybrid::RouterShape& shape) : StageBench<Stage>(shape) {}

  void set(const std::string& port, unsigned width, std::uint64_t value = 0) {
    this->wires.resize(port, width);
    if (value != 0) this->wires.set(port, 0, width, value);
  }
  /// `bits` of `width` become `value`, from `low` on; the others stay.
  void put(const std::string& port, unsigned low, unsigned width, std::uint64_t value) {
    this->wires.set(port, low, width, value);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::uint64_t read(const std::string& port) const { return this->whole(port); }
};

}  // namespace braid::test
