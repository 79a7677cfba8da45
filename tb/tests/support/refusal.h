// What a network is refused with.
#pragma once

#include <string>

#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

/// The text of the error, "" if there is none.
inline std::string refusal(const models::Experiment& e) {
  try {
    const Bench bench(e);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace braid::test
