// What a network is refused with.
#pragma once

#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test {

/// The text of the error, "" if there is none.
inline std::string refusal(const models::Experiment& e) {
  return complaint([&] { const Bench bench(e); });
}

}  // namespace braid::test
