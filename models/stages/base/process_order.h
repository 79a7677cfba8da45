// In which order the stages of a step run, for tests: whatever the kernel likes; or, as the environment variable
// BRAID_PROCESS_ORDER says, "forward" or "backward", each woken by itself, so that the two are the reverse of each
// other.
#pragma once

#include <cstdlib>
#include <string>

namespace braid::models::stages {

enum class ProcessOrder { kKernels, kForward, kBackward };

inline ProcessOrder process_order() {
  static const ProcessOrder order = [] {
    const char* const name = std::getenv("BRAID_PROCESS_ORDER");
    if (name == nullptr) return ProcessOrder::kKernels;
    return std::string(name) == "backward" ? ProcessOrder::kBackward : ProcessOrder::kForward;
  }();
  return order;
}

}  // namespace braid::models::stages
